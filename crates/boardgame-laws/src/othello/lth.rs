//! The LTH server's lines and both sides' sessions.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::{Cause, SeatFault, Verdict};
use othello_core::{Board, Color, Move, Square};

use super::{
    Answered, HostAction, HostFormat, HostedGame, HostedGameOptions, PlayerFormat, Script,
    player_session,
};
use crate::host_game;
use othello_proto::{
    lth::{
        ClientLine, ClientRecord, Guest, Id, LimitScope, Player, PlayerOptions, Port, Reception,
        ReceptionAction, ReceptionOptions, ServerLine, ServerSeat, ServerSeatOptions, TimeLimit,
        parse as read,
    },
    session::{Task, Timestamp},
};

/// A line that is read prints to a line that is read as the same, without leniency.
pub fn parse(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        if let Ok(message) = read::server_line(line) {
            let printed = message.to_string();
            assert_eq!(read::server_line(printed.as_bytes()), Ok(message.clone()));
            let leniency = read::leniency(printed.as_bytes(), &message);
            assert_eq!(leniency.is_some(), matches!(message, ServerLine::Old(_)));
        }
        let complaint = read::complaint(line);
        assert_eq!(read::complaint(complaint.to_string().as_bytes()), complaint);
        if let Ok(id) = read::name_answer(line) {
            let printed = ClientLine::Name(id.clone()).to_string();
            assert_eq!(read::name_answer(printed.as_bytes()), Ok(id));
        }
        if let Ok(color) = read::color_answer(line) {
            let printed = ClientLine::Color(color).to_string();
            assert_eq!(read::color_answer(printed.as_bytes()), Ok(color));
        }
        if let Ok(mv) = read::move_answer(line) {
            let printed = ClientLine::Move(mv).to_string();
            assert_eq!(read::move_answer(printed.as_bytes()), Ok(mv));
        }
    }
}

/// A client gives its name and its colour at most once, and moves and passes in its turn and by the
/// rules, whatever the server sends.
pub fn player(data: &[u8]) {
    let (head, events) = data.split_at(data.len().min(2));
    let mut script = Script::new(head);
    let mut options = PlayerOptions::new(fuzz_id());
    options.color = script.choose(&[None, Some(Color::Black), Some(Color::White)]);
    options.scope = script.choose(&[LimitScope::Game, LimitScope::Move]);
    player_session(&mut Client::default(), Player::new(options), events);
}

fn fuzz_id() -> Id {
    Id::new("fuzz").expect("a good id")
}

/// The lines that a client may still send.
#[derive(Default)]
struct Client {
    named: bool,
    chose: bool,
}

/// Lines that servers send, at any time.
const SERVER_LINES: &[&str] = &[
    "Hi! I am your othello server.",
    "What is your name?",
    "Hello fuzz! Your current win count is 3",
    "Hello fuzz!",
    "Your time limit is 3 secs",
    "Your time limit is 0.5 secs",
    "Move format: column (letter) + row (number).",
    "choose colour, 'd' for dark, 'w' for white.",
    "you are dark",
    "you are white",
    "your move",
    "opponent's move",
    "my move",
    "PASS",
    "",
    "nonsense",
    "White: 12",
    "The game is finished",
    "Dark: 52",
    "Dark won",
    "somebody won",
    "\"The game is finished\" White: ",
    "12",
    "error",
    " This move is illegal. Bye!",
    "E: wrong",
];

/// The number of lines that do not end a game.
const HARMLESS_LINES: usize = 16;

impl PlayerFormat for Client {
    type Session = Player;

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        let choice = script.pick(16);
        let end = script.choose(&["\n", "\n", "\n", "\r\n"]);
        let line = match choice {
            0 => String::from(script.choose(SERVER_LINES)),
            1 | 2 => String::from(script.choose(&SERVER_LINES[..HARMLESS_LINES])),
            3 => format!("opponent's move{end}{}", script.choose(&Square::ALL)),
            4 => script.choose(&Square::ALL).to_string(),
            _ => next_lines(script, session, end),
        };
        format!("{line}{end}").into_bytes()
    }

    fn asked(&mut self, task: &Task) {
        assert_eq!(task.question.moves, task.question.board.legal_moves());
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_>>) {
        let line = bytes.strip_suffix(b"\n").expect("a whole line");
        if line == b"fuzz" {
            assert!(!std::mem::replace(&mut self.named, true), "a second name");
            return;
        }
        if line == b"d" || line == b"w" {
            assert!(!std::mem::replace(&mut self.chose, true), "a second colour");
            return;
        }
        let board = session.board();
        let color = session.color().expect("a colour before the first move");
        match (read::move_answer(line).expect("a move"), answered) {
            (Move::Place(square), Some(answered)) => {
                answered.check(square);
                let mut after = answered.task.question.board;
                assert_eq!(after.side_to_move(), color, "a move out of turn");
                after.play(square).expect("a legal move");
                assert_eq!(after, board);
            }
            (Move::Pass, None) if board.is_over() => {}
            (Move::Pass, None) => {
                assert_eq!(board.side_to_move(), !color, "a pass out of turn");
                assert!(board.passed().must_pass(), "an illegal pass");
            }
            (mv, answered) => panic!("{mv} for {answered:?}"),
        }
    }
}

