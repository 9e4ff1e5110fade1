//! A match from its log to its report.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use crate::Division;
use boardgame_io::{printable, stop_requested};
use boardgame_match::{
    EngineId, MatchObserver,
    calibrate::Round,
    contest::{Ending, Match, Openings},
    engine::Engine,
    log::{EngineEntry, Header, Log},
    record::RecordFormat,
    stats::Verdict,
    summary,
    tally::Tally,
};

use boardgame_files::shards::{Shard, program_version};

use crate::matches::{
    MatchError, MatchOptions, concurrency, progress::Progress, shards::ShardedMatch,
};

/// The exit status when a test is decided against the first engine.
const NOT_STRONGER: u8 = 3;

/// The subject of a match: the engines, the openings, and the rules.
pub struct Game<E: Engine, O> {
    /// The engines, with their limits.
    pub engines: Vec<E>,
    /// The openings.
    pub openings: O,
    /// A text that identifies the openings: equal only if all numbers give the same games.
    pub fingerprint: String,
    /// The options that change the rules of the game, for the log; empty if there are none.
    pub rules: String,
    /// The observer of the games while they are played. It first gets the games of the log.
    pub observer: Option<Arc<dyn MatchObserver<<E::Format as RecordFormat>::Game>>>,
}

/// Plays the missing games of a match or a shard, and writes the report to standard output.
///
/// # Errors
///
/// Fails if options do not go together, an engine does not start, or the log or the report cannot be written.
///
/// # Panics
///
/// Panics outside a tokio runtime with time and I/O enabled.
pub async fn run<E: Engine, O: Openings<E>>(
    options: &MatchOptions,
    game: Game<E, O>,
) -> Result<Ending, MatchError> {
    options.check(&game.engines)?;
    let schedule = options.schedule(game.engines.len())?;
    let program = program_version(env!("CARGO_PKG_VERSION"))?;
    let header = header(options, &game, schedule.form().family(), &program);
    let mut contest = Match {
        concurrency: concurrency(options.concurrency, &game.engines)?,
        engines: game.engines,
        openings: Arc::new(game.openings),
        schedule: schedule.clone(),
        tolerance: options.tolerance,
        patience: options.patience()?,
        sprt: options.sprt,
        seed: options.seed,
        observer: game.observer,
    };
    let sharded =
        |folder| ShardedMatch::new::<E::Format>(options, &header, &schedule, &program, folder);
    match options.shards.division() {
        None => {}
        Some(Division::Shard(shard, folder)) => {
            return play_shard(options, &header, &mut contest, &sharded(folder)?, shard).await;
        }
        Some(Division::Merge(folder)) => {
            sharded(folder)?.merge::<E::Format>(&options.log, &header)?;
        }
    }
    let (tally, ending) = play(options, &options.log, &header, &mut contest).await?;
    report(options, &contest, &tally, ending)?;
    Ok(ending)
}

/// Plays a shard of a match, unless its part is complete.
async fn play_shard<E: Engine, O: Openings<E>>(
    options: &MatchOptions,
    header: &Header,
    contest: &mut Match<E, O>,
    sharded: &ShardedMatch<'_>,
    shard: Shard,
) -> Result<Ending, MatchError> {
    let mut part = sharded.open(shard)?;
    if !part.is_complete() {
        contest.schedule = contest.schedule.clone().of_shard(shard);
        let (_, ending) = play(options, &sharded.log(shard), header, contest).await?;
        if ending != Ending::Complete {
            return Ok(ending);
        }
        sharded.complete::<E::Format>(shard, &mut part)?;
    }
    sharded.remove_log(shard)?;
    let text = format!("{} games in {}", part.records(), part.path().display());
    writeln!(io::stdout(), "{}", printable(&text))?;
    Ok(Ending::Complete)
}

/// Plays the games of a match that its log lacks.
async fn play<E: Engine, O: Openings<E>>(
    options: &MatchOptions,
    path: &Path,
    header: &Header,
    contest: &mut Match<E, O>,
) -> Result<(Tally, Ending), MatchError> {
    let (mut log, contents) = Log::open(path, header)?;
    if let Some(torn) = contents.torn {
        let text = format!("{}: {torn}", path.display());
        writeln!(io::stderr(), "{}", printable(&text))?;
    }
    let is_calibrated = !contents.limits.is_empty();
    for (engine, limit) in contents.limits {
        contest.engines[usize::from(engine.0)].set_limit(limit);
    }
    let forfeit = options.forfeit_score.or(E::Format::FORFEIT);
    let mut tally = Tally::new(contest.engines.len(), forfeit);
    let mut balance = options.balance(&contest.engines)?;
    for game in contest.games_of(&contents.games, forfeit) {
        tally.add::<E::Format>(game);
        if let Some(observer) = &contest.observer {
            observer.game_over(&tally, game);
        }
        if let Some(balance) = &mut balance {
            balance.add::<E::Format>(game);
        }
    }
    let is_ready = try_engines(contest, &tally).await?
        && (is_calibrated || calibrate(options, contest, &mut log).await?);
    if !is_ready {
        return Ok((tally, Ending::Cancelled));
    }
    let progress = Progress::new(contest, &tally);
    let observer = |tally: &Tally, played: &_| progress.add(tally, played);
    let balance = balance.as_mut();
    let run = contest.run(&mut log, &mut tally, balance, observer, stop_requested());
    let ending = run.await;
    progress.end();
    Ok((tally, ending?))
}

