//! The Othello GUI's player: the document and what is settled about it.

use std::time::Duration;

use crate::transcript::{PlayerLog, at};
use othello_core::{Color, Move, Score, Square};
use othello_proto::gui::{Mode, Player, PlayerOptions, Request};
use othello_proto::session::{Action, Assessment, Choice, Decision, PlayerSession};

/// The documents' sample: the board alone.
const BOARD: &str =
    "........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\n";
const V1: &str = "3000\n3 c3 e3 c5\n";
const V2: &str = "O\n3000\n3 c3 e3 c5\n";

fn player(mode: Mode) -> PlayerLog<Player> {
    PlayerLog::new(Player::new(PlayerOptions {
        mode,
        ..PlayerOptions::default()
    }))
}

fn sample(rest: &str) -> String {
    format!("{BOARD}{rest}")
}

/// Returns a player that lives for one board after it answered with the first square.
fn released(request: &str) -> PlayerLog<Player> {
    let mut log = player(Mode::Released);
    log.hears(request, at(0));
    if let Some(task) = log.open {
        log.decides(task.question.moves.first().unwrap(), at(1));
    }
    log
}

fn sent(log: &PlayerLog<Player>) -> &str {
    str::from_utf8(&log.sent).unwrap()
}

// The samples, in every form.

#[test]
fn the_documents_samples_are_answered_as_shown() {
    for rest in [V1, V2] {
        let mut log = player(Mode::Document);
        log.hears(&sample(rest), at(40))
            .decides(Square::E3, at(900));
        assert_eq!(sent(&log), "v1.0.0\ne3\n");
        assert_eq!(log.session.color(), Some(Color::White));
        assert!(log.finished);
    }
}

#[test]
fn the_document_form_prints_the_version_first_and_ends_after_its_move() {
    let mut log = player(Mode::Document);
    log.hears(BOARD, at(40)).hears(V2, at(50));
    log.decides(Square::E3, at(900)).hears("more\n", at(901));
    insta::assert_snapshot!(log.text());
}

#[test]
fn the_released_form_prints_no_version_and_its_clock_runs_from_the_launch() {
    let mut log = PlayerLog::new(Player::new(PlayerOptions {
        mode: Mode::Released,
        launched: Some(at(3)),
        ..PlayerOptions::default()
    }));
    log.hears(&sample(V2), at(12)).decides(Square::E3, at(900));
    insta::assert_snapshot!(log.text());
}

#[test]
fn one_process_answers_board_after_board_until_the_input_ends() {
    let mut log = player(Mode::Stay);
    log.hears(&sample(V2), at(100)).decides(Square::E3, at(200));
    log.hears(&sample("1000\n0\n"), at(300));
    log.hears(&sample(V1), at(5000))
        .decides(Square::C5, at(5100));
    log.ends(at(6000));
    insta::assert_snapshot!(log.text());
}

#[test]
fn boards_that_come_while_one_thinks_wait_for_their_turn() {
    let mut log = player(Mode::Stay);
    log.hears(&sample(V2), at(0))
        .hears(&sample(V1).repeat(2), at(1))
        .ends(at(2));
    log.decides(Square::C3, at(10)).decides(Square::E3, at(20));
    assert!(!log.finished);
    log.decides(Square::C5, at(30));
    assert!(log.text().ends_with("finish: Orderly\n"), "{}", log.text());
    assert_eq!(sent(&log), "v1.0.0\nc3\ne3\nc5\n");
}

#[test]
fn what_waits_for_its_turn_is_bounded() {
    const MAX_WAITING: usize = 1 << 20;
    let mut log = player(Mode::Stay);
    log.hears(&sample(V2), at(0));
    let board = sample(V1);
    log.hears(&"\n".repeat(MAX_WAITING - board.len()), at(1))
        .hears(&board, at(2));
    let dropped = "fault: too much input at once";
    assert!(!log.text().contains(dropped));
    log.hears(&board, at(3));
    assert!(log.text().contains(dropped));
    log.decides(Square::C3, at(10)).decides(Square::E3, at(20));
    assert_eq!(log.open, None);
    assert_eq!(sent(&log), "v1.0.0\nc3\ne3\n");
}

