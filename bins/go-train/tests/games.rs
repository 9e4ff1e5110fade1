//! Games from their generation to fitted weights, with their manifest.
#![forbid(unsafe_code)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// Options for short games.
const QUICK: &str = "--size 3 --playouts 20";

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-train"));
    let command = command.current_dir(folder).args(line.split_whitespace());
    command.output().unwrap()
}

#[track_caller]
fn success(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn failure(folder: &Path, line: &str, code: i32) -> String {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn merged_shards_are_the_whole_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, &format!("generate whole --games 9 {QUICK}"));
    for shard in 0..7 {
        let line = format!("generate --games 9 --parts shards --shard {shard}/7 {QUICK}");
        success(folder, &line);
        let again = success(folder, &line);
        assert!(again.contains(" games; 0 new positions"), "{again}");
    }
    let text = success(folder, "merge merged shards");
    assert_eq!(text, "9 games of 7 shards in merged/seed1-0of1.games\n");
    let bytes = |of: &str| fs::read(folder.join(of).join("seed1-0of1.games")).unwrap();
    assert!(bytes("merged") == bytes("whole"));
    let merge = format!("generate again --games 9 --parts shards --merge {QUICK}");
    let text = success(folder, &merge);
    assert_eq!(text, "9 games in again/seed1-0of1.games\n");
    assert!(bytes("again") == bytes("whole"));
    let other = merge.replace("--games 9", "--games 10");
    let error = failure(folder, &other, 1);
    let expected = "is of other work: expected 10 items, found 9 items";
    assert!(error.contains(expected), "{error}");
    fs::remove_file(folder.join("shards/seed1-3of7.games")).unwrap();
    let error = failure(folder, "merge more shards", 1);
    assert_eq!(
        error,
        "go-train: expected parts of all shards, found none of 3/7\n"
    );
}

#[test]
fn a_manifest_tells_whether_games_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, &format!("generate g --games 3 {QUICK}"));
    let manifest = success(folder, "manifest g");
    assert!(
        manifest.starts_with(
            "command = \"go-train generate\"\n\n[settings]\nitems = 3\nlines = 3\nplayouts = "
        ) && manifest.contains("\n[[shards]]\nshard = \"0/1\"\nrecords = 3\ncrc32 = \""),
        "{manifest}"
    );
    fs::write(folder.join("g.toml"), &manifest).unwrap();
    // As the help promises, a game is replayed unless 0 is given.
    for (replay, again) in [("", 1), (" --replay 0", 0)] {
        let verified = success(folder, &format!("verify g.toml g{replay}"));
        let expected = format!("3 games as in the manifest, {again} of them played again\n");
        assert_eq!(verified, expected);
    }
    let verified = success(folder, "verify g.toml g --replay 2");
    assert_eq!(
        verified,
        "3 games as in the manifest, 2 of them played again\n"
    );

    fs::write(folder.join("other.weights"), "feature distance-2 2\n").unwrap();
    let error = failure(
        folder,
        "verify g.toml g --replay 1 --weights other.weights",
        1,
    );
    assert!(
        error.contains("expected weights with the checksum"),
        "{error}"
    );

    success(folder, &format!("generate h --games 3 --seed 2 {QUICK}"));
    let error = failure(folder, "verify g.toml h", 1);
    let expected = "expected seed = 1, found seed = 2";
    assert!(error.contains(expected), "{error}");
    let shard = folder.join("g/seed1-0of1.games");
    let text = fs::read_to_string(&shard).unwrap();
    fs::write(&shard, text.replacen("\"seed\":1", "\"seed\":2", 1)).unwrap();
    let error = failure(folder, "verify g.toml g", 1);
    let expected = "g/seed1-0of1.games: expected a part, which begins with a checksum";
    assert!(error.contains(expected), "{error}");
    fs::write(folder.join("g.toml"), "[recipe]\n").unwrap();
    let error = failure(folder, "verify g.toml g", 1);
    assert!(error.contains("g.toml: expected a manifest: "), "{error}");
}

#[test]
fn a_run_stops_after_its_time_and_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = success(folder, &format!("generate g --games 3 --for 0s {QUICK}"));
    assert!(text.starts_with("0 of 3 games; 0 new positions"), "{text}");
    assert!(folder.join("g/seed1-0of1.games.begun").exists());
    let text = success(folder, &format!("generate g --games 3 {QUICK}"));
    assert!(text.starts_with("3 of 3 games; "), "{text}");
}

