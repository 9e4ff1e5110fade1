//! Sessions driven against well-behaved and misbehaving peers.

use std::{
    future::{Future, pending, ready},
    time::Duration,
};

use crate::toy::{Always, Event, Gated, Pick, Toy, guarded, loopback};
use boardgame_io::{
    Connection, DriveError, DriveOptions, DriveOutcome, MAX_OUTPUT, TcpConnection, Thinker, drive,
};
use boardgame_session::player::{Ending, TaskId};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, duplex},
    net::TcpStream,
    task::JoinHandle,
    time::{Instant, sleep},
};

type Driven = Result<DriveOutcome<Toy>, DriveError>;

const THINKER: Always = Always("f5");

/// Drives a toy session on a task of its own.
fn driven(connection: TcpConnection, thinker: impl Thinker<Pick>) -> JoinHandle<Driven> {
    let options = DriveOptions::default();
    tokio::spawn(
        async move { drive(Toy::default(), connection, thinker, pending(), &options).await },
    )
}

/// Runs a peer against a session whose thinker plays f5.
async fn against<F: Future>(peer: impl FnOnce(TcpStream) -> F) -> (Driven, F::Output) {
    let (connection, stream) = loopback().await;
    let driven = driven(connection, THINKER);
    let said = guarded(peer(stream)).await;
    (guarded(driven).await.unwrap(), said)
}

#[track_caller]
fn ending(driven: Driven) -> Ending<Pick> {
    driven.expect("an ending").ending
}

/// Sends `script` at once and returns everything that comes back.
async fn converse(mut peer: TcpStream, script: impl AsRef<[u8]>) -> String {
    peer.write_all(script.as_ref()).await.unwrap();
    let mut said = String::new();
    peer.read_to_string(&mut said).await.unwrap();
    said
}

#[tokio::test]
async fn a_session_is_played_to_its_end() {
    let (driven, said) = against(|peer| converse(peer, "say hello\nbye\n")).await;
    assert_eq!(said, "hello\nbye\n");
    let outcome = driven.unwrap();
    assert_eq!(outcome.ending, Ending::Orderly);
    assert_eq!(outcome.session.heard, ["say hello", "bye"]);
}

#[tokio::test(start_paused = true)]
async fn a_slow_drip_is_no_silence() {
    let (near, mut far) = duplex(1);
    let options = DriveOptions {
        silence: Some(Duration::from_mins(1)),
        ..Default::default()
    };
    let peer = async {
        for byte in b"say a\nbye\n" {
            sleep(Duration::from_secs(59)).await;
            far.write_all(&[*byte]).await.unwrap();
        }
        let mut said = String::new();
        far.read_to_string(&mut said).await.unwrap();
        said
    };
    let connection = Connection::from_stream(near);
    let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
    let (driven, said) = tokio::join!(drive, peer);
    assert_eq!(ending(driven), Ending::Orderly);
    assert_eq!(said, "a\nbye\n");
}

#[tokio::test(start_paused = true)]
async fn silence_is_an_error_of_its_own() {
    let (near, mut far) = duplex(64);
    let limit = Duration::from_mins(1);
    let options = DriveOptions {
        silence: Some(limit),
        ..Default::default()
    };
    far.write_all(b"say a\nsa").await.unwrap();
    let connection = Connection::from_stream(near);
    let error = drive(Toy::default(), connection, THINKER, pending(), &options)
        .await
        .unwrap_err();
    assert!(matches!(error, DriveError::Silent(silence) if silence == limit));
    let mut said = String::new();
    far.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "a\n");
}

/// Real time passes for the thinker, but none for the clock: it stands still while no timer runs.
#[tokio::test(start_paused = true)]
async fn silence_counts_from_the_answer_and_not_while_thinking() {
    let (near, far) = duplex(64);
    let (thinker, gate, mut events) = Gated::new();
    let options = DriveOptions {
        silence: Some(Duration::from_mins(1)),
        ..Default::default()
    };
    let peer = async {
        let mut peer = BufReader::new(far).lines();
        sleep(Duration::from_secs(59)).await;
        peer.get_mut().write_all(b"go\n").await.unwrap();
        assert_eq!(events.recv().await, Some(Event::Began(TaskId(1))));
        sleep(Duration::from_secs(100)).await;
        gate.open("e6");
        let answer = peer.next_line().await.unwrap();
        assert_eq!(answer.as_deref(), Some("e6"));
        sleep(Duration::from_secs(59)).await;
        peer.get_mut().write_all(b"bye\n").await.unwrap();
        assert_eq!(peer.next_line().await.unwrap().as_deref(), Some("bye"));
    };
    let connection = Connection::from_stream(near);
    let drive = drive(Toy::default(), connection, thinker, pending(), &options);
    let (driven, ()) = tokio::join!(drive, peer);
    assert_eq!(ending(driven), Ending::Orderly);
}

