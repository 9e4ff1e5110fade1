//! `othello match`: matches between engines.

mod engines;
mod progress;
mod tables;

use std::{
    collections::BTreeSet,
    env, fs,
    io::{self, Write as _},
    num::NonZeroUsize,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    thread::available_parallelism,
    time::Duration,
};

use anyhow::{Context as _, anyhow, ensure};
use boardgame_cli::{any_duration, duration};
use boardgame_match::{
    calibrate::{Balance, Round},
    engine::Patience,
    log::{EngineEntry, Header, Log, LogError},
    record::PlayedGame,
    runner::Ending,
    schedule::{self, Schedule},
    stats::{Sprt, SprtSettings, Verdict},
    tally::Tally,
};
use clap::ValueEnum;
use othello_match::{
    calibrate,
    engine::{EngineSpec, Kind},
    openings::{Openings, Source},
    record::Othello,
    runner::{self, Match},
};

use self::{engines::Engines, progress::Progress};
use boardgame_cli::terminal::printable;

const EXAMPLES: &str = "\
Examples:
  Does a larger table pay at equal time? Stop as soon as 5 Elo are proved or refuted:
    othello match -e big=own:hash=64 -e small=own:hash=4 -l move:50ms --games 20000 --sprt --log hash.jsonl
  Ours against a program that speaks GTP, at the CPU time that it takes at its level:
    othello match -e ours=own -l ours=nodes:100000 -e edax='gtp:edax -gtp -l 8' --match-cpu ours=edax --log edax.jsonl
  A tournament of the engines in a file, first Swiss:
    othello match --engines field.toml --form swiss --rounds 7 --openings start --log swiss.jsonl

A match that was stopped goes on when it is started again with the same log. Raise --games to
extend it; a round robin is filled out with --form double-round-robin.

Exit status:
  0  all games are played, or the test is decided for the first engine
  1  an error, such as an engine that does not start, or the match was called off
  2  wrong command line
  3  the test is decided against the first engine";

/// The exit status when a test is decided against the first engine.
const NOT_STRONGER: u8 = 3;

/// Plays matches between engines of any protocol and tells who is stronger.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: Engines,
    /// The form of the match
    #[arg(long, value_enum, default_value_t = Form::Pairs)]
    form: Form,
    /// The games between every two engines that meet in pairs or a gauntlet, an even number: each
    /// opening is played twice, colours swapped [default: 100]
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<u32>,
    /// The rounds of a round robin or a Swiss tournament [default: 1 of a round robin, enough to
    /// find the best of a Swiss]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Where games begin: start, xot (10,784 lines of 8 plies), random:PLIES, or a file of
    /// transcripts or OBF positions, one a line
    #[arg(long, value_name = "SOURCE", default_value = "xot")]
    openings: Source,
    /// Shuffles the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop two engines as soon as the test of two hypotheses on the first one's Elo is decided;
    /// [defaults: elo0=0, elo1=5, alpha=0.05, beta=0.05]
    #[arg(long, value_name = "BOUNDS", num_args = 0..=1, default_missing_value = "", value_parser = sprt)]
    sprt: Option<Sprt>,
    /// Scale the limit of one engine, our own, until its games cost as much CPU time as those of
    /// another, in games before the match, and go on in the match so that all its games together do
    #[arg(long, value_name = "OURS=OTHER", value_parser = two_names)]
    match_cpu: Option<(String, String)>,
    /// The number of games played at a time [default: 1 where a clock runs, else one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The time that a move may take beyond its limit before it is late
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = any_duration)]
    tolerance: Duration,
    /// The time after which an engine without a clock counts as hung. Starting may take 30s, and 20s
    /// in the formats sloan and lth
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    patience: Duration,
    /// The file that keeps every game as a line of JSON; an interrupted match goes on from it
    #[arg(long, value_name = "FILE", default_value = "match.jsonl")]
    log: PathBuf,
}

