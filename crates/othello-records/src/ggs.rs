//! Messages of the game server GGS about games: `join` with the board and the moves so far, `update` with a move,
//! `end`.
//!
//! ```text
//! /os: join .5 8 K?
//! |0 move(s)
//! |  0: PASS
//! |alice    (1720.0 *) 05:00,0:0//02:00,0:0
//! |bob      (1700.0 O) 05:00,0:0//02:00,0:0
//! |
//! |   A B C D E F G H
//! | 1 - - - - - - - - 1
//! …
//! |   A B C D E F G H
//! |
//! |* to move
//! ```
//!
//! If there are moves, the board and the clocks are from the start of the game, and the moves follow: `|  1:
//! d3/1.20/3.1`. The current board after them is redundant. A GGF record in a line is read too.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Cursor, Write},
    iter,
};

use boardgame_files::TextReader;
use othello_core::{Board, Color, Game};
use othello_proto::ggf::{self, MoveItem};

use crate::{
    Clock, Note, Outcome, Player, Record, RecordError,
    brackets::Ggf,
    error::{Fault, RecordErrorKind},
    input::{Bracketed, Chunk, Cut, MAX_GAME, append_line, games},
};

/// The maximum number of games followed at the same time; when another one starts, the oldest is ended.
const MAX_OPEN: usize = 1000;

/// Reads games. A game without an end message ends with the input. Other lines are skipped.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    Session {
        input: TextReader::new(input),
        encoding: None,
        damage: None,
        open: VecDeque::new(),
        ready: VecDeque::new(),
        of_line: Box::new(iter::empty()),
        block: None,
        games: 0,
        ended: false,
    }
}

/// Returns `true` for a line of the Othello service, or for the server's prompt.
pub(crate) fn is_line(line: &[u8]) -> bool {
    is_message(line) || line.starts_with(b"READY")
}

fn is_message(line: &[u8]) -> bool {
    line.starts_with(b"/os:")
}

/// A game being followed.
struct Open {
    id: String,
    number: u64,
    record: Record,
    /// The error after which the game can no longer be followed, with its offset.
    fault: Option<(u64, RecordErrorKind)>,
}

/// A message: its first line and the following lines that begin with `|`.
struct Block {
    offset: u64,
    lines: Vec<Line>,
    bytes: usize,
}

struct Line {
    offset: u64,
    text: String,
}

/// A game as far as it was read, with its error and the error's offset.
type Read = (Record, Option<(u64, RecordErrorKind)>);

struct Session<R> {
    input: TextReader<R>,
    /// The encoding guessed for the text.
    encoding: Option<&'static str>,
    /// An error in the encoding since the last game.
    damage: Option<(u64, RecordErrorKind)>,
    open: VecDeque<Open>,
    ready: VecDeque<Open>,
    /// The GGF records of the last line that are still to be returned.
    of_line: Box<dyn Iterator<Item = Read>>,
    block: Option<Block>,
    games: u64,
    ended: bool,
}

impl<R: BufRead> Session<R> {
    /// Processes a line, or the end of the input.
    fn advance(&mut self) -> io::Result<()> {
        self.input.fill_buf()?;
        let offset = self.input.offset();
        let mut line = Vec::new();
        if append_line(&mut self.input, &mut line)? == 0 {
            self.end_block();
            self.ready.append(&mut self.open);
            self.ended = true;
            return Ok(());
        }
        let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        if !text.is_ascii() {
            self.take_encoding(offset, &text);
        }
        match &mut self.block {
            Some(block) if text.starts_with('|') => {
                block.bytes += size_of::<Line>() + text.len();
                if block.bytes <= MAX_GAME {
                    block.lines.push(Line { offset, text });
                }
            }
            _ => {
                self.end_block();
                self.block = is_message(text.as_bytes()).then(|| Block {
                    offset,
                    bytes: text.len(),
                    lines: vec![Line {
                        offset,
                        text: text.clone(),
                    }],
                });
            }
        }
        if let Some(place) = line
            .windows(5)
            .position(|part| part.eq_ignore_ascii_case(b"(;GM["))
        {
            let read_as = Some(self.input.read_as()).filter(|_| !line.is_ascii());
            let line = Chunk {
                offset,
                end: self.input.offset(),
                text: line,
                read_as,
            };
            self.take_ggf(line, place);
        }
        Ok(())
    }

