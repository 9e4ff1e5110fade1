//! The failures of commands.

use alloc::string::String;

/// The failure of a command, in the words of the specification where it has any.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name them.
pub enum Failure {
    #[error("unknown command")]
    UnknownCommand,
    /// There are too many or too few arguments, or one of the wrong kind.
    #[error("syntax error")]
    Syntax,
    #[error("line too long")]
    TooLong,
    #[error("unacceptable size")]
    UnacceptableSize,
    #[error("unacceptable komi, expected whole or half points")]
    UnacceptableKomi,
    #[error("illegal move")]
    IllegalMove,
    /// The colour is not to move.
    #[error("wrong color")]
    WrongColor,
    /// The game has as many moves as the engine keeps.
    #[error("game too long")]
    GameTooLong,
    #[error("cannot undo")]
    CannotUndo,
    #[error("cannot score")]
    CannotScore,
    /// The file cannot be read, or holds no playable game.
    #[error("cannot load file: {reason}")]
    CannotLoad { reason: String },
    #[error("cannot write file")]
    CannotSave,
    /// The system does not report CPU time.
    #[error("cannot measure CPU time")]
    CannotMeasure,
    #[error("unsupported rules")]
    UnsupportedRules,
    #[error("unsupported game")]
    UnsupportedGame,
    #[error("board not empty")]
    BoardNotEmpty,
    #[error("invalid number of stones")]
    InvalidHandicap,
    /// The points are no free handicap.
    #[error("bad vertex list")]
    BadVertexList,
    #[error("invalid position")]
    InvalidPosition,
}
