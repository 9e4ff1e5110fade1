//! The engine's responses.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};
use core::{fmt, time::Duration};

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_till, take_while, take_while1},
    character::complete::{i64, u32, u64},
    combinator::{map, opt, rest, value, verify},
    multi::many1,
    sequence::{preceded, terminated},
};
use othello_core::Move;

use super::command::{blanks, end, gap, is_blank, text, word};
use crate::{
    ParseError,
    framing::{Line, Lines, MAX_LINE},
    ggf::{self, MoveItem, MoveText, Seconds, Value, seconds},
    grammar::{Rule, expect, whole},
};

/// A line of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Response {
    /// `set myname NAME`: the engine's name, without blanks.
    Name(String),
    /// `status TEXT`: for the status line; an empty one clears it.
    Status(String),
    /// `nodestats NODES TIME`: the progress of the search.
    NodeStats {
        /// The positions searched.
        nodes: u64,
        /// The time since it started, if given as a number.
        time: Option<Duration>,
    },
    /// `search …` or `book …`: the value of a move.
    Hint(Hint),
    /// `=== MOVE[/EVAL[/TIME]]`: the answer to `go`.
    Move(MoveItem),
    /// `learned`: the answer to `learn`.
    Learned,
    /// `pong N`: the answer to `ping N`.
    Pong(i64),
    /// `analysis MOVES EVAL`: the value, to the side to move, of the position after that number of
    /// moves, passes among them.
    Analysis {
        /// The moves made before it.
        moves: u32,
        /// The position's value.
        value: Option<Value>,
    },
}

/// The value of a move: `search PV EVAL 0 DEPTH TEXT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The origin of the value.
    pub source: Source,
    /// The line of play, at least the move itself; a pass may be its first.
    pub variation: Vec<Move>,
    /// The value to the side to move; if there are two, the one where draws count for Black.
    pub value: Option<Value>,
    /// The value where draws count for White, if given.
    pub draws_to_white: Option<Value>,
    /// The depth of the search.
    pub depth: Depth,
    /// The rest of the line.
    pub text: String,
}

/// The origin of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A search.
    Search,
    /// The book, with its number of games on the move.
    Book(u64),
}

/// The depth of a hint: a number of plies or, for what is solved, 100, and an addition such as
/// `%`, `@73%` or `%W`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The number at its beginning.
    pub number: u32,
    /// The text after it.
    pub suffix: String,
}

impl Depth {
    /// Returns a depth in plies.
    pub const fn plies(plies: u32) -> Self {
        Self {
            number: plies,
            suffix: String::new(),
        }
    }

    /// Returns the depth of an exact result: `100%`.
    pub fn exact() -> Self {
        Self {
            number: 100,
            suffix: "%".to_string(),
        }
    }

    /// Returns `true` if the value is proved to be exact.
    pub fn is_exact(&self) -> bool {
        self.number == 100 && self.suffix == "%"
    }
}

impl Response {
    /// Parses a line, given without its end, in any case and with any blanks; fields of an answer
    /// may be separated by blanks, missing, or not numbers.
    ///
    /// # Errors
    ///
    /// Fails if it is none of the protocol's. Engines print such lines too; a controller ignores
    /// them.
    pub fn parse(line: &[u8]) -> Result<Self, ParseError> {
        whole(response, line)
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "set myname {name}"),
            Self::Status(status) if status.is_empty() => f.write_str("status"),
            Self::Status(status) => write!(f, "status {status}"),
            Self::NodeStats { nodes, time } => {
                write!(f, "nodestats {nodes} {}", Seconds(time.unwrap_or_default()))
            }
            Self::Hint(hint) => hint.fmt(f),
            // With anything after it, the front end does not recognise it as a pass.
            Self::Move(MoveItem { mv: Move::Pass, .. }) => f.write_str("=== PA"),
            Self::Move(item) => write!(f, "=== {item}"),
            Self::Learned => f.write_str("learned"),
            Self::Pong(number) => write!(f, "pong {number}"),
            Self::Analysis { moves, value } => {
                write!(f, "analysis {moves} {}", value.unwrap_or_default())
            }
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, games) = match self.source {
            Source::Search => ("search", 0),
            Source::Book(games) => ("book", games),
        };
        f.write_str(word)?;
        let mut part = ' ';
        for &mv in &self.variation {
            write!(f, "{part}{}", MoveText(mv))?;
            part = '-';
        }
        write!(f, " {:+}", self.value.unwrap_or_default())?;
        if let Some(value) = self.draws_to_white {
            write!(f, ",{value:+}")?;
        }
        write!(f, " {games} {}{}", self.depth.number, self.depth.suffix)?;
        if !self.text.is_empty() {
            write!(f, " {}", self.text)?;
        }
        Ok(())
    }
}

