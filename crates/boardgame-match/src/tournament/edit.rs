//! Changes of a tournament's file that leave the rest of it as people wrote it.

use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

/// The error of a file that cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EditError {
    /// The file is no TOML with tables of programs.
    #[error(transparent)]
    File(#[from] toml::de::Error),
    /// There is no such program.
    #[error("expected one of the programs {known}, found {name:?}")]
    Unknown { name: String, known: String },
    /// There is a program of this name.
    #[error("expected a name that is free, found {name}, which is in the tournament")]
    Taken { name: String },
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    program: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: Spanned<String>,
}

/// Returns the names of the programs in a file.
fn names(text: &str) -> Result<Vec<Spanned<String>>, EditError> {
    let file: File = toml::from_str(text)?;
    Ok(file.program.into_iter().map(|one| one.name).collect())
}

/// Returns the text of a file with another program, which has the keys that are not null.
///
/// # Errors
///
/// Fails if the file is no TOML, or has a program of this name.
pub fn add(text: &str, name: &str, keys: &[(&str, Value)]) -> Result<String, EditError> {
    if names(text)?.iter().any(|known| known.get_ref() == name) {
        let name = name.to_owned();
        return Err(EditError::Taken { name });
    }
    // TOML has the numbers and the escapes of JSON.
    let mut lines = vec![format!("name = {}", Value::from(name))];
    let given = keys.iter().filter(|(_, value)| !value.is_null());
    lines.extend(given.map(|(key, value)| format!("{key} = {value}")));
    let (before, lines) = (text.trim_end(), lines.join("\n"));
    Ok(format!("{before}\n\n[[program]]\n{lines}\n"))
}

/// Returns the text of a file in which a program withdraws after a round, or before the first if that is 0.
///
/// # Errors
///
/// Fails if the file has no such program.
pub fn withdraw(text: &str, name: &str, round: u32) -> Result<String, EditError> {
    let names = names(text)?;
    let Some(found) = names.iter().find(|known| known.get_ref() == name) else {
        let known: Vec<&str> = names.iter().map(|known| &known.get_ref()[..]).collect();
        return Err(EditError::Unknown {
            name: name.to_owned(),
            known: known.join(", "),
        });
    };
    let end = found.span().end;
    let line = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let (before, after) = text.split_at(line);
    Ok(format!("{before}\nwithdrawn_after = {round}{after}"))
}
