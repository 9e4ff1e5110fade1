//! Standard input, read even while no question is open.

use std::{
    env,
    io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read, Stdin, Write},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use tokio::{sync::watch, time::timeout};

use super::{
    grid::Grid,
    picker::pick,
    prompt::{Answer, Command, Prompt, ask, ask_command, is_quit},
};

/// The maximum number of lines that are read ahead.
const MAX_LINES: usize = 1024;

/// The maximum length in bytes of a line that is read ahead in one piece.
const MAX_PIECE: u64 = 64 * 1024;

/// The time that the program has for its move once the person wants to leave.
const QUIT_GRACE: Duration = Duration::from_secs(5);

/// The time in which an input with lines for after the game is read to its end.
const END_OF_INPUT: Duration = Duration::from_millis(100);

/// The person's input, kept until requested.
#[derive(Clone)]
pub struct Keyboard {
    source: Source,
    state: Arc<watch::Sender<State>>,
}

/// The origin of what is typed.
#[derive(Clone)]
enum Source {
    /// Lines that a thread reads ahead.
    Lines(Arc<Mutex<BufReader<Typed>>>),
    /// A terminal, read when the person is asked.
    Terminal(Arc<Terminal>),
}

/// A terminal whose keys or lines are read.
struct Terminal {
    lines: Mutex<BufReader<Stdin>>,
    /// Locked while keys are read.
    keys: Mutex<()>,
    /// True to stop reading keys until the next turn.
    stopped: AtomicBool,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// True once the input has ended or contains `quit`.
    leaving: bool,
    /// True while it is the person's turn.
    has_turn: bool,
}

impl Keyboard {
    /// Returns the keys of the terminal if standard input and output are one with cursor control, otherwise the lines
    /// of standard input.
    ///
    /// # Errors
    ///
    /// When the system starts no thread.
    pub fn of_stdin() -> io::Result<Self> {
        let (input, dumb) = (
            io::stdin(),
            env::var("TERM").is_ok_and(|term| term == "dumb"),
        );
        if dumb || !input.is_terminal() || !io::stdout().is_terminal() {
            return Self::start(input);
        }
        Ok(Self {
            source: Source::Terminal(Arc::new(Terminal {
                lines: Mutex::new(BufReader::new(input)),
                keys: Mutex::default(),
                stopped: AtomicBool::new(false),
            })),
            state: Arc::default(),
        })
    }

    /// Starts reading the input, in a thread of its own.
    ///
    /// # Errors
    ///
    /// When the system starts no thread.
    pub fn start(input: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, lines) = sync_channel(MAX_LINES);
        let state = Arc::new(watch::Sender::new(State::default()));
        let notify = Arc::clone(&state);
        thread::Builder::new()
            .name("keyboard".into())
            .spawn(move || pass_on(BufReader::new(input), &sender, &notify))?;
        let line = Cursor::default();
        Ok(Self {
            source: Source::Lines(Arc::new(Mutex::new(BufReader::new(Typed { lines, line })))),
            state,
        })
    }

    /// Asks the person for a move until the answer is valid.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn ask<M>(&self, out: &mut impl Write, prompt: &Prompt<'_, M>) -> io::Result<Answer<M>> {
        match &self.source {
            Source::Lines(lines) => ask(&mut *lock(lines), out, prompt),
            Source::Terminal(terminal) => match prompt.grid.filter(|grid| self.shows(grid)) {
                Some(grid) => {
                    let _keys = lock(&terminal.keys);
                    pick(out, prompt, grid, &terminal.stopped)
                }
                None => ask(&mut *lock(&terminal.lines), out, prompt),
            },
        }
    }

    /// Ends the questions of a turn that nobody waits for any more, since the game has ended.
    pub fn interrupt(&self) {
        if let Source::Terminal(terminal) = &self.source {
            terminal.stopped.store(true, Ordering::Relaxed);
            // The question ends soon, and the turn asks no other.
            drop(lock(&terminal.keys));
        }
    }

    /// Asks the person for one of some commands, as after the game; `None` is to leave.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn ask_command(
        &self,
        out: &mut impl Write,
        commands: &[Command],
    ) -> io::Result<Option<(&'static str, String)>> {
        match &self.source {
            Source::Lines(lines) => ask_command(&mut *lock(lines), out, commands),
            Source::Terminal(terminal) => ask_command(&mut *lock(&terminal.lines), out, commands),
        }
    }

    /// Returns true if [`ask`](Self::ask) shows this board itself, with a cursor.
    pub fn shows(&self, grid: &Grid<'_>) -> bool {
        matches!(self.source, Source::Terminal(_)) && grid.fits()
    }

    /// Returns true if a question after the game can have an answer: from a person at a terminal, or from lines that
    /// came before the input ended. A program that keeps the input open and waits for this one to exit is not waited
    /// for.
    pub fn answers_after_the_game(&self) -> bool {
        let has_ended = || self.state.borrow().leaving;
        if matches!(self.source, Source::Lines(_)) && !has_ended() {
            // In a short game the thread may not be done yet.
            thread::sleep(END_OF_INPUT);
            return has_ended();
        }
        true
    }

    /// Answers commands until the person leaves, if questions after the game [have an
    /// answer](Self::answers_after_the_game).
    ///
    /// # Errors
    ///
    /// When reading or writing fails.
    pub fn answer_after_the_game(
        &self,
        out: &mut impl Write,
        commands: &[Command],
        mut answer: impl FnMut(&str, &str) -> String,
    ) -> io::Result<()> {
        if !self.answers_after_the_game() {
            return Ok(());
        }
        while let Some((command, rest)) = self.ask_command(out, commands)? {
            writeln!(out, "{}", answer(command, &rest))?;
        }
        Ok(())
    }

    /// Starts the person's turn, until the returned value is dropped, including questions and hints.
    pub fn begin_turn(&self) -> Turn {
        if let Source::Terminal(terminal) = &self.source {
            terminal.stopped.store(false, Ordering::Relaxed);
        }
        self.state.send_modify(|state| state.has_turn = true);
        Turn(Arc::clone(&self.state))
    }

    /// Waits until the person wants to leave and gets no turn within the grace period.
    pub async fn left(&self) {
        let mut state = self.state.subscribe();
        // `self` holds the sender, so neither wait can fail.
        loop {
            let _ = state
                .wait_for(|state| state.leaving && !state.has_turn)
                .await;
            let turn = state.wait_for(|state| state.has_turn);
            if timeout(QUIT_GRACE, turn).await.is_err() {
                return;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The person's turn.
pub struct Turn(Arc<watch::Sender<State>>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.send_modify(|state| state.has_turn = false);
    }
}

/// Passes lines on as they come, and sets `leaving` at `quit` or the end of input.
fn pass_on(mut input: impl BufRead, lines: &SyncSender<Vec<u8>>, state: &watch::Sender<State>) {
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_PIECE).read_until(b'\n', &mut line);
        let ended = !matches!(read, Ok(1..));
        if ended || is_quit(&line) {
            state.send_modify(|state| state.leaving = true);
        }
        if ended || lines.send(line).is_err() {
            return;
        }
    }
}

