//! Every leniency has a name, which the log shows and the format's page explains.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The formats by their module, with the page of each.
const PAGES: [(&str, &str); 6] = [
    ("sloan", "sloan.md"),
    ("lth", "lth.md"),
    ("codewarriors", "code-warriors.md"),
    ("gui", "gui.md"),
    ("gtp", "gtp.md"),
    ("nboard", "nboard.md"),
];

/// The part of GTP that is the same for every game.
const GTP_OF_ANY_GAME: &str = "../boardgame-session/src/gtp";

/// The part of players that is the same for every format.
const PLAYERS_OF_ANY_FORMAT: &str = "../boardgame-session/src/player";

/// The commands of GTP that are spelled like the name of a leniency.
const COMMANDS: [&str; 2] = ["gogui-setup", "gogui-interrupt"];

#[test]
fn the_leniencies_of_the_code_are_those_of_the_pages() {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for (module, page) in PAGES {
        let page = package.join("../../docs/protocols").join(page);
        let page = fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        let mut code = sources(&package.join("src").join(module));
        code += &sources(&package.join(PLAYERS_OF_ANY_FORMAT));
        if module == "gtp" {
            code += &sources(&package.join(GTP_OF_ANY_GAME));
        }
        assert_eq!(in_code(&code), in_table(&page), "{module}");
    }
}

/// The first column of the table under "Leniencies".
fn in_table(page: &str) -> BTreeSet<&str> {
    let (_, section) = page.split_once("## Leniencies").expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let names = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    names.collect()
}

/// The sources below a folder, without their tests, comments and escaped quotation marks.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            text += &sources(&path);
        } else if !path.ends_with("tests.rs") && path.extension().is_some_and(|e| e == "rs") {
            let source = fs::read_to_string(&path).expect("a source");
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
            let is_comment = |line: &&str| line.trim_start().starts_with("//");
            text.extend(code.lines().filter(|line| !is_comment(line)));
            text = text.replace(r#"\""#, "");
        }
    }
    text
}

/// The names of leniencies in sources: the literals of several words joined by hyphens, and those
/// of one word where a leniency is named.
fn in_code(code: &str) -> BTreeSet<&str> {
    let parts: Vec<&str> = code.split('"').collect();
    let literals = parts.windows(2).step_by(2);
    literals
        .filter(|pair| is_name(pair[1]) && !COMMANDS.contains(&pair[1]))
        .filter(|pair| pair[1].contains('-') || names_one(pair[0]))
        .map(|pair| pair[1])
        .collect()
}

fn is_name(literal: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    literal.split('-').all(is_word)
}

/// Returns `true` if the code before a literal says that it names a leniency: a call, a function's
/// result, or an entry of a table with a constant before it.
fn names_one(before: &str) -> bool {
    let before = before.trim_end();
    let entry = before.strip_suffix(',').unwrap_or_default();
    entry.ends_with(|c: char| c.is_ascii_uppercase())
        || ["leniency(", "lenient(", "Some("]
            .iter()
            .any(|call| before.ends_with(call))
}

#[test]
fn names_are_found_in_code() {
    let code =
        r#"lenient("one"); f("other"); Some("two"); (Self::THREE, "three"); ("a-b", 1); g("-")"#;
    assert_eq!(
        in_code(code),
        BTreeSet::from(["one", "two", "three", "a-b"])
    );
}
