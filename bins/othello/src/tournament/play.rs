//! The games of a tournament.

use std::{num::NonZeroUsize, path::Path, process::ExitCode, sync::Arc};

use boardgame_cli::positive;
use boardgame_io::stop_requested;
use boardgame_match::{
    MatchObserver as _,
    contest::{Ending, Match},
    engine::Patience,
    log::{Entry, Log},
    record::PlayedGame,
    tally::Tally,
};
use othello_match::record::Othello;
use othello_web::live::{Kind, MatchRun};

use super::{
    Decision,
    desk::{Desk, State},
    games, write,
};
use crate::watch::{WatchOptions, WatchServer};

#[derive(clap::Args)]
pub(super) struct PlayOptions {
    /// Play all rounds
    #[arg(long, conflicts_with = "game")]
    all: bool,
    /// Play this game again; its record stays in the log, and counts no more
    #[arg(long, value_name = "N", requires = "reason", requires = "by")]
    game: Option<usize>,
    /// The reason for playing a game again
    #[arg(long, value_name = "TEXT", requires = "game")]
    reason: Option<String>,
    /// The person who decides that
    #[arg(long, value_name = "NAME", requires = "game")]
    by: Option<String>,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(clap::Args)]
pub(super) struct RunOptions {
    /// The number of games played at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    concurrency: NonZeroUsize,
    #[command(flatten)]
    watch: WatchOptions,
}

/// Plays a round, or all of them.
pub(super) fn run(folder: &Path, options: &PlayOptions) -> anyhow::Result<ExitCode> {
    let desk = Desk::open(folder)?;
    let server = options.run.watch.start()?;
    if let (Some(number), Some(reason), Some(by)) = (options.game, &options.reason, &options.by) {
        let (reason, by) = (reason.clone(), by.clone());
        let (mut log, state) = desk.log()?;
        let id = state.game(number)?;
        // Without a result it is still to be played, perhaps because this command was stopped.
        if state.tally.results().contains_key(&id) {
            log.append_entry(&Decision { reason, by }.ruling(id, None))?;
        }
    }
    let mut shown = None;
    loop {
        // People may have changed the file during the round before.
        let desk = Desk::open(folder)?;
        let (mut log, mut state) = desk.log()?;
        if !state.is_round_open() {
            let Some(round) = desk.next_round(&state) else {
                write(games::OVER)?;
                break;
            };
            let text = games::round_text(&desk, &state, state.contents.rounds.len(), &round);
            log.append_entry(&Entry::Round(round.clone()))?;
            state.contents.rounds.push(round);
            write(&text)?;
        }
        if let Some(server) = &server {
            show(server, &mut shown, &desk, &state)?;
        }
        let ending = play(&desk, &mut log, &mut state, &options.run, shown.as_ref())?;
        if ending == Ending::Cancelled {
            write("called off; the same command goes on\n")?;
            return Ok(ExitCode::FAILURE);
        }
        if !options.all {
            break;
        }
    }
    WatchServer::stay(server.as_ref());
    Ok(ExitCode::SUCCESS)
}

/// Shows a tournament on a server, at first with the games that are over, then with each of its rounds.
fn show(
    server: &WatchServer,
    shown: &mut Option<Arc<MatchRun>>,
    desk: &Desk,
    state: &State,
) -> anyhow::Result<()> {
    let (names, schedule) = (state.contents.header.names(), desk.schedule(state)?);
    let is_new = shown.is_none();
    let run = shown.get_or_insert_with(|| {
        let run = server
            .runs()
            .add(Kind::Match, &desk.settings.title[..], None);
        Arc::new(MatchRun::with_writer(
            run,
            names.clone(),
            schedule.clone(),
            None,
        ))
    });
    run.set_schedule(names, schedule, Some(desk.settings.tie_breaks.clone()));
    let over = state.games().filter_map(|game| state.games.get(&game));
    for game in over.filter(|_| is_new) {
        run.game_over(&state.tally, game);
    }
    Ok(())
}

/// Plays the games of the paired rounds that have no result.
fn play(
    desk: &Desk,
    log: &mut Log<Othello>,
    state: &mut State,
    options: &RunOptions,
    shown: Option<&Arc<MatchRun>>,
) -> anyhow::Result<Ending> {
    let contest = Match {
        engines: desk.engines(state),
        openings: Arc::clone(&desk.openings),
        schedule: desk.schedule(state)?,
        concurrency: options.concurrency,
        tolerance: desk.settings.tolerance,
        patience: Patience::default(),
        sprt: None,
        seed: desk.settings.seed,
        observer: shown.map(|run| Arc::clone(run) as _),
    };
    let mut tally = state.tally.clone();
    let mut trouble = None;
    let finished = |tally: &Tally, played: &PlayedGame| {
        state.tally = tally.clone();
        state.games.insert(played.id, played.clone());
        let index = state.games().position(|game| game == played.id);
        let line = index.map(|index| games::line(state, index));
        let written = line.map_or(Ok(()), |line| write(&line));
        trouble = trouble.take().or(written.err());
    };
    let running = contest.run(log, &mut tally, None, finished, stop_requested());
    let ending = boardgame_io::block_on(running)??;
    trouble.map_or(Ok(ending), Err)
}
