//! The Go Text Protocol without the moves of a game.

mod open_commands;

pub use open_commands::OpenCommands;

use boardgame_session::{
    ParseError,
    framing::MAX_LINE,
    gtp::{Command, MAX_RESPONSE, Response, Responses, parse_color},
};

use super::Script;

/// Commands and colours read back.
pub fn commands(data: &[u8]) {
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
    if let Ok(color) = parse_color(&String::from_utf8_lossy(data)) {
        assert_eq!(parse_color(&color.to_string()), Ok(color));
    }
}

/// Responses read back, and do not depend on how the bytes are split.
pub fn responses(data: &[u8]) {
    let mut script = Script::new(data);
    let (mut parts, mut bytes, mut read) = (Responses::default(), Vec::new(), Vec::new());
    while !script.is_finished() {
        let chunk = script.bytes(32);
        parts.push(&chunk);
        read.extend(std::iter::from_fn(|| parts.next_response()));
        bytes.extend(chunk);
    }
    assert_eq!(read, all_responses(&bytes));
    for response in read.into_iter().flatten() {
        assert!(response.text.len() <= MAX_RESPONSE);
        // Replacing a byte outside UTF-8 can make a line longer.
        let fits = |line: &str| line.len() < MAX_LINE - 16;
        if response.text.lines().all(fits) {
            assert_eq!(
                all_responses(response.to_string().as_bytes()),
                [Ok(response)]
            );
        }
    }
}

/// Returns the responses in the output of a program.
pub fn all_responses(bytes: &[u8]) -> Vec<Result<Response, ParseError>> {
    let mut responses = Responses::default();
    responses.push(bytes);
    std::iter::from_fn(|| responses.next_response()).collect()
}
