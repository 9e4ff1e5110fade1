#![doc = include_str!("shards/README.md")]

mod brief;
mod error;
mod line;
mod manifest;
mod merge;
mod part;
mod parts;
mod reader;
mod shard;
mod work;

pub use brief::BriefFile;
pub use error::ShardError;
pub use manifest::{Manifest, ShardEntry};
pub use merge::{Merged, Records};
pub use part::Part;
pub use parts::{Parts, is_named_as_part, part_files};
pub use reader::PartReader;
pub use shard::{ParseShardError, Shard};
pub use work::{Difference, Work, program_version};