// Which form the other side speaks.

#[test]
fn input_within_a_quarter_of_a_second_is_the_released_gui() {
    let mut log = player(Mode::Auto);
    assert_eq!(log.session.deadline(), Some(at(250)));
    log.hears(".", at(249)).hears(&sample(V2)[1..], at(260));
    log.decides(Square::E3, at(900));
    assert_eq!(sent(&log), "e3\n");
    assert!(log.finished);
}

#[test]
fn silence_for_a_quarter_of_a_second_is_a_gui_that_follows_the_document() {
    let mut log = player(Mode::Auto);
    log.waits(at(249));
    assert_eq!(sent(&log), "");
    log.waits(at(250)).hears(&sample(V1), at(251));
    log.decides(Square::E3, at(900));
    insta::assert_snapshot!(log.text());
}

#[test]
fn after_the_end_of_input_no_form_is_waited_for() {
    let mut log = player(Mode::Auto);
    log.ends(at(1));
    assert!(log.finished);
    assert_eq!(log.session.deadline(), None);
}

#[test]
fn the_line_after_the_board_tells_the_version() {
    for (rest, side) in [(V1, None), (V2, Some(Color::White))] {
        let log = released(&sample(rest));
        assert_eq!(log.session.request().unwrap().side, side);
    }
}

// Whose turn version 1 asks for.

#[test]
fn version_1_is_asked_for_the_colour_whose_moves_are_the_list() {
    let request = Request::parse(sample(V1).as_bytes()).unwrap();
    let black = request.board(Color::Black).legal_moves();
    let names: Vec<String> = black.iter().map(|square| square.to_string()).collect();
    let list = format!("3000\n{} {}\n", names.len(), names.join(" "));
    let log = released(&sample(&list));
    assert_eq!(log.session.color(), Some(Color::Black));
    assert!(!log.text().contains("fault"), "{}", log.text());
    let log = released(&sample(V1));
    assert_eq!(log.session.color(), Some(Color::White));
    assert!(!log.text().contains("fault"), "{}", log.text());
}

#[test]
fn when_both_colours_fit_the_parity_of_the_discs_decides() {
    let empty = "........\n".repeat(7);
    // Both colours may play c1 alone.
    let odd = released(&format!("XO.XOOOO\n{empty}3000\n1 c1\n"));
    assert_eq!(odd.session.color(), Some(Color::White));
    assert!(
        odd.text().contains("info: both colours fit"),
        "{}",
        odd.text()
    );
    let lone = "........\n".repeat(6);
    let even = released(&format!("XO.XOOOO\n{lone}.......X\n3000\n1 c1\n"));
    assert_eq!(even.session.color(), Some(Color::Black));
}

#[test]
fn when_neither_colour_fits_the_list_is_the_authority() {
    let log = released(&sample("3000\n3 a1 e3 c5\n"));
    assert_eq!(log.session.color(), Some(Color::White));
    assert_eq!(sent(&log), "e3\n");
    assert!(
        log.text().contains("fault: the list is neither"),
        "{}",
        log.text()
    );
    let log = released(&sample("3000\n2 h8 a1\n"));
    assert_eq!(sent(&log), "h8\n");
    assert!(log.finished);
}

#[test]
fn when_neither_colour_fits_the_one_that_matches_more_of_the_list_is_asked() {
    // White moves by the parity of the discs.
    for (list, color) in [
        ("2 a1 f5", Color::Black),
        ("3 c3 f5 f6", Color::Black),
        ("2 a1 c3", Color::White),
        ("3 c3 e3 f5", Color::White),
    ] {
        let log = released(&sample(&format!("3000\n{list}\n")));
        assert_eq!(log.session.color(), Some(color), "{list}");
    }
}

