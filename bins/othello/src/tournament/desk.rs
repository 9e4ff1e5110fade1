//! A tournament's folder: what people wrote, and what was played.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::versions;
use anyhow::{Context as _, anyhow, ensure};
use boardgame_cli::LimitOptions;
use boardgame_match::{
    ForfeitScore, GameId,
    engine::Engine as _,
    log::{self, Contents, EngineEntry, Header, Log, Ruling},
    record::{PlayedGame, RecordFormat as _},
    schedule::{Entrant, Form, Round, Schedule, next_round},
    tally::Tally,
    tournament::Settings,
};
use othello_match::{
    engine::{self, EngineSpec, Kind},
    openings::{Openings, Source},
    record::Othello,
    runner,
};

/// The maximum size of a tournament's file, in bytes.
const MAX_FILE: u64 = 16 * boardgame_files::MIB;

/// A tournament as people described it.
pub(super) struct Desk {
    pub(super) folder: PathBuf,
    /// The text of the file.
    pub(super) text: String,
    pub(super) settings: Settings<EngineSpec>,
    pub(super) openings: Arc<Openings>,
    pub(super) limits: LimitOptions,
    header: Header,
}

/// A tournament as far as it has been played.
pub(super) struct State {
    /// The contents of the log, without games and decisions.
    pub(super) contents: Contents,
    pub(super) games: BTreeMap<GameId, PlayedGame>,
    rulings: BTreeMap<GameId, Vec<Ruling>>,
    pub(super) tally: Tally,
    /// The margin of a game lost by a fault in the tally.
    forfeit: Option<ForfeitScore>,
    pub(super) entrants: Vec<Entrant>,
}

/// Returns the path of the file that people edit.
pub(super) fn settings_path(folder: &Path) -> PathBuf {
    folder.join("tournament.toml")
}

