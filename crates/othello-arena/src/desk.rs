//! What the driver of a game keeps of one seat.

use std::{
    future,
    time::{Duration, Instant},
};

use boardgame_io::{
    CommandLine, Fault, Incoming, Link, Program, ProgramOptions, ProgramReport, SendBufferFull,
};
use othello_net::{Answer, ThinkingThread};
use othello_proto::session::Task;
use tokio::task::JoinSet;

use crate::{
    report::SeatReport,
    resident::{Maker, Resident},
    seat::{House, Kind, Seat},
};

/// The faults of a seat that are kept.
const MAX_FAULTS: usize = 64;

/// How much of the standard error of all programs of a seat is kept, in bytes.
const STDERR_KEPT: usize = 16 * 1024;

/// What a seat is connected to now.
#[derive(Debug)]
enum Peer {
    Nobody,
    Program(Program),
    Player(Resident),
    Link(Link),
}

/// What is started when the session launches a program.
#[derive(Debug)]
enum Launcher {
    Program(CommandLine, ProgramOptions),
    Player(Maker),
}

/// What comes from a desk.
pub(crate) enum FromSeat {
    /// Something came from the peer.
    Incoming(Incoming),
    /// The house player answers.
    Answer(Answer),
}

/// What came of a launch.
pub(crate) enum Launched {
    /// There is nothing to start here.
    Nothing,
    /// A program, or a player of this process.
    Peer {
        /// The system's number of the program's process.
        process: Option<u32>,
    },
    /// It could not be started.
    Failed,
}

impl Peer {
    const fn process(&self) -> Option<u32> {
        match self {
            Self::Program(program) => program.id(),
            Self::Nobody | Self::Player(_) | Self::Link(_) => None,
        }
    }

    async fn next(&mut self) -> Incoming {
        let incoming = match self {
            Self::Nobody => None,
            Self::Program(program) => program.next().await,
            Self::Player(player) => player.next().await,
            Self::Link(link) => link.next().await,
        };
        match incoming {
            Some(incoming) => incoming,
            None => future::pending().await,
        }
    }
}

async fn answer(house: &mut Option<ThinkingThread>) -> Answer {
    match house {
        Some(house) => house.answer().await,
        None => future::pending().await,
    }
}

/// One seat of a game in progress.
#[derive(Debug)]
pub(crate) struct Desk {
    peer: Peer,
    launcher: Option<Launcher>,
    house: Option<ThinkingThread>,
    /// Whether the session knows the end of what the peer sends.
    ended: bool,
    /// Whether the session knows the end of the program.
    exited: bool,
    /// Programs whose end is awaited.
    retired: JoinSet<ProgramReport>,
    /// Bytes since the last move.
    turn_bytes: u64,
    pub(crate) report: SeatReport,
}

impl Desk {
    pub(crate) fn new(seat: Seat) -> Self {
        let mut desk = Self {
            peer: Peer::Nobody,
            launcher: None,
            house: None,
            ended: false,
            exited: false,
            retired: JoinSet::new(),
            turn_bytes: 0,
            report: SeatReport {
                name: seat.name,
                ..SeatReport::default()
            },
        };
        match seat.kind {
            Kind::Program(line, options) => {
                desk.launcher = Some(Launcher::Program(line, options));
            }
            Kind::Player(maker) => desk.launcher = Some(Launcher::Player(maker)),
            Kind::Link(link) => desk.peer = Peer::Link(link),
            Kind::House(House(start)) => match start() {
                Ok(thread) => desk.house = Some(thread),
                Err(error) => {
                    let reason = error.to_string();
                    desk.fault(Fault::PlayerFailed { reason });
                }
            },
        }
        desk
    }

    /// Whether nothing can come from here.
    pub(crate) fn is_silent(&self) -> bool {
        let peer = match self.peer {
            Peer::Nobody => true,
            Peer::Program(_) | Peer::Player(_) => false,
            Peer::Link(_) => self.ended,
        };
        let thinking = self.house.as_ref().and_then(ThinkingThread::open_task);
        peer && thinking.is_none()
    }

    /// Starts the seat's program, in place of the one before.
    pub(crate) fn launch(&mut self) -> Launched {
        if self.launcher.is_some() {
            self.retire();
            self.turn_bytes = 0;
            (self.ended, self.exited) = (false, false);
        }
        let started = match &mut self.launcher {
            None => return Launched::Nothing,
            Some(Launcher::Program(line, options)) => Program::launch(line, options)
                .map(Peer::Program)
                .map_err(|error| Fault::NotStarted {
                    program: error.program().to_owned(),
                    reason: error.io().to_string(),
                }),
            Some(Launcher::Player(Maker(make))) => {
                make().map(Peer::Player).ok_or_else(|| Fault::PlayerFailed {
                    reason: "it can be started only once".into(),
                })
            }
        };
        match started {
            Ok(peer) => {
                self.report.launches += 1;
                let process = peer.process();
                self.peer = peer;
                Launched::Peer { process }
            }
            Err(fault) => {
                self.fault(fault);
                Launched::Failed
            }
        }
    }

