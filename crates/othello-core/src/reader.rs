//! Board parsing, lenient about the notations of people and programs.

use core::{fmt, str::FromStr};

use crate::{Bitboard, Board, ByColor, Color, Square};

/// The result of [`Board::read`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardReading {
    /// The board.
    pub board: Board,
    /// The interpretation of symbols that programs use differently, or `None` if the notation is unambiguous.
    pub assumption: Option<&'static str>,
}

/// The kinds of lines in the text of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardLine {
    /// The column letters.
    Columns,
    /// A row of eight squares.
    Row,
    /// At least 64 squares.
    Whole,
}

/// The error of parsing a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseBoardError {
    /// The byte offset of the unexpected text.
    pub offset: usize,
    /// The part expected there.
    pub expected: BoardPart,
}

/// The part of a board's text in which parsing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardPart {
    /// One of 64 squares.
    Square,
    /// A row of eight squares in the same form as the rows before.
    Row,
    /// The side to move, after the squares.
    SideToMove,
    /// The symbol used before for discs of this colour.
    Disc(Color),
    /// Digits for discs of both colours, and one symbol for empty squares.
    Digits,
    /// The end of the text.
    End,
}

const BLACK: &str = "X*#@B●⚫";
const WHITE: &str = "O0W○⚪";
const EMPTY: &str = "-._·";

/// The interpretation of digits.
const DIGITS: &str = "1 is Black, 2 White, 0 empty";

impl BoardPart {
    /// A description such as `one of 64 squares (X, O or -)`.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Square => "one of 64 squares (X, O or -)",
            Self::Row => "a row of eight squares",
            Self::SideToMove => "the side to move (X or O)",
            Self::Disc(Color::Black) => "one symbol for all black discs",
            Self::Disc(Color::White) => "one symbol for all white discs",
            Self::Digits => "1, 2 and 0 (Black, White, empty), or X, O and -",
            Self::End => "the end of the board",
        }
    }
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected {} at offset {}",
            self.expected.in_words(),
            self.offset
        )
    }
}

impl core::error::Error for ParseBoardError {}

impl Board {
    /// Reads a board: 64 squares and the side to move.
    ///
    /// The squares are in rows of eight, with or without column letters and row digits, or in lines of any other
    /// length. Black discs are `X`, `*`, `#`, `@`, `B` or `●`, White discs `O`, `0`, `W` or `○`, in either case; each
    /// colour uses one symbol throughout. An empty square is `-`, `.`, `_`, `·` or, in a row, its name. If the discs
    /// are digits, Black is 1, White 2 and an empty square 0, as [`BoardReading::assumption`] reports. White space and
    /// `| / , ( ) >` may separate squares.
    ///
    /// The side to move is a disc symbol or the name of a colour, alone or as in `White to move`; for `game over` it is
    /// Black. Moves with scores after a `;` are skipped, as are lines that begin with `%` or `#`.
    ///
    /// # Errors
    ///
    /// Fails on any other text, if a colour has several symbols, or if the meaning of digits is ambiguous.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::{Board, Square};
    ///
    /// let mut board = Board::START;
    /// board.play(Square::F5)?;
    /// let diagram = board.pretty().last_move(Some(Square::F5)).to_string();
    /// assert_eq!(Board::read(&diagram)?.board, board);
    ///
    /// let digits = "0".repeat(27) + "21000000" + "12" + &"0".repeat(27) + " 1";
    /// let reading = Board::read(&digits)?;
    /// assert_eq!(reading.board, Board::START);
    /// assert_eq!(reading.assumption, Some("1 is Black, 2 White, 0 empty"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(text: &str) -> Result<BoardReading, ParseBoardError> {
        let (reading, end) = Self::read_first(text)?;
        let line_end = text[end..]
            .find('\n')
            .map_or(text.len(), |line| end + line + 1);
        match lines(text, line_end).next() {
            None => Ok(reading),
            Some((offset, _)) => Err(error(offset, BoardPart::End)),
        }
    }

    /// Reads the board at the start of a text, in any form that [`Board::read`] accepts, and returns it with the offset
    /// just past its side to move.
    ///
    /// # Errors
    ///
    /// The errors of [`Board::read`], except that any text may follow.
    pub fn read_first(text: &str) -> Result<(BoardReading, usize), ParseBoardError> {
        let missing = |expected| error(text.len(), expected);
        let mut lines = lines(text, 0);
        let mut squares = Squares::from_row(0);
        let mut in_rows = None;
        let (mut offset, mut rest) = (0, "");
        while squares.count < 64 {
            let (at, line) = lines.next().ok_or(missing(BoardPart::Square))?;
            let in_rows =
                *in_rows.get_or_insert_with(|| BoardLine::of(line) == Some(BoardLine::Row));
            let end = if in_rows {
                squares.take_row(at, line, has_digits_of_rows(text))?
            } else {
                squares.take_run(at, line)?
            };
            (offset, rest) = (at + end, &line[end..]);
        }
        let (discs, digits) = squares.discs()?;
        if is_blank(rest) {
            (offset, rest) = lines.next().ok_or(missing(BoardPart::SideToMove))?;
        }
        let side_text = rest.trim_start_matches(is_separator);
        offset += rest.len() - side_text.len();
        let (side, length) = side(side_text, digits).ok_or(error(offset, BoardPart::SideToMove))?;
        // No square is in both sets, because each square has one symbol.
        let board = Self::from_discs_unchecked(discs, side);
        let assumption = digits.then_some(DIGITS);
        Ok((BoardReading { board, assumption }, offset + length))
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads a board in any form that [`Board::read`] accepts.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::read(text).map(|reading| reading.board)
    }
}

