//! A decision that does not come: each session moves by itself shortly before its limit.

use std::time::Duration;

use othello_core::Square;
use othello_proto::{
    codewarriors, gtp, gui, lth, nboard,
    session::{PlayerSession, Question, TimeMargin},
    sloan,
};

use crate::transcript::{PlayerLog, at};

/// A session that is asked for a move on the starting board, at 1000 ms.
struct Case<S> {
    session: S,
    told: &'static str,
    /// The last moment at which a decision is waited for, in milliseconds.
    last_moment: u64,
    /// The answer in place of the decision: the first legal move.
    answer: &'static str,
}

/// Checks that a session waits up to its last moment and no longer, and that a decision which is
/// taken before that moment is told counts, however late it is.
fn check<S: PlayerSession<Question = Question> + Clone>(case: Case<S>) {
    let mut log = PlayerLog::new(case.session);
    log.hears(case.told, at(1000));
    let task = log.open.expect("a task");
    log.sent.clear();
    let last_moment = at(case.last_moment);
    assert_eq!(log.session.deadline(), Some(last_moment));
    log.waits(at(case.last_moment - 1));
    assert_eq!(log.open, Some(task), "{}", log.text());

    // The process was stopped past the moment, and the decision is looked at first.
    let mut late = PlayerLog::new(log.session.clone());
    late.answers(task, Square::F5, at(case.last_moment + 1));
    let square = str::from_utf8(&late.sent).unwrap().to_ascii_lowercase();
    assert!(square.replace(' ', "").contains("f5"), "{}", late.text());

    log.waits(last_moment);
    assert_eq!(log.open, None, "{}", log.text());
    assert_eq!(str::from_utf8(&log.sent), Ok(case.answer));
    let note = "fault: no decision in time: d3 is played\n";
    assert_eq!(log.text().matches(note).count(), 1);
    log.answers(task, Square::F5, at(case.last_moment + 1));
    assert_eq!(log.sent, case.answer.as_bytes());
}

/// The options of a client of an LTH server.
fn lth_options() -> lth::PlayerOptions {
    lth::PlayerOptions::new("me".parse().unwrap())
}

#[test]
fn sloan_keeps_half_a_second_of_the_game_or_a_sixteenth() {
    for (seconds, last_moment) in [(1800, 1_800_500), (8, 8500), (2, 2875)] {
        check(Case {
            session: sloan::Player::new(sloan::PlayerOptions {
                game_time: Some(Duration::from_secs(seconds)),
                ..sloan::PlayerOptions::default()
            }),
            told: "(I B)\n(W)\n",
            last_moment,
            answer: "(B d 3)\n",
        });
    }
}

#[test]
fn an_lth_client_keeps_half_a_second_of_the_game_or_a_sixteenth() {
    for (told, last_moment) in [
        (
            "Your time limit is 30 secs\nyou are dark\nyour move\n",
            30_500,
        ),
        (
            "Your time limit is 1.6 secs\nyou are dark\nyour move\n",
            2500,
        ),
    ] {
        check(Case {
            session: lth::Player::new(lth_options()),
            told,
            last_moment,
            answer: "d3\n",
        });
    }
}

#[test]
fn an_lth_client_keeps_50_ms_of_a_move_or_a_sixteenth() {
    for (told, last_moment) in [
        ("Your time limit is 5 secs\nyou are dark\nyour move\n", 5950),
        (
            "Your time limit is 0.16 secs\nyou are dark\nyour move\n",
            1150,
        ),
    ] {
        check(Case {
            session: lth::Player::new(lth::PlayerOptions {
                scope: lth::LimitScope::Move,
                ..lth_options()
            }),
            told,
            last_moment,
            answer: "d3\n",
        });
    }
}

#[test]
fn code_warriors_keeps_50_ms_of_two_seconds() {
    check(Case {
        session: codewarriors::Player::new(codewarriors::PlayerOptions::default()),
        told: "ST\n",
        last_moment: 2950,
        answer: "D3\n",
    });
}

#[test]
fn gtp_keeps_50_ms_of_a_period_and_half_a_second_of_the_main_time() {
    for (told, last_moment) in [
        ("time_settings 0 10 5\ngenmove b\n", 2950),
        ("time_settings 60 0 0\ngenmove b\n", 60_500),
        // One move may use the main time and its share of a period.
        ("time_settings 60 10 5\ngenmove b\n", 62_950),
        ("time_left b 2 0\ngenmove b\n", 2875),
    ] {
        check(Case {
            session: gtp::Player::new(gtp::PlayerOptions::default()),
            told,
            last_moment,
            answer: "= D3\n\n",
        });
    }
}

