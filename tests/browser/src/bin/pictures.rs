//! Takes pictures of the page: `pictures FOLDER [GAMES…]`. The explorer shows the games of files.

use std::{env, fs, path::Path};

use anyhow::{bail, ensure};
use browser::{Browser, Page, Server};

const GAME: &str = "f5d6c4f3c7e6d3d2f4e3f6g3c5c6c3g5b6b5b3f7b4e7g4d7c2a6a5a4a3a2b7e2h6h3h4d1b1c1e1f1g1f2g6h5h2g7c8e8d8f8h8h7g8a8a7b8a1b2g2h1";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, games @ ..] = arguments.as_slice() else {
        bail!("expected a folder");
    };
    let server = Server::start()?;
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let browser = Browser::start()?;
    let mut page = browser.page(1280, 800)?;
    lessons(&mut page, folder)?;
    fs::write(folder.join("lessons.png"), page.screenshot(1280, 800, 1.0)?)?;
    if !games.is_empty() {
        let _server = explorer(&mut page, games)?;
        fs::write(
            folder.join("explorer.png"),
            page.screenshot(1280, 800, 0.75)?,
        )?;
    }
    for (width, height) in [(1920, 1080), (1280, 800), (390, 844)] {
        for (theme, is_dark) in [("light", false), ("dark", true)] {
            let mut page = browser.page(width, height)?;
            page.set_dark(is_dark)?;
            let picture = |page: &mut Page, scene: &str| {
                let name = format!("{scene}-{width}-{theme}.png");
                fs::write(folder.join(name), page.screenshot(width, height, 1.0)?)?;
                anyhow::Ok(())
            };
            play(&mut page, server.address())?;
            picture(&mut page, "play")?;
            analyze(&mut page, server.address())?;
            picture(&mut page, "analyze")?;
            if width == 1280 && !is_dark {
                // One for the README.
                fs::write(folder.join("page.png"), page.screenshot(1280, 800, 0.75)?)?;
            }
            let errors = page.take_errors();
            ensure!(errors.is_empty(), "{errors:?}");
        }
    }
    Ok(())
}

/// Goes to a game that a person plays with hints.
fn play(page: &mut Page, address: &str) -> anyhow::Result<()> {
    page.open(&format!("{address}/#play"))?;
    page.click("#hints")?;
    page.click("#play-board [data-square=f5]")?;
    page.wait("document.querySelectorAll('#play-board .disc').length === 6")?;
    page.wait("document.querySelectorAll('#play-board .value').length > 1")?;
    Ok(())
}

/// Goes to a game that is analyzed, and to one of its mistakes.
fn analyze(page: &mut Page, address: &str) -> anyhow::Result<()> {
    page.open(&format!("{address}/#moves={GAME}&at=24"))?;
    // On a narrow page one part is shown at a time.
    let show = |part| format!("document.querySelector('button[data-part={part}]').click()");
    page.eval(&show("record"))?;
    page.click("#review-start")?;
    page.wait(
        "document.querySelector('#worst button') && document.querySelector('#review-stop').hidden",
    )?;
    page.eval(&show("candidates"))?;
    page.eval("scrollTo(0, 0)")?;
    page.wait("document.querySelectorAll('#board .value').length > 1")?;
    Ok(())
}

/// Goes to a lesson of the game, whose answer is shown.
fn lessons(page: &mut Page, folder: &Path) -> anyhow::Result<()> {
    let game = format!("[Black \"Ann\"]\n[White \"Bob\"]\n\n{GAME}\n");
    fs::write(folder.join("game.pgn"), game)?;
    let words = "drill game.pgn --player Bob --web=0 --progress progress --no-store";
    let server = Server::of(&words.split(' ').collect::<Vec<_>>(), folder)?;
    page.open(&format!("{}/#drill", server.address()))?;
    page.click("#drill-give-up")?;
    page.wait("document.querySelectorAll('#drill-board .value').length > 1")?;
    Ok(())
}

/// Goes to a position of games that are explored, on a server of their own.
fn explorer(page: &mut Page, games: &[String]) -> anyhow::Result<Server> {
    let games = games.iter().map(String::as_str);
    let words: Vec<_> = ["web", "--no-store", "--games"]
        .into_iter()
        .chain(games)
        .collect();
    let server = Server::of(&words, Path::new("."))?;
    page.open(&format!("{}/#moves=f5d6c3d3c4&at=5", server.address()))?;
    page.wait("document.querySelectorAll('#explorer-games li').length > 1")?;
    page.eval("document.querySelector('.explorer').scrollIntoView({ block: 'center' })")?;
    page.wait("document.querySelectorAll('#board .value').length > 1")?;
    Ok(server)
}
