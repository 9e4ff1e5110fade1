//! Damaged files: the detected format, the games read, and the errors.

use std::{fs, path::PathBuf};

use othello_records::{Format, write_text};

/// A description of a file: a line for its format and one for each game.
fn describe(bytes: &[u8]) -> String {
    let format = match Format::detect(bytes) {
        Ok(format) => format,
        Err(error) => return format!("{error}\n"),
    };
    let mut lines = vec![format!("{format}\n")];
    for read in format.read(bytes) {
        lines.push(match read {
            Ok(record) => {
                let mut line = Vec::new();
                let as_board = record.game.moves().is_empty();
                let shown = if as_board { Format::Board } else { Format::Ggf };
                if let Some(encoding) = record.encoding {
                    line = format!("read as {encoding}: ").into();
                }
                write_text(shown, &record, 0, &mut line).expect("memory takes it");
                String::from_utf8(line).expect("UTF-8")
            }
            Err(error) => match &error.record {
                Some(record) => format!("{error}; kept {}\n", record.game.transcript()),
                None => format!("{error}\n"),
            },
        });
    }
    lines.join("  ")
}

#[test]
fn a_damaged_file_says_where_and_loses_nothing_else() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/damaged");
    let entries = fs::read_dir(folder).expect("the folder of the files");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 20, "{paths:?}");
    let line = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        format!("{name}: {}", describe(&fs::read(path).expect("a file")))
    };
    let lines: Vec<String> = paths.iter().map(line).collect();
    insta::assert_snapshot!(lines.concat());
}
