use super::*;
use crate::TimeBudget;
use go_core::Setup;

fn position(setup: &str) -> Position {
    Position::new(&setup.parse::<Setup>().unwrap())
}

fn search(position: &Position, playouts: u32) -> Report {
    Searcher::new(Options::default()).search(position, &Limits::playouts(playouts))
}

#[test]
fn the_same_search_gives_the_same_report() {
    let position = position("9x9 komi 7.5");
    let key = |report: Report| (report.best, report.candidates, report.line);
    assert_eq!(key(search(&position, 200)), key(search(&position, 200)));
}

#[test]
fn visits_add_up_to_the_simulations() {
    let report = search(&position("9x9 komi 7.5"), 300);
    let visits: u32 = report.candidates.iter().map(|it| it.visits).sum();
    // The search may end earlier, once no other move can get more visits.
    assert_eq!(visits, report.playouts);
    assert!((200..=300).contains(&visits));
    let priors: f32 = report.candidates.iter().map(|it| it.prior).sum();
    assert!((priors - 1.0).abs() < 1e-3);
    assert_eq!(report.line[0], report.best);
}

#[test]
fn the_vital_point_of_an_eye_space_is_found_by_both_sides() {
    // Whether Black's chain lives depends on B1.
    let setup = "7x7 komi -40 black A2 B2 C2 D2 D1 white A3 B3 C3 D3 E3 E2 E1";
    for first in ["black", "white"] {
        let report = search(&position(&format!("{setup} first {first}")), 1000);
        assert_eq!(report.best, "B1".parse().unwrap(), "{first}");
    }
}

/// Returns a searcher after a search with White's B3 as the last move, after which Black's chain lives if Black plays
/// B1.
fn after_a_threat() -> (Searcher, Position) {
    let setup = "7x7 komi -40 black A2 B2 C2 D2 D1 white A3 C3 D3 E3 E2 E1 first white";
    let mut position = position(setup);
    position.play("B3".parse::<Move>().unwrap()).unwrap();
    let mut searcher = Searcher::new(Options::default());
    searcher.search(&position, &Limits::playouts(2_000));
    (searcher, position)
}

#[test]
fn replies_that_save_a_chain_are_learned() {
    let (searcher, _) = after_a_threat();
    let [stone, saves] = ["B3", "B1"].map(|name| name.parse::<Point>().unwrap());
    let good = searcher.replies.factor(Color::Black, stone, saves);
    let bad = searcher.replies.factor_elsewhere(Color::Black, stone);
    assert!(good > 1.0 && bad < 1.0, "{good} {bad}");
}

#[test]
fn replies_are_kept_during_a_game_and_cleared_for_the_next() {
    let (mut searcher, first) = after_a_threat();
    let known = |searcher: &Searcher| {
        let [stone, reply] = ["B3", "B1"].map(|name| name.parse::<Point>().unwrap());
        let factor = searcher.replies.factor(Color::Black, stone, reply);
        factor.to_bits() != 1.0_f32.to_bits()
    };
    let mut later = first.clone();
    later.play("B1".parse::<Move>().unwrap()).unwrap();
    searcher.set_root(&later);
    assert!(known(&searcher));
    searcher.set_root(&position("7x7 komi -40"));
    assert!(!known(&searcher));
    let (mut searcher, _) = after_a_threat();
    searcher.clear();
    assert!(!known(&searcher));
}

#[test]
fn the_search_passes_on_a_settled_board() {
    // Each side has two eyes.
    let setup = "6x6 komi 0.5 black B1 B2 B3 B4 B5 B6 A3 C1 C2 C3 C4 C5 C6 \
        white E1 E2 E3 E4 E5 E6 F3 D1 D2 D3 D4 D5 D6";
    assert_eq!(search(&position(setup), 400).best, Move::Pass);
}

