//! The direction of dependencies that docs/architecture.md states, read from `cargo metadata`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// The crates of this workspace that each library may depend on.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("boardgame-core", &[]),
    ("boardgame-files", &[]),
    ("boardgame-session", &["boardgame-core"]),
    ("boardgame-io", &["boardgame-core", "boardgame-session"]),
    (
        "boardgame-match",
        &[
            "boardgame-core",
            "boardgame-files",
            "boardgame-io",
            "boardgame-session",
        ],
    ),
    // The driver of games is behind the features `terminal` and `matches`.
    (
        "boardgame-cli",
        &[
            "boardgame-core",
            "boardgame-files",
            "boardgame-io",
            "boardgame-match",
            "boardgame-session",
        ],
    ),
    // The games are behind the features `othello` and `go`.
    (
        "boardgame-laws",
        &[
            "boardgame-core",
            "boardgame-session",
            "go-core",
            "go-proto",
            "othello-check",
            "othello-core",
            "othello-proto",
            "othello-records",
        ],
    ),
    ("go-core", &["boardgame-core"]),
    (
        "go-proto",
        &["boardgame-core", "boardgame-session", "go-core"],
    ),
    (
        "go-match",
        &[
            "boardgame-core",
            "boardgame-files",
            "boardgame-io",
            "boardgame-match",
            "boardgame-session",
            "go-core",
            "go-proto",
        ],
    ),
    ("go-search", &["boardgame-core", "go-core"]),
    // The session and its driver are behind the feature `session`.
    (
        "go-engine",
        &[
            "boardgame-core",
            "boardgame-files",
            "boardgame-io",
            "go-core",
            "go-proto",
            "go-search",
        ],
    ),
    (
        "go-cli",
        &["boardgame-cli", "go-core", "go-engine", "go-proto"],
    ),
    ("othello-core", &["boardgame-core"]),
    ("othello-check", &[]),
    ("othello-prove", &["othello-core", "othello-search"]),
    ("othello-search", &["othello-core"]),
    (
        "othello-proto",
        &["boardgame-core", "boardgame-session", "othello-core"],
    ),
    ("othello-net", &["boardgame-io"]),
    // The session and the connection are behind the feature `session`.
    (
        "othello-engine",
        &[
            "boardgame-core",
            "othello-core",
            "othello-search",
            "othello-proto",
            "othello-net",
        ],
    ),
    (
        "othello-cli",
        &[
            "boardgame-cli",
            "othello-core",
            "boardgame-files",
            "othello-proto",
            "othello-net",
            "othello-engine",
        ],
    ),
    (
        "othello-host",
        &[
            "boardgame-core",
            "boardgame-io",
            "boardgame-match",
            "boardgame-session",
            "othello-core",
            "boardgame-files",
            "othello-engine",
            "othello-proto",
        ],
    ),
    (
        "othello-match",
        &[
            "boardgame-core",
            "boardgame-session",
            "boardgame-io",
            "boardgame-match",
            "othello-core",
            "boardgame-files",
            "othello-search",
            "othello-proto",
            "othello-engine",
            "othello-host",
        ],
    ),
    (
        "othello-records",
        &["boardgame-files", "othello-core", "othello-proto"],
    ),
    (
        "othello-analysis",
        &[
            "boardgame-files",
            "othello-core",
            "othello-records",
            "othello-search",
        ],
    ),
    (
        "othello-wasm",
        &[
            "othello-analysis",
            "othello-engine",
            "othello-search",
            "othello-web",
        ],
    ),
    (
        "othello-web",
        &[
            "boardgame-core",
            "boardgame-files",
            "boardgame-io",
            "boardgame-match",
            "boardgame-session",
            "othello-analysis",
            "othello-core",
            "othello-engine",
            "othello-host",
            "othello-match",
            "othello-records",
            "othello-search",
        ],
    ),
];

