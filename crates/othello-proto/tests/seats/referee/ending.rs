//! The end of a game.

use super::*;

#[test]
fn forced_passes_are_asked_for_and_told() {
    let mut black = asked(MUST_PASS);
    assert_eq!(black.prints("(B)", 5), ["pass in 5ms"]);
    let mut white = ready(OpeningPass::Never, White, MUST_PASS);
    assert_eq!(white.answers(Move::Pass, 0), ["send (B)"]);
    assert_eq!(white.prints("(W a 1)", 5), ["a1 in 5ms"]);
    let conventions = white.conventions();
    assert!(conventions.asks_forced_moves && conventions.closing_moves);
}

#[test]
fn true_claims_are_passed_on_and_end_the_part_of_the_program() {
    let mut black = ready(OpeningPass::Never, Black, OVER_AFTER_C1);
    black.chooses(0);
    let info = "Black: (3) is true as the disc difference";
    let lines = ["c1 in 5ms", info, "Said(Claim(Margin(6)))", "Completed"];
    assert_eq!(black.prints("(B c 1)(3)", 5), lines);
    black.played(Black, Square::C1, 5);
    assert_eq!(black.over(true, 5), NOTHING);
    assert_eq!(black.deadline(), None);
    assert_eq!(said(&mut black, claim(64)), ["send (64)"]);
    assert_eq!(played_out(&mut black, 10), CLOSED);
    // A program that was told the other's claim is not told the value again.
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(said(&mut white, claim(3)), ["send (3)"]);
    assert_eq!(white.deadline(), Some(at(5100)));
    assert_eq!(white.waits_for_deadline(), ["Completed"]);
    assert_eq!(white.deadline(), None);
    assert_eq!(played_out(&mut white, 5100), CLOSED);
}

#[test]
fn a_false_claim_at_the_end_counts_as_an_answer_alone() {
    let lines = [
        "Said(FalseClaim(Margin(-6)))",
        "White: the value -3 does not fit the board",
        "send (C (the value -3 does not fit the board))",
    ];
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(white.prints("(-3)", 101), lines);
    said(&mut white, claim(3));
    assert_eq!(
        white.prints("(-3)", 102),
        [&lines[..], &["Completed"]].concat()
    );
}

#[test]
fn nobody_claims_and_the_program_is_told_the_value() {
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(white.exits(true, 101), ["Completed"]);
    assert_eq!(
        played_out(&mut white, 102),
        ["send (3)", "hang up", "Closed"]
    );
}

#[test]
fn passes_after_the_end_are_counted_on_both_seats() {
    let passed = |color: &str| {
        [
            format!("{color} passes after the end of the game"),
            "Said(ClosingMove(Pass))".into(),
        ]
    };
    let last = |color: &str| {
        [
            format!("{color} passes but does not claim"),
            "Said(ClosingMove(Pass))".into(),
            "Completed".into(),
        ]
    };
    let pass = Said::ClosingMove(Move::Pass);
    let (mut white, mut black) = (wiped_out(White), wiped_out(Black));
    white.over(true, 100);
    black.over(true, 100);
    assert_eq!(black.prints("(B)", 101)[1..], ["send (C (out of turn B))"]);
    for _ in 0..MAX_FINISHED_PASSES / 2 {
        assert_eq!(white.prints("(W)", 101), passed("White"));
        assert_eq!(said(&mut black, pass.clone()), ["send (W)"]);
        assert_eq!(black.prints("(B)", 101), passed("Black"));
        assert_eq!(said(&mut white, pass.clone()), ["send (B)"]);
    }
    assert_eq!(white.prints("(W)", 101), last("White"));
    assert_eq!(said(&mut black, pass), ["Completed"]);
}

#[test]
fn a_move_after_the_end_is_complained_of() {
    let mut white = wiped_out(White);
    let over = "send (C (the game is over W d 3))";
    assert_eq!(white.prints("(W d 3)", 101)[1..], [over]);
}

#[test]
fn after_the_end_only_a_pass_in_turn_is_told() {
    // White is to move.
    let pass = Said::ClosingMove(Move::Pass);
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(said(&mut white, pass.clone()), NOTHING);
    let mut black = wiped_out(Black);
    black.over(true, 100);
    let place = Said::ClosingMove(Square::A8.into());
    assert_eq!(said(&mut black, place), NOTHING);
    assert_eq!(said(&mut black, pass), ["send (W)"]);
}

#[test]
fn the_seat_answers_for_an_opponent_that_makes_no_closing_moves() {
    // A pass after the program's move, a claim after its pass.
    let mut black = wiped_out(Black);
    assert_eq!(black.over(false, 100), ["send (W)"]);
    assert_eq!(
        black.prints("(B)", 101)[1..],
        ["Said(ClosingMove(Pass))", "send (3)"]
    );
    assert_eq!(
        black.prints("(3)", 102)[1..],
        ["Said(Claim(Margin(6)))", "Completed"]
    );
    let mut white = wiped_out(White);
    assert_eq!(white.over(false, 100), NOTHING);
    assert_eq!(
        white.prints("(W)", 101)[1..],
        ["Said(ClosingMove(Pass))", "send (3)"]
    );
    // A claim for a claim, once.
    let mut white = wiped_out(White);
    white.over(false, 100);
    let lines = ["Said(Claim(Margin(6)))", "send (3)", "Completed"];
    assert_eq!(white.prints("(3)", 101)[1..], lines);
    assert_eq!(white.prints("(3)", 102).len(), 1);
    assert_eq!(played_out(&mut white, 103), CLOSED);
    // A claim on the line of the last move is answered at once.
    let mut black = asked(OVER_AFTER_C1);
    black.prints("(B c 1)(3)", 5);
    black.played(Black, Square::C1, 5);
    assert_eq!(black.over(false, 5), ["send (3)"]);
}

fn play(start: Board, color: Color, mover: Conventions, seed: u64) -> String {
    let player = Player::new(PlayerOptions {
        start,
        ..PlayerOptions::default()
    });
    let played = OneSeatGame {
        seat: RefereeSeat::new(RefereeOptions::default()),
        color,
        make: || panic!("the first game's program is launched by the driver"),
        program: Some(player),
        start,
        control: TimeControl::default(),
        mover,
        seed,
    }
    .play();
    assert_eq!(played.verdict.cause, Cause::Played, "{:?}", played.moves);
    let mut board = start;
    for mv in played.moves {
        board.play(mv).unwrap();
    }
    assert_eq!(played.verdict.winner, board.leader());
    let claims = |note: &&String| note.contains("is true as the disc difference");
    let claimed = played.notes.iter().filter(claims).count();
    // Our player waits for an answer to its pass where the mover is said to give one.
    assert!(claimed == 1 || mover.closing_moves, "{:?}", played.notes);
    played.sent
}

proptest! {
    #[test]
    fn games_against_a_mover_without_a_format_are_played_to_the_end(
        seed in any::<u64>(),
        white in any::<bool>(),
        asks_forced_moves in any::<bool>(),
        closing_moves in any::<bool>(),
    ) {
        let mover = Conventions { asks_forced_moves, closing_moves };
        let color = if white { White } else { Black };
        let sent = play(Board::START, color, mover, seed);
        prop_assert_eq!(sent.starts_with("(I B)\n(W)\n"), !white);
    }
}
