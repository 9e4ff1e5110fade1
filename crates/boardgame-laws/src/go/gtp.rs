//! The vocabulary of Go in the Go Text Protocol, and the session of an engine.

mod player;

pub use player::player;

use crate::{
    Script,
    gtp::{commands, responses},
};
use boardgame_session::gtp::{Command, GtpGame, parse_color};
use go_core::{ByColor, Color, Komi, Move, Point, PointSet, Position, Setup, Size, fixed_handicap};
use go_proto::gtp::Go;

/// Commands and responses read back; so do vertices; the commands for a setup read back and place its stones, whatever
/// commands the program knows.
pub fn parse(data: &[u8]) {
    commands(data);
    responses(data);
    let text = String::from_utf8_lossy(data);
    let position = Position::new(&Setup::default());
    match Go::parse_vertex(&position, &text) {
        Ok(mv) => {
            let vertex = Go::vertex(&position, mv);
            assert_eq!(Go::parse_vertex(&position, &vertex), Ok(mv));
            assert!(vertex.eq_ignore_ascii_case(&text), "{text} is no {vertex}");
        }
        Err(error) => assert!(error.offset() <= text.len()),
    }
    check_setup(&mut Script::new(data));
}

/// Checks the commands for a setup chosen by a script.
fn check_setup(script: &mut Script<'_>) {
    let size = Size::new(1 + script.pick(25) as u8).expect("a size");
    let known = script.byte();
    let setup = setup(script, size);
    let knows = |name: &str| match name {
        "komi" => known & 1 != 0,
        "fixed_handicap" => known & 2 != 0,
        "set_free_handicap" => known & 4 != 0,
        _ => true,
    };
    let Ok(commands) = Go::setup_commands(&setup, &knows) else {
        return;
    };
    let mut stones: ByColor<PointSet> = ByColor::default();
    for command in commands {
        assert!(knows(&command.name), "{command}");
        let read = Command::parse(command.to_string().as_bytes());
        assert_eq!(read, Ok(Some(command.clone())));
        obey(&command, size, &mut stones);
    }
    assert_eq!(stones.as_ref(), setup.stones());
}

fn setup(script: &mut Script<'_>, size: Size) -> Setup {
    let komi = Komi::from_half_points(i16::from(script.byte()) - 128);
    let setup = Setup::new(size).with_komi(komi);
    if script.pick(4) == 0 {
        let fixed = setup.clone().with_fixed_handicap(2 + script.pick(8));
        return fixed.unwrap_or(setup);
    }
    let mut stones: ByColor<PointSet> = ByColor::default();
    let colors = script.choose(&[&[Color::Black][..], &Color::ALL]);
    for _ in 0..script.pick(12) {
        let point = any_point(script, size);
        if !(stones.black | stones.white).contains(point) {
            stones[script.choose(colors)].insert(point);
        }
    }
    let setup = setup.with_first(script.choose(&Color::ALL));
    setup.clone().with_stones(stones).unwrap_or(setup)
}

fn any_point(script: &mut Script<'_>, size: Size) -> Point {
    let points: Vec<Point> = size.points().collect();
    points[script.pick_of_many(points.len())]
}

/// Carries out a command as a program does.
fn obey(command: &Command, size: Size, stones: &mut ByColor<PointSet>) {
    let arguments = &command.arguments;
    let point = |text: &String| match text.parse::<Move>() {
        Ok(Move::Place(point)) => point,
        other => panic!("{other:?} in {command}"),
    };
    match command.name.as_str() {
        "komi" => {}
        "fixed_handicap" => {
            let count = arguments[0].parse().expect("a number");
            let points = fixed_handicap(size, count).expect("a fixed handicap");
            stones.black = points.into_iter().collect();
        }
        "set_free_handicap" => stones.black = arguments.iter().map(point).collect(),
        "play" => {
            let color = parse_color(&arguments[0]).expect("a colour");
            stones[color].insert(point(&arguments[1]));
        }
        name => panic!("{name} is no command for a setup"),
    }
}