#[test]
fn the_path_of_weights_is_checked_before_the_games_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("notes"), "my only notes").unwrap();
    let error = failure(folder, "fit notes none.games", 1);
    assert!(
        error.contains("notes: expected no file or one that begins with "),
        "{error}"
    );
    let error = failure(folder, "fit none/w none.games", 1);
    assert!(
        error.contains("none/w: expected a file in a folder that exists"),
        "{error}"
    );
}

#[test]
fn weights_are_fitted_to_games_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, &format!("generate g --games 4 {QUICK}"));
    let fitted = success(
        folder,
        "fit new.weights g --rounds 1 --hold-out 2 --answers",
    );
    for line in [
        "moves in the tree: ",
        "moves in the tree, held out: ",
        "answers in playouts: ",
        "answers in playouts, held out: ",
    ] {
        assert!(fitted.contains(line), "{fitted}");
    }
    success(
        folder,
        &format!("generate h --games 1 --weights new.weights {QUICK}"),
    );
    let [first, second] = ["g", "h"].map(|games| {
        let manifest = success(folder, &format!("manifest {games}"));
        let weights = manifest.lines().find(|line| line.starts_with("weights"));
        weights.unwrap().to_owned()
    });
    assert_ne!(first, second);
}

#[test]
fn errors_name_the_file_and_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let error = failure(folder, "generate g --games 1 --weights none.weights", 2);
    assert!(error.contains("none.weights: "), "{error}");
    fs::write(folder.join("a.weights"), "feature distance-5 x\n").unwrap();
    let error = failure(folder, "generate g --games 1 --weights a.weights", 2);
    let expected = "a.weights, line 1: expected a number from 1e-9 to 1e9";
    assert!(error.contains(expected), "{error}");
    let error = failure(folder, "generate --games 1 --parts g --shard 2/2", 2);
    assert!(
        error.contains("expected a shard I/N such as 0/4, with I below N"),
        "{error}"
    );
    for option in ["--sharpness", "--min-played"] {
        for number in ["nan", "inf", "-1"] {
            let error = failure(
                folder,
                &format!("fit a.weights g --answers {option}={number}"),
                2,
            );
            let expected = "expected a finite number of at least 0";
            assert!(error.contains(expected), "{error}");
        }
    }
    let error = failure(folder, "fit a.weights none.games", 1);
    assert_eq!(error.matches("os error").count(), 1, "{error}");
    success(folder, &format!("generate g --games 1 {QUICK}"));
    let error = failure(
        folder,
        &format!("generate g --games 1 {QUICK} --size 4").replacen("--size 3 ", "", 1),
        1,
    );
    let expected = "is of other work: expected lines = 4, found lines = 3";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn weights_are_fitted_to_games_of_people_and_predict_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let moves: Vec<String> = (0..60_u8)
        .map(|number| {
            let color = if number % 2 == 0 { 'B' } else { 'W' };
            let [column, row] = [number % 19, number / 19 * 2].map(|it| char::from(b'a' + it));
            format!(";{color}[{column}{row}]")
        })
        .collect();
    let moves = moves.concat();
    let games = format!("(;SZ[19]{moves})\n(;SZ[9];B[aa])\n").repeat(3);
    fs::write(folder.join("people.sgf"), games).unwrap();
    let text = success(folder, "fit w people.sgf --first 2 --every 7 --rounds 5");
    let checksum = text.find("crc32").unwrap();
    assert!(
        text.starts_with("[[sources]]\nfile = \"people.sgf\"\ncrc32 = \"")
            && text[checksum..]
                .contains("\ngames = 2\nskipped.other_size = 1\n\nmoves in the tree: 17 positions"),
        "{text}"
    );
    let likelihood = |weights: &str| {
        let table = success(folder, &format!("predict people.sgf --every 9{weights}"));
        let all = table.lines().last().unwrap().to_owned();
        assert!(all.starts_with("all              19 "), "{table}");
        all.split_whitespace()
            .last()
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    assert!(likelihood(" --weights w") > likelihood(""));
}