    /// Records the encoding of a line that is not ASCII, and any damage.
    fn take_encoding(&mut self, offset: u64, text: &str) {
        let read_as = self.input.read_as();
        self.encoding = (read_as.guessed.then(|| read_as.name())).or(self.encoding);
        if read_as.damaged && text.contains(char::REPLACEMENT_CHARACTER) {
            let encoding = read_as.name();
            let fault = (offset, RecordErrorKind::Damaged { encoding });
            self.damage.get_or_insert(fault);
        }
    }

    /// Reads the records of a line from a place on: one, or two of a synchronized game. Other text is skipped.
    fn take_ggf(&mut self, line: Chunk, place: usize) {
        let is_other = |cut: &Cut| matches!(cut, Ok(chunk) if !chunk.text.starts_with(b"(;"));
        let text = Cursor::new(line.text[place..].trim_ascii_end().to_vec());
        let records = Bracketed::<_, Ggf>::new(text).filter(move |cut| !is_other(cut));
        let records = games(records, crate::ggf::parse).map(move |read| match read {
            Ok(record) => (record, None),
            Err(error) => (
                error.record.map_or_else(Record::default, |record| *record),
                Some((line.place(place + error.offset as usize), error.kind)),
            ),
        });
        self.of_line = Box::new(records);
    }

    fn end_block(&mut self) {
        let Some(block) = self.block.take() else {
            return;
        };
        let first = block.lines[0].text.clone();
        let mut words = first.split_ascii_whitespace().skip(1);
        match (words.next(), words.next()) {
            (Some("join"), Some(id)) => self.join(id, words.next().unwrap_or_default(), &block),
            (Some("update"), Some(id)) => self.update(id, &block),
            (Some("end"), Some(id)) => self.end(id, &first),
            _ => {}
        }
    }

    fn join(&mut self, id: &str, kind: &str, block: &Block) {
        let mut record = Record::default();
        let fault = joined(kind, &block.lines, &mut record).err();
        let fault = fault.map(|(line, kind)| {
            let line = block.lines.get(line);
            (line.map_or(block.offset, |line| line.offset), kind)
        });
        // A repeated `join` shows the game again from its start.
        let open = self.place_of(id).and_then(|index| self.open.remove(index));
        self.games += u64::from(open.is_none());
        let number = open.map_or(self.games, |open| open.number);
        if self.open.len() >= MAX_OPEN {
            self.ready.extend(self.open.pop_front());
        }
        let id = id.to_owned();
        self.open.push_back(Open {
            id,
            number,
            record,
            fault,
        });
    }

    fn place_of(&self, id: &str) -> Option<usize> {
        self.open.iter().position(|open| open.id == id)
    }

    fn update(&mut self, id: &str, block: &Block) {
        let Some(index) = self.place_of(id) else {
            return;
        };
        let Open { record, fault, .. } = &mut self.open[index];
        let played = block.lines.iter().skip(1).find(|line| is_move(&line.text));
        if fault.is_none()
            && let Some(line) = played
            && let Err(kind) = play(record, &line.text)
        {
            *fault = Some((line.offset, kind));
        }
    }

    /// Processes the end of a game: `/os: end .5 ( alice vs. bob ) +2.00`.
    fn end(&mut self, id: &str, line: &str) {
        let Some(mut open) = self.place_of(id).and_then(|index| self.open.remove(index)) else {
            return;
        };
        let text = line.rsplit_once(')').map_or("", |(_, text)| text.trim());
        open.record.result = result(&open.record, text);
        self.ready.push_back(open);
    }
}

/// Parses a result: Black's score, or a player's name and action.
fn result(record: &Record, text: &str) -> Option<Outcome> {
    if let Some(outcome) = ggf::Outcome::read(text) {
        return Some(Outcome::new(outcome.score, outcome.kind));
    }
    let (name, deed) = text.rsplit_once(' ')?;
    let kind = match deed {
        "resigned" => ggf::OutcomeKind::Resigned,
        "left" => ggf::OutcomeKind::Left,
        "timeout" => ggf::OutcomeKind::TimedOut,
        _ => return None,
    };
    let loser = Color::ALL
        .into_iter()
        .find(|&color| record.players[color].name == name)?;
    Some(Outcome {
        winner: Some(!loser),
        score: None,
        kind,
    })
}

