//! Whose turn it is: every order of lines that leads to a consistent position is taken.

use alloc::format;
use core::mem;

use othello_core::{Board, Color, Move, Square};

use super::{ClientLine, LimitScope, Player};
use crate::fallback::allowed;
use crate::session::{Action, Clock, Effort, Ending, Note, Task, TaskId, Timestamp};

impl Player {
    /// `your move`
    pub(super) fn asked_to_move(&mut self, now: Timestamp) {
        if self.task.is_some() {
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
        self.take_turn(now);
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
            self.game.play(mv).map_err(|illegal| format!("{illegal}"))
        } else {
            Err(format!("{mv}, but it is our turn"))
        };
        match played {
            Ok(()) if announced => {}
            Ok(()) => self.note(Note::leniency(
                "bare-move",
                format!("the opponent's move came without announcement: {mv}"),
            )),
            Err(why) if announced => {
                let moves = self.game.moves().len();
                self.finish(Ending::Unintelligible(format!(
                    "move {} of the game, the opponent's, cannot be: {why}",
                    moves + 1
                )));
            }
            Err(why) => self.fault(format!("a move that cannot be is ignored: {why}")),
        }
    }

    /// The chosen move: one that the task does not allow is replaced.
    pub(super) fn decided(&mut self, task: &Task, square: Square, now: Timestamp) {
        self.used = self.used.saturating_add(now - task.clock.started);
        let allowed = task.moves.contains(square);
        let mv = if allowed {
            Move::Place(square)
        } else {
            self.fault(format!("{square} was chosen, which is no move here"));
            // A task's squares are not empty.
            task.moves.first().map_or(Move::Pass, Move::Place)
        };
        self.play(mv);
    }

    /// Makes the move that is owed, if one is, without waiting for the choice any longer.
    pub(super) fn stop_thinking(&mut self, now: Timestamp) {
        if let Some(task) = self.task {
            self.abandon();
            let square = allowed(Square::A1, task.moves);
            self.fault(format!("no decision in time: {square} is played"));
            self.decided(&task, square, now);
        }
    }

    /// Our turn: passes or asks for a choice.
    fn take_turn(&mut self, now: Timestamp) {
        let board = self.game.board();
        let moves = board.legal_moves();
        if moves.is_empty() {
            return self.play(Move::Pass);
        }
        let (game, per_move) = match self.options.scope {
            LimitScope::Game => (self.limit.map(|all| all.saturating_sub(self.used)), None),
            LimitScope::Move => (None, self.limit),
        };
        let task = Task {
            id: TaskId(self.tasks),
            board,
            moves,
            clock: Clock {
                started: now,
                game,
                per_move,
            },
            effort: Effort::default(),
        };
        self.tasks += 1;
        self.task = Some(task);
        self.actions.push_back(Action::Think(task));
    }

    fn play(&mut self, mv: Move) {
        match self.game.play(mv) {
            Ok(()) => {
                self.remarks.reset();
                self.send(&ClientLine::Move(mv));
            }
            Err(illegal) => self.fault(format!("our own {illegal}")),
        }
    }

    /// Makes it `side`'s turn if it is, or if the other side can only have passed unheard.
    fn settle_for(&mut self, side: Color) -> bool {
        let board = self.game.board();
        if board.side_to_move() == side {
            return true;
        }
        let silent = self.task.is_none() && self.game.play(Move::Pass).is_ok();
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

    /// Our colour; where it was never told, the first move tells it.
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
