//! The end of the programs whose host is ended from outside.
#![cfg(target_os = "linux")]

#[path = "../../../tests/support/processes.rs"]
mod processes;

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    os::unix::{fs::PermissionsExt as _, process::ExitStatusExt as _},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use processes::is_running;

/// A program that does nothing. It names itself and a grandchild that has a session of its own and no
/// parent, and both ignore what can be ignored.
fn idler(file: &Path) -> String {
    let file = file.display();
    format!("sh -c 'trap \"\" HUP INT TERM; (setsid sleep 600 & echo $! $$ >{file}); sleep 600'")
}

/// Starts a host with the program, and gives the numbers of the processes once they run.
fn start(wrapper: &[&str], arguments: &[&str], folder: &Path) -> (Child, [u32; 2]) {
    let file = folder.join("processes");
    let program = idler(&file);
    let words = [wrapper, &[env!("CARGO_BIN_EXE_othello")], arguments].concat();
    let host = Command::new(words[0])
        .args(
            words[1..]
                .iter()
                .map(|word| word.replace("PROGRAM", &program)),
        )
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let numbers = wait_for("the program to start", || {
        let text = fs::read_to_string(&file).ok()?;
        let (grandchild, child) = text.strip_suffix('\n')?.split_once(' ')?;
        Some([grandchild.parse().unwrap(), child.parse().unwrap()])
    });
    (host, numbers)
}

/// Polls for at most a minute.
fn wait_for<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1200 {
        if let Some(found) = poll() {
            return found;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("waited for {what} in vain");
}

fn signal(name: &str, process: u32) {
    let mut kill = Command::new("kill");
    let sent = kill
        .args([&format!("-{name}"), &process.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// The hosts with a program that does nothing; standard input stays open.
fn hosts() -> [Vec<&'static str>; 6] {
    [
        vec!["host", "sloan", "PROGRAM"],
        vec!["host", "codewarriors", "PROGRAM", "--limit", "10m"],
        vec!["host", "gui", "PROGRAM", "--limit", "10m"],
        vec![
            "match",
            "-e",
            "a=own:hash=1",
            "-e",
            "b=gtp:PROGRAM",
            "-l",
            "a=depth:1",
        ],
        vec!["play", "PROGRAM", "--format", "sloan"],
        vec!["demo", "sloan", "--guest", "sloan=PROGRAM"],
    ]
}

/// Returns whether this process was started to ignore SIGHUP, as by `nohup`: what it starts ignores it too.
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    u64::from_str_radix(mask.unwrap().trim(), 16).unwrap() & 1 == 1
}

#[test]
fn no_program_outlives_its_host() {
    let signals = ["TERM", "HUP", "KILL"].into_iter();
    let sent: Vec<&str> = signals
        .filter(|name| *name != "HUP" || !is_hangup_ignored())
        .collect();
    // Nearly all of the time is spent on waiting.
    thread::scope(|scope| {
        for name in sent {
            for arguments in hosts() {
                scope.spawn(move || check_end_by_signal(name, &arguments));
            }
        }
    });
}

/// Asserts that a host that is ended by a signal takes its programs along.
fn check_end_by_signal(name: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let (mut host, processes) = start(&[], arguments, folder.path());
    signal(name, host.id());
    let status = host.wait().unwrap();
    let killed = status.signal().is_some();
    assert_eq!(
        killed,
        name == "KILL",
        "{arguments:?} by SIG{name}: {status}"
    );
    for process in processes {
        let what = format!("{process} of {arguments:?} to end by SIG{name}");
        wait_for(&what, || (!is_running(process)).then_some(()));
    }
}

/// Waits for the end of a host that the person leaves while the program hangs.
fn check_left(mut host: Child, processes: [u32; 2]) {
    assert!(host.wait().unwrap().success());
    for process in processes {
        wait_for("the program to end", || {
            (!is_running(process)).then_some(())
        });
    }
}

#[test]
fn a_person_leaves_a_program_that_hangs() {
    let formats = ["sloan", "codewarriors", "gui", "lth"];
    let games = formats.map(|format| {
        thread::spawn(move || {
            let arguments = ["play", "PROGRAM", "--format", format, "--color", "white"];
            let quit = tempfile::tempdir().unwrap();
            let (mut host, processes) = start(&[], &arguments, quit.path());
            let mut keys = host.stdin.take().unwrap();
            keys.write_all(b"are you there?\nquit\n").unwrap();
            check_left(host, processes);
            drop(keys);

            let end = tempfile::tempdir().unwrap();
            let (mut host, processes) = start(&[], &arguments, end.path());
            drop(host.stdin.take());
            check_left(host, processes);
        })
    });
    for game in games {
        game.join().unwrap();
    }
}

#[test]
fn a_host_that_is_to_ignore_the_end_of_its_terminal_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "PROGRAM", "--format", "sloan"];
    let nohup = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"];
    let (mut host, processes) = start(&nohup, &arguments, folder.path());
    signal("HUP", host.id());
    thread::sleep(Duration::from_millis(200));
    assert_eq!(host.try_wait().unwrap(), None);
    assert!(processes.into_iter().all(is_running));
    host.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    assert!(host.wait().unwrap().success());
}

#[test]
fn a_player_ends_in_order_with_its_terminal() {
    if is_hangup_ignored() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut player = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(["player", "sloan"])
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = player.stdin.take().unwrap();
    keys.write_all(b"(I B)\n").unwrap();
    let mut line = String::new();
    let mut lines = BufReader::new(player.stdout.take().unwrap());
    lines.read_line(&mut line).unwrap();
    assert_eq!(line, "(R B)\n");
    signal("HUP", player.id());
    assert_eq!(player.wait().unwrap().code(), Some(130));
}

#[test]
fn the_games_played_before_a_failed_start_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("once");
    fs::write(&program, "#!/bin/sh\nrm \"$0\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(["host", "sloan", "./once", "--games", "2"])
        .current_dir(folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .unwrap();
    let [out, error] = [ended.stdout, ended.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(ended.status.code(), Some(1), "{error}");
    assert!(error.contains("did not start"), "{error}");
    let table = out.lines().skip_while(|line| !line.contains("forfeits"));
    let lost = table.skip(1).find(|line| line.starts_with("./once"));
    let columns = lost
        .unwrap_or_else(|| panic!("no table: {out}"))
        .split_whitespace();
    assert_eq!(columns.skip(1).take(3).collect::<Vec<_>>(), ["0", "0", "1"]);
}

#[test]
fn a_second_interrupt_ends_a_server_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args([
            "host",
            "lth",
            "--testing",
            "0",
            "--without",
            "evaluation,competition",
        ])
        // Longer than any test may take.
        .args(["--shutdown", "10h"])
        .env("XDG_STATE_HOME", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let address = line.split_whitespace().next().unwrap().to_owned();
    let mut client = TcpStream::connect(&address).unwrap();
    client.write_all(b"me\nd\n").unwrap();
    let mut said = BufReader::new(client.try_clone().unwrap()).lines();
    let mut hear = |end: &str| {
        let line = said.by_ref().map(Result::unwrap).find(|line| line == end);
        assert!(line.is_some(), "closed before {end:?}");
    };
    hear("your move");
    signal("INT", server.id());
    wait_for("the port to close", || TcpStream::connect(&address).err());
    // The game goes on.
    client.write_all(b"f5\n").unwrap();
    hear("your move");
    signal("INT", server.id());
    hear(" The server shuts down. Bye!");
    let status = wait_for("the server to end", || server.try_wait().unwrap());
    assert!(status.success(), "{status}");
    assert!(lines.any(|line| line.unwrap().contains("called off")));
}
