//! The player's session.

use std::time::Duration;

use crate::{Answered, PlayerFormat, Script, player_session};
use boardgame_core::Color;
use go_core::{Board, Move, Point};
use go_proto::{
    session::{Choice, PlayerSession, Question, Task},
    usenix::{BYO_ROMI, MAIN_TIME, Play, Player, PlayerOptions},
};

use super::{setup, utterance};
use crate::go::any_choice;

/// The laws of a player's session; also: everything sent is one move in the document's form, which answers a task and
/// is legal on the player's board; the opponent places at most one stone between two of our moves; a task is open
/// whenever the session is to move, until the game is over.
pub fn player(data: &[u8]) {
    let (head, events) = data.split_at(data.len().min(3));
    let mut script = Script::new(head);
    let choice = script.byte();
    let short = Duration::from_millis(800);
    let options = PlayerOptions {
        setup: setup(&mut script, choice & 1 != 0),
        main_time: script.choose(&[MAIN_TIME, short, Duration::ZERO]),
        byo_romi: if choice & 2 == 0 { BYO_ROMI } else { short },
        ..PlayerOptions::default()
    };
    let mut law = PlayerLaw {
        last: options.setup.board(),
        color: None,
        has_passed: false,
    };
    player_session(&mut law, Player::new(options), any_choice, events);
}

struct PlayerLaw {
    /// The board after our last move, or at the start.
    last: Board,
    /// The colour that the session plays, once it has asked.
    color: Option<Color>,
    /// True if our last move was a pass.
    has_passed: bool,
}

impl PlayerLaw {
    /// Checks that the opponent has placed at most one stone since our last move.
    fn check_opponents(&self, board: &Board, opponent: Color) {
        let is_new = |point: &Point| self.last.is_empty(*point) && !board.is_empty(*point);
        let placed: Vec<Point> = board.size().points().filter(is_new).collect();
        assert!(placed.len() <= 1, "{placed:?} were placed in one turn");
        let is_theirs = |point: &Point| board.stone(*point) == Some(opponent);
        assert!(placed.iter().all(is_theirs));
    }
}

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        let choice = script.pick(16);
        match choice {
            0 => b"byo-romi\n".to_vec(),
            1 => b"black\n".to_vec(),
            2 => b"white\r\n".to_vec(),
            3..8 if session.color().is_none() => b"black\n".to_vec(),
            8..13 if session.color().is_none() => b"white\n".to_vec(),
            _ => utterance(script, session.position()),
        }
    }

    fn asked(&mut self, task: &Task) {
        let position = &task.question.position;
        assert!(!position.is_over(), "a move after the end of the game");
        let color = *self.color.get_or_insert(position.side_to_move());
        assert_eq!(position.side_to_move(), color, "a task of the other side");
        self.check_opponents(position.board(), !color);
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_, Question>>) {
        let line = bytes.strip_suffix(b"\n").expect("a whole line");
        let play = Play::parse(line).expect("a move");
        let mv = play.to_move().expect("a point of a board");
        let answered = answered.expect("a move without an answer");
        if answered.chosen == Some(&Choice::Resign) {
            assert_eq!(mv, Move::Pass, "the format has no word for resigning");
        } else {
            answered.check(mv);
        }
        self.check_own(session, answered.task, mv);
    }

    fn settled(&mut self, session: &Player, is_thinking: bool) {
        let position = session.position();
        let is_on_move = session.color() == Some(position.side_to_move());
        // An invalid move of the opponent is a pass there, but does not end the game.
        let may_be_over = self.has_passed && position.last_move() == Some(Move::Pass);
        if is_on_move && !may_be_over {
            assert!(is_thinking, "a move is owed without a task");
        }
    }
}

impl PlayerLaw {
    /// Checks that our move is legal and that the session's board has it.
    fn check_own(&mut self, session: &Player, task: &Task, mv: Move) {
        let mut position = task.question.position.clone();
        assert_eq!(session.color(), Some(position.side_to_move()));
        assert_eq!(position.play(mv), Ok(()));
        self.has_passed = mv == Move::Pass;
        self.last.clone_from(session.position().board());
        assert_eq!(self.last, *position.board());
        let number = session.progress().move_number;
        assert!(number > 1, "our move is not counted");
    }
}