impl Desk {
    /// Reads the file of a tournament.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let path = settings_path(folder);
        let text = boardgame_files::read_to_string(&path, MAX_FILE);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let parsed = Self::parse(folder, text, "");
        parsed.with_context(|| path.display().to_string())
    }

    /// Parses the text of the file. A ladder also has the versions in its folder and a new one.
    fn parse(folder: &Path, text: String, new_version: &str) -> anyhow::Result<Self> {
        let versions = versions::versions(folder)? + new_version;
        let mut settings = Settings::read(&text, &versions, engine::complete)?;
        let openings = Arc::new(openings(folder, &settings)?);
        let limits = settings.limits.clone().try_into();
        let limits = limits.context("the table [limits]")?;
        let entry = |engine: &EngineSpec| EngineEntry {
            name: engine.name.clone(),
            spec: format!("{engine} limit={}", engine.limit),
        };
        let time = humantime::format_duration(settings.tolerance);
        let header = Header {
            engines: settings
                .programs
                .iter()
                .map(|one| entry(&one.engine))
                .collect(),
            schedule: settings.form.family().into(),
            openings: openings.fingerprint().into(),
            seed: settings.seed,
            rules: format!("tolerance={time}"),
        };
        // After the texts for the log, which do not depend on where the folder is.
        for program in &mut settings.programs {
            program.engine.check()?;
            if let Kind::Program { line, .. } = &mut program.engine.kind {
                let own = line.directory().map(Path::to_owned).unwrap_or_default();
                if own.starts_with("versions") {
                    line.set_stderr_file(Some(folder.join(&own).with_file_name("stderr.txt")));
                }
                line.set_directory(Some(folder.join(own)));
            }
        }
        let engines: Vec<_> = settings
            .programs
            .iter()
            .map(|one| one.engine.clone())
            .collect();
        runner::check(&engines, &openings)?;
        Ok(Self {
            folder: folder.to_owned(),
            text,
            settings,
            openings,
            limits,
            header,
        })
    }

    /// Reads a tournament and its log, which another process may be writing.
    pub(super) fn read(folder: &Path) -> anyhow::Result<(Self, State)> {
        let desk = Self::open(folder)?;
        let contents = log::read_tournament::<Othello>(&desk.log_path(), &desk.header)?;
        let state = desk.state(contents)?;
        Ok((desk, state))
    }

    /// Opens the log for writing.
    pub(super) fn log(&self) -> anyhow::Result<(Log<Othello>, State)> {
        let (log, contents) = Log::open_tournament(&self.log_path(), &self.header)?;
        Ok((log, self.state(contents)?))
    }

    /// Takes over into an open log what has changed in the file. Returns false if the log is to be read again.
    pub(super) fn update(&self, log: &mut Log<Othello>, state: &mut State) -> anyhow::Result<bool> {
        if state.forfeit != self.forfeit() {
            return Ok(false);
        }
        let header = &mut state.contents.header;
        let before = header.engines.len();
        log.enter(&self.header, header)?;
        state.entrants = self.settings.entrants(&header.engines)?;
        (before..header.engines.len()).for_each(|_| state.tally.add_engine());
        Ok(true)
    }

    fn forfeit(&self) -> Option<ForfeitScore> {
        self.settings.forfeit_score.or(Othello::FORFEIT)
    }

    fn log_path(&self) -> PathBuf {
        self.folder.join("games.jsonl")
    }

    fn state(&self, mut contents: Contents) -> anyhow::Result<State> {
        let forfeit = self.forfeit();
        let tally = contents.tally::<Othello>(forfeit);
        let games = std::mem::take(&mut contents.games).into_iter();
        let mut rulings: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for ruling in std::mem::take(&mut contents.rulings) {
            rulings.entry(ruling.game).or_default().push(ruling);
        }
        Ok(State {
            games: games.map(|game| (game.id, game)).collect(),
            rulings,
            tally,
            forfeit,
            entrants: self.settings.entrants(&contents.header.engines)?,
            contents,
        })
    }

    /// Returns the tournament that another text of its file describes.
    pub(super) fn changed(&self, text: String) -> anyhow::Result<Self> {
        let path = settings_path(&self.folder);
        let changed = Self::parse(&self.folder, text, "");
        changed.with_context(|| format!("{} as it would be", path.display()))
    }

    /// Returns the ladder with another version of a program.
    pub(super) fn with_version(&self, table: &str) -> anyhow::Result<Self> {
        Self::parse(&self.folder, self.text.clone(), table)
    }

    /// Writes the file that people edit.
    pub(super) fn save(&self) -> anyhow::Result<()> {
        let path = settings_path(&self.folder);
        boardgame_files::overwrite(&path, self.text.as_bytes())
            .with_context(|| path.display().to_string())
    }

    /// Returns the engines in the order of the log.
    pub(super) fn engines(&self, state: &State) -> Vec<EngineSpec> {
        let programs = || self.settings.programs.iter().map(|one| &one.engine);
        let of = |entry: &EngineEntry| programs().find(|engine| engine.name() == entry.name);
        // Every engine of the log is in the file: otherwise there is no state.
        state
            .contents
            .header
            .engines
            .iter()
            .filter_map(of)
            .cloned()
            .collect()
    }

    /// Returns true for a ladder with fewer than two programs, which waits for others.
    pub(super) fn lacks_programs(&self) -> bool {
        let programs = self.settings.programs.iter();
        let present = programs.filter(|one| one.withdrawn_after.is_none());
        self.settings.form == Form::Ladder && present.count() < 2
    }

    /// Returns the round after those that are paired, if it can be paired. Of a ladder it has at most a number of
    /// pairs.
    pub(super) fn next_round(&self, state: &State, pairs: usize) -> Option<Round> {
        let (form, rounds) = (self.settings.form, &state.contents.rounds);
        let mut round = next_round(form, &state.entrants, rounds, &state.tally)?;
        if form == Form::Ladder {
            round.games.truncate(2 * pairs);
        }
        Some(round)
    }

    /// Returns the schedule of the rounds that are paired.
    pub(super) fn schedule(&self, state: &State) -> anyhow::Result<Schedule> {
        let schedule = Schedule::new(self.settings.form, state.contents.header.engines.len())?;
        Ok(schedule.with_rounds(state.contents.rounds.clone()))
    }
}

impl State {
    /// Returns all games in the order of their numbers.
    pub(super) fn games(&self) -> impl Iterator<Item = GameId> {
        self.contents
            .rounds
            .iter()
            .flat_map(|round| &round.games)
            .copied()
    }

    /// Returns the game of a number, from 1.
    pub(super) fn game(&self, number: usize) -> anyhow::Result<GameId> {
        let count = self.games().count();
        ensure!(count > 0, "expected a game of a round, found no round yet");
        let game = number
            .checked_sub(1)
            .and_then(|index| self.games().nth(index));
        game.ok_or_else(|| anyhow!("expected the number of a game, 1 to {count}, found {number}"))
    }

    /// Returns the decisions on a game, in their order.
    pub(super) fn rulings(&self, id: GameId) -> &[Ruling] {
        self.rulings.get(&id).map_or(&[], |rulings| rulings)
    }

    /// Returns the decision that counts for a game, if there is one.
    pub(super) fn decision(&self, id: GameId) -> Option<&Ruling> {
        self.rulings(id).last().filter(|one| one.result.is_some())
    }

    /// Returns the name of an engine.
    pub(super) fn name(&self, engine: boardgame_match::EngineId) -> &str {
        &self.contents.header.engines[usize::from(engine.0)].name
    }

    /// Returns true if a game of a round has no result.
    pub(super) fn is_round_open(&self) -> bool {
        self.games()
            .any(|game| !self.tally.results().contains_key(&game))
    }
}

/// Loads the openings, whose file is named from the folder.
fn openings(folder: &Path, settings: &Settings<EngineSpec>) -> anyhow::Result<Openings> {
    let source: Source = settings.openings.as_deref().unwrap_or("start").parse()?;
    Ok(Openings::load_in(folder, &source, settings.seed)?)
}