impl BoardLine {
    /// Classifies a line of text, or returns `None` if it is not part of a board.
    pub fn of(line: &str) -> Option<Self> {
        let is_row = |row| {
            let read = Squares::from_row(row).take_row(0, line, false);
            read.is_ok_and(|end| is_blank(&line[end..]))
        };
        match Symbols::of(line).count() {
            _ if is_columns(line) => Some(Self::Columns),
            8..=10 => (0..8).any(is_row).then_some(Self::Row),
            _ => whole(line).map(|_| Self::Whole),
        }
    }

    /// Returns `true` for a comment line: a line that begins with `%`, or with `#` and is not part of a board.
    pub fn is_comment(line: &str) -> bool {
        let line = line.trim_start_matches(is_separator);
        let is_board = || match Self::of(line) {
            Some(Self::Whole) => whole(line).is_some_and(|end| {
                let rest = line[end..].trim_start_matches(is_separator);
                side(rest, false).is_some()
            }),
            part => part.is_some(),
        };
        line.starts_with('%') || line.starts_with('#') && !is_board()
    }
}

/// The end of the first 64 squares of a line.
fn whole(line: &str) -> Option<usize> {
    let mut squares = Squares::from_row(0);
    let end = squares.take_run(0, line).ok()?;
    (squares.count == 64).then_some(end)
}

const fn error(offset: usize, expected: BoardPart) -> ParseBoardError {
    ParseBoardError { offset, expected }
}

/// The lines of a text from an offset on, with their offsets, without blank lines, comments and column letters.
pub(crate) fn lines(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut next = from;
    let lines = text[from..].split_inclusive('\n').map(move |line| {
        let offset = next;
        next += line.len();
        (offset, line)
    });
    lines.filter(|(_, line)| !is_blank(line) && !is_columns(line) && !BoardLine::is_comment(line))
}

fn is_separator(symbol: char) -> bool {
    symbol.is_whitespace() || "|/,()>\u{feff}".contains(symbol)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_separator)
}

fn is_columns(line: &str) -> bool {
    let letters = line.chars().filter(|&symbol| !is_separator(symbol));
    letters
        .map(|letter| letter.to_ascii_lowercase())
        .eq("abcdefgh".chars())
}

