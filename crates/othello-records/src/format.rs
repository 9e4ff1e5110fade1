//! The formats, their names, and their detection.

use std::{
    borrow::Cow,
    fmt,
    io::{BufRead, Write},
    str::FromStr,
};

use othello_core::BoardLine;

use crate::{
    Record, RecordError, board, ggf, ggs, logbook, nboard, obf, pgn, quest, sgf, transcript,
    wthor::{self, Header, Names, WriteError},
};

/// A format of game records.
///
/// # Examples
///
/// ```
/// use othello_records::Format;
///
/// assert_eq!(Format::detect(b"1. f5 d6 2. c3"), Ok(Format::Transcript));
/// assert_eq!("ggf".parse(), Ok(Format::Ggf));
/// assert_eq!(Format::Sgf.to_string(), "SGF");
/// let record = Format::Transcript.read(&b"F5 D6"[..]).next().unwrap()?;
/// assert_eq!(record.game.moves().len(), 2);
/// # Ok::<(), othello_records::RecordError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Moves in a line: `f5d6c3`.
    Transcript,
    /// A board in a line of 64 squares.
    Board,
    /// A board in eight lines.
    Rows,
    /// A board as two hexadecimal numbers.
    Hex,
    /// Problems: boards with scores of moves.
    Obf,
    /// Records of GGS and NBoard.
    Ggf,
    /// The Smart Game Format, `GM[2]`.
    Sgf,
    /// Edax's form of PGN.
    Pgn,
    /// The database of the Fédération Française d'Othello.
    Wthor,
    /// Othello Quest's JSON.
    Quest,
    /// The messages of a front end in the NBoard protocol.
    NBoard,
    /// The messages of the game server GGS.
    Ggs,
    /// Logistello's logbook.
    Logbook,
}

/// The error of an unknown format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// The input has nothing but white space.
    #[error("expected game records, found nothing")]
    Empty,
    /// The input is a WTHOR file of names, which accompanies files of games.
    #[error("expected game records, found the names of a WTHOR database")]
    Names,
    /// The input is in a known format other than Othello records.
    #[error("expected records of Othello on 8x8, found {0}")]
    Other(&'static str),
    /// The input is in an unknown format.
    #[error(
        "expected moves (f5d6c3), boards of 64 squares, GGF, SGF, PGN, WTHOR, Othello Quest JSON, text of NBoard or \
         GGS, or a logbook"
    )]
    Unknown,
}

