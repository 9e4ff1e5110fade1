//! The engine's side of a session, for any game.
//!
//! A [`Player`] reads the commands of a controller, carries them out and answers them. The game that they act on is an
//! [`EngineGame`], which also lists the commands: its own, and those of [`commands`], which are the same for every
//! game.

pub mod commands;
mod engine_game;
mod failure;
mod options;
mod timer;

use alloc::{format, string::String};
use core::mem;

use boardgame_core::{Color, Game};

use super::{Command, GtpGame as _, Response};
use crate::{
    Note,
    framing::{Line, Lines},
    player::{
        AnsweredTask, CommonState, Ending, PeerMisbehaved, PlayerFormat, Progress, TaskClock,
    },
};

pub use engine_game::{BoardOf, EngineGame, MoveOf, Request, Turn};
pub use failure::Failure;
pub use options::{Load, PlayerOptions, Save};
use timer::Timer;

/// The bytes that may come while the engine thinks, before the session gives up on the controller.
const MAX_WAITING: usize = 1 << 20;

/// A function that carries out a command.
pub type Handler<E> = fn(&mut Player<E>, &Command) -> Done<E>;

/// The result of a command.
pub type Done<E> = Result<Outcome<E>, Failure>;

/// The engine's side of a session, from the first command to `quit` or the end of input.
///
/// Each command is answered before the next one is read.
#[derive(Clone, Debug)]
pub struct Player<E: EngineGame> {
    options: PlayerOptions,
    common: CommonState<E::Question, Reply>,
    game: E,
    color: Option<Color>,
    timer: Timer,
    lines: Lines,
    /// Bytes that came since thinking began.
    waiting: usize,
    /// True while a response goes on until the next line of the controller.
    analyzing: bool,
}

/// The reply that a command waits for.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// The command's id.
    id: Option<u32>,
    color: Color,
    request: Request,
}

/// The outcome of a successful command.
#[derive(Clone, Debug)]
pub enum Outcome<E: EngineGame> {
    /// It is done, with this result.
    Done(String),
    /// A decision is to come.
    Think {
        /// The question to decide.
        question: E::Question,
        /// The colour that the move is for.
        color: Color,
        /// The kind of answer that the controller asked for.
        request: Request,
    },
    /// It is done, and the session with it.
    Quit,
}

impl<E: EngineGame + Default> Player<E> {
    /// Returns a session of the usual game that waits for its first command.
    pub fn new(options: PlayerOptions) -> Self {
        Self::with_game(E::default(), options)
    }
}

impl<E: EngineGame> Player<E> {
    /// Returns a session of a game that waits for its first command.
    pub fn with_game(game: E, options: PlayerOptions) -> Self {
        Self {
            common: CommonState::new(options.time_margin),
            options,
            game,
            color: None,
            timer: Timer::default(),
            lines: Lines::default(),
            waiting: 0,
            analyzing: false,
        }
    }

    /// Returns the game as the session knows it.
    pub const fn game(&self) -> &E {
        &self.game
    }

    /// Returns the game, for a command that changes it.
    pub const fn game_mut(&mut self) -> &mut E {
        &mut self.game
    }

    /// Returns the position as the session knows it.
    pub fn board(&self) -> BoardOf<E> {
        self.game.board().clone()
    }

    /// Returns the colour that the session plays, once it is known.
    pub const fn color(&self) -> Option<Color> {
        self.color
    }

    /// Returns the answer to `name`.
    fn name(&self) -> &str {
        (self.options.name.as_deref()).unwrap_or(<BoardOf<E> as Game>::NAME)
    }

    /// Writes a note on a command to the log.
    pub fn note(&mut self, note: Note) {
        self.common.note_input(note);
    }

    /// Makes a move as the controller orders.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal; the game stays as it is.
    pub fn play(&mut self, color: Color, mv: MoveOf<E>) -> Result<(), Failure> {
        let common = &mut self.common;
        self.game
            .play(color, mv, &mut |note| common.note_input(note))
    }

    fn take_command(&mut self, command: &Command) {
        match self.carry_out(command) {
            Ok(Outcome::Done(text)) => self.respond(command.id, true, text),
            Ok(Outcome::Quit) => {
                self.respond(command.id, true, String::new());
                self.common.finish(Ending::Orderly);
            }
            Ok(Outcome::Think {
                question,
                color,
                request,
            }) => {
                let id = command.id;
                self.think(question, Reply { id, color, request });
            }
            Err(failure) => {
                let board = self.game.progress(None).board;
                self.fail(command.id, &failure, &format!("{command}; {board}"));
            }
        }
    }

    /// Carries out a command, if it is known.
    fn carry_out(&mut self, command: &Command) -> Done<E> {
        let handler = handler::<E>(&command.name).ok_or(Failure::UnknownCommand)?;
        handler(self, command)
    }