    /// Sets the house player to a task; false if none sits here.
    pub(crate) fn think(&mut self, task: Task, started: Instant) -> bool {
        let Some(house) = &mut self.house else {
            return false;
        };
        house.think(task, started);
        true
    }

    /// The next thing that comes from the seat; for ever, if nothing can. Cancel-safe.
    pub(crate) async fn next(&mut self) -> FromSeat {
        tokio::select! {
            biased;
            incoming = self.peer.next() => FromSeat::Incoming(incoming),
            answer = answer(&mut self.house) => FromSeat::Answer(answer),
        }
    }

    /// Takes note of what came.
    ///
    /// # Errors
    ///
    /// When it is more than may come between two moves, or in a game.
    pub(crate) fn account(
        &mut self,
        incoming: &Incoming,
        turn: u64,
        game: u64,
    ) -> Result<(), Fault> {
        match incoming {
            Incoming::Bytes { bytes, .. } => {
                self.turn_bytes += bytes.len() as u64;
                self.report.bytes += bytes.len() as u64;
            }
            Incoming::End => self.ended = true,
            Incoming::Exited { .. } => {
                self.exited = true;
                self.retire();
            }
        }
        let (within_turn, within_game) = (self.turn_bytes, self.report.bytes);
        if within_turn > turn {
            return Err(Fault::Flooded { bytes: within_turn });
        }
        if within_game > game {
            return Err(Fault::FloodedGame { bytes: within_game });
        }
        Ok(())
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), SendBufferFull> {
        match &mut self.peer {
            Peer::Nobody => Ok(()),
            Peer::Program(program) => program.send(bytes),
            Peer::Player(player) => player.send(bytes),
            Peer::Link(link) => link.send(bytes),
        }
    }

    pub(crate) fn hang_up(&mut self) {
        match &mut self.peer {
            Peer::Nobody => {}
            Peer::Program(program) => program.hang_up(),
            Peer::Player(player) => player.hang_up(),
            Peer::Link(link) => link.hang_up(),
        }
    }

    /// Tells a peer over a stream that the game is called off.
    pub(crate) fn part(&mut self, farewell: &[u8]) {
        if let Peer::Link(link) = &mut self.peer {
            // It is a courtesy: who does not read does without.
            let _ = link.send(farewell);
        }
    }

    /// Ends a seat at fault at once, and says what the session has to be told: the end of its
    /// output, and of its program.
    pub(crate) fn cut(&mut self) -> (bool, bool) {
        if let Peer::Program(program) = &mut self.peer {
            program.kill();
        }
        self.retire();
        let end = !std::mem::replace(&mut self.ended, true);
        let exit = self.launcher.is_some() && !std::mem::replace(&mut self.exited, true);
        (end, exit)
    }

    /// A move of either side was accepted.
    pub(crate) fn begin_turn(&mut self) {
        self.turn_bytes = 0;
    }

    /// The game begins again: the moves accepted so far do not count.
    pub(crate) fn begin_again(&mut self) {
        self.begin_turn();
        self.report.moves = 0;
        self.report.used = Duration::ZERO;
        self.report.longest = Duration::ZERO;
    }

    /// A move of this seat was accepted.
    pub(crate) fn moved(&mut self, took: Duration) {
        self.report.moves += 1;
        self.report.used += took;
        self.report.longest = self.report.longest.max(took);
    }

    pub(crate) fn fault(&mut self, fault: Fault) {
        if self.report.faults.len() < MAX_FAULTS {
            self.report.faults.push(fault);
        }
    }

    /// Ends whatever is connected, which takes at most the grace periods, and reports.
    pub(crate) async fn end(mut self, grace: Duration) -> SeatReport {
        if let Some(link) = self.retire() {
            link.close(grace).await;
        }
        while let Some(report) = self.retired.join_next().await {
            self.take_report(report.unwrap_or_default());
        }
        self.report
    }

    /// Leaves what is connected to its end, and takes the reports of those that have ended. A
    /// link is handed back.
    fn retire(&mut self) -> Option<Link> {
        let mut link = None;
        match std::mem::replace(&mut self.peer, Peer::Nobody) {
            Peer::Nobody => {}
            Peer::Program(program) => {
                self.retired.spawn(program.end());
            }
            Peer::Player(player) => {
                self.retired.spawn(player.end());
            }
            Peer::Link(peer) => link = Some(peer),
        }
        while let Some(report) = self.retired.try_join_next() {
            self.take_report(report.unwrap_or_default());
        }
        link
    }

    fn take_report(&mut self, program: ProgramReport) {
        for fault in program.faults {
            self.fault(fault);
        }
        self.report.status = program.status.or(self.report.status);
        let stderr = &mut self.report.stderr;
        stderr.push_str(&program.stderr);
        let mut excess = stderr.len().saturating_sub(STDERR_KEPT);
        while !stderr.is_char_boundary(excess) {
            excess += 1;
        }
        stderr.drain(..excess);
    }
}
