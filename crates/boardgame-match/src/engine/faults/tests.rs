use boardgame_session::Verdict;

use super::*;
use crate::limit::Limit;

const MS: fn(u64) -> Duration = Duration::from_millis;

/// The faults of Black in a game that is not over, with Black to move.
fn judge(
    wording: Wording,
    observed: &Observed,
    outcome: &Outcome,
    report: &SeatReport,
) -> Vec<Fault> {
    judge_at(wording, observed, outcome, report, false, Color::Black)
}

/// The faults of Black in a game that is over.
fn judge_at_end(
    wording: Wording,
    observed: &Observed,
    outcome: &Outcome,
    report: &SeatReport,
) -> Vec<Fault> {
    judge_at(wording, observed, outcome, report, true, Color::Black)
}

fn judge_at(
    wording: Wording,
    observed: &Observed,
    outcome: &Outcome,
    report: &SeatReport,
    is_over: bool,
    side_to_move: Color,
) -> Vec<Fault> {
    let evidence = Evidence {
        color: Color::Black,
        wording,
        patience: &Patience::default(),
        observed,
        outcome,
        report,
        is_over,
        side_to_move,
        false_result: observed.claim.map(false_result),
    };
    evidence.faults()
}

fn false_result(claim: Margin) -> Fault {
    Fault::FalseResult {
        claim: claim.to_string(),
        truth: "open".into(),
    }
}

fn ready() -> Observed {
    Observed {
        ready: true,
        ..Observed::default()
    }
}

fn lost(fault: SeatFault) -> Outcome {
    Outcome::Decided(Verdict::forfeit(Color::Black, fault))
}

fn reported(faults: &[ProgramFault]) -> SeatReport {
    SeatReport {
        faults: faults.to_vec(),
        stderr: format!("{}alas", "é".repeat(300)),
        ..SeatReport::default()
    }
}

fn late() -> SeatFault {
    SeatFault::Overtime {
        detail: String::new(),
    }
}

#[test]
fn a_program_that_floods_has_not_crashed() {
    let flooded = reported(&[ProgramFault::Flooded { bytes: 9 }]);
    for wording in [Wording::OneGame, Wording::Kept] {
        let faults = judge(wording, &ready(), &lost(SeatFault::Left), &flooded);
        assert!(
            matches!(&*faults, [Fault::Format { detail }] if detail.contains("9 bytes")),
            "{faults:?}"
        );
        let faults = judge(wording, &ready(), &lost(SeatFault::Left), &reported(&[]));
        let [Fault::Crashed { detail }] = &*faults else {
            panic!("{faults:?}");
        };
        assert!(detail.ends_with("alas") && detail.len() < 400);
    }
}

#[test]
fn a_program_over_a_limit_has_not_crashed() {
    let hoards = reported(&[ProgramFault::ExcessMemory { limit: 512 << 20 }]);
    for wording in [Wording::OneGame, Wording::Kept] {
        let faults = judge(wording, &ready(), &lost(SeatFault::Left), &hoards);
        let detail = "used more than 512 MiB of memory".into();
        assert_eq!(faults, [Fault::OverLimit { detail }]);
    }
}

#[test]
fn a_player_in_this_process_crashes_with_its_panic() {
    let panicked = reported(&[ProgramFault::PlayerFailed {
        reason: "overflow".into(),
    }]);
    let faults = judge(Wording::Kept, &ready(), &lost(SeatFault::Left), &panicked);
    let detail = "overflow".into();
    assert_eq!(faults, [Fault::Crashed { detail }]);
}

#[cfg(unix)]
#[test]
fn the_signal_of_a_program_that_was_ended_from_here_is_not_told() {
    use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus};

    let told = |faults: &[ProgramFault], status: i32| {
        let report = SeatReport {
            faults: faults.to_vec(),
            status: Some(ExitStatus::from_raw(status)),
            ..SeatReport::default()
        };
        never_ran(&report).unwrap()
    };
    let late = || ProgramFault::NotStarted {
        program: "yes".into(),
        reason: "it came late".into(),
    };
    let hung = ProgramFault::Hung { killed: false };
    let flooded = ProgramFault::FloodedStderr { bytes: 9 };
    let flood = "it wrote 9 bytes to standard error";
    assert_eq!(told(&[late(), hung.clone()], 15), "it came late");
    assert_eq!(told(&[late(), flooded], 9), flood);
    assert_eq!(told(&[late()], 3 << 8), "it came late, exit status: 3");

    let closed = |faults: &[ProgramFault], status: i32| {
        let report = SeatReport {
            faults: faults.to_vec(),
            status: Some(ExitStatus::from_raw(status)),
            stderr: "no\nmemory\n".into(),
            ..SeatReport::default()
        };
        judge(Wording::Kept, &ready(), &lost(SeatFault::Left), &report)
    };
    let crashed = |detail: &str| {
        let detail = detail.into();
        [Fault::Crashed { detail }]
    };
    let expected = crashed("exit status: 3: no / memory");
    assert_eq!(closed(&[], 3 << 8), expected);
    let expected = crashed("it closed its output: no / memory");
    assert_eq!(closed(&[hung], 15), expected);
}