/// Fills a record with the game of a `join` message, up to the first invalid line; the error has its number and the
/// reason.
fn joined(kind: &str, lines: &[Line], record: &mut Record) -> Result<(), (usize, RecordErrorKind)> {
    let after = |from: usize, is: &dyn Fn(&str) -> bool| {
        (from..lines.len()).find(|&index| is(&lines[index].text))
    };
    let expected = |line, what| (line, RecordErrorKind::Expected(what));
    if let Some(kind) = crate::ggf::other_game(kind) {
        return Err((0, kind));
    }
    let count = lines
        .get(1)
        .and_then(|line| line.text.trim_start_matches('|').strip_suffix(" move(s)"));
    let count: usize = count
        .and_then(|count| count.trim().parse().ok())
        .ok_or(expected(1, "the number of moves, as in |0 move(s)"))?;
    let ruler = after(1, &|text| {
        text.trim_start_matches('|').trim() == "A B C D E F G H"
    });
    let ruler = ruler.ok_or(expected(lines.len(), "a board"))?;
    let turn = after(ruler, &|text| text.ends_with("to move"));
    let turn = turn.ok_or(expected(lines.len(), "the side to move, as in |* to move"))?;
    *record = Record::from(Game::new(board(lines, ruler + 1, turn)?));
    for line in &lines[2..ruler] {
        if let Some((color, player)) = player(&line.text) {
            record.players[color] = player;
        }
    }
    if !matches!(kind, "8" | "") {
        record.tag("TY", kind);
    }
    let moves = lines[turn + 1..].get(..count);
    let moves = moves.ok_or(expected(lines.len(), "the moves of the game"))?;
    for (index, line) in (turn + 1..).zip(moves) {
        play(record, &line.text).map_err(|kind| (index, kind))?;
    }
    Ok(())
}

/// Parses a board in eight rows from line `first` on, and the side to move.
fn board(lines: &[Line], first: usize, turn: usize) -> Result<Board, (usize, RecordErrorKind)> {
    let mut text = String::new();
    for (row, index) in (1..=8).zip(first..) {
        let line = lines.get(index).map_or("", |line| &line.text);
        let number = row.to_string();
        let squares: String = line
            .chars()
            .filter(|letter| matches!(letter, '*' | 'O' | '-'))
            .collect();
        let inner = line
            .trim_start_matches('|')
            .trim_start()
            .starts_with(&number);
        if !inner || squares.len() != 8 {
            return Err((
                index,
                RecordErrorKind::Expected("a row of eight squares: * O or -, between its numbers"),
            ));
        }
        text += &squares;
    }
    let side = lines[turn]
        .text
        .trim_start_matches('|')
        .split_whitespace()
        .next();
    let side = side.and_then(|side| side.replace('*', "X").parse().ok());
    let side: Color = side.ok_or((turn, RecordErrorKind::Expected("the side to move: * or O")))?;
    text.push(side.disc());
    text.parse()
        .map_err(|_| (first, RecordErrorKind::Expected("a board")))
}

/// Parses a player: `|alice    (1720.0 *) 05:00,0:0//02:00,0:0`.
fn player(line: &str) -> Option<(Color, Player)> {
    let (name, rest) = line.strip_prefix('|')?.split_once('(')?;
    let (about, clock) = rest.split_once(')')?;
    let mut words = about.split_ascii_whitespace().rev();
    let color = match words.next()? {
        "*" => Color::Black,
        "O" => Color::White,
        _ => return None,
    };
    let player = Player {
        name: name.trim().to_owned(),
        rating: words.next().unwrap_or_default().to_owned(),
        clock: Clock::read(clock.trim()).filter(|_| !clock.trim().is_empty()),
    };
    Some((color, player))
}

/// Returns `true` for a move's line: `|  1: d3/1.20/3.1`.
fn is_move(line: &str) -> bool {
    move_text(line).is_some()
}

