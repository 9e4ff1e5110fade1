//! Go in records.

use std::time::{Duration, SystemTime};

use boardgame_core::Color;
use boardgame_match::{
    fault::Fault,
    record::{GameResult, PlayedGame, RecordFormat, Side},
};
use go_core::{
    Game, Move, Position, Setup,
    sgf::{self, Record, WinCause},
};

/// The text form of Go in records: the setup, and moves such as `Q16 D4 pass`.
#[derive(Clone, Copy, Debug)]
pub enum Go {}

impl RecordFormat for Go {
    type Game = Position;

    const IS_JUDGED: bool = true;
}

/// Returns the record of a game of a match, or `None` if it does not hold one.
pub fn sgf(played: &PlayedGame) -> Option<Record> {
    let setup: Setup = played.setup.as_ref()?.parse().ok()?;
    let moves = Go::read_moves(&setup, &played.moves).ok()?;
    let mut game = Game::new(setup);
    let played_all = moves.iter().try_for_each(|&mv: &Move| game.play(mv));
    played_all.ok()?;
    let mut record = Record::new(game);
    record.players = played.names.clone().into();
    record.result = Some(result(played));
    let finished = SystemTime::UNIX_EPOCH + Duration::from_secs(played.finished);
    let date = humantime::format_rfc3339_seconds(finished).to_string();
    record.date = date.chars().take_while(|&letter| letter != 'T').collect();
    record.comments.insert(moves.len(), comment(played));
    Some(record)
}

fn result(played: &PlayedGame) -> sgf::GameResult {
    let by = match played.result {
        GameResult::Played { margin } => return sgf::GameResult::Score(margin),
        GameResult::Forfeit { by } => by,
    };
    let mut of_loser = played.faults.iter().filter(|(side, _)| *side == by);
    let cause = match of_loser.next() {
        Some((_, Fault::Resigned)) => WinCause::Resignation,
        Some((_, Fault::Late { .. })) => WinCause::Time,
        _ => WinCause::Forfeit,
    };
    sgf::GameResult::Win(!Color::from(by), cause)
}

/// Returns the limits and times of both engines, and their faults.
fn comment(played: &PlayedGame) -> String {
    let thoughts: Vec<_> = played.own_moves::<Go>().collect();
    let mut lines = Vec::new();
    for side in [Side::Black, Side::White] {
        let color = Color::from(side);
        let own = thoughts.iter().filter(|(mover, _)| *mover == color);
        let wall: u64 = own.clone().map(|(_, thought)| thought.wall_us).sum();
        let cpu: Option<u64> = own.map(|(_, thought)| thought.cpu_us).sum();
        let seconds = |micros: u64| micros as f64 / 1e6;
        let cpu = cpu.map(|cpu| format!(", {:.3} s of CPU time", seconds(cpu)));
        lines.push(format!(
            "{color}: {:.3} s{}",
            seconds(wall),
            cpu.unwrap_or_default()
        ));
        let faults = played.faults.iter().filter(|(by, _)| *by == side);
        lines.extend(faults.map(|(_, fault)| format!("{color} {fault}")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use boardgame_core::Margin;
    use boardgame_match::{EngineId, GameId, limit::Limit, record::Thought};

    use super::*;

    fn played(result: GameResult, faults: Vec<(Side, Fault)>) -> PlayedGame {
        let thought = Thought {
            wall_us: 1_500_000,
            ..Thought::default()
        };
        PlayedGame {
            game: Go::GAME.map(str::to_owned),
            id: GameId {
                opening: 0,
                black: EngineId(0),
                white: EngineId(1),
            },
            names: ["a".into(), "b".into()],
            limits: [Limit::default(); 2],
            finished: 86_400,
            setup: Some("5x5 komi 5.5 rules japanese".into()),
            moves: "C3 pass pass".into(),
            opening_plies: 1,
            thoughts: vec![thought; 2],
            result,
            faults,
        }
    }

    #[test]
    fn a_played_game_becomes_a_record() {
        let margin = Margin::from_half_points(37);
        let record = sgf(&played(GameResult::Played { margin }, vec![])).unwrap();
        let expected = "(;FF[4]CA[UTF-8]GM[1]SZ[5]KM[5.5]RU[Japanese]PB[a]PW[b]DT[1970-01-02]RE[B+18.5]PL[B]\
            ;B[cc];W[];B[]C[Black: 1.500 s\nWhite: 1.500 s])\n";
        assert_eq!(record.to_string(), expected);
        let by = Side::White;
        for (fault, expected) in [
            (Fault::Resigned, "B+R"),
            (
                Fault::Hung {
                    waited: Duration::from_secs(1),
                },
                "B+F",
            ),
        ] {
            let record = sgf(&played(GameResult::Forfeit { by }, vec![(by, fault)])).unwrap();
            assert_eq!(record.result.unwrap().to_string(), expected);
        }
        let broken = PlayedGame {
            moves: "C3 C3".into(),
            ..played(GameResult::Forfeit { by }, vec![])
        };
        assert_eq!(sgf(&broken), None);
    }

    #[test]
    fn a_game_that_was_stopped_may_have_a_score() {
        let margin = Margin::from_half_points(3);
        let stopped = PlayedGame {
            moves: "C3 B2 pass".into(),
            ..played(GameResult::Played { margin }, vec![])
        };
        assert_eq!(stopped.replay::<Go>().unwrap().len(), 2);
    }
}
