//! A person at the terminal of the tool, and its demo.

use crate::support::Folder;

/// Returns what the tool prints while a person plays.
#[track_caller]
fn play(folder: &Folder, line: &str, typed: &str) -> String {
    let ran = folder.run_with(&format!("play --playouts 50 {line}"), typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

#[track_caller]
fn check_parts(out: &str, parts: &[&str]) {
    for part in parts {
        assert!(out.contains(part), "{part}: {out}");
    }
}

/// Returns the number of black stones of the boards in a text.
fn black_stones(text: &str) -> usize {
    text.matches('X').count() - text.matches("Black X").count()
}

#[test]
fn a_game_against_the_engine_is_judged() {
    // The engine fills the board but for two eyes, which nobody disputes.
    let out = play(&Folder::new(), "--size 2", "pass\npass\npass\n");
    check_parts(&out, &["White plays", "Result: W+", "B pass, W pass\n"]);
}

#[test]
fn moves_are_taken_back_hinted_and_explained() {
    let typed = "undo\nC3\nc3\nhint\nundo\nquit\n";
    let out = play(&Folder::new(), "--size 5", typed);
    let parts = [
        "There is no move of yours to take back.",
        "illegal move C3: the point is occupied",
        "The engine would play ",
    ];
    check_parts(&out, &parts);
    let boards: Vec<&str> = out.split("Your move: ").collect();
    assert_eq!(black_stones(boards[boards.len() - 2]), 0, "{out}");
}

#[test]
fn a_game_is_saved_while_it_lasts_and_afterwards() {
    let folder = Folder::new();
    let typed = "A1\nsave begun.sgf\nsave begun.sgf\npass\npass\npass\nsave ended.sgf\n";
    let out = play(&folder, "--size 2 --rules chinese", typed);
    let parts = [
        "Saved in begun.sgf.",
        "type save! begun.sgf to replace it",
        "Saved in ended.sgf.",
    ];
    check_parts(&out, &parts);
    let record = folder.read("ended.sgf");
    check_parts(&record, &["PB[Person]", "RU[Chinese]", "RE["]);
}

#[test]
fn a_handicap_is_on_the_board_and_the_engine_moves_first() {
    let out = play(&Folder::new(), "--size 9 --handicap 4", "quit\n");
    assert!(out.starts_with("White plays "), "{out}");
    assert_eq!(black_stones(&out), 4, "{out}");
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    Folder::new().check_refusals(&[
        ("play --handicap 1", 2, "1 is not in 2..=9"),
        (
            "play --size 8 --handicap 5",
            1,
            "expected a handicap of at most 4 stones on 8x8, not 5\n",
        ),
        (
            "play --size 5 --handicap 4",
            1,
            "no handicap is possible on 5x5\n",
        ),
        (
            "play ./player --handicap 2",
            1,
            "expected a program after gtp:",
        ),
        (
            "play /does/not/exist",
            1,
            "go-game: \"/does/not/exist\" did not start",
        ),
        ("play gtp:", 2, "expected a program and its arguments"),
    ]);
}

#[cfg(unix)]
#[test]
fn a_program_of_the_tournament_plays_too() {
    let program = r#""sh -c 'read c; read m; echo B2; read m; echo pass; read m'""#;
    let out = play(
        &Folder::new(),
        &format!("{program} --size 5"),
        "c3\nundo\npass\n",
    );
    let parts = [
        "White plays B2\n",
        "cannot take a move back",
        "B C3, W B2, B pass, W pass\n",
        "won: played to the end",
    ];
    check_parts(&out, &parts);
}

#[cfg(unix)]
#[test]
fn a_program_that_speaks_gtp_is_told_the_moves_that_are_left_after_an_undo() {
    let folder = Folder::new();
    let script = "while read -r line; do echo \"$line\" >> log
         case $line in
         list_commands) printf '= boardsize\\nclear_board\\nkomi\\nplay\\ngenmove\\nquit\\n\\n' ;;
         genmove*) printf '= pass\\n\\n' ;;
         *) printf '= \\n\\n' ;;
         esac; done";
    folder.write("gtp.sh", script);
    let out = play(
        &folder,
        "'gtp:sh gtp.sh' --size 5",
        "c3\nb2\nundo\na1\npass\n",
    );
    let parts = ["White plays pass\n", "B C3, W pass, B A1, W pass, B pass\n"];
    check_parts(&out, &parts);
    let told = folder.read("log").to_lowercase();
    let again = told.rsplit("clear_board").next().unwrap();
    check_parts(again, &["c3", "a1"]);
    assert!(!again.contains("b2"), "{told}");
}

#[test]
fn the_demo_shows_a_game_and_its_judgement() {
    let folder = Folder::new();
    let demo = |seed| folder.printed(&format!("demo --size 7 --playouts 20 --seed {seed}"));
    let out = demo(1);
    check_parts(&out, &["game over", " moves\n"]);
    assert!(out.lines().last().unwrap().starts_with("Result: "), "{out}");
    assert_eq!(out, demo(1));
    assert_ne!(out, demo(2));
}

#[cfg(unix)]
#[test]
fn a_program_that_never_plays_is_a_failure() {
    for program in ["gtp:/bin/true", "\"gtp:sh -c 'read x; exit 3'\""] {
        let ran = Folder::new().run_with(&format!("play {program} --size 5"), "C3\n");
        assert_eq!(ran.code, Some(1), "{program}: {ran:?}");
    }
}
