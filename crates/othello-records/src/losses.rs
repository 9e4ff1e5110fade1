//! The parts of a record that a format cannot hold.

use std::fmt;

use othello_core::{Board, Move};

use crate::{Clock, Format, OutcomeKind, Record, ggf, ggs, pgn, quest, sgf, wthor};

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

/// Returns the parts of a record that are lost or changed when it is written in a format. The score counts as changed
/// if the record has none and the format makes one up.
///
/// # Examples
///
/// ```
/// use othello_records::{Format, Part, Record, losses};
///
/// let mut record = Record::default();
/// record.players.black.name = "Ann".into();
/// assert_eq!(losses(&record, Format::Transcript), [Part::Names]);
/// assert_eq!(losses(&record, Format::Ggf), []);
/// ```
pub fn losses(record: &Record, format: Format) -> Vec<Part> {
    let lost = |part: &Part| {
        part.is_present(record) && !holds(format, *part, record)
            || *part == Part::Score && makes_up_score(format, record)
    };
    Part::ALL.into_iter().filter(lost).collect()
}

/// Returns `true` if a format writes a score that is neither recorded nor the final board's: for a win without a score
/// or, if every game in the format has a result, for a game without one. PGN's discs are in a comment, which other
/// programs may read.
fn makes_up_score(format: Format, record: &Record) -> bool {
    let always_has_result = matches!(format, Format::Wthor | Format::Logbook);
    let always_has_score =
        always_has_result || matches!(format, Format::Ggf | Format::NBoard | Format::Ggs);
    match record.result {
        None => always_has_result && record.outcome().is_none(),
        Some(result) => {
            let in_comment = format == Format::Pgn && has_comment_of_discs(record);
            let is_win = result.winner.is_some();
            let makes_up = always_has_score && is_win && !record.result_follows();
            result.score.is_none() && (in_comment || makes_up)
        }
    }
}

/// Returns `true` if a comment on the game or a move would be read in PGN as the discs of the result.
fn has_comment_of_discs(record: &Record) -> bool {
    let of_moves = record.notes.iter().map(|note| &note.comment);
    let mut comments = of_moves.chain([&record.comment]);
    comments.any(|comment| pgn::reads_as_discs(comment))
}

/// Returns `true` if games in a format may start from any board.
pub(crate) fn holds_start(format: Format) -> bool {
    !matches!(
        format,
        Format::Transcript | Format::Wthor | Format::Quest | Format::Logbook
    )
}

fn holds(format: Format, part: Part, record: &Record) -> bool {
    match format {
        Format::Transcript => {
            matches!(part, Part::Moves | Part::FinalPass) || follows(part, record)
        }
        Format::Board | Format::Rows | Format::Hex => is_board(part, record),
        Format::Obf => {
            is_board(part, record) || part == Part::Scores && record.game.moves().is_empty()
        }
        Format::Ggf | Format::NBoard => in_ggf(part, record),
        Format::Sgf => in_sgf(part, record),
        Format::Pgn => in_pgn(part, record),
        Format::Wthor => in_wthor(part, record),
        Format::Quest => in_quest(part, record),
        Format::Ggs => in_ggs(part, record),
        Format::Logbook => in_logbook(part, record),
    }
}

/// Returns `true` for a part of the result that follows from the moves.
fn follows(part: Part, record: &Record) -> bool {
    matches!(part, Part::Winner | Part::Score) && record.result_follows()
}

/// A format for boards has no moves; without moves, the starting board is also the final one.
fn is_board(part: Part, record: &Record) -> bool {
    part == Part::Start && record.game.moves().is_empty()
}

fn in_ggf(part: Part, record: &Record) -> bool {
    let fits = |text: &str| {
        let broken = text.contains(|letter: char| letter == ']' || letter.is_control());
        !broken && text.trim() == text && !text.to_ascii_lowercase().contains("(;gm[")
    };
    match part {
        Part::Event | Part::Round | Part::Scores => false,
        Part::Cause => !is_forfeited(record),
        Part::Names => record.players.iter().all(|player| fits(&player.name)),
        Part::Ratings => record.players.iter().all(|player| fits(&player.rating)),
        Part::TimeOfDay => record.date.iter().all(|date| fits(&date.time)),
        Part::Place => fits(&record.place),
        Part::Values => values_of_moves_alone(record),
        Part::Comment => fits(&record.comment),
        Part::MoveComments => record.notes.iter().all(|note| fits(&note.comment)),
        Part::Times => in_millis(record),
        Part::Clocks => clocks_fit(record),
        Part::Tags => record.tags.iter().all(|(name, value)| {
            let is_written =
                !value.is_empty() && !matches!((name.as_str(), value.as_str()), ("TY", "8"));
            ggf::holds_tag(record, name) && fits(value) && is_written
        }),
        _ => true,
    }
}

/// Returns `true` if a player lost by breaking the rules, which GGF and GGS cannot express.
fn is_forfeited(record: &Record) -> bool {
    record
        .result
        .is_some_and(|result| result.kind == OutcomeKind::Forfeited)
}

/// GGF has no evaluation of a pass.
fn values_of_moves_alone(record: &Record) -> bool {
    let mut noted = record.game.moves().iter().zip(&record.notes);
    noted.all(|(mv, note)| mv.square().is_some() || note.value.is_none())
}

fn in_millis(record: &Record) -> bool {
    record
        .notes
        .iter()
        .filter_map(|note| note.time)
        .all(|time| time.subsec_nanos() % 1_000_000 == 0)
}

