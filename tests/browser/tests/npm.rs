//! The npm package on a page, from the folder that `bindings/npm/build.sh` makes.

use std::{fs, path::Path};

use browser::{Files, Session};
use serde_json::json;

const PAGE: &str =
    "<!doctype html><html lang=en data-ready=1><link rel=icon href=data:,><title>npm</title>";

/// Searches on the page's thread and in a worker, which replaces one that was cancelled.
const CALLS: &str = "import('/index.js').then(async ({ Board, createEngine, createWorkerEngine }) => {
  const board = Board.fromMoves('f5d6c3');
  const own = (await createEngine()).choose(board, { level: 4 });
  const engine = await createWorkerEngine();
  const cancel = new AbortController();
  const endless = engine.hint(board, { signal: cancel.signal, onUpdate: () => cancel.abort() });
  const cancelled = await endless.catch((error) => error.name);
  const chosen = await engine.choose(board, { level: 4 });
  engine.close();
  const illegal = await Promise.resolve().then(() => board.play('a1')).catch((error) => error.message);
  return [crossOriginIsolated, own.move === chosen.move, board.moves().includes(own.move), cancelled, illegal];
})";

#[test]
fn the_package_searches_on_a_page() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/npm/package");
    for entry in fs::read_dir(package)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), folder.path().join(entry.file_name()))?;
        }
    }
    fs::write(folder.path().join("index.html"), PAGE)?;
    let files = Files::serve(folder.path())?;
    let address = files.address().to_owned();
    let mut session = Session::start(files, &address, "/")?;
    let illegal = "moves: illegal move a1: it flips nothing at offset 6";
    let expected = json!([false, true, true, "AbortError", illegal]);
    assert_eq!(session.page.eval(CALLS)?, expected);
    session.end()
}
