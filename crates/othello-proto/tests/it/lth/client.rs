//! The client's side: the document's sessions and every order that makes sense.

use std::time::Duration;

use othello_core::{Color, Square};
use othello_proto::{
    lth::{
        FINAL_GRACE, GameOutcome, LimitScope, MAX_UNREADABLE, Mode, OWED_MOVE_GRACE, PlayerOptions,
        Report,
    },
    session::{Ending, LineError, PeerMisbehaved, PlayerSession},
};

use super::kit::{Client, at, id};

/// Dark's and White's moves up to a point where the other must pass.
const DARK_STUCK: &str = "e6f6g6g7d3h6h8f8";
const WHITE_STUCK: &str = "f5d6c7g5g6g7h5b8h7e3f7";
/// A game that Dark wins with all discs by its ninth move.
const WIPE_OUT: &str = "e6d6c4f4g4c5c6c7b8";

const LOGIN: &str = "Hi! I am your othello server.\nWhat is your name?\n";

/// A client of this colour that has heard `transcript`, of which it chose its own moves.
fn in_game(color: Color, transcript: &str) -> Client {
    let parts = |skip: usize| -> Vec<String> {
        let pairs: Vec<_> = transcript
            .as_bytes()
            .chunks(2)
            .skip(skip)
            .step_by(2)
            .collect();
        let text = |pair: &&[u8]| String::from_utf8(pair.to_vec()).unwrap();
        pairs.iter().map(text).collect()
    };
    let (dark, white) = (parts(0), parts(1));
    let (own, other) = match color {
        Color::Black => (dark, white),
        Color::White => (white, dark),
    };
    let mut client = Client::new(&own.concat());
    client.hear(match color {
        Color::Black => "you are dark",
        Color::White => "you are white",
    });
    for index in 0..own.len().max(other.len()) {
        let ours = own.get(index).map(|_| String::from("your move\n"));
        let theirs = other
            .get(index)
            .map(|mv| format!("opponent's move\n{mv}\n"));
        let (first, second) = match color {
            Color::Black => (ours, theirs),
            Color::White => (theirs, ours),
        };
        client.hear(&(first.unwrap_or_default() + &second.unwrap_or_default()));
    }
    assert_eq!(client.faults(), 0);
    assert_eq!(client.player.game().moves().len(), transcript.len() / 2);
    client
}

#[test]
fn a_game_on_the_testing_port() {
    let options = PlayerOptions {
        color: Some(Color::White),
        ..PlayerOptions::new(id("me"))
    };
    let mut client = Client::with(options, "d6f4c5c7");
    client.hear(LOGIN);
    client.hear("Hello me! Your current win count is 4\nYour time limit is 30 secs");
    client.hear("Move format: column (letter) + row (number).");
    client.hear("choose colour, 'd' for dark, 'w' for white.\nyou are white");
    for mv in ["e6", "c4", "g4", "c6"] {
        client.hear(&format!("opponent's move\n{mv}\nyour move"));
    }
    client.hear("opponent's move\nb8");
    client.hear("The game is finished\nWhite: 0\nDark: 13\nDark won");
    assert_eq!(client.player.mode(), Some(Mode::Testing));
    insta::assert_snapshot!(client.log());
}

#[test]
fn a_game_in_competition_mode_whose_server_closes_after_an_illegal_move() {
    let mut client = Client::new("f5");
    client.hear(LOGIN);
    client.hear("Hello me!\nYour time limit is 30 secs");
    client.hear("Move format: column (letter) + row (number).\nyou are dark");
    client.hear("your move\nerror\n This move is illegal. Bye!");
    assert_eq!(client.player.mode(), Some(Mode::Competition));
    insta::assert_snapshot!(client.log());
}

#[test]
fn a_game_on_a_server_of_version_0_95() {
    let mut client = Client::new("e6c4g4c6b8");
    client.hear("hi! I am your othello server.\nWhat is your name?");
    client.hear("choose colour, 'd' for dark, 'w' for white.\nyou are dark");
    client.hear("your move");
    for mv in ["d6", "f4", "c5", "c7"] {
        client.hear(&format!("my move\n{mv}\nyour move"));
    }
    client.hear("\"The game is finished\" White: \n0");
    assert_eq!(client.close(), Ending::Orderly);
    insta::assert_snapshot!(client.log());
}

