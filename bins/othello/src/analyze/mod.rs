//! `othello analyze`: temporary.

mod batch;

use std::process::ExitCode;

use crate::{engine::EngineOptions, records::Inputs};

/// Analyzes games.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    batch: batch::BatchOptions,
    #[arg(long, default_value_t = 12)]
    depth: u32,
    #[arg(long, default_value_t = 24)]
    exact_from: u32,
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    batch::run(&batch::Batch {
        inputs: &args.inputs,
        options: &args.batch,
        settings: othello_analysis::Settings {
            depth: args.depth,
            exact_from: args.exact_from,
        },
        engine: &args.engine,
        json: args.json,
    })
}
