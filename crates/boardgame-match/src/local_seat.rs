//! A seat for a player in this process.

use std::{
    collections::VecDeque,
    future, io,
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, ClockState, Color, Game, TimeMeasure};
use boardgame_io::{Fault, Interrupter, Job, JobPanicked};
use boardgame_session::{Conventions, Order, Received, SeatEvent, SeatFault, Thought};
use tokio::{sync::mpsc as channel, task::yield_now};

use crate::{
    seat::{BoxFuture, FromSeat, Seat, SeatReport},
    session_seat::reach,
};

/// A player in this process, such as a search or a person. It works on a thread of its own.
pub trait LocalPlayer<G: Game>: Send + 'static {
    /// Chooses a move. A move that is illegal loses the game.
    fn choose(&mut self, turn: &Turn<G>) -> Choice<G::Move>;

    /// Returns the interrupter of the next [`choose`](Self::choose), and of that one alone.
    ///
    /// It is requested before each `choose`, on the same thread, and may be called from then until `choose`
    /// has returned. If called before `choose` has started, that must return at once. The result of an
    /// interrupted choice is dropped. By default nothing interrupts a choice.
    fn interrupter(&self) -> Interrupter {
        Box::new(|| {})
    }
}

/// A request for a move of a player in this process.
#[derive(Clone, Debug)]
pub struct Turn<G: Game> {
    /// The setup agreed on before the first move.
    pub setup: G::Setup,
    /// All moves since then, including the opening.
    pub moves: Vec<G::Move>,
    /// The position after them.
    pub position: G,
    /// The player's colour, the side to move.
    pub color: Color,
    /// The clocks of both sides.
    pub clocks: ByColor<ClockState>,
    /// The time when the player's clock started.
    pub started: Instant,
}

/// The answer of a player in this process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice<M> {
    /// A move with its evaluation; the seat measures the time.
    Move(M, Thought),
    /// The player resigns the game.
    Resign,
}

/// The time that an interrupted choice has to return before the next game.
const MAX_INTERRUPTION: Duration = Duration::from_secs(10);

/// A seat for a [`LocalPlayer`], which plays any number of games.
///
/// A game starts once the last choice of the previous game has returned, so that it costs the player no
/// time. A player that panics loses the game. One that takes longer than its clock and the tolerance allow
/// is interrupted and loses.
#[derive(Debug)]
pub struct LocalSeat<G: Game> {
    game: Option<LocalGame<G>>,
    jobs: mpsc::Sender<Arc<Job<Turn<G>>>>,
    answers: channel::UnboundedReceiver<Answer<G>>,
    asked: Option<Asked<G>>,
    /// The number of choices that the thread has not finished; the last may be the one awaited.
    unfinished: usize,
    /// The deadline by which the thread must be free for the next game.
    free_by: Option<Instant>,
    /// The cost of a move not yet accepted.
    answered: Option<Thought>,
    events: VecDeque<FromSeat<G::Move>>,
    report: SeatReport,
}

/// The game as far as the seat knows it.
#[derive(Debug)]
struct LocalGame<G: Game> {
    setup: G::Setup,
    moves: Vec<G::Move>,
    position: G,
    color: Color,
    tolerance: Duration,
}

/// A choice in progress.
#[derive(Debug)]
struct Asked<G: Game> {
    job: Arc<Job<Turn<G>>>,
    started: Instant,
    limit: Option<Duration>,
    deadline: Option<Instant>,
}

/// An answer of the player's thread, with the time when it was made.
struct Answer<G: Game> {
    job: Arc<Job<Turn<G>>>,
    /// `None` if the job was called off before the player took it up.
    choice: Result<Option<Choice<G::Move>>, JobPanicked>,
    at: Instant,
}

impl<G: Game> LocalSeat<G> {
    /// Starts the thread of a player. It ends once the seat is dropped and the player returns.
    ///
    /// # Errors
    ///
    /// When the system cannot start a thread.
    pub fn new(name: impl Into<String>, mut player: impl LocalPlayer<G>) -> io::Result<Self> {
        let (jobs, inbox) = mpsc::channel::<Arc<Job<Turn<G>>>>();
        let (outbox, answers) = channel::unbounded_channel();
        thread::Builder::new()
            .name("player".into())
            .spawn(move || {
                for job in inbox {
                    let choice = job.run(&mut player, LocalPlayer::interrupter, |it| {
                        it.choose(&job.work)
                    });
                    let at = Instant::now();
                    // If the seat is gone, no further job comes either.
                    let _ = outbox.send(Answer { job, choice, at });
                }
            })?;
        let report = SeatReport {
            name: name.into(),
            ..SeatReport::default()
        };
        Ok(Self {
            game: None,
            jobs,
            answers,
            asked: None,
            unfinished: 0,
            free_by: None,
            answered: None,
            events: VecDeque::new(),
            report,
        })
    }

    fn begin(&mut self, mut game: LocalGame<G>) {
        self.interrupt();
        self.answered = None;
        if self.game.is_some() {
            self.report.begin_again();
        }
        let mut moves = game.moves.iter();
        let legal = moves.try_for_each(|&mv| game.position.play(mv));
        self.game = Some(game);
        if let Err(illegal) = legal {
            let detail = illegal.to_string();
            return self.tell(SeatEvent::Fault(SeatFault::CannotBegin { detail }));
        }
        self.free_by = Instant::now().checked_add(MAX_INTERRUPTION);
        self.ready_if_free();
    }

