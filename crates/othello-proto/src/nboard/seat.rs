//! The front end's side of one seat.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::{mem, time::Duration};

use boardgame_core::{ByColor, ClockState, TimeControl};
use boardgame_session::{
    Conventions, NoteLimiter, Opening, SeatActions, SeatEvent, SeatFault, SeatFormat, Thought, Wait,
};
use othello_core::{Board, Color, Game, IllegalMove, Move};

use super::{Command, Response, Responses, Source};
use crate::{
    ParseError,
    ggf::{self, MoveItem, Record},
    session::{Note, Timestamp},
};

/// The greatest depth of a search in a hint: greater numbers are marks, such as the one for an exact result.
const MAX_DEPTH: u32 = 60;

/// Options of an [`NBoardSeat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NBoardSeatOptions {
    /// Lines that a program is sent once, before its first game.
    pub setup: Vec<String>,
    /// The depth sent to a program at the start of each game. Some do not move without one.
    pub depth: Option<u32>,
    /// The time to become ready for a game.
    pub ready: Duration,
    /// The time that an answer may take beyond what the clock allows.
    pub grace: Duration,
    /// The limit of an answer where the clock has none.
    pub untimed: Option<Duration>,
}

impl Default for NBoardSeatOptions {
    /// No setup and no depth, 30 s to become ready, no grace, and no limit without a clock.
    fn default() -> Self {
        Self {
            setup: Vec::new(),
            depth: None,
            ready: Duration::from_secs(30),
            grace: Duration::ZERO,
            untimed: None,
        }
    }
}

/// The front end's side of one seat: a program that speaks NBoard, asked by `go`.
///
/// A program serves any number of games; after the [end of its output](boardgame_session::SeatSession::end_of_input)
/// the next game begins with a new one. It is told the clock of its game time with the record of the opening, and the
/// moves of both sides, its own with the time that they took, before it is asked. A `ping` tells when it has read
/// all that; nothing is sent while it thinks, for that would end its search.
///
/// It is not told that a game ends. The seat hangs up on a program that owes an answer when its game is decided or
/// called off.
#[derive(Clone, Debug)]
pub struct NBoardSeat {
    options: NBoardSeatOptions,
    /// True once the current program was greeted.
    greeted: bool,
    color: Color,
    clocks: ByColor<ClockState>,
    /// The game so far.
    game: Game,
    /// The moves not yet sent to the program.
    untold: Vec<MoveItem>,
    /// The program's own move, until it is accepted.
    chosen: Option<MoveItem>,
    stage: Stage,
    /// True while an answer to `go` may come that belongs to a void game.
    void: bool,
    /// The number of the last ping.
    pings: i64,
    wait: Option<Wait>,
    /// The nodes and the depth that the program reported since it was asked.
    told: Thought,
    responses: Responses,
    notes: NoteLimiter,
    actions: SeatActions<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There is no game, or the program no longer matters to it.
    Idle,
    /// Waiting for a new program to acknowledge the greeting.
    Greeting,
    /// Waiting for the program to acknowledge the game.
    Beginning,
    /// The other side is to move, or a question is to come.
    Waiting,
    /// Waiting for the program, asked at this moment, to acknowledge the moves.
    CatchingUp(Timestamp),
    /// The program thinks.
    Choosing {
        /// When it was asked.
        asked: Timestamp,
        /// When it was sent `go`.
        went: Timestamp,
    },
}

impl Stage {
    /// Returns whether the program owes an answer.
    const fn is_owed(self) -> bool {
        !matches!(self, Self::Idle | Self::Waiting)
    }
}

impl NBoardSeat {
    /// Returns a seat before its first game.
    pub fn new(options: NBoardSeatOptions) -> Self {
        Self {
            options,
            greeted: false,
            color: Color::Black,
            clocks: ByColor::new_with(|_| ClockState::new(TimeControl::default())),
            game: Game::default(),
            untold: Vec::new(),
            chosen: None,
            stage: Stage::Idle,
            void: false,
            pings: 0,
            wait: None,
            told: Thought::default(),
            responses: Responses::default(),
            notes: NoteLimiter::new(),
            actions: SeatActions::default(),
        }
    }

    fn set_game(&mut self, start: Board, moves: &[Move]) -> Result<(), IllegalMove> {
        self.game = Game::new(start);
        moves.iter().try_for_each(|&mv| self.game.play(mv))
    }

    /// Sends the program the game that starts.
    fn tell_game(&mut self) {
        self.stage = Stage::Beginning;
        if let Some(depth) = self.options.depth {
            // NTest then forgets what it learnt in the game before.
            self.send(&Command::Depth(depth));
        }
        let mut record = Record::of_game(&self.game);
        let control = self.clocks[self.color].control();
        record.players[self.color].clock = control.main.map(|main| ggf::Clock {
            increment: control.increment,
            ..ggf::Clock::new(main)
        });
        self.send(&Command::Game(Box::new(record)));
        self.ping();
    }

    fn send(&mut self, line: &dyn core::fmt::Display) {
        self.actions.send(format!("{line}\n"));
    }

    /// Asks for a sign that the program has read all that it was sent.
    fn ping(&mut self) {
        self.pings += 1;
        let ping = Command::Ping(self.pings);
        self.send(&ping);
    }

    fn take(&mut self, response: Response, now: Timestamp) {
        match response {
            Response::Pong(number) if number == self.pings => self.synchronised(now),
            Response::Move(item) => self.answered(&item, now),
            Response::NodeStats { nodes, .. } => self.told.nodes = Some(nodes),
            Response::Hint(hint) => {
                self.told.depth = Some(hint.depth.number);
                self.told.from_book = hint.source != Source::Search;
            }
            _ => {}
        }
    }

