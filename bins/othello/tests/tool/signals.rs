//! The end of the programs whose host is ended from outside.

#[path = "../../../../tests/support/processes.rs"]
mod processes;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    os::unix::{fs::PermissionsExt as _, process::ExitStatusExt as _},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use processes::is_running;

use crate::support::{Folder, PROGRAM, signal};

/// A program that does nothing. It names itself and a grandchild that has a session of its own and no
/// parent, and both ignore what can be ignored.
const IDLER: &str =
    r#"sh -c 'trap "" HUP INT TERM; (setsid sleep 600 & echo $! $$ >processes); sleep 600'"#;

/// Starts a host with the program, and gives the numbers of the processes once they run.
fn start(wrapper: &[&str], line: &str, folder: &Folder) -> (Child, [u32; 2]) {
    let words = line.split(' ').map(|word| word.replace("PROGRAM", IDLER));
    let tool = wrapper.iter().chain([&PROGRAM]).map(ToString::to_string);
    let words: Vec<String> = tool.chain(words).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    let host = folder
        .prepare(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let numbers = wait_for("the program to start", || {
        let text = fs::read_to_string(folder.path("processes")).ok()?;
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

/// The hosts with a program that does nothing; standard input stays open.
const HOSTS: [&str; 6] = [
    "host sloan PROGRAM",
    "host codewarriors PROGRAM --limit 10m",
    "host gui PROGRAM --limit 10m",
    "match -e a=own:hash=1 -e b=gtp:PROGRAM -l a=depth:1",
    "play PROGRAM --format sloan",
    "demo sloan --guest sloan=PROGRAM",
];

/// Returns whether this process was started to ignore SIGHUP, as by `nohup`: what it starts ignores it too.
pub(crate) fn is_hangup_ignored() -> bool {
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
            for host in HOSTS {
                scope.spawn(move || check_end_by_signal(name, host));
            }
        }
    });
}

/// Asserts that a host that is ended by a signal takes its programs along.
fn check_end_by_signal(name: &str, line: &str) {
    let folder = Folder::new();
    let (mut host, processes) = start(&[], line, &folder);
    signal(name, host.id());
    let status = host.wait().unwrap();
    let killed = status.signal().is_some();
    assert_eq!(killed, name == "KILL", "{line} by SIG{name}: {status}");
    for process in processes {
        let what = format!("{process} of {line} to end by SIG{name}");
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
    let check = |format: &str| {
        let line = format!("play PROGRAM --format {format} --color white");
        // By a word, and by the end of the input.
        for typed in ["are you there?\nquit\n", ""] {
            let folder = Folder::new();
            let (mut host, processes) = start(&[], &line, &folder);
            let mut keys = host.stdin.take().unwrap();
            keys.write_all(typed.as_bytes()).unwrap();
            let _open = (!typed.is_empty()).then_some(keys);
            check_left(host, processes);
        }
    };
    thread::scope(|scope| {
        for format in ["sloan", "codewarriors", "gui", "lth"] {
            scope.spawn(move || check(format));
        }
    });
}

#[test]
fn an_interrupted_person_leaves_no_program_behind() {
    // The program ignores the end of its input and the request to terminate.
    let script = r#"trap "" TERM; echo "(C $$)"; while :; do sleep 1; done"#;
    let program = format!("sh -c '{script}'");
    let folder = Folder::new();
    let mut play = folder.with_words(&["play", &program, "--format", "sloan"]);
    let piped = play.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut play = piped.spawn().unwrap();
    let mut first = String::new();
    let mut lines = BufReader::new(play.stdout.take().unwrap());
    lines.read_line(&mut first).unwrap();
    let program = first.trim().strip_prefix("White: ").expect(&first);
    signal("TERM", play.id());
    play.wait().unwrap();
    assert!(
        !is_running(program.parse().unwrap()),
        "{program} still runs"
    );
}

#[test]
fn a_host_that_is_to_ignore_the_end_of_its_terminal_goes_on() {
    let folder = Folder::new();
    let nohup = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"];
    let (mut host, processes) = start(&nohup, "play PROGRAM --format sloan", &folder);
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
    let mut player = Folder::new().start("player sloan");
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
    let folder = Folder::new();
    folder.write("once", "#!/bin/sh\nrm \"$0\"\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("once"), mode).unwrap();
    let ran = folder.run("host sloan ./once --games 2");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.errors.contains("did not start"), "{ran:?}");
    let mut table = ran
        .out
        .lines()
        .skip_while(|line| !line.contains("forfeits"));
    let lost = table.find(|line| line.starts_with("./once"));
    let columns = lost.expect(&ran.out).split_whitespace();
    assert_eq!(columns.skip(1).take(3).collect::<Vec<_>>(), ["0", "0", "1"]);
}

#[test]
fn a_second_interrupt_ends_a_server_at_once() {
    let folder = Folder::new();
    // A time for shutting down that is longer than any test may take.
    let mut server =
        folder.start("host lth --testing 0 --without evaluation,competition --shutdown 10h");
    let mut printed = BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    printed.read_line(&mut line).unwrap();
    let address = line.split_whitespace().next().unwrap();
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(b"me\nd\n").unwrap();
    let mut said = BufReader::new(client.try_clone().unwrap()).lines();
    let mut hear = |end: &str| {
        let line = said.by_ref().map(Result::unwrap).find(|line| line == end);
        assert!(line.is_some(), "closed before {end:?}");
    };
    hear("your move");
    signal("INT", server.id());
    wait_for("the port to close", || TcpStream::connect(address).err());
    // The game goes on.
    client.write_all(b"f5\n").unwrap();
    hear("your move");
    signal("INT", server.id());
    hear(" The server shuts down. Bye!");
    let status = wait_for("the server to end", || server.try_wait().unwrap());
    assert!(status.success(), "{status}");
    let mut rest = String::new();
    printed.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("called off"), "{rest}");
}
