//! The brackets of GGF, SGF and JSON, by which an input is split into games.

use crate::input::{Brackets, Cut};

/// A GGF record, from `(;` to `;)`. Values have no escapes; a `(;GM[` in a value starts another record.
#[derive(Default)]
pub(crate) struct Ggf {
    in_value: bool,
    last: u8,
}

impl Brackets for Ggf {
    fn take(&mut self, byte: u8) -> bool {
        match byte {
            b'[' => self.in_value = true,
            b']' => self.in_value = false,
            _ => {}
        }
        let last = std::mem::replace(&mut self.last, byte);
        byte == b')' && last == b';' && !self.in_value
    }

    fn begins_again(&self, text: &[u8]) -> Option<usize> {
        ends_with(text, b"(;gm[")
    }

    /// White space, and the number of games before the records of a synchronized game.
    fn is_between(byte: u8) -> bool {
        byte.is_ascii_whitespace() || byte.is_ascii_digit()
    }
}

/// An SGF game tree. A `(;GM[` or `(;FF[` at the start of a line starts another tree.
#[derive(Default)]
pub(crate) struct Sgf {
    depth: usize,
    in_value: bool,
    escaped: bool,
}

impl Brackets for Sgf {
    fn take(&mut self, byte: u8) -> bool {
        if self.in_value {
            self.in_value = self.escaped || byte != b']';
            self.escaped = !self.escaped && byte == b'\\';
            return false;
        }
        match byte {
            b'[' => self.in_value = true,
            b'(' => self.depth += 1,
            b')' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        byte == b')' && self.depth == 0
    }

    fn begins_again(&self, text: &[u8]) -> Option<usize> {
        [b"(;gm[", b"(;ff["]
            .into_iter()
            .find_map(|begin| ends_with(text, begin))
            .filter(|length| text.len() == *length || text[text.len() - length - 1] == b'\n')
    }

    fn is_between(byte: u8) -> bool {
        byte.is_ascii_whitespace()
    }
}

/// A JSON object. A `{` at the start of a line starts another object.
#[derive(Default)]
pub(crate) struct Json {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Brackets for Json {
    fn take(&mut self, byte: u8) -> bool {
        if self.in_string {
            // A string has no line breaks, so this one was not closed.
            self.in_string = byte != b'\n' && (self.escaped || byte != b'"');
            self.escaped = !self.escaped && byte == b'\\';
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.depth += 1,
            b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        byte == b'}' && self.depth == 0
    }

    fn begins_again(&self, text: &[u8]) -> Option<usize> {
        text.ends_with(b"\n{").then_some(1)
    }

    /// White space, and the punctuation of a list of objects.
    fn is_between(byte: u8) -> bool {
        byte.is_ascii_whitespace() || matches!(byte, b'[' | b',' | b']')
    }
}

/// Skips text around games that has no `[` and therefore is not part of a game. If there is no game at all, keeps such
/// text as the only result.
pub(crate) fn records(cuts: impl Iterator<Item = Cut>) -> impl Iterator<Item = Cut> {
    let mut cuts = cuts.fuse();
    let mut has_games = false;
    let mut text = None;
    std::iter::from_fn(move || {
        for cut in cuts.by_ref() {
            if is_record(&cut) {
                has_games = true;
                return Some(cut);
            }
            text.get_or_insert(cut);
        }
        text.take().filter(|_| !has_games)
    })
}

/// Returns `false` for text without `[` and `(;`.
fn is_record(cut: &Cut) -> bool {
    let is_text = |text: &[u8]| !text.contains(&b'[') && !text.windows(2).any(|pair| pair == b"(;");
    !matches!(cut, Ok(chunk) if is_text(&chunk.text))
}

/// The length of the text before a game's `(;`, if the text has no `[` and therefore is not part of a game.
pub(crate) fn text_before(text: &[u8]) -> usize {
    let begin = text.windows(2).position(|pair| pair == b"(;");
    begin
        .filter(|&begin| !text[..begin].contains(&b'['))
        .unwrap_or(0)
}

/// Returns the length of `ending` (given in lower case) if `text` ends with it in any case.
fn ends_with(text: &[u8], ending: &[u8]) -> Option<usize> {
    let end = text.get(text.len().checked_sub(ending.len())?..)?;
    (text.last() == ending.last() && end.eq_ignore_ascii_case(ending)).then_some(ending.len())
}

/// The offset of the move with this number, counted from 1, in the text of a GGF or SGF game; 0 if there is no such
/// move.
pub(crate) fn place_of_move(text: &[u8], number: usize) -> usize {
    let place = moves(text).nth(number.saturating_sub(1));
    place.map_or(0, |(place, _)| place)
}

/// The moves in the text of a GGF or SGF game: the offset of each move's name, and its value.
pub(crate) fn moves(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + text[at..].iter().position(|&byte| byte == b'[')?;
            let name = name_before(&text[at..open]);
            let begin = open - name.len();
            let close = open + 1 + value_length(&text[open + 1..]);
            at = (close + 1).min(text.len());
            if is_move(name) {
                return Some((begin, &text[open + 1..close]));
            }
        }
    })
}

