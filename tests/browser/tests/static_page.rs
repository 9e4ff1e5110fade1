//! The page as static files, with the engine in the browser.

use std::path::Path;

use browser::{Files, Session};

fn start(path: &str) -> anyhow::Result<Session<Files>> {
    let files = Files::serve(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/page"))?;
    let address = files.address().to_owned();
    Session::start(files, &address, path)
}

#[test]
fn a_game_in_the_address_is_searched() -> anyhow::Result<()> {
    let mut session = start("/#moves=f5d6")?;
    session
        .page
        .wait("document.querySelector('#board .value')")?;
    session.end()
}

#[test]
fn the_explorer_works_without_a_server() -> anyhow::Result<()> {
    let mut session = start("/#moves=f5&at=1")?;
    session.explore()?;
    session.end()
}

#[test]
fn the_page_plays_and_analyzes_without_a_network() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session
        .page
        .wait("document.documentElement.dataset.engine")?;
    session.page.go_offline()?;
    session.server.stop();
    assert!(session.play_game()? > 4);
    session.page.click("#play-analyze")?;
    session.page.wait(
        "document.querySelector('#worst button') && document.querySelector('#review-stop').hidden",
    )?;
    session.page.click("#worst button")?;
    session
        .page
        .wait("document.querySelector('#board .value')")?;
    session.end()
}
