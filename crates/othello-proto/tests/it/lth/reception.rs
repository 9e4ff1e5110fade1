//! The server's side before the game.

use std::{fmt::Write as _, time::Duration};

use othello_core::Color;
use othello_proto::{
    lth::{
        Door, Guest, InvalidId, MAX_EARLY, Reception, ReceptionAction, ReceptionOptions, Record,
        Refusal,
    },
    session::Timestamp,
};

use super::kit::{at, note_line};

/// A reception under test; whoever comes has won 4 games and plays White next.
pub(crate) struct Desk {
    pub(crate) reception: Reception,
    pub(crate) now: Timestamp,
    pub(crate) guest: Option<Guest>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) log: String,
}

impl Desk {
    pub(crate) fn new(options: ReceptionOptions) -> Self {
        let mut desk = Self {
            reception: Reception::new(options),
            now: at(0),
            guest: None,
            refusal: None,
            log: String::new(),
        };
        desk.reception.start(desk.now);
        desk.settle();
        desk
    }

    fn at_door(door: Door) -> Self {
        Self::new(ReceptionOptions {
            door,
            ..ReceptionOptions::default()
        })
    }

    pub(crate) fn receive(&mut self, bytes: &[u8]) {
        self.reception.receive(bytes, self.now);
        self.settle();
    }

    pub(crate) fn advance(&mut self, to: Timestamp) {
        self.now = to;
        self.reception.tick(to);
        self.settle();
    }

    fn settle(&mut self) {
        while let Some(action) = self.reception.poll() {
            assert!(self.guest.is_none() && self.refusal.is_none(), "{action:?}");
            match action {
                ReceptionAction::Send(bytes) => {
                    for line in String::from_utf8(bytes).unwrap().lines() {
                        writeln!(self.log, "> {line}").unwrap();
                    }
                }
                ReceptionAction::LookUp(id) => {
                    writeln!(self.log, "? {id}").unwrap();
                    let (wins, color) = (4, Color::White);
                    self.reception.recall(Record { wins, color }, self.now);
                }
                ReceptionAction::Note(note) => self.log.push_str(&note_line(&note)),
                ReceptionAction::Seat(guest) => self.guest = Some(guest),
                ReceptionAction::Refuse(refusal) => self.refusal = Some(refusal),
            }
        }
    }
}

#[test]
fn the_built_in_players_name_is_nobody_elses() {
    for door in [
        Door::Testing,
        Door::Evaluation,
        Door::Competition(Color::White),
    ] {
        for name in ["house", " House\r", "HOUSE"] {
            let mut desk = Desk::at_door(door);
            desk.receive(format!("{name}\nd\n").as_bytes());
            let told = "> error\n>  Your name is reserved. Bye!\n";
            assert!(desk.log.ends_with(told), "{}", desk.log);
            assert!(matches!(desk.refusal, Some(Refusal::Reserved(_))));
        }
        let mut desk = Desk::at_door(door);
        desk.receive(b"household\n");
        assert_eq!(desk.refusal, None);
    }
}

#[test]
fn the_testing_port_lets_choose_the_colour() {
    let mut desk = Desk::at_door(Door::Testing);
    desk.receive(b"idstring\n");
    desk.receive(b"w\n");
    let guest = desk.guest.unwrap();
    assert_eq!(
        (guest.id().as_str(), guest.color()),
        ("idstring", Color::White)
    );
    insta::assert_snapshot!(desk.log);
}

#[test]
fn the_evaluation_port_gives_the_colour_on_record() {
    let mut desk = Desk::at_door(Door::Evaluation);
    desk.receive(b"idstring\n");
    assert_eq!(desk.guest.unwrap().color(), Color::White);
    insta::assert_snapshot!(desk.log);
}

#[test]
fn a_competition_port_tells_no_win_count() {
    let mut desk = Desk::at_door(Door::Competition(Color::Black));
    desk.receive(b"id1\n");
    assert_eq!(desk.guest.unwrap().color(), Color::Black);
    insta::assert_snapshot!(desk.log);
}

#[test]
fn a_wrong_colour_gets_the_error_of_two_lines() {
    let mut desk = Desk::at_door(Door::Testing);
    desk.receive(b"idstring\r\n\r\nblack\r\n");
    assert_eq!(desk.refusal, Some(Refusal::WrongColor("black".into())));
    assert!(
        desk.log
            .ends_with("> error\n>  You provided wrong colour. Bye!\n"),
        "{}",
        desk.log
    );
}

#[test]
fn a_byte_order_mark_before_the_name_is_no_part_of_it() {
    let mut desk = Desk::at_door(Door::Testing);
    for byte in "\u{feff}idstring\nd\n".as_bytes() {
        desk.receive(&[*byte]);
    }
    assert_eq!(desk.guest.unwrap().id().as_str(), "idstring");
    assert_eq!(desk.log.matches("leniency byte-order-mark").count(), 1);
}

