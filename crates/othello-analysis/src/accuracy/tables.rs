//! Accuracy by player, phase, opening, opponent and year.

use std::{cmp::Reverse, collections::BTreeMap};

use othello_core::Color;
use serde::{Deserialize, Serialize};

use super::{Accuracy, Row};
use crate::{GameLosses, Phase};

/// The accuracy of moves in analyzed games, for all players and for each.
///
/// A player without a name counts only in the tables of all players.
#[derive(Clone, Debug, Default)]
pub struct AccuracyTables {
    all: Breakdown,
    players: BTreeMap<String, Breakdown>,
}

/// The accuracy of some players by phase, opening, opponent and year.
#[derive(Clone, Debug, Default)]
struct Breakdown {
    all: Accuracy,
    phases: [Accuracy; Phase::ALL.len()],
    openings: BTreeMap<String, Accuracy>,
    opponents: BTreeMap<String, Accuracy>,
    years: BTreeMap<String, Accuracy>,
}

/// The rows of all tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccuracyReport {
    /// The accuracy of all players.
    pub all: BreakdownReport,
    /// The accuracy of each player, most games first.
    pub players: Vec<Named<BreakdownReport>>,
}

/// The rows of some players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BreakdownReport {
    /// The accuracy in all games.
    #[serde(flatten)]
    pub all: Row,
    /// The accuracy by phase, in order.
    pub phases: Vec<Named<Row>>,
    /// The accuracy by the last named opening of a game, most games first.
    pub openings: Vec<Named<Row>>,
    /// The accuracy by opponent, most games first; empty for all players.
    pub opponents: Vec<Named<Row>>,
    /// The accuracy by year, in order, in games with a date.
    pub years: Vec<Named<Row>>,
}

/// One or more rows with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named<T> {
    /// The name.
    pub name: String,
    /// The row or rows.
    #[serde(flatten)]
    pub row: T,
}

impl AccuracyTables {
    /// Adds a game.
    pub fn add(&mut self, game: &GameLosses) {
        self.all.add(game, &[Color::Black, Color::White]);
        for color in [Color::Black, Color::White] {
            let name = game.player(color);
            if name.is_empty() {
                continue;
            }
            let player = self.players.entry(name.to_owned()).or_default();
            player.add(game, &[color]);
            let opponent = game.player(!color);
            if !opponent.is_empty() {
                let against = player.opponents.entry(opponent.to_owned()).or_default();
                against.add(game.sums(&[color], None));
            }
        }
    }

    /// Returns the rows of all tables, except those without moves.
    pub fn report(&self) -> AccuracyReport {
        let players = self.players.iter().map(|(name, player)| Named {
            name: name.clone(),
            row: player.report(),
        });
        let mut players: Vec<_> = players.collect();
        players.retain(|player| player.row.all.games > 0);
        players.sort_by_key(|player| Reverse(player.row.all.games));
        AccuracyReport {
            all: self.all.report(),
            players,
        }
    }
}

impl Breakdown {
    /// Adds the moves of these colours.
    fn add(&mut self, game: &GameLosses, colors: &[Color]) {
        let all = game.sums(colors, None);
        self.all.add(all);
        for (phase, accuracy) in Phase::ALL.into_iter().zip(&mut self.phases) {
            accuracy.add(game.sums(colors, Some(phase)));
        }
        if let Some(opening) = &game.game.opening {
            let accuracy = self.openings.entry(opening.name.clone()).or_default();
            accuracy.add(all);
        }
        let date = game.game.date.as_deref();
        if let Some((year, _)) = date.map(|date| date.split_once('-').unwrap_or((date, ""))) {
            self.years.entry(year.to_owned()).or_default().add(all);
        }
    }

    fn report(&self) -> BreakdownReport {
        let phases = Phase::ALL
            .iter()
            .map(|phase| phase.name())
            .zip(&self.phases);
        BreakdownReport {
            all: self.all.row(),
            phases: rows(phases),
            openings: by_games(rows(names(&self.openings))),
            opponents: by_games(rows(names(&self.opponents))),
            years: rows(names(&self.years)),
        }
    }
}

fn names(groups: &BTreeMap<String, Accuracy>) -> impl Iterator<Item = (&str, &Accuracy)> {
    groups
        .iter()
        .map(|(name, accuracy)| (name.as_str(), accuracy))
}

/// Returns the rows of those that have moves.
fn rows<'a>(groups: impl Iterator<Item = (&'a str, &'a Accuracy)>) -> Vec<Named<Row>> {
    let rows = groups.map(|(name, accuracy)| Named {
        name: name.to_owned(),
        row: accuracy.row(),
    });
    rows.filter(|named| named.row.games > 0).collect()
}

