//! Text that is harmless to every reader of S-expressions.

use alloc::{string::String, vec, vec::Vec};

use super::MAX_DEPTH;

/// The maximum length of a comment's text, in bytes; the rest is cut off.
pub const MAX_COMMENT: usize = 1024;

/// The parentheses that printing a comment puts around its text.
const AROUND: usize = 2;

/// The characters, besides letters, digits, blanks and balanced parentheses, that stand for
/// themselves. Those that mean something to a Lisp reader (rule 4 names `.`, `,` and `:`) are not
/// among them.
const HARMLESS: &str = "+-*/=<>?!_%&$^~@[]{}";

/// Removes everything that rule 4 warns of: control characters, runs of blanks, unbalanced
/// parentheses, and characters special to a Lisp reader.
///
/// Characters outside ASCII become `?`.
///
/// # Examples
///
/// ```
/// use othello_proto::sloan::safe;
///
/// assert_eq!(safe("oops...\tscore: 2.5 :-)"), "oops score 2 5 -");
/// assert_eq!(safe("a (nested) remark)"), "a (nested) remark");
/// ```
pub fn safe(text: &str) -> String {
    let chars: Vec<char> = text.chars().take(MAX_COMMENT).map(safe_char).collect();
    let kept = balanced(&chars);
    let mut safe = String::new();
    for (&c, _) in chars.iter().zip(kept).filter(|(_, keep)| *keep) {
        if c != ' ' || !(safe.is_empty() || safe.ends_with(' ')) {
            safe.push(c);
        }
    }
    safe.truncate(safe.trim_end().len());
    safe
}

/// Replaces parentheses by brackets, so that a reader that looks for messages inside comments does
/// not find a quoted one.
///
/// # Examples
///
/// ```
/// assert_eq!(othello_proto::sloan::bracketed("at offset 3 of (W i 9)"), "at offset 3 of [W i 9]");
/// ```
pub fn bracketed(text: &str) -> String {
    text.replace('(', "[").replace(')', "]")
}

fn safe_char(c: char) -> char {
    match c {
        '(' | ')' => c,
        _ if c.is_ascii_alphanumeric() || HARMLESS.contains(c) => c,
        _ if c.is_ascii() || c.is_whitespace() => ' ',
        _ => '?',
    }
}

/// Returns for each character whether to keep it: all but parentheses that are unbalanced or nested
/// too deeply.
fn balanced(chars: &[char]) -> Vec<bool> {
    let mut kept = vec![true; chars.len()];
    let mut open = Vec::new();
    for (at, c) in chars.iter().enumerate() {
        match c {
            '(' => {
                kept[at] = false;
                open.push(at);
            }
            ')' => match open.pop() {
                Some(partner) if open.len() < MAX_DEPTH - AROUND => kept[partner] = true,
                _ => kept[at] = false,
            },
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(safe(text), expect, "{text:?}");
    }

    #[test]
    fn characters_that_rule_4_warns_of_are_taken_out() {
        check("a.b,c:d", "a b c d");
        check("  runs \t of\r\n\nblanks  ", "runs of blanks");
        check("((a) b", "(a) b");
        check(")a(", "a");
        check("a ( b", "a b");
        check("\"quoted\" 'text; |x| #\\`", "quoted text x");
        check("Grüße", "Gr??e");
        check("eval +4 --------", "eval +4 --------");
    }

    #[test]
    fn deep_and_long_text_is_cut() {
        let deep = "(".repeat(100) + &")".repeat(100);
        let depth = MAX_DEPTH - AROUND;
        check(&deep, &("(".repeat(depth) + &")".repeat(depth)));
        check(&"x".repeat(9999), &"x".repeat(MAX_COMMENT));
    }

    proptest! {
        #[test]
        fn safe_text_is_safe_and_stays_as_it_is(text in "[ -~\t\né()., :]{0,80}") {
            let safe = safe(&text);
            prop_assert!(!safe.contains(['\t', '\n', '\r', '.', ',', ':', ';', '"', '|', '#']));
            prop_assert!(!safe.contains("  ") && safe.trim() == safe && safe.is_ascii());
            let mut depth = 0i32;
            for c in safe.chars() {
                depth += i32::from(c == '(') - i32::from(c == ')');
                prop_assert!(depth >= 0);
            }
            prop_assert_eq!(depth, 0);
            prop_assert_eq!(super::safe(&safe), safe);
        }
    }
}
