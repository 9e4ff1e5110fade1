//! Code Warriors.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::{GameEvent, framing::Framing as _};
use othello_core::{Board, Color, Square};

use super::{
    Answered, HostAction, HostFormat, HostedGame, HostedGameOptions, PlayerFormat, Script,
    check_verdict, host_game, player_session,
};
use othello_proto::{
    codewarriors::{JudgeSeat, MOVE_LIMIT, Message, Pairs, Player, PlayerOptions},
    session::Task,
};

/// Messages read back and print canonically; the cutting into pairs does not depend on chunks.
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

/// The laws of a player's session; and: it prints one upper-case message and a newline a turn, a
/// square only as the answer to a task that allows it, `PS` only without a move, and nothing on
/// a full board.
pub fn player(data: &[u8]) {
    let (start, events) = start(data);
    let options = PlayerOptions {
        start,
        ..PlayerOptions::default()
    };
    player_session(&mut PlayerLaw::default(), Player::new(options), events);
}

/// Returns a game between two programs with the document's limit; `grace` is the time allowed beyond it
/// for the pipes.
pub fn hosted(start: Board, grace: Duration) -> HostedGame<JudgeSeat> {
    let time = TimeControl {
        per_move: Some(MOVE_LIMIT),
        ..TimeControl::default()
    };
    let options = HostedGameOptions {
        tolerance: grace,
        ..HostedGameOptions::new(start, time)
    };
    HostedGame::new(options, ByColor::new_with(|_| JudgeSeat::new(grace)))
}

/// The laws of a host's game; and: the moves told are a legal game by the seats in turn, a
/// relay is one message, the culprit loses, and a game played to its end is won on the board.
pub fn judge(data: &[u8]) {
    let (start, events) = start(data);
    let mut law = JudgeLaw {
        shadow: start,
        told: 0,
    };
    host_game(&mut law, hosted(start, Duration::ZERO), events);
}

/// Boards to begin on: the standard start; one empty square, to be taken; a wipe-out in one move;
/// the side to move must pass.
const STARTS: [&str; 4] = [
    "---------------------------OX------XO--------------------------- X",
    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X",
    "--------------------------XO------------------------------------ X",
    "-XOOOOOO-------------------------------------------------------- X",
];

/// The board that the script chooses, and the rest of the script.
fn start(data: &[u8]) -> (Board, &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let board = STARTS[usize::from(*first) % STARTS.len()].parse();
    (board.expect("a board"), rest)
}

/// A message that `board` makes plausible, in some spelling.
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

#[derive(Default)]
struct PlayerLaw {
    /// The task that was not answered yet.
    open: Option<Task>,
}

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        speak(script, session.board())
    }

    fn asked(&mut self, task: &Task) {
        assert_eq!(task.question.moves, task.question.board.legal_moves());
        assert!(self.open.replace(*task).is_none());
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let message = bytes.strip_suffix(b"\n").map(Message::parse);
        let board = session.board();
        let color = session.color();
        assert_eq!(Some(!board.side_to_move()), color, "it is our turn still");
        match message {
            Some(Ok(Message::Place(square))) => {
                let task = self.open.take();
                let task = task.expect("a move without a task");
                let answered = answered.expect("a move without an answer");
                answered.check(square);
                assert_eq!(*answered.task, task);
                assert_eq!(Some(task.question.board.side_to_move()), color);
                assert_eq!(board.disc(square), color);
            }
            Some(Ok(Message::Pass)) => {
                assert!(self.open.is_none(), "a pass with a task open");
                assert!(board.passed().legal_moves().is_empty(), "a false pass");
                assert!(!board.empties().is_empty(), "a pass on a full board");
            }
            _ => panic!("no message: {}", bytes.escape_ascii()),
        }
    }
}

struct JudgeLaw {
    /// The game as it is told.
    shadow: Board,
    told: usize,
}

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

    fn acted(&mut self, game: &HostedGame<JudgeSeat>, action: &HostAction) {
        match action {
            HostAction::Send { bytes, .. } => {
                let message = bytes.strip_suffix(b"\n").map(Message::parse);
                assert!(matches!(message, Some(Ok(_))));
            }
            HostAction::Event(GameEvent::Moved(seat, mv, _)) => {
                assert_eq!(self.shadow.side_to_move(), *seat);
                assert_eq!(self.shadow.play(*mv), Ok(()));
                assert_eq!(game.moves().get(self.told), Some(mv));
                self.told += 1;
            }
            HostAction::Finish(verdict) => {
                assert_eq!(*game.position(), self.shadow);
                check_verdict(verdict, &self.shadow);
            }
            HostAction::Launch(_) => panic!("{action:?} is not the judge's"),
            _ => {}
        }
    }
}
