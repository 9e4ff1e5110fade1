//! Showing a game as it goes: a live board on a terminal, the moves as a line elsewhere.

use std::io::{self, IsTerminal as _, Stdout, Write};

use boardgame_io::printable;
use boardgame_match::News;
use boardgame_session::{GameEvent, NoteKind, Said};
use crossterm::{
    QueueableCommand as _,
    cursor::MoveToPreviousLine,
    terminal::{self, Clear, ClearType},
};
use othello_core::{Game, Move};

/// The detail in which a game is shown.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Detail {
    /// Show what the players remark
    #[arg(long)]
    pub(crate) comments: bool,
    /// Show every note on the protocol, not only faults
    #[arg(long)]
    pub(crate) notes: bool,
    /// Show the result alone
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Shows one game after another.
pub(crate) struct Watch {
    out: Stdout,
    detail: Detail,
    live: bool,
    /// The lines of the board on the screen, which the next one replaces.
    drawn: u16,
}

impl Watch {
    /// A watch on standard output.
    pub(crate) fn new(detail: Detail) -> Self {
        let out = io::stdout();
        let live = out.is_terminal() && !detail.quiet;
        Self {
            out,
            detail,
            live,
            drawn: 0,
        }
    }

    /// Shows what happened. A closed output is noticed when the result is printed.
    pub(crate) fn show(&mut self, game: &Game, news: News<'_, Move>) {
        let shown = match news {
            News::Event(GameEvent::Moved(..) | GameEvent::Began) => self.draw(game),
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
    pub(crate) fn settle(&mut self) {
        self.drawn = 0;
    }

    /// Shows the board as it goes, on a terminal.
    pub(crate) fn board(&mut self, game: &Game) {
        let _ = self.draw(game);
    }

    /// Shows the board at the end, and leaves it there.
    pub(crate) fn conclude(&mut self, game: &Game) -> io::Result<()> {
        if self.detail.quiet {
            return Ok(());
        }
        self.erase()?;
        self.out.write_all(frame(game).as_bytes())?;
        self.out.flush()
    }

    /// Draws the board over the one before, on a terminal.
    fn draw(&mut self, game: &Game) -> io::Result<()> {
        if !self.live {
            return Ok(());
        }
        self.erase()?;
        let frame = frame(game);
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

/// The board with coordinates, legal moves and the last move, and whose turn it is.
pub(crate) fn frame(game: &Game) -> String {
    let last = game.moves().last().and_then(|mv| mv.square());
    format!("{}\n", game.board().pretty().last_move(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_live_where_no_line_wraps_or_scrolls_away() {
        let frame = frame(&Game::default());
        assert!(fits(&frame, (80, 24)));
        assert!(!fits(&frame, (20, 24)));
        assert!(!fits(&frame, (80, 11)));
    }
}
