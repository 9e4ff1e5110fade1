//! The browser's process.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use serde_json::json;
use tempfile::TempDir;

use crate::{Page, protocol::Connection};

/// The time in which the browser starts.
const START: Duration = Duration::from_secs(60);

/// A browser, which ends when it is dropped.
pub struct Browser {
    process: Child,
    /// Its files, which go with it.
    _profile: TempDir,
    port: u16,
    path: String,
}

impl Browser {
    /// Starts the browser.
    ///
    /// # Errors
    ///
    /// An error if chromium is not installed, or does not start in time.
    pub fn start() -> anyhow::Result<Self> {
        let profile = tempfile::tempdir()?;
        let mut process = Command::new("chromium")
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--force-prefers-reduced-motion",
            ])
            .args([
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--disable-extensions",
            ])
            .args([
                "--disable-background-networking",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("chromium")?;
        let Ok((port, path)) = address(profile.path()) else {
            process.kill()?;
            process.wait()?;
            bail!("expected chromium to listen within {START:?}, found that it does not");
        };
        Ok(Self {
            process,
            _profile: profile,
            port,
            path,
        })
    }

    /// Opens a page of this size, which shares no storage and no connection with others.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn page(&self, width: u32, height: u32) -> anyhow::Result<Page> {
        let mut connection = Connection::open(self.port, &self.path)?;
        let context = connection.call(None, "Target.createBrowserContext", json!({}))?;
        let target =
            json!({ "url": "about:blank", "browserContextId": context["browserContextId"] });
        let target = connection.call(None, "Target.createTarget", target)?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = connection.call(None, "Target.attachToTarget", target)?;
        let session = session["sessionId"].as_str().context("a session")?;
        let session = session.to_owned();
        let mut page = Page::new(connection, session, context["browserContextId"].clone())?;
        page.resize(width, height)?;
        Ok(page)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until the browser has written the port that it listens on, and the path of its protocol.
fn address(profile: &Path) -> anyhow::Result<(u16, String)> {
    let began = Instant::now();
    while began.elapsed() < START {
        let written = fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = written.split_once('\n')
            && !path.is_empty()
        {
            return Ok((port.parse()?, path.trim().to_owned()));
        }
        thread::sleep(Duration::from_millis(20));
    }
    bail!("no address")
}
