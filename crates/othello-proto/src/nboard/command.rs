//! The front end's commands.

use alloc::boxed::Box;
use core::fmt;

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{take_till1, take_while, take_while1},
    character::complete::{digit1, i64, one_of, u32},
    combinator::{eof, map, opt, rest, value, verify},
    sequence::{preceded, terminated},
};

use crate::{
    ParseError,
    ggf::{self, MoveItem, Record},
    grammar::{Expected, Rule, expect, whole},
};

/// A line of the front end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// `nboard 2`: the version of the protocol, said first.
    Version(u32),
    /// `set depth N`: the greatest midgame depth, in plies.
    Depth(u32),
    /// `set game GGF`: later commands concern the position at the end of this game.
    Game(Box<Record>),
    /// `set contempt N`: the value of a draw in the book to Black, in discs.
    Contempt(i64),
    /// `move MOVE[/EVAL[/TIME]]`: later commands concern the position after this move.
    Move(MoveItem),
    /// `hint N`: report the values of the best N moves.
    Hint(u32),
    /// `go`: report the move that you would make.
    Go,
    /// `ping N`: stop thinking and answer with the same number.
    Ping(i64),
    /// `learn`: add the game to the book.
    Learn,
    /// `analyze`: report the value of every position of the game.
    Analyze,
    /// `quit`: not in the document, but sent by the front end when it closes.
    Quit,
}

impl Command {
    /// Reads a line, given without its end, in any case and with any blanks. A move may stand
    /// alone, as in version 1 of the protocol.
    ///
    /// # Errors
    ///
    /// Fails if it is no command; the document says to ignore such a line.
    pub fn parse(line: &[u8]) -> Result<Self, ParseError> {
        whole(command, line)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "nboard {version}"),
            Self::Depth(depth) => write!(f, "set depth {depth}"),
            Self::Game(record) => write!(f, "set game {record}"),
            Self::Contempt(contempt) => write!(f, "set contempt {contempt}"),
            Self::Move(item) => write!(f, "move {item}"),
            Self::Hint(lines) => write!(f, "hint {lines}"),
            Self::Go => f.write_str("go"),
            Self::Ping(number) => write!(f, "ping {number}"),
            Self::Learn => f.write_str("learn"),
            Self::Analyze => f.write_str("analyze"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

fn command(input: &[u8]) -> Rule<'_, Command> {
    let bare = |name, command| value(command, (word(name), end));
    let known = alt((
        map(argument("nboard", number), Command::Version),
        preceded((word("set"), gap), setting),
        map(preceded((word("move"), gap), ggf::item), Command::Move),
        map(argument("hint", number), Command::Hint),
        map(argument("ping", signed), Command::Ping),
        bare("go", Command::Go),
        bare("learn", Command::Learn),
        bare("analyze", Command::Analyze),
        bare("quit", Command::Quit),
        map(terminated(bare_move, end), Command::Move),
    ));
    preceded(blanks, expect("a command of NBoard", known)).parse(input)
}

fn setting(input: &[u8]) -> Rule<'_, Command> {
    let game = map(ggf::record, |record| Command::Game(Box::new(record)));
    let contempt = terminated(signed, (opt((one_of(".,"), digit1)), end));
    expect(
        "depth, game or contempt",
        alt((
            map(argument("depth", number), Command::Depth),
            preceded((word("game"), gap), game),
            map(
                preceded((word("contempt"), gap), contempt),
                Command::Contempt,
            ),
        )),
    )(input)
}

fn bare_move(input: &[u8]) -> Rule<'_, MoveItem> {
    map(ggf::mv, MoveItem::from).parse(input)
}

fn number(input: &[u8]) -> Rule<'_, u32> {
    expect("a number", u32)(input)
}

fn signed(input: &[u8]) -> Rule<'_, i64> {
    expect("a number", i64)(input)
}

/// A word and its argument, the last of the line.
fn argument<'a, T>(
    name: &'static str,
    rule: impl Parser<&'a [u8], Output = T, Error = Expected>,
) -> impl Parser<&'a [u8], Output = T, Error = Expected> {
    preceded((word(name), gap), terminated(rule, end))
}

/// A whole word in any case.
pub(super) fn word<'a>(name: &'static str) -> impl Parser<&'a [u8], Output = (), Error = Expected> {
    let named = move |word: &[u8]| word.eq_ignore_ascii_case(name.as_bytes());
    value((), verify(take_till1(is_blank), named))
}

/// The blanks before an argument.
pub(super) fn gap(input: &[u8]) -> Rule<'_, ()> {
    expect("a blank", value((), take_while1(is_blank)))(input)
}

/// The end of a line.
pub(super) fn end(input: &[u8]) -> Rule<'_, ()> {
    value((), (blanks, expect("the end of the line", eof))).parse(input)
}

pub(super) fn blanks(input: &[u8]) -> Rule<'_, ()> {
    value((), take_while(is_blank)).parse(input)
}

/// Returns `true` if the byte separates words.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// The rest of the line.
pub(super) fn text(input: &[u8]) -> Rule<'_, &[u8]> {
    preceded(blanks, rest).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::{String, ToString as _};

    fn check(line: &str, printed: &str) {
        let read = Command::parse(line.as_bytes()).map(|command| command.to_string());
        assert_eq!(read.as_deref(), Ok(printed), "{line:?}");
    }

    #[test]
    fn commands_read_back() {
        for line in [
            "nboard 2",
            "set depth 26",
            "set contempt -100",
            "move F5/1.20/3.1",
            "move PA//0.5",
            "hint 4",
            "go",
            "ping 17",
            "learn",
            "analyze",
            "quit",
        ] {
            check(line, line);
        }
        let game = Command::Game(Box::default());
        check(&game.to_string(), &game.to_string());
    }

    #[test]
    fn case_blanks_and_the_moves_of_version_1_do_not_matter() {
        check("  PING   3\t", "ping 3");
        check("Set Depth 5 ", "set depth 5");
        check("set contempt 1.5", "set contempt 1");
        check("MOVE f5", "move F5");
        check("move f5 -1.00 0.3", "move F5/-1.00/0.3");
        check("f5", "move F5");
        check("pa", "move PA");
        check(
            "set game (;GM[Othello]B[f5];) ",
            "set game (;GM[Othello]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)",
        );
    }

    #[test]
    fn an_unknown_command_is_an_error_that_says_where() {
        let mut errors = String::new();
        for line in [
            "",
            "   ",
            "goo",
            "go on",
            "hint",
            "hint x",
            "hint -1",
            "hint 99999999999",
            "ping",
            "ping 1 2",
            "set",
            "set time 5",
            "set depth",
            "set game",
            "set game (;GM[Othello]B[f9];)",
            "move",
            "move z9",
            "f5 d6",
            "d9",
        ] {
            let error = Command::parse(line.as_bytes()).unwrap_err();
            errors += &error.to_string();
            errors.push('\n');
        }
        insta::assert_snapshot!(errors);
    }
}
