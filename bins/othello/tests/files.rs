//! Files that are none of those expected.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

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
    fs::write(&path, format!("{start} X; f5:+0;\n{start} X; a1:+3;\n")).expect("writable");
    let told = refused(&["solve", "--depth", "1", path.to_str().expect("UTF-8")]);
    assert_eq!(
        told,
        format!(
            "othello: {}, line 2: at offset 68: illegal move a1: it flips nothing\n",
            path.display()
        )
    );
}

/// Games that take more than a kibibyte in any format.
fn many_games() -> String {
    let game =
        "(;GM[Othello]PB[Ann]PW[Bob]DT[2003.12.15]RE[-4.00]TY[8]B[F5]W[D6]B[C3]W[D3]B[C4];)\n";
    game.repeat(100)
}

/// Runs the tool where no file may have more than a kibibyte.
#[cfg(unix)]
fn run_without_room(folder: &std::path::Path, arguments: &[&str]) -> std::process::Output {
    // A shell counts in units of 512 or 1024 bytes; the tool does not end by the signal, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_othello")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

#[cfg(unix)]
#[test]
fn a_file_that_has_no_room_is_not_left_in_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("a.ggf"), many_games()).expect("a file");
    let analyze = ["analyze", "f5d6c3", "--depth", "2", "--no-store"];
    for arguments in [
        &["convert", "a.ggf", "--to", "sgf", "--output", "out"][..],
        &["convert", "a.ggf", "--to", "wthor", "--output", "out.wtb"],
        &[&analyze[..], &["--html", "out.html"]].concat(),
        &[&analyze[..], &["--json=out.json"]].concat(),
    ] {
        let output = run_without_room(folder, arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        let files: Vec<_> = fs::read_dir(folder).expect("the folder").collect();
        assert_eq!(files.len(), 1, "{arguments:?}: {files:?}");
    }
}

/// Waits until a process has a handler of SIGTERM, so that this does not end it at once.
#[cfg(target_os = "linux")]
fn await_handler(process: u32) {
    let has_handler = || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.expect("signals").trim(), 16);
        caught.expect("a mask") >> 14 & 1 == 1
    };
    let handles = (0..6000).any(|_| {
        thread::sleep(Duration::from_millis(10));
        has_handler()
    });
    assert!(handles, "no handler of SIGTERM within a minute");
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_reader_can_be_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.expect("mkfifo starts").success());
    let start = "---------------------------OX------XO--------------------------- X";
    let analyze = ["analyze", "f5d6", "--depth", "2", "--no-store"];
    for arguments in [
        &[&analyze[..], &["--html", "pipe"]].concat()[..],
        &[&analyze[..], &["--json=pipe"]].concat(),
        &["prove", start, "--score", "0", "--out", "pipe"],
    ] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_othello"))
            .args(arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the tool starts");
        await_handler(tool.id());
        // The first signal may stop the search alone.
        let ended = (0..1200).find_map(|_| {
            let signal = ["-TERM", &tool.id().to_string()];
            let _ = Command::new("kill")
                .args(signal)
                .stderr(Stdio::null())
                .status();
            thread::sleep(Duration::from_millis(50));
            tool.try_wait().expect("a process")
        });
        if ended.is_none() {
            tool.kill().expect("a process");
        }
        let code = ended.and_then(|status| status.code());
        assert_eq!(code, Some(130), "{arguments:?}");
    }
}
