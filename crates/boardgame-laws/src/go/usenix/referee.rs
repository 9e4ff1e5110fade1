//! The referee's session.

use std::time::Duration;

use crate::{HostAction, HostFormat, HostedGame, HostedGameOptions, Script, host_game};
use boardgame_core::{ByColor, ByoYomi, Color, TimeControl, TimeMeasure};
use boardgame_session::GameEvent;
use go_core::{LifeAndDeath, Move, Position};
use go_proto::usenix::{RefereeMessage, RefereeOptions, RefereeSeat};

use super::{setup, utterance};

/// The maximum number of remarks on the output of a turn.
const MAX_NOTES: usize = 256;

/// The laws of a host's game; also: each program is sent its colour first, then the other one's moves in order, and
/// `byo-romi` at most once; remarks on a turn are bounded.
pub fn referee(data: &[u8]) {
    let (head, events) = data.split_at(data.len().min(3));
    let mut script = Script::new(head);
    let choice = script.byte();
    let as_1986 = choice & 1 != 0;
    let options = RefereeOptions {
        as_1986,
        grace: Duration::from_secs(u64::from(choice >> 1 & 1)),
        max_turn_bytes: if choice & 8 == 0 { 64 * 1024 } else { 40 },
    };
    let setup = setup(&mut script, as_1986);
    let game = HostedGameOptions {
        tolerance: options.grace,
        score: |position: &Position| {
            let score = position.score(&LifeAndDeath::default());
            score.margin(position.komi())
        },
        ..HostedGameOptions::new(setup, time(&mut script))
    };
    let seats = ByColor::new_with(|_| RefereeSeat::new(options));
    let game = HostedGame::new(game, seats);
    host_game(&mut RefereeLaw::default(), game, events);
}

/// The time of each side.
fn time(script: &mut Script<'_>) -> TimeControl {
    let choice = script.pick(6);
    let limit = match choice {
        0 => None,
        1 | 2 => Some((Duration::from_mins(1), Duration::from_secs(10))),
        3 => Some((Duration::from_millis(500), Duration::from_secs(1))),
        _ => Some((Duration::ZERO, Duration::from_secs(10))),
    };
    TimeControl {
        main: limit.map(|(main, _)| main),
        byo_yomi: limit.map(|(_, period)| ByoYomi::japanese(period, 1)),
        measure: if choice % 2 == 1 {
            TimeMeasure::Wall
        } else {
            TimeMeasure::UserCpu
        },
        ..TimeControl::default()
    }
}

#[derive(Default)]
struct RefereeLaw {
    /// The number of moves sent to each program, after its colour.
    sent: ByColor<Option<usize>>,
    in_byo_romi: ByColor<bool>,
    /// The moves as sent.
    moves: ByColor<Vec<Move>>,
    /// The remarks since the last move.
    notes: usize,
}

impl RefereeLaw {
    fn sent(&mut self, seat: Color, message: RefereeMessage) {
        match (message, &mut self.sent[seat]) {
            (RefereeMessage::Color(color), sent @ None) => {
                assert_eq!(color, seat);
                *sent = Some(0);
            }
            (RefereeMessage::Play(play), Some(count)) => {
                let mv = self.moves[!seat].get(*count).copied();
                assert!(mv.is_some() && play.to_move() == mv, "{play} is not {mv:?}");
                *count += 1;
            }
            (RefereeMessage::ByoRomi, Some(_)) => {
                let twice = std::mem::replace(&mut self.in_byo_romi[seat], true);
                assert!(!twice, "byo-romi begins twice");
            }
            (message, _) => panic!("{message} out of order"),
        }
    }
}

impl HostFormat for RefereeLaw {
    type Game = Position;
    type Seat = RefereeSeat;

    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<Position, RefereeSeat>,
        seat: Color,
    ) -> Vec<u8> {
        let early = script.pick(8) == 0;
        let said = utterance(script, game.position());
        if early || seat == game.position().side_to_move() {
            said
        } else {
            Vec::new()
        }
    }

    fn acted(&mut self, _: &Position, action: &HostAction<Move>) {
        match action {
            HostAction::Send { seat, bytes } => {
                let line = bytes.strip_suffix(b"\n").expect("a whole line");
                let message = RefereeMessage::parse(line).expect("a message");
                self.sent(*seat, message);
            }
            HostAction::Event(GameEvent::Moved(seat, mv, _)) => {
                self.moves[*seat].push(*mv);
                self.notes = 0;
            }
            HostAction::Note(_) => {
                self.notes += 1;
                assert!(self.notes <= MAX_NOTES, "a flood of remarks");
            }
            HostAction::Launch(_) => panic!("{action:?} before a second game"),
            _ => {}
        }
    }
}
