//! Pages of one file for a browser: they load nothing, and share modules with the page of `othello web`.

use othello_web::page_text;
use serde::Serialize;

/// The parts of a page.
pub(crate) struct Page {
    /// The title.
    pub(crate) title: &'static str,
    /// The HTML between the head and the data.
    pub(crate) body: &'static str,
    /// The style sheets shared with the page of `othello web`.
    pub(crate) shared_styles: &'static [&'static str],
    /// The page's own style.
    pub(crate) style: &'static str,
    /// The modules shared with that page, each after those that it imports.
    pub(crate) shared_modules: &'static [&'static str],
    /// The page's own module.
    pub(crate) script: &'static str,
}

impl Page {
    /// Returns the page that shows some data, which the script turns into nothing but text.
    pub(crate) fn with(&self, data: &impl Serialize) -> serde_json::Result<String> {
        let styles: String = self.shared_styles.iter().map(|name| shared(name)).collect();
        let page = boardgame_cli::Page {
            title: self.title,
            style: &(styles + self.style),
            body: self.body,
            script: &self.whole_script(),
        };
        page.with(data)
    }

    fn modules(&self) -> impl Iterator<Item = &'static str> {
        let modules = self.shared_modules.iter().map(|name| shared(name));
        modules.chain([self.script])
    }

    /// Returns the modules as one script. A page in a single file can import nothing, so they follow one another
    /// without their imports and exports, each of which is one line.
    fn whole_script(&self) -> String {
        let lines = self
            .modules()
            .flat_map(str::lines)
            .filter(|line| !line.starts_with("import "))
            .map(|line| line.strip_prefix("export ").unwrap_or(line));
        let lines: Vec<&str> = lines.collect();
        format!("'use strict';\n(() => {{\n{}\n}})();", lines.join("\n"))
    }
}

/// Returns a file shared with the page of `othello web`, empty if there is none.
fn shared(name: &str) -> &'static str {
    page_text(name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analyze::{batch, html},
        tournament::export,
    };

    const PAGES: [Page; 3] = [html::PAGE, export::PAGE, batch::html::PAGE];

    #[test]
    fn a_script_has_every_module_that_it_needs() {
        for page in PAGES {
            let script = page.whole_script();
            assert!(!script.contains("\nexport ") && !script.contains("\nimport "));
            for (number, module) in page.modules().enumerate() {
                assert!(!module.is_empty(), "no {}", page.shared_modules[number]);
                for line in module.lines().filter(|line| line.starts_with("import ")) {
                    let (_, from) = line.split_once(" from './").expect("an import in one line");
                    let from = from.trim_end_matches("';");
                    let found = page.shared_modules[..number].contains(&from);
                    assert!(found, "expected {from} before what imports it");
                }
            }
        }
    }

    #[test]
    fn no_name_stands_for_two_things() {
        for page in PAGES {
            let script = page.whole_script();
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
            assert!(names.contains(&"byId"));
        }
    }

    #[test]
    fn a_page_loads_nothing() {
        for page in PAGES {
            let page = page.with(&()).expect("a page");
            assert_eq!(page.matches("<script").count(), 2);
            assert_eq!(page.matches("</script").count(), 2);
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
}
