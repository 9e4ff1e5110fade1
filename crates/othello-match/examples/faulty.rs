//! A program of the Code Warriors format with a fault of choice, as beginners' programs have them: `faulty no-pass`.
//! `othello check-player codewarriors -- faulty NAME` finds each.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A program prints.

use std::{
    env,
    io::{self, BufWriter, Read as _, Write as _},
    net::TcpListener,
    process, thread,
    time::Duration,
};

use othello_core::{Bitboard, Board, ByColor, Color, Move, Square};

/// The port that the fault `two-at-once` occupies.
const PORT: u16 = 45_873;

/// The faults.
const FAULTS: [&str; 26] = [
    "columns-and-rows",
    "rows-from-below",
    "wrong-color",
    "no-pass",
    "passes-early",
    "opponent-ignored",
    "pass-ignored",
    "opponent-pass-crashes",
    "lower-case",
    "debug-output",
    "unflushed",
    "slow",
    "slow-start",
    "crash",
    "leaves-early",
    "own-move-again",
    "no-diagonals",
    "says-twice",
    "black-only",
    "line-ends",
    "pieces",
    "two-at-once",
    "floods",
    "dies-without-discs",
    "silent-at-end",
    "not-started",
];

struct Player {
    fault: String,
    board: Board,
    color: Color,
    moves: u32,
}

fn main() {
    let fault = env::args().nth(1).unwrap_or_default();
    if !fault.is_empty() && !FAULTS.contains(&fault.as_str()) {
        eprintln!("expected one of {}, found {fault}", FAULTS.join(", "));
        process::exit(2);
    }
    match fault.as_str() {
        "not-started" => process::exit(3),
        "slow-start" => thread::sleep(Duration::from_secs(3)),
        _ => {}
    }
    let occupied = (fault == "two-at-once").then(|| TcpListener::bind(("127.0.0.1", PORT)));
    if let Some(Err(error)) = occupied {
        fail(&error.to_string());
    }
    let mut player = Player {
        fault,
        board: Board::START,
        color: Color::White,
        moves: 0,
    };
    // Unlike standard output itself, this is not flushed at each newline.
    let mut out = BufWriter::new(io::stdout());
    while let Some(message) = player.read() {
        let Some(answer) = player.answer(&message) else {
            continue;
        };
        // A judge that has gone needs no answer.
        let _ = writeln!(out, "{answer}");
        if player.fault != "unflushed" {
            let _ = out.flush();
        }
    }
}

impl Player {
    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    /// Reads two characters, or `None` at the end of input.
    fn read(&self) -> Option<String> {
        let mut input = io::stdin().lock();
        let mut text = String::new();
        if self.has("pieces") {
            let mut buffer = [0; 16];
            let count = input.read(&mut buffer).ok().filter(|&count| count > 0)?;
            if count < 2 {
                fail("expected a whole line");
            }
            return Some(String::from_utf8_lossy(&buffer[..2]).into_owned());
        }
        while text.len() < 2 {
            let mut byte = [0];
            input.read_exact(&mut byte).ok()?;
            if self.has("line-ends") && byte[0] == b'\r' {
                fail("a carriage return");
            }
            if !byte[0].is_ascii_whitespace() {
                text.push(char::from(byte[0]));
            }
        }
        Some(text)
    }

    fn answer(&mut self, message: &str) -> Option<String> {
        match message {
            "ST" => self.color = Color::Black,
            "PS" if self.has("pass-ignored") => return None,
            "PS" if self.has("opponent-pass-crashes") => fail("PS is no square"),
            "PS" => self.play(Move::Pass),
            _ => self.play(Move::Place(message.to_ascii_lowercase().parse().ok()?)),
        }
        if self.color == Color::White && self.has("black-only") {
            return None;
        }
        self.moves += 1;
        let own = self.board.discs(self.color);
        if own.is_empty() && self.has("dies-without-discs") {
            fail("no discs");
        }
        match self.fault.as_str() {
            "slow" if self.moves == 4 => thread::sleep(Duration::from_secs(3)),
            "crash" if self.moves == 4 => fail("index out of bounds"),
            "leaves-early" if self.moves == 20 => process::exit(0),
            "floods" => loop {
                println!("{}", "thinking ".repeat(100));
            },
            "silent-at-end" if self.board.is_over() => return None,
            _ => {}
        }
        let mv = self.choose();
        let text = self.text(mv);
        self.play(mv);
        Some(text)
    }

