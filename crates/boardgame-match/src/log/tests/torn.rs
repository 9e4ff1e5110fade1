//! Ends of logs whose writer was cut off.

use super::*;

#[test]
fn blank_lines_hold_nothing() {
    let (_folder, path) = small_log();
    let text = fs::read_to_string(&path).unwrap();
    for blank in ["\n", "\r\n", " \t\n\n"] {
        let spaced = text.replace('\n', &format!("\n{blank}"));
        fs::write(&path, &spaced).unwrap();
        assert_eq!(read::<Countdown>(&path).unwrap(), small_contents());
        let (mut log, contents) = Log::<Countdown>::open(&path, &header()).unwrap();
        assert_eq!(contents, small_contents());
        log.append(&game(2)).unwrap();
        drop(log);
        assert!(fs::read_to_string(&path).unwrap().starts_with(&spaced));
        assert_eq!(read::<Countdown>(&path).unwrap().games.len(), 3);
    }
}

/// A machine that crashes may leave zeros for data that had not reached the disk.
#[test]
fn zeros_at_the_end_are_taken_away_and_no_game_with_them() {
    let (_folder, path) = small_log();
    let bytes = fs::read(&path).unwrap();
    let ends = line_ends(&bytes);
    let last = ends[2]..ends[3];
    let zeroed = |range: std::ops::Range<usize>, more: usize| {
        let mut bytes = bytes.clone();
        bytes[range].fill(0);
        bytes.extend(vec![0; more]);
        bytes
    };
    let all = small_contents().games;
    for (damaged, games, torn) in [
        (zeroed(0..0, 1), 2, Torn::Bytes(1)),
        (zeroed(0..0, 5000), 2, Torn::Bytes(5000)),
        (zeroed(last.end - 1..last.end, 9), 2, Torn::Newline),
        (zeroed(last.clone(), 0), 1, Torn::Bytes(last.len())),
        (zeroed(last.clone(), 7), 1, Torn::Bytes(last.len() + 7)),
        (
            zeroed(last.start + 30..last.end, 0),
            1,
            Torn::Bytes(last.len()),
        ),
        (
            zeroed(last.start + 30..last.end - 5, 0),
            1,
            Torn::Bytes(last.len()),
        ),
        (
            zeroed(last.start..last.end - 5, 0),
            1,
            Torn::Bytes(last.len()),
        ),
        (
            zeroed(last.start..last.end - 5, 3),
            1,
            Torn::Bytes(last.len() + 3),
        ),
    ] {
        fs::write(&path, &damaged).unwrap();
        let found = read::<Countdown>(&path).unwrap();
        assert_eq!((&found.games[..], found.torn), (&all[..games], Some(torn)));
        let (mut log, opened) = Log::<Countdown>::open(&path, &header()).unwrap();
        assert_eq!(opened, found);
        log.append(&game(9)).unwrap();
        drop(log);
        let expected = [&all[..games], &[game(9)]].concat();
        let again = read::<Countdown>(&path).unwrap();
        assert_eq!((again.games, again.torn), (expected, None));
    }
    // A log without any game yet.
    for damaged in [vec![0; 300], zeroed(20..bytes.len(), 0)] {
        fs::write(&path, &damaged).unwrap();
        drop(Log::<Countdown>::open(&path, &header()).unwrap());
        assert_eq!(read::<Countdown>(&path).unwrap(), Contents::new(header()));
    }
}

/// Cut at any byte, all whole lines survive.
#[test]
fn a_file_that_is_cut_off_keeps_its_whole_lines() {
    let (_folder, path) = small_log();
    let bytes = fs::read(&path).unwrap();
    let all = small_contents();
    let ends = line_ends(&bytes);
    for length in ends[0] - 1..bytes.len() {
        let contents = read::contents::<Countdown>(&path, &bytes[..length]).unwrap();
        let whole = ends.iter().filter(|&&end| end <= length).count();
        // A line that lacks nothing but its newline is whole.
        let lacks_newline = ends.contains(&(length + 1));
        let lines = whole + usize::from(lacks_newline);
        let games = usize::from(lines >= 2) + usize::from(lines >= 4);
        assert_eq!(contents.games, all.games[..games], "{length} bytes");
        assert_eq!(contents.limits.len(), usize::from(lines >= 3));
        let torn = match length - ends[..whole].last().unwrap_or(&0) {
            0 => None,
            _ if lacks_newline => Some(Torn::Newline),
            count => Some(Torn::Bytes(count)),
        };
        assert_eq!(contents.torn, torn, "{length} bytes");
    }
}

#[test]
fn a_file_that_was_cut_off_goes_on() {
    let (_folder, path) = small_log();
    let bytes = fs::read(&path).unwrap();
    let ends = line_ends(&bytes);
    let around_ends = ends.iter().flat_map(|end| end.saturating_sub(2)..end + 2);
    let lengths = around_ends.chain((0..bytes.len()).step_by(31));
    for length in lengths.filter(|&length| length < bytes.len()) {
        fs::write(&path, &bytes[..length]).unwrap();
        let cut = (length >= ends[0])
            .then(|| read::contents::<Countdown>(&path, &bytes[..length]).unwrap());
        let (mut log, opened) = Log::<Countdown>::open(&path, &header()).unwrap();
        if let Some(cut) = cut {
            assert_eq!(opened, cut, "{length} bytes");
        } else {
            assert_eq!(opened.torn, Torn::of(length));
            assert!(opened.games.is_empty());
        }
        log.append(&game(9)).unwrap();
        drop(log);
        let mut expected = opened;
        expected.games.push(game(9));
        expected.torn = None;
        assert_eq!(
            read::<Countdown>(&path).unwrap(),
            expected,
            "{length} bytes"
        );
    }
}

fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let ends = (1..=bytes.len()).filter(|&end| bytes[end - 1] == b'\n');
    let ends: Vec<usize> = ends.collect();
    assert_eq!(ends.len(), 4);
    ends
}
