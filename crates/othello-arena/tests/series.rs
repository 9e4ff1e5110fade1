//! Series of games between child programs.
#![cfg(unix)]

mod common;

use std::future::pending;

use common::{PLAYER, Rules, Toy, quick, shell};
use othello_arena::{
    CommandLine, Seat,
    game::GameOptions,
    record::{GameRecord, Journal, Winner},
    series::{self, Contestant, SeriesNews, SeriesOptions, SeriesReport},
};
use othello_core::Color;

fn options(games: u32, concurrency: usize) -> SeriesOptions {
    SeriesOptions {
        games,
        concurrency,
        game: GameOptions::default(),
    }
}

async fn play(first: &str, second: &str, options: &SeriesOptions) -> SeriesReport {
    let scripts = [first, second];
    let seat = |_, contestant: Contestant, _| {
        let text = scripts[contestant as usize];
        Seat::program(text, shell(text), quick())
    };
    let toy = |_| Toy::new(Rules::default());
    series::play(toy, seat, |_, _| {}, options, pending()).await
}

#[tokio::test]
async fn colours_alternate_and_results_add_up() {
    let last = "while read word all; do for square in $all; do :; done; echo $square; done";
    let report = play(PLAYER, last, &options(4, 1)).await;
    let numbers: Vec<_> = report.games.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    for (number, game) in &report.games {
        let black = if number % 2 == 1 { PLAYER } else { last };
        assert_eq!(game.seat(Color::Black).name, black);
        assert_ne!(game.seat(Color::White).name, black);
    }
    // Both play by rote, so that the same colours make the same game.
    assert_eq!(report.games[0].1.game, report.games[2].1.game);
    let [first, second] = report.standings;
    assert_eq!(first.wins + first.draws + first.losses, 4);
    assert_eq!((first.wins, first.losses), (second.losses, second.wins));
    assert_eq!(first.discs, -second.discs);
    let score = |game: usize| i64::from(report.games[game].1.score().discs());
    assert_eq!(first.discs, 2 * (score(0) - score(1)));
    assert_eq!((first.forfeits, first.faults, report.undecided), (0, 0, 0));
}

#[tokio::test]
async fn a_series_goes_on_after_every_kind_of_fault() {
    let worse = "read line; sleep 600 & kill -SEGV $$";
    let report = play(PLAYER, worse, &options(4, 2)).await;
    assert_eq!(report.games.len(), 4);
    let [first, second] = report.standings;
    assert_eq!((first.wins, first.forfeits, first.faults), (4, 0, 0));
    assert_eq!((second.losses, second.forfeits), (4, 4));
    // Each time it crashed and left a process behind.
    assert_eq!(second.faults, 8);
}

#[tokio::test]
async fn a_series_called_off_ends_with_the_game_in_progress() {
    let (call_off, called_off) = tokio::sync::oneshot::channel::<()>();
    let mut call_off = Some(call_off);
    let observer = |number, news: SeriesNews<'_>| {
        if number == 2 && matches!(news, SeriesNews::Game(..)) {
            drop(call_off.take());
        }
    };
    let scripts = [PLAYER, "exec sleep 600"];
    let seat = |number, contestant: Contestant, _| {
        let text = if number == 1 {
            PLAYER
        } else {
            scripts[contestant as usize]
        };
        Seat::program(text, shell(text), quick())
    };
    let toy = |_| Toy::new(Rules::default());
    let cancel = async {
        let _ = called_off.await;
    };
    let report = series::play(toy, seat, observer, &options(9, 1), cancel).await;
    assert_eq!((report.games.len(), report.undecided), (2, 1));
    let [first, second] = report.standings;
    assert_eq!(first.wins + first.draws + first.losses, 1);
    assert_eq!(second.discs, -first.discs);
}

#[tokio::test]
async fn a_series_ends_with_a_program_that_does_not_start() {
    let seat = |_, contestant: Contestant, _| {
        let program = ["/bin/sh", "/nonexistent/x"][contestant as usize];
        Seat::program(program, CommandLine::new(program, ["-c", PLAYER]), quick())
    };
    let toy = |_| Toy::new(Rules::default());
    let report = series::play(toy, seat, |_, _| {}, &options(9, 1), pending()).await;
    assert_eq!((report.games.len(), report.undecided), (1, 1));
    let standings = report.standings.map(|standing| standing.forfeits);
    assert_eq!(standings, [0, 0]);
}

#[tokio::test]
async fn games_go_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut journal = Journal::open(&path).unwrap();
    let report = play(PLAYER, "exit 3", &options(1, 1)).await;
    for (_, game) in &report.games {
        journal.append(&GameRecord::reported("test", game)).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let record: GameRecord = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(
        (record.black.as_str(), record.white.as_str()),
        (PLAYER, "exit 3")
    );
    assert_eq!(
        (record.winner, record.cause.as_str()),
        (Winner::Black, "White left")
    );
    assert!(record.faults[0].starts_with("White ended before the end of the game"));
}
