//! End-to-end tests of the program: from random play to a generation with learnt weights.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// Runs the program in a folder.
fn run(folder: &Path, line: &str) -> Output {
    command(folder, line).output().unwrap()
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_othello-train"));
    command.current_dir(folder).args(line.split_whitespace());
    command
}

/// Runs the program, which must succeed, and returns its standard output.
fn success(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line}: {error}");
    assert_eq!(error, "", "{line}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program, which must fail, and returns its standard error.
fn failure(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(1), "{line}");
    String::from_utf8(output.stderr).unwrap()
}

/// Returns a folder with the games `g0` and a network fitted to them, `m0`.
fn small_fit() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    success(path, "generate g0 --depth 0 --solve-from 6 --games 50");
    success(path, "fit g0 --out m0 --epochs 1 --window 2000");
    folder
}

#[test]
fn the_swing_between_depths_is_shown_and_removed() {
    let folder = small_fit();
    let folder = folder.path();
    success(folder, "quantize m0 w0 g0");
    let before = success(folder, "parity w0 --out level --games 4");
    assert!(before.starts_with("discs  games  depth 8 "), "{before}");
    assert_eq!(before.lines().count(), 10, "{before}");
    let after = success(folder, "parity level --games 4");
    // The mean of the differences between even and odd depths.
    let swing = |table: &str| {
        let swings = table.lines().skip(1).map(|line| {
            let columns = line
                .split_whitespace()
                .map(|column| column.parse().unwrap());
            let columns: Vec<f32> = columns.collect();
            let [_, _, eight, nine, ten, eleven, _] = columns[..] else {
                panic!("{line}")
            };
            (eight + ten - nine - eleven) / 2.0
        });
        let swings: Vec<f32> = swings.collect();
        swings.iter().sum::<f32>() / swings.len() as f32
    };
    let (swung, left) = (swing(&before), swing(&after));
    assert!(left.abs() < swung.abs() / 2.0, "{swung} {left}");
    let error = failure(folder, "parity g0.weights");
    assert!(error.starts_with("othello-train: g0.weights: "), "{error}");
}

#[test]
fn weights_keep_no_more_rows_than_asked_for() {
    let folder = small_fit();
    let folder = folder.path();
    let few = success(folder, "quantize m0 few g0 --max-rows 100");
    assert!(few.contains("100 of 134676 rows in "), "{few}");
}

#[test]
fn from_random_play_to_a_generation_with_learnt_weights() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g0 --depth 0 --solve-from 6 --games 200");
    let fit = "fit g0 --out m0 --epochs 2 --window 2000 --plot m0.svg";
    let text = success(folder, fit);
    assert!(
        text.contains("epoch 2: training") && text.contains("  60-63"),
        "{text}"
    );
    assert!(
        fs::read_to_string(folder.join("m0.svg"))
            .unwrap()
            .ends_with("</svg>\n")
    );
    // The fit is complete, so nothing is learnt.
    let again = success(folder, fit);
    assert!(
        !again.contains("epoch") && text.ends_with(&again),
        "{again}"
    );
    let other = failure(folder, "fit g0 --out m0 --epochs 3");
    assert!(
        other.starts_with("othello-train: m0 holds another fit: expected "),
        "{other}"
    );

    let text = success(folder, "quantize m0 w0 g0");
    assert!(text.contains(" of 134676 rows in "), "{text}");
    success(
        folder,
        "openings --weights w0 --moves 3 --depth 1 --out openings.obf",
    );
    let recipe = "--depth 1 --solve-from 6 --games 30";
    success(
        folder,
        &format!("generate {recipe} --parts g1 --shard 0/2 --weights w0"),
    );
    success(
        folder,
        &format!("generate {recipe} --parts g1 --shard 1/2 --weights w0"),
    );
    let built_in = format!("generate {recipe} --parts g1 --shard 0/2");
    let other = failure(folder, &built_in);
    assert!(
        other.contains("is of other work: expected no weights, found weights = "),
        "{other}"
    );

    let manifest = success(folder, "manifest g1");
    fs::write(folder.join("g1.toml"), manifest).unwrap();
    let text = success(folder, "verify g1.toml g1 --weights w0 --every 3");
    assert_eq!(
        text,
        "30 games match the manifest; 10 of them played again are equal\n"
    );
    success(
        folder,
        "fit g1 --out m1 --from m0 --openings openings.obf --epochs 1",
    );
    let from_weights = "fit g1 --out m3 --from w0 --prior-weight 0.7 --epochs 1";
    let text = success(folder, from_weights);
    assert!(text.contains("epoch 1: training"), "{text}");
    let again = success(folder, from_weights);
    assert!(
        !again.contains("epoch") && text.ends_with(&again),
        "{again}"
    );
    let whole = fs::read(folder.join("w0")).unwrap();
    fs::write(folder.join("short"), &whole[..whole.len() - 1]).unwrap();
    let short = failure(folder, "fit g1 --out m4 --from short --epochs 1");
    assert!(
        short.starts_with("othello-train: short: expected "),
        "{short}"
    );
    fs::write(folder.join("exact.txt"), "neither").unwrap();
    let neither = failure(folder, "fit g1 --out m2 --from exact.txt --epochs 1");
    assert!(
        neither.starts_with(
            "othello-train: exact.txt: expected a model, which begins with OTHMODEL, or"
        ),
        "{neither}"
    );
    let text = success(folder, "suite g0 --empties 6 --count 3 --out exact.obf");
    assert_eq!(text, "3 problems in exact.obf\n");
}

