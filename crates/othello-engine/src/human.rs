//! A model of how people play: the probability that a player of a rating chooses a move.

mod features;
mod file;
mod style;

use std::{collections::HashMap, iter::zip, mem, sync::LazyLock};

use othello_core::{Bitboard, Move, Position, Square, Symmetry};
use othello_search::{Limits, Line, Report, Searcher, eval::Network};

use crate::level::Rating;

pub use features::{DEPTHS, Features, MoveContext, RATED, SEARCHED, patterns};
pub use file::ReadModelError;
pub use style::PlayStyle;

/// The weights of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The weights of patterns.
    pub patterns: Vec<f32>,
    /// The weights of the other features: at the mean rating, and per 400 Elo above it.
    pub rated: Vec<[f32; 2]>,
    /// The weights of what searches say, likewise.
    pub searched: Vec<[f32; 2]>,
    /// The factor of all other weights where there was a search.
    pub scale: f32,
    /// The opening book.
    pub book: Book,
}

/// An opening book: the number of times that each move was played, by canonical position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    positions: HashMap<u32, Vec<(Square, u32)>>,
}

impl Book {
    /// Counts a move of a position.
    pub fn count(&mut self, position: Position, square: Square) {
        let (key, symmetry) = Self::key(position);
        let square = symmetry.square(square);
        let moves = self.positions.entry(key).or_default();
        match moves.iter_mut().find(|mv| mv.0 == square) {
            Some((_, count)) => *count += 1,
            None => moves.push((square, 1)),
        }
    }

    /// Returns the key of a position, and the symmetry that makes it canonical.
    fn key(position: Position) -> (u32, Symmetry) {
        let (canonical, symmetry) = position.canonical();
        let key = mix(mix(canonical.own().0) ^ canonical.opponent().0);
        ((key >> 32) as u32, symmetry)
    }

    /// Removes the positions that were seen fewer times, and moves that were played once.
    pub fn prune(&mut self, visits: u32) {
        let seen = |moves: &Vec<(Square, u32)>| moves.iter().map(|mv| mv.1).sum::<u32>() >= visits;
        self.positions.retain(|_, moves| seen(moves));
        for moves in self.positions.values_mut() {
            moves.retain(|mv| mv.1 > 1);
        }
    }

    /// Returns the number of positions and moves.
    pub fn size(&self) -> (usize, usize) {
        (
            self.positions.len(),
            self.positions.values().map(Vec::len).sum(),
        )
    }

    /// Returns the counts of a position's moves, by squares of the board as it stands.
    pub fn moves(&self, position: Position) -> Option<Vec<(Square, u32)>> {
        let (key, symmetry) = Self::key(position);
        let back = symmetry.inverse();
        let moves = self.positions.get(&key)?.iter();
        Some(
            moves
                .map(|&(square, count)| (back.square(square), count))
                .collect(),
        )
    }
}

/// Returns the legal moves with their values in discs by the static evaluation.
pub fn evaluated(network: &Network, position: Position, moves: Bitboard) -> Vec<(Square, f32)> {
    let value = |square| {
        (
            square,
            -network.evaluate(position.play_unchecked(square)).discs(),
        )
    };
    moves.iter().map(value).collect()
}

/// A pseudo-random permutation of 64-bit numbers, the finaliser of `SplitMix64` (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
pub const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the probabilities for logarithms of them up to a constant, the same on every machine.
pub fn softmax(logits: Vec<f32>) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut shares = logits;
    for share in &mut shares {
        *share = libm::expf(*share - most);
    }
    let sum = shares.iter().sum::<f32>();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

