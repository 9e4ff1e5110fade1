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
fn check_again(script: &str, before: &[&str]) -> RecordedGame {
    let sent: Vec<&str> = [before, &AGAIN].concat();
    let game = check(auto(), script, &sent);
    let transcript = &game.transcript;
    assert_eq!(transcript.matches("[restarted]").count(), 1, "{transcript}");
    assert!(game.notes("misread-opening-pass"), "{transcript}");
    assert_eq!(game.referee.moves(), [], "{transcript}");
    game
}

/// The same where nothing begins again.
fn check_kept(script: &str, expect: &[&str]) -> RecordedGame {
    let game = check(auto(), script, expect);
    assert!(!game.notes("misread-opening-pass"), "{}", game.transcript);
    game
}

mod always {
    use super::*;

    #[test]
    fn black_is_sent_a_pass_once_both_are_ready() {
        let game = RecordedGame::new(standard()).feed("W: (R W)");
        assert_eq!(game.sent(), ["B: (I B)", "W: (I W)"]);
        let game = game.feed("B: (R B)");
        assert_eq!(game.sent(), ["B: (I B)", "W: (I W)", "B: (W)"]);
    }

    #[test]
    fn a_first_move_without_waiting_takes_the_place_of_the_opening_pass() {
        let game = RecordedGame::new(standard()).feed("B: (R B)(B d 3)\nW: (R W)");
        assert_eq!(game.sent(), ["B: (I B)", "W: (I W)", "W: (B d 3)"]);
        assert!(game.notes("early-first-move"));
    }

    #[test]
    fn an_opening_pass_by_white_is_ignored() {
        let game = check(standard(), "W: (W)\nB: (B d 3)", &["B: (W)", "W: (B d 3)"]);
        assert!(game.notes("own-opening-pass"));
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
        let game = RecordedGame::new(auto()).feed("B: (R B)\n+5\nW: (R W)");
        assert_eq!(game.sent(), ["B: (I B)", "W: (I W)"]);
        let grace = game.referee.deadline().unwrap() - game.now;
        assert_eq!(grace, auto().opening_grace);
        let game = game.feed("+");
        assert_eq!(game.sent(), ["B: (I B)", "W: (I W)", "B: (W)"]);
    }

    #[test]
    fn the_grace_period_is_at_most_a_twentieth_of_the_games_time() {
        let options = Options::from(auto()).timed(Some(Duration::from_secs(1)));
        let game = check(options, "", &[]);
        let grace = game.referee.deadline().unwrap() - game.now;
        assert_eq!(grace, Duration::from_millis(50));
    }

    #[test]
    fn a_first_move_within_the_grace_period_takes_the_place_of_the_pass() {
        let script = "B: (B d 3)\n+1\nW: (W c 3)\nB: (B c 4)";
        check_kept(script, &["W: (B d 3)", "B: (W c 3)", "W: (B c 4)"]);
        let game = RecordedGame::new(auto()).feed("B: (R B)(B d 3)\nW: (R W)\n+1");
        assert_eq!(game.sent(), ["B: (I B)", "W: (I W)", "W: (B d 3)"]);
        // A move that is there is taken before the pass is sent, however late it is looked at.
        let mut game = check(auto(), "", &[]);
        game.now = game.now + Duration::from_secs(1);
        let game = game.feed("B: (B d 3)");
        assert_eq!(game.sent()[2..], ["W: (B d 3)"]);
    }

    #[test]
    fn the_clock_of_who_waits_begins_with_the_pass() {
        let game = check_kept("+\n+3\nB: (B d 3)", &["B: (W)", "W: (B d 3)"]);
        assert!(game.transcript.contains("[Black d3 after 3s]"));
        // Of who does not wait it begins with the readiness of both.
        let mut game = check(auto(), "", &[]);
        game.now = game.now + Duration::from_millis(200);
        let game = game.feed("B: (B d 3)");
        assert!(game.transcript.contains("[Black d3 after 200ms]"));
    }

    #[test]
    fn a_fault_within_the_grace_period_ends_the_game() {
        let game = check(auto(), "W!\n+\n+1", &["B: (64)", "W: (64)"]);
        let by = Color::White;
        check_verdict(&game, Some(Color::Black), &forfeit(by, SeatFault::Left));
    }

