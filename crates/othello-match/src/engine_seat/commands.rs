//! The seat of a program that is told commands one after the other, as GTP and NBoard have them.

use std::{
    collections::VecDeque,
    future,
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, ClockState};
use boardgame_io::{CommandLine, Fault as ProgramFault};
use boardgame_match::{BoxFuture, FromSeat, Seat, SeatReport, fault::Fault, limit::Limit};
use boardgame_session::{Conventions, Order, Said, SeatEvent, SeatFault, Thought};
use othello_core::{Board, Color, Game, Move};
use tokio::time::timeout;

use super::Patience;
use crate::{
    contender::{Choice, Contender, Failure},
    protocol::Protocol,
};

/// The seat of a program that is kept for many games.
pub(super) struct CommandSeat {
    program: CommandProgram,
    patience: Patience,
    contender: Option<Contender>,
    /// What the program is doing, if it is doing anything.
    work: Option<BoxFuture<'static, (Option<Contender>, Done)>>,
    events: VecDeque<FromSeat<Move>>,
    game: Game,
    color: Color,
    report: SeatReport,
}

/// A program that is not started yet.
#[derive(Clone, Debug)]
pub(super) struct CommandProgram {
    pub(super) protocol: Protocol,
    pub(super) line: CommandLine,
    pub(super) setup: Vec<String>,
    pub(super) limit: Limit,
}

/// What a program has done.
enum Done {
    Begun,
    Chosen(Choice, Duration),
    Concluded,
    Failed(Fault),
}

impl CommandSeat {
    /// Returns the seat of a program that is not started yet.
    pub(super) fn new(program: CommandProgram, patience: Patience) -> Self {
        Self {
            report: SeatReport {
                name: program.line.to_string(),
                ..SeatReport::default()
            },
            program,
            patience,
            contender: None,
            work: None,
            events: VecDeque::new(),
            game: Game::default(),
            color: Color::Black,
        }
    }

    fn begin(&mut self) {
        self.work = None;
        let (program, game, color) = (self.program.clone(), self.game.clone(), self.color);
        let contender = self.contender.take();
        let begin = async move {
            let mut contender = if let Some(contender) = contender {
                contender
            } else {
                let CommandProgram {
                    protocol,
                    line,
                    setup,
                    limit,
                } = &program;
                Contender::open(*protocol, line, *limit, setup).await?
            };
            contender.begin(&game, color).await?;
            Ok((contender, Done::Begun))
        };
        self.work = Some(in_time(self.patience.start, begin));
    }

    fn choose(&mut self, clocks: &ByColor<ClockState>) {
        let Some(mut contender) = self.contender.take() else {
            return;
        };
        let game = self.game.clone();
        let clock = clocks[self.color];
        let choose = async move {
            let asked = Instant::now();
            let choice = contender.choose(&game, &clock).await?;
            Ok((contender, Done::Chosen(choice, asked.elapsed())))
        };
        self.work = Some(in_time(self.patience.for_a_move(clock.allowed()), choose));
    }

    fn conclude(&mut self) {
        let Some(mut contender) = self.contender.take() else {
            return self.tell(SeatEvent::Completed);
        };
        let game = self.game.clone();
        let conclude = async move {
            contender.conclude(&game).await?;
            Ok((contender, Done::Concluded))
        };
        self.work = Some(in_time(self.patience.ending, conclude));
    }

    fn tell(&mut self, event: SeatEvent<Move>) {
        self.events.push_back(FromSeat::Event(event));
    }

    fn done(&mut self, done: Done) {
        match done {
            Done::Begun => self.tell(SeatEvent::Ready),
            Done::Chosen(choice, took) => self.tell(SeatEvent::Move(
                choice.square.into(),
                Thought {
                    took,
                    cpu: choice.cpu,
                    score: choice.score,
                    depth: choice.depth,
                    nodes: choice.nodes,
                    ..Thought::default()
                },
            )),
            Done::Concluded => self.tell(SeatEvent::Completed),
            Done::Failed(fault) => self.failed(fault),
        }
    }

    fn failed(&mut self, fault: Fault) {
        let fault = match fault {
            Fault::Resigned => return self.tell(SeatEvent::Resign),
            Fault::NotStarted { reason } => {
                self.report.faults.push(ProgramFault::NotStarted {
                    program: self.program.line.to_string(),
                    reason,
                });
                SeatFault::Left
            }
            Fault::Crashed { detail } => {
                self.report
                    .faults
                    .push(ProgramFault::PlayerFailed { reason: detail });
                SeatFault::Left
            }
            Fault::Hung { .. } | Fault::Late { .. } => SeatFault::Overtime,
            Fault::IllegalMove { answer } => SeatFault::IllegalMove { detail: answer },
            Fault::FalseResult { claim, .. } => {
                if let Some(margin) = crate::contender::margin(&claim) {
                    self.tell(SeatEvent::Said(Said::FalseClaim(margin)));
                }
                return self.tell(SeatEvent::Completed);
            }
            Fault::Format { detail } => SeatFault::Format { detail },
            _ => return,
        };
        self.tell(SeatEvent::Fault(fault));
    }

    async fn next_event(&mut self) -> FromSeat<Move> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            let Some(work) = &mut self.work else {
                return future::pending().await;
            };
            let (contender, done) = work.await;
            self.work = None;
            self.contender = contender;
            self.done(done);
        }
    }
}

/// Waits no longer than `patience`.
fn in_time(
    patience: Duration,
    work: impl Future<Output = Result<(Contender, Done), Failure>> + Send + 'static,
) -> BoxFuture<'static, (Option<Contender>, Done)> {
    Box::pin(async move {
        match timeout(patience, work).await {
            Ok(Ok((contender, done))) => (Some(contender), done),
            Ok(Err(failure)) => (None, Done::Failed(failure.fault)),
            Err(_) => (None, Done::Failed(Fault::Hung { waited: patience })),
        }
    })
}

impl Seat<Board> for CommandSeat {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        }
    }

    fn order(&mut self, order: Order<Board>) {
        match order {
            Order::Begin {
                setup,
                moves,
                color,
                ..
            } => {
                self.game = Game::new(setup);
                for mv in moves {
                    let _ = self.game.play(mv);
                }
                self.color = color;
                self.begin();
            }
            Order::Choose { clocks } => self.choose(&clocks),
            Order::Played { mv, .. } => {
                let _ = self.game.play(mv);
            }
            Order::Said(_) => {}
            Order::Over { .. } => self.conclude(),
            Order::Conclude(_) => {
                self.work = None;
                self.tell(SeatEvent::Closed);
            }
            Order::CallOff => self.work = None,
        }
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<Move>> {
        Box::pin(self.next_event())
    }

    fn is_silent(&self) -> bool {
        self.events.is_empty() && self.work.is_none()
    }

    fn end(&mut self, _: Duration) -> BoxFuture<'_, SeatReport> {
        self.work = None;
        self.events.clear();
        let name = self.report.name.clone();
        let report = std::mem::replace(
            &mut self.report,
            SeatReport {
                name,
                ..SeatReport::default()
            },
        );
        Box::pin(future::ready(report))
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.work = None;
            if let Some(contender) = self.contender.take() {
                contender.close().await;
            }
        })
    }
}
