//! NBoard.

use othello_core::{Game, Move, Square};

use super::{Answered, PlayerFormat, Script, asked_programs, player_session};
use othello_proto::{
    ParseError,
    ggf::{MoveItem, Record},
    nboard::{Command, NBoardSeat, NBoardSeatOptions, Player, PlayerOptions, Response, Responses},
    session::Task,
};

/// Commands read back, responses print canonically and do not depend on how the bytes are split.
pub fn parse(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        match Command::parse(line) {
            Ok(command) => {
                let text = command.to_string();
                assert_eq!(Command::parse(text.as_bytes()), Ok(command));
            }
            Err(error) => assert!(error.offset() <= line.len()),
        }
        match Response::parse(line) {
            Ok(response) => canonical(&response),
            Err(error) => assert!(error.offset() <= line.len()),
        }
    }
    let mut script = Script::new(data);
    let (mut parts, mut bytes, mut read) = (Responses::default(), Vec::new(), Vec::new());
    while !script.is_finished() {
        let chunk = script.bytes(32);
        parts.push(&chunk);
        read.extend(&mut parts);
        bytes.extend(chunk);
    }
    assert_eq!(read, all(&bytes));
}

/// Checks that a printed response parses to one that prints the same.
fn canonical(response: &Response) {
    let text = response.to_string();
    let again = Response::parse(text.as_bytes()).map(|again| again.to_string());
    assert_eq!(again.as_deref(), Ok(text.as_str()));
}

fn all(bytes: &[u8]) -> Vec<Result<Response, ParseError>> {
    let mut responses = Responses::default();
    responses.push(bytes);
    responses.collect()
}

/// The laws of a player's session; also: everything sent is canonical lines of the protocol; a move
/// is legal and the answer to a task that allows it, a pass is forced; an answer to `go` leaves the
/// board unchanged.
pub fn player(data: &[u8]) {
    let session = Player::new(PlayerOptions::default());
    player_session(&mut PlayerLaw, session, data);
}

/// The laws of a host's game.
pub fn host(data: &[u8]) {
    let responses = &[
        "pong 1\npong 2\npong 3\npong 4\npong 5\n",
        "pong 6\npong 7\npong 8\npong 9\npong 10\n",
        "set myname a\n",
        "=== x\n",
        "status thinking\nnodestats 12 0.5\n",
    ];
    let seat = || NBoardSeat::new(NBoardSeatOptions::default());
    let print = |mv: Move| format!("{}\n", Response::Move(mv.into()));
    asked_programs(seat, responses, print, data);
}

/// Records to start from: the standard start; one empty square, to be taken; a wipe-out in one
/// move; a forced pass; a finished game; one against the rules; no record.
const GAMES: [&str; 7] = [
    "(;GM[Othello]TI[0:05/0:01];)",
    "(;GM[Othello]BO[8 ***************************************************************O- *];)",
    "(;BO[8 --------------------------*O------------------------------------ *];)",
    "(;TI[15:00]BO[8 -*OOOOOO-------------------------------------------------------- *];)",
    "(;BO[8 **-------------------------------------------------------------- O];)",
    "(;B[F5]W[A1];)",
    "(;B[F5",
];

struct PlayerLaw;

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        let board = session.board();
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        // Always the same number of choices, so that seeds stay in step with the game.
        let (kind, index) = (script.pick(16), script.byte());
        let mv = match moves.len() {
            0 => Move::Pass,
            count => moves[usize::from(index) % count].into(),
        };
        let line = match kind {
            0 => Command::Version(u32::from(index)).to_string(),
            1 => Command::Depth(u32::from(index)).to_string(),
            2 => Command::Contempt(i64::from(index)).to_string(),
            3 => format!("set game {}", GAMES[usize::from(index) % GAMES.len()]),
            4 => format!("set game {}", Record::of_game(&Game::new(board))),
            5 => format!("move {}", Square::ALL[usize::from(index) % 64]),
            6 => "move PA//1.5".to_string(),
            7 => Command::Hint(u32::from(index)).to_string(),
            8 => Command::Ping(i64::from(index)).to_string(),
            9 => Command::Learn.to_string(),
            10 => Command::Analyze.to_string(),
            11 if index == 255 => Command::Quit.to_string(),
            11 => mv.to_string(),
            12 | 13 => Command::Go.to_string(),
            _ => Command::Move(MoveItem::from(mv)).to_string(),
        };
        format!("{line}\n").into_bytes()
    }

    fn asked(&mut self, task: &Task) {
        assert_eq!(task.question.moves, task.question.board.legal_moves());
        assert!(task.question.effort.lines >= 1);
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let line = bytes.strip_suffix(b"\n").expect("a whole line");
        let response = Response::parse(line).expect("a response");
        assert_eq!(response.to_string().as_bytes(), line);
        let Response::Move(item) = response else {
            return;
        };
        let board = session.board();
        match item.mv {
            Move::Pass => {
                assert!(answered.is_none(), "a pass for a task");
                assert!(board.must_pass(), "a false pass");
            }
            Move::Place(square) => {
                let answered = answered.expect("a move without an answer");
                assert!(board.legal_moves().contains(square), "an illegal move");
                assert_eq!(answered.task.question.board, board, "the board has changed");
                answered.check(square);
            }
        }
    }
}
