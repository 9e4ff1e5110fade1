//! A person as a player of this process and as a thinker.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use boardgame_match::{Choice, LocalPlayer, Turn};
use boardgame_session::Thought;
use othello_core::{Board, Move, Square};
use othello_engine::{Clock, Engine};
use othello_net::{Interrupter, Thinker};
use othello_proto::session::{self, Question, Task};
use tokio::sync::Notify;

use super::{keyboard::Keyboard, local::told, prompt::Answer};

/// Wishes of a person that no wire format carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To take a move back, asked on this board.
    Undo(Board),
    /// To leave.
    Quit,
}

/// The channel from the person's thread to the task that runs the game.
#[derive(Clone)]
pub(super) struct Wishes {
    keyboard: Keyboard,
    made: Arc<(Mutex<Option<Wish>>, Notify)>,
}

impl Wishes {
    /// The wishes of the person at a keyboard, in one game.
    pub(super) fn new(keyboard: &Keyboard) -> Self {
        Self {
            keyboard: keyboard.clone(),
            made: Arc::default(),
        }
    }

    /// Waits until there is a wish; [`take`](Self::take) tells which. Ctrl-C is the wish to leave,
    /// and so is what is typed while a program hangs.
    pub(super) async fn come(self) {
        tokio::select! {
            () = self.made.1.notified() => {}
            () = othello_net::stop_requested() => self.make(Wish::Quit),
            () = self.keyboard.left() => self.make(Wish::Quit),
        }
    }

    /// The wish, if there is one.
    pub(super) fn take(&self) -> Option<Wish> {
        let mut wish = self.made.0.lock().unwrap_or_else(PoisonError::into_inner);
        wish.take()
    }

    fn make(&self, wish: Wish) {
        let (made, notify) = &*self.made;
        *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(wish);
        notify.notify_one();
    }
}

/// Chooses moves by asking at the terminal.
pub(super) struct Person {
    /// For hints.
    pub(super) engine: Engine,
    /// Returns the reason why no move can be taken back, if none can.
    pub(super) no_undo: Option<&'static str>,
    pub(super) wishes: Wishes,
}

impl Person {
    /// Asks until a square is chosen, or there is a wish.
    fn choose_square(&mut self, board: Board) -> Option<Square> {
        let chosen = self.ask(board, &mut io::stdout());
        chosen.unwrap_or_else(|_| {
            // The terminal is gone.
            self.wishes.make(Wish::Quit);
            None
        })
    }

    fn ask(&mut self, board: Board, out: &mut impl Write) -> io::Result<Option<Square>> {
        let _turn = self.wishes.keyboard.begin_turn();
        writeln!(out, "{}", board.pretty())?;
        loop {
            let wish = match self.wishes.keyboard.ask(out, board.legal_moves())? {
                Answer::Play(square) => return Ok(Some(square)),
                Answer::Hint => {
                    let hint = self.engine.choose(board, &Clock::default());
                    writeln!(out, "The engine would play {}", told(&hint))?;
                    continue;
                }
                Answer::Undo => match self.no_undo {
                    Some(reason) => {
                        writeln!(out, "{reason}")?;
                        continue;
                    }
                    None => Wish::Undo(board),
                },
                Answer::Quit => Wish::Quit,
            };
            self.wishes.make(wish);
            return Ok(None);
        }
    }
}

impl LocalPlayer<Board> for Person {
    /// A wish calls the game off before the answer counts.
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        match self.choose_square(turn.position) {
            Some(square) => Choice::Move(square.into(), Thought::default()),
            None => Choice::Resign,
        }
    }
}

impl Thinker<Question> for Person {
    /// A wish is answered by any square, for the game is called off.
    fn think(&mut self, task: &Task, _started: Instant) -> session::Choice {
        let square = self.choose_square(task.question.board);
        square
            .unwrap_or_else(|| task.question.first_square())
            .into()
    }

    fn interrupter(&self) -> Interrupter {
        // A read of the terminal cannot be called back; the process ends all the same.
        Box::new(|| {})
    }
}