/// The error of parsing the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected transcript, board, rows, hex, obf, ggf, sgf, pgn, wthor, quest, nboard, ggs or logbook, found {found:?}"
)]
#[allow(missing_docs)]
pub struct ParseFormatError {
    pub found: String,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 13] = [
        Self::Transcript,
        Self::Board,
        Self::Rows,
        Self::Hex,
        Self::Obf,
        Self::Ggf,
        Self::Sgf,
        Self::Pgn,
        Self::Wthor,
        Self::Quest,
        Self::NBoard,
        Self::Ggs,
        Self::Logbook,
    ];

    /// The number of bytes, after comments at the start of an input, that determine its format.
    pub const DETECTED_BY: usize = 4096;

    /// The name of the format on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Board => "board",
            Self::Rows => "rows",
            Self::Hex => "hex",
            Self::Obf => "obf",
            Self::Ggf => "ggf",
            Self::Sgf => "sgf",
            Self::Pgn => "pgn",
            Self::Wthor => "wthor",
            Self::Quest => "quest",
            Self::NBoard => "nboard",
            Self::Ggs => "ggs",
            Self::Logbook => "logbook",
        }
    }

    /// Detects the format of an input from its first line that is neither empty nor a comment.
    ///
    /// # Errors
    ///
    /// Fails if the format is unknown.
    pub fn detect(beginning: &[u8]) -> Result<Self, DetectError> {
        if let Some(header) = Header::read(beginning).filter(Header::is_plausible) {
            let names = header.has_names().then_some(DetectError::Names);
            return names.map_or(Ok(Self::Wthor), Err);
        }
        let is_wide = |byte: &u8| matches!(byte, 0 | 0xfe | 0xff);
        let text = if beginning.iter().take(2).any(is_wide) {
            Cow::Owned(boardgame_files::decode(beginning).0.into_bytes())
        } else {
            Cow::Borrowed(beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning))
        };
        let text = &*text;
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let line = lines.find(|line| !line.is_empty() && !board::is_comment(line));
        let line = line.ok_or(DetectError::Empty)?;
        let rest = &text[line.as_ptr() as usize - text.as_ptr() as usize..];
        let rest = &rest[..rest.len().min(Self::DETECTED_BY)];
        if let Some(name) = other(line) {
            return Err(DetectError::Other(name));
        }
        let tree = || {
            // Other text may precede the first tree of an SGF file.
            let begin = rest.windows(3).position(|begin| begin == b"\n(;")?;
            Some(of_tree(&rest[begin..]))
        };
        of_line(line, rest)
            .or_else(tree)
            .or_else(|| of_lines(rest))
            .ok_or(DetectError::Unknown)
    }

    /// Reads the records of an input in this format. Players and tournaments of WTHOR are numbers.
    pub fn read<'a>(
        self,
        input: impl BufRead + 'a,
    ) -> Box<dyn Iterator<Item = Result<Record, RecordError>> + 'a> {
        self.read_with(input, &Names::default())
    }

    /// Reads the records of an input in this format, with `names` for the players and tournaments of WTHOR.
    pub fn read_with<'a>(
        self,
        input: impl BufRead + 'a,
        names: &Names,
    ) -> Box<dyn Iterator<Item = Result<Record, RecordError>> + 'a> {
        match self {
            Self::Transcript => Box::new(transcript::read(input)),
            Self::Board | Self::Obf => Box::new(obf::read(input)),
            Self::Rows => Box::new(board::read_rows(input)),
            Self::Hex => Box::new(board::read_hex(input)),
            Self::Ggf => Box::new(ggf::read(input)),
            Self::Sgf => Box::new(sgf::read(input)),
            Self::Pgn => Box::new(pgn::read(input)),
            Self::Wthor => Box::new(wthor::read(input, names.clone())),
            Self::Quest => Box::new(quest::read(input)),
            Self::NBoard => Box::new(nboard::read(input)),
            Self::Ggs => Box::new(ggs::read(input)),
            Self::Logbook => Box::new(logbook::read(input)),
        }
    }
}

/// The format of a text by its first line, `line`.
fn of_line(line: &[u8], text: &[u8]) -> Option<Format> {
    let part = board::board_line(line);
    Some(match line {
        _ if without_number(line).starts_with(b"(") => of_tree(text),
        [b'{', ..] => Format::Quest,
        _ if pgn::is_tag(line) => Format::Pgn,
        [b'[', ..] => Format::Quest,
        _ if nboard::is_line(line) => Format::NBoard,
        _ if ggs::is_line(line) || line.starts_with(b": ") => Format::Ggs,
        _ if logbook::is_game(line) => Format::Logbook,
        _ if board::is_hex(line) => Format::Hex,
        _ if part == Some(BoardLine::Whole) && line.contains(&b';') => Format::Obf,
        _ if part == Some(BoardLine::Whole) => Format::Board,
        _ if part.is_some() => Format::Rows,
        _ if transcript::is_game([line].into_iter()) => Format::Transcript,
        _ => return None,
    })
}

/// The format of a text whose first line is in no format, such as a server's greeting or a heading.
fn of_lines(text: &[u8]) -> Option<Format> {
    let lines = || {
        let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty() && !board::is_comment(line))
    };
    if lines().any(ggs::is_line) {
        Some(Format::Ggs)
    } else {
        transcript::is_game(lines()).then_some(Format::Transcript)
    }
}