/// Outside crates that bring sockets, clocks or printing, and so stay out of these libraries.
const BARRED: &[(&str, &[&str])] = &[
    (
        "boardgame-core",
        &["tokio", "nom", "tracing", "thiserror", "clap"],
    ),
    ("go-core", &["tokio", "nom", "tracing", "thiserror", "clap"]),
    (
        "othello-core",
        &["tokio", "nom", "tracing", "thiserror", "clap"],
    ),
    (
        "othello-search",
        &["tokio", "nom", "tracing", "clap", "othello-proto"],
    ),
    ("boardgame-session", &["tokio", "tracing", "clap"]),
    (
        "othello-proto",
        &["tokio", "tracing", "clap", "othello-search"],
    ),
    ("go-proto", &["tokio", "tracing", "clap"]),
    (
        "go-search",
        &["tokio", "nom", "tracing", "clap", "go-proto"],
    ),
    ("boardgame-files", &["tokio", "tracing", "clap"]),
    ("boardgame-io", &["clap", "serde"]),
    ("boardgame-match", &["clap", "nom"]),
    ("othello-records", &["tokio", "tracing", "clap"]),
    (
        "othello-analysis",
        &["tokio", "tracing", "clap", "serde_json"],
    ),
    ("othello-web", &["clap"]),
    ("othello-net", &["clap", "othello-search"]),
    ("othello-engine", &["tokio", "clap", "tracing-subscriber"]),
    ("go-engine", &["tokio", "clap", "tracing-subscriber"]),
];

/// Crates of command lines and of programs' logs, each with the only libraries that depend on it.
const OF_PROGRAMS: &[(&str, &[&str])] = &[
    ("clap", &["boardgame-cli", "go-cli", "othello-cli"]),
    ("tracing-subscriber", &["boardgame-cli"]),
];

/// The only folders whose sources, tests apart, make a searcher.
const MAKE_SEARCHERS: &[&str] = &[
    "crates/othello-search/",
    "crates/othello-engine/",
    "crates/go-search/",
    "crates/go-engine/",
];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .no_deps()
        .exec()
        .expect("cargo metadata runs")
}

/// The ordinary dependencies of every package of the workspace.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let ordinary = |package: &cargo_metadata::Package| {
        let normal = package
            .dependencies
            .iter()
            .filter(|d| d.kind == DependencyKind::Normal);
        normal.map(|dependency| dependency.name.clone()).collect()
    };
    metadata
        .packages
        .iter()
        .map(|package| (package.name.to_string(), ordinary(package)))
        .collect()
}

