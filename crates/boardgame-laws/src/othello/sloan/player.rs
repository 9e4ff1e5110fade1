//! The player's session.

use std::time::Duration;

use othello_core::{Board, Color, Empties, Move};

use super::{messages, opening, utterance};
use crate::othello::{Answered, PlayerFormat, Script, player_session};
use othello_proto::{
    session::Task,
    sloan::{Comments, Message, OPENING_WAIT, Player, PlayerOptions},
};

/// The player never moves illegally, nor moves, passes or claims out of turn; its move comes last; it complains at most
/// once about a message; a decision is answered with a move; it ends.
pub fn player(data: &[u8]) {
    let mut script = Script::new(data);
    let choice = script.byte();
    let options = PlayerOptions {
        start: start(choice),
        opening_wait: match (choice & 1, choice >> 5 & 1) {
            (0, 0) => Some(OPENING_WAIT),
            (0, _) => None,
            _ => Some(Duration::ZERO),
        },
        comments: [Comments::None, Comments::Board][usize::from(choice >> 1 & 1)],
        ..PlayerOptions::default()
    };
    let rest = data.get(1..).unwrap_or_default();
    player_session(&mut Format::default(), Player::new(options), rest);
}

/// The standard start, or one near the end of a game.
pub(super) fn start(choice: u8) -> Board {
    let endings = [
        // White can move twice and Black not at all.
        "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- O",
        // The same with Black to move.
        "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- X",
        // A wipe-out within one move.
        "-OX----- -------- -------- -------- -------- -------- -------- -------- X",
    ];
    match choice >> 2 & 7 {
        at @ 1..=3 => endings[usize::from(at) - 1].parse().unwrap_or(Board::START),
        _ => Board::START,
    }
}

#[derive(Default)]
struct Format {
    /// The pieces sent on the current event.
    pieces: usize,
    /// The claims sent in the current game.
    claims: usize,
}

impl PlayerFormat for Format {
    type Session = Player;

    // Output on one byte can be attributed to one message.
    const MAX_CHUNK: usize = 1;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        match session.color() {
            None => opening(script, Message::Assign),
            Some(_) if script.pick(32) == 31 => opening(script, Message::Assign),
            Some(color) => utterance(script, session.board(), !color),
        }
    }

    fn asked(&mut self, task: &Task) {
        assert_eq!(task.question.moves, task.question.board.legal_moves());
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let mut sent = messages(bytes);
        self.pieces += 1;
        let Some(last) = sent.pop() else {
            panic!("nothing was sent");
        };
        let comments = sent.len() + usize::from(matches!(last, Message::Comment(_)));
        for earlier in sent {
            assert!(
                matches!(earlier, Message::Comment(_)),
                "{earlier} too early"
            );
        }
        match last {
            Message::Ready(_) => self.claims = 0,
            Message::Claim(_) => self.claims += 1,
            _ => {}
        }
        assert!(self.claims <= 1, "a second claim");
        if let Some(answered) = answered {
            check_answer(answered, &last, session.board());
        } else {
            assert!(comments <= 1, "more than one complaint");
            check_reaction(&last, session);
        }
    }

    fn settled(&mut self, _session: &Player, _is_thinking: bool) {
        assert!(
            self.pieces <= 2,
            "{} pieces sent upon one event",
            self.pieces
        );
        self.pieces = 0;
    }
}

/// A task is answered by a move.
fn check_answer(answered: &Answered<'_>, last: &Message, after: Board) {
    let Message::Move {
        color,
        mv: Move::Place(square),
    } = *last
    else {
        panic!("{last} in answer to a task");
    };
    answered.check(square);
    let mut board = answered.task.question.board;
    assert_eq!(color, board.side_to_move());
    assert_eq!(board.play(square), Ok(()), "an illegal move");
    assert_eq!(board, after);
}

/// Checks a message sent without thinking: no move, and a pass or a claim only where the rules allow one.
fn check_reaction(last: &Message, session: &Player) {
    let (after, color) = (session.board(), session.color());
    match *last {
        Message::Ready(ready) => assert_eq!(color, Some(ready)),
        Message::Comment(_) => {}
        Message::Move {
            color: mover,
            mv: Move::Pass,
        } => {
            assert_eq!(color, Some(mover));
            assert_eq!(after.side_to_move(), !mover, "a pass out of turn");
            assert!(after.passed().legal_moves().is_empty(), "a false pass");
        }
        Message::Claim(value) => {
            let ours = after.score(Color::Black, Empties::OnBoard);
            let forfeit = matches!(
                (color, value.discs()),
                (Some(Color::Black), 64) | (Some(Color::White), -64)
            );
            assert!(
                forfeit || (after.is_over() && value == ours),
                "a false claim"
            );
        }
        _ => panic!("{last} without a decision"),
    }
}
