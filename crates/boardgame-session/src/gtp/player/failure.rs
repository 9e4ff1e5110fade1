//! The failures of commands.

/// The failure of a command, in the words of the specification where it has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The command is not in the list.
    #[error("unknown command")]
    UnknownCommand,
    /// The arguments are too many, too few or not of their kind.
    #[error("syntax error")]
    Syntax,
    /// The line is longer than any is.
    #[error("line too long")]
    TooLong,
    /// The board cannot have that size.
    #[error("unacceptable size")]
    UnacceptableSize,
    /// The move is not legal.
    #[error("illegal move")]
    IllegalMove,
    /// The colour is not to move.
    #[error("wrong color")]
    WrongColor,
    /// The game has as many moves as the engine keeps.
    #[error("game too long")]
    GameTooLong,
    /// There is no move to take back.
    #[error("cannot undo")]
    CannotUndo,
    /// The game has no result yet.
    #[error("cannot score")]
    CannotScore,
    /// The file cannot be read, or holds no game that can be played.
    #[error("cannot load file")]
    CannotLoad,
    /// The engine does not play that game.
    #[error("unsupported game")]
    UnsupportedGame,
    /// A handicap is asked for when there are stones on the board.
    #[error("board not empty")]
    BoardNotEmpty,
    /// The handicap cannot have that number of stones.
    #[error("invalid number of stones")]
    InvalidHandicap,
    /// The points are no free handicap.
    #[error("bad vertex list")]
    BadVertexList,
    /// The stones cannot be on a board together.
    #[error("invalid position")]
    InvalidPosition,
}
