use super::*;
use crate::{ForfeitScore, record::Side};
use boardgame_core::Margin;

fn played(points: i32) -> GameResult {
    let margin = Margin::from_points(points);
    GameResult::Played { margin }
}

/// The table of a form with these games, each `(opening, black, white, result)`.
fn table(form: Form, engines: usize, games: &[(u32, u16, u16, GameResult)]) -> Vec<Standing> {
    let schedule = Schedule::new(form, engines).unwrap();
    let results = games.iter().map(|&(opening, black, white, result)| {
        let (black, white) = (EngineId(black), EngineId(white));
        let id = GameId {
            opening,
            black,
            white,
        };
        (id, result)
    });
    let mut tally = Tally::new(engines, Some(ForfeitScore::Points(5)));
    results.for_each(|(id, result)| tally.set_result(id, Some(result)));
    let known = schedule.known(&tally);
    let all_known = tally.results().keys().all(|game| known.contains(game));
    assert!(all_known, "{known:?}");
    standings(&schedule, &tally, &TieBreak::usual(schedule.form()))
}

fn order(table: &[Standing]) -> Vec<(u16, u32)> {
    let place = |standing: &Standing| (standing.engine.0, standing.rank);
    table.iter().map(place).collect()
}

const SINGLE: Form = Form::RoundRobin { cycles: 1 };

#[test]
fn a_round_robin_counts_and_breaks_ties() {
    // 3 beats all; 0 and 2 have 1½, and 2 beat 0; 1 drew with 0 only, and lost by default.
    let table = table(
        SINGLE,
        4,
        &[
            (0, 0, 3, played(-10)),
            (0, 1, 2, GameResult::Forfeit { by: Side::Black }),
            (1, 0, 1, played(0)),
            (1, 3, 2, played(4)),
            (2, 2, 0, played(-64)),
            (2, 1, 3, played(-2)),
        ],
    );
    assert_eq!(order(&table), [(3, 1), (0, 2), (2, 3), (1, 4)]);
    assert_eq!(
        table[1],
        Standing {
            engine: EngineId(0),
            rank: 2,
            points: 1.5,
            wins: 1,
            draws: 1,
            losses: 1,
            forfeits: 0,
            byes: 0,
            survived: 0,
            margin: 54.0,
            buchholz: 3.0 + 0.5 + 1.0,
            sonneborn_berger: 0.25 + 1.0,
            direct: None,
        }
    );
    let last = &table[3];
    assert_eq!((last.losses, last.forfeits, last.margin), (2, 1, -7.0));
    assert_eq!(last.games(), 3);
}

#[test]
fn of_two_equals_the_one_is_higher_that_won_their_game() {
    // 1 and 2 have two points each; 1 has the larger margin, and 2 beat 1.
    let table = table(
        SINGLE,
        4,
        &[
            (0, 0, 3, played(64)),
            (0, 1, 2, played(-2)),
            (1, 0, 1, played(-30)),
            (1, 3, 2, played(2)),
            (2, 2, 0, played(2)),
            (2, 1, 3, played(30)),
        ],
    );
    assert_eq!(order(&table), [(2, 1), (1, 2), (0, 3), (3, 4)]);
    assert_eq!((table[0].direct, table[1].direct), (Some(1.0), Some(0.0)));
    // Because 0 beat 3.
    assert_eq!((table[2].direct, table[3].direct), (Some(1.0), Some(0.0)));
}

/// In a circle of wins only margins break the tie; without them the rank is shared, in seed order.
#[test]
fn margins_break_the_tie_of_a_circle() {
    let circle = |score| {
        table(
            SINGLE,
            3,
            &[
                (0, 1, 2, played(4)),
                (1, 0, 1, played(4)),
                (2, 2, 0, played(score)),
            ],
        )
    };
    assert_eq!(order(&circle(4)), [(0, 1), (1, 1), (2, 1)]);
    assert_eq!(order(&circle(6)), [(2, 1), (1, 2), (0, 3)]);
}

