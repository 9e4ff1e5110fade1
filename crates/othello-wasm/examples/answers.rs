//! Answers requests natively: for each line of standard input, a request in JSON, a line with its last event. The first
//! line is the signature of the search. `check.mjs` compares the module with it.

use std::io::{self, BufRead, Write};

use othello_api::Service;
use othello_engine::{Settings, StopHandle};
use othello_search::bench;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut service = Service::new(
        &Settings::default(),
        concat!("othello ", env!("CARGO_PKG_VERSION")),
    )?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", bench::SIGNATURE)?;
    for request in io::stdin().lock().lines() {
        let mut answer = String::new();
        service.answer_json(
            request?.as_bytes(),
            &StopHandle::new(),
            None,
            &mut |event| answer = event.to_json(),
        );
        writeln!(output, "{answer}")?;
    }
    Ok(())
}