/// A description of an input that starts with this line, if it is known not to be games of Othello on 8x8.
fn other(line: &[u8]) -> Option<&'static str> {
    let squares = line.iter().take_while(|byte| b"XxOo*-.".contains(byte));
    let has_disc = squares.clone().any(|byte| b"XxOo*".contains(byte));
    match (line, squares.count()) {
        ([0x1f, 0x8b, ..], _) => Some("a compressed file (gzip)"),
        ([b'P', b'K', 3, 4, ..], _) => Some("an archive or a spreadsheet (zip); CSV is read"),
        ([b'<', ..], _) => Some("a text in HTML or XML"),
        (_, 36) if has_disc => Some("boards of 6x6"),
        (_, 100) if has_disc => Some("boards of 10x10"),
        _ => None,
    }
}

/// GGF or SGF; GGF names its game.
fn of_tree(text: &[u8]) -> Format {
    let text = text.to_ascii_lowercase();
    let end = text
        .windows(2)
        .position(|window| window == b";)")
        .unwrap_or(text.len());
    let game = text[..end].windows(3).position(|window| window == b"gm[");
    let name = game.map(|place| text[place + 3..].trim_ascii_start());
    match name {
        Some([b'0'..=b'9', ..]) => Format::Sgf,
        Some(_) => Format::Ggf,
        None if text[..end].windows(3).any(|window| window == b"bo[") => Format::Ggf,
        None => Format::Sgf,
    }
}

/// The rest after a number and white space, which precede the records of a synchronized game.
fn without_number(line: &[u8]) -> &[u8] {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    line[digits..].trim_ascii_start()
}

impl fmt::Display for Format {
    /// Prints a description such as `GGF` or `a transcript`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transcript => "transcripts",
            Self::Board => "boards in a line",
            Self::Rows => "boards in eight lines",
            Self::Hex => "hexadecimal boards",
            Self::Obf => "OBF problems",
            Self::Ggf => "GGF",
            Self::Sgf => "SGF",
            Self::Pgn => "PGN",
            Self::Wthor => "WTHOR",
            Self::Quest => "Othello Quest JSON",
            Self::NBoard => "NBoard text",
            Self::Ggs => "GGS text",
            Self::Logbook => "a logbook",
        })
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut formats = Self::ALL.into_iter();
        formats
            .find(|format| format.name() == text)
            .ok_or_else(|| ParseFormatError {
                found: text.to_owned(),
            })
    }
}