#[test]
fn the_mode_is_told_by_the_lines() {
    let mut client = Client::new("");
    client.hear("Hello me! Your current win count is 4\nyou are dark");
    assert_eq!(client.player.mode(), Some(Mode::Evaluation));
}

#[test]
fn any_chunks_and_line_ends_come_to_the_same() {
    let script = format!("{LOGIN}Hello me!\nyou are white\nopponent's move\nf5\nyour move\n");
    for (end, chunk) in [("\n", 1), ("\r\n", 1), ("\n", 3), ("\r\n", 7), ("\n", 4096)] {
        let mut client = Client::new("d6");
        for bytes in script.replace('\n', end).as_bytes().chunks(chunk) {
            client.player.receive(bytes, client.now);
            client.settle();
        }
        let sent: Vec<_> = client
            .log()
            .lines()
            .filter(|l| l.starts_with('>'))
            .collect();
        assert_eq!(sent, ["> me", "> d6"]);
        assert_eq!(client.leniencies().len(), usize::from(end == "\r\n"));
    }
}

#[test]
fn a_question_is_answered_once() {
    let mut client = Client::new("");
    assert_eq!(client.hear("What is your name?\nWhat is your name?"), "me");
    assert_eq!(client.hear("choose colour\nchoose colour"), "d");
    client.hear("you are dark\nyou are white");
    assert_eq!(client.player.color(), Some(Color::Black));
    assert_eq!(client.hear("What is your name?\nchoose colour"), "");
    assert_eq!(client.faults(), 5);
}

#[test]
fn a_colour_that_is_told_again_changes_nothing() {
    let mut client = Client::new("");
    client.hear("you are dark\nyou are dark");
    assert_eq!(client.faults(), 0);
    assert_eq!(client.log().matches("we are dark").count(), 1);
}

#[test]
fn asked_again_while_thinking_it_goes_on_thinking() {
    let mut client = Client::new("");
    client.hear("you are dark\nyour move");
    let task = client.task.unwrap();
    assert_eq!(client.hear("your move\nopponent's move\nf4"), "");
    assert_eq!((client.task, client.faults()), (Some(task), 3));
    client.decide(task, Square::F5);
    client.settle();
    assert!(client.log().ends_with("> f5\n"));
    assert_eq!(client.hear("your move"), "");
}

#[test]
fn a_choice_that_is_no_move_is_replaced() {
    let mut client = Client::new("a1");
    client.hear("you are dark");
    assert_eq!(client.hear("your move"), "d3");
}

#[test]
fn the_limit_is_read_as_per_game() {
    let mut client = Client::new("");
    client.hear("Your time limit is 30 secs\nyou are dark\nyour move");
    let clock = client.task.unwrap().clock;
    assert_eq!(
        (clock.game, clock.per_move),
        (Some(Duration::from_secs(30)), None)
    );
    client.now = at(12_500);
    client.decide(client.task.unwrap(), Square::F5);
    client.now = at(20_000);
    client.hear("opponent's move\nd6\nyour move");
    let clock = client.task.unwrap().clock;
    assert_eq!(clock.started, at(20_000));
    assert_eq!(clock.game, Some(Duration::from_millis(17_500)));
}

#[test]
fn the_limit_is_read_as_per_move_on_request() {
    let options = PlayerOptions {
        scope: LimitScope::Move,
        ..PlayerOptions::new(id("me"))
    };
    let mut client = Client::with(options, "");
    client.hear("Your time limit is 30 secs\nyou are dark\nyour move");
    client.now = at(12_500);
    client.decide(client.task.unwrap(), Square::F5);
    client.hear("opponent's move\nd6\nyour move");
    let clock = client.task.unwrap().clock;
    assert_eq!(
        (clock.game, clock.per_move),
        (None, Some(Duration::from_secs(30)))
    );
}

#[test]
fn without_a_limit_there_is_none() {
    let mut client = Client::new("");
    client.hear("you are dark\nyour move");
    let clock = client.task.unwrap().clock;
    assert_eq!((clock.game, clock.per_move), (None, None));
}

#[test]
fn a_stuck_client_that_is_asked_answers_pass() {
    let mut client = in_game(Color::Black, DARK_STUCK);
    assert_eq!(client.hear("your move"), "PASS");
    assert_eq!(client.hear("your move"), "");
    assert_eq!(client.player.board().side_to_move(), Color::White);
    assert!(client.leniencies().is_empty());
}

