//! The Othello GUI's host, alone and against our own player.

use std::time::Duration;

use boardgame_core::ByColor;
use boardgame_laws::othello::{HostAction, HostedGame, gui::hosted};
use boardgame_session::{Cause, GameEvent, NoteKind, SeatFault, Timestamp, Verdict};
use othello_core::{Board, Color, Move, Square};
use othello_proto::{
    gui::{Form, HostSeat, HostSeatOptions, Mode, Player, PlayerOptions, Version},
    session::{Action, Ending, PlayerSession},
};
use proptest::prelude::*;

use crate::kit::{at, decision, forfeit, host_line, host_lines, pick, verdict};

/// The documents' sample, White to move.
const SAMPLE: &str = "-------------------X-------XX------XO--------------------------- O";
/// Black must pass; White may take a1.
const MUST_PASS: &str = "-XOOOOOO-------------------------------------------------------- X";

type Host = HostedGame<HostSeat>;

fn of_form(form: Form) -> HostSeatOptions {
    HostSeatOptions {
        form,
        ..HostSeatOptions::default()
    }
}

fn host(form: Form, start: &str) -> Host {
    let mut host = hosted(start.parse().unwrap(), of_form(form), None);
    host.start(at(0));
    host
}

/// Returns the host's verdict on White's program printing `text` on the sample's board and exiting.
fn cause_of(form: Form, text: impl AsRef<[u8]>, success: bool) -> Option<Cause> {
    let mut host = host(form, SAMPLE);
    host.receive(Color::White, text.as_ref(), at(100));
    host.end_of_input(Color::White, at(110));
    host.exited(Color::White, success, at(120));
    let verdict = verdict(&mut host)?;
    assert_eq!(verdict.winner, Some(Color::Black));
    Some(verdict.cause)
}

#[test]
fn the_released_host_plays_the_sample_with_a_process_for_each_move() {
    let mut host = host(Form::Released, SAMPLE);
    host.receive(Color::White, b"e3\nexpected +2\n", at(700));
    host.end_of_input(Color::White, at(710));
    host.exited(Color::White, true, at(720));
    insta::assert_snapshot!(host_lines(&mut host));
}

#[test]
fn the_documents_host_waits_for_the_version_line_and_its_clock_starts_then() {
    for version in [Version::V1, Version::V2] {
        let mut host = host(Form::Document(version), SAMPLE);
        assert_eq!(host.poll(), Some(HostAction::Event(GameEvent::Began)));
        assert_eq!(host.poll(), Some(HostAction::Launch(Color::White)));
        assert_eq!(host.poll(), None);
        host.receive(Color::White, b"v1.0", at(2000));
        assert_eq!(host.poll(), None);
        host.receive(Color::White, b".0\n", at(2500));
        host.receive(Color::White, b"e3\n", at(5400));
        host.end_of_input(Color::White, at(5400));
        host.exited(Color::White, true, at(5500));
        insta::assert_snapshot!(format!("document_{version:?}"), host_lines(&mut host));
    }
}

#[test]
fn the_one_process_host_launches_both_once() {
    let mut host = host(Form::Stay(Version::V2), &Board::START.to_string());
    host.receive(Color::White, b"v1.0.0\n", at(5));
    host.receive(Color::Black, b"v1.0.0\n", at(9));
    host.receive(Color::Black, b"d3\n", at(50));
    host.receive(Color::White, b"c3\n", at(90));
    insta::assert_snapshot!(host_lines(&mut host));
}

#[test]
fn the_released_gui_takes_a_move_with_a_line_of_notes_and_blanks_around_them() {
    let cause = cause_of(Form::Released, "e3 notes\n", true);
    assert!(
        matches!(
            cause,
            Some(Cause::Forfeit {
                by: Color::White,
                fault: SeatFault::Format { .. }
            })
        ),
        "{cause:?}"
    );
    assert_eq!(
        cause_of(Form::Released, " e3 \n any notes \n\n", true),
        None
    );
}

