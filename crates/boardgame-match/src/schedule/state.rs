//! The state of a tournament between two rounds.

use std::{cmp::Reverse, collections::BTreeMap};

use boardgame_core::Color;

use super::Round;
use crate::{EngineId, GameId, record::GameResult};

/// The state of a tournament; engines are indexed by their place in the seeding of a round.
pub(super) struct Tournament {
    /// The engines by index.
    pub(super) ids: Vec<EngineId>,
    places: BTreeMap<EngineId, usize>,
    pub(super) players: Vec<Player>,
    /// The number of games between every two engines.
    pub(super) met: Vec<Vec<u32>>,
}

/// An engine in a tournament.
#[derive(Clone, Default)]
pub(super) struct Player {
    pub(super) half_points: u32,
    pub(super) byes: u32,
    /// The colours so far.
    colors: Vec<Color>,
    /// The colour that the engine is due after these.
    pub(super) due: Option<Due>,
}

/// The colour that an engine is due.
#[derive(Clone, Copy)]
pub(super) struct Due {
    /// True if the engine had the other colour in the last two games, or in two games more in all.
    pub(super) absolute: bool,
    /// The difference of its games with the two colours.
    excess: u32,
    pub(super) color: Color,
}

impl Due {
    /// Returns the colour due after a sequence of colours.
    fn after(colors: &[Color]) -> Option<Self> {
        let &last = colors.last()?;
        let blacks = colors.iter().filter(|&&color| color == Color::Black);
        let balance = 2 * blacks.count() as i32 - colors.len() as i32;
        let excess = balance.unsigned_abs();
        let twice = colors.len() >= 2 && colors[colors.len() - 2] == last;
        let color = match balance {
            2.. => Color::White,
            ..=-2 => Color::Black,
            _ if twice => !last,
            1 => Color::White,
            -1 => Color::Black,
            0 => !last,
        };
        Some(Self {
            absolute: excess >= 2 || twice,
            excess,
            color,
        })
    }
}

impl Tournament {
    /// Returns the state of some engines, in the order of their seeding, after the rounds played.
    pub(super) fn after(
        engines: &[EngineId],
        rounds: &[Round],
        results: &BTreeMap<GameId, GameResult>,
    ) -> Self {
        let mut tournament = Self::new(engines);
        for round in rounds {
            tournament.add(round, results);
        }
        tournament
    }

    pub(super) fn new(engines: &[EngineId]) -> Self {
        let count = engines.len();
        Self {
            ids: engines.to_vec(),
            places: (0..).zip(engines).map(|(place, &id)| (id, place)).collect(),
            players: vec![Player::default(); count],
            met: vec![vec![0; count]; count],
        }
    }

    /// Adds a round, which may have games of other engines; returns true if all its games have results.
    pub(super) fn add(&mut self, round: &Round, results: &BTreeMap<GameId, GameResult>) -> bool {
        let mut complete = true;
        for game in &round.games {
            let result = results.get(game);
            complete &= result.is_some();
            let place = |color| self.places.get(&game.engine(color)).copied();
            let places = [place(Color::Black), place(Color::White)];
            for (color, place) in Color::ALL.into_iter().zip(places) {
                let Some(place) = place else { continue };
                let player = &mut self.players[place];
                player.colors.push(color);
                player.due = Due::after(&player.colors);
                player.half_points += result.map_or(0, |result| result.half_points(color));
            }
            if let [Some(black), Some(white)] = places {
                self.met[black][white] += 1;
                self.met[white][black] += 1;
            }
        }
        for bye in &round.byes {
            if let Some(&place) = self.places.get(bye) {
                let player = &mut self.players[place];
                player.byes += 1;
                player.half_points += 2;
            }
        }
        complete
    }

    /// Returns the indices of the engines by points, then by seed.
    pub(super) fn ranked(&self) -> Vec<usize> {
        let mut ranked: Vec<usize> = (0..self.players.len()).collect();
        ranked.sort_by_key(|&one| Reverse(self.half_points(one)));
        ranked
    }

    pub(super) fn half_points(&self, one: usize) -> u32 {
        self.players[one].half_points
    }

    pub(super) fn due(&self, one: usize) -> Option<Color> {
        self.players[one].due.map(|due| due.color)
    }

    /// Adds the game of a pair to a round with a number from 0; `pair[0]` is ranked higher.
    pub(super) fn add_game(&self, round: &mut Round, number: u32, pair: [usize; 2]) {
        let (black, white) = self.colors(round.games.len(), pair[0], pair[1]);
        round.games.push(GameId {
            opening: number,
            black: self.ids[black],
            white: self.ids[white],
        });
    }

    /// Pairs neighbours in an order. If their number is odd, the last of those with the fewest byes rests.
    pub(super) fn pair_neighbours(&self, number: u32, mut order: Vec<usize>) -> Round {
        let mut round = Round::default();
        if order.len() % 2 == 1 {
            let min_byes = order.iter().map(|&one| self.players[one].byes).min();
            let rests = |&one: &usize| Some(self.players[one].byes) == min_byes;
            if let Some(place) = order.iter().rposition(rests) {
                round.byes.push(self.ids[order.remove(place)]);
            }
        }
        for pair in order.chunks_exact(2) {
            self.add_game(&mut round, number, [pair[0], pair[1]]);
        }
        round
    }

    /// Returns Black and White of a pair; `one` is ranked higher.
    ///
    /// Each gets the colour that it is due. If both are due the same, it goes to the stronger claim, or to the higher
    /// rank if the claims are equal. In the first round the colours alternate from board to board.
    fn colors(&self, board: usize, one: usize, other: usize) -> (usize, usize) {
        let due = [one, other].map(|one| self.players[one].due);
        let urgency = |due: Due| (due.absolute, due.excess);
        let color_of_one = match due {
            [None, None] if board.is_multiple_of(2) => Color::Black,
            [None, None] => Color::White,
            [Some(one), Some(other)] if urgency(other) > urgency(one) => !other.color,
            [Some(one), _] => one.color,
            [None, Some(other)] => !other.color,
        };
        match color_of_one {
            Color::Black => (one, other),
            Color::White => (other, one),
        }
    }
}