#[tokio::test]
async fn a_half_close_is_the_end_of_input_and_answers_are_still_delivered() {
    let (driven, said) = against(|mut peer| async move {
        peer.write_all(b"say a\n").await.unwrap();
        peer.shutdown().await.unwrap();
        let mut said = String::new();
        peer.read_to_string(&mut said).await.unwrap();
        said
    })
    .await;
    assert_eq!(ending(driven), Ending::CutOff);
    assert_eq!(said, "a\n");
}

#[tokio::test]
async fn a_session_that_does_not_finish_at_the_end_of_input_is_ended() {
    let (driven, said) = against(|mut peer| async move {
        peer.write_all(b"stay\ngo\n").await.unwrap();
        peer.shutdown().await.unwrap();
        let mut said = String::new();
        peer.read_to_string(&mut said).await.unwrap();
        said
    })
    .await;
    assert_eq!(ending(driven), Ending::CutOff);
    assert_eq!(said, "f5\n", "what is under way is still done");
}

#[tokio::test(start_paused = true)]
async fn output_goes_on_after_the_end_of_input() {
    let (reader, mut to_session) = duplex(64);
    let (writer, mut from_session) = duplex(16);
    let script = b"stay\nin 5000\nbig 1000\n";
    to_session.write_all(script).await.unwrap();
    drop(to_session);
    let peer = async {
        let start = Instant::now();
        from_session.read_exact(&mut [0; 1000]).await.unwrap();
        assert!(start.elapsed() < Duration::from_secs(5));
        from_session.read_to_end(&mut Vec::new()).await.unwrap()
    };
    let connection = Connection::new(reader, writer);
    let options = DriveOptions::default();
    let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
    let (driven, rest) = tokio::join!(drive, peer);
    assert_eq!(ending(driven), Ending::CutOff);
    assert_eq!(rest, "tick\n".len());
}