/// The form of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Two engines, in pairs of games
    Pairs,
    /// The first engine against each other one, in pairs of games
    Gauntlet,
    /// Each against each, one game a round
    RoundRobin,
    /// Each against each, with both colours in each round
    DoubleRoundRobin,
    /// Rounds in which engines of equal points meet; the order of the engines is their seeding
    Swiss,
}

fn even(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let even = number.filter(|number: &u32| number.is_multiple_of(2) && *number > 0);
    even.ok_or_else(|| "expected an even number of games, at least 2".into())
}

/// Reads the settings of a sequential test, such as `elo0=0,elo1=10,alpha=0.01`.
fn sprt(text: &str) -> Result<Sprt, String> {
    let mut settings = SprtSettings::default();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let expected =
            || format!("expected elo0=, elo1=, alpha= or beta= with a number, found {part:?}");
        let (key, value) = part.split_once('=').ok_or_else(expected)?;
        let value = value.parse().map_err(|_| expected())?;
        match key {
            "elo0" => settings.elo0 = value,
            "elo1" => settings.elo1 = value,
            "alpha" => settings.alpha = value,
            "beta" => settings.beta = value,
            _ => return Err(expected()),
        }
    }
    Sprt::new(settings).map_err(|error| error.to_string())
}

fn two_names(text: &str) -> Result<(String, String), String> {
    let names = text.split_once('=');
    names
        .map(|(one, other)| (one.to_owned(), other.to_owned()))
        .ok_or_else(|| "expected NAME=NAME: the engine to limit, and the one to match".into())
}

/// Plays a match, or the games that its log lacks, and prints the results.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let engines = args.engines.read()?;
    args.check(&engines)?;
    let openings = Openings::load(&args.openings, args.seed)?;
    let schedule = Schedule::new(args.form(engines.len()), engines.len())?;
    let header = args.header(&engines, &openings, &schedule)?;
    let mut contest = Match {
        concurrency: args.concurrency(&engines)?,
        engines,
        openings: Arc::new(openings),
        schedule,
        tolerance: args.tolerance,
        patience: Patience {
            untimed: args.patience,
            ..Patience::default()
        },
        sprt: args.sprt,
    };
    contest.check()?;
    let (mut log, contents) = Log::open(&args.log, &header).map_err(|error| match error {
        LogError::OtherMatch { .. } => anyhow!("{error}; --log names another file"),
        error => error.into(),
    })?;
    if let Some(torn) = contents.torn {
        writeln!(io::stderr(), "{}: {torn}", args.log.display())?;
    }
    let calibrated = !contents.limits.is_empty();
    for (engine, limit) in contents.limits {
        contest.engines[usize::from(engine.0)].limit = limit;
    }
    let mut tally = Tally::new(contest.engines.len());
    let mut balance = args.balance(&contest.engines)?;
    for game in games_of(&contest.schedule, &contents.games) {
        tally.add::<Othello>(game);
        if let Some(balance) = &mut balance {
            balance.add::<Othello>(game);
        }
    }
    let playing = async {
        if !try_engines(&contest, &tally).await? {
            return Ok(Ending::Cancelled);
        }
        if !calibrated && !args.calibrate(&mut contest, &mut log).await? {
            return Ok(Ending::Cancelled);
        }
        args.play(&contest, &mut log, &mut tally, balance.as_mut())
            .await
    };
    let ending = othello_net::block_on(playing)??;
    let mut out = io::stdout().lock();
    tables::report(&mut out, &contest, &tally, ending)?;
    if let Some((engine, like)) = &args.match_cpu {
        let [engine, like] = [engine, like].map(|name| engines::find(&contest.engines, name));
        tables::matched_cpu(&mut out, &contest, &tally, [engine?, like?])?;
    }
    out.flush()?;
    Ok(match ending {
        Ending::Decided(Verdict::AcceptH0) => ExitCode::from(NOT_STRONGER),
        Ending::Complete | Ending::Decided(_) => ExitCode::SUCCESS,
        Ending::Cancelled => ExitCode::FAILURE,
    })
}

