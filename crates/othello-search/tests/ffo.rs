//! The FFO endgame suite: every score is exact, and every move is one of the best.
//!
//! The test set of the French Othello federation, as published by Edax and others. Each line lists
//! all legal moves with their exact scores, best first.

use othello_core::{Problem, Score};
use othello_search::{Evaluation, Exactness, Goal, Limits, Options, Searcher};

fn problems(suite: &str) -> Vec<Problem> {
    Problem::read_all(suite).expect("problems")
}

fn check(suite: &str, numbers: impl Iterator<Item = usize>) {
    let problems = problems(suite);
    let mut searcher = Searcher::new(Options::default());
    for number in numbers {
        let problem = &problems[number];
        let position = problem.board.position();
        let limits = Limits::depth(position.empties().count());
        let report = searcher.search(position, &limits);
        let best = report.best.expect("a move");
        let score = report.score.to_score();
        assert_eq!(report.exactness, Exactness::Exact, "{problem}");
        assert_eq!(Some(score), problem.best(), "{problem}");
        assert_eq!(
            problem.score_of(best.into()),
            Some(score),
            "{best}: {problem}"
        );
        let mut end = position;
        let played = report.pv.iter().try_for_each(|mv| end.play(*mv));
        assert!(played.is_ok(), "the line {:?}", report.pv);
        assert!(end.is_over(), "the line {:?} stops early", report.pv);
    }
}

#[test]
fn problems_1_to_19() {
    check(include_str!("data/fforum-1-19.obf"), 0..19);
}

#[test]
fn problems_20_to_39_with_at_most_20_empties() {
    let suite = include_str!("data/fforum-20-39.obf");
    let easy = problems(suite)
        .iter()
        .enumerate()
        .filter(|(_, problem)| problem.board.empties().count() <= 20)
        .map(|(number, _)| number)
        .collect::<Vec<_>>();
    assert!(easy.len() > 5);
    check(suite, easy.into_iter());
}

#[test]
fn the_winners_of_problems_1_to_19() {
    let mut searcher = Searcher::new(Options::default());
    for problem in problems(include_str!("data/fforum-1-19.obf")) {
        let position = problem.board.position();
        let limits = Limits {
            goal: Goal::WinDrawLoss,
            ..Limits::depth(position.empties().count())
        };
        let report = searcher.search(position, &limits);
        assert_eq!(report.exactness, Exactness::WinDrawLoss, "{problem}");
        let sign = |score: Score| score.discs().signum();
        let best = report.best.expect("a move");
        let listed = problem.score_of(best.into()).expect("all moves are listed");
        let expected = sign(problem.best().expect("a score"));
        assert_eq!(sign(report.score.to_score()), expected, "{problem}");
        assert_eq!(sign(listed), expected, "{best}: {problem}");
    }
}

#[test]
fn the_winner_of_a_lopsided_game_is_found_without_its_score() {
    let problems = problems(include_str!("data/fforum-40-59.obf"));
    let position = problems[0].board.position();
    let nodes = |goal| {
        let mut searcher = Searcher::new(Options::default());
        let (mut before_the_end, mut unproven) = (0, None);
        let limits = Limits {
            goal,
            ..Limits::default()
        };
        searcher.search_observed(position, &limits, &mut |report| {
            if *unproven.get_or_insert(report.bounds) == report.bounds {
                before_the_end = report.nodes;
            }
        });
        before_the_end
    };
    let (outcome, score) = (nodes(Goal::WinDrawLoss), nodes(Goal::Score));
    assert!(outcome < score / 2, "{outcome} {score}");
}

#[test]
fn a_score_to_exceed_is_exceeded_or_proven_to_be_a_bound() {
    let mut searcher = Searcher::new(Options::default());
    for problem in problems(include_str!("data/fforum-1-19.obf")) {
        let position = problem.board.position();
        let best = problem.best().expect("a score");
        for above in [best.discs() - 2, best.discs(), best.discs() + 2] {
            searcher.clear();
            let limits = Limits {
                above: Some(Evaluation::from_units(above * Evaluation::DISC)),
                ..Limits::depth(position.empties().count())
            };
            let report = searcher.search(position, &limits);
            let found = report.score.to_score();
            assert_eq!(report.exactness, Exactness::Exact, "{problem}");
            if best.discs() > above {
                assert_eq!(found, best, "{problem}");
                let listed = problem.score_of(report.best.expect("a move").into());
                assert_eq!(listed, Some(best), "{problem}");
            } else {
                assert!(best <= found && found.discs() <= above, "{problem}");
            }
        }
    }
}
