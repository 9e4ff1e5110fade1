//! The runner of a match: it plays several games at a time, each exactly once.

use std::{
    collections::{BTreeMap, VecDeque},
    future::Future,
    mem, panic,
    pin::pin,
    sync::Arc,
};

use boardgame_core::{ByColor, Color};
use tokio::task::JoinSet;

use super::{Ending, Match, Openings};
use crate::{
    EngineId, GameId, GameSpec, Seat as _,
    blocking::on_another_thread,
    calibrate::{Balance, Calibration, CalibrationError, Round},
    engine::{Engine, EngineSeat, play},
    limit::Limit,
    log::{Log, LogError},
    record::PlayedGame,
    schedule::{Form, Schedule},
    tally::Tally,
};

/// Plays the games of a match, several at a time.
///
/// Each of a fixed number of lanes plays one game at a time. An engine stays in its lane if it also plays the
/// lane's next game, and is ended otherwise.
pub(super) struct Runner<E: Engine, O> {
    contest: Arc<Match<E, O>>,
    schedule: Schedule,
    /// The limits of the engines in games that start from here on.
    limits: Vec<Limit>,
    /// The lanes in which no game is in progress.
    free: Vec<Lane<E>>,
    /// The games in progress, each with its lane.
    tasks: JoinSet<(Lane<E>, PlayedGame)>,
    playing: Vec<GameId>,
    queue: VecDeque<GameId>,
}

