//! Requests of a person in a game that another thread conducts.

use std::{
    fmt::Display,
    io::{self, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use boardgame_io::stop_requested;
use tokio::sync::Notify;

use super::{
    keyboard::Keyboard,
    prompt::{Answer, Prompt},
};

/// A request of a person that no wire format carries. `P` is a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonRequest<P> {
    /// To take a move back, asked in this position.
    Undo(P),
    /// To leave.
    Quit,
}

/// The channel from the person's thread to the driver of the game.
#[derive(Clone)]
pub struct PersonRequests<P> {
    keyboard: Keyboard,
    made: Arc<(Mutex<Option<PersonRequest<P>>>, Notify)>,
}

/// A turn of a person.
pub struct PersonTurn<'a, P, M> {
    /// The position.
    pub position: &'a P,
    /// The board to show.
    pub board: &'a dyn Display,
    /// The moves that may be typed.
    pub prompt: Prompt<'a, M>,
    /// Returns the text of the engine's choice.
    pub hint: &'a mut dyn FnMut() -> String,
    /// Carries out one of the prompt's commands, with the rest of the line, and returns the answer.
    pub command: &'a mut dyn FnMut(&str, &str) -> String,
    /// The reason why undo is impossible, if it is.
    pub no_undo: Option<&'static str>,
}

impl<P: Clone> PersonRequests<P> {
    /// Returns the requests of the person at a keyboard, in one game.
    pub fn new(keyboard: &Keyboard) -> Self {
        Self {
            keyboard: keyboard.clone(),
            made: Arc::default(),
        }
    }

    /// Waits until there is a request, which [`take`](Self::take) returns. Ctrl-C is the request to leave,
    /// and so are `quit` and the end of input while a program hangs.
    pub async fn come(self) {
        tokio::select! {
            () = self.made.1.notified() => {}
            () = stop_requested() => self.make(PersonRequest::Quit),
            () = self.keyboard.left() => self.make(PersonRequest::Quit),
        }
    }

    /// Returns the request, if there is one.
    pub fn take(&self) -> Option<PersonRequest<P>> {
        let mut request = self.made.0.lock().unwrap_or_else(PoisonError::into_inner);
        request.take()
    }

    /// Asks the person on standard output until a move is chosen; `None` if there is a request instead.
    pub fn ask<M>(&self, turn: &mut PersonTurn<'_, P, M>) -> Option<M> {
        self.try_ask(turn).unwrap_or_else(|_| {
            // There is nobody to ask.
            self.make(PersonRequest::Quit);
            None
        })
    }

    fn try_ask<M>(&self, turn: &mut PersonTurn<'_, P, M>) -> io::Result<Option<M>> {
        let _turn = self.keyboard.begin_turn();
        let mut out = io::stdout();
        if !turn
            .prompt
            .grid
            .is_some_and(|grid| self.keyboard.shows(grid))
        {
            writeln!(out, "{}", turn.board)?;
        }
        loop {
            let request = match self.keyboard.ask(&mut out, &turn.prompt)? {
                Answer::Play(mv) => return Ok(Some(mv)),
                Answer::Hint => {
                    writeln!(out, "The engine would play {}", (turn.hint)())?;
                    continue;
                }
                Answer::Command(command, rest) => {
                    writeln!(out, "{}", (turn.command)(command, &rest))?;
                    continue;
                }
                Answer::Undo => match turn.no_undo {
                    Some(reason) => {
                        writeln!(out, "{reason}")?;
                        continue;
                    }
                    None => PersonRequest::Undo(turn.position.clone()),
                },
                Answer::Quit => PersonRequest::Quit,
            };
            self.make(request);
            return Ok(None);
        }
    }

    fn make(&self, request: PersonRequest<P>) {
        let (made, notify) = &*self.made;
        *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
        notify.notify_one();
    }
}
