//! The analysis as a page for a browser: one file that loads nothing.

use std::path::Path;

use othello_analysis::Report;

const TEMPLATE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The style shared with the page of `othello web`.
const SHARED_STYLE: &str = "base.css";

/// The modules shared with that page, each after those that it imports.
const SHARED_MODULES: [&str; 11] = [
    "dom.js",
    "rules.js",
    "values.js",
    "tree.js",
    "nodes.js",
    "board.js",
    "curve.js",
    "tables.js",
    "movelist.js",
    "game-view.js",
    "study.js",
];

/// The first bytes of the page.
pub(super) const KIND: &[u8] = b"<!DOCTYPE html>";

/// Writes the page to a file, in place of another page.
pub(super) fn write(report: &Report, path: &Path) -> anyhow::Result<()> {
    boardgame_files::replace(path, page(report)?.as_bytes())?;
    Ok(())
}

/// Returns the page.
///
/// The record's text is only in the data, and the script turns it into nothing but text.
fn page(report: &Report) -> serde_json::Result<String> {
    let data = for_script(&serde_json::to_string(report)?);
    let page = TEMPLATE
        .replace("{{style}}", &(shared(SHARED_STYLE).to_owned() + STYLE))
        .replace("{{script}}", &script());
    // Last, since the data may contain such words.
    Ok(page.replacen("{{data}}", &data, 1))
}

/// Returns a file shared with the page of `othello web`, empty if there is none.
fn shared(name: &str) -> &'static str {
    othello_web::page_text(name).unwrap_or_default()
}

/// Returns the modules as one script. A page in a single file can import nothing, so they follow one another without
/// their imports and exports, each of which is one line.
fn script() -> String {
    let modules = SHARED_MODULES.into_iter().map(shared).chain([SCRIPT]);
    let lines = modules
        .flat_map(str::lines)
        .filter(|line| !line.starts_with("import "))
        .map(|line| line.strip_prefix("export ").unwrap_or(line));
    let lines: Vec<&str> = lines.collect();
    format!("'use strict';\n(() => {{\n{}\n}})();", lines.join("\n"))
}

/// Returns JSON that can neither end its `<script>` nor start a comment there.
fn for_script(json: &str) -> String {
    // In JSON these occur only in strings.
    json.replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use othello_analysis::{Analysis, Settings};
    use othello_core::Game;
    use othello_records::Record;

    use super::*;

    const HOSTILE: &str = "</script><script>alert(1)</script><!-- {{script}} & \u{2028}";

    /// A report on a game whose record has hostile text in every place.
    fn report() -> Report {
        let game: Game = "f5d6c3".parse().expect("a transcript");
        let analysis = Analysis::new(&game);
        let mut record = Record::from(game);
        for text in [
            &mut record.event,
            &mut record.round,
            &mut record.place,
            &mut record.players.black.name,
            &mut record.players.white.rating,
        ] {
            HOSTILE.clone_into(text);
        }
        Report::new("test", &record, &analysis, &Settings::default())
    }

    #[test]
    fn a_record_cannot_leave_the_data() {
        let page = page(&report()).expect("a page");
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("alert(1)<"), "{HOSTILE}");
        let (_, data) = page.split_once("id=\"analysis\">").expect("data");
        let (data, _) = data.split_once("</script>").expect("its end");
        let read: serde_json::Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(read, serde_json::to_value(report()).expect("JSON"));
        assert_eq!(read["game"]["black"]["name"], HOSTILE);
    }

    #[test]
    fn the_script_has_every_module_that_it_needs() {
        let script = script();
        assert!(!script.contains("\nexport ") && !script.contains("\nimport "));
        let all = SHARED_MODULES.into_iter().map(shared).chain([SCRIPT]);
        for (number, module) in all.enumerate() {
            assert!(!module.is_empty(), "no {}", SHARED_MODULES[number]);
            for line in module.lines().filter(|line| line.starts_with("import ")) {
                let (_, from) = line.split_once(" from './").expect("an import in one line");
                let from = from.trim_end_matches("';");
                let found = SHARED_MODULES[..number].contains(&from);
                assert!(found, "expected {from} before what imports it");
            }
        }
    }

    #[test]
    fn no_name_stands_for_two_things() {
        let script = script();
        let mut names = Vec::new();
        for line in script.lines() {
            for kind in ["const ", "let ", "function ", "class "] {
                let Some(rest) = line.strip_prefix(kind) else {
                    continue;
                };
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                names.push(&rest[..end.unwrap_or(rest.len())]);
            }
        }
        names.sort_unstable();
        let mut pairs = names.windows(2);
        let twice = pairs.find(|pair| pair[0] == pair[1] && !pair[0].is_empty());
        assert_eq!(twice, None);
        assert!(names.contains(&"Study"));
    }

    #[test]
    fn the_page_loads_nothing() {
        let page = page(&report()).expect("a page");
        // The name of a language, which is not loaded.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for part in [
            "http:", "https:", "//www", "src=", "href=\"/", "@import", "url(", "fetch(",
        ] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains("default-src 'none'"), "no policy");
    }
}
