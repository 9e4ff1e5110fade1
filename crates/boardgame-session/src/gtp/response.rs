//! The responses of an engine, and their extraction from a stream.

use alloc::{collections::VecDeque, string::String, vec::Vec};
use core::{fmt, mem};

use nom::{
    Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{digit1, space0},
    combinator::{map_opt, opt, rest, value},
    sequence::preceded,
};

use super::command::{integer, without_controls};
use crate::{
    ParseError,
    framing::{Line, Lines, MAX_LINE},
    grammar::{Rule, expect, whole},
};

/// The maximum length of a response's text that is kept, in bytes.
pub const MAX_RESPONSE: usize = 64 * 1024;

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The command's id, if it had one.
    pub id: Option<u32>,
    /// True when the command was carried out (`=`), false when it failed (`?`).
    pub success: bool,
    /// The result or the error: lines joined by newlines. Only the first line may be empty.
    pub text: String,
}

impl fmt::Display for Response {
    /// The response with the blank line that ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.success { "=" } else { "?" })?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        if !self.text.is_empty() {
            write!(f, " {}", self.text)?;
        }
        f.write_str("\n\n")
    }
}

/// Cuts the output of an engine, split anywhere, into responses.
///
/// Carriage returns and other control characters are dropped, a tab is a blank. Between responses
/// blank lines are skipped; any other line that does not start with `=` or `?` is an error of its
/// own, and reading continues at the next response. A response beyond [`MAX_RESPONSE`] is one
/// error, so that memory stays bounded by the size of one `push`.
///
/// # Examples
///
/// ```
/// use boardgame_session::gtp::Responses;
///
/// let mut responses = Responses::default();
/// responses.push(b"=1 Edax\n\n?2 illegal");
/// assert_eq!(responses.next_response().unwrap()?.text, "Edax");
/// assert_eq!(responses.next_response(), None);
/// responses.push(b" move\n\n");
/// let response = responses.next_response().unwrap()?;
/// assert_eq!((response.id, response.success), (Some(2), false));
/// assert_eq!(response.text, "illegal move");
/// # Ok::<(), boardgame_session::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Responses {
    lines: Lines,
    open: Open,
    ready: VecDeque<Result<Response, ParseError>>,
}

/// The response whose lines are being read.
#[derive(Clone, Debug, Default)]
enum Open {
    #[default]
    None,
    Response(Response),
    /// One that is already reported and dropped up to its end.
    Overlong,
}

impl Responses {
    /// Adds bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
        while let Some(line) = self.lines.next_line() {
            match line {
                Line::Whole(line) => {
                    let line: Vec<u8> = without_controls(&line).collect();
                    self.take_line(&line);
                }
                Line::TooLong => self.give_up(),
            }
        }
    }

    /// Returns the next response or error, if there is one.
    pub fn next_response(&mut self) -> Option<Result<Response, ParseError>> {
        self.ready.pop_front()
    }

    fn take_line(&mut self, line: &[u8]) {
        match &mut self.open {
            Open::None if line.is_empty() => {}
            Open::None => match whole(head, line) {
                Ok(response) => self.open = Open::Response(response),
                Err(error) => self.ready.push_back(Err(error)),
            },
            Open::Overlong if line.is_empty() => self.open = Open::None,
            Open::Overlong => {}
            Open::Response(response) if line.is_empty() => {
                response.text.truncate(response.text.trim_end().len());
                if let Open::Response(response) = mem::take(&mut self.open) {
                    self.ready.push_back(Ok(response));
                }
            }
            Open::Response(response) => {
                let line = String::from_utf8_lossy(line);
                if response.text.len() + line.len() >= MAX_RESPONSE {
                    return self.give_up();
                }
                response.text.push('\n');
                response.text.push_str(&line);
            }
        }
    }

    /// Reports a response that is too long to be kept.
    fn give_up(&mut self) {
        match self.open {
            Open::None => {
                let error = ParseError::new("a shorter line", MAX_LINE, b"");
                self.ready.push_back(Err(error));
            }
            Open::Response(_) => {
                let error = ParseError::new("a shorter response", MAX_RESPONSE, b"");
                self.ready.push_back(Err(error));
                self.open = Open::Overlong;
            }
            Open::Overlong => {}
        }
    }
}

