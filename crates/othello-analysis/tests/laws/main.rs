//! No two values of an analysis contradict each other, whatever the game and the search.

mod values;

use std::num::NonZeroUsize;

use othello_analysis::{
    Analysis, Bound, Detail, Discs, Effort, Evaluator, MemoryStore, MoveValue, Request, Search,
    Settings, Source,
};
use othello_core::{Board, Empties, Game, Move, Position, strategies::games};
use othello_search::{Options, Searcher, StopHandle};
use proptest::prelude::*;

/// An evaluator with arbitrary estimates, so that neighbouring ones never agree, that solves positions by brute force.
struct Arbitrary {
    seed: u64,
    /// The number of searches left before it is stopped.
    left: usize,
}

impl Arbitrary {
    fn estimate(&self, position: Position, depth: u32) -> Discs {
        let mixed = (position.own().0 ^ position.opponent().0.rotate_left(17))
            .wrapping_add(self.seed ^ u64::from(depth))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Discs::from_hundredths((mixed >> 40) as i32 % 6400)
    }
}

/// The exact score of a position and a line that leads to it.
fn solve(position: Position) -> (i32, Vec<Move>) {
    if position.is_over() {
        return (position.score(Empties::ToWinner).discs(), Vec::new());
    }
    let mut moves: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .map(Move::Place)
        .collect();
    if moves.is_empty() {
        moves.push(Move::Pass);
    }
    let reply = |mv| {
        let mut child = position;
        child.play(mv).expect("a legal move");
        let (score, mut line) = solve(child);
        line.insert(0, mv);
        (-score, line)
    };
    let replies = moves.into_iter().map(reply);
    replies.max_by_key(|(score, _)| *score).expect("a move")
}

impl Evaluator for Arbitrary {
    fn evaluate(&mut self, request: &Request) -> Option<Vec<MoveValue>> {
        self.left = self.left.checked_sub(1)?;
        let value = |square| {
            let child = request.position.play_unchecked(square);
            let (score, source, mut line) = match request.effort {
                Effort::Depth(depth) => {
                    let source = Source::Depth {
                        depth,
                        confidence: 50,
                    };
                    (-self.estimate(child, depth), source, Vec::new())
                }
                Effort::Exact => {
                    let (score, line) = solve(child);
                    (Discs::whole(-score), Source::Exact, line)
                }
            };
            line.insert(0, Move::Place(square));
            MoveValue {
                mv: square.into(),
                score,
                bound: Bound::Exact,
                source,
                line,
            }
        };
        let mut values: Vec<MoveValue> = request.moves.into_iter().map(value).collect();
        if let Detail::BestAbove(score) = request.detail {
            bound_others(&mut values, score);
        }
        Some(values)
    }
}

fn bound_others(values: &mut [MoveValue], score: Discs) {
    values.sort_by_key(|value| -value.score);
    let best = values[0].score;
    for (value, rank) in values.iter_mut().zip(0..) {
        if rank > 0 || best <= score {
            value.score = best.max(score);
            value.bound = Bound::AtMost;
            value.line.truncate(1);
        }
    }
}

/// The game without its first moves, or the whole game.
fn later_part(game: &Game, skipped: usize) -> Game {
    let boards: Vec<Board> = game.boards().collect();
    let skipped = skipped.min(boards.len() - 1);
    let mut rest = Game::new(boards[skipped]);
    for &mv in &game.moves()[skipped..] {
        rest.play(mv).expect("a move of the game");
    }
    rest
}

fn check(analysis: &Analysis) -> Result<(), TestCaseError> {
    let broken = values::broken(analysis);
    prop_assert!(broken.is_empty(), "{broken:?}");
    Ok(())
}

/// No move is better than its bound.
fn check_bounds(analysis: &Analysis) -> Result<(), TestCaseError> {
    for position in analysis.positions() {
        let moves = position.moves().iter();
        for value in moves.filter(|value| value.bound == Bound::AtMost) {
            let mut after = position.board();
            after.play(value.mv).expect("a legal move");
            let (score, _) = solve(after.position());
            prop_assert!(Discs::whole(-score) <= value.score, "{value:?}");
        }
    }
    Ok(())
}

