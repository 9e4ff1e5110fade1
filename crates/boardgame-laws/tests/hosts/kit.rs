//! The common part of the tests of hosts.

use std::{fmt::Write as _, time::Duration};

use boardgame_laws::othello::{HostAction, HostedGame};
use boardgame_session::{
    Cause, GameEvent, Note, NoteKind, Said, SeatFault, SeatSession, Timestamp, Verdict,
};
use othello_core::{Board, Color, Square};
use othello_proto::session::{Decision, Task};

/// The time `millis` after the origin.
pub(crate) fn at(millis: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_millis(millis))
}

/// The cause of the end of a game that a side lost by a fault.
pub(crate) fn forfeit(by: Color, fault: SeatFault) -> Cause {
    Cause::Forfeit { by, fault }
}

/// Polls all actions of a game and returns its verdict, if one is among them.
pub(crate) fn verdict<S: SeatSession<Board>>(game: &mut HostedGame<S>) -> Option<Verdict> {
    std::iter::from_fn(|| game.poll()).find_map(|action| match action {
        HostAction::Finish(verdict) => Some(verdict),
        _ => None,
    })
}

/// Returns the actions of a game, one a line, until it has nothing more to do.
pub(crate) fn host_lines<S: SeatSession<Board>>(game: &mut HostedGame<S>) -> String {
    let mut text = String::new();
    while let Some(action) = game.poll() {
        writeln!(text, "{}", host_line(game, &action)).unwrap();
    }
    text
}

/// One action of a game.
pub(crate) fn host_line<S: SeatSession<Board>>(
    game: &HostedGame<S>,
    action: &HostAction,
) -> String {
    match action {
        HostAction::Launch(seat) => format!("launch {seat}"),
        HostAction::Send { seat, bytes } => format!("to {seat}: \"{}\"", bytes.escape_ascii()),
        HostAction::HangUp(seat) => format!("hang up on {seat}"),
        HostAction::Event(GameEvent::Began) => "began".into(),
        HostAction::Event(GameEvent::Restarted) => "restarted".into(),
        HostAction::Event(GameEvent::Moved(seat, mv, thought)) => {
            format!(
                "{seat} played {mv} in {:?}",
                thought.unwrap_or_default().took
            )
        }
        HostAction::Event(GameEvent::Said(seat, Said::Comment(text))) => {
            format!("{seat} remarked {text:?}")
        }
        HostAction::Event(GameEvent::Said(seat, said)) => format!("{seat} said {said:?}"),
        HostAction::Note(note) => note_line(note),
        HostAction::Keep(verdict) => format!("keep: {:?}", verdict.cause),
        HostAction::Finish(verdict) => match verdict.winner {
            Some(color) => format!("{color} won: {:?}\n{}", verdict.cause, game.position()),
            None => format!("draw: {:?}\n{}", verdict.cause, game.position()),
        },
    }
}

/// One note for the log.
pub(crate) fn note_line(note: &Note) -> String {
    match note.kind {
        NoteKind::Info => format!("info: {}", note.text),
        NoteKind::Leniency(name) => format!("leniency {name}: {}", note.text),
        NoteKind::Fault => format!("fault: {}", note.text),
    }
}

/// The square that a fixed rule picks, so that games are the same at every run.
pub(crate) fn pick(task: &Task, seed: u64) -> Square {
    let moves: Vec<Square> = task.question.moves.iter().collect();
    let mixed = (task.id.0 + 1).wrapping_mul(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) >> 32;
    moves[mixed as usize % moves.len()]
}

/// The decision for a square.
pub(crate) fn decision(task: &Task, square: Square) -> Decision {
    Decision {
        task: task.id,
        answer: square.into(),
    }
}
