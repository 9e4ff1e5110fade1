//! Complaints about a message, sent to its sender in a comment.

use alloc::string::ToString as _;
use core::fmt;

use othello_core::{IllegalMove, Score};

use super::{Message, bracketed, print::Body};
use crate::ParseError;

/// The reason why a message cannot be used.
///
/// A quoted message stands without parentheses and never at the beginning, so that a reader that looks
/// for messages inside of comments finds none in `(C (refused W c 2))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    /// The document knows no such message.
    Unreadable(ParseError),
    /// It is not the sender's to say, but the other side's, a program's or the referee's.
    NotYours(Message),
    /// It needs a game, and no colour was assigned.
    NoGame(Message),
    /// A move before the game has begun.
    TooEarly(Message),
    /// Readiness for a game that has begun.
    TooLate(Message),
    /// A move while the other side is to move.
    OutOfTurn(Message),
    /// A move that the rules forbid.
    Illegal(Message, IllegalMove),
    /// A move after the end of the game.
    Over(Message),
    /// A claim before the end of the game.
    NotOver(Score),
    /// A claim that does not fit the board at the end of the game.
    Misfit(Score),
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => f.write_str(&bracketed(&error.to_string())),
            Self::NotYours(message) => write!(f, "not yours to say: {}", Body(message)),
            Self::NoGame(message) => write!(f, "no colour is assigned yet: {}", Body(message)),
            Self::TooEarly(message) => write!(f, "before the game: {}", Body(message)),
            Self::TooLate(message) => write!(f, "the game has begun: {}", Body(message)),
            Self::OutOfTurn(message) => write!(f, "out of turn: {}", Body(message)),
            Self::Illegal(message, illegal) => write!(f, "refused {}: {illegal}", Body(message)),
            Self::Over(message) => write!(f, "the game is over: {}", Body(message)),
            Self::NotOver(value) => {
                write!(f, "the game is not over: the value {}", value.discs())
            }
            Self::Misfit(value) => {
                write!(f, "the value {} does not fit the board", value.discs())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Board, Color, Move, Square};

    use super::*;
    use crate::sloan::{Dialect, print};

    fn printed(complaint: &Complaint) -> alloc::string::String {
        print(
            &Message::Comment(complaint.to_string()),
            Dialect::Expressions,
        )
    }

    #[test]
    fn a_quoted_message_is_none_to_a_reader_that_looks_inside_of_comments() {
        let color = Color::White;
        let mv = Move::Place(Square::C2);
        let message = Message::Move { color, mv };
        let value = Score::new(64).unwrap();
        let illegal = Board::default().play(mv).unwrap_err();
        let error = message_error(b"(W c 9)");
        for complaint in [
            Complaint::Unreadable(error),
            Complaint::NotYours(Message::Ready(color)),
            Complaint::NoGame(message.clone()),
            Complaint::TooEarly(message.clone()),
            Complaint::TooLate(Message::Ready(color)),
            Complaint::OutOfTurn(message.clone()),
            Complaint::Illegal(message.clone(), illegal),
            Complaint::Over(message),
            Complaint::NotOver(value),
            Complaint::Misfit(value),
        ] {
            let printed = printed(&complaint);
            let inside = printed.strip_prefix("(C (").unwrap();
            assert!(!inside.contains(['(', '.', ',', ':']), "{printed}");
            let word = inside.split([' ', ')']).next().unwrap();
            assert!(word.len() > 1 && word.parse::<i32>().is_err(), "{printed}");
        }
    }

    fn message_error(text: &[u8]) -> ParseError {
        crate::sloan::parse_expression(text).unwrap_err()
    }
}
