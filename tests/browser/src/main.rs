//! Takes pictures of the page that a server at an address serves: `browser ADDRESS FOLDER`.

use std::{env, fs, path::Path};

use anyhow::bail;
use browser::{Browser, Page};

const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7g6f7c5b6e3c6c7d2e2b4b5f8g5d8c8h6h5h4h7g4g3a5f1f2a4b3a3h3d1c1e1g1a6b8e8h2";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, folder] = arguments.as_slice() else {
        bail!("expected an address and a folder, found {arguments:?}");
    };
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let browser = Browser::start()?;
    for (width, height) in [(1280, 800), (390, 844)] {
        for (theme, is_dark) in [("light", false), ("dark", true)] {
            let mut page = browser.page(width, height)?;
            page.set_dark(is_dark)?;
            let picture = |page: &mut Page, scene: &str| {
                let name = format!("{scene}-{width}-{theme}.png");
                fs::write(folder.join(name), page.screenshot(false)?)?;
                anyhow::Ok(())
            };
            play(&mut page, address)?;
            picture(&mut page, "play")?;
            analyze(&mut page, address)?;
            picture(&mut page, "analyze")?;
            for error in page.take_errors() {
                bail!("{error}");
            }
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
    page.wait("document.querySelector('#worst button') && document.querySelector('#review-stop').hidden")?;
    page.eval("scrollTo(0, 0)")?;
    page.wait("document.querySelectorAll('#board .value').length > 1")?;
    Ok(())
}