#[test]
fn a_shard_is_reproduced_from_its_manifest_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "--depth 1 --solve-from 6 --games 30";
    for shard in ["0/2", "1/2"] {
        let line = format!("generate {recipe} --parts g --shard {shard}");
        success(folder, &line);
    }
    // As if the first had been stopped early.
    let path = folder.join("g/seed1-0of2.games");
    let text = fs::read_to_string(&path).unwrap();
    let begun: String = text.split_inclusive('\n').take(10).collect();
    fs::write(folder.join("g/seed1-0of2.games.begun"), begun).unwrap();
    fs::remove_file(&path).unwrap();
    let manifest = success(folder, "manifest g");
    fs::write(folder.join("g.toml"), &manifest).unwrap();
    for (shard, file) in [
        ("1/2", "seed1-1of2.games"),
        ("0/2", "seed1-0of2.games.begun"),
    ] {
        success(folder, &format!("reproduce g.toml again --shard {shard}"));
        let shard = |of: &str| fs::read(folder.join(of).join(file)).unwrap();
        assert_eq!(shard("g"), shard("again"));
    }
    let text = success(folder, "verify g.toml again --every 5");
    assert_eq!(
        text,
        "24 games match the manifest; 5 of them played again are equal\n"
    );
    let whole = failure(folder, "reproduce g.toml again");
    let expected = "othello-train: g.toml: expected a shard 0/1, found 0/2, 1/2\n";
    assert_eq!(whole, expected);
    let twice = failure(folder, "fit again g --out m --epochs 1");
    assert!(
        twice.contains("seed1-0of2.games.begun has games of again"),
        "{twice}"
    );
    let player = manifest.find("player = \"").unwrap() + 10;
    let other = format!("{}00000000{}", &manifest[..player], &manifest[player + 8..]);
    fs::write(folder.join("other.toml"), other).unwrap();
    let other = failure(folder, "reproduce other.toml again --shard 1/2");
    assert!(
        other.contains(
            "plays differently from that of the manifest: expected signature 00000000, found "
        ),
        "{other}"
    );
}

#[test]
fn files_of_another_kind_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g --depth 0 --solve-from 4 --games 100");
    success(folder, "fit g --out m --epochs 1 --rate 1e8");
    let whole = fs::read(folder.join("m")).unwrap();
    let large = failure(folder, "quantize m w g");
    assert!(large.starts_with("othello-train: m: expected "), "{large}");
    success(folder, "fit g --out n --epochs 1");
    let games = fs::read(folder.join("g/seed1-0of1.games")).unwrap();
    for taken in ["m", "g/seed1-0of1.games"] {
        let error = failure(folder, &format!("quantize n {taken} g"));
        assert!(
            error.contains(": expected no file or one that begins with "),
            "{error}"
        );
    }
    // Before the work.
    let drawn = failure(folder, "fit g --out new --epochs 1 --plot m");
    assert!(
        drawn.starts_with("othello-train: m: expected no file "),
        "{drawn}"
    );
    let model = failure(folder, "fit g --out g/seed1-0of1.games --epochs 1");
    assert!(model.contains("begins with \"OTHMODEL\""), "{model}");
    let folderless = failure(folder, "fit g --out none/new --epochs 1");
    assert!(
        folderless.ends_with("none/new: expected a file in a folder that exists\n"),
        "{folderless}"
    );
    assert!(!folder.join("new").exists() && !folder.join("new.lock").exists());
    assert_eq!(fs::read(folder.join("m")).unwrap(), whole);
    assert_eq!(fs::read(folder.join("g/seed1-0of1.games")).unwrap(), games);
}

