//! Measures the time of a program from its start to its first answer, and its peak memory until then
//! (on Linux).
//!
//! `cargo run --release -p boardgame-cli --example start -- RUNS INPUT ANSWER PROGRAM [ARGUMENT]...`
//!
//! Each run starts the program, writes INPUT to it (`\n` ends a line), waits until its output
//! contains ANSWER, and kills it.
#![allow(clippy::print_stdout)] // It is a program.

use std::{
    env,
    error::Error,
    fs,
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

const USAGE: &str = "expected RUNS INPUT ANSWER PROGRAM [ARGUMENT]...";

/// A program and its input.
struct Case {
    input: String,
    answer: String,
    command: Vec<String>,
}

impl Case {
    /// Returns the time to the answer, and the peak memory in KiB if the system reports it.
    fn run(&self) -> Result<(Duration, Option<u64>), Box<dyn Error>> {
        let start = Instant::now();
        let mut child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.command[0]))?;
        let answered = self.answer(&mut child);
        let outcome = answered.map(|()| (start.elapsed(), most_memory(child.id())));
        child.kill()?;
        child.wait()?;
        outcome
    }

    /// Sends the input, and waits for the answer.
    fn answer(&self, child: &mut Child) -> Result<(), Box<dyn Error>> {
        let (stdin, stdout) = (child.stdin.as_mut(), child.stdout.as_mut());
        stdin.ok_or("no pipe")?.write_all(self.input.as_bytes())?;
        let stdout = stdout.ok_or("no pipe")?;
        let (mut output, mut bytes) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&output).contains(&self.answer) {
            let count = stdout.read(&mut bytes)?;
            if count == 0 {
                let output = String::from_utf8_lossy(&output);
                return Err(format!("expected {:?}, found {output:?}", self.answer).into());
            }
            output.extend(&bytes[..count]);
        }
        Ok(())
    }
}

/// Returns the peak resident memory of a process, in KiB.
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let runs: usize = arguments.next().ok_or(USAGE)?.parse()?;
    let (input, answer) = (
        arguments.next().ok_or(USAGE)?,
        arguments.next().ok_or(USAGE)?,
    );
    let case = Case {
        input: input.replace("\\n", "\n"),
        answer: answer.replace("\\n", "\n"),
        command: arguments.collect(),
    };
    if runs == 0 || case.command.is_empty() {
        return Err(USAGE.into());
    }
    let (mut times, mut most) = (Vec::new(), None);
    for _ in 0..runs {
        let (time, memory) = case.run()?;
        times.push(time);
        most = most.max(memory);
    }
    times.sort_unstable();
    let share = |part: f64| times[((part * runs as f64) as usize).min(runs - 1)];
    println!(
        "median {:.1?}, 95 % within {:.1?}, the most {:.1?}",
        share(0.5),
        share(0.95),
        share(1.0)
    );
    if let Some(kib) = most {
        println!("at most {kib} KiB resident");
    }
    Ok(())
}
