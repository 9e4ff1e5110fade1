//! Games of people, with the ratings of the players.

pub(crate) mod fit;
pub(crate) mod report;

use std::{collections::HashMap, path::PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use boardgame_match::{
    EngineId,
    stats::{Pairing, RatingList, ratings},
};
use othello_core::{Board, Color, Move, Position, Square};
use othello_engine::human::Book;
use othello_records::Format;

use crate::random::mix;

/// The maximum size of a file of records in bytes.
const MAX_RECORDS: u64 = 64 * boardgame_files::MIB;

/// The number of games below which players are rated together, as one player.
const MIN_GAMES: usize = 10;

/// The number of positions' visits from which the book has them.
const MIN_VISITS: u32 = 20;

/// A game with its players.
#[derive(Clone, Debug)]
pub(crate) struct HumanGame {
    moves: Vec<Square>,
    /// The numbers of Black and White.
    players: [u16; 2],
    year: u16,
    half_points_black: u32,
}

/// Games of people.
#[derive(Debug)]
pub(crate) struct People {
    pub(crate) games: Vec<HumanGame>,
    pub(crate) list: RatingList,
    /// By player, in units of 400 Elo above the mean of all moves.
    ratings: Vec<f32>,
    last_year: u16,
}

/// The part of a move in the fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// It is learned from.
    Fitted,
    /// It was played in the last two years.
    LastYears,
    /// It was played before by a player who is held out.
    HeldOutPlayer,
}

/// A move of a person who had a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) position: Position,
    pub(crate) square: Square,
    pub(crate) last: Option<Square>,
    pub(crate) rating: f32,
    pub(crate) part: Part,
}

impl People {
    /// Reads files of records.
    pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let (mut games, mut numbers) = (Vec::new(), HashMap::new());
        for path in paths {
            let bytes = boardgame_files::read(path, MAX_RECORDS)
                .with_context(|| path.display().to_string())?;
            for record in Format::detect(&bytes)?.read(bytes.as_slice()) {
                let record = record.map_err(|error| anyhow!("{}: {error}", path.display()))?;
                if record.game.start() != Board::START {
                    continue;
                }
                let discs = record.outcome().and_then(|outcome| outcome.discs());
                let Some(discs) = discs else { continue };
                let mut number = |color: Color| {
                    let next = numbers.len() as u16;
                    *numbers
                        .entry(record.players[color].name.clone())
                        .or_insert(next)
                };
                games.push(HumanGame {
                    players: [number(Color::Black), number(Color::White)],
                    year: record.date.as_ref().map_or(0, |date| date.year),
                    half_points_black: (1 + discs.signum()) as u32,
                    moves: record
                        .game
                        .moves()
                        .iter()
                        .filter_map(|mv| mv.square())
                        .collect(),
                });
            }
        }
        ensure!(
            !games.is_empty(),
            "expected games from the usual start, found none"
        );
        Ok(Self::rate(games, numbers.len()))
    }

    /// Rates the players by all their games.
    fn rate(games: Vec<HumanGame>, players: usize) -> Self {
        let mut played = vec![0_usize; players];
        let all = || games.iter().flat_map(|game| game.players);
        all().for_each(|player| played[usize::from(player)] += 1);
        let mut next = 0;
        let number = |&count: &usize| {
            next += u16::from(count >= MIN_GAMES);
            if count >= MIN_GAMES { next } else { 0 }
        };
        let rated_as: Vec<u16> = played.iter().map(number).collect();
        let mut pairings = HashMap::<[u16; 2], [u32; 2]>::new();
        for game in &games {
            let [black, white] = game.players.map(|player| rated_as[usize::from(player)]);
            if black != white {
                let swapped = black > white;
                let pairing = pairings
                    .entry([black.min(white), black.max(white)])
                    .or_default();
                let points = game.half_points_black;
                pairing[0] += if swapped { 2 - points } else { points };
                pairing[1] += 1;
            }
        }
        let mut pairings: Vec<Pairing> = (pairings.into_iter())
            .map(|([first, second], [half_points_first, games])| Pairing {
                first: EngineId(first),
                second: EngineId(second),
                half_points_first,
                games,
            })
            .collect();
        // The order of a sum decides its last bits.
        pairings.sort_by_key(|pairing| (pairing.first, pairing.second));
        let list = ratings(&pairings, usize::from(next) + 1);
        let mut elo = vec![0.0; usize::from(next) + 1];
        for rating in list.ratings() {
            elo[usize::from(rating.engine.0)] = rating.elo.value;
        }
        let of = |player: u16| elo[usize::from(rated_as[usize::from(player)])];
        let mean = all().map(of).sum::<f64>() / (2 * games.len()) as f64;
        Self {
            ratings: (0..players as u16)
                .map(|player| ((of(player) - mean) / 400.0) as f32)
                .collect(),
            last_year: games.iter().map(|game| game.year).max().unwrap_or_default(),
            games,
            list,
        }
    }

    fn part(&self, game: &HumanGame, player: u16) -> Part {
        if game.year > 0 && game.year + 1 >= self.last_year {
            Part::LastYears
        } else if mix(player.into()).is_multiple_of(10) {
            Part::HeldOutPlayer
        } else {
            Part::Fitted
        }
    }

    /// Returns the moves of a game that were a choice.
    pub(crate) fn choices(&self, game: &HumanGame) -> Vec<Choice> {
        let (mut board, mut last, mut choices) = (Board::START, None, Vec::new());
        for &square in &game.moves {
            if board.must_pass() {
                (board, last) = (board.passed(), None);
            }
            let player = game.players[usize::from(board.side_to_move() == Color::White)];
            if board.legal_moves().count() > 1 {
                choices.push(Choice {
                    position: board.position(),
                    square,
                    last,
                    rating: self.ratings[usize::from(player)],
                    part: self.part(game, player),
                });
            }
            if board.play(Move::Place(square)).is_err() {
                break;
            }
            last = Some(square);
        }
        choices
    }

    /// Returns up to a number of choices of some parts, one of a game.
    pub(crate) fn sample(&self, count: usize, takes: impl Fn(Part) -> bool) -> Vec<Choice> {
        let mut order: Vec<u64> = (0..self.games.len() as u64).collect();
        order.sort_unstable_by_key(|&game| mix(game));
        let choice = |game: u64| {
            let mut choices = self.choices(&self.games[game as usize]);
            choices.retain(|choice| takes(choice.part));
            let at = mix(!game) % choices.len().max(1) as u64;
            choices.get(at as usize).copied()
        };
        order.into_iter().filter_map(choice).take(count).collect()
    }

    /// Counts the moves that are learned from.
    pub(crate) fn book(&self) -> Book {
        let mut book = Book::default();
        let choices = self.games.iter().flat_map(|game| self.choices(game));
        for choice in choices.filter(|choice| choice.part == Part::Fitted) {
            if choice.position.empties().count() >= 36 {
                book.count(choice.position, choice.square);
            }
        }
        book.prune(MIN_VISITS);
        book
    }
}