    /// Opens the task of a question.
    fn think(&mut self, question: E::Question, reply: Reply) {
        self.waiting = 0;
        self.common.reset_note_limiter();
        if reply.request == Request::Analyze {
            self.analyzing = true;
            self.common.send(format!("{}\n", opening(reply.id)));
            return self.analyze(reply, question);
        }
        self.color = Some(reply.color);
        let clock = self.timer.clock(reply.color, self.common.now());
        self.common.open_task(reply, clock, question);
        self.hurry_if_interrupted();
    }

    /// Hurries if the next line is the comment by which GoGui interrupts a command.
    fn hurry_if_interrupted(&mut self) {
        if self.lines.take_if(|line| line.starts_with(b"# interrupt")) {
            self.common.hurry();
        }
    }

    /// Opens the next task of an analysis, which no clock limits.
    fn analyze(&mut self, reply: Reply, question: E::Question) {
        let clock = TaskClock::unlimited(self.common.now());
        self.common.open_task(reply, clock, question);
    }

    /// Ends the response of an analysis, if there is one.
    fn end_analysis(&mut self) {
        if mem::take(&mut self.analyzing) {
            self.common.abandon();
            self.common.send("\n");
        }
    }

    fn respond(&mut self, id: Option<u32>, success: bool, text: String) {
        let response = Response { id, success, text };
        self.common.send(format!("{response}"));
    }

    fn fail(&mut self, id: Option<u32>, failure: &Failure, detail: &str) {
        self.note(Note::fault(format!("{failure}: {detail}")));
        self.respond(id, false, format!("{failure}"));
    }
}

/// Returns the start of the first line of a successful response.
fn opening(id: Option<u32>) -> String {
    id.map_or("=".into(), |id| format!("={id}"))
}

/// Returns the function that carries out the command of this name.
fn handler<E: EngineGame>(name: &str) -> Option<Handler<E>> {
    let is_named = |(known, _): &&(&str, Handler<E>)| *known == name;
    let (_, handler) = E::COMMANDS.iter().find(is_named)?;
    Some(*handler)
}

impl<E: EngineGame> PlayerFormat for Player<E> {
    type Question = E::Question;
    type Purpose = Reply;
    type Framing = Lines;

    fn common(&self) -> &CommonState<E::Question, Reply> {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState<E::Question, Reply>, &mut Lines) {
        (&mut self.common, &mut self.lines)
    }

    fn take_bytes(&mut self, bytes: &[u8]) {
        let is_thinking = self.common.is_thinking();
        if is_thinking {
            self.waiting += bytes.len();
            if self.waiting > MAX_WAITING {
                let max_bytes = MAX_WAITING;
                let flood = PeerMisbehaved::TooManyCommands { max_bytes };
                return self.common.finish(Ending::Unintelligible(flood));
            }
        }
        self.push(bytes);
        if is_thinking && !self.analyzing {
            self.hurry_if_interrupted();
        }
    }

    fn next_piece(&mut self) -> Option<Line> {
        if self.common.is_thinking() && !self.analyzing {
            return None;
        }
        let line = self.lines.next_line();
        if line.is_some() || self.common.input_ended() {
            self.end_analysis();
        }
        line
    }

    fn take(&mut self, line: Line) {
        let Line::Whole(line) = line else {
            return self.fail(None, &Failure::TooLong, "");
        };
        match Command::parse(&line) {
            Ok(None) => {}
            Ok(Some(command)) => self.take_command(&command),
            Err(error) => self.fail(None, &Failure::Syntax, &format!("{error}")),
        }
    }

    fn answer(&mut self, answered: &AnsweredTask<E::Question, Reply>) {
        let Reply { id, color, request } = answered.purpose;
        let report = self.game.report(&answered.task.question, &answered.answer);
        let report = if report.is_empty() {
            report
        } else {
            report + "\n"
        };
        if request == Request::Analyze {
            self.common.send(report);
            return self.analyze(answered.purpose, answered.task.question.clone());
        }
        let chosen = self.game.chosen(color, request, &answered.answer);
        let text = match chosen {
            Some(mv) => E::Words::vertex(self.game.board(), mv),
            None => "resign".into(),
        };
        if request.is_played() {
            let took = self.common.now() - answered.task.clock.started;
            self.timer.spend(color, took);
            if let Some(mv) = chosen {
                // Its leniencies were noted when the move was requested.
                let played = self.game.play(color, mv, &mut |_| ());
                debug_assert!(played.is_ok(), "the question admits {text} of {color}");
            }
        }
        if request == Request::Explain {
            let start = opening(id);
            return (self.common).send(format!("{start}\n{report}play {text}\n\n"));
        }
        self.respond(id, true, text);
    }

    fn ending(&mut self) -> Ending<E::Question> {
        Ending::Orderly
    }

    fn progress(&self) -> Progress {
        self.game.progress(self.color)
    }
}
