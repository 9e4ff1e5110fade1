//! A match that is watched while it is played, and replayed from its log.

use browser::{Server, Session};

const MATCH: &[&str] = &[
    "match",
    "-e",
    "deep=own:hash=1",
    "-e",
    "shallow=own:hash=1",
    "-l",
    "deep=move:100ms",
    "-l",
    "shallow=move:50ms",
    "--games",
    "8",
    "--web",
];

/// The text of the list of runs.
const RUN: &str = "document.querySelector('#watch select').textContent";

#[test]
fn a_match_is_watched_to_its_end_and_its_log_replayed() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let server = Server::of(MATCH, folder.path())?;
    let address = server.address().to_owned();
    let mut session = Session::start(server, &address, "/#watch")?;
    let page = &mut session.page;
    page.wait("document.querySelectorAll('.watch-game .disc').length > 6")?;
    page.wait("document.querySelectorAll('.card .black').length > 2")?;
    page.wait("document.querySelector('.watch-players .clock').textContent")?;
    page.wait(&format!("{RUN}.includes('(8 of 8 games, ended)')"))?;
    page.wait(
        "document.querySelectorAll('#watch [aria-label=\"Finished games\"] tbody tr').length === 8",
    )?;
    page.wait(
        "document.querySelector('#watch [role=status]').textContent === 'All games are over.'",
    )?;
    let standings = session.text("#watch [aria-label=Standings]")?;
    assert!(
        standings.contains("deep") && standings.contains("Elo [95 %]"),
        "{standings}"
    );
    session.end()?;

    let words = ["web", "match.jsonl", "--no-store"];
    let server = Server::of(&words, folder.path())?;
    let address = server.address().to_owned();
    let mut session = Session::start(server, &address, "/")?;
    session.page.click("#tab-watch")?;
    session.page.click("#watch [data-id='2']")?;
    session.wait_for("#watch-title", "Game 2")?;
    let length = session.count(".watch-game .moves button")?;
    session.page.press("Home")?;
    session.wait_for(".watch-game .status", "The start.")?;
    session.page.press("ArrowRight")?;
    session.wait_for(".watch-game .status", &format!("Move 1 of {length}"))?;
    session.page.press("End")?;
    session.wait_for(".watch-game .status", &format!("Move {length} of {length}"))?;
    session.page.click(".watch-game a")?;
    session
        .page
        .wait("!document.querySelector('#analyze').hidden")?;
    session.page.wait(&format!(
        "document.querySelectorAll('#list button').length === {length}"
    ))?;
    session.end()
}
