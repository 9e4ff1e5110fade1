//! The host's session of one seat in each format, under the scripts in `scripts/seats`.

use std::time::Duration;

use boardgame_core::{ByColor, ByoYomi, ClockState, TimeControl, TimeMeasure};
use boardgame_session::SeatSession;
use othello_core::{Board, Color};
use othello_proto::{
    codewarriors::JudgeSeat,
    gtp::{GtpSeat, GtpSeatOptions},
    gui::{Form, HostSeat, HostSeatOptions, Version},
    lth::{LimitScope, Port, ReceptionOptions, ServerSeat, ServerSeatOptions, TimeLimit},
    nboard::{NBoardSeat, NBoardSeatOptions},
    sloan::{Dialect, OpeningPass, RefereeOptions, RefereeSeat},
};

use crate::{
    golden::{SeatScript, Settings, bytes_of, check},
    reception::guest,
};

pub(crate) fn seconds(text: &str) -> Duration {
    Duration::from_secs_f64(text.parse().expect("seconds"))
}

fn per_move(text: &str) -> TimeControl {
    TimeControl {
        per_move: Some(seconds(text)),
        ..TimeControl::default()
    }
}

/// A seat with the colour and the time from the settings, and the other settings, which belong to its format.
struct Seat {
    color: Color,
    time: ByColor<TimeControl>,
    own: Vec<(String, String)>,
}

impl Seat {
    fn new(settings: &Settings, time: TimeControl) -> Self {
        let mut seat = Self {
            color: Color::Black,
            time: ByColor::new_with(|_| time),
            own: Vec::new(),
        };
        for (key, value) in settings {
            match (&**key, &**value) {
                ("color", color) => seat.color = color.parse().expect("a colour"),
                ("time", "none") => seat.set_time(TimeControl::default()),
                ("time", "300 for the game and 2 a move") => seat.set_time(TimeControl {
                    main: Some(Duration::from_mins(5)),
                    increment: Duration::from_secs(2),
                    ..TimeControl::default()
                }),
                ("time", "90 for the game") => seat.set_time(TimeControl {
                    main: Some(Duration::from_secs(90)),
                    ..TimeControl::default()
                }),
                ("time", "60 and 3 periods of 10") => seat.set_time(TimeControl {
                    main: Some(Duration::from_mins(1)),
                    byo_yomi: Some(ByoYomi::japanese(Duration::from_secs(10), 3)),
                    ..TimeControl::default()
                }),
                ("time", limit) => match limit.strip_prefix("of White ") {
                    Some(limit) => seat.time.white = per_move(limit),
                    None => seat.set_time(per_move(limit)),
                },
                ("cpu", _) => seat.set_time(TimeControl {
                    measure: TimeMeasure::UserCpu,
                    ..time
                }),
                ("per-move", _) => seat.set_time(TimeControl {
                    per_move: time.main,
                    main: None,
                    ..time
                }),
                _ => seat.own.push((key.clone(), value.clone())),
            }
        }
        seat
    }

    fn set_time(&mut self, time: TimeControl) {
        self.time = ByColor::new_with(|_| time);
    }

    fn script<S: SeatSession<Board>>(&self, session: S) -> SeatScript<Board, S> {
        let setup = |text: &str| match text {
            "" => Board::START,
            board => board.parse().expect("a board"),
        };
        let mv = |text: &str| text.parse().expect("a move");
        let clocks = self.time.map(ClockState::new);
        SeatScript::new(session, self.color, clocks, setup, mv)
    }
}

const GRACE: Duration = Duration::from_millis(50);
const READY: Duration = Duration::from_secs(2);

#[test]
fn codewarriors() {
    check(
        "tests/sessions/scripts/seats/codewarriors.txt",
        |settings| {
            let seat = Seat::new(settings, per_move("2"));
            seat.script(JudgeSeat::new(GRACE))
        },
    );
}

