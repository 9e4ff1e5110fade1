//! Analyses of games on record by the tool.

use crate::support::Folder;

/// White's first move is on the edge, which loses points.
const GAME: &str = "(;GM[1]SZ[9]KM[5.5]RU[Chinese]PB[Ann]PW[Bob]RE[B+R]C[A </script>];B[ee];W[aa];B[cc];W[gc];B[gg])";

#[test]
fn help_shows_the_options() {
    insta::assert_snapshot!(Folder::new().printed("analyze --help"));
}

#[test]
fn a_game_has_values_losses_and_better_lines_in_every_form() {
    let folder = Folder::new();
    folder.write("game.sgf", GAME);
    let line = "analyze game.sgf --playouts 100 --json=game.json --sgf new.sgf --html game.html";
    insta::assert_snapshot!("terminal", folder.printed(line));
    insta::assert_snapshot!("sgf", folder.read("new.sgf"));
    let json = folder.printed("analyze game.sgf --playouts 100 --json");
    assert_eq!(json, folder.read("game.json"));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["positions"].as_array().unwrap().len(), 6);
    assert_eq!(report["positions"][1]["played"]["move"], "A9");
    let html = folder.read("game.html");
    let (_, data) = html
        .split_once("type=\"application/json\" id=\"data\">")
        .unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(data).unwrap(),
        report
    );
    // The curve has the searched positions.
    let part = folder.printed("analyze game.sgf --playouts 20 --from 2 --to 3");
    assert!(part.contains("\n     1\n"), "{part}");
    // What it wrote reads back, and is not replaced.
    let again = folder.printed("analyze new.sgf --playouts 100");
    assert!(again.contains("Black Ann - White Bob, B+R"), "{again}");
    let error = folder.refused("analyze game.sgf --sgf new.sgf");
    assert!(error.contains("new.sgf: expected a new file"), "{error}");
}

#[test]
fn the_number_of_threads_changes_no_value() {
    let folder = Folder::new();
    let columns = |row: char| format!(";B[c{row}];W[g{row}]");
    let moves = ('a'..='i').map(columns).collect::<Vec<_>>().concat();
    folder.write("game.sgf", format!("(;GM[1]SZ[9]{moves};B[];W[])"));
    let by = |threads| {
        folder.printed(&format!(
            "analyze game.sgf --playouts 20 --threads {threads}"
        ))
    };
    let one = by(1);
    assert_eq!(one, by(2));
    // The end is counted.
    assert!(one.contains(" 20  O pass   50.0 %        0\n"), "{one}");
}

#[test]
fn threads_with_unequal_shares_keep_to_the_time() {
    let folder = Folder::new();
    folder.write("game.sgf", GAME);
    // Of five positions, one thread searches three.
    let shown = folder.printed("analyze game.sgf --to 4 --time 300ms --threads 2");
    assert!(shown.contains("\n100ms a position\n"), "{shown}");
    let shown = folder.printed("analyze game.sgf --to 4 --time 100ms --threads 2");
    assert!(shown.contains("\n33ms a position\n"), "{shown}");
}

#[test]
fn what_cannot_be_analyzed_is_refused_with_the_reason() {
    let folder = Folder::new();
    folder.write("game.sgf", GAME);
    folder.write("empty.sgf", "(;GM[1]SZ[9])");
    folder.write(
        "ko.sgf",
        "(;GM[1]SZ[3]AB[ba][ab][bc]AW[bb][cb];W[ca];B[aa];B[cc];W[cc])",
    );
    for (line, expected) in [
        ("analyze no.sgf", "no.sgf: "),
        (
            "analyze game.sgf --to 6",
            "expected --from and --to among the moves 1 to 5, found 1 to 6",
        ),
        (
            "analyze empty.sgf --from 5 --time 1s",
            "expected --from and --to among the moves 1 to 0, found 5 to 0",
        ),
        (
            "analyze empty.sgf --to 10",
            "expected --from and --to among the moves 1 to 0, found 1 to 10",
        ),
        (
            "analyze ko.sgf",
            "ko.sgf: offset 55: move 4: illegal move C1",
        ),
    ] {
        let error = folder.refused(line);
        assert!(error.contains(expected), "{line}: {error}");
    }
}