/// Returns `true` if the rows begin with their digits: a 3 cannot stand for a square.
fn has_digits_of_rows(text: &str) -> bool {
    let mut lines = lines(text, 0).take(3);
    lines.any(|(_, line)| line.trim_start_matches(is_separator).starts_with('3'))
}

/// A square in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    /// A symbol in upper case, or a digit, which may also be a row's number.
    Mark(char),
    /// The name of an empty square; must be separated from a symbol before it.
    Name(Square),
}

/// An iterator over the symbols at the start of a line, with their offsets.
#[derive(Clone)]
struct Symbols<'a> {
    line: &'a str,
    /// The offset just past the last symbol.
    end: usize,
}

impl<'a> Symbols<'a> {
    const fn of(line: &'a str) -> Self {
        Self { line, end: 0 }
    }
}

impl Iterator for Symbols<'_> {
    type Item = (usize, Symbol);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.line[self.end..].trim_start_matches(is_separator);
        let offset = self.line.len() - rest.len();
        let name = rest.get(..2).and_then(|name| name.parse().ok());
        if let Some(square) = name.filter(|_| offset == 0 || offset > self.end) {
            self.end = offset + 2;
            return Some((offset, Symbol::Name(square)));
        }
        let symbol = rest.chars().next()?.to_ascii_uppercase();
        let is_mark = |symbols: &&str| symbols.contains(symbol);
        let known = [BLACK, WHITE, EMPTY].iter().any(is_mark) || symbol.is_ascii_digit();
        self.end = if known {
            offset + symbol.len_utf8()
        } else {
            self.end
        };
        known.then_some((offset, Symbol::Mark(symbol)))
    }
}

/// The squares read so far.
struct Squares {
    /// Their symbols, with offsets.
    marks: [(char, usize); 64],
    count: usize,
}

impl Squares {
    /// Starts at a row, 0 to 7; all squares before it count as read.
    const fn from_row(row: usize) -> Self {
        Self {
            marks: [('-', 0); 64],
            count: 8 * row,
        }
    }

    fn push(&mut self, mark: char, offset: usize) {
        self.marks[self.count] = (mark, offset);
        self.count += 1;
    }

    /// Reads squares up to the end of the line or of the board, and returns the offset just past them.
    fn take_run(&mut self, offset: usize, line: &str) -> Result<usize, ParseBoardError> {
        let mut symbols = Symbols::of(line);
        while self.count < 64 {
            match symbols.next() {
                Some((at, Symbol::Mark(mark))) if !matches!(mark, '3'..='9') => {
                    self.push(mark, offset + at);
                }
                Some((at, _)) => return Err(error(offset + at, BoardPart::Square)),
                None => break,
            }
        }
        if self.count < 64 && !is_blank(&line[symbols.end..]) {
            return Err(error(offset + stop(line, symbols.end), BoardPart::Square));
        }
        Ok(symbols.end)
    }

    /// Reads the next row, and returns the offset just past it. `numbered` resolves an ambiguity of rows 1 and 2 that
    /// begin and end with their digit: whether the first digit is the row's number or a disc.
    fn take_row(
        &mut self,
        offset: usize,
        line: &str,
        numbered: bool,
    ) -> Result<usize, ParseBoardError> {
        let row = self.count / 8;
        let digit = Symbol::Mark(char::from(b'1' + row as u8));
        let mut symbols = Symbols::of(line);
        let is_digit =
            |symbol: Option<(usize, Symbol)>| symbol.is_some_and(|(_, symbol)| symbol == digit);
        let begins = is_digit(symbols.clone().next());
        let ends = is_digit(symbols.clone().last());
        let is_number = match symbols.clone().count() {
            _ if row >= 2 => true,
            9 => numbered || !ends,
            count => count > 9,
        };
        if begins && is_number {
            symbols.next();
        }
        for column in 0..8 {
            match symbols.next() {
                Some((at, Symbol::Mark(mark))) if !matches!(mark, '3'..='9') => {
                    self.push(mark, offset + at);
                }
                Some((at, Symbol::Name(square)))
                    if usize::from(square.index()) == 8 * row + column =>
                {
                    self.push('-', offset + at);
                }
                other => {
                    let at = other.map_or(stop(line, symbols.end), |(at, _)| at);
                    return Err(error(offset + at, BoardPart::Row));
                }
            }
        }
        let mut after = symbols.clone();
        if is_digit(after.next()) {
            symbols = after;
        }
        let end = symbols.end;
        if row < 7 && !is_blank(&line[end..]) {
            return Err(error(offset + stop(line, end), BoardPart::Row));
        }
        Ok(end)
    }

