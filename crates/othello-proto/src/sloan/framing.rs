//! Cutting a stream of bytes into messages, whatever its chunks.

use alloc::{collections::VecDeque, vec::Vec};

use super::{Dialect, Message, Parsed, nesting::Nesting, parse_expression, parse_line};
use crate::{
    ParseError,
    framing::{Framing, MarkFilter},
};

/// The longest message that is kept, in bytes with its parentheses.
pub const MAX_LENGTH: usize = 4096;

/// The deepest nesting of parentheses that is kept, the message's own included.
pub const MAX_DEPTH: usize = 32;

/// Collects bytes and hands out messages: S-expressions, which end at their closing parenthesis,
/// or, when the first message has no parenthesis, lines. An opening
/// parenthesis in a quoted string keeps no expression open.
///
/// Besides what was pushed and not yet asked for, at most [`MAX_LENGTH`] bytes are kept: a message
/// over a cap is reported once and skipped to its end. A UTF-8 byte order mark at the very start is
/// dropped.
///
/// # Examples
///
/// ```
/// use boardgame_session::framing::Framing as _;
/// use othello_proto::sloan::{Frame, Framer};
///
/// let mut framer = Framer::default();
/// framer.push(b"(C (one))(W c");
/// assert_eq!(framer.next_piece(), Some(Frame::Expression(b"(C (one))".to_vec())));
/// assert_eq!(framer.next_piece(), None);
/// framer.push(b"\n3)");
/// assert_eq!(framer.next_piece(), Some(Frame::Expression(b"(W c\n3)".to_vec())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Framer {
    mark: MarkFilter,
    input: VecDeque<u8>,
    ended: bool,
    dialect: Option<Dialect>,
    state: State,
    /// The bytes of the message or text that `state` is in.
    partial: Vec<u8>,
    /// True after a stray parenthesis was reported and only more of them followed.
    strays_reported: bool,
}

/// The part of the stream that the next byte belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Between two messages.
    #[default]
    Between,
    /// In an expression.
    Expression(Nesting),
    /// In an expression over a limit.
    SkippedExpression(Nesting),
    /// In text outside parentheses: a line of the other dialect, or garbage.
    Text,
    /// In such text over the cap.
    SkippedText,
}

/// A piece of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// An expression from its opening to its closing parenthesis.
    Expression(Vec<u8>),
    /// A line of the dialect without parentheses, without its end.
    Line(Vec<u8>),
    /// Text outside parentheses where there should be none.
    Garbage(Vec<u8>),
    /// A closing parenthesis, or several in a row, that close nothing.
    StrayParenthesis,
    /// A message of more than [`MAX_LENGTH`] bytes, which are dropped.
    TooLong,
    /// A message of more than [`MAX_DEPTH`] levels; its bytes are dropped.
    TooDeep,
    /// The end of input inside this expression.
    Unfinished(Vec<u8>),
}

impl Frame {
    /// Parses the message.
    ///
    /// # Errors
    ///
    /// Fails if it is none; a stray parenthesis, which is only skipped, is an error here too.
    pub fn parse(&self) -> Result<Parsed, ParseError> {
        let expected = |what| Err(ParseError::new(what, 0, b""));
        match self {
            Self::Expression(text) => parse_expression(text),
            Self::Line(text) => parse_line(text),
            Self::Garbage(text) => Err(ParseError::new("an opening parenthesis", 0, text)),
            Self::StrayParenthesis => Err(ParseError::new("an opening parenthesis", 0, b")")),
            Self::TooLong => expected("a message of at most 4096 bytes"),
            Self::TooDeep => expected("parentheses at most 32 deep"),
            Self::Unfinished(text) => {
                Err(ParseError::new("a closing parenthesis", text.len(), text))
            }
        }
    }
}

impl Framing for Framer {
    type Piece = Frame;

    fn push(&mut self, bytes: &[u8]) {
        let (held, rest) = self.mark.filter(bytes);
        self.input.extend(held.iter().chain(rest));
    }

    /// Takes the end of input: what is left over becomes a last frame.
    fn finish(&mut self) {
        self.ended = true;
    }

    fn next_piece(&mut self) -> Option<Frame> {
        while let Some(byte) = self.input.pop_front() {
            if let Some(frame) = self.step(byte) {
                return Some(frame);
            }
        }
        if self.ended { self.last_frame() } else { None }
    }

    fn take_mark(&mut self) -> bool {
        self.mark.take()
    }
}

impl Framer {
    /// Returns the dialect, once the first message has shown it.
    pub const fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    fn step(&mut self, byte: u8) -> Option<Frame> {
        match self.state {
            State::Between => self.begin(byte),
            State::Expression(nesting) => self.in_expression(byte, nesting.after(byte)),
            State::SkippedExpression(nesting) => {
                self.skip(nesting.after(byte));
                None
            }
            State::Text => self.in_text(byte),
            State::SkippedText => {
                if byte == b'\n' {
                    self.state = State::Between;
                } else if byte == b'(' && self.dialect != Some(Dialect::Lines) {
                    self.open();
                }
                None
            }
        }
    }

