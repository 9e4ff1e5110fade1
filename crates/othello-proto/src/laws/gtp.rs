//! The Go Text Protocol.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use super::Script;
use crate::{
    ParseError,
    framing::MAX_LINE,
    gtp::{Command, MAX_RESPONSE, Response, Responses, parse_answer, parse_color, parse_vertex},
};

/// Commands, answers and responses read back, and the cutting into responses does not depend on
/// chunks.
pub fn parse(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        match Command::parse(line) {
            Ok(Some(command)) => {
                let text = command.to_string();
                assert_eq!(Command::parse(text.as_bytes()), Ok(Some(command)));
            }
            Ok(None) => {}
            Err(error) => assert!(error.offset() <= line.len()),
        }
    }
    entities(&String::from_utf8_lossy(data));
    responses(data);
}

fn entities(text: &str) {
    if let Ok(answer) = parse_answer(text) {
        assert!(answer.to_string().eq_ignore_ascii_case(text));
        assert_eq!(parse_answer(&answer.to_string()), Ok(answer));
    }
    if let Ok(vertex) = parse_vertex(text) {
        assert!(vertex.to_string().eq_ignore_ascii_case(text));
    }
    if let Ok(color) = parse_color(text) {
        assert_eq!(parse_color(&color.to_string()), Ok(color));
    }
}

fn responses(data: &[u8]) {
    let mut script = Script::new(data);
    let (mut parts, mut bytes, mut read) = (Responses::default(), Vec::new(), Vec::new());
    while !script.is_finished() {
        let chunk = script.bytes(32);
        parts.push(&chunk);
        read.extend(core::iter::from_fn(|| parts.next_response()));
        bytes.extend(chunk);
    }
    assert_eq!(read, all(&bytes));
    for response in read.into_iter().flatten() {
        assert!(response.text.len() <= MAX_RESPONSE);
        // What replaces a byte outside UTF-8 is longer, and so may a line become.
        let fits = |line: &str| line.len() < MAX_LINE - 16;
        if response.text.lines().all(fits) {
            assert_eq!(all(response.to_string().as_bytes()), [Ok(response)]);
        }
    }
}

fn all(bytes: &[u8]) -> Vec<Result<Response, ParseError>> {
    let mut responses = Responses::default();
    responses.push(bytes);
    core::iter::from_fn(|| responses.next_response()).collect()
}
