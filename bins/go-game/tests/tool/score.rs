//! Games on record, counted and drawn by the tool.

use crate::support::{Folder, Ran};

/// White has a wall, three points of territory and a dead stone of Black's in it.
const GAME: &str = "(;FF[4]GM[1]SZ[5]KM[0.5]RU[Japanese]AB[ba][bb][bc][bd][be][cd]AW[da][db][dc][dd][de];B[ed];W[ec];B[];W[])";

/// Returns a folder with the game.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("game.sgf", GAME);
    folder
}

#[test]
fn a_game_is_counted_and_drawn() {
    let folder = folder();
    let out = folder.printed("score game.sgf --svg game.svg");
    for part in [
        "4 moves, komi 0.5\n",
        "Dead: E2\n",
        "Japanese score: W+0.5\n",
    ] {
        assert!(out.contains(part), "{out}");
    }
    let picture = folder.read("game.svg");
    // The ring is on E3: the passes after it leave no mark.
    assert!(picture.contains("<circle cx=\"4\" cy=\"2\""), "{picture}");
}

#[test]
fn an_illegal_move_is_named_with_its_place_and_controls_no_terminal() {
    let folder = Folder::new();
    for (name, shown) in [("game.sgf", "game.sgf"), ("a\u{1b}c.sgf", "a\\u{1b}c.sgf")] {
        folder.write(name, "(;GM[1]SZ[9];B[ee];W[ee])");
        let output = folder.with_words(&["score", name]).output().unwrap();
        let ran = Ran::from(output);
        let place = format!("{shown}: offset 19: move 2: illegal move E5: the point is occupied");
        let end = format!("{place}; the moves before it are scored\n");
        assert!(ran.code == Some(1) && ran.errors.ends_with(&end), "{ran:?}");
    }
}

#[test]
fn an_accepted_fault_is_told() {
    let folder = Folder::new();
    folder.write("game.sgf", "(;GM[1]SZ[5]KM[375];B[cc];W[];B[]");
    let ran = folder.run("score game.sgf");
    let expected = "game.sgf: offset 12: komi read as 7.5\n\
        game.sgf: offset 0: a variation that begins here lacks its )\n";
    assert_eq!((ran.code, &*ran.errors), (Some(0), expected), "{ran:?}");
    assert!(ran.out.contains("Japanese score: B+16.5\n"), "{ran:?}");
}

#[test]
fn only_a_picture_is_replaced() {
    let folder = folder();
    for _ in 0..2 {
        folder.printed("score game.sgf --svg game.svg");
    }
    let ran = folder.run("score game.sgf --svg game.sgf");
    let expected = "game.sgf: expected no file or one that begins with \"<svg xml\"";
    assert!(
        ran.errors.contains(expected) && ran.out.is_empty(),
        "{ran:?}"
    );
    assert_eq!((ran.code, &*folder.read("game.sgf")), (Some(1), GAME));
    let error = folder.refused("score game.sgf --svg no/such/game.svg");
    assert!(error.contains("game.svg"), "{error}");
}
