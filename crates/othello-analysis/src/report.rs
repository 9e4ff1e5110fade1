//! The report on an analyzed game, as it is serialized to JSON.

use std::sync::LazyLock;

use othello_core::{Board, ByColor, Color, Move};
use othello_records::{Openings, OutcomeKind, Record};
use serde::{Deserialize, Serialize};

use crate::{
    Analysis, Bound, Discs, MoveValue, Position, PositionValue, Settings, Source,
    summary::{Summary, WorstMove, summary, worst},
};

/// The named openings.
static OPENINGS: LazyLock<Openings> = LazyLock::new(Openings::default);

/// The version of the format, changed whenever older readers cannot read it.
pub const FORMAT: u32 = 1;

/// The report on an analyzed game. Scores are in discs, from the point of view of the side to move unless stated
/// otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The version of the form, [`FORMAT`].
    pub format: u32,
    /// The program that made the analysis, and its version.
    pub program: String,
    /// Information on the game from its record.
    pub game: GameInfo,
    /// The requested thoroughness.
    pub settings: Settings,
    /// The positions before each move, including passes, and after the last one.
    pub positions: Vec<PositionReport>,
    /// The value of each position from Black's point of view, `None` where it is not known.
    pub curve: Vec<Option<Discs>>,
    /// Sums for each player.
    pub summary: ByColor<Summary>,
    /// The moves with the greatest losses, the worst first.
    pub worst: Vec<WorstMove>,
}

/// Information on a game from its record. Missing text is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInfo {
    /// The player of the black discs.
    pub black: PlayerInfo,
    /// The player of the white discs.
    pub white: PlayerInfo,
    /// The date, as precise as the record has it: `1999-02-14`.
    pub date: Option<String>,
    /// The tournament.
    pub event: String,
    /// The round of the tournament.
    pub round: String,
    /// The place.
    pub place: String,
    /// The result.
    pub result: Option<ResultInfo>,
    /// The last named opening that the game passes through.
    pub opening: Option<OpeningInfo>,
    /// The board at the start.
    pub start: Board,
    /// Doubts about the record, such as a result that contradicts the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerInfo {
    /// The name.
    pub name: String,
    /// The rating, as written.
    pub rating: String,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultInfo {
    /// The discs of both sides, such as `33-31`, with empty squares for the winner unless the score counts only
    /// the discs on the board; or the winner.
    pub text: String,
    /// Black's score, if it is given.
    pub black: Option<Discs>,
}

/// An opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningInfo {
    /// The name.
    pub name: String,
    /// The index of the position that has the name.
    pub ply: usize,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionReport {
    /// The index of the position.
    pub ply: usize,
    /// The 64 squares from a1 to h8 as `X`, `O` and `-`.
    pub board: String,
    /// The side to move, or `None` at the end of the game.
    pub to_move: Option<Color>,
    /// The number of empty squares.
    pub empties: u32,
    /// The value, or `None` if it is not known.
    pub value: Option<PositionValue>,
    /// The name of a file that proves the value, for a program that checks such files to set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The moves, best first.
    pub moves: Vec<MoveReport>,
    /// The played move.
    pub played: Option<PlayedReport>,
    /// The record's comment on the move.
    pub comment: String,
}

/// A move that might be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its score.
    pub score: Discs,
    /// The relation of the score to the value.
    pub bound: Bound,
    /// The evidence for it.
    pub source: Source,
    /// Its loss against the best move, a lower bound if the score is a bound.
    pub loss: Discs,
    /// The line of best play, beginning with the move.
    pub line: Vec<Move>,
}

/// The played move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its loss against the best move, `None` while unknown.
    pub loss: Option<Discs>,
    /// Its place among all moves, 1 for the best; `None` if it is not known.
    pub rank: Option<usize>,
}