    /// Plays a move on the program's own board, which a fault may have spoilt.
    fn play(&mut self, mv: Move) {
        let own = self.board.side_to_move() == self.color;
        if self.has("opponent-ignored") && !own {
            self.board = self.board.passed();
            return;
        }
        if let (true, Move::Place(square)) = (self.has("no-diagonals"), mv) {
            self.board = after_straight(self.board, square);
        } else if self.board.play(mv).is_err() {
            self.board = self.board.passed();
        }
    }

    fn choose(&self) -> Move {
        let board = self.board;
        let legal = match self.fault.as_str() {
            "wrong-color" => board.passed().legal_moves(),
            "own-move-again" if self.moves > 3 => board.discs(self.color),
            "passes-early" if self.moves == 3 => Bitboard::EMPTY,
            "no-diagonals" => {
                let flips = |it: &Square| !straight_flips(board, *it).is_empty();
                let squares = board.empties().iter().filter(flips);
                squares.fold(Bitboard::EMPTY, Bitboard::with)
            }
            _ => board.legal_moves(),
        };
        let squares: Vec<Square> = legal.iter().collect();
        let square = squares
            .get(self.moves as usize % squares.len().max(1))
            .copied();
        let empty = || board.empties().first().filter(|_| self.has("no-pass"));
        square.or_else(empty).map_or(Move::Pass, Move::Place)
    }

    fn text(&self, mv: Move) -> String {
        let Some(square) = mv.square() else {
            return "PS".into();
        };
        let [column, row] = match self.fault.as_str() {
            "columns-and-rows" => [square.row(), square.column()],
            "rows-from-below" => [square.column(), 7 - square.row()],
            _ => [square.column(), square.row()],
        };
        let text = Square::new(column, row).map_or_else(String::new, |it| it.to_string());
        match self.fault.as_str() {
            "lower-case" => text,
            "debug-output" => format!("{} legal moves\n{}", self.moves, text.to_uppercase()),
            "says-twice" => format!("{0}\n{0}", text.to_uppercase()),
            _ => text.to_uppercase(),
        }
    }
}

/// Returns the discs that a move flips in rows and columns alone.
fn straight_flips(board: Board, square: Square) -> Vec<Square> {
    let color = board.side_to_move();
    let mut flips = Vec::new();
    for (x, y) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
        let next = |square: Square| {
            let column = square.column().checked_add_signed(x)?;
            Square::new(column, square.row().checked_add_signed(y)?)
        };
        let mut line = Vec::new();
        let mut at = next(square);
        while let Some(flipped) = at.filter(|&at| board.disc(at) == Some(!color)) {
            line.push(flipped);
            at = next(flipped);
        }
        if at.is_some_and(|at| board.disc(at) == Some(color)) {
            flips.append(&mut line);
        }
    }
    flips
}

/// Returns the board after a move that flips in rows and columns alone.
fn after_straight(board: Board, square: Square) -> Board {
    let color = board.side_to_move();
    let flips = straight_flips(board, square);
    let flipped = flips.iter().fold(Bitboard::EMPTY, |all, &it| all.with(it));
    let own = (board.discs(color) | flipped).with(square);
    let other = board.discs(!color) & !flipped;
    let discs = match color {
        Color::Black => ByColor {
            black: own,
            white: other,
        },
        Color::White => ByColor {
            black: other,
            white: own,
        },
    };
    Board::from_discs(discs, !color).unwrap_or(board)
}

/// Ends the program as an exception does.
fn fail(reason: &str) -> ! {
    eprintln!("{reason}");
    process::exit(1)
}