#[test]
fn a_stuck_client_that_is_not_asked_has_passed() {
    let mut client = in_game(Color::Black, DARK_STUCK);
    let moves = client.player.board().passed().legal_moves();
    client.hear(&format!("opponent's move\n{}", moves.first().unwrap()));
    assert_eq!(client.leniencies(), ["silent-pass"]);
    assert_eq!(client.faults(), 0);
    assert_eq!(client.player.game().moves().len(), 10);
}

#[test]
fn the_opponents_pass_may_be_announced_or_half_announced_or_not_at_all() {
    for (lines, leniencies) in [
        ("opponent's move\nPASS\nyour move", &[][..]),
        ("PASS\nyour move", &["bare-move"]),
        ("opponent's move\nyour move", &["silent-pass"]),
        ("your move", &["silent-pass"]),
    ] {
        let mut client = in_game(Color::Black, WHITE_STUCK);
        client.hear(lines);
        assert!(client.task.is_some(), "{lines}");
        assert_eq!(client.leniencies(), leniencies);
        assert_eq!(client.faults(), 0);
        assert_eq!(client.player.game().moves().len(), 12);
    }
}

#[test]
fn a_move_that_is_announced_and_does_not_come_is_noted() {
    // White can move; Dark has to pass itself.
    for transcript in ["f5", DARK_STUCK] {
        let mut client = in_game(Color::Black, transcript);
        client.hear("opponent's move\nyour move");
        let fault = ". fault: the opponent's move was announced but did not come\n";
        assert_eq!(client.log().matches(fault).count(), 1, "{transcript}");
    }
}

#[test]
fn the_end_may_be_announced_with_or_without_passes() {
    let block = "The game is finished\nWhite: 0\nDark: 13\nDark won";
    for (color, lines, sent) in [
        (Color::Black, "", ""),
        (Color::White, "", ""),
        (Color::Black, "opponent's move\nPASS\n", ""),
        (Color::Black, "opponent's move\nPASS\nyour move\n", "PASS"),
        (Color::Black, "opponent's move\n", ""),
        (Color::White, "your move\n", "PASS"),
        (Color::White, "your move\nopponent's move\nPASS\n", "PASS"),
        (Color::White, "PASS\n", ""),
    ] {
        let mut client = in_game(color, WIPE_OUT);
        assert_eq!(client.hear(&format!("{lines}{block}")), sent, "{lines}");
        assert_eq!(client.ending, Some(Ending::Orderly));
        assert_eq!(client.faults(), 0);
        assert_eq!(
            client.player.report().outcome(),
            Some(GameOutcome::Won(Color::Black))
        );
    }
}

#[test]
fn the_final_block_may_come_in_any_form() {
    let won = |color| Some(GameOutcome::Won(color));
    for (lines, outcome) in [
        (
            "Dark won\nDark: 13\nWhite: 0\nThe game is finished",
            won(Color::Black),
        ),
        (
            "The game is finished\nDark: 13\nWhite: 0",
            won(Color::Black),
        ),
        (
            "The game is finished\nWhite: 30\nDark: 30",
            Some(GameOutcome::Draw),
        ),
        ("The game is finished\nme won", won(Color::Black)),
        ("me won\nWhite: 0", won(Color::Black)),
        ("The game is finished\nYou have won", won(Color::Black)),
        ("The game is finished\nME won", won(Color::Black)),
        // The board tells who another name is.
        ("The game is finished\nsomebody else won", won(Color::Black)),
        ("The game is finished\nyouth won", won(Color::Black)),
        ("The game is finished\nDraw", Some(GameOutcome::Draw)),
        (
            "\"The game is finished\" White: 0\nDark: 13",
            won(Color::Black),
        ),
        (
            "\"The game is finished\" White: \n0\nDark: \n13",
            won(Color::Black),
        ),
        ("The game is finished\nGoodbye and thank you", None),
        ("The game is finished", None),
    ] {
        let mut client = in_game(Color::Black, WIPE_OUT);
        client.hear(lines);
        if client.ending.is_none() {
            client.close();
        }
        assert_eq!(client.ending, Some(Ending::Orderly), "{lines}");
        assert_eq!(client.player.report().outcome(), outcome, "{lines}");
    }
}

#[test]
fn unreadable_lines_after_the_end_are_no_fault() {
    let mut client = in_game(Color::Black, WIPE_OUT);
    client.hear("The game is finished");
    for _ in 0..=MAX_UNREADABLE {
        client.hear("Goodbye");
    }
    assert_eq!((client.faults(), client.ending.clone()), (0, None));
    assert!(client.leniencies().contains(&"final-words"));
}

