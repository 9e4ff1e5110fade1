//! The check of new versions in a ladder, before they play.

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context as _, bail, ensure};
use boardgame_cli::matches::case_in_words;
use boardgame_io::{FolderFile, printable, read_folder, stop_requested};
use boardgame_match::{
    check::{Case, Check},
    tournament,
};
use othello_match::{check::Subject, engine::Kind};
use othello_web::{ProgramLog, Token};
use serde::Deserialize;
use serde_json::Value;

use super::{
    desk::Desk,
    versions::{folders, versions_of},
    write,
};

/// The maximum size of a program's files, in bytes.
const MAX_SIZE: u64 = 64 * boardgame_files::MIB;

/// The maximum number of a program's files.
const MAX_FILES: usize = 1000;

/// The maximum number of new versions of a program in a day.
const MAX_VERSIONS_A_DAY: usize = 20;

/// The time between two looks at the folder while there are fewer than two programs, or an error.
const WAIT: Duration = Duration::from_secs(2);

/// The time after which a check looks for no more situations.
const CHECK_TIME: Duration = Duration::from_secs(30);

/// Returns the logs of programs for those who have their secrets.
pub(super) fn logs(desk: &Desk) -> anyhow::Result<Arc<[ProgramLog]>> {
    let log = |(name, secret): (&String, &String)| {
        let folder = desk.folder.join("versions").join(name);
        Ok(ProgramLog {
            secret: Token::new(secret).with_context(|| format!("the secret of {name}"))?,
            report: folder.join("check.txt"),
            stderr: folder.join("stderr.txt"),
        })
    };
    desk.settings.secrets.iter().map(log).collect()
}

/// Waits for another program. Returns false if interrupted.
pub(super) fn wait() -> anyhow::Result<bool> {
    Ok(boardgame_io::block_on(async {
        tokio::select! {
            () = tokio::time::sleep(WAIT) => true,
            () = stop_requested() => false,
        }
    })?)
}

/// Returns a checksum of files, with their number and size.
fn digest(files: &[FolderFile]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for file in files {
        let head = format!("{} {} ", file.path.display(), file.is_executable);
        hasher.update(head.as_bytes());
        hasher.update(&file.bytes);
    }
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    format!("# {:08x}-{}-{size}", hasher.finalize(), files.len())
}

/// The file `program.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    command: String,
    author: Option<String>,
    protocol: Option<String>,
}