impl Report {
    /// Creates the report on the analysis of a record's game.
    pub fn new(program: &str, record: &Record, analysis: &Analysis, settings: &Settings) -> Self {
        let positions = analysis.positions();
        let numbered = || positions.iter().enumerate();
        Self {
            format: FORMAT,
            program: program.to_owned(),
            game: GameInfo::new(record),
            settings: *settings,
            positions: numbered()
                .map(|(ply, position)| position_report(ply, position, record))
                .collect(),
            curve: positions.iter().map(black_score).collect(),
            summary: ByColor::new_with(|color| summary(positions, color)),
            worst: worst(positions),
        }
    }
}

impl MoveReport {
    /// The value of the move.
    pub const fn value(&self) -> PositionValue {
        PositionValue {
            score: self.score,
            source: self.source,
        }
    }

    /// Returns the reports on the moves of a position, given their values, best first.
    pub fn ranked(moves: &[MoveValue]) -> Vec<Self> {
        let best = moves.first().map_or(Discs::ZERO, |best| best.score);
        let report = |value: &MoveValue| Self {
            mv: value.mv,
            score: value.score,
            bound: value.bound,
            source: value.source,
            loss: best - value.score,
            line: value.line.clone(),
        };
        moves.iter().map(report).collect()
    }
}

/// The value of a position from Black's point of view.
pub(crate) fn black_score(position: &Position) -> Option<Discs> {
    let score = position.value()?.score;
    Some(match position.board().side_to_move() {
        Color::Black => score,
        Color::White => -score,
    })
}

impl GameInfo {
    /// Extracts the information from a record.
    pub fn new(record: &Record) -> Self {
        let player = |color| PlayerInfo {
            name: record.players[color].name.clone(),
            rating: record.players[color].rating.clone(),
        };
        let opening = OPENINGS.passed(&record.game).last();
        Self {
            black: player(Color::Black),
            white: player(Color::White),
            date: record.date.as_ref().map(ToString::to_string),
            event: record.event.clone(),
            round: record.round.clone(),
            place: record.place.clone(),
            result: result_info(record),
            opening: opening.map(|(ply, opening)| OpeningInfo {
                name: opening.name.to_owned(),
                ply,
            }),
            start: record.game.start(),
            remarks: record.remarks().iter().map(ToString::to_string).collect(),
        }
    }
}

fn result_info(record: &Record) -> Option<ResultInfo> {
    let outcome = record.outcome()?;
    let cause = match outcome.kind {
        OutcomeKind::Played => "",
        OutcomeKind::Resigned => ", resigned",
        OutcomeKind::TimedOut => ", on time",
        OutcomeKind::Agreed => ", agreed",
        OutcomeKind::Left => ", a player left",
        OutcomeKind::Forfeited => ", forfeited",
    };
    let text = match (record.discs(), outcome.winner) {
        (Some(discs), _) => format!("{}-{}", discs.black, discs.white),
        (None, Some(Color::Black)) => "Black won".to_owned(),
        (None, Some(Color::White)) => "White won".to_owned(),
        (None, None) => "a draw".to_owned(),
    };
    Some(ResultInfo {
        text: text + cause,
        black: outcome
            .score
            .map(|score| Discs::from_hundredths(score.hundredths())),
    })
}

fn position_report(ply: usize, position: &Position, record: &Record) -> PositionReport {
    let board = position.board();
    let value = position.played_value();
    PositionReport {
        ply,
        board: board.to_string().chars().take(64).collect(),
        to_move: (!board.is_over()).then_some(board.side_to_move()),
        empties: board.empties().count(),
        value: position.value(),
        proof: None,
        moves: MoveReport::ranked(position.moves()),
        played: position.played().map(|mv| PlayedReport {
            mv,
            loss: value.map(|value| value.loss),
            rank: value.and_then(|value| value.rank),
        }),
        comment: record.note(ply).comment,
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Game;

    use super::*;

    #[test]
    fn an_opening_has_its_index_in_the_game() {
        let ply = |game: Game| {
            GameInfo::new(&game.into())
                .opening
                .map(|opening| opening.ply)
        };
        let game: Game = "f5d6c3d3c4f4".parse().unwrap();
        let start = game.boards().nth(4).unwrap();
        assert_eq!(ply(game), Some(5));
        assert_eq!(ply(Game::from_transcript(start, "c4f4").unwrap()), Some(1));
    }
}
