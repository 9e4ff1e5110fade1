//! Games with a person at a terminal.

mod any_key;
mod curve;
mod frame;
mod grid;
mod keyboard;
mod picker;
mod prompt;
mod requests;
mod save;
mod stop;
mod style;
mod watch;

use std::{
    fmt::Display,
    io::{self, Write as _},
};

use boardgame_core::{Color, Game};
use boardgame_io::printable;
use boardgame_match::News;
use boardgame_session::{GameEvent, NoteKind, Said};

pub use any_key::AnyKey;
pub use curve::curve;
pub use frame::{Frame, columns};
pub use grid::{Cell, Grid};
pub use keyboard::{Keyboard, Turn};
pub use prompt::{Answer, Command, Prompt, Refusal, ask};
pub use requests::{PersonRequest, PersonRequests, PersonTurn};
pub use save::{SaveError, save_text};
pub use stop::exit_on_stop;
pub use style::Style;
pub use watch::{Detail, Watch};

/// Returns an observer of a game that shows a person the other side's actions on standard output.
pub fn tell_moves<G: Game>(person: Color) -> impl FnMut(&G, News<'_, G::Move>) {
    move |_, news| {
        if let Some(line) = line(person, &news) {
            // Without an output the person's next turn ends the game.
            let _ = writeln!(io::stdout(), "{line}");
        }
    }
}

/// Returns the line about the other side for a person, if any, safe for a terminal.
fn line<M: Display>(person: Color, news: &News<'_, M>) -> Option<String> {
    let line = match news {
        News::Event(GameEvent::Moved(seat, mv, _)) if *seat != person => {
            format!("{seat} plays {mv}")
        }
        News::Event(GameEvent::Said(seat, Said::Comment(text))) if *seat != person => {
            format!("{seat}: {text}")
        }
        News::Event(GameEvent::Restarted) => "The game begins again.".into(),
        News::Note(_, note) if note.kind == NoteKind::Fault => format!("! {}", note.text),
        _ => return None,
    };
    Some(printable(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        let said = Said::Comment("\u{1b}[2Jé\tx".into());
        let event = GameEvent::<u32>::Said(Color::White, said);
        let told = |person| line(person, &News::Event(&event));
        assert_eq!(told(Color::Black).unwrap(), "White: \\u{1b}[2Jé\\tx");
        assert_eq!(told(Color::White), None);
    }
}
