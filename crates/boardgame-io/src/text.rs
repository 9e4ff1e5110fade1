//! Untrusted text on a terminal.

/// Returns true if a character is invisible and controls a terminal or the order of nearby letters: control characters,
/// line and paragraph separators, and marks and overrides of the writing direction.
pub const fn is_control(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
    )
}

/// Returns an untrusted text as one line for a terminal: escapes replace characters that could [control](is_control)
/// it.
///
/// # Examples
///
/// ```
/// use boardgame_io::printable;
///
/// assert_eq!(printable("\u{1b}[2Jé\tx\u{202e}"), "\\u{1b}[2Jé\\tx\\u{202e}");
/// ```
pub fn printable(text: &str) -> String {
    let escape = |letter: char| {
        let is_control = is_control(letter);
        let control = is_control.then(|| letter.escape_default());
        let plain = (!is_control).then_some(letter);
        control.into_iter().flatten().chain(plain)
    };
    text.chars().flat_map(escape).collect()
}

/// Returns a text of several lines, such as an error that shows a place in a file, for a terminal, each line
/// [printable]. Lines after the first are indented, so none can pass for another message.
///
/// # Examples
///
/// ```
/// use boardgame_io::printable_lines;
///
/// assert_eq!(printable_lines("a\nothello: \rb"), "a\n  othello: \\rb");
/// ```
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().split('\n').map(printable).collect();
    lines.join("\n  ")
}

/// Returns a text in which no character has a meaning in HTML or XML, nor in a quoted attribute.
///
/// # Examples
///
/// ```
/// assert_eq!(boardgame_io::escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
/// ```
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a text as a field of CSV, in quotes if it needs them.
///
/// # Examples
///
/// ```
/// assert_eq!(boardgame_io::csv_field("a \"b\", c"), "\"a \"\"b\"\", c\"");
/// ```
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