/// The first line of a response.
fn head(input: &[u8]) -> Rule<'_, Response> {
    let sign = alt((value(true, tag("=")), value(false, tag("?"))));
    (
        expect("= or ? at the beginning of a response", sign),
        opt(map_opt(digit1, integer)),
        preceded(space0, rest),
    )
        .map(|(success, id, text)| Response {
            id,
            success,
            text: String::from_utf8_lossy(text).into_owned(),
        })
        .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{format, string::ToString, vec};

    fn read(bytes: &str) -> Vec<Result<Response, ParseError>> {
        let mut responses = Responses::default();
        responses.push(bytes.as_bytes());
        core::iter::from_fn(|| responses.next_response()).collect()
    }

    fn response(success: bool, id: Option<u32>, text: &str) -> Response {
        Response {
            id,
            success,
            text: text.into(),
        }
    }

    #[test]
    fn the_forms_of_peers_are_read() {
        for (bytes, expected) in [
            ("= \n\n", response(true, None, "")),
            ("=\r\n\r\n", response(true, None, "")),
            ("=12\n\n", response(true, Some(12), "")),
            ("=12 D3\n\n", response(true, Some(12), "D3")),
            ("= PASS\n\n", response(true, None, "PASS")),
            (
                "?3 illegal move\n\n",
                response(false, Some(3), "illegal move"),
            ),
            ("=\tD3 \n\n", response(true, None, "D3")),
            ("= name\nversion\n\n", response(true, None, "name\nversion")),
            (
                "= \n  A B\n1 . .\n\n",
                response(true, None, "\n  A B\n1 . ."),
            ),
        ] {
            assert_eq!(read(bytes), [Ok(expected)], "{bytes:?}");
        }
    }

    #[test]
    fn a_second_blank_line_is_nothing_and_a_stray_line_an_error() {
        let read = read("\n= a\n\n\nthinking\n= b\n\n");
        assert_eq!(read.len(), 3);
        assert_eq!(read[0].as_ref().unwrap().text, "a");
        let error = read[1].as_ref().unwrap_err();
        assert_eq!((error.offset(), error.text()), (0, "thinking"));
        assert_eq!(read[2].as_ref().unwrap().text, "b");
    }

    #[test]
    fn an_overlong_response_is_one_error_and_the_next_is_found() {
        let line = "x".repeat(MAX_LINE + 1);
        let lines = format!("{}\n", "x".repeat(100)).repeat(1000);
        for long in [
            format!("= {line}\n\n"),
            format!("= {lines}\n\n"),
            format!("= a\n{line}\n\n"),
        ] {
            let read = read(&format!("{long}= b\n\n"));
            assert_eq!(read.len(), 2, "{}", &long[..8]);
            assert!(read[0].is_err());
            assert_eq!(read[1], Ok(response(true, None, "b")));
        }
    }

    #[test]
    fn a_response_has_at_most_the_bytes_that_are_kept() {
        let text = |last: usize| {
            let line = format!("\n{}", "x".repeat(MAX_LINE - 1));
            format!("{}\n{}", line.repeat(15), "x".repeat(last))
        };
        let whole = response(true, None, &text(MAX_LINE - 1));
        assert_eq!(whole.text.len(), MAX_RESPONSE);
        assert_eq!(read(&whole.to_string()), [Ok(whole)]);
        let beyond = read(&response(true, None, &text(MAX_LINE)).to_string());
        let error = beyond[0].as_ref().unwrap_err();
        assert_eq!(error.expected(), "a shorter response");
    }

    proptest! {
        #[test]
        fn responses_read_back(
            id in proptest::option::of(0..=super::super::MAX_INT),
            success: bool,
            first in "([!-~]([ -~]{0,8}[!-~])?)?",
            lines in prop::collection::vec("[ -~]{0,8}[!-~]", 0..4),
        ) {
            let mut text = first;
            for line in lines {
                text.push('\n');
                text += &line;
            }
            let response = Response { id, success, text };
            prop_assert_eq!(read(&response.to_string()), vec![Ok(response)]);
        }
    }
}
