//! One game between two engines.

use std::{
    future, mem,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use boardgame_core::ByColor;
use boardgame_match::{
    GameId, GameOptions, GameReport, GameSpec, News, Outcome, Seat, conduct,
    fault::Fault,
    record::{GameResult, PlayedGame, RecordFormat as _, Side, Thought},
};
use boardgame_session::{self as session, Cause, GameEvent, SeatFault};
use othello_core::{Board, Color, Game, Move};

use crate::{
    engine_seat::{EngineSeat, OpenError},
    record::Othello,
};

/// The number of times that an engine is started for a game before the game is given up.
const MAX_ATTEMPTS: u32 = 3;

/// The bounds of a game: the seats bound each of its moves.
const OPTIONS: GameOptions = GameOptions {
    max_duration: Duration::MAX,
    max_moves: None,
    max_notes: 0,
    grace: Duration::from_secs(2),
};

/// Plays a game from an opening and tells `observer` of its events. A move may be late by `tolerance`.
///
/// Whatever the engines do, the game ends with a result: a fault is a loss. If an engine fails before the
/// game has begun, another attempt is made, up to three for each engine; so it is if a game cannot begin
/// again after an engine misread its opening.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled.
pub async fn play(
    id: GameId,
    opening: Game,
    mut seats: ByColor<&mut EngineSeat>,
    tolerance: Duration,
    mut observer: impl FnMut(&GameEvent<Move>),
) -> PlayedGame {
    let mut attempts = ByColor::new_with(|_| 1);
    let mut misreadings = Vec::new();
    loop {
        let mut end = attempt(&opening, &mut seats, tolerance, &mut observer).await;
        match end.may_retry_for {
            Some(by) if attempts[by] < MAX_ATTEMPTS => {
                tracing::debug!(engine = seats[by].spec().name, faults = ?end.faults, "tried to begin");
                attempts[by] += 1;
                end.faults
                    .retain(|(_, fault)| *fault == Fault::MisreadOpening);
                misreadings.append(&mut end.faults);
            }
            _ => {
                end.faults.splice(..0, misreadings);
                return end.record(id, &opening, &seats);
            }
        }
    }
}

/// The end of an attempt to play a game.
struct End {
    /// All moves, the opening's included.
    moves: Vec<Move>,
    thoughts: Vec<Thought>,
    result: GameResult,
    faults: Vec<(Side, Fault)>,
    /// The side whose engine failed before the game had begun, or had begun again, if another attempt may
    /// succeed.
    may_retry_for: Option<Color>,
}

async fn attempt(
    opening: &Game,
    seats: &mut ByColor<&mut EngineSeat>,
    tolerance: Duration,
    observer: &mut impl FnMut(&GameEvent<Move>),
) -> End {
    // The side to move comes last: a client that has connected is asked as soon as it is ready.
    let first = opening.side_to_move();
    for color in [!first, first] {
        if let Err(error) = seats[color].open(opening, color).await {
            seats[!color].end(OPTIONS.grace).await;
            return End::not_opened(opening, color, &error);
        }
    }
    let spec = GameSpec {
        opening: opening.moves().to_vec(),
        time: seats.as_ref().map(|seat| seat.time()),
        tolerance,
        ..GameSpec::new(opening.start())
    };
    let mut account = Account::default();
    let both = ByColor::<&mut (dyn Seat<Board> + 'static)> {
        black: &mut *seats.black,
        white: &mut *seats.white,
    };
    let listen = |_: &Board, news: News<'_, Move>| {
        if let News::Event(event) = news {
            account.take(event);
            observer(event);
        }
    };
    let keep = |_: &Board, _: &session::Verdict| future::ready(());
    let played = conduct(spec, both, listen, keep, &OPTIONS, future::pending()).await;
    let report = played.expect("the moves of an opening are legal");
    End::of(seats, report, account)
}

impl End {
    /// Returns the end of a game for which a seat could not be opened.
    fn not_opened(opening: &Game, by: Color, error: &OpenError) -> Self {
        Self {
            moves: opening.moves().to_vec(),
            thoughts: Vec::new(),
            result: GameResult::Forfeit { by: by.into() },
            faults: vec![(by.into(), error.fault())],
            may_retry_for: (!error.is_hang()).then_some(by),
        }
    }