/// Reads an engine's output, cut anywhere, line by line.
///
/// # Examples
///
/// ```
/// use othello_proto::nboard::{Response, Responses};
///
/// let mut responses = Responses::default();
/// responses.push(b"\npong 1\n=== d6 -1.00 0.5\r\nsta");
/// assert_eq!(responses.next(), Some(Ok(Response::Pong(1))));
/// let Some(Ok(Response::Move(item))) = responses.next() else { panic!() };
/// assert_eq!(item.to_string(), "D6/-1.00/0.5");
/// assert_eq!(responses.next(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Responses {
    lines: Lines,
}

impl Responses {
    /// Adds bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
    }

    /// Takes what is left at the end of the output as a last line.
    pub fn finish(&mut self) {
        self.lines.finish();
    }
}

impl Iterator for Responses {
    type Item = Result<Response, ParseError>;

    /// Returns the next line that is not blank, or its error if it is no response; `None` until
    /// more is pushed.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            return match self.lines.next_line()? {
                Line::Whole(line) if line.trim_ascii().is_empty() => continue,
                Line::Whole(line) => Some(Response::parse(&line)),
                Line::TooLong => Some(Err(ParseError::new("a shorter line", MAX_LINE, b""))),
            };
        }
    }
}

fn response(input: &[u8]) -> Rule<'_, Response> {
    let known = alt((
        map(
            preceded(
                (word("set"), gap, expect("myname", word("myname")), gap),
                name,
            ),
            Response::Name,
        ),
        map(preceded(word("status"), text), |text| {
            Response::Status(plain(text))
        }),
        preceded((word("nodestats"), gap), node_stats),
        map(hint, Response::Hint),
        map(preceded((tag("==="), blanks), ggf::item), Response::Move),
        map(
            preceded(
                (word("pong"), gap),
                terminated(expect("a number", i64), end),
            ),
            Response::Pong,
        ),
        preceded((word("analysis"), gap), analysis),
        value(
            Response::Learned,
            (alt((word("learned"), word("learn"))), end),
        ),
    ));
    preceded(blanks, expect("a response of NBoard", known)).parse(input)
}

/// The first word; the front end takes no more.
fn name(input: &[u8]) -> Rule<'_, String> {
    let word = map(take_while1(|byte| !is_blank(byte)), plain);
    let name = verify(word, |name: &String| !name.is_empty());
    map((expect("a name", name), rest), |(name, _)| name).parse(input)
}

fn node_stats(input: &[u8]) -> Rule<'_, Response> {
    map(
        (
            expect("a number of nodes", u64),
            opt(preceded(gap, token)),
            rest,
        ),
        |(nodes, time, _)| Response::NodeStats {
            nodes,
            time: time.and_then(seconds),
        },
    )
    .parse(input)
}

fn analysis(input: &[u8]) -> Rule<'_, Response> {
    map(
        (
            expect("a number of moves", u32),
            opt(preceded(gap, token)),
            rest,
        ),
        |(moves, value, _)| Response::Analysis {
            moves,
            value: value.and_then(Value::read),
        },
    )
    .parse(input)
}

fn hint(input: &[u8]) -> Rule<'_, Hint> {
    let source = alt((value(false, word("search")), value(true, word("book"))));
    let (input, (from_book, ())) = (source, gap).parse(input)?;
    let (input, variation) = variation(input)?;
    let (input, values) = opt(preceded(gap, values)).parse(input)?;
    let (value, draws_to_white) = values.unwrap_or_default();
    let games = opt(preceded(gap, u64)).map(Option::unwrap_or_default);
    let depth = opt(preceded(gap, depth)).map(|depth| depth.unwrap_or(Depth::plies(0)));
    map((games, depth, text), move |(games, depth, text)| Hint {
        source: if from_book {
            Source::Book(games)
        } else {
            Source::Search
        },
        variation: variation.clone(),
        value,
        draws_to_white,
        depth,
        text: plain(text),
    })
    .parse(input)
}

/// Moves with or without hyphens between them; anything after the last readable one is left out.
fn variation(input: &[u8]) -> Rule<'_, Vec<Move>> {
    let next = terminated(ggf::mv, take_while(|byte| byte == b'-'));
    terminated(many1(next), take_till(is_blank)).parse(input)
}