#[test]
fn when_both_colours_fit_equally_badly_the_parity_of_the_discs_decides() {
    let discs = Request::parse(sample(V1).as_bytes()).unwrap().discs;
    let parity = match discs.empties().count() % 2 {
        0 => Color::Black,
        _ => Color::White,
    };
    // Neither side may play a1; each may play one of the other two.
    for list in ["1 a1", "2 c3 f5"] {
        let log = released(&sample(&format!("3000\n{list}\n")));
        assert_eq!(log.session.color(), Some(parity), "{list}");
    }
}

#[test]
fn a_named_side_that_cannot_play_the_list_gives_way_to_it() {
    let log = released(&sample("X\n3000\n3 c3 e3 c5\n"));
    assert_eq!(log.session.color(), Some(Color::White));
    assert!(
        log.text().contains("fault: the list is not Black's"),
        "{}",
        log.text()
    );
    let log = released(&sample("O\n3000\n2 a1 e3\n"));
    assert_eq!(
        (log.session.color(), sent(&log)),
        (Some(Color::White), "e3\n")
    );
}

#[test]
fn a_named_side_stands_while_the_list_fits_the_other_no_better() {
    // Neither side may play a1; each may play one of the other two.
    for list in ["1 a1", "2 c3 f5"] {
        for (disc, side) in [("X", Color::Black), ("O", Color::White)] {
            let log = released(&sample(&format!("{disc}\n3000\n{list}\n")));
            assert_eq!(log.session.color(), Some(side), "{disc} {list}");
        }
    }
}

// What may vary.

#[test]
fn moves_may_be_listed_in_any_order_and_lines_end_either_way() {
    for list in ["3 c3 e3 c5", "3 c3 c5 e3", "3 e3 c5 c3"] {
        let log = released(&sample(&format!("O\n3000\n{list}\n")).replace('\n', "\r\n"));
        assert_eq!(sent(&log), "c3\n");
        assert!(!log.text().contains("fault"), "{}", log.text());
    }
}

#[test]
fn a_list_is_answered_with_its_last_character_and_not_before() {
    let text = sample(V2);
    let (list, last) = text.trim_end().split_at(text.trim_end().len() - 1);
    let mut log = player(Mode::Released);
    for (index, byte) in list.chars().enumerate() {
        log.hears(&byte.to_string(), at(index as u64));
    }
    assert_eq!(log.open, None, "c5 is cut in its middle");
    log.hears(last, at(100)).decides(Square::C5, at(101));
    assert_eq!(sent(&log), "c5\n");
    assert!(log.text().contains("leniency no-line-end"));
    assert!(log.text().ends_with("finish: Orderly\n"));
}

#[test]
fn the_end_of_input_ends_a_list_that_is_shorter_than_it_says() {
    let mut log = player(Mode::Released);
    log.hears(&sample("O\n3000\n4 c3 e3 c5"), at(0));
    assert_eq!(log.open, None);
    log.ends(at(100)).decides(Square::C5, at(101));
    assert_eq!(sent(&log), "c5\n");
}

#[test]
fn the_end_of_a_line_that_was_answered_is_no_line_of_its_own() {
    let mut log = player(Mode::Stay);
    log.hears(sample(V2).trim_end(), at(0))
        .decides(Square::C3, at(10));
    log.hears("\r\n", at(1000)).hears(&sample(V2), at(2000));
    assert_eq!(log.open.expect("a task").clock.started, at(2000));
    log.decides(Square::E3, at(2100)).ends(at(2200));
    assert_eq!(sent(&log), "v1.0.0\nc3\ne3\n");
    assert!(!log.text().contains("blank-lines"), "{}", log.text());
}

