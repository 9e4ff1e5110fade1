//! The page that `othello analyze --html` writes, which a browser shows from a file.

use std::process::{Command, Stdio};

use anyhow::ensure;
use browser::{Session, program};

const GAME: &str = "f5d6c4f3c7e6d3d2f4e3f6g3c5c6c3g5b6b5b3f7b4e7g4d7c2a6a5a4a3a2b7";

#[test]
fn the_page_of_an_analysis_is_looked_through() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("game.html");
    let status = Command::new(program())
        .args(["analyze", GAME, "--depth", "4", "--exact-from", "8"])
        .args(["--no-store", "--json=/dev/null", "--html"])
        .arg(&path)
        .stdout(Stdio::null())
        .status()?;
    ensure!(status.success(), "{status}");

    let path = format!("/{}#12", path.display().to_string().trim_start_matches('/'));
    let mut session = Session::start((), "file://", &path)?;
    session.wait_for("#caption", "After move 12: ")?;
    session.page.press("ArrowRight")?;
    session.wait_for("#caption", "After move 13: ")?;
    let shown = session.count("#board .value")?;
    let listed = session.count("#moves tbody tr")?;
    ensure!(
        shown > 1 && shown == listed,
        "{shown} on the board, {listed} in the table"
    );
    session.page.click("#worst button")?;
    session
        .page
        .wait("document.querySelector('#list .variation')")?;
    session.page.click("#moves tbody tr:first-child .move")?;
    session.wait_for("#caption", " of a variation: ")?;
    session.page.press("Escape")?;
    session
        .page
        .wait("!document.querySelector('#caption').textContent.includes('variation')")?;
    session.end()
}
