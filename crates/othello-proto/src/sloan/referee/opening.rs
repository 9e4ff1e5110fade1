//! How a game is opened: the opening pass, and the game without it where a program misread it.

use alloc::format;
use core::time::Duration;

use othello_core::{Board, Color, Game, Move, Score};

use super::{OpeningPass, Referee, Seat, Stage, pass};
use crate::{
    session::{HostAction, HostEvent, Note, Timestamp},
    sloan::{ClaimReading, Message},
};

/// How long a program has to get ready for a game that begins again before it is started anew: one
/// that was written for a game a process may never answer a second assignment of its colour.
pub const RELAUNCH_WAIT: Duration = Duration::from_secs(2);

/// What both sides are told of a game that begins again.
const VOID: &str = "the opening pass is void and the game begins again";

/// How a game stands to the opening pass of [`OpeningPass::Auto`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// It is sent at a moment, unless the first move comes before.
    Due { at: Timestamp },
    /// It was sent, and the first move has not come.
    Sent,
    /// The first move came after it was sent, so that the two may have crossed. The board is that
    /// of a program which took the pass for the answer to its move; all its moves fit it.
    Doubtful(Board),
    /// Nothing hangs on it: it is not sent, or is known to have been understood.
    Settled,
}

impl Opening {
    /// What a move of the side that moves first, which led to `board`, makes of it.
    fn after(self, mv: Move, board: Board) -> Self {
        match self {
            Self::Sent => Self::Doubtful(board.passed()),
            // Where the mistaken board goes on, the other side's answer does not fit it.
            Self::Doubtful(mistaken) => play(mistaken, mv)
                .filter(|board| board.is_over())
                .map_or(Self::Settled, Self::Doubtful),
            Self::Due { .. } | Self::Settled => Self::Settled,
        }
    }

    /// The board on which a program that took the pass for an answer sees the end of the game.
    fn mistaken_end(self) -> Option<Board> {
        match self {
            Self::Doubtful(mistaken) if mistaken.is_over() => Some(mistaken),
            _ => None,
        }
    }

    /// Whether a program that took the pass for an answer may make this move. What one does that
    /// sees the end of the game nobody can tell.
    fn explains(self, mv: Move) -> bool {
        match self {
            Self::Doubtful(mistaken) => mistaken.is_over() || play(mistaken, mv).is_some(),
            _ => false,
        }
    }
}

fn play(mut board: Board, mv: Move) -> Option<Board> {
    board.play(mv).ok()?;
    Some(board)
}

impl Referee {
    /// Asks the side that moves first for its move: now, after a grace period, or not at all. In a
    /// game that began again the grace period is long: a program that takes the pass for an answer
    /// has moved by then, and one that waits for it goes on.
    pub(super) fn open(&mut self, now: Timestamp) {
        let auto = self.options.opening_pass == OpeningPass::Auto;
        if auto && !self.game.is_over() {
            let grace = if self.restarted {
                self.options.bounded_opening_wait()
            } else {
                self.options.bounded_opening_grace()
            };
            self.opening = Opening::Due { at: now + grace };
            return;
        }
        self.event(HostEvent::Began);
        if self.options.opening_pass != OpeningPass::Never {
            self.send_opening_pass();
        }
    }

    /// When the opening pass is sent, if the first move does not come before.
    pub(super) fn opening_due(&self) -> Option<Timestamp> {
        match (&self.stage, self.opening) {
            (Stage::Playing { .. }, Opening::Due { at }) => Some(at),
            _ => None,
        }
    }

    /// Begins the game with the opening pass after the grace period. The clock of the side that
    /// moves first begins anew, since it may have waited. A game begins again once, so a second pass
    /// leaves no doubt.
    pub(super) fn open_late(&mut self, now: Timestamp) {
        self.event(HostEvent::Began);
        self.opening = if self.restarted {
            Opening::Settled
        } else {
            Opening::Sent
        };
        self.stage = Stage::Playing { since: now };
        self.send_opening_pass();
    }

    /// Begins the game without the opening pass: the first move has come before, or a fault.
    pub(super) fn begin_if_due(&mut self) {
        if self.opening_due().is_some() {
            self.opening = Opening::Settled;
            self.event(HostEvent::Began);
        }
    }

