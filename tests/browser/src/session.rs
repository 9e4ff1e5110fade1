//! A page that a test uses, from its start to its end.

use anyhow::ensure;
use serde_json::{Value, json};

use crate::{Browser, Page};

/// A page of a server, in a browser of its own. Nothing may go wrong on it that the browser tells of.
pub struct Session<S> {
    /// The page.
    pub page: Page,
    /// What serves it.
    pub server: S,
    address: String,
    _browser: Browser,
}

impl<S> Session<S> {
    /// Opens a path of the server at an address.
    ///
    /// # Errors
    ///
    /// An error if the browser does not start, or the page does not load.
    pub fn start(server: S, address: &str, path: &str) -> anyhow::Result<Self> {
        let browser = Browser::start()?;
        let mut page = browser.page(1280, 800)?;
        page.open(&format!("{address}{path}"))?;
        Ok(Self {
            page,
            server,
            address: address.to_owned(),
            _browser: browser,
        })
    }

    /// Returns the text of the first element that a selector names.
    ///
    /// # Errors
    ///
    /// An error if there is none.
    pub fn text(&mut self, selector: &str) -> anyhow::Result<String> {
        let text = self
            .page
            .eval(&format!("document.querySelector('{selector}').textContent"))?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Returns the number of elements that a selector names.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn count(&mut self, selector: &str) -> anyhow::Result<u64> {
        let count = self
            .page
            .eval(&format!("document.querySelectorAll('{selector}').length"))?;
        Ok(count.as_u64().unwrap_or_default())
    }

    /// Waits until an element has text that has a part.
    ///
    /// # Errors
    ///
    /// An error if that does not happen in time.
    pub fn wait_for(&mut self, selector: &str, part: &str) -> anyhow::Result<()> {
        self.page.wait(&format!(
            "document.querySelector('{selector}').textContent.includes('{part}')"
        ))?;
        Ok(())
    }

    /// Plays a whole game by clicks, at the lowest level, and returns the squares that were chosen.
    ///
    /// # Errors
    ///
    /// An error if the game does not go on.
    pub fn play_game(&mut self) -> anyhow::Result<usize> {
        const OVER: &str = "/win|draw/.test(document.querySelector('#play-status').textContent)";
        self.page
            .eval("document.querySelector('[name=level]').value = 'depth'")?;
        self.page
            .eval("document.querySelector('#new-game [name=depth]').value = 1")?;
        self.page
            .eval("document.querySelector('#new-game-fold').open = true")?;
        self.page.click("#new-game [type=submit]")?;
        for chosen in 0..=70 {
            self.page.wait(&format!(
                "{OVER} || document.querySelector('#play-board .legal, #pass:not([hidden])')"
            ))?;
            if self.page.eval(OVER)? == true {
                return Ok(chosen);
            }
            if self.count("#pass:not([hidden])")? > 0 {
                self.page.click("#pass")?;
                continue;
            }
            let square = self
                .page
                .eval("document.querySelector('#play-board .legal').dataset.square")?;
            let square = format!(
                "#play-board [data-square={}]",
                square.as_str().unwrap_or_default()
            );
            self.page.click(&square)?;
            self.page
                .wait(&format!("document.querySelector('{square} .disc')"))?;
        }
        anyhow::bail!("expected the game to end within 70 choices")
    }

    /// Explores the book after f5, then three games, one of which is opened.
    ///
    /// # Errors
    ///
    /// An error if what is expected does not appear.
    pub fn explore(&mut self) -> anyhow::Result<()> {
        self.wait_for("#explorer-text", "Load games to see what was played.")?;
        ensure!(
            self.count("#explorer-moves tbody tr")? > 1,
            "expected the moves of the book"
        );
        self.page.click("#load-fold summary")?;
        self.page.click("#load textarea")?;
        self.page.type_text("f5d6c3d3c4\nf5d6c4\nf5f4c3")?;
        self.page.click("#load [type=submit]")?;
        self.wait_for("#explorer-text", "3 of 3 games")?;
        self.page.click("#explorer-moves button.move")?;
        self.wait_for("#explorer-moves td + td", "2")?;
        self.page.click("#explorer-moves button.move")?;
        self.wait_for("#explorer-text", "2 of 3 games")?;
        self.page.click("#explorer-games li:nth-child(2) button")?;
        self.wait_for("#list", "c4")?;
        self.wait_for("#caption", "After move 2:")
    }

    /// Ends the session, in which everything must have come from the server, and nothing gone wrong.
    ///
    /// # Errors
    ///
    /// An error that says what did.
    pub fn end(mut self) -> anyhow::Result<()> {
        let others: Value = self.page.eval(&format!(
            "performance.getEntriesByType('resource').map((entry) => entry.name) \
             .filter((name) => !name.startsWith('{}/'))",
            self.address
        ))?;
        ensure!(others == json!([]), "loaded from elsewhere: {others}");
        let errors = self.page.take_errors();
        ensure!(errors.is_empty(), "{errors:?}");
        Ok(())
    }
}
