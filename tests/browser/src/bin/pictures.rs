//! Takes pictures of the page: `pictures FOLDER`.

use std::{env, fs, path::Path};

use anyhow::{bail, ensure};
use browser::{Browser, Page, Server};

const GAME: &str = "f5d6c4f3c7e6d3d2f4e3f6g3c5c6c3g5b6b5b3f7b4e7g4d7c2a6a5a4a3a2b7e2h6h3h4d1b1c1e1f1g1f2g6h5h2g7c8e8d8f8h8h7g8a8a7b8a1b2g2h1";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder] = arguments.as_slice() else {
        bail!("expected a folder, found {arguments:?}");
    };
    let server = Server::start()?;
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let browser = Browser::start()?;
    let mut page = browser.page(1280, 800)?;
    lessons(&mut page, folder)?;
    fs::write(folder.join("lessons.png"), page.screenshot(1280, 800, 1.0)?)?;
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
    page.click("#review-start")?;
    page.wait(
        "document.querySelector('#worst button') && document.querySelector('#review-stop').hidden",
    )?;
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
