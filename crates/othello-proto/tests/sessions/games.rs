//! Whole games of our players at the host of each format, against each other and against a mover that speaks no format.

use std::{collections::VecDeque, fmt::Write as _, time::Duration};

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::{
    Cause, Conventions, Note, NoteKind, Order, SeatAction, SeatEvent, SeatSession, Thought,
    Timestamp, Verdict,
};
use othello_core::{Board, Color, Move, Square};
use othello_proto::{
    codewarriors, gtp, gui, lth, nboard,
    session::{Action, Decision, Ending, PlayerSession, Question},
    sloan,
};
use proptest::prelude::*;

use crate::{
    hosted_game::{HostAction, HostedGame, HostedGameOptions},
    hosts::per_move,
    reception::guest,
};

pub(crate) const STARTS: [&str; 6] = [
    "---------------------------OX------XO--------------------------- X",
    // The side to move must pass.
    "-XOOOOOO-------------------------------------------------------- X",
    // The last moves of a game: both sides pass at its end, or on a full board.
    "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- O",
    "XO------ -------- -------- -------- -------- -------- -------- -------- X",
    "OX------ -------- -------- -------- -------- -------- -------- -------- O",
    "XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXO- X",
];

type AnyPlayer = Box<dyn PlayerSession<Question = Question>>;

/// A side of a game: the host's session, and a function that makes its program.
pub(crate) struct Side {
    seat: Seat,
    program: Box<dyn Fn() -> AnyPlayer>,
    /// True if the program runs from the beginning.
    runs: bool,
}

impl Side {
    pub(crate) fn new<P>(
        seat: impl SeatSession<Board> + 'static,
        program: impl Fn() -> P + 'static,
    ) -> Self
    where
        P: PlayerSession<Question = Question> + 'static,
    {
        Self {
            seat: Seat(Box::new(seat)),
            program: Box::new(move || Box::new(program())),
            runs: true,
        }
    }

    fn launched(self) -> Self {
        Self {
            runs: false,
            ..self
        }
    }
}

/// A session of any format.
struct Seat(Box<dyn SeatSession<Board>>);

impl SeatSession<Board> for Seat {
    fn conventions(&self) -> Conventions {
        self.0.conventions()
    }

    fn order(&mut self, order: Order<Board>, now: Timestamp) {
        self.0.order(order, now);
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.0.receive(bytes, now);
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.0.end_of_input(now);
    }

    fn exited(&mut self, success: bool, now: Timestamp) {
        self.0.exited(success, now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.0.deadline()
    }

    fn tick(&mut self, now: Timestamp) {
        self.0.tick(now);
    }

    fn poll(&mut self) -> Option<SeatAction<Move>> {
        self.0.poll()
    }
}

/// A seat that speaks no format and plays the moves that a fixed rule picks.
struct Mover {
    conventions: Conventions,
    seed: u64,
    board: Board,
    events: VecDeque<SeatEvent<Move>>,
}

impl SeatSession<Board> for Mover {
    fn conventions(&self) -> Conventions {
        self.conventions
    }

    fn order(&mut self, order: Order<Board>, _now: Timestamp) {
        let event = match order {
            Order::Begin { setup, .. } => {
                self.board = setup;
                SeatEvent::Ready
            }
            Order::Choose { .. } => {
                let mv = pick(self.board, self.seed).map_or(Move::Pass, Move::Place);
                SeatEvent::Move(mv, Thought::default())
            }
            Order::Played { mv, .. } => return self.board.play(mv).expect("a legal move"),
            Order::Over { .. } => SeatEvent::Completed,
            Order::Conclude(_) => SeatEvent::Closed,
            Order::Said(_) | Order::CallOff => return,
        };
        self.events.push_back(event);
    }

    fn receive(&mut self, _bytes: &[u8], _now: Timestamp) {}

    fn end_of_input(&mut self, _now: Timestamp) {}

