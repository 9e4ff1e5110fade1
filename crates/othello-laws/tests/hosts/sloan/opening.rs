//! The opening of a game: with the opening pass, without it, and again if a program misread it.

use super::*;

fn auto() -> RefereeOptions {
    RefereeOptions::default()
}

/// The messages to both programs when the game begins again.
const AGAIN: [&str; 4] = [
    "B: (C (the opening pass is void and the game begins again))",
    "B: (I B)",
    "W: (C (the opening pass is void and the game begins again))",
    "W: (I W)",
];

/// Runs a script after both programs got ready, in which the game begins again upon its last line
/// with these words sent before.
fn check_again(script: &str, before: &[&str]) -> Table {
    let sent: Vec<&str> = [before, &AGAIN].concat();
    let table = check(auto(), script, &sent);
    let transcript = &table.transcript;
    assert_eq!(transcript.matches("[restarted]").count(), 1, "{transcript}");
    assert!(table.notes("misread-opening-pass"), "{transcript}");
    assert_eq!(table.referee.moves(), [], "{transcript}");
    table
}

/// The same where nothing begins again.
fn check_kept(script: &str, expect: &[&str]) -> Table {
    let table = check(auto(), script, expect);
    assert!(!table.notes("misread-opening-pass"), "{}", table.transcript);
    table
}

mod always {
    use super::*;

    #[test]
    fn black_is_sent_a_pass_once_both_are_ready() {
        let table = Table::new(standard()).feed("W: (R W)");
        assert_eq!(table.sent(), ["B: (I B)", "W: (I W)"]);
        let table = table.feed("B: (R B)");
        assert_eq!(table.sent(), ["B: (I B)", "W: (I W)", "B: (W)"]);
    }

    #[test]
    fn a_first_move_without_waiting_takes_the_place_of_the_opening_pass() {
        let table = Table::new(standard()).feed("B: (R B)(B d 3)\nW: (R W)");
        assert_eq!(table.sent(), ["B: (I B)", "W: (I W)", "W: (B d 3)"]);
        assert!(table.notes("early-first-move"));
    }

    #[test]
    fn an_opening_pass_by_white_is_ignored() {
        let table = check(standard(), "W: (W)\nB: (B d 3)", &["B: (W)", "W: (B d 3)"]);
        assert!(table.notes("own-opening-pass"));
    }

    #[test]
    fn no_game_begins_again() {
        let complaint = "B: (C (out of turn B e 6))";
        check(
            standard(),
            "B: (B d 3)\nB: (B e 6)",
            &["B: (W)", "W: (B d 3)", complaint],
        );
    }
}

mod never {
    use super::*;

    #[test]
    fn nothing_is_sent() {
        let options = RefereeOptions {
            opening_pass: OpeningPass::Never,
            ..standard()
        };
        check(options, "+1\nB: (B d 3)", &["W: (B d 3)"]);
    }
}

mod automatic {
    use super::*;

    #[test]
    fn the_pass_is_sent_after_a_grace_period_of_readiness() {
        let table = Table::new(auto()).feed("B: (R B)\n+5\nW: (R W)");
        assert_eq!(table.sent(), ["B: (I B)", "W: (I W)"]);
        let grace = table.referee.deadline().unwrap() - table.now;
        assert_eq!(grace, auto().opening_grace);
        let table = table.feed("+");
        assert_eq!(table.sent(), ["B: (I B)", "W: (I W)", "B: (W)"]);
    }

    #[test]
    fn the_grace_period_is_at_most_a_twentieth_of_the_games_time() {
        let options = Options::from(auto()).timed(Some(Duration::from_secs(1)));
        let table = check(options, "", &[]);
        let grace = table.referee.deadline().unwrap() - table.now;
        assert_eq!(grace, Duration::from_millis(50));
    }

    #[test]
    fn a_first_move_within_the_grace_period_takes_the_place_of_the_pass() {
        let script = "B: (B d 3)\n+1\nW: (W c 3)\nB: (B c 4)";
        check_kept(script, &["W: (B d 3)", "B: (W c 3)", "W: (B c 4)"]);
        let table = Table::new(auto()).feed("B: (R B)(B d 3)\nW: (R W)\n+1");
        assert_eq!(table.sent(), ["B: (I B)", "W: (I W)", "W: (B d 3)"]);
        // A move that is there is taken before the pass is sent, however late it is looked at.
        let mut table = check(auto(), "", &[]);
        table.now = table.now + Duration::from_secs(1);
        let table = table.feed("B: (B d 3)");
        assert_eq!(table.sent()[2..], ["W: (B d 3)"]);
    }

