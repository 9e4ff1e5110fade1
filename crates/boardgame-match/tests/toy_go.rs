//! A round robin of random movers at Go on 5x5, two in this process and one over a stream.

mod common;

use std::{future, sync::Arc};

use boardgame_core::{ByColor, Game};
use boardgame_io::{Link, LinkOptions};
use boardgame_match::{
    Choice, GameOptions, GameSpec, LocalPlayer, LocalSeat, Seat, SessionSeat, SessionSeatOptions,
    Turn, conduct,
};
use boardgame_session::Thought;
use common::{
    LineSession, Rules, answer_lines,
    go::{Go, POINTS, Play, score},
};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// Makes random legal moves, and passes where it finds none in a few trials.
struct Random(Pcg64);

impl Random {
    fn choose(&mut self, position: &Go) -> Play {
        let trials = (0..10).map(|_| self.0.random_range(0..POINTS));
        let legal = |mv: &Play| position.clone().play(*mv).is_ok();
        trials.into_iter().find(legal).unwrap_or(POINTS)
    }
}

impl LocalPlayer<Go> for Random {
    fn choose(&mut self, turn: &Turn<Go>) -> Choice<Play> {
        Choice::Move(self.choose(&turn.position), Thought::default())
    }
}

/// Players 0 and 1 are in this process, player 2 is over a stream.
fn seat(player: usize, seed: u64) -> Box<dyn Seat<Go>> {
    let mut random = Random(Pcg64::seed_from_u64(seed));
    let name = player.to_string();
    if player < 2 {
        return Box::new(LocalSeat::new(name, random).unwrap());
    }
    let (host, peer) = tokio::io::duplex(1024);
    let [link, peer] = [host, peer].map(|end| Link::of(end, LinkOptions::default()));
    let start = Go::new(&String::new());
    tokio::spawn(answer_lines(peer, start, move |position| {
        random.choose(position)
    }));
    let session = LineSession::new(Rules::default());
    Box::new(SessionSeat::link(
        name,
        session,
        link,
        SessionSeatOptions::default(),
    ))
}

#[tokio::test]
async fn random_movers_play_a_round_robin() {
    let mut points = [0; 3];
    for (black, white) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
        let mut seats = ByColor::from([seat(black, 1), seat(white, 2)]);
        let game = GameSpec {
            scorer: Some(Arc::new(score)),
            ..GameSpec::new("5x5".into())
        };
        let keep = |_: &Go, _: &_| future::ready(());
        let options = GameOptions::default();
        let seats = seats.as_mut().map(Box::as_mut);
        let report = conduct(game, seats, |_, _| {}, keep, &options, future::pending()).await;
        let report = report.expect("there is no opening");
        let verdict = report.outcome.verdict().expect("a verdict");
        assert_eq!(verdict.margin, Some(score(&report.position)));
        let moves = report.seats.as_ref().map(|seat| seat.moves as usize);
        assert_eq!(moves.black + moves.white, report.moves.len());
        assert!(report.seats.iter().all(|seat| seat.faults.is_empty()));
        let winner = report.winner().expect("with a half point no game is drawn");
        points[ByColor { black, white }[winner]] += 1;
    }
    assert_eq!(points.iter().sum::<u32>(), 6);
}