/// Sends a line, waits for its answer, and resets the connection.
async fn reset_after(mut peer: TcpStream, line: &str) {
    peer.write_all(line.as_bytes()).await.unwrap();
    assert_ne!(peer.read(&mut [0; 64]).await.unwrap(), 0);
    peer.set_zero_linger().unwrap();
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_game_is_an_error() {
    let (driven, ()) = against(|peer| reset_after(peer, "say a\n")).await;
    let error = driven.unwrap_err();
    assert!(matches!(error, DriveError::Reset(_)), "{error}");
}

#[tokio::test]
async fn a_reset_after_the_game_is_an_orderly_end() {
    let (driven, ()) = against(|peer| reset_after(peer, "done\n")).await;
    assert_eq!(ending(driven), Ending::Orderly);
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_never_reads_costs_a_bounded_buffer() {
    let (near, mut far) = duplex(64);
    let options = DriveOptions::default();
    let peer = async {
        let line = format!("big {}\n", MAX_OUTPUT / 2);
        // Until the session gives up.
        while far.write_all(line.as_bytes()).await.is_ok() {}
    };
    let connection = Connection::from_stream(near);
    let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
    // The connection is closed when the driver returns, which ends the peer.
    let (driven, ()) = tokio::join!(drive, peer);
    let error = driven.unwrap_err();
    assert!(
        matches!(error, DriveError::NotReading { waiting } if waiting <= MAX_OUTPUT),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_is_waited_for_as_long_as_it_reads() {
    let (near, mut far) = duplex(8 * 1024);
    let options = DriveOptions::default();
    let peer = async {
        far.write_all("big 30000\n".repeat(4).as_bytes())
            .await
            .unwrap();
        let mut buffer = [0; 8 * 1024];
        let mut left: usize = 4 * 30000;
        while left > 0 {
            sleep(options.reading / 2).await;
            let length = left.min(buffer.len());
            left -= far.read_exact(&mut buffer[..length]).await.unwrap();
        }
        far.write_all(b"bye\n").await.unwrap();
        let mut said = String::new();
        far.read_to_string(&mut said).await.unwrap();
        said
    };
    let connection = Connection::from_stream(near);
    let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
    let (driven, said) = tokio::join!(drive, peer);
    assert_eq!(ending(driven), Ending::Orderly);
    assert_eq!(said, "bye\n");
}

/// Its one input keeps the session busy for ever.
#[tokio::test]
async fn a_session_that_never_runs_out_of_answers_sends_them_and_is_interrupted() {
    let (connection, peer) = loopback().await;
    let mut peer = BufReader::new(peer).lines();
    peer.get_mut().write_all(b"forever\n").await.unwrap();
    let shutdown = async {
        let said = peer.next_line().await.unwrap();
        assert_eq!(said.as_deref(), Some("again"));
    };
    let options = DriveOptions::default();
    let drive = drive(Toy::default(), connection, THINKER, shutdown, &options);
    let error = guarded(drive).await.unwrap_err();
    assert!(matches!(error, DriveError::Interrupted), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_does_not_read_yet_is_listened_to() {
    let (near, mut far) = duplex(64);
    let peer = async {
        far.write_all(b"big 1000\nin 5000\n").await.unwrap();
        sleep(Duration::from_secs(6)).await;
        far.write_all(b"bye\n").await.unwrap();
        sleep(Duration::from_secs(1)).await;
        let mut said = String::new();
        far.read_to_string(&mut said).await.unwrap();
        said
    };
    let connection = Connection::from_stream(near);
    let options = DriveOptions::default();
    let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
    let (driven, said) = tokio::join!(drive, peer);
    assert_eq!(ending(driven), Ending::Orderly);
    assert_eq!(said, "x".repeat(1000) + "tick\nbye\n");
}

#[tokio::test(start_paused = true)]
async fn last_words_that_nobody_reads_are_an_error() {
    let (near, mut far) = duplex(64);
    far.write_all(b"big 1000\nbye\n").await.unwrap();
    let connection = Connection::from_stream(near);
    let options = DriveOptions::default();
    let error = drive(Toy::default(), connection, THINKER, pending(), &options)
        .await
        .unwrap_err();
    assert!(matches!(error, DriveError::Undelivered(_)), "{error}");
}

#[tokio::test]
async fn a_peer_that_leaves_without_reading_the_last_words_is_no_error() {
    let (near, mut far) = duplex(64);
    far.write_all(b"done\n").await.unwrap();
    drop(far);
    let connection = Connection::from_stream(near);
    let options = DriveOptions::default();
    let driven = drive(Toy::default(), connection, THINKER, pending(), &options).await;
    assert_eq!(ending(driven), Ending::Orderly);
}

#[tokio::test]
async fn everything_is_delivered_to_a_slow_reader_before_the_close() {
    let (driven, said) = against(|mut peer| async move {
        peer.write_all(b"big 60000\nbye\n").await.unwrap();
        let mut said = 0;
        loop {
            match peer.read(&mut [0; 777]).await.unwrap() {
                0 => return said,
                length => said += length,
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(ending(driven), Ending::Orderly);
    assert_eq!(said, 60000 + "bye\n".len());
}

#[tokio::test]
async fn input_and_deadlines_are_served_while_the_thinker_thinks() {
    let (connection, peer) = loopback().await;
    let (thinker, gate, mut events) = Gated::new();
    let driven = driven(connection, thinker);
    let mut peer = BufReader::new(peer).lines();
    peer.get_mut().write_all(b"go\n").await.unwrap();
    assert_eq!(guarded(events.recv()).await, Some(Event::Began(TaskId(1))));
    for (line, answer) in [("say a\n", "a"), ("in 1\n", "tick")] {
        peer.get_mut().write_all(line.as_bytes()).await.unwrap();
        let said = guarded(peer.next_line()).await.unwrap();
        assert_eq!(said.as_deref(), Some(answer));
    }
    gate.open("e6");
    let said = guarded(peer.next_line()).await.unwrap();
    assert_eq!(said.as_deref(), Some("e6"));
    drop(peer);
    assert_eq!(ending(guarded(driven).await.unwrap()), Ending::CutOff);
}

#[tokio::test]
async fn a_shutdown_while_thinking_interrupts_the_thinker() {
    let (connection, mut peer) = loopback().await;
    let (thinker, _gate, mut events) = Gated::new();
    peer.write_all(b"go\n").await.unwrap();
    let shutdown = async {
        assert_eq!(events.recv().await, Some(Event::Began(TaskId(1))));
    };
    let options = DriveOptions::default();
    let drive = drive(Toy::default(), connection, thinker, shutdown, &options);
    let error = guarded(drive).await.unwrap_err();
    assert!(matches!(error, DriveError::Interrupted), "{error}");
    let interrupted = Event::Interrupted(TaskId(1));
    assert_eq!(guarded(events.recv()).await, Some(interrupted));
}

#[tokio::test]
async fn an_abandoned_task_is_not_answered() {
    let (connection, mut peer) = loopback().await;
    let (thinker, gate, mut events) = Gated::new();
    let driven = driven(connection, thinker);
    peer.write_all(b"go\n").await.unwrap();
    assert_eq!(guarded(events.recv()).await, Some(Event::Began(TaskId(1))));
    peer.write_all(b"stop\n").await.unwrap();
    let interrupted = Event::Interrupted(TaskId(1));
    assert_eq!(guarded(events.recv()).await, Some(interrupted));
    peer.write_all(b"go\n").await.unwrap();
    assert_eq!(guarded(events.recv()).await, Some(Event::Began(TaskId(2))));
    gate.open("c4");
    let mut peer = BufReader::new(peer).lines();
    let said = guarded(peer.next_line()).await.unwrap();
    assert_eq!(said.as_deref(), Some("c4"));
    peer.get_mut().write_all(b"bye\n").await.unwrap();
    let said = guarded(peer.next_line()).await.unwrap();
    assert_eq!(said.as_deref(), Some("bye"));
    drop(peer);
    let outcome = guarded(driven).await.unwrap().unwrap();
    assert_eq!(outcome.session.stale, 0);
}

#[tokio::test]
async fn a_shutdown_that_is_ready_comes_first() {
    let (connection, _peer) = loopback().await;
    let options = DriveOptions::default();
    let drive = drive(Toy::default(), connection, THINKER, ready(()), &options);
    let error = guarded(drive).await.unwrap_err();
    assert!(matches!(error, DriveError::Interrupted), "{error}");
}
