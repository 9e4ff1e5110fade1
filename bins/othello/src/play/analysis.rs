//! The values of the moves of the game in progress.

use othello_analysis::{Analysis, Report, Search, Settings as AnalysisSettings};
use othello_core::Game;
use othello_engine::Settings;
use othello_records::Record;

use crate::{
    analyze::{PROGRAM, report::played_so_far},
    store::StoreOptions,
};

/// Settings that take a few seconds for a whole game: the person waits.
const SETTINGS: AnalysisSettings = AnalysisSettings {
    depth: 12,
    exact_from: 18,
};

/// Returns a table of the moves of a game: their values, losses, and better moves.
///
/// # Errors
///
/// Fails if there is no memory for the search, or a warning about the store cannot be written.
pub(super) fn analyze(
    game: &Game,
    settings: &Settings,
    store: &StoreOptions,
) -> anyhow::Result<String> {
    if game.moves().is_empty() {
        return Ok("There is no move yet.".into());
    }
    let mut searcher = settings.searcher()?;
    // A player's options name no weights other than the built-in ones.
    let mut store = store.open(None)?;
    let mut analysis = Analysis::new(game);
    let mut search = Search::new(&mut searcher);
    analysis.deepen(&SETTINGS, &mut search, Some(&mut store), &mut |_| {});
    store.warn_of_failure()?;
    let record = Record::from(game.clone());
    let report = Report::new(PROGRAM, &record, &analysis, &SETTINGS);
    let table = played_so_far(&report);
    Ok(format!(
        "Values in discs, from Black's side:\n{}",
        table.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use othello_analysis::look_up;
    use othello_core::Move;
    use othello_engine::HashSize;

    use super::*;

    #[test]
    fn a_mistake_in_a_solved_position_loses_what_it_costs() {
        // h5 wins by 6, g6 loses by 2.
        let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        let settings = Settings {
            hash: HashSize::MIN,
            ..Settings::default()
        };
        let mut game = Game::new(board.parse().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("analyses");
        let store = StoreOptions::file(&file);
        let analyze = |game: &Game| analyze(game, &settings, &store).unwrap();
        assert_eq!(analyze(&game), "There is no move yet.");
        game.play("g6".parse::<Move>().unwrap()).unwrap();
        let text = analyze(&game);
        let row = text.lines().nth(2).unwrap_or_default();
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["1", "X", "g6", "-2", "8", "h5", "+6"], "{text}");
        assert!(!text.contains("from here"), "{text}");
        let mut kept = store.open(None).unwrap();
        assert!(look_up(&mut kept, game.start().position()).is_some());
    }
}
