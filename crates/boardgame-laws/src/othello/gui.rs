//! The Othello GUI.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::GameEvent;
use othello_core::{Board, Color, Square};

use super::{
    Answered, HostAction, HostFormat, HostedGame, HostedGameOptions, PlayerFormat, Script,
    check_verdict, host_game, player_session,
};
use othello_proto::{
    gui::{
        Answer, Form, HostSeat, HostSeatOptions, Mode, Player, PlayerOptions, Request,
        VERSION_LINE, Version,
    },
    session::Task,
};

/// Requests and answers read back what they print.
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

/// The laws of a player's session; and: the version line comes first or never, every answer is a
/// listed move in lower case, chosen legally when the list allows it, and a process that lives
/// for one board answers once.
pub fn player(data: &[u8]) {
    let (first, events) = data.split_first().unwrap_or((&0, &[]));
    let modes = [Mode::Document, Mode::Released, Mode::Stay, Mode::Auto];
    let options = PlayerOptions {
        mode: modes[usize::from(*first) % modes.len()],
        ..PlayerOptions::default()
    };
    let mut law = PlayerLaw {
        open: None,
        sent: 0,
        answers: 0,
    };
    player_session(&mut law, Player::new(options), events);
}

/// Returns a game between two programs that are held to the limit of the options, except an untimed side.
pub fn hosted(
    start: Board,
    options: HostSeatOptions,
    untimed: Option<Color>,
) -> HostedGame<HostSeat> {
    let time = |color| TimeControl {
        per_move: (untimed != Some(color)).then_some(options.limit),
        ..TimeControl::default()
    };
    let game = HostedGameOptions {
        time: ByColor::new_with(time),
        tolerance: options.grace,
        ..HostedGameOptions::new(start, TimeControl::default())
    };
    HostedGame::new(game, ByColor::new_with(|_| HostSeat::new(options)))
}

/// The laws of a host's game; and: the moves told are a legal game with every pass made by the
/// host, a request shows that game, a program is launched only for a seat that moves, the
/// culprit loses, and a game played to its end is won on the board.
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
    let mut law = HostLaw {
        form,
        shadow: start,
        told: 0,
    };
    let events = data.get(3..).unwrap_or_default();
    host_game(&mut law, hosted(start, options, None), events);
}

/// A board that is reached by random play: two bytes of the script.
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

/// The request for some board, as it should be.
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

struct PlayerLaw {
    /// The task that was not answered yet.
    open: Option<Task>,
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
        assert!(self.open.replace(*task).is_none());
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
        if let Some(task) = self.open.take() {
            assert_eq!(task.question.board, session.board());
            let answered = answered.expect("a move without an answer");
            assert_eq!(*answered.task, task);
            answered.check(square);
        } else {
            let legal = session.board().legal_moves();
            assert!(request.listed().is_disjoint(legal), "nobody chose {square}");
        }
    }
}

struct HostLaw {
    form: Form,
    /// The game as it is told.
    shadow: Board,
    told: usize,
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

    fn acted(&mut self, game: &HostedGame<HostSeat>, action: &HostAction) {
        match action {
            HostAction::Launch(seat) => {
                let stays = matches!(self.form, Form::Stay(_));
                assert!(stays || *seat == self.shadow.side_to_move());
            }
            HostAction::Send { seat, bytes } => {
                let request = Request::parse(bytes).expect("a request");
                assert_eq!(request.to_string().as_bytes(), bytes);
                assert_eq!(request.board(*seat), self.shadow);
                assert_eq!(request.listed(), self.shadow.legal_moves());
                assert!(request.side.is_none_or(|side| side == *seat));
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
            _ => {}
        }
    }
}
