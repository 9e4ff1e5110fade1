//! Series of games at a host.

use std::{collections::HashMap, mem};

use boardgame_core::{ByColor, Color};
use boardgame_match::{GameReport, GameSpec, News, ObservedClocks};
use boardgame_session::GameEvent;
use othello_core::{Board, Game, IllegalMove};
use othello_host::{
    record::GameRecord,
    series::{Contestant, SeriesNews, Standing},
};

use super::{GameEnd, Kind, MoveDetails, Row, RunWriter, Runs, Standings, game::allowed};

/// The run of a series of games, which its observer's events are written to.
#[derive(Debug)]
pub struct SeriesRun {
    names: [String; 2],
    opening: Game,
    start: ObservedClocks,
    /// The clocks of the games in progress.
    clocks: HashMap<u32, ObservedClocks>,
    standings: [Standing; 2],
    run: RunWriter,
}

impl SeriesRun {
    /// Adds the run of a series between two contestants at a host, such as `sloan`.
    ///
    /// # Errors
    ///
    /// Fails if a move of the opening is illegal.
    pub fn new(
        runs: &Runs,
        host: &str,
        names: [String; 2],
        game: &GameSpec<Board>,
        games: u32,
    ) -> Result<Self, IllegalMove> {
        let mut opening = Game::new(game.setup);
        game.opening.iter().try_for_each(|&mv| opening.play(mv))?;
        let name = format!("{host}: {}", names.join(" – "));
        Ok(Self {
            run: runs.add(Kind::Host, name, Some(games.into())),
            names,
            opening,
            start: ObservedClocks::new(game.time),
            clocks: HashMap::new(),
            standings: <[Standing; 2]>::default(),
        })
    }

    /// Takes note of an event of the game with a number, counted from 1.
    pub fn observe(&mut self, number: u32, news: &SeriesNews<'_>) {
        match news {
            SeriesNews::Game(_, news) => self.observe_game(number, news),
            SeriesNews::Finished(report) => self.finish(number, report),
        }
    }

    fn observe_game(&mut self, number: u32, news: &News<'_, othello_core::Move>) {
        if !self.clocks.contains_key(&number) {
            self.start(number);
        }
        let (News::Event(event), Some(clocks)) = (news, self.clocks.get_mut(&number)) else {
            return;
        };
        clocks.update(event);
        let id = number.into();
        match event {
            GameEvent::Began => self.run.begin(id),
            GameEvent::Restarted => self.start(number),
            GameEvent::Moved(_, mv, thought) => {
                let clocks = allowed(clocks.clocks());
                let details = thought.as_ref().map(MoveDetails::from);
                self.run.play(id, *mv, details.unwrap_or_default(), clocks);
            }
            GameEvent::Said(..) => {}
        }
    }

    fn start(&mut self, number: u32) {
        let names = ByColor::new_with(|color| {
            let contestant = Contestant::of(number, color);
            self.names[contestant as usize].as_str()
        });
        let clocks = allowed(self.start.clocks());
        self.run.start(number.into(), names, &self.opening, clocks);
        self.clocks.insert(number, self.start);
    }

    fn finish(&mut self, number: u32, report: &GameReport<Board>) {
        if self.clocks.remove(&number).is_none() {
            self.start(number);
            self.clocks.remove(&number);
        }
        let mut record = GameRecord::from_report("", report);
        let faults = mem::take(&mut record.faults);
        self.run.finish(number.into(), GameEnd::of(&record), faults);
        for color in Color::ALL {
            let contestant = Contestant::of(number, color);
            self.standings[contestant as usize].add(color, report);
        }
        self.run.set_standings(self.standings());
    }

    fn standings(&self) -> Standings {
        let rows = self.names.iter().zip(&self.standings);
        let rows = rows.map(|(name, standing)| Row {
            name: name.clone(),
            points: f64::from(standing.wins) + f64::from(standing.draws) / 2.0,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            byes: 0,
            discs: standing.discs,
            elo: None,
        });
        Standings::of_rows(rows)
    }
}
