//! Parts that are started, killed, resumed, completed and damaged.

use std::{fs, path::Path, slice, sync::Barrier, thread};

use crate::common::{go_on, make, parts, shard, work};
use boardgame_files::shards::{Manifest, PartReader, Parts, Shard, ShardError, part_files};
use proptest::prelude::*;

/// The bytes of a whole part.
fn whole(of: &str, items: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, of, items).unwrap();
    fs::read(parts(folder.path()).path(shard(of))).unwrap()
}

fn read(path: &Path) -> Result<Vec<String>, ShardError> {
    PartReader::open(path)?.collect()
}

#[test]
fn the_format_is_as_documented() {
    let text = String::from_utf8(whole("1/3", 7)).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| &line[9..]).collect();
    assert_eq!(
        lines,
        [
            r#"{"format":1,"work":{"command":"square","settings":{"items":7,"seed":1}},"shard":"1/3"}"#,
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
        .open(&work(1, 9), shard("0/2"))
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
fn a_part_of_megabytes_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let open = || parts(folder.path()).open(&work(1, 3), Shard::WHOLE);
    open().unwrap().append(&"a".repeat(3 << 20)).unwrap();
    let mut part = open().unwrap();
    assert_eq!(part.records(), 1);
    go_on(&mut part, 2);
    assert!(part.is_complete());
}

/// Lines of 16 MiB can be read, and no longer ones are written.
#[test]
fn a_record_that_no_reader_accepts_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let open = || parts(folder.path()).open(&work(1, 2), Shard::WHOLE);
    // Beside the record a line has its checksum, the number of the item, two spaces and a newline.
    let longest = "a".repeat((16 << 20) - 8 - 1 - 2 - 1);
    let mut part = open().unwrap();
    let error = part.append(&format!("{longest}a")).unwrap_err().to_string();
    let expected = "expected a line of at most 16777216 bytes for item 0, found 16777217";
    assert!(error.ends_with(expected), "{error}");
    part.append(&longest).unwrap();
    part.append("1").unwrap();
    let records = read(part.path()).unwrap();
    assert!(records == [longest, "1".into()]);
}

#[test]
fn a_part_that_is_completed_while_it_is_read_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut part = parts(folder.path())
        .open(&work(1, 6000), Shard::WHOLE)
        .unwrap();
    go_on(&mut part, 5000);
    let begun = parts(folder.path()).begun_path(Shard::WHOLE);
    let mut reader = PartReader::open_one_of(&begun, 1000).unwrap();
    assert_eq!(reader.next().unwrap().unwrap(), "0");
    go_on(&mut part, usize::MAX);
    assert!(part.is_complete() && !begun.exists());
    let rest: Result<Vec<String>, _> = reader.collect();
    assert_eq!(rest.unwrap().len(), 5999);
    let first = PartReader::open(&begun).unwrap().checksum_up_to(5000);
    let other = PartReader::open(part.path()).unwrap().checksum_up_to(5000);
    assert_eq!(first.unwrap(), other.unwrap());
}

#[test]
fn a_manifest_is_checked_before_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.toml");
    Manifest::check_work(&path, &work(1, 5)).unwrap();
    assert!(!path.exists());
    Manifest::keep(&path, &work(1, 5)).unwrap();
    Manifest::check_work(&path, &work(1, 5)).unwrap();
    let error = Manifest::check_work(&path, &work(1, 6)).unwrap_err();
    assert!(matches!(error, ShardError::File { .. }), "{error}");
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
fn a_part_of_another_number_of_items_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "1/2", 5).unwrap();
    for (of, items) in [("1/2", 11), ("1/2", 3), ("0/2", 6)] {
        let error = make(folder.path(), 1, of, items).unwrap_err().to_string();
        let expected = format!("expected {items} items, found 5 items; use the options ");
        assert!(error.contains(&expected), "{error}");
    }
    assert_eq!(parts(folder.path()).files().unwrap().len(), 1);
    let mut work = work(1, 5);
    work.settings.remove("items");
    let other = tempfile::tempdir().unwrap();
    let error = parts(other.path()).open(&work, shard("0/2")).unwrap_err();
    assert!(matches!(error, ShardError::Items { .. }), "{error}");
}