impl Model {
    /// Returns the built-in model.
    pub fn built_in() -> &'static Self {
        static MODEL: LazyLock<Model> = LazyLock::new(|| {
            Model::read(include_bytes!("human/people.bin")).expect("the file is part of the source")
        });
        &MODEL
    }

    /// A model without weights.
    pub fn new(book: Book) -> Self {
        Self {
            patterns: vec![0.0; patterns()],
            rated: vec![[0.0; 2]; RATED],
            searched: vec![[0.0; 2]; SEARCHED],
            scale: 1.0,
            book,
        }
    }

    /// Returns the logarithm of the probability of a move with these features, up to a constant.
    pub fn logit(&self, features: &Features, rating: f32) -> f32 {
        let plain = self.plain_logit(features, rating);
        if features.searched.is_empty() {
            return plain;
        }
        self.scale * plain + sum(&self.searched, &features.searched, rating)
    }

    /// Returns the logarithm without the features of searches.
    pub fn plain_logit(&self, features: &Features, rating: f32) -> f32 {
        let patterns = features
            .patterns
            .iter()
            .map(|&at| self.patterns[at as usize]);
        patterns.sum::<f32>() + sum(&self.rated, &features.rated, rating)
    }
}

/// Returns the sum of the weights of features for a rating.
fn sum(weights: &[[f32; 2]], features: &[u32], rating: f32) -> f32 {
    let weights = features.iter().map(|&at| weights[at as usize]);
    weights.map(|[mean, slope]| mean + rating * slope).sum()
}

/// The values of the moves of a position, by a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The report of the search.
    pub report: Report,
    /// The moves that have values, with the discs that each loses against the best one at each of [`DEPTHS`].
    pub losses: Vec<(Square, [f32; DEPTHS.len()])>,
}

impl Searched {
    /// Searches all moves within limits.
    pub fn new(searcher: &mut Searcher, position: Position, limits: &Limits) -> Self {
        let legal = position.legal_moves() & limits.moves.unwrap_or(Bitboard(!0));
        let all = Limits {
            multi_pv: legal.count().max(1) as usize,
            ..limits.clone()
        };
        let mut losses: Vec<(Square, [f32; DEPTHS.len()])> = Vec::new();
        let mut note = |report: &Report| {
            let others = report.others.iter();
            let others = others.filter_map(|line| Some((line.pv.first()?.square()?, line.score)));
            for (square, score) in report
                .best
                .map(|best| (best, report.score))
                .into_iter()
                .chain(others)
            {
                let loss = report.score.discs() - score.discs();
                match losses.iter_mut().find(|of| of.0 == square) {
                    None => losses.push((square, [loss; DEPTHS.len()])),
                    Some((_, of)) => {
                        let deeper =
                            zip(of, DEPTHS).filter(|(_, depth)| *depth >= report.depth.min(8));
                        deeper.for_each(|(of, _)| *of = loss);
                    }
                }
            }
        };
        let report = searcher.search_observed(position, &all, &mut note);
        note(&report);
        Self { report, losses }
    }
}

/// A player of a rating in a position.
#[derive(Clone, Debug)]
pub struct HumanPlayer<'a> {
    /// The model.
    pub model: &'a Model,
    /// The rating.
    pub rating: Rating,
    /// The style of the rating, or another one.
    pub style: PlayStyle,
}

