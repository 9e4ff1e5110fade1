//! One game between two engines.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use othello_core::{Board, Color, Game, Move};

use crate::{
    contender::{Choice, Clock},
    fault::Fault,
    limit::Limit,
    player::Player,
    record::{GameId, GameResult, PlayedGame, Side, Thought},
};

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
            Ok(()) => break GameResult::of(table.game.board()),
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
    clocks: [GameClock; 2],
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
        for color in Color::ALL {
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
        let (choice, took) = player.choose(&self.game, &clock.now()).await?;
        clock.hold(took, self.tolerance)?;
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

    /// Tells the players of the end. What they do wrong there is counted and changes no result.
    async fn conclude(&mut self) {
        for color in Color::ALL {
            let told = self.players[seat(color)].conclude(&self.game).await;
            let _ = self.judge(color, told);
        }
    }

    fn record(self, id: GameId, result: GameResult) -> PlayedGame {
        let start = self.game.start();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        PlayedGame {
            id,
            limits: self.players.each_ref().map(|player| player.spec().limit),
            names: self.players.map(|player| player.spec().name.clone()),
            finished: now.map_or(0, |now| now.as_secs()),
            start: (start != Board::START).then(|| start.to_string()),
            moves: self.game.transcript().to_string(),
            opening_plies: self.opening_plies,
            thoughts: self.thoughts,
            result,
            faults: self.faults,
        }
    }
}

fn clocks(players: &[&mut Player; 2]) -> [GameClock; 2] {
    (players.each_ref()).map(|player| GameClock::new(player.spec().limit))
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

/// One player's clock in a game.
pub(crate) struct GameClock {
    limit: Limit,
    left: Option<Duration>,
}

impl GameClock {
    pub(crate) fn new(limit: Limit) -> Self {
        Self {
            limit,
            left: limit.game.map(|game| game.base),
        }
    }

    fn now(&self) -> Clock {
        Clock {
            game: self.left,
            increment: self
                .limit
                .game
                .map_or(Duration::ZERO, |game| game.increment),
            per_move: self.limit.move_time,
        }
    }

    /// The time for the next move, if there is a limit.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        [self.left, self.limit.move_time]
            .into_iter()
            .flatten()
            .min()
    }

    /// Takes a move's time off the clock.
    pub(crate) fn spend(&mut self, took: Duration) {
        let clock = self.now();
        let left = self.left.map(|left| left.saturating_sub(took));
        self.left = left.map(|left| left.saturating_add(clock.increment));
    }

    /// Takes a move's time off the clock, unless it is late.
    fn hold(&mut self, took: Duration, tolerance: Duration) -> Result<(), Fault> {
        if let Some(allowed) = self.allowed()
            && took > allowed.saturating_add(tolerance)
        {
            return Err(Fault::Late { took, allowed });
        }
        self.spend(took);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let mut clock = GameClock::new("game:1s+100ms,move:700ms".parse().unwrap());
        assert_eq!(clock.hold(MS(600), MS(0)), Ok(()));
        assert_eq!(clock.now().game, Some(MS(500)));
        let late = Fault::Late {
            took: MS(560),
            allowed: MS(500),
        };
        assert_eq!(clock.hold(MS(560), MS(50)), Err(late));
        assert_eq!(clock.hold(MS(540), MS(50)), Ok(()));
        assert_eq!(clock.now().game, Some(MS(100)));
    }

    #[test]
    fn without_a_clock_no_move_is_late() {
        let mut clock = GameClock::new("depth:8".parse().unwrap());
        assert_eq!(clock.hold(Duration::MAX, MS(0)), Ok(()));
        assert_eq!(clock.now(), Clock::default());
    }
}
