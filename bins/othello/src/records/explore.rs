//! `othello games --at`: the moves that were played in a position.

use std::fmt;

use boardgame_io::printable;
use othello_analysis::{MoveValue, Store, look_up_values};
use othello_core::{Game, Move};
use othello_records::{Continuation, Continuations, Openings};
use serde::Serialize;

/// The moves that were played in a position, most frequent first.
#[derive(Serialize)]
pub(super) struct Explored {
    board: String,
    opening: Option<&'static str>,
    games: u64,
    /// The number of games that end in the position.
    ended: u64,
    moves: Vec<ExploredMove>,
}

/// A move with its games, and its value if it is known.
#[derive(Serialize)]
struct ExploredMove {
    #[serde(rename = "move")]
    mv: Move,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    mean_discs: Option<f64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
    player: Option<String>,
    player_games: u64,
    opening: Option<&'static str>,
    value: Option<MoveValue>,
}

impl Explored {
    /// Adds openings and values of a store to what was played at the end of a game.
    pub(super) fn new(
        game: &Game,
        found: &Continuations,
        openings: &Openings,
        store: &mut dyn Store,
    ) -> Self {
        let known = look_up_values(store, game.board().position());
        let values = known.map_or_else(Vec::new, |stored| stored.moves);
        let explored = |one: Continuation| ExploredMove {
            mv: one.mv,
            games: one.games,
            wins: one.wins,
            draws: one.draws,
            losses: one.losses,
            mean_discs: one.mean_discs(),
            first_year: one.years.map(|years| years.0),
            last_year: one.years.map(|years| years.1),
            player: one.main_player().map(|(name, _)| name.to_owned()),
            player_games: one.main_player().map_or(0, |(_, games)| games),
            opening: found.opening_after(one.mv, openings).map(|it| it.name),
            value: values.iter().find(|value| value.mv == one.mv).cloned(),
        };
        let moves: Vec<_> = found.by_frequency().into_iter().map(explored).collect();
        Self {
            board: game.board().to_string(),
            opening: openings.at(game.board().position()).map(|it| it.name),
            games: moves.iter().map(|one| one.games).sum::<u64>() + found.ended(),
            ended: found.ended(),
            moves,
        }
    }
}

impl fmt::Display for Explored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(opening) = self.opening {
            writeln!(f, "{opening}")?;
        }
        writeln!(
            f,
            "move    games  share    won  drawn   lost  discs   value  years"
        )?;
        for one in &self.moves {
            writeln!(f, "{}", one.line(self.games).trim_end())?;
        }
        if self.ended > 0 {
            let share = percent(self.ended, self.games);
            writeln!(f, "end   {:>7}  {share:>5}", self.ended)?;
        }
        Ok(())
    }
}

impl ExploredMove {
    /// Returns the line of a table about a position with this number of games.
    fn line(&self, games: u64) -> String {
        let known = self.wins + self.draws + self.losses;
        let [won, drawn, lost] =
            [self.wins, self.draws, self.losses].map(|count| percent(count, known));
        let discs = self
            .mean_discs
            .map_or_else(String::new, |it| format!("{it:+.1}"));
        let value = self.value.as_ref().map(|it| it.value().to_string());
        let years = match (self.first_year, self.last_year) {
            (Some(first), Some(last)) if first == last => first.to_string(),
            (Some(first), Some(last)) => format!("{first}-{last}"),
            _ => String::new(),
        };
        let player = self.player.as_ref();
        let player = player.map(|name| format!("{} {}", printable(name), self.player_games));
        let notes: Vec<_> = self
            .opening
            .map(str::to_owned)
            .into_iter()
            .chain(player)
            .collect();
        format!(
            "{:<4}  {:>7}  {:>5}  {won:>5}  {drawn:>5}  {lost:>5}  {discs:>5}  {:>6}  {years:<9}  {}",
            self.mv.to_string(),
            self.games,
            percent(self.games, games),
            value.unwrap_or_default(),
            notes.join(", ")
        )
    }
}

/// Returns a share in percent, or nothing without a whole.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return String::new();
    }
    format!("{:.0} %", 100.0 * part as f64 / whole as f64)
}