#[test]
fn an_engine_that_was_never_ready_has_not_started() {
    let before = |wording, fault, faults: &[ProgramFault]| {
        let report = SeatReport {
            faults: faults.to_vec(),
            ..SeatReport::default()
        };
        let faults = judge(wording, &Observed::default(), &lost(fault), &report);
        let [Fault::NotStarted { failure, reason }] = &*faults else {
            panic!("{faults:?}");
        };
        (*failure, reason.clone())
    };
    let flooded = [ProgramFault::FloodedStderr { bytes: 9 }];
    let format = || SeatFault::format("too much");
    for (fault, faults, failure, expected) in [
        (
            SeatFault::Left,
            &flooded[..],
            StartFailure::Other,
            "it wrote 9 bytes to standard error",
        ),
        (
            SeatFault::Left,
            &[],
            StartFailure::Ended,
            "it ended before the game",
        ),
        (
            late(),
            &[],
            StartFailure::Silent,
            "it was not ready in time",
        ),
        (
            format(),
            &[],
            StartFailure::Other,
            "it broke the format: too much",
        ),
    ] {
        let found = before(Wording::OneGame, fault, faults);
        assert_eq!(found, (failure, expected.to_owned()));
    }
    for (fault, expected) in [
        (SeatFault::Left, "crashed: it closed its output"),
        (late(), "did not answer for 30.0s"),
        (format(), "broke the protocol: too much"),
    ] {
        assert_eq!(before(Wording::Kept, fault, &[]).1, expected);
    }
}

#[test]
fn a_late_move_is_told_from_none() {
    let limit: Limit = "move:500ms".parse().unwrap();
    let overtime = lost(late());
    let asked = |took| Observed {
        asked: Some(limit.clock()),
        took,
        ..ready()
    };
    let report = SeatReport::default();
    let late = Fault::Late {
        took: MS(560),
        allowed: MS(500),
    };
    let faults = judge(Wording::OneGame, &asked(Some(MS(560))), &overtime, &report);
    assert_eq!(faults, [late]);
    let waited = MS(10_500);
    let faults = judge(Wording::OneGame, &asked(None), &overtime, &report);
    assert_eq!(faults, [hung(waited)]);

    // The last move was within the tolerance, but the program did not respond to the end.
    let waited = Duration::from_secs(5);
    let observed = asked(Some(MS(560)));
    let faults = judge_at_end(Wording::OneGame, &observed, &overtime, &report);
    assert_eq!(faults, [hung(waited)]);

    let untimed = Observed {
        asked: Some(Limit::default().clock()),
        ..ready()
    };
    let waited = Duration::from_mins(30);
    let faults = judge(Wording::Kept, &untimed, &overtime, &report);
    assert_eq!(faults, [hung(waited)]);
}

#[test]
fn a_false_claim_is_told_unless_the_engine_resigned() {
    let claiming = |points| Observed {
        claim: Some(Margin::from_points(points)),
        ..ready()
    };
    let report = SeatReport::default();
    let resigned = Outcome::Decided(Verdict::resigned(Color::Black));
    let faults = judge(Wording::OneGame, &claiming(-64), &resigned, &report);
    assert_eq!(faults, [Fault::Resigned]);

    let left = lost(SeatFault::Left);
    let faults = judge(Wording::OneGame, &claiming(-64), &left, &report);
    assert_eq!(faults, [false_result(Margin::from_points(-64))]);

    let played = Outcome::Decided(Verdict::played(Margin::from_points(64)));
    for wording in [Wording::OneGame, Wording::Kept] {
        let faults = judge_at_end(wording, &claiming(-3), &played, &report);
        assert_eq!(faults, [false_result(Margin::from_points(-3))]);
        assert_eq!(judge_at_end(wording, &ready(), &played, &report), []);
    }
}

#[test]
fn what_goes_wrong_after_the_last_move_is_told() {
    let observed = Observed {
        over: true,
        complaint: Some("expected a score".into()),
        ..ready()
    };
    let outcome = Outcome::Decided(Verdict::played(Margin::from_points(64)));
    let at_end = |report: &SeatReport| judge_at_end(Wording::Kept, &observed, &outcome, report);
    let detail = "expected a score".into();
    assert_eq!(at_end(&SeatReport::default()), [Fault::Format { detail }]);
    let report = SeatReport {
        status: Some(std::process::ExitStatus::default()),
        ..SeatReport::default()
    };
    let detail = "exit status: 0".into();
    assert_eq!(at_end(&report), [Fault::Crashed { detail }]);
}

#[test]
fn a_fault_of_the_opponent_is_not_blamed_on_the_engine() {
    let by_other = |fault| Outcome::Decided(Verdict::forfeit(Color::White, fault));
    let report = SeatReport::default();
    let observed = Observed {
        claim: Some(Margin::from_points(3)),
        ..ready()
    };
    for outcome in [
        by_other(SeatFault::Left),
        by_other(late()),
        by_other(SeatFault::format("hello")),
        Outcome::Decided(Verdict::resigned(Color::White)),
        Outcome::NotStarted { seat: Color::White },
    ] {
        assert_eq!(judge(Wording::OneGame, &observed, &outcome, &report), []);
    }
    // White is to move.
    let (wording, outcome) = (Wording::OneGame, Outcome::Stalled);
    let stalled = judge_at(wording, &observed, &outcome, &report, false, Color::White);
    assert_eq!(stalled, []);
}

#[test]
fn the_misreading_of_the_opening_is_told_before_what_followed() {
    let observed = Observed {
        restarted: true,
        ..ready()
    };
    let report = SeatReport::default();
    let played = Outcome::Decided(Verdict::played(Margin::DRAW));
    let faults = judge_at_end(Wording::OneGame, &observed, &played, &report);
    assert_eq!(faults, [Fault::MisreadOpening]);
    let resigned = Outcome::Decided(Verdict::resigned(Color::Black));
    let faults = judge(Wording::OneGame, &observed, &resigned, &report);
    assert_eq!(faults, [Fault::MisreadOpening, Fault::Resigned]);
}