    /// Goes on once the program has read all that it was sent.
    fn synchronised(&mut self, now: Timestamp) {
        match self.stage {
            Stage::Greeting => self.tell_game(),
            Stage::Beginning => {
                self.void = false;
                self.stage = Stage::Waiting;
                self.wait = None;
                self.actions.event(SeatEvent::Ready);
            }
            Stage::CatchingUp(asked) => {
                self.stage = Stage::Choosing { asked, went: now };
                self.told = Thought::default();
                self.send(&Command::Go);
            }
            Stage::Idle | Stage::Waiting | Stage::Choosing { .. } => {}
        }
    }

    fn answered(&mut self, item: &MoveItem, now: Timestamp) {
        let (asked, went) = match self.stage {
            Stage::Choosing { asked, went } => (asked, went),
            Stage::Idle => return,
            _ if self.void => return,
            Stage::Waiting => {
                let detail = format!("expected nothing out of turn, got === {item}");
                return self.fail(SeatFault::Format { detail });
            }
            _ => {
                let detail = format!("expected pong {}, got === {item}", self.pings);
                return self.fail(SeatFault::Format { detail });
            }
        };
        self.stage = Stage::Waiting;
        self.wait = None;
        if let Err(illegal) = self.game.board().play(item.mv) {
            let detail = illegal.to_string();
            return self.fail(SeatFault::IllegalMove {
                mv: item.mv.to_string(),
                detail,
            });
        }
        self.chosen = Some(MoveItem {
            time: Some(now - went),
            ..item.mv.into()
        });
        let thought = Thought {
            took: now - asked,
            score: item.value.map(|value| value.hundredths() as f32 / 100.0),
            depth: self.told.depth.filter(|&depth| depth <= MAX_DEPTH),
            ..self.told
        };
        self.actions.event(SeatEvent::Move(item.mv, thought));
    }

    /// Takes a line that is no response: programs print others too.
    fn unknown(&mut self, error: &ParseError) {
        let is_answer = error.text().trim_start().starts_with("===");
        if is_answer && self.stage != Stage::Idle && !self.void {
            self.fail(SeatFault::format(format!("the answer to go: {error}")));
        } else if let Some(note) = self
            .notes
            .admit(Note::fault(format!("no response: {error}")))
        {
            self.actions.note(note);
        }
    }
}

impl SeatFormat for NBoardSeat {
    type Game = Board;

    const CONVENTIONS: Conventions = Conventions {
        asks_forced_moves: false,
        closing_moves: false,
    };

    fn actions(&mut self) -> &mut SeatActions<Move> {
        &mut self.actions
    }

    fn begin(&mut self, opening: Opening<Board>, now: Timestamp) {
        (self.color, self.clocks) = (opening.color, opening.clocks);
        self.void |= matches!(self.stage, Stage::Choosing { .. });
        self.untold.clear();
        self.chosen = None;
        self.notes.reset();
        self.wait = Some(Wait::new(now, self.options.ready));
        if let Err(illegal) = self.set_game(opening.setup, &opening.moves) {
            let detail = illegal.to_string();
            return self.fail(SeatFault::CannotBegin { detail });
        }
        if mem::replace(&mut self.greeted, true) {
            return self.tell_game();
        }
        self.stage = Stage::Greeting;
        self.send(&Command::Version(2));
        for line in self.options.setup.clone() {
            self.send(&line);
        }
        self.ping();
    }

    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp) {
        self.clocks = clocks;
        if self.stage != Stage::Waiting {
            return;
        }
        let wait = Wait::for_move(now, &self.clocks[self.color], self.options.grace);
        self.wait = Some(wait.or(self.options.untimed));
        self.stage = Stage::CatchingUp(now);
        for item in mem::take(&mut self.untold) {
            self.send(&Command::Move(item));
        }
        self.ping();
    }

    fn played(&mut self, _: Color, mv: Move) {
        // The conductor has judged it.
        let _ = self.game.play(mv);
        // Nothing is played between the program's answer and the move that it chose.
        let item = self.chosen.take().unwrap_or_else(|| mv.into());
        self.untold.push(item);
    }

    fn over(&mut self, _: bool, _: Timestamp) {
        self.leave();
        self.actions.event(SeatEvent::Completed);
    }

    /// Ends the game for the program, which is kept if it owes no answer.
    fn leave(&mut self) {
        self.wait = None;
        if mem::replace(&mut self.stage, Stage::Idle).is_owed() {
            self.actions.hang_up();
        }
    }

    fn read(&mut self, bytes: &[u8], now: Timestamp) {
        self.responses.push(bytes);
        while let Some(response) = self.responses.next() {
            match response {
                Ok(response) => self.take(response, now),
                Err(error) => self.unknown(&error),
            }
        }
    }

    fn read_end(&mut self, _: Timestamp) {
        self.greeted = false;
        self.void = false;
        self.responses = Responses::default();
        let in_game = mem::replace(&mut self.stage, Stage::Idle) != Stage::Idle;
        if in_game {
            self.fail(SeatFault::Left);
        }
    }

    fn exit(&mut self, _: bool, _: Timestamp) {}

    fn wait(&self) -> Option<Wait> {
        self.wait
    }

    fn fail(&mut self, fault: SeatFault) {
        self.leave();
        self.actions.fault(fault);
    }
}
