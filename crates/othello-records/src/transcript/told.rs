//! What a line tells: moves and a name after them, or the row of a table with a column of moves.

use super::{after_separators, first_move, tokens, without_comment};

/// The marks between the fields of a row, in the order in which they are looked for.
const DELIMITERS: &[u8] = b"\t;,|";

/// The largest number of fields of a row.
const MAX_FIELDS: usize = 256;

/// The names of a table's columns.
#[derive(Debug)]
pub(super) struct Heading {
    delimiter: u8,
    names: Vec<String>,
}

impl Heading {
    /// Returns the names in a line, or `None` if it has no two fields, or more than a row.
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

/// What a line tells.
pub(super) struct Told<'a> {
    /// The text of the moves.
    pub(super) moves: &'a [u8],
    /// What else stands in the line, each with the name of its column, empty if it has none.
    pub(super) others: Vec<(&'a str, &'a [u8])>,
    /// It is the row of a table.
    pub(super) is_row: bool,
}

impl<'a> Told<'a> {
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

    /// Reads a row: under a heading, a line of as many fields; else one in which a field has nothing but moves.
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

/// Returns `true` if a line may stand above games: it does not begin like moves, and is no row.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let text = after_separators(line);
    first_move(text).is_none() && !is_like_square(text) && !is_row(line)
}

/// Returns `true` if a line is the row of a table, known without its heading.
pub(super) fn is_row(line: &[u8]) -> bool {
    Told::of(line, None).is_row
}

fn delimiter(line: &[u8]) -> Option<u8> {
    DELIMITERS.iter().copied().find(|byte| line.contains(byte))
}

/// The fields of a row, without the quotes around them; `None` if there are more than a row has.
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

/// The number of moves that a text begins with.
fn moves_of(text: &[u8]) -> usize {
    tokens(text).filter(|(_, mv)| mv.is_some()).count()
}

/// Returns `true` if a text has nothing but moves.
fn is_moves(text: &[u8]) -> bool {
    tokens(text).all(|(_, mv)| mv.is_some())
}

/// Returns `true` for a text that may be meant as moves: it begins with a letter and a digit.
fn is_like_square(text: &[u8]) -> bool {
    matches!(text, [letter, digit, ..] if letter.is_ascii_alphabetic() && digit.is_ascii_digit())
}

/// The place at which a name stands after the moves of a line, or its end: the first word that is no moves, if it has
/// three letters, or one that is not of ASCII, and neither it nor a word after it may be meant as moves.
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
