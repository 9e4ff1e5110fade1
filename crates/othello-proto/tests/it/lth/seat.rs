//! The server's side of a guest's game alone, against orders.

use std::time::Duration;

use boardgame_core::{ByColor, ClockState, Margin, TimeControl, TimeMeasure};
use boardgame_session::{Order, SeatAction, SeatEvent, SeatFault, SeatSession, Verdict};
use othello_core::{Board, Color, Move, Square};
use othello_proto::{
    lth::{
        Guest, LimitScope, MAX_EARLY, Port, ReceptionOptions, ServerSeat, ServerSeatOptions,
        TimeLimit,
    },
    session::Timestamp,
};

use super::{
    kit::{at, note_line, squares},
    reception::ReceptionDriver,
};

use Color::{Black, White};

const WIPE_OUT: &str = "e6d6c4f4g4c5c6c7b8";

/// A seat under test.
struct TestSeat {
    session: ServerSeat,
    now: Timestamp,
    clocks: ByColor<ClockState>,
}

impl TestSeat {
    fn new(color: Color) -> Self {
        Self::with(color, Duration::ZERO, Duration::ZERO)
    }

    fn with(color: Color, line_delay: Duration, grace: Duration) -> Self {
        Self::of(guest(color, line_delay), grace)
    }

    fn of(guest: Guest, grace: Duration) -> Self {
        Self {
            session: ServerSeat::new(guest, ServerSeatOptions { grace }),
            now: at(1000),
            clocks: clocks(TimeLimit {
                length: Duration::from_secs(30),
                scope: LimitScope::Game,
            }),
        }
    }

    /// A seat in a game that has begun.
    fn begun(color: Color) -> Self {
        let mut seat = Self::new(color);
        assert_eq!(seat.begin(color), ["Ready"]);
        seat
    }

    fn order(&mut self, order: Order<Board>) -> Vec<String> {
        self.session.order(order, self.now);
        self.drain()
    }

    fn begin(&mut self, color: Color) -> Vec<String> {
        self.begin_from(Board::START, &[], color)
    }

    fn begin_from(&mut self, setup: Board, moves: &[Move], color: Color) -> Vec<String> {
        self.order(Order::Begin {
            setup,
            moves: moves.to_vec(),
            color,
            clocks: self.clocks,
            tolerance: Duration::ZERO,
        })
    }

    fn choose(&mut self) -> Vec<String> {
        let clocks = self.clocks;
        self.order(Order::Choose { clocks })
    }

    fn played(&mut self, color: Color, mv: impl Into<Move>) -> Vec<String> {
        let mv = mv.into();
        self.order(Order::Played { color, mv })
    }

    fn say(&mut self, text: &str) -> Vec<String> {
        self.session.receive(text.as_bytes(), self.now);
        self.drain()
    }

    fn leave(&mut self) -> Vec<String> {
        self.session.end_of_input(self.now);
        self.drain()
    }

    fn tick(&mut self, to: Timestamp) -> Vec<String> {
        self.now = to;
        self.session.tick(to);
        self.drain()
    }

    /// The actions that wait, in a few words each.
    fn drain(&mut self) -> Vec<String> {
        let shown = |action| match action {
            SeatAction::Send(bytes) => {
                let text = String::from_utf8(bytes).unwrap();
                format!("> {}", text.replace('\n', "\\n"))
            }
            SeatAction::HangUp => "hang up".into(),
            SeatAction::Launch => "launch".into(),
            SeatAction::Note(note) => note_line(&note).trim_end().into(),
            SeatAction::Event(SeatEvent::Move(mv, thought)) => format!("{mv} {:?}", thought.took),
            SeatAction::Event(event) => format!("{event:?}"),
        };
        std::iter::from_fn(|| self.session.poll())
            .map(shown)
            .collect()
    }
}

/// A guest that waits for a game.
fn guest(color: Color, line_delay: Duration) -> Guest {
    let mut reception = ReceptionDriver::new(ReceptionOptions {
        port: Port::Competition(color),
        line_delay,
        ..ReceptionOptions::default()
    });
    reception.receive(b"id\n");
    while reception.guest.is_none() {
        reception.advance(reception.reception.deadline().unwrap());
    }
    reception.guest.unwrap()
}