#[test]
fn the_released_gui_judges_a_program_by_all_that_it_printed() {
    let mut host = host(Form::Released, SAMPLE);
    host.receive(Color::White, b"e3\n", at(100));
    host.receive(Color::White, b"one\ntwo\n", at(200));
    assert_eq!(verdict(&mut host), None);
    host.exited(Color::White, true, at(300));
    let verdict = verdict(&mut host).expect("a verdict");
    let detail = r#"expected nothing after the line of notes at offset 0 of "two""#.into();
    let fault = SeatFault::Format { detail };
    assert_eq!(verdict.cause, forfeit(Color::White, fault));
}

#[test]
fn the_released_gui_reads_no_more_than_a_pipe_holds() {
    let notes = |bytes: usize| format!("e3\n{}", "x".repeat(bytes - 3));
    let cause = |bytes| cause_of(Form::Released, notes(bytes), true);
    assert_eq!(cause(65536), None);
    assert!(matches!(
        cause(65537),
        Some(Cause::Forfeit {
            fault: SeatFault::Format { .. },
            ..
        })
    ));
}

#[test]
fn the_documents_host_reads_more_and_logs_it() {
    let form = Form::Document(Version::V2);
    for text in [
        "v1.0.0\nE3\n",
        "v1.0.0\n e3 \n",
        "v1.0.0\r\ne3\r\n",
        "v1.0.0\ne3\nmore\n",
    ] {
        assert_eq!(cause_of(form, text, true), None, "{text:?}");
    }
    for text in ["e3\n", "v2.0.0\ne3\n", "v1.0.0\nmove\n"] {
        let cause = cause_of(form, text, true);
        assert!(
            matches!(
                cause,
                Some(Cause::Forfeit {
                    fault: SeatFault::Format { .. },
                    ..
                })
            ),
            "{text:?}: {cause:?}"
        );
    }
}

#[test]
fn an_illegal_move_loses() {
    for text in ["a1\n", "d3\n"] {
        let cause = cause_of(Form::Released, text, true);
        assert!(
            matches!(
                cause,
                Some(Cause::Forfeit {
                    fault: SeatFault::IllegalMove { .. },
                    ..
                })
            ),
            "{cause:?}"
        );
    }
}

#[test]
fn a_process_must_end_with_status_0_within_the_time() {
    let cause = cause_of(Form::Released, "e3\n", false);
    assert!(
        matches!(
            cause,
            Some(Cause::Forfeit {
                fault: SeatFault::Format { .. },
                ..
            })
        ),
        "{cause:?}"
    );
    assert_eq!(
        cause_of(Form::Released, "", true),
        Some(forfeit(Color::White, SeatFault::Left))
    );
    // It moves in time but stays alive.
    let mut host = host(Form::Released, SAMPLE);
    host.receive(Color::White, b"e3\n", at(100));
    host.tick(at(3000));
    assert_eq!(verdict(&mut host), None);
    host.tick(host.deadline().expect("a deadline"));
    let verdict = verdict(&mut host).expect("a verdict");
    assert_eq!(verdict.cause, forfeit(Color::White, SeatFault::Overtime));
    assert_eq!(host.position().to_string(), SAMPLE);
}

#[test]
fn a_move_that_comes_late_loses() {
    for (form, greeting) in [(Form::Released, ""), (Form::Stay(Version::V1), "v1.0.0\n")] {
        let mut host = host(form, SAMPLE);
        host.receive(Color::White, greeting.as_bytes(), at(0));
        host.receive(Color::White, b"e3\n", at(3001));
        let verdict = verdict(&mut host).expect("a verdict");
        assert_eq!(verdict.cause, forfeit(Color::White, SeatFault::Overtime));
    }
}

#[test]
fn a_version_line_that_does_not_come_is_overtime() {
    let mut host = host(Form::Document(Version::V2), SAMPLE);
    host.tick(host.deadline().expect("a deadline"));
    let verdict = verdict(&mut host).expect("a verdict");
    assert_eq!(verdict.cause, forfeit(Color::White, SeatFault::Overtime));
}

