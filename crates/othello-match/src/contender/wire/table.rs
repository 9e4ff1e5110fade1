//! A game in progress: the host's session, the program, and the far end of the relay, on a task
//! of their own.

use std::{future::Future, process::ExitStatus, time::Duration};

use othello_arena::{
    CommandLine, Fault as SeatFault, GameOptions, GameReport, Launch, News, Outcome, Seat, game,
};
use othello_core::{Board, Color, Game, Score, Square};
use othello_proto::{
    codewarriors, gui,
    session::{HostEvent, HostSession},
    sloan,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use super::{
    WireOptions, lth,
    meter::Meter,
    relay::{Moves, Relay, relay},
    seated::Seated,
    stopped::Stopped,
};
use crate::protocol::{Allowance, WireFormat};

/// What a game of a program is like.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) format: WireFormat,
    pub(super) line: CommandLine,
    pub(super) allowance: Allowance,
    pub(super) options: WireOptions,
    /// The board that it begins on.
    pub(super) start: Board,
    /// The program's colour.
    pub(super) color: Color,
    /// Whether an opening pass is nothing to send it.
    pub(super) misreads_opening: bool,
}

impl Setup {
    /// When the side that moves first is sent the opening pass. Our own needs no grace.
    fn opening_pass(&self) -> sloan::OpeningPass {
        if self.start.side_to_move() != self.color {
            sloan::OpeningPass::Always
        } else if self.misreads_opening {
            sloan::OpeningPass::Never
        } else {
            sloan::OpeningPass::Auto
        }
    }

    /// What the host allows: enough that a late move is told from none at all.
    pub(super) fn patience(&self) -> Duration {
        self.allowance.length() + self.slack()
    }

    /// What the host allows beyond the program's time.
    pub(super) fn slack(&self) -> Duration {
        self.options.grace + self.options.patience
    }

    pub(super) fn program(&self) -> Seat {
        let line = self.line.clone();
        Seat::program(line.to_string(), line, self.options.program)
    }

    /// The program's seat and the other one, Black's first.
    pub(super) fn seats(&self, program: Seat, relay: Relay) -> [Seat; 2] {
        let other = Seat::house("the opponent", relay);
        match self.color {
            Color::Black => [program, other],
            Color::White => [other, program],
        }
    }
}

/// What happens in a game that concerns its contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The program is there, and ready as far as the format says so.
    Ready,
    /// The program made a move.
    Placed {
        square: Square,
        /// The time it took.
        took: Duration,
        /// The CPU time it cost.
        cpu: Option<Duration>,
    },
    /// The program claimed a result that is not the game's, from Black's point of view.
    FalseClaim(Score),
    /// The program misread how the game was opened, and the host begins it again.
    Restarted,
}

/// The result of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Ended {
    /// `None` when there was no game.
    pub(super) outcome: Option<Outcome>,
    /// What the program did that none should.
    pub(super) faults: Vec<SeatFault>,
    pub(super) status: Option<ExitStatus>,
    /// The end of what the program wrote to standard error.
    pub(super) stderr: String,
}

impl Ended {
    pub(super) fn of(report: &GameReport, program: Color) -> Self {
        let seat = report.seat(program);
        Self {
            outcome: Some(report.outcome.clone()),
            faults: seat.faults.clone(),
            status: seat.status,
            stderr: seat.stderr.clone(),
        }
    }
}

/// What comes from a game.
#[derive(Debug)]
pub(super) enum FromTable {
    Seen(Seen),
    /// The game has ended, and so has the program. Nothing follows.
    Ended(Ended),
}

/// A game in progress. Dropping it ends the program.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) moves: Moves,
    seen: mpsc::UnboundedReceiver<Seen>,
    call_off: Option<oneshot::Sender<()>>,
    task: JoinSet<Ended>,
}

