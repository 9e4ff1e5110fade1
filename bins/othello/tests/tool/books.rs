//! `othello book`.

use std::fs;

use serde_json::{Value, json};

use crate::support::Folder;

/// Options of searches that take no time.
const FAST: &str = "--depth 3 --threads 1 --hash 1";

/// Lines with more positions than a round searches.
const LINES: [&str; 7] = [
    "f5d6c4d3c3f4f6f3e6e7d7g6f8f7g5h6h4g4",
    "f5d6c5f4e3c6d3f6e6d7g3c4b4b3g5a4f7f3",
    "f5d6c4g5c6c5f6f4e6f7g3d7e7b6b5e8h6h4",
    "f5d6c4d3c3f4c5b3c2b4c6d2e6b5e3f3g4b6",
    "f5d6c4d3c3f4e6b3e2c5c6e3d2f6f3c2b4e1",
    "f5d6c4g5c6c5d7d3b4c3e3b5a4f2c2a6f6b6",
    "f5d6c4d3c3f4f6f3e3b4b5e6e7f2e2g5g6e1",
];

/// A folder with a book of 20 positions.
fn with_book() -> Folder {
    let folder = Folder::new();
    let built = folder.printed(&format!("book build a.book --positions 20 {FAST}"));
    assert!(
        built.starts_with("a.book: 20 positions, 20 of them new; the start is worth"),
        "{built}"
    );
    folder
}

#[test]
fn games_and_lines_come_into_a_book() {
    let folder = with_book();
    folder.write("games", "f5d6c3d3c4f4\nf5f6e6f4g5\nf5d6c3d3c4f4c5\n");
    let learned = folder.printed(&format!(
        "book learn a.book games --plies 6 --min-games 2 {FAST}"
    ));
    assert!(learned.contains("of them new; the start is worth"));
    assert!(folder.run("book show a.book f5d6c3d3c4f4").code == Some(0));
    let unknown = folder.run("book show a.book f5d6c3d3c4f4c5");
    assert!(unknown.errors.contains("not in the book"), "{unknown:?}");
    folder.printed(&format!("book add a.book f5d6c3d3c4f4c5 {FAST}"));
    assert!(folder.run("book show a.book f5d6c3d3c4f4c5").code == Some(0));
}