/// Returns the next lines of a server in a game in progress.
fn next_lines(script: &mut Script<'_>, session: &Player, end: &str) -> String {
    // Always one byte, so that changing a byte changes one thing.
    let choice = usize::from(script.byte());
    let board = session.board();
    let Some(color) = session.color() else {
        return String::from(["you are dark", "you are white"][choice % 2]);
    };
    let opponent = Board::new(
        if board.side_to_move() == color {
            board.position().passed()
        } else {
            board.position()
        },
        !color,
    );
    let moves: Vec<Square> = opponent.legal_moves().iter().collect();
    if board.side_to_move() == color && !board.must_pass() {
        "your move".into()
    } else if moves.is_empty() {
        let pass = format!("opponent's move{end}PASS");
        [String::from("your move"), pass][choice % 2].clone()
    } else {
        format!("opponent's move{end}{}", moves[choice % moves.len()])
    }
}

/// A server seats or refuses every client, asks each side once in its turn, and reports the winner
/// of every game, whatever the clients send.
pub fn server(data: &[u8]) {
    let (head, rest) = data.split_at(data.len().min(6));
    let mut script = Script::new(head);
    let delay = script.choose(&[Duration::ZERO, Duration::ZERO, Duration::from_millis(50)]);
    let limit = TimeLimit {
        length: script.choose(&[Duration::from_secs(100), Duration::from_millis(700)]),
        scope: script.choose(&[LimitScope::Game, LimitScope::Move]),
    };
    let color = Color::ALL[script.pick(2)];
    let (login, events) = rest.split_at(rest.len().min(usize::from(script.byte() % 64)));
    let port = script.choose(&[Port::Competition(color), Port::Evaluation, Port::Testing]);
    let options = ReceptionOptions {
        port,
        limit,
        line_delay: delay,
        ..ReceptionOptions::default()
    };
    receive(options, login);
    let guests = ByColor::new_with(|color| {
        let port = match port {
            Port::Competition(_) => Port::Competition(color),
            Port::Evaluation | Port::Testing => port,
        };
        seated(ReceptionOptions { port, ..options }, color)
    });
    let options = HostedGameOptions {
        keeps: true,
        ..HostedGameOptions::new(Board::START, TimeControl::from(limit))
    };
    let seat = |guest| ServerSeat::new(guest, ServerSeatOptions::default());
    let game = HostedGame::new(options, guests.map(seat));
    host_game(&mut Watcher::default(), game, events);
}

/// Feeds a reception with arbitrary bytes; it ends once, at the latest after the end of input.
fn receive(options: ReceptionOptions, data: &[u8]) {
    let mut script = Script::new(data);
    let mut driver = ReceptionDriver::new(options, Color::Black);
    while !script.is_finished() {
        let bytes = match script.pick(6) {
            0 => script.bytes(40),
            1 => b"fuzz\n".to_vec(),
            2 => b"d\r\n".to_vec(),
            3 => b"W\nf5\n".to_vec(),
            4 => Vec::from([b'x'; 200]),
            _ => {
                driver.wait();
                continue;
            }
        };
        driver.reception.receive(&bytes, driver.now);
        driver.settle();
    }
    driver.reception.end_of_input(driver.now);
    driver.settle();
    for _ in 0..16 {
        driver.wait();
    }
    assert!(driver.ended, "no end after the end of input");
}