/// Refuses engines that do not start, unless none is needed any more. Returns true if it was not interrupted.
async fn try_engines(contest: &Match, tally: &Tally) -> anyhow::Result<bool> {
    if contest.is_over(tally) {
        return Ok(true);
    }
    tokio::select! {
        tried = contest.try_engines() => match tried {
            Ok(()) => Ok(true),
            Err(error) => Err(anyhow!(printable(&error.to_string()))),
        },
        () = othello_net::stop_requested() => Ok(false),
    }
}

/// The games on record that are part of a schedule: a log may hold those of a larger one.
fn games_of<'a>(
    schedule: &Schedule,
    games: &'a [PlayedGame],
) -> impl Iterator<Item = &'a PlayedGame> {
    let results = games.iter().map(|game| (game.id, game.result)).collect();
    let known: BTreeSet<_> = schedule.known(&results).into_iter().collect();
    games.iter().filter(move |game| known.contains(&game.id))
}

impl Args {
    /// Refuses options that contradict each other.
    fn check(&self, engines: &[EngineSpec]) -> anyhow::Result<()> {
        let in_pairs = matches!(self.form, Form::Pairs | Form::Gauntlet);
        ensure!(
            in_pairs || self.games.is_none(),
            "expected --rounds for a tournament, found --games"
        );
        ensure!(
            !in_pairs || self.rounds.is_none(),
            "expected --games for pairs and gauntlets, found --rounds"
        );
        ensure!(
            self.form != Form::Pairs || engines.len() == 2,
            "expected two engines for pairs, found {}; --form names other forms",
            engines.len()
        );
        ensure!(
            self.form == Form::Pairs || self.sprt.is_none(),
            "expected --sprt with --form pairs only: it tests the difference of two engines"
        );
        let Some((engine, like)) = &self.match_cpu else {
            return Ok(());
        };
        let [scaled, other] = [engine, like].map(|name| engines::find(engines, name));
        let (scaled, other) = (scaled?, other?);
        ensure!(
            scaled != other,
            "expected two engines in --match-cpu, found {engine} twice"
        );
        let spec = &engines[usize::from(scaled.0)];
        ensure!(
            matches!(spec.kind, Kind::Own(_)),
            "expected our own engine first in --match-cpu, found {engine}"
        );
        ensure!(
            spec.limit.scaled(1.0).is_some(),
            "expected a limit of {engine} that --match-cpu can scale, such as nodes:20000 or \
             move:50ms, found {:?}",
            spec.limit.to_string()
        );
        Ok(())
    }

    /// The balance of the costs of two engines during the match, if that is asked for.
    fn balance(&self, engines: &[EngineSpec]) -> anyhow::Result<Option<Balance>> {
        let Some((engine, like)) = &self.match_cpu else {
            return Ok(None);
        };
        let [engine, like] = [engine, like].map(|name| engines::find(engines, name));
        Ok(Some(Balance::new(engine?, like?)))
    }

    /// Finds and keeps the limit that matches another engine's CPU time, if that is asked for.
    /// Returns true if it was not interrupted.
    async fn calibrate(&self, contest: &mut Match, log: &mut Log<Othello>) -> anyhow::Result<bool> {
        let Some((engine, like)) = &self.match_cpu else {
            return Ok(true);
        };
        let [engine, like] = [engine, like].map(|name| engines::find(&contest.engines, name));
        let (engine, like) = (engine?, like?);
        let calibrated = calibrate::calibrate(contest, engine, like, report_round);
        let limit = tokio::select! {
            limit = calibrated => limit?,
            () = othello_net::stop_requested() => return Ok(false),
        };
        log.append_limit(engine, limit)?;
        contest.engines[usize::from(engine.0)].limit = limit;
        Ok(true)
    }