/// Works on b.book by rounds of two shards until none is left; returns the number of rounds.
fn by_shards(folder: &Folder, work: &str) -> usize {
    let run = |division: &str| folder.run(&format!("{work} --parts parts {division}"));
    for round in 1.. {
        for shard in 0..2 {
            let ran = run(&format!("--shard {shard}/2"));
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
        let ran = run("--merge");
        if ran.code == Some(0) {
            assert!(ran.out.ends_with("; complete\n"), "{ran:?}");
            return round;
        }
        assert_eq!(ran.code, Some(3), "{ran:?}");
        // The parts of the round before do not belong to the next one.
        let none = run("--merge");
        assert!(
            none.code == Some(1) && none.errors.contains(": expected parts, found none"),
            "{none:?}"
        );
    }
    unreachable!("a round is the last")
}

#[test]
fn a_book_made_by_shards_is_that_of_one_process() {
    let folder = with_book();
    folder.write("games", LINES.join("\n"));
    fs::copy(folder.path("a.book"), folder.path("b.book")).unwrap();
    let is_same =
        || fs::read(folder.path("a.book")).unwrap() == fs::read(folder.path("b.book")).unwrap();
    for (command, options, rounds) in [
        ("build", "--positions 22 --depth 3 --loss-per-ply 0.1", 2),
        ("learn", "games --depth 2", 2),
        ("deepen", "--depth 5", 2),
        ("deepen", "--depth 5", 1),
    ] {
        let line = |book: &str| format!("book {command} {book} {options} --threads 1 --hash 1");
        folder.printed(&line("a.book"));
        assert_eq!(by_shards(&folder, &line("b.book")), rounds, "{command}");
        assert!(is_same(), "{command}");
    }
    let learn = "book learn b.book games --plies 18 --depth 2 --threads 1 --hash 1 --parts parts";
    assert_eq!(folder.run(&format!("{learn} --shard 0/1")).code, Some(0));
    let other = learn.replace("18", "17");
    let refused = folder.refused(&format!("{other} --merge"));
    assert!(refused.contains("questions"), "{refused}");
}

#[test]
fn less_loss_per_ply_makes_longer_lines() {
    let folder = with_book();
    let last_ply = |book: &str, options: &str| -> u32 {
        let build = format!("book build {book} --positions 40 {FAST} {options}");
        folder.printed(&build);
        let stats = folder.printed(&format!("book stats {book}"));
        stats.split_whitespace().last().unwrap().parse().unwrap()
    };
    assert!(last_ply("b.book", "--loss-per-ply 0.05") > last_ply("c.book", "--max-loss 4.0"));
}

#[test]
fn books_are_merged_unless_their_weights_differ() {
    let folder = with_book();
    folder.printed(&format!("book add b.book f5f6e6f4g5d6e7f7 {FAST}"));
    let before = fs::read(folder.path("a.book")).unwrap();
    let merge = format!("book merge a.book b.book -o c.book {FAST}");
    assert!(folder.printed(&merge).starts_with("c.book: "));
    assert_eq!(fs::read(folder.path("a.book")).unwrap(), before);
    for line in ["f5", "f5f6e6f4g5d6e7f7"] {
        assert!(folder.run(&format!("book show c.book {line}")).code == Some(0));
    }

    let mut other = fs::read(folder.path("b.book")).unwrap();
    other[12] ^= 1;
    let checksum = crc32fast::hash(&other[..20]).to_le_bytes();
    other[20..24].copy_from_slice(&checksum);
    fs::write(folder.path("b.book"), other).unwrap();
    let refused = folder.run(&merge);
    assert!(
        refused.code == Some(1)
            && refused
                .errors
                .contains("b.book: expected a book of the weights"),
        "{refused:?}"
    );
}

#[test]
fn a_book_is_checked_deepened_and_cut() {
    let folder = with_book();
    let stats = |book: &str| -> Value {
        serde_json::from_str(&folder.printed(&format!("book stats {book} --json"))).unwrap()
    };
    let verify = format!(
        "book verify a.book --sample 5 {} --json",
        FAST.replace('3', "6")
    );
    let verified: Value = serde_json::from_str(&folder.printed(&verify)).unwrap();
    assert_eq!(verified["searched"], 5);
    assert_eq!(verified["start"], stats("a.book")["start"]);
    let change = &verified["changes"][0];
    let size = change["found"].as_f64().unwrap() - change["value"].as_f64().unwrap();
    assert!((size.abs() - verified["max_change"].as_f64().unwrap()).abs() < 1e-9);
    assert!(
        change["line"].as_str().unwrap().starts_with("f5"),
        "{change}"
    );
    // The same positions are chosen again, and others with another seed.
    assert_eq!(
        serde_json::from_str::<Value>(&folder.printed(&verify)).unwrap(),
        verified
    );
    let other = folder.printed(&format!("{verify} --seed 1"));
    assert_ne!(serde_json::from_str::<Value>(&other).unwrap(), verified);

    folder.printed(&format!("book deepen a.book {}", FAST.replace('3', "6")));
    let deep = stats("a.book");
    for leaves in deep["leaves"].as_array().unwrap() {
        assert!(leaves["source"]["depth"].as_u64() >= Some(5), "{leaves}");
    }
    let pruned = folder.printed("book prune a.book --positions 8 -o small.book");
    assert_eq!(pruned, "small.book: 8 positions; 12 dropped\n");
    assert_eq!(stats("small.book")["start"], deep["start"]);

    let lines = folder.printed("book lines a.book f5d6 -n 3 --json");
    let lines: Vec<Value> = serde_json::from_str(&lines).unwrap();
    assert_eq!((lines.len(), &lines[0]["loss"]), (3, &0.0.into()));
    let is_ours = |line: &Value| line["moves"].as_str().unwrap().starts_with("f5d6");
    assert!(lines.iter().all(is_ours), "{lines:?}");
}

#[test]
fn a_book_of_other_programs_is_read_and_written() {
    let folder = Folder::new();
    folder.write("lines.txt", "f5d6c3 1.5\nf5d6 -2\nf5d6c5 -1\nf5f6 3\n");
    let printed = folder.printed("book import lines.txt -o a.book");
    assert_eq!(
        printed,
        "a.book: 3 positions; the start is worth +1.50; values changed to agree: 1, by at most 3.50; \
         moves left out for better ones: 1\n"
    );
    folder.printed("book export a.book --output a.dat");
    folder.printed("book export a.book --output a --format egaroucid");
    let whole = "b.book: 3 positions; the start is worth +2.00\n";
    assert_eq!(folder.printed("book import a.dat -o b.book"), whole);
    assert_eq!(
        folder.printed("book import a --format egaroucid -o b.book"),
        whole
    );
    folder.check_refusals(&[
        (
            "book import a -o b.book",
            1,
            "a: expected the extension .dat, .egbk3, .txt or .json, or --format",
        ),
        (
            "book import lines.txt --format edax -o b.book",
            1,
            "lines.txt: offset 0: expected a book of Edax (`XADEKOOB`)",
        ),
        ("book build a.book", 1, "but found values of other programs"),
    ]);
}

#[test]
fn what_a_player_loses_by_leaving_a_book_is_shown() {
    let folder = with_book();
    folder.printed(&format!("book add a.book f5f6e6f4g5 {FAST}"));
    let game = |black: &str, white: &str, moves: &[&str]| {
        let sides = ["B[", "]W[", "]B[", "]W[", "]B["].into_iter();
        let moves: Vec<_> = sides.zip(moves).flat_map(|(side, mv)| [side, mv]).collect();
        format!("(;GM[Othello]PB[{black}]PW[{white}]{}];)\n", moves.concat())
    };
    let games = [
        game("Ann", "Bob", &["f5", "f6", "e6", "f4", "f3"]),
        game("Ann", "Cid", &["d3", "c3", "c4", "e3", "f4"]),
        game("Bob", "Ann", &["f5", "f6", "e6", "f4", "f3"]),
    ];
    folder.write("games.ggf", games.concat());
    let prepare = "book prepare a.book games.ggf --player";
    let found: Value =
        serde_json::from_str(&folder.printed(&format!("{prepare} ann --json"))).unwrap();
    let counts = json!([
        found["games"],
        found["left_by_player"],
        found["left_by_opponents"]
    ]);
    assert_eq!(counts, json!([3, 2, 1]), "{found}");
    let moves = found["moves"].as_array().unwrap();
    let left = moves.iter().find(|mv| mv["move"] == "f3").unwrap();
    assert_eq!(
        (&left["line"], &left["games"]),
        (&"f5f6e6f4".into(), &1.into())
    );
    // The second game is the first one turned, up to its last move.
    assert_eq!(left["met"], 2);
    assert!(left["leaves"] == true && left["loss"].as_f64() >= Some(0.0));
    let text = folder.printed(&format!("{prepare} ann"));
    assert!(text.contains(" f5f6e6f4 f3"), "{text}");

    let written = folder.printed(&format!("{prepare} ann --html a.html --drills a.sgf"));
    assert_eq!(written, text);
    let page = fs::read_to_string(folder.path("a.html")).unwrap();
    let (_, data) = page.split_once("type=\"application/json\"").unwrap();
    let data = data.split_once('>').unwrap().1.split_once("</script>");
    let data: Value = serde_json::from_str(data.unwrap().0).unwrap();
    let reports = data["reports"].as_array().unwrap();
    assert_eq!(reports.len(), moves.len());
    for (report, mv) in reports.iter().zip(moves) {
        let last = report["positions"].as_array().unwrap().last().unwrap();
        assert_eq!(last["played"]["move"], mv["move"]);
        assert_eq!(last["played"]["loss"], mv["loss"]);
        let is_to_learn = mv["move"] != mv["best"];
        assert_eq!(
            report["worst"].as_array().unwrap().len(),
            usize::from(is_to_learn)
        );
    }

    // The lines that have better moves are drills, judged by the book.
    let drill = |games: &str, progress: &str, typed: &str| {
        let options = format!("--book-margin 0 --progress {progress} --json --count 1");
        let ran = folder.run_with(
            &format!("drill {games} --player ann --book a.book {options}"),
            typed,
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let lines = ran.out.lines();
        lines
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .collect::<Vec<_>>()
    };
    let asked = drill("a.sgf", "p", "answer\n");
    let better = moves.iter().filter(|mv| mv["move"] != mv["best"]);
    assert_eq!(asked[0]["found"]["games"], better.count());
    let lessons = |asked: &[Value]| asked[0]["found"]["lessons"].clone();
    assert_eq!(lessons(&asked), lessons(&drill("games.ggf", "q", "")));
    let best = asked[2]["judgement"]["good"][0]["move"].as_str().unwrap();
    let right = drill("a.sgf", "q", &format!("{best}\n"));
    assert_eq!(right[2]["judgement"]["answer"]["bound"], "exact");
    let refused = folder.run("book prepare a.book games.ggf");
    assert!(refused.errors.contains("expected --player NAME"));
    folder.check_refusals(&[(
        "book prepare a.book games.ggf --player nobody --html n.html --drills n.sgf",
        1,
        "expected games of the player from the standard start, found none",
    )]);
    assert!(!folder.path("n.html").exists() && !folder.path("n.sgf").exists());
    folder.check_refusals(&[(
        "drill a.sgf --player ann --book a.book --store s",
        2,
        "'--book <FILE>' cannot be used with '--store <FILE>'",
    )]);
}

#[test]
fn the_image_of_the_best_move_is_no_mistake() {
    let folder = Folder::new();
    folder.printed("book add a.book f5f6e6 --depth 2 --threads 1 --hash 1");
    let shown = folder.printed("book show a.book f5f6e6");
    // The position is symmetric.
    let image = if shown.ends_with("  d6  depth 2\n") {
        "f4"
    } else {
        "d6"
    };
    let game = format!("(;GM[Othello]PB[Ann]PW[Bob]B[f5]W[f6]B[e6]W[{image}];)\n");
    folder.write("games.ggf", game);
    let ran = folder.run("book prepare a.book games.ggf --player bob --json --drills a.sgf");
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let mv = &found["moves"][0];
    assert_eq!((&mv["move"], &mv["best"]), (&image.into(), &image.into()));
    assert!(ran.errors.contains("no move to learn"), "{ran:?}");
    assert!(!folder.path("a.sgf").exists());
}

#[test]
fn a_book_is_compared_with_games_and_named_openings() {
    let folder = Folder::new();
    // Four plies of one line, and a sixth that is left out.
    folder.write("lines.txt", "f5d6c3d3c4 1\nf5f6e6 -3\n");
    folder.printed("book import lines.txt -o a.book");
    folder.write("games", "f5d6c3d3c4f4\nc4e3f6e6f5b4\nf5d6c5f4\nf5f6e6\n");
    let printed = folder.printed("book stats a.book games --json");
    let stats: Value = serde_json::from_str(&printed).unwrap();
    let mut of_four =
        json!({"ply": 4, "games": 3, "games_in_book": 2, "positions": 2, "positions_in_book": 1});
    assert_eq!(stats["games"][0], of_four);
    of_four["ply"] = 8.into();
    for key in ["games", "games_in_book", "positions", "positions_in_book"] {
        of_four[key] = 0.into();
    }
    assert_eq!(stats["games"][1], of_four);
    let text = folder.printed("book stats a.book games --opening tiger");
    assert!(
        text.contains("        2  100.0 %          1  100.0 %  4\n"),
        "{text}"
    );

    assert_eq!(
        folder.printed("book lines a.book --openings"),
        " +1.00  Perpendicular  f5d6\n -3.00  Diagonal       f5f6\n"
    );
    let show = folder.printed("book show a.book f5d6c3d3");
    assert!(show.ends_with(" +1.00  c4  depth 0  Tiger\n"), "{show}");
    let lines = folder.printed("book lines a.book f5d6 -n 1");
    assert!(lines.ends_with("  f5d6c3d3c4  Tiger\n"), "{lines}");
}

#[test]
fn mistakes_with_books_are_explained() {
    let folder = with_book();
    folder.printed("book export a.book -o a.dat");
    folder.check_refusals(&[
        (
            "book show a.dat",
            1,
            "`OthBook1`); `othello book import` makes one of books of other programs",
        ),
        ("book lines a.book f5f6e6f4a8", 2, "illegal move a8"),
        ("book show a.book f5f4g3", 1, "which the moves leave with "),
        (
            "book learn b.book no-such --depth 3",
            1,
            "expected games, but found no position",
        ),
    ]);
    assert!(!folder.path("b.book").exists());
}
