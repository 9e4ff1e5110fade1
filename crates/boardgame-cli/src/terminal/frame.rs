//! Text on a terminal that the next text replaces.

use std::io::{self, Write};

use crossterm::{
    QueueableCommand as _,
    cursor::MoveToPreviousLine,
    terminal::{self, Clear, ClearType},
};

/// The place on a terminal where one text is drawn over another.
#[derive(Debug, Default)]
pub struct Frame {
    /// The number of lines of the text above the cursor.
    lines: u16,
}

impl Frame {
    /// Draws a text over the previous one, if the terminal is large enough to show all its lines, since only then
    /// can the next text replace it. Otherwise draws nothing. The cursor is left after the text.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn draw(&mut self, out: &mut impl Write, text: &str) -> io::Result<()> {
        self.erase(out)?;
        if fits(text, size()) {
            self.lines = text.matches('\n').count() as u16;
            // In raw mode a line feed alone does not return to the first column.
            out.write_all(text.replace('\n', "\r\n").as_bytes())?;
        }
        out.flush()
    }

    /// Erases the text.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn erase(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.lines > 0 {
            out.queue(MoveToPreviousLine(self.lines))?;
            out.queue(Clear(ClearType::FromCursorDown))?;
            self.lines = 0;
        }
        Ok(())
    }

    /// Leaves the text in place; further output goes beneath it.
    pub fn settle(&mut self) {
        self.lines = 0;
    }
}

/// Returns the number of columns of the terminal.
pub fn columns() -> usize {
    size().0.into()
}

/// Returns the columns and rows of the terminal.
pub(super) fn size() -> (u16, u16) {
    terminal::size().unwrap_or((80, 24))
}

/// Returns whether a terminal shows all lines, each on a line of its own.
pub(super) fn fits(text: &str, (columns, rows): (u16, u16)) -> bool {
    let widest = text.lines().map(width).max().unwrap_or(0);
    widest < columns.into() && text.lines().count() < rows.into()
}

/// Wraps a text to `columns`, between words where possible; text beyond `max_lines` is replaced by an ellipsis.
pub(super) fn wrapped(text: &str, columns: usize, max_lines: usize) -> String {
    let (columns, max_lines) = (columns.max(1), max_lines.max(1));
    let mut lines: Vec<String> = Vec::new();
    let letters: Vec<char> = text.chars().collect();
    let mut rest = &letters[..];
    while !rest.is_empty() {
        let end = if rest.len() <= columns {
            rest.len()
        } else if lines.len() + 1 == max_lines {
            let cut = &rest[..columns - 1];
            lines.push(cut.iter().chain(['…'].iter()).collect());
            break;
        } else {
            let blank = rest[..=columns].iter().rposition(|&letter| letter == ' ');
            blank.filter(|&at| at > 0).unwrap_or(columns)
        };
        lines.push(rest[..end].iter().collect());
        rest = rest[end..].strip_prefix(&[' ']).unwrap_or(&rest[end..]);
    }
    lines.join("\n")
}

/// Returns the number of visible characters of a line, without control sequences.
fn width(line: &str) -> usize {
    let mut letters = line.chars();
    let mut width = 0;
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            // A control sequence ends with its first letter; `[` introduces it.
            letters.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            width += 1;
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_drawn_where_no_line_wraps_or_scrolls_away() {
        let text = format!("{}\n", [" ".repeat(21).as_str(); 11].join("\n"));
        assert!(fits(&text, (80, 24)));
        assert!(!fits(&text, (20, 24)));
        assert!(!fits(&text, (80, 11)));
    }

    #[test]
    fn a_long_text_goes_on_in_the_next_line() {
        assert_eq!(wrapped("", 9, 2), "");
        assert_eq!(wrapped("d3 c4 f5 e6", 11, 1), "d3 c4 f5 e6");
        assert_eq!(wrapped("d3 c4 f5 e6", 5, 9), "d3 c4\nf5 e6");
        assert_eq!(wrapped("d3 c4 f5 e6", 7, 2), "d3 c4\nf5 e6");
        assert_eq!(wrapped("d3 c4 f5 e6", 5, 1), "d3 c…");
        assert_eq!(wrapped("abcdefgh ij", 4, 9), "abcd\nefgh\nij");
    }

    #[test]
    fn colours_take_no_room() {
        assert_eq!(width("\u{1b}[48;5;28m ● \u{1b}[0m|"), 4);
        assert_eq!(width("plain"), 5);
    }

    #[test]
    fn the_next_text_replaces_the_one_before() {
        let mut out = Vec::new();
        let mut frame = Frame::default();
        frame.draw(&mut out, "one\ntwo\n").unwrap();
        frame.draw(&mut out, "three").unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out, "one\r\ntwo\r\n\u{1b}[2F\u{1b}[Jthree");
    }
}