fn is_of_workspace(name: &str) -> bool {
    ["othello", "boardgame", "go-"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

#[test]
fn libraries_depend_only_on_what_lies_beneath_them() {
    let dependencies = dependencies();
    for (library, allowed) in LIBRARIES {
        let of_workspace = dependencies[*library]
            .iter()
            .filter(|name| is_of_workspace(name));
        for name in of_workspace {
            assert!(
                allowed.contains(&name.as_str()),
                "{library} depends on {name}"
            );
        }
    }
}

/// Dependencies of tests are no exception; the laws, which nothing but tests uses, are.
#[test]
fn a_crate_of_any_game_depends_on_no_crate_of_one_game() {
    let metadata = metadata();
    let names: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    for package in &metadata.packages {
        let neutral = package.name.starts_with("boardgame-") && package.name != "boardgame-laws";
        for dependency in package.dependencies.iter().filter(|_| neutral) {
            let name = dependency.name.as_str();
            let allowed = !names.contains(name) || name.starts_with("boardgame-");
            assert!(allowed, "{} depends on {name}", package.name);
        }
    }
}

#[test]
fn every_library_of_the_workspace_has_its_rule() {
    let ruled: BTreeSet<&str> = LIBRARIES.iter().map(|(name, _)| *name).collect();
    for package in &metadata().packages {
        let is_library = package.manifest_path.as_str().contains("/crates/");
        assert_eq!(
            is_library,
            ruled.contains(package.name.as_str()),
            "{}",
            package.name
        );
    }
}

#[test]
fn barred_crates_stay_out() {
    let dependencies = dependencies();
    for (library, barred) in BARRED {
        for name in *barred {
            let depends = dependencies[*library].contains(*name);
            assert!(!depends, "{library} depends on {name}");
        }
    }
}

#[test]
fn the_core_crates_need_no_outside_crate_but_optional_serde() {
    let dependencies = dependencies();
    let of = |package: &str| dependencies[package].iter().cloned().collect::<Vec<_>>();
    assert_eq!(of("boardgame-core"), ["serde"]);
    assert_eq!(of("go-core"), ["boardgame-core", "serde"]);
    assert_eq!(of("othello-core"), ["boardgame-core", "serde"]);
}

#[test]
fn nothing_depends_on_a_binary() {
    let libraries: BTreeSet<&str> = LIBRARIES.iter().map(|(name, _)| *name).collect();
    for (package, dependencies) in dependencies() {
        let of_workspace = dependencies.iter().filter(|name| is_of_workspace(name));
        for name in of_workspace {
            assert!(
                libraries.contains(name.as_str()),
                "{package} depends on the binary {name}"
            );
        }
    }
}

#[test]
fn few_libraries_know_command_lines() {
    let dependencies = dependencies();
    for (library, _) in LIBRARIES {
        for (name, allowed) in OF_PROGRAMS {
            let depends = dependencies[*library].contains(*name);
            assert_eq!(depends, allowed.contains(library), "{library} on {name}");
        }
    }
}

#[test]
fn without_their_features_the_engines_know_no_session_and_the_requests_no_server() {
    let metadata = metadata();
    let required = |name: &str| -> BTreeSet<String> {
        let mut packages = metadata.packages.iter();
        let engine = packages.find(|package| package.name == name);
        let dependencies = engine
            .expect("the workspace has the engine")
            .dependencies
            .iter();
        dependencies
            .filter(|dependency| !dependency.optional && dependency.kind == DependencyKind::Normal)
            .map(|dependency| dependency.name.clone())
            .filter(|name| is_of_workspace(name))
            .collect()
    };
    let of = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    assert_eq!(
        required("othello-engine"),
        of(&["boardgame-core", "othello-core", "othello-search"])
    );
    assert_eq!(
        required("go-engine"),
        of(&["boardgame-core", "boardgame-files", "go-core", "go-search"])
    );
    assert_eq!(
        required("othello-web"),
        of(&[
            "othello-analysis",
            "othello-core",
            "othello-engine",
            "othello-records",
            "othello-search",
        ])
    );
}

/// Adds the sources below `folder`, without tests, benches and examples.
fn add_sources(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            if !["tests", "benches", "examples", "target"].contains(&name) {
                add_sources(&path, sources);
            }
        } else if path.extension().is_some_and(|ext| ext == "rs") && name != "tests.rs" {
            sources.push(path);
        }
    }
}

#[test]
fn the_engine_alone_makes_searchers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    for folder in ["crates", "bins"] {
        add_sources(&root.join(folder), &mut sources);
    }
    let makes = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a source");
        let shipped = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        // Examples in the documentation may.
        let mut code = shipped
            .lines()
            .filter(|line| !line.trim_start().starts_with("///"));
        let calls = [
            "Searcher::new(",
            "Searcher::try_new(",
            "Searcher::with_weights(",
        ];
        code.any(|line| calls.iter().any(|call| line.contains(call)))
    };
    let relative = |path: &PathBuf| {
        let path = path.strip_prefix(&root).expect("below the root");
        path.to_string_lossy().replace('\\', "/")
    };
    let found: Vec<String> = sources
        .iter()
        .filter(|path| makes(path))
        .map(relative)
        .collect();
    assert!(
        found.contains(&"crates/othello-engine/src/settings.rs".into()),
        "{found:?}"
    );
    for path in found {
        let allowed = MAKE_SEARCHERS.iter().any(|folder| path.starts_with(folder));
        assert!(
            allowed,
            "{path} makes a searcher: use othello_engine::Settings"
        );
    }
}