#[test]
fn a_pass_is_not_answered_by_a_stone_in_the_own_territory() {
    // White has passed. Some points are still open, but a stone of Black costs a point. The game is lost for Black, so
    // few simulations try an invasion.
    let moves = "G4 D5 D7 C5 E5 E6 F6 E7 E4 G8 D6 D8 F7 E8 F8 F9 G7 C7 D4 C4 C3 B3 D3 C2 D2 B2 C6 B6 E9 D9 \
        H8 D1 E1 C1 E2 G9 H9 E9 H7 F5 G5 G3 F4 F3 E3 F2 F1 G2 G1 H2 H1 pass";
    let mut position = position("9x9 komi 6.5 rules japanese");
    for mv in moves.split_whitespace() {
        position.play(mv.parse::<Move>().unwrap()).unwrap();
    }
    // With seed 1 a pass has the most visits anyway.
    for seed in 2..6 {
        let options = Options {
            seed,
            ..Options::default()
        };
        let report = Searcher::new(options).search(&position, &Limits::playouts(4_000));
        assert_eq!(report.best, Move::Pass, "{seed}");
    }
}

#[test]
fn a_kept_tree_does_not_prevent_a_pass() {
    // The board is settled, but the kept visits favour a stone.
    let setup = "6x6 komi 0.5 rules japanese black B1 B2 B3 B4 B5 B6 A3 C1 C2 C3 C4 C5 C6 \
        white E1 E2 E3 E4 E5 E6 F3 D1 D2 D3 D4 D5 D6";
    let mut position = position(setup);
    position.play(Move::Pass).unwrap();
    let mut searcher = Searcher::new(Options::default());
    searcher.set_root(&position);
    // The pass comes first.
    for (child, visits) in (searcher.tree.children_mut(NodeId::ROOT).iter_mut()).zip([1_000, 5_000])
    {
        child.visits = visits;
    }
    let report = searcher.search(&position, &Limits::playouts(200));
    assert!(
        report.playouts >= owners::MIN_SIMULATIONS,
        "{}",
        report.playouts
    );
    assert_eq!(report.best, Move::Pass);
}

#[test]
fn open_points_are_filled_before_a_pass() {
    // C3 is open between two walls, and neither side loses by filling it.
    let setup = "5x5 komi 0.5 black B1 B2 B3 B4 B5 A3 C1 C2 white D1 D2 D3 D4 D5 E3 C4 C5";
    let mut position = position(setup);
    assert_eq!(search(&position, 400).best, "C3".parse().unwrap());
    position.play(Move::Pass).unwrap();
    assert_eq!(search(&position, 400).best, "C3".parse().unwrap());
}

#[test]
fn a_finished_game_has_no_move_except_a_pass() {
    let mut position = position("5x5");
    position.play(Move::Pass).unwrap();
    position.play(Move::Pass).unwrap();
    let report = search(&position, 100);
    assert_eq!((report.best, report.playouts), (Move::Pass, 0));
}

#[test]
fn the_tree_is_kept_below_the_move_and_the_reply() {
    let mut searcher = Searcher::new(Options::default());
    let mut position = position("7x7 komi 0.5");
    let first = searcher.search(&position, &Limits::playouts(2000));
    let fresh = first.nodes;
    position.play(first.best).unwrap();
    let answer = first.line[1];
    position.play(answer).unwrap();
    let second = searcher.search(&position, &Limits::playouts(1));
    let visits: u32 = second.candidates.iter().map(|it| it.visits).sum();
    assert!(visits > 10 && second.nodes < fresh, "{visits}");
    searcher.clear();
    let third = searcher.search(&position, &Limits::playouts(1));
    assert_eq!(third.candidates.iter().map(|it| it.visits).sum::<u32>(), 1);
}

#[test]
fn a_kept_root_has_all_moves_and_a_pass() {
    let mut searcher = Searcher::new(Options::default());
    let mut position = position("13x13 komi 0.5");
    let first = searcher.search(&position, &Limits::playouts(1500));
    for mv in [first.best, first.line[1]] {
        position.play(mv).unwrap();
    }
    let second = searcher.search(&position, &Limits::playouts(1));
    let visits: u32 = second.candidates.iter().map(|it| it.visits).sum();
    assert!(visits > 1, "{visits}");
    assert_eq!(second.candidates.len(), 169 - 2 + 1);
    assert!(second.candidates.iter().any(|it| it.mv == Move::Pass));
    let priors: f32 = second.candidates.iter().map(|it| it.prior).sum();
    assert!((priors - 1.0).abs() < 1e-3, "{priors}");
}

