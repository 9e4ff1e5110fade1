//! Tests of time management in whole games under clocks.

use boardgame_core::{ByoYomi, ClockState, TimeControl};
use go_core::{Position, Setup, Size};
use proptest::prelude::*;

use super::*;

const MS: fn(u64) -> Duration = Duration::from_millis;
/// The overhead of a move on the other side's clock, which the engine's clock does not see.
const LAG: Duration = Duration::from_millis(15);
const SEC: fn(u64) -> Duration = Duration::from_secs;

/// The tournament's main time and overtime per move.
const TOURNAMENT: (Duration, Duration) = (Duration::from_hours(1), Duration::from_secs(10));

fn stage(lines: u32, moves: u32) -> Stage {
    Stage {
        points: lines * lines,
        stones: 2 * moves,
    }
}

fn of_move(limit: u64, move_time: Option<u64>) -> Option<TimeBudget> {
    let clock = Clock {
        move_limit: Some(MS(limit)),
        ..Clock::default()
    };
    Pace::new(move_time.map(MS)).budget_at(&clock, stage(19, 0))
}

#[test]
fn without_any_limit_there_is_no_budget() {
    let position = Position::new(&Setup::new(Size::NINE));
    assert_eq!(Stage::of(&position), stage(9, 0));
    let budget = Pace::default().budget(&Clock::default(), &position);
    assert_eq!(budget, None);
}

#[test]
fn a_move_limit_is_used_except_for_a_reserve() {
    for (limit, expected) in [(2_000, 1_800), (10_000, 9_800), (100, 80), (20, 10)] {
        assert_eq!(of_move(limit, None), Some(TimeBudget::fixed(MS(expected))));
    }
}

#[test]
fn the_tighter_move_limit_applies() {
    let fixed = |time| Some(TimeBudget::fixed(MS(time)));
    assert_eq!(of_move(2_000, Some(1_000)), fixed(900));
    assert_eq!(of_move(1_000, Some(2_000)), fixed(900));
    let clock = Clock {
        remaining: Some(SEC(3600)),
        ..Clock::default()
    };
    let budget = Pace::new(Some(MS(1_000))).budget_at(&clock, stage(19, 0));
    assert_eq!(budget, fixed(900));
}

#[test]
fn a_new_game_starts_a_new_account() {
    let mut pace = Pace::default();
    let hard =
        |pace: &mut Pace, left, moves| pace.game_budget(SEC(left), None, stage(9, moves)).hard;
    let fresh = hard(&mut Pace::default(), 10, 0);
    hard(&mut pace, 600, 0);
    hard(&mut pace, 500, 1);
    assert!(hard(&mut pace, 10, 2) < fresh);
    assert_eq!(hard(&mut pace, 10, 0), fresh);
}

/// Plays moves that take their soft time, and returns the main time left after each.
fn spend(lines: u32, (main, overtime): (Duration, Option<Duration>), moves: u32) -> Vec<Duration> {
    let (mut pace, mut left) = (Pace::default(), main);
    let play = |made| {
        let budget = pace.game_budget(left, overtime, stage(lines, made));
        left = left.saturating_sub(budget.soft);
        left
    };
    (0..moves).map(play).collect()
}

#[test]
fn the_tournaments_main_time_is_spent_on_the_decisive_moves() {
    let (main, overtime) = TOURNAMENT;
    let left = spend(19, (main, Some(overtime)), 130);
    assert!(left[39] > main / 4, "{left:?}");
    assert!(left[59] < main / 4, "{left:?}");
    assert!(left[79] < main / 8, "{left:?}");
    assert_eq!(left[129], Duration::ZERO);
}

#[test]
fn the_tournaments_moves_have_a_minute_and_later_at_least_the_overtime() {
    let (main, overtime) = TOURNAMENT;
    let left = spend(19, (main, Some(overtime)), 80);
    let took = |pair: &[Duration]| pair[0].abs_diff(pair[1]);
    assert!(left.windows(2).take(39).all(|pair| took(pair) > SEC(50)));
    let byo_romi = within(overtime);
    assert!(
        left.windows(2)
            .all(|pair| took(pair) >= byo_romi.min(pair[0]))
    );
}

#[test]
fn sudden_death_leaves_time_for_a_long_game_and_little_after_a_usual_one() {
    for (lines, usual) in [(19, 125), (13, 60), (9, 27)] {
        let left = spend(lines, (SEC(600), None), 3 * usual);
        let after = left[usual as usize - 1];
        assert!((SEC(30)..SEC(180)).contains(&after), "{lines}: {after:?}");
        assert!(*left.last().unwrap() > SEC(1), "{lines}");
    }
}

/// A time control of the tournament's kind.
fn control(main: Duration, overtime: Duration) -> TimeControl {
    TimeControl {
        main: Some(main),
        byo_yomi: Some(ByoYomi::japanese(overtime, 1)),
        ..TimeControl::default()
    }
}

/// Returns a referee's clock after a move, or `None` for a forfeit, by the tournament's rules: a move that exceeds the
/// main time may take at most the overtime.
fn after(clock: ClockState, took: Duration, overtime: Duration) -> Option<ClockState> {
    let goes_over = clock.main().is_some_and(|main| took > main);
    if goes_over && took > overtime {
        return None;
    }
    clock.after(took)
}

proptest! {
    /// Holds whatever share of its hard limit a move takes, and for any overhead on the other side's clock.
    #[test]
    fn no_move_forfeits_by_the_tournaments_clock(
        main in 100..4_000_000_u64,
        overtime in 30..20_000_u64,
        lines in prop::sample::select(vec![5_u32, 9, 13, 19]),
        moves in prop::collection::vec((0..=100_u32, 0..=15_u64), 300),
    ) {
        let (main, overtime) = (MS(main), MS(overtime));
        let mut theirs = ClockState::new(control(main, overtime));
        let (mut ours, mut pace) = (main, Pace::default());
        for (made, (percent, unseen)) in moves.into_iter().enumerate() {
            let is_over = ours.is_zero() || theirs.is_in_byo_yomi();
            let clock = Clock {
                remaining: (!is_over).then_some(ours),
                move_limit: is_over.then_some(overtime),
                overtime: (!is_over).then_some(overtime),
            };
            let budget = pace.budget_at(&clock, stage(lines, made as u32)).unwrap();
            prop_assert!(budget.soft <= budget.hard);
            let took = budget.hard * percent / 100;
            let next = after(theirs, took + MS(unseen), overtime);
            prop_assert!(next.is_some(), "{theirs:?} {clock:?} {took:?}");
            theirs = next.unwrap();
            ours = ours.saturating_sub(took);
        }
    }

    #[test]
    fn sudden_death_is_survived(
        main in 10_000..4_000_000_u64,
        lines in prop::sample::select(vec![9_u32, 13, 19]),
        moves in prop::collection::vec(0..=100_u32, 300),
    ) {
        let (mut ours, mut pace) = (MS(main), Pace::default());
        let mut theirs = ours;
        for (made, percent) in moves.into_iter().take(lines.pow(2) as usize / 2).enumerate() {
            let budget = pace.game_budget(ours, None, stage(lines, made as u32));
            let took = budget.hard * percent / 100;
            ours -= took;
            prop_assert!(took + LAG < theirs, "{theirs:?} {took:?}");
            theirs -= took + LAG;
        }
    }
}
