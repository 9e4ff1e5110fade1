//! What a person does with the page that `othello web` serves.

use std::path::Path;

use browser::{Server, Session};

/// The first half of a game with mistakes.
const GAME: &str = "f5d6c4f3c7e6d3d2f4e3f6g3c5c6c3g5b6b5b3f7b4e7g4d7c2a6a5a4a3a2b7";

/// The moves of the variations that are listed.
const VARIATION: &str = "Array.from(document.querySelectorAll('.variation button')).map((button) => button.firstChild.data).join(' ')";

fn start(path: &str) -> anyhow::Result<Session<Server>> {
    let server = Server::start()?;
    let address = server.address().to_owned();
    Session::start(server, &address, path)
}

#[test]
fn the_page_knows_the_rules() -> anyhow::Result<()> {
    let mut session = start("/")?;
    let counts = session.page.eval(
        "import('/rules.js').then((rules) => {
           const perft = (at, depth) => depth === 0 || at.side === null ? 1
             : (at.mustPass ? ['pass'] : at.moves).reduce((sum, move) => sum + perft(rules.after(at, move), depth - 1), 0);
           return [1, 2, 3, 4, 5, 6].map((depth) => perft(rules.start(), depth));
         })",
    )?;
    assert_eq!(counts, serde_json::json!([4, 12, 56, 244, 1396, 8200]));
    session.end()
}

#[test]
fn a_whole_game_is_played_by_clicks() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session.page.click("#play-board [data-square=f5]")?;
    session
        .page
        .wait("document.querySelectorAll('#play-board .disc').length === 6")?;
    session.page.click("#undo")?;
    session
        .page
        .wait("document.querySelectorAll('#play-board .disc').length === 4")?;
    assert!(session.play_game()? > 4);
    let status = session.text("#play-status")?;
    let black: u64 = session.text("#player-black .count")?.parse()?;
    let white: u64 = session.text("#player-white .count")?.parse()?;
    assert_eq!(session.count("#play-board .disc")?, black + white);
    let empty = 64 - black - white;
    let expected = match black.cmp(&white) {
        std::cmp::Ordering::Greater => format!("{}–{white}.", black + empty),
        std::cmp::Ordering::Less => format!("{}–{black}.", white + empty),
        std::cmp::Ordering::Equal => "A draw, 32–32.".to_owned(),
    };
    assert!(status.ends_with(&expected), "{status}, expected {expected}");
    let listed = session.count("#play-moves .move")?;
    session.page.click("#play-analyze")?;
    session.page.wait(&format!(
        "document.querySelectorAll('#list button').length === {listed}"
    ))?;
    session.end()
}

#[test]
fn passes_are_announced() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session.page.click("[name=start]")?;
    session
        .page
        .type_text(&format!("XO------{}XO------ X", "-".repeat(48)))?;
    session.page.click("#new-game [type=submit]")?;
    session
        .page
        .wait("document.querySelectorAll('#play-board .disc').length === 4")?;
    session.page.click("#play-board [data-square=c1]")?;
    session.wait_for("#announcer", "Black plays c1. White must pass. Your turn.")?;
    session.page.click("#play-board [data-square=c8]")?;
    session.wait_for(
        "#play-status",
        "You win 6–0, the empty squares count for the winner: 64–0.",
    )?;
    session.end()
}

#[test]
fn the_engine_moves_again_after_a_pass() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session.page.click("[name=color][value=white]")?;
    session.page.click("[name=start]")?;
    session
        .page
        .type_text(&format!("XO------{}XO------ X", "-".repeat(48)))?;
    session.page.click("#new-game [type=submit]")?;
    session.wait_for("#announcer", "You have no move and must pass.")?;
    session.page.press("Enter")?;
    session.wait_for(
        "#play-status",
        "The engine wins 6–0, the empty squares count for the winner: 64–0.",
    )?;
    let moves = session.page.eval(
        "Array.from(document.querySelectorAll('#play-moves .move')).map((move) => move.textContent).sort()",
    )?;
    assert_eq!(moves, serde_json::json!(["c1", "c8", "pass"]));
    session.end()
}

