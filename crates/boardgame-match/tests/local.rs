//! Misbehaving players in this process, and input that comes while this process is stopped.

mod common;

use std::{
    future::pending,
    sync::{Arc, Condvar, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, Color, TimeControl};
use boardgame_io::{Incoming, Link, LinkOptions};
use boardgame_match::{
    Choice, Fault, GameReport, GameSpec, Interrupter, LocalPlayer, LocalSeat, Outcome, Seat,
    SessionSeat, SessionSeatOptions, Turn,
};
use boardgame_session::{Cause, SeatFault, Thought};
use common::{Heap, LineSession, Rules, play_game};

type BoxSeat = Box<dyn Seat<Heap>>;

/// A player that calls a function.
struct Does(fn(&Turn<Heap>) -> Choice<u8>);

impl LocalPlayer<Heap> for Does {
    fn choose(&mut self, turn: &Turn<Heap>) -> Choice<u8> {
        self.0(turn)
    }
}

fn does(choose: fn(&Turn<Heap>) -> Choice<u8>) -> BoxSeat {
    local(Does(choose))
}

fn local(player: impl LocalPlayer<Heap>) -> BoxSeat {
    Box::new(LocalSeat::new("local", player).unwrap())
}

fn one(_: &Turn<Heap>) -> Choice<u8> {
    Choice::Move(1, Thought::default())
}

async fn play(
    game: GameSpec<Heap>,
    black: BoxSeat,
    white: BoxSeat,
    cancel: impl Future<Output = ()>,
) -> GameReport<Heap> {
    let mut seats = ByColor { black, white };
    play_game(game, seats.as_mut().map(Box::as_mut), cancel).await
}

fn forfeit(report: &GameReport<Heap>) -> (Color, &SeatFault) {
    match &report.outcome.verdict().expect("a verdict").cause {
        Cause::Forfeit { by, fault } => (*by, fault),
        cause => panic!("{cause}"),
    }
}

fn assert_overtime(report: &GameReport<Heap>) {
    let forfeit = forfeit(report);
    assert!(
        matches!(forfeit, (Color::Black, SeatFault::Overtime { .. })),
        "{forfeit:?}"
    );
}

fn link(end: tokio::io::DuplexStream) -> Link {
    Link::of(end, LinkOptions::default())
}

#[tokio::test]
async fn a_player_that_panics_or_moves_illegally_loses() {
    let game = || GameSpec::new(5);
    let report = play(game(), does(one), does(|_| panic!("alas")), pending()).await;
    assert_eq!(forfeit(&report), (Color::White, &SeatFault::Left));
    let reason = "alas".to_owned();
    assert_eq!(report.seats.white.faults, [Fault::PlayerFailed { reason }]);
    let illegal = does(|_| Choice::Move(3, Thought::default()));
    let report = play(game(), illegal, does(one), pending()).await;
    let (mv, detail) = ("3".to_owned(), "3 of 5 counters".to_owned());
    assert_eq!(
        forfeit(&report),
        (Color::Black, &SeatFault::IllegalMove { mv, detail })
    );
    let report = play(game(), does(one), does(|_| Choice::Resign), pending()).await;
    let by = Color::White;
    assert_eq!(
        report.outcome.verdict().unwrap().cause,
        Cause::Resigned { by }
    );
}

/// A player that chooses only when it is interrupted.
#[derive(Clone, Default)]
struct Waits(Arc<(Mutex<bool>, Condvar)>);

impl LocalPlayer<Heap> for Waits {
    fn choose(&mut self, turn: &Turn<Heap>) -> Choice<u8> {
        let (interrupted, changed) = &*self.0;
        let guard = interrupted.lock().unwrap();
        drop(
            changed
                .wait_while(guard, |interrupted| !*interrupted)
                .unwrap(),
        );
        one(turn)
    }

    fn interrupter(&self) -> Interrupter {
        let shared = Arc::clone(&self.0);
        Box::new(move || {
            *shared.0.lock().unwrap() = true;
            shared.1.notify_all();
        })
    }
}

#[tokio::test]
async fn a_player_is_interrupted_when_its_time_is_over_or_the_game_is() {
    let waits = Waits::default();
    let mut game = GameSpec::new(5);
    game.time.black = TimeControl {
        per_move: Some(Duration::from_millis(50)),
        ..TimeControl::default()
    };
    let report = play(game, local(waits.clone()), does(one), pending()).await;
    assert_overtime(&report);
    assert!(*waits.0.0.lock().unwrap());

    let waits = Waits::default();
    let cancel = tokio::time::sleep(Duration::from_millis(50));
    let report = play(GameSpec::new(5), local(waits.clone()), does(one), cancel).await;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert!(*waits.0.0.lock().unwrap());
}

#[tokio::test]
async fn a_player_has_the_tolerance_beyond_its_clock() {
    let late = does(|turn| {
        thread::sleep(Duration::from_millis(20));
        one(turn)
    });
    let mut game = GameSpec::new(1);
    game.tolerance = Duration::from_hours(1);
    game.time.black = TimeControl {
        per_move: Some(Duration::from_millis(10)),
        ..TimeControl::default()
    };
    let report = play(game, late, does(one), pending()).await;
    assert_eq!(report.outcome.verdict().unwrap().cause, Cause::Played);
}

/// A player that returns from its first choice once it is released, and whose time for the next must not
/// run before.
struct Late {
    released: mpsc::Receiver<()>,
    returned: Option<Instant>,
}

impl LocalPlayer<Heap> for Late {
    fn choose(&mut self, turn: &Turn<Heap>) -> Choice<u8> {
        if let Some(returned) = self.returned {
            assert!(returned <= turn.started);
        } else {
            self.released.recv().unwrap();
            self.returned = Some(Instant::now());
        }
        one(turn)
    }
}

#[tokio::test]
async fn a_player_plays_many_games_and_its_last_choice_costs_the_next_game_nothing() {
    let (release, released) = mpsc::channel();
    let returned = None;
    let (mut black, mut white) = (local(Late { released, returned }), does(one));
    let mut next_game = async |limit| {
        let mut game = GameSpec::new(5);
        game.time.black.per_move = limit;
        let seats = ByColor::from([black.as_mut(), white.as_mut()]);
        play_game(game, seats, pending()).await
    };
    let report = next_game(Some(Duration::from_millis(50))).await;
    assert_overtime(&report);

    let soon = async {
        // The second game is about to start.
        tokio::time::sleep(Duration::from_millis(50)).await;
        release.send(()).unwrap();
    };
    let (second, ()) = tokio::join!(next_game(None), soon);
    for report in [second, next_game(None).await] {
        assert_eq!(report.outcome.verdict().unwrap().cause, Cause::Played);
        let seats = report.seats.as_ref();
        let moves = seats.map(|seat| (seat.name.as_str(), seat.moves));
        assert_eq!(moves.into_array(), [("local", 3), ("local", 2)]);
    }
}

#[tokio::test]
async fn a_peer_over_a_stream_is_told_that_the_game_is_called_off() {
    let (host, peer) = tokio::io::duplex(64);
    let options = SessionSeatOptions {
        farewell: b"called off\n".to_vec(),
        ..SessionSeatOptions::default()
    };
    let session = LineSession::new(Rules::default());
    let black = Box::new(SessionSeat::link("peer", session, link(host), options));
    let peer = tokio::spawn(async move {
        let (mut peer, mut text) = (link(peer), Vec::new());
        while let Some(Incoming::Bytes { bytes, .. }) = peer.next().await {
            text.extend(bytes);
        }
        text
    });
    let cancel = tokio::time::sleep(Duration::from_millis(50));
    let report = play(GameSpec::new(5), black, does(one), cancel).await;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert_eq!(peer.await.unwrap(), b"?\ncalled off\n");
}

/// Plays a game of one counter with a peer whose time runs out while this process is stopped, and which
/// sends `answer` meanwhile.
#[cfg(unix)]
async fn play_while_stopped(answer: &'static [u8]) -> GameReport<Heap> {
    use std::io::{Read as _, Write as _};

    let limit = Duration::from_secs(1);
    let rules = Rules {
        limit: Some(limit),
        ..Rules::default()
    };
    let (host, peer) = tokio::net::UnixStream::pair().unwrap();
    let mut peer = peer.into_std().unwrap();
    peer.set_nonblocking(false).unwrap();
    let (asked, stop) = tokio::sync::oneshot::channel();
    let (stopped, answers) = mpsc::channel();
    let (answered, go_on) = mpsc::channel();
    thread::spawn(move || {
        peer.read_exact(&mut [0; 2]).unwrap();
        asked.send(()).unwrap();
        answers.recv().unwrap();
        peer.write_all(answer).unwrap();
        answered.send(()).unwrap();
        // It stays until the host hangs up.
        let _ = peer.read_to_end(&mut Vec::new());
    });
    tokio::spawn(async move {
        stop.await.unwrap();
        stopped.send(()).unwrap();
        go_on.recv().unwrap();
        thread::sleep(limit);
    });
    let link = Link::of(host, LinkOptions::default());
    let session = LineSession::new(rules);
    let options = SessionSeatOptions::default();
    let black = Box::new(SessionSeat::link("peer", session, link, options));
    play(GameSpec::new(1), black, does(one), pending()).await
}

#[cfg(unix)]
#[tokio::test]
async fn input_that_came_while_this_process_was_stopped_is_not_lost() {
    let report = play_while_stopped(
        b"1
",
    )
    .await;
    assert_eq!(report.outcome.verdict().unwrap().cause, Cause::Played);
    let report = play_while_stopped(b"").await;
    assert_overtime(&report);
}
