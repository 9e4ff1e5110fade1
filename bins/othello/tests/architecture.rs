//! The direction of dependencies in docs/architecture.md, checked against `cargo metadata` and the sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, mem,
    path::{Path, PathBuf},
};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// The crates of this workspace that each library may depend on.
const LIBRARIES: &str = "
boardgame-core:
boardgame-files:
boardgame-session: boardgame-core
boardgame-io: boardgame-core boardgame-session
boardgame-match: boardgame-core boardgame-files boardgame-io boardgame-session
boardgame-cli: boardgame-core boardgame-files boardgame-io boardgame-match boardgame-session
boardgame-laws: boardgame-core boardgame-session go-core go-proto othello-check othello-core othello-proto
  othello-records
go-core: boardgame-core
go-proto: boardgame-core boardgame-session go-core
go-match: boardgame-core boardgame-files boardgame-io boardgame-match boardgame-session go-core go-proto
go-search: boardgame-core go-core
go-engine: boardgame-core boardgame-files boardgame-io go-core go-proto go-search
go-cli: boardgame-cli go-core go-engine go-proto
othello-core: boardgame-core
othello-check:
othello-search: othello-core
othello-proto: boardgame-core boardgame-session othello-core
othello-net: boardgame-io
othello-engine: boardgame-core othello-core othello-search othello-proto othello-net
othello-cli: boardgame-cli othello-core boardgame-files othello-proto othello-net othello-engine
othello-host: boardgame-core boardgame-io boardgame-match boardgame-session othello-core boardgame-files
  othello-engine othello-proto
othello-match: boardgame-core boardgame-session boardgame-io boardgame-match othello-core boardgame-files
  othello-search othello-proto othello-engine othello-host
othello-records: boardgame-files othello-core othello-proto
othello-analysis: boardgame-files othello-core othello-engine othello-records othello-search
othello-wasm: othello-analysis othello-engine othello-search othello-web
othello-web: boardgame-core boardgame-files boardgame-io boardgame-match boardgame-session othello-analysis
  othello-core othello-engine othello-host othello-match othello-records othello-search
";

/// Outside crates with sockets, clocks or printing, which these libraries must not use.
const BARRED: &str = "
boardgame-core: tokio nom tracing thiserror clap
go-core: tokio nom tracing thiserror clap
othello-core: tokio nom tracing thiserror clap
othello-search: tokio nom tracing clap othello-proto
boardgame-session: tokio tracing clap
othello-proto: tokio tracing clap othello-search
go-proto: tokio tracing clap
go-search: tokio nom tracing clap go-proto
boardgame-files: tokio tracing clap
boardgame-io: clap serde
boardgame-match: clap nom
othello-records: tokio tracing clap
othello-analysis: tokio tracing clap serde_json
othello-web: clap
othello-net: clap othello-search
othello-engine: tokio clap tracing-subscriber
go-engine: tokio clap tracing-subscriber
";

/// Crates for command lines and programs' logs, each with the only libraries that depend on it.
const OF_PROGRAMS: &str = "
clap: boardgame-cli go-cli othello-cli
tracing-subscriber: boardgame-cli
";

/// The only folders whose sources, except tests, make a searcher.
const MAKE_SEARCHERS: &[&str] = &[
    "crates/othello-search/",
    "crates/othello-engine/",
    "crates/go-search/",
    "crates/go-engine/",
];

/// Reads the rows of a table: a name, a colon and names; an indented line continues the row before.
fn table(text: &'static str) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut rows = BTreeMap::new();
    let mut last = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (name, rest) = line.split_once(':').unwrap_or((last, line));
        last = name;
        let row: &mut BTreeSet<_> = rows.entry(name).or_default();
        row.extend(rest.split_whitespace());
    }
    rows
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .no_deps()
        .exec()
        .expect("cargo metadata runs")
}

/// Returns the ordinary dependencies of every package of the workspace.
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
    for (library, allowed) in table(LIBRARIES) {
        let mut of_workspace = dependencies[library]
            .iter()
            .filter(|name| is_of_workspace(name));
        let wrong = of_workspace.find(|name| !allowed.contains(name.as_str()));
        assert_eq!(wrong, None, "{library}");
    }
}

/// This includes dependencies of tests, except the laws, which only tests use.
#[test]
fn a_crate_of_any_game_depends_on_no_crate_of_one_game() {
    for package in metadata().packages {
        let neutral = package.name.starts_with("boardgame-") && package.name != "boardgame-laws";
        for dependency in package.dependencies.iter().filter(|_| neutral) {
            let name = dependency.name.as_str();
            let allowed = !is_of_workspace(name) || name.starts_with("boardgame-");
            assert!(allowed, "{} depends on {name}", package.name);
        }
    }
}

#[test]
fn every_library_of_the_workspace_has_its_rule() {
    let libraries = table(LIBRARIES);
    for package in &metadata().packages {
        let is_library = package.manifest_path.as_str().contains("/crates/");
        let has_rule = libraries.contains_key(package.name.as_str());
        assert_eq!(is_library, has_rule, "{}", package.name);
    }
}

