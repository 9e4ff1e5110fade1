//! A person as a thinker.

use std::{
    io::{self, BufRead, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use othello_core::Board;
use othello_net::{Interrupter, Thinker};
use othello_players::Engine;
use othello_proto::session::{Decision, Task};
use tokio::sync::Notify;

use super::{
    local::{consult, told},
    prompt::{Answer, ask},
};

/// What a person wants that no wire format carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To take a move back, asked on this board.
    Undo(Board),
    /// To leave.
    Quit,
}

/// The way from the person's thread to whoever runs the game.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes(Arc<(Mutex<Option<Wish>>, Notify)>);

impl Wishes {
    /// Waits until there is a wish; [`take`](Self::take) tells which. Ctrl-C is the wish to leave.
    pub(super) async fn come(self) {
        tokio::select! {
            () = self.0.1.notified() => {}
            () = othello_net::stop_requested() => self.make(Wish::Quit),
        }
    }

    /// The wish, if there is one.
    pub(super) fn take(&self) -> Option<Wish> {
        self.0
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn make(&self, wish: Wish) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(wish);
        self.0.1.notify_one();
    }
}

/// Chooses moves by asking at the terminal.
pub(super) struct Person {
    /// For hints.
    pub(super) engine: Engine,
    /// Why no move can be taken back, if none can.
    pub(super) no_undo: Option<&'static str>,
    pub(super) wishes: Wishes,
}

impl Person {
    /// Asks until a square is chosen; a wish is answered by any square, for the game is called
    /// off.
    fn choose(
        &mut self,
        task: &Task,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> io::Result<Decision> {
        writeln!(out, "{}", task.board.pretty())?;
        loop {
            let wish = match ask(input, out, task.moves)? {
                Answer::Play(square) => {
                    return Ok(Decision {
                        task: task.id,
                        square,
                        assessment: None,
                    });
                }
                Answer::Hint => {
                    let hint = consult(&mut self.engine, task.board);
                    writeln!(out, "The engine would play {}", told(&hint))?;
                    continue;
                }
                Answer::Undo => match self.no_undo {
                    Some(reason) => {
                        writeln!(out, "{reason}")?;
                        continue;
                    }
                    None => Wish::Undo(task.board),
                },
                Answer::Quit => Wish::Quit,
            };
            self.wishes.make(wish);
            return Ok(any(task));
        }
    }
}

fn any(task: &Task) -> Decision {
    let square = task.moves.first().unwrap_or(othello_core::Square::A1);
    Decision {
        task: task.id,
        square,
        assessment: None,
    }
}

impl Thinker for Person {
    fn think(&mut self, task: &Task, _started: Instant) -> Decision {
        let chosen = self.choose(task, &mut io::stdin().lock(), &mut io::stdout());
        chosen.unwrap_or_else(|_| {
            // Nobody is there to be asked.
            self.wishes.make(Wish::Quit);
            any(task)
        })
    }

    fn interrupter(&self) -> Interrupter {
        // A read of the terminal cannot be called back; the process ends all the same.
        Box::new(|| {})
    }
}
