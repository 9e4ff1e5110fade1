//! The parts of a record that a format cannot hold.

use std::{fmt, io::Cursor};

use othello_core::{Board, Move};

use crate::{
    Format, OutcomeKind, Record, write_text,
    wthor::{Names, Writer},
};

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The starting board, if it is not the standard one.
    Start,
    /// The moves.
    Moves,
    /// A pass after the last disc.
    FinalPass,
    /// The players' names.
    Names,
    /// The players' ratings.
    Ratings,
    /// The players' clocks.
    Clocks,
    /// The year.
    Year,
    /// The month and the day.
    Day,
    /// The time of day.
    TimeOfDay,
    /// The tournament.
    Event,
    /// The round.
    Round,
    /// The place.
    Place,
    /// The winner.
    Winner,
    /// The discs of the result.
    Score,
    /// The cause of the end.
    Cause,
    /// The times of the moves.
    Times,
    /// The evaluations of the moves.
    Values,
    /// The comment on the game.
    Comment,
    /// The comments on moves.
    MoveComments,
    /// The scores of a problem's moves.
    Scores,
    /// Further properties of the record's format.
    Tags,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 21] = [
        Self::Start,
        Self::Moves,
        Self::FinalPass,
        Self::Names,
        Self::Ratings,
        Self::Clocks,
        Self::Year,
        Self::Day,
        Self::TimeOfDay,
        Self::Event,
        Self::Round,
        Self::Place,
        Self::Winner,
        Self::Score,
        Self::Cause,
        Self::Times,
        Self::Values,
        Self::Comment,
        Self::MoveComments,
        Self::Scores,
        Self::Tags,
    ];

    /// Returns `true` if a record has the part.
    pub fn is_present(self, record: &Record) -> bool {
        let notes = || record.notes.iter();
        let players = || record.players.iter();
        let date = record.date.as_ref();
        match self {
            Self::Start => record.game.start() != Board::START,
            Self::Moves => !record.game.moves().is_empty(),
            Self::FinalPass => record.game.last_move() == Some(Move::Pass),
            Self::Names => players().any(|player| !player.name.is_empty()),
            Self::Ratings => players().any(|player| !player.rating.is_empty()),
            Self::Clocks => players().any(|player| player.clock.is_some()),
            Self::Year => date.is_some(),
            Self::Day => date.is_some_and(|date| date.month.is_some()),
            Self::TimeOfDay => date.is_some_and(|date| !date.time.is_empty()),
            Self::Event => !record.event.is_empty(),
            Self::Round => !record.round.is_empty(),
            Self::Place => !record.place.is_empty(),
            Self::Winner => record.result.is_some(),
            Self::Score => record.result.is_some_and(|result| result.score.is_some()),
            Self::Cause => record
                .result
                .is_some_and(|result| result.kind != OutcomeKind::Played),
            Self::Times => notes().any(|note| note.time.is_some()),
            Self::Values => notes().any(|note| note.value.is_some()),
            Self::Comment => !record.comment.is_empty(),
            Self::MoveComments => notes().any(|note| !note.comment.is_empty()),
            Self::Scores => !record.scores.is_empty(),
            Self::Tags => !record.tags.is_empty(),
        }
    }

    /// Returns `true` if two records agree in the part. A result that follows from the moves may be omitted.
    pub fn is_same(self, one: &Record, other: &Record) -> bool {
        let notes = || {
            let count = one.game.moves().len().max(other.game.moves().len());
            (0..count).map(|index| (one.note(index), other.note(index)))
        };
        let players = || one.players.iter().zip(other.players.iter());
        let [one_date, other_date] =
            [one, other].map(|record| record.date.clone().unwrap_or_default());
        let follows = [one, other].into_iter().all(|record| match record.result {
            Some(_) => record.result_follows(),
            None => record.game.is_over(),
        });
        let score = |record: &Record| record.result.and_then(|result| result.score);
        let results = one.result.zip(other.result);
        match self {
            Self::Start => one.game.start() == other.game.start(),
            Self::Moves => without_final_pass(one) == without_final_pass(other),
            Self::FinalPass => one.game.moves() == other.game.moves(),
            Self::Names => players().all(|(one, other)| one.name == other.name),
            Self::Ratings => players().all(|(one, other)| one.rating == other.rating),
            Self::Clocks => players().all(|(one, other)| one.clock == other.clock),
            Self::Year => one_date.year == other_date.year,
            Self::Day => (one_date.month, one_date.day) == (other_date.month, other_date.day),
            Self::TimeOfDay => one_date.time == other_date.time,
            Self::Event => one.event == other.event,
            Self::Round => one.round == other.round,
            Self::Place => one.place == other.place,
            Self::Winner => {
                follows || results.is_some_and(|(one, other)| one.winner == other.winner)
            }
            Self::Score => follows || score(one) == score(other),
            Self::Cause => results.is_some_and(|(one, other)| one.kind == other.kind),
            Self::Times => notes().all(|(one, other)| one.time == other.time),
            Self::Values => notes().all(|(one, other)| one.value == other.value),
            Self::Comment => one.comment == other.comment,
            Self::MoveComments => notes().all(|(one, other)| one.comment == other.comment),
            Self::Scores => one.scores == other.scores,
            Self::Tags => one.tags == other.tags,
        }
    }
}

