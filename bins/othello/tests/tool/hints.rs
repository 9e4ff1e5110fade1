//! `othello hint`.

use crate::support::{ENDGAME, Folder};

/// Runs `hint` and gives the words of its lines that begin with a value.
fn hints(folder: &Folder, more: &str) -> Vec<Vec<String>> {
    let out = folder.printed(&format!("hint --hash 1 {more}"));
    assert!(!out.contains('\u{1b}'), "{out}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let rows = out.lines().map(words);
    rows.filter(|row: &Vec<String>| row.first().is_some_and(|word| word.starts_with(['+', '-'])))
        .collect()
}

fn values(rows: &[Vec<String>]) -> Vec<f64> {
    rows.iter().map(|row| row[0].parse().unwrap()).collect()
}

#[test]
fn every_move_has_a_value_and_the_best_have_lines() {
    let folder = Folder::new();
    let rows = hints(&folder, "f5 --moves d6 --depth 3 --best 3 --no-store");
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert!(values(&rows).is_sorted_by(|a, b| a >= b), "{rows:?}");
    for (rank, row) in rows.iter().enumerate() {
        assert_eq!(row[2..6], ["depth", "3,", "79", "%"], "{row:?}");
        // A line begins with its move.
        let line: &[String] = if rank < 3 { &row[6..] } else { &[] };
        assert_eq!(line.len(), if rank < 3 { 3 } else { 0 }, "{row:?}");
        assert!(line.first().is_none_or(|first| *first == row[1]), "{row:?}");
    }
    let rows = hints(&folder, &format!("'{ENDGAME} X' --threads auto"));
    assert_eq!(values(&rows), [6.0, -2.0, -4.0, -10.0]);
    assert!(rows.iter().all(|row| row[2] == "exact"), "{rows:?}");
}

#[test]
fn what_was_analyzed_is_found_and_what_is_found_is_kept() {
    let folder = Folder::new();
    let hint = |line: &str| folder.printed(&format!("hint --hash 1 {line}"));
    let endgame = format!("'{ENDGAME} X'");
    let solved = hint(&endgame);
    assert!(solved.contains(" exact"), "{solved}");
    assert!(!solved.contains("from the store"), "{solved}");
    let known = hint(&endgame);
    assert!(known.ends_with("from the store of analyses\n"), "{known}");
    let values = |text: &str| {
        let rows = text.lines().filter(|line| line.contains(" exact"));
        rows.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(values(&known), values(&solved));
    folder.printed("analyze f5d6c3 --depth 6");
    let deeper = hint("--moves f5d6 --depth 3");
    assert!(deeper.ends_with("from the store of analyses\n"), "{deeper}");
    let own = hint("--moves f5d6 --depth 3 --no-store");
    assert!(own.contains("depth 3"), "{own}");
}