#[test]
fn those_who_have_not_met_equally_often_have_no_direct_encounter() {
    let table = table(SINGLE, 3, &[(0, 1, 2, played(4))]);
    assert_eq!(order(&table), [(1, 1), (0, 2), (2, 3)]);
    assert!(table.iter().all(|standing| standing.direct.is_none()));
}

/// 0, 1 and 2 have 1½ points, and have all met; 0 and 1 met twice.
#[test]
fn those_who_met_some_more_often_than_others_have_no_direct_encounter() {
    let table = table(
        Form::RoundRobin { cycles: 2 },
        4,
        &[
            (0, 0, 3, played(-2)),
            (0, 1, 2, played(0)),
            (1, 0, 1, played(0)),
            (1, 3, 2, played(0)),
            (2, 2, 0, played(0)),
            (2, 1, 3, played(-2)),
            (4, 1, 0, played(0)),
        ],
    );
    let points: Vec<f64> = table.iter().map(|standing| standing.points).collect();
    assert_eq!(points, [2.5, 1.5, 1.5, 1.5]);
    assert!(table.iter().all(|standing| standing.direct.is_none()));
}

#[test]
fn those_of_whom_some_have_not_met_have_no_direct_encounter() {
    let table = table(SINGLE, 4, &[(1, 0, 1, played(0)), (1, 3, 2, played(0))]);
    assert_eq!(order(&table), [(0, 1), (1, 1), (2, 1), (3, 1)]);
    assert!(table.iter().all(|standing| standing.direct.is_none()));
}

/// 3 beats all others, who have beaten each other in a circle.
#[test]
fn those_whom_nothing_parts_share_their_rank() {
    let table = table(
        SINGLE,
        4,
        &[
            (0, 0, 3, played(-10)),
            (0, 1, 2, played(4)),
            (1, 0, 1, played(4)),
            (1, 3, 2, played(10)),
            (2, 2, 0, played(4)),
            (2, 1, 3, played(-10)),
        ],
    );
    assert_eq!(order(&table), [(3, 1), (0, 2), (1, 2), (2, 2)]);
}

/// Five engines, one bye a round: a point for the standings and none for the opponents' sum.
#[test]
fn a_swiss_table_counts_byes() {
    let table = table(
        Form::Swiss { rounds: 2 },
        5,
        &[(0, 0, 2, played(2)), (0, 3, 1, played(-2))],
    );
    let of = |engine: u16| {
        let mut all = table.iter();
        let one = all.find(|standing| standing.engine == EngineId(engine));
        one.unwrap()
    };
    assert_eq!((of(4).points, of(4).byes, of(4).games()), (1.0, 1, 0));
    // 1 met 3, which rests in the round that follows.
    assert_eq!((of(3).points, of(3).byes), (1.0, 1));
    assert_eq!((of(4).buchholz, of(1).buchholz), (0.0, 1.0));
}

#[test]
fn a_loss_by_a_decision_is_no_forfeit() {
    let schedule = Schedule::new(Form::Pairs { pairs: 1 }, 2).unwrap();
    let mut tally = Tally::new(2, Some(ForfeitScore::Points(5)));
    let [game, reversed] = schedule.known(&tally)[..] else {
        panic!("a pair")
    };
    let lost = Some(GameResult::Forfeit { by: Side::Black });
    tally.set_result(game, lost);
    tally.decide(reversed, lost);
    let table = standings(&schedule, &tally, &[]);
    let counts = |one: &Standing| (one.losses, one.forfeits);
    assert_eq!([&table[0], &table[1]].map(counts), [(1, 1), (1, 0)]);
}

#[test]
fn games_of_no_part_of_the_schedule_do_not_count() {
    let schedule = Schedule::new(Form::Pairs { pairs: 1 }, 2).unwrap();
    let stranger = GameId {
        opening: 5,
        black: EngineId(0),
        white: EngineId(1),
    };
    let mut tally = Tally::new(2, None);
    tally.set_result(stranger, Some(played(2)));
    let table = standings(&schedule, &tally, &TieBreak::usual(schedule.form()));
    assert!(table.iter().all(|standing| standing.games() == 0));
}
