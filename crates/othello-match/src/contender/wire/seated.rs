//! A host with a player of its own at one of its seats.

use std::{collections::VecDeque, fmt};

use othello_core::{Color, Game};
use othello_proto::session::{Action, Decision, HostAction, HostSession, PlayerSession, Timestamp};

/// A host's session of which one seat is taken by a session of the player's side, without a pipe
/// between them: to whoever drives it, it is a host that asks for that side's moves.
///
/// Whatever the format wants of a program besides its moves, such as passes and claims, that
/// player does.
pub(super) struct Seated<H, P> {
    host: H,
    /// The colour of the player.
    color: Color,
    make: Box<dyn FnMut() -> P + Send>,
    player: Option<P>,
    /// Whether the player sits down at the start, or whenever a program would be launched.
    at_start: bool,
    actions: VecDeque<HostAction>,
}

impl<H: fmt::Debug, P> fmt::Debug for Seated<H, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seated")
            .field("host", &self.host)
            .field("color", &self.color)
            .finish_non_exhaustive()
    }
}

impl<H: HostSession, P: PlayerSession> Seated<H, P> {
    /// The player sits down at the start.
    pub(super) fn at_start(host: H, color: Color, player: P) -> Self
    where
        P: Clone + Send + 'static,
    {
        let mut seated = Self::at_launch(host, color, move || player.clone());
        seated.at_start = true;
        seated
    }

    /// A new player sits down whenever a program would be launched.
    pub(super) fn at_launch(
        host: H,
        color: Color,
        make: impl FnMut() -> P + Send + 'static,
    ) -> Self {
        Self {
            host,
            color,
            make: Box::new(make),
            player: None,
            at_start: false,
            actions: VecDeque::new(),
        }
    }

    fn sit_down(&mut self, now: Timestamp) {
        self.player.insert((self.make)()).start(now);
    }

    /// Carries what the two have for each other, until they have no more.
    fn carry(&mut self, now: Timestamp) {
        loop {
            if let Some(action) = self.player.as_mut().and_then(P::poll) {
                self.act(action, now);
            } else if let Some(action) = self.host.poll() {
                self.pass_on(action, now);
            } else {
                return;
            }
        }
    }

    /// Does what the player asks.
    fn act(&mut self, action: Action, now: Timestamp) {
        match action {
            Action::Send(bytes) => self.host.receive(self.color, &bytes, now),
            Action::Think(task) => self.actions.push_back(HostAction::Think(task)),
            Action::Note(note) => tracing::debug!(?note, "the player opposite a program"),
            // The answer is ignored should it still come.
            Action::Abandon => {}
            Action::Finish(_) => {
                self.player = None;
                self.host.end_of_input(self.color, now);
                self.host.exited(self.color, true, now);
            }
        }
    }

    /// Does for the player what the host asks, and passes the rest on.
    fn pass_on(&mut self, action: HostAction, now: Timestamp) {
        match action {
            HostAction::Launch(seat) if seat == self.color => self.sit_down(now),
            HostAction::Send { seat, bytes } if seat == self.color => {
                if let Some(player) = &mut self.player {
                    player.receive(&bytes, now);
                }
            }
            HostAction::HangUp(seat) if seat == self.color => {
                if let Some(player) = &mut self.player {
                    player.end_of_input(now);
                }
            }
            action => self.actions.push_back(action),
        }
    }
}

impl<H: HostSession, P: PlayerSession> HostSession for Seated<H, P> {
    fn start(&mut self, now: Timestamp) {
        if self.at_start {
            self.sit_down(now);
        }
        self.host.start(now);
        self.carry(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.host.receive(seat, bytes, now);
        self.carry(now);
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.host.end_of_input(seat, now);
        self.carry(now);
    }

    fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        self.host.exited(seat, success, now);
        self.carry(now);
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        if let Some(player) = &mut self.player {
            player.decide(decision, now);
        }
        self.carry(now);
    }

    fn kept(&mut self, now: Timestamp) {
        self.host.kept(now);
        self.carry(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let player = self.player.as_ref().and_then(P::deadline);
        self.host.deadline().into_iter().chain(player).min()
    }

    fn tick(&mut self, now: Timestamp) {
        self.host.tick(now);
        if let Some(player) = &mut self.player {
            player.tick(now);
        }
        self.carry(now);
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.actions.pop_front()
    }

    fn game(&self) -> &Game {
        self.host.game()
    }
}
