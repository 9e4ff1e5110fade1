//! A person at a terminal.

mod keyboard;
mod prompt;
mod watch;
mod wishes;

pub use keyboard::{Keyboard, Turn};
pub use prompt::{Answer, Prompt, Refusal, ask};
pub use watch::{Detail, Watch};
pub use wishes::{PersonsTurn, Wish, Wishes};

/// Returns what a program said, without the characters by which it could control the terminal.
pub fn printable(text: &str) -> String {
    let escape = |letter: char| {
        let control = letter.is_control().then(|| letter.escape_default());
        let plain = (!letter.is_control()).then_some(letter);
        control.into_iter().flatten().chain(plain)
    };
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(printable("\u{1b}[2Jé\tx"), "\\u{1b}[2Jé\\tx");
    }
}
