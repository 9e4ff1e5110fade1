//! Files that are none of those expected.

use std::process::{Command, Stdio};

use crate::support::{Folder, PROGRAM, Ran};

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    let folder = Folder::new();
    for line in [
        "solve /dev/zero",
        "hint --weights /dev/zero",
        "games --players /dev/zero a.wtb",
        "match -l depth:1 --engines /dev/zero",
        "match -l depth:1 -e a=own -e b=own --openings /dev/zero",
    ] {
        let told = folder.run(line).errors;
        let is_refused = told.contains("/dev/zero") && told.contains(" bytes, found more");
        assert!(is_refused, "{line}: {told}");
    }
}

#[test]
fn a_problem_with_an_illegal_move_is_refused_by_its_line() {
    let folder = Folder::new();
    let start = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
    folder.write("a.obf", format!("{start} X; f5:+0;\n{start} X; a1:+3;\n"));
    let told = folder.refused("solve --depth 1 a.obf");
    let expected = "at offset 68: illegal move a1: it flips nothing";
    assert_eq!(told, format!("othello: a.obf, line 2: {expected}\n"));
}

#[cfg(unix)]
#[test]
fn a_file_that_has_no_room_is_not_left_in_part() {
    let folder = Folder::new();
    // More than a kibibyte in any format.
    let game =
        "(;GM[Othello]PB[Ann]PW[Bob]DT[2003.12.15]RE[-4.00]TY[8]B[F5]W[D6]B[C3]W[D3]B[C4];)\n";
    folder.write("a.ggf", game.repeat(100));
    for line in [
        "convert a.ggf --to sgf --output out",
        "convert a.ggf --to wthor --output out.wtb",
        "analyze f5d6c3 --depth 2 --no-store --html out.html",
        "analyze f5d6c3 --depth 2 --no-store --json=out.json",
    ] {
        let mut shell = Command::new("sh");
        // A shell counts in units of 512 or 1024 bytes; the tool does not end by the signal, as on a full disk.
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
        shell.args(["-c", script, PROGRAM]).args(line.split(' '));
        let ran = Ran::from(folder.prepare(shell).output().expect("a shell"));
        assert_eq!((ran.code, folder.count()), (Some(1), 1), "{line}: {ran:?}");
    }
}

/// Waits until a process has a handler of SIGTERM, so that this does not end it at once.
#[cfg(target_os = "linux")]
fn await_handler(process: &mut std::process::Child) {
    let status = format!("/proc/{}/status", process.id());
    crate::support::await_while(process, || {
        let status = std::fs::read_to_string(&status).expect("a process");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.expect("signals").trim(), 16);
        caught.expect("a mask") >> 14 & 1 == 1
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_reader_can_be_given_up() {
    use std::{thread, time::Duration};

    let folder = Folder::new();
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.expect("mkfifo").success());
    let start = "---------------------------OX------XO--------------------------- X";
    for line in [
        "analyze f5d6 --depth 2 --no-store --html pipe",
        "analyze f5d6 --depth 2 --no-store --json=pipe",
        &format!("prove '{start}' --score 0 --out pipe"),
    ] {
        let mut command = folder.command(line);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut tool = quiet.spawn().expect("the tool");
        await_handler(&mut tool);
        // The first signal may stop the search alone.
        let ended = (0..1200).find_map(|_| {
            let mut kill = Command::new("kill");
            kill.args(["-TERM", &tool.id().to_string()]);
            let _ = kill.stderr(Stdio::null()).status();
            thread::sleep(Duration::from_millis(50));
            tool.try_wait().expect("a process")
        });
        if ended.is_none() {
            tool.kill().expect("a process");
        }
        let code = ended.and_then(|status| status.code());
        assert_eq!(code, Some(130), "{line}");
    }
}
