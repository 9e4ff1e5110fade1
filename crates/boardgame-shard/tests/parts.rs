//! Parts that are begun, killed, resumed, completed and damaged.
#![forbid(unsafe_code)]

mod common;

use std::{fs, path::Path, slice};

use boardgame_shard::{PartError, PartReader, Parts, Shard, part_files};
use common::{go_on, make, parts, shard, work};
use proptest::prelude::*;

/// The bytes of a whole part.
fn whole(of: &str, items: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, of, items).unwrap();
    fs::read(parts(folder.path()).path(shard(of))).unwrap()
}

fn read(path: &Path) -> Result<Vec<String>, PartError> {
    PartReader::open(path)?.collect()
}

#[test]
fn the_format_is_as_documented() {
    let text = String::from_utf8(whole("1/3", 7)).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| &line[9..]).collect();
    assert_eq!(
        lines,
        [
            r#"{"format":1,"work":{"command":"square","settings":{"seed":1}},"shard":"1/3"}"#,
            "1 1",
            "4 16",
            "end 2",
        ]
    );
    let mut before = String::new();
    for line in text.lines() {
        before.extend([&line[9..], "\n"]);
        let crc32 = crc32fast::hash(before.as_bytes());
        assert_eq!(line[..9], format!("{crc32:08x} "));
    }
}

#[test]
fn a_complete_part_is_not_touched_again() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/2", 9).unwrap();
    let path = parts(folder.path()).path(shard("0/2"));
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let part = parts(folder.path())
        .open(&work(1), shard("0/2"), 9)
        .unwrap();
    assert!(part.is_complete());
    assert_eq!((part.next_item(), part.records()), (None, 5));
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(
        parts(folder.path()).files().unwrap(),
        slice::from_ref(&path)
    );
    let listed = part_files(&[folder.path().into(), path.clone()], "txt");
    assert_eq!(listed.unwrap(), [path.clone(), path]);
}

#[test]
fn the_parts_of_another_folder_have_the_same_names() {
    let parts = parts(Path::new("a"));
    for path in [parts.path(shard("3/7")), parts.begun_path(shard("3/7"))] {
        assert_eq!(Parts::like(&path, Path::new("a"), "txt"), parts);
    }
    let other = Parts::like(Path::new("b/my-squares.txt"), Path::new("a"), "txt");
    assert_eq!(other, Parts::new(Path::new("a"), "my-squares", "txt"));
}

#[test]
fn zeros_after_a_crash_are_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let begun = parts(folder.path()).begun_path(shard("0/2"));
    fs::write(&begun, [0; 130]).unwrap();
    make(folder.path(), 1, "0/2", 5).unwrap();
    assert!(parts(folder.path()).path(shard("0/2")).exists() && !begun.exists());
}

#[test]
fn a_shard_without_items_is_complete_at_once() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "6/7", 3).unwrap();
    let path = parts(folder.path()).path(shard("6/7"));
    let mut reader = PartReader::open(&path).unwrap();
    assert!(reader.next().is_none());
    assert!(reader.is_complete());
}

#[test]
fn a_part_goes_on_for_more_items() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "1/2", 5).unwrap();
    let mut part = parts(folder.path())
        .open(&work(1), shard("1/2"), 11)
        .unwrap();
    assert_eq!(part.next_item(), Some(5));
    go_on(&mut part, 1);
    drop(part);
    // Fewer items than there are records are no reason to drop any.
    let part = parts(folder.path())
        .open(&work(1), shard("1/2"), 3)
        .unwrap();
    assert_eq!((part.next_item(), part.records()), (None, 3));
    assert!(!part.is_complete());
    drop(part);
    make(folder.path(), 1, "1/2", 11).unwrap();
    let path = parts(folder.path()).path(shard("1/2"));
    assert_eq!(fs::read(path).unwrap(), whole("1/2", 11));
}

#[test]
fn a_second_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = || parts(folder.path()).open(&work(1), Shard::WHOLE, 3);
    let part = open().unwrap();
    let error = open().unwrap_err();
    assert!(matches!(error, PartError::Locked { .. }), "{error}");
    drop(part);
    open().unwrap();
}

#[test]
fn a_process_that_comes_late_finds_the_part_complete() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/1", 3).unwrap();
    // As if it had created the file just before the other gave its own the final name.
    let begun = parts(folder.path()).begun_path(Shard::WHOLE);
    fs::write(&begun, "").unwrap();
    make(folder.path(), 1, "0/1", 3).unwrap();
    assert_eq!(parts(folder.path()).files().unwrap().len(), 1);
    let path = parts(folder.path()).path(Shard::WHOLE);
    assert_eq!(fs::read(path).unwrap(), whole("0/1", 3));
}

