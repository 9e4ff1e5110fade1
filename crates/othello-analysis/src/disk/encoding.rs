//! Entries as bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | the effort: a depth in plies, or 255 for exact |
//! | 1 | the number of moves, which follow |
//!
//! A move:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | the move: a square from a1 = 0, row by row, to h8 = 63, or 64 for a pass |
//! | 4 | the score in hundredths of a disc, little-endian |
//! | 1 | 0 if the score is the value, 1 if it is an upper bound |
//! | 1 | the source: a depth in plies, 254 for a game that is over, or 255 for exact |
//! | 1 | the confidence of a depth in percent, otherwise 0 |
//! | 1 | the length of the line, which follows, a byte a move |

use nom::{
    IResult, Parser as _,
    combinator::{all_consuming, map, map_opt, verify},
    multi::length_count,
    number::complete::{le_i32, u8},
};
use othello_core::{Move, Position, Square};

use crate::{Bound, Discs, Effort, MoveValue, Source, Stored};

/// No game is longer, so all greater depths are equivalent.
const MAX_DEPTH: u32 = 60;

const EXACT: u8 = 255;
const OVER: u8 = 254;
const PASS: u8 = 64;

/// Returns the bytes of an entry.
pub(super) fn encode(stored: &Stored) -> Vec<u8> {
    let effort = match stored.effort {
        Effort::Depth(depth) => depth_byte(depth),
        Effort::Exact => EXACT,
    };
    let mut bytes = vec![effort, stored.moves.len() as u8];
    for value in &stored.moves {
        encode_value(value, &mut bytes);
    }
    bytes
}

fn encode_value(value: &MoveValue, bytes: &mut Vec<u8>) {
    bytes.push(move_byte(value.mv));
    bytes.extend(value.score.hundredths().to_le_bytes());
    bytes.push(match value.bound {
        Bound::Exact => 0,
        Bound::AtMost => 1,
    });
    bytes.extend(match value.source {
        Source::Depth { depth, confidence } => [depth_byte(depth), confidence],
        Source::Over => [OVER, 0],
        Source::Exact => [EXACT, 0],
    });
    bytes.push(value.line.len() as u8);
    bytes.extend(value.line.iter().copied().map(move_byte));
}

fn depth_byte(depth: u32) -> u8 {
    depth.min(MAX_DEPTH) as u8
}

fn move_byte(mv: Move) -> u8 {
    mv.square().map_or(PASS, Square::index)
}

/// Returns the entry of a position, or `None` if the bytes are not one: each line must begin with its move and be
/// legal in the position.
pub(super) fn decode(bytes: &[u8], position: Position) -> Option<Stored> {
    let (_, stored) = all_consuming(stored).parse(bytes).ok()?;
    let legal = |value: &MoveValue| {
        value.line.first() == Some(&value.mv) && is_legal(&value.line, position)
    };
    stored.moves.iter().all(legal).then_some(stored)
}

fn is_legal(line: &[Move], mut position: Position) -> bool {
    line.iter().all(|&mv| position.play(mv).is_ok())
}

fn stored(input: &[u8]) -> IResult<&[u8], Stored> {
    let (input, effort) = effort(input)?;
    let (input, moves) = length_count(u8, move_value).parse(input)?;
    Ok((input, Stored { effort, moves }))
}

fn effort(input: &[u8]) -> IResult<&[u8], Effort> {
    map_opt(u8, |byte| match byte {
        EXACT => Some(Effort::Exact),
        depth => Some(Effort::Depth(read_depth(depth)?)),
    })
    .parse(input)
}

fn move_value(input: &[u8]) -> IResult<&[u8], MoveValue> {
    let (input, (mv, score, bound, source)) = (mv, le_i32, bound, source).parse(input)?;
    let (input, line) = length_count(u8, self::mv).parse(input)?;
    let value = MoveValue {
        mv,
        score: Discs::from_hundredths(score),
        bound,
        source,
        line,
    };
    Ok((input, value))
}

fn mv(input: &[u8]) -> IResult<&[u8], Move> {
    map_opt(u8, |byte| match byte {
        PASS => Some(Move::Pass),
        index => Square::from_index(index).map(Move::Place),
    })
    .parse(input)
}

fn bound(input: &[u8]) -> IResult<&[u8], Bound> {
    map(verify(u8, |&byte| byte <= 1), |byte| match byte {
        0 => Bound::Exact,
        _ => Bound::AtMost,
    })
    .parse(input)
}

fn source(input: &[u8]) -> IResult<&[u8], Source> {
    map_opt((u8, u8), |bytes| match bytes {
        (EXACT, 0) => Some(Source::Exact),
        (OVER, 0) => Some(Source::Over),
        (depth, confidence) => Some(Source::Depth {
            depth: read_depth(depth)?,
            confidence,
        }),
    })
    .parse(input)
}

fn read_depth(byte: u8) -> Option<u32> {
    let depth = u32::from(byte);
    (depth <= MAX_DEPTH).then_some(depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of a position: the values of all moves, made up, each with a line of two moves.
    fn entry(position: Position, effort: Effort) -> Stored {
        let source = match effort {
            Effort::Depth(depth) => Source::Depth {
                depth,
                confidence: 87,
            },
            Effort::Exact => Source::Exact,
        };
        let values = position
            .legal_moves()
            .iter()
            .zip(0..)
            .map(|(square, rank)| {
                let after = position.play_unchecked(square);
                let answer = after.legal_moves().iter().next();
                MoveValue {
                    mv: square.into(),
                    score: Discs::from_hundredths(250 - 175 * rank),
                    bound: if rank < 2 {
                        Bound::Exact
                    } else {
                        Bound::AtMost
                    },
                    source,
                    line: [Some(square), answer]
                        .into_iter()
                        .flatten()
                        .map(Move::Place)
                        .collect(),
                }
            });
        Stored {
            effort,
            moves: values.collect(),
        }
    }

    #[test]
    fn entries_read_back() {
        let board = Position::START.play_unchecked(Square::F5);
        for (position, effort) in [
            (Position::START, Effort::Exact),
            (board, Effort::Depth(0)),
            (board, Effort::Depth(60)),
        ] {
            let stored = entry(position, effort);
            assert_eq!(decode(&encode(&stored), position), Some(stored));
        }
    }

    #[test]
    fn bytes_that_are_no_entry_of_the_position_are_refused() {
        let stored = entry(Position::START, Effort::Depth(8));
        let bytes = encode(&stored);
        let other = Position::START.play_unchecked(Square::F5);
        assert_eq!(decode(&bytes, other), None);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length], Position::START), None, "{length}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(decode(&longer, Position::START), None);
        for (at, byte) in [(0, 61), (2, 65), (7, 2), (8, 61), (8, EXACT), (10, 0)] {
            let mut changed = bytes.clone();
            assert_ne!(changed[at], byte);
            changed[at] = byte;
            assert_eq!(decode(&changed, Position::START), None, "{at} {byte}");
        }
    }
}
