//! Accuracy by player, phase, opening and opponent.

use std::{cmp::Reverse, collections::BTreeMap};

use othello_core::Color;
use serde::Serialize;

use super::{Accuracy, GameSums, Row};
use crate::{GameLosses, Phase};

/// The accuracy of moves in analyzed games: of all players, and of each.
///
/// A player without a name counts in the tables of all players alone.
#[derive(Clone, Debug, Default)]
pub struct AccuracyTables {
    all: Breakdown,
    players: BTreeMap<String, Breakdown>,
}

/// The accuracy of some players by phase, opening and opponent.
#[derive(Clone, Debug, Default)]
pub struct Breakdown {
    all: Accuracy,
    phases: [Accuracy; Phase::ALL.len()],
    openings: BTreeMap<String, Accuracy>,
    opponents: BTreeMap<String, Accuracy>,
}

/// A row of a table with its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The accuracy.
    #[serde(flatten)]
    pub row: Row,
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
                against.add(sums(game, &[color], None));
            }
        }
    }

    /// The accuracy of all players.
    pub const fn all(&self) -> &Breakdown {
        &self.all
    }

    /// The accuracy of a player.
    pub fn player(&self, name: &str) -> Option<&Breakdown> {
        self.players.get(name)
    }

    /// The players, those with the most games first.
    pub fn players(&self) -> Vec<Named> {
        let players = self.players.iter();
        rows(players.map(|(name, player)| (name, &player.all)))
    }
}

impl Breakdown {
    /// Adds the moves of these colours.
    fn add(&mut self, game: &GameLosses, colors: &[Color]) {
        let all = sums(game, colors, None);
        self.all.add(all);
        for (phase, accuracy) in Phase::ALL.into_iter().zip(&mut self.phases) {
            accuracy.add(sums(game, colors, Some(phase)));
        }
        if let Some(opening) = &game.game.opening {
            self.openings
                .entry(opening.name.clone())
                .or_default()
                .add(all);
        }
    }

    /// The accuracy in all games.
    pub fn all(&self) -> Row {
        self.all.row()
    }

    /// The accuracy by phase, in order, without those that have no moves.
    pub fn phases(&self) -> Vec<Named> {
        let phases = Phase::ALL.into_iter().zip(&self.phases);
        let played = phases.filter(|(_, accuracy)| accuracy.games() > 0);
        played
            .map(|(phase, accuracy)| named(phase.name(), accuracy))
            .collect()
    }

    /// The accuracy by the last named opening of a game, those with the most games first.
    pub fn openings(&self) -> Vec<Named> {
        rows(&self.openings)
    }

    /// The accuracy of a player by opponent, those with the most games first; none of all players.
    pub fn opponents(&self) -> Vec<Named> {
        rows(&self.opponents)
    }
}

/// The sums of the moves of these colours, in a phase or in all.
fn sums(game: &GameLosses, colors: &[Color], phase: Option<Phase>) -> GameSums {
    let moves = game.moves.iter().filter(|mv| colors.contains(&mv.side));
    let moves = moves.filter(|mv| phase.is_none_or(|phase| Phase::of(mv.empties) == phase));
    moves.map(|mv| mv.loss).collect()
}

/// Rows of those that have moves, the most games first, then by name.
fn rows<'a>(groups: impl IntoIterator<Item = (&'a String, &'a Accuracy)>) -> Vec<Named> {
    let played = groups
        .into_iter()
        .filter(|(_, accuracy)| accuracy.games() > 0);
    let mut rows: Vec<Named> = played
        .map(|(name, accuracy)| named(name, accuracy))
        .collect();
    rows.sort_by_key(|named| Reverse(named.row.games));
    rows
}

fn named(name: &str, accuracy: &Accuracy) -> Named {
    Named {
        name: name.to_owned(),
        row: accuracy.row(),
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Board;

    use super::*;
    use crate::{Discs, GameInfo, MoveLoss, OpeningInfo, PlayerInfo};

    /// A game of two moves a side, in the opening and in the endgame, with their losses in discs.
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
                date: None,
                event: String::new(),
                round: String::new(),
                place: String::new(),
                result: None,
                opening: opening.map(|name| OpeningInfo {
                    name: name.into(),
                    ply: 2,
                }),
                start: Board::START,
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

    fn tables() -> AccuracyTables {
        let mut tables = AccuracyTables::default();
        tables.add(&game("Ann", "Bob", Some("Tiger"), [1, 2, 3, 4]));
        tables.add(&game("Cid", "Ann", Some("Cow"), [0, 0, 0, 8]));
        tables.add(&game("Ann", "Bob", None, [0, 0, 0, 0]));
        tables.add(&game("", "Bob", Some("Cow"), [6, 6, 6, 6]));
        tables
    }

    /// Names with their games, moves and mean losses.
    fn told(rows: &[Named]) -> Vec<(&str, u32, u64, f64)> {
        let told = |named: &Named| {
            let row = named.row;
            (row.games, row.moves, row.mean_loss.value)
        };
        let rows = rows.iter().map(|named| (named.name.as_str(), told(named)));
        rows.map(|(name, (games, moves, loss))| (name, games, moves, loss))
            .collect()
    }

    #[test]
    fn players_are_told_with_the_most_games_first() {
        let tables = tables();
        assert_eq!(
            told(&tables.players()),
            [("Ann", 3, 6, 2.0), ("Bob", 3, 6, 3.0), ("Cid", 1, 2, 0.0)]
        );
        assert!(tables.player("").is_none());
    }

    #[test]
    fn all_moves_of_a_game_are_one_observation() {
        let tables = tables();
        let all = tables.all().all();
        assert_eq!((all.games, all.moves), (4, 16));
        assert_eq!(all.mean_loss.value, 42.0 / 16.0);
        assert_eq!(told(&tables.all().opponents()), []);
    }

    #[test]
    fn a_player_is_broken_down_by_phase_opening_and_opponent() {
        let tables = tables();
        let ann = tables.player("Ann").unwrap();
        assert_eq!(
            told(&ann.phases()),
            [("opening", 3, 3, 1.0 / 3.0), ("endgame", 3, 3, 11.0 / 3.0)]
        );
        assert_eq!(
            told(&ann.openings()),
            [("Cow", 1, 2, 4.0), ("Tiger", 1, 2, 2.0)]
        );
        assert_eq!(
            told(&ann.opponents()),
            [("Bob", 2, 4, 1.0), ("Cid", 1, 2, 4.0)]
        );
        let bob = tables.player("Bob").unwrap();
        assert_eq!(told(&bob.opponents()), [("Ann", 2, 4, 1.5)]);
        assert_eq!(
            told(&bob.openings()),
            [("Cow", 1, 2, 6.0), ("Tiger", 1, 2, 3.0)]
        );
    }
}