    #[test]
    fn an_opening_pass_by_white_is_ignored() {
        let game = check_kept("W: (W)\n+\nB: (B d 3)", &["B: (W)", "W: (B d 3)"]);
        assert!(game.notes("own-opening-pass"));
    }
}

mod crossed {
    use super::*;

    #[test]
    fn a_second_move_before_white_answered_voids_the_pass() {
        let game = check_again("+\nB: (B d 3)\nB: (B e 6)", &["B: (W)", "W: (B d 3)"]);
        insta::assert_snapshot!(game.transcript);
        let game = game.feed("B: (R B)\nB: (B d 3)\nW: (R W)\nW: (W c 3)");
        assert_eq!(game.sent()[8..], ["W: (B d 3)", "B: (W c 3)"]);
        assert_eq!(game_of(&game.referee).transcript().to_string(), "d3c3");
    }

    #[test]
    fn a_program_without_parentheses_is_understood_as_well() {
        let game = RecordedGame::new(auto()).feed("B: R B\nW: (R W)\n+\nB: B d 3\nB: B f 6");
        assert_eq!(
            game.sent()[2..],
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
            let game = RecordedGame::new(auto())
                .feed("B: (R B)\nW: (R W)\n+\nB: (B d 3)")
                .feed(script);
            assert!(game.notes("misread-opening-pass"));
            // The new one is not told of the game before.
            let [.., void, assigned] = AGAIN;
            let tail = format!("[restarted]\n[launch Black]\n>B: (I B)\n>{void}\n>{assigned}\n");
            assert!(game.transcript.ends_with(&tail), "{}", game.transcript);
            let game = game.feed("B: R B\nW: (R W)\nB: B d 3\nW: (W c 3)");
            assert_eq!(game_of(&game.referee).transcript().to_string(), "d3c3");
            let game = game.feed("B!\n+");
            let by = Color::Black;
            check_verdict(&game, Some(Color::White), &forfeit(by, SeatFault::Left));
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
        let game = check(
            auto(),
            script,
            &[
                &["B: (W)", "W: (B d 3)"],
                &AGAIN[..],
                &["W: (B d 3)", "B: (C (out of turn B e 6))"],
            ]
            .concat(),
        );
        assert_eq!(game.transcript.matches("[restarted]").count(), 1);
    }

    #[test]
    fn what_still_comes_of_the_void_game_is_passed_over() {
        let game = check_again("+\nB: (B d 3)\nB: (B e 6)", &["B: (W)", "W: (B d 3)"]);
        let game = game.feed("W: (W c 3)\nB: (6)\nB: (B f 5)\nW: (R W)\nB: (R B)\n+1");
        assert_eq!(game.sent().len(), 8, "{}", game.transcript);
        assert_eq!(game.referee.moves(), []);
    }

    #[test]
    fn the_clocks_begin_anew() {
        let options = Options::from(auto()).timed(Some(Duration::from_secs(100)));
        let script = "+\n+50\nB: (B d 3)\n+60\nB: (B e 6)\nB: (R B)\nW: (R W)";
        let game = RecordedGame::new(options)
            .feed("B: (R B)\nW: (R W)")
            .feed(script);
        let mut game = game.feed("B: (B d 3)");
        for answer in ["W: (W c 3)", ""] {
            let left = game.referee.deadline().unwrap() - game.now;
            assert_eq!(left, Duration::from_secs(100));
            game = game.feed(answer);
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
    let game = RecordedGame::new(options);
    assert_eq!(
        game.sent(),
        ["B: (play)", "B: (I B)", "W: (play)", "W: (I W)"]
    );
}

#[test]
fn who_is_not_ready_in_time_loses() {
    let game = RecordedGame::new(standard()).feed("B: (R B)\n+60\n+5");
    check_verdict(
        &game,
        Some(Color::Black),
        &forfeit(Color::White, SeatFault::Overtime),
    );
    assert_eq!(&game.sent()[2..], ["B: (64)", "W: (64)"]);
}
