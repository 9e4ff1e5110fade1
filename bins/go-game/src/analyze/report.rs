//! An analysis with the losses of the moves, as it is written and shown.

use boardgame_core::{ByColor, Color};
use go_core::{Board, Move, Point, sgf::Record};
use serde::Serialize;

use super::{
    PROGRAM,
    search::{Analysis, PositionResult, Value},
};

/// The loss of win rate from which a move is a mistake.
const MISTAKE: f64 = 0.03;

/// The loss of win rate from which a mistake is a blunder.
pub(super) const BLUNDER: f64 = 0.1;

/// The maximum number of worst moves.
const MAX_WORST: usize = 10;

/// An analysis.
#[derive(Serialize)]
pub(super) struct Report {
    format: &'static str,
    program: &'static str,
    pub(super) game: GameInfo,
    /// The limits of each search, for people.
    pub(super) limits: String,
    /// The loss of win rate from which a move is a mistake.
    mistake: f64,
    /// The loss of win rate from which a mistake is a blunder.
    blunder: f64,
    /// The positions, by the number of moves before them.
    pub(super) positions: Vec<PositionReport>,
    /// The numbers of the moves that lost most of the win rate, the worst first.
    pub(super) worst: Vec<usize>,
    pub(super) sums: ByColor<Sums>,
}

/// The facts about a game.
#[derive(Serialize)]
pub(super) struct GameInfo {
    size: u8,
    pub(super) komi: f64,
    pub(super) rules: String,
    pub(super) black: String,
    pub(super) white: String,
    pub(super) event: String,
    pub(super) date: String,
    pub(super) result: Option<String>,
}

/// A position, its value for Black, and the next move.
#[derive(Serialize)]
pub(super) struct PositionReport {
    /// The rows from the top, separated by `/`: `X` is Black, `O` White.
    board: String,
    #[serde(flatten)]
    pub(super) value: Option<ValueReport>,
    playouts: Option<u32>,
    /// The moves searched most, the engine's choice first.
    pub(super) moves: Vec<MoveReport>,
    pub(super) played: Option<Played>,
    /// The comment of the record.
    comment: Option<String>,
}

/// A value for Black.
#[derive(Clone, Copy, Serialize)]
pub(super) struct ValueReport {
    pub(super) win_rate: f64,
    pub(super) lead: f64,
}

/// A move that was searched.
#[derive(Serialize)]
pub(super) struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    playouts: u32,
    #[serde(flatten)]
    pub(super) value: ValueReport,
    pub(super) line: Vec<String>,
    #[serde(skip)]
    pub(super) line_moves: Vec<Move>,
}

/// The move that was played.
#[derive(Serialize)]
pub(super) struct Played {
    pub(super) color: &'static str,
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// The loss, at least 0; zero if the move is the engine's choice, and `None` if a value is not known.
    pub(super) loss: Option<Loss>,
}

/// The loss of a move: the difference between the values before and after it, for its side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Loss {
    pub(super) win_rate: f64,
    pub(super) points: f64,
}

/// The sums of a side's moves whose loss is known.
#[derive(Default, Serialize)]
pub(super) struct Sums {
    pub(super) moves: usize,
    pub(super) win_rate: f64,
    pub(super) points: f64,
    /// The number of moves that the engine chose as well.
    pub(super) engine_choices: usize,
    pub(super) mistakes: usize,
}

impl From<Value> for ValueReport {
    fn from(value: Value) -> Self {
        Self {
            win_rate: rounded(value.win_rate, 1e4),
            lead: rounded(value.lead, 10.0),
        }
    }
}

fn rounded(number: f64, unit: f64) -> f64 {
    // Adding zero leaves no negative one.
    (number * unit).round() / unit + 0.0
}

