//! A game in progress, in which a program is told what is played elsewhere.

use std::{fmt, future, mem, time::Duration};

use boardgame_core::{ByColor, ClockState, Margin, Status};
use boardgame_match::{FromSeat, Outcome, SeatReport};
use boardgame_session::{Conventions, Order, Said, SeatEvent, SeatFault, Thought, Verdict};
use othello_core::{Board, Color, Game, Move};

use super::setup::{ProgramSeat, Setup};
use boardgame_match::limit::after_move;

/// A game in progress. Dropping it ends the program.
pub(super) struct Play {
    program: ProgramSeat,
    color: Color,
    conventions: Conventions,
    board: Board,
    /// The number of the game's moves that the seat knows.
    told: usize,
    /// The clocks that the seat is told: only the program's runs.
    clocks: ByColor<ClockState>,
    /// Whether the seat is ready.
    began: bool,
    /// Whether the program runs, or is started only once it is to move.
    launched: bool,
    /// Whether a move of the program is awaited.
    asked: bool,
    /// The verdict that the seat was told.
    verdict: Option<Verdict>,
    /// The first false claim of the program.
    pub(super) claim: Option<Margin>,
    /// The time that the program's moves took, without its passes.
    pub(super) used: Duration,
    /// The CPU time of passes since its last move.
    pass_cpu: Duration,
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Play")
            .field("color", &self.color)
            .field("board", &self.board)
            .field("verdict", &self.verdict)
            .finish_non_exhaustive()
    }
}

/// What happens in a game that concerns its contender.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Seen {
    /// The program is [ready](Play::is_ready).
    Ready,
    /// The program made a move. The CPU time is that of its passes before, too.
    Moved(Move, Thought),
    /// The program misread how the game was opened.
    Restart,
    /// Nothing follows.
    Over(Outcome),
}

impl Play {
    /// Begins a game that has come so far.
    pub(super) fn begin(mut program: ProgramSeat, setup: &Setup, game: &Game) -> Self {
        let clocks = ByColor::new_with(|_| ClockState::new(setup.time()));
        program.seat.order(Order::Begin {
            setup: game.start(),
            moves: game.moves().to_vec(),
            color: setup.color,
            clocks,
        });
        let moves = game.side_to_move() == setup.color && !game.board().must_pass();
        Self {
            conventions: program.seat.conventions(),
            launched: program.client.is_some()
                || (setup.format.has_a_process_for_each_move() && !moves),
            program,
            color: setup.color,
            board: game.board(),
            told: game.moves().len(),
            clocks,
            began: false,
            asked: false,
            verdict: None,
            claim: None,
            used: Duration::ZERO,
            pass_cpu: Duration::ZERO,
        }
    }

    /// Returns what comes next of the game. What has come from the program already is taken before it is
    /// told how the game goes on.
    pub(super) async fn next(&mut self, game: &Game) -> Seen {
        loop {
            let at_hand = tokio::select! {
                biased;
                from = self.program.next() => Some(from),
                () = future::ready(()) => None,
            };
            let from = if let Some(from) = at_hand {
                from
            } else {
                self.follow(game);
                if self.program.seat.is_silent() {
                    return Seen::Over(Outcome::Stalled);
                }
                self.program.next().await
            };
            if let Some(seen) = self.take(from) {
                return seen;
            }
        }
    }

    /// Returns whether the program is there, and was ready as far as the format says so.
    pub(super) const fn is_ready(&self) -> bool {
        self.began && self.launched
    }

    /// Gives the game up and waits until the program has ended.
    pub(super) async fn call_off(mut self) {
        self.program.seat.order(Order::CallOff);
        self.end().await;
    }

    /// Ends the program and reports.
    pub(super) async fn end(self) -> SeatReport {
        self.program.end().await
    }

