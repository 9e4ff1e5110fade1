//! The searches of an analysis.

use std::{
    ops::RangeInclusive,
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use boardgame_cli::ExitCode;
use boardgame_io::{block_on, stop_requested};
use go_core::{Color, Game, Move, Position};
use go_engine::Settings;
use go_match::Judge;
use go_search::{Limits, Searcher, TimeBudget};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Args;

/// The number of playouts for a position if nothing else limits its search.
const PLAYOUTS: u32 = 2000;

/// The number of positions in succession for which one thread keeps its trees. With a limit of playouts, their values
/// do not depend on the number of threads.
const CHUNK: usize = 16;

/// The maximum number of candidates of a position.
const MAX_MOVES: usize = 5;

/// The maximum number of moves of a line.
const MAX_LINE: usize = 10;

/// The values of a game's positions.
pub(super) struct Analysis {
    /// The positions before each move, with the side that makes it on the move, and at the end.
    pub(super) positions: Vec<(Position, Option<PositionResult>)>,
    /// The limits of each search, for people.
    pub(super) limits: String,
    pub(super) is_interrupted: bool,
}

impl Analysis {
    /// Creates the analysis of a game without any searches.
    pub(super) fn without_searches(game: &Game) -> Self {
        Self {
            positions: positions(game).into_iter().map(|it| (it, None)).collect(),
            limits: String::new(),
            is_interrupted: false,
        }
    }
}

/// The value of a position or move for Black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    /// The share of simulations that Black wins, 0 to 1.
    pub(super) win_rate: f64,
    /// Black's mean margin in points, with komi.
    pub(super) lead: f64,
}

/// The result of the search of a position.
pub(super) struct PositionResult {
    pub(super) value: Value,
    pub(super) playouts: u32,
    /// The moves searched most, the engine's choice first.
    pub(super) moves: Vec<Candidate>,
}

/// A move that was searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) playouts: u32,
    pub(super) value: Value,
    /// The line that begins with the move.
    pub(super) line: Vec<Move>,
}

impl Value {
    fn new(side: Color, win_rate: f32, margin: f32) -> Self {
        let (win_rate, lead) = (f64::from(win_rate), f64::from(margin));
        match side {
            Color::Black => Self { win_rate, lead },
            Color::White => Self {
                win_rate: 1.0 - win_rate,
                lead: -lead,
            },
        }
    }

    /// Returns the mean of all simulations, if there are any: the result of the best move alone is too high, since it
    /// is partly best by chance, and so every move would seem to lose.
    fn mean(moves: &[Candidate]) -> Option<Self> {
        let playouts: u32 = moves.iter().map(|it| it.playouts).sum();
        let mean = |of: fn(Self) -> f64| {
            let sum: f64 = moves
                .iter()
                .map(|it| f64::from(it.playouts) * of(it.value))
                .sum();
            sum / f64::from(playouts)
        };
        (playouts > 0).then(|| Self {
            win_rate: mean(|value| value.win_rate),
            lead: mean(|value| value.lead),
        })
    }

    /// Returns the value of a position by the count of a judge.
    fn judged(position: &Position) -> Self {
        let lead = Judge::default().judge(position).margin.points();
        Self {
            win_rate: match lead {
                0.0 => 0.5,
                _ => f64::from(u8::from(lead > 0.0)),
            },
            lead,
        }
    }
}

