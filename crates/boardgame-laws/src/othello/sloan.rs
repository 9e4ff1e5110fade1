//! Sloan's format: parsers, printers and both sessions.

mod player;
mod referee;

pub use player::player;
pub use referee::referee;

use boardgame_session::framing::Framing as _;
use othello_core::{Board, Color, Empties, Move, Score};

use super::Script;
use othello_proto::sloan::{
    Dialect, Frame, Framer, MAX_DEPTH, MAX_LENGTH, Message, Parsed, parse_expression, parse_line,
    print,
};

/// Frames are the same however the bytes are split and stay under the caps; a message that is read prints in a form
/// that reads back to it, and that form is stable: without a leniency, it equals the text read.
pub fn parse(data: &[u8]) {
    let (mut whole, mut parts) = (Framer::default(), Framer::default());
    whole.push(data);
    whole.finish();
    let mut cut = Vec::new();
    for chunk in data.chunks(3) {
        parts.push(chunk);
        cut.extend(std::iter::from_fn(|| parts.next_piece()));
    }
    parts.finish();
    cut.extend(std::iter::from_fn(|| parts.next_piece()));
    let frames: Vec<Frame> = std::iter::from_fn(|| whole.next_piece()).collect();
    assert_eq!(cut, frames, "chunks matter");
    for frame in &frames {
        check_frame(frame);
    }
    for read in [parse_expression, parse_line] {
        if let Ok(parsed) = read(data) {
            check_message(&parsed.message);
        }
    }
}

fn check_frame(frame: &Frame) {
    if let Frame::Expression(text) | Frame::Line(text) | Frame::Garbage(text) = frame {
        assert!(text.len() <= MAX_LENGTH);
    }
    if let Frame::Expression(text) = frame {
        let mut depth = 0usize;
        for (at, byte) in text.iter().enumerate() {
            depth = match byte {
                b'(' => depth + 1,
                b')' => depth - 1,
                _ => depth,
            };
            assert!(depth <= MAX_DEPTH && (depth > 0 || at + 1 == text.len()));
        }
    }
    match frame.parse() {
        Ok(parsed) => {
            check_message(&parsed.message);
            check_spelling(frame, &parsed);
        }
        Err(error) => assert!(error.text().is_empty() || error.offset() <= MAX_LENGTH),
    }
}

/// Checks that a message spelled other than it prints is reported as a leniency, except a comment.
fn check_spelling(frame: &Frame, parsed: &Parsed) {
    let (text, dialect) = match frame {
        Frame::Expression(text) => (text, Dialect::Expressions),
        Frame::Line(text) => (text, Dialect::Lines),
        _ => return,
    };
    if !matches!(parsed.message, Message::Comment(_)) {
        let exact = print(&parsed.message, dialect).as_bytes() == text;
        let named = parsed.leniencies.names().next().is_some();
        assert_ne!(exact, named, "{}", text.escape_ascii());
    }
}

fn check_message(message: &Message) {
    for (dialect, read) in [
        (Dialect::Expressions, parse_expression as fn(&[u8]) -> _),
        (Dialect::Lines, parse_line),
    ] {
        let printed = print(message, dialect);
        let Ok(again) = read(printed.as_bytes()) else {
            panic!("{printed:?} does not read back");
        };
        assert_eq!(print(&again.message, dialect), printed);
        assert_eq!(again.leniencies.names().next(), None, "{printed:?}");
        if !matches!(message, Message::Comment(_)) {
            assert_eq!(again.message, *message);
        }
    }
}

/// Returns the messages in a piece that a session sent: one line, or in the other dialect one line per message.
fn messages(bytes: &[u8]) -> Vec<Message> {
    assert_eq!(bytes.last(), Some(&b'\n'), "a piece that is not a line");
    let mut framer = Framer::default();
    framer.push(bytes);
    let frames = std::iter::from_fn(|| framer.next_piece());
    frames
        .map(|frame| {
            let parsed = frame.parse();
            assert!(parsed.is_ok(), "{frame:?} was sent");
            parsed.map_or(Message::Play, |parsed| parsed.message)
        })
        .collect()
}

/// Returns a plausible message of `side` on `board`, right or wrong, in many spellings.
fn utterance(script: &mut Script<'_>, board: Board, side: Color) -> Vec<u8> {
    let choice = script.pick(12);
    let claim = |value: i32| Message::Claim(Score::new(value).unwrap_or(Score::DRAW));
    let message = match choice {
        0..=4 => {
            let moves: Vec<Move> = board.legal_moves().into_iter().map(Move::Place).collect();
            let mv = if moves.is_empty() {
                Move::Pass
            } else {
                script.choose(&moves)
            };
            Message::Move { color: side, mv }
        }
        5 => Message::Move {
            color: side,
            mv: Move::Pass,
        },
        6 => Message::Move {
            color: script.choose(&Color::ALL),
            mv: Move::Place(script.choose(&othello_core::Square::ALL)),
        },
        7 => claim(board.score(Color::Black, Empties::OnBoard).discs()),
        8 => claim(board.score(Color::Black, Empties::ToWinner).discs()),
        9 => claim(script.choose(&[64, -64, 0, 10, -10])),
        10 => Message::Comment(String::from_utf8_lossy(&script.bytes(16)).into_owned()),
        _ => return script.bytes(24),
    };
    spelled(script, &message)
}

/// Returns the message in the document's form, or in one of the known spellings.
fn spelled(script: &mut Script<'_>, message: &Message) -> Vec<u8> {
    let expression = print(message, Dialect::Expressions);
    match script.pick(8) {
        0 => expression.to_lowercase(),
        1 => format!("){}\r\n", expression.replace(' ', "  ")),
        2 => format!("{}\n", print(message, Dialect::Lines)),
        3 => format!("{expression}\n{expression}\n"),
        _ => format!("{expression}\n"),
    }
    .into_bytes()
}

/// The next message of a session's own protocol, before there is a game.
fn opening(script: &mut Script<'_>, make: fn(Color) -> Message) -> Vec<u8> {
    let color = script.choose(&Color::ALL);
    let message = make(color);
    if script.pick(8) == 0 {
        return vec![b'('; script.pick(60)];
    }
    spelled(script, &message)
}
