//! Programs that speak GTP and stay for many games.

use boardgame_match::{
    Seat as _,
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
fn program(game: &Game, end: &str) -> EngineSeat {
    let squares: Vec<String> = moves_of(game, Color::White)
        .iter()
        .filter_map(|mv| mv.square())
        .map(|square| square.to_string())
        .collect();
    let script = format!(
        "while read -r line; do case $line in \
         list_commands) printf '= final_score\\n\\n';; \
         final_score) {end};; \
         clear_board) set -- {}; printf '= \\n\\n';; \
         genmove*) printf '= %s\\n\\n' $1; shift;; \
         *) printf '= \\n\\n';; esac; done",
        squares.join(" ")
    );
    seat(Protocol::Gtp, shell(&script), Limit::default(), quick())
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
        let mut seat = program(&game, end);
        let played = play(&mut seat, &game, 0, Color::White).await;
        assert_eq!(Some(played.result), GameResult::of(&game.board()));
        let [(Side::White, fault)] = &*played.faults else {
            panic!("{end}: {:?}", played.faults);
        };
        assert!(fault.to_string().starts_with(expected), "{fault}");
        seat.close().await;
    }
}