    #[test]
    fn the_clock_of_who_waits_begins_with_the_pass() {
        let table = check_kept("+\n+3\nB: (B d 3)", &["B: (W)", "W: (B d 3)"]);
        assert!(table.transcript.contains("[Black d3 after 3s]"));
        // Of who does not wait it begins with the readiness of both.
        let mut table = check(auto(), "", &[]);
        table.now = table.now + Duration::from_millis(200);
        let table = table.feed("B: (B d 3)");
        assert!(table.transcript.contains("[Black d3 after 200ms]"));
    }

    #[test]
    fn a_fault_within_the_grace_period_ends_the_game() {
        let table = check(auto(), "W!\n+\n+1", &["B: (64)", "W: (64)"]);
        let by = Color::White;
        check_verdict(&table, Some(Color::Black), &forfeit(by, SeatFault::Left));
    }

    #[test]
    fn an_opening_pass_by_white_is_ignored() {
        let table = check_kept("W: (W)\n+\nB: (B d 3)", &["B: (W)", "W: (B d 3)"]);
        assert!(table.notes("own-opening-pass"));
    }
}

mod crossed {
    use super::*;

    #[test]
    fn a_second_move_before_white_answered_voids_the_pass() {
        let table = check_again("+\nB: (B d 3)\nB: (B e 6)", &["B: (W)", "W: (B d 3)"]);
        insta::assert_snapshot!(table.transcript);
        let table = table.feed("B: (R B)\nB: (B d 3)\nW: (R W)\nW: (W c 3)");
        assert_eq!(table.sent()[8..], ["W: (B d 3)", "B: (W c 3)"]);
        assert_eq!(table.referee.game().transcript().to_string(), "d3c3");
    }

    #[test]
    fn a_program_without_parentheses_is_understood_as_well() {
        let table = Table::new(auto()).feed("B: R B\nW: (R W)\n+\nB: B d 3\nB: B f 6");
        assert_eq!(
            table.sent()[2..],
            [
                "B: W",
                "W: (B d 3)",
                "B: C the opening pass is void and the game begins again",
                "B: I B",
                "W: (C (the opening pass is void and the game begins again))",
                "W: (I W)",
            ]
        );
    }

    #[test]
    fn an_illegal_move_that_fits_the_misread_pass_voids_it() {
        check_again(
            "+\nB: (B d 3)\nW: (W c 3)\nB: (B f 6)",
            &["B: (W)", "W: (B d 3)", "B: (W c 3)"],
        );
    }

    #[test]
    fn after_a_move_that_fits_both_boards_the_claim_of_a_wipe_out_voids_the_pass() {
        let before = ["B: (W)", "W: (B d 3)", "B: (W c 3)", "W: (B e 6)"];
        for claim in ["(6)", "(64)", "(B f 6)", "(B)"] {
            let script = format!("+\nB: (B d 3)\nW: (W c 3)\nB: (B e 6)\nB: {claim}");
            check_again(&script, &before);
        }
        let before = [&before[..], &["B: (W f 6)"]].concat();
        for silence in ["+", "B: (B a 1)"] {
            let script = format!("+\nB: (B d 3)\nW: (W c 3)\nB: (B e 6)\nW: (W f 6)\n{silence}");
            check_again(&script, &before);
        }
    }

    #[test]
    fn what_no_misread_pass_explains_is_judged_as_usual() {
        let began = ["B: (W)", "W: (B d 3)"];
        let kept = |script: &str, expect: &[&str]| {
            let script = format!("+\nB: (B d 3)\n{script}");
            check_kept(&script, &[&began, expect].concat())
        };
        // Black repeats itself, or moves where no board of its own lets it.
        kept("B: (B d 3)", &["B: (C (out of turn B d 3))"]);
        kept("B: (B a 1)", &["B: (C (out of turn B a 1))"]);
        let lost = ["B: (W c 3)", "B: (-64)", "W: (-64)"];
        kept("W: (W c 3)\nB: (B a 1)", &lost);
        kept("W: (W c 3)\n+", &lost);
        kept("B: (12)", &["B: (C (the game is not over the value 12))"]);
        // White is not in doubt.
        kept("W: (W a 1)", &["B: (64)", "W: (64)"]);
        kept(
            "W: (W c 3)\nW: (W c 5)",
            &["B: (W c 3)", "W: (C (out of turn W c 5))"],
        );
        // A first move that is illegal was not answered by anything.
        check_kept("+\nB: (B a 1)", &["B: (W)", "B: (-64)", "W: (-64)"]);
    }

