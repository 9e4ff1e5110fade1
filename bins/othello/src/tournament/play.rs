//! The games of a tournament.

use std::{
    collections::HashMap, num::NonZeroUsize, path::Path, process::ExitCode, sync::Arc,
    time::SystemTime,
};

use boardgame_cli::{matches::concurrency, positive};
use boardgame_core::{ByColor, Color};
use boardgame_io::{CommandLine, ProgramOptions, stop_requested};
use boardgame_match::{
    GameId, GameSpec, MatchObserver,
    contest::{Ending, Match},
    engine::Patience,
    log::{Entry, Log, LogError},
    record::PlayedGame,
    schedule::Form,
    tally::Tally,
};
use boardgame_session::GameEvent;
use othello_core::{Board, Move};
use othello_match::{
    engine::{self, EngineSpec},
    record::Othello,
    runner,
};
use othello_web::{
    Pages, ProgramLog,
    live::{Kind, MatchRun},
};
use tokio::sync::watch;

use super::{
    Decision,
    desk::{Desk, State},
    games, intake, write,
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
    /// The number of games played at a time [default: 1 if a clock runs or a program plays, otherwise one for each
    /// processor]. In a ladder no program plays twice at a time
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    concurrency: Option<NonZeroUsize>,
    #[command(flatten)]
    watch: WatchOptions,
}

/// The rounds that are played.
pub(super) enum Rounds {
    /// The one that is being played, or else the next.
    One,
    /// All that are left.
    All,
    /// Those of a ladder, until there is a number of games or a time has come.
    Ladder {
        games: Option<usize>,
        until: Option<SystemTime>,
    },
}

impl Rounds {
    /// Returns true if no further round begins after a number of rounds.
    fn is_enough(&self, state: &State, played: u32) -> bool {
        match self {
            Self::One => played > 0,
            Self::All => false,
            Self::Ladder { games, until } => {
                let count = state.tally.results().len();
                games.is_some_and(|games| count >= games)
                    || until.is_some_and(|until| SystemTime::now() >= until)
            }
        }
    }

    /// Returns the number of pairs in a round of a ladder.
    fn pairs(&self, state: &State, concurrency: NonZeroUsize) -> usize {
        match self {
            Self::Ladder {
                games: Some(games), ..
            } => {
                let left = games.saturating_sub(state.tally.results().len());
                concurrency.get().min(left.div_ceil(2))
            }
            _ => concurrency.get(),
        }
    }

    /// Returns true if an error may pass: people may be editing the files of a ladder, or deciding on a game.
    fn may_pass(&self, error: &anyhow::Error) -> bool {
        let lasts = |error: &LogError| !matches!(error, LogError::Locked { .. });
        match self {
            Self::Ladder { until, .. } => {
                !error.downcast_ref().is_some_and(lasts)
                    && until.is_none_or(|until| SystemTime::now() < until)
            }
            Self::One | Self::All => false,
        }
    }
}

/// The log of a tournament, open for writing, and its contents.
type Opened = (Log<Othello>, State);

/// Reads the file of a tournament, and at first its log, after the check of new versions in a ladder; `None` if
/// interrupted.
fn open(
    folder: &Path,
    opened: &mut Option<Opened>,
    logs: &watch::Sender<Arc<[ProgramLog]>>,
) -> anyhow::Result<Option<Desk>> {
    let mut desk = Desk::open(folder)?;
    if desk.settings.form == Form::Ladder {
        if opened.is_none() {
            *opened = Some(desk.log()?);
        }
        if !intake::take_new_versions(&desk)? {
            return Ok(None);
        }
        desk = Desk::open(folder)?;
        logs.send_replace(intake::logs(&desk)?);
    }
    let is_current = match opened {
        Some((log, state)) => desk.update(log, state)?,
        None => false,
    };
    if !is_current {
        // The lock is released first.
        *opened = None;
        *opened = Some(desk.log()?);
    }
    Ok(Some(desk))
}

/// Plays a round, all of them, or a game again.
pub(super) fn run(folder: &Path, options: &PlayOptions) -> anyhow::Result<ExitCode> {
    if let (Some(number), Some(reason), Some(by)) = (options.game, &options.reason, &options.by) {
        let (reason, by) = (reason.clone(), by.clone());
        let (mut log, state) = Desk::open(folder)?.log()?;
        let id = state.game(number)?;
        // Without a result it is still to be played, perhaps because this command was stopped.
        if state.tally.results().contains_key(&id) {
            log.append_entry(&Decision { reason, by }.ruling(id, None))?;
        }
    }
    let rounds_to_play = if options.all {
        Rounds::All
    } else {
        Rounds::One
    };
    rounds(folder, &options.run, &rounds_to_play)
}

