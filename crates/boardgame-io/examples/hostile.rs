//! A program that misbehaves towards the machine, to try the limits of hosts with: `hostile MODE [ARGUMENT]`.
//!
//! It prints a line once it has done what it could, and then waits for the end of its input.

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
};

fn main() {
    let words = env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into()).collect();
    let mode = words.first().map_or("", |word| word.as_str());
    let argument = words.get(1).map_or("", |word| word.as_str());
    let done = match mode {
        "memory" => hoard(argument),
        "processes" => multiply(),
        "processors" => spread(),
        "fill" => fill(argument),
        "write" => fs::write(argument, "mine").map_err(Into::into),
        "connect" => TcpStream::connect(argument).map(drop).map_err(Into::into),
        "kill" => kill(),
        _ => Err("expected memory MIB, processes, processors, fill FILE, write FILE, connect ADDRESS or kill".into()),
    };
    let told = match done {
        Ok(()) => "done".to_owned(),
        Err(error) => error.to_string(),
    };
    let _ = writeln!(io::stdout(), "{told}");
    let _ = io::stdin().read_to_end(&mut Vec::new());
}

/// Uses memory.
fn hoard(mebibytes: &str) -> Result<(), Box<dyn Error>> {
    let hoard: Vec<Vec<u8>> = (0..mebibytes.parse()?).map(|_| vec![1; 1 << 20]).collect();
    // It is used, and so not optimized away.
    writeln!(io::stdout(), "{} MiB", hoard.len())?;
    Ok(io::copy(&mut io::stdin(), &mut io::sink()).map(drop)?)
}

/// Starts processes without end, each in a process group of its own.
fn multiply() -> Result<(), Box<dyn Error>> {
    loop {
        let mut command = Command::new("sleep");
        command.arg("600").stdin(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()?;
    }
}

/// Runs on all processors.
fn spread() -> Result<(), Box<dyn Error>> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_setaffinity};

        let mut all = CpuSet::new();
        (0..CpuSet::MAX_CPU).for_each(|cpu| all.set(cpu));
        sched_setaffinity(None, &all)?;
    }
    Ok(())
}

/// Writes to a file as long as it can.
fn fill(file: &str) -> Result<(), Box<dyn Error>> {
    let (mut file, zeros) = (File::create(file)?, vec![0; 1 << 16]);
    loop {
        file.write_all(&zeros)?;
    }
}

/// Kills other programs of its parent, the host.
fn kill() -> Result<(), Box<dyn Error>> {
    let parent = |id: &str| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        Some(stat.rsplit(") ").next()?.split(' ').nth(1)?.to_owned())
    };
    let own = std::process::id().to_string();
    let host = parent(&own).ok_or("expected /proc")?;
    for entry in fs::read_dir("/proc")? {
        let id = entry?.file_name().to_string_lossy().into_owned();
        if id != own && parent(&id).as_ref() == Some(&host) {
            Command::new("kill").args(["-s", "KILL", &id]).status()?;
        }
    }
    Ok(())
}