/// Returns the exit status of a program that has played a match.
pub fn exit_code(ending: Ending) -> ExitCode {
    match ending {
        Ending::Decided(Verdict::AcceptH0) => ExitCode::from(NOT_STRONGER),
        Ending::Complete | Ending::Decided(_) => ExitCode::SUCCESS,
        Ending::Cancelled => ExitCode::FAILURE,
    }
}

fn report<E: Engine, O>(
    options: &MatchOptions,
    contest: &Match<E, O>,
    tally: &Tally,
    ending: Ending,
) -> Result<(), MatchError> {
    let mut out = io::stdout().lock();
    summary::report(&mut out, contest, tally, ending)?;
    if let Some(engines) = options.matched(&contest.engines)? {
        summary::matched_cpu(&mut out, contest, tally, engines)?;
    }
    Ok(out.flush()?)
}

/// Refuses engines that do not start, unless the match is over; returns false if interrupted.
async fn try_engines<E: Engine, O: Openings<E>>(
    contest: &Match<E, O>,
    tally: &Tally,
) -> Result<bool, MatchError> {
    if contest.is_over(tally) {
        return Ok(true);
    }
    tokio::select! {
        tried = contest.try_engines() => match tried {
            Ok(()) => Ok(true),
            Err(error) => Err(MatchError::CannotStart(printable(&error.to_string()))),
        },
        () = stop_requested() => Ok(false),
    }
}

/// Finds and logs the limit that matches another engine's CPU time, if requested; returns false if
/// interrupted.
async fn calibrate<E: Engine, O: Openings<E>>(
    options: &MatchOptions,
    contest: &mut Match<E, O>,
    log: &mut Log<E::Format>,
) -> Result<bool, MatchError> {
    let Some([engine, like]) = options.matched(&contest.engines)? else {
        return Ok(true);
    };
    let limit = tokio::select! {
        limit = contest.calibrate(engine, like, report_round) => limit?,
        () = stop_requested() => return Ok(false),
    };
    log.append_limit(engine, limit)?;
    let EngineId(place) = engine;
    contest.engines[usize::from(place)].set_limit(limit);
    Ok(true)
}

/// Returns the identity of a match by a [version](program_version) of this program.
fn header<E: Engine, O>(
    options: &MatchOptions,
    game: &Game<E, O>,
    family: &str,
    program: &str,
) -> Header {
    let entry = |engine: &E| {
        let mut matched = options.match_cpu.iter();
        let limit = match matched.find(|(name, _)| name == engine.name()) {
            Some((_, like)) => format!("as {like}"),
            None => engine.limit().to_string(),
        };
        let build = engine.is_local().then(|| format!(" build={program}"));
        let fingerprint = engine.fingerprint().map(|text| format!(" {text}"));
        let version = [build, fingerprint].map(Option::unwrap_or_default);
        EngineEntry {
            name: engine.name().into(),
            spec: format!("{engine} limit={limit}{}", version.concat()),
        }
    };
    let time = humantime::format_duration;
    let times = format!(
        "tolerance={} patience={}",
        time(options.tolerance),
        time(options.patience)
    );
    Header {
        engines: game.engines.iter().map(entry).collect(),
        schedule: family.into(),
        openings: game.fingerprint.clone(),
        seed: options.seed,
        rules: format!("{times} {}", game.rules).trim_end().into(),
    }
}

/// Reports a round of the calibration.
fn report_round(round: &Round) {
    let estimate = &round.estimate;
    // Without standard error there is nowhere to report.
    let _ = writeln!(
        io::stderr(),
        "calibration: {} cost {:.3} s of CPU time a game, the other {:.3} s, ratio {:.3} ± {:.3}, \
         by {} games",
        round.limit.in_words(),
        estimate.cost,
        estimate.aim,
        estimate.ratio(),
        estimate.error,
        estimate.games,
    );
}