/// All estimating searches end with an odd number of empty squares, unless there is a pass.
fn check_parity(analysis: &Analysis) -> Result<(), TestCaseError> {
    let positions = analysis.positions();
    let passes = |position: &othello_analysis::Position| position.played() == Some(Move::Pass);
    if positions.iter().any(passes) {
        return Ok(());
    }
    for position in positions {
        let empties = position.board().empties().count();
        for value in position.moves() {
            if let Source::Depth { depth, .. } = value.source {
                prop_assert_ne!(empties % 2, depth % 2);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_estimates_never_contradict_each_other(
        whole in games(0..=70),
        skipped in 0..30_usize,
        depth in 1..12_u32,
        exact_from in 0..6_u32,
        each_move_empties in 0..6_u32,
        seed: u64,
        left in 0..80_usize,
        kept in 40..70_usize,
        others in prop::collection::vec(any::<u64>(), 0..30),
    ) {
        let game = later_part(&whole, skipped);
        let new = |game: &Game| Analysis::new(game).with_each_move_empties(each_move_empties);
        let mut analysis = new(&game);
        check(&analysis)?;
        let settings = Settings { depth: depth.min(5), exact_from };
        let mut evaluator = Arbitrary { seed, left };
        let mut store = MemoryStore::default();
        let ended = analysis.deepen(&settings, &mut evaluator, Some(&mut store), &mut |_| {});
        check(&analysis)?;
        prop_assert_eq!(ended, analysis.pending(&settings) == 0);
        prop_assert!(!ended || analysis.is_complete());

        // Continue where the searches were stopped, and then deeper.
        evaluator.left = usize::MAX;
        let ended = analysis.deepen(&settings, &mut evaluator, Some(&mut store), &mut |_| {});
        prop_assert!(ended);
        check(&analysis)?;
        check_parity(&analysis)?;
        let deeper = Settings { depth: settings.depth + 2, exact_from: 6 };
        evaluator.left = left;
        analysis.deepen(&deeper, &mut evaluator, Some(&mut store), &mut |_| {});
        check(&analysis)?;
        check_bounds(&analysis)?;
        prop_assert!(analysis.is_complete());
        check_parity(&analysis)?;

        // Another analysis takes values that are deep enough from the store.
        let mut again = new(&game);
        evaluator.left = 0;
        let ended = again.deepen(&settings, &mut evaluator, Some(&mut store), &mut |_| {});
        prop_assert!(ended);
        check(&again)?;
        prop_assert!(again.is_complete());

        // So does the analysis of a game that continues differently.
        let mut other = Game::default();
        for &mv in whole.moves().iter().take(kept) {
            other.play(mv).expect("a move of the game");
        }
        other.play_choices(others);
        let mut branch = new(&later_part(&other, skipped));
        evaluator.left = usize::MAX;
        let ended = branch.deepen(&deeper, &mut evaluator, Some(&mut store), &mut |_| {});
        prop_assert!(ended);
        check(&branch)?;
        check_bounds(&branch)?;
        prop_assert!(branch.is_complete());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_searchs_values_never_contradict_each_other(
        game in games(20..=70),
        depth in 1..7_u32,
        exact_from in 0..19_u32,
        each_move_empties in 0..19_u32,
        threads in 1..4_usize,
    ) {
        let mut searcher = Searcher::new(Options {
            threads: NonZeroUsize::new(threads).unwrap(),
            ..Options::default()
        });
        let mut analysis = Analysis::new(&game).with_each_move_empties(each_move_empties);
        let mut store = MemoryStore::default();
        let steps = [
            Settings { depth, exact_from: exact_from / 2 },
            Settings { depth: depth + 2, exact_from },
        ];
        for settings in steps {
            let mut search = Search::new(&mut searcher);
            let ended = analysis.deepen(&settings, &mut search, Some(&mut store), &mut |_| {});
            prop_assert!(ended);
            check(&analysis)?;
            check_parity(&analysis)?;
        }
        prop_assert!(analysis.is_complete());
    }
}

/// A position solved earlier, as by `hint`, is estimated again in a game whose next position is only estimated.
#[test]
fn exact_values_of_a_store_do_not_stand_beside_an_estimate() {
    let mut game = Game::default();
    game.play_choices([3; 70]);
    let solved = game
        .boards()
        .position(|board| board.empties().count() == 10)
        .unwrap();
    let mut before = Game::default();
    for &mv in &game.moves()[..solved] {
        before.play(mv).unwrap();
    }
    let mut store = MemoryStore::default();
    let mut searcher = Searcher::new(Options::default());
    let mut analyze = |game: &Game, exact_from| {
        let settings = Settings {
            depth: 4,
            exact_from,
        };
        let mut analysis = Analysis::new(game);
        let mut search = Search::new(&mut searcher);
        assert!(analysis.deepen(&settings, &mut search, Some(&mut store), &mut |_| {}));
        analysis
    };
    let is_exact = |value: &MoveValue| value.source >= Source::Exact;
    let alone = analyze(&before, 10);
    assert!(alone.positions()[solved].moves().iter().all(is_exact));
    let in_game = analyze(&game, 4);
    let moves = in_game.positions()[solved].moves();
    assert!(moves.len() > 1 && !moves.iter().any(is_exact), "{moves:?}");
}

/// Above `with_each_move_empties`, the other moves of a solved position have bounds, and a move behind one has no rank.
/// A store has everything for both steps of another analysis.
#[test]
fn moves_of_solved_positions_have_bounds() {
    let mut game = Game::default();
    game.play_choices([1; 70]);
    let settings = Settings {
        depth: 2,
        exact_from: 12,
    };
    let first_look = Settings {
        exact_from: 6,
        ..settings
    };
    let mut searcher = Searcher::new(Options::default());
    let mut store = MemoryStore::default();
    let mut analyze = |stop: &StopHandle| {
        let mut analysis = Analysis::new(&game).with_each_move_empties(3);
        for step in [first_look, settings] {
            let mut search = Search::with_stop(&mut searcher, stop.clone());
            assert!(analysis.deepen(&step, &mut search, Some(&mut store), &mut |_| {}));
            assert_eq!(values::broken(&analysis), []);
        }
        analysis
    };
    let bounds = |analysis: &Analysis| {
        let positions = analysis.positions().iter();
        let has_bound = |position: &&othello_analysis::Position| {
            let mut moves = position.moves().iter();
            moves.any(|value| value.bound == Bound::AtMost)
        };
        let bounded = positions.filter(has_bound);
        let empties = bounded.map(|position| position.board().empties().count());
        empties.collect::<Vec<u32>>()
    };
    let stop = StopHandle::new();
    let analysis = analyze(&stop);
    let empties = bounds(&analysis);
    assert!(!empties.is_empty());
    assert!(
        empties.iter().all(|empties| (4..=12).contains(empties)),
        "{empties:?}"
    );
    let mut played = analysis.positions().iter();
    assert!(played.any(|position| {
        let played = position.played_value();
        played.is_some_and(|played| played.rank.is_none())
    }));
    stop.stop();
    assert_eq!(bounds(&analyze(&stop)), empties);
}