#[test]
fn records_that_are_not_those_of_all_items_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    let lines = |lines: &[&str]| {
        let (mut before, mut text) = (String::new(), String::new());
        for line in lines {
            before.extend([line, "\n"]);
            let crc32 = crc32fast::hash(before.as_bytes());
            text.extend([&format!("{crc32:08x} "), *line, "\n"]);
        }
        fs::write(&path, text).unwrap();
        read(&path).map_err(|error| error.to_string())
    };
    let header = |settings: &str| {
        format!(
            r#"{{"format":1,"work":{{"command":"square","settings":{settings}}},"shard":"0/2"}}"#
        )
    };
    let [four, any] = [header(r#"{"items":4}"#), header("{}")];
    assert_eq!(lines(&[&four, "0 0", "2 4", "end 2"]).unwrap(), ["0", "4"]);
    assert_eq!(lines(&[&any, "0 0", "end 1"]).unwrap(), ["0"]);
    let error = lines(&[&four, "0 0", "end 1"]).unwrap_err();
    let expected = "line 3: expected the records of all items of the shard before the end";
    assert!(error.ends_with(expected), "{error}");
    let error = lines(&[&four, "0 0", "2 4", "4 16"]).unwrap_err();
    let expected = "line 4: expected the end after the record of the shard's last item";
    assert!(error.ends_with(expected), "{error}");
}

/// If processes start different work in one folder at the same time, at most one continues.
#[test]
fn work_that_is_begun_at_the_same_time_does_not_mix() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let start = Barrier::new(3);
        let made = thread::scope(|scope| {
            let threads = [0, 1, 2].map(|index| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    make(folder, 1, &format!("{index}/3"), 30 + index)
                })
            });
            threads.map(|thread| thread.join().unwrap())
        });
        let files = parts(folder).files().unwrap();
        let done = made.iter().filter(|made| made.is_ok()).count();
        assert!(done <= 1 && files.len() == done, "{made:?}");
        for error in made.into_iter().filter_map(Result::err) {
            assert!(matches!(error, ShardError::Other { .. }), "{error}");
        }
    }
}

/// A process that removes its part because of another's work does not take away the file that a third one writes.
#[test]
fn a_part_that_is_opened_is_at_its_path() {
    for _ in 0..100 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let start = Barrier::new(4);
        thread::scope(|scope| {
            for (seed, of) in [(1, "0/2"), (1, "0/2"), (1, "0/2"), (2, "1/2")] {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    for _ in 0..5 {
                        let opened = parts(folder).open(&work(seed, 30), shard(of));
                        match opened {
                            Ok(mut part) => go_on(&mut part, usize::MAX),
                            // The third concerns a file that is just being created.
                            Err(
                                ShardError::Locked { .. }
                                | ShardError::Other { .. }
                                | ShardError::NoPart { .. },
                            ) => {}
                            Err(error) => panic!("{error:?}"),
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn a_folder_that_is_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "").unwrap();
    let error = make(&path, 1, "0/1", 3).unwrap_err().to_string();
    assert!(
        error.starts_with("expected a folder at ") && error.ends_with("file, found another file"),
        "{error}"
    );
}

#[test]
fn a_second_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = || parts(folder.path()).open(&work(1, 3), Shard::WHOLE);
    let part = open().unwrap();
    let error = open().unwrap_err();
    assert!(matches!(error, ShardError::Locked { .. }), "{error}");
    drop(part);
    open().unwrap();
}

#[test]
fn a_process_that_comes_late_finds_the_part_complete() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), 1, "0/1", 3).unwrap();
    // As if it had created the file just before the other renamed its own to the final name.
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
            error.contains(&format!(
                "squares-0of2.txt is of other work: expected seed = {found}, found seed = 1; use"
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
        error.contains("squares-1of2.txt is of other work: expected shard 1/2, found shard 0/2; "),
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
            assert!(
                matches!(error, ShardError::NoPart { .. }),
                "{text}: {error}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            let error = read(&path).unwrap_err();
            assert!(
                matches!(error, ShardError::NoPart { .. }),
                "{text}: {error}"
            );
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
    assert!(matches!(error, ShardError::NoPart { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A kill leaves a prefix of the file, possibly complete but without its final name.
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
            go_on(&mut parts.open(&work(1, items), shard).unwrap(), more);
        }
        go_on(&mut parts.open(&work(1, items), shard).unwrap(), usize::MAX);
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