    /// Plays the missing games.
    async fn play(
        &self,
        contest: &Match,
        log: &mut Log<Othello>,
        tally: &mut Tally,
        balance: Option<&mut Balance>,
    ) -> anyhow::Result<Ending> {
        let progress = Progress::new(contest, tally);
        let observer = |tally: &Tally, played: &_| progress.add(tally, played);
        let stop = othello_net::stop_requested();
        let ending = runner::run(contest, log, tally, balance, observer, stop).await;
        progress.end();
        Ok(ending?)
    }

    fn form(&self, engines: usize) -> schedule::Form {
        let pairs = self.games.unwrap_or(100) / 2;
        let cycles = self.rounds.unwrap_or(1);
        match self.form {
            Form::Pairs => schedule::Form::Pairs { pairs },
            Form::Gauntlet => schedule::Form::Gauntlet { pairs },
            Form::RoundRobin => schedule::Form::RoundRobin { cycles },
            Form::DoubleRoundRobin => schedule::Form::DoubleRoundRobin { cycles },
            Form::Swiss => schedule::Form::Swiss {
                rounds: self.rounds.unwrap_or(engines.next_power_of_two().ilog2()),
            },
        }
    }

    /// Returns the identity of the match.
    fn header(
        &self,
        engines: &[EngineSpec],
        openings: &Openings,
        schedule: &Schedule,
    ) -> anyhow::Result<Header> {
        let build = build()?;
        let entry = |engine: &EngineSpec| {
            let like = self
                .match_cpu
                .as_ref()
                .filter(|(name, _)| *name == engine.name);
            let limit = match like {
                Some((_, like)) => format!("as {like}"),
                None => engine.limit.to_string(),
            };
            let version = match &engine.kind {
                Kind::Own(settings) => {
                    let weights = settings.weights.as_ref();
                    let weights = weights.map(|file| format!(" weights={:08x}", file.checksum()));
                    format!(" build={build}{}", weights.unwrap_or_default())
                }
                Kind::Program { .. } => String::new(),
            };
            EngineEntry {
                name: engine.name.clone(),
                spec: format!("{} limit={limit}{version}", engine.log_text()),
            }
        };
        let time = humantime::format_duration;
        Ok(Header {
            engines: engines.iter().map(entry).collect(),
            schedule: schedule.form().family().into(),
            openings: openings.fingerprint().into(),
            seed: self.seed,
            rules: format!(
                "tolerance={} patience={}",
                time(self.tolerance),
                time(self.patience)
            ),
        })
    }

    /// Returns the number of games played at a time: where a clock runs, no more than there are processors
    /// for, and by default one, so that nothing but the engines' own work takes their time.
    fn concurrency(&self, engines: &[EngineSpec]) -> anyhow::Result<NonZeroUsize> {
        let processors = available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = engines.iter().map(EngineSpec::threads).max().unwrap_or(1);
        let room = NonZeroUsize::new(processors / threads).unwrap_or(NonZeroUsize::MIN);
        let timed = engines
            .iter()
            .any(|engine| engine.limit.is_timed() || matches!(engine.kind, Kind::Program { .. }));
        match self.concurrency {
            None if timed => Ok(NonZeroUsize::MIN),
            None => Ok(room),
            Some(games) => {
                ensure!(
                    !timed || games <= room,
                    "expected at most {room} games at a time: each takes {threads} of the \
                     {processors} processors, and more would take time from each other's clocks"
                );
                Ok(games)
            }
        }
    }
}

/// Returns the identity of our engine's build: the version and a checksum of the program.
fn build() -> anyhow::Result<String> {
    let program = env::current_exe().and_then(fs::read);
    let checksum = crc32fast::hash(&program.context("this program's own file")?);
    Ok(format!("{}-{checksum:08x}", env!("CARGO_PKG_VERSION")))
}

/// Tells of a round of the calibration.
fn report_round(round: &Round) {
    // An error of standard error cannot be reported.
    let estimate = &round.estimate;
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
