//! Guarantees of the facade: a legal move whatever the limits, and none if there is none.

use std::{num::NonZeroUsize, time::Duration};

use othello_core::{Bitboard, Board, Game, Move, Position, Square};
use othello_search::{
    Evaluation, Exactness, Goal, Limits, Options, Report, Searcher, StopHandle, TimeBudget,
};

fn search(position: Position, limits: &Limits) -> Report {
    Searcher::new(Options::default()).search(position, limits)
}

fn position(text: &str) -> Position {
    text.parse::<Board>().expect("a board").position()
}

#[test]
fn a_search_without_time_returns_a_legal_move() {
    let stopped = StopHandle::new();
    stopped.stop();
    for limits in [
        Limits::time(TimeBudget::fixed(Duration::ZERO)),
        Limits::nodes(0),
        Limits::nodes(1),
        Limits::depth(0),
        Limits {
            stop: Some(stopped),
            ..Limits::default()
        },
    ] {
        let report = search(Position::START, &limits);
        let best = report.best.expect("a move");
        assert!(Position::START.legal_moves().contains(best), "{limits:?}");
        assert_eq!(report.pv[0], Move::Place(best), "{limits:?}");
    }
}

#[test]
fn a_stop_before_the_search_ends_only_that_search() {
    let mut searcher = Searcher::new(Options::default());
    let handle = searcher.stop_handle();
    handle.stop();
    let report = searcher.search(Position::START, &Limits::default());
    assert_eq!(report.depth, 0);
    handle.stop();
    let report = searcher.search(Position::START, &Limits::depth(5));
    assert_eq!(report.depth, 5);
}

#[test]
fn a_stop_during_the_search_ends_it() {
    let mut searcher = Searcher::new(Options::default());
    let handle = searcher.stop_handle();
    let report = searcher.search_observed(Position::START, &Limits::default(), &mut |report| {
        if report.depth == 4 {
            handle.stop();
        }
    });
    assert_eq!(report.depth, 4);
}

#[test]
fn a_finished_game_has_no_move_and_its_score() {
    let over = Position::new(Bitboard(0b111), Bitboard(0b1 << 40)).unwrap();
    let report = search(over, &Limits::depth(5));
    assert_eq!((report.best, report.pv), (None, vec![]));
    assert_eq!(report.score.to_score().discs(), 62);
    assert_eq!(report.exactness, Exactness::Exact);
}

#[test]
fn a_pass_has_no_move_but_a_line_and_a_score() {
    // White, to move, must pass; Black takes c1 and all discs are black.
    let must_pass = position(&("XO".to_owned() + &"-".repeat(62) + " O"));
    assert!(must_pass.must_pass());
    for limits in [
        Limits::depth(3),
        Limits::time(TimeBudget::fixed(Duration::from_mins(1))),
    ] {
        let report = search(must_pass, &limits);
        assert_eq!(report.best, None);
        assert_eq!(report.score.to_score().discs(), -64);
        assert_eq!(report.pv, [Move::Pass, Move::Place(Square::C1)]);
    }
}

#[test]
fn the_moves_to_consider_can_be_chosen() {
    let limits = Limits {
        moves: Some(Square::D3.into()),
        ..Limits::depth(4)
    };
    assert_eq!(search(Position::START, &limits).best, Some(Square::D3));
    let nonsense = Limits {
        moves: Some(Square::A1.into()),
        ..Limits::depth(4)
    };
    assert!(search(Position::START, &nonsense).best.is_some());
}

#[test]
fn several_lines_are_distinct_and_sorted() {
    let opening = position("---------------------------OX------XXX-------------------------- O");
    let limits = Limits {
        multi_pv: 3,
        ..Limits::depth(6)
    };
    let report = search(opening, &limits);
    assert_eq!(report.others.len(), 2);
    assert!(report.score >= report.others[0].score);
    assert!(report.others[0].score >= report.others[1].score);
    let mut firsts = vec![report.pv[0], report.others[0].pv[0], report.others[1].pv[0]];
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 3);
}

#[test]
fn one_thread_is_deterministic_after_a_clear() {
    let mut searcher = Searcher::new(Options::default());
    let mut search = |position: Position| {
        let report = searcher.search(position, &Limits::depth(8));
        (report.nodes, report.score, report.pv)
    };
    let first = search(Position::START);
    let second = search(Position::START);
    assert!(second.0 < first.0, "the table was of no use");
    searcher.clear();
    let report = searcher.search(Position::START, &Limits::depth(8));
    assert_eq!((report.nodes, report.score, report.pv), first);
}

#[test]
fn a_node_limit_is_kept() {
    for nodes in [100, 5_000, 50_000] {
        let report = search(Position::START, &Limits::nodes(nodes));
        assert!(report.depth > 0);
        assert!(report.nodes <= nodes + 100, "{} of {nodes}", report.nodes);
    }
}

