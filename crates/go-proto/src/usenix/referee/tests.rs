//! Tests of the referee's seat by scripts of orders and output.

use super::*;
use boardgame_core::ByoYomi;
use boardgame_session::{Order, SeatAction, SeatSession as _, Verdict};
use proptest::prelude::*;

const SEC: fn(u64) -> Duration = Duration::from_secs;

/// A seat with its clock control.
struct Script {
    seat: RefereeSeat,
    clocks: ByColor<ClockState>,
    now: Timestamp,
}

fn clock(main: u64) -> ClockState {
    ClockState::new(TimeControl {
        main: Some(SEC(main)),
        byo_yomi: Some(ByoYomi::japanese(SEC(10), 1)),
        ..TimeControl::default()
    })
}

impl Script {
    fn new(options: RefereeOptions) -> Self {
        Self {
            seat: RefereeSeat::new(options),
            clocks: ByColor::new_with(|_| clock(60)),
            now: Timestamp::ORIGIN,
        }
    }

    fn begin(&mut self, color: Color, setup: &str) -> Vec<String> {
        let (setup, clocks) = (setup.parse().unwrap(), self.clocks);
        let moves = Vec::new();
        self.order(Order::Begin {
            setup,
            moves,
            color,
            clocks,
            tolerance: Duration::ZERO,
        })
    }

    fn order(&mut self, order: Order<Position>) -> Vec<String> {
        self.seat.order(order, self.now);
        self.actions()
    }

    fn choose(&mut self) -> Vec<String> {
        let clocks = self.clocks;
        self.order(Order::Choose { clocks })
    }

    fn played(&mut self, color: Color, mv: &str) -> Vec<String> {
        let mv = mv.parse().unwrap();
        self.order(Order::Played { color, mv })
    }

    fn prints(&mut self, text: &[u8]) -> Vec<String> {
        self.seat.receive(text, self.now);
        self.actions()
    }

    /// The actions that wait, notes of faults and leniencies among them.
    fn actions(&mut self) -> Vec<String> {
        let poll = core::iter::from_fn(|| self.seat.poll());
        poll.map(|action| match action {
            SeatAction::Send(bytes) => format!("> {}", bytes.escape_ascii()),
            SeatAction::Event(SeatEvent::Move(mv, _)) => format!("move {mv}"),
            SeatAction::Event(SeatEvent::Fault(fault)) => {
                format!("fault: {}", Verdict::forfeit(Color::Black, fault).cause)
            }
            SeatAction::Event(event) => format!("{event:?}"),
            SeatAction::Note(note) => format!("note: {}", note.text),
            action => format!("{action:?}"),
        })
        .collect()
    }
}

fn script() -> Script {
    Script::new(RefereeOptions::default())
}

/// A seat of Black that is asked for the first move on 9x9.
fn asked(options: RefereeOptions) -> Script {
    let mut script = Script::new(options);
    script.begin(Color::Black, "9");
    script.choose();
    script
}

#[test]
fn black_is_told_its_colour_when_it_is_to_move() {
    let mut script = script();
    assert_eq!(script.begin(Color::Black, "9"), ["Ready"]);
    assert_eq!(script.choose(), ["> black\\n"]);
    assert_eq!(script.prints(b"E5\n"), ["move E5"]);
    assert!(script.played(Color::Black, "E5").is_empty());
    assert!(script.played(Color::White, "C3").is_empty());
    assert_eq!(script.choose(), ["> C3\\n"]);
}

#[test]
fn white_is_told_its_colour_at_once_and_the_last_pass_at_the_end() {
    let mut script = script();
    assert_eq!(script.begin(Color::White, "9"), ["> white\\n", "Ready"]);
    script.played(Color::Black, "E5");
    assert_eq!(script.choose(), ["> E5\\n"]);
    assert_eq!(script.prints(b"pass\n"), ["move pass"]);
    script.played(Color::White, "pass");
    script.played(Color::Black, "pass");
    let over = Order::Over {
        margin: None,
        other_closes: false,
    };
    assert_eq!(script.order(over), ["> pass\\n", "Completed"]);
    assert_eq!(script.order(Order::CallOff), ["HangUp"]);
    assert_eq!(
        script.begin(Color::White, "9"),
        ["Launch", "> white\\n", "Ready"]
    );
}

#[test]
fn the_program_that_passes_second_may_exit_at_once() {
    let mut script = script();
    script.begin(Color::White, "9");
    script.played(Color::Black, "pass");
    script.choose();
    assert_eq!(script.prints(b"pass\nbye\n"), ["move pass"]);
    script.seat.end_of_input(script.now);
    script.played(Color::White, "pass");
    let over = Order::Over {
        margin: None,
        other_closes: false,
    };
    assert_eq!(script.order(over), ["Completed"]);
}

#[test]
fn byo_romi_comes_once_right_before_the_opponents_move() {
    let mut script = script();
    script.begin(Color::White, "9");
    script.played(Color::Black, "E5");
    assert_eq!(script.choose(), ["> E5\\n"]);
    script.prints(b"A1\n");
    script.played(Color::Black, "D5");
    script.clocks.white = script.clocks.white.after(SEC(61)).unwrap();
    assert_eq!(script.choose(), ["> byo-romi\\n", "> D5\\n"]);
    script.prints(b"A2\n");
    script.played(Color::Black, "C5");
    assert_eq!(script.choose(), ["> C5\\n"]);
}

