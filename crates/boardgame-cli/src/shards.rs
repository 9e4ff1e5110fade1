//! Options of commands whose work is divided into shards.

use std::path::{Path, PathBuf};

use boardgame_shard::{
    Manifest, ManifestError, MergeError, Merged, Parts, Shard, Work, part_files,
};

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
    /// File of everything that decides the result. Other settings than in it are refused; it is written if there is
    /// none
    #[arg(long, value_name = "FILE", requires = "parts", help_heading = "Shards")]
    pub manifest: Option<PathBuf>,
}

/// A part of divided work, in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division<'a> {
    /// One shard is to be done.
    Shard(Shard, &'a Path),
    /// All shards are done, and their parts to be merged.
    Merge(&'a Path),
}

impl ShardOptions {
    /// Returns what is to be done of divided work, or `None` if it is not divided.
    pub fn division(&self) -> Option<Division<'_>> {
        let folder = self.parts.as_deref()?;
        match (self.shard, self.merge) {
            (Some(shard), _) => Some(Division::Shard(shard, folder)),
            (None, true) => Some(Division::Merge(folder)),
            (None, false) => None,
        }
    }

    /// Checks work against the manifest, or writes it, if one is named.
    ///
    /// # Errors
    ///
    /// Fails if the work is other, or the file cannot be read or written.
    pub fn check(&self, work: &Work) -> Result<(), ManifestError> {
        match &self.manifest {
            Some(path) => Manifest::keep(path, work),
            None => Ok(()),
        }
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
    /// Merges files with an extension, and returns what was done in words.
    ///
    /// # Errors
    ///
    /// Fails if the parts are not all of some work, or the merged one cannot be written.
    pub fn run(&self, extension: &str) -> Result<String, MergeError> {
        let files = part_files(&self.parts, extension)?;
        let merged = Merged::read(&files)?;
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
