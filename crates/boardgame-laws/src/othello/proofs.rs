//! Proofs of scores, for `othello-check`.

use othello_core::{Board, Empties, Position};

/// The number of empty squares up to which claims are compared with brute force.
const MAX_EMPTIES: usize = 10;

/// A file is refused, or its claims are true; `data` is the file without its checksum, which is added. Files about
/// positions with more than ten empty squares are left out: checking them is slow.
pub fn check(data: &[u8]) {
    // othproof 1 SQUARES ...
    let squares = data.split(|byte| b" \n".contains(byte)).nth(2);
    let empties = squares.map_or(0, |squares| squares.split(|&byte| byte == b'-').count() - 1);
    if empties > MAX_EMPTIES {
        return;
    }
    let checksum = crc32(data);
    let file = [data, &checksum.to_le_bytes()].concat();
    match othello_check::check(file.as_slice()) {
        Err(error) => assert!(error.offset <= file.len() as u64, "{error}"),
        Ok(proved) => {
            let claim = proved.claim;
            let board: Board = format!("{} {}", claim.board, claim.to_move)
                .parse()
                .expect("a board that was checked");
            let (position, lower, upper) = (board.position(), claim.lower, claim.upper);
            assert!(
                lower == -64 || best(position, lower - 1, lower) >= lower,
                "{claim}"
            );
            assert!(
                upper == 64 || best(position, upper, upper + 1) <= upper,
                "{claim}"
            );
        }
    }
    // Without a checksum that fits, the file is refused except by chance.
    let _ = othello_check::check(data);
}

/// The score of the side to move, by trying all moves; a bound on it outside the window.
fn best(position: Position, alpha: i32, beta: i32) -> i32 {
    if position.is_over() {
        return position.score(Empties::ToWinner).discs();
    }
    if position.must_pass() {
        return -best(position.passed(), -beta, -alpha);
    }
    let mut highest = -64;
    for square in position.legal_moves() {
        let after = position.play_unchecked(square);
        highest = highest.max(-best(after, -beta, -alpha.max(highest)));
        if highest >= beta {
            break;
        }
    }
    highest
}

/// The CRC-32 of zip and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
    !bytes
        .iter()
        .fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), bit))
}
