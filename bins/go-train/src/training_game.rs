//! Games to fit weights to: of self-play, with the shares of the visits, or of people, with the moves that they chose.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    fmt,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use boardgame_files::shards::part_files;
use go_core::{
    Move, Point, Position, Setup, Size,
    sgf::{self, Record},
};

use crate::{
    games::{EXTENSION, read_games},
    self_play::{GameRecord, PlayedMove, Recipe},
};

/// The maximum size of an SGF file, in bytes.
const MAX_FILE: u64 = 256 * boardgame_files::MIB;

/// A game of people with fewer moves says little.
const MIN_MOVES: usize = 50;

/// A game with the shares of the moves in each of its positions.
pub(crate) struct TrainingGame {
    setup: Setup,
    /// The moves, each with the shares of the stones that were considered instead of it or chosen.
    moves: Vec<(Move, Vec<(Point, f32)>)>,
}

/// A position of a game, with the shares of the moves.
pub(crate) struct TrainingPosition<'a> {
    pub(crate) position: &'a Position,
    /// The number of moves before it.
    pub(crate) number: usize,
    /// The shares of the stones, never empty.
    pub(crate) shares: &'a [(Point, f32)],
}

impl TrainingPosition<'_> {
    /// Returns the share of a stone.
    pub(crate) fn share(&self, point: Point) -> f32 {
        let share = self.shares.iter().find(|it| it.0 == point);
        share.map_or(0.0, |it| it.1)
    }
}

/// A file of games, with the number of games that are used and skipped.
pub(crate) struct Source {
    name: String,
    crc32: u32,
    games: usize,
    /// The number of games by the reason why they are skipped.
    skipped: BTreeMap<&'static str, usize>,
    /// True if people played them.
    pub(crate) of_people: bool,
}

impl fmt::Display for Source {
    /// Writes the source as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name, crc32, games, ..
        } = self;
        writeln!(
            f,
            "[[sources]]\nfile = {name:?}\ncrc32 = \"{crc32:08x}\"\ngames = {games}"
        )?;
        let skipped = self.skipped.iter();
        for (reason, count) in skipped {
            writeln!(f, "skipped.{reason} = {count}")?;
        }
        Ok(())
    }
}

/// Reads shards of self-play, folders of them, and SGF files of people; of each file the first `max` games that can be
/// used.
pub(crate) fn read(
    paths: &[PathBuf],
    max: usize,
) -> anyhow::Result<(Vec<TrainingGame>, Vec<Source>)> {
    let (mut games, mut sources) = (Vec::new(), Vec::new());
    for path in part_files(paths, EXTENSION)? {
        let before = games.len();
        let is_sgf = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("sgf"));
        let mut skipped = BTreeMap::new();
        let bytes =
            boardgame_files::read(&path, MAX_FILE).with_context(|| path.display().to_string())?;
        if is_sgf {
            let text = boardgame_files::decode(&bytes).0;
            for text in sgf::games(&text) {
                if games.len() - before == max {
                    break;
                }
                match of_people(text) {
                    Ok(game) => games.push(game),
                    Err(reason) => *skipped.entry(reason).or_default() += 1,
                }
            }
        } else {
            let (recipe, records) = read_games(&path)?;
            let records = records.iter().take(max);
            games.extend(records.map(|game| of_self_play(&recipe, game)));
        }
        sources.push(Source {
            name: file_name(&path),
            crc32: crc32fast::hash(&bytes),
            games: games.len() - before,
            skipped,
            of_people: is_sgf,
        });
    }
    Ok((games, sources))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Reads a record of people's game on the whole board without handicap, or returns why it is skipped.