/// The lines as a stream of bytes.
struct Typed {
    lines: Receiver<Vec<u8>>,
    /// The rest of the last line.
    line: Cursor<Vec<u8>>,
}

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.line.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        let Ok(line) = self.lines.recv() else {
            return Ok(0);
        };
        self.line = Cursor::new(line);
        self.line.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::io::pipe;

    use super::{super::prompt::tests::DIGIT, *};

    fn answer(keyboard: &Keyboard) -> Answer<u8> {
        keyboard.ask(&mut io::sink(), &DIGIT).unwrap()
    }

    #[test]
    fn what_is_typed_ahead_waits_for_its_turn() {
        let keyboard = Keyboard::start(&b"5\nundo\nquit\nhint"[..]).unwrap();
        assert_eq!(answer(&keyboard), Answer::Play(5));
        assert_eq!(answer(&keyboard), Answer::Undo);
        assert_eq!(answer(&keyboard), Answer::Quit);
        assert_eq!(answer(&keyboard), Answer::Hint);
        assert_eq!(answer(&keyboard), Answer::Quit, "the end");
        assert_eq!(answer(&keyboard), Answer::Quit, "again");
    }

    #[test]
    fn questions_after_the_game_are_for_an_input_that_has_ended() {
        let ended = Keyboard::start(&b"5\n"[..]).unwrap();
        assert!(ended.answers_after_the_game());
        let (input, keys) = pipe().unwrap();
        let open = Keyboard::start(input).unwrap();
        assert!(!open.answers_after_the_game());
        drop(keys);
    }

    #[tokio::test(start_paused = true)]
    async fn who_wants_to_leave_waits_for_a_program_that_hangs_only_so_long() {
        let (input, mut keys) = pipe().unwrap();
        let keyboard = Keyboard::start(input).unwrap();
        let mut left = std::pin::pin!(keyboard.left());
        keys.write_all(b"5\n").unwrap();
        assert_eq!(answer(&keyboard), Answer::Play(5));
        let long = 100 * QUIT_GRACE;
        assert!(
            timeout(long, left.as_mut()).await.is_err(),
            "no request yet"
        );
        keys.write_all(b" QUIT \n").unwrap();
        left.await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_with_a_long_hint_is_no_program_that_hangs() {
        let keyboard = Keyboard::start(&b"hint\nquit\n"[..]).unwrap();
        let turn = keyboard.begin_turn();
        assert_eq!(answer(&keyboard), Answer::Hint);
        let mut state = keyboard.state.subscribe();
        state.wait_for(|state| state.leaving).await.unwrap();
        let mut left = std::pin::pin!(keyboard.left());
        // The search for the hint.
        let long = 100 * QUIT_GRACE;
        assert!(timeout(long, left.as_mut()).await.is_err(), "it is asked");
        drop(turn);
        left.await;
    }
}