#[test]
fn a_game_begins_with_a_pass_that_the_position_demands() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session.page.click("[name=start]")?;
    session.page.type_text(&format!("OX{} X", "-".repeat(62)))?;
    session.page.click("#new-game [type=submit]")?;
    session.page.click("#pass")?;
    session.wait_for(
        "#play-status",
        "The engine wins 3–0, the empty squares count for the winner: 64–0.",
    )?;
    session.end()
}

#[test]
fn the_explorer_follows_moves_and_opens_games() -> anyhow::Result<()> {
    let mut session = start("/#moves=f5&at=1")?;
    session.explore()?;
    session.end()
}

#[test]
fn a_pasted_game_is_reviewed() -> anyhow::Result<()> {
    let mut session = start("/#analyze")?;
    session.page.click("#load textarea")?;
    session.page.type_text(GAME)?;
    session.page.click("#load [type=submit]")?;
    session.page.wait(
        "document.querySelector('#worst button') && document.querySelector('#review-stop').hidden",
    )?;
    let worst = session.text("#worst li")?;
    let listed = session.page.eval(
        "Array.from(document.querySelectorAll('#list .loss')).map(({ textContent }) => Number(textContent.replace(/[^0-9.]/g, '')))",
    )?;
    let losses: Vec<f64> = listed
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|loss| loss.as_f64())
        .collect();
    let most = losses.iter().copied().fold(0.0, f64::max);
    assert!(most >= 3.0, "{listed}");
    let text = if most.fract() == 0.0 {
        format!("loses {most};")
    } else {
        format!("loses {most:.2};")
    };
    assert!(worst.contains(&text), "{worst}, expected {text}");
    session.page.click("#worst button")?;
    let number = worst
        .split([' ', ','])
        .nth(1)
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or_default();
    session.wait_for("#caption", &format!("After move {}:", number - 1))?;
    session
        .page
        .wait("document.querySelector('#list .variation')")?;
    session.page.click("#sums")?;
    session.wait_for("#evaluation-title", "Sums of the losses in discs")?;
    assert_eq!(session.count("#curve .sum")?, 2);
    session.end()
}

#[test]
fn variations_are_made_promoted_and_deleted() -> anyhow::Result<()> {
    let mut session = start("/#moves=f5d6c3&at=1")?;
    session.page.click("#board [data-square=f6]")?;
    session.wait_for("#caption", "After move 2 of a variation")?;
    assert_eq!(session.page.eval(VARIATION)?, "f6");
    session.page.click("#promote")?;
    session.page.wait(&format!("{VARIATION} === 'd6 c3'"))?;
    session.wait_for("#caption", "After move 2: Black 3, White 3")?;
    session.page.wait("location.hash === '#moves=f5f6&at=2'")?;
    session.page.click("#remove")?;
    session.wait_for("#caption", "After move 1: Black 4, White 1")?;
    assert_eq!(session.count("#list button")?, 3);
    assert_eq!(session.count(".variation")?, 0);
    session.end()
}

#[test]
fn a_position_is_set_up_by_clicks() -> anyhow::Result<()> {
    let mut session = start("/#analyze")?;
    session.page.click("#set-up")?;
    session.page.click("#setup [name=clear]")?;
    session.page.click("#board [data-square=a1]")?;
    session.page.click("[name=brush][value=O]")?;
    session.page.click("#board [data-square=b1]")?;
    session.page.click("#setup [type=submit]")?;
    session
        .page
        .wait("document.querySelector('#board [data-square=c1] .value')?.textContent === '+64'")?;
    session.wait_for("#caption", "Start: Black 1, White 1; Black to move")?;
    session
        .page
        .wait(&format!("location.hash === '#start=XO{}X'", "-".repeat(62)))?;
    session.end()
}