#[test]
fn barred_crates_stay_out() {
    let dependencies = dependencies();
    for (library, barred) in table(BARRED) {
        let found = barred
            .into_iter()
            .find(|name| dependencies[library].contains(*name));
        assert_eq!(found, None, "{library}");
    }
}

#[test]
fn the_core_crates_need_no_outside_crate_but_optional_ones() {
    let dependencies = dependencies();
    let of = |package: &str| dependencies[package].iter().cloned().collect::<Vec<_>>();
    assert_eq!(of("boardgame-core"), ["serde"]);
    assert_eq!(of("go-core"), ["boardgame-core"]);
    let optional = ["arbitrary", "boardgame-core", "proptest", "serde"];
    assert_eq!(of("othello-core"), optional);
}

#[test]
fn nothing_depends_on_a_binary() {
    let libraries = table(LIBRARIES);
    for (package, dependencies) in dependencies() {
        let mut of_workspace = dependencies.iter().filter(|name| is_of_workspace(name));
        let binary = of_workspace.find(|name| !libraries.contains_key(name.as_str()));
        assert_eq!(binary, None, "{package}");
    }
}

#[test]
fn few_libraries_know_command_lines() {
    let dependencies = dependencies();
    for (name, allowed) in table(OF_PROGRAMS) {
        for library in table(LIBRARIES).into_keys() {
            let depends = dependencies[library].contains(name);
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

/// Returns a source without its comments and the tests at its end.
fn shipped(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source");
    let shipped = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = shipped.unwrap_or_default().lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// Returns the sources of a package by the paths of their modules.
fn modules(src: &Path) -> BTreeMap<Vec<String>, String> {
    let mut sources = Vec::new();
    add_sources(src, &mut sources);
    let module = |path: PathBuf| {
        let below = path.strip_prefix(src).expect("below the folder");
        let names = below.with_extension("");
        let mut names: Vec<_> = names
            .iter()
            .map(|n| n.to_string_lossy().into_owned())
            .collect();
        names.pop_if(|name| ["lib", "main", "mod"].contains(&name.as_str()));
        (names, shipped(&path))
    };
    sources.into_iter().map(module).collect()
}

/// Returns the paths from `crate`, `self` or `super` in a source, one for each item of a grouped `use`.
fn local_paths(source: &str) -> Vec<Vec<&str>> {
    let (mut found, mut groups, mut path) = (Vec::new(), Vec::new(), Vec::new());
    let mut goes_on = false;
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_name = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let length = match rest.find(|symbol| !is_name(symbol)) {
            Some(0) if rest.starts_with("::") => 2,
            Some(0) => first.len_utf8(),
            length => length.unwrap_or(rest.len()),
        };
        let token;
        (token, rest) = rest.split_at(length);
        match token {
            _ if first.is_whitespace() => continue,
            "::" => {}
            "{" if goes_on => groups.push(mem::take(&mut path)),
            "}" if !groups.is_empty() => {
                found.push(mem::take(&mut path));
                groups.pop();
            }
            name if is_name(first) && goes_on => path.push(name),
            _ => {
                found.push(mem::take(&mut path));
                if is_name(first)
                    && let Some(group) = groups.last()
                {
                    path.clone_from(group);
                    path.push(token);
                } else if ["crate", "self", "super"].contains(&token) {
                    path.push(token);
                }
            }
        }
        goes_on = token == "::" && !path.is_empty();
    }
    found.retain(|path| path.len() > 1);
    found
}

/// Modules outside each other must not use each other: shared items go into a third one.
#[test]
fn modules_form_no_circles() {
    for package in metadata().packages {
        let folder = package.manifest_path.parent().expect("a folder");
        let modules = modules(folder.join("src").as_std_path());
        let target = |module: &[String], path: Vec<&str>| {
            let mut at = module.to_vec();
            for name in path {
                match name {
                    "crate" => at.clear(),
                    "self" => {}
                    "super" => drop(at.pop()),
                    name => {
                        at.push(name.to_owned());
                        if !modules.contains_key(&at) {
                            at.pop();
                            break;
                        }
                    }
                }
            }
            // Items of the enclosing modules are in scope.
            (!module.starts_with(&at)).then_some(at)
        };
        let uses = |(module, source): (&Vec<String>, &String)| {
            let targets = local_paths(source).into_iter();
            let targets = targets.filter_map(|path| target(module, path)).collect();
            (module.clone(), targets)
        };
        let mut reached: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> =
            modules.iter().map(uses).collect();
        for middle in modules.keys() {
            let beyond = reached[middle].clone();
            for targets in reached
                .values_mut()
                .filter(|targets| targets.contains(middle))
            {
                targets.extend(beyond.iter().cloned());
            }
        }
        let circle = reached
            .iter()
            .find(|(module, targets)| targets.contains(*module));
        let names = circle.map(|(module, _)| module.join("::"));
        assert_eq!(names, None, "{}", package.name);
    }
}

#[test]
fn the_engine_alone_makes_searchers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    for folder in ["crates", "bins"] {
        add_sources(&root.join(folder), &mut sources);
    }
    let calls = [
        "Searcher::new(",
        "Searcher::try_new(",
        "Searcher::with_weights(",
    ];
    sources.retain(|path| calls.iter().any(|call| shipped(path).contains(call)));
    let found: Vec<String> = sources
        .iter()
        .map(|path| path.strip_prefix(&root).expect("below the root"))
        .map(|path| path.to_string_lossy().replace('\\', "/"))
        .collect();
    let settings = "crates/othello-engine/src/settings.rs".to_owned();
    assert!(found.contains(&settings), "{found:?}");
    for path in found {
        let allowed = MAKE_SEARCHERS.iter().any(|folder| path.starts_with(folder));
        assert!(
            allowed,
            "{path} makes a searcher: use othello_engine::Settings"
        );
    }
}

/// Literals of the page's modules that nobody reads, though they have two words or begin with a capital.
const UNSEEN: &[&str] = &[
    "value estimate",
    "mistake bad",
    "score soft",
    "bar watch-bar",
    "Content-Type",
    "Retry-After",
    "Files",
    ", read as ",
    "PageUp",
    "PageDown",
    "Enter",
    "played to the end",
];

/// Returns the literals of a module without its comments; an expression in a template separates two.
fn script_literals(source: &str) -> Vec<String> {
    let code = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.map(|line| line.split(" // ").next().unwrap_or(line));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut literals = Vec::new();
    let mut open = vec!['}'];
    let mut chars = code.chars().peekable();
    while let Some(found) = chars.next() {
        let inside = open.last().copied().unwrap_or('}');
        match (inside, found) {
            ('}', '{') => open.push('}'),
            ('}', '\'' | '`') => {
                open.push(found);
                literals.push(String::new());
            }
            ('`', '$') if chars.peek() == Some(&'{') => {
                chars.next();
                open.push('}');
            }
            (end, found) if end == found => {
                open.pop();
                if open.last() == Some(&'`') {
                    literals.push(String::new());
                }
            }
            ('}', _) => {}
            _ => literals.last_mut().expect("an open literal").push(found),
        }
    }
    literals
}

/// True if a literal looks like words for people.
fn is_text(literal: &str) -> bool {
    let words = literal.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut chars = words.chars();
    let is_sentence = chars.next().is_some_and(char::is_uppercase)
        && chars.next().is_some_and(char::is_lowercase);
    let is_word = |word: &&str| word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
    let mut pairs = words.split(' ').zip(words.split(' ').skip(1));
    is_sentence || pairs.any(|(left, right)| is_word(&left) && is_word(&right))
}

#[test]
fn the_texts_of_the_page_are_in_one_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "crates/othello-web/page",
        "bins/othello/src/analyze/html",
        "bins/othello/src/tournament/export",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder"));
    let files = files.map(|file| file.expect("a file").path());
    let mut sources: BTreeMap<_, _> = files
        .map(|path| (path.clone(), fs::read_to_string(path).expect("text")))
        .collect();
    let texts = sources
        .remove(&root.join("crates/othello-web/page/texts.js"))
        .expect("texts.js");
    let names = texts
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(':'));
    let names: BTreeSet<&str> = names
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(char::is_alphanumeric))
        .collect();
    let mut used = BTreeSet::new();
    for (path, source) in &sources {
        let path = path.display();
        match path.to_string().rsplit_once('.') {
            Some((_, "html")) => {
                let body = source
                    .split_once("<header>")
                    .map_or(source.as_str(), |(_, body)| body);
                for part in body.split('<').skip(1) {
                    let (tag, text) = part.split_once('>').expect("the end of a tag");
                    let labels = ["title", "aria-label", "placeholder"];
                    let labels = labels
                        .iter()
                        .filter_map(|name| tag.split_once(&format!(" {name}=\"")));
                    let labels = labels.map(|(_, rest)| rest.split('"').next().unwrap_or_default());
                    for text in labels.chain([text.trim()]) {
                        let name = text
                            .strip_prefix('{')
                            .and_then(|rest| rest.strip_suffix('}'));
                        used.extend(name);
                        let is_named = name.is_some_and(|name| names.contains(name));
                        assert!(
                            is_named || !text.contains(char::is_alphabetic),
                            "{path}: {text}"
                        );
                    }
                }
            }
            Some((_, "js")) => {
                used.extend(
                    source
                        .split("texts.")
                        .skip(1)
                        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next()),
                );
                let seen = script_literals(source)
                    .into_iter()
                    .find(|found| is_text(found) && !UNSEEN.contains(&found.as_str()));
                assert_eq!(seen, None, "{path}");
            }
            _ => {}
        }
    }
    // The module's own name, and the end of a sentence.
    used.remove("js");
    used.remove("");
    let (unused, unknown): (Vec<_>, Vec<_>) = (
        names.difference(&used).collect(),
        used.difference(&names).collect(),
    );
    assert!(
        unused.is_empty() && unknown.is_empty(),
        "unused {unused:?}, unknown {unknown:?}"
    );
}
