//! The commands of a controller, one a line.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};
use core::fmt;

use boardgame_core::Color;
use nom::{
    Parser,
    bytes::complete::take_while1,
    character::complete::{digit1, space0, space1},
    combinator::{eof, map_opt, opt, peek},
    multi::many0,
    sequence::{delimited, preceded, terminated},
};

use super::color::color_word;
use crate::{
    ParseError,
    grammar::{Rule, expect, whole},
};

/// The largest integer of the protocol, and so the largest id.
pub const MAX_INT: u32 = i32::MAX.unsigned_abs();

/// A line from the controller.
///
/// Reading what was printed gives the same command, unless its name is a number or a word is empty
/// or holds a blank, a control character or `#`: the protocol cannot carry these.
///
/// # Examples
///
/// ```
/// use boardgame_session::gtp::Command;
///
/// let command = Command::new("time_settings").argument(60).argument(0).argument(0);
/// assert_eq!(command.numbered(7).to_string(), "7 time_settings 60 0 0");
/// assert_eq!(Command::parse(b"# no more than a remark")?, None);
/// # Ok::<(), boardgame_session::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number that the response repeats, at most 2³¹ − 1.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
}

impl Command {
    /// Creates a command without id and arguments.
    pub fn new(name: &str) -> Self {
        Self {
            id: None,
            name: name.into(),
            arguments: Vec::new(),
        }
    }

    /// `play`: the colour makes the move to a vertex, which is printed in its alternate form (`{:#}`).
    ///
    /// Colours are printed as `b` and `w`: every peer reads these.
    pub fn play(color: Color, vertex: impl fmt::Display) -> Self {
        Self::new("play")
            .argument(color_word(color))
            .argument(format_args!("{vertex:#}"))
    }

    /// `genmove`: the engine chooses a move for the colour and makes it.
    pub fn genmove(color: Color) -> Self {
        Self::new("genmove").argument(color_word(color))
    }

    /// Adds an argument to the command.
    #[must_use]
    pub fn argument(mut self, argument: impl fmt::Display) -> Self {
        self.arguments.push(argument.to_string());
        self
    }

    /// Sets the command's id.
    #[must_use]
    pub fn numbered(self, id: u32) -> Self {
        Self {
            id: Some(id),
            ..self
        }
    }

    /// Parses a line without its end; `None` for a blank line or a comment.
    ///
    /// Control characters are dropped, a tab is a blank, and `#` begins a comment (section 3.1 of
    /// the specification).
    ///
    /// # Errors
    ///
    /// Fails if no name follows an id.
    pub fn parse(line: &[u8]) -> Result<Option<Self>, ParseError> {
        let text: Vec<u8> = without_controls(line)
            .take_while(|&byte| byte != b'#')
            .collect();
        if text.iter().all(|&byte| byte == b' ') {
            return Ok(None);
        }
        whole(command, &text).map(Some)
    }
}

/// Returns the bytes without control characters, but with a blank for each tab.
pub(super) fn without_controls(line: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let blank_for_tab = |&byte: &u8| if byte == b'\t' { b' ' } else { byte };
    line.iter()
        .map(blank_for_tab)
        .filter(|byte| !byte.is_ascii_control())
}

impl fmt::Display for Command {
    /// The line, without a newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        f.write_str(&self.name)?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(f, " {argument}"))
    }
}

fn command(input: &[u8]) -> Rule<'_, Command> {
    (
        delimited(space0, opt(id), space0),
        expect("a command's name", word),
        terminated(many0(preceded(space1, word)), space0),
    )
        .map(|(id, name, arguments)| Command {
            id,
            name,
            arguments,
        })
        .parse(input)
}

/// A first word of digits alone; one beyond 2³¹ − 1 is a name that no engine knows.
fn id(input: &[u8]) -> Rule<'_, u32> {
    terminated(map_opt(digit1, integer), peek(space1.or(eof))).parse(input)
}

/// Reads an unsigned integer of at most 31 bits, written in decimal digits.
pub fn integer(digits: &[u8]) -> Option<u32> {
    // `parse` would accept a sign too.
    let is_unsigned = digits.iter().all(u8::is_ascii_digit);
    let number: u32 = str::from_utf8(digits).ok()?.parse().ok()?;
    (is_unsigned && number <= MAX_INT).then_some(number)
}

fn word(input: &[u8]) -> Rule<'_, String> {
    take_while1(|byte| byte != b' ')
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<Command> {
        Command::parse(line.as_bytes()).unwrap()
    }

    #[test]
    fn the_preprocessing_of_the_specification_comes_first() {
        let play = Command::play(Color::Black, "D3");
        for line in [
            "play b D3",
            "  play   b\tD3  ",
            "play b D3\r",
            "pl\u{7}ay b D3 # a good move # or not",
        ] {
            assert_eq!(parse(line), Some(play.clone()), "{line:?}");
        }
        for line in ["", "  \t \r", "# play b D3", "\u{1b}#"] {
            assert_eq!(parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn an_id_is_a_first_word_of_digits_with_a_name_after_it() {
        assert_eq!(parse("007 name"), Some(Command::new("name").numbered(7)));
        assert_eq!(
            parse("2147483647 name").and_then(|command| command.id),
            Some(MAX_INT)
        );
        assert_eq!(parse("2147483648 name").unwrap().name, "2147483648");
        assert_eq!(parse("1a name").unwrap().name, "1a");
        let error = Command::parse(b"12 ").unwrap_err();
        assert_eq!((error.expected(), error.offset()), ("a command's name", 3));
    }

    #[test]
    fn an_integer_has_digits_alone() {
        assert_eq!(integer(b"007"), Some(7));
        for text in ["", "+7", "-7", "7.0", "0x7", "2147483648"] {
            assert_eq!(integer(text.as_bytes()), None, "{text:?}");
        }
    }
}