impl HumanPlayer<'_> {
    /// Searches all moves within limits and chooses one by a random number. `last` is the opponent's last move. The
    /// chosen move is the first of the report.
    pub fn choose(
        &self,
        searcher: &mut Searcher,
        network: &Network,
        (position, last): (Position, Option<Square>),
        limits: &Limits,
        draw: u64,
    ) -> Report {
        let Searched { mut report, losses } = Searched::new(searcher, position, limits);
        if losses.is_empty() {
            return report;
        }
        let moves = evaluated(network, position, losses.iter().map(|of| of.0).collect());
        let moves = &moves;
        let context = MoveContext {
            position,
            last,
            moves,
        };
        let shares = self.probabilities(&context, &losses);
        let mut left = (draw >> 40) as f32 / (1 << 24) as f32;
        let chosen = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        let chosen = moves[chosen.unwrap_or(moves.len() - 1)].0;
        let starts = |line: &&mut Line| line.pv.first() == Some(&Move::Place(chosen));
        if let Some(line) = report.others.iter_mut().find(starts) {
            mem::swap(&mut line.score, &mut report.score);
            mem::swap(&mut line.pv, &mut report.pv);
            report.best = Some(chosen);
            (report.others).sort_by(|a, b| b.score.discs().total_cmp(&a.score.discs()));
        }
        report.others.truncate(limits.multi_pv.saturating_sub(1));
        report
    }

    /// Returns the probability of each of the context's moves, all of which were searched.
    fn probabilities(
        &self,
        context: &MoveContext<'_>,
        losses: &[(Square, [f32; DEPTHS.len()])],
    ) -> Vec<f32> {
        let book = self.model.book.moves(context.position);
        let share = |square: Square| {
            let moves = book.as_ref()?;
            let times = moves.iter().find(|mv| mv.0 == square).map_or(0, |mv| mv.1);
            Some((times, moves.iter().map(|mv| mv.1).sum()))
        };
        let features = context.features(&share);
        let rating = self.rating.above_mean();
        let [.., deepest] = DEPTHS;
        let logits = zip(context.moves, features).map(|(&(square, _), mut features)| {
            let of = losses.iter().find(|of| of.0 == square);
            let of = of.map_or([0.0; DEPTHS.len()], |of| of.1);
            if self.style.depth >= deepest {
                features.add_search(context.position, of);
            }
            let model = self.model.logit(&features, rating);
            let [.., loss] = of;
            self.style.logit(context.position, square, model, loss)
        });
        softmax(logits.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::Game;

    #[test]
    fn a_model_outlives_its_file_and_damage_is_seen() {
        let bytes = include_bytes!("human/people.bin");
        let model = Model::read(bytes).unwrap();
        assert_eq!(model.to_bytes(), bytes);
        assert!(bytes.len() <= 300_000);
        let mut damaged = bytes.to_vec();
        damaged[1000] ^= 1;
        assert!(matches!(
            Model::read(&damaged),
            Err(ReadModelError::Checksum { .. })
        ));
        assert_eq!(Model::read(b"OTHELLO"), Err(ReadModelError::Magic));
        assert!(Model::read(&bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn the_book_is_the_same_for_all_images_of_a_position() {
        let position = "f5f6".parse::<Game>().unwrap().board().position();
        let mut book = Book::default();
        book.count(position, Square::E6);
        book.count(position, Square::E6);
        book.prune(2);
        assert_eq!(book.size(), (1, 1));
        for symmetry in Symmetry::ALL {
            let moves = book.moves(symmetry.position(position));
            assert_eq!(moves, Some(vec![(symmetry.square(Square::E6), 2)]));
        }
        assert_eq!(book.moves(Position::START), None);
    }

    #[test]
    fn people_seldom_answer_f5_with_f4() {
        let network = Network::built_in();
        let mut searcher = crate::Settings::default().searcher().unwrap();
        let position = "f5".parse::<Game>().unwrap().board().position();
        let rating = Rating::new(1500).unwrap();
        let person = HumanPlayer {
            model: Model::built_in(),
            rating,
            style: PlayStyle::of(rating),
        };
        let mut answers = HashMap::<Square, u64>::new();
        for draw in 0..100_u64 {
            let limits = person.style.strength().limits();
            let context = (position, Some(Square::F5));
            let report = person.choose(
                &mut searcher,
                &network,
                context,
                &limits,
                draw * (u64::MAX / 100),
            );
            *answers.entry(report.best.unwrap()).or_default() += 1;
        }
        let of = |square| answers.get(&square).copied().unwrap_or_default();
        assert!(
            of(Square::D6) > 20 && of(Square::F6) > 20 && of(Square::F4) < 10,
            "{answers:?}"
        );
    }
}