#[test]
fn parts_of_other_work_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/2", 9).unwrap();
    for (of, found) in [("0/2", 2), ("1/2", 3)] {
        let error = make(folder.path(), found, of, 9).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!(
                "squares-0of2.txt is of other work: expected seed = {found}, found seed = 1"
            )),
            "{error}"
        );
    }
    let error = make(folder.path(), 1, "1/4", 9);
    assert!(error.is_ok(), "1/4 and 0/2 have no item in common");
    let error = make(folder.path(), 1, "0/4", 9).unwrap_err().to_string();
    assert!(
        error.ends_with("squares-0of2.txt has items of shard 0/4 too"),
        "{error}"
    );
    // A part under the name of another shard.
    let path = |of| parts(folder.path()).path(shard(of));
    fs::rename(path("0/2"), path("1/2")).unwrap();
    fs::remove_file(path("1/4")).unwrap();
    let error = make(folder.path(), 1, "1/2", 9).unwrap_err().to_string();
    assert!(
        error.ends_with("squares-1of2.txt is of other work: expected shard 1/2, found shard 0/2"),
        "{error}"
    );
}

#[test]
fn files_that_are_no_parts_are_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let line = |text: &str| {
        let crc32 = crc32fast::hash(format!("{text}\n").as_bytes());
        format!("{crc32:08x} {text}\n")
    };
    let later = line(r#"{"format":2,"work":{"command":"square","settings":{}},"shard":"0/1"}"#);
    for of in ["0/1", "0/2"] {
        for text in [
            "OTHGAMES\u{1}\0",
            "{\"recipe\":{}}\n",
            "",
            &later,
            &line("{}"),
        ] {
            let path = parts(folder.path()).path(shard(of));
            fs::write(&path, text).unwrap();
            let error = make(folder.path(), 1, "0/1", 3).unwrap_err();
            assert!(matches!(error, PartError::NoPart { .. }), "{text}: {error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            let error = read(&path).unwrap_err();
            assert!(matches!(error, PartError::NoPart { .. }), "{text}: {error}");
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_complete_part_without_its_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/1", 3).unwrap();
    let path = parts(folder.path()).path(Shard::WHOLE);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = make(folder.path(), 1, "0/1", 3).unwrap_err().to_string();
    assert!(
        error.ends_with("line 5: expected the end of a complete part"),
        "{error}"
    );
}

#[test]
fn a_line_after_the_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/1", 3).unwrap();
    let path = parts(folder.path()).path(Shard::WHOLE);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"more");
    fs::write(&path, bytes).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("line 6: expected nothing after the end"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_refused() {
    let error = read(Path::new("/dev/zero")).unwrap_err();
    assert!(matches!(error, PartError::NoPart { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A kill leaves a beginning of the file, also with its last line but without its final name.
    #[test]
    fn a_part_cut_off_anywhere_goes_on_to_the_same_bytes(
        index in 0_u32..3,
        items in 0_u64..12,
        cuts in prop::collection::vec((0.0..=1.0, 0_usize..3), 1..6),
    ) {
        let shard = Shard::new(index, 3).unwrap();
        let expected = whole(&shard.to_string(), items);
        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path());
        let (path, begun) = (parts.path(shard), parts.begun_path(shard));
        for (share, more) in cuts {
            let length = (expected.len() as f64 * share) as usize;
            if path.exists() {
                fs::remove_file(&path).unwrap();
            }
            fs::write(&begun, &expected[..length]).unwrap();
            go_on(&mut parts.open(&work(1), shard, items).unwrap(), more);
        }
        go_on(&mut parts.open(&work(1), shard, items).unwrap(), usize::MAX);
        prop_assert_eq!(fs::read(&path).unwrap(), expected);
        prop_assert!(!begun.exists());
    }

    #[test]
    fn every_changed_byte_is_found(at in 0.0..1.0, change in 1_u8..) {
        let mut bytes = whole("1/3", 20);
        let at = (bytes.len() as f64 * at) as usize;
        bytes[at] ^= change;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        fs::write(&path, &bytes).unwrap();
        let Ok(mut reader) = PartReader::open(&path) else {
            return Ok(());
        };
        // Without the last newline the part is not complete.
        prop_assert!(reader.checksum().is_err() || !reader.is_complete());
    }
}