    fn begin(&mut self, byte: u8) -> Option<Frame> {
        let lines = self.dialect == Some(Dialect::Lines);
        match byte {
            _ if byte.is_ascii_whitespace() => None,
            b')' if !lines => {
                let first = !core::mem::replace(&mut self.strays_reported, true);
                first.then_some(Frame::StrayParenthesis)
            }
            b'(' if !lines => {
                self.open();
                None
            }
            _ => {
                self.strays_reported = false;
                self.state = State::Text;
                self.partial.push(byte);
                None
            }
        }
    }

    /// Begins an expression.
    fn open(&mut self) {
        self.strays_reported = false;
        self.state = State::Expression(Nesting::OPENED);
        self.partial.push(b'(');
    }

    /// Takes a byte of an expression, which is in `nesting` after it.
    fn in_expression(&mut self, byte: u8, nesting: Nesting) -> Option<Frame> {
        if nesting.depth() > MAX_DEPTH {
            self.skip(nesting);
            return Some(Frame::TooDeep);
        }
        if self.partial.len() == MAX_LENGTH {
            self.skip(nesting);
            return Some(Frame::TooLong);
        }
        self.partial.push(byte);
        if nesting.is_closed() {
            self.state = State::Between;
            let text = self.take();
            if self.dialect.is_none() && parse_expression(&text).is_ok() {
                self.dialect = Some(Dialect::Expressions);
            }
            return Some(Frame::Expression(text));
        }
        self.state = State::Expression(nesting);
        None
    }

    /// Drops an expression over a limit.
    fn skip(&mut self, nesting: Nesting) {
        self.partial.clear();
        self.state = if nesting.is_closed() {
            State::Between
        } else {
            State::SkippedExpression(nesting)
        };
    }

    fn in_text(&mut self, byte: u8) -> Option<Frame> {
        match byte {
            b'\n' => Some(self.end_text()),
            b'(' if self.opens_expression() => {
                let garbage = self.take();
                self.open();
                Some(Frame::Garbage(garbage))
            }
            _ if self.partial.len() == MAX_LENGTH => {
                self.partial.clear();
                self.state = State::SkippedText;
                Some(Frame::TooLong)
            }
            _ => {
                self.partial.push(byte);
                None
            }
        }
    }

    /// Returns `true` if a parenthesis after the text so far begins an expression. It does not
    /// within a comment of the other dialect.
    fn opens_expression(&self) -> bool {
        match self.dialect {
            Some(Dialect::Expressions) => true,
            Some(Dialect::Lines) => false,
            None => !matches!(
                parse_line(&self.partial),
                Ok(Parsed {
                    message: Message::Comment(_),
                    ..
                })
            ),
        }
    }

    /// Ends text at its line end. The first text that is a message settles the dialect.
    fn end_text(&mut self) -> Frame {
        self.state = State::Between;
        let mut text = self.take();
        if text.last() == Some(&b'\r') {
            text.pop();
        }
        if self.dialect.is_none() && parse_line(&text).is_ok() {
            self.dialect = Some(Dialect::Lines);
        }
        match self.dialect {
            Some(Dialect::Lines) => Frame::Line(text),
            _ => Frame::Garbage(text),
        }
    }

    fn last_frame(&mut self) -> Option<Frame> {
        match core::mem::take(&mut self.state) {
            State::Text => Some(self.end_text()),
            State::Expression(_) => Some(Frame::Unfinished(self.take())),
            State::Between | State::SkippedExpression(_) | State::SkippedText => None,
        }
    }

    /// Returns the bytes of the message in progress.
    pub(super) fn partial(&self) -> &[u8] {
        &self.partial
    }

