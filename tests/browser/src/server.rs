//! The program that serves the page.

use std::{
    env,
    io::{self, BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use anyhow::{Context, bail};

/// The program, unless the environment variable `OTHELLO` names another.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/othello");

/// Returns the path of the program `othello` that is tested.
pub fn program() -> String {
    env::var("OTHELLO").unwrap_or_else(|_| PROGRAM.to_owned())
}

/// A running program that serves the page, which ends when this is dropped.
pub struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Starts `othello web` on a free port.
    ///
    /// # Errors
    ///
    /// An error if the program is not there, or ends before it prints its address.
    pub fn start() -> anyhow::Result<Self> {
        Self::of(&["web", "--no-store"], Path::new("."))
    }

    /// Starts the program in a folder with the words of a command that serves the page.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    pub fn of(words: &[&str], folder: &Path) -> anyhow::Result<Self> {
        let (output, writer) = io::pipe()?;
        let mut process = Command::new(program())
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()
            .with_context(program)?;
        let mut lines = BufReader::new(output).lines();
        for line in &mut lines {
            let line = line?;
            if let Some(at) = line.find("http://") {
                // What is printed later is read, so that the program is not held up.
                thread::spawn(move || lines.for_each(drop));
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