impl Report {
    pub(super) fn new(record: &Record, found: &Analysis) -> Self {
        let after = found.positions.iter().skip(1).map(|(_, after)| after);
        let mut after = after.map(Option::as_ref).chain([None]);
        let mut moves = record.game.moves().iter();
        let mut positions = Vec::new();
        let mut sums: ByColor<Sums> = ByColor::default();
        for (number, (position, searched)) in found.positions.iter().enumerate() {
            let after = after.next().flatten();
            let played = moves.next().map(|&(color, mv)| {
                let is_choice = (searched.as_ref().and_then(|it| it.moves.first()))
                    .is_some_and(|it| it.mv == mv);
                let known = searched.as_ref().zip(after);
                let loss = known.map(|(before, after)| loss(before, after, color, is_choice));
                if let Some(loss) = loss {
                    sums[color].add(loss, is_choice);
                }
                Played {
                    color: match color {
                        Color::Black => "black",
                        Color::White => "white",
                    },
                    mv: mv.to_string(),
                    loss,
                }
            });
            let searched_moves = searched.iter().flat_map(|it| &it.moves);
            positions.push(PositionReport {
                board: rows(position.board()),
                value: searched.as_ref().map(|it| it.value.into()),
                playouts: searched.as_ref().map(|it| it.playouts),
                moves: searched_moves
                    .map(|it| MoveReport {
                        mv: it.mv.to_string(),
                        playouts: it.playouts,
                        value: it.value.into(),
                        line: it.line.iter().map(ToString::to_string).collect(),
                        line_moves: it.line.clone(),
                    })
                    .collect(),
                played,
                comment: record.comments.get(&number).cloned(),
            });
        }
        let setup = record.game.setup();
        Self {
            format: "go-analysis",
            program: PROGRAM,
            game: GameInfo {
                size: setup.size().lines(),
                komi: setup.komi().points(),
                rules: setup.rules().to_string(),
                black: record.players.black.clone(),
                white: record.players.white.clone(),
                event: record.event.clone(),
                date: record.date.clone(),
                result: record.result.map(|result| result.to_string()),
            },
            limits: found.limits.clone(),
            mistake: MISTAKE,
            blunder: BLUNDER,
            worst: worst(&positions),
            positions,
            sums,
        }
    }

    /// Returns the report as a line of JSON.
    pub(super) fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        Ok(text)
    }
}

impl PositionReport {
    /// Returns the loss of the next move.
    pub(super) fn loss(&self) -> Option<Loss> {
        self.played.as_ref()?.loss
    }

    /// Returns the loss of the next move, if it is a mistake.
    pub(super) fn mistake(&self) -> Option<Loss> {
        self.loss().filter(|loss| loss.win_rate >= MISTAKE)
    }
}

impl Sums {
    fn add(&mut self, loss: Loss, is_choice: bool) {
        self.moves += 1;
        self.win_rate += loss.win_rate;
        self.points += loss.points;
        self.engine_choices += usize::from(is_choice);
        self.mistakes += usize::from(loss.win_rate >= MISTAKE);
    }
}

/// Returns the loss of a move of a side between two positions.
fn loss(before: &PositionResult, after: &PositionResult, side: Color, is_choice: bool) -> Loss {
    let for_side = |number: f64| match side {
        Color::Black => number,
        Color::White => -number,
    };
    let lost = |before: f64, after: f64| {
        if is_choice {
            0.0
        } else {
            for_side(before - after).max(0.0)
        }
    };
    Loss {
        win_rate: rounded(lost(before.value.win_rate, after.value.win_rate), 1e4),
        points: rounded(lost(before.value.lead, after.value.lead), 10.0),
    }
}

/// Returns the numbers of the worst mistakes.
fn worst(positions: &[PositionReport]) -> Vec<usize> {
    let mistakes = (1..).zip(positions);
    let mut mistakes: Vec<(usize, Loss)> = mistakes
        .filter_map(|(number, position)| Some((number, position.mistake()?)))
        .collect();
    mistakes.sort_by(|(_, one), (_, other)| {
        let by_win_rate = other.win_rate.total_cmp(&one.win_rate);
        by_win_rate.then(other.points.total_cmp(&one.points))
    });
    mistakes.truncate(MAX_WORST);
    mistakes.into_iter().map(|(number, _)| number).collect()
}

/// Returns the rows of a board from the top.
fn rows(board: &Board) -> String {
    let lines = board.size().lines();
    let row = |row: u8| -> String {
        let points = (0..lines).filter_map(|column| Point::new(column, row));
        let letter = |point| match board.stone(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        };
        points.map(letter).collect()
    };
    (0..lines).rev().map(row).collect::<Vec<_>>().join("/")
}