    fn deadline(&self) -> Option<Timestamp> {
        None
    }

    fn tick(&mut self, _now: Timestamp) {}

    fn poll(&mut self) -> Option<SeatAction<Move>> {
        self.events.pop_front().map(SeatAction::Event)
    }
}

/// Returns the move that a fixed rule picks, so that games are the same at every run.
fn pick(board: Board, seed: u64) -> Option<Square> {
    let moves: Vec<Square> = board.legal_moves().iter().collect();
    let ply = u64::from(board.empties().count());
    let mixed = (seed ^ ply).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    moves.get(mixed as usize % moves.len().max(1)).copied()
}

/// A game with its programs.
struct Game {
    host: HostedGame<Board, Seat>,
    make: ByColor<Box<dyn Fn() -> AnyPlayer>>,
    programs: ByColor<Option<AnyPlayer>>,
    seed: u64,
    now: Timestamp,
    verdict: Option<Verdict>,
    /// Faults that were noted.
    faults: Vec<Note>,
    sent: ByColor<String>,
}

impl Game {
    /// Plays a game to its end. Decisions take no time, which passes only when nothing else happens.
    fn play(options: HostedGameOptions<Board>, sides: ByColor<Side>, seed: u64) -> Self {
        let ByColor { black, white } = sides;
        let running = |side: &Side| side.runs.then(|| (side.program)());
        let programs = ByColor {
            black: running(&black),
            white: running(&white),
        };
        let seats = ByColor {
            black: black.seat,
            white: white.seat,
        };
        let mut game = Self {
            host: HostedGame::new(options, seats),
            make: ByColor {
                black: black.program,
                white: white.program,
            },
            programs,
            seed,
            now: Timestamp::ORIGIN,
            verdict: None,
            faults: Vec::new(),
            sent: ByColor::default(),
        };
        for program in game.programs.iter_mut().flatten() {
            program.start(game.now);
        }
        game.host.start(game.now);
        for _ in 0..10_000 {
            while let Some(action) = game.host.poll() {
                game.act(action);
            }
            if game.verdict.is_some() {
                return game;
            }
            if !(game.run(Color::Black) || game.run(Color::White)) {
                game.wait();
            }
        }
        panic!("the game does not end");
    }

    fn act(&mut self, action: HostAction<Move>) {
        match action {
            HostAction::Launch(seat) => {
                let mut program = (self.make[seat])();
                program.start(self.now);
                self.programs[seat] = Some(program);
            }
            HostAction::Send { seat, bytes } => {
                write!(self.sent[seat], "{}", str::from_utf8(&bytes).unwrap()).unwrap();
                let program = self.programs[seat].as_mut();
                program.expect("a program").receive(&bytes, self.now);
            }
            HostAction::HangUp(seat) => {
                if let Some(program) = &mut self.programs[seat] {
                    program.end_of_input(self.now);
                }
            }
            HostAction::Note(note) => self.note(note),
            HostAction::Keep(_) => self.host.kept(self.now),
            HostAction::Finish(verdict) => self.verdict = Some(verdict),
            HostAction::Event(_) => {}
        }
    }

    /// Carries out a program's actions; returns `false` if there are none.
    fn run(&mut self, seat: Color) -> bool {
        let mut happened = false;
        while let Some(action) = self.programs[seat]
            .as_mut()
            .and_then(|program| program.poll())
        {
            happened = true;
            match action {
                Action::Send(bytes) => self.host.receive(seat, &bytes, self.now),
                Action::Think(task) => {
                    let square = pick(task.question.board, self.seed).expect("a move to choose");
                    let decision = Decision {
                        task: task.id,
                        answer: square.into(),
                    };
                    let program = self.programs[seat].as_mut();
                    program.expect("a program").decide(decision, self.now);
                }
                Action::Finish(ending) => {
                    assert_eq!(ending, Ending::Orderly);
                    self.programs[seat] = None;
                    self.host.end_of_input(seat, self.now);
                    self.host.exited(seat, true, self.now);
                }
                Action::Note(note) => self.note(note),
                Action::Abandon | Action::Hurry => panic!("out of time"),
            }
        }
        happened
    }