fn of_people(text: &str) -> Result<TrainingGame, &'static str> {
    let record: Record = text.parse().map_err(|_| "damaged")?;
    let setup = record.game.setup();
    if setup.size() != Size::NINETEEN {
        return Err("other_size");
    }
    if setup.board().stones().next().is_some() {
        return Err("handicap");
    }
    let moves = record.game.moves();
    if moves.len() < MIN_MOVES {
        return Err("short");
    }
    let mut position = Position::new(setup);
    for &(color, mv) in moves {
        if color != position.side_to_move() || position.play(mv).is_err() {
            return Err("out_of_turn");
        }
    }
    let chosen = |&(_, mv): &(_, Move)| {
        (
            mv,
            mv.point().map(|point| (point, 1.0)).into_iter().collect(),
        )
    };
    Ok(TrainingGame {
        setup: setup.clone(),
        moves: moves.iter().map(chosen).collect(),
    })
}

/// Returns a game of self-play.
pub(crate) fn of_self_play(recipe: &Recipe, game: &GameRecord) -> TrainingGame {
    let moves = game.moves.iter().map(|PlayedMove(name, visits)| {
        let mv: Move = name.parse().expect("a move");
        (mv, shares(visits))
    });
    TrainingGame {
        setup: recipe.setup(),
        moves: moves.collect(),
    }
}

/// Visits one of `every` positions of games where a stone was considered, with the index of the game; starting at
/// another one in each game.
pub(crate) fn visit<E>(
    games: &[TrainingGame],
    every: usize,
    mut see: impl FnMut(usize, TrainingPosition<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for (place, game) in games.iter().enumerate() {
        let mut position = Position::new(&game.setup);
        for (number, (mv, shares)) in game.moves.iter().enumerate() {
            if !shares.is_empty() && (place + number).is_multiple_of(every) {
                see(
                    place,
                    TrainingPosition {
                        position: &position,
                        number,
                        shares,
                    },
                )?;
            }
            position.play(*mv).expect("a legal move");
        }
    }
    Ok(())
}

/// Visits all positions, as [`visit`] does.
pub(crate) fn visit_all(games: &[TrainingGame], mut see: impl FnMut(usize, TrainingPosition<'_>)) {
    let Ok(()) = visit(games, 1, |game, position| {
        see(game, position);
        Ok::<(), Infallible>(())
    });
}

/// Returns the shares of the stones among the visits. If the results of moves hardly differ, the shares follow the
/// priors at the root, which self-play flattens; powers of the visits would sharpen the priors with every generation.
fn shares(visits: &[(String, u32)]) -> Vec<(Point, f32)> {
    let visited = visits.iter().filter(|(_, visits)| *visits > 0);
    let stones = visited.filter_map(|(name, visits)| {
        let mv: Move = name.parse().ok()?;
        Some((mv.point()?, *visits as f32))
    });
    let stones: Vec<(Point, f32)> = stones.collect();
    let total: f32 = stones.iter().map(|it| it.1).sum();
    let share = |(point, weight)| (point, weight / total);
    stones.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_people_are_whole_and_even() {
        let moves = (0..60).map(|number| {
            let color = if number % 2 == 0 { 'B' } else { 'W' };
            let [column, row] = [number % 19, number / 19 * 2].map(|it| char::from(b'a' + it));
            format!(";{color}[{column}{row}]")
        });
        let moves = moves.collect::<Vec<_>>().concat();
        let game = of_people(&format!("(;SZ[19]{moves};W[])"));
        assert_eq!(game.err(), Some("out_of_turn"), "two moves of White");
        let game = of_people(&format!("(;SZ[19]{moves};B[])")).ok().unwrap();
        let mut seen = 0;
        visit_all(&[game], |_, position| {
            assert_eq!(position.shares.len(), 1);
            seen += 1;
        });
        assert_eq!(seen, 60, "all but the pass");
        for (text, reason) in [
            (format!("(;SZ[19]{moves};B[aa])"), "damaged"),
            (format!("(;SZ[21]{moves})"), "other_size"),
            (format!("(;AB[ss]{moves})"), "handicap"),
            ("(;B[aa])".into(), "short"),
        ] {
            assert_eq!(of_people(&text).err(), Some(reason));
        }
    }
}