#[test]
fn a_board_is_not_settled_by_few_simulations() {
    for playouts in [1, 10] {
        let report = search(&position("9x9 komi 7.5"), playouts);
        assert_ne!(report.best, Move::Pass);
    }
}

#[test]
fn a_chain_is_saved_although_everything_else_is_settled() {
    // Black makes two eyes at A2, or White kills there. White has two eyes.
    let setup = "6x6 komi 0.5 black A4 A5 A6 B1 B2 B3 B4 B5 B6 C1 C2 C3 C4 C5 C6 \
        white E1 E2 E3 E4 E5 E6 F3 D1 D2 D3 D4 D5 D6";
    for first in ["black", "white"] {
        let report = search(&position(&format!("{setup} first {first}")), 1000);
        assert_eq!(report.best, "A2".parse().unwrap(), "{first}");
    }
}

#[test]
fn a_search_continues_with_a_full_tree() {
    let mut searcher = Searcher::new(Options {
        max_nodes: 0,
        ..Options::default()
    });
    // The second search keeps the tree of the first, which leaves no room for the moves of its root.
    let [first, second] =
        [(); 2].map(|()| searcher.search(&position("13x13"), &Limits::playouts(800)));
    assert!(
        first.nodes <= expand::MIN_NODES && first.nodes > 500,
        "{first:?}"
    );
    assert!(second.nodes <= expand::MIN_NODES, "{second:?}");
    assert!(first.playouts > 100 && second.playouts > 100);
    let visits: u32 = second.candidates.iter().map(|it| it.visits).sum();
    assert!(visits + 2 >= first.playouts + second.playouts, "{second:?}");
    // The root, its stones, a pass, and more.
    assert!(second.nodes > 1 + 169 + 1, "{second:?}");
    let root = searcher.tree.node(NodeId::ROOT).visits;
    assert_eq!(root, first.playouts + second.playouts);
}

#[test]
fn a_node_gets_more_children_with_more_visits() {
    let mut searcher = Searcher::new(Options::default());
    searcher.search(&position("13x13"), &Limits::playouts(3_000));
    let count_after = |visits: std::ops::Range<u32>| {
        let nodes = searcher.tree.children(NodeId::ROOT).iter();
        let mut expanded = nodes.filter(|node| node.is_expanded() && visits.contains(&node.visits));
        expanded.next().map(Node::child_count)
    };
    assert_eq!(count_after(5..250), Some(widening::FIRST_CHILDREN));
    let more = count_after(400..3_000).unwrap();
    assert!((24..30).contains(&more), "{more}");
    let visits = searcher.tree.children(NodeId::ROOT).iter();
    let visits: u32 = visits.map(|node| node.visits).sum();
    assert_eq!(visits, searcher.tree.node(NodeId::ROOT).visits);
}

