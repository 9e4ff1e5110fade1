//! The memory that readers use is bounded by the size of their input.

#[path = "../../../tests/support/memory.rs"]
mod memory;

use memory::peak_of;
use othello_records::Format;

/// The length of each input, the maximum that the page's server accepts.
const LENGTH: usize = 1 << 20;

/// The maximum number of bytes allocated per byte of input.
const MAX_FACTOR: usize = 24;

/// Each input as its start and a part that is repeated.
const INPUTS: &[(Format, &str, &str)] = &[
    (Format::Sgf, "(;GM[2]", ";"),
    (Format::Sgf, "(;GM[2]", "("),
    (Format::Sgf, "(;GM[2]", "(;"),
    (Format::Sgf, "(;GM[2]", ";A[]"),
    (Format::Sgf, "(;GM[2]", "A[]"),
    (Format::Sgf, "(;GM[2]A", "[]"),
    (Format::Sgf, "(;GM[2]", ";B[]"),
    (Format::Sgf, "(;GM[2]", ";B[f5]C[]"),
    (Format::Sgf, "(;GM[2]AB", "[a1]"),
    (Format::Sgf, "(;GM[2]C[", "\\"),
    (Format::Sgf, "(;GM[2]", "A"),
    (Format::Sgf, "", "(;)"),
    (Format::Sgf, "", "(;GM[2]\n"),
    (Format::Ggf, "(;GM[Othello]", "A[]"),
    (Format::Ggf, "(;GM[Othello]", "C[]"),
    (Format::Ggf, "(;GM[Othello]", "B[PA]"),
    (Format::Ggf, "(;GM[Othello]B[F5", "/"),
    (Format::Ggf, "", "(;GM["),
    (Format::Ggf, "", "(;GM[Othello];)"),
    (Format::Pgn, "[A \"\"]\n", "[A \"\"]\n"),
    (Format::Pgn, "[A \"\"]\n", "{}"),
    (Format::Pgn, "[A \"\"]\nf5 d6 ", "{x}"),
    (Format::Pgn, "[A \"\"]\n", "\n"),
    (Format::Pgn, "[A \"\"]\n", "[A \"\"]\nf5\n"),
    (Format::Quest, "{\"players\":[{}", ",{}"),
    (Format::Quest, "{\"position\":{\"moves\":[{}", ",{}"),
    (
        Format::Quest,
        "{\"args\":[{\"position\":{\"moves\":[{}",
        ",{}",
    ),
    (Format::Quest, "{\"x\":", "["),
    (Format::Quest, "", "{"),
    (Format::Quest, "", "{}"),
    (Format::NBoard, "set game (;GM[Othello]", "A[]"),
    (Format::NBoard, "set game (;GM[Othello];)\n", "move PA\n"),
    (Format::NBoard, "", "set game (;GM[Othello];)\n"),
    (Format::Ggs, "/os: join .5 8 K?\n", "|\n"),
    (Format::Ggs, "", "/os: join .5 8 K?\n"),
    (Format::Ggs, "/os: ", "(;GM[Othello];)"),
    (Format::Ggs, "/os: ", "(;GM["),
    (Format::Transcript, "f5", "d6"),
    (Format::Transcript, "f5", " "),
    (Format::Transcript, "f5d6", ",x"),
    (Format::Transcript, "", "f5\n"),
    (Format::Logbook, "+f5", "-d6"),
    (Format::Logbook, "", "+f5\n"),
    (Format::Board, "", "-"),
    (Format::Rows, "", "--------\n"),
    (Format::Hex, "", "0"),
    (Format::Wthor, "", "\x01"),
];

/// The end of a game in the format.
const fn closing(format: Format) -> &'static str {
    match format {
        Format::Sgf => ")",
        Format::Ggf | Format::NBoard | Format::Ggs => ";)",
        Format::Pgn => "}",
        Format::Quest => "]}",
        _ => "\n",
    }
}

#[test]
fn memory_is_bounded_by_the_input() {
    let board = "---------------------------OX------XO--------------------------- X";
    let problem = format!("{board};");
    let scored = (Format::Obf, &*problem, "D3:+0;");
    for &(format, begin, again) in INPUTS.iter().chain([&scored]) {
        let count = (LENGTH - begin.len()) / again.len();
        let text = begin.to_owned() + &again.repeat(count);
        for end in ["", closing(format)] {
            let text = [text.as_bytes(), end.as_bytes()].concat();
            let peak = peak_of(|| format.read(&*text).for_each(drop));
            let shown = format!("{format}: {begin:?}, {again:?} …, {end:?}");
            assert!(peak <= MAX_FACTOR * text.len(), "{shown}: {peak} bytes");
        }
    }
}