#[test]
fn gui() {
    check("tests/sessions/scripts/seats/gui.txt", |settings| {
        let seat = Seat::new(settings, per_move("1.5"));
        let mut options = HostSeatOptions {
            startup: READY,
            grace: GRACE,
            ..HostSeatOptions::default()
        };
        for (key, form) in &seat.own {
            options.form = match (&**key, &**form) {
                ("form", "released") => Form::Released,
                ("form", "document") => Form::Document(Version::V2),
                ("form", "document 1") => Form::Document(Version::V1),
                ("form", "stay") => Form::Stay(Version::V2),
                ("form", "stay 1") => Form::Stay(Version::V1),
                _ => panic!("{key} {form}"),
            };
        }
        seat.script(HostSeat::new(options))
    });
}

#[test]
fn gtp() {
    check("tests/sessions/scripts/seats/gtp.txt", |settings| {
        let seat = Seat::new(settings, per_move("1.5"));
        let mut options = GtpSeatOptions {
            ready: READY,
            grace: GRACE,
            ..GtpSeatOptions::default()
        };
        for (key, value) in &seat.own {
            match &**key {
                "setup" => options.setup.push(value.clone()),
                "untimed" => options.untimed = Some(seconds(value)),
                _ => panic!("{key}"),
            }
        }
        seat.script(GtpSeat::new(options))
    });
}

#[test]
fn nboard() {
    check("tests/sessions/scripts/seats/nboard.txt", |settings| {
        let seat = Seat::new(settings, per_move("1.5"));
        let mut options = NBoardSeatOptions {
            ready: READY,
            grace: GRACE,
            ..NBoardSeatOptions::default()
        };
        for (key, value) in &seat.own {
            match &**key {
                "setup" => options.setup.push(value.clone()),
                "depth" => options.depth = value.parse().ok(),
                "untimed" => options.untimed = Some(seconds(value)),
                _ => panic!("{key}"),
            }
        }
        seat.script(NBoardSeat::new(options))
    });
}

#[test]
fn sloan() {
    check("tests/sessions/scripts/seats/sloan.txt", |settings| {
        let time = TimeControl {
            main: Some(Duration::from_secs(100)),
            ..TimeControl::default()
        };
        let seat = Seat::new(settings, time);
        let mut options = RefereeOptions::default();
        for (key, value) in &seat.own {
            match (&**key, &**value) {
                ("opening-pass", "always") => options.opening_pass = OpeningPass::Always,
                ("opening-pass", "never") => options.opening_pass = OpeningPass::Never,
                ("dialect", "lines") => options.dialect = Dialect::Lines,
                ("output", bytes) => options.output_per_turn = bytes.parse().expect("a number"),
                ("tolerance", time) => options.tolerance = seconds(time),
                _ => panic!("{key} {value}"),
            }
        }
        seat.script(RefereeSeat::new(options))
    });
}

#[test]
fn lth() {
    check("tests/sessions/scripts/seats/lth.txt", |settings| {
        let limit = TimeLimit {
            length: Duration::from_secs(30),
            scope: LimitScope::Game,
        };
        let seat = Seat::new(settings, limit.into());
        let mut options = ServerSeatOptions::default();
        let mut reception = ReceptionOptions::default();
        let (mut color, mut early, mut gone) = (seat.color, Vec::new(), false);
        for (key, value) in &seat.own {
            match &**key {
                "delay" => reception.line_delay = seconds(value),
                "grace" => options.grace = seconds(value),
                "seat" => color = value.parse().expect("a colour"),
                "early" => early = bytes_of(value),
                "gone" => gone = true,
                _ => panic!("{key}"),
            }
        }
        reception.port = Port::Competition(color);
        let mut guest = guest(reception);
        guest.receive(&early).expect("few bytes");
        if gone {
            guest.end_of_input();
        }
        seat.script(ServerSeat::new(guest, options))
    });
}
