//! Matches between engines.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardgame_core::{ByColor, Color};
use boardgame_match::{
    GameId, GameSpec, MatchObserver, ObservedClocks,
    record::{GameResult, PlayedGame, RecordFormat as _},
    schedule::Schedule,
    standings::TieBreak,
    stats::Sprt,
    tally::Tally,
};
use boardgame_session::{GameEvent, Thought};
use othello_core::{Board, Game, Move};
use othello_host::record::Winner;
use othello_match::record::Othello;

use super::{
    GameEnd, GameView, Kind, MoveDetails, RunWriter, Runs, Standings,
    game::{LiveGame, allowed},
    throttle::Throttle,
    watched::WatchedGame,
};

/// The run of a match, written by its observer's events.
#[derive(Debug)]
pub struct MatchRun {
    field: Mutex<Field>,
    sprt: Option<Sprt>,
    run: RunWriter,
    progress: Mutex<Progress>,
    standings: Mutex<Throttle>,
}

/// The engines, and what their standings follow from.
#[derive(Debug)]
struct Field {
    names: Vec<String>,
    schedule: Schedule,
    ties: Vec<TieBreak>,
}

impl Field {
    fn new(names: Vec<String>, schedule: Schedule) -> Self {
        let ties = TieBreak::usual(schedule.form()).to_vec();
        Self {
            names,
            schedule,
            ties,
        }
    }
}

#[derive(Debug, Default)]
struct Progress {
    /// The games in progress.
    games: HashMap<GameId, WatchedGame>,
    /// The number of games so far.
    count: u64,
    /// The numbers of games that are not numbered as they come.
    numbers: HashMap<GameId, u64>,
}

impl MatchRun {
    /// Adds the run of a match between engines. `total` is the number of its games, if known.
    pub fn new(
        runs: &Runs,
        names: Vec<String>,
        schedule: Schedule,
        sprt: Option<Sprt>,
        total: Option<u64>,
    ) -> Self {
        let run = runs.add(Kind::Match, names.join(" – "), total);
        Self::with_writer(run, names, schedule, sprt)
    }

    /// Returns the run of a match with this writer.
    pub fn with_writer(
        run: RunWriter,
        names: Vec<String>,
        schedule: Schedule,
        sprt: Option<Sprt>,
    ) -> Self {
        Self {
            field: Mutex::new(Field::new(names, schedule)),
            sprt,
            run,
            progress: Mutex::default(),
            standings: Mutex::default(),
        }
    }

    /// Adds a finished game, without standings.
    pub(crate) fn add(&self, played: &PlayedGame) {
        let mut progress = self.lock();
        let in_progress = progress.games.remove(&played.id);
        let id = in_progress.map(|game| game.id());
        let id = id.unwrap_or_else(|| progress.next_id(played.id));
        if let Some(game) = played_game(id, played) {
            self.run.add_finished(game);
        }
    }

    /// Computes the standings.
    pub(crate) fn set_standings(&self, tally: &Tally) {
        let field = self.field();
        let Field {
            names,
            schedule,
            ties,
        } = &*field;
        let standings = Standings::of_match(names, schedule, ties, self.sprt.as_ref(), tally);
        self.run.set_standings(standings);
    }

    /// Sets the engines and the schedule, which tournaments extend from round to round, and the criteria that break
    /// ties, if not the usual ones.
    pub fn set_schedule(
        &self,
        names: Vec<String>,
        schedule: Schedule,
        ties: Option<Vec<TieBreak>>,
    ) {
        let usual = Field::new(names, schedule);
        *self.field() = match ties {
            Some(ties) => Field { ties, ..usual },
            None => usual,
        };
    }

    /// Numbers games, from 1, which otherwise get their numbers as they begin.
    pub fn set_numbers(&self, games: impl Iterator<Item = GameId>) {
        self.lock().numbers = games.zip(1..).collect();
    }

    fn field(&self) -> MutexGuard<'_, Field> {
        self.field.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn next_id(&mut self, id: GameId) -> u64 {
        self.count += 1;
        self.numbers.get(&id).copied().unwrap_or(self.count)
    }
}

impl MatchObserver<Board> for MatchRun {
    fn game_begins(&self, id: GameId, names: ByColor<&str>, game: &GameSpec<Board>) {
        let mut progress = self.lock();
        let number = progress.next_id(id);
        let Ok(game) = WatchedGame::new(number, names, game) else {
            return;
        };
        game.start(&self.run);
        progress.games.insert(id, game);
    }

    fn game_event(&self, id: GameId, event: &GameEvent<Move>) {
        if let Some(game) = self.lock().games.get_mut(&id) {
            game.observe(&self.run, event);
        }
    }

    fn game_over(&self, tally: &Tally, played: &PlayedGame) {
        self.add(played);
        let mut throttle = self
            .standings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        throttle.mark_stale();
        throttle.update(|| self.set_standings(tally));
    }

    fn match_over(&self, tally: &Tally) {
        self.set_standings(tally);
    }
}

/// Returns a game of a log with a number, as a page shows it; `None` if it does not replay.
pub fn logged_game(number: u64, played: &PlayedGame) -> Option<GameView> {
    played_game(number, played).map(|game| game.view())
}

/// Returns a game of a log; `None` if it does not replay.
fn played_game(id: u64, played: &PlayedGame) -> Option<LiveGame> {
    let start = match &played.setup {
        Some(board) => board.parse().ok()?,
        None => Othello::default_setup()?,
    };
    let moves = Othello::read_moves(&start, &played.moves).ok()?;
    let (opening, rest) = moves.split_at_checked(played.opening_plies)?;
    let mut game = Game::new(start);
    opening.iter().try_for_each(|&mv| game.play(mv)).ok()?;
    let [black, white] = played.names.each_ref().map(String::as_str);
    let [black_limit, white_limit] = played.limits.map(|limit| *limit.clock().control());
    let mut clocks = ObservedClocks::new(ByColor {
        black: black_limit,
        white: white_limit,
    });
    let names = ByColor { black, white };
    let mut live = LiveGame::new(id, names, &game, allowed(clocks.clocks()));
    let mut thoughts = played.thoughts.iter();
    for &mv in rest {
        let color = game.side_to_move();
        let thought = if game.board().must_pass() {
            None
        } else {
            thoughts.next()
        };
        let took = thought.map(|thought| Duration::from_micros(thought.wall_us));
        let seen = took.map(|took| Thought {
            took,
            ..Thought::default()
        });
        clocks.update(&GameEvent::Moved(color, mv, seen));
        let details = MoveDetails {
            took,
            score: thought.and_then(|thought| thought.score),
            depth: thought.and_then(|thought| thought.depth),
        };
        game.play(mv).ok()?;
        live.play(mv, details, allowed(clocks.clocks()));
    }
    let faults = played.faults.iter().map(|(side, fault)| {
        let name = &played.names[*side as usize];
        format!("{}: {name} {fault}", Color::from(*side))
    });
    let cause = match played.result {
        GameResult::Played { .. } => "played to the end".to_owned(),
        GameResult::Forfeit { by } => match played.faults.first() {
            Some((side, fault)) => format!("{} {fault}", Color::from(*side)),
            None => format!("{} lost by a fault", Color::from(by)),
        },
    };
    let end = GameEnd {
        winner: Winner::of_decided(played.result.winner()),
        cause,
    };
    live.finish(end, faults.collect());
    Some(live)
}