impl Table {
    /// Begins a game.
    pub(super) fn open(setup: Setup) -> Self {
        let (moves, relay) = relay();
        let (sender, seen) = mpsc::unbounded_channel();
        let (call_off, called_off) = oneshot::channel::<()>();
        let called_off = async {
            if called_off.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let mut task = JoinSet::new();
        task.spawn(play(setup, relay, sender, called_off));
        Self {
            moves,
            seen,
            call_off: Some(call_off),
            task,
        }
    }

    /// Calls the game off: the program's input is closed, and it is ended soon after.
    pub(super) fn call_off(&mut self) {
        if let Some(call_off) = self.call_off.take() {
            // A game that is over needs no call.
            let _ = call_off.send(());
        }
    }

    /// The next thing that comes from the game. Cancel-safe.
    pub(super) async fn next(&mut self) -> FromTable {
        if let Some(seen) = self.seen.recv().await {
            return FromTable::Seen(seen);
        }
        let ended = match self.task.join_next().await {
            Some(Ok(ended)) => ended,
            Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            None => Ended::default(),
        };
        FromTable::Ended(ended)
    }
}

async fn play(
    setup: Setup,
    relay: Relay,
    seen: mpsc::UnboundedSender<Seen>,
    called_off: impl Future<Output = ()> + Send,
) -> Ended {
    let meter = Meter::default();
    let (start, color) = (setup.start, setup.color);
    match setup.format {
        WireFormat::Sloan(dialect) => {
            let referee = sloan::Referee::new(sloan::RefereeOptions {
                start,
                opening_pass: setup.opening_pass(),
                dialect,
                game_time: Some(setup.patience()),
                ready_time: setup.options.ready,
                grace: setup.options.ending,
                ..sloan::RefereeOptions::default()
            });
            let player = sloan::Player::new(sloan::PlayerOptions {
                start,
                opening_wait: None,
                comments: sloan::Comments::None,
                game_time: None,
                ..sloan::PlayerOptions::default()
            });
            let host = Stopped::new(Seated::at_start(referee, !color, player), meter.clone());
            run(host, &setup, relay, meter, seen, called_off).await
        }
        WireFormat::Codewarriors => {
            let limit = setup.patience();
            let grace = Duration::ZERO;
            let judge = codewarriors::Judge::new(codewarriors::JudgeOptions {
                start,
                limit,
                grace,
            });
            let player = codewarriors::Player::new(codewarriors::PlayerOptions {
                start,
                limit,
                ..codewarriors::PlayerOptions::default()
            });
            let host = Stopped::new(Seated::at_start(judge, !color, player), meter.clone());
            run(host, &setup, relay, meter, seen, called_off).await
        }
        WireFormat::Guibot(form) => {
            let host = gui::Host::new(gui::HostOptions {
                form,
                start,
                limit: setup.allowance.length(),
                startup: setup.options.ready,
                grace: setup.slack(),
                untimed: None,
            });
            let options = gui::PlayerOptions {
                mode: mode(form),
                ..gui::PlayerOptions::default()
            };
            let player = move || gui::Player::new(options);
            let host = Stopped::new(Seated::at_launch(host, !color, player), meter.clone());
            run(host, &setup, relay, meter, seen, called_off).await
        }
        WireFormat::Lth => lth::play(&setup, relay, meter, seen, called_off).await,
    }
}

const fn mode(form: gui::Form) -> gui::Mode {
    match form {
        gui::Form::Document(_) => gui::Mode::Document,
        gui::Form::Released => gui::Mode::Released,
        gui::Form::Stay(_) => gui::Mode::Stay,
    }
}

/// Plays a game of a format whose program is fed through pipes.
async fn run(
    host: impl HostSession,
    setup: &Setup,
    relay: Relay,
    meter: Meter,
    seen: mpsc::UnboundedSender<Seen>,
    called_off: impl Future<Output = ()>,
) -> Ended {
    let gui = matches!(setup.format, WireFormat::Guibot(_));
    let options = GameOptions {
        launch: if gui {
            Launch::OnRequest
        } else {
            Launch::AtStart
        },
        ..GameOptions::default()
    };
    let moves = setup.start.side_to_move() == setup.color && !setup.start.legal_moves().is_empty();
    let launched = setup.format.has_a_process_for_each_move() && !moves;
    let seats = setup.seats(setup.program(), relay);
    let watch = watch(setup.color, launched, meter, seen);
    let report = game::run(host, seats, watch, &options, called_off).await;
    Ended::of(&report, setup.color)
}

/// Tells what happens at the program's seat. It is ready once the game has begun and the program,
/// unless it is `launched` already or only once it is to move, runs.
pub(super) fn watch(
    program: Color,
    mut launched: bool,
    meter: Meter,
    seen: mpsc::UnboundedSender<Seen>,
) -> impl FnMut(&Game, News<'_>) + Send {
    let (mut began, mut told) = (false, false);
    move |_, news| {
        // The contender listens as long as it wants the game.
        let tell = |what| {
            let _ = seen.send(what);
        };
        match news {
            News::Launched { seat, process } if seat == program => {
                launched = true;
                meter.launched(process);
            }
            News::Event(HostEvent::Began) => began = true,
            News::Event(&HostEvent::Moved { seat, mv, took }) if seat == program => {
                if let Some(square) = mv.square() {
                    let cpu = meter.take();
                    tell(Seen::Placed { square, took, cpu });
                }
            }
            News::Event(&HostEvent::FalseClaim { seat, value }) if seat == program => {
                tell(Seen::FalseClaim(value));
            }
            News::Event(HostEvent::Restarted) => tell(Seen::Restarted),
            News::Note(note) => tracing::debug!(?note, "a game over a wire format"),
            _ => {}
        }
        if began && launched && !told {
            told = true;
            tell(Seen::Ready);
        }
    }
}