#[test]
fn the_keyboard_is_enough() -> anyhow::Result<()> {
    let mut session = start("/#analyze")?;
    session
        .page
        .eval("document.querySelector('#tab-analyze').focus()")?;
    session.page.press("Tab")?;
    session.page.press("Tab")?;
    let label = "document.activeElement.getAttribute('aria-label')";
    session.page.wait(&format!("{label}?.startsWith('d4')"))?;
    for key in ["ArrowRight", "ArrowRight", "ArrowDown"] {
        session.page.press(key)?;
    }
    session
        .page
        .wait(&format!("{label}?.startsWith('f5, empty')"))?;
    session.page.press("Enter")?;
    session.wait_for("#announcer", "Black f5. White to move.")?;
    session
        .page
        .wait(&format!("{label} === 'f5, Black, last move'"))?;
    session.page.press("PageUp")?;
    session.wait_for("#caption", "Start: Black 2, White 2")?;
    session.page.press("PageDown")?;
    session.wait_for("#caption", "After move 1: Black 4, White 1")?;
    session.end()
}

#[test]
fn mistakes_of_a_person_are_told() -> anyhow::Result<()> {
    let mut session = start("/#analyze")?;
    session.page.click("#load textarea")?;
    session.page.type_text("f5 a1")?;
    session.page.click("#load [type=submit]")?;
    session
        .page
        .wait("document.querySelector('#load-error').textContent")?;
    session.page.click("#set-up")?;
    session
        .page
        .eval("document.querySelector('#setup [name=text]').value = 'XO'")?;
    session.page.click("#setup [type=submit]")?;
    session.wait_for(
        "#setup-error",
        "Board: expected one of 64 squares (X, O or -) at offset 2.",
    )?;
    // The browser tells of the status of a wrong request.
    let errors = session.page.take_errors();
    assert!(
        errors.len() == 1 && errors[0].contains("400 (Bad Request)"),
        "{errors:?}"
    );
    session.end()
}

/// The number of discs on the board of the game that is played.
const DISCS: &str = "document.querySelectorAll('#play-board .disc').length";

#[test]
fn a_game_that_is_played_outlives_reload_and_a_new_game() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session
        .page
        .eval("document.querySelector('[name=level]').value = 'expert'")?;
    session.page.click("#play-board [data-square=f5]")?;
    session.page.wait(&format!("{DISCS} === 6"))?;
    session.page.reload()?;
    session.wait_for("#play-status", "The game goes on. Your turn.")?;
    session.page.wait(&format!("{DISCS} === 6"))?;
    let level = session
        .page
        .eval("document.querySelector('[name=level]').value")?;
    assert_eq!(level, "expert");
    session.page.click("#play-moves button")?;
    session.wait_for("#play-status", "Back at move 1.")?;
    session.page.wait(&format!("{DISCS} === 5"))?;
    session.page.click("#play-board [data-square=a1]")?;
    session.page.wait(&format!("{DISCS} === 6"))?;
    session.page.click("#new-game-title")?;
    session.page.click("#new-game [type=submit]")?;
    session.page.wait(&format!("{DISCS} === 4"))?;
    session.page.click("#former")?;
    session.page.wait(&format!("{DISCS} === 6"))?;
    session.page.click("#resign")?;
    session.wait_for("#play-status", "Black resigns. The engine wins.")?;
    session.page.click("#rematch")?;
    session.wait_for("#play-status", "Black plays")?;
    session.end()
}

#[test]
fn two_people_play_at_one_board() -> anyhow::Result<()> {
    let mut session = start("/#play")?;
    session.page.click("[name=color][value=both]")?;
    session.page.click("#new-game [type=submit]")?;
    session.page.click("#play-board [data-square=f5]")?;
    session.page.click("#play-board [data-square=d6]")?;
    session.wait_for("#play-status", "White plays d6. Black to move.")?;
    session.page.click("#undo")?;
    session.wait_for("#play-status", "White to move.")?;
    session.end()
}