fn move_text(line: &str) -> Option<&str> {
    let (number, item) = line.strip_prefix('|')?.split_once(':')?;
    let number: u32 = number.trim().parse().ok()?;
    (number > 0).then_some(item.trim())
}

fn play(record: &mut Record, line: &str) -> Result<(), RecordErrorKind> {
    let number = record.game.moves().len() + 1;
    let text = move_text(line).ok_or(RecordErrorKind::Expected("a move, as in |  1: d3//1.20"))?;
    let item = MoveItem::parse(text.as_bytes()).map_err(|error| Fault::from(error).kind)?;
    let note = Note {
        value: item.value,
        time: item.time,
        comment: String::new(),
    };
    record
        .play(item.mv, note)
        .map_err(|error| RecordErrorKind::Illegal { number, error })
}

impl<R: BufRead> Iterator for Session<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            if let Some((record, fault)) = self.of_line.next() {
                self.games += 1;
                self.ready.push_back(Open {
                    id: String::new(),
                    number: self.games,
                    record,
                    fault,
                });
                break;
            }
            if let Err(error) = self.advance() {
                self.ended = true;
                return Some(Err(RecordError {
                    game: self.games + 1,
                    offset: self.input.offset(),
                    kind: RecordErrorKind::Io(error),
                    record: None,
                }));
            }
        }
        let open = self.ready.pop_front()?;
        let record = Record {
            encoding: self.encoding,
            ..open.record
        };
        Some(match open.fault.or_else(|| self.damage.take()) {
            None => Ok(record),
            Some((offset, kind)) => Err(RecordError {
                game: open.number,
                offset,
                kind,
                record: Fault::part(Some(Box::new(record))),
            }),
        })
    }
}

/// Writes a game as a `join` message with all its moves and, if it has a result, an `end` message. `number` is the
/// number of the game on the server.
pub(crate) fn write(record: &Record, number: u64, mut output: impl Write) -> io::Result<()> {
    let ggf = crate::ggf::to_ggf(record);
    let moves = ggf.moves.len();
    let kind = ggf.kind.split_whitespace().next().unwrap_or("8");
    writeln!(output, "/os: join .{number} {kind} K?\n|{moves} move(s)")?;
    write_state(record, record.game.start(), &mut output)?;
    for (ply, index) in ggf.moves.iter().zip(1..) {
        writeln!(output, "|{index:3}: {}", ply.item)?;
    }
    if let (Some(outcome), players) = (ggf.outcome, &record.players) {
        let [black, white] = [&players.black.name, &players.white.name].map(|name| plain(name));
        writeln!(
            output,
            "/os: end .{number} ( {black} vs. {white} ) {outcome}"
        )?;
    }
    writeln!(output, "READY")
}

/// Writes the players and a board.
fn write_state(record: &Record, board: Board, output: &mut impl Write) -> io::Result<()> {
    for (color, disc) in [(Color::Black, '*'), (Color::White, 'O')] {
        let Player {
            name,
            rating,
            clock,
        } = &record.players[color];
        let [name, rating] = [name, rating].map(|text| plain(text));
        let rating = rating.replace(char::is_whitespace, "");
        let clock = clock.map(|clock| format!(" {clock}")).unwrap_or_default();
        let gap = if rating.is_empty() { "" } else { " " };
        writeln!(output, "|{name:8} ({rating}{gap}{disc}){clock}")?;
    }
    writeln!(output, "|\n|   A B C D E F G H")?;
    for (row, number) in format!("{board:#}")
        .replace('X', "*")
        .lines()
        .take(8)
        .zip(1..)
    {
        write!(output, "| {number} ")?;
        row.chars()
            .try_for_each(|square| write!(output, "{square} "))?;
        writeln!(output, "{number}")?;
    }
    let side = match board.side_to_move() {
        Color::Black => '*',
        Color::White => 'O',
    };
    writeln!(output, "|   A B C D E F G H\n|\n|{side} to move")
}

/// Removes the characters that have a meaning in a message from a name or a rating.
fn plain(text: &str) -> String {
    let meant = |letter: char| matches!(letter, '(' | ')' | '|' | ';') || letter.is_control();
    text.replace(meant, " ").trim().to_owned()
}

#[cfg(test)]
mod tests;