/// The name at the end of a text, and the white space after it.
fn name_before(text: &[u8]) -> &[u8] {
    let blank = text.len() - text.trim_ascii_end().len();
    let letters = text[..text.len() - blank].iter().rev();
    let length = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    &text[text.len() - blank - length..]
}

/// The length of a value up to its closing `]`.
fn value_length(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text.iter().position(|&byte| {
        let ends = !escaped && byte == b']';
        escaped = !escaped && byte == b'\\';
        ends
    });
    end.unwrap_or(text.len())
}

/// Returns `true` for the name of a move: `B` or `W`, in either case in GGF, and with added lower-case letters in old
/// SGF.
fn is_move(name: &[u8]) -> bool {
    let name = name.trim_ascii_end();
    let capitals: Vec<u8> = name
        .iter()
        .copied()
        .filter(u8::is_ascii_uppercase)
        .collect();
    matches!(name, b"b" | b"w") || matches!(capitals.as_slice(), b"B" | b"W")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text up to the end of its first game.
    fn first<B: Brackets>(text: &str) -> &str {
        let mut brackets = B::default();
        let end = text.bytes().position(|byte| brackets.take(byte));
        &text[..=end.expect("an end")]
    }

    #[test]
    fn a_bracket_in_a_value_does_not_end_it() {
        assert_eq!(first::<Ggf>("(;PB[a;)]B[f5];)(;"), "(;PB[a;)]B[f5];)");
        assert_eq!(
            first::<Sgf>(r"(;C[)\])\\](;B[a1])))"),
            r"(;C[)\])\\](;B[a1]))"
        );
        assert_eq!(
            first::<Json>(r#"{"a":"}\"}\\","b":{}}}"#),
            r#"{"a":"}\"}\\","b":{}}"#
        );
        assert_eq!(first::<Json>("{\"a\n}}"), "{\"a\n}");
    }

    #[test]
    fn an_unclosed_game_ends_where_another_begins() {
        assert_eq!(Ggf::default().begins_again(b"(;PB[x(;Gm["), Some(5));
        assert_eq!(Sgf::default().begins_again(b"(;C[x\n(;FF["), Some(5));
        assert_eq!(Sgf::default().begins_again(b"(;C[x (;FF["), None);
        assert_eq!(Sgf::default().begins_again(b"(;C[x\n\\(;FF["), None);
        assert_eq!(Json::default().begins_again(b"{\"a\"\n{"), Some(1));
    }

    #[test]
    fn moves_are_found_by_their_number() {
        let text = b"(;C[B[a1\\]]BR[2];B[f5]W [d6];Black[c3])";
        let place = |number| place_of_move(text, number);
        assert_eq!([1, 2, 3, 4].map(place), [17, 22, 29, 0]);
    }
}
