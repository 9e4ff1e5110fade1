//! Programs that speak GTP and stay for many games.

use boardgame_match::{
    Seat as _,
    engine::Patience,
    fault::Fault,
    limit::Limit,
    record::{GameResult, Side},
};
use othello_core::{Board, Color, Game};
use othello_match::{engine_seat::EngineSeat, protocol::Protocol};

use crate::{
    kit::{game_with_passes, moves_of, play, quick, seat},
    scripts::shell,
};

/// A program that plays White's moves of a game, and does what `end` says when it is asked for the score.
fn program(game: &Game, before: &str, end: &str, patience: Patience) -> EngineSeat {
    let squares: Vec<String> = moves_of(game, Color::White)
        .iter()
        .filter_map(|mv| mv.square())
        .map(|square| square.to_string())
        .collect();
    let script = format!(
        "{before} while read -r line; do case $line in \
         list_commands) printf '= final_score\\n\\n';; \
         final_score) {end};; \
         clear_board) set -- {}; printf '= \\n\\n';; \
         genmove*) printf '= %s\\n\\n' $1; shift;; \
         *) printf '= \\n\\n';; esac; done",
        squares.join(" ")
    );
    seat(Protocol::Gtp, shell(&script), Limit::default(), patience)
}

#[tokio::test]
async fn a_program_is_started_once_for_many_games() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let game = game_with_passes(Board::START, Color::White, |_| None);
    let before = format!("echo x >>{};", count.display());
    let mut seat = program(&game, &before, "printf '? unknown\\n\\n'", quick());
    for _ in 0..2 {
        let played = play(&mut seat, &game, 0, Color::White).await;
        assert_eq!(played.faults, []);
        assert_eq!(Some(played.result), GameResult::of(&game.board()));
    }
    seat.close().await;
    let starts = std::fs::read_to_string(count).unwrap();
    assert_eq!(starts.lines().count(), 1);
}

#[tokio::test]
async fn what_goes_wrong_after_the_last_move_is_told_and_changes_no_result() {
    let game = game_with_passes(Board::START, Color::White, |_| None);
    for (end, expected) in [
        (
            "printf '= B+63\\n\\n'",
            "claimed the result B+63, which is ",
        ),
        ("printf '= well\\n\\n'", "broke the protocol: "),
        ("echo alas >&2; exit 3", "crashed: exit status: 3: alas"),
    ] {
        let mut seat = program(&game, "", end, quick());
        let played = play(&mut seat, &game, 0, Color::White).await;
        assert_eq!(Some(played.result), GameResult::of(&game.board()));
        let [(Side::White, fault)] = &*played.faults else {
            panic!("{end}: {:?}", played.faults);
        };
        assert!(fault.to_string().starts_with(expected), "{fault}");
        seat.close().await;
    }
}

#[tokio::test]
async fn a_move_without_a_clock_is_not_waited_for_for_ever() {
    let patience = Patience {
        untimed: std::time::Duration::from_millis(300),
        ..quick()
    };
    let silent = "while read -r line; do case $line in \
                  genmove*) exec sleep 600;; *) printf '= \\n\\n';; esac; done";
    let mut seat = seat(Protocol::Gtp, shell(silent), Limit::default(), patience);
    let game = game_with_passes(Board::START, Color::White, |_| None);
    let played = play(&mut seat, &game, 0, Color::White).await;
    let waited = patience.untimed;
    assert_eq!(played.faults, [(Side::White, Fault::Hung { waited })]);
    seat.close().await;
}
