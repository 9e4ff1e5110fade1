//! Asking a person for a move.

use std::io::{self, BufRead, Read as _, Write};

use super::grid::Grid;

/// The input of a person to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// Play this move, which is legal.
    Play(M),
    /// Take the last move of each side back.
    Undo,
    /// Show the engine's choice.
    Hint,
    /// One of [`Prompt::commands`], with the rest of the line, trimmed.
    Command(&'static str, String),
    /// Leave; the end of input counts as this.
    Quit,
}

/// A command in addition to undo, hint and quit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The word that is typed.
    pub word: &'static str,
    /// The line of `help`, such as `save FILE: writes the game`.
    pub help: &'static str,
}

/// The moves that a person may type.
#[derive(Clone, Copy)]
pub struct Prompt<'a, M> {
    /// The form of a move, as in `a square such as f5`.
    pub expected: &'a str,
    /// Reads a move in any letter case.
    pub read: &'a dyn Fn(&str) -> Result<M, Refusal>,
    /// Commands in addition to undo, hint and quit.
    pub commands: &'static [Command],
    /// True in a game, which has undo and hint.
    pub in_game: bool,
    /// The board with a cursor, if one can be shown.
    pub grid: Option<&'a Grid<'a>>,
}

/// The reason why a text is not accepted as a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is not a move.
    #[error("no move")]
    NoMove,
    /// The move is illegal here.
    #[error("{reason}")]
    Illegal {
        /// The move, and why it is illegal or what would be legal.
        reason: String,
    },
}

/// The words for leaving.
const QUIT: [&str; 3] = ["quit", "exit", "q"];

/// The maximum length of a line in bytes; the rest of a longer one is dropped.
const MAX_LINE: u64 = 64 * 1024;

/// The maximum number of characters that are quoted of an invalid answer.
const MAX_QUOTED: usize = 40;

/// The word for the list of what may be typed.
const HELP: &str = "help";

/// Asks until the answer is valid.
///
/// # Errors
///
/// When reading or writing fails.
pub fn ask<M>(
    input: &mut impl BufRead,
    out: &mut impl Write,
    prompt: &Prompt<'_, M>,
) -> io::Result<Answer<M>> {
    loop {
        write!(out, "Your move: ")?;
        out.flush()?;
        let Some(line) = read_line(input)? else {
            writeln!(out)?;
            return Ok(Answer::Quit);
        };
        let line = String::from_utf8_lossy(&line);
        let text = line.trim();
        match understand(text, prompt) {
            Ok(answer) => return Ok(answer),
            Err(error) => writeln!(out, "{}", refusal(text, &error, prompt))?,
        }
    }
}

/// Asks for one of some commands until it is valid, and returns it with the rest of the line; `None` means to
/// leave.
pub(super) fn ask_command(
    input: &mut impl BufRead,
    out: &mut impl Write,
    commands: &[Command],
) -> io::Result<Option<(&'static str, String)>> {
    let words = words(&[], commands);
    loop {
        write!(out, "{words}: ")?;
        out.flush()?;
        let Some(line) = read_line(input)? else {
            writeln!(out)?;
            return Ok(None);
        };
        if is_quit(&line) {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if let Some((command, rest)) = with_command(line.trim(), commands) {
            return Ok(Some((command, rest.to_owned())));
        }
        match line.trim() {
            "" => {}
            text if text.eq_ignore_ascii_case(HELP) => writeln!(out, "{}", help(&[], commands))?,
            text => writeln!(out, "expected {words}, not {:?}", quoted(text))?,
        }
    }
}

/// Reads a line, cut to [`MAX_LINE`] bytes; `None` at the end of input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok((!line.is_empty()).then_some(line))
}

/// Returns the error message for a text.
pub(super) fn refusal<M>(text: &str, error: &Refusal, prompt: &Prompt<'_, M>) -> String {
    if *error != Refusal::NoMove {
        return error.to_string();
    }
    let first = [prompt.expected, "undo", "hint"];
    let count = if prompt.in_game { 3 } else { 1 };
    let words = words(&first[..count], prompt.commands);
    if text.is_empty() {
        return format!("type {words}; help explains them");
    }
    if text.eq_ignore_ascii_case(HELP) {
        let square = format!("{}: is played", prompt.expected);
        let always = [
            square.as_str(),
            "undo: takes back your last move and the answer to it",
            "hint: shows what the engine would play",
        ];
        return help(&always[..count], prompt.commands);
    }
    format!("expected {words}, not {:?}", quoted(text))
}

/// Returns the words that may be typed, in a sentence.
fn words(first: &[&str], commands: &[Command]) -> String {
    let commands = commands.iter().map(|command| command.word);
    let words: Vec<&str> = first.iter().copied().chain(commands).collect();
    format!("{} or quit", words.join(", "))
}

/// Returns the lines of `help`, which begin with these.
fn help(first: &[&str], commands: &[Command]) -> String {
    let commands = commands.iter().map(|command| command.help);
    let lines = first.iter().copied().chain(commands);
    lines.chain(["quit: leaves"]).collect::<Vec<_>>().join("\n")
}

/// Returns the start of a text.
fn quoted(text: &str) -> String {
    text.chars().take(MAX_QUOTED).collect()
}

/// Returns whether a line is the request to leave.
pub(super) fn is_quit(line: &[u8]) -> bool {
    let word = line.trim_ascii();
    QUIT.iter()
        .any(|quit| word.eq_ignore_ascii_case(quit.as_bytes()))
}