#[test]
fn the_one_process_host_takes_nothing_out_of_turn_and_no_early_end() {
    let start = Board::START.to_string();
    let form = Form::Stay(Version::V2);
    for text in ["v1.0.0\nv1.0.0\n", "v1.0.0\nd6\n", "hello\n"] {
        let mut host = host(form, &start);
        host.receive(Color::White, text.as_bytes(), at(5));
        let verdict = verdict(&mut host).expect("a verdict");
        assert!(
            matches!(
                verdict.cause,
                Cause::Forfeit {
                    by: Color::White,
                    fault: SeatFault::Format { .. }
                }
            ),
            "{text:?}"
        );
    }
    for seat in Color::ALL {
        let mut host = host(form, &start);
        host.end_of_input(seat, at(5));
        let verdict = verdict(&mut host).expect("a verdict");
        assert_eq!(verdict.cause, forfeit(seat, SeatFault::Left));
    }
}

#[test]
fn a_side_that_is_stuck_is_not_asked() {
    let mut host = host(Form::Released, MUST_PASS);
    host.receive(Color::White, b"a1\n", at(100));
    host.end_of_input(Color::White, at(100));
    host.exited(Color::White, true, at(110));
    insta::assert_snapshot!(host_lines(&mut host));
    assert_eq!(host.moves(), [Move::Pass, Move::Place(Square::A1)]);
}

#[test]
fn an_overlong_line_is_a_fault_of_format() {
    let cause = cause_of(Form::Released, "e3".repeat(5000), true);
    assert!(
        matches!(
            cause,
            Some(Cause::Forfeit {
                fault: SeatFault::Format { .. },
                ..
            })
        ),
        "{cause:?}"
    );
}

// Whole games between both roles.

/// A program: the session, what it sent, and whether it has ended.
struct Program {
    session: Player,
    sent: Vec<u8>,
    ending: Option<Ending>,
}

impl Program {
    fn launch(mode: Mode, now: Timestamp) -> Self {
        let mut session = Player::new(PlayerOptions {
            mode,
            ..PlayerOptions::default()
        });
        session.start(now);
        Self {
            session,
            sent: Vec::new(),
            ending: None,
        }
    }

    /// Does what the session asks for; decisions take no time.
    fn run(&mut self, seed: u64, now: Timestamp) {
        while let Some(action) = self.session.poll() {
            match action {
                Action::Send(bytes) => self.sent.extend(bytes),
                Action::Think(task) => {
                    let seed = seed ^ u64::from(task.question.board.empties().count());
                    let decision = decision(&task, pick(&task, seed));
                    self.session.decide(decision, now);
                }
                Action::Note(note) => {
                    assert_ne!(note.kind, NoteKind::Fault, "{note:?}");
                }
                Action::Abandon => panic!("out of time"),
                Action::Finish(ending) => self.ending = Some(ending),
            }
        }
    }
}

/// Plays a game of two programs under the host; time passes only when nothing else happens.
fn play(form: Form, mode: Mode, seed: u64) -> Verdict {
    let mut host = hosted(Board::START, of_form(form), None);
    let mut programs: ByColor<Option<Program>> = ByColor::default();
    let mut now = at(0);
    host.start(now);
    for _ in 0..10_000 {
        while let Some(action) = host.poll() {
            match &action {
                HostAction::Launch(seat) => {
                    programs[*seat] = Some(Program::launch(mode, now));
                }
                HostAction::Send { seat, bytes } => {
                    let program = programs[*seat].as_mut().expect("a program");
                    program.session.receive(bytes, now);
                }
                HostAction::HangUp(seat) => {
                    let program = programs[*seat].as_mut().expect("a program");
                    program.session.end_of_input(now);
                    program.run(seed, now);
                    assert_eq!(program.ending, Some(Ending::Orderly));
                }
                HostAction::Finish(verdict) => return verdict.clone(),
                HostAction::Note(_) => panic!("{}", host_line(&host, &action)),
                _ => {}
            }
        }
        if !exchange(&mut host, &mut programs, seed, now) {
            let deadlines = programs
                .iter()
                .flatten()
                .filter_map(|p| p.session.deadline());
            now = deadlines.min().expect("somebody waits for time to pass");
            for program in programs.iter_mut().flatten() {
                program.session.tick(now);
            }
        }
    }
    panic!("the game does not end");
}