fn clocks(limit: TimeLimit) -> ByColor<ClockState> {
    ByColor::new_with(|_| ClockState::new(limit.into()))
}

fn is_fault(actions: &[String], fault: &str) -> bool {
    let fault = format!("Fault({fault}");
    actions.iter().any(|action| action.starts_with(&fault))
}

const ASKED: [&str; 1] = ["> your move\\n"];
const LAST_WORDS: &str = "> error\\n This move is illegal. Bye!\\n";

#[test]
fn a_whole_game_of_one_guest() {
    let mut seat = TestSeat::begun(White);
    let mut side = Black;
    let mut log = Vec::new();
    for square in squares(WIPE_OUT) {
        if side == White {
            log.extend(seat.choose());
            log.extend(seat.say(&format!("{square}\n")));
        }
        log.extend(seat.played(side, square));
        side = !side;
    }
    let margin = Margin::from_points(64);
    let over = Order::Over {
        margin: Some(margin),
        other_closes: true,
    };
    log.extend(seat.order(over));
    log.extend(seat.order(Order::Conclude(Verdict::played(margin))));
    insta::assert_snapshot!(log.join("\n"));
    assert_eq!(seat.session.deadline(), None);
}

#[test]
fn a_guest_is_asked_for_a_forced_pass() {
    let conventions = TestSeat::new(Black).session.conventions();
    assert!(conventions.asks_forced_moves && !conventions.closing_moves);
}

#[test]
fn the_opponents_move_and_the_question_leave_in_one_piece() {
    let mut seat = TestSeat::begun(White);
    assert_eq!(seat.played(Black, Square::F5), [""; 0]);
    let sent = seat.choose();
    assert_eq!(sent, ["> opponent's move\\nf5\\nyour move\\n"]);
}

#[test]
fn time_runs_from_the_question_to_the_answer() {
    for (scope, grace, late) in [
        (LimitScope::Game, 0, 31_000),
        (LimitScope::Move, 0, 31_000),
        (LimitScope::Game, 500, 31_500),
    ] {
        let mut seat = TestSeat::with(Black, Duration::ZERO, Duration::from_millis(grace));
        let length = Duration::from_secs(30);
        seat.clocks = clocks(TimeLimit { length, scope });
        seat.begin(Black);
        assert_eq!(seat.choose(), ASKED);
        assert_eq!(seat.session.deadline(), Some(at(late)));
        let mut early = TestSeat {
            session: seat.session.clone(),
            ..seat
        };
        early.now = at(late - 1);
        let took = Duration::from_millis(late - 1001);
        assert_eq!(early.say("f5\n"), [format!("f5 {took:?}")]);
        assert_eq!(early.session.deadline(), None);
        // An answer at the limit is late, whether or not the time was told before.
        seat.now = at(late);
        assert_eq!(seat.say("f5\n"), ["Fault(Overtime)"]);
        assert_eq!(seat.session.deadline(), None);
    }
}

#[test]
fn no_limit_is_kept_without_one_by_the_clock_on_the_wall() {
    let second = Some(Duration::from_secs(1));
    let (main, measure) = (second, TimeMeasure::UserCpu);
    for control in [
        TimeControl::default(),
        TimeControl {
            main,
            measure,
            ..TimeControl::default()
        },
    ] {
        let mut seat = TestSeat::new(Black);
        seat.clocks = ByColor::new_with(|_| ClockState::new(control));
        seat.begin(Black);
        assert_eq!(seat.choose(), ASKED);
        assert_eq!(seat.session.deadline(), None);
        assert_eq!(seat.tick(at(1_000_000)), [""; 0]);
        assert_eq!(seat.say("f5\n"), ["f5 999s"]);
    }
}

