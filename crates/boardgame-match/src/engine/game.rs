//! One game between two engines.

use std::{
    future, mem,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use boardgame_core::{ByColor, Color, Game};
use boardgame_session::{self as session, Cause, GameEvent};

use super::{Engine, EngineSeat, OpenError, Rules};
use crate::{
    GameId, GameOptions, GameReport, GameSpec, News, Outcome, Seat, conduct,
    fault::Fault,
    record::{GameResult, PlayedGame, RecordFormat, Side, Thought},
};

/// The maximum number of starts of an engine for one game.
const MAX_ATTEMPTS: u32 = 3;

/// The bounds of a game; the seats limit each move.
const OPTIONS: GameOptions = GameOptions {
    max_duration: Duration::MAX,
    max_notes: 0,
    grace: Duration::from_secs(2),
};

/// Plays a game and tells `observer` of its events. Each side has the time of its engine.
///
/// Whatever the engines do, the game ends with a result: a fault is a loss. If an engine fails before the game
/// has started, or restarted after a misread opening, the game is tried again, up to three times for each
/// engine.
///
/// # Panics
///
/// Panics if a move of the opening is illegal, if neither the rules nor a scorer gives the result of a game that
/// is over, and outside a tokio runtime with time and I/O enabled.
pub async fn play<E: Engine>(
    id: GameId,
    game: &GameSpec<Rules<E>>,
    mut seats: ByColor<&mut EngineSeat<E>>,
    mut observer: impl FnMut(&GameEvent<<Rules<E> as Game>::Move>),
) -> PlayedGame {
    let mut attempts = ByColor::new_with(|_| 1);
    let mut misreadings = Vec::new();
    loop {
        let mut end = attempt(game, &mut seats, &mut observer).await;
        match end.may_retry_for {
            Some(by) if attempts[by] < MAX_ATTEMPTS => {
                let name = seats[by].engine().name();
                tracing::debug!(engine = name, faults = ?end.faults, "tried to begin");
                attempts[by] += 1;
                end.faults
                    .retain(|(_, fault)| *fault == Fault::MisreadOpening);
                misreadings.append(&mut end.faults);
            }
            _ => {
                end.faults.splice(..0, misreadings);
                return end.record(id, game, &seats);
            }
        }
    }
}

/// The end of an attempt to play a game.
struct End<G: Game> {
    /// All moves, the opening's included.
    moves: Vec<G::Move>,
    thoughts: Vec<Thought>,
    result: GameResult,
    faults: Vec<(Side, Fault)>,
    /// The side whose engine failed before the game had started or restarted, if another attempt may succeed.
    may_retry_for: Option<Color>,
}

async fn attempt<E: Engine>(
    game: &GameSpec<Rules<E>>,
    seats: &mut ByColor<&mut EngineSeat<E>>,
    observer: &mut impl FnMut(&GameEvent<<Rules<E> as Game>::Move>),
) -> End<Rules<E>> {
    let position = game.position();
    // The side to move comes last: a client that has connected is asked as soon as it is ready.
    let first = position.side_to_move();
    for color in [!first, first] {
        if let Err(error) = seats[color].open(game, color).await {
            seats[!color].end(OPTIONS.grace).await;
            return End::not_opened(game, color, &error);
        }
    }
    let spec = GameSpec {
        time: seats.as_ref().map(|seat| seat.time()),
        ..game.clone()
    };
    let mut account = Account::new(position);
    let both = ByColor::<&mut (dyn Seat<Rules<E>> + 'static)> {
        black: &mut *seats.black,
        white: &mut *seats.white,
    };
    let listen = |_: &Rules<E>, news: News<'_, _>| {
        if let News::Event(event) = news {
            account.take(event);
            observer(event);
        }
    };
    let keep = |_: &Rules<E>, _: &session::Verdict| future::ready(());
    let played = conduct(spec, both, listen, keep, &OPTIONS, future::pending()).await;
    let report = played.expect("the moves of an opening are legal");
    End::of(seats, report, account)
}

impl<G: Game> End<G> {
    /// Returns the end of a game for which a seat could not be opened.
    fn not_opened(game: &GameSpec<G>, by: Color, error: &OpenError) -> Self {
        Self {
            moves: game.opening.clone(),
            thoughts: Vec::new(),
            result: GameResult::Forfeit { by: by.into() },
            faults: vec![(by.into(), error.fault())],
            may_retry_for: (!error.is_late()).then_some(by),
        }
    }

    fn of<E: Engine<Format: RecordFormat<Game = G>>>(
        seats: &mut ByColor<&mut EngineSeat<E>>,
        report: GameReport<G>,
        account: Account<G>,
    ) -> Self {
        let loser = loser(&report);
        let mut faults = Vec::new();
        for color in [loser, !loser] {
            let of_color = seats[color].faults_in(&report).into_iter();
            faults.extend(of_color.map(|fault| (Side::from(color), fault)));
        }
        let is_failed_start = !account.began
            && !has_hung(&report.outcome)
            && matches!(faults.first(), Some((_, Fault::NotStarted { .. })));
        let is_failed_restart = !account.began
            && account.restarted
            && matches!(faults.first(), Some((_, Fault::MisreadOpening)));
        Self {
            result: result(&report, loser),
            moves: report.moves,
            thoughts: account.thoughts,
            faults,
            may_retry_for: (is_failed_start || is_failed_restart).then_some(loser),
        }
    }

