//! The commands of analysis: those of Leela Zero and KataGo, and GNU Go's `top_moves`.

use alloc::{format, string::String, vec::Vec};
use core::{fmt::Write as _, time::Duration};

use boardgame_session::gtp::player::{
    Done, Failure, Request,
    commands::{arguments, color, int, think, told},
};
use go_core::{Color, Move, Point, Position, Size};

use super::{
    super::{Command, Player},
    GoGame,
};
use crate::session::{Analysis, Candidate, Goal, Note};

/// The time between two lines if the controller names none.
const INTERVAL: Duration = Duration::from_secs(1);

/// The form of a line of analysis, as a command asks for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// True if values are shares and points, as in KataGo, not ten-thousandths.
    is_kata: bool,
    /// True if the owners of all points follow the moves.
    with_ownership: bool,
    /// The maximum number of moves, or `None` for all.
    max_moves: Option<u32>,
}

/// `lz-analyze`: ten-thousandths of win rates until the next command.
pub(super) fn lz_analyze(player: &mut Player, command: &Command) -> Done<GoGame> {
    analyze(player, command, Request::Analyze, false)
}

/// `kata-analyze`: win rates, margins and owners until the next command.
pub(super) fn kata_analyze(player: &mut Player, command: &Command) -> Done<GoGame> {
    analyze(player, command, Request::Analyze, true)
}

/// `lz-genmove_analyze`: makes a move, and reports it like `lz-analyze`.
pub(super) fn lz_genmove_analyze(player: &mut Player, command: &Command) -> Done<GoGame> {
    analyze(player, command, Request::Explain, false)
}

/// `kata-genmove_analyze`: makes a move, and reports it like `kata-analyze`.
pub(super) fn kata_genmove_analyze(player: &mut Player, command: &Command) -> Done<GoGame> {
    analyze(player, command, Request::Explain, true)
}

/// Reads an optional colour, an optional interval in hundredths of a second, and pairs of a key and a value.
fn analyze(
    player: &mut Player,
    command: &Command,
    request: Request,
    is_kata: bool,
) -> Done<GoGame> {
    let mut side = player.game().game.position().side_to_move();
    let mut interval = INTERVAL;
    let mut words = Words {
        is_kata,
        ..Words::default()
    };
    let hundredths = |word: &str| Ok(Duration::from_millis(10 * u64::from(int(word)?.max(1))));
    let mut rest = command.arguments.as_slice();
    if let [word, after @ ..] = rest
        && let Ok(named) = color(word)
    {
        (side, rest) = (named, after);
    }
    if let [word, after @ ..] = rest
        && let Ok(named) = hundredths(word)
    {
        (interval, rest) = (named, after);
    }
    let (pairs, []) = rest.as_chunks() else {
        return Err(Failure::Syntax);
    };
    for [key, value] in pairs {
        match (key.as_str(), value.as_str()) {
            ("interval", _) => interval = hundredths(value)?,
            ("maxmoves", _) => words.max_moves = Some(int(value)?),
            ("ownership", "true") if is_kata => words.with_ownership = true,
            (_, "false") => {}
            ("minmoves", _) | (_, "true") => {
                player.note(Note::info(format!("{key} {value} is not supported")));
            }
            _ => return Err(Failure::Syntax),
        }
    }
    player.game_mut().words = words;
    think(player, side, request, |question| {
        if request == Request::Analyze {
            question.goal = Goal::Analysis(interval);
        }
    })
}

impl Words {
    /// Returns the line of an analysis of a position; empty if no move was searched.
    pub(super) fn line(&self, position: &Position, analysis: &Analysis) -> String {
        let max = self.max_moves.map_or(usize::MAX, |max| max as usize);
        let mut line = String::new();
        for (order, candidate) in analysis.candidates.iter().take(max).enumerate() {
            let separator = if line.is_empty() { "" } else { " " };
            let _ = write!(line, "{separator}info move {}", candidate.mv);
            self.add_values(&mut line, candidate);
            let _ = write!(line, " order {order} pv");
            for mv in &candidate.line {
                let _ = write!(line, " {mv}");
            }
        }
        if self.with_ownership && !line.is_empty() {
            line += " ownership";
            for balance in balances(position, analysis) {
                let _ = write!(line, " {balance:.3}");
            }
        }
        line
    }

    fn add_values(&self, line: &mut String, candidate: &Candidate) {
        let &Candidate {
            visits,
            win_rate,
            win_rate_bound: bound,
            margin,
            prior,
            ..
        } = candidate;
        let _ = if self.is_kata {
            write!(
                line,
                " visits {visits} winrate {win_rate:.6} scoreMean {margin:.3} scoreLead {margin:.3} prior {prior:.6} \
                 lcb {bound:.6}"
            )
        } else {
            let [win_rate, prior, bound] = [win_rate, prior, bound].map(|it| 10_000.0 * it);
            write!(
                line,
                " visits {visits} winrate {win_rate:.0} prior {prior:.0} lcb {bound:.0}"
            )
        };
    }
}

/// Returns the owners of all points for the side to move, row by row from the upper left corner.
fn balances(position: &Position, analysis: &Analysis) -> impl Iterator<Item = f32> {
    let sign = match position.side_to_move() {
        Color::Black => 1.0,
        Color::White => -1.0,
    };
    let points = rows(position.board().size()).flatten();
    // Adding zero leaves no negative one.
    points.map(move |point| sign * analysis.ownership.balance(point) + 0.0)
}

/// Returns the points of each row from the top.
pub(super) fn rows(size: Size) -> impl Iterator<Item = impl Iterator<Item = Point>> {
    let lines = size.lines();
    let row = move |row| (0..lines).filter_map(move |column| Point::new(column, row));
    (0..lines).rev().map(row)
}

/// Returns the moves of a search with their shares of its simulations in percent.
fn shares(analysis: &Analysis) -> Vec<(Move, f32)> {
    let candidates = &analysis.candidates;
    let total: u32 = candidates.iter().map(|it| it.visits).sum();
    let share = |visits: u32| 100.0 * visits as f32 / total.max(1) as f32;
    let moves = candidates.iter().map(|it| (it.mv, share(it.visits)));
    moves.collect()
}

/// `top_moves`: at most ten moves of the last search with their weights.
pub(super) fn top_moves(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    let searched = player.game().searched.as_ref();
    let moves = searched.map_or(Vec::new(), |(_, analysis)| shares(analysis));
    let words: Vec<String> = (moves.iter().take(10))
        .map(|(mv, share)| format!("{mv} {share:.2}"))
        .collect();
    told(words.join(" "))
}
