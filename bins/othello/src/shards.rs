//! Work divided into shards, whose parts have a record a line.

use std::{
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context as _;
use boardgame_cli::{Division, ShardOptions};
use boardgame_files::shards::{Part, Parts, Shard, Work, program_version};
use othello_engine::Settings;
use othello_match::engine::OwnWeights;
use othello_search::Searcher;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{analyze::batch::workers, output::progress_bar};

/// The work of a command that is divided.
pub(crate) struct DividedWork<'a> {
    pub(crate) options: &'a ShardOptions,
    pub(crate) division: Division<'a>,
    pub(crate) command: &'static str,
    /// The name of its items.
    pub(crate) items: &'static str,
    pub(crate) count: u64,
    /// An object with everything that decides the results but the program and the weights.
    pub(crate) settings: Value,
    /// The weights, unless they are the built-in ones.
    pub(crate) weights: Option<&'a OwnWeights>,
}

impl DividedWork<'_> {
    /// Does what is left of a shard with `fill`, or calls `take` for the records of all shards.
    pub(crate) fn run<R: DeserializeOwned>(
        mut self,
        fill: impl FnOnce(&Parts, Shard, &mut Part) -> anyhow::Result<()>,
        mut take: impl FnMut(R) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let weights = self
            .weights
            .map(|weights| format!("{:08x}", weights.checksum()));
        self.settings["program"] = program_version(env!("CARGO_PKG_VERSION"))?.into();
        self.settings["weights"] = weights.into();
        let work = Work::new(
            &format!("othello {}", self.command),
            self.count,
            &self.settings,
        )?;
        let parts = |folder| Parts::new(folder, self.command, "part");
        match self.division {
            Division::Shard(shard, folder) => {
                let parts = parts(folder);
                let mut part = self.options.open(&parts, &work, shard)?;
                fill(&parts, shard, &mut part)?;
                let (done, path) = (part.records(), part.path().display());
                writeln!(io::stdout(), "{done} {} in {path}", self.items)?;
            }
            Division::Merge(folder) => {
                for record in self.options.merged(&parts(folder), &work)?.records()? {
                    take(read(&record?, self.items, folder)?)?;
                }
            }
        }
        Ok(())
    }
}

/// Completes a shard, one record an item.
pub(crate) fn fill<T: Serialize + Send>(
    engine: &Settings,
    count: u64,
    shard: Shard,
    part: &mut Part,
    work: impl Fn(&mut Searcher, u64) -> T + Sync,
) -> anyhow::Result<()> {
    if part.is_complete() {
        return Ok(());
    }
    let places = part.records()..shard.share_of(count);
    let bar = progress_bar(places.end as usize);
    bar.set_position(places.start);
    let items = places.map(|place| shard.item(place)).collect();
    workers::each(engine, items, work, |done| {
        part.append(&serde_json::to_string(&done)?)?;
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// Reads a record of a part in a file or a folder.
pub(crate) fn read<R: DeserializeOwned>(
    record: &str,
    items: &str,
    path: &Path,
) -> anyhow::Result<R> {
    let read = serde_json::from_str(record);
    read.with_context(|| format!("{}: expected {items}, found {record}", path.display()))
}
