//! Answers requests natively: for each line of standard input, a request in JSON, a line with its last event. The first
//! line is the signature of the search. `check.mjs` compares the module with it.

use std::io::{self, BufRead, Write};

use othello_analysis::MemoryStore;
use othello_engine::{Settings, StopHandle};
use othello_search::bench;
use othello_web::requests::{Event, Service};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut service = Service::new(
        Settings::default(),
        concat!("othello ", env!("CARGO_PKG_VERSION")),
    )?;
    let mut store = MemoryStore::default();
    let mut output = io::stdout().lock();
    writeln!(output, "{}", bench::SIGNATURE)?;
    for request in io::stdin().lock().lines() {
        let mut answer = String::new();
        let mut emit = |event: &Event| answer = event.to_json();
        service.answer_json(
            request?.as_bytes(),
            &StopHandle::new(),
            Some(&mut store),
            &mut emit,
        );
        writeln!(output, "{answer}")?;
    }
    Ok(())
}
