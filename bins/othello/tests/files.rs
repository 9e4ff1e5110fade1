//! Files that are none of those expected.

use std::process::{Command, Stdio};

/// Runs the tool and returns what it says when it refuses its arguments or their files.
fn refused(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the tool starts");
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    let endless = "/dev/zero";
    for arguments in [
        &["solve", endless][..],
        &["hint", "--weights", endless],
        &["games", "--players", endless, "a.wtb"],
        &["match", "-l", "depth:1", "--engines", endless],
        &[
            "match",
            "-l",
            "depth:1",
            "-e",
            "a=own",
            "-e",
            "b=own",
            "--openings",
            endless,
        ],
    ] {
        let told = refused(arguments);
        assert!(
            told.contains("/dev/zero") && told.contains(" bytes, found more"),
            "{arguments:?}: {told}"
        );
    }
}

#[test]
fn a_problem_with_an_illegal_move_is_refused_by_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.obf");
    let start = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
    std::fs::write(&path, format!("{start} X; f5:+0;\n{start} X; a1:+3;\n")).expect("writable");
    let told = refused(&["solve", "--depth", "1", path.to_str().expect("UTF-8")]);
    assert_eq!(
        told,
        format!(
            "othello: {}, line 2: at offset 68: illegal move a1: it flips nothing\n",
            path.display()
        )
    );
}
