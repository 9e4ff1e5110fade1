//! Text of programs on a terminal.

/// Returns what a program said, without the characters by which it could control the terminal.
///
/// # Examples
///
/// ```
/// use boardgame_io::printable;
///
/// assert_eq!(printable("\u{1b}[2Jé\tx"), "\\u{1b}[2Jé\\tx");
/// ```
pub fn printable(text: &str) -> String {
    let escape = |letter: char| {
        let control = letter.is_control().then(|| letter.escape_default());
        let plain = (!letter.is_control()).then_some(letter);
        control.into_iter().flatten().chain(plain)
    };
    text.chars().flat_map(escape).collect()
}