#[test]
fn a_fit_to_a_shard_that_grows_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g --depth 0 --solve-from 4 --games 100");
    let path = folder.join("g/seed1-0of1.games");
    let begun = folder.join("g/seed1-0of1.games.begun");
    let whole = fs::read_to_string(&path).unwrap();
    let first: String = whole.split_inclusive('\n').take(1 + 60).collect();
    fs::write(&begun, first).unwrap();
    fs::remove_file(&path).unwrap();
    let fit = "fit g --out m --epochs 1 --hold-out 4";
    let lock = fs::File::create(folder.join("m.lock")).unwrap();
    lock.lock().unwrap();
    let error = failure(folder, fit);
    assert_eq!(error, "othello-train: m: another process is fitting it\n");
    drop(lock);
    let text = success(folder, fit);
    fs::write(&path, &whole).unwrap();
    fs::remove_file(&begun).unwrap();
    // The fit is complete, so nothing is learnt.
    let again = success(folder, fit);
    assert!(
        !again.contains("epoch") && text.ends_with(&again),
        "{again}"
    );
    // Its errors are measured on the games held out of the fit.
    let quantized = success(folder, "quantize m w g");
    let samples = text.lines().last().unwrap().split_whitespace().nth(1);
    let expected = format!(", {} samples", samples.unwrap());
    assert_eq!(quantized.matches(&expected).count(), 2, "{quantized}");
    let other = failure(folder, "quantize m w g --hold-out 3");
    assert!(
        other.ends_with("expected --hold-out 4, with which m is fitted, found 3\n"),
        "{other}"
    );
    success(
        folder,
        "generate h --depth 0 --solve-from 4 --games 61 --seed 2",
    );
    let other = failure(folder, "quantize m w h");
    assert!(
        other.contains("expected the games that m is fitted to, with the checksum "),
        "{other}"
    );
}

#[test]
fn a_fit_without_held_out_games_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g --depth 0 --solve-from 4 --games 3");
    let text = success(folder, "fit g --out m --epochs 1 --hold-out 4000000000");
    assert!(
        text.contains("; held out no samples\n") && text.contains("    all          0  "),
        "{text}"
    );
    let text = success(folder, "quantize m w g");
    assert!(text.contains("before  no samples\n"), "{text}");
    assert!(!text.contains("NaN"), "{text}");
    let none = run(folder, "fit g --out n --epochs 0");
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn searches_of_several_shards_are_fitted_together() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g0 --depth 0 --solve-from 6 --games 40");
    let line = "calibrate searches g0 --hold-out 2 --searches 24";
    let none = success(folder, &format!("{line} --shard 0/2 --for 0s"));
    assert!(
        none.starts_with("0 searches, 0 of them to the end\n"),
        "{none}"
    );
    let few = failure(folder, &format!("{line} --shard 0/2 --for 0s --out fit.rs"));
    assert!(
        few.ends_with("expected at least 5 searches to the end for a fit, found 0\n"),
        "{few}"
    );
    let half = success(folder, &format!("{line} --shard 0/2"));
    assert!(half.starts_with("12 searches, "), "{half}");
    let other = failure(
        folder,
        &line.replace("--hold-out 2 --searches 24", "--hold-out 3 --searches 5"),
    );
    assert!(
        other.contains("is of other work: expected hold_out = 3, 5 items, found "),
        "{other}"
    );
    let all = success(folder, &format!("{line} --shard 1/2 --out fit.rs"));
    assert!(
        all.starts_with("24 searches, ") && all.contains("\n     8       4  "),
        "{all}"
    );
    let source = fs::read_to_string(folder.join("fit.rs")).unwrap();
    assert!(
        source.starts_with("//! Made by `othello-train calibrate` from 24 searches with the "),
        "{source}"
    );
    let many = failure(folder, "calibrate searches g0 --searches 9999");
    assert!(many.contains("expected 9999 positions, but the held-out games have "));
}