    /// Returns the discs, and whether digits stand for them.
    fn discs(&self) -> Result<(ByColor<Bitboard>, bool), ParseBoardError> {
        let has = |mark| self.marks.iter().any(|&(found, _)| found == mark);
        let digits = has('1') || has('2');
        let empty = if digits && has('0') { "0" } else { EMPTY };
        let (black, white) = discs_of(digits);
        let mut discs: ByColor<Bitboard> = ByColor::default();
        let mut symbols: ByColor<Option<char>> = ByColor::default();
        for (square, &(mark, offset)) in Square::ALL.into_iter().zip(&self.marks) {
            let color = if black.contains(mark) {
                Color::Black
            } else if white.contains(mark) {
                Color::White
            } else if empty.contains(mark) {
                continue;
            } else {
                return Err(error(offset, BoardPart::Digits));
            };
            // Some programs write the letter O as a zero.
            let mark = if mark == '0' { 'O' } else { mark };
            if *symbols[color].get_or_insert(mark) != mark {
                return Err(error(offset, BoardPart::Disc(color)));
            }
            discs[color] |= square.into();
        }
        if digits && symbols.iter().any(Option::is_none) {
            return Err(error(self.marks[0].1, BoardPart::Digits));
        }
        Ok((discs, digits))
    }
}

/// The symbols of a black and a white disc.
const fn discs_of(digits: bool) -> (&'static str, &'static str) {
    if digits { ("1", "2") } else { (BLACK, WHITE) }
}

/// The offset of the text after the symbols, or the end of the line.
fn stop(line: &str, end: usize) -> usize {
    match line[end..].trim_start_matches(is_separator) {
        "" => line.trim_end().len(),
        rest => line.len() - rest.len(),
    }
}

/// Parses the side to move at the start of a text, and returns it with the length of its text.
fn side(rest: &str, digits: bool) -> Option<(Color, usize)> {
    let end = rest.find(|symbol: char| symbol.is_whitespace() || ";%".contains(symbol));
    let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
    let after = after.trim_start();
    if after.is_empty() || after.starts_with([';', '%', '#']) {
        return color(word, digits).map(|color| (color, word.len()));
    }
    let sentence = rest.split(|symbol: char| symbol.is_whitespace() || ",;:".contains(symbol));
    let mut words = sentence.filter(|word| !word.is_empty());
    let mut before = "";
    while let Some(word) = words.next() {
        let is_end = word.eq_ignore_ascii_case("over");
        let is_turn = word.eq_ignore_ascii_case("to");
        if is_end || is_turn {
            let turn = color(before, digits).or_else(|| color(words.nth(1)?, digits));
            let side = if is_end { Some(Color::Black) } else { turn };
            return side.map(|side| (side, rest.trim_end().len()));
        }
        before = word;
    }
    None
}

/// The colour of a symbol or a name.
fn color(word: &str, digits: bool) -> Option<Color> {
    let mut symbols = word.chars();
    let (black, white) = discs_of(digits);
    match (symbols.next()?.to_ascii_uppercase(), symbols.next()) {
        (symbol, None) if black.contains(symbol) => Some(Color::Black),
        (symbol, None) if white.contains(symbol) => Some(Color::White),
        _ => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests;