    fn send_opening_pass(&mut self) {
        let first = self.turn;
        self.send(first, &[pass(!first)]);
    }

    const fn first(&self) -> Color {
        self.options.start.side_to_move()
    }

    /// Takes note of a move that was accepted.
    pub(super) fn opening_moved(&mut self, seat: Color, mv: Move) {
        if seat == self.first() {
            self.opening = self.opening.after(mv, self.game.board());
        }
    }

    /// Whether a seat may have misread the opening pass.
    pub(super) fn in_doubt(&self, seat: Color) -> bool {
        let playing = matches!(self.stage, Stage::Playing { .. });
        let doubtful = matches!(self.opening, Opening::Doubtful(_));
        playing && doubtful && seat == self.first()
    }

    /// Whether a move that cannot be accepted shows that the opening pass was misread.
    pub(super) fn misread(&self, seat: Color, mv: Move) -> bool {
        self.in_doubt(seat) && self.opening.explains(mv)
    }

    /// Whether a claim in mid-game shows that.
    pub(super) fn misread_end(&self, seat: Color, value: Score) -> bool {
        let end = (self.opening.mistaken_end()).filter(|_| self.in_doubt(seat));
        end.is_some_and(|end| ClaimReading::of(value, end).is_some())
    }

    /// Whether it shows that the side to move lets its time run out.
    pub(super) fn misread_silently(&self) -> bool {
        self.in_doubt(self.turn) && self.opening.mistaken_end().is_some()
    }

    /// Begins the game anew, without an opening pass at first. That happens once: the new game
    /// knows no doubt.
    pub(super) fn start_again(&mut self, now: Timestamp) {
        self.void_game();
        self.assign_colors(now);
    }

    /// The same in place of a program that left in doubt: some crash upon a pass that they do not
    /// expect.
    pub(super) fn start_again_with_another(&mut self, seat: Color, now: Timestamp) {
        self.void_game();
        self.launch_anew(seat);
        self.assign_colors(now);
    }

    /// When the programs that are not ready for a game that begins again are started anew.
    pub(super) const fn relaunch_due(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Readying { relaunch, .. } => relaunch,
            _ => None,
        }
    }

    /// Starts the programs anew that are not ready for a game that begins again.
    pub(super) fn relaunch_unready(&mut self, now: Timestamp) {
        if let Stage::Readying { relaunch, .. } = &mut self.stage {
            *relaunch = None;
        }
        for seat in Color::ALL {
            self.relaunch(seat, now);
        }
    }

    /// Starts a program anew that is not ready for a game that begins again or left before it;
    /// `false` where that was done before, or no game begins again.
    pub(super) fn relaunch(&mut self, seat: Color, now: Timestamp) -> bool {
        let replaceable = self.is_stale(seat) && !self.relaunched[seat as usize];
        if let Stage::Readying { until, .. } = &mut self.stage
            && replaceable
        {
            *until = now + self.options.ready_time;
            self.note(Note::info(format!("{seat} is started anew")));
            self.launch_anew(seat);
            self.assign_color(seat);
        }
        replaceable
    }

    fn launch_anew(&mut self, seat: Color) {
        self.relaunched[seat as usize] = true;
        self.seats[seat as usize] = Seat::new(self.options.game_time);
        self.actions.push_back(HostAction::Launch(seat));
    }

    /// Takes back what was played, and says so.
    fn void_game(&mut self) {
        let first = self.first();
        let text = format!("{first} took the opening pass for the answer to its first move");
        self.note(Note::leniency("misread-opening-pass", text));
        self.restarted = true;
        self.opening = Opening::Settled;
        self.game = Game::new(self.options.start);
        self.turn = first;
        for seat in Color::ALL {
            self.seats[seat as usize].restart(self.options.game_time);
            self.send(seat, &[Message::Comment(VOID.into())]);
        }
        self.event(HostEvent::Restarted);
    }

    /// Whether what a seat says belongs to the game that is void.
    pub(super) fn is_stale(&self, seat: Color) -> bool {
        let readying = matches!(self.stage, Stage::Readying { .. });
        self.restarted && readying && !self.seats[seat as usize].ready
    }
}