#[test]
fn variations_outlive_reload_deletion_and_another_game() -> anyhow::Result<()> {
    let mut session = start("/#moves=f5d6c3&at=1")?;
    session.page.click("#board [data-square=f6]")?;
    session.page.wait("location.hash === '#moves=f5f6&at=2'")?;
    session.page.reload()?;
    session.wait_for("#caption", "After move 2 of a variation")?;
    assert_eq!(session.page.eval(VARIATION)?, "f6");
    session.page.click("#remove")?;
    session
        .page
        .wait("!document.querySelector('#list .variation')")?;
    session.page.click("#restore")?;
    session.page.wait(&format!("{VARIATION} === 'f6'"))?;
    session.page.click("#load-fold summary")?;
    session.page.click("#load textarea")?;
    session
        .page
        .type_text("http://localhost/#moves=f5f6e6&black=Ann")?;
    session.page.click("#load [type=submit]")?;
    session.wait_for("#game-title", "Black Ann")?;
    session
        .page
        .wait("location.hash === '#moves=f5f6e6&black=Ann'")?;
    session.page.eval("history.back()")?;
    session.wait_for("#caption", "After move 2 of a variation")?;
    assert_eq!(session.page.eval(VARIATION)?, "f6");
    session.end()
}

#[test]
fn saved_games_are_read_again() -> anyhow::Result<()> {
    let mut session = start("/#analyze")?;
    let read = session.page.eval(
        "Promise.all(['share', 'tree', 'rules'].map((name) => import(`/${name}.js`))).then(async ([share, tree, rules]) => {
           const from = rules.parsePosition(`XO------${'-'.repeat(48)}XO------ X`);
           const nodes = tree.lineThrough(new tree.Tree(from, ['c1', 'pass', 'c8']).root);
           const read = async (text) => (await (await fetch('/api/records', {
             method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text }),
           })).json()).games[0];
           const games = [share.sgf, share.ggf, share.pgn].map((write) => read(write(nodes, { black: { name: 'A]' }, white: { name: 'B' } })));
           return (await Promise.all(games)).map(({ moves, info }) => [moves, info.black.name, info.white.name].join());
         })",
    )?;
    assert_eq!(
        read,
        serde_json::json!(["c1--c8,A],B", "c1--c8,A,B", "c1--c8,A],B"])
    );
    session.end()
}

#[test]
fn the_board_stays_turned() -> anyhow::Result<()> {
    const CORNER: &str = "document.querySelector('#board .square').dataset.square + document.querySelector('#board .files').textContent";
    let mut session = start("/#moves=f5")?;
    assert_eq!(session.page.eval(CORNER)?, "a1abcdefgh");
    session.page.click("#tools .menu:last-child summary")?;
    session.page.click("#tools [data-turn=rotate]")?;
    assert_eq!(session.page.eval(CORNER)?, "a887654321");
    session.page.click("#tools [data-turn=mirror]")?;
    assert_eq!(session.page.eval(CORNER)?, "a112345678");
    session.page.reload()?;
    assert_eq!(session.page.eval(CORNER)?, "a112345678");
    session
        .page
        .eval("document.querySelector('#board [data-square=d6]').focus()")?;
    session.page.press("ArrowDown")?;
    session.page.press("Enter")?;
    session.wait_for("#announcer", "Black e6.")?;
    session.end()
}

#[test]
fn shared_links_have_the_given_address() -> anyhow::Result<()> {
    let words = ["web", "--no-store", "--share-base", "https://example.org/"];
    let server = Server::of(&words, Path::new("."))?;
    let address = server.address().to_owned();
    let mut session = Session::start(server, &address, "/#moves=f5d6")?;
    session.page.eval(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { window.written = text; } } })",
    )?;
    session.page.click("#tools .menu summary")?;
    session.page.click("#copy-link")?;
    session
        .page
        .wait("window.written === 'https://example.org/#moves=f5d6'")?;
    session.end()
}