    #[test]
    fn a_program_that_leaves_in_doubt_is_replaced_once() {
        for script in ["B!", "W: (W c 3)\nB!"] {
            let table = Table::new(auto())
                .feed("B: (R B)\nW: (R W)\n+\nB: (B d 3)")
                .feed(script);
            assert!(table.notes("misread-opening-pass"));
            // The new one is not told of the game before.
            let [.., void, assigned] = AGAIN;
            let tail = format!("[restarted]\n[launch Black]\n>B: (I B)\n>{void}\n>{assigned}\n");
            assert!(table.transcript.ends_with(&tail), "{}", table.transcript);
            let table = table.feed("B: R B\nW: (R W)\nB: B d 3\nW: (W c 3)");
            assert_eq!(table.referee.game().transcript().to_string(), "d3c3");
            let table = table.feed("B!\n+");
            let by = Color::Black;
            check_verdict(&table, Some(Color::White), &forfeit(by, SeatFault::Left));
        }
        // White is not in doubt, nor is a Black that has said nothing yet or that understood.
        let lost = ["B: (-64)", "W: (-64)"];
        check_kept("+\nB!", &[&["B: (W)"], &lost[..]].concat());
        let began = ["B: (W)", "W: (B d 3)"];
        let won = ["B: (64)", "W: (64)"];
        check_kept("+\nB: (B d 3)\nW!", &[began, won].concat());
        let understood = ["B: (W c 3)", "W: (B c 4)"];
        let script = "+\nB: (B d 3)\nW: (W c 3)\nB: (B c 4)\nB!";
        check_kept(script, &[began, understood, lost].concat());
    }

    #[test]
    fn a_move_that_a_misread_pass_rules_out_settles_the_matter() {
        let script = "+\nB: (B d 3)\nW: (W c 3)\nB: (B c 4)\nB: (B f 6)";
        check_kept(
            script,
            &[
                "B: (W)",
                "W: (B d 3)",
                "B: (W c 3)",
                "W: (B c 4)",
                "B: (C (out of turn B f 6))",
            ],
        );
    }

    #[test]
    fn a_game_begins_again_once() {
        let script = "+\nB: (B d 3)\nB: (B e 6)\nB: (R B)\nW: (R W)\n\
                      B: (B d 3)\nB: (B e 6)";
        let table = check(
            auto(),
            script,
            &[
                &["B: (W)", "W: (B d 3)"],
                &AGAIN[..],
                &["W: (B d 3)", "B: (C (out of turn B e 6))"],
            ]
            .concat(),
        );
        assert_eq!(table.transcript.matches("[restarted]").count(), 1);
    }

    #[test]
    fn what_still_comes_of_the_void_game_is_passed_over() {
        let table = check_again("+\nB: (B d 3)\nB: (B e 6)", &["B: (W)", "W: (B d 3)"]);
        let table = table.feed("W: (W c 3)\nB: (6)\nB: (B f 5)\nW: (R W)\nB: (R B)\n+1");
        assert_eq!(table.sent().len(), 8, "{}", table.transcript);
        assert_eq!(table.referee.moves(), []);
    }

    #[test]
    fn the_clocks_begin_anew() {
        let options = Options::from(auto()).timed(Some(Duration::from_secs(100)));
        let script = "+\n+50\nB: (B d 3)\n+60\nB: (B e 6)\nB: (R B)\nW: (R W)";
        let table = Table::new(options).feed("B: (R B)\nW: (R W)").feed(script);
        let mut table = table.feed("B: (B d 3)");
        for answer in ["W: (W c 3)", ""] {
            let left = table.referee.deadline().unwrap() - table.now;
            assert_eq!(left, Duration::from_secs(100));
            table = table.feed(answer);
        }
    }
}

mod again;

#[test]
fn play_comes_before_the_colours() {
    let options = RefereeOptions {
        send_play: true,
        ..standard()
    };
    let table = Table::new(options);
    assert_eq!(
        table.sent(),
        ["B: (play)", "B: (I B)", "W: (play)", "W: (I W)"]
    );
}

#[test]
fn who_is_not_ready_in_time_loses() {
    let table = Table::new(standard()).feed("B: (R B)\n+60\n+5");
    check_verdict(
        &table,
        Some(Color::Black),
        &forfeit(Color::White, SeatFault::Overtime),
    );
    assert_eq!(&table.sent()[2..], ["B: (64)", "W: (64)"]);
}
