//! `othello prove` and `othello check`.

use std::fs;

use crate::support::{ENDGAME, Folder};

#[test]
fn a_proof_is_checked() {
    let folder = Folder::new();
    let prove =
        |claim: &str| format!("prove '{ENDGAME} X' --out a.proof --hash 1 --threshold 2 {claim}");
    for (options, claim) in [
        ("", "score +6"),
        ("--wld", "at least +1"),
        ("--score 6", "score +6"),
        ("--at-least -4", "at least -4"),
        ("--at-most 6", "at most +6"),
    ] {
        let told = folder.printed(&prove(options));
        assert!(!options.is_empty() || told.contains("score  +6"), "{told}");
        let told = folder.printed("check a.proof");
        let expected = format!("a.proof: proved: {ENDGAME} X: {claim}; ");
        assert!(told.starts_with(&expected), "{told}");
    }
    let told = folder.refused("check --max-nodes 9 a.proof");
    let end = ": expected a proof that takes at most 9 nodes to check\n";
    assert!(told.ends_with(end), "{told}");

    let file = fs::read(folder.path("a.proof")).expect("the proof");
    let error = folder.refused(&prove("--score 8"));
    assert!(error.contains("the score is not +8"), "{error}");
    assert!(fs::read(folder.path("a.proof")).expect("the proof before") == file);
    folder.write("a.proof", &file[..file.len() - 3]);
    let error = folder.refused("check a.proof");
    let place = format!("a.proof: refused: byte {}: the file ends", file.len() - 3);
    assert!(error.starts_with(&place), "{error}");
    assert!(folder.refused("check b.proof").contains("b.proof"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_or_written_is_named() {
    let folder = Folder::new();
    assert_eq!(
        folder.refused("check ."),
        ".: byte 0: the file cannot be read: Is a directory (os error 21)\n"
    );
    assert_eq!(
        folder.refused(&format!("prove '{ENDGAME} X' --out /dev/full --hash 1")),
        "othello: /dev/full: No space left on device (os error 28)\n"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_proof_leaves_no_file() {
    use crate::support::{Ran, await_while, signal};

    let folder = Folder::new();
    let start = "---------------------------OX------XO--------------------------- X";
    for claim in ["--hash 1", "--score 0"] {
        let mut process = folder.start(&format!("prove '{start}' --out start.proof {claim}"));
        await_while(&mut process, || folder.count() > 0);
        signal("INT", process.id());
        let ran = Ran::from(process.wait_with_output().expect("the end"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let told = "othello: interrupted: start.proof is not written\n";
        assert_eq!((&*ran.errors, folder.count()), (told, 0));
    }
}

#[test]
fn other_files_are_not_overwritten() {
    let folder = Folder::new();
    folder.write("notes", "my notes");
    let error = folder.refused(&format!("prove '{ENDGAME} X' --out notes"));
    let expected = "notes: expected no file or one that begins with \"othproof\"";
    assert!(error.contains(expected), "{error}");
    assert_eq!(folder.read("notes"), "my notes");
}

#[test]
fn shards_write_the_proofs_of_one_process() {
    let folder = Folder::new();
    let problems = ["X;", "O;", "X; H5:+6;"].map(|claim| format!("{ENDGAME} {claim}\n"));
    folder.write("suite.obf", problems.concat());
    let line = |options: &str| format!("prove suite.obf --hash 1 --threshold 2 {options}");
    let prove = |options: &str| folder.printed(&line(options));
    assert_eq!(prove("--out whole").lines().count(), 3);
    for shard in ["0/2", "1/2", "0/2"] {
        let told = prove(&format!("--out divided --parts parts --shard {shard}"));
        assert!(told.contains(" proofs in parts/prove-"), "{told}");
    }
    let merged = prove("--out divided --parts parts --merge");
    assert_eq!(merged.lines().count(), 3, "{merged}");
    for number in 1..=3 {
        let read = |name| fs::read(folder.path(&format!("{name}/{number}.proof")));
        let [whole, divided] = ["whole", "divided"].map(|name| read(name).expect("a proof"));
        assert!(whole == divided, "{number}");
    }
    let checked = folder.printed("check whole/1.proof divided/2.proof");
    assert_eq!(checked.matches(": proved: ").count(), 2, "{checked}");
    // A shard whose proofs are gone, or are others, is not complete.
    let [from, to] = ["divided/1.proof", "divided/2.proof"].map(|name| folder.path(name));
    fs::copy(from, to).expect("a copy");
    for division in ["--merge", "--shard 1/2"] {
        let told = folder.refused(&line(&format!("--out divided --parts parts {division}")));
        assert!(
            told.contains("divided/2.proof: expected the proof of "),
            "{told}"
        );
    }
    let refused = folder.refused("check suite.obf whole/1.proof");
    assert!(refused.contains("suite.obf: refused: byte "), "{refused}");
}
