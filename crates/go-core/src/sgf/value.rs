//! Values of properties: text and points.

use alloc::string::String;

use crate::{Move, Point, PointSet, Size};

/// Escapes `]` and `\` in text for a value.
pub(super) fn escape(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            value.push('\\');
        }
        value.push(c);
    }
    value
}

/// Returns the length of the value at the start of a text, up to its `]`, or `None` if it is not closed.
pub(super) fn value_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b']' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// Returns the text of a value: removes escapes and escaped line breaks, and converts every other line break to `\n`
/// and other white space to spaces.
pub(super) fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escaped = c == '\\';
        let c = match is_escaped.then(|| chars.next()) {
            None => c,
            Some(Some(escaped)) => escaped,
            Some(None) => break,
        };
        match c {
            '\n' | '\r' => {
                // Two different line break characters in a row are one line break.
                chars.next_if(|&next| matches!(next, '\n' | '\r') && next != c);
                if !is_escaped {
                    text.push('\n');
                }
            }
            '\t' | '\u{b}' | '\u{c}' => text.push(' '),
            _ => text.push(c),
        }
    }
    text
}

/// Parses a move: two letters, column and row from the top left; nothing, or `tt` up to 19x19, for a pass. `None` if
/// the value is invalid.
pub(super) fn read_move(value: &str, size: Size) -> Option<Move> {
    let value = value.trim();
    if value.is_empty() || value == "tt" && size <= Size::NINETEEN {
        return Some(Move::Pass);
    }
    read_point(value, size).map(Move::Place)
}

/// Parses a point; `None` if it is invalid or off the board.
pub(super) fn read_point(value: &str, size: Size) -> Option<Point> {
    let [column, row] = value.trim().as_bytes() else {
        return None;
    };
    let place = |letter: u8| letter.is_ascii_lowercase().then(|| letter - b'a');
    let row = size.lines().checked_sub(place(*row)? + 1)?;
    Point::new(place(*column)?, row).filter(|&point| size.contains(point))
}

/// Parses a list value: a point, or a rectangle given by two corners, `aa:cc`.
pub(super) fn read_points(value: &str, size: Size) -> Option<PointSet> {
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let (first, last) = (read_point(first, size)?, read_point(last, size)?);
    let columns = first.column().min(last.column())..=first.column().max(last.column());
    let rows = first.row().min(last.row())..=first.row().max(last.row());
    let in_rectangle =
        |point: &Point| columns.contains(&point.column()) && rows.contains(&point.row());
    Some(size.points().filter(in_rectangle).collect())
}

/// Formats a move: two letters, or nothing for a pass.
pub(super) fn move_value(mv: Move, size: Size) -> String {
    mv.point()
        .map(|point| point_value(point, size))
        .unwrap_or_default()
}

/// Formats a point.
pub(super) fn point_value(point: Point, size: Size) -> String {
    let letter = |place: u8| (b'a' + place) as char;
    let row = size.lines() - 1 - point.row();
    [letter(point.column()), letter(row)].into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn text_round_trips_through_escapes() {
        for text in ["", "plain", "a]b", "\\", "]\\]", "line\nbreak", "é: 囲碁"] {
            assert_eq!(unescape(&escape(text)), text);
        }
        assert_eq!(escape("a]\\"), "a\\]\\\\");
    }

    #[test]
    fn white_space_is_read_as_specified() {
        for (value, text) in [
            ("a\\\nb", "ab"),
            ("a\\\r\nb", "ab"),
            ("a\r\nb\n\rc\rd\n\ne", "a\nb\nc\nd\n\ne"),
            ("a\tb\u{b}c\\\td", "a b c d"),
            ("a\\:b\\]c\\d", "a:b]cd"),
            ("a\\", "a"),
        ] {
            assert_eq!(unescape(value), text, "{value:?}");
        }
    }

    #[test]
    fn points_are_counted_from_the_top_left() {
        let size = Size::NINE;
        for point in size.points() {
            assert_eq!(read_point(&point_value(point, size), size), Some(point));
        }
        let name = |value| read_point(value, size).map(|point| point.to_string());
        assert_eq!(name("aa").as_deref(), Some("A9"));
        assert_eq!(name(" ic ").as_deref(), Some("J7"));
        for value in ["", "a", "aaa", "ja", "aj", "AA", "a1", "é"] {
            assert_eq!(name(value), None, "{value}");
        }
    }

    #[test]
    fn passes_are_empty_or_off_the_board() {
        let mv = |value, lines| read_move(value, Size::new(lines).unwrap());
        assert_eq!(
            [mv("", 9), mv("tt", 9), mv("tt", 19)],
            [Some(Move::Pass); 3]
        );
        let far: Point = "U2".parse().unwrap();
        assert_eq!(mv("tt", 21), Some(Move::Place(far)));
        assert_eq!(mv("ss", 9), None);
        assert_eq!(move_value(Move::Pass, Size::NINE), "");
        assert_eq!(move_value("A1".parse().unwrap(), Size::NINE), "ai");
    }

    #[test]
    fn list_values_are_points_or_rectangles() {
        let points = |value| read_points(value, Size::NINE).map(|points| points.to_string());
        assert_eq!(points("aa").as_deref(), Some("A9"));
        assert_eq!(points("ba:ab").as_deref(), Some("A8 B8 A9 B9"));
        assert_eq!(points("aa:zz"), None);
        assert_eq!(points("aa:"), None);
    }
}
