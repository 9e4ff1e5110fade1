//! The Othello GUI.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use othello_core::{Board, Color, Square};

use super::{
    Answered, HostAction, HostFormat, HostedGame, HostedGameOptions, PlayerFormat, Script,
    player_session,
};
use crate::host_game;
use othello_proto::{
    gui::{
        Answer, Form, HostSeat, HostSeatOptions, Mode, Player, PlayerOptions, Request,
        VERSION_LINE, Version,
    },
    session::Task,
};

/// Requests and answers read back from their printed form.
pub fn parse(data: &[u8]) {
    if let Ok(request) = Request::parse(data) {
        let printed = request.to_string();
        assert_eq!(Request::parse(printed.as_bytes()), Ok(request));
    }
    if let Ok(answer) = Answer::parse(data) {
        let printed = answer.to_string();
        assert_eq!(Answer::parse(printed.as_bytes()), Ok(answer));
    }
    let mut script = Script::new(data);
    let request = request(&mut script).to_string();
    let read = Request::parse(request.as_bytes()).map(|request| request.to_string());
    assert_eq!(read, Ok(request));
}

/// The laws of a player's session; also: the version line comes first or never, every answer is a listed move in lower
/// case, a legal one if the list has any, and a process that lives for one board answers once.
pub fn player(data: &[u8]) {
    let (first, events) = data.split_first().unwrap_or((&0, &[]));
    let modes = [Mode::Document, Mode::Released, Mode::Stay, Mode::Auto];
    let options = PlayerOptions {
        mode: modes[usize::from(*first) % modes.len()],
        ..PlayerOptions::default()
    };
    player_session(&mut PlayerLaw::default(), Player::new(options), events);
}

/// The laws of a host's game; also: a request shows the game as sent by the host, and a program is launched only for a
/// seat that moves.
pub fn host(data: &[u8]) {
    let mut script = Script::new(data);
    let form = script.choose(&[
        Form::Released,
        Form::Document(Version::V1),
        Form::Document(Version::V2),
        Form::Stay(Version::V1),
        Form::Stay(Version::V2),
    ]);
    let start = board(&mut script);
    let options = HostSeatOptions {
        form,
        ..HostSeatOptions::default()
    };
    let time = TimeControl {
        per_move: Some(options.limit),
        ..TimeControl::default()
    };
    let game = HostedGameOptions {
        tolerance: options.grace,
        ..HostedGameOptions::new(start, time)
    };
    let game = HostedGame::new(game, ByColor::new_with(|_| HostSeat::new(options)));
    let events = data.get(3..).unwrap_or_default();
    host_game(&mut HostLaw { form }, game, events);
}

/// Returns a board reached by random play: two bytes of the script.
fn board(script: &mut Script<'_>) -> Board {
    let (plies, mut random) = (script.pick(64), u64::from(script.byte()));
    let mut board = Board::START;
    for _ in 0..plies {
        if board.must_pass() {
            board = board.passed();
        }
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        if moves.is_empty() {
            break;
        }
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let square = moves[(random >> 33) as usize % moves.len()];
        board.play(square).expect("a legal move");
    }
    board
}

/// Returns the correct request for some board.
fn request(script: &mut Script<'_>) -> Request {
    let board = board(script);
    let side = board.side_to_move();
    let discs = match side {
        Color::Black => board.position(),
        Color::White => board.position().passed(),
    };
    Request {
        discs,
        side: script.choose(&[None, Some(side)]),
        time: Duration::from_millis(1 << script.pick(20)),
        moves: board.legal_moves().iter().collect(),
    }
}

#[derive(Default)]
struct PlayerLaw {
    /// True while a task is unanswered.
    open: bool,
    sent: u32,
    answers: u32,
}

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, _session: &Player) -> Vec<u8> {
        let mut request = request(script);
        match script.pick(16) {
            0 => {
                let indices = script.bytes(8).into_iter();
                request.moves = indices.filter_map(Square::from_index).collect();
            }
            1 => request.discs = request.discs.passed(),
            2 => request.moves.clear(),
            3 => request.side = request.side.map(|side| !side),
            _ => {}
        }
        let text = request.to_string();
        match script.pick(16) {
            0 => text.to_uppercase().into_bytes(),
            1 => text.to_lowercase().into_bytes(),
            2 => text.replace('\n', "\r\n").into_bytes(),
            3 => text.replace('\n', "\n\n").into_bytes(),
            4 => text.as_bytes()[..script.pick(text.len())].to_vec(),
            5 => text.as_bytes()[script.pick(text.len())..].to_vec(),
            6 => text.repeat(2).into_bytes(),
            _ => text.into_bytes(),
        }
    }

    fn asked(&mut self, task: &Task) {
        assert!(task.question.moves & task.question.board.legal_moves() == task.question.moves);
        self.open = true;
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        self.sent += 1;
        if self.sent == 1 && session.mode() != Mode::Released {
            assert_eq!(bytes.strip_suffix(b"\n"), Some(VERSION_LINE.as_bytes()));
            return;
        }
        self.answers += 1;
        assert!(self.answers == 1 || session.mode() == Mode::Stay);
        assert_eq!(bytes.len(), 3, "{}", bytes.escape_ascii());
        let square = Answer::parse(bytes).expect("an answer").square;
        let request = session.request().expect("an answer without a request");
        assert!(request.moves.contains(&square), "{square} is not listed");
        if std::mem::take(&mut self.open) {
            let answered = answered.expect("a move without an answer");
            assert_eq!(answered.task.question.board, session.board());
            answered.check(square);
        } else {
            let legal = session.board().legal_moves();
            assert!(request.listed().is_disjoint(legal), "nobody chose {square}");
        }
    }
}

struct HostLaw {
    form: Form,
}

impl HostFormat for HostLaw {
    type Game = Board;
    type Seat = HostSeat;

    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<HostSeat>,
        seat: Color,
    ) -> Vec<u8> {
        let board = *game.position();
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        // Always the same number of choices, so that seeds stay in step with the game.
        let (kind, index) = (script.pick(16), usize::from(script.byte()));
        let text = match kind {
            0 => VERSION_LINE.to_string(),
            1 => "notes".to_string(),
            2 => Square::ALL[index % 64].to_string(),
            3 => return VERSION_LINE.as_bytes().to_vec(),
            _ if seat != board.side_to_move() || moves.is_empty() => return Vec::new(),
            4 => moves[index % moves.len()].to_string().to_uppercase(),
            5..=8 if self.form != Form::Released => VERSION_LINE.to_string(),
            _ => moves[index % moves.len()].to_string(),
        };
        (text + "\n").into_bytes()
    }

    fn acted(&mut self, told: &Board, action: &HostAction) {
        match action {
            HostAction::Launch(seat) => {
                let stays = matches!(self.form, Form::Stay(_));
                assert!(stays || *seat == told.side_to_move());
            }
            HostAction::Send { seat, bytes } => {
                let request = Request::parse(bytes).expect("a request");
                assert_eq!(request.to_string().as_bytes(), bytes);
                assert_eq!(request.board(*seat), *told);
                assert_eq!(request.listed(), told.legal_moves());
                assert!(request.side.is_none_or(|side| side == *seat));
            }
            _ => {}
        }
    }
}
