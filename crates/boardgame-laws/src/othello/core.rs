//! Rules and text of `othello-core`.

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use arbitrary::Unstructured;
use othello_core::{Board, Game, Move, Position, Problem, Square, Symmetry, Tier, perft};

/// Any text is a square, a move, a board, a game or a problem that reads back as it prints, or an error inside the
/// text; so is the text of any game.
pub fn text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    reads_back::<Square>(&text);
    reads_back::<Move>(&text);
    reads_back::<Board>(&text);
    reads_back::<Position>(&text);
    reads_back::<Game>(&text);
    reads_back::<Problem>(&text);
    if let Err(error) = Board::read(&text) {
        assert!(error.offset <= text.len(), "{error}");
    }
    if let Ok((_, end)) = Board::read_first(&text) {
        assert!(text.is_char_boundary(end), "{end}");
    }
    if let Err(error) = text.parse::<Game>() {
        assert!(text.is_char_boundary(error.offset), "{error}");
    }
    let _ = Problem::read_all(&text);
    let game: Game = Unstructured::new(data).arbitrary().unwrap_or_default();
    assert_eq!(game.to_string().parse(), Ok(game));
}

fn reads_back<T: FromStr<Err: Debug> + Display + PartialEq + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        let again: T = value.to_string().parse().expect("printed text is read");
        assert_eq!(again, value);
    }
}

/// Any position has the same number of successors on every tier and in every orientation.
pub fn rules(data: &[u8]) {
    let position: Position = Unstructured::new(data).arbitrary().unwrap_or_default();
    let count = perft(position, 3, Tier::Portable);
    for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
        assert_eq!(perft(position, 3, tier), count, "{position}, {tier}");
    }
    for symmetry in Symmetry::ALL {
        let turned = symmetry.position(position);
        assert_eq!(
            perft(turned, 3, Tier::best()),
            count,
            "{position}, {symmetry:?}"
        );
    }
}
