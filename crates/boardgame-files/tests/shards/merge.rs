//! Merging of parts, and refusals.

use std::{fs, path::Path};

use crate::common::{go_on, make, parts, shard, work};
use boardgame_files::shards::{Manifest, Merged, PartReader, Shard, ShardError};
use proptest::prelude::*;

/// Makes the parts of all shards.
fn make_all(folder: &Path, count: u32, items: u64) {
    for index in 0..count {
        make(folder, 1, &format!("{index}/{count}"), items).unwrap();
    }
}

/// The error of the parts in a folder.
fn refused(folder: &Path) -> String {
    let files = parts(folder).files().unwrap();
    let error = Merged::read(&files, "square").unwrap_err().to_string();
    error.replace(&format!("{}/", folder.display()), "")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn merged_shards_are_the_whole_byte_for_byte(count in 1_u32..9, items in 0_u64..40) {
        let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        make(one.path(), 1, "0/1", items).unwrap();
        make_all(many.path(), count, items);
        let merged = Merged::read(&parts(many.path()).files().unwrap(), "square").unwrap();
        let squares = (0..items).map(|item| (item * item).to_string());
        let records: Result<Vec<String>, _> = merged.records().unwrap().collect();
        prop_assert!(records.unwrap().into_iter().eq(squares));
        prop_assert_eq!(merged.parts(), count as usize);

        let out = parts(&many.path().join("merged"));
        // As if a first merge had been killed.
        go_on(&mut out.open(merged.work(), Shard::WHOLE).unwrap(), 3);
        prop_assert!(merged.write(&out).unwrap().is_complete());
        let bytes = |path| fs::read(path).unwrap();
        let whole = bytes(parts(one.path()).path(Shard::WHOLE));
        prop_assert_eq!(bytes(out.path(Shard::WHOLE)), whole);
        let again = Merged::read(&out.files().unwrap(), "square").unwrap();
        prop_assert_eq!(again.work(), merged.work());
    }
}

#[test]
fn a_merged_part_with_other_records_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make_all(folder.path(), 2, 8);
    let merged = Merged::read(&parts(folder.path()).files().unwrap(), "square").unwrap();
    let out = parts(&folder.path().join("merged"));
    let mut part = out.open(&work(1, 8), Shard::WHOLE).unwrap();
    part.append("0").unwrap();
    part.append("2").unwrap();
    drop(part);
    let error = merged.write(&out).unwrap_err().to_string();
    assert!(
        error.ends_with("expected the merged records, but record 2 differs"),
        "{error}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn parts_are_not_kept_open_while_they_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    make_all(folder.path(), 30, 90);
    let merged = Merged::of(&parts(folder.path()), &work(1, 90)).unwrap();
    let records = merged.records().unwrap();
    for (number, record) in records.enumerate() {
        assert_eq!(record.unwrap(), (number * number).to_string());
        let open = fs::read_dir("/proc/self/fd").unwrap();
        let files = open.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
        assert_eq!(
            files.filter(|file| file.starts_with(folder.path())).count(),
            0
        );
    }
}

#[test]
fn a_part_that_is_changed_while_it_is_merged_is_named() {
    let folder = tempfile::tempdir().unwrap();
    make_all(folder.path(), 2, 8);
    let merged = Merged::of(&parts(folder.path()), &work(1, 8)).unwrap();
    let path = parts(folder.path()).path(shard("1/2"));
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    let records: Result<Vec<String>, _> = merged.records().unwrap().collect();
    let error = records.unwrap_err().to_string();
    assert!(
        error.ends_with("squares-1of2.txt, line 5: expected the record of the shard's next item"),
        "{error}"
    );
}

#[test]
fn parts_of_another_command_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    make_all(folder.path(), 2, 8);
    let files = parts(folder.path()).files().unwrap();
    let error = Merged::read(&files, "cube").unwrap_err().to_string();
    assert!(
        error.ends_with("squares-0of2.txt: expected parts of cube, found one of square"),
        "{error}"
    );
}

#[test]
fn very_many_missing_shards_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/4294967295", 3).unwrap();
    let error = refused(folder.path());
    assert!(error.ends_with(" and 4294967274 more"), "{error}");
}

#[test]
fn a_missing_shard_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        Merged::read(&[], "square").unwrap_err().to_string(),
        "expected parts, found none"
    );
    make_all(folder.path(), 30, 40);
    for index in [3, 7] {
        let path = parts(folder.path()).path(Shard::new(index, 30).unwrap());
        fs::remove_file(path).unwrap();
    }
    assert_eq!(
        refused(folder.path()),
        "expected parts of all shards, found none of 3/30, 7/30"
    );
    for index in 8..30 {
        let path = parts(folder.path()).path(Shard::new(index, 30).unwrap());
        fs::remove_file(path).unwrap();
    }
    let error = refused(folder.path());
    assert!(error.ends_with(", 24/30, 25/30 and 4 more"), "{error}");
}

