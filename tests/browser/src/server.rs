//! The program that serves the page.

use std::{
    env,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, bail};

/// The program, unless the environment variable `OTHELLO` names another.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/othello");

/// Returns the path of the program `othello` that is tested.
pub fn program() -> String {
    env::var("OTHELLO").unwrap_or_else(|_| PROGRAM.to_owned())
}

/// A running `othello web`, which ends when this is dropped.
pub struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Starts the server on a free port.
    ///
    /// # Errors
    ///
    /// An error if the program is not there, or ends before it prints its address.
    pub fn start() -> anyhow::Result<Self> {
        let mut process = Command::new(program())
            .args(["web", "--no-store"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(program)?;
        let output = process.stdout.take().context("its output")?;
        for line in BufReader::new(output).lines() {
            let line = line?;
            if let Some(at) = line.find("http://") {
                let address = line[at..]
                    .split(['/', ' '])
                    .take(3)
                    .collect::<Vec<_>>()
                    .join("/");
                return Ok(Self { process, address });
            }
        }
        bail!("expected an address, found {:?}", process.wait()?)
    }

    /// The address, without a path.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
