//! The direction of dependencies that docs/architecture.md states, read from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// The crates of this workspace that each library may depend on.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("boardgame-core", &[]),
    ("boardgame-session", &["boardgame-core"]),
    ("othello-core", &["boardgame-core"]),
    ("othello-files", &[]),
    ("othello-search", &["othello-core"]),
    (
        "othello-proto",
        &["boardgame-core", "boardgame-session", "othello-core"],
    ),
    ("othello-net", &["othello-core", "othello-proto"]),
    // The session and the connection are behind the feature `session`.
    (
        "othello-engine",
        &[
            "othello-core",
            "othello-search",
            "othello-proto",
            "othello-net",
        ],
    ),
    (
        "othello-players",
        &[
            "othello-core",
            "othello-files",
            "othello-proto",
            "othello-net",
            "othello-engine",
        ],
    ),
    (
        "othello-arena",
        &[
            "othello-core",
            "othello-files",
            "othello-proto",
            "othello-net",
            "othello-engine",
        ],
    ),
    (
        "othello-match",
        &[
            "othello-core",
            "othello-files",
            "othello-search",
            "othello-proto",
            "othello-net",
            "othello-engine",
            "othello-arena",
        ],
    ),
    ("othello-laws", &["othello-core", "othello-proto"]),
    (
        "othello-train",
        &[
            "othello-core",
            "othello-files",
            "othello-search",
            "othello-engine",
        ],
    ),
];

/// Outside crates that bring sockets, clocks or printing, and so stay out of these libraries.
const BARRED: &[(&str, &[&str])] = &[
    (
        "boardgame-core",
        &["tokio", "nom", "tracing", "thiserror", "clap"],
    ),
    (
        "othello-core",
        &["tokio", "nom", "tracing", "thiserror", "clap"],
    ),
    (
        "othello-search",
        &["tokio", "nom", "tracing", "clap", "othello-proto"],
    ),
    (
        "boardgame-session",
        &["tokio", "tracing", "clap", "thiserror"],
    ),
    (
        "othello-proto",
        &["tokio", "tracing", "clap", "othello-search"],
    ),
    ("othello-net", &["clap", "othello-search"]),
    ("othello-train", &["tokio", "tracing", "clap", "indicatif"]),
];

/// The ordinary dependencies of every package of the workspace.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
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

#[test]
fn libraries_depend_only_on_what_lies_beneath_them() {
    let dependencies = dependencies();
    for (library, allowed) in LIBRARIES {
        let of_workspace = dependencies[*library]
            .iter()
            .filter(|name| name.starts_with("othello") || name.starts_with("boardgame"));
        for name in of_workspace {
            assert!(
                allowed.contains(&name.as_str()),
                "{library} depends on {name}"
            );
        }
    }
}

#[test]
fn every_library_of_the_workspace_has_its_rule() {
    let ruled: BTreeSet<&str> = LIBRARIES.iter().map(|(name, _)| *name).collect();
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    for package in &metadata.packages {
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
    assert_eq!(of("othello-core"), ["boardgame-core", "serde"]);
}

#[test]
fn nothing_depends_on_a_binary() {
    let libraries: BTreeSet<&str> = LIBRARIES.iter().map(|(name, _)| *name).collect();
    for (package, dependencies) in dependencies() {
        let of_workspace = dependencies
            .iter()
            .filter(|name| name.starts_with("othello") || name.starts_with("boardgame"));
        for name in of_workspace {
            assert!(
                libraries.contains(name.as_str()),
                "{package} depends on the binary {name}"
            );
        }
    }
}
