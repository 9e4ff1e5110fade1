//! The results of a match in words and columns.

mod table;

use std::{
    io::{self, Write},
    time::Duration,
};

pub use table::{Table, points, rating_table, standings_table};

use crate::{
    EngineId,
    contest::{Ending, Match},
    engine::Engine,
    record::RecordFormat,
    standings::{TieBreak, standings},
    stats::{Sprt, Verdict},
    tally::{Duel, Tally, Usage},
};

/// Returns a summary of two engines' games, for the line of a progress bar.
pub fn running(duel: &Duel, sprt: Option<&Sprt>) -> String {
    let points = won_drawn_lost(duel);
    let elo = duel.pairs.elo();
    match sprt {
        None => format!("{points}  Elo {elo:.1}"),
        Some(sprt) => format!("{points}  Elo {elo:.1}  {}", ratio(duel, sprt)),
    }
}

fn won_drawn_lost(duel: &Duel) -> String {
    let [lost, drawn, won] = duel.games.counts();
    format!("+{won} ={drawn} -{lost}")
}

/// The log-likelihood ratio of a test between its bounds.
fn ratio(duel: &Duel, sprt: &Sprt) -> String {
    let state = sprt.test(&duel.pairs);
    format!(
        "LLR {:+.2} ({:+.2}, {:+.2})",
        state.llr, state.lower, state.upper
    )
}

/// Writes the results of a match.
///
/// # Errors
///
/// Fails if it cannot be written.
///
/// # Panics
///
/// Panics if the match has no engines.
pub fn report<E: Engine, O>(
    out: &mut impl Write,
    contest: &Match<E, O>,
    tally: &Tally,
    ending: Ending,
) -> io::Result<()> {
    if contest.schedule.is_of_pairs() {
        duel(out, contest, tally)?;
    } else {
        let names: Vec<&str> = contest.engines.iter().map(Engine::name).collect();
        let ties = TieBreak::usual(contest.schedule.form());
        let ranked = standings(&contest.schedule, tally, &ties);
        let table = standings_table::<E::Format>(&names, &ranked, &ties);
        let ratings = rating_table(&names, tally);
        write!(out, "{}\n{}", table.text(), ratings.text())?;
    }
    usage(out, contest, tally)?;
    cautions(out, contest, tally, ending)?;
    let (played, total) = (tally.results().len(), contest.schedule.total(tally));
    writeln!(
        out,
        "{played} games on record, {} different",
        tally.distinct()
    )?;
    match ending {
        Ending::Complete => writeln!(out, "complete: {played} games"),
        Ending::Decided(Verdict::AcceptH1) => {
            writeln!(
                out,
                "decided after {played} games: H1, the difference is elo1 or more"
            )
        }
        Ending::Decided(_) => {
            writeln!(
                out,
                "decided after {played} games: H0, the difference is elo0 or less"
            )
        }
        Ending::Cancelled => writeln!(
            out,
            "called off after {played} of {total} games; the same command goes on"
        ),
    }
}

/// A comparison of two engines.
fn duel<E: Engine, O>(
    out: &mut impl Write,
    contest: &Match<E, O>,
    tally: &Tally,
) -> io::Result<()> {
    let duel = tally.duel(EngineId(0), EngineId(1));
    let [first, second] = [contest.engines[0].name(), contest.engines[1].name()];
    let games = duel.games.games();
    let percent = 100.0 * duel.games.points() / (games.max(1) as f64);
    let points = won_drawn_lost(&duel);
    writeln!(
        out,
        "{first} against {second}: {points}, {percent:.1} % of {games} games"
    )?;
    let [none, half, one, more, both] = duel.pairs.counts();
    writeln!(
        out,
        "pairs        {} by points 0, ½, 1, 1½, 2: {none} {half} {one} {more} {both}",
        duel.pairs.units()
    )?;
    writeln!(out, "Elo          {:.1}", duel.pairs.elo())?;
    writeln!(out, "normalized   {:.1}", duel.pairs.normalized_elo())?;
    let margin = format!("{} a game", E::Format::MARGIN);
    writeln!(out, "{margin:12} {:.2}", duel.margin.mean())?;
    writeln!(out, "superior     {:.1} % likely", 100.0 * duel.pairs.los())?;
    if let Some(sprt) = &contest.sprt {
        writeln!(out, "SPRT         {}", ratio(&duel, sprt))?;
    }
    Ok(())
}

/// The time that each engine used, and its faults.
fn usage<E: Engine, O>(
    out: &mut impl Write,
    contest: &Match<E, O>,
    tally: &Tally,
) -> io::Result<()> {
    let width = widest(contest);
    let used = || {
        let engines = contest.engines.iter().enumerate();
        engines.map(|(number, engine)| (engine.name(), tally.usage(EngineId(number as u16))))
    };
    // Two tables, which fit 80 columns.
    writeln!(
        out,
        "\n{:width$}  games    moves  s a move  longest  overruns  limit",
        ""
    )?;
    for (name, usage) in used() {
        writeln!(out, "{name:width$}  {}", times(usage))?;
    }
    writeln!(
        out,
        "\n{:width$}  CPU s a move  CPU s a game  CPU/wall  Mn/s  faults",
        ""
    )?;
    for (name, usage) in used() {
        writeln!(out, "{name:width$}  {}", processor(usage))?;
    }
    Ok(())
}

