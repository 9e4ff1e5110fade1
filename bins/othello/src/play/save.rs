//! Saving the current game.

use std::{path::Path, time::SystemTime};

use boardgame_cli::{printable, terminal};
use othello_core::{ByColor, Empties, Game};
use othello_records::{Date, Format, Outcome, Player, Record, write_text, wthor::WriteError};

/// The extensions of files, and their formats.
const FORMATS: [(&str, Format); 7] = [
    ("sgf", Format::Sgf),
    ("ggf", Format::Ggf),
    ("pgn", Format::Pgn),
    ("txt", Format::Transcript),
    ("obf", Format::Obf),
    ("gam", Format::Logbook),
    ("json", Format::Quest),
];

/// The error of a game that is not saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    #[error("expected a file, as in save game.sgf")]
    NoFile,
    #[error("{file}: expected a name that ends with {}", extensions())]
    Extension { file: String },
    #[error("{file}: {reason}")]
    Format { file: String, reason: WriteError },
    #[error(transparent)]
    File(#[from] terminal::SaveError),
}

fn extensions() -> String {
    let names: Vec<String> = FORMATS.iter().map(|(name, _)| format!(".{name}")).collect();
    names.join(", ")
}

/// Writes a game to a file in the format of its extension. An existing file is replaced only if `replaces`.
///
/// Returns a description of what was written.
pub(super) fn save(
    game: &Game,
    names: &ByColor<String>,
    file: &str,
    replaces: bool,
) -> Result<String, SaveError> {
    if file.is_empty() {
        return Err(SaveError::NoFile);
    }
    let path = Path::new(file);
    let format = format_of(path).ok_or_else(|| SaveError::Extension { file: file.into() })?;
    let mut text = Vec::new();
    let failed = |reason| SaveError::Format {
        file: file.into(),
        reason,
    };
    write_text(format, &record(game, names), 0, &mut text).map_err(failed)?;
    terminal::save_text(file, &text, replaces)?;
    Ok(printable(&format!("Saved as {format} in {file}.")))
}

fn format_of(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?;
    let mut formats = FORMATS.iter();
    let found = formats.find(|(name, _)| extension.eq_ignore_ascii_case(name));
    found.map(|&(_, format)| format)
}

/// Returns the record of a game played now.
fn record(game: &Game, names: &ByColor<String>) -> Record {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let played = |game: &Game| {
        let score = game
            .board()
            .score(othello_core::Color::Black, Empties::ToWinner);
        Outcome::played(score.discs())
    };
    Record {
        players: names.as_ref().map(|name| Player {
            name: name.clone(),
            ..Player::default()
        }),
        date: now.get(..10).and_then(Date::read),
        result: game.is_over().then(|| played(game)),
        ..Record::from(game.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names() -> ByColor<String> {
        ByColor {
            black: "Ann".into(),
            white: "othello".into(),
        }
    }

    #[test]
    fn a_game_is_read_from_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let game: Game = "f5d6c3".parse().unwrap();
        for (extension, format) in FORMATS {
            let file = folder.path().join(format!("game.{extension}"));
            save(&game, &names(), file.to_str().unwrap(), false).unwrap();
            let bytes = fs::read(&file).unwrap();
            assert_eq!(Format::detect(&bytes), Ok(format), "{extension}");
            let record = format.read(&bytes[..]).next().unwrap().unwrap();
            assert_eq!(record.game.board(), game.board(), "{extension}");
            if matches!(format, Format::Sgf | Format::Ggf | Format::Pgn) {
                assert_eq!(record.game.moves(), game.moves());
                assert_eq!(record.players.black.name, "Ann");
            }
        }
    }

    #[test]
    fn a_name_says_what_it_is_to_hold() {
        let tell = |file| {
            let saved = save(&Game::default(), &names(), file, false);
            saved.unwrap_err().to_string()
        };
        assert_eq!(tell(""), "expected a file, as in save game.sgf");
        let extension =
            "game: expected a name that ends with .sgf, .ggf, .pgn, .txt, .obf, .gam, .json";
        assert_eq!(tell("game"), extension);
        assert!(tell("/no/such/folder/x.sgf").starts_with("/no/such/folder/x.sgf: "));
    }
}