impl<E: Engine, O: Openings<E>> Runner<E, O> {
    /// Returns a runner that has started no engine yet.
    pub(super) fn new(contest: Match<E, O>) -> Self {
        let lanes = contest.concurrency.get();
        Self {
            schedule: contest.schedule.clone(),
            limits: contest.engines.iter().map(Engine::limit).collect(),
            contest: Arc::new(contest),
            free: (0..lanes).map(|_| Lane::default()).collect(),
            tasks: JoinSet::new(),
            playing: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    /// Plays the missing games of a match, and ends all engines.
    pub(super) async fn run(
        mut self,
        log: &mut Log<E::Format>,
        tally: &mut Tally,
        mut balance: Option<&mut Balance>,
        mut observer: impl FnMut(&Tally, &PlayedGame),
        cancel: impl Future<Output = ()>,
    ) -> Result<Ending, LogError> {
        let mut cancel = pin!(cancel);
        let ending = loop {
            if let Some(verdict) = self.contest.verdict(tally) {
                break Ending::Decided(verdict);
            }
            self.begin_games(tally);
            let next = tokio::select! {
                biased;
                () = &mut cancel => break Ending::Cancelled,
                next = self.next_played() => next,
            };
            let Some(played) = next else {
                break Ending::Complete;
            };
            log.append(&played)?;
            tally.add::<E::Format>(&played);
            if let Some(balance) = balance.as_deref_mut() {
                let engine = balance.engine();
                let place = usize::from(engine.0);
                let left = |balance: &Balance| self.remaining(tally, balance);
                let adjusted = balance.adjust::<E::Format>(&played, self.limits[place], left);
                if let Some(limit) = adjusted {
                    log.append_limit(engine, limit)?;
                    self.limits[place] = limit;
                }
            }
            observer(tally, &played);
        };
        self.close().await;
        Ok(ending)
    }

    /// Scales the limit of the first of two engines until their games cost both as much CPU time, and returns
    /// it. `names` are the engines' names; `observer` is called after each round.
    pub(super) async fn calibrate(
        &mut self,
        names: &[String; 2],
        mut observer: impl FnMut(&Round),
    ) -> Result<Limit, CalibrationError> {
        let mut calibration = Calibration::new(self.limits[0]);
        let mut tally = Tally::new(2, None);
        loop {
            self.limits[0] = calibration.limit();
            let pairs = calibration.pairs();
            self.schedule = Schedule::new(Form::Pairs { pairs }, 2)?;
            self.begin_games(&tally);
            while let Some(played) = self.next_played().await {
                tally.add::<E::Format>(&played);
                calibration.add::<E::Format>(&played);
                self.begin_games(&tally);
            }
            let round = calibration.end_round(names)?;
            observer(&round);
            if let Some(limit) = calibration.find(&round)? {
                return Ok(limit);
            }
        }
    }

    /// Returns the number of games between the engines of a balance that are not over yet.
    fn remaining(&self, tally: &Tally, balance: &Balance) -> usize {
        let results = tally.results();
        let known = self.schedule.known(tally).into_iter();
        let open = known.filter(|id| balance.concerns(*id) && !results.contains_key(id));
        open.count()
    }

    /// Starts a game in each free lane while there are games to play.
    fn begin_games(&mut self, tally: &Tally) {
        while let Some(mut lane) = self.free.pop() {
            let Some(id) = self.next_game(tally) else {
                self.free.push(lane);
                return;
            };
            let contest = Arc::clone(&self.contest);
            let limits = ByColor {
                black: self.limits[usize::from(id.black.0)],
                white: self.limits[usize::from(id.white.0)],
            };
            self.playing.push(id);
            self.tasks.spawn(async move {
                let played = lane.play(&contest, id, limits).await;
                (lane, played)
            });
        }
    }

    /// Returns the next game that is neither played nor in progress: the first whose engines both rest, or else the
    /// first. In a ladder no engine plays twice at a time. Only a Swiss tournament has new games once a round is over,
    /// so the schedule is asked again when no game is in progress.
    fn next_game(&mut self, tally: &Tally) -> Option<GameId> {
        if self.queue.is_empty() && self.tasks.is_empty() {
            let mut known = self.schedule.known(tally);
            known.retain(|id| !tally.results().contains_key(id));
            self.queue = known.into();
        }
        let plays = |game: &GameId, engine| game.black == engine || game.white == engine;
        let rests = |engine| !self.playing.iter().any(|game| plays(game, engine));
        let mut near = self.queue.iter().take(2 * self.contest.concurrency.get());
        let first = near.position(|game| rests(game.black) && rests(game.white));
        let is_ladder = self.schedule.form() == Form::Ladder;
        let index = first.or((!is_ladder).then_some(0))?;
        self.queue.remove(index)
    }

    /// Returns the next game that is over, or `None` if none is in progress. Cancel-safe.
    async fn next_played(&mut self) -> Option<PlayedGame> {
        let (lane, played) = match self.tasks.join_next().await? {
            Ok(over) => over,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => panic::resume_unwind(payload),
                Err(error) => panic!("a game was lost: {error}"),
            },
        };
        self.playing.retain(|&game| game != played.id);
        self.free.push(lane);
        Some(played)
    }

    /// Aborts the games in progress and ends all engines.
    pub(super) async fn close(mut self) {
        self.tasks.shutdown().await;
        for lane in self.free {
            lane.close().await;
        }
    }
}

/// A place for one game at a time, with the engines of its last game.
struct Lane<E: Engine> {
    engines: BTreeMap<EngineId, EngineSeat<E>>,
}

impl<E: Engine> Default for Lane<E> {
    fn default() -> Self {
        Self {
            engines: BTreeMap::new(),
        }
    }
}

impl<E: Engine> Lane<E> {
    /// Plays a game; engines of the last game are kept if they play it and ended otherwise.
    async fn play<O: Openings<E>>(
        &mut self,
        contest: &Match<E, O>,
        id: GameId,
        limits: ByColor<Limit>,
    ) -> PlayedGame {
        let alone = contest.concurrency.get() == 1;
        let mut take = |id: EngineId, limit| {
            let mut engine = self.engines.remove(&id).unwrap_or_else(|| {
                let engine = contest.engines[usize::from(id.0)].clone();
                EngineSeat::new(engine, contest.patience.clone(), alone)
            });
            engine.set_limit(limit);
            engine
        };
        let mut engines = ByColor {
            black: take(id.black, limits.black),
            white: take(id.white, limits.white),
        };
        mem::take(self).close().await;
        let openings = Arc::clone(&contest.openings);
        let game = GameSpec {
            tolerance: contest.tolerance,
            seed: game_seed(contest.seed, id),
            time: engines.as_ref().map(|seat| seat.engine().time()),
            ..on_another_thread(move || openings.game(id.opening)).await
        };
        let observer = contest.observer.as_deref();
        if let Some(observer) = observer {
            let names = engines.as_ref().map(|seat| seat.engine().name());
            observer.game_begins(id, names, &game);
        }
        let tell = |event: &_| {
            if let Some(observer) = observer {
                observer.game_event(id, event);
            }
        };
        let mut played = play(id, &game, engines.as_mut(), tell).await;
        for color in Color::ALL {
            if let Some(cause) = engines[color].take_cause() {
                played.explain(color.into(), &cause);
            }
        }
        self.engines.insert(id.black, engines.black);
        self.engines.insert(id.white, engines.white);
        played
    }

    async fn close(self) {
        for mut engine in self.engines.into_values() {
            engine.close().await;
        }
    }
}

/// Returns the seed of a game: 1 to 2³¹ − 1, which a program in any language can read, and different for
/// neighbouring games.
fn game_seed(seed: u64, id: GameId) -> u64 {
    let GameId {
        opening,
        black,
        white,
    } = id;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(format!("{seed} {opening} {} {}", black.0, white.0).as_bytes());
    u64::from(hasher.finalize() >> 1).max(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_games_of_a_match_have_seeds_of_their_own() {
        let seeds = |seed| {
            let ids = (0..500).flat_map(|opening| {
                [(0, 1), (1, 0)].map(|(black, white)| GameId {
                    opening,
                    black: EngineId(black),
                    white: EngineId(white),
                })
            });
            ids.map(|id| game_seed(seed, id)).collect::<BTreeSet<_>>()
        };
        assert_eq!(seeds(1), seeds(1));
        assert_eq!(seeds(1).len(), 1000);
        assert_eq!(seeds(1).intersection(&seeds(2)).count(), 0);
    }
}
