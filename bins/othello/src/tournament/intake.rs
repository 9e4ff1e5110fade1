//! The check of new versions in a ladder, before they play.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use boardgame_cli::matches::case_in_words;
use boardgame_io::{printable, stop_requested};
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

/// The time between two looks at the folder while there are fewer than two programs.
const WAIT: Duration = Duration::from_secs(2);

/// The time after which a check looks for no more situations.
const CHECK_TIME: Duration = Duration::from_secs(30);

/// Returns the logs of programs for those who have their secrets.
pub(super) fn logs(desk: &Desk) -> anyhow::Result<Vec<ProgramLog>> {
    let log = |(name, secret): (&String, &String)| {
        let folder = desk.folder.join("versions").join(name);
        Ok(ProgramLog {
            secret: Token::new(secret).with_context(|| format!("the secret of {name}"))?,
            files: ["check.txt", "stderr.txt"]
                .map(|file| folder.join(file))
                .to_vec(),
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

/// A file of a program.
struct ProgramFile {
    /// The path in its folder.
    path: PathBuf,
    bytes: Vec<u8>,
    permissions: fs::Permissions,
}

/// Reads the files in a folder of a program, sorted by path.
fn read_files(folder: &Path) -> anyhow::Result<Vec<ProgramFile>> {
    let (mut files, mut rest) = (Vec::new(), vec![folder.to_owned()]);
    let mut left = MAX_SIZE;
    while let Some(whole) = rest.pop() {
        let name = || whole.display().to_string();
        let metadata = fs::symlink_metadata(&whole).with_context(name)?;
        if metadata.is_dir() {
            for entry in fs::read_dir(&whole).with_context(name)? {
                rest.push(entry.with_context(name)?.path());
            }
        } else if metadata.is_file() {
            let bytes = boardgame_files::read(&whole, left).with_context(name)?;
            left -= bytes.len() as u64;
            let path = whole
                .strip_prefix(folder)
                .map_or_else(|_| whole.clone(), Path::to_owned);
            files.push(ProgramFile {
                path,
                bytes,
                permissions: metadata.permissions(),
            });
        } else {
            bail!(
                "{}: expected a file or a folder, found a link or device",
                name()
            );
        }
        ensure!(
            files.len() + rest.len() <= MAX_FILES,
            "{}: expected at most {MAX_FILES} files",
            folder.display()
        );
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Returns a text that differs for other files.
fn digest(files: &[ProgramFile]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for file in files {
        let head = format!("{} {:?} ", file.path.display(), file.permissions);
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

/// Checks the programs that have a new version. Returns false if interrupted.
pub(super) fn take_new_versions(desk: &Desk) -> anyhow::Result<bool> {
    for name in folders(&desk.folder.join("programs"))? {
        let read = read_files(&desk.folder.join("programs").join(&name));
        let is_empty = read.as_ref().is_ok_and(Vec::is_empty);
        if !name.starts_with('.') && !is_empty && !take(desk, &name, read)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks a program, if it is new. Returns false if interrupted.
fn take(desk: &Desk, name: &str, read: anyhow::Result<Vec<ProgramFile>>) -> anyhow::Result<bool> {
    let home = desk.folder.join("versions").join(name);
    let report_path = home.join("check.txt");
    let digest = match &read {
        Ok(files) => digest(files),
        Err(error) => printable(&format!("# {error:#}")),
    };
    let versions = versions_of(&desk.folder, name)?;
    let report = boardgame_files::read_to_string(&report_path, MAX_SIZE).unwrap_or_default();
    let mut known = versions.last().into_iter().chain([&report]);
    if known.any(|text| text.lines().next() == Some(&digest)) {
        return Ok(true);
    }
    // Another command may be checking it.
    let _lock = desk.log()?;
    let number = versions.len() + 1;
    let folder = home.join(number.to_string());
    fs::create_dir_all(&home).with_context(|| home.display().to_string())?;
    write(&format!("{name}: a new version is checked\n"))?;
    let (mut lines, mut table) = (vec![digest.clone()], None);
    let version = format!("{name}@{number}");
    let checked = read.and_then(|files| {
        copy(&files, &folder).with_context(|| folder.display().to_string())?;
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
    if let Some(table) = table {
        boardgame_files::create(&folder.with_extension("toml"), table.as_bytes())?;
    }
    boardgame_files::overwrite(&report_path, (lines.join("\n") + "\n").as_bytes())?;
    write(&told)?;
    Ok(true)
}

/// Writes files to a new folder, or in place of what an interrupted command left there.
fn copy(files: &[ProgramFile], folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for file in files {
        let path = folder.join(&file.path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        boardgame_files::create(&path, &file.bytes)?;
        fs::set_permissions(&path, file.permissions.clone())?;
    }
    Ok(())
}

/// Returns the table of a version in the form of tournament.toml, after its digest.
fn version_table(
    digest: &str,
    name: &str,
    number: usize,
    files: &[ProgramFile],
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
