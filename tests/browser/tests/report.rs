//! The pages that `othello analyze --html` and `othello book prepare --html` write, which a browser shows from files.

use std::{
    fs,
    process::{Command, Stdio},
};

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

#[test]
fn the_lines_of_a_preparation_are_one_tree() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let games = ["f5d6c3d3c4f4c5", "f5f4", "f5d6c5f4f3"];
    let games = games.map(|moves| {
        let moves = moves.as_bytes().chunks(2);
        let sides = ['B', 'W'].into_iter().cycle();
        let moves = sides.zip(moves).map(|(side, square)| {
            let square = String::from_utf8_lossy(square);
            format!(";{side}[{square}]")
        });
        format!("(;GM[2]PB[Ann]PW[Ann]{})", moves.collect::<String>())
    });
    fs::write(folder.path().join("games.sgf"), games.concat())?;
    let book = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/othello-engine/book/othello.book"
    );
    let status = Command::new(program())
        .current_dir(folder.path())
        .args(["book", "prepare", book, "games.sgf", "--player", "ann"])
        .args(["--html", "ann.html"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    ensure!(status.success(), "{status}");

    let path = folder.path().join("ann.html").display().to_string();
    let path = format!("/{}", path.trim_start_matches('/'));
    let mut session = Session::start((), "file://", &path)?;
    session.wait_for("#game-title", "ann")?;
    session.wait_for("#details", "3 games, ")?;
    // A line of the list leads to its position, where the next move is the one that was played.
    session.page.click("#worst li:last-child button")?;
    session
        .page
        .wait("document.querySelector('#list .variation')")?;
    session.page.press("ArrowRight")?;
    session.wait_for("#sentence", " games: loses ")?;
    session.end()
}