#[test]
fn a_flag_stops_the_search() {
    use std::sync::{Arc, atomic::AtomicBool};
    let limits = Limits {
        stop: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let report = Searcher::new(Options::default()).search(&position("9x9"), &limits);
    assert_eq!(report.playouts, 0);
    assert!(position("9x9").check(report.best).is_ok());
}

#[test]
fn amaf_results_count_the_move_itself_and_later_ones() {
    let mut searcher = Searcher::new(Options::default());
    let report = searcher.search(&position("7x7 komi 0.5"), &Limits::playouts(300));
    let root = searcher.tree.node(NodeId::ROOT);
    assert_eq!(root.visits, report.playouts);
    for child in searcher.tree.children(NodeId::ROOT) {
        if child.mv.is_none() {
            assert_eq!(child.amaf_visits, 0);
            continue;
        }
        assert!(
            (child.visits..=root.visits).contains(&child.amaf_visits),
            "{child:?}"
        );
        assert!(child.amaf_results >= child.results - 1e-3, "{child:?}");
        assert!(
            child.amaf_results <= child.amaf_visits as f32 + 1e-3,
            "{child:?}"
        );
    }
    let later = |child: &Node| child.amaf_visits > child.visits;
    assert!(searcher.tree.children(NodeId::ROOT).iter().any(later));
}

#[test]
fn the_last_two_stones_affect_the_priors_of_the_root() {
    let priors = |moves: [&str; 4]| {
        let mut position = position("9x9 komi 7.5");
        for mv in moves {
            position.play(mv.parse::<Move>().unwrap()).unwrap();
        }
        let mut candidates = search(&position, 1).candidates;
        candidates.sort_by_key(|it| it.mv);
        candidates.iter().map(|it| it.prior).collect::<Vec<_>>()
    };
    // The stones and the last stone are the same, but not the stone before it.
    assert_ne!(
        priors(["C3", "G7", "G3", "C7"]),
        priors(["G3", "G7", "C3", "C7"])
    );
    assert_ne!(
        priors(["C3", "G7", "G3", "C7"]),
        priors(["C3", "C7", "G3", "G7"])
    );
}

#[test]
fn the_owners_of_points_change_the_priors_of_the_root() {
    // Black owns the lower half, White the upper half.
    let setup = "7x7 komi 0.5 black A3 B3 C3 D3 E3 F3 G3 white A5 B5 C5 D5 E5 F5 G5";
    let position = position(setup);
    let priors = |playouts| {
        let mut candidates = search(&position, playouts).candidates;
        candidates.sort_by_key(|it| it.mv);
        candidates.iter().map(|it| it.prior).collect::<Vec<_>>()
    };
    let (before, after) = (
        priors(owners::MIN_SIMULATIONS - 1),
        priors(owners::MIN_SIMULATIONS),
    );
    assert_eq!(before.len(), after.len());
    assert_ne!(before, after);
    for shares in [before, after] {
        assert!(
            (shares.iter().sum::<f32>() - 1.0).abs() < 1e-3,
            "{shares:?}"
        );
    }
}

#[test]
fn a_temperature_flattens_the_priors_of_the_root() {
    let greatest = |temperature, playouts| {
        let mut searcher = Searcher::new(Options::default());
        searcher.set_root_exploration(RootExploration {
            temperature,
            noise: 0.0,
        });
        let report = searcher.search(&position("9x9"), &Limits::playouts(playouts));
        let priors = report.candidates.iter().map(|it| it.prior);
        priors.fold(0.0, f32::max)
    };
    // Before and after the owners of points are known.
    for playouts in [owners::MIN_SIMULATIONS - 1, 2 * owners::MIN_SIMULATIONS] {
        let (as_it_is, flat) = (greatest(1.0, playouts), greatest(2.0, playouts));
        assert!(flat < 0.9 * as_it_is, "{flat} {as_it_is}");
    }
}

#[test]
fn a_clear_game_takes_a_fraction_of_the_time() {
    use std::cell::Cell;
    use std::time::Duration;
    thread_local!(static TICKS: Cell<u64> = const { Cell::new(0) });
    // A clock that advances by a millisecond on every reading.
    fn clock() -> Duration {
        Duration::from_millis(TICKS.replace(TICKS.get() + 1))
    }
    let elapsed = |komi: i32| {
        let limits = Limits {
            clock: Some(clock),
            stop_when_clear: true,
            ..Limits::time(TimeBudget::fixed(Duration::from_secs(1)))
        };
        let position = position(&format!("9x9 komi {komi}"));
        Searcher::new(Options::default())
            .search(&position, &limits)
            .elapsed
            .as_millis()
    };
    assert_eq!([-200, 200].map(|komi| elapsed(komi) / 10), [20, 20]);
    assert!(elapsed(7) > 500);
    let playouts = |komi: i32, stop_when_clear, max| {
        let limits = Limits {
            stop_when_clear,
            ..Limits::playouts(max)
        };
        let position = position(&format!("9x9 komi {komi}"));
        Searcher::new(Options::default())
            .search(&position, &limits)
            .playouts
    };
    let lopsided = |stop, max| [-200, 200].map(|komi| playouts(komi, stop, max));
    assert_eq!(lopsided(true, 10_000), [2_000, 2_000]);
    // Not before the root has 1,000 visits.
    assert!(lopsided(true, 1_500).iter().all(|made| *made >= 1_000));
    assert!(lopsided(false, 10_000).iter().all(|made| *made > 5_000));
    assert!(playouts(7, true, 10_000) > 5_000);
}
