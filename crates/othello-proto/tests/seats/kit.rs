//! Orders for a seat, what it does written as lines, and games against a random mover.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    ops::{Deref, DerefMut},
    time::Duration,
};

use boardgame_core::{ByColor, ClockState, TimeControl};
use boardgame_session::{
    Conductor, ConductorAction, ConductorOptions, Conventions, GameEvent, NoteKind, Order, Said,
    SeatAction, SeatEvent, SeatSession, Thought, Verdict,
};
use othello_core::{Board, Color, Move, Square};
use othello_proto::session::{Action, Decision, PlayerSession, Question, Timestamp};

pub(crate) const START: &str = "---------------------------OX------XO--------------------------- X";
/// Black takes the last disc of White with e4.
pub(crate) const WIPE_OUT: &str =
    "--------------------------XO------------------------------------ X";
/// Black takes the last empty square with h8.
pub(crate) const LAST_SQUARE: &str =
    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
/// Black must pass; White may take a1.
pub(crate) const MUST_PASS: &str =
    "-XOOOOOO-------------------------------------------------------- X";
pub(crate) const NOTHING: [&str; 0] = [];

/// Returns the moment `millis` milliseconds after the origin.
pub(crate) fn at(millis: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_millis(millis))
}

/// Returns the time control with a limit for each move.
pub(crate) fn per_move(millis: u64) -> TimeControl {
    TimeControl {
        per_move: Some(Duration::from_millis(millis)),
        ..TimeControl::default()
    }
}

/// Returns clocks that begin with a time control.
pub(crate) fn clocks(control: TimeControl) -> ByColor<ClockState> {
    ByColor::new_with(|_| ClockState::new(control))
}

/// A seat's session under orders; what it does comes back as lines.
pub(crate) struct Ordered<S> {
    session: S,
    color: Color,
    /// The clocks that orders show.
    pub(crate) clocks: ByColor<ClockState>,
}

impl<S> Deref for Ordered<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.session
    }
}

impl<S> DerefMut for Ordered<S> {
    fn deref_mut(&mut self) -> &mut S {
        &mut self.session
    }
}

impl<S: SeatSession<Board>> Ordered<S> {
    pub(crate) fn new(session: S, color: Color, control: TimeControl) -> Self {
        Self {
            session,
            color,
            clocks: clocks(control),
        }
    }

    /// A game begins on a board, after moves.
    pub(crate) fn begins(&mut self, start: &str, moves: &[Move], now: u64) -> Vec<String> {
        let order = Order::Begin {
            setup: start.parse().unwrap(),
            moves: moves.to_vec(),
            color: self.color,
            clocks: self.clocks,
            tolerance: Duration::ZERO,
        };
        self.hears(order, now)
    }

    /// The seat is asked.
    pub(crate) fn chooses(&mut self, now: u64) -> Vec<String> {
        let clocks = self.clocks;
        self.hears(Order::Choose { clocks }, now)
    }

    /// The other side plays, and the seat is asked.
    pub(crate) fn answers(&mut self, mv: impl Into<Move>, now: u64) -> Vec<String> {
        let mut lines = self.played(!self.color, mv, now);
        lines.extend(self.chooses(now));
        lines
    }

    /// A move was played.
    pub(crate) fn played(&mut self, color: Color, mv: impl Into<Move>, now: u64) -> Vec<String> {
        let mv = mv.into();
        self.hears(Order::Played { color, mv }, now)
    }

    /// The game is over.
    pub(crate) fn over(&mut self, other_closes: bool, now: u64) -> Vec<String> {
        let margin = None;
        self.hears(
            Order::Over {
                margin,
                other_closes,
            },
            now,
        )
    }

    /// The game is decided.
    pub(crate) fn concludes(&mut self, now: u64) -> Vec<String> {
        let verdict = Verdict::resigned(Color::Black);
        self.hears(Order::Conclude(verdict), now)
    }

    pub(crate) fn hears(&mut self, order: Order<Board>, now: u64) -> Vec<String> {
        self.session.order(order, at(now));
        self.drain()
    }

    /// The program prints.
    pub(crate) fn prints(&mut self, text: &str, now: u64) -> Vec<String> {
        self.session.receive(text.as_bytes(), at(now));
        self.drain()
    }

    /// The program's output ends, then the program.
    pub(crate) fn exits(&mut self, success: bool, now: u64) -> Vec<String> {
        self.session.end_of_input(at(now));
        self.session.exited(success, at(now));
        self.drain()
    }

    /// Time passes up to the last moment before the deadline, in which nothing may happen, and then
    /// to the deadline.
    pub(crate) fn waits_for_deadline(&mut self) -> Vec<String> {
        let deadline = self.session.deadline().expect("a deadline");
        let before = deadline - Timestamp::from_origin(Duration::from_nanos(1));
        self.session.tick(Timestamp::from_origin(before));
        assert_eq!(self.drain(), NOTHING, "before the deadline");
        self.session.tick(deadline);
        self.drain()
    }

    pub(crate) fn drain(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.session.poll())
            .map(line)
            .collect()
    }
}

fn line(action: SeatAction<Move>) -> String {
    match action {
        SeatAction::Launch => "launch".into(),
        SeatAction::Send(bytes) => format!("send {}", bytes.trim_ascii_end().escape_ascii()),
        SeatAction::HangUp => "hang up".into(),
        SeatAction::Event(SeatEvent::Move(mv, thought)) => format!("{mv} in {:?}", thought.took),
        SeatAction::Event(SeatEvent::Fault(fault)) => {
            Verdict::forfeit(Color::Black, fault).cause.to_string()
        }
        SeatAction::Event(event) => format!("{event:?}"),
        SeatAction::Note(note) => note.text,
    }
}

