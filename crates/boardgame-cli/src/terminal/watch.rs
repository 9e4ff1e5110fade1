//! Showing a game as it goes: a live board on a terminal, the moves as a line elsewhere.

use std::{
    fmt::Display,
    io::{self, IsTerminal as _, Stdout, Write},
};

use boardgame_match::News;
use boardgame_session::{GameEvent, NoteKind, Said};
use crossterm::{
    QueueableCommand as _,
    cursor::MoveToPreviousLine,
    terminal::{self, Clear, ClearType},
};

use super::printable;

/// The detail in which a game is shown.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Detail {
    /// Show what the players remark
    #[arg(long)]
    pub comments: bool,
    /// Show every note on the protocol, not only faults
    #[arg(long)]
    pub notes: bool,
    /// Show the result alone
    #[arg(long, short)]
    pub quiet: bool,
}

/// Shows one game after another.
pub struct Watch {
    out: Stdout,
    detail: Detail,
    live: bool,
    /// The lines of the board on the screen, which the next one replaces.
    drawn: u16,
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
            drawn: 0,
        }
    }

    /// Returns whether boards are shown as the game goes.
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
            News::Launched { .. } | News::Event(_) | News::Note(..) | News::Decided(_) => Ok(()),
        };
        // Watching must not end a game.
        let _ = shown;
    }

    /// Leaves the last board where it is: what comes next goes beneath it.
    pub fn settle(&mut self) {
        self.drawn = 0;
    }

    /// Shows the board as it goes, on a terminal.
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
        self.erase()?;
        writeln!(self.out, "{board}")?;
        self.out.flush()
    }

    /// Draws the board over the one before, on a terminal.
    fn draw(&mut self, board: &dyn Display) -> io::Result<()> {
        if !self.live {
            return Ok(());
        }
        self.erase()?;
        let frame = format!("{board}\n");
        if !fits(&frame, terminal::size().unwrap_or((80, 24))) {
            return Ok(());
        }
        self.drawn = frame.lines().count() as u16;
        self.out.write_all(frame.as_bytes())?;
        self.out.flush()
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.erase()?;
        writeln!(self.out, "{}", printable(text))
    }

    fn erase(&mut self) -> io::Result<()> {
        if self.drawn > 0 {
            self.out.queue(MoveToPreviousLine(self.drawn))?;
            self.out.queue(Clear(ClearType::FromCursorDown))?;
            self.drawn = 0;
        }
        Ok(())
    }
}

/// Returns whether the terminal shows all lines, each on a line of its own: only then can the next board
/// replace them.
fn fits(frame: &str, (columns, rows): (u16, u16)) -> bool {
    let widest = frame.lines().map(str::len).max().unwrap_or(0);
    widest < columns.into() && frame.lines().count() < rows.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_live_where_no_line_wraps_or_scrolls_away() {
        let frame = format!("{}\n", [" ".repeat(21).as_str(); 11].join("\n"));
        assert!(fits(&frame, (80, 24)));
        assert!(!fits(&frame, (20, 24)));
        assert!(!fits(&frame, (80, 11)));
    }
}