    fn record<E: Engine<Format: RecordFormat<Game = G>>>(
        self,
        id: GameId,
        game: &GameSpec<G>,
        seats: &ByColor<&mut EngineSeat<E>>,
    ) -> PlayedGame {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let engines = seats.as_ref().map(|seat| seat.engine()).into_array();
        PlayedGame {
            game: E::Format::GAME.map(str::to_owned),
            id,
            names: engines.map(|engine| engine.name().to_owned()),
            limits: engines.map(Engine::limit),
            finished: now.map_or(0, |now| now.as_secs()),
            setup: E::Format::write_setup(&game.setup),
            moves: E::Format::write_moves(&self.moves),
            opening_plies: game.opening.len(),
            thoughts: self.thoughts,
            result: self.result,
            faults: self.faults,
        }
    }
}

/// Returns the result of a game. Faults after the last move do not change it.
fn result<G: Game>(report: &GameReport<G>, loser: Color) -> GameResult {
    let unscored = Outcome::Unscored;
    assert_ne!(report.outcome, unscored, "the rules do not score the game");
    let margin = report.outcome.verdict().and_then(|verdict| verdict.margin);
    let scored = margin.map(|margin| GameResult::Played { margin });
    let by_rules = GameResult::of(&report.position).or(scored);
    by_rules.unwrap_or(GameResult::Forfeit { by: loser.into() })
}

/// Returns the side that lost a game otherwise than by the rules; the side to move if neither did.
fn loser<G: Game>(report: &GameReport<G>) -> Color {
    let loser = match &report.outcome {
        Outcome::Decided(verdict) => verdict.cause.culprit(),
        Outcome::NotStarted { seat } => Some(*seat),
        _ => None,
    };
    loser.unwrap_or(report.position.side_to_move())
}

/// Returns whether a side lost because it did not answer.
fn has_hung(outcome: &Outcome) -> bool {
    let cause = outcome.verdict().map(|verdict| &verdict.cause);
    cause.is_some_and(Cause::is_overtime)
}

/// The account of the moves of a game.
#[derive(Debug)]
struct Account<G> {
    /// The position after the opening.
    opening: G,
    position: G,
    began: bool,
    restarted: bool,
    thoughts: Vec<Thought>,
    /// The CPU time of each side's forced moves since its last chosen move: in some formats programs think then.
    forced_cpu: ByColor<Duration>,
}

impl<G: Game> Account<G> {
    fn new(opening: G) -> Self {
        Self {
            position: opening.clone(),
            opening,
            began: false,
            restarted: false,
            thoughts: Vec::new(),
            forced_cpu: ByColor::default(),
        }
    }

    fn take(&mut self, event: &GameEvent<G::Move>) {
        match event {
            GameEvent::Began => self.began = true,
            GameEvent::Restarted => {
                *self = Self {
                    restarted: true,
                    ..Self::new(self.opening.clone())
                }
            }
            GameEvent::Moved(color, mv, thought) => {
                if self.position.forced_move().is_some() {
                    let cpu = thought.and_then(|thought| thought.cpu);
                    self.forced_cpu[*color] += cpu.unwrap_or_default();
                } else if let Some(thought) = thought {
                    let before = mem::take(&mut self.forced_cpu[*color]);
                    self.thoughts.push(recorded(thought, before));
                }
                let played = self.position.play(*mv);
                played.expect("the conductor announces legal moves");
            }
            GameEvent::Said(..) => {}
        }
    }
}

/// Returns a thought for the record, including the CPU time of the preceding forced moves.
fn recorded(thought: &session::Thought, forced_cpu: Duration) -> Thought {
    let cpu = thought.cpu.map(|cpu| cpu + forced_cpu);
    Thought {
        wall_us: thought.took.as_micros() as u64,
        cpu_us: cpu.map(|cpu| cpu.as_micros() as u64),
        score: thought.score,
        depth: thought.depth,
        nodes: thought.nodes,
        book: thought.from_book,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::countdown::Countdown;

    fn moved(color: Color, taken: u32, cpu: u64) -> GameEvent<u32> {
        let thought = session::Thought {
            took: Duration::from_millis(1),
            cpu: Some(Duration::from_micros(cpu)),
            ..session::Thought::default()
        };
        GameEvent::Moved(color, taken, Some(thought))
    }

    /// The CPU times on record of a game of 14 counters: with 13 left a pass is forced.
    fn cpu_times(events: &[GameEvent<u32>]) -> Vec<Option<u64>> {
        let mut account = Account::new(Countdown::new(&14));
        for event in events {
            account.take(event);
        }
        account.thoughts.iter().map(|said| said.cpu_us).collect()
    }

    #[test]
    fn the_cpu_time_of_a_pass_counts_for_the_next_move_of_its_side() {
        let cpu = cpu_times(&[
            GameEvent::Began,
            moved(Color::Black, 1, 10),
            moved(Color::White, 0, 5),
            moved(Color::Black, 1, 20),
            moved(Color::White, 1, 20),
            moved(Color::Black, 1, 30),
            moved(Color::White, 1, 40),
        ]);
        assert_eq!(cpu, [10, 20, 25, 30, 40].map(Some));
    }

    #[test]
    fn the_moves_before_a_restart_do_not_count() {
        let cpu = cpu_times(&[
            GameEvent::Began,
            moved(Color::Black, 1, 10),
            moved(Color::White, 0, 5),
            GameEvent::Restarted,
            GameEvent::Began,
            moved(Color::Black, 2, 20),
            moved(Color::White, 1, 30),
        ]);
        assert_eq!(cpu, [20, 30].map(Some));
    }
}
