//! The parts of a line: moves and a name after them, or a row of a table with a column of moves.

use super::{after_separators, first_move, tokens, without_comment};

/// The delimiters of fields, in the order in which they are tried.
const DELIMITERS: &[u8] = b"\t;,|";

/// The maximum number of fields in a row.
const MAX_FIELDS: usize = 256;

/// The column names of a table.
#[derive(Debug)]
pub(super) struct Heading {
    delimiter: u8,
    names: Vec<String>,
}

impl Heading {
    /// Parses the names in a line, or returns `None` if it has fewer than two fields or more than [`MAX_FIELDS`].
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let delimiter = delimiter(line)?;
        let names = fields(line, delimiter)?.into_iter();
        let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
        Some(Self {
            delimiter,
            names: names.collect(),
        })
    }
}

/// The parts of a line.
pub(super) struct LineParts<'a> {
    /// The text of the moves.
    pub(super) moves: &'a [u8],
    /// The other texts in the line, each with its column name, or an empty name.
    pub(super) others: Vec<(&'a str, &'a [u8])>,
    /// True for a row of a table.
    pub(super) is_row: bool,
}

impl<'a> LineParts<'a> {
    pub(super) fn of(line: &'a [u8], heading: Option<&'a Heading>) -> Self {
        let code = without_comment(line);
        if let Some(row) = Self::of_row(line, code, heading) {
            return row;
        }
        let (moves, name) = code.split_at(name_at(code));
        let name = name.trim_ascii();
        Self {
            moves,
            others: Vec::from_iter((!name.is_empty()).then_some(("", name))),
            is_row: false,
        }
    }

    /// Parses a row: with a heading, a line with the same number of fields; otherwise a line with a field that is
    /// nothing but moves.
    fn of_row(line: &'a [u8], code: &'a [u8], heading: Option<&'a Heading>) -> Option<Self> {
        let mark = heading.map_or_else(|| delimiter(line), |heading| Some(heading.delimiter));
        let fields = fields(line, mark.unwrap_or(b','))?;
        let heading = heading.filter(|heading| heading.names.len() == fields.len());
        if heading.is_none() && is_moves(code) {
            return None;
        }
        let columns = 0..fields.len();
        let column = columns
            .rev()
            .max_by_key(|&column| moves_of(fields[column]))?;
        let moves = match fields[column] {
            field if moves_of(field) == 0 => &line[..0],
            field => field,
        };
        let others = || (0..fields.len()).filter(|&other| other != column);
        let is_row = heading.is_some()
            || moves_of(moves) > 1
                && is_moves(moves)
                && others().all(|column| !is_like_square(fields[column]));
        let name = |column: usize| heading.map_or("", |heading| &heading.names[column]);
        is_row.then(|| Self {
            moves,
            others: others()
                .map(|column| (name(column), fields[column]))
                .collect(),
            is_row,
        })
    }
}

/// Returns `true` for a possible heading: a line that neither begins like moves nor is a row.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let text = after_separators(line);
    first_move(text).is_none() && !is_like_square(text) && !is_row(line)
}

/// Returns `true` if a line is a row of a table even without a heading.
pub(super) fn is_row(line: &[u8]) -> bool {
    LineParts::of(line, None).is_row
}

fn delimiter(line: &[u8]) -> Option<u8> {
    DELIMITERS.iter().copied().find(|byte| line.contains(byte))
}

/// The fields of a row without their quotes, or `None` if there are more than [`MAX_FIELDS`].
fn fields(line: &[u8], delimiter: u8) -> Option<Vec<&[u8]>> {
    let mut is_quoted = false;
    let fields = line.split(move |&byte| {
        is_quoted ^= byte == b'"';
        byte == delimiter && !is_quoted
    });
    let fields = fields.map(|field| {
        let field = field.trim_ascii();
        let inner = field
            .strip_prefix(b"\"")
            .and_then(|field| field.strip_suffix(b"\""));
        inner.unwrap_or(field)
    });
    let fields: Vec<_> = fields.take(MAX_FIELDS + 1).collect();
    (fields.len() <= MAX_FIELDS).then_some(fields)
}

/// The number of moves at the start of a text.
fn moves_of(text: &[u8]) -> usize {
    tokens(text).filter(|(_, mv)| mv.is_some()).count()
}

/// Returns `true` if a text is nothing but moves.
fn is_moves(text: &[u8]) -> bool {
    tokens(text).all(|(_, mv)| mv.is_some())
}

/// Returns `true` for a text that may be meant as moves: it begins with a letter and a digit.
fn is_like_square(text: &[u8]) -> bool {
    matches!(text, [letter, digit, ..] if letter.is_ascii_alphabetic() && digit.is_ascii_digit())
}

/// The offset of the name after the moves of a line, or the end of the line. The name starts with the first word that
/// is not a move, if the word has three letters or a non-ASCII letter, and no word from there on may be meant as moves.
fn name_at(line: &[u8]) -> usize {
    let mut at = 0;
    for word in line.split_inclusive(u8::is_ascii_whitespace) {
        if !is_moves(word) {
            break;
        }
        at += word.len();
    }
    let mut words = line[at..].split(u8::is_ascii_whitespace).peekable();
    let letters = words.peek().map_or(0, |word| {
        let weight = |byte: &u8| {
            if byte.is_ascii() {
                usize::from(byte.is_ascii_alphabetic())
            } else {
                3
            }
        };
        word.iter().map(weight).sum()
    });
    let is_name = moves_of(&line[..at]) > 0 && letters >= 3 && !words.any(is_like_square);
    if is_name { at } else { line.len() }
}
