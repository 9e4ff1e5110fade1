//! The referee's part of section 6, and the open points as `docs/protocols/sloan.md` settles them.

use core::time::Duration;
use std::{format, string::String, string::ToString as _, vec::Vec};

use othello_core::{Board, Color, Move, Square};

use super::*;
use crate::{
    session::{Cause, HostAction, HostEvent, HostSession, NoteKind, Timestamp, Verdict},
    sloan::{
        Dialect, MAX_COMPLAINTS,
        samples::{NEAR_THE_END, OVER_AFTER_C1},
    },
};

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_secs(seconds))
}

/// A referee with what happened so far, as text.
struct Table {
    referee: Referee,
    transcript: String,
    verdict: Option<Verdict>,
    now: Timestamp,
}

impl Table {
    fn new(options: RefereeOptions) -> Self {
        let mut table = Self {
            referee: Referee::new(options),
            transcript: String::new(),
            verdict: None,
            now: at(0),
        };
        table.referee.start(at(0));
        table.settle();
        table
    }

    /// Feeds each line: `B: text` comes from Black's program, `W: text` from White's, `B!` and
    /// `W!` end them, `+5` lets 5 seconds pass, and `+` passes the time up to the deadline.
    fn feed(mut self, script: &str) -> Self {
        for line in script
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            self.transcript += line;
            self.transcript += "\n";
            if let Some(seconds) = line.strip_prefix('+') {
                self.now = match seconds {
                    "" => self.referee.deadline().expect("nothing is waited for"),
                    seconds => self.now + Duration::from_secs(seconds.parse().unwrap()),
                };
                self.referee.tick(self.now);
            } else {
                let (seat, text) = line.split_at(1);
                let seat: Color = seat.parse().unwrap();
                match text.strip_prefix(": ") {
                    Some(text) => {
                        let text = format!("{text}\n");
                        self.referee.receive(seat, text.as_bytes(), self.now);
                    }
                    None => self.leave(seat),
                }
            }
            self.settle();
        }
        self
    }

    /// Ends a program, unless another one takes its place.
    fn leave(&mut self, seat: Color) {
        self.referee.end_of_input(seat, self.now);
        let launches = self.transcript.matches("[launch").count();
        self.settle();
        if self.transcript.matches("[launch").count() == launches {
            self.referee.exited(seat, true, self.now);
        }
    }

    fn settle(&mut self) {
        while let Some(action) = self.referee.poll() {
            let line = match action {
                HostAction::Send { seat, bytes } => {
                    let text = String::from_utf8(bytes).unwrap();
                    format!(">{}: {text}", letter(seat))
                }
                HostAction::Launch(seat) => format!("[launch {seat}]\n"),
                HostAction::HangUp(seat) => format!("[hang up on {seat}]\n"),
                HostAction::Event(HostEvent::Began) => "[began]\n".into(),
                HostAction::Event(HostEvent::Restarted) => "[restarted]\n".into(),
                HostAction::Event(HostEvent::Moved { seat, mv, took }) => {
                    format!("[{seat} {mv} after {took:?}]\n")
                }
                HostAction::Event(HostEvent::Comment { seat, text }) => {
                    format!("[{seat} remarks: {text}]\n")
                }
                HostAction::Event(HostEvent::FalseClaim { seat, value }) => {
                    format!("[{seat} claims falsely: {}]\n", value.discs())
                }
                HostAction::Note(note) => match note.kind {
                    NoteKind::Info => format!("[info] {}\n", note.text),
                    NoteKind::Leniency(name) => format!("[{name}] {}\n", note.text),
                    NoteKind::Fault => format!("[fault] {}\n", note.text),
                },
                HostAction::Finish(verdict) => {
                    let line = format!("[{:?} wins: {:?}]\n", verdict.winner, verdict.cause);
                    self.verdict = Some(verdict);
                    line
                }
                action => panic!("{action:?}"),
            };
            self.transcript += &line;
        }
    }

    /// Returns the lines that both programs were sent.
    fn sent(&self) -> Vec<&str> {
        let lines = self.transcript.lines();
        lines.filter_map(|line| line.strip_prefix('>')).collect()
    }

    fn notes(&self, leniency: &str) -> bool {
        self.transcript.contains(&format!("[{leniency}]"))
    }
}

