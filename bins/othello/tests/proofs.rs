//! `othello prove` and `othello check`, started as processes.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

const BOARD: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-";

/// Runs the tool in a folder.
fn othello(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_othello"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the tool starts")
}

/// Returns what the tool prints, as an error if it fails.
fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = othello(folder, arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        assert_eq!(output.status.code(), Some(1));
        Err(text(output.stderr))
    }
}

#[test]
fn a_proof_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (folder, board) = (folder.path(), format!("{BOARD} X"));
    let prove = |options: &[&str]| {
        let arguments = [
            "prove",
            &board,
            "--out",
            "a.proof",
            "--hash",
            "1",
            "--threshold",
            "2",
        ];
        run(folder, &[arguments.as_slice(), options].concat())
    };
    let check = || run(folder, &["check", "a.proof"]);

    let told = prove(&[]).expect("a proof");
    assert!(told.contains("score  +6"), "{told}");
    let told = check().expect("a proof");
    let expected = format!("a.proof: proved: {board}: score +6; ");
    assert!(told.starts_with(&expected), "{told}");
    for (options, claim) in [
        (["--wld"].as_slice(), "at least +1"),
        (&["--score", "6"], "score +6"),
        (&["--at-least", "-4"], "at least -4"),
        (&["--at-most", "6"], "at most +6"),
    ] {
        prove(options).expect("a proof");
        let told = check().expect("a proof");
        assert!(told.contains(&format!(": {claim}; ")), "{told}");
    }

    let told = run(folder, &["check", "--max-nodes", "9", "a.proof"]).expect_err("a limit");
    assert!(
        told.ends_with(": expected a proof that takes at most 9 nodes to check\n"),
        "{told}"
    );

    let file = fs::read(folder.join("a.proof")).expect("the proof");
    let error = prove(&["--score", "8"]).expect_err("a false score");
    assert!(error.contains("the score is not +8"), "{error}");
    assert_eq!(
        fs::read(folder.join("a.proof")).expect("the proof before"),
        file
    );
    fs::write(folder.join("a.proof"), &file[..file.len() - 3]).expect("a file");
    let error = check().expect_err("a file that is cut");
    let place = format!("a.proof: refused: byte {}: the file ends", file.len() - 3);
    assert!(error.starts_with(&place), "{error}");
    assert!(run(folder, &["check", "b.proof"]).is_err_and(|error| error.contains("b.proof")));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_not_refused_as_a_proof() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = run(folder.path(), &["check", "."]).expect_err("a folder");
    assert_eq!(
        told,
        ".: byte 0: the file cannot be read: Is a directory (os error 21)\n"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_proof_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let start = "---------------------------OX------XO--------------------------- X";
    for claim in [["--hash", "1"], ["--score", "0"]] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_othello"))
            .current_dir(folder)
            .args(["prove", start, "--out", "start.proof"])
            .args(claim)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        while fs::read_dir(folder).expect("the folder").count() == 0 {
            assert_eq!(process.try_wait().expect("a process"), None, "it ended");
            thread::sleep(Duration::from_millis(10));
        }
        let kill = ["-INT", &process.id().to_string()];
        let killed = Command::new("kill").args(kill).status();
        assert!(killed.expect("kill starts").success());
        let output = process.wait_with_output().expect("the end");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert_eq!(error, "othello: interrupted: start.proof is not written\n");
        assert_eq!(fs::read_dir(folder).expect("the folder").count(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = format!("{BOARD} X");
    let arguments = ["prove", &board, "--out", "/dev/full", "--hash", "1"];
    let told = run(folder.path(), &arguments).expect_err("a full device");
    assert_eq!(
        told,
        "othello: /dev/full: No space left on device (os error 28)\n"
    );
}

#[test]
fn other_files_are_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("notes"), "my notes").expect("a file");
    let error = run(folder, &["prove", &format!("{BOARD} X"), "--out", "notes"]);
    assert!(error.is_err_and(|error| {
        error.contains("notes: expected no file or one that begins with \"othproof\"")
    }));
    assert_eq!(
        fs::read(folder.join("notes")).expect("the file"),
        b"my notes"
    );
}

#[test]
fn shards_write_the_proofs_of_one_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(
        folder.join("suite.obf"),
        format!("{BOARD} X;\n{BOARD} O;\n{BOARD} X; H5:+6;\n"),
    )
    .expect("a file");
    let prove = |options: &str| {
        let arguments = ["prove", "suite.obf", "--hash", "1", "--threshold", "2"];
        let options: Vec<&str> = options.split_whitespace().collect();
        run(folder, &[arguments.as_slice(), &options].concat()).expect("proofs")
    };
    assert_eq!(prove("--out whole").lines().count(), 3);
    for shard in ["0/2", "1/2", "0/2"] {
        let told = prove(&format!("--out divided --parts parts --shard {shard}"));
        assert!(told.contains(" proofs in parts/prove-"), "{told}");
    }
    let merged = prove("--out divided --parts parts --merge");
    assert_eq!(merged.lines().count(), 3, "{merged}");
    for number in 1..=3 {
        let read = |folder_of: &str| {
            fs::read(folder.join(format!("{folder_of}/{number}.proof"))).expect("a proof")
        };
        assert_eq!(read("whole"), read("divided"), "{number}");
    }
    let checked = run(folder, &["check", "whole/1.proof", "divided/2.proof"]).expect("proofs");
    assert_eq!(checked.matches(": proved: ").count(), 2, "{checked}");
    // A shard whose proofs are gone, or are others, is not complete.
    fs::copy(
        folder.join("divided/1.proof"),
        folder.join("divided/2.proof"),
    )
    .expect("a copy");
    let again = |options: &str| {
        let arguments =
            format!("prove suite.obf --hash 1 --threshold 2 --out divided --parts parts {options}");
        run(folder, &arguments.split_whitespace().collect::<Vec<_>>()).expect_err("a refusal")
    };
    for options in ["--merge", "--shard 1/2"] {
        let told = again(options);
        assert!(
            told.contains("divided/2.proof: expected the proof of "),
            "{told}"
        );
    }
    let refused = run(folder, &["check", "suite.obf", "whole/1.proof"]).expect_err("a refusal");
    assert!(refused.contains("suite.obf: refused: byte "), "{refused}");
}