#[test]
fn lines_are_a_delay_apart_and_the_time_runs_from_the_question() {
    let delay = Duration::from_millis(50);
    let mut seat = TestSeat::with(White, delay, Duration::ZERO);
    seat.begin(White);
    seat.played(Black, Square::F5);
    assert_eq!(seat.choose(), ["> opponent's move\\n"]);
    assert_eq!(seat.tick(at(1049)), [""; 0]);
    assert_eq!(seat.tick(at(1050)), ["> f5\\n"]);
    assert_eq!(seat.tick(at(1100)), ASKED);
    assert_eq!(seat.session.deadline(), Some(at(31_100)));
    seat.say("f6\n");
    seat.played(White, Square::F6);
    let verdict = Verdict::forfeit(White, SeatFault::Overtime);
    assert_eq!(seat.order(Order::Conclude(verdict)), [""; 0]);
    assert_eq!(seat.tick(at(1150)), ["> error\\n"]);
    let end = seat.tick(at(1200));
    assert_eq!(
        end,
        [">  Time limit exceeded. Bye!\\n", "hang up", "Closed"]
    );
}

#[test]
fn a_question_that_has_not_left_is_dropped_at_the_verdict() {
    let delay = Duration::from_millis(50);
    let mut seat = TestSeat::with(White, delay, Duration::ZERO);
    seat.begin(White);
    seat.played(Black, Square::F5);
    seat.choose();
    seat.order(Order::Conclude(Verdict::forfeit(Black, SeatFault::Left)));
    let mut sent = Vec::new();
    while let Some(deadline) = seat.session.deadline() {
        sent.extend(seat.tick(deadline));
    }
    let block = [
        "> f5\\n",
        "> The game is finished\\n",
        "> White: 1\\n",
        "> Dark: 4\\n",
        "> White won\\n",
        "hang up",
        "Closed",
    ];
    assert_eq!(sent, block);
}

#[test]
fn the_player_at_fault_gets_the_complaint_and_the_other_one_the_result() {
    let illegal = SeatFault::IllegalMove {
        detail: String::new(),
    };
    let block = "> The game is finished\\nWhite: 2\\nDark: 2\\nWhite won\\n";
    for (verdict, told) in [
        (Verdict::forfeit(White, illegal.clone()), Some(LAST_WORDS)),
        (
            Verdict::forfeit(White, SeatFault::format("")),
            Some(LAST_WORDS),
        ),
        (Verdict::forfeit(White, SeatFault::Left), None),
        (Verdict::resigned(White), None),
        (Verdict::forfeit(Black, illegal), Some(block)),
        (Verdict::resigned(Black), Some(block)),
    ] {
        let mut seat = TestSeat::begun(White);
        let end = ["hang up", "Closed"];
        let told: Vec<_> = told.into_iter().chain(end).collect();
        assert_eq!(seat.order(Order::Conclude(verdict)), told);
    }
}

#[test]
fn a_move_in_another_spelling_is_played_and_noted() {
    let mut seat = TestSeat::begun(Black);
    seat.choose();
    let remark = ". leniency spelling: read \"F5\" of Black as \"f5\"";
    assert_eq!(seat.say("F5\n"), [remark, "f5 0ns"]);
}

#[test]
fn what_is_no_legal_move_is_a_fault() {
    for (said, fault) in [
        ("a1\n", "IllegalMove"),
        ("PASS\n", "IllegalMove"),
        ("zz\n", "Format"),
        (&"x".repeat(5000), "Format"),
    ] {
        let mut seat = TestSeat::begun(Black);
        seat.choose();
        assert!(is_fault(&seat.say(said), fault), "{said}");
        // Nothing that follows counts.
        assert_eq!(seat.say("f5\n"), [""; 0]);
        assert_eq!(seat.leave(), [""; 0]);
        assert_eq!(seat.choose(), [""; 0]);
    }
}

#[test]
fn an_answer_before_its_question_waits() {
    let mut seat = TestSeat::new(Black);
    let remark = ". leniency early-answer: Black sends before it is asked: kept until then";
    assert_eq!(seat.say("f5\n"), [remark]);
    assert_eq!(seat.begin(Black), ["Ready"]);
    assert_eq!(seat.choose(), ["> your move\\n", "f5 0ns"]);
    assert_eq!(seat.say(""), [""; 0]);
    assert!(is_fault(&seat.say(&"d3\n".repeat(MAX_EARLY)), "Format"));
}

