//! The referee's session.

use std::time::Duration;

use crate::{
    HostAction, HostEvent, HostFormat, HostedGame, HostedGameOptions, Script, check_verdict,
    host_game,
};
use boardgame_core::{ByColor, ByoYomi, Color, TimeControl, TimeMeasure};
use boardgame_session::{GameEvent, Timestamp};
use go_core::{LifeAndDeath, Move, Position};
use go_proto::usenix::{RefereeMessage, RefereeOptions, RefereeSeat};

use super::{
    rereading::{End, Rereading, Time},
    setup, utterance,
};

/// The greatest number of remarks on the output of a turn.
const MAX_NOTES: usize = 256;

/// The laws of a host's game; and: the moves, the verdict and all that both programs are sent are those
/// of a plain reading of what they printed; remarks on a turn are bounded.
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
    let (time, control) = time(&mut script);
    let game = HostedGameOptions {
        tolerance: options.grace,
        score: |position: &Position| {
            let score = position.score(&LifeAndDeath::default());
            score.margin(position.komi())
        },
        ..HostedGameOptions::new(setup.clone(), control)
    };
    let mut law = RefereeLaw {
        plain: Rereading::new(&setup, options, time),
        sent: ByColor::default(),
        moves: Vec::new(),
        notes: 0,
    };
    let seats = ByColor::new_with(|_| RefereeSeat::new(options));
    host_game(&mut law, HostedGame::new(game, seats), events);
    assert!(law.plain.end.is_some());
}

/// The time of each side, as the rules and as a clock have it.
fn time(script: &mut Script<'_>) -> (Time, TimeControl) {
    let choice = script.pick(6);
    let limit = match choice {
        0 => None,
        1 | 2 => Some((Duration::from_mins(1), Duration::from_secs(10))),
        3 => Some((Duration::from_millis(500), Duration::from_secs(1))),
        _ => Some((Duration::ZERO, Duration::from_secs(10))),
    };
    let on_wall = choice % 2 == 1;
    let byo_yomi = |(_, period)| ByoYomi::japanese(period, 1);
    let control = TimeControl {
        main: limit.map(|(main, _)| main),
        byo_yomi: limit.map(byo_yomi),
        measure: if on_wall {
            TimeMeasure::Wall
        } else {
            TimeMeasure::UserCpu
        },
        ..TimeControl::default()
    };
    (Time { limit, on_wall }, control)
}

struct RefereeLaw {
    plain: Rereading,
    /// The lines that each program was sent.
    sent: ByColor<Vec<String>>,
    /// The moves as they are told.
    moves: Vec<Move>,
    /// The remarks since the last move.
    notes: usize,
}

impl HostFormat for RefereeLaw {
    type Game = Position;
    type Seat = RefereeSeat;

    // The plain reading knows when the bound of a turn is passed.
    const MAX_CHUNK: usize = 1;

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

    fn fed(&mut self, event: HostEvent<'_>, now: Timestamp) {
        self.plain.take(event, now);
    }

    fn acted(&mut self, game: &HostedGame<Position, RefereeSeat>, action: &HostAction<Move>) {
        match action {
            HostAction::Send { seat, bytes } => {
                let line = bytes.strip_suffix(b"\n").expect("a whole line");
                let message = RefereeMessage::parse(line).expect("a message");
                self.sent[*seat].push(message.to_string());
            }
            HostAction::Event(GameEvent::Moved(seat, mv, _)) => {
                let expected = Color::ALL[self.moves.len() % 2];
                assert_eq!(*seat, expected, "a move out of turn");
                self.moves.push(*mv);
                assert_eq!(game.moves().get(self.moves.len() - 1), Some(mv));
                self.notes = 0;
            }
            HostAction::Note(_) => {
                self.notes += 1;
                assert!(self.notes <= MAX_NOTES, "a flood of remarks");
            }
            HostAction::Finish(verdict) => {
                check_verdict(verdict, game.position());
                assert_eq!(Some(End::of(verdict)), self.plain.end);
                assert_eq!(self.moves, self.plain.moves);
                assert_eq!(self.sent, self.plain.told);
            }
            HostAction::Launch(_) => panic!("{action:?} before a second game"),
            _ => {}
        }
    }
}