    fn of(seats: &ByColor<&mut EngineSeat>, report: GameReport<Board>, account: Account) -> Self {
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
            // What goes wrong after the last move changes no result.
            result: GameResult::of(&report.position)
                .unwrap_or(GameResult::Forfeit { by: loser.into() }),
            moves: report.moves,
            thoughts: account.thoughts,
            faults,
            may_retry_for: (is_failed_start || is_failed_restart).then_some(loser),
        }
    }

    fn record(self, id: GameId, opening: &Game, seats: &ByColor<&mut EngineSeat>) -> PlayedGame {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let specs = seats.as_ref().map(|seat| seat.spec()).into_array();
        PlayedGame {
            game: Othello::GAME.map(str::to_owned),
            id,
            names: specs.map(|spec| spec.name.clone()),
            limits: specs.map(|spec| spec.limit),
            finished: now.map_or(0, |now| now.as_secs()),
            setup: Othello::write_setup(&opening.start()),
            moves: Othello::write_moves(&self.moves),
            opening_plies: opening.moves().len(),
            thoughts: self.thoughts,
            result: self.result,
            faults: self.faults,
        }
    }
}

/// Returns the side that lost a game otherwise than by the rules; the side to move if neither did.
fn loser(report: &GameReport<Board>) -> Color {
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
    let overtime = SeatFault::Overtime;
    matches!(cause, Some(Cause::Forfeit { fault, .. }) if *fault == overtime)
}

/// The account of the moves of a game.
#[derive(Debug, Default)]
struct Account {
    began: bool,
    restarted: bool,
    thoughts: Vec<Thought>,
    /// The CPU time of passes since the last disc of each side: programs of some formats think then.
    pass_cpu: ByColor<Duration>,
}

impl Account {
    fn take(&mut self, event: &GameEvent<Move>) {
        match event {
            GameEvent::Began => self.began = true,
            GameEvent::Restarted => {
                *self = Self {
                    restarted: true,
                    ..Self::default()
                }
            }
            GameEvent::Moved(color, Move::Pass, thought) => {
                self.pass_cpu[*color] += thought.cpu.unwrap_or_default();
            }
            GameEvent::Moved(color, Move::Place(_), thought) => {
                let before = mem::take(&mut self.pass_cpu[*color]);
                self.thoughts.push(recorded(thought, before));
            }
            GameEvent::Said(..) => {}
        }
    }
}

/// Returns a thought as records have it, with the CPU time of the passes before.
fn recorded(thought: &session::Thought, pass_cpu: Duration) -> Thought {
    let cpu = thought.cpu.map(|cpu| cpu + pass_cpu);
    Thought {
        wall_us: thought.took.as_micros() as u64,
        cpu_us: cpu.map(|cpu| cpu.as_micros() as u64),
        score: thought.score,
        depth: thought.depth,
        nodes: thought.nodes,
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Square;

    use super::*;

    fn moved(color: Color, mv: Move, cpu: u64) -> GameEvent<Move> {
        let thought = session::Thought {
            took: Duration::from_millis(1),
            cpu: Some(Duration::from_micros(cpu)),
            ..session::Thought::default()
        };
        GameEvent::Moved(color, mv, thought)
    }

    #[test]
    fn the_cpu_time_of_a_pass_counts_for_the_next_move_of_its_side() {
        let mut account = Account::default();
        for event in [
            GameEvent::Began,
            moved(Color::Black, Move::Pass, 5),
            moved(Color::White, Square::F5.into(), 10),
            moved(Color::Black, Square::F6.into(), 20),
            moved(Color::Black, Square::F7.into(), 30),
        ] {
            account.take(&event);
        }
        let cpu: Vec<_> = account.thoughts.iter().map(|said| said.cpu_us).collect();
        assert_eq!(cpu, [Some(10), Some(25), Some(30)]);
    }

    #[test]
    fn the_moves_before_a_restart_do_not_count() {
        let mut account = Account::default();
        account.take(&GameEvent::Began);
        account.take(&moved(Color::Black, Move::Pass, 5));
        account.take(&moved(Color::Black, Square::F5.into(), 5));
        account.take(&GameEvent::Restarted);
        account.take(&GameEvent::Began);
        account.take(&moved(Color::Black, Square::F5.into(), 20));
        let cpu: Vec<_> = account.thoughts.iter().map(|said| said.cpu_us).collect();
        assert_eq!(cpu, [Some(20)]);
    }
}
