use std::{fs, path::PathBuf};

use super::*;
use crate::player::{Player, Recipe};

/// A folder with a shard of a few games of random moves.
struct Bench {
    _folder: tempfile::TempDir,
    path: PathBuf,
    header: Header,
    games: Vec<GameRecord>,
}

impl Bench {
    fn new(count: u64) -> Self {
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        let part = Part::new(1, 3).unwrap();
        let mut player = Player::new(&recipe);
        let header = Header {
            recipe,
            part,
            player: 7,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(header.file_name());
        let games = (0..count).map(|place| player.play(part.game(place)).unwrap());
        let bench = Self {
            _folder: folder,
            path,
            header,
            games: games.collect(),
        };
        let mut writer = bench.open().unwrap();
        for game in &bench.games {
            writer.append(game).unwrap();
        }
        bench
    }

    fn open(&self) -> Result<ShardWriter, ShardError> {
        ShardWriter::open(&self.path, &self.header)
    }

    fn read(&self) -> Result<Vec<GameRecord>, ShardError> {
        ShardReader::open(&self.path)?.collect()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    fn write(&self, bytes: &[u8]) {
        fs::write(&self.path, bytes).unwrap();
    }

    /// The error for these bytes, which is the same for a reader and a writer.
    fn refused(&self, bytes: &[u8]) -> String {
        self.write(bytes);
        let error = self.read().unwrap_err().to_string();
        let (header, _) = bytes.split_at(bytes.len().min(64));
        let header = Header::decode(header).unwrap_or(self.header);
        let written = ShardWriter::open(&self.path, &header).unwrap_err();
        assert_eq!(written.to_string(), error);
        assert_eq!(self.bytes(), bytes, "a bad shard was changed");
        error.replace(&self.path.display().to_string(), "FILE")
    }
}

#[test]
fn games_round_trip() {
    let bench = Bench::new(5);
    assert_eq!(bench.read().unwrap(), bench.games);
    assert_eq!(bench.bytes().len(), 64 + 5 * 50);
    let reader = ShardReader::open(&bench.path).unwrap();
    assert_eq!((reader.header(), reader.games()), (&bench.header, 5));
}

#[test]
fn a_shard_truncated_anywhere_is_repaired() {
    let bench = Bench::new(3);
    let whole = bench.bytes();
    for length in 0..=whole.len() {
        bench.write(&whole[..length]);
        let kept = length.saturating_sub(64) / 50;
        if length >= 64 {
            assert_eq!(bench.read().unwrap(), bench.games[..kept]);
        }
        let mut writer = bench.open().unwrap();
        assert_eq!(writer.games(), kept as u64, "{length} bytes");
        assert_eq!(writer.next_game(), 1 + 3 * kept as u64);
        for game in &bench.games[kept..] {
            writer.append(game).unwrap();
        }
        drop(writer);
        assert_eq!(bench.bytes(), whole, "{length} bytes");
    }
}

#[test]
fn a_second_writer_is_rejected() {
    let bench = Bench::new(1);
    let writer = bench.open().unwrap();
    let error = bench.open().unwrap_err();
    assert!(matches!(error, ShardError::Locked { .. }), "{error}");
    drop(writer);
    bench.open().unwrap();
}

#[test]
fn every_changed_byte_is_detected() {
    let bench = Bench::new(3);
    let whole = bench.bytes();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bench.write(&bytes);
        let error = bench.read().unwrap_err();
        match error {
            ShardError::Header { .. } => assert!(at < 64, "byte {at}: {error}"),
            ShardError::Record { offset, game, .. } => {
                let place = (at as u64 - 64) / 50;
                assert_eq!(
                    (offset, game),
                    (64 + place * 50, 1 + place * 3),
                    "byte {at}"
                );
            }
            _ => panic!("byte {at}: {error}"),
        }
    }
}

#[test]
fn errors_name_the_damage_and_its_offset() {
    let bench = Bench::new(3);
    let whole = bench.bytes();
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    assert_eq!(
        bench.refused(b"nothing of the kind"),
        "FILE: expected a shard of games, which begins with OTHGAMES"
    );
    assert_eq!(
        bench.refused(&changed(8, &[2])),
        "FILE: expected the format 1, found 2"
    );
    let error = bench.refused(&changed(16, &[9]));
    assert!(
        error.starts_with("FILE: expected the header's checksum "),
        "{error}"
    );
    // Swapped records fail their checksums.
    let error = bench.refused(&changed(64, &whole[114..164]));
    assert!(
        error.starts_with("the shard FILE, byte 64, game 1: expected the checksum "),
        "{error}"
    );
    // So do records of another shard, even with the right number.
    let recipe = Recipe {
        seed: 2,
        ..bench.header.recipe
    };
    let header = Header {
        recipe,
        ..bench.header
    };
    let error = bench.refused(&changed(0, &header.encode()));
    assert!(
        error.starts_with("the shard FILE, byte 64, game 1: expected the checksum "),
        "{error}"
    );
    let other = Header {
        player: 8,
        ..bench.header
    };
    bench.write(&whole);
    let error = ShardWriter::open(&bench.path, &other).unwrap_err();
    let text = error.to_string();
    let settings = "seed 1, depth 0, solved from 0, 8 to 40 random moves, shard 1/3";
    let expected = format!(
        "holds other games: expected {settings}, player 00000008, found {settings}, player 00000007"
    );
    assert!(text.ends_with(&expected), "{text}");
}

#[test]
fn parts_are_a_partition_of_all_games() {
    for count in 1..6 {
        for games in 0..20 {
            let mut all = Vec::new();
            for index in 0..count {
                let part = Part::new(index, count).unwrap();
                all.extend((0..part.share_of(games)).map(|place| part.game(place)));
            }
            all.sort_unstable();
            assert!(
                all.into_iter().eq(0..games),
                "{games} games in {count} parts"
            );
        }
    }
    for text in ["", "1", "4/4", "-1/4", "0/0", "1/x"] {
        assert_eq!(text.parse::<Part>(), Err(PartError), "{text}");
    }
    assert_eq!("3/4".parse::<Part>().unwrap().to_string(), "3/4");
}