fn letter(seat: Color) -> char {
    match seat {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Runs a script after both programs got ready, and checks what is sent after the colours.
fn check(options: RefereeOptions, script: &str, expect: &[&str]) -> Table {
    let table = Table::new(options).feed("B: (R B)\nW: (R W)").feed(script);
    assert_eq!(&table.sent()[2..], expect, "\n{}", table.transcript);
    table
}

fn check_verdict(table: &Table, winner: Option<Color>, cause: &Cause) {
    let verdict = table.verdict.as_ref().expect("no verdict");
    assert_eq!((verdict.winner, &verdict.cause), (winner, cause));
    assert_eq!(verdict.board, table.referee.game().board());
}

/// The document's: the opening pass comes at once.
fn standard() -> RefereeOptions {
    RefereeOptions {
        opening_pass: OpeningPass::Always,
        ..RefereeOptions::default()
    }
}

fn from(board: &str) -> RefereeOptions {
    RefereeOptions {
        start: board.parse().unwrap(),
        opening_pass: OpeningPass::Never,
        ..standard()
    }
}

mod samples {
    use super::*;

    #[test]
    fn the_first_sample_up_to_the_fault_at_a1() {
        let options = RefereeOptions {
            comments: CommentRelay::PassOn,
            ..standard()
        };
        let table = Table::new(options).feed(
            "
            B: (R B)
            W: (R W)
            B: (C (First move is forced eh?))
            B: (B d 3)
            W: (C (wow! what a surprise!))
            W: (C (the diagonal opening)) (W c 3)
            B: (C (oops...)) (B c 4)
            W: (C (I see what you mean!)) (W c 5)
            B: (B a 1)
            W: (C (impossible!))(-64)
            B: (C (Director!)) (64)",
        );
        let detail = "illegal move a1: it flips nothing".into();
        let by = Color::Black;
        check_verdict(
            &table,
            Some(Color::White),
            &Cause::IllegalMove { by, detail },
        );
        insta::assert_snapshot!(table.transcript);
    }

    #[test]
    fn the_second_sample_from_a_position_made_for_it() {
        let table = check(
            from(NEAR_THE_END),
            "W: (W a 1)\nB: (B)\nW: (W a 8)\nB: (B)\nW: (-43)\nB: (-43)",
            &[
                "B: (W a 1)",
                "W: (B)",
                "B: (W a 8)",
                "W: (B)",
                "B: (-43)",
                "W: (-43)",
            ],
        );
        check_verdict(&table, Some(Color::White), &Cause::Played);
        insta::assert_snapshot!(table.transcript);
    }
}

mod opening;

mod claims {
    use super::*;

    /// Black wipes White out with three discs.
    fn check_end(script: &str, expect: &[&str]) -> Table {
        let script = format!("B: (B c 1)\n{script}");
        let expect: Vec<&str> = [&["W: (B c 1)"], expect].concat();
        check(from(OVER_AFTER_C1), &script, &expect)
    }

    #[test]
    fn all_orders_of_passes_and_claims_are_taken() {
        for (script, expect) in [
            // The order that our player keeps: pass, then claim.
            (
                "W: (W)\nB: (3)\nW: (3)",
                &["B: (W)", "W: (3)", "B: (3)"][..],
            ),
            (
                "W: (W)\nB: (B)\nW: (3)\nB: (3)",
                &["B: (W)", "W: (B)", "B: (3)", "W: (3)"],
            ),
            // Claimed in place of the pass.
            ("W: (3)\nB: (3)", &["B: (3)", "W: (3)"]),
            // Claimed after the own last move.
            ("B: (3)\nW: (3)", &["W: (3)", "B: (3)"]),
            // Both at once, or each twice.
            ("B: (3)\nB: (3)\nW: (3)", &["W: (3)", "B: (3)"]),
            // A program leaves right after its claim.
            ("W: (3)\nW!\nB: (3)", &["B: (3)", "W: (3)"]),
            // Nobody claims: told by the referee.
            ("B!\nW!", &["B: (3)", "W: (3)"]),
            ("W: (W)\n+5", &["B: (W)", "B: (3)", "W: (3)"]),
            // One does not answer.
            ("B: (3)\n+5", &["W: (3)"]),
        ] {
            let table = check_end(script, expect);
            check_verdict(&table, Some(Color::Black), &Cause::Played);
        }
    }

    #[test]
    fn a_claim_on_the_line_of_the_last_move_is_taken() {
        let table = check(
            from(OVER_AFTER_C1),
            "B: (B c 1)(3)\nW: (3)",
            &["W: (B c 1)", "W: (3)", "B: (3)"],
        );
        check_verdict(&table, Some(Color::Black), &Cause::Played);
    }

    #[test]
    fn all_readings_of_a_value_are_true() {
        let table = check_end("W: (64)\nB: (3)", &["B: (64)", "W: (3)"]);
        assert!(table.notes("claim-with-empties"));
        let end = "XXXX---- -------- -------- -------- -------- -------- -------- OOOOOO-- O";
        let table = check(from(end), "W: (4)\nB: (-2)", &["B: (4)", "W: (-2)"]);
        assert!(table.notes("claim-of-black-discs"));
        check_verdict(&table, Some(Color::White), &Cause::Played);
    }

    #[test]
    fn a_false_claim_is_not_relayed() {
        let complaint = "(C (the game is not over the value 0))";
        check(
            standard(),
            "B: (0)\nB: (B d 3)",
            &["B: (W)", &format!("B: {complaint}"), "W: (B d 3)"],
        );
        // After the end the board decides, whatever is claimed.
        let complaint = "W: (C (the value -3 does not fit the board))";
        let table = check_end("W: (-3)\n+5", &[complaint, "B: (3)", "W: (3)"]);
        check_verdict(&table, Some(Color::Black), &Cause::Played);
        let table = check_end("B: (3)\nW: (-3)", &["W: (3)", complaint]);
        check_verdict(&table, Some(Color::Black), &Cause::Played);
    }

    #[test]
    fn programs_that_only_pass_are_stopped() {
        let table = check_end(
            "W: (W)\nB: (B)\nW: (W)\nB: (B)\nW: (W)",
            &["B: (W)", "W: (B)", "B: (W)", "W: (B)", "B: (3)", "W: (3)"],
        );
        check_verdict(&table, Some(Color::Black), &Cause::Played);
    }

    #[test]
    fn who_gives_up_loses() {
        let table = check(
            standard(),
            "B: (-64)\nW: (-64)",
            &["B: (W)", "B: (-64)", "W: (-64)"],
        );
        check_verdict(
            &table,
            Some(Color::White),
            &Cause::Left { by: Color::Black },
        );
    }

    #[test]
    fn a_claim_before_both_are_ready_is_refused_and_decides_nothing() {
        let table = Table::new(standard()).feed("B: (R B)\nB: (-64)\nW: (R W)");
        let refused = "B: (C (the game is not over the value -64))";
        assert_eq!(table.sent()[2..], [refused, "B: (W)"]);
        assert!(
            !table.transcript.contains("falsely"),
            "{}",
            table.transcript
        );
    }

    #[test]
    fn a_draw_has_no_winner() {
        let end = "XX------ -------- -------- -------- -------- -------- -------- OO------ X";
        let table = check(from(end), "B: (0)\nW: (0)", &["W: (0)", "B: (0)"]);
        check_verdict(&table, None, &Cause::Played);
    }
}

mod faults {
    use super::*;

    #[test]
    fn an_illegal_move_ends_the_game_and_is_not_relayed() {
        for (illegal, why) in [
            ("(B a 1)", "illegal move a1: it flips nothing"),
            ("(B d 4)", "illegal move d4: the square is occupied"),
            ("(B)", "illegal move pass: there is a legal move"),
        ] {
            let table = check(
                standard(),
                &format!("B: {illegal}\nW: (-64)\nB!"),
                &["B: (W)", "B: (-64)", "W: (-64)"],
            );
            let (by, detail) = (Color::Black, why.into());
            check_verdict(
                &table,
                Some(Color::White),
                &Cause::IllegalMove { by, detail },
            );
        }
    }

    #[test]
    fn who_leaves_loses() {
        let table = check(
            standard(),
            "B: (B d 3)\nW!\n+5",
            &["B: (W)", "W: (B d 3)", "B: (64)", "W: (64)"],
        );
        check_verdict(
            &table,
            Some(Color::Black),
            &Cause::Left { by: Color::White },
        );
    }

    #[test]
    fn each_bad_message_gets_one_complaint_and_changes_nothing() {
        for (bad, complaint) in [
            ("B: (W c 3)", "B: (C (not yours to say W c 3))"),
            ("W: (W c 3)", "W: (C (out of turn W c 3))"),
            ("W: (R W)", "W: (C (the game has begun R W))"),
            ("W: (I B)", "W: (C (not yours to say I B))"),
            (
                "B: (B d)",
                "B: (C (expected a row [1 to 8] at offset 4 of [B d]))",
            ),
            (
                "B: d3",
                "B: (C (expected an opening parenthesis at offset 0 of d3))",
            ),
        ] {
            check(
                standard(),
                &format!("{bad}\nB: (B d 3)"),
                &["B: (W)", complaint, "W: (B d 3)"],
            );
        }
    }

    #[test]
    fn output_is_bounded_in_each_turn() {
        let options = RefereeOptions {
            output_per_turn: 100,
            ..standard()
        };
        let chatter = format!("W: (C ({}))\n", "x".repeat(30));
        let quiet = format!("{chatter}{chatter}B: (B d 3)\n{chatter}W: (W c 3)");
        check(
            options.clone(),
            &quiet,
            &["B: (W)", "W: (B d 3)", "B: (W c 3)"],
        );
        let table = check(
            options,
            &format!("{}+5", chatter.repeat(3)),
            &["B: (W)", "B: (64)", "W: (64)"],
        );
        let detail = "expected at most 100 bytes of output in a turn".into();
        let by = Color::White;
        check_verdict(&table, Some(Color::Black), &Cause::Format { by, detail });
    }

    #[test]
    fn a_flood_of_garbage_is_answered_a_few_times() {
        let script = format!("B: {}", "(x)".repeat(1000));
        let table = Table::new(standard()).feed(&script);
        let complaints = table
            .sent()
            .iter()
            .filter(|l| l.starts_with("B: (C"))
            .count();
        assert_eq!(complaints, MAX_COMPLAINTS as usize);
        let remarks = table.transcript.matches("[fault]").count();
        assert!(remarks < 300, "{remarks} remarks");
    }
}

mod comments {
    use super::*;

    #[test]
    fn comments_are_filtered_or_passed_on_made_safe() {
        let script = "B: (C (a: 1.5,\tb))(B d 3)";
        let table = check(standard(), script, &["B: (W)", "W: (B d 3)"]);
        assert!(table.transcript.contains("[Black remarks: a: 1.5, b]"));
        let options = RefereeOptions {
            comments: CommentRelay::PassOn,
            ..standard()
        };
        check(
            options,
            script,
            &["B: (W)", "W: (C (a 1 5 b))", "W: (B d 3)"],
        );
    }
}

mod dialect {
    use super::*;

    #[test]
    fn a_program_without_parentheses_is_answered_in_kind() {
        let table = Table::new(standard()).feed("B: R B\nW: (R W)\nB: B d 3\nW: (W c 3)\nB: what");
        assert_eq!(
            &table.sent()[2..],
            [
                "B: W",
                "W: (B d 3)",
                "B: W c 3",
                "B: C expected a message [I R C B W a number or play] at offset 0 of what",
            ]
        );
        assert!(table.notes("no-parentheses"));
    }

    #[test]
    fn a_program_may_be_spoken_to_without_parentheses_from_the_start() {
        let options = RefereeOptions {
            dialect: Dialect::Lines,
            ..standard()
        };
        let table = Table::new(options).feed("B: R B\nW: (R W)");
        assert_eq!(table.sent(), ["B: I B", "W: I W", "B: W"]);
    }
}

mod time {
    use super::*;

    fn short() -> RefereeOptions {
        RefereeOptions {
            game_time: Some(Duration::from_secs(10)),
            ..standard()
        }
    }

    #[test]
    fn each_side_has_its_own_time_for_the_game() {
        let table = check(
            short(),
            "+6\nB: (B d 3)\n+9\nW: (W c 3)\n+3\nB: (B c 4)",
            &["B: (W)", "W: (B d 3)", "B: (W c 3)", "W: (B c 4)"],
        );
        assert!(table.transcript.contains("[Black c4 after 3s]"));
        // White has one second left.
        let deadline = table.referee.deadline().unwrap();
        assert_eq!(deadline - table.now, Duration::from_secs(1));
        let table = table.feed("+1\n+5");
        check_verdict(
            &table,
            Some(Color::Black),
            &Cause::Overtime { by: Color::White },
        );
    }

    #[test]
    fn a_move_after_the_time_is_too_late_even_without_a_tick() {
        let mut table = check(short(), "", &["B: (W)"]);
        table.now = at(10);
        let table = table.feed("B: (B d 3)");
        let complaint = "B: (C (the game is over B d 3))";
        assert_eq!(table.sent()[3..], ["B: (-64)", complaint, "W: (-64)"]);
        assert_eq!(table.referee.game().board(), Board::START);
    }

    #[test]
    fn without_a_limit_there_is_no_deadline() {
        let options = RefereeOptions {
            game_time: None,
            ..standard()
        };
        assert_eq!(check(options, "", &["B: (W)"]).referee.deadline(), None);
    }
}

#[test]
fn the_game_holds_the_moves() {
    let table = check(standard(), "B: (B d 3)", &["B: (W)", "W: (B d 3)"]);
    assert_eq!(table.referee.game().moves(), [Move::Place(Square::D3)]);
}
