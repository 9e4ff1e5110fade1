//! The lines of both sides, printed exactly as in the document.

use alloc::{format, string::String, string::ToString, vec::Vec};
use core::{
    fmt::{self, Display},
    time::Duration,
};

use othello_core::{Color, Move};

use super::Id;

/// A line that the server sends.
///
/// Its `Display` form is the document's, without the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerLine {
    /// `Hi! I am your othello server.`
    Greeting,
    /// `What is your name?`
    NameQuestion,
    /// `Hello ID! Your current win count is #`, or `Hello ID!` in competition mode.
    Hello {
        /// The id as the server repeats it.
        id: String,
        /// The games won so far; `None` in competition mode.
        wins: Option<u32>,
    },
    /// `Your time limit is # secs`
    TimeLimit(Duration),
    /// `Move format: column (letter) + row (number).`
    MoveFormat,
    /// `choose colour, 'd' for dark, 'w' for white.`
    ColorQuestion,
    /// `you are dark` or `you are white`
    YouAre(Color),
    /// `your move`
    YourMove,
    /// `opponent's move`
    OpponentsMove,
    /// The opponent's move: `XY` or `PASS`.
    Move(Move),
    /// `error`: the next line says why, then the server closes.
    Error,
    /// The line after `error`.
    Complaint(Complaint),
    /// `The game is finished`
    Finished,
    /// `White: #` or `Dark: #`
    Count {
        /// The colour whose discs are counted.
        color: Color,
        /// The count, 0 to 64.
        discs: u8,
    },
    /// `White won`, `Dark won` or `Draw`
    Outcome(GameOutcome),
    /// `NAME won`: the other form of the last line that the document announces.
    NamedWinner(String),
    /// A line of an older server.
    Old(OldLine),
}

/// A line of servers before version 0.99, in place of a newer one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OldLine {
    /// `hi! I am your othello server.`
    Greeting,
    /// `my move`, for `opponent's move`.
    MyMove,
    /// `"The game is finished" White: #`, for the first two lines of the final block; the number
    /// may come on a line of its own.
    FinishedWhite(Option<u8>),
    /// `White:` or `Dark:` whose number comes on a line of its own.
    Label(Color),
    /// A number on a line of its own.
    Number(u8),
    /// `E: …`, for the two lines of an error.
    Error(String),
}

/// The server's reason to end the session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Complaint {
    /// `You provided wrong colour. Bye!`
    WrongColor,
    /// `This move is illegal. Bye!`
    IllegalMove,
    /// `Time limit exceeded. Bye!`: our server's, since the document leaves overtime open.
    TimeLimit,
    /// `Your name is invalid. Bye!`: our server's, since the document leaves a wrong id open.
    InvalidName,
    /// `Your name is reserved. Bye!`: our server's, to a client by the name of its built-in player.
    ReservedName,
    /// Another server's words, without blanks around them.
    Other(String),
}

/// The last line of the final block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// `White won` or `Dark won`
    Won(Color),
    /// `Draw`
    Draw,
}

impl GameOutcome {
    /// Returns the outcome with this winner, `None` for a draw.
    pub fn from_winner(winner: Option<Color>) -> Self {
        winner.map_or(Self::Draw, Self::Won)
    }
}

/// A line that the client sends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientLine {
    /// The answer to `What is your name?`
    Name(Id),
    /// The answer to `choose colour …`: `d` or `w`.
    Color(Color),
    /// The answer to `your move`: `XY` or `PASS`.
    Move(Move),
}

/// Returns the document's word for a colour.
pub(super) const fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "dark",
        Color::White => "white",
    }
}

/// Returns the word for a colour at the start of a line of the final block.
const fn color_title(color: Color) -> &'static str {
    match color {
        Color::Black => "Dark",
        Color::White => "White",
    }
}

/// Returns the bytes of lines, each with its end.
pub(super) fn wire<'a, T: Display + 'a>(lines: impl IntoIterator<Item = &'a T>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        bytes.extend_from_slice(line.to_string().as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

impl Display for ServerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Greeting => f.write_str("Hi! I am your othello server."),
            Self::NameQuestion => f.write_str("What is your name?"),
            Self::Hello { id, wins: None } => write!(f, "Hello {id}!"),
            Self::Hello {
                id,
                wins: Some(wins),
            } => write!(f, "Hello {id}! Your current win count is {wins}"),
            Self::TimeLimit(limit) => write!(f, "Your time limit is {} secs", seconds(*limit)),
            Self::MoveFormat => f.write_str("Move format: column (letter) + row (number)."),
            Self::ColorQuestion => f.write_str("choose colour, 'd' for dark, 'w' for white."),
            Self::YouAre(color) => write!(f, "you are {}", color_word(*color)),
            Self::YourMove => f.write_str("your move"),
            Self::OpponentsMove => f.write_str("opponent's move"),
            Self::Move(mv) => move_text(*mv, f),
            Self::Error => f.write_str("error"),
            Self::Complaint(complaint) => write!(f, " {complaint}"),
            Self::Finished => f.write_str("The game is finished"),
            Self::Count { color, discs } => write!(f, "{}: {discs}", color_title(*color)),
            Self::Outcome(GameOutcome::Won(color)) => write!(f, "{} won", color_title(*color)),
            Self::Outcome(GameOutcome::Draw) => f.write_str("Draw"),
            Self::NamedWinner(name) => write!(f, "{name} won"),
            Self::Old(old) => old.fmt(f),
        }
    }
}

impl Display for OldLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Greeting => f.write_str("hi! I am your othello server."),
            Self::MyMove => f.write_str("my move"),
            Self::FinishedWhite(None) => f.write_str("\"The game is finished\" White: "),
            Self::FinishedWhite(Some(n)) => write!(f, "\"The game is finished\" White: {n}"),
            Self::Label(color) => write!(f, "{}: ", color_title(*color)),
            Self::Number(number) => number.fmt(f),
            Self::Error(text) => write!(f, "E: {text}"),
        }
    }
}

impl Display for Complaint {
    /// The words alone; the line begins with a blank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongColor => "You provided wrong colour. Bye!",
            Self::IllegalMove => "This move is illegal. Bye!",
            Self::TimeLimit => "Time limit exceeded. Bye!",
            Self::InvalidName => "Your name is invalid. Bye!",
            Self::ReservedName => "Your name is reserved. Bye!",
            Self::Other(text) => text,
        })
    }
}

impl Display for ClientLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(id) => id.fmt(f),
            Self::Color(color) => f.write_str(&color_word(*color)[..1]),
            Self::Move(mv) => move_text(*mv, f),
        }
    }
}

fn move_text(mv: Move, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match mv {
        Move::Place(square) => square.fmt(f),
        Move::Pass => f.write_str("PASS"),
    }
}

/// Prints seconds as a decimal number without a needless fraction.
fn seconds(time: Duration) -> String {
    let (whole, nanos) = (time.as_secs(), time.subsec_nanos());
    if nanos == 0 {
        return whole.to_string();
    }
    let text = format!("{whole}.{nanos:09}");
    text.trim_end_matches('0').to_string()
}
