//! Showing a game in progress: a live board on a terminal, lines of moves elsewhere.

use std::{
    fmt::Display,
    io::{self, IsTerminal as _, Stdout, Write},
};

use boardgame_io::printable;
use boardgame_match::News;
use boardgame_session::{GameEvent, NoteKind, Said};

use super::frame::Frame;

/// The detail in which a game is shown.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Detail {
    /// Show the players' remarks
    #[arg(long)]
    pub comments: bool,
    /// Show every note on the protocol, not only faults
    #[arg(long)]
    pub notes: bool,
    /// Show only the result
    #[arg(long, short)]
    pub quiet: bool,
}

/// Shows one game after another.
pub struct Watch {
    out: Stdout,
    detail: Detail,
    live: bool,
    /// The board on the screen, replaced by the next one.
    frame: Frame,
}

impl Watch {
    /// Returns a watch on standard output.
    pub fn new(detail: Detail) -> Self {
        let out = io::stdout();
        let live = out.is_terminal() && !detail.quiet;
        Self {
            out,
            detail,
            live,
            frame: Frame::default(),
        }
    }

    /// Returns true if boards are shown during the game.
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// Shows what happened, and the board after it. A closed output is noticed when the result is printed.
    pub fn show<M>(&mut self, board: &dyn Display, news: &News<'_, M>) {
        let shown = match news {
            News::Event(GameEvent::Moved(..) | GameEvent::Began) => self.draw(board),
            News::Event(GameEvent::Restarted) if !self.detail.quiet => {
                self.line("! the game begins again")
            }
            News::Event(GameEvent::Said(seat, Said::Comment(text))) if self.detail.comments => {
                self.line(&format!("{seat}: {text}"))
            }
            News::Note(_, note) if self.detail.notes => self.line(&format!("- {}", note.text)),
            News::Note(_, note) if note.kind == NoteKind::Fault && !self.detail.quiet => {
                self.line(&format!("! {}", note.text))
            }
            News::Launched { .. }
            | News::Event(_)
            | News::Note(..)
            | News::Lost(..)
            | News::Decided(_) => Ok(()),
        };
        // Watching must not end a game.
        let _ = shown;
    }

    /// Leaves the last board in place; further output goes beneath it.
    pub fn settle(&mut self) {
        self.frame.settle();
    }

    /// Shows the board during the game, on a terminal.
    pub fn board(&mut self, board: &dyn Display) {
        let _ = self.draw(board);
    }

    /// Shows the board at the end, and leaves it there.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn conclude(&mut self, board: &dyn Display) -> io::Result<()> {
        if self.detail.quiet {
            return Ok(());
        }
        self.frame.erase(&mut self.out)?;
        writeln!(self.out, "{board}")?;
        self.out.flush()
    }

    /// Draws the board over the one before, on a terminal.
    fn draw(&mut self, board: &dyn Display) -> io::Result<()> {
        if !self.live {
            return Ok(());
        }
        self.frame.draw(&mut self.out, &format!("{board}\n"))
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.frame.erase(&mut self.out)?;
        writeln!(self.out, "{}", printable(text))
    }
}
