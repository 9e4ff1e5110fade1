//! A game in progress.

use std::{ffi::c_char, mem::MaybeUninit};

use othello_core::{
    Bitboard, Board, ByColor, Color, Empties, Game, Move, Square, Tier, TranscriptErrorKind, perft,
};

use crate::{
    pointers::{Output, given, make, text},
    status::{Failure, OthelloStatus, guarded},
};

/// The number of a pass.
pub const OTHELLO_PASS: u8 = 64;
/// The number that stands for no move.
pub const OTHELLO_NO_MOVE: u8 = 255;
/// The side that begins.
pub const OTHELLO_BLACK: u8 = 0;
/// The other side.
pub const OTHELLO_WHITE: u8 = 1;
/// A text of 64 squares of X, O and - from a1 to h8, a space, and X or O for the side to move.
pub const OTHELLO_TEXT_BOARD: u32 = 0;
/// A text of the moves since the start, such as f5d6c3; -- is a pass.
pub const OTHELLO_TEXT_MOVES: u32 = 1;
/// A diagram of several lines.
pub const OTHELLO_TEXT_DIAGRAM: u32 = 2;

/// A game in progress: a start and the moves since.
#[derive(Clone)]
pub struct OthelloBoard(pub(crate) Game);

/// A position with its properties by the rules.
#[repr(C)]
pub struct OthelloPosition {
    /// The black discs.
    pub black: u64,
    /// The white discs.
    pub white: u64,
    /// The squares where the side to move may play.
    pub moves: u64,
    /// `OTHELLO_BLACK` or `OTHELLO_WHITE`.
    pub to_move: u8,
    /// True if a pass is the only move.
    pub must_pass: bool,
    /// True if the game is over.
    pub is_over: bool,
    /// The discs of Black less those of White; empty squares count for the leader.
    pub score: i8,
}

pub(crate) fn number(mv: Move) -> u8 {
    mv.square().map_or(OTHELLO_PASS, Square::index)
}

fn move_of(number: u32) -> Result<Move, Failure> {
    let index = u8::try_from(number).unwrap_or(OTHELLO_NO_MOVE);
    match Square::from_index(index) {
        Some(square) => Ok(square.into()),
        None if index == OTHELLO_PASS => Ok(Move::Pass),
        None => Err(Failure::range(
            "move",
            0,
            OTHELLO_PASS.into(),
            number.into(),
        )),
    }
}

/// Makes a board of 64 squares of X, O and - from a1 to h8 and X or O for the side to move; of the start if `board_text`
/// is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_board_new(
    board_text: *const c_char,
    board: Option<&mut MaybeUninit<Option<Box<OthelloBoard>>>>,
) -> OthelloStatus {
    make((board, "board"), || {
        if board_text.is_null() {
            return Ok(OthelloBoard(Game::default()));
        }
        // SAFETY: by the contract of the header.
        let start = unsafe { text(board_text, "board_text")? }.parse();
        start
            .map(|start| OthelloBoard(Game::new(start)))
            .map_err(|error| Failure::new(OthelloStatus::Text, &error))
    })
}

/// Makes a board by playing moves such as f5d6c3 from the start. Passes may be left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_board_from_moves(
    moves: *const c_char,
    board: Option<&mut MaybeUninit<Option<Box<OthelloBoard>>>>,
) -> OthelloStatus {
    make((board, "board"), || {
        // SAFETY: by the contract of the header.
        let moves = unsafe { text(moves, "moves")? };
        let game = Game::from_transcript(Board::START, moves);
        game.map(OthelloBoard).map_err(|error| {
            let status = match error.kind {
                TranscriptErrorKind::Illegal(_) => OthelloStatus::IllegalMove,
                _ => OthelloStatus::Text,
            };
            Failure::new(status, &error)
        })
    })
}

/// Makes a board of two sets of discs and the side to move, `OTHELLO_BLACK` or `OTHELLO_WHITE`.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_from_discs(
    black: u64,
    white: u64,
    to_move: u32,
    board: Option<&mut MaybeUninit<Option<Box<OthelloBoard>>>>,
) -> OthelloStatus {
    make((board, "board"), || {
        let side = match u8::try_from(to_move) {
            Ok(OTHELLO_BLACK) => Color::Black,
            Ok(OTHELLO_WHITE) => Color::White,
            _ => return Err(Failure::range("to_move", 0, 1, to_move.into())),
        };
        let discs = ByColor {
            black: Bitboard(black),
            white: Bitboard(white),
        };
        let start = Board::from_discs(discs, side);
        start
            .map(|start| OthelloBoard(Game::new(start)))
            .map_err(|error| Failure::new(OthelloStatus::Overlap, &error))
    })
}

