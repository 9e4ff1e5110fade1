//! Lines, split anywhere.

use boardgame_session::framing::{Line, Lines, MAX_LINE};

use super::Script;

/// Lines are the same however the bytes are split, hold no line end, and stay under the cap.
pub fn lines(data: &[u8]) {
    let mut script = Script::new(data);
    let (mut parts, mut bytes) = (Lines::default(), Vec::new());
    while !script.is_finished() {
        let chunk = script.bytes(255);
        parts.push(&chunk);
        assert!(parts.partial().len() <= MAX_LINE);
        bytes.extend(chunk);
    }
    let mut whole = Lines::default();
    whole.push(&bytes);
    whole.finish();
    parts.finish();
    while let Some(line) = whole.next_line() {
        if let Line::Whole(line) = &line {
            assert!(!line.contains(&b'\n') && line.len() <= MAX_LINE);
        }
        assert_eq!(parts.next_line(), Some(line));
    }
    assert_eq!(parts.next_line(), None);
}