#[test]
fn merged_shards_are_the_whole_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "--depth 1 --solve-from 6 --games 30";
    success(folder, &format!("generate whole {recipe}"));
    let line = |shard: u32| format!("generate {recipe} --parts pieces --shard {shard}/3");
    for shard in 0..3 {
        success(folder, &line(shard));
        let again = success(folder, &line(shard));
        assert!(
            again.starts_with("10 of 10 games; 0 new positions"),
            "{again}"
        );
    }
    let text = success(folder, "merge merged pieces");
    assert_eq!(text, "30 games of 3 shards in merged/seed1-0of1.games\n");
    let merge = format!("generate merged-again {recipe} --parts pieces --merge");
    let text = success(folder, &merge);
    assert_eq!(text, "30 games in merged-again/seed1-0of1.games\n");
    let bytes = |of: &str| fs::read(folder.join(of).join("seed1-0of1.games")).unwrap();
    assert!(bytes("merged") == bytes("whole"));
    assert!(bytes("merged-again") == bytes("whole"));
}

/// The signature of the player is computed once; afterwards the parts have it.
#[test]
fn a_complete_shard_is_left_as_it_is_without_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "generate --depth 1 --solve-from 4 --games 2 --parts p --shard 0/1";
    success(folder, line);
    let path = folder.join("p/seed1-0of1.games");
    let text = fs::read_to_string(&path).unwrap();
    // A wrong signature is taken from the part, without playing games to check it.
    let at = text.find("\"player\":\"").unwrap() + 10;
    let mut lines = String::new();
    let mut before = String::new();
    let forged = format!("{}00000000{}", &text[..at], &text[at + 8..]);
    for line in forged.lines().map(|line| &line[9..]) {
        before.extend([line, "\n"]);
        let crc32 = crc32fast::hash(before.as_bytes());
        lines.extend([&format!("{crc32:08x} "), line, "\n"]);
    }
    fs::write(&path, &lines).unwrap();
    let again = success(folder, line);
    assert!(
        again.starts_with("2 of 2 games; 0 new positions"),
        "{again}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), lines);
}

#[test]
fn merged_shards_of_a_suite_are_the_suite_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g --depth 0 --solve-from 6 --games 200");
    let line = "suite g --empties 6 --count 9 --hold-out 4 --hash 1";
    success(folder, &format!("{line} --out whole.obf"));
    for shard in 0..7 {
        for _ in 0..2 {
            let text = success(folder, &format!("{line} --parts p --shard {shard}/7"));
            let problems = if shard < 2 { 2 } else { 1 };
            let expected = format!("{problems} problems in p/suite-{shard}of7.part\n");
            assert_eq!(text, expected);
        }
    }
    let merge = format!("{line} --parts p --merge --out merged.obf");
    assert_eq!(success(folder, &merge), "9 problems in merged.obf\n");
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(bytes("merged.obf") == bytes("whole.obf"));
    // All problems are close within 64 discs, and few within none.
    let close = |discs| format!("{line} --close {discs}");
    success(folder, &format!("{} --out all.obf", close(64)));
    assert!(bytes("all.obf") == bytes("whole.obf"));
    success(
        folder,
        &format!("{} --out close.obf", close(0).replace("count 9", "count 3")),
    );
    let lines = |name| {
        bytes(name)
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::len)
            .collect::<Vec<_>>()
    };
    let shortest = |name| lines(name).into_iter().filter(|&length| length > 0).min();
    // A problem lists all its best moves.
    assert!(shortest("close.obf") > shortest("whole.obf"));
    let other = failure(
        folder,
        &format!("{} --parts p --merge --out other.obf", close(64)),
    );
    assert!(
        other.contains("suite-0of7.part is of other work: expected close = 64"),
        "{other}"
    );
}