/// One value, or two parted by a comma.
fn values(input: &[u8]) -> Rule<'_, (Option<Value>, Option<Value>)> {
    map(
        expect("a value", take_while1(|byte| !is_blank(byte))),
        |values: &[u8]| {
            let mut values = values.splitn(2, |&byte| byte == b',').map(Value::read);
            (values.next().flatten(), values.next().flatten())
        },
    )
    .parse(input)
}

fn depth(input: &[u8]) -> Rule<'_, Depth> {
    map((expect("a depth", u32), token), |(number, suffix)| Depth {
        number,
        suffix: plain(suffix)
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .to_string(),
    })
    .parse(input)
}

/// The text before the next blank.
fn token(input: &[u8]) -> Rule<'_, &[u8]> {
    take_till(is_blank).parse(input)
}

/// Words of an engine as text without control characters and blanks around it.
fn plain(words: &[u8]) -> String {
    let text = String::from_utf8_lossy(words);
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, printed: &str) {
        let read = Response::parse(line.as_bytes()).map(|response| response.to_string());
        assert_eq!(read.as_deref(), Ok(printed), "{line:?}");
    }

    #[test]
    fn responses_read_back() {
        for line in [
            "set myname Ntest12",
            "status Edax is thinking",
            "status",
            "nodestats 35805 0.5",
            "search F5-D6-C3 +1.20 0 12",
            "search F5 -0.50,-1.00 0 12@73% deep",
            "book PA-F5 +0.00 17 100%W",
            "=== F5/1.20/3.1",
            "=== F5",
            "=== PA",
            "learned",
            "pong 17",
            "analysis 60 -64.00",
        ] {
            check(line, line);
        }
    }

    #[test]
    fn output_of_ntest_is_read() {
        check("set myname Ntest12", "set myname Ntest12");
        check("search F5       +0.58 0 12", "search F5 +0.58 0 12");
        check(
            "search PA-D3       -2.00 0 100%",
            "search PA-D3 -2.00 0 100%",
        );
        check("book PA 0 0 0 0", "book PA +0.00 0 0 0");
        check("=== F5/2.20", "=== F5/2.20");
        check("=== F5//0.30", "=== F5//0.3");
        check("learn", "learned");
    }

    #[test]
    fn output_of_edax_is_read() {
        check("=== d6 -1.00 0.0", "=== D6/-1.00/0");
        check("=== ps -64.00 0.0", "=== PA");
        check("search D3c5F6e6 2 0 21", "search D3-C5-F6-E6 +2.00 0 21");
        check("nodestats 35805 0.00", "nodestats 35805 0");
    }

    #[test]
    fn passes_values_and_fields_come_in_bad_forms() {
        check("=== PA/-64", "=== PA");
        check("=== PA/NaN/0.01", "=== PA");
        check("=== pass", "=== PA");
        check("===f5", "=== F5");
        check("  SEARCH  f5  nan  0  12  ", "search F5 +0.00 0 12");
        check("search F5", "search F5 +0.00 0 0");
        check("search f5d6?? 1", "search F5-D6 +1.00 0 0");
        check("nodestats 5", "nodestats 5 0");
        check("nodestats 5 nan", "nodestats 5 0");
        check("set myname Edax 4.4", "set myname Edax");
        check("analysis 3 nan", "analysis 3 0.00");
        let unknown = Response::parse(b"search F5 NaN 0 5");
        let Ok(Response::Hint(hint)) = unknown else {
            panic!("{unknown:?}");
        };
        assert_eq!((hint.value, hint.depth.is_exact()), (None, false));
    }

    #[test]
    fn other_text_than_a_response_is_an_error_that_says_where() {
        let mut errors = String::new();
        for line in [
            "warning Must pick a depth with \"set depth <n>\" first",
            "===",
            "=== z9",
            "pong",
            "pong x",
            "pong 1 2",
            "set",
            "set myname",
            "set depth 3",
            "nodestats",
            "search",
            "search z9 1",
            "analysis x",
            "learnedly",
        ] {
            let error = Response::parse(line.as_bytes()).unwrap_err();
            errors += &error.to_string();
            errors.push('\n');
        }
        insta::assert_snapshot!(errors);
    }

    #[test]
    fn an_overlong_line_is_reported_and_the_next_is_read() {
        let mut responses = Responses::default();
        responses.push(&std::vec![b'x'; 2 * MAX_LINE]);
        responses.push(b"\n \npong 5");
        assert!(responses.next().unwrap().is_err());
        assert_eq!(responses.next(), None);
        responses.finish();
        assert_eq!(responses.next(), Some(Ok(Response::Pong(5))));
    }

    #[test]
    fn an_exact_depth_is_known() {
        assert!(Depth::exact().is_exact());
        assert!(!Depth::plies(100).is_exact());
    }
}