/// Checks the programs that have a new version, while the log is locked. Returns false if interrupted.
pub(super) fn take_new_versions(desk: &Desk) -> anyhow::Result<bool> {
    for name in folders(&desk.folder.join("programs"))? {
        let folder = desk.folder.join("programs").join(&name);
        let read = read_folder(&folder, MAX_FILES, MAX_SIZE);
        let read = read.with_context(|| folder.display().to_string());
        let is_empty = read.as_ref().is_ok_and(Vec::is_empty);
        if !name.starts_with('.') && !is_empty && !take(desk, &name, read)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks a program, if it is new. Returns false if interrupted.
fn take(desk: &Desk, name: &str, read: anyhow::Result<Vec<FolderFile>>) -> anyhow::Result<bool> {
    let home = desk.folder.join("versions").join(name);
    let report_path = home.join("check.txt");
    let digest = match &read {
        Ok(files) => digest(files),
        Err(error) => printable(&format!("# {error:#}")),
    };
    let read_report =
        || boardgame_files::read_to_string(&report_path, MAX_SIZE).unwrap_or_default();
    // One that was checked without a fault has a table, unless the check was killed.
    let versions = versions_of(&desk.folder, name)?;
    let report = Some(read_report()).filter(|report| report.contains("\n✗"));
    let mut known = versions.last().into_iter().chain(&report);
    if known.any(|text| text.lines().next() == Some(&digest)) {
        return Ok(true);
    }
    let number = versions.len() + 1;
    fs::create_dir_all(&home).with_context(|| home.display().to_string())?;
    if entered_today(&home, number) >= MAX_VERSIONS_A_DAY {
        let text = format!("✗ expected at most {MAX_VERSIONS_A_DAY} new versions a day\n");
        if read_report() != text {
            boardgame_files::overwrite(&report_path, text.as_bytes())?;
            write(&format!("{name}: {text}"))?;
        }
        return Ok(true);
    }
    let folder = home.join(number.to_string());
    write(&format!("{name}: a new version is checked\n"))?;
    if let Ok(files) = &read {
        copy(files, &folder).with_context(|| folder.display().to_string())?;
    }
    let (mut lines, mut table) = (vec![digest.clone()], None);
    let version = format!("{name}@{number}");
    let checked = read.and_then(|files| {
        let text = version_table(&digest, name, number, &files)?;
        Ok((check(desk, &version, &text)?, text))
    });
    match checked {
        Ok((None, _)) => return Ok(false),
        Ok((Some(cases), text)) => {
            lines.extend(cases.iter().map(case_in_words));
            let has_faults = cases.iter().any(|case| case.result.is_failure());
            table = (!has_faults).then_some(text);
        }
        Err(error) => lines.push(format!("✗ {error:#}")),
    }
    let told = match &table {
        Some(_) => format!("{name}: version {number} enters\n"),
        None => format!(
            "{name}: a new version has faults ({}) and does not enter\n",
            report_path.display()
        ),
    };
    boardgame_files::overwrite(&report_path, (lines.join("\n") + "\n").as_bytes())?;
    if let Some(table) = table {
        let path = folder.with_extension("toml");
        let is_new = boardgame_files::create(&path, table.as_bytes())?;
        ensure!(is_new, "{}: expected no such file yet", path.display());
    }
    write(&told)?;
    Ok(true)
}

/// Returns the number of versions before one that entered in the last 24 hours.
fn entered_today(home: &Path, before: usize) -> usize {
    let is_recent = |number: &usize| {
        let written =
            fs::metadata(home.join(format!("{number}.toml"))).and_then(|it| it.modified());
        let age = written.map(|time| SystemTime::now().duration_since(time));
        age.is_ok_and(|age| age.is_ok_and(|age| age < Duration::from_hours(24)))
    };
    (1..before).filter(is_recent).count()
}

/// Writes files to a new folder, or in place of what an interrupted command left there.
fn copy(files: &[FolderFile], folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for file in files {
        let path = folder.join(&file.path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        boardgame_files::create(&path, &file.bytes)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

/// Returns the table of a version in the form of tournament.toml, after its digest.
fn version_table(
    digest: &str,
    name: &str,
    number: usize,
    files: &[FolderFile],
) -> anyhow::Result<String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    ensure!(
        name.chars().all(is_plain),
        "expected a folder whose name has letters, digits, - and _ alone"
    );
    let has = |path: &str| files.iter().find(|file| file.path == Path::new(path));
    let description = match (has("program.toml"), has("run")) {
        (Some(file), _) => {
            let text = str::from_utf8(&file.bytes).context("program.toml")?;
            toml::from_str(text).context("program.toml")?
        }
        (None, Some(_)) => Description {
            command: "./run".into(),
            author: None,
            protocol: None,
        },
        (None, None) => bail!("expected a file program.toml, or an executable file named run"),
    };
    let keys = [
        ("author", Value::from(description.author)),
        ("protocol", description.protocol.into()),
        ("command", description.command.into()),
        ("directory", format!("versions/{name}/{number}").into()),
    ];
    Ok(tournament::add(digest, &format!("{name}@{number}"), &keys)?)
}

/// Checks the version that a table describes; `None` if interrupted.
fn check(desk: &Desk, name: &str, table: &str) -> anyhow::Result<Option<Vec<Case>>> {
    let described = desk.with_version(table)?;
    let mut engines = described
        .settings
        .programs
        .into_iter()
        .map(|one| one.engine);
    let engine = engines.find(|engine| engine.name == name);
    let engine = engine.with_context(|| format!("expected a program named {name}"))?;
    let Kind::Program { protocol, line, .. } = engine.kind else {
        bail!("program.toml: expected the protocol of a program, found own");
    };
    line.note(&format!("check of {name}"));
    let check = Check {
        subject: Subject::new(protocol, line, engine.limit),
        limits: desk.limits.limits()?,
        tries: 2,
        time: CHECK_TIME,
        seed: desk.settings.seed,
        only: Vec::new(),
    };
    let cases = boardgame_io::block_on(async {
        tokio::select! {
            cases = check.run(|_| {}) => Some(cases),
            () = stop_requested() => None,
        }
    })?;
    Ok(cases)
}
