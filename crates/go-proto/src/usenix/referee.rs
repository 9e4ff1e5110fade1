//! The referee's side of one seat.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::time::Duration;

use boardgame_core::{ByColor, ClockState, Color, TimeControl};
use boardgame_session::{
    Conventions, Note, NoteLimiter, Opening, Received, SeatActions, SeatEvent, SeatFault,
    SeatFormat, Timestamp, Wait,
};
use go_core::{Move, Position, Setup};

use super::{Lenient, Play, RefereeMessage};
use crate::{
    ParseError,
    framing::{Line, Lines},
};

/// Options of a [`RefereeSeat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefereeOptions {
    /// True to read moves as the referee of 1986 did where the document differs: points off the board are ignored, and
    /// the column `I` is `J`.
    pub as_1986: bool,
    /// The time that an answer may take beyond the limit of a wall clock.
    pub grace: Duration,
    /// The maximum number of bytes of a turn, answer included, and of those printed before the program is asked.
    pub max_turn_bytes: usize,
}

impl Default for RefereeOptions {
    /// The document's rules, no grace, and 16 MiB.
    fn default() -> Self {
        Self {
            as_1986: false,
            grace: Duration::ZERO,
            max_turn_bytes: 16 * 1024 * 1024,
        }
    }
}

/// The referee's side of one seat: sends the program its colour and the opponent's moves, and takes its answers.
///
/// White is sent its colour when the game starts, Black when it is to move. `byo-romi` is sent once, right before the
/// opponent's move, when the program is asked and its [clock](boardgame_session::Order::Choose) is in byo-yomi. Output
/// from before the question is read after it, as from a pipe; a program that has ended loses when its move is due.
///
/// A program plays one game: for another one, or one that starts over, it is
/// [launched](boardgame_session::SeatAction::Launch) anew. The driver launches it for the first game. The format has no
/// message for stones on the board, so a game with a handicap or earlier moves cannot begin; nor for the size, which
/// the program has to know.
#[derive(Clone, Debug)]
pub struct RefereeSeat {
    options: RefereeOptions,
    color: Color,
    position: Position,
    clocks: ByColor<ClockState>,
    stage: Stage,
    /// The messages sent in the game so far.
    told: Told,
    /// The opponent's move that is not yet sent to the program.
    untold: Option<Move>,
    /// When the program was asked, while its answer is awaited.
    asked: Option<Timestamp>,
    /// True if the program has not yet been used in a game.
    fresh: bool,
    /// True once the program's output has ended.
    ended: bool,
    /// The unread output.
    output: VecDeque<u8>,
    lines: Lines,
    /// The bytes of output read since the program was asked.
    turn_bytes: usize,
    notes: NoteLimiter,
    actions: SeatActions<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There is no game, or the program's output no longer matters to it.
    Idle,
    Playing,
    /// Both sides have passed.
    Over,
}

/// The messages that are sent once per game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Told {
    color: bool,
    byo_romi: bool,
}

impl RefereeSeat {
    /// Returns a seat before its first game.
    pub fn new(options: RefereeOptions) -> Self {
        Self {
            options,
            color: Color::Black,
            position: Position::new(&Setup::default()),
            clocks: ByColor::new_with(|_| ClockState::new(TimeControl::default())),
            stage: Stage::Idle,
            told: Told::default(),
            untold: None,
            asked: None,
            fresh: true,
            ended: false,
            output: VecDeque::new(),
            lines: Lines::default(),
            turn_bytes: 0,
            notes: NoteLimiter::new(),
            actions: SeatActions::default(),
        }
    }

    fn tell_color(&mut self) {
        self.told.color = true;
        self.send(RefereeMessage::Color(self.color));
    }

    /// Sends the opponent's move, unless the program knows it already.
    fn tell_move(&mut self) {
        if let Some(mv) = self.untold.take() {
            self.send(RefereeMessage::Play(mv.into()));
        }
    }

    fn send(&mut self, message: RefereeMessage) {
        self.fresh = false;
        self.actions.send(format!("{message}\n"));
    }

    /// Reads output up to the answer, if one is awaited. The rest waits for the next question.
    fn read_answer(&mut self, now: Timestamp) {
        while self.asked.is_some()
            && let Some(byte) = self.output.pop_front()
        {
            self.turn_bytes += 1;
            if self.turn_bytes > self.options.max_turn_bytes {
                return self.flooded();
            }
            self.lines.push(&[byte]);
            self.take_line(now);
        }
        if self.stage == Stage::Playing && self.output.len() > self.options.max_turn_bytes {
            self.flooded();
        }
    }

    fn flooded(&mut self) {
        let max = self.options.max_turn_bytes;
        let detail = format!("at most {max} bytes a turn were expected");
        self.fail(SeatFault::Format { detail });
    }

    /// Takes the current line if it is complete.
    fn take_line(&mut self, now: Timestamp) {
        let Some(line) = self.lines.next_line() else {
            return;
        };
        if self.lines.take_mark() {
            self.actions.note_mark(self.color);
        }
        let read = match &line {
            Line::Whole(line) => self.parse(line),
            Line::TooLong => Err(ParseError::new("a shorter line", 0, b"")),
        };
        match read {
            Ok(Lenient {
                message,
                leniencies,
            }) => {
                for name in leniencies {
                    let text = format!("{} printed {message} in another form", self.color);
                    self.note(Note::leniency(name, text));
                }
                self.take_play(message, now);
            }
            Err(error) => self.note(Note::fault(format!("ignored: {error}"))),
        }
    }

