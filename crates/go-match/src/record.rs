//! Go in records.

use std::time::{Duration, SystemTime};

use crate::Judge;
use boardgame_core::Color;
use boardgame_match::{
    fault::Fault,
    limit::Limit,
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

/// Returns the SGF record of a match game with its final judgement, or `None` if it does not replay. `judge` is the
/// one that scored it.
pub fn sgf(played: &PlayedGame, judge: Judge) -> Option<Record> {
    let setup: Setup = played.setup.as_ref()?.parse().ok()?;
    let moves = Go::read_moves(&setup, &played.moves).ok()?;
    let mut game = Game::new(setup);
    let played_all = moves.iter().try_for_each(|&mv: &Move| game.play(mv));
    played_all.ok()?;
    let mut lines = account(played);
    lines.extend(judgement(played, game.position(), judge));
    let mut record = Record::new(game);
    record.players = played.names.clone().into();
    record.result = Some(result(played));
    let finished = SystemTime::UNIX_EPOCH + Duration::from_secs(played.finished);
    let date = humantime::format_rfc3339_seconds(finished).to_string();
    record.date = date.chars().take_while(|&letter| letter != 'T').collect();
    record.comments.insert(moves.len(), lines.join("\n"));
    Some(record)
}

fn result(played: &PlayedGame) -> sgf::GameResult {
    let by = match played.result {
        GameResult::Played { margin } => return sgf::GameResult::Score(margin),
        GameResult::Forfeit { by } => by,
    };
    let limit = played.limits[by as usize];
    let mut of_loser = played.faults.iter().filter(|(side, _)| *side == by);
    let cause = match of_loser.next() {
        Some((_, Fault::Resigned)) => WinCause::Resignation,
        Some((_, Fault::Late { .. })) => WinCause::Time,
        // By the rules of the tournament, a program that uses no user CPU time has not run out of it.
        Some((_, Fault::Hung { .. })) if limit.is_timed() && !limit.user_cpu => WinCause::Time,
        _ => WinCause::Forfeit,
    };
    sgf::GameResult::Win(!Color::from(by), cause)
}

/// Returns the limits and times of both engines, and their faults.
fn account(played: &PlayedGame) -> Vec<String> {
    let thoughts: Vec<_> = played.own_moves::<Go>().collect();
    let mut lines = Vec::new();
    for side in [Side::Black, Side::White] {
        let color = Color::from(side);
        let own = thoughts.iter().filter(|(mover, _)| *mover == color);
        let wall: u64 = own.clone().map(|(_, thought)| thought.wall_us).sum();
        let cpu: Option<u64> = own.map(|(_, thought)| thought.cpu_us).sum();
        let seconds = |micros: u64| micros as f64 / 1e6;
        let cpu = cpu.map(|cpu| format!(", {:.3} s of CPU time", seconds(cpu)));
        let limit = Some(played.limits[side as usize]);
        let limit = limit.filter(|limit| *limit != Limit::default());
        let limit = limit.map(|limit| format!(", limit {}", limit.in_words()));
        lines.push(format!(
            "{color}: {:.3} s{}{}",
            seconds(wall),
            cpu.unwrap_or_default(),
            limit.unwrap_or_default()
        ));
        let faults = played.faults.iter().filter(|(by, _)| *by == side);
        lines.extend(faults.map(|(_, fault)| format!("{color} {fault}")));
    }
    lines
}

/// Returns the judgement of a game that was played to its end, if its result agrees with it.
fn judgement(played: &PlayedGame, position: &Position, judge: Judge) -> Option<String> {
    let GameResult::Played { margin } = played.result else {
        return None;
    };
    let judgement = judge.judge(position);
    (judgement.margin == margin).then(|| judgement.to_string())
}

#[cfg(test)]
mod tests {
    use boardgame_core::Margin;
    use boardgame_match::{EngineId, GameId, record::Thought};

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
        let played_out = played(GameResult::Played { margin }, vec![]);
        let record = sgf(&played_out, Judge::default()).unwrap();
        let expected = "(;FF[4]CA[UTF-8]GM[1]SZ[5]KM[5.5]RU[Japanese]PB[a]PW[b]DT[1970-01-02]RE[B+18.5]PL[B]\
            ;B[cc];W[];B[]C[Black: 1.500 s\nWhite: 1.500 s\n   A B C D E\n";
        let record = record.to_string();
        assert!(record.starts_with(expected), "{record}");
        assert!(record.ends_with("Result: B+18.5])\n"), "{record}");
        let by = Side::White;
        for (fault, expected) in [
            (Fault::Resigned, "B+R"),
            (
                Fault::Hung {
                    waited: Duration::from_secs(1),
                    cause: None,
                },
                "B+F",
            ),
        ] {
            let forfeit = played(GameResult::Forfeit { by }, vec![(by, fault)]);
            let record = sgf(&forfeit, Judge::default()).unwrap();
            assert_eq!(record.result.unwrap().to_string(), expected);
        }
        let broken = PlayedGame {
            moves: "C3 C3".into(),
            ..played(GameResult::Forfeit { by }, vec![])
        };
        assert_eq!(sgf(&broken, Judge::default()), None);
    }

    #[test]
    fn a_record_tells_the_limits_and_what_is_dead() {
        let judge = Judge::default();
        let game = PlayedGame {
            setup: Some("5x5 komi 0.5 black B1 B2 B3 B4 B5 C2 E2 white D1 D2 D3 D4 D5 E3".into()),
            moves: "pass pass".into(),
            opening_plies: 0,
            limits: ["move:2s", "game:1m,user-cpu"].map(|limit| limit.parse().unwrap()),
            ..played(
                GameResult::Played {
                    margin: Margin::from_half_points(-1),
                },
                vec![],
            )
        };
        let text = sgf(&game, judge).unwrap().to_string();
        for part in [
            "Black: 1.500 s, limit 2 s a move\n",
            "White: 1.500 s, limit 1 min a game, user CPU\n",
            "\nDead: E2\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // A judge with other options may disagree.
        let other = PlayedGame {
            result: GameResult::Played {
                margin: Margin::from_half_points(9),
            },
            ..game
        };
        let text = sgf(&other, judge).unwrap().to_string();
        assert!(
            text.contains("RE[B+4.5]") && !text.contains("Dead"),
            "{text}"
        );
    }

    #[test]
    fn an_engine_that_does_not_answer_loses_on_time_where_a_clock_runs() {
        let (by, waited) = (Side::White, Duration::from_secs(1));
        for (limit, expected) in [
            ("move:2s", "B+T"),
            ("depth:3", "B+F"),
            ("game:1m,user-cpu", "B+F"),
        ] {
            let hung = PlayedGame {
                limits: [Limit::default(), limit.parse().unwrap()],
                ..played(
                    GameResult::Forfeit { by },
                    vec![(
                        by,
                        Fault::Hung {
                            waited,
                            cause: None,
                        },
                    )],
                )
            };
            let record = sgf(&hung, Judge::default()).unwrap();
            assert_eq!(record.result.unwrap().to_string(), expected, "{limit}");
        }
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