/// The CPU share below which an engine with a clock may have been starved by other work.
const FAIR_SHARE: f64 = 0.9;

/// The maximum relative difference of CPU times that were to be matched.
const MATCHED: f64 = 0.05;

/// Writes cautions about figures that may mislead.
fn cautions<E: Engine, O>(
    out: &mut impl Write,
    contest: &Match<E, O>,
    tally: &Tally,
    ending: Ending,
) -> io::Result<()> {
    if tally.repeated() > 0 {
        writeln!(
            out,
            "caution: {} games repeat an earlier one move for move, but count as new ones; take \
             more openings",
            tally.repeated()
        )?;
    }
    let forfeits = tally
        .results()
        .keys()
        .filter(|id| tally.is_fault(**id))
        .count();
    if forfeits > 0 {
        writeln!(
            out,
            "caution: {forfeits} games were decided by faults, which count as losses"
        )?;
    }
    for (number, engine) in contest.engines.iter().enumerate() {
        of_engine(out, engine, tally.usage(EngineId(number as u16)))?;
    }
    if matches!(ending, Ending::Decided(_)) {
        writeln!(
            out,
            "caution: a test that stops a match leaves its estimate leaning towards the verdict; \
             play a fixed number of games for a figure"
        )?;
    }
    Ok(())
}

/// Writes how far the costs of two engines agree after one was limited to match the other.
///
/// # Errors
///
/// Fails if it cannot be written.
///
/// # Panics
///
/// Panics if the match has no such engines.
pub fn matched_cpu<E: Engine, O>(
    out: &mut impl Write,
    contest: &Match<E, O>,
    tally: &Tally,
    engines: [EngineId; 2],
) -> io::Result<()> {
    let [cost, aim] = engines.map(|engine| tally.usage(engine).cpu_per_game());
    let (Some(cost), Some(aim)) = (cost, aim) else {
        return Ok(());
    };
    let ratio = cost.as_secs_f64() / aim.as_secs_f64();
    let [name, other] = engines.map(|engine| contest.engines[usize::from(engine.0)].name());
    let caution = if (ratio - 1.0).abs() > MATCHED {
        "caution: "
    } else {
        ""
    };
    writeln!(
        out,
        "{caution}{name} cost {ratio:.3} times as much CPU time a game as {other}"
    )
}

/// Writes a caution if an engine's use of time does not fit its limit.
fn of_engine(out: &mut impl Write, engine: &impl Engine, usage: &Usage) -> io::Result<()> {
    // User CPU time is not recorded separately.
    if !engine.limit().is_timed() || engine.limit().user_cpu || usage.moves == 0 {
        return Ok(());
    }
    let name = engine.name();
    if let Some(limit) = engine
        .limit()
        .move_time
        .filter(|&limit| usage.longest < limit / 2)
    {
        writeln!(
            out,
            "caution: {name} used at most {:.3} s of its {:.3} s a move; it may understand its \
             time in another way",
            usage.longest.as_secs_f64(),
            limit.as_secs_f64()
        )?;
    } else if let Some(share) = usage.cpu_share().filter(|&share| share < FAIR_SHARE) {
        writeln!(
            out,
            "caution: {name} had a processor for {:.0} % of its time; other work may have kept it \
             from thinking",
            100.0 * share
        )?;
    }
    Ok(())
}

/// The columns of the clock.
fn times(usage: &Usage) -> String {
    let mean = usage.wall.as_secs_f64() / (usage.moves.max(1) as f64);
    format!(
        "{:>5}  {:>7}  {mean:>8.4}  {:>7.3}  {:>8}  {}",
        usage.games,
        usage.moves,
        usage.longest.as_secs_f64(),
        usage.overruns,
        usage.limit.in_words(),
    )
}

/// The columns of the processor and of faults.
fn processor(usage: &Usage) -> String {
    let faults: Vec<String> = usage
        .faults
        .iter()
        .map(|(kind, count)| format!("{count} {}", kind.name()))
        .collect();
    let faults = if faults.is_empty() {
        "0".into()
    } else {
        faults.join(", ")
    };
    let speed = (usage.nodes > 0 && !usage.cpu.is_zero())
        .then(|| usage.nodes as f64 / usage.cpu.as_secs_f64() / 1e6);
    format!(
        "{:>12}  {:>12}  {:>8}  {:>4}  {faults}",
        seconds(usage.cpu_per_move(), 4),
        seconds(usage.cpu_per_game(), 3),
        number(usage.cpu_share(), 2),
        number(speed, 1),
    )
}

fn seconds(time: Option<Duration>, digits: usize) -> String {
    number(time.map(|time| time.as_secs_f64()), digits)
}

/// A number, or a dash where it is not known.
fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".into(), |number| format!("{number:.digits$}"))
}

fn widest<E: Engine, O>(contest: &Match<E, O>) -> usize {
    let names = contest
        .engines
        .iter()
        .map(|engine| engine.name().chars().count());
    names.max().unwrap_or(0)
}