/// A game of a program of ours behind a seat's session, against a mover that speaks no format.
pub(crate) struct OneSeatGame<S, P, F> {
    pub(crate) seat: S,
    pub(crate) color: Color,
    /// Makes the seat's program, when the session launches one.
    pub(crate) make: F,
    /// The program, if it runs from the beginning.
    pub(crate) program: Option<P>,
    pub(crate) start: Board,
    pub(crate) control: TimeControl,
    /// The conventions of the mover.
    pub(crate) mover: Conventions,
    pub(crate) seed: u64,
}

/// The result of a game.
pub(crate) struct Played {
    pub(crate) verdict: Verdict,
    pub(crate) moves: Vec<Move>,
    pub(crate) notes: Vec<String>,
    /// The bytes that the seat's program was sent.
    pub(crate) sent: String,
}

impl<S: SeatSession<Board>, P: PlayerSession<Question = Question>, F: FnMut() -> P>
    OneSeatGame<S, P, F>
{
    /// Plays the game to its end. Decisions take no time.
    pub(crate) fn play(mut self) -> Played {
        let conventions = match self.color {
            Color::Black => [self.seat.conventions(), self.mover],
            Color::White => [self.mover, self.seat.conventions()],
        };
        let mut conductor = Conductor::new(ConductorOptions {
            setup: self.start,
            opening: Vec::new(),
            clocks: clocks(self.control),
            tolerance: Duration::ZERO,
            relays_comments: true,
            conventions: conventions.into(),
        })
        .unwrap();
        let (mut moves, mut notes, mut sent) = (Vec::new(), Vec::new(), String::new());
        let mut mover: VecDeque<SeatEvent<Move>> = VecDeque::new();
        let mut now = at(0);
        if let Some(program) = &mut self.program {
            program.start(now);
        }
        for _ in 0..10_000 {
            if let Some(action) = conductor.poll() {
                match action {
                    ConductorAction::Order(color, order) if color == self.color => {
                        self.seat.order(order, now);
                    }
                    ConductorAction::Order(_, order) => {
                        mover.extend(self.mover_answers(&order, conductor.position()));
                    }
                    ConductorAction::Event(GameEvent::Moved(_, mv, _)) => moves.push(mv),
                    ConductorAction::Event(_) => {}
                    ConductorAction::Score => panic!("Othello is scored by its rules"),
                    ConductorAction::Keep(_) => conductor.kept(),
                    ConductorAction::Finish(verdict) => {
                        return Played {
                            verdict,
                            moves,
                            notes,
                            sent,
                        };
                    }
                }
            } else if let Some(event) = mover.pop_front() {
                conductor.event(!self.color, event);
            } else if let Some(action) = self.seat.poll() {
                match action {
                    SeatAction::Event(event) => conductor.event(self.color, event),
                    SeatAction::Note(note) => notes.push(note.text),
                    action => self.act(action, &mut sent, now),
                }
            } else if !self.run_program(now) {
                now = self.wait().max(now);
            }
        }
        panic!("the game does not end");
    }

    /// Lets time pass until somebody waits no longer; returns the moment.
    fn wait(&mut self) -> Timestamp {
        let program = self.program.as_ref().and_then(P::deadline);
        let deadlines = self.seat.deadline().into_iter().chain(program);
        let now = deadlines.min().expect("somebody waits for time to pass");
        self.seat.tick(now);
        if let Some(program) = &mut self.program {
            program.tick(now);
        }
        now
    }

    fn act(&mut self, action: SeatAction<Move>, sent: &mut String, now: Timestamp) {
        match action {
            SeatAction::Launch => self.program.insert((self.make)()).start(now),
            SeatAction::Send(bytes) => {
                write!(sent, "{}", str::from_utf8(&bytes).unwrap()).unwrap();
                let program = self.program.as_mut().expect("a program");
                program.receive(&bytes, now);
            }
            _ => {
                if let Some(program) = &mut self.program {
                    program.end_of_input(now);
                }
            }
        }
    }

    /// Does the next thing that the program asks; false if there is none.
    fn run_program(&mut self, now: Timestamp) -> bool {
        let Some(action) = self.program.as_mut().and_then(P::poll) else {
            return false;
        };
        match action {
            Action::Send(bytes) => self.seat.receive(&bytes, now),
            Action::Think(task) => {
                let square = pick(task.question.board, self.seed).expect("a move to choose");
                let decision = Decision {
                    task: task.id,
                    answer: square.into(),
                };
                self.program.as_mut().unwrap().decide(decision, now);
            }
            Action::Finish(_) => {
                self.program = None;
                self.seat.end_of_input(now);
                self.seat.exited(true, now);
            }
            Action::Note(note) if note.kind == NoteKind::Info => {}
            action => panic!("{action:?} in a clean game"),
        }
        true
    }

    fn mover_answers(&self, order: &Order<Board>, board: &Board) -> Vec<SeatEvent<Move>> {
        match order {
            Order::Begin { .. } => vec![SeatEvent::Ready],
            Order::Choose { .. } => {
                let mv = pick(*board, self.seed).map_or(Move::Pass, Move::Place);
                vec![SeatEvent::Move(mv, Thought::default())]
            }
            Order::Over { .. } => vec![SeatEvent::Completed],
            Order::Conclude(_) => vec![SeatEvent::Closed],
            Order::Said(Said::ClosingMove(mv)) => {
                assert_eq!(*mv, Move::Pass);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the move that a fixed rule picks, so that games are the same at every run.
fn pick(board: Board, seed: u64) -> Option<Square> {
    let moves: Vec<Square> = board.legal_moves().iter().collect();
    let ply = u64::from(board.empties().count());
    let mixed = (seed ^ ply).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    moves.get(mixed as usize % moves.len().max(1)).copied()
}
