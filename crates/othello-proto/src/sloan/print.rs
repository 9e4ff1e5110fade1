//! Messages as text: exactly the document's form.

use alloc::{format, string::String};
use core::fmt;

use othello_core::{Color, Move};

use super::{Dialect, Message, safe};

/// Returns the message in a dialect, on one line, without a line end.
///
/// # Examples
///
/// ```
/// use othello_core::Color;
/// use othello_proto::sloan::{Dialect, Message, print};
///
/// let ready = Message::Ready(Color::Black);
/// assert_eq!(print(&ready, Dialect::Expressions), "(R B)");
/// assert_eq!(print(&ready, Dialect::Lines), "R B");
/// ```
pub fn print(message: &Message, dialect: Dialect) -> String {
    match (message, dialect) {
        (Message::Comment(text), Dialect::Expressions) => format!("(C ({}))", safe(text)),
        (Message::Comment(text), Dialect::Lines) => {
            let line = format!("C {}", safe(text));
            String::from(line.trim_end())
        }
        (_, Dialect::Expressions) => format!("({})", Body(message)),
        (_, Dialect::Lines) => format!("{}", Body(message)),
    }
}

/// Prints messages to send at once: on one line, or in the dialect of lines, on one each.
pub(super) fn print_line(messages: &[Message], dialect: Dialect) -> String {
    let mut text = String::new();
    for (index, message) in messages.iter().enumerate() {
        if index > 0 {
            text.push(match dialect {
                Dialect::Expressions => ' ',
                Dialect::Lines => '\n',
            });
        }
        text.push_str(&print(message, dialect));
    }
    text.push('\n');
    text
}

impl fmt::Display for Message {
    /// The document's form, with parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, Dialect::Expressions))
    }
}

/// The text between the parentheses of a message that is no comment.
pub(super) struct Body<'a>(pub(super) &'a Message);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Message::Assign(color) => write!(f, "I {}", letter(*color)),
            Message::Ready(color) => write!(f, "R {}", letter(*color)),
            Message::Move {
                color,
                mv: Move::Place(square),
            } => {
                let (column, row) = (square.column_letter(), square.row_digit());
                write!(f, "{} {column} {row}", letter(*color))
            }
            Message::Move {
                color,
                mv: Move::Pass,
            } => write!(f, "{}", letter(*color)),
            Message::Claim(value) => write!(f, "{}", value.discs()),
            Message::Comment(text) => write!(f, "C {text}"),
            Message::Play => f.write_str("play"),
        }
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}
