//! The positions of games, with the shares of the visits.

use go_core::{Move, Point, Position};

use crate::self_play::{GameRecord, Recipe};

/// A position of a game, with the shares of the visits.
pub(crate) struct TrainingPosition<'a> {
    pub(crate) position: &'a Position,
    /// The shares of the stones among the visits, never empty.
    pub(crate) shares: &'a [(Point, f32)],
}

impl TrainingPosition<'_> {
    /// Returns the share of a stone.
    pub(crate) fn share(&self, point: Point) -> f32 {
        let share = self.shares.iter().find(|it| it.0 == point);
        share.map_or(0.0, |it| it.1)
    }
}

/// Visits the positions of games where a stone was considered, with the index of the game among all.
pub(crate) fn visit<E>(
    games: &[(Recipe, Vec<GameRecord>)],
    mut see: impl FnMut(usize, TrainingPosition<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let games = games.iter();
    let all = games.flat_map(|(recipe, games)| games.iter().map(move |game| (recipe, game)));
    for (place, (recipe, game)) in all.enumerate() {
        visit_game(recipe, game, |position| see(place, position))?;
    }
    Ok(())
}

fn visit_game<E>(
    recipe: &Recipe,
    game: &GameRecord,
    mut see: impl FnMut(TrainingPosition<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut position = Position::new(&recipe.setup());
    for played in &game.moves {
        let shares = shares(&played.1);
        if !shares.is_empty() {
            see(TrainingPosition {
                position: &position,
                shares: &shares,
            })?;
        }
        let mv: Move = played.0.parse().expect("a move");
        position.play(mv).expect("a legal move");
    }
    Ok(())
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
