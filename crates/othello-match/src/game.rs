//! One game between two engines.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use boardgame_core::{ClockState, Margin};
use boardgame_match::{
    GameId,
    fault::Fault,
    limit::after_move,
    record::{GameResult, PlayedGame, RecordFormat as _, Side, Thought},
};
use othello_core::{Color, Empties, Game, Move};

use crate::{contender::Choice, player::Player, record::Othello};

/// Plays a game from an opening, Black's player first, and tells `observer` of the opening and of
/// every move. A move may be late by `tolerance`.
///
/// Whatever the engines do, the game ends with a result: a fault is a loss.
pub async fn play(
    id: GameId,
    opening: Game,
    players: [&mut Player; 2],
    tolerance: Duration,
    mut observer: impl FnMut(&Game),
) -> PlayedGame {
    let mut table = Table {
        opening_plies: opening.moves().len(),
        clocks: clocks(&players),
        game: opening,
        players,
        tolerance,
        thoughts: Vec::new(),
        faults: Vec::new(),
    };
    let result = loop {
        observer(&table.game);
        match table.play(&mut observer).await {
            Ok(()) => {
                let margin = table.margin();
                break GameResult::Played { margin };
            }
            Err(by) if table.misread_opening_at_last(by) => table.begin_again(),
            Err(by) => break GameResult::Forfeit { by: by.into() },
        }
    };
    table.conclude().await;
    table.record(id, result)
}

/// A game in progress.
struct Table<'a> {
    game: Game,
    opening_plies: usize,
    players: [&'a mut Player; 2],
    clocks: [ClockState; 2],
    tolerance: Duration,
    thoughts: Vec<Thought>,
    faults: Vec<(Side, Fault)>,
}

impl Table<'_> {
    /// Plays to the end.
    ///
    /// # Errors
    ///
    /// The colour whose fault ended the game.
    async fn play(&mut self, observer: &mut impl FnMut(&Game)) -> Result<(), Color> {
        // The side to move comes last: a program is asked as soon as it is ready.
        let first = self.game.side_to_move();
        for color in [!first, first] {
            let begun = self.players[seat(color)].begin(&self.game, color).await;
            self.judge(color, begun)?;
        }
        while !self.game.is_over() {
            let color = self.game.side_to_move();
            let mv = if self.game.board().must_pass() {
                Move::Pass
            } else {
                let answer = self.ask(color).await;
                self.judge(color, answer)?
            };
            let illegal = |_| Fault::IllegalMove {
                answer: mv.to_string(),
            };
            let played = self.game.play(mv).map_err(illegal);
            self.judge(color, played)?;
            observer(&self.game);
        }
        Ok(())
    }

    /// Whether it was its first misreading of the opening that ended the game for `by`: the game
    /// then begins again, once for each player.
    fn misread_opening_at_last(&self, by: Color) -> bool {
        let misreading = (by.into(), Fault::MisreadOpening);
        let count = (self.faults.iter()).filter(|fault| **fault == misreading);
        self.faults.last() == Some(&misreading) && count.count() == 1
    }

    /// Takes everything back to the opening. The faults stay on record.
    fn begin_again(&mut self) {
        while self.game.moves().len() > self.opening_plies {
            self.game.undo();
        }
        self.clocks = clocks(&self.players);
        self.thoughts.clear();
    }

    /// Asks for a move, and keeps the clock.
    async fn ask(&mut self, color: Color) -> Result<Move, Fault> {
        let clock = &mut self.clocks[seat(color)];
        let player = &mut *self.players[seat(color)];
        let (choice, took) = player.choose(&self.game, clock).await?;
        *clock = after_answer(*clock, took, self.tolerance)?;
        if self.game.board().legal_moves().contains(choice.square) {
            self.thoughts.push(thought(&choice, took));
        }
        Ok(choice.square.into())
    }

    /// Keeps a fault.
    fn judge<T>(&mut self, color: Color, outcome: Result<T, Fault>) -> Result<T, Color> {
        outcome.map_err(|fault| {
            self.faults.push((color.into(), fault));
            color
        })
    }

    /// Tells both players of the end at once. What they do wrong there is counted and changes no result.
    async fn conclude(&mut self) {
        let [black, white] = &mut self.players;
        let (black, white) = tokio::join!(black.conclude(&self.game), white.conclude(&self.game));
        for (color, told) in Color::ALL.into_iter().zip([black, white]) {
            let _ = self.judge(color, told);
        }
    }

    /// Returns the margin of a game that is over.
    fn margin(&self) -> Margin {
        let score = self.game.board().score(Color::Black, Empties::ToWinner);
        Margin::from_points(score.discs())
    }

    fn record(self, id: GameId, result: GameResult) -> PlayedGame {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        PlayedGame {
            game: Othello::GAME.map(str::to_owned),
            id,
            limits: self.players.each_ref().map(|player| player.spec().limit),
            names: self.players.map(|player| player.spec().name.clone()),
            finished: now.map_or(0, |now| now.as_secs()),
            setup: Othello::write_setup(&self.game.start()),
            moves: Othello::write_moves(self.game.moves()),
            opening_plies: self.opening_plies,
            thoughts: self.thoughts,
            result,
            faults: self.faults,
        }
    }
}

fn clocks(players: &[&mut Player; 2]) -> [ClockState; 2] {
    (players.each_ref()).map(|player| player.spec().limit.clock())
}

fn thought(choice: &Choice, took: Duration) -> Thought {
    Thought {
        wall_us: took.as_micros() as u64,
        cpu_us: choice.cpu.map(|cpu| cpu.as_micros() as u64),
        score: choice.score,
        depth: choice.depth,
        nodes: choice.nodes,
    }
}

/// The place of a colour's player in an array.
const fn seat(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// Returns a clock after a move, unless that was late.
fn after_answer(
    clock: ClockState,
    took: Duration,
    tolerance: Duration,
) -> Result<ClockState, Fault> {
    match clock.allowed() {
        Some(allowed) if took > allowed.saturating_add(tolerance) => {
            Err(Fault::Late { took, allowed })
        }
        _ => Ok(after_move(clock, took)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardgame_match::limit::Limit;

    #[test]
    fn a_move_is_late_beyond_the_tolerance() {
        let ms = Duration::from_millis;
        let limit: Limit = "game:500ms+100ms".parse().unwrap();
        let late = Fault::Late {
            took: ms(560),
            allowed: ms(500),
        };
        assert_eq!(after_answer(limit.clock(), ms(560), ms(50)), Err(late));
        let clock = after_answer(limit.clock(), ms(540), ms(50)).unwrap();
        assert_eq!(clock.main(), Some(ms(100)));
        let untimed = Limit::default().clock();
        assert_eq!(after_answer(untimed, Duration::MAX, ms(0)), Ok(untimed));
    }
}
