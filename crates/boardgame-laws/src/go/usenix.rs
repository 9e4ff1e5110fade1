//! The format of the USENIX tournament: messages and the sessions of both sides.

mod player;
mod referee;

pub use player::player;
pub use referee::referee;

use crate::Script;
use go_core::{Komi, Move, Point, Position, Rules, Setup, Size};
use go_proto::usenix::{Lenient, Play, RefereeMessage};

use crate::go::any_point;

/// The leniencies of lines in the format's documentation.
const LENIENCIES: [&str; 4] = ["blanks", "leading-zeros", "letter-case", "byo-yomi"];

/// A line prints as it was read or, with a leniency, in a form that reads back as the same without one; messages read
/// back.
pub fn parse(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        check_line(line, Play::parse, Play::parse_lenient);
        check_line(line, RefereeMessage::parse, RefereeMessage::parse_lenient);
    }
    let mut script = Script::new(data);
    while !script.is_finished() {
        let play = any_play(&mut script);
        let text = play.to_string();
        assert_eq!(Play::parse(text.as_bytes()), Ok(play));
        let message = RefereeMessage::Play(play);
        assert_eq!(RefereeMessage::parse(text.as_bytes()), Ok(message));
    }
}

/// Checks the results of parsing a line, exactly and leniently.
fn check_line<T: Copy + Eq + std::fmt::Debug + std::fmt::Display>(
    line: &[u8],
    exact: fn(&[u8]) -> Result<T, go_proto::ParseError>,
    lenient: fn(&[u8]) -> Result<Lenient<T>, go_proto::ParseError>,
) {
    match exact(line) {
        Ok(message) => {
            assert!(prints_as(message, line), "{message}");
            let leniencies = Vec::new();
            let read = Lenient {
                message,
                leniencies,
            };
            assert_eq!(lenient(line), Ok(read));
        }
        Err(error) => assert!(error.offset() <= line.len()),
    }
    match lenient(line) {
        Ok(Lenient {
            message,
            leniencies,
        }) => {
            assert_eq!(exact(message.to_string().as_bytes()), Ok(message));
            assert_eq!(leniencies.is_empty(), exact(line).is_ok(), "{leniencies:?}");
            let known = |name| LENIENCIES.contains(name);
            assert!(leniencies.iter().all(known), "{leniencies:?}");
        }
        Err(error) => assert!(error.offset() <= line.len()),
    }
}

/// Returns whether a message prints as a line, which may have a greater row than the maximum kept.
fn prints_as(message: impl std::fmt::Display, line: &[u8]) -> bool {
    let text = message.to_string();
    let capped = text.ends_with(&u32::MAX.to_string());
    text.as_bytes() == line || capped && text.as_bytes()[0] == line[0] && line.len() >= text.len()
}

fn any_play(script: &mut Script<'_>) -> Play {
    let column = script.choose(b"ABCDEFGHJKLMNOPQRSTUVWXYZ") as char;
    match script.pick(8) {
        0 => Play::Pass,
        1 => Play::OffBoard { column, row: 0 },
        2 => {
            let row = 26 + script.pick_of_many(1 << 16) as u32;
            Play::OffBoard { column, row }
        }
        3 => Play::OffBoard {
            column,
            row: u32::MAX,
        },
        _ => Play::Place(any_point(script, Size::MAX)),
    }
}

/// The setup of a game on a board of some size, with a simple ko rule or, as in 1986, none.
fn setup(script: &mut Script<'_>, as_1986: bool) -> Setup {
    let lines = script.choose(&[19, 9, 5, 4, 3, 2, 1, 25]);
    let rules = if as_1986 {
        "unrestricted-ko+territory"
    } else {
        "japanese"
    };
    let rules: Rules = rules.parse().expect("rules");
    let komi = Komi::from_half_points(11);
    let size = Size::new(lines).expect("a size");
    Setup::new(size).with_rules(rules).with_komi(komi)
}

/// Lines that are no moves, or moves in known forms.
const LINES: [&str; 32] = [
    "",
    " ",
    "resign",
    "I5",
    "I1",
    "i5",
    "a1",
    "pass ",
    "Pass",
    "PASS",
    "passed",
    "G",
    "7G",
    "G7\0",
    "\0",
    "\u{feff}A1",
    "\u{feff}",
    "byo-romi",
    "byo-yomi",
    "black",
    "white",
    "A01",
    " A 1",
    "A\t1",
    "A1 ",
    "B0",
    "M20",
    "M26",
    "Z99",
    "A4294967296",
    "A1B2",
    "A-1",
];

/// Returns a plausible message of the side to move, right or wrong, in many spellings.
fn utterance(script: &mut Script<'_>, position: &Position) -> Vec<u8> {
    // Always the same number of choices, so that seeds stay in step with the game.
    let (kind, index) = (script.pick(16), script.pick_of_many(1 << 16));
    let size = position.board().size();
    let of = |points: Vec<Point>| match points.len() {
        0 => Move::Pass,
        count => points[index % count].into(),
    };
    let text = match kind {
        0..8 => of(position.legal_points().collect()).to_string(),
        8 => Move::Pass.to_string(),
        9 => of(size.points().collect()).to_string(),
        10 => {
            // A ko or suicide, if there is one.
            let is_illegal = |point: &Point| position.check(*point).is_err();
            of(position.board().empty_points().filter(is_illegal).collect()).to_string()
        }
        11 | 12 => LINES[index % LINES.len()].into(),
        13 if index % 64 == 0 => "x".repeat(5000),
        13 => "hello\n".repeat(index % 64),
        14 => return of(position.legal_points().collect()).to_string().into(),
        _ => return script.bytes(24),
    };
    spelled(script, &text)
}

/// Returns a line in one of the known spellings.
fn spelled(script: &mut Script<'_>, text: &str) -> Vec<u8> {
    match script.pick(16) {
        0 => format!("{}\n", text.to_lowercase()),
        1 => format!("{text}\r\n"),
        2 => format!(" {text}\t\n"),
        3 => format!("{text}\n{text}\n"),
        4 => format!("\u{feff}{text}\n"),
        _ => format!("{text}\n"),
    }
    .into_bytes()
}