#[test]
fn a_part_that_is_not_complete_is_named() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/2", 9).unwrap();
    let mut part = parts(folder.path())
        .open(&work(1, 9), shard("1/2"))
        .unwrap();
    go_on(&mut part, 2);
    assert_eq!(
        refused(folder.path()),
        "squares-1of2.txt.begun: expected a complete part, found one with 2 records"
    );
}

#[test]
fn parts_that_do_not_go_together_are_named() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    make(folder.path(), 1, "0/2", 9).unwrap();
    let second = parts(folder.path()).path(shard("1/2"));
    let put = |seed, of: &str, items| {
        make(other.path(), seed, of, items).unwrap();
        fs::rename(parts(other.path()).path(shard(of)), &second).unwrap();
        refused(folder.path())
    };
    assert_eq!(
        put(2, "1/2", 9),
        "squares-1of2.txt is of other work: expected seed = 1, found seed = 2"
    );
    assert_eq!(
        put(1, "1/3", 9),
        "squares-1of2.txt: expected one of 2 shards, found 1/3"
    );
    assert_eq!(
        put(1, "1/2", 7),
        "squares-1of2.txt is of other work: expected 9 items, found 7 items"
    );
    assert_eq!(
        put(1, "0/2", 9),
        "squares-1of2.txt is of shard 0/2, as is squares-0of2.txt"
    );
}

#[test]
fn a_damaged_part_is_named() {
    let folder = tempfile::tempdir().unwrap();
    make_all(folder.path(), 3, 20);
    let path = parts(folder.path()).path(shard("2/3"));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen(" 25\n", " 26\n", 1)).unwrap();
    assert_eq!(
        refused(folder.path()),
        "squares-2of3.txt, line 3: expected the checksum of the line and all before it"
    );
}

#[test]
fn merged_parts_are_checked_against_the_work_expected() {
    let folder = tempfile::tempdir().unwrap();
    let of = |seed| Merged::of(&parts(folder.path()), &work(seed, 4));
    let error = of(1).unwrap_err().to_string();
    assert!(error.ends_with(": expected parts, found none"), "{error}");
    make_all(folder.path(), 2, 4);
    assert_eq!(of(1).unwrap().items(), 4);
    let ShardError::Mixed { path, difference } = of(2).unwrap_err() else {
        panic!("expected other work")
    };
    assert_eq!(path, parts(folder.path()).path(shard("0/2")));
    assert_eq!(difference.to_string(), "expected seed = 2, found seed = 1");
    let none = parts(&folder.path().join("none"));
    let error = Merged::of(&none, &work(1, 4)).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot use ") && error.ends_with("none"),
        "{error}"
    );
}

#[test]
fn a_manifest_reads_back_and_names_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/2", 9).unwrap();
    let mut part = parts(folder.path())
        .open(&work(1, 9), shard("1/2"))
        .unwrap();
    go_on(&mut part, 1);
    let of = || Manifest::of(&parts(folder.path()).files().unwrap(), PartReader::checksum);
    let manifest = of().unwrap();
    assert_eq!(Manifest::parse(&manifest.to_string()).unwrap(), manifest);
    assert_eq!(manifest.records(), 6);
    manifest.check(&of().unwrap()).unwrap();
    go_on(&mut part, 1);
    let error = manifest.check(&of().unwrap()).unwrap_err().to_string();
    assert_eq!(
        error,
        "not as in the manifest: expected records = 1, found records = 2"
    );
    make(folder.path(), 1, "1/4", 9).unwrap_err();
    drop(part);
    let begun = parts(folder.path()).begun_path(shard("1/2"));
    fs::rename(&begun, parts(folder.path()).path(shard("3/4"))).unwrap();
    fs::copy(parts(folder.path()).path(shard("3/4")), begun).unwrap();
    let error = of().unwrap_err();
    assert!(matches!(error, ShardError::Common { .. }), "{error}");
}

#[test]
fn a_manifest_is_written_once_and_then_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("work.toml");
    for _ in 0..2 {
        Manifest::keep(&path, &work(1, 9)).unwrap();
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = Manifest::keep(&path, &work(2, 9)).unwrap_err().to_string();
    assert!(
        error.ends_with("work.toml: not as in the manifest: expected seed = 1, found seed = 2"),
        "{error}"
    );
    let error = Manifest::keep(&path, &work(1, 7)).unwrap_err().to_string();
    assert!(
        error.ends_with("work.toml: not as in the manifest: expected 9 items, found 7 items"),
        "{error}"
    );
    fs::write(&path, "command = 1").unwrap();
    let error = Manifest::keep(&path, &work(1, 9)).unwrap_err().to_string();
    assert!(
        error.contains("work.toml: expected a manifest: "),
        "{error}"
    );
}