#[test]
fn odd_lines_beside_the_board_cost_no_move() {
    let many = format!("65{}", " c3".repeat(65));
    for (rest, name) in [
        ("O\n-1\n3 c3 e3 c5", "time"),
        ("O\n3000.5\n3 c3 e3 c5", "time"),
        ("O\n+500\n3 c3 e3 c5", "time"),
        ("O\n\n3 c3 e3 c5", "time"),
        ("O\n99999999999999999999999\n3 c3 e3 c5", "time"),
        ("-1\n3 c3 e3 c5", "time"),
        ("O\n3000\n-1 c3 e3 c5", "count"),
        ("O\n3000\nc3 e3 c5", "count"),
        ("O\n3000\n3 i9 c3 c5", "entry"),
        (&format!("O\n3000\n{many}"), "long-list"),
    ] {
        let log = released(&sample(&format!("{rest}\n")));
        assert_eq!(sent(&log), "c3\n", "{rest}");
        let name = format!("leniency {name}:");
        assert!(log.text().contains(&name), "{}", log.text());
    }
}

#[test]
fn a_list_without_a_move_that_can_be_read_is_that_of_the_board_if_the_side_is_known() {
    for list in ["3 i9 j9 k9", "3", "-1", "+3 c9"] {
        let log = released(&sample(&format!("O\n3000\n{list}\n")));
        assert_eq!(sent(&log), "c3\n", "{list}");
        assert!(log.text().contains("leniency no-moves:"), "{}", log.text());
        let log = released(&sample(&format!("3000\n{list}\n")));
        assert_eq!(sent(&log), "", "{list}");
    }
    for list in ["0", "00", "0 i9"] {
        let log = released(&sample(&format!("O\n3000\n{list}\n")));
        assert_eq!(sent(&log), "", "{list}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped_and_tells_no_form() {
    let mut log = player(Mode::Auto);
    log.hears("\u{feff}", at(5)).waits(at(250));
    assert_eq!(sent(&log), "v1.0.0\n", "a mark alone is no board");
    log.hears(&sample(V2), at(300)).decides(Square::E3, at(900));
    assert_eq!(sent(&log), "v1.0.0\ne3\n");
    assert!(log.text().contains("leniency byte-order-mark"));

    let mut log = player(Mode::Auto);
    log.hears(&format!("\u{feff}{}", sample(V2)), at(5))
        .decides(Square::E3, at(900));
    assert_eq!(sent(&log), "e3\n");
}

#[test]
fn the_standard_position_may_have_white_to_move() {
    let board = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n";
    let log = released(&format!("{board}O\n1000\n4 c5 d6 e3 f4\n"));
    assert_eq!(log.session.color(), Some(Color::White));
    assert_eq!(sent(&log), "e3\n");
    assert!(!log.text().contains("fault"), "{}", log.text());
}

#[test]
fn leniencies_are_named_in_the_log() {
    let text = sample("o\n 3000\n2 C3 e3  c5\n").replace('X', "x");
    let mut log = player(Mode::Stay);
    log.hears(&format!("\n{text}"), at(0));
    assert_eq!(log.open.unwrap().question.moves.count(), 3);
    insta::assert_snapshot!(log.text());
}

#[test]
fn no_listed_move_gets_no_answer() {
    for mode in [Mode::Document, Mode::Released] {
        let mut log = player(mode);
        let before = log.sent.clone();
        log.hears(&sample("O\n3000\n0\n"), at(0));
        assert_eq!(log.sent, before);
        assert!(log.text().ends_with("finish: Orderly\n"));
    }
}

// What goes wrong.

#[test]
fn a_board_that_cannot_be_read_ends_a_process_that_lives_for_it() {
    let endings: Vec<String> = [
        "hello\n".to_owned(),
        "..........\n".to_owned(),
        format!("{BOARD}Black\n"),
        format!("{BOARD}O\n........\n"),
        format!("{BOARD}3000\n-1\n"),
        format!("{BOARD}3000\n1 z9\n"),
        "x".repeat(5000) + "\n",
    ]
    .iter()
    .map(|text| {
        let log = released(text);
        log.text().lines().last().unwrap().trim().to_owned()
    })
    .collect();
    insta::assert_snapshot!(endings.join("\n"));
}

#[test]
fn one_process_skips_what_it_cannot_read_and_finds_the_next_board() {
    let mut log = player(Mode::Stay);
    let cut = &BOARD[..27];
    log.hears("hello\n", at(0))
        .hears(cut, at(1))
        .hears("oops\n", at(2));
    log.hears(&sample("O\n?\n"), at(3));
    log.hears(&sample(V2), at(4000))
        .decides(Square::E3, at(4100));
    insta::assert_snapshot!(log.text());
}

#[test]
fn input_that_ends_within_a_board_is_cut_off() {
    for mode in [Mode::Document, Mode::Released, Mode::Stay, Mode::Auto] {
        let mut log = player(mode);
        log.hears(BOARD, at(0)).ends(at(1));
        assert!(log.text().ends_with("finish: CutOff\n"), "{}", log.text());
    }
    for (mode, ending) in [(Mode::Stay, "Orderly"), (Mode::Auto, "CutOff")] {
        let mut log = player(mode);
        log.ends(at(1));
        let last = format!("finish: {ending}\n");
        assert!(log.text().ends_with(&last), "{}", log.text());
    }
}

#[test]
fn remarks_on_a_flood_are_bounded() {
    let mut log = player(Mode::Stay);
    log.hears(&"hello\n\n".repeat(10_000), at(0))
        .hears(&sample(V2), at(1));
    assert!(log.text().lines().count() < 300);
    assert!(log.open.is_some());
}

#[test]
fn a_decision_that_does_not_come_or_is_not_listed_is_replaced() {
    let mut log = player(Mode::Document);
    log.hears(&sample(V2), at(100));
    let deadline = log.session.deadline().expect("a deadline");
    assert!(deadline > at(2800) && deadline < at(3100), "{deadline:?}");
    log.waits(deadline);
    assert_eq!(sent(&log), "v1.0.0\nc3\n");
    assert!(log.finished);
    let mut log = player(Mode::Document);
    log.hears(&sample(V2), at(100)).decides(Square::A1, at(200));
    assert_eq!(sent(&log), "v1.0.0\nc3\n");
}

// Notes.

#[test]
fn only_the_released_gui_gets_notes() {
    for (mode, notes, answer) in [
        (
            Mode::Released,
            true,
            "e3\nexpected +2 at depth 7, 1234 nodes: e3 f4\n",
        ),
        (Mode::Released, false, "e3\n"),
        (Mode::Document, true, "e3\n"),
        (Mode::Stay, true, "e3\n"),
    ] {
        let mut player = Player::new(PlayerOptions {
            mode,
            notes,
            ..PlayerOptions::default()
        });
        player.start(at(0));
        player.receive(sample(V2).as_bytes(), at(1));
        let task = std::iter::from_fn(|| player.poll()).find_map(|action| match action {
            Action::Think(task) => Some(task.id),
            _ => None,
        });
        player.decide(
            Decision {
                task: task.expect("a task"),
                answer: Choice {
                    square: Square::E3,
                    assessment: Some(Assessment {
                        score: Score::new(2).unwrap(),
                        exact: false,
                        depth: 7,
                        nodes: 1234,
                        variation: vec![Move::Place(Square::E3), Move::Place(Square::F4)],
                        others: Vec::new(),
                    }),
                },
            },
            at(500),
        );
        let sent = Action::Send(answer.as_bytes().to_vec());
        assert_eq!(player.poll(), Some(sent), "{mode:?}");
    }
}

// The clock.

#[test]
fn the_documents_clock_runs_from_the_first_byte_of_the_board() {
    let mut log = player(Mode::Document);
    log.hears("....", at(100)).hears(&sample(V2)[4..], at(180));
    let clock = log.open.expect("a task").clock;
    assert_eq!(clock.started, at(100));
    assert_eq!(clock.per_move, Some(Duration::from_secs(3)));
    assert_eq!(clock.game, None);
}

#[test]
fn a_blank_line_starts_no_clock() {
    let mut log = player(Mode::Stay);
    log.hears("\n", at(100)).hears(&sample(V2), at(60_000));
    assert_eq!(log.open.expect("a task").clock.started, at(60_000));
}