/// Plays rounds.
pub(super) fn rounds(
    folder: &Path,
    options: &RunOptions,
    rounds: &Rounds,
) -> anyhow::Result<ExitCode> {
    let desk = Desk::open(folder)?;
    let patience = Patience {
        program: ProgramOptions {
            limits: desk.limits.limits()?,
            ..ProgramOptions::default()
        },
        ..Patience::default()
    };
    let (logs, shown_logs) = watch::channel(intake::logs(&desk)?);
    let server = options.watch.start_with(Pages::Logs(shown_logs))?;
    let (mut opened, mut shown, mut played, mut trouble) = (None, None, 0, String::new());
    loop {
        // People may have changed the file or a program during the round before.
        let desk = match open(folder, &mut opened, &logs) {
            Ok(Some(desk)) => desk,
            Ok(None) => return called_off(),
            Err(error) if rounds.may_pass(&error) => {
                let found = format!("waiting: {error:#}\n");
                if found != trouble {
                    write(&found)?;
                    trouble = found;
                }
                // Others may decide on a game meanwhile.
                opened = None;
                if !intake::wait()? {
                    return called_off();
                }
                continue;
            }
            Err(error) => return Err(error),
        };
        trouble.clear();
        let Some((log, state)) = &mut opened else {
            continue;
        };
        let concurrency = concurrency(options.concurrency, &desk.engines(state))?;
        if !state.is_round_open() {
            if rounds.is_enough(state, played) {
                break;
            }
            if desk.lacks_programs() {
                opened = None;
                if !intake::wait()? {
                    return called_off();
                }
                continue;
            }
            let Some(round) = desk.next_round(state, rounds.pairs(state, concurrency)) else {
                write(games::OVER)?;
                break;
            };
            let text = games::round_text(&desk, state, state.contents.rounds.len(), &round);
            log.append_entry(&Entry::Round(round.clone()))?;
            state.contents.rounds.push(round);
            write(&text)?;
        }
        if let Some(server) = &server {
            show(server, &mut shown, &desk, state)?;
        }
        let observer = Announcer::new(&desk, state, shown.clone());
        let contest = Match {
            engines: desk.engines(state),
            openings: Arc::clone(&desk.openings),
            schedule: desk.schedule(state)?,
            concurrency,
            tolerance: desk.settings.tolerance,
            patience: patience.clone(),
            sprt: None,
            seed: desk.settings.seed,
            observer: Some(Arc::new(observer)),
        };
        if play(&contest, log, state)? == Ending::Cancelled {
            return called_off();
        }
        played += 1;
    }
    WatchServer::stay(server.as_ref());
    Ok(ExitCode::SUCCESS)
}

fn called_off() -> anyhow::Result<ExitCode> {
    write("called off; the same command goes on\n")?;
    Ok(ExitCode::FAILURE)
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
    run.set_numbers(state.games());
    let over = state.games().filter_map(|game| state.games.get(&game));
    for game in over.filter(|_| is_new) {
        run.game_over(&state.tally, game);
    }
    Ok(())
}

/// Announces each game in the files of its programs' standard error, and shows the games.
struct Announcer {
    /// The commands by engine, where they are programs.
    lines: Vec<Option<CommandLine>>,
    numbers: HashMap<GameId, u64>,
    shown: Option<Arc<MatchRun>>,
}

impl Announcer {
    fn new(desk: &Desk, state: &State, shown: Option<Arc<MatchRun>>) -> Self {
        let line = |engine: EngineSpec| match engine.kind {
            engine::Kind::Program { line, .. } => Some(line),
            engine::Kind::Own(..) => None,
        };
        Self {
            lines: desk.engines(state).into_iter().map(line).collect(),
            numbers: state.games().zip(1..).collect(),
            shown,
        }
    }
}

impl MatchObserver<Board> for Announcer {
    fn game_begins(&self, id: GameId, names: ByColor<&str>, game: &GameSpec<Board>) {
        for color in Color::ALL {
            let number = self.numbers.get(&id).copied().unwrap_or_default();
            if let Some(line) = &self.lines[usize::from(id.engine(color).0)] {
                line.note(&format!("game {number}, {color} against {}", names[!color]));
            }
        }
        if let Some(shown) = &self.shown {
            shown.game_begins(id, names, game);
        }
    }

    fn game_event(&self, id: GameId, event: &GameEvent<Move>) {
        if let Some(shown) = &self.shown {
            shown.game_event(id, event);
        }
    }

    fn game_over(&self, tally: &Tally, played: &PlayedGame) {
        if let Some(shown) = &self.shown {
            shown.game_over(tally, played);
        }
    }

    fn match_over(&self, tally: &Tally) {
        if let Some(shown) = &self.shown {
            shown.match_over(tally);
        }
    }
}

/// Plays the games that have no result.
fn play(
    contest: &runner::Match,
    log: &mut Log<Othello>,
    state: &mut State,
) -> anyhow::Result<Ending> {
    let mut tally = state.tally.clone();
    let mut trouble = None;
    let finished = |_: &Tally, played: &PlayedGame| {
        state.tally.add::<Othello>(played);
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