/// Writes a record in a text format, as number `number` (from 0) in the output. WTHOR has its own
/// [writer](wthor::Writer).
///
/// Refuses a game from a set-up position if the format would turn it into another game.
///
/// # Errors
///
/// Fails if the format cannot hold the game, if it is WTHOR, or if writing fails.
pub fn write_text(
    format: Format,
    record: &Record,
    number: u64,
    mut output: impl Write,
) -> Result<(), WriteError> {
    let begins_as_usual = record.game.start() == othello_core::Board::START;
    if !begins_as_usual
        && !matches!(
            format,
            Format::Board
                | Format::Rows
                | Format::Hex
                | Format::Obf
                | Format::Ggf
                | Format::Sgf
                | Format::Pgn
                | Format::NBoard
                | Format::Ggs
        )
    {
        return Err(WriteError::Start { format });
    }
    if format == Format::Transcript && record.game.moves().is_empty() {
        return Err(WriteError::NoMoves);
    }
    // A line of one or two moves would be read as a continuation of the game before.
    if format == Format::Transcript && number > 0 && record.game.moves().len() <= 2 {
        writeln!(output)?;
    }
    match format {
        Format::Transcript => writeln!(output, "{}", record.game.transcript())?,
        Format::Board => writeln!(output, "{}", record.game.board())?,
        Format::Rows => writeln!(output, "{:#}\n", record.game.board())?,
        Format::Hex => board::write_hex(record, output)?,
        Format::Obf => obf::write(record, output)?,
        Format::Ggf => writeln!(output, "{}", ggf::to_ggf(record))?,
        Format::Sgf => sgf::write(record, output)?,
        Format::Pgn => pgn::write(record, output)?,
        Format::Quest => quest::write(record, output)?,
        Format::NBoard => nboard::write(record, output)?,
        Format::Ggs => ggs::write(record, number, output)?,
        Format::Logbook => logbook::write(record, output)?,
        Format::Wthor => return Err(WriteError::NotText),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_their_first_lines() {
        let start = othello_core::Board::START.to_string();
        let rows = format!("{:#}", othello_core::Board::START);
        for (text, format) in [
            ("f5d6c3", Format::Transcript),
            ("% openings\n\nF5 D6", Format::Transcript),
            ("1. f5 d6", Format::Transcript),
            (&start, Format::Board),
            (&format!("{start}; F5:+0;"), Format::Obf),
            (&rows, Format::Rows),
            ("0000000810000000 0000001008000000 X", Format::Hex),
            ("(;GM[Othello]PC[here]", Format::Ggf),
            ("2 (; gm [othello]", Format::Sgf),
            ("1 (;GM[ othello ]", Format::Ggf),
            ("(;FF[4]GM[2]", Format::Sgf),
            ("(;B[f5];W[d6])", Format::Sgf),
            ("\u{feff}[Event \"x\"]\n", Format::Pgn),
            ("{\"id\":1}", Format::Quest),
            ("[\n {\"id\":1}]", Format::Quest),
            ("nboard 2\n", Format::NBoard),
            ("set game (;GM[Othello];)", Format::NBoard),
            ("/os: join .5 8 K?", Format::Ggs),
            (
                "Generic Game Server\n-------\n: Enter login\nREADY\n/os: join .5 8 K?",
                Format::Ggs,
            ),
            ("id,winner,moves\n7,-1,f5d6c3", Format::Transcript),
            ("76\nC4c3   Diagonal Opening", Format::Transcript),
            ("Tiger;f5d6c3d3c4", Format::Transcript),
            ("+d3-c3", Format::Logbook),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), Ok(format), "{text}");
        }
    }

    #[test]
    fn comments_are_not_games() {
        let corner = format!("#{}", &othello_core::Board::START.to_string()[1..]);
        let corner = corner.replace('X', "#");
        assert_eq!(Format::detect(corner.as_bytes()), Ok(Format::Board));
        let record = Record::from("f5d6c3".parse::<othello_core::Game>().unwrap());
        let formats = Format::ALL.into_iter();
        for format in formats.filter(|&format| format != Format::Wthor) {
            let mut text = b"% a comment\n # (another)\n\n".to_vec();
            write_text(format, &record, 0, &mut text).unwrap();
            text.extend(b"#################\n% 1. the next\n");
            write_text(format, &record, 1, &mut text).unwrap();
            assert_eq!(Format::detect(&text), Ok(format));
            let read: Result<Vec<_>, _> = format.read(text.as_slice()).collect();
            assert_eq!(read.unwrap().len(), 2, "{format}");
        }
    }

    #[test]
    fn other_first_lines_are_an_error() {
        assert_eq!(Format::detect(b" \n% x\n"), Err(DetectError::Empty));
        for text in [
            "hello",
            "hello\nworld",
            "a9",
            "--------- X",
            "\u{1}\u{2}",
            "12 games",
        ] {
            assert_eq!(
                Format::detect(text.as_bytes()),
                Err(DetectError::Unknown),
                "{text}"
            );
        }
        let names = [20, 24, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(Format::detect(&names), Err(DetectError::Names));
    }

    #[test]
    fn format_names_are_distinct_and_parse() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "GGF".parse::<Format>().unwrap_err().to_string();
        for format in Format::ALL {
            assert!(error.contains(format.name()), "{error}");
        }
    }
}
