//! The messages of either direction.

use alloc::string::String;
use core::ops::BitOr;

use othello_core::{Color, Move, Score};

/// A message of either direction. Inputs and outputs of a program share all but
/// [`Assign`](Self::Assign) and [`Play`](Self::Play), which only a referee sends, and
/// [`Ready`](Self::Ready), which only a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `(I W)`: the program plays this colour, and a game begins. Rule 2a.
    Assign(Color),
    /// `(R W)`: the program is ready to play this colour. Rule 3a.
    Ready(Color),
    /// `(W c 3)` or, a pass, `(W)`. Rules 2b, 2c, 3b and 3c.
    Move {
        /// The colour that moves.
        color: Color,
        /// The move, or a pass.
        mv: Move,
    },
    /// `(-43)`: the game is over and has this value for Black. Rules 2d and 3d.
    Claim(Score),
    /// `(C (text))`: a remark. Rules 2e and 3e.
    ///
    /// Parsed text has balanced parentheses and no control characters; printing makes any text
    /// [`safe`](super::safe).
    Comment(String),
    /// `(play)`: starts Lisp implementations, and is ignored. Rule 2f.
    Play,
}

/// The two forms in which messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The document's: `(B d 3)`, ended by the closing parenthesis.
    #[default]
    Expressions,
    /// Without parentheses: `B d 3`, ended by the end of the line.
    Lines,
}

impl Dialect {
    /// Returns the other dialect.
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Expressions => Self::Lines,
            Self::Lines => Self::Expressions,
        }
    }
}

/// A message as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The message.
    pub message: Message,
    /// The departures of its spelling from the document's.
    pub leniencies: Leniencies,
}

/// A set of departures from the document's spelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leniencies(u8);

impl Leniencies {
    /// None.
    pub const NONE: Self = Self(0);
    /// A column in upper case, which the document allows.
    pub const UPPER_CASE_COLUMN: Self = Self(1);
    /// A colour or `I`, `R`, `C` in lower case, or `play` not in lower case.
    pub const LETTER_CASE: Self = Self(1 << 1);
    /// No blank between column and row.
    pub const JOINED_SQUARE: Self = Self(1 << 2);
    /// Blanks, tabs or line ends other than a single blank between two parts.
    pub const BLANKS: Self = Self(1 << 3);
    /// A value with a plus sign.
    pub const PLUS_SIGN: Self = Self(1 << 4);
    /// A value with needless zeros, `-0` among them.
    pub const ZEROS: Self = Self(1 << 5);

    const NAMED: [(Self, &'static str); 6] = [
        (Self::UPPER_CASE_COLUMN, "upper-case-column"),
        (Self::LETTER_CASE, "letter-case"),
        (Self::JOINED_SQUARE, "joined-square"),
        (Self::BLANKS, "blanks"),
        (Self::PLUS_SIGN, "plus-sign"),
        (Self::ZEROS, "zeros"),
    ];

    /// Returns this set if `used`, else none.
    pub(super) const fn when(self, used: bool) -> Self {
        if used { self } else { Self::NONE }
    }

    /// Returns the names in the log and in the documentation of the format.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED
            .into_iter()
            .filter(move |(one, _)| self.0 & one.0 != 0)
            .map(|(_, name)| name)
    }
}

impl BitOr for Leniencies {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
