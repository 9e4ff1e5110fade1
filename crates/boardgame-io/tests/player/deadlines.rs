//! Deadlines that pass while input or an answer is pending: one look at it comes first.

use std::{
    future::pending,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use crate::toy::{Always, Toy, guarded};
use boardgame_io::{Connection, DriveOptions, drive};
use boardgame_session::player::Ending;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, ReadBuf, duplex},
    time::sleep,
};

const THINKER: Always = Always("f5");

/// A process that did not run for a while finds its deadline passed and input pending.
#[tokio::test(start_paused = true)]
async fn input_that_is_there_when_a_deadline_passes_comes_before_it() {
    for _ in 0..32 {
        let (near, mut far) = duplex(64);
        far.write_all(b"in 100\n").await.unwrap();
        let peer = async {
            sleep(Duration::from_millis(100)).await;
            far.write_all(b"say first\n").await.unwrap();
            let mut said = [0; 11];
            far.read_exact(&mut said).await.unwrap();
            far.write_all(b"bye\n").await.unwrap();
            said
        };
        let connection = Connection::from_stream(near);
        let options = DriveOptions::default();
        let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
        let (driven, said) = tokio::join!(drive, peer);
        assert_eq!(driven.unwrap().ending, Ending::Orderly);
        assert_eq!(str::from_utf8(&said), Ok("first\ntick\n"));
    }
}

#[tokio::test(start_paused = true)]
async fn input_that_is_there_when_patience_ends_is_no_silence() {
    for _ in 0..32 {
        let (near, mut far) = duplex(64);
        let limit = Duration::from_mins(1);
        let options = DriveOptions {
            silence: Some(limit),
            ..Default::default()
        };
        let peer = async {
            sleep(limit).await;
            far.write_all(b"bye\n").await.unwrap();
        };
        let connection = Connection::from_stream(near);
        let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
        let (driven, ()) = tokio::join!(drive, peer);
        assert_eq!(driven.unwrap().ending, Ending::Orderly);
    }
}

/// Input without end until the flag is set.
struct Flood(Arc<AtomicBool>);

impl AsyncRead for Flood {
    fn poll_read(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.0.load(Ordering::Relaxed) {
            buffer.put_slice(b"flood\n");
        }
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_flood_does_not_hold_up_a_deadline() {
    let (writer, mut from_session) = duplex(64);
    let ended = Arc::new(AtomicBool::new(false));
    let reader = b"in 1\n".chain(Flood(Arc::clone(&ended)));
    let options = DriveOptions::default();
    let connection = Connection::new(reader, writer);
    let drive = drive(Toy::default(), connection, THINKER, pending(), &options);
    let peer = async {
        let mut said = [0; 5];
        from_session.read_exact(&mut said).await.unwrap();
        ended.store(true, Ordering::Relaxed);
        said
    };
    let (driven, said) = guarded(async { tokio::join!(drive, peer) }).await;
    assert_eq!(driven.unwrap().ending, Ending::CutOff);
    assert_eq!(&said, b"tick\n");
}
