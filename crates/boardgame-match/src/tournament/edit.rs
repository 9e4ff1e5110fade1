//! Changes of a tournament's file that leave the rest of it as people wrote it.

use serde::Deserialize;
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

/// A program that enters a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProgram {
    /// The name.
    pub name: String,
    /// The command.
    pub command: String,
    /// The protocol, if not the one of all programs.
    pub protocol: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The round in which it enters, from 1.
    pub from_round: u32,
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

/// Returns the text of a file with another program.
///
/// # Errors
///
/// Fails if the file has no programs, or one of this name.
pub fn add(text: &str, program: &NewProgram) -> Result<String, EditError> {
    let file: File = toml::from_str(text)?;
    if file
        .program
        .iter()
        .any(|one| *one.name.get_ref() == program.name)
    {
        let name = program.name.clone();
        return Err(EditError::Taken { name });
    }
    // TOML has the escapes of JSON.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut lines = vec![
        "\n[[program]]".to_owned(),
        format!("name = {}", quoted(&program.name)),
    ];
    let key = |key: &str, value: &str| format!("{key} = {}", quoted(value));
    lines.extend(program.author.as_ref().map(|author| key("author", author)));
    lines.extend(program.protocol.as_ref().map(|name| key("protocol", name)));
    lines.push(key("command", &program.command));
    if program.from_round > 1 {
        lines.push(format!("from_round = {}", program.from_round));
    }
    Ok(format!("{}\n{}\n", text.trim_end(), lines.join("\n")))
}

/// Returns the text of a file in which a program withdraws after a round, or before the first if that is 0.
///
/// # Errors
///
/// Fails if the file has no such program.
pub fn withdraw(text: &str, name: &str, round: u32) -> Result<String, EditError> {
    let file: File = toml::from_str(text)?;
    let Some(found) = file.program.iter().find(|one| one.name.get_ref() == name) else {
        let known: Vec<&str> = file
            .program
            .iter()
            .map(|one| &one.name.get_ref()[..])
            .collect();
        return Err(EditError::Unknown {
            name: name.to_owned(),
            known: known.join(", "),
        });
    };
    let end = found.name.span().end;
    let rest = &text[end..];
    let line = end + rest.find('\n').unwrap_or(rest.len());
    let (before, after) = text.split_at(line);
    Ok(format!("{before}\nwithdrawn_after = {round}{after}"))
}