#[test]
fn an_incomplete_iteration_counts_only_for_a_better_move() {
    let game: Game = "f5d6c3d3c4f4f6f3".parse().expect("an opening");
    let position = game.board().position();
    let mut same = 0;
    for nodes in (1_000..60_000).step_by(500) {
        let limits = Limits {
            nodes: Some(nodes),
            multi_pv: 3,
            ..Limits::default()
        };
        let mut completed = Vec::new();
        let mut searcher = Searcher::new(Options::default());
        let report = searcher.search_observed(position, &limits, &mut |report| {
            completed.push(report.clone());
        });
        let last = completed.last().expect("a completed iteration");
        assert_eq!(report.depth, last.depth);
        if report.best == last.best {
            assert_eq!(
                (report.score, &report.pv),
                (last.score, &last.pv),
                "{nodes}"
            );
            assert_eq!(report.others, last.others, "{nodes}");
            same += 1;
        }
    }
    assert!(same > 60, "{same}");
}

#[test]
fn all_table_sizes_and_thread_counts_give_equal_scores() {
    let endgames = [
        (
            "--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X",
            4,
        ),
        (
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
            18,
        ),
        (
            "-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O",
            10,
        ),
    ];
    for hash_mib in [0, 1, 30, 1024] {
        for threads in 1..=4 {
            let mut searcher = Searcher::new(Options {
                hash_mib,
                threads: NonZeroUsize::new(threads).unwrap(),
                ..Options::default()
            });
            for (text, expected) in endgames {
                let endgame = position(text);
                let limits = Limits::depth(endgame.empties().count());
                let report = searcher.search(endgame, &limits);
                assert_eq!(report.exactness, Exactness::Exact);
                let score = report.score.to_score().discs();
                assert_eq!(score, expected, "{hash_mib} MiB, {threads} threads, {text}");
            }
        }
    }
}

#[test]
fn a_single_move_under_a_clock_is_returned_at_once() {
    let one_move = position("---------X--X-----XXX---XXXXXXX--XXXXX------X-O----X------X----- O");
    assert_eq!(one_move.legal_moves().count(), 1);
    let limits = Limits::time(TimeBudget::fixed(Duration::from_hours(24)));
    let report = search(one_move, &limits);
    assert_eq!(report.best, Some(Square::C2));
    assert_eq!(report.depth, 1);
    // With several lines, the value of the move is determined.
    let limits = Limits {
        depth: Some(5),
        multi_pv: 2,
        ..limits
    };
    assert_eq!(search(one_move, &limits).depth, 5);
}

#[test]
fn each_iteration_is_reported_with_a_legal_line() {
    let mut depths = Vec::new();
    let mut observer = |report: &Report| {
        depths.push(report.depth);
        let mut end = Position::START;
        let played = report.pv.iter().try_for_each(|mv| end.play(*mv));
        assert!(played.is_ok() && report.pv.len() >= report.depth as usize);
    };
    let mut searcher = Searcher::new(Options::default());
    searcher.search_observed(Position::START, &Limits::depth(7), &mut observer);
    assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_pass_is_scored_by_all_replies_regardless_of_the_moves_to_consider() {
    let must_pass = position(&("XO".to_owned() + &"-".repeat(60) + "OX O"));
    assert!(must_pass.must_pass());
    let score = |moves| {
        let limits = Limits {
            moves,
            multi_pv: 4,
            ..Limits::depth(3)
        };
        let report = search(must_pass, &limits);
        assert!(report.others.is_empty());
        report.score
    };
    assert_eq!(score(Some(Square::F8.into())), score(None));
    assert_eq!(score(Some(Square::C1.into())), score(None));
}

#[test]
fn bounds_narrow_to_the_exact_score() {
    let endgame = position("--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X");
    let score = Evaluation::from_units(4 * Evaluation::DISC);
    for (goal, proven) in [
        (Goal::Score, (score, score)),
        (
            Goal::WinDrawLoss,
            (
                Evaluation::from_units(2 * Evaluation::DISC),
                Evaluation::MAX,
            ),
        ),
    ] {
        let mut all = vec![(Evaluation::MIN, Evaluation::MAX)];
        let limits = Limits {
            goal,
            ..Limits::depth(18)
        };
        let mut searcher = Searcher::new(Options::default());
        searcher.search_observed(endgame, &limits, &mut |report| all.push(report.bounds));
        for pair in all.windows(2) {
            let ((lower, upper), (next_lower, next_upper)) = (pair[0], pair[1]);
            assert!(lower <= next_lower && next_upper <= upper, "{all:?}");
            assert!(next_lower <= score && score <= next_upper, "{all:?}");
        }
        let (lower, upper) = all[all.len() - 1];
        assert!(lower >= proven.0 && upper <= proven.1, "{all:?}");
    }
}

/// Against few discs a game can end at any time. ProbCut once judged both attacks to be losing.
#[test]
fn a_selective_search_sees_a_wipe_out_within_five_plies() {
    for attack in [
        "---------O-------XOXXX-----OOX-----XOX-----X-O-----X-XXX-------- X",
        "---XXX---X-O------OX-----O-OX------XO-------XO------------------ X",
    ] {
        let position = position(attack);
        for depth in 6..=12 {
            let score = search(position, &Limits::depth(depth)).score;
            assert_eq!(score, Evaluation::MAX, "{attack}, depth {depth}");
        }
    }
}
