//! The examples of `--help` of all programs.

use std::{fs, path::Path};

/// The maximum length of a line. Clap breaks longer ones than 100 columns on a wide terminal, and what is broken cannot
/// be pasted.
const MAX_COLUMNS: usize = 95;

/// Returns the lines of the string literals in a source that begin with `Example`, as they are printed.
fn example_lines(source: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for literal in [r#""Example"#, "\"\\\nExample"] {
        for (start, _) in source.match_indices(literal) {
            // Escapes are kept as pairs, so that an escaped quote does not end the literal.
            let mut text = String::new();
            let mut chars = source[start + 1..].chars();
            loop {
                match chars.next().expect("the end of the literal") {
                    '"' => break,
                    '\\' => text.extend(chars.next().filter(|&escaped| escaped != '\n')),
                    other => text.push(other),
                }
            }
            lines.extend(text.lines().map(str::to_owned));
        }
    }
    lines
}

/// Returns the number of examples in the sources of a folder, and checks each.
fn check(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let check = |path: std::path::PathBuf| {
        if path.is_dir() {
            return check(&path);
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            return 0;
        }
        let lines = example_lines(&fs::read_to_string(&path).expect("a source"));
        for line in &lines {
            let columns = line.chars().count();
            assert!(
                columns <= MAX_COLUMNS,
                "{}: {columns} columns: {line}",
                path.display()
            );
        }
        lines.len()
    };
    paths.map(check).sum()
}

#[test]
fn examples_of_help_are_not_broken_by_its_width() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let programs = check(&root.join("bins"));
    let players = check(&root.join("crates"));
    assert!(programs > 50 && players > 20, "{programs} {players}");
}

#[test]
fn examples_are_found_in_sources() {
    let source = r#"
        #[command(after_help = "Example: a \"b\"
  c \\
  d")]
        const EXAMPLES: &str = "\
Examples:
  e";"#;
    assert_eq!(
        example_lines(source),
        ["Example: a \"b\"", "  c \\", "  d", "Examples:", "  e"]
    );
}
