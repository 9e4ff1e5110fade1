//! Series of games at a host.

use std::{collections::HashMap, mem};

use boardgame_core::{ByColor, Color};
use boardgame_match::{ForfeitScore, GameReport, GameSpec, News};
use othello_core::{Board, IllegalMove};
use othello_host::{
    likely_cause::AnswerForm,
    record::GameRecord,
    series::{Contestant, SeriesNews, SeriesOptions, Standing},
};

use super::{GameEnd, Kind, Row, RunWriter, Runs, Standings, watched::WatchedGame};

/// The run of a series of games, written by its observer's events.
#[derive(Debug)]
pub struct SeriesRun {
    names: [String; 2],
    /// A game that has not begun.
    game: WatchedGame,
    /// The games in progress by number.
    games: HashMap<u32, WatchedGame>,
    standings: [Standing; 2],
    forfeit: ForfeitScore,
    answers: AnswerForm,
    run: RunWriter,
}

impl SeriesRun {
    /// Adds the run of a series between two contestants at a host, such as `sloan`, by the options of the series and
    /// the form of answers.
    ///
    /// # Errors
    ///
    /// Fails if a move of the opening is illegal.
    pub fn new(
        runs: &Runs,
        (host, answers): (&str, AnswerForm),
        names: [String; 2],
        game: &GameSpec<Board>,
        options: &SeriesOptions,
    ) -> Result<Self, IllegalMove> {
        let game = WatchedGame::new(0, ByColor::default(), game)?;
        let name = format!("{host}: {}", names.join(" – "));
        Ok(Self {
            run: runs.add(Kind::Host, name, Some(options.games.into())),
            names,
            game,
            games: HashMap::new(),
            standings: <[Standing; 2]>::default(),
            forfeit: options.forfeit,
            answers,
        })
    }

    /// Records an event of the game with this number, counted from 1.
    pub fn observe(&mut self, number: u32, news: &SeriesNews<'_>) {
        // A game that ends before it begins is one too.
        if !self.games.contains_key(&number) {
            self.start(number);
        }
        match news {
            SeriesNews::Game(_, News::Event(event)) => {
                if let Some(game) = self.games.get_mut(&number) {
                    game.observe(&self.run, event);
                }
            }
            SeriesNews::Game(..) => {}
            SeriesNews::Finished(report) => self.finish(number, report),
        }
    }

    fn start(&mut self, number: u32) {
        let names = ByColor::new_with(|color| {
            let contestant = Contestant::of(number, color);
            self.names[contestant as usize].as_str()
        });
        let game = self.game.another(number.into(), names);
        game.start(&self.run);
        self.games.insert(number, game);
    }

    fn finish(&mut self, number: u32, report: &GameReport<Board>) {
        self.games.remove(&number);
        let mut record = GameRecord::from_report("", report, self.answers);
        let faults = mem::take(&mut record.faults);
        self.run.finish(number.into(), GameEnd::of(&record), faults);
        for color in Color::ALL {
            let contestant = Contestant::of(number, color);
            self.standings[contestant as usize].add(color, report, self.forfeit);
        }
        self.run.set_standings(self.standings());
    }

    fn standings(&self) -> Standings {
        let rows = self.names.iter().zip(&self.standings);
        let rows = rows.map(|(name, standing)| Row {
            name: name.clone(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            discs: standing.discs,
            ..Row::default()
        });
        Standings::of_rows(rows)
    }
}