/// Makes an independent copy.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_copy(
    board: Option<&OthelloBoard>,
    copy: Option<&mut MaybeUninit<Option<Box<OthelloBoard>>>>,
) -> OthelloStatus {
    make((copy, "copy"), || Ok(given(board, "board")?.clone()))
}

/// Frees a board, or does nothing if it is null.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_free(board: Option<Box<OthelloBoard>>) {
    drop(board);
}

/// Describes the position.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_position(
    board: Option<&OthelloBoard>,
    position: Option<&mut MaybeUninit<OthelloPosition>>,
) -> OthelloStatus {
    guarded(|| {
        let board = given(board, "board")?.0.board();
        given(position, "position")?.write(OthelloPosition {
            black: board.discs(Color::Black).0,
            white: board.discs(Color::White).0,
            moves: board.legal_moves().0,
            to_move: match board.side_to_move() {
                Color::Black => OTHELLO_BLACK,
                Color::White => OTHELLO_WHITE,
            },
            must_pass: board.must_pass(),
            is_over: board.is_over(),
            score: board.score(Color::Black, Empties::ToWinner).discs() as i8,
        });
        Ok(())
    })
}

/// Plays a move. An illegal one leaves the board unchanged.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_play(board: Option<&mut OthelloBoard>, mv: u32) -> OthelloStatus {
    guarded(|| Ok(given(board, "board")?.0.play(move_of(mv)?)?))
}

/// Undoes the last move and reports it: `OTHELLO_NO_MOVE` at the start. `mv` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_undo(
    board: Option<&mut OthelloBoard>,
    mv: Option<&mut MaybeUninit<u8>>,
) -> OthelloStatus {
    guarded(|| {
        let undone = given(board, "board")?.0.undo();
        mv.map(|mv| mv.write(undone.map_or(OTHELLO_NO_MOVE, number)));
        Ok(())
    })
}

/// Writes the moves since the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_board_moves(
    board: Option<&OthelloBoard>,
    moves: *mut u8,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> OthelloStatus {
    guarded(|| {
        // SAFETY: by the contract of the header.
        let output = unsafe { Output::new((moves, "moves"), capacity, (count, "count"))? };
        let game = &given(board, "board")?.0;
        let numbers: Vec<u8> = game.moves().iter().copied().map(number).collect();
        output.write(&numbers)
    })
}

/// Writes the board as text of a form, `OTHELLO_TEXT_BOARD`, `OTHELLO_TEXT_MOVES` or `OTHELLO_TEXT_DIAGRAM`; `length`
/// includes the zero at the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_board_text(
    board: Option<&OthelloBoard>,
    form: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> OthelloStatus {
    guarded(|| {
        let buffer = buffer.cast::<u8>();
        // SAFETY: by the contract of the header.
        let output = unsafe { Output::new((buffer, "buffer"), capacity, (length, "length"))? };
        let game = &given(board, "board")?.0;
        let last = game.last_move().and_then(Move::square);
        let mut written = match form {
            OTHELLO_TEXT_BOARD => game.board().to_string(),
            OTHELLO_TEXT_MOVES => game.transcript().to_string(),
            OTHELLO_TEXT_DIAGRAM => game.board().pretty().last_move(last).to_string(),
            _ => return Err(Failure::range("form", 0, 2, form.into())),
        };
        written.push('\0');
        output.write(written.as_bytes())
    })
}

/// Counts the leaves of the game tree at a depth; a pass is a ply. The time grows about tenfold with each ply.
#[unsafe(no_mangle)]
pub extern "C" fn othello_board_perft(
    board: Option<&OthelloBoard>,
    depth: u32,
    leaves: Option<&mut MaybeUninit<u64>>,
) -> OthelloStatus {
    guarded(|| {
        let position = given(board, "board")?.0.board().position();
        given(leaves, "leaves")?.write(perft(position, depth, Tier::best()));
        Ok(())
    })
}

/// Parses a move: a square such as f5, or pass, pa, ps or --.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_move_parse(
    move_text: *const c_char,
    mv: Option<&mut MaybeUninit<u8>>,
) -> OthelloStatus {
    guarded(|| {
        // SAFETY: by the contract of the header.
        let parsed = unsafe { text(move_text, "move_text")? }
            .parse()
            .map_err(|error| Failure::new(OthelloStatus::Text, &error))?;
        given(mv, "mv")?.write(number(parsed));
        Ok(())
    })
}