    /// Reports that the game can start once no choice is in progress.
    fn ready_if_free(&mut self) {
        while let Ok(answer) = self.answers.try_recv() {
            self.take(Some(answer));
        }
        if self.unfinished == 0 && self.free_by.take().is_some() {
            self.tell(SeatEvent::Ready);
        }
    }

    fn ask(&mut self, clocks: ByColor<ClockState>) {
        let Some(game) = &self.game else {
            return;
        };
        let started = Instant::now();
        let clock = clocks[game.color];
        let turn = Turn {
            setup: game.setup.clone(),
            moves: game.moves.clone(),
            position: game.position.clone(),
            color: game.color,
            clocks,
            started,
        };
        let allowed = clock.allowed();
        let limit = allowed.filter(|_| clock.control().measure == TimeMeasure::Wall);
        let until = limit.map(|limit| limit.saturating_add(game.tolerance));
        let job = Arc::new(Job::new(turn));
        // A dead thread is noticed when its answer is awaited.
        let _ = self.jobs.send(Arc::clone(&job));
        self.unfinished += 1;
        self.asked = Some(Asked {
            job,
            started,
            limit,
            deadline: until.and_then(|until| started.checked_add(until)),
        });
    }

    fn played(&mut self, color: Color, mv: G::Move) {
        let Some(game) = &mut self.game else {
            return;
        };
        // The conductor has judged it.
        let _ = game.position.play(mv);
        game.moves.push(mv);
        if color == game.color {
            let thought = self.answered.take().unwrap_or_default();
            self.report.moved(&thought);
        }
    }

    fn interrupt(&mut self) {
        self.free_by = None;
        if let Some(asked) = self.asked.take() {
            asked.job.call_off();
        }
    }

    fn tell(&mut self, event: SeatEvent<G::Move>) {
        self.events.push_back(FromSeat::Event(event));
    }

    fn fault(&mut self, reason: String) {
        (self.asked, self.free_by) = (None, None);
        self.report.fault(Fault::PlayerFailed { reason });
        self.tell(SeatEvent::Fault(SeatFault::Left));
    }

    async fn next_event(&mut self) -> FromSeat<G::Move> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            let deadline = match (&self.asked, self.free_by) {
                (Some(asked), _) => asked.deadline,
                (None, Some(by)) => Some(by),
                (None, None) => return future::pending().await,
            };
            tokio::select! {
                biased;
                answer = self.answers.recv() => self.take(answer),
                () = reach(deadline) => {
                    // This task may not have run for a while.
                    yield_now().await;
                    match self.answers.try_recv() {
                        Ok(answer) => self.take(Some(answer)),
                        Err(_) => self.overtime(),
                    }
                }
            }
        }
    }

    fn overtime(&mut self) {
        if self.free_by.is_some() {
            return self.fault("it does not end its choice of the game before".into());
        }
        let (used, limit) = self.asked.as_ref().map_or_else(Default::default, |asked| {
            (asked.started.elapsed(), asked.limit.unwrap_or_default())
        });
        self.interrupt();
        let fault = SeatFault::overtime(used, limit, Received::NoAnswer);
        self.tell(SeatEvent::Fault(fault));
    }

    fn take(&mut self, answer: Option<Answer<G>>) {
        let Some(answer) = answer else {
            return self.fault("the player's thread is gone".into());
        };
        self.unfinished -= 1;
        if self.free_by.is_some() {
            return self.ready_if_free();
        }
        let open = self.asked.as_ref();
        if !open.is_some_and(|asked| Arc::ptr_eq(&asked.job, &answer.job)) {
            return;
        }
        self.asked = None;
        match answer.choice {
            Ok(Some(Choice::Move(mv, thought))) => {
                let took = answer.at.saturating_duration_since(answer.job.work.started);
                let thought = Thought { took, ..thought };
                self.answered = Some(thought);
                self.tell(SeatEvent::Move(mv, thought));
            }
            Ok(Some(Choice::Resign)) => self.tell(SeatEvent::Resign),
            // It was called off, so nobody waits for the answer.
            Ok(None) => {}
            Err(JobPanicked(message)) => self.fault(message),
        }
    }
}

impl<G: Game> Seat<G> for LocalSeat<G> {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        }
    }

    fn order(&mut self, order: Order<G>) {
        match order {
            Order::Begin {
                setup,
                moves,
                color,
                tolerance,
                ..
            } => self.begin(LocalGame {
                position: G::new(&setup),
                setup,
                moves,
                color,
                tolerance,
            }),
            Order::Choose { clocks } => self.ask(clocks),
            Order::Played { color, mv } => self.played(color, mv),
            Order::Said(_) => {}
            Order::Over { .. } => self.tell(SeatEvent::Completed),
            Order::Conclude(_) => {
                self.interrupt();
                self.tell(SeatEvent::Closed);
            }
            Order::CallOff => self.interrupt(),
        }
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<G::Move>> {
        Box::pin(self.next_event())
    }

    fn is_silent(&self) -> bool {
        self.events.is_empty() && self.asked.is_none() && self.free_by.is_none()
    }

    fn end(&mut self, _: Duration) -> BoxFuture<'_, SeatReport> {
        self.interrupt();
        self.game = None;
        self.answered = None;
        self.events.clear();
        Box::pin(future::ready(self.report.take()))
    }
}

impl<G: Game> Drop for LocalSeat<G> {
    fn drop(&mut self) {
        self.interrupt();
    }
}