    fn wait(&mut self) {
        let programs = self.programs.iter().flatten();
        let deadlines = programs.filter_map(|program| program.deadline());
        let now = deadlines.chain(self.host.deadline()).min();
        self.now = now.expect("somebody waits for time to pass").max(self.now);
        self.host.tick(self.now);
        for program in self.programs.iter_mut().flatten() {
            program.tick(self.now);
        }
    }

    fn note(&mut self, note: Note) {
        if note.kind == NoteKind::Fault {
            self.faults.push(note);
        }
    }
}

/// The other side of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Opponent {
    OurPlayer,
    Mover(Conventions),
}

fn opponent() -> impl Strategy<Value = Opponent> {
    let mover = |(asks_forced_moves, closing_moves)| {
        Opponent::Mover(Conventions {
            asks_forced_moves,
            closing_moves,
        })
    };
    prop_oneof![
        Just(Opponent::OurPlayer),
        any::<(bool, bool)>().prop_map(mover)
    ]
}

/// Plays a game of our player of `color`, and perhaps another one, and checks that it comes to its end without a fault;
/// returns what our player was sent.
pub(crate) fn check(
    color: Color,
    opponent: Opponent,
    start: &str,
    seed: u64,
    side: impl Fn(Color, Board) -> Side,
) -> String {
    check_with(
        color,
        opponent,
        start,
        seed,
        per_move(Duration::from_secs(2)),
        side,
    )
}

fn check_with(
    color: Color,
    opponent: Opponent,
    start: &str,
    seed: u64,
    time: TimeControl,
    side: impl Fn(Color, Board) -> Side,
) -> String {
    let board: Board = start.parse().unwrap();
    let sides = ByColor::new_with(|of| match opponent {
        Opponent::Mover(conventions) if of != color => Side {
            seat: Seat(Box::new(Mover {
                conventions,
                seed,
                board,
                events: VecDeque::new(),
            })),
            program: Box::new(|| panic!("a mover is no program")),
            runs: false,
        },
        _ => side(of, board),
    });
    let options = HostedGameOptions {
        relays_comments: true,
        keeps: true,
        ..HostedGameOptions::new(board, time)
    };
    let game = Game::play(options, sides, seed);
    let verdict = game.verdict.expect("a verdict");
    assert_eq!(verdict.cause, Cause::Played, "{:?}", game.host.moves());
    assert_eq!(verdict.winner, game.host.position().leader());
    assert!(game.host.position().is_over());
    assert_eq!(game.faults, []);
    game.sent[color].clone()
}

fn colors() -> impl Strategy<Value = Color> {
    prop::sample::select(Color::ALL.to_vec())
}

fn sloan_player() -> impl Strategy<Value = sloan::PlayerOptions> {
    use sloan::{Comments, OPENING_WAIT};
    let comments = prop::sample::select(vec![Comments::None, Comments::Eval, Comments::Board]);
    let waits = [OPENING_WAIT, Duration::from_millis(100), Duration::ZERO];
    let opening_wait = prop::sample::select(waits.map(Some).to_vec());
    (comments, opening_wait).prop_map(|(comments, opening_wait)| sloan::PlayerOptions {
        comments,
        opening_wait,
        ..sloan::PlayerOptions::default()
    })
}

