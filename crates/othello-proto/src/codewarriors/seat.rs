//! The judge's side of one seat.

use alloc::{
    format,
    string::{String, ToString as _},
};
use core::time::Duration;

use boardgame_core::{ByColor, ClockState, TimeControl};
use boardgame_session::{
    Conventions, Opening, Received, Said, SeatActions, SeatEvent, SeatFault, SeatFormat, Wait,
};
use othello_core::{Board, Color, Move};

use super::{MOVE_LIMIT, Message, Pairs, Piece, pairs::is_blank};
use crate::{
    framing::{Framing as _, MarkFilter},
    session::{Note, Timestamp, board_after, wall_limit},
};

/// The judge's side of one seat: sends the program its opponent's moves and takes its answers.
///
/// A program plays one game: for another game, or one that starts over, it is
/// [launched](boardgame_session::SeatAction::Launch) anew. The driver launches it for the first game.
#[derive(Clone, Debug)]
pub struct JudgeSeat {
    /// The time allowed beyond the limit of a move.
    grace: Duration,
    color: Color,
    /// The board with the closing passes, which the game does not hold.
    board: Board,
    /// The clocks at the last question.
    clocks: ByColor<ClockState>,
    stage: Stage,
    /// The message of the next question.
    news: Message,
    /// When the program was asked, while its answer is awaited.
    asked: Option<Timestamp>,
    /// True if the program has not yet been used in a game.
    fresh: bool,
    /// True once the program's output has ended.
    ended: bool,
    mark: MarkFilter,
    /// The output of the program since it was asked.
    turn: Pairs,
    actions: SeatActions<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There is no game, or the program's output no longer matters to it.
    Idle,
    Playing,
    /// Neither side can move, and both pass once.
    Closing(Closing),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Closing {
    /// The passes so far.
    passes: u8,
    /// True once the other side's pass has come, or need not be waited for.
    other_passes: bool,
    /// The wait for that pass.
    wait: Wait,
}

impl JudgeSeat {
    /// Returns a seat before its first game. `grace` is the time allowed beyond the limit of a move for
    /// the pipes.
    pub fn new(grace: Duration) -> Self {
        Self {
            grace,
            color: Color::Black,
            board: Board::START,
            clocks: ByColor::new_with(|_| ClockState::new(TimeControl::default())),
            stage: Stage::Idle,
            news: Message::Start,
            asked: None,
            fresh: true,
            ended: false,
            mark: MarkFilter::default(),
            turn: Pairs::past_start(),
            actions: SeatActions::default(),
        }
    }

    /// Returns whether the program's output matters: on a full board it is asked nothing more.
    fn is_heard(&self) -> bool {
        self.stage != Stage::Idle && !self.board.empties().is_empty()
    }

    fn begin_on(&mut self, board: Board) {
        if !self.fresh {
            self.actions.launch();
            self.mark = MarkFilter::default();
            (self.fresh, self.ended) = (true, false);
        }
        self.board = board;
        self.stage = Stage::Playing;
        self.news = Message::Start;
        self.asked = None;
        if self.ended {
            self.fail(SeatFault::Left);
        } else {
            self.actions.event(SeatEvent::Ready);
        }
    }

    /// Returns the wait for the other side's closing pass, at most this format's limit for a move: the other session
    /// limits its program's time, and its format may have no such pass.
    fn patience(&self, now: Timestamp) -> Wait {
        let limit = wall_limit(&self.clocks[!self.color]);
        let limit = limit.map_or(MOVE_LIMIT, |limit| limit.min(MOVE_LIMIT));
        Wait {
            grace: self.grace,
            ..Wait::new(now, limit)
        }
    }

    /// Goes on with the passes after the end: the side to move passes first.
    fn close(&mut self, now: Timestamp) {
        let Stage::Closing(mut closing) = self.stage else {
            return;
        };
        let is_others = self.board.side_to_move() != self.color;
        if closing.passes < 2 && is_others && closing.other_passes {
            closing.passes += 1;
            self.board = self.board.passed();
            self.news = Message::Pass;
            if closing.passes == 2 {
                self.send_news();
            }
        }
        self.stage = Stage::Closing(closing);
        if closing.passes == 2 {
            self.complete();
        } else if self.board.side_to_move() == self.color {
            self.ask(now);
        }
    }

    fn hear_closing_pass(&mut self, now: Timestamp) {
        if let Stage::Closing(closing) = &mut self.stage {
            closing.other_passes = true;
            if self.asked.is_none() {
                self.close(now);
            }
        }
    }

    fn complete(&mut self) {
        (self.stage, self.asked) = (Stage::Idle, None);
        self.actions.event(SeatEvent::Completed);
    }

    /// Sends the program its opponent's move and starts its clock.
    fn ask(&mut self, now: Timestamp) {
        self.turn = Pairs::past_start();
        self.asked = Some(now);
        self.send_news();
    }

    fn send_news(&mut self) {
        self.fresh = false;
        let bytes = format!("{}\n", self.news).into_bytes();
        self.actions.send(bytes);
    }

