//! Games over the formats whose programs the host starts.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_io::{CommandLine, ProgramOptions};
use boardgame_match::{GameSpec, Launch, Seat, SessionSeat, SessionSeatOptions};
use boardgame_session::SeatSession;
use othello_core::{Board, Color};
use othello_proto::{
    codewarriors::{JudgeSeat, MOVE_LIMIT},
    gui::{HostSeat, HostSeatOptions},
    sloan::{GAME_TIME, RefereeOptions, RefereeSeat},
};

use crate::likely_cause::AnswerForm;

/// A game over a wire format, with the initial session of its seats.
#[derive(Clone)]
pub struct FormatGame<S> {
    /// The game.
    pub game: GameSpec<Board>,
    /// The form of a program's answers.
    pub answers: AnswerForm,
    session: S,
    launch: Launch,
}

impl<S: SeatSession<Board> + Clone + Send + 'static> FormatGame<S> {
    /// Returns the seat of a program, which is started when the game begins or, in a format with a process for
    /// each move, whenever it is to move.
    pub fn program(
        &self,
        name: impl Into<String>,
        line: CommandLine,
        program: ProgramOptions,
    ) -> Box<dyn Seat<Board>> {
        let options = SessionSeatOptions {
            launch: self.launch,
            ..SessionSeatOptions::default()
        };
        let session = self.session.clone();
        Box::new(SessionSeat::program(name, session, line, program, options))
    }
}

/// Options of a game over Sloan's format.
#[derive(Clone, Debug)]
pub struct SloanOptions {
    /// The board at the start.
    pub start: Board,
    /// The time of each side for the whole game, or `None` without limit.
    pub game_time: Option<Duration>,
    /// True if comments are relayed between the programs; observers get them in any case.
    pub relays_comments: bool,
    /// The options of both seats.
    pub seat: RefereeOptions,
}

impl Default for SloanOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            game_time: Some(GAME_TIME),
            relays_comments: false,
            seat: RefereeOptions::default(),
        }
    }
}

/// Returns a game over Sloan's format.
pub fn sloan(options: SloanOptions) -> FormatGame<RefereeSeat> {
    let SloanOptions {
        start,
        game_time,
        relays_comments,
        seat,
    } = options;
    let time = TimeControl {
        main: game_time,
        ..TimeControl::default()
    };
    FormatGame {
        game: GameSpec {
            relays_comments,
            ..spec(start, ByColor::new_with(|_| time), seat.tolerance)
        },
        answers: AnswerForm::Sloan(seat.dialect),
        session: RefereeSeat::new(seat),
        launch: Launch::AtStart,
    }
}

/// Options of a game over the Code Warriors format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeWarriorsOptions {
    /// The board at the start. The side to move is sent `ST`.
    pub start: Board,
    /// The limit for a move, from the last input. The start-up of the program that moves first counts
    /// against its first limit.
    pub limit: Duration,
    /// The time allowed beyond the limit for the pipes.
    pub grace: Duration,
}

impl Default for CodeWarriorsOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            limit: MOVE_LIMIT,
            grace: Duration::ZERO,
        }
    }
}

/// Returns a game over the Code Warriors format.
pub fn codewarriors(options: CodeWarriorsOptions) -> FormatGame<JudgeSeat> {
    let CodeWarriorsOptions {
        start,
        limit,
        grace,
    } = options;
    let time = per_move(Some(limit));
    FormatGame {
        game: spec(start, ByColor::new_with(|_| time), grace),
        answers: AnswerForm::CodeWarriors,
        session: JudgeSeat::new(grace),
        launch: Launch::AtStart,
    }
}

/// Options of a game over the GUI's format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuiOptions {
    /// The board at the start.
    pub start: Board,
    /// A side without a limit, such as a person's.
    pub untimed: Option<Color>,
    /// The options of both seats, with the limit for a move.
    pub seat: HostSeatOptions,
}

/// Returns a game over the GUI's format.
pub fn gui(options: GuiOptions) -> FormatGame<HostSeat> {
    let GuiOptions {
        start,
        untimed,
        seat,
    } = options;
    let time = |color| per_move((untimed != Some(color)).then_some(seat.limit));
    FormatGame {
        game: spec(start, ByColor::new_with(time), seat.grace),
        answers: AnswerForm::Gui(seat.form),
        session: HostSeat::new(seat),
        launch: Launch::OnRequest,
    }
}

fn spec(start: Board, time: ByColor<TimeControl>, tolerance: Duration) -> GameSpec<Board> {
    GameSpec {
        time,
        tolerance,
        ..GameSpec::new(start)
    }
}

fn per_move(limit: Option<Duration>) -> TimeControl {
    TimeControl {
        per_move: limit,
        ..TimeControl::default()
    }
}