#[test]
fn a_result_that_is_not_ours_is_noted() {
    let mut client = in_game(Color::Black, WIPE_OUT);
    client.hear("The game is finished\nWhite: 1\nDark: 13\nDark won");
    assert_eq!(client.faults(), 1);
}

#[test]
fn a_server_that_does_not_close_after_the_end_is_left() {
    let mut client = in_game(Color::Black, WIPE_OUT);
    client.hear("The game is finished\nDark won");
    assert_eq!(client.ending, None);
    let deadline = client.player.deadline().unwrap();
    assert_eq!(deadline, client.now + FINAL_GRACE);
    client.player.tick(deadline);
    client.settle();
    assert_eq!(client.ending, Some(Ending::Orderly));
    assert_eq!(client.player.deadline(), None);
}

#[test]
fn a_server_that_says_error_and_no_more_is_left() {
    let mut client = Client::new("");
    client.hear("error");
    let deadline = client.player.deadline().unwrap();
    client.player.tick(deadline);
    client.settle();
    assert_eq!(client.ending, Some(Ending::Rejected("error".into())));
}

#[test]
fn counts_and_winners_before_the_end_do_not_end_the_game() {
    let mut client = Client::new("");
    client.hear("you are dark\nyour move\nWhite: 2\nDark: 2\nsomebody else won");
    assert!(client.task.is_some());
    assert_eq!((client.faults(), client.ending.clone()), (3, None));
    assert_eq!(client.player.report(), Report::default());
    client.hear("White won\nWhite: 3");
    assert_eq!(client.ending, None);
    client.hear("Dark: 1");
    assert_eq!(client.ending, Some(Ending::Orderly));
}

#[test]
fn a_winner_by_another_name_is_the_opponent_of_a_game_that_was_broken_off() {
    for name in ["somebody else", "youth"] {
        let mut client = Client::new("");
        client.hear("you are dark\nyour move\nThe game is finished");
        client.hear(&format!("{name} won"));
        let outcome = client.player.report().outcome();
        assert_eq!(outcome, Some(GameOutcome::Won(Color::White)), "{name}");
    }
}

#[test]
fn the_end_comes_while_thinking() {
    let mut client = Client::new("");
    client.hear("you are dark\nyour move");
    let task = client.task.unwrap();
    client.hear("The game is finished\nWhite: 2\nDark: 2\nDark won");
    assert_eq!(
        (client.task, client.ending.clone()),
        (None, Some(Ending::Orderly))
    );
    client.decide(task, Square::F5);
    client.settle();
    assert!(client.log().ends_with("= Orderly\n"));
}

#[test]
fn an_error_ends_the_session_however_it_is_worded() {
    for (lines, complaint) in [
        (
            "error\n You provided wrong colour. Bye!",
            "You provided wrong colour. Bye!",
        ),
        (
            "error\n Time limit exceeded. Bye!",
            "Time limit exceeded. Bye!",
        ),
        ("error\n\n You are no friend.", "You are no friend."),
        ("error\nThe game is finished", "The game is finished"),
        ("error", "error"),
        ("E: wrong colour", "wrong colour"),
        ("error: wrong colour", "wrong colour"),
        (
            "error This move is illegal. Bye!",
            "This move is illegal. Bye!",
        ),
        ("error! This move is illegal.", "This move is illegal."),
        ("ERROR, no such colour", "no such colour"),
        ("Error - no such colour", "no such colour"),
        (
            "errorThis move is illegal. Bye!",
            "This move is illegal. Bye!",
        ),
        ("error(2)", "(2)"),
        ("error...\n You are no friend.", "You are no friend."),
        ("E:\nwrong colour", "wrong colour"),
        (" This move is illegal. Bye!", "This move is illegal. Bye!"),
    ] {
        let mut client = Client::new("");
        client.hear("you are dark\nyour move");
        client.hear(lines);
        if client.ending.is_none() {
            client.close();
        }
        assert_eq!(client.ending, Some(Ending::Rejected(complaint.into())));
        assert_eq!(client.task, None);
    }
}

#[test]
fn a_winner_whose_name_begins_with_error_is_no_error() {
    for name in ["errorist", "error-bot", "error_bot"] {
        let mut client = Client::new("f5");
        let end = "you are dark\nThe game is finished\nWhite: 3\nDark: 61";
        client.hear(&format!("{end}\n{name} won"));
        assert_eq!(client.ending, Some(Ending::Orderly), "{name}");
    }
}

