//! Counts the moves that exceed their wall-clock limit while busy loops compete for the processors.
//!
//! `cargo run --release -p othello-engine --example late_moves -- move|game TIME MOVES [THREADS [BUSY [RESERVE]]]`
//!
//! The engine plays against itself from random openings until MOVES moves have been timed. Each side has its own table
//! and time account and, with `game`, its own clock. BUSY is the number of busy loops (default 2). TIME and RESERVE are
//! in milliseconds. The waits for a processor do not depend on the limit, so a short limit with a longer limit's
//! RESERVE stands for the longer limit.
#![allow(clippy::print_stdout)] // It is a program.

use std::{
    error::Error,
    fmt,
    hint::spin_loop,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use othello_core::{Board, ByColor, Move};
use othello_engine::{Clock, Engine, HashSize, Settings, ThreadCount, text::threads};

/// The number of random moves at the start of a game.
const OPENING: usize = 8;

/// The limit on the time of a side.
#[derive(Clone, Copy, Debug)]
enum Limit {
    OfMove(Duration),
    OfGame(Duration),
}

/// The times of moves relative to their limits.
#[derive(Default)]
struct Tally {
    moves: u64,
    late: u64,
    /// The largest excess over a limit.
    overshoot: Duration,
    /// The smallest time left within a limit.
    min_slack: Option<Duration>,
    longest: Duration,
    total: Duration,
}

impl Tally {
    fn add(&mut self, took: Duration, allowed: Duration) {
        self.moves += 1;
        self.total += took;
        self.longest = self.longest.max(took);
        self.late += u64::from(took > allowed);
        self.overshoot = self.overshoot.max(took.saturating_sub(allowed));
        let left = allowed.saturating_sub(took);
        self.min_slack = Some(self.min_slack.map_or(left, |least| least.min(left)));
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let mean = ms(self.total) / self.moves.max(1) as f64;
        write!(
            f,
            "{} moves, {} late, the largest overshoot {:.1} ms, the least time left {:.1} ms; mean {mean:.1} ms, \
             longest {:.1} ms",
            self.moves,
            self.late,
            ms(self.overshoot),
            ms(self.min_slack.unwrap_or_default()),
            ms(self.longest),
        )
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Run {
        limit,
        moves,
        busy,
        settings,
    } = read(&arguments)?;
    let over = AtomicBool::new(false);
    let tally = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        let tally = play_until(moves, limit, &settings);
        over.store(true, Ordering::Relaxed);
        tally
    });
    println!(
        "{limit:?}, threads {}, busy loops {busy}: {tally}",
        settings.threads
    );
    Ok(())
}

/// The arguments of the command line.
struct Run {
    limit: Limit,
    /// The number of moves to time.
    moves: u64,
    /// The number of busy loops.
    busy: usize,
    settings: Settings,
}

fn read(arguments: &[String]) -> Result<Run, Box<dyn Error>> {
    let [kind, time, moves, rest @ ..] = arguments else {
        return Err(
            "expected move or game, its time in milliseconds, and the number of moves".into(),
        );
    };
    let time = Duration::from_millis(time.parse()?);
    let limit = match kind.as_str() {
        "move" => Limit::OfMove(time),
        "game" => Limit::OfGame(time),
        other => return Err(format!("expected move or game, found {other}").into()),
    };
    let count = rest
        .first()
        .map_or(Ok(ThreadCount::MIN), |text| threads(text))?;
    let busy = rest.get(1).map_or(Ok(2), |text| text.parse())?;
    let reserve = rest
        .get(2)
        .map(|text| text.parse().map(Duration::from_millis));
    Ok(Run {
        limit,
        moves: moves.parse()?,
        busy,
        settings: Settings {
            threads: count,
            hash: HashSize::new(16).ok_or("expected a size of the table")?,
            reserve: reserve.transpose()?,
            ..Settings::default()
        },
    })
}

/// Plays games until `moves` moves have been timed.
fn play_until(moves: u64, limit: Limit, settings: &Settings) -> Tally {
    let mut engines = ByColor {
        black: Engine::new(settings.clone()),
        white: Engine::new(settings.clone()),
    };
    let mut tally = Tally::default();
    // Marsaglia's xorshift.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    while tally.moves < moves {
        let opening = opening(|| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        });
        for engine in [&mut engines.black, &mut engines.white] {
            engine.new_game();
        }
        play(opening, limit, &mut engines, &mut tally);
    }
    tally
}

/// The board after some random moves.
fn opening(mut random: impl FnMut() -> u64) -> Board {
    let mut board = Board::START;
    for _ in 0..OPENING {
        let moves = board.legal_moves();
        let chosen = (random() >> 32) as usize % (moves.count() as usize).max(1);
        let mv = moves
            .into_iter()
            .nth(chosen)
            .map_or(Move::Pass, Move::Place);
        if board.play(mv).is_err() {
            break;
        }
    }
    board
}

/// Plays a game until it ends or a side has used up its clock.
fn play(mut board: Board, limit: Limit, engines: &mut ByColor<Engine>, tally: &mut Tally) {
    let whole = match limit {
        Limit::OfMove(time) | Limit::OfGame(time) => time,
    };
    let mut left = ByColor {
        black: whole,
        white: whole,
    };
    while !board.is_over() {
        if board.must_pass() {
            board.play(Move::Pass).expect("the side must pass");
            continue;
        }
        let side = board.side_to_move();
        let clock = match limit {
            Limit::OfMove(time) => Clock {
                move_limit: Some(time),
                ..Clock::default()
            },
            Limit::OfGame(_) => Clock {
                remaining: Some(left[side]),
                ..Clock::default()
            },
        };
        let begun = Instant::now();
        let report = engines[side].choose(board, &clock);
        let took = begun.elapsed();
        tally.add(took, left[side]);
        if matches!(limit, Limit::OfGame(_)) {
            match left[side].checked_sub(took) {
                Some(rest) => left[side] = rest,
                None => return,
            }
        }
        let square = report.best.expect("there is a legal move");
        board.play(square).expect("the engine's moves are legal");
    }
}
