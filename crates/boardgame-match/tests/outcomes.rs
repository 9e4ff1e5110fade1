//! Games that end without a verdict: nothing can happen any more, or nobody scores the position.

mod common;

use std::{
    future::{self, pending},
    mem,
    time::Duration,
};

use boardgame_core::ByColor;
use boardgame_match::{
    BoxFuture, FromSeat, GameReport, GameSpec, LocalSeat, Outcome, Seat, SeatReport,
};
use boardgame_session::{Conventions, Order, SeatEvent};
use common::{Heap, One, play_game};

/// A seat that is ready for every game but never answers.
#[derive(Default)]
struct Mute {
    is_ready: bool,
    asked: u32,
    called_off: u32,
}

impl Seat<Heap> for Mute {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        }
    }

    fn order(&mut self, order: Order<Heap>) {
        match order {
            Order::Begin { .. } => self.is_ready = true,
            Order::Choose { .. } => self.asked += 1,
            Order::CallOff => self.called_off += 1,
            _ => {}
        }
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<u8>> {
        Box::pin(async {
            if !mem::take(&mut self.is_ready) {
                pending::<()>().await;
            }
            FromSeat::Event(SeatEvent::Ready)
        })
    }

    fn is_silent(&self) -> bool {
        !self.is_ready
    }

    fn end(&mut self, _: Duration) -> BoxFuture<'_, SeatReport> {
        Box::pin(future::ready(SeatReport::default()))
    }
}

/// Plays a game of 5 counters.
async fn play(
    black: &mut (dyn Seat<Heap> + 'static),
    white: &mut (dyn Seat<Heap> + 'static),
    max_moves: Option<usize>,
) -> GameReport<Heap> {
    let seats = ByColor { black, white };
    let game = GameSpec {
        max_moves,
        ..GameSpec::new(5)
    };
    play_game(game, seats, pending()).await
}

#[tokio::test]
async fn a_game_in_which_nothing_can_happen_any_more_is_called_off() {
    let mut black = LocalSeat::new("one", One).unwrap();
    let mut white = Mute::default();
    let report = play(&mut black, &mut white, None).await;
    assert_eq!(report.outcome, Outcome::Stalled);
    assert_eq!((report.moves, report.position.left), (vec![1], 4));
    assert_eq!((white.asked, white.called_off), (1, 1));
    assert_eq!(report.seats.black.moves, 1);
}

#[tokio::test]
async fn a_game_that_nobody_scores_is_called_off() {
    let [mut black, mut white] = ["black", "white"].map(|name| LocalSeat::new(name, One).unwrap());
    let report = play(&mut black, &mut white, Some(2)).await;
    assert_eq!(report.outcome, Outcome::Unscored);
    assert_eq!((report.moves, report.position.left), (vec![1, 1], 3));
}
