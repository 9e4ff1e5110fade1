//! The sample sessions of the document's section 6.

use super::*;

#[test]
fn the_first_sample_up_to_the_fault_at_a1() {
    let options = Options::from(standard()).relaying_comments();
    let game = RecordedGame::new(options).feed(
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
        &game,
        Some(Color::White),
        &forfeit(by, SeatFault::IllegalMove { detail }),
    );
    insta::assert_snapshot!(game.transcript);
}

#[test]
fn the_second_sample_from_a_position_made_for_it() {
    let game = check(
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
    check_verdict(&game, Some(Color::White), &Cause::Played);
    insta::assert_snapshot!(game.transcript);
}