/// Sorts rows by the number of games, most first, stably.
fn by_games(mut rows: Vec<Named<Row>>) -> Vec<Named<Row>> {
    rows.sort_by_key(|named| Reverse(named.row.games));
    rows
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Sums of small whole numbers are exact.
mod tests {
    use othello_core::Board;

    use super::*;
    use crate::{Discs, GameInfo, MoveLoss, OpeningInfo, PlayerInfo};

    /// A game of two moves a side, in the opening and in the endgame, with their losses in discs, in 1990 and later by
    /// a year for each disc that the first move loses.
    fn game(black: &str, white: &str, opening: Option<&str>, losses: [i32; 4]) -> GameLosses {
        let player = |name: &str| PlayerInfo {
            name: name.into(),
            rating: String::new(),
        };
        let moves = [60, 59, 20, 19].into_iter().zip(losses).enumerate();
        GameLosses {
            game: GameInfo {
                black: player(black),
                white: player(white),
                date: Some(format!("{}-05", 1990 + losses[0])),
                event: String::new(),
                round: String::new(),
                place: String::new(),
                result: None,
                opening: opening.map(|name| OpeningInfo {
                    name: name.into(),
                    ply: 2,
                }),
                start: Board::START,
                remarks: Vec::new(),
            },
            moves: moves
                .map(|(ply, (empties, loss))| MoveLoss {
                    ply,
                    side: [Color::Black, Color::White][ply % 2],
                    empties,
                    mv: othello_core::Square::F5.into(),
                    best: othello_core::Square::F5.into(),
                    score: Discs::ZERO,
                    loss: Discs::whole(loss),
                    exact: false,
                })
                .collect(),
        }
    }

    fn report() -> AccuracyReport {
        let mut tables = AccuracyTables::default();
        tables.add(&game("Ann", "Bob", Some("Tiger"), [1, 2, 3, 4]));
        tables.add(&game("Cid", "Ann", Some("Cow"), [0, 0, 0, 8]));
        tables.add(&game("Ann", "Bob", None, [0, 0, 0, 0]));
        tables.add(&game("", "Bob", Some("Cow"), [6, 6, 6, 6]));
        tables.report()
    }

    fn player<'a>(report: &'a AccuracyReport, name: &str) -> &'a BreakdownReport {
        let mut players = report.players.iter();
        &players.find(|player| player.name == name).unwrap().row
    }

    /// Names with their games, moves and mean losses.
    fn rows_of(rows: &[Named<Row>]) -> Vec<(&str, u32, u64, f64)> {
        let rows = rows.iter().map(|named| (named.name.as_str(), named.row));
        rows.map(|(name, row)| (name, row.games, row.moves, row.mean_loss.value))
            .collect()
    }

    #[test]
    fn players_are_told_with_the_most_games_first() {
        let report = report();
        let players = report.players.into_iter().map(|player| Named {
            name: player.name,
            row: player.row.all,
        });
        let players: Vec<Named<Row>> = players.collect();
        assert_eq!(
            rows_of(&players),
            [("Ann", 3, 6, 2.0), ("Bob", 3, 6, 3.0), ("Cid", 1, 2, 0.0)]
        );
    }

    #[test]
    fn all_moves_of_a_game_are_one_observation() {
        let all = report().all;
        assert_eq!((all.all.games, all.all.moves), (4, 16));
        assert_eq!(all.all.mean_loss.value, 42.0 / 16.0);
        assert_eq!(all.opponents, []);
    }

    #[test]
    fn a_player_is_broken_down_by_phase_opening_and_opponent() {
        let report = report();
        let ann = player(&report, "Ann");
        assert_eq!(
            rows_of(&ann.phases),
            [("opening", 3, 3, 1.0 / 3.0), ("endgame", 3, 3, 11.0 / 3.0)]
        );
        assert_eq!(
            rows_of(&ann.openings),
            [("Cow", 1, 2, 4.0), ("Tiger", 1, 2, 2.0)]
        );
        assert_eq!(
            rows_of(&ann.opponents),
            [("Bob", 2, 4, 1.0), ("Cid", 1, 2, 4.0)]
        );
        let bob = player(&report, "Bob");
        assert_eq!(rows_of(&bob.opponents), [("Ann", 2, 4, 1.5)]);
        assert_eq!(
            rows_of(&ann.years),
            [("1990", 2, 4, 2.0), ("1991", 1, 2, 2.0)]
        );
        assert_eq!(
            rows_of(&bob.openings),
            [("Cow", 1, 2, 6.0), ("Tiger", 1, 2, 3.0)]
        );
    }
}