#[test]
fn a_guest_that_left_plays_what_it_sent_before() {
    let mut seat = TestSeat::begun(Black);
    seat.say("f5\n");
    assert_eq!(seat.leave(), [""; 0]);
    assert_eq!(seat.choose(), ["> your move\\n", "f5 0ns"]);
    // Its move may end the game.
    assert_eq!(seat.tick(at(2000)), [""; 0]);
    assert_eq!(seat.played(Black, Square::F5), ["Fault(Left)"]);

    let mut seat = TestSeat::begun(White);
    assert_eq!(seat.leave(), ["Fault(Left)"]);
    let mut seat = TestSeat::new(White);
    assert_eq!(seat.leave(), [""; 0]);
    assert_eq!(seat.begin(White), ["Ready", "Fault(Left)"]);

    // It may leave before it has a seat, the last line being without an end.
    let mut guest = guest(Black, Duration::ZERO);
    guest.receive(b"f5").unwrap();
    guest.end_of_input();
    let mut seat = TestSeat::of(guest, Duration::ZERO);
    assert_eq!(seat.begin(Black), ["Ready"]);
    assert_eq!(seat.choose(), ["> your move\\n", "f5 0ns"]);
    assert_eq!(seat.played(Black, Square::F5), ["Fault(Left)"]);
}

#[test]
fn leaving_a_game_that_is_over_is_no_fault() {
    let mut seat = TestSeat::begun(White);
    let mut side = Black;
    for square in squares(WIPE_OUT) {
        seat.played(side, square);
        side = !side;
    }
    assert_eq!(seat.leave().len(), 1, "the last move is announced");
    let margin = Some(Margin::from_points(64));
    let other_closes = false;
    let over = Order::Over {
        margin,
        other_closes,
    };
    assert_eq!(seat.order(over), ["Completed"]);
}

#[test]
fn a_game_that_the_format_cannot_express_is_not_begun() {
    let mut moved = Board::START;
    moved.play(Square::F5).unwrap();
    let opening = [Square::F5.into()];
    for (setup, moves, color) in [
        (moved, &[][..], White),
        (Board::START, &opening[..], White),
        (Board::START, &[][..], Black),
    ] {
        let mut seat = TestSeat::new(White);
        let begun = seat.begin_from(setup, moves, color);
        assert!(is_fault(&begun, "CannotBegin"), "{begun:?}");
    }
}

#[test]
fn a_game_that_has_not_left_the_start_can_begin_again() {
    let mut seat = TestSeat::begun(Black);
    assert_eq!(seat.choose(), ASKED);
    assert_eq!(seat.begin(Black), ["Ready"]);
    // The question stands: its answer is kept, and its time begins anew.
    assert_eq!(seat.tick(at(40_000)), [""; 0]);
    assert_eq!(seat.say("f5\n"), [""; 0]);
    assert_eq!(seat.begin(Black), ["Ready"]);
    assert_eq!(seat.choose(), ["f5 0ns"]);
    assert!(is_fault(&seat.begin(Black), "CannotBegin"));

    let mut seat = TestSeat::begun(White);
    seat.played(Black, Square::F5);
    assert!(is_fault(&seat.begin(White), "CannotBegin"));
    seat.order(Order::Conclude(Verdict::resigned(Black)));
    assert!(is_fault(&seat.begin(White), "CannotBegin"));
}

#[test]
fn a_question_that_has_not_left_is_asked_anew_when_the_game_begins_again() {
    let mut seat = TestSeat::with(Black, Duration::from_millis(50), Duration::ZERO);
    // The last line of the reception keeps the question waiting.
    seat.now = at(0);
    seat.begin(Black);
    assert_eq!(seat.choose(), [""; 0]);
    seat.begin(Black);
    assert_eq!(seat.choose(), [""; 0]);
    assert_eq!(seat.tick(at(1000)), ASKED);
    assert_eq!(seat.tick(at(1050)), [""; 0]);
}

#[test]
fn a_game_that_is_called_off_ends_without_a_word() {
    let mut seat = TestSeat::with(White, Duration::from_millis(50), Duration::ZERO);
    seat.begin(White);
    seat.played(Black, Square::F5);
    seat.choose();
    assert_eq!(seat.order(Order::CallOff), ["hang up"]);
    assert_eq!(seat.session.deadline(), None);
    assert_eq!(seat.tick(at(2000)), [""; 0]);
    assert_eq!(seat.say("f6\n"), [""; 0]);
}