#[test]
fn lessons_are_asked_and_judged() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let game = format!("[Black \"Ann\"]\n[White \"Bob\"]\n\n{GAME}\n");
    std::fs::write(folder.path().join("a.pgn"), game)?;
    let words = "drill a.pgn --player Ann --web=0 --progress p --no-store --depth 4 --exact-from 6";
    let words: Vec<&str> = words.split(' ').collect();
    let server = Server::of(&words, folder.path())?;
    let address = server.address().to_owned();
    let mut session = Session::start(server, &address, "/#drill")?;
    session.wait_for("#drill-from", "Ann - Bob, move")?;
    session.page.click("#drill-hint")?;
    session.wait_for("#drill-text", "In the game you played")?;
    session.page.click("#drill-give-up")?;
    session.wait_for("#drill-text", "It comes again before the end.")?;
    let moves = session.count("#drill-board .value")?;
    assert!(moves > 2 && session.count("#drill-board .best")? > 0);
    let best = session
        .page
        .eval("document.querySelector('#drill-board .best').dataset.square")?;
    session.page.press("Enter")?;
    session
        .page
        .wait("document.querySelector('#drill-next').hidden")?;
    // The lesson that was not known is the last one.
    let best = best.as_str().unwrap_or_default();
    while session.count(&format!("#drill-board .legal[data-square={best}]"))? == 0 {
        session.page.click("#drill-give-up")?;
        session.page.click("#drill-next")?;
        session
            .page
            .wait("document.querySelector('#drill-next').hidden")?;
    }
    session.page.click("#drill-board .legal")?;
    session.page.click("#drill-analyze")?;
    session.wait_for("#caption", "Start: ")?;
    session.end()
}

#[test]
fn all_of_an_analysis_is_in_sight() -> anyhow::Result<()> {
    let mut session = start("/")?;
    for (width, height) in [(1280, 800), (1920, 1080), (390, 844)] {
        session.page.resize(width, height)?;
        session
            .page
            .eval(&format!("location.hash = '#moves={GAME}&at={}'", width % 7))?;
        session.wait_for("#caption", &format!("After move {}:", width % 7))?;
        session
            .page
            .wait("document.querySelectorAll('#moves tbody tr').length > 3")?;
        let seen = session.page.eval(
            "(() => {
               const bottom = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
               const row = document.querySelector('#moves tbody tr').getBoundingClientRect();
               return {
                 wide: document.documentElement.scrollWidth > innerWidth,
                 board: bottom('#board') <= innerHeight && document.querySelector('#board').getBoundingClientRect().top >= 0,
                 curve: bottom('#curve') <= innerHeight,
                 rows: bottom('#moves tbody tr:nth-child(3)') <= innerHeight,
                 line: row.height < 40,
                 list: innerWidth < 1000 || bottom('#list') <= innerHeight,
               };
             })()",
        )?;
        let expected = serde_json::json!({
            "wide": false, "board": true, "curve": true, "rows": true, "line": true, "list": true,
        });
        assert_eq!(seen, expected, "at {width} pixels");
    }
    session.end()
}

#[test]
fn a_list_of_games_is_searched() -> anyhow::Result<()> {
    let mut session = start("/#analyze")?;
    session.page.click("#load textarea")?;
    let game = |black: &str, year: u16| {
        format!("(;FF[4]GM[2]SZ[8]PB[{black}]PW[Bob]DT[{year}];B[f5];W[d6])\n")
    };
    session
        .page
        .type_text(&(game("Ann", 2001) + &game("Ann", 2002) + &game("Carl", 2002)))?;
    session.page.click("#load [type=submit]")?;
    session.wait_for("#games-title", "3 games")?;
    session.page.click("#games-search")?;
    session.page.type_text("2002 ann")?;
    session.wait_for("#games-title", "1 of 3 games")?;
    assert_eq!(session.count("#games-list tr")?, 1);
    session.end()
}
