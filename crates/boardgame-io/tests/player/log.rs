//! The log shows each line in both directions, the notes, and the state of the game.

use std::{cell::RefCell, future::pending, io, sync::Once};

use crate::toy::{Always, Toy};
use boardgame_io::{Connection, DriveOptions, drive};
use tokio::io::{AsyncWriteExt as _, duplex};
use tracing::Level;

thread_local! {
    /// The log of the test that runs on this thread.
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Collects what is logged on the thread that logs it.
struct Writer;

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sends the log of each thread to its [`LOG`]. Subscribers per test would change the enabled levels of other tests.
fn start_log() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        tracing_subscriber::fmt()
            .with_max_level(Level::DEBUG)
            .with_ansi(false)
            .without_time()
            .with_writer(|| Writer)
            .init();
    });
}

/// The log of a session whose peer sends these pieces, one per read, and leaves.
async fn log_of(pieces: &[&[u8]]) -> Vec<String> {
    start_log();
    let (near, mut far) = duplex(4096);
    let peer = async move {
        for piece in pieces {
            far.write_all(piece).await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    let options = DriveOptions {
        format: "toy",
        ..Default::default()
    };
    let connection = Connection::from_stream(near);
    let thinker = Always("f5");
    let drive = drive(Toy::default(), connection, thinker, pending(), &options);
    let (driven, ()) = tokio::join!(drive, peer);
    driven.unwrap();
    let text = String::from_utf8(LOG.take()).unwrap();
    text.lines().map(Into::into).collect()
}

/// Asserts that some line has all of these parts.
#[track_caller]
fn check(log: &[String], parts: &[&str]) {
    let found = log
        .iter()
        .any(|line| parts.iter().all(|part| line.contains(part)));
    assert!(found, "no line with {parts:?} in {log:#?}");
}

#[tokio::test]
async fn lines_notes_and_the_game_are_in_the_log() {
    let log = log_of(&[b"what is ", b"this?\nsay hel", b"lo\r\n", b"\xff\0half"]).await;
    check(&log, &["DEBUG", r"<- say hello\r\n"]);
    check(&log, &["DEBUG", r"-> hello\n"]);
    check(&log, &["DEBUG", r"<- what is this?\n"]);
    check(&log, &["DEBUG", r"<- \xff\x00half"]);
    check(
        &log,
        &["INFO", "what is this?", r#"leniency="other-words""#],
    );
    check(
        &log,
        &[
            r#"session{format="toy"}:turn{color=Black number=1 "#,
            "board=empty",
            "hello",
        ],
    );
}

#[tokio::test]
async fn a_line_without_end_is_logged_in_pieces() {
    let log = log_of(&[&[b'x'; 700]]).await;
    for length in [512, 700 - 512] {
        let piece = format!("<- {}", "x".repeat(length));
        let found = log.iter().any(|line| line.ends_with(&piece));
        assert!(found, "no piece of {length} bytes in {log:#?}");
    }
}