    fn take(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.partial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{format, string::String};

    fn frames(text: &str) -> Vec<Frame> {
        let mut framer = Framer::default();
        framer.push(text.as_bytes());
        framer.finish();
        core::iter::from_fn(|| framer.next_piece()).collect()
    }

    fn expression(text: &str) -> Frame {
        Frame::Expression(text.into())
    }

    fn line(text: &str) -> Frame {
        Frame::Line(text.into())
    }

    fn garbage(text: &str) -> Frame {
        Frame::Garbage(text.into())
    }

    #[test]
    fn a_message_ends_at_its_parenthesis() {
        assert_eq!(
            frames("(I B)(W\nc\r\n3) (C (a\n(b)))\n"),
            ["(I B)", "(W\nc\r\n3)", "(C (a\n(b)))"].map(expression)
        );
    }

    #[test]
    fn a_parenthesis_in_a_string_keeps_no_message_open() {
        for comment in [
            r#"(C "sad :(")"#,
            r#"(C ("sad :("))"#,
            r#"(C "(\"(" (and "((" again))"#,
            // Marks without a partner, apostrophes and strings that are not closed on their line.
            r#"(C 5" wide)"#,
            r#"(C (5" (wide)))"#,
            "(C it's (5' \"wide)\n\")",
            "(C \"(\n\"))",
        ] {
            let frames = frames(&format!("{comment} (W c 3)\n(W c 5)\n"));
            assert_eq!(frames, [comment, "(W c 3)", "(W c 5)"].map(expression));
            assert!(expression(comment).parse().is_ok(), "{comment}");
        }
        let deep = format!(r#"(C "{}")(W)"#, "(".repeat(MAX_DEPTH));
        assert_eq!(frames(&deep), [Frame::TooDeep, expression("(W)")]);
    }

    #[test]
    fn stray_parentheses_are_skipped_and_told_once_in_a_row() {
        assert_eq!(
            frames("))) )(W))\n)(B)"),
            [
                Frame::StrayParenthesis,
                expression("(W)"),
                Frame::StrayParenthesis,
                expression("(B)")
            ]
        );
    }

    #[test]
    fn text_outside_parentheses_is_garbage() {
        assert_eq!(
            frames("(W) hello (B)\nworld\n"),
            [
                expression("(W)"),
                garbage("hello "),
                expression("(B)"),
                garbage("world")
            ]
        );
        assert_eq!(
            frames("Welcome\nto (I B)\nI B\n"),
            [
                garbage("Welcome"),
                garbage("to "),
                expression("(I B)"),
                garbage("I B")
            ]
        );
    }

    #[test]
    fn a_first_message_without_parentheses_sets_the_dialect() {
        assert_eq!(
            frames(")\nI B\r\n\nB d 3\nC (x\n-12"),
            [
                Frame::StrayParenthesis,
                line("I B"),
                line("B d 3"),
                line("C (x"),
                line("-12")
            ]
        );
        assert_eq!(
            frames("C hello (you)\n"),
            [line("C hello (you)")],
            "a comment may hold parentheses"
        );
    }

    #[test]
    fn what_is_no_message_sets_no_dialect() {
        assert_eq!(
            frames("Bot (version 2)\nI B\n(W c 3)\n"),
            [
                garbage("Bot "),
                expression("(version 2)"),
                line("I B"),
                line("(W c 3)")
            ]
        );
    }

    #[test]
    fn parentheses_mean_nothing_in_the_dialect_without_them() {
        assert_eq!(
            frames("I B\n) W\n(W c 3)\nW\n"),
            ["I B", ") W", "(W c 3)", "W"].map(line)
        );
    }

    #[test]
    fn over_the_caps_nothing_is_kept() {
        let mut framer = Framer::default();
        framer.push(b"(C ");
        for _ in 0..100 {
            framer.push(&[b'x'; 1000]);
            while framer.next_piece().is_some() {}
            assert!(framer.partial.len() <= MAX_LENGTH && framer.input.is_empty());
        }
        framer.push(b"))(W)");
        assert_eq!(framer.next_piece(), Some(Frame::StrayParenthesis));
        assert_eq!(framer.next_piece(), Some(expression("(W)")));
    }

    #[test]
    fn caps_hold_to_the_byte_and_to_the_level() {
        let fits = format!("(C {})", "x".repeat(MAX_LENGTH - 4));
        assert_eq!(frames(&fits), [expression(&fits)]);
        let over = format!("(C {})(W)", "x".repeat(MAX_LENGTH - 3));
        assert_eq!(frames(&over), [Frame::TooLong, expression("(W)")]);
        let nested = |levels| "(".repeat(levels) + &")".repeat(levels);
        assert_eq!(frames(&nested(MAX_DEPTH)), [expression(&nested(MAX_DEPTH))]);
        let over = nested(MAX_DEPTH + 1) + "(W)";
        assert_eq!(frames(&over), [Frame::TooDeep, expression("(W)")]);
        let long_line = format!("I B\n{}\nW\n", "x".repeat(MAX_LENGTH + 1));
        assert_eq!(frames(&long_line), [line("I B"), Frame::TooLong, line("W")]);
        let long_garbage = format!("(I B){}(W)", "x".repeat(2 * MAX_LENGTH));
        assert_eq!(
            frames(&long_garbage),
            [expression("(I B)"), Frame::TooLong, expression("(W)")]
        );
    }

    #[test]
    fn the_end_of_input_shows_what_is_unfinished() {
        assert_eq!(frames("(W c"), [Frame::Unfinished(b"(W c".to_vec())]);
        assert_eq!(frames("(W)\n "), [expression("(W)")]);
    }

    proptest! {
        #[test]
        fn strings_never_make_a_message_longer(text in r#"\(C [()"\\ a\n]{0,40}"#) {
            let mut depth = 0i32;
            let end = text.bytes().position(|byte| {
                depth += i32::from(byte == b'(') - i32::from(byte == b')');
                depth == 0
            });
            if let Some(end) = end {
                let first = &frames(&text)[0];
                prop_assert!(matches!(first, Frame::Expression(read) if read.len() <= end + 1));
                prop_assert!(first.parse().is_ok());
            }
        }

        #[test]
        fn expressions_come_out_as_they_went_in(parts in prop::collection::vec(r"\([a-z ]{0,5}(\([a-z\n]{0,5}\)){0,2}\)", 0..6)) {
            let text: String = parts.concat();
            let expect: Vec<Frame> = parts.iter().map(|part| expression(part)).collect();
            prop_assert_eq!(frames(&text), expect);
        }
    }
}
