//! Turns: any order of lines that leads to a consistent position is accepted.

use alloc::format;
use core::mem;

use othello_core::{Board, Color, Move};

use super::{ClientLine, LimitScope, Player};
use crate::session::{Ending, MoveError, Note, PeerMisbehaved, Question, TaskClock};

impl Player {
    /// `your move`
    pub(super) fn asked_to_move(&mut self) {
        if self.common.is_thinking() {
            return self.fault("asked to move again while thinking");
        }
        if mem::take(&mut self.announced) && !self.opponent_must_pass() {
            self.fault("the opponent's move was announced but did not come");
        }
        let Some(color) = self.color_or(Color::Black) else {
            return self.fault("asked to move, but the colour is not known");
        };
        let board = self.game.board();
        if board.is_over() {
            self.note(Note::leniency(
                "pass-after-end",
                "asked to move although the game is over: pass",
            ));
            return self.send(&ClientLine::Move(Move::Pass));
        }
        if !self.settle_for(color) {
            return self.fault("asked to move, but it is the opponent's turn");
        }
        self.take_turn();
    }

    /// `opponent's move`
    pub(super) fn opponent_begins(&mut self) {
        let Some(color) = self.color_or(Color::White) else {
            return self.fault("the opponent's move is announced, but the colour is not known");
        };
        self.announced = self.game.board().is_over() || self.settle_for(!color);
        if !self.announced {
            self.fault("the opponent's move is announced, but it is our turn");
        }
    }

    /// `XY` or `PASS`
    pub(super) fn opponent_moved(&mut self, mv: Move) {
        let announced = mem::take(&mut self.announced);
        let Some(color) = self.color_or(Color::White) else {
            return self.fault(format!("a move out of the blue: {mv}"));
        };
        if self.game.board().is_over() && mv == Move::Pass {
            return self.note(Note::leniency(
                "pass-after-end",
                "the opponent passes although the game is over",
            ));
        }
        let played = if self.settle_for(!color) {
            self.game.play(mv).map_err(MoveError::Illegal)
        } else {
            Err(MoveError::OutOfTurn(mv))
        };
        match played {
            Ok(()) if announced => {}
            Ok(()) => self.note(Note::leniency(
                "bare-move",
                format!("the opponent's move came without announcement: {mv}"),
            )),
            Err(error) if announced => {
                let number = self.game.moves().len() + 1;
                let misbehaved = PeerMisbehaved::ImpossibleMove { number, error };
                self.finish(Ending::Unintelligible(misbehaved));
            }
            Err(error) => self.fault(format!("a move that cannot be is ignored: {error}")),
        }
    }

    /// Our turn: passes or asks for a choice.
    fn take_turn(&mut self) {
        let board = self.game.board();
        let moves = board.legal_moves();
        if moves.is_empty() {
            return self.play(Move::Pass);
        }
        let (game, per_move) = match self.options.scope {
            LimitScope::Game => (self.limit.map(|all| all.saturating_sub(self.used)), None),
            LimitScope::Move => (None, self.limit),
        };
        let clock = TaskClock {
            game,
            per_move,
            ..TaskClock::unlimited(self.common.now())
        };
        self.common
            .open_task((), clock, Question::best_of(board, moves));
    }

    pub(super) fn play(&mut self, mv: Move) {
        match self.game.play(mv) {
            Ok(()) => {
                self.common.reset_note_limiter();
                self.send(&ClientLine::Move(mv));
            }
            Err(illegal) => self.fault(format!("our own {illegal}")),
        }
    }

    /// Makes it `side`'s turn, if need be by a silent pass of the other side; returns `false` if it
    /// cannot be.
    fn settle_for(&mut self, side: Color) -> bool {
        let board = self.game.board();
        if board.side_to_move() == side {
            return true;
        }
        let silent = !self.common.is_thinking() && self.game.play(Move::Pass).is_ok();
        if silent {
            let who = super::message::color_word(board.side_to_move());
            self.note(Note::leniency(
                "silent-pass",
                format!("{who} has no move and must have passed"),
            ));
        }
        silent
    }

    fn opponent_must_pass(&self) -> bool {
        let board = self.game.board();
        board.is_over() || (board.must_pass() && self.color != Some(board.side_to_move()))
    }

    /// Returns our colour; the first move implies it if the server never named it.
    fn color_or(&mut self, implied: Color) -> Option<Color> {
        if self.color.is_none() && self.game.board() == Board::START {
            self.note(Note::leniency(
                "no-colour",
                format!("we must be {}", super::message::color_word(implied)),
            ));
            self.color = Some(implied);
        }
        self.color
    }
}
