//! The parts of an engine's text.

use boardgame_io::{CommandLine, CommandLineError, is_control};

/// The parts of a text that names an engine: `NAME=PROTOCOL:COMMAND`, or `NAME=PROTOCOL` without a command.
///
/// # Examples
///
/// ```
/// use boardgame_match::engine::EngineText;
///
/// let text = EngineText::parse("b=gtp:gnugo --mode gtp")?;
/// assert_eq!((text.name, text.protocol, text.command), ("b", "gtp", "gnugo --mode gtp"));
/// assert_eq!(text.command_line()?.program(), "gnugo");
/// assert!(EngineText::parse("gnugo").is_err());
/// # Ok::<(), boardgame_match::engine::EngineTextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineText<'a> {
    /// The name.
    pub name: &'a str,
    /// The protocol of a program, or the keyword for an engine in this process.
    pub protocol: &'a str,
    /// The command of a program, or the settings of an engine in this process.
    pub command: &'a str,
}

/// The error of a text that names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EngineTextError {
    /// There is no name, or no protocol.
    #[error("expected NAME=PROTOCOL:COMMAND, such as a=gtp:'program --gtp', found {found:?}")]
    Form { found: String },
    /// No command line.
    #[error("the command of {name}: {error}")]
    Command {
        name: String,
        error: CommandLineError,
    },
}

/// Returns true if names may not have a character: white space, or a control character that would affect a
/// terminal.
pub(super) fn is_no_part_of_a_name(letter: char) -> bool {
    letter.is_whitespace() || is_control(letter)
}

impl<'a> EngineText<'a> {
    /// Splits a text.
    ///
    /// # Errors
    ///
    /// Fails if there is no name without white space before an equals sign.
    pub fn parse(text: &'a str) -> Result<Self, EngineTextError> {
        let named = text.split_once('=');
        let named =
            named.filter(|(name, _)| !name.is_empty() && !name.contains(is_no_part_of_a_name));
        let Some((name, rest)) = named else {
            return Err(EngineTextError::Form { found: text.into() });
        };
        let (protocol, command) = rest.split_once(':').unwrap_or((rest, ""));
        Ok(Self {
            name,
            protocol,
            command,
        })
    }

    /// Parses the command.
    ///
    /// # Errors
    ///
    /// Fails if it is no command line.
    pub fn command_line(&self) -> Result<CommandLine, EngineTextError> {
        let line = self.command.parse();
        line.map_err(|error| EngineTextError::Command {
            name: self.name.into(),
            error,
        })
    }
}
