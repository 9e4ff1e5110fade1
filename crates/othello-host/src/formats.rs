//! Games over the formats whose programs the host starts.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_io::{CommandLine, ProgramOptions};
use boardgame_match::{GameSpec, Launch, Seat, SessionSeat, SessionSeatOptions};
use boardgame_session::SeatSession;
use othello_core::Board;
use othello_proto::{
    codewarriors::{JudgeOptions, JudgeSeat},
    gui::{HostOptions, HostSeat, HostSeatOptions},
    sloan::{CommentRelay, RefereeOptions, RefereeSeat},
};

/// A game over a wire format, with the session of a seat before the game.
#[derive(Clone)]
pub struct FormatGame<S> {
    /// The game.
    pub game: GameSpec<Board>,
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

/// Returns a game over Sloan's format.
pub fn sloan(options: RefereeOptions) -> FormatGame<RefereeSeat> {
    let time = TimeControl {
        main: options.game_time,
        ..TimeControl::default()
    };
    FormatGame {
        game: GameSpec {
            relays_comments: options.comments == CommentRelay::PassOn,
            ..spec(
                options.start,
                ByColor::new_with(|_| time),
                options.tolerance,
            )
        },
        session: RefereeSeat::new(options),
        launch: Launch::AtStart,
    }
}

/// Returns a game over the Code Warriors format.
pub fn codewarriors(options: JudgeOptions) -> FormatGame<JudgeSeat> {
    let JudgeOptions {
        start,
        limit,
        grace,
    } = options;
    let time = per_move(Some(limit));
    FormatGame {
        game: spec(start, ByColor::new_with(|_| time), grace),
        session: JudgeSeat::new(grace),
        launch: Launch::AtStart,
    }
}

/// Returns a game over the GUI's format.
pub fn gui(options: HostOptions) -> FormatGame<HostSeat> {
    let HostOptions {
        form,
        start,
        limit,
        startup,
        grace,
        untimed,
    } = options;
    let time = |color| per_move((untimed != Some(color)).then_some(limit));
    FormatGame {
        game: spec(start, ByColor::new_with(time), grace),
        session: HostSeat::new(HostSeatOptions {
            form,
            limit,
            startup,
            grace,
        }),
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
