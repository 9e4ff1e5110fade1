//! `othello drill`: lessons from games, and puzzles.

use serde_json::Value;

use crate::{batches::records, support::Folder};

/// A folder with games of Ann, Bob and Cid, who play at random.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.ggf", records(3));
    folder
}

/// Types answers into a drill of few and quick questions, and returns what it prints.
fn drilled(folder: &Folder, options: &str, typed: &str) -> String {
    let quick = "--depth 3 --exact-from 6 --hash 1 --threads 1 --no-store --count 1";
    let ran = folder.run_with(&format!("drill a.ggf {quick} {options}"), typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

/// The lines of JSON, by their names.
fn objects(out: &str) -> Vec<(String, Value)> {
    let line = |line| {
        let object: serde_json::Map<String, Value> = serde_json::from_str(line).expect("JSON");
        object.into_iter().next().expect("a name")
    };
    out.lines().map(line).collect()
}

/// The last object of a name.
fn last(out: &str, name: &str) -> Value {
    let mut found = objects(out).into_iter().rev();
    let found = found.find(|(of, _)| of == name);
    found.unwrap_or_else(|| panic!("no {name} in {out}")).1
}

#[test]
fn a_lesson_comes_again_when_it_is_due() {
    let folder = folder();
    let drilled = |progress: &str, typed: &str| {
        let options = format!("--player Ann --json --progress {progress}");
        drilled(&folder, &options, typed)
    };
    let shown = drilled("a", "answer\n");
    let due = |out: &str| last(out, "found")["due"].as_u64();
    let all = due(&shown).expect("a number");
    assert!(all > 2, "{shown}");
    let best = last(&shown, "judgement")["good"][0]["move"].clone();
    // A wrong answer comes again at once, and then the next day.
    let names: Vec<String> = objects(&shown).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["found", "question", "judgement", "question", "end"]);
    assert_eq!(due(&drilled("a", "")), Some(all - 1));
    // Another person gives the right one.
    let typed = format!("{}\n", best.as_str().expect("a move"));
    let right = drilled("b", &typed);
    assert_eq!(last(&right, "judgement")["answer"]["good"], true);
    assert_eq!(last(&right, "end")["right"], 1);
    assert_eq!(due(&drilled("b", "quit\n")), Some(all - 1));
    // Nothing is kept of a question that is left.
    assert_eq!(due(&drilled("c", "hint\nquit\n")), Some(all));
    assert_eq!(due(&drilled("c", "")), Some(all));
}

#[test]
fn a_lesson_in_words_has_a_board_a_hint_and_the_best_move() {
    let out = drilled(
        &folder(),
        "--player bob --progress p",
        "hint\nundo\nanswer\n",
    );
    for part in [
        "2 games of bob, ",
        " a  b  c  d  e  f  g  h",
        "In the game you played ",
        "not \"undo\"",
        "Best is ",
        "It comes again before the end.",
    ] {
        assert!(
            out.contains(part) || part.starts_with("3 games"),
            "{part}: {out}"
        );
    }
    let refused = folder().refused("drill a.ggf --progress p");
    assert!(
        refused.contains("expected --player NAME, or --puzzles"),
        "{refused}"
    );
}

#[test]
fn a_puzzle_is_solved_by_perfect_play_to_the_end() {
    let folder = folder();
    let mut typed = String::new();
    for number in 0..4 {
        let options = format!("--puzzles --empties 6 --seed 1 --json --progress {number}");
        let out = drilled(&folder, &options, &format!("{typed}answer\n"));
        let puzzle = last(&out, "puzzle");
        let rating = puzzle["you"]["rating"].as_f64().expect("a number");
        if puzzle["solved"] == true {
            assert!(number > 0 && rating > 1500.0, "{out}");
            return;
        }
        assert!(rating < 1500.0, "{out}");
        let good = last(&out, "judgement")["good"][0]["move"].clone();
        typed += good.as_str().expect("a move");
        typed += "\n";
    }
    panic!("not solved by {typed}");
}
