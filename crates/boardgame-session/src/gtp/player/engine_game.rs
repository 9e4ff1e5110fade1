//! A game at the engine's side.

use alloc::string::String;
use core::{error::Error, fmt::Debug};

use boardgame_core::{Color, Game, Margin};

use super::{Failure, Handler};
use crate::{
    Note,
    gtp::GtpGame,
    player::{Progress, Question},
};

/// The rules of an engine's game.
pub type BoardOf<E> = <<E as EngineGame>::Words as GtpGame>::Game;

/// A move of an engine's game.
pub type MoveOf<E> = <BoardOf<E> as Game>::Move;

/// A game at the engine's side of a session: its setup, its moves so far, and its commands.
///
/// Leniencies in reading are reported through `note`.
pub trait EngineGame: Clone + Debug + 'static {
    /// The vocabulary of the game.
    type Words: GtpGame;

    /// A question for the move to make.
    type Question: Question;

    /// A text is not a record of the game.
    type LoadError: Error;

    /// The name of the game, as used by GoGui and Quarry.
    const TITLE: &'static str;

    /// The commands that GoGui puts into its menu, one a line: type, label, command.
    const ANALYZE_COMMANDS: &'static str;

    /// Every command that the engine knows, in the order of `list_commands`.
    const COMMANDS: &'static [(&'static str, Handler<Self>)];

    /// Returns the current position.
    fn board(&self) -> &BoardOf<Self>;

    /// Starts the game anew.
    fn clear(&mut self);

    /// Makes a move of a colour.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal; the game stays as it is.
    fn play(
        &mut self,
        color: Color,
        mv: MoveOf<Self>,
        note: &mut dyn FnMut(Note),
    ) -> Result<(), Failure>;

    /// Takes the last move back.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    fn undo(&mut self) -> Result<(), Failure>;

    /// Returns the turn of a colour when it is asked for a move.
    ///
    /// # Errors
    ///
    /// Fails if the colour is not to move.
    fn turn(&self, color: Color, note: &mut dyn FnMut(Note)) -> Result<Turn<Self>, Failure>;

    /// Returns the legal move that answers a question of [`turn`](Self::turn), or `None` for a resignation.
    fn chosen(
        &mut self,
        color: Color,
        request: Request,
        answer: &<Self::Question as Question>::Answer,
    ) -> Option<MoveOf<Self>>;

    /// Takes the answer to a question, and returns the line that reports it to a controller that asked for analysis;
    /// empty by default and if nothing is known.
    fn report(
        &mut self,
        question: &Self::Question,
        answer: &<Self::Question as Question>::Answer,
    ) -> String {
        let _ = (question, answer);
        String::new()
    }

    /// Returns the result, and may cache what was slow to compute.
    ///
    /// # Errors
    ///
    /// Fails if the game has none yet.
    fn margin(&mut self) -> Result<Margin, Failure>;

    /// Returns the game of an SGF file after at most `count` moves.
    ///
    /// # Errors
    ///
    /// Fails if the text is no record, or has an illegal move among these.
    fn load(
        &self,
        text: &str,
        count: usize,
        note: &mut dyn FnMut(Note),
    ) -> Result<Self, Self::LoadError>;

    /// Returns a diagram of the board, for `showboard`.
    fn diagram(&self) -> String;

    /// Returns the progress of the game, in which the engine plays a colour.
    fn progress(&self, color: Option<Color>) -> Progress;
}

/// The turn of a colour.
#[derive(Clone, Debug)]
pub enum Turn<E: EngineGame> {
    /// There is no choice.
    Forced(MoveOf<E>),
    /// This is to be decided.
    Open(E::Question),
}

/// A kind of answer that a controller asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// The move is made as well (`genmove`).
    Play,
    /// The move is only reported (`reg_genmove`).
    Tell,
    /// The move is made, and reported with its analysis (`lz-genmove_analyze`).
    Explain,
    /// No move: the position is analyzed, with a line for each answer, until the controller sends the next line
    /// (`lz-analyze`).
    Analyze,
    /// The move is made, and is no pass while the opponent has dead stones on the board (`kgs-genmove_cleanup`).
    CleanUp,
}

impl Request {
    /// Returns whether the move is made.
    pub const fn is_played(self) -> bool {
        !matches!(self, Self::Tell | Self::Analyze)
    }
}