    fn take_byte(&mut self, byte: u8, now: Timestamp) {
        if let Some(asked) = self.asked {
            self.turn.push(&[byte]);
            if let Some(piece) = self.turn.next_piece() {
                self.take_piece(piece, now - asked, now);
            }
        } else if !is_blank(byte) {
            let shown = byte.escape_ascii();
            let detail = format!("one message a turn was expected, but {shown} came out of turn");
            self.fail(SeatFault::Format { detail });
        }
    }

    fn take_piece(&mut self, piece: Piece, took: Duration, now: Timestamp) {
        let (bytes, split) = match piece {
            Piece::Pair { bytes, split } => (bytes, split),
            Piece::BlankLines => {
                let text = format!("{} printed blank lines", self.color);
                return self.actions.note(Note::leniency("blank-lines", text));
            }
        };
        let detail = match Message::parse(&bytes) {
            Ok(Message::Place(square)) if !split => {
                return self.take_move(square.into(), took, now);
            }
            Ok(Message::Pass) if !split => return self.take_move(Move::Pass, took, now),
            Ok(Message::Start) => String::from("a move or PS was expected, but ST came"),
            Ok(message) => format!("two characters in a row were expected, but {message} came cut"),
            Err(error) => error.to_string(),
        };
        self.fail(SeatFault::Format { detail });
    }

    fn take_move(&mut self, mv: Move, took: Duration, now: Timestamp) {
        self.asked = None;
        if mv == Move::Pass
            && let Stage::Closing(closing) = &mut self.stage
        {
            closing.passes += 1;
            return self.take_closing_pass(now);
        }
        if let Err(error) = self.board.play(mv) {
            let detail = format!("{error}; {}", self.board);
            return self.fail(SeatFault::IllegalMove {
                mv: mv.to_string(),
                detail,
            });
        }
        self.actions.answer(mv, took);
    }

    fn take_closing_pass(&mut self, now: Timestamp) {
        self.board = self.board.passed();
        let text = format!("{} passed: neither side can move", self.color);
        self.actions.note(Note::info(text));
        self.actions
            .event(SeatEvent::Said(Said::ClosingMove(Move::Pass)));
        let wait = self.patience(now);
        if let Stage::Closing(closing) = &mut self.stage {
            closing.wait = wait;
        }
        self.close(now);
    }
}

impl SeatFormat for JudgeSeat {
    type Game = Board;

    const CONVENTIONS: Conventions = Conventions {
        asks_forced_moves: true,
        closing_moves: true,
    };

    fn actions(&mut self) -> &mut SeatActions<Move> {
        &mut self.actions
    }

    fn begin(&mut self, opening: Opening<Board>, _: Timestamp) {
        (self.color, self.clocks) = (opening.color, opening.clocks);
        self.begin_on(board_after(opening.setup, &opening.moves));
    }

    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp) {
        self.clocks = clocks;
        if self.stage == Stage::Playing {
            self.ask(now);
        }
    }

    fn played(&mut self, color: Color, mv: Move) {
        // The program's own moves were played when it answered.
        if color != self.color && self.board.play(mv).is_ok() {
            self.news = mv.into();
        }
    }

    fn said(&mut self, said: &Said<Move>, now: Timestamp) {
        // A side that claims the result passes no more.
        if matches!(said, Said::ClosingMove(_) | Said::Claim(_)) {
            self.hear_closing_pass(now);
        }
    }

    fn over(&mut self, other_closes: bool, now: Timestamp) {
        if self.stage == Stage::Idle {
            return;
        }
        if self.board.empties().is_empty() {
            let is_told = self.board.side_to_move() == self.color;
            if is_told && self.news != Message::Start {
                self.send_news();
            }
            return self.complete();
        }
        self.stage = Stage::Closing(Closing {
            passes: 0,
            other_passes: !other_closes,
            wait: self.patience(now),
        });
        self.close(now);
    }

    fn leave(&mut self) {
        (self.stage, self.asked) = (Stage::Idle, None);
        self.fresh = false;
        self.actions.hang_up();
    }

    fn read(&mut self, bytes: &[u8], now: Timestamp) {
        let (held, rest) = self.mark.filter(bytes);
        if self.mark.take() && self.stage != Stage::Idle {
            self.actions.note_mark(self.color);
        }
        for &byte in held.iter().chain(rest) {
            if !self.is_heard() {
                return;
            }
            self.take_byte(byte, now);
        }
    }

    fn read_end(&mut self, _: Timestamp) {
        self.ended = true;
        if self.is_heard() {
            self.fail(SeatFault::Left);
        }
    }

    fn wait(&self) -> Option<Wait> {
        match (self.asked, self.stage) {
            (Some(asked), _) => {
                let clock = &self.clocks[self.color];
                Some(Wait::for_move(asked, clock, self.grace))
            }
            (None, Stage::Closing(closing)) => Some(closing.wait),
            (None, _) => None,
        }
    }

    fn late(&mut self, wait: Wait, now: Timestamp) {
        if self.asked.is_some() {
            let part = self.turn.lone();
            self.fail(wait.overtime(now, Received::Part(part.as_slice())));
        } else {
            self.complete();
        }
    }

    fn fail(&mut self, fault: SeatFault) {
        (self.stage, self.asked) = (Stage::Idle, None);
        self.actions.fault(fault);
    }
}
