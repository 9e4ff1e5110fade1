//! The game that is played, as a page for a browser.

use std::{
    mem,
    path::{Path, PathBuf},
    time::Duration,
};

use boardgame_cli::{PAGE_START, tell_error};
use boardgame_core::{ByColor, Color};
use boardgame_match::News;
use boardgame_session::{GameEvent, Thought};
use go_core::{Game, Move, Setup, sgf::Record};

use crate::analyze::html;

/// A page with the current game, written again after every move. The first error is told; the games go on.
pub(super) struct LivePage {
    path: PathBuf,
    record: Record,
    is_live: bool,
    has_failed: bool,
}

impl LivePage {
    /// Creates a page.
    ///
    /// # Errors
    ///
    /// Fails if the file is of another kind, or cannot be written.
    pub(super) fn new(path: &Path, setup: Setup) -> anyhow::Result<Self> {
        boardgame_files::check_target(path, PAGE_START)?;
        let page = Self {
            path: path.into(),
            record: Record::new(Game::new(setup)),
            is_live: true,
            has_failed: false,
        };
        page.write()?;
        Ok(page)
    }

    /// Shows the start of a game between two players.
    pub(super) fn start(&mut self, players: ByColor<String>) {
        let setup = self.record.game.setup().clone();
        self.record = Record {
            players,
            ..Record::new(Game::new(setup))
        };
        self.update();
    }

    /// Shows what happened in the game.
    pub(super) fn show(&mut self, news: News<'_, Move>) {
        match news {
            News::Event(GameEvent::Moved(side, mv, thought)) => {
                self.play(*side, *mv, thought.as_ref());
            }
            News::Event(GameEvent::Restarted) => {
                let players = mem::take(&mut self.record.players);
                self.start(players);
            }
            _ => {}
        }
    }

    fn play(&mut self, side: Color, mv: Move, thought: Option<&Thought>) {
        let played = self.record.game.play(mv);
        debug_assert!(played.is_ok(), "the game is played by these rules");
        if let Some(thought) = thought {
            let seconds = |time: Duration| time.as_secs_f64();
            let user = thought.user_cpu.map(seconds);
            let user = user.map_or_else(String::new, |it| format!(", {it:.1} s of user CPU time"));
            let text = format!("{side}: {:.1} s{user}", seconds(thought.took));
            let number = self.record.game.moves().len();
            self.record.comments.insert(number, text);
        }
        self.update();
    }

    /// Shows a finished game.
    pub(super) fn finish(&mut self, mut record: Record) {
        let mut comments = mem::take(&mut self.record.comments);
        comments.append(&mut record.comments);
        record.comments = comments;
        self.record = record;
        self.update();
    }

    /// Ends the page, which no longer reloads itself.
    pub(super) fn end(mut self) {
        self.is_live = false;
        self.update();
    }

    fn update(&mut self) {
        if let Err(error) = self.write()
            && !mem::replace(&mut self.has_failed, true)
        {
            tell_error("go-game", format_args!("{error:#}; the games go on"));
        }
    }

    fn write(&self) -> anyhow::Result<()> {
        let page = html::game_page(&self.record, self.is_live)?;
        boardgame_files::replace(&self.path, page.as_bytes())?;
        Ok(())
    }
}