/// Returns the moves without a pass after the last disc.
fn without_final_pass(record: &Record) -> &[Move] {
    let moves = record.game.moves();
    moves.strip_suffix(&[Move::Pass]).unwrap_or(moves)
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "the board at the start",
            Self::Moves => "the moves",
            Self::FinalPass => "a pass after the last disc",
            Self::Names => "the players' names",
            Self::Ratings => "the ratings",
            Self::Clocks => "the clocks",
            Self::Year => "the year",
            Self::Day => "the month and the day",
            Self::TimeOfDay => "the time of day",
            Self::Event => "the tournament",
            Self::Round => "the round",
            Self::Place => "the place",
            Self::Winner => "the winner",
            Self::Score => "the discs of the result",
            Self::Cause => "the cause of the end",
            Self::Times => "the times of the moves",
            Self::Values => "the evaluations of the moves",
            Self::Comment => "the comment on the game",
            Self::MoveComments => "the comments on moves",
            Self::Scores => "the scores of moves",
            Self::Tags => "other tags",
        })
    }
}

/// Returns the parts of a record that are lost or changed when it is written in a format and read again. The score
/// counts as changed if the record has none and the format makes one up. A format that refuses the game loses all
/// parts.
///
/// # Examples
///
/// ```
/// use othello_records::{Format, Part, Record, losses};
///
/// let mut record = Record::default();
/// record.players.black.name = "Ann".into();
/// record.game = "f5".parse()?;
/// assert_eq!(losses(&record, Format::Transcript), [Part::Names]);
/// assert_eq!(losses(&record, Format::Ggf), []);
/// # Ok::<(), othello_core::TranscriptError>(())
/// ```
pub fn losses(record: &Record, format: Format) -> Vec<Part> {
    let read = written_and_read(record, format);
    let is_lost = |part: &Part| {
        let is_kept = read.as_ref().is_some_and(|read| part.is_same(record, read));
        !is_kept && (part.is_present(record) || *part == Part::Score && read.is_some())
    };
    Part::ALL.into_iter().filter(is_lost).collect()
}

/// Returns a record as it is read after it was written in a format, or `None` if the format refuses it.
fn written_and_read(record: &Record, format: Format) -> Option<Record> {
    let (mut bytes, mut names) = (Vec::new(), Names::default());
    if format == Format::Wthor {
        let mut writer = Writer::new(Cursor::new(Vec::new()), Names::default()).ok()?;
        writer.write(record).ok()?;
        let (file, given) = writer.finish().ok()?;
        bytes = file.into_inner();
        let (mut players, mut tournaments) = (Vec::new(), Vec::new());
        given.write_players(&mut players).ok()?;
        given.write_tournaments(&mut tournaments).ok()?;
        names.read_players(&players).ok()?;
        names.read_tournaments(&tournaments).ok()?;
    } else {
        write_text(format, record, 0, &mut bytes).ok()?;
    }
    format.read_with(bytes.as_slice(), &names).next()?.ok()
}
