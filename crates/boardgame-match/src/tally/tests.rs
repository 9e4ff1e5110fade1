use super::*;
use crate::countdown::{BLACK_WINS, Countdown, NINE_MOVES};
use crate::record::{Side, Thought};
use boardgame_core::Margin;

const ENGINES: [EngineId; 3] = [EngineId(0), EngineId(1), EngineId(2)];

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn id(opening: u32, black: EngineId, white: EngineId) -> GameId {
    GameId {
        opening,
        black,
        white,
    }
}

/// A game that ended within its opening.
fn unthought(id: GameId, result: GameResult) -> PlayedGame {
    PlayedGame {
        game: Some("countdown".into()),
        id,
        names: ["black".into(), "white".into()],
        limits: [Limit::default(); 2],
        finished: 0,
        setup: None,
        moves: NINE_MOVES.into(),
        opening_plies: 9,
        thoughts: Vec::new(),
        result,
        faults: Vec::new(),
    }
}

/// A game from its first move on, with these thoughts.
fn thought(id: GameId, thoughts: Vec<Thought>) -> PlayedGame {
    PlayedGame {
        opening_plies: 0,
        thoughts,
        ..unthought(id, BLACK_WINS)
    }
}

fn wall(millis: u64) -> Thought {
    Thought {
        wall_us: 1000 * millis,
        ..Thought::default()
    }
}

#[test]
fn what_the_engines_used_is_added_up() {
    let [black, white, idle] = ENGINES;
    // The moves take 1, 2, 3 … 9 ms; but for Black's first one, half of Black's time is known CPU time.
    let mut thoughts: Vec<Thought> = (1..=9).map(wall).collect();
    for one in thoughts.iter_mut().step_by(2) {
        one.nodes = Some(100);
        one.cpu_us = (one.wall_us > 1000).then_some(one.wall_us / 2);
    }
    let limits = ["move:7ms", "game:10ms"].map(|limit| limit.parse().unwrap());
    let mut tally = Tally::new(3, None);
    tally.add::<Countdown>(&PlayedGame {
        limits,
        ..thought(id(0, black, white), thoughts)
    });
    assert_eq!(
        *tally.usage(black),
        Usage {
            limit: limits[0],
            games: 1,
            moves: 5,
            wall: ms(1 + 3 + 5 + 7 + 9),
            longest: ms(9),
            metered: 4,
            cpu: ms(12),
            metered_wall: ms(3 + 5 + 7 + 9),
            nodes: 500,
            // That of 9 ms; 7 ms are just allowed.
            overruns: 1,
            faults: BTreeMap::new(),
        }
    );
    assert_eq!(
        *tally.usage(white),
        Usage {
            limit: limits[1],
            games: 1,
            moves: 4,
            wall: ms(2 + 4 + 6 + 8),
            longest: ms(8),
            // The move of 6 ms, when 4 are left, and the next one.
            overruns: 2,
            ..Usage::default()
        }
    );
    assert_eq!(*tally.usage(idle), Usage::default());
}

#[test]
fn means_are_known_where_something_was_metered() {
    let usage = |games, metered, cpu, metered_wall| Usage {
        games,
        metered,
        cpu: ms(cpu),
        metered_wall: ms(metered_wall),
        ..Usage::default()
    };
    let used = usage(4, 8, 24, 48);
    assert_eq!(used.cpu_per_game(), Some(ms(6)));
    assert_eq!(used.cpu_per_move(), Some(ms(3)));
    assert_eq!(used.cpu_share(), Some(0.5));
    let unmetered = usage(4, 0, 0, 0);
    assert_eq!(unmetered.cpu_per_game(), None);
    assert_eq!(unmetered.cpu_per_move(), None);
    assert_eq!(unmetered.cpu_share(), None);
    assert_eq!(usage(0, 8, 24, 48).cpu_per_game(), None);
}

