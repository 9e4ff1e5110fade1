//! What a person may ask for besides a move.

use std::io::{self, Write};

use boardgame_cli::terminal::Keyboard;
use othello_core::{ByColor, Game};
use othello_engine::Settings;

use super::{analysis::analyze, save::save};
use crate::store::StoreOptions;

/// The words, as a prompt takes them.
pub(super) const WORDS: &[&str] = &["analyze", "save", "save!"];

/// The answers to the words.
#[derive(Clone)]
pub(super) struct Words {
    /// The names of the players, for records.
    pub(super) names: ByColor<String>,
    /// For analyses.
    pub(super) settings: Settings,
    /// For what they find.
    pub(super) store: StoreOptions,
}

impl Words {
    /// Does what a word asks for and returns what is to be told. `rest` is what stands after the word.
    pub(super) fn answer(&self, game: &Game, word: &str, rest: &str) -> String {
        let answer = match word {
            "analyze" => analyze(game, &self.settings, &self.store),
            _ => save(game, &self.names, rest, word == "save!").map_err(Into::into),
        };
        answer.unwrap_or_else(|error| error.to_string())
    }

    /// Answers words after the game.
    pub(super) fn answer_after_the_game(
        &self,
        keyboard: &Keyboard,
        game: &Game,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if !keyboard.answers_after_the_game() {
            return Ok(());
        }
        while let Some((word, rest)) = keyboard.ask_word(out, WORDS)? {
            writeln!(out, "{}", self.answer(game, word, &rest))?;
        }
        Ok(())
    }
}
