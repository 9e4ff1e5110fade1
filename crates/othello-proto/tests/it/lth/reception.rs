//! The server's side before the game.

use std::{fmt::Write as _, time::Duration};

use othello_core::Color;
use othello_proto::{
    lth::{
        ClientRecord, Guest, InvalidId, MAX_EARLY, Port, Reception, ReceptionAction,
        ReceptionOptions, Refusal,
    },
    session::Timestamp,
};

use super::kit::{at, note_line};

/// A driver of a reception under test; every client has won 4 games and plays White next.
pub(crate) struct ReceptionDriver {
    pub(crate) reception: Reception,
    pub(crate) now: Timestamp,
    pub(crate) guest: Option<Guest>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) log: String,
}

impl ReceptionDriver {
    pub(crate) fn new(options: ReceptionOptions) -> Self {
        let mut driver = Self {
            reception: Reception::new(options),
            now: at(0),
            guest: None,
            refusal: None,
            log: String::new(),
        };
        driver.reception.start(driver.now);
        driver.settle();
        driver
    }

    fn at_door(port: Port) -> Self {
        Self::new(ReceptionOptions {
            port,
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
                    self.reception
                        .recall(ClientRecord { wins, color }, self.now);
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
    for port in [
        Port::Testing,
        Port::Evaluation,
        Port::Competition(Color::White),
    ] {
        for name in ["house", " House\r", "HOUSE"] {
            let mut driver = ReceptionDriver::at_door(port);
            driver.receive(format!("{name}\nd\n").as_bytes());
            let told = "> error\n>  Your name is reserved. Bye!\n";
            assert!(driver.log.ends_with(told), "{}", driver.log);
            assert!(matches!(driver.refusal, Some(Refusal::Reserved(_))));
        }
        let mut driver = ReceptionDriver::at_door(port);
        driver.receive(b"household\n");
        assert_eq!(driver.refusal, None);
    }
}

#[test]
fn the_testing_port_lets_choose_the_colour() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    driver.receive(b"idstring\n");
    driver.receive(b"w\n");
    let guest = driver.guest.unwrap();
    assert_eq!(
        (guest.id().as_str(), guest.color()),
        ("idstring", Color::White)
    );
    insta::assert_snapshot!(driver.log);
}

#[test]
fn the_evaluation_port_gives_the_colour_on_record() {
    let mut driver = ReceptionDriver::at_door(Port::Evaluation);
    driver.receive(b"idstring\n");
    assert_eq!(driver.guest.unwrap().color(), Color::White);
    insta::assert_snapshot!(driver.log);
}

#[test]
fn a_competition_port_tells_no_win_count() {
    let mut driver = ReceptionDriver::at_door(Port::Competition(Color::Black));
    driver.receive(b"id1\n");
    assert_eq!(driver.guest.unwrap().color(), Color::Black);
    insta::assert_snapshot!(driver.log);
}

#[test]
fn a_wrong_colour_gets_the_error_of_two_lines() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    driver.receive(b"idstring\r\n\r\nblack\r\n");
    assert_eq!(driver.refusal, Some(Refusal::WrongColor("black".into())));
    assert!(
        driver
            .log
            .ends_with("> error\n>  You provided wrong colour. Bye!\n"),
        "{}",
        driver.log
    );
}

#[test]
fn a_byte_order_mark_before_the_name_is_no_part_of_it() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    for byte in "\u{feff}idstring\nd\n".as_bytes() {
        driver.receive(&[*byte]);
    }
    assert_eq!(driver.guest.unwrap().id().as_str(), "idstring");
    assert_eq!(driver.log.matches("leniency byte-order-mark").count(), 1);
}

#[test]
fn other_spellings_of_name_and_colour_are_read() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    driver.receive(b" idstring \r\nW\r\n");
    assert_eq!(driver.guest.unwrap().id().as_str(), "idstring");
    let count = |name: &str| driver.log.matches(&format!("leniency {name}")).count();
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
        let mut driver = ReceptionDriver::at_door(Port::Testing);
        driver.receive(format!("{name}\n").as_bytes());
        assert_eq!(driver.refusal, Some(Refusal::InvalidId(error)));
        assert!(
            driver
                .log
                .ends_with("> error\n>  Your name is invalid. Bye!\n")
        );
    }
}

