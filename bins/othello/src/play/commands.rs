//! A person's commands other than moves.

use std::io::{self, Write};

use boardgame_cli::{
    printable,
    terminal::{Command, Keyboard},
};
use othello_core::{ByColor, Game};
use othello_engine::Settings;

use super::{analysis::analyze, save::save};
use crate::store::StoreOptions;

/// The commands, as typed at a prompt.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        word: "analyze",
        help: "analyze: shows the value of each move so far",
    },
    Command {
        word: "save",
        help: "save FILE: writes the game; .sgf, .ggf, .pgn, .txt, .obf, .gam or .json names the format",
    },
    Command {
        word: "save!",
        help: "save! FILE: the same, over a file that exists",
    },
];

/// The context of the commands.
#[derive(Clone)]
pub(super) struct Commands {
    /// The names of the players, for records.
    pub(super) names: ByColor<String>,
    /// The settings of analyses.
    pub(super) settings: Settings,
    /// The store of analyses.
    pub(super) store: StoreOptions,
}

impl Commands {
    /// Carries out a command and returns the answer. `rest` is the text after the command.
    pub(super) fn answer(&self, game: &Game, command: &str, rest: &str) -> String {
        let answer = match command {
            "analyze" => analyze(game, &self.settings, &self.store),
            _ => save(game, &self.names, rest, command == "save!").map_err(Into::into),
        };
        answer.unwrap_or_else(|error| printable(&error.to_string()))
    }

    /// Answers commands after the game.
    pub(super) fn answer_after_the_game(
        &self,
        keyboard: &Keyboard,
        game: &Game,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let answer = |command: &str, rest: &str| self.answer(game, command, rest);
        keyboard.answer_after_the_game(out, COMMANDS, answer)
    }
}