fn referee() -> impl Strategy<Value = sloan::RefereeOptions> {
    use sloan::{Dialect, OpeningPass};
    let dialect = prop::sample::select(vec![Dialect::Expressions, Dialect::Lines]);
    let passes = [OpeningPass::Auto, OpeningPass::Always, OpeningPass::Never];
    let opening_pass = prop::sample::select(passes.to_vec());
    (dialect, opening_pass, any::<bool>()).prop_map(|(dialect, opening_pass, send_play)| {
        sloan::RefereeOptions {
            dialect,
            opening_pass,
            send_play,
            ..sloan::RefereeOptions::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn sloan(
        color in colors(), opponent in opponent(), start in 0..STARTS.len(), seed: u64,
        referee in referee(), player in sloan_player(),
    ) {
        // The opening pass and a forced pass cannot be told apart.
        prop_assume!(start != 1);
        let time = crate::hosts::main_time(Some(sloan::GAME_TIME));
        check_with(color, opponent, STARTS[start], seed, time, |_, start| {
            let player = sloan::PlayerOptions { start, ..player.clone() };
            Side::new(sloan::RefereeSeat::new(referee.clone()), move || sloan::Player::new(player.clone()))
        });
    }

    #[test]
    fn codewarriors(color in colors(), opponent in opponent(), start in 0..STARTS.len(), seed: u64) {
        check(color, opponent, STARTS[start], seed, |_, start| {
            let options = codewarriors::PlayerOptions { start, ..codewarriors::PlayerOptions::default() };
            let player = move || codewarriors::Player::new(options);
            Side::new(codewarriors::JudgeSeat::new(Duration::ZERO), player)
        });
    }

    #[test]
    fn gui(color in colors(), opponent in opponent(), start in 0..STARTS.len(), seed: u64) {
        use gui::{Form, Mode, Version};
        for (form, modes) in [
            (Form::Released, &[Mode::Released, Mode::Auto][..]),
            (Form::Document(Version::V1), &[Mode::Document, Mode::Auto]),
            (Form::Document(Version::V2), &[Mode::Document, Mode::Auto]),
            (Form::Stay(Version::V1), &[Mode::Stay]),
            (Form::Stay(Version::V2), &[Mode::Stay]),
        ] {
            for &mode in modes {
                check(color, opponent, STARTS[start], seed, |_, _| {
                    let seat = gui::HostSeat::new(gui::HostSeatOptions { form, ..gui::HostSeatOptions::default() });
                    let options = gui::PlayerOptions { mode, ..gui::PlayerOptions::default() };
                    Side::new(seat, move || gui::Player::new(options)).launched()
                });
            }
        }
    }

    #[test]
    fn gtp(color in colors(), opponent in opponent(), start in 0..STARTS.len(), seed: u64) {
        let sent = check(color, opponent, STARTS[start], seed, |_, _| {
            let seat = gtp::GtpSeat::new(gtp::GtpSeatOptions::default());
            Side::new(seat, || gtp::Player::new(gtp::PlayerOptions::default()))
        });
        prop_assert_eq!(sent.matches("final_score").count(), 1);
    }

    #[test]
    fn nboard(color in colors(), opponent in opponent(), start in 0..STARTS.len(), seed: u64) {
        check(color, opponent, STARTS[start], seed, |_, _| {
            let seat = nboard::NBoardSeat::new(nboard::NBoardSeatOptions::default());
            Side::new(seat, || nboard::Player::new(nboard::PlayerOptions::default()))
        });
    }

    #[test]
    fn lth(color in colors(), opponent in opponent(), seed: u64) {
        let limit = lth::TimeLimit { length: Duration::from_secs(30), scope: lth::LimitScope::Game };
        check_with(color, opponent, STARTS[0], seed, limit.into(), |color, _| {
            let options = lth::ReceptionOptions { port: lth::Port::Competition(color), ..lth::ReceptionOptions::default() };
            let seat = lth::ServerSeat::new(guest(options), lth::ServerSeatOptions::default());
            Side::new(seat, move || {
                let mut client = lth::Player::new(lth::PlayerOptions::new("me".parse().unwrap()));
                let told = match color {
                    Color::Black => "you are dark\n",
                    Color::White => "you are white\n",
                };
                client.receive(told.as_bytes(), Timestamp::ORIGIN);
                client
            })
        });
    }

}
