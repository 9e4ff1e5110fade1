//! Options of commands whose work is divided into shards.

use std::path::{Path, PathBuf};

use boardgame_files::shards::{Manifest, Merged, Part, Parts, Shard, ShardError, Work, part_files};

/// Options of a command whose work may be divided among processes and machines.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ShardOptions {
    /// Do only a part of the work, the I-th of N, from 0, and keep the result in the folder of --parts. A shard that
    /// was interrupted is resumed by the same command
    #[arg(
        long,
        value_name = "I/N",
        group = "division",
        requires = "parts",
        help_heading = "Shards"
    )]
    pub shard: Option<Shard>,
    /// Folder of the parts of all shards, created if it does not exist
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "division",
        help_heading = "Shards"
    )]
    pub parts: Option<PathBuf>,
    /// Do no work, but merge the parts of all shards
    #[arg(long, group = "division", requires = "parts", help_heading = "Shards")]
    pub merge: bool,
    /// File of everything that determines the result. Settings that differ from it are refused; it is created if
    /// missing
    #[arg(long, value_name = "FILE", requires = "parts", help_heading = "Shards")]
    pub manifest: Option<PathBuf>,
}

/// A part of divided work, in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division<'a> {
    /// Do one shard.
    Shard(Shard, &'a Path),
    /// Merge the parts of all shards.
    Merge(&'a Path),
}

impl ShardOptions {
    /// Returns the task for divided work, or `None` if it is not divided.
    pub fn division(&self) -> Option<Division<'_>> {
        let folder = self.parts.as_deref()?;
        match (self.shard, self.merge) {
            (Some(shard), _) => Some(Division::Shard(shard, folder)),
            (None, true) => Some(Division::Merge(folder)),
            (None, false) => None,
        }
    }

    /// Opens the part of a shard. The work must match the manifest, if one is given. The manifest is written once the
    /// part is open, so that it never has refused work.
    ///
    /// # Errors
    ///
    /// Fails if the work differs, or a file cannot be read or written.
    pub fn open(&self, parts: &Parts, work: &Work, shard: Shard) -> Result<Part, ShardError> {
        self.check(work)?;
        let part = parts.open(work, shard)?;
        self.keep(work)?;
        Ok(part)
    }

    /// Reads the parts of all shards. The work must match the manifest, if one is given. The manifest is written once
    /// all parts are read.
    ///
    /// # Errors
    ///
    /// Fails if the work differs, the parts do not make up the work, or a file cannot be read or written.
    pub fn merged(&self, parts: &Parts, work: &Work) -> Result<Merged, ShardError> {
        self.check(work)?;
        let merged = Merged::of(parts, work)?;
        self.keep(work)?;
        Ok(merged)
    }

    /// Checks work against the manifest, if there is one.
    fn check(&self, work: &Work) -> Result<(), ShardError> {
        (self.manifest.iter()).try_for_each(|path| Manifest::check_work(path, work))
    }

    /// Checks work against the manifest, or writes it, if one is named.
    fn keep(&self, work: &Work) -> Result<(), ShardError> {
        (self.manifest.iter()).try_for_each(|path| Manifest::keep(path, work))
    }
}

/// Merges the parts of all shards into the one that a single process would have made, byte for byte.
///
/// There must be exactly one complete part of each shard, all of the same work.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeOptions {
    /// Folder of the merged part, created if it does not exist
    #[arg(value_name = "FOLDER")]
    out: PathBuf,
    /// Parts, or folders of them
    #[arg(value_name = "PARTS", required = true)]
    parts: Vec<PathBuf>,
}

impl MergeOptions {
    /// Merges files with an extension, the parts of a command, and returns a summary.
    ///
    /// # Errors
    ///
    /// Fails if the parts are not all of some work of the command, or the merged one cannot be written.
    pub fn run(&self, extension: &str, command: &'static str) -> Result<String, ShardError> {
        let files = part_files(&self.parts, extension)?;
        let merged = Merged::read(&files, command)?;
        let whole = merged.write(&Parts::like(&files[0], &self.out, extension))?;
        Ok(format!(
            "{} {extension} of {} shards in {}",
            merged.items(),
            merged.parts(),
            whole.path().display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        shards: ShardOptions,
    }

    fn division(line: &str) -> Option<Result<String, ()>> {
        let words = ["test"].into_iter().chain(line.split_whitespace());
        let Ok(cli) = Cli::try_parse_from(words) else {
            return Some(Err(()));
        };
        Some(Ok(format!("{:?}", cli.shards.division()?)))
    }

    #[test]
    fn a_shard_or_a_merge_needs_a_folder() {
        assert_eq!(division(""), None);
        assert_eq!(
            division("--shard 1/3 --parts p"),
            Some(Ok(r#"Shard(Shard { index: 1, count: 3 }, "p")"#.into()))
        );
        assert_eq!(
            division("--merge --parts p"),
            Some(Ok(r#"Merge("p")"#.into()))
        );
        for wrong in [
            "--shard 1/3",
            "--merge",
            "--parts p",
            "--shard 0/1 --merge --parts p",
            "--shard 3/3 --parts p",
            "--manifest m",
        ] {
            assert_eq!(division(wrong), Some(Err(())), "{wrong}");
        }
    }
}
