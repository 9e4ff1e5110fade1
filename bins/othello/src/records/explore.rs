//! `othello games --at`: the moves that were played in a position, as a table.

use std::fmt;

use boardgame_io::printable;
use othello_analysis::{Explored, ExploredMove};

/// The table of what was played in a position.
pub(super) struct Table<'a>(pub(super) &'a Explored);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(opening) = self.0.opening {
            writeln!(f, "{opening}")?;
        }
        writeln!(
            f,
            "move    games  share    won  drawn   lost  discs   value  years"
        )?;
        for one in &self.0.moves {
            writeln!(f, "{}", line(one, self.0.games).trim_end())?;
        }
        if self.0.ended > 0 {
            let share = percent(self.0.ended, self.0.games);
            writeln!(f, "end   {:>7}  {share:>5}", self.0.ended)?;
        }
        Ok(())
    }
}

/// Returns the line of a table about a position with this number of games.
fn line(one: &ExploredMove, games: u64) -> String {
    let known = one.wins + one.draws + one.losses;
    let [won, drawn, lost] = [one.wins, one.draws, one.losses].map(|count| percent(count, known));
    let discs = one
        .mean_discs
        .map_or_else(String::new, |it| format!("{it:+.1}"));
    let value = one.value.as_ref().map(|it| it.value().to_string());
    let years = match (one.first_year, one.last_year) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first}-{last}"),
        _ => String::new(),
    };
    let player = one.player.as_ref();
    let player = player.map(|name| format!("{} {}", printable(name), one.player_games));
    let notes: Vec<_> = one
        .opening
        .map(str::to_owned)
        .into_iter()
        .chain(player)
        .collect();
    format!(
        "{:<4}  {:>7}  {:>5}  {won:>5}  {drawn:>5}  {lost:>5}  {discs:>5}  {:>6}  {years:<9}  {}",
        one.mv.to_string(),
        one.games,
        percent(one.games, games),
        value.unwrap_or_default(),
        notes.join(", ")
    )
}

/// Returns a share in percent, or nothing without a whole.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return String::new();
    }
    format!("{:.0} %", 100.0 * part as f64 / whole as f64)
}