#[test]
fn a_colour_that_is_never_told_follows_from_the_first_line() {
    let mut dark = Client::new("f5");
    assert_eq!(dark.hear("your move"), "f5");
    let mut white = Client::new("d6");
    assert_eq!(white.hear("opponent’s move\nf5\nyour move"), "d6");
    assert_eq!(white.leniencies(), ["apostrophe", "no-colour"]);
}

#[test]
fn a_move_that_cannot_be_ends_the_session_with_a_clear_error() {
    let mut client = Client::new("f5");
    client.hear("you are dark\nyour move\nopponent's move\na1");
    let Some(Ending::Unintelligible(error)) = client.ending else {
        panic!("{:?}", client.ending);
    };
    let second = matches!(error, PeerMisbehaved::ImpossibleMove { number: 2, .. });
    assert!(second, "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("a1") && text.contains("number 2 of the game"),
        "{text}"
    );
}

#[test]
fn an_echo_of_our_move_is_ignored() {
    let mut client = Client::new("f5");
    client.hear("you are dark\nyour move\nf5\nopponent's move\nd6");
    assert_eq!(client.faults(), 1);
    assert_eq!(client.player.game().moves().len(), 2);
}

#[test]
fn unreadable_lines_are_skipped_up_to_a_limit() {
    let mut client = Client::new("");
    for _ in 0..MAX_UNREADABLE {
        client.hear("HTTP/1.1 400 Bad Request");
    }
    assert_eq!(client.hear("What is your name?"), "me");
    for _ in 0..=MAX_UNREADABLE {
        assert_eq!(client.ending, None);
        client.hear("HTTP/1.1 400 Bad Request");
    }
    let Some(Ending::Unintelligible(PeerMisbehaved::Unreadable(error))) = client.ending else {
        panic!("{:?}", client.ending);
    };
    assert!(matches!(error, LineError::Parse(_)), "{error}");
}

#[test]
fn remarks_on_a_flood_are_bounded() {
    let mut client = Client::new("f5");
    client.hear(&"\n".repeat(10_000));
    client.hear("you are dark\nyour move");
    client.hear(&"your move\nf5\n".repeat(10_000));
    let remarks = client.faults() + client.leniencies().len();
    assert!(remarks < 600, "{remarks}");
    // The end is told all the same.
    client.hear("The game is finished\nWhite: 2\nDark: 2\nDark won");
    assert!(client.log().contains("the server reports"));
}

#[test]
fn a_line_without_end_is_skipped() {
    let mut client = Client::new("");
    let line = "x".repeat(100_000);
    assert_eq!(client.hear(&format!("{line}\nWhat is your name?")), "me");
    assert_eq!(client.faults(), 1);
}

#[test]
fn a_server_that_closes_early_cuts_the_session_off() {
    let mut client = Client::new("");
    assert_eq!(client.close(), Ending::CutOff);
    let mut client = in_game(Color::Black, DARK_STUCK);
    assert_eq!(client.close(), Ending::CutOff);
    let mut client = in_game(Color::Black, WIPE_OUT);
    assert_eq!(client.close(), Ending::Orderly);
    assert_eq!(client.leniencies(), ["no-final-block"]);
}

#[test]
fn a_move_that_is_owed_at_the_end_of_input_is_awaited_for_a_short_time() {
    let mut client = Client::new("");
    client.hear("you are dark\nyour move");
    client.player.end_of_input(client.now);
    client.settle();
    assert_eq!(client.ending, None);
    let task = client.task.unwrap();
    let deadline = client.player.deadline().unwrap();
    assert_eq!(deadline, client.now + OWED_MOVE_GRACE);
    client.player.tick(deadline);
    client.settle();
    assert_eq!(client.ending, Some(Ending::CutOff));
    let owed = format!("> {}\n", task.question.moves.first().unwrap());
    assert!(client.log().contains(&owed), "{}", client.log());
}

#[test]
fn the_last_line_may_lack_its_end() {
    let mut client = in_game(Color::Black, WIPE_OUT);
    client.hear("The game is finished\nWhite: 0\nDark: 13");
    client.player.receive(b"Dark won", client.now);
    assert_eq!(client.close(), Ending::Orderly);
    assert_eq!(
        client.player.report().stated,
        Some(GameOutcome::Won(Color::Black))
    );
}
