//! `othello solve`.

use std::fs;

use crate::support::{ENDGAME, Folder};

/// FFO #40, with another score.
const TWENTY_EMPTIES: &str =
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+2;";

#[test]
fn answers_agree_with_the_problems_or_that_is_told() {
    let folder = Folder::new();
    let problem = |score: &str| format!("{ENDGAME} X; H5:{score}; G6:-2;");
    let easy = TWENTY_EMPTIES.to_owned();
    for (options, problem, code, expected) in [
        ("", problem("+6"), 0, " 0 wrong"),
        ("", String::new(), 1, ""),
        ("", problem("+8"), 1, " 1 wrong"),
        // A score that is not exact is never wrong.
        ("--confidence 79", easy.clone(), 0, "at depth 20"),
        ("--confidence 79 --wld", easy, 2, ""),
        ("--depth 0", problem("+60"), 0, "at depth 0 -"),
        ("--depth 0", problem("+60"), 0, "mean absolute error"),
        ("--wld", problem("+60"), 0, "found win  h5"),
        ("--wld", problem("-6"), 1, " 1 wrong"),
        ("--stats", problem("+6"), 0, " besides"),
    ] {
        let ran = folder.run_with(&format!("solve - --hash 1 {options}"), &problem);
        assert_eq!(ran.code, Some(code), "{options}: {ran:?}");
        assert!(ran.out.contains(expected), "{options}: {}", ran.out);
    }
    let json = folder
        .run_with("solve - --hash 1 --json", &problem("+6"))
        .out;
    assert!(!json.contains("generated"), "{json}");
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!(lines.len(), 2, "{json}");
    assert!(lines[0].contains(r#""expected":6,"expected_moves":["h5"],"score":6.0"#));
    assert!(lines[0].contains(r#""exact":true,"best":"h5""#), "{json}");
    assert!(lines[1].contains(r#""wrong":0"#), "{json}");
}

#[test]
fn merged_answers_are_the_same_whatever_the_number_of_shards() {
    let folder = Folder::new();
    let problem = |number: usize| {
        let claim = ["X; H5:+6; G6:-2;", "O;", "X; H5:+8;"][number % 3];
        format!("{ENDGAME} {claim}\n")
    };
    folder.write("problems.obf", (0..16).map(problem).collect::<String>());
    let solve = |line: &str| folder.run(&format!("solve problems.obf --hash 1 {line}"));
    let shards = |count: u32| {
        for index in 0..count {
            for _ in 0..2 {
                let told = solve(&format!("--parts p{count} --shard {index}/{count}"));
                let end = format!("p{count}/solve-{index}of{count}.part\n");
                assert!(told.code == Some(0) && told.out.ends_with(&end), "{told:?}");
            }
        }
        solve(&format!("--parts p{count} --merge"))
    };
    let seven = shards(7);
    assert_eq!(shards(1), seven);
    assert_eq!((seven.code, seven.out.lines().count()), (Some(1), 17));
    assert!(seven.out.ends_with(" nodes, 5 wrong\n"), "{}", seven.out);
    let json = solve("--parts p7 --merge --json").out;
    assert!(json.lines().all(|line| !line.contains("seconds")), "{json}");

    // Shards have one thread by default, on every machine.
    assert_eq!(solve("--parts p7 --merge --threads 1"), seven);
    fs::remove_file(folder.path("p7/solve-2of7.part")).expect("a part");
    for (options, expected) in [
        (
            "--depth 2",
            "solve-0of7.part is of other work: expected depth = 2, found no depth",
        ),
        ("--threads 2", "expected threads = "),
        ("", "found none of 2/7"),
    ] {
        let other = solve(&format!("--parts p7 --merge {options}")).errors;
        assert!(other.contains(expected), "{other}");
    }
}
