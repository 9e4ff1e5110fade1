//! Games from their generation to fitted weights, with their manifest.
#![forbid(unsafe_code)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// Options of games that are over soon.
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
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, &format!("generate whole --games 4 {QUICK}"));
    let whole = fs::read(folder.join("whole/0-1.games")).unwrap();
    let lines: Vec<_> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), 5);
    // What a process that is killed leaves: a line that ends anywhere, of the header too.
    let first = lines[0].len();
    for kept in [0, first / 2, first, first + 1, whole.len() - 1] {
        fs::create_dir_all(folder.join("cut")).unwrap();
        fs::write(folder.join("cut/0-1.games"), &whole[..kept]).unwrap();
        success(folder, &format!("generate cut --games 4 {QUICK}"));
        let resumed = fs::read(folder.join("cut/0-1.games")).unwrap();
        assert!(resumed == whole, "{kept} bytes kept");
    }
}

#[test]
fn parts_are_the_games_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = |path: &str| {
        let text = fs::read_to_string(folder.join(path)).unwrap();
        let games = text.lines().skip(1).map(ToOwned::to_owned);
        games.collect::<Vec<_>>()
    };
    success(folder, &format!("generate whole --games 3 {QUICK}"));
    for part in ["0/2", "1/2"] {
        let line = format!("generate parts --games 3 --shard {part} {QUICK}");
        success(folder, &line);
    }
    let (whole, first, second) = (
        games("whole/0-1.games"),
        games("parts/0-2.games"),
        games("parts/1-2.games"),
    );
    assert_eq!(
        [&first[0], &second[0], &first[1]],
        [&whole[0], &whole[1], &whole[2]]
    );
}

#[test]
fn a_manifest_tells_whether_games_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, &format!("generate g --games 3 {QUICK}"));
    let manifest = success(folder, "manifest g");
    assert!(
        manifest.starts_with("[recipe]\nseed = 1\nlines = 3\nplayouts = 20\nweights = 0x")
            && manifest.contains("\n[[shards]]\npart = \"0/1\"\ngames = 3\ncrc32 = 0x"),
        "{manifest}"
    );
    fs::write(folder.join("g.toml"), &manifest).unwrap();
    let verified = success(folder, "verify g.toml g --replay 2");
    assert_eq!(
        verified,
        "3 games as in the manifest, 2 of them played again\n"
    );

    fs::write(folder.join("other.weights"), "feature 0 2\n").unwrap();
    let error = failure(
        folder,
        "verify g.toml g --replay 1 --weights other.weights",
        1,
    );
    assert!(
        error.contains("expected weights with the checksum"),
        "{error}"
    );

    let shard = folder.join("g/0-1.games");
    let text = fs::read_to_string(&shard).unwrap();
    fs::write(&shard, text.replacen("\"seed\":1", "\"seed\":2", 1)).unwrap();
    let error = failure(folder, "verify g.toml g", 1);
    let expected = "expected seed = 1, found seed = 2";
    assert!(error.contains(expected), "{error}");
    fs::write(folder.join("g.toml"), "[recipe]\n").unwrap();
    let error = failure(folder, "verify g.toml g", 1);
    assert!(error.contains("g.toml: expected a manifest: "), "{error}");
}

#[test]
fn weights_are_fitted_to_games_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, &format!("generate g --games 4 {QUICK}"));
    let fitted = success(folder, "fit new.weights g/0-1.games --rounds 1");
    assert!(fitted.contains(" positions\n"), "{fitted}");
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
    fs::write(folder.join("a.weights"), "feature 3 x\n").unwrap();
    let error = failure(folder, "generate g --games 1 --weights a.weights", 2);
    let expected = "a.weights, line 1: expected a number from 1e-9 to 1e9";
    assert!(error.contains(expected), "{error}");
    let error = failure(folder, "generate g --games 1 --shard 2/2", 2);
    assert!(error.contains("expected I/N with I below N"), "{error}");
    let error = failure(folder, "fit a.weights none.games", 1);
    assert_eq!(error.matches("os error").count(), 1, "{error}");
    success(folder, &format!("generate g --games 1 {QUICK}"));
    let error = failure(folder, &format!("generate g --games 1 --seed 2 {QUICK}"), 1);
    let expected = "line 1: expected the same recipe and part";
    assert!(error.contains(expected), "{error}");
}
