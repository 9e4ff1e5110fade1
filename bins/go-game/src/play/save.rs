//! Saving the current game.

use std::{path::Path, time::SystemTime};

use boardgame_cli::{
    printable,
    terminal::{self, Command, save_text},
};
use boardgame_core::ByColor;
use go_core::{
    Game, Position,
    sgf::{GameResult, Record},
};

use crate::options::judge;

/// The commands, as typed at a prompt.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        word: "save",
        help: "save FILE.sgf: writes the game",
    },
    Command {
        word: "save!",
        help: "save! FILE.sgf: the same, over a file that exists",
    },
];

/// The error of a game that is not saved.
#[derive(Debug, thiserror::Error)]
enum SaveError {
    #[error("expected a file, as in save game.sgf")]
    NoFile,
    #[error("{file}: expected a name that ends with .sgf")]
    Extension { file: String },
    #[error(transparent)]
    File(#[from] terminal::SaveError),
}

/// Carries out one of [`COMMANDS`] and returns the answer. `rest` is the text after the command.
pub(super) fn answer(game: &Game, players: &ByColor<String>, command: &str, rest: &str) -> String {
    match save(game, players, rest, command == "save!") {
        Ok(()) => printable(&format!("Saved in {rest}.")),
        Err(error) => printable(&error.to_string()),
    }
}

fn save(
    game: &Game,
    players: &ByColor<String>,
    file: &str,
    replaces: bool,
) -> Result<(), SaveError> {
    if file.is_empty() {
        return Err(SaveError::NoFile);
    }
    let extension = Path::new(file).extension();
    if !extension.is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
        return Err(SaveError::Extension { file: file.into() });
    }
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let record = Record {
        players: players.clone(),
        date: now.get(..10).unwrap_or_default().into(),
        result: result(game.position()),
        ..Record::new(game.clone())
    };
    Ok(save_text(file, record.to_string().as_bytes(), replaces)?)
}

/// Returns the result of a finished game by the judge's count.
fn result(position: &Position) -> Option<GameResult> {
    let judged = position.is_over().then(|| judge().judge(position));
    judged.map(|judgement| GameResult::Score(judgement.margin))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use go_core::Move;

    use super::*;

    #[test]
    fn a_game_is_read_from_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.SGF");
        let file = file.to_str().unwrap();
        let mut game = Game::default();
        game.play("Q16".parse::<Move>().unwrap()).unwrap();
        let players = ByColor {
            black: "Ann".into(),
            white: "go-game".into(),
        };
        let said = answer(&game, &players, "save", file);
        assert_eq!(said, format!("Saved in {file}."));
        let record: Record = fs::read_to_string(file).unwrap().parse().unwrap();
        assert_eq!(
            (record.game, record.players),
            (game.clone(), players.clone())
        );
        assert_eq!(record.result, None);
        assert_eq!(answer(&game, &players, "save!", file), said);
    }

    #[test]
    fn a_name_says_what_it_is_to_hold() {
        let said = |file| answer(&Game::default(), &ByColor::default(), "save", file);
        assert_eq!(said(""), "expected a file, as in save game.sgf");
        assert_eq!(
            said("game.txt"),
            "game.txt: expected a name that ends with .sgf"
        );
    }
}