/// Brings the host what the programs printed; `false` when nothing happened.
fn exchange(
    host: &mut Host,
    programs: &mut ByColor<Option<Program>>,
    seed: u64,
    now: Timestamp,
) -> bool {
    let mut happened = false;
    for seat in Color::ALL {
        let Some(program) = &mut programs[seat] else {
            continue;
        };
        program.run(seed, now);
        let sent = std::mem::take(&mut program.sent);
        happened |= !sent.is_empty();
        host.receive(seat, &sent, now);
        if let Some(ending) = program.ending.take() {
            happened = true;
            programs[seat] = None;
            host.end_of_input(seat, now);
            host.exited(seat, ending == Ending::Orderly, now);
        }
    }
    happened
}

const FORMS: [(Form, &[Mode]); 5] = [
    (Form::Released, &[Mode::Released, Mode::Auto]),
    (Form::Document(Version::V1), &[Mode::Document, Mode::Auto]),
    (Form::Document(Version::V2), &[Mode::Document, Mode::Auto]),
    (Form::Stay(Version::V1), &[Mode::Stay]),
    (Form::Stay(Version::V2), &[Mode::Stay]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn games_between_both_roles_are_played_to_the_end(seed in any::<u64>()) {
        for (form, modes) in FORMS {
            for &mode in modes {
                let verdict = play(form, mode, seed);
                prop_assert_eq!(verdict.cause, Cause::Played, "{:?} {:?}", form, mode);
            }
        }
    }
}

#[test]
fn a_player_of_the_wrong_form_loses_to_the_released_gui() {
    // The version line is taken for the move.
    let verdict = play_first_move(Mode::Document);
    assert!(matches!(
        verdict,
        Some(Cause::Forfeit {
            by: Color::Black,
            fault: SeatFault::Format { .. }
        })
    ));
    // The answer after a quarter of a second of silence would be the same: auto must not wait.
    assert_eq!(play_first_move(Mode::Auto), None);
}

/// The cause, if the first move of a game ends it.
fn play_first_move(mode: Mode) -> Option<Cause> {
    let mut host = host(Form::Released, &Board::START.to_string());
    let mut program = Program::launch(mode, at(0));
    while let Some(action) = host.poll() {
        if let HostAction::Send { bytes, .. } = action {
            program.session.receive(&bytes, at(10));
            break;
        }
    }
    program.run(1, at(10));
    host.receive(Color::Black, &program.sent, at(20));
    host.end_of_input(Color::Black, at(20));
    host.exited(Color::Black, true, at(20));
    verdict(&mut host).map(|verdict| verdict.cause)
}

#[test]
fn grace_is_added_to_the_limits() {
    let options = HostSeatOptions {
        grace: Duration::from_millis(50),
        ..HostSeatOptions::default()
    };
    let mut host = hosted(Board::START, options, None);
    host.start(at(0));
    host.receive(Color::Black, b"d3\n", at(3040));
    host.exited(Color::Black, true, at(3050));
    assert_eq!(host.moves(), [Move::Place(Square::D3)]);
}

#[test]
fn an_untimed_seat_may_take_for_ever() {
    let options = of_form(Form::Stay(Version::V2));
    let mut host = hosted(SAMPLE.parse().unwrap(), options, Some(Color::White));
    host.start(at(0));
    assert_eq!(host.deadline(), None);
    host.receive(Color::White, b"v1.0.0\n", at(60_000));
    host.receive(Color::White, b"e3\n", at(3_600_000));
    assert_eq!(verdict(&mut host), None);
    assert_eq!(host.moves().len(), 1);
    assert!(host.deadline().is_some(), "Black is held to the limit");
}