    /// Parses a line by the document, or as the referee of 1986 did.
    fn parse(&self, line: &[u8]) -> Result<Lenient<Play>, ParseError> {
        if !self.options.as_1986 {
            return Play::parse_lenient(line);
        }
        let mut text: Vec<u8> = line.to_vec();
        let column = text.iter_mut().find(|byte| !matches!(byte, b' ' | b'\t'));
        if let Some(column) = column
            && *column == b'I'
        {
            *column = b'J';
        }
        let read = Play::parse_lenient(&text)?;
        let is_on_board = match read.message {
            Play::Place(point) => self.position.board().size().contains(point),
            Play::OffBoard { .. } => false,
            Play::Pass => true,
        };
        if is_on_board {
            Ok(read)
        } else {
            Err(ParseError::new("a point on the board", 0, line))
        }
    }

    fn take_play(&mut self, play: Play, now: Timestamp) {
        let Some(asked) = self.asked.take() else {
            return;
        };
        let Some(mv) = play.to_move() else {
            let detail = format!("illegal move {play}: the point is off the board");
            return self.fail(SeatFault::IllegalMove {
                mv: play.to_string(),
                detail,
            });
        };
        if let Err(illegal) = self.position.play(mv) {
            let detail = illegal.to_string();
            return self.fail(SeatFault::IllegalMove {
                mv: play.to_string(),
                detail,
            });
        }
        if self.position.is_over() {
            self.stage = Stage::Over;
        }
        self.actions.answer(mv, now - asked);
    }

    /// Takes the end of output: the last line may be unterminated.
    fn take_end(&mut self, now: Timestamp) {
        if self.asked.is_some() {
            self.lines.finish();
            self.take_line(now);
        }
        if self.asked.is_some() {
            self.fail(SeatFault::Left);
        }
    }

    fn note(&mut self, note: Note) {
        if let Some(note) = self.notes.admit(note) {
            self.actions.note(note);
        }
    }

    /// Ends the game for the seat.
    fn forget(&mut self) {
        (self.stage, self.asked) = (Stage::Idle, None);
        self.output.clear();
    }
}

impl SeatFormat for RefereeSeat {
    type Game = Position;

    const CONVENTIONS: Conventions = Conventions {
        asks_forced_moves: true,
        closing_moves: false,
    };

    fn actions(&mut self) -> &mut SeatActions<Move> {
        &mut self.actions
    }

    fn begin(&mut self, opening: Opening<Position>, _: Timestamp) {
        (self.color, self.clocks) = (opening.color, opening.clocks);
        let (setup, moves) = (&opening.setup, &opening.moves);
        if !self.fresh {
            self.actions.launch();
            self.output.clear();
            self.lines = Lines::default();
            (self.fresh, self.ended) = (true, false);
        }
        self.position = Position::new(setup);
        self.stage = Stage::Playing;
        (self.told, self.untold, self.asked) = (Told::default(), None, None);
        self.notes.reset();
        let has_stones = setup.stones().iter().any(|stones| !stones.is_empty());
        if has_stones || !moves.is_empty() || setup.first() != Color::Black {
            let detail = String::from("the format has no word for stones on the board");
            return self.fail(SeatFault::CannotBegin { detail });
        }
        if self.color == Color::White {
            self.tell_color();
        }
        self.actions.event(SeatEvent::Ready);
    }

    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp) {
        self.clocks = clocks;
        if self.stage != Stage::Playing {
            return;
        }
        if !self.told.color {
            self.tell_color();
        }
        if self.clocks[self.color].is_in_byo_yomi() && !self.told.byo_romi {
            self.told.byo_romi = true;
            self.send(RefereeMessage::ByoRomi);
        }
        self.tell_move();
        self.asked = Some(now);
        self.turn_bytes = 0;
        self.notes.reset();
        self.read_answer(now);
        if self.ended {
            self.take_end(now);
        }
    }

    fn played(&mut self, color: Color, mv: Move) {
        // The program's own moves were played when it answered.
        if color != self.color && self.position.play(mv).is_ok() {
            self.untold = Some(mv);
        }
    }

    fn over(&mut self, _: bool, _: Timestamp) {
        if self.stage == Stage::Idle {
            return;
        }
        self.tell_move();
        (self.stage, self.asked) = (Stage::Idle, None);
        self.actions.event(SeatEvent::Completed);
    }

    fn leave(&mut self) {
        self.forget();
        self.fresh = false;
        self.actions.hang_up();
    }

    fn read(&mut self, bytes: &[u8], now: Timestamp) {
        if self.stage == Stage::Playing {
            self.output.extend(bytes);
            self.read_answer(now);
        }
    }

    fn read_end(&mut self, now: Timestamp) {
        self.ended = true;
        self.take_end(now);
    }

    fn wait(&self) -> Option<Wait> {
        let clock = &self.clocks[self.color];
        Some(Wait::for_move(self.asked?, clock, self.options.grace))
    }

    fn received(&self) -> Received<'_> {
        Received::Part(self.lines.partial())
    }

    fn fail(&mut self, fault: SeatFault) {
        self.forget();
        self.actions.fault(fault);
    }
}