/// Returns options with a small bound of a turn.
fn small() -> RefereeOptions {
    RefereeOptions {
        max_turn_bytes: 100,
        ..RefereeOptions::default()
    }
}

#[test]
fn garbage_is_ignored_but_a_flood_is_not() {
    let mut black = asked(RefereeOptions::default());
    let garbage = b"hello\n\n\0\ne5\nI5\nresign\nPass\n E 5\n";
    let actions = black.prints(garbage);
    assert_eq!(actions.len(), 7 + 2, "{actions:?}");
    assert_eq!(actions[8], "move E5");

    let mut lines = asked(RefereeOptions::default());
    let actions = lines.prints(&[&b"thinking\n".repeat(100_000)[..], b"E5\n"].concat());
    assert_eq!(actions.last().map(String::as_str), Some("move E5"));
    assert!(actions.iter().all(|action| !action.starts_with("fault")));

    let mut bytes = asked(small());
    let flood = bytes.prints(&[b'x'; 101]);
    let fault = "fault: Black broke the format: at most 100 bytes a turn were expected";
    assert_eq!(flood.last().map(String::as_str), Some(fault));
    assert!(bytes.prints(b"E5\n").is_empty());
}

#[test]
fn what_is_printed_early_is_the_next_answer() {
    let mut script = asked(small());
    assert_eq!(script.prints(b"E5\nE6\n"), ["move E5"]);
    script.played(Color::White, "A1");
    assert_eq!(script.choose(), ["> A1\\n", "move E6"]);
    let flood = script.prints(&b"x".repeat(101));
    assert_eq!(flood.len(), 1, "{flood:?}");
}

#[test]
fn illegal_moves_lose() {
    let fault = |moves: &str| {
        let mut script = script();
        script.begin(Color::White, "9");
        for (number, mv) in moves.split(' ').enumerate() {
            if number % 2 == 0 {
                script.played(Color::Black, mv);
                continue;
            }
            script.choose();
            let actions = script.prints(format!("{mv}\n").as_bytes());
            if !actions[0].starts_with("move") {
                return actions.join(" ");
            }
        }
        String::new()
    };
    let illegal = "fault: illegal move by Black";
    for (moves, expected) in [
        ("E5 E5", "illegal move E5: the point is occupied"),
        ("E5 B0", "illegal move B0: the point is off the board"),
        ("E5 M20", "illegal move M20: the point is off the board"),
        ("E5 Z999", "illegal move Z999: the point is off the board"),
        ("A2 E5 B1 A1", "illegal move A1: it is suicide"),
        (
            "B1 C1 A2 D2 B3 C3 E5 B2 C2 B2",
            "illegal move B2: it retakes a ko at once",
        ),
    ] {
        assert_eq!(fault(moves), format!("{illegal}: {expected}"), "{moves}");
    }
}

#[test]
fn the_referee_of_1986_ignores_points_off_the_board() {
    let mut script = asked(RefereeOptions {
        as_1986: true,
        ..RefereeOptions::default()
    });
    let actions = script.prints(b"B0\nM20\nK1\nresign\nI5\n");
    assert_eq!(actions.len(), 5, "{actions:?}");
    assert_eq!(actions[4], "move J5");
    assert!(actions[..4].iter().all(|text| text.starts_with("note")));
}

#[test]
fn a_program_that_has_ended_loses_when_its_move_is_due() {
    let left = "fault: Black left";
    let mut idle = script();
    idle.begin(Color::Black, "9");
    idle.seat.end_of_input(idle.now);
    assert!(idle.actions().is_empty());
    assert_eq!(idle.choose(), ["> black\\n", left]);

    let mut answering = asked(RefereeOptions::default());
    answering.prints(b"E5");
    answering.seat.end_of_input(answering.now);
    assert_eq!(answering.actions(), ["move E5"]);
    answering.played(Color::White, "A1");
    assert_eq!(answering.choose(), ["> A1\\n", left]);
}

#[test]
fn a_limit_of_real_time_is_kept() {
    let mut script = asked(RefereeOptions::default());
    let deadline = script.seat.deadline().unwrap();
    assert_eq!(deadline, boardgame_session::late_after(script.now, SEC(70)));
    script.now = deadline;
    assert_eq!(
        script.prints(b"E5\n"),
        ["fault: Black ran out of time: 70.00 s of 70.00 s; nothing was received in time"]
    );
    assert_eq!(script.seat.deadline(), None);
}

#[test]
fn a_game_with_stones_on_the_board_is_not_begun() {
    for setup in ["9 black C3 G7 first white", "9 first white"] {
        let mut script = script();
        let actions = script.begin(Color::Black, setup);
        assert_eq!(actions.len(), 1, "{actions:?}");
        assert!(actions[0].starts_with("fault"), "{actions:?}");
    }
}

proptest! {
    #[test]
    fn chunks_do_not_matter(text in "([A-J][0-9]{1,2}|pass|[ \r\t\0x]{0,3})\n{0,1}{0,12}", cuts in prop::collection::vec(1usize..6, 0..12)) {
        let text = text.as_bytes();
        let mut whole = asked(RefereeOptions::default());
        let mut parts = asked(RefereeOptions::default());
        let expected = whole.prints(text);
        let (mut actions, mut rest) = (Vec::new(), text);
        for cut in cuts {
            let (chunk, after) = rest.split_at(cut.min(rest.len()));
            actions.extend(parts.prints(chunk));
            rest = after;
        }
        actions.extend(parts.prints(rest));
        prop_assert_eq!(actions, expected);
    }
}