fn clocks_fit(record: &Record) -> bool {
    let mut clocks = record.players.iter().filter_map(|player| player.clock);
    clocks.all(|clock| Clock::read(&clock.to_string()) == Some(clock))
}

fn in_sgf(part: Part, record: &Record) -> bool {
    let fits = |text: &str| text.trim() == text;
    match part {
        Part::Clocks | Part::TimeOfDay | Part::Times | Part::Scores => false,
        Part::Score => record
            .result
            .is_some_and(|result| matches!(result.kind, OutcomeKind::Played | OutcomeKind::Agreed)),
        Part::Cause => record.result.is_some_and(|result| {
            let no_letter = matches!(result.kind, OutcomeKind::Agreed | OutcomeKind::Left);
            result.winner.is_some() && !no_letter
        }),
        Part::Names => record.players.iter().all(|player| fits(&player.name)),
        Part::Ratings => record.players.iter().all(|player| fits(&player.rating)),
        Part::Event => fits(&record.event),
        Part::Round => fits(&record.round),
        Part::Place => fits(&record.place),
        Part::Comment => fits(&record.comment),
        Part::MoveComments => record.notes.iter().all(|note| fits(&note.comment)),
        Part::Tags => record
            .tags
            .iter()
            .all(|(name, value)| sgf::holds_tag(record, name) && fits(value) && !value.is_empty()),
        _ => true,
    }
}

fn in_pgn(part: Part, record: &Record) -> bool {
    let fits = |text: &str| !text.contains(char::is_control) && text != "?";
    let comment_fits = |text: &str| !text.contains(['{', '}']) && fits(text) && text.trim() == text;
    match part {
        Part::Clocks | Part::Times | Part::Values | Part::Scores => false,
        Part::Score => record.discs().is_some(),
        Part::Names => record.players.iter().all(|player| fits(&player.name)),
        Part::Ratings => record.players.iter().all(|player| fits(&player.rating)),
        Part::TimeOfDay => record.date.iter().all(|date| fits(&date.time)),
        Part::Event => fits(&record.event),
        Part::Round => fits(&record.round) && record.round != "-",
        Part::Place => fits(&record.place),
        Part::Comment => comment_fits(&record.comment) && !pgn::reads_as_discs(&record.comment),
        Part::MoveComments => record
            .notes
            .iter()
            .all(|note| comment_fits(&note.comment) && !pgn::reads_as_discs(&note.comment)),
        Part::Tags => record
            .tags
            .iter()
            .all(|(name, value)| pgn::holds_tag(record, name, value) && fits(value)),
        _ => true,
    }
}

fn in_wthor(part: Part, record: &Record) -> bool {
    let discs = record.result.and_then(|result| result.discs());
    match part {
        Part::Moves | Part::Year => true,
        Part::Names => record
            .players
            .iter()
            .all(|player| wthor::holds_name(&player.name, wthor::PLAYER)),
        Part::Event => wthor::holds_name(&record.event, wthor::TOURNAMENT),
        // A score that is not a whole number of discs is written as 64.
        Part::Winner => follows(part, record) || discs.is_none_or(|discs| discs % 2 == 0),
        Part::Score => follows(part, record) || discs.is_some_and(|discs| discs % 2 == 0),
        Part::Tags => {
            record
                .tags
                .iter()
                .all(|(name, _)| name == wthor::THEORETICAL)
                && wthor::theoretical(record).is_some()
        }
        _ => false,
    }
}

fn in_quest(part: Part, record: &Record) -> bool {
    match part {
        Part::Moves | Part::FinalPass | Part::Names | Part::Year | Part::Day => true,
        Part::TimeOfDay => record.date.iter().all(|date| date.time.trim() == date.time),
        Part::Ratings => record
            .players
            .iter()
            .all(|player| player.rating.is_empty() || quest::holds_rating(&player.rating)),
        Part::Clocks => {
            quest::clock(record).is_some_and(|clock| clock.main.subsec_nanos() % 1_000_000 == 0)
        }
        Part::Winner => follows(part, record) || quest::holds_result(record),
        Part::Cause => quest::holds_result(record),
        Part::Score => follows(part, record),
        Part::Times => in_millis(record),
        Part::Tags => record
            .tags
            .iter()
            .all(|(name, value)| quest::holds_tag(record, name, value)),
        _ => false,
    }
}

fn in_ggs(part: Part, record: &Record) -> bool {
    match part {
        Part::Names => record
            .players
            .iter()
            .all(|player| ggs::holds_name(&player.name)),
        Part::Ratings => record.players.iter().all(|player| {
            ggs::holds_name(&player.rating) && !player.rating.contains(char::is_whitespace)
        }),
        Part::Year
        | Part::Day
        | Part::TimeOfDay
        | Part::Place
        | Part::Comment
        | Part::MoveComments => false,
        Part::Tags => {
            record.tags.iter().all(|(name, value)| {
                name == "TY" && !value.is_empty() && !value.contains(char::is_whitespace)
            }) && record.tags.len() == 1
                && in_ggf(part, record)
        }
        _ => in_ggf(part, record),
    }
}

fn in_logbook(part: Part, record: &Record) -> bool {
    let discs = record.result.and_then(|result| result.discs());
    match part {
        Part::Moves => true,
        Part::Winner | Part::Score => follows(part, record) || discs.is_some(),
        _ => false,
    }
}