/// Parses the answer in a trimmed text.
pub(super) fn understand<M>(text: &str, prompt: &Prompt<'_, M>) -> Result<Answer<M>, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "undo" | "u" if prompt.in_game => Ok(Answer::Undo),
        "hint" | "?" if prompt.in_game => Ok(Answer::Hint),
        quit if QUIT.contains(&quit) => Ok(Answer::Quit),
        _ => match with_command(text, prompt.commands) {
            Some((command, rest)) => Ok(Answer::Command(command, rest.to_owned())),
            None => (prompt.read)(text).map(Answer::Play),
        },
    }
}

/// Returns the command at the start of a text, and the rest.
fn with_command<'t>(text: &'t str, commands: &[Command]) -> Option<(&'static str, &'t str)> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let command = commands
        .iter()
        .find(|command| first.eq_ignore_ascii_case(command.word))?;
    Some((command.word, rest.trim()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const SAVE: Command = Command {
        word: "save",
        help: "save FILE: writes the game",
    };

    /// A prompt for a number up to 9.
    pub(in crate::terminal) const DIGIT: Prompt<'static, u8> = Prompt {
        expected: "a number such as 5",
        read: &|text| match text.parse() {
            Ok(number @ 0..=9) => Ok(number),
            Ok(number) => Err(Refusal::Illegal {
                reason: format!("{number} is not legal here"),
            }),
            Err(_) => Err(Refusal::NoMove),
        },
        commands: &[SAVE],
        in_game: true,
        grid: None,
    };

    fn answers(typed: impl AsRef<[u8]>) -> (Answer<u8>, String) {
        let mut out = Vec::new();
        let answer = ask(&mut typed.as_ref(), &mut out, &DIGIT).unwrap();
        (answer, String::from_utf8(out).unwrap())
    }

    #[test]
    fn moves_and_commands_are_read_without_the_blanks_around_them() {
        assert_eq!(answers("5\n").0, Answer::Play(5));
        assert_eq!(answers("  4 \r\n").0, Answer::Play(4));
        assert_eq!(answers(" HINT\n").0, Answer::Hint);
        assert_eq!(answers("Exit").0, Answer::Quit);
        let saved = Answer::Command("save", "My game.sgf".into());
        assert_eq!(answers("SAVE  My game.sgf \n").0, saved);
        assert_eq!(answers("save\n").0, Answer::Command("save", String::new()));
    }

    #[test]
    fn what_makes_no_sense_is_explained_and_asked_again() {
        let (answer, out) = answers("10\nxyzzy\nundo\n");
        assert_eq!(answer, Answer::Undo);
        assert!(out.contains("10 is not legal here\n"), "{out}");
        let expected = "expected a number such as 5, undo, hint, save or quit, not \"xyzzy\"";
        assert!(out.contains(expected), "{out}");
    }

    #[test]
    fn an_empty_line_and_help_tell_what_may_be_typed() {
        let (answer, out) = answers("\nhelp\n5\n");
        assert_eq!(answer, Answer::Play(5));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(
            lines,
            [
                "Your move: type a number such as 5, undo, hint, save or quit; help explains them",
                "Your move: a number such as 5: is played",
                "undo: takes back your last move and the answer to it",
                "hint: shows what the engine would play",
                "save FILE: writes the game",
                "quit: leaves",
                "Your move: ",
            ]
        );
    }

    #[test]
    fn outside_a_game_there_is_no_undo() {
        let prompt = Prompt {
            in_game: false,
            ..DIGIT
        };
        let mut out = Vec::new();
        let answer = ask(&mut &b"undo\nhelp\n5\n"[..], &mut out, &prompt).unwrap();
        assert_eq!(answer, Answer::Play(5));
        let out = String::from_utf8(out).unwrap();
        assert!(
            out.contains("expected a number such as 5, save or quit, not"),
            "{out}"
        );
        assert!(!out.contains("undo: "), "{out}");
    }

    #[test]
    fn bytes_that_are_no_text_are_asked_again_and_repeated_in_part() {
        let (answer, out) = answers([&[0xff; 10_000], &b"\n4\n"[..]].concat());
        assert_eq!(answer, Answer::Play(4));
        assert!(out.len() < 400, "{out}");
    }

    #[test]
    fn the_rest_of_a_line_that_is_too_long_is_dropped() {
        let long = vec![b' '; usize::try_from(MAX_LINE).unwrap()];
        let (answer, out) = answers([&long[..], b"5\n4\n"].concat());
        assert_eq!(answer, Answer::Play(4));
        assert!(out.contains("type a number such as 5"), "{out}");
        assert_eq!(answers([&long[1..], b"5\n4\n"].concat()).0, Answer::Play(5));
    }

    #[test]
    fn commands_alone_are_asked_for_until_there_is_one() {
        let mut out = Vec::new();
        let mut typed = &b"5\n\nhelp\nSave a b\nquit\n"[..];
        let mut ask = || ask_command(&mut typed, &mut out, &[SAVE]).unwrap();
        assert_eq!(ask(), Some(("save", "a b".into())));
        assert_eq!((ask(), ask()), (None, None));
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("expected save or quit, not \"5\"\n"), "{out}");
        let help = "save or quit: save or quit: save FILE: writes the game\nquit: leaves\n";
        assert!(out.contains(help), "{out}");
    }

    #[test]
    fn the_end_of_input_quits() {
        assert_eq!(answers("").0, Answer::Quit);
    }
}