#[test]
fn nboard_keeps_half_a_second_of_the_clock_of_go() {
    check(Case {
        session: nboard::Player::new(nboard::PlayerOptions::default()),
        told: "set game (;TI[1:00];)\ngo\n",
        last_moment: 60_500,
        answer: "=== D3//59.5\n",
    });
}

#[test]
fn the_gui_gets_a_listed_move_50_ms_before_its_limit() {
    let request = "........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\n\
                   O\n3000\n3 c5 e3 c3\n";
    let mut log = PlayerLog::new(gui::Player::new(gui::PlayerOptions {
        mode: gui::Mode::Stay,
        ..gui::PlayerOptions::default()
    }));
    log.hears(request, at(1000));
    assert_eq!(log.session.deadline(), Some(at(3950)));
    log.waits(at(3949));
    assert_eq!(log.sent, b"v1.0.0\n");
    let late = log.open.expect("a task");
    log.waits(at(3950)).answers(late, Square::E3, at(3951));
    assert_eq!(log.sent, b"v1.0.0\nc3\n");
}

#[test]
fn the_time_of_a_move_without_decision_counts() {
    let mut log = PlayerLog::new(lth::Player::new(lth_options()));
    log.hears(
        "Your time limit is 8 secs\nyou are dark\nyour move\n",
        at(0),
    )
    .waits(at(7500));
    log.hears("opponent's move\nc3\nyour move\n", at(9000));
    // 500 ms are left, of which a sixteenth is 31.25 ms.
    let moment = at(9000) + Duration::from_micros(468_750);
    assert_eq!(log.session.deadline(), Some(moment));

    let mut log = PlayerLog::new(sloan::Player::new(sloan::PlayerOptions {
        game_time: Some(Duration::from_secs(8)),
        ..sloan::PlayerOptions::default()
    }));
    log.hears("(I B)(W)", at(0)).waits(at(7500));
    log.hears("(W c 3)", at(9000));
    assert_eq!(log.session.deadline(), Some(moment));
}

#[test]
fn a_game_clock_that_has_run_out_is_no_limit() {
    let mut log = PlayerLog::new(sloan::Player::new(sloan::PlayerOptions {
        game_time: Some(Duration::from_secs(8)),
        ..sloan::PlayerOptions::default()
    }));
    log.hears("(I B)(W)", at(0)).decides(Square::D3, at(8000));
    log.hears("(W c 3)", at(9000));
    assert!(log.open.is_some());
    assert_eq!(log.session.deadline(), None);
}

#[test]
fn without_a_limit_a_decision_is_waited_for() {
    fn check<S: PlayerSession<Question = Question>>(session: S, told: &str) {
        let mut log = PlayerLog::new(session);
        log.hears(told, at(0));
        assert!(log.open.is_some(), "{}", log.text());
        assert_eq!(log.session.deadline(), None);
    }
    let unlimited = sloan::PlayerOptions {
        game_time: None,
        ..sloan::PlayerOptions::default()
    };
    check(sloan::Player::new(unlimited), "(I B)(W)");
    check(lth::Player::new(lth_options()), "you are dark\nyour move\n");
    let options = gtp::PlayerOptions::default();
    check(gtp::Player::new(options), "genmove b\n");
    check(
        nboard::Player::new(nboard::PlayerOptions::default()),
        "go\n",
    );
}

#[test]
fn the_margin_is_an_option() {
    let time_margin = TimeMargin {
        per_move: Duration::from_millis(20),
        game: Duration::from_millis(100),
    };
    let mut log = PlayerLog::new(lth::Player::new(lth::PlayerOptions {
        time_margin,
        ..lth_options()
    }));
    log.hears(
        "Your time limit is 8 secs\nyou are dark\nyour move\n",
        at(0),
    );
    assert_eq!(log.session.deadline(), Some(at(7900)));
}

#[test]
fn a_move_owed_after_the_end_of_input_has_the_earlier_of_two_moments() {
    for (limit, last_moment) in [("30", 3000), ("1.6", 2500)] {
        let mut log = PlayerLog::new(lth::Player::new(lth_options()));
        let told = format!("Your time limit is {limit} secs\nyou are dark\nyour move\n");
        log.hears(&told, at(1000)).ends(at(1000));
        assert_eq!(log.session.deadline(), Some(at(last_moment)));
        log.waits(at(last_moment));
        assert_eq!(log.sent, b"d3\n");
        assert!(log.text().ends_with("finish: CutOff\n"), "{}", log.text());
    }
}
