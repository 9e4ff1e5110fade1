//! A naive server, written only from the document.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use othello_core::{Board, Color, Move};

use crate::support::Random;

/// The time limit for a client's line, exceeded only by a client that hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// The lines of a server before the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Greeting {
    /// The win count, and the choice of the colour.
    Testing,
    /// Neither.
    Competition,
}

/// The server's end of a connection.
pub(crate) struct Server {
    stream: BufReader<TcpStream>,
}

impl Server {
    pub(crate) fn accept(listener: &TcpListener) -> Self {
        listener.set_nonblocking(true).unwrap();
        let began = Instant::now();
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) => assert!(began.elapsed() < PATIENCE, "nobody connects: {error}"),
            }
            thread::sleep(Duration::from_millis(5));
        };
        stream.set_nonblocking(false).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self {
            stream: BufReader::new(stream),
        }
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.stream.get_mut().write_all(text.as_bytes()).unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "{line:?}");
        line.truncate(line.len() - 1);
        line
    }

    /// Greets the client and gives it a colour; returns its id.
    pub(crate) fn log_in(&mut self, greeting: Greeting, color: Color) -> String {
        self.say("Hi! I am your othello server.\nWhat is your name?\n");
        let id = self.hear();
        if greeting == Greeting::Testing {
            self.say(&format!("Hello {id}! Your current win count is 3\n"));
        } else {
            self.say(&format!("Hello {id}!\n"));
        }
        self.say("Your time limit is 60 secs\nMove format: column (letter) + row (number).\n");
        if greeting == Greeting::Testing {
            self.say("choose colour, 'd' for dark, 'w' for white.\n");
            let chosen = self.hear();
            assert_eq!(chosen, if color == Color::Black { "d" } else { "w" });
        }
        self.say(&format!("you are {}\n", name(color).to_lowercase()));
        id
    }

    /// Returns the address that it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.stream.get_ref().local_addr().unwrap()
    }

    /// Plays a game with the client on this side, with random moves against it, and sends no result; returns the board
    /// at the end.
    pub(crate) fn play_moves(&mut self, color: Color, seed: u64) -> Board {
        let mut board = Board::START;
        let mut random = Random(seed);
        while !board.is_over() {
            let mv = if board.side_to_move() == color {
                self.say("your move\n");
                parse(&self.hear())
            } else if board.must_pass() {
                Move::Pass
            } else {
                Move::Place(random.pick(board.legal_moves()))
            };
            if board.side_to_move() != color {
                let text = mv
                    .square()
                    .map_or("PASS".into(), |square| square.to_string());
                self.say(&format!("opponent's move\n{text}\n"));
            }
            board.play(mv).unwrap();
        }
        board
    }

    /// Closes with the client's words unread, which resets the connection.
    pub(crate) fn break_off(self) {
        let stream = self.stream.into_inner();
        stream.peek(&mut [0]).unwrap();
    }
}

/// Parses a client's move in exactly the document's form.
fn parse(line: &str) -> Move {
    if line == "PASS" {
        return Move::Pass;
    }
    let mv: Move = line.parse().unwrap();
    assert_eq!(mv.to_string(), line);
    mv
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Dark",
        Color::White => "White",
    }
}
