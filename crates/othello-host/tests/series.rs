//! Series of games between child programs.
#![cfg(unix)]

#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::{future::pending, time::Duration};

use boardgame_match::{GameSpec, Launch, Seat, SessionSeat, SessionSeatOptions};
use othello_core::{Board, Color, Empties, Game, Square};
use othello_host::{
    CommandLine,
    likely_cause::AnswerForm,
    record::{GameRecord, Journal, Winner},
    replay::replay,
    series::{self, Contestant, SeriesNews, SeriesOptions, SeriesReport},
};
use othello_proto::gui::{Form, HostSeat, HostSeatOptions, Version};
use scripts::{shell, short_grace};

/// A player of the GUI's format in shell, which plays the first of the moves that it is sent.
const PLAYER: &str = "echo v1.0.0; while read count first rest; do [ $first ] && echo $first; done";

/// The seat of a program, with short grace periods to keep tests of hanging programs fast.
fn seat(name: &str, line: CommandLine) -> Box<dyn Seat<Board>> {
    let options = SessionSeatOptions {
        launch: Launch::OnRequest,
        ..SessionSeatOptions::default()
    };
    let gui = HostSeat::new(HostSeatOptions {
        form: Form::Stay(Version::V2),
        limit: Duration::from_mins(1),
        startup: Duration::from_mins(1),
        ..HostSeatOptions::default()
    });
    Box::new(SessionSeat::program(
        name,
        gui,
        line,
        short_grace(),
        options,
    ))
}

fn script(text: &str) -> Box<dyn Seat<Board>> {
    seat(text, shell(text))
}

fn options(games: u32, concurrency: usize) -> SeriesOptions {
    SeriesOptions {
        games,
        concurrency,
        ..SeriesOptions::default()
    }
}

async fn play(first: &str, second: &str, options: &SeriesOptions) -> SeriesReport {
    let scripts = [first, second];
    let seat = |_, contestant: Contestant, _| script(scripts[contestant as usize]);
    let game = GameSpec::new(Board::START);
    let played = series::play(&game, seat, |_, _| {}, options, pending());
    played.await.unwrap()
}

#[tokio::test]
async fn colours_alternate_and_results_add_up() {
    let last = "echo v1.0.0; while read count all; do for it in $all; do :; done; [ \"$all\" ] && echo $it; done";
    let report = play(PLAYER, last, &options(4, 1)).await;
    let numbers: Vec<_> = report.games.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    for (number, game) in &report.games {
        let black = if number % 2 == 1 { PLAYER } else { last };
        assert_eq!(game.seats[Color::Black].name, black);
        assert_ne!(game.seats[Color::White].name, black);
    }
    // Both play deterministically, so the same colours give the same game.
    assert_eq!(report.games[0].1.moves, report.games[2].1.moves);
    let [first, second] = report.standings;
    assert_eq!(first.wins + first.draws + first.losses, 4);
    assert_eq!((first.wins, first.losses), (second.losses, second.wins));
    assert_eq!(first.discs, -second.discs);
    let score = |game: usize| {
        let board = report.games[game].1.position;
        i64::from(board.score(Color::Black, Empties::OnBoard).discs())
    };
    assert_eq!(first.discs, 2 * (score(0) - score(1)));
    assert_eq!((first.forfeits, first.faults, report.undecided), (0, 0, 0));
}

#[tokio::test]
async fn the_observer_is_told_games_with_their_opening() {
    let game = GameSpec {
        opening: vec![Square::F5.into(), Square::D6.into()],
        ..GameSpec::new(Board::START)
    };
    let mut told = Game::default();
    let mut transcripts = Vec::new();
    let observer = |_, news: SeriesNews<'_>| match news {
        SeriesNews::Game(game, _) => told = game.clone(),
        SeriesNews::Finished(report) => {
            let transcript = told.transcript().to_string();
            assert_eq!(transcript, replay(report).transcript().to_string());
            transcripts.push(transcript);
        }
    };
    let seat = |_, _, _| script(PLAYER);
    let options = options(2, 1);
    let played = series::play(&game, seat, observer, &options, pending());
    played.await.unwrap();
    assert_eq!(transcripts.len(), 2);
    for transcript in transcripts {
        assert!(transcript.starts_with("f5d6"), "{transcript}");
        assert!(transcript.len() > 60, "{transcript}");
    }
}

#[tokio::test]
async fn a_series_goes_on_after_every_kind_of_fault() {
    let worse =
        "echo v1.0.0; until [ $first ]; do read count first rest; done; sleep 600 & kill -SEGV $$";
    let report = play(PLAYER, worse, &options(4, 2)).await;
    assert_eq!(report.games.len(), 4);
    let [first, second] = report.standings;
    assert_eq!((first.wins, first.forfeits, first.faults), (4, 0, 0));
    assert_eq!((second.losses, second.forfeits), (4, 4));
    assert_eq!((first.discs, second.discs), (4 * 64, 4 * -64));
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
    let scripts = [PLAYER, "echo v1.0.0; exec sleep 600"];
    let seat = |number, contestant: Contestant, _| {
        let text = if number == 1 {
            PLAYER
        } else {
            scripts[contestant as usize]
        };
        script(text)
    };
    let cancel = async {
        let _ = called_off.await;
    };
    let options = options(9, 1);
    let game = GameSpec::new(Board::START);
    let played = series::play(&game, seat, observer, &options, cancel);
    let report = played.await.unwrap();
    assert_eq!((report.games.len(), report.undecided), (2, 1));
    let [first, second] = report.standings;
    assert_eq!(first.wins + first.draws + first.losses, 1);
    assert_eq!(second.discs, -first.discs);
}

#[tokio::test]
async fn a_series_ends_with_a_program_that_does_not_start() {
    let seats = |_, contestant: Contestant, _| {
        let program = ["/bin/sh", "/nonexistent/x"][contestant as usize];
        seat(program, CommandLine::new(program, ["-c", PLAYER]))
    };
    let options = options(9, 1);
    let game = GameSpec::new(Board::START);
    let played = series::play(&game, seats, |_, _| {}, &options, pending());
    let report = played.await.unwrap();
    assert_eq!((report.games.len(), report.undecided), (1, 1));
    let standings = report.standings.map(|standing| standing.forfeits);
    assert_eq!(standings, [0, 0]);
}

#[tokio::test]
async fn games_go_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut journal = Journal::open(&path).unwrap();
    let report = play(PLAYER, "echo v1.0.0; exit 3", &options(1, 1)).await;
    for (_, game) in &report.games {
        journal
            .append(&GameRecord::from_report(
                "test",
                game,
                AnswerForm::Gui(Form::Released),
            ))
            .unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let record: GameRecord = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(
        (record.black.as_str(), record.white.as_str()),
        (PLAYER, "echo v1.0.0; exit 3")
    );
    assert_eq!(
        (record.winner, record.cause.as_str()),
        (Winner::Black, "White left")
    );
    assert!(record.faults[0].starts_with("White ended before the end of the game"));
}
