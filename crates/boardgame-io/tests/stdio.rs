//! Standard streams, with this very program as the child that drives a session.
//!
//! The test harness prints to standard output, so this file does without it.

#[path = "player/toy.rs"]
mod toy;

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, Command, Stdio, exit},
    thread::sleep,
    time::Duration,
};

use boardgame_io::{DriveOptions, drive, stdio, stop_requested};
use boardgame_session::player::Ending;
use toy::{Always, Toy};

/// The environment variable that marks the child.
const CHILD: &str = "BOARDGAME_IO_STDIO_CHILD";

fn main() {
    if std::env::var_os(CHILD).is_some() {
        exit(play());
    }
    the_child_answers_and_leaves_while_its_input_is_open();
    the_end_of_input_is_seen();
    the_input_may_be_a_file();
    an_input_without_end_does_not_keep_the_child();
}

/// 0 after an orderly end, 2 when cut off, 1 otherwise.
#[tokio::main(flavor = "current_thread")]
async fn play() -> i32 {
    let options = DriveOptions::default();
    let thinker = Always("f5");
    let outcome = drive(Toy::default(), stdio(), thinker, stop_requested(), &options).await;
    // `exit` right here: the read of standard input may never return.
    exit(match outcome.map(|outcome| outcome.ending) {
        Ok(Ending::Orderly) => 0,
        Ok(Ending::CutOff) => 2,
        _ => 1,
    })
}

fn start() -> Child {
    start_on(Stdio::piped())
}

fn start_on(stdin: impl Into<Stdio>) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .env(CHILD, "1")
        .stdin(stdin)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The exit code; a hanging child is killed.
fn exit_code(mut child: Child) -> Option<i32> {
    for _ in 0..6000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("the child does not end");
}

fn the_child_answers_and_leaves_while_its_input_is_open() {
    let mut child = start();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    input.write_all(b"go\n").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "f5\n");
    input.write_all(b"big 60000\nbye\n").unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.len(), 60000 + "bye\n".len());
    assert_eq!(exit_code(child), Some(0));
    drop(input);
}

fn the_end_of_input_is_seen() {
    let mut child = start();
    drop(child.stdin.take());
    assert_eq!(exit_code(child), Some(2));
}

fn the_input_may_be_a_file() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stdio-input");
    for (text, said, code) in [("go\nsay x\nbye\n", "x\nbye\n", 0), ("say x\n", "x\n", 2)] {
        fs::write(&path, text).unwrap();
        let mut child = start_on(File::open(&path).unwrap());
        let mut output = String::new();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_to_string(&mut output).unwrap();
        assert!(output.ends_with(said), "{output:?}");
        assert_eq!(exit_code(child), Some(code));
    }
}

fn an_input_without_end_does_not_keep_the_child() {
    // Input after the farewell is read and dropped for a while: a read of this file never waits.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stdio-long-input");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"bye\n").unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(exit_code(start_on(File::open(&path).unwrap())), Some(0));
    fs::remove_file(&path).unwrap();
}
