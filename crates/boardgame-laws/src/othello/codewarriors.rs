//! Code Warriors.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::framing::Framing as _;
use othello_core::{Board, Color, Square};

use super::{
    Answered, HostAction, HostFormat, HostedGame, HostedGameOptions, PlayerFormat, Script,
    player_session,
};
use crate::host_game;
use othello_proto::{
    codewarriors::{JudgeSeat, MOVE_LIMIT, Message, Pairs, Player, PlayerOptions},
    session::Task,
};

/// Messages read back and print canonically; pairs do not depend on how the bytes are split.
pub fn parse(data: &[u8]) {
    if let Ok(message) = Message::parse(data) {
        assert_eq!(message.to_string().as_bytes(), data);
    }
    let canonical = data.to_ascii_uppercase();
    match Message::parse_any_case(data) {
        Ok(message) => assert_eq!(message.to_string().as_bytes(), canonical),
        Err(error) => assert!(error.offset() <= data.len()),
    }
    let mut script = Script::new(data);
    let (mut parts, mut bytes, mut pieces) = (Pairs::new(), Vec::new(), Vec::new());
    while !script.is_finished() {
        let chunk = script.bytes(8);
        parts.push(&chunk);
        pieces.extend(std::iter::from_fn(|| parts.next_piece()));
        bytes.extend(chunk);
    }
    let mut whole = Pairs::new();
    whole.push(&bytes);
    assert!(
        pieces
            .into_iter()
            .eq(std::iter::from_fn(|| whole.next_piece()))
    );
}

/// The laws of a player's session; also: it prints one upper-case message and a newline per turn, a
/// square only as the answer to a task that allows it, `PS` only without a move, and nothing on a
/// full board.
pub fn player(data: &[u8]) {
    let (first, events) = data.split_first().unwrap_or((&0, &[]));
    let options = PlayerOptions {
        start: start(*first),
        ..PlayerOptions::default()
    };
    player_session(&mut PlayerLaw, Player::new(options), events);
}

/// The laws of a host's game; also: a relay is one message.
pub fn judge(data: &[u8]) {
    let (first, events) = data.split_first().unwrap_or((&0, &[]));
    let time = TimeControl {
        per_move: Some(MOVE_LIMIT),
        ..TimeControl::default()
    };
    let seats = ByColor::new_with(|_| JudgeSeat::new(Duration::ZERO));
    let game = HostedGame::new(HostedGameOptions::new(start(*first), time), seats);
    host_game(&mut JudgeLaw, game, events);
}

/// Starting boards: the standard one; one empty square, to be taken; a wipe-out in one move; the
/// side to move must pass.
const STARTS: [&str; 4] = [
    "---------------------------OX------XO--------------------------- X",
    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X",
    "--------------------------XO------------------------------------ X",
    "-XOOOOOO-------------------------------------------------------- X",
];

/// Returns the board chosen by a byte.
pub(super) fn start(choice: u8) -> Board {
    let board = STARTS[usize::from(choice) % STARTS.len()].parse();
    board.expect("a board")
}

/// Returns a message that is plausible on `board`, in some spelling.
fn speak(script: &mut Script<'_>, board: Board) -> Vec<u8> {
    let moves: Vec<Square> = board.legal_moves().iter().collect();
    // Always the same number of choices, so that seeds stay in step with the game.
    let (kind, index) = (script.pick(8), usize::from(script.byte()));
    let message = match kind {
        0 => Message::Start,
        1 => Message::Place(Square::ALL[index % 64]),
        2 => Message::Pass,
        _ if moves.is_empty() => Message::Pass,
        _ => Message::Place(moves[index % moves.len()]),
    };
    let mut text = message.to_string();
    let (lower, end) = match script.pick(8) {
        0 => (true, "\n"),
        1 => (false, ""),
        2 => (false, "\r\n"),
        3 => (false, "\n\n"),
        4 => (false, "X\n"),
        _ => (false, "\n"),
    };
    if lower {
        text.make_ascii_lowercase();
    }
    text.push_str(end);
    text.into_bytes()
}

struct PlayerLaw;

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        speak(script, session.board())
    }

    fn asked(&mut self, task: &Task) {
        assert_eq!(task.question.moves, task.question.board.legal_moves());
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let message = bytes.strip_suffix(b"\n").map(Message::parse);
        let board = session.board();
        let color = session.color();
        assert_eq!(Some(!board.side_to_move()), color, "it is our turn still");
        match message {
            Some(Ok(Message::Place(square))) => {
                let answered = answered.expect("a move without an answer");
                answered.check(square);
                assert_eq!(Some(answered.task.question.board.side_to_move()), color);
                assert_eq!(board.disc(square), color);
            }
            Some(Ok(Message::Pass)) => {
                assert!(board.passed().legal_moves().is_empty(), "a false pass");
                assert!(!board.empties().is_empty(), "a pass on a full board");
            }
            _ => panic!("no message: {}", bytes.escape_ascii()),
        }
    }
}

struct JudgeLaw;

impl HostFormat for JudgeLaw {
    type Game = Board;
    type Seat = JudgeSeat;

    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<JudgeSeat>,
        seat: Color,
    ) -> Vec<u8> {
        let board = *game.position();
        let early = script.pick(8) == 0;
        let said = speak(script, board);
        if early || seat == board.side_to_move() || board.is_over() {
            said
        } else {
            Vec::new()
        }
    }

    fn acted(&mut self, _told: &Board, action: &HostAction) {
        match action {
            HostAction::Send { bytes, .. } => {
                let message = bytes.strip_suffix(b"\n").map(Message::parse);
                assert!(matches!(message, Some(Ok(_))));
            }
            HostAction::Launch(_) => panic!("{action:?} is not the judge's"),
            _ => {}
        }
    }
}