    /// Tells the program the moves since it was told last, up to a pass that it is asked for, and asks it
    /// if it is to move.
    fn follow(&mut self, game: &Game) {
        if self.verdict.is_some() {
            return;
        }
        while let Some(&mv) = game.moves().get(self.told) {
            if self.board.side_to_move() == self.color && self.conventions.asks_forced_moves {
                break;
            }
            self.played(mv);
        }
        self.ask();
    }

    /// Asks the program for a move if it is to make one and was not asked yet.
    fn ask(&mut self) {
        let is_to_move = self.board.side_to_move() == self.color && !self.board.is_over();
        let makes_it = self.conventions.asks_forced_moves || !self.board.must_pass();
        if self.began && is_to_move && makes_it && !mem::replace(&mut self.asked, true) {
            let clocks = self.clocks;
            self.program.seat.order(Order::Choose { clocks });
        }
    }

    /// Tells the program a move of either side, and the end of the game if it is that.
    fn played(&mut self, mv: Move) {
        let color = self.board.side_to_move();
        // Whoever keeps the game has judged it.
        let _ = self.board.play(mv);
        self.told += 1;
        self.program.seat.order(Order::Played { color, mv });
        if self.board.is_over() {
            self.program.seat.order(Order::Over {
                margin: margin(&self.board),
                other_closes: false,
            });
        }
    }

    fn take(&mut self, from: FromSeat<Move>) -> Option<Seen> {
        match from {
            FromSeat::Event(event) => self.event(event),
            FromSeat::Note(note) => {
                tracing::debug!(?note, "a game over a wire format");
                None
            }
            FromSeat::Launched { .. } => {
                self.launched = true;
                self.is_ready().then_some(Seen::Ready)
            }
            FromSeat::NotStarted => Some(Seen::Over(Outcome::NotStarted { seat: self.color })),
        }
    }

    fn event(&mut self, event: SeatEvent<Move>) -> Option<Seen> {
        match event {
            SeatEvent::Said(Said::FalseClaim(margin)) => {
                self.claim.get_or_insert(margin);
            }
            SeatEvent::Said(_) => {}
            SeatEvent::Closed => {
                return self
                    .verdict
                    .clone()
                    .map(|verdict| Seen::Over(Outcome::Decided(verdict)));
            }
            _ if self.verdict.is_some() => {}
            SeatEvent::Ready => {
                self.began = true;
                self.ask();
                return self.is_ready().then_some(Seen::Ready);
            }
            SeatEvent::Move(mv, thought) => return self.answered(mv, thought),
            SeatEvent::Restart => return Some(Seen::Restart),
            SeatEvent::Resign => self.decide(Verdict::resigned(self.color)),
            SeatEvent::Completed => {
                let margin = margin(&self.board).unwrap_or_default();
                self.decide(Verdict::played(margin));
            }
            SeatEvent::Fault(fault) => self.decide(Verdict::forfeit(self.color, fault)),
        }
        None
    }

    fn answered(&mut self, mv: Move, mut thought: Thought) -> Option<Seen> {
        self.asked = false;
        if let Err(illegal) = self.board.clone().play(mv) {
            let detail = illegal.to_string();
            self.decide(Verdict::forfeit(
                self.color,
                SeatFault::IllegalMove { detail },
            ));
            return None;
        }
        // Its session has held it to its time.
        self.clocks[self.color] = after_move(self.clocks[self.color], thought.took);
        if mv == Move::Pass {
            self.pass_cpu += thought.cpu.unwrap_or_default();
        } else {
            let before = mem::take(&mut self.pass_cpu);
            thought.cpu = thought.cpu.map(|cpu| cpu + before);
            self.used += thought.took;
        }
        self.played(mv);
        Some(Seen::Moved(mv, thought))
    }

    fn decide(&mut self, verdict: Verdict) {
        self.program.seat.order(Order::Conclude(verdict.clone()));
        self.verdict = Some(verdict);
    }
}

/// Returns the result of a game that is over.
fn margin(board: &Board) -> Option<Margin> {
    match boardgame_core::Game::status(board) {
        Status::Scored(margin) => Some(margin),
        Status::Playing | Status::Unscored => None,
    }
}
