//! A host whose clock stands still while the other side thinks.

use std::time::Duration;

use othello_core::{Color, Game};
use othello_proto::session::{Decision, HostAction, HostSession, Timestamp};

use super::meter::Meter;

/// A host's session that does not see the time pass while a task of its own is open.
///
/// The move is then another engine's, whose time is none of this host's business: hosts hold both
/// sides to one limit.
#[derive(Debug)]
pub(super) struct Stopped<H> {
    host: H,
    /// The time that was kept from the host.
    hidden: Duration,
    /// Since when its clock stands.
    since: Option<Timestamp>,
    now: Timestamp,
    meter: Meter,
}

impl<H: HostSession> Stopped<H> {
    pub(super) fn new(host: H, meter: Meter) -> Self {
        Self {
            host,
            hidden: Duration::ZERO,
            since: None,
            now: Timestamp::ORIGIN,
            meter,
        }
    }

    /// The time that the host is told.
    fn tell(&mut self, now: Timestamp) -> Timestamp {
        self.now = now;
        let shown = self.since.unwrap_or(now);
        Timestamp::from_origin(shown.since_origin().saturating_sub(self.hidden))
    }

    fn resume(&mut self) {
        if let Some(since) = self.since.take() {
            self.hidden += self.now - since;
        }
    }
}

impl<H: HostSession> HostSession for Stopped<H> {
    fn start(&mut self, now: Timestamp) {
        let now = self.tell(now);
        self.host.start(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.meter.heard();
        let now = self.tell(now);
        self.host.receive(seat, bytes, now);
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        let now = self.tell(now);
        self.host.end_of_input(seat, now);
    }

    fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        let now = self.tell(now);
        self.host.exited(seat, success, now);
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        self.tell(now);
        self.resume();
        let now = self.tell(now);
        self.host.decide(decision, now);
    }

    fn kept(&mut self, now: Timestamp) {
        let now = self.tell(now);
        self.host.kept(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        match self.since {
            Some(_) => None,
            None => self.host.deadline().map(|deadline| deadline + self.hidden),
        }
    }

    fn tick(&mut self, now: Timestamp) {
        let now = self.tell(now);
        self.host.tick(now);
    }

    fn poll(&mut self) -> Option<HostAction> {
        let action = self.host.poll()?;
        match action {
            HostAction::Think(_) => self.since = Some(self.now),
            // A host that takes leave waits for no move any more.
            HostAction::HangUp(_) => self.resume(),
            _ => {}
        }
        Some(action)
    }

    fn game(&self) -> &Game {
        self.host.game()
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Square;
    use othello_proto::{
        codewarriors::{Judge, JudgeOptions, Player, PlayerOptions},
        session::{Cause, HostEvent, Task},
    };

    use super::{super::seated::Seated, *};

    const LIMIT: Duration = Duration::from_secs(2);

    /// A judge of a program that plays Black, with a player of ours opposite it.
    fn host() -> Stopped<Seated<Judge, Player>> {
        let judge = Judge::new(JudgeOptions {
            limit: LIMIT,
            ..JudgeOptions::default()
        });
        let player = Player::new(PlayerOptions::default());
        Stopped::new(
            Seated::at_start(judge, Color::White, player),
            Meter::default(),
        )
    }

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_origin(Duration::from_secs(seconds))
    }

    /// Everything that the host asks of its driver until it waits.
    fn drain(host: &mut impl HostSession) -> Vec<HostAction> {
        std::iter::from_fn(|| host.poll()).collect()
    }

    fn task(actions: &[HostAction]) -> Task {
        let open = actions.iter().find_map(|action| match action {
            HostAction::Think(task) => Some(*task),
            _ => None,
        });
        open.expect("the other side is asked")
    }

    #[test]
    fn the_other_sides_time_is_nobodys() {
        let mut host = host();
        host.start(at(10));
        let send = |text: &str| HostAction::Send {
            seat: Color::Black,
            bytes: text.into(),
        };
        assert!(drain(&mut host).contains(&send("ST\n")));
        assert!(host.deadline().is_some_and(|deadline| deadline > at(12)));

        host.receive(Color::Black, b"F5\n", at(11));
        let asked = task(&drain(&mut host));
        assert_eq!(asked.board.side_to_move(), Color::White);
        assert_eq!(host.deadline(), None);
        host.tick(at(5000));
        assert_eq!(drain(&mut host), []);

        let square = Square::D6;
        let decision = Decision {
            task: asked.id,
            square,
            assessment: None,
        };
        host.decide(decision, at(10_000));
        let mv = square.into();
        let (seat, took) = (Color::White, Duration::ZERO);
        let actions = drain(&mut host);
        let moved = HostEvent::Moved { seat, mv, took };
        assert!(actions.contains(&HostAction::Event(moved)), "{actions:?}");
        assert!(actions.contains(&send("D6\n")), "{actions:?}");

        let deadline = host.deadline().expect("the program is asked");
        assert!(deadline > at(10_002) && deadline < at(10_003));
        host.tick(deadline);
        let actions = drain(&mut host);
        let Some(HostAction::Finish(verdict)) = actions.last() else {
            panic!("{actions:?}");
        };
        assert_eq!(verdict.cause, Cause::Overtime { by: Color::Black });
    }

    #[test]
    fn a_program_that_leaves_meanwhile_has_left() {
        let mut host = host();
        host.start(at(0));
        host.receive(Color::Black, b"F5\n", at(1));
        task(&drain(&mut host));
        host.end_of_input(Color::Black, at(60));
        let actions = drain(&mut host);
        let Some(HostAction::Finish(verdict)) = actions.last() else {
            panic!("{actions:?}");
        };
        assert_eq!(verdict.cause, Cause::Left { by: Color::Black });
    }
}