#[test]
fn the_name_may_come_in_any_chunks_and_before_the_question() {
    let mut driver = ReceptionDriver::new(ReceptionOptions {
        line_delay: Duration::from_millis(50),
        ..ReceptionOptions::default()
    });
    for byte in "idstring\nd\nf5\n".as_bytes() {
        driver.receive(&[*byte]);
    }
    while let Some(deadline) = driver.reception.deadline() {
        driver.advance(deadline);
    }
    assert_eq!(driver.guest.unwrap().color(), Color::Black);
}

#[test]
fn lines_are_at_least_the_delay_apart() {
    let delay = Duration::from_millis(50);
    let mut driver = ReceptionDriver::new(ReceptionOptions {
        line_delay: delay,
        ..ReceptionOptions::default()
    });
    driver.receive(b"idstring\nd\n");
    let mut lines = driver.log.matches("> ").count();
    assert_eq!(lines, 1);
    while driver.guest.is_none() {
        let early = at(driver.now.since_origin().as_millis() as u64 + 49);
        driver.advance(early);
        assert_eq!(driver.log.matches("> ").count(), lines);
        driver.advance(driver.reception.deadline().unwrap());
        lines += 1;
        assert_eq!(driver.log.matches("> ").count(), lines);
    }
    assert_eq!((lines, driver.now), (7, at(300)));
}

#[test]
fn a_client_that_says_nothing_is_shown_out() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    driver.advance(at(59_999));
    assert_eq!(driver.refusal, None);
    driver.receive(b"idstring\n");
    driver.advance(at(119_998));
    assert_eq!(driver.refusal, None);
    assert_eq!(driver.reception.deadline(), Some(at(119_999)));
    driver.advance(at(119_999));
    assert_eq!(driver.refusal, Some(Refusal::Late));
    assert!(
        driver
            .log
            .ends_with("> error\n>  Time limit exceeded. Bye!\n")
    );
}

#[test]
fn a_client_that_leaves_early_is_gone() {
    for said in ["", "idstring\n"] {
        let mut driver = ReceptionDriver::at_door(Port::Testing);
        driver.receive(said.as_bytes());
        driver.reception.end_of_input(driver.now);
        driver.settle();
        assert_eq!(driver.refusal, Some(Refusal::Left));
    }
}

#[test]
fn a_name_without_end_before_the_end_of_input_counts() {
    let mut driver = ReceptionDriver::at_door(Port::Evaluation);
    driver.receive(b"idstring");
    assert!(driver.guest.is_none());
    driver.reception.end_of_input(driver.now);
    driver.settle();
    assert!(driver.guest.is_some());
}

#[test]
fn an_empty_line_is_an_answer_unless_it_came_before_the_question() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    driver.receive(b"idstring\n\n \n");
    assert_eq!(driver.refusal, None);
    assert_eq!(driver.log.matches("leniency blank-line").count(), 1);
    driver.receive(b"\n");
    assert_eq!(driver.refusal, Some(Refusal::WrongColor(String::new())));
    let told = "> error\n>  You provided wrong colour. Bye!\n";
    assert!(driver.log.ends_with(told), "{}", driver.log);

    let mut driver = ReceptionDriver::at_door(Port::Evaluation);
    driver.receive(b" \r\n");
    assert_eq!(driver.refusal, Some(Refusal::InvalidId(InvalidId::Empty)));
}

#[test]
fn a_flood_is_refused() {
    let mut driver = ReceptionDriver::at_door(Port::Testing);
    driver.receive(&b"x\n".repeat(MAX_EARLY));
    assert!(matches!(driver.refusal, Some(Refusal::Flooded(_))));
    let mut driver = ReceptionDriver::at_door(Port::Evaluation);
    driver.receive(b"idstring\n");
    let mut guest = driver.guest.unwrap();
    assert_eq!(guest.receive(b"f5\n"), Ok(()));
    assert!(guest.receive(&b"x\n".repeat(MAX_EARLY)).is_err());
}