#[test]
fn other_spellings_of_name_and_colour_are_read() {
    let mut desk = Desk::at_door(Door::Testing);
    desk.receive(b" idstring \r\nW\r\n");
    assert_eq!(desk.guest.unwrap().id().as_str(), "idstring");
    let count = |name: &str| desk.log.matches(&format!("leniency {name}")).count();
    assert_eq!((count("carriage-return"), count("spelling")), (1, 2));
}

#[test]
fn a_name_that_is_no_id_is_refused() {
    let unprintable = |found| InvalidId::Unprintable { offset: 1, found };
    for (name, error) in [
        ("x".repeat(129), InvalidId::TooLong),
        ("x".repeat(5000), InvalidId::TooLong),
        ("a\u{7}".into(), unprintable('\u{7}')),
        ("a\u{feff}".into(), unprintable('\u{feff}')),
        ("a\u{200b}b".into(), unprintable('\u{200b}')),
        ("a\u{202e}b".into(), unprintable('\u{202e}')),
    ] {
        let mut desk = Desk::at_door(Door::Testing);
        desk.receive(format!("{name}\n").as_bytes());
        assert_eq!(desk.refusal, Some(Refusal::InvalidId(error)));
        assert!(
            desk.log
                .ends_with("> error\n>  Your name is invalid. Bye!\n")
        );
    }
}

#[test]
fn the_name_may_come_in_any_chunks_and_before_the_question() {
    let mut desk = Desk::new(ReceptionOptions {
        line_delay: Duration::from_millis(50),
        ..ReceptionOptions::default()
    });
    for byte in "idstring\nd\nf5\n".as_bytes() {
        desk.receive(&[*byte]);
    }
    while let Some(deadline) = desk.reception.deadline() {
        desk.advance(deadline);
    }
    assert_eq!(desk.guest.unwrap().color(), Color::Black);
}

#[test]
fn lines_are_at_least_the_delay_apart() {
    let delay = Duration::from_millis(50);
    let mut desk = Desk::new(ReceptionOptions {
        line_delay: delay,
        ..ReceptionOptions::default()
    });
    desk.receive(b"idstring\nd\n");
    let mut lines = desk.log.matches("> ").count();
    assert_eq!(lines, 1);
    while desk.guest.is_none() {
        let early = at(desk.now.since_origin().as_millis() as u64 + 49);
        desk.advance(early);
        assert_eq!(desk.log.matches("> ").count(), lines);
        desk.advance(desk.reception.deadline().unwrap());
        lines += 1;
        assert_eq!(desk.log.matches("> ").count(), lines);
    }
    assert_eq!((lines, desk.now), (7, at(300)));
}

#[test]
fn a_client_that_says_nothing_is_shown_out() {
    let mut desk = Desk::at_door(Door::Testing);
    desk.advance(at(59_999));
    assert_eq!(desk.refusal, None);
    desk.receive(b"idstring\n");
    desk.advance(at(119_998));
    assert_eq!(desk.refusal, None);
    assert_eq!(desk.reception.deadline(), Some(at(119_999)));
    desk.advance(at(119_999));
    assert_eq!(desk.refusal, Some(Refusal::Late));
    assert!(
        desk.log
            .ends_with("> error\n>  Time limit exceeded. Bye!\n")
    );
}

#[test]
fn a_client_that_leaves_early_is_gone() {
    for said in ["", "idstring\n"] {
        let mut desk = Desk::at_door(Door::Testing);
        desk.receive(said.as_bytes());
        desk.reception.end_of_input(desk.now);
        desk.settle();
        assert_eq!(desk.refusal, Some(Refusal::Left));
    }
}

#[test]
fn a_name_without_end_before_the_end_of_input_counts() {
    let mut desk = Desk::at_door(Door::Evaluation);
    desk.receive(b"idstring");
    assert!(desk.guest.is_none());
    desk.reception.end_of_input(desk.now);
    desk.settle();
    assert!(desk.guest.is_some());
}

#[test]
fn remarks_on_blank_lines_are_bounded() {
    let mut desk = Desk::at_door(Door::Evaluation);
    for _ in 0..10 {
        desk.receive(&b"\n".repeat(1000));
    }
    assert!(desk.log.lines().count() < 300);
    desk.receive(b"idstring\n");
    assert!(desk.guest.is_some());
}

#[test]
fn a_flood_is_refused() {
    let mut desk = Desk::at_door(Door::Testing);
    desk.receive(&b"x\n".repeat(MAX_EARLY));
    assert!(matches!(desk.refusal, Some(Refusal::Flooded(_))));
    let mut desk = Desk::at_door(Door::Evaluation);
    desk.receive(b"idstring\n");
    let mut guest = desk.guest.unwrap();
    assert_eq!(guest.receive(b"f5\n"), Ok(()));
    assert!(guest.receive(&b"x\n".repeat(MAX_EARLY)).is_err());
}
