//! A byte order mark before the first message of a program.

use std::time::Duration;

use boardgame_laws::othello::{HostAction, HostedGame, codewarriors, gui, sloan};
use boardgame_session::{NoteKind, SeatSession};
use othello_core::{Board, Color};
use othello_proto::{
    gui::{Form, HostSeatOptions, Version},
    sloan::RefereeOptions,
};

use crate::kit::at;

/// Returns a host's actions when Black says something, after its start.
fn actions<S: SeatSession<Board>>(mut host: HostedGame<S>, said: &[u8]) -> Vec<HostAction> {
    host.start(at(0));
    while host.poll().is_some() {}
    for byte in said {
        host.receive(Color::Black, &[*byte], at(1));
    }
    std::iter::from_fn(|| host.poll()).collect()
}

fn is_mark_note(action: &HostAction) -> bool {
    matches!(action, HostAction::Note(note) if note.kind == NoteKind::Leniency("byte-order-mark"))
}

#[test]
fn hosts_skip_a_byte_order_mark_too() {
    fn check<S: SeatSession<Board>>(host: impl Fn() -> HostedGame<S>, said: &str) {
        let plain = actions(host(), said.as_bytes());
        let marked = actions(host(), format!("\u{feff}{said}").as_bytes());
        let (notes, rest): (Vec<_>, Vec<_>) = marked.into_iter().partition(is_mark_note);
        assert_eq!(notes.len(), 1, "{said}");
        assert_eq!(rest, plain);
        assert!(!plain.is_empty(), "{said}");
    }
    let referee = || sloan::hosted(&sloan::game_from(Board::START), &RefereeOptions::default());
    check(referee, "(R B)\n(C (hello))\n");
    check(referee, "R B\nC hello\n");
    check(
        || codewarriors::hosted(Board::START, Duration::ZERO),
        "D3\n",
    );
    let options = HostSeatOptions {
        form: Form::Stay(Version::V2),
        ..HostSeatOptions::default()
    };
    check(|| gui::hosted(Board::START, options, None), "v1.0.0\n");
}

#[test]
fn the_judge_skips_the_mark_of_a_side_that_is_not_on_the_move() {
    let mut judge = codewarriors::hosted(Board::START, Duration::ZERO);
    judge.start(at(0));
    while judge.poll().is_some() {}
    judge.receive(Color::White, "\u{feff}".as_bytes(), at(1));
    let done: Vec<HostAction> = std::iter::from_fn(|| judge.poll()).collect();
    assert!(
        matches!(&done[..], [note] if is_mark_note(note)),
        "{done:?}"
    );
}