/// A late move is not recorded, but its time counts.
#[test]
fn faults_are_counted_by_kind() {
    let [black, white, _] = ENGINES;
    let late = Fault::Late {
        took: ms(20),
        allowed: ms(10),
    };
    let mut tally = Tally::new(2, None);
    tally.add::<Countdown>(&PlayedGame {
        moves: "1 1".into(),
        result: GameResult::Forfeit { by: Side::Black },
        faults: vec![
            (Side::Black, late),
            (Side::White, Fault::Resigned),
            (Side::White, Fault::Resigned),
        ],
        ..thought(id(0, black, white), vec![wall(5), wall(6)])
    });
    assert_eq!(
        *tally.usage(black),
        Usage {
            games: 1,
            moves: 2,
            wall: ms(25),
            longest: ms(20),
            overruns: 1,
            faults: BTreeMap::from([(FaultKind::Late, 1)]),
            ..Usage::default()
        }
    );
    assert_eq!(
        *tally.usage(white),
        Usage {
            games: 1,
            moves: 1,
            wall: ms(6),
            longest: ms(6),
            faults: BTreeMap::from([(FaultKind::Resigned, 2)]),
            ..Usage::default()
        }
    );
}

#[test]
fn games_repeat_that_the_same_players_thought_out_before() {
    let [one, other, _] = ENGINES;
    let thoughts = || (1..=9).map(wall).collect();
    let mut tally = Tally::new(2, None);
    let mut repeated = |game: PlayedGame| {
        tally.add::<Countdown>(&game);
        tally.repeated()
    };
    assert_eq!(repeated(thought(id(0, one, other), thoughts())), 0);
    assert_eq!(repeated(thought(id(0, other, one), thoughts())), 0);
    assert_eq!(repeated(thought(id(1, one, other), thoughts())), 1);
    assert_eq!(repeated(thought(id(2, one, other), thoughts())), 2);
    // An opening without moves to choose always repeats.
    let opening = unthought(id(3, one, other), BLACK_WINS);
    assert_eq!(repeated(opening), 2);
    assert_eq!(tally.distinct(), 3);
}

#[test]
fn a_duel_counts_games_pairs_and_margins() {
    let [one, other, third] = ENGINES;
    let played = |points| GameResult::Played {
        margin: Margin::from_points(points),
    };
    let games = [
        (id(0, one, other), played(10)),
        (id(0, other, one), played(-4)),
        (id(1, one, other), played(-6)),
        (id(1, other, one), played(0)),
        (id(2, one, other), GameResult::Forfeit { by: Side::White }),
        (id(2, other, one), played(2)),
        // The game with colours exchanged is not over yet.
        (id(3, one, other), played(0)),
        (id(4, one, third), played(2)),
        (id(4, third, other), played(2)),
    ];
    let mut tally = Tally::new(3, None);
    for (id, result) in games {
        tally.add::<Countdown>(&unthought(id, result));
    }
    assert_eq!(*tally.results(), BTreeMap::from(games));

    let duel = tally.duel(one, other);
    assert_eq!(duel.games, Trinomial::from_counts([2, 2, 3]));
    assert_eq!(duel.pairs, Pentanomial::from_counts([0, 1, 1, 0, 1]));
    assert_eq!(duel.margin, MeanMargin::from_pairs([[10, 4], [-6, 0]]));
    // The other engine has not played Black in the fourth opening.
    let duel = tally.duel(other, one);
    assert_eq!(duel.games, Trinomial::from_counts([3, 2, 2]));
    assert_eq!(duel.pairs, Pentanomial::from_counts([1, 0, 1, 1, 0]));
    assert_eq!(duel.margin, MeanMargin::from_pairs([[-4, -10], [0, 6]]));

    let mut paired = 0;
    for pairing in tally.pairings() {
        let seats = [pairing.first, pairing.second];
        let own = tally
            .results()
            .iter()
            .filter(|(id, _)| [id.black, id.white] == seats);
        let points: Vec<u32> = own
            .map(|(_, result)| result.half_points(Color::Black))
            .collect();
        let (games, sum) = (points.len(), points.iter().sum());
        assert_eq!(
            (pairing.games as usize, pairing.half_points_first),
            (games, sum)
        );
        paired += games;
    }
    assert_eq!(paired, games.len());
}