/// Searches the positions of a game after these numbers of moves.
pub(super) fn run(args: &Args, game: &Game, wanted: RangeInclusive<usize>) -> Analysis {
    let positions = positions(game);
    let wanted = *wanted.start()..*wanted.end() + 1;
    let count = wanted.len();
    let cpus = thread::available_parallelism();
    let threads = args.threads.or(cpus.ok()).map_or(1, usize::from);
    // With a time for all, each thread has an equal share of the positions.
    let chunk = args.time.map_or(CHUNK, |_| count.div_ceil(threads));
    let threads = threads.min(count.div_ceil(chunk));
    let share = |time: Duration| time.div_f64(chunk as f64);
    let time = args.time.map(share).or(args.options.move_time);
    let playouts = (args.options.playouts).or_else(|| time.is_none().then_some(PLAYOUTS));
    let stop = Arc::default();
    watch_signals(Arc::clone(&stop));
    let limits = Limits {
        playouts,
        time: time.map(|hard| TimeBudget {
            soft: Duration::MAX,
            hard,
        }),
        stop: Some(Arc::clone(&stop)),
        ..Limits::default()
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} positions, {eta} left") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(wanted.start);
    let found = Mutex::new(positions.iter().map(|_| None).collect::<Vec<_>>());
    let work = || {
        let settings = Settings::from(&args.options);
        // Results are rounded against the side that searches, so each side has a tree.
        let mut searchers = [settings.searcher(), settings.searcher()];
        loop {
            let first = next.fetch_add(chunk, Relaxed);
            searchers.iter_mut().for_each(Searcher::clear);
            let numbered = positions[..wanted.end].iter().enumerate();
            for (number, position) in numbered.skip(first).take(chunk) {
                let searcher = &mut searchers[position.side_to_move() as usize];
                let searched = search(searcher, position, &limits);
                if stop.load(Relaxed) {
                    return;
                }
                found.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(searched);
                bar.inc(1);
            }
            if first >= wanted.end {
                return;
            }
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    bar.finish_and_clear();
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let per = |time: Duration| {
        let time = Duration::from_secs_f64((time.as_secs_f64() * 1e3).round() / 1e3);
        format!("{} a position", humantime::format_duration(time))
    };
    let limits = [
        playouts.map(|it| format!("{it} playouts a position")),
        time.map(per),
    ];
    Analysis {
        positions: positions.into_iter().zip(found).collect(),
        limits: limits.into_iter().flatten().collect::<Vec<_>>().join(", "),
        is_interrupted: stop.load(Relaxed),
    }
}

/// Returns the positions before each move, with the side that makes it on the move, and at the end.
fn positions(game: &Game) -> Vec<Position> {
    let mut position = Position::new(game.setup());
    let mut positions = Vec::new();
    for &(color, mv) in game.moves() {
        position.resume();
        position.set_side_to_move(color);
        positions.push(position.clone());
        let played = position.play(mv);
        debug_assert!(played.is_ok(), "the moves of a game are legal");
    }
    positions.push(position);
    positions
}

/// Searches a position; one without a choice, or at the end of the game, is counted.
fn search(searcher: &mut Searcher, position: &Position, limits: &Limits) -> PositionResult {
    let report = searcher.search(position, limits);
    let side = position.side_to_move();
    let visited = report.candidates.iter().filter(|it| it.visits > 0);
    let mut moves: Vec<Candidate> = visited
        .map(|it| Candidate {
            mv: it.mv,
            playouts: it.visits,
            value: Value::new(side, it.win_rate, it.margin),
            line: Vec::new(),
        })
        .collect();
    moves.sort_by_key(|it| it.mv != report.best);
    let value = match Value::mean(&moves) {
        Some(mean) if moves[0].mv == report.best => mean,
        _ => Value::judged(position),
    };
    moves.truncate(MAX_MOVES);
    for found in &mut moves {
        found.line = searcher.line_after(found.mv);
        found.line.truncate(MAX_LINE);
    }
    PositionResult {
        value,
        playouts: report.playouts,
        moves,
    }
}

/// Sets a flag at the first signal that asks the process to stop, and ends the process at the second.
fn watch_signals(stop: Arc<AtomicBool>) {
    thread::spawn(move || {
        let signals = block_on(async {
            stop_requested().await;
            stop.store(true, Relaxed);
            stop_requested().await;
        });
        // If signals cannot be watched, they end the process as usual.
        if signals.is_ok() {
            process::exit(ExitCode::Interrupted.into());
        }
    });
}