/// Returns a guest of this colour that has sent only what it had to.
fn seated(options: ReceptionOptions, color: Color) -> Guest {
    let mut driver = ReceptionDriver::new(options, color);
    let choice = ClientLine::Color(color);
    let login = match options.port {
        Port::Testing => format!("fuzz\n{choice}\n"),
        Port::Evaluation | Port::Competition(_) => String::from("fuzz\n"),
    };
    driver.reception.receive(login.as_bytes(), driver.now);
    driver.settle();
    while driver.guest.is_none() {
        assert!(
            driver.reception.deadline().is_some(),
            "a guest that is never seated"
        );
        driver.wait();
    }
    driver.guest.expect("a guest")
}

/// A reception and its driver.
struct ReceptionDriver {
    reception: Reception,
    now: Timestamp,
    color: Color,
    guest: Option<Guest>,
    ended: bool,
}

impl ReceptionDriver {
    fn new(options: ReceptionOptions, color: Color) -> Self {
        let mut driver = Self {
            reception: Reception::new(options),
            now: Timestamp::ORIGIN,
            color,
            guest: None,
            ended: false,
        };
        driver.reception.start(driver.now);
        driver.settle();
        driver
    }

    /// Lets the time pass to the next deadline.
    fn wait(&mut self) {
        if let Some(deadline) = self.reception.deadline() {
            self.now = self.now.max(deadline);
            self.reception.tick(self.now);
            self.settle();
        }
    }

    fn settle(&mut self) {
        while let Some(action) = self.reception.poll() {
            assert!(!self.ended, "{action:?} after the end");
            match action {
                ReceptionAction::Send(bytes) => {
                    check_lines(&bytes);
                }
                ReceptionAction::LookUp(_) => {
                    let (wins, color) = (7, self.color);
                    self.reception
                        .recall(ClientRecord { wins, color }, self.now);
                }
                ReceptionAction::Note(_) => {}
                ReceptionAction::Seat(guest) => {
                    self.guest = Some(guest);
                    self.ended = true;
                }
                ReceptionAction::Refuse(_) => self.ended = true,
            }
        }
    }
}

/// Checks that every line sent by our server is in the document.
fn check_lines(bytes: &[u8]) -> Vec<ServerLine> {
    let text = bytes.strip_suffix(b"\n").expect("whole lines");
    let lines = text.split(|&byte| byte == b'\n').map(|line| {
        let message = read::server_line(line).expect("a line of the document");
        assert_eq!(read::leniency(line, &message), None);
        message
    });
    lines.collect()
}

/// The lines that a game has sent so far.
#[derive(Default)]
struct Watcher {
    heard: ByColor<bool>,
    told: ByColor<bool>,
}

impl HostFormat for Watcher {
    type Game = Board;
    type Seat = ServerSeat;

    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<ServerSeat>,
        seat: Color,
    ) -> Vec<u8> {
        let board = *game.position();
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        let (manner, choice) = (script.pick(32), usize::from(script.byte()));
        let line = match manner {
            0 => String::from(["PASS", "", "zz", "i9", "d"][choice % 5]),
            1 => Square::ALL[choice % 64].to_string(),
            // Out of turn it is mostly silent, or games would be short.
            3.. if seat != board.side_to_move() => return Vec::new(),
            _ if moves.is_empty() => String::from("PASS"),
            2 => format!("{:#}\r", moves[choice % moves.len()]),
            _ => moves[choice % moves.len()].to_string(),
        };
        format!("{line}\n").into_bytes()
    }

    fn acted(&mut self, told: &Board, action: &HostAction) {
        match action {
            HostAction::Send { seat, bytes } => {
                self.heard[*seat] = true;
                for line in check_lines(bytes) {
                    assert!(!self.told[*seat], "{line} after the last line");
                    match line {
                        ServerLine::YourMove => assert_eq!(told.side_to_move(), *seat),
                        ServerLine::Complaint(_) | ServerLine::Outcome(_) => {
                            self.told[*seat] = true;
                        }
                        _ => {}
                    }
                }
            }
            HostAction::Finish(verdict) => self.finished(verdict),
            _ => {}
        }
    }
}

impl Watcher {
    fn finished(&self, verdict: &Verdict) {
        let has_left = matches!(
            verdict.cause,
            Cause::Forfeit {
                fault: SeatFault::Left,
                ..
            }
        );
        for color in Color::ALL {
            let left = has_left && verdict.winner == Some(!color);
            assert!(
                self.told[color] || left || !self.heard[color],
                "{color} does not hear the end"
            );
        }
    }
}