#[test]
fn a_suite_of_records_has_a_position_of_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = "\
f5f4e3f6g4f3d3h4e6d6g3c5c6c4c3b5e7f7d7c8d8b6h3e8f8g8h5f2e1g5g6b4d2e2c2b3a3c1f1d1b1h2a4a5b2a1a2g1h1g2c7b7a8a6b8a7h8g7h7h6
f5f4f3g4g3f6f7d6h5g6e6e7d8f8h6g5h4g7e3d3c2g8e8d7c8c7b6h3c4d2c5e2e1c6f2b4h8a6c1d1b3c3a5f1a7b1b7b5a4a3a2a8b8a1b2h2h1h7g2g1
f5f6e6d6f7e3d7e7d8c8c6e8c5c4f8g8c7b4d3b5f3g6b7f2e2e1f4g5g3g4h6b8b3d2h5a8h4c3c2c1b2a4a3h2h3h7a5b6d1f1g7a6g2b1a1a2a7h8g1h1
";
    fs::write(folder.join("games.txt"), games).unwrap();
    let scores = |line: &str| {
        success(folder, line);
        let text = fs::read_to_string(folder.join("s.obf")).unwrap();
        fs::remove_file(folder.join("s.obf")).unwrap();
        fs::remove_dir_all(folder.join("s.obf.parts")).unwrap();
        text
    };
    let exact = scores("suite games.txt --empties 19 --count 3 --out s.obf");
    assert_eq!(exact.lines().count(), 3, "{exact}");
    // The positions come from the games, at every confidence.
    let boards = |text: &str| -> Vec<String> {
        let boards = text
            .lines()
            .map(|line| line.split(';').next().unwrap().to_owned());
        boards.collect()
    };
    let probable = scores("suite games.txt --empties 19 --count 3 --confidence 79 --out s.obf");
    assert_eq!(boards(&probable), boards(&exact));
    let every = scores("suite games.txt --empties 19 --count 1 --every 3 --out s.obf");
    assert_eq!(boards(&every), boards(&exact)[2..]);
    let too_few = failure(folder, "suite games.txt --empties 19 --count 4 --out s.obf");
    assert!(
        too_few.contains("expected 4 such positions with 19 empty squares, but the games have 3"),
        "{too_few}"
    );
    let last = games.rfind('\n').unwrap() - 2;
    fs::write(folder.join("games.txt"), format!("{}f5\n", &games[..last])).unwrap();
    let damaged = failure(folder, "suite games.txt --empties 19 --count 3 --out s.obf");
    assert!(damaged.contains("games.txt: game 3, "), "{damaged}");
    fs::write(folder.join("none.txt"), "neither").unwrap();
    let none = failure(folder, "suite none.txt --empties 19 --count 3 --out s.obf");
    assert!(none.starts_with("othello-train: none.txt: "), "{none}");
}

#[test]
fn a_model_of_human_play_is_fitted_to_the_same_bit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "f5f4e3f6g4f3d3h4e6d6g3c5c6c4c3b5e7f7d7c8d8b6h3e8f8g8h5f2e1g5g6b4d2e2c2b3a3c1f1d1b1h2a4a5b2a1a2g1h1g2c7b7a8a6\
                b8a7h8g7h7h6\n";
    fs::write(folder.join("games.txt"), game.repeat(25)).unwrap();
    let fit = |out: &str| {
        let options = "--searched 2 --predicted 2 --compared 1";
        success(folder, &format!("people games.txt {options} --out {out}"))
    };
    let told = fit("a");
    assert!(
        told.starts_with("25 games, 1 players with a rating, whose intervals of 95 % are ±"),
        "{told}"
    );
    assert!(
        told.contains("a book of 25 positions and 25 moves"),
        "{told}"
    );
    assert_eq!(fit("b"), told);
    let file = |name| fs::read(folder.join(name)).unwrap();
    assert_eq!(file("a"), file("b"));
    let measured = success(
        folder,
        "levels --model a --level beginner --games 2 --every 20",
    );
    assert!(measured.contains("against corners"), "{measured}");
    fs::write(folder.join("a"), "neither").unwrap();
    let wrong = failure(folder, "levels --model a");
    assert!(
        wrong.contains("a: expected a model of human play"),
        "{wrong}"
    );
}

#[test]
fn a_game_is_stopped_after_the_maximum_running_time() {
    let folder = tempfile::tempdir().unwrap();
    let line = "generate g --depth 60 --solve-from 60 --games 1 --for 100ms";
    let text = success(folder.path(), line);
    assert!(text.starts_with("0 of 1 games; "), "{text}");
}

#[test]
fn a_torn_shard_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    success(folder, "generate g --depth 0 --solve-from 0 --games 100");
    let shard = folder.join("g/seed1-0of1.games");
    let whole = fs::read(&shard).unwrap();
    fs::write(&shard, &whole[..whole.len() / 2]).unwrap();
    let output = run(folder, "fit g --out m --epochs 1");
    assert!(output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    let half = &whole[..whole.len() / 2];
    let torn = half.rsplit(|&byte| byte == b'\n').next().unwrap().len();
    assert!(torn > 0);
    let expected =
        format!("warning: g/seed1-0of1.games ends with {torn} bytes of an incomplete game");
    assert!(text.starts_with(&expected), "{text}");
}

#[cfg(unix)]
#[test]
fn endless_files_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "generate g --depth 0 --games 1 --weights /dev/zero",
        "reproduce /dev/zero g",
        "fit /dev/zero --out m",
    ] {
        let text = failure(folder.path(), line);
        assert!(text.contains("/dev/zero"), "{text}");
    }
}
