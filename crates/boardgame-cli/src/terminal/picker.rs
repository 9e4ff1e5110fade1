//! A board on which a person picks a square with the arrow keys, or types.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crossterm::{
    event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    terminal,
};

use super::{
    frame::{self, Frame},
    grid::{Cell, Grid},
    prompt::{Answer, Prompt, refusal, understand},
};

/// The maximum number of characters that are typed in a line.
const MAX_TYPED: usize = 1024;

/// The interval at which a wait for a key checks for a stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The terminal in raw mode, until this is dropped.
pub(super) struct RawMode;

impl RawMode {
    pub(super) fn begin() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        Ok(Self)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        // If it fails, there is no terminal.
        let _ = terminal::disable_raw_mode();
    }
}

/// Asks for a move on a board until the answer is valid; returns [`Answer::Quit`] once `stopped` is
/// set.
pub(super) fn pick<M>(
    out: &mut impl Write,
    prompt: &Prompt<'_, M>,
    grid: &Grid<'_>,
    stopped: &AtomicBool,
) -> io::Result<Answer<M>> {
    let _raw = RawMode::begin()?;
    let mut frame = Frame::default();
    let mut line = Line::new(grid);
    let answer = loop {
        frame.draw(out, &line.shown())?;
        let Some(event) = next_event(stopped)? else {
            break Answer::Quit;
        };
        let Some(key) = pressed(&event) else { continue };
        match line.press(key) {
            Step::Continue => {}
            Step::Leave => break Answer::Quit,
            Step::Entered(text) => match understand(text.trim(), prompt) {
                Ok(answer) => break answer,
                Err(error) => {
                    let arrows = "move the cursor with the arrow keys, or ";
                    let start = if text.trim().is_empty() { arrows } else { "" };
                    line.refuse(start.to_owned() + &refusal(text.trim(), &error, prompt));
                }
            },
        }
    };
    write!(out, "\r\n")?;
    out.flush()?;
    Ok(answer)
}

/// Waits for an event of the terminal, or returns `None` once `stopped` is set.
pub(super) fn next_event(stopped: &AtomicBool) -> io::Result<Option<Event>> {
    while !stopped.load(Ordering::Relaxed) {
        if event::poll(POLL_INTERVAL)? {
            return event::read().map(Some);
        }
    }
    Ok(None)
}

/// Returns the key of an event, if it is a key press.
pub(super) fn pressed(event: &Event) -> Option<KeyEvent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(*key),
        _ => None,
    }
}

/// The typed line, and the cursor.
struct Line<'a> {
    grid: &'a Grid<'a>,
    cursor: Cell,
    /// True once an arrow key was pressed; only then Enter plays the square of the cursor.
    is_picking: bool,
    text: String,
    /// The error of the last line.
    refusal: String,
}

/// The effect of a key.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Continue,
    Entered(String),
    Leave,
}

impl<'a> Line<'a> {
    fn new(grid: &'a Grid<'a>) -> Self {
        Self {
            grid,
            cursor: grid.start,
            is_picking: false,
            text: String::new(),
            refusal: String::new(),
        }
    }

    fn press(&mut self, key: KeyEvent) -> Step {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return Step::Leave,
            KeyCode::Char('d') if control && self.text.is_empty() => return Step::Leave,
            KeyCode::Char('u') if control => self.text.clear(),
            KeyCode::Esc => self.text.clear(),
            KeyCode::Char(letter) if !control && self.text.len() < MAX_TYPED => {
                self.text.push(letter);
            }
            KeyCode::Backspace => drop(self.text.pop()),
            KeyCode::Enter if self.is_picking && self.text.trim().is_empty() => {
                return Step::Entered((self.grid.name)(self.cursor));
            }
            KeyCode::Enter => return Step::Entered(std::mem::take(&mut self.text)),
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, -1),
            KeyCode::Down => self.step(0, 1),
            _ => {}
        }
        Step::Continue
    }

    /// Moves the cursor, and keeps it on the board.
    fn step(&mut self, columns: i8, rows: i8) {
        self.is_picking = true;
        let Cell { column, row } = self.cursor;
        self.cursor = Cell {
            column: column
                .saturating_add_signed(columns)
                .min(self.grid.columns - 1),
            row: row.saturating_add_signed(rows).min(self.grid.rows - 1),
        };
    }

    fn refuse(&mut self, reason: String) {
        self.text.clear();
        self.refusal = reason;
    }

    /// Returns the board, the error, and the typed text as far as it fits a line.
    fn shown(&self) -> String {
        let board = (self.grid.draw)(self.cursor);
        let (columns, rows) = frame::size();
        let columns = usize::from(columns);
        let room = usize::from(rows).saturating_sub(board.lines().count() + 2);
        let lines = self.refusal.lines();
        let lines = lines.map(|line| frame::wrapped(line, columns.saturating_sub(1), room));
        let refusal = lines.collect::<Vec<_>>().join("\n");
        let refusal = refusal.lines().take(room).collect::<Vec<_>>().join("\n");
        let name = if self.is_picking {
            format!(" [{}]", (self.grid.name)(self.cursor))
        } else {
            String::new()
        };
        let hidden = self.text.chars().count();
        let hidden = (hidden + name.len() + 13).saturating_sub(columns);
        let typed: String = self.text.chars().skip(hidden).collect();
        let gap = if refusal.is_empty() { "" } else { "\n" };
        format!("{board}\n{refusal}{gap}Your move{name}: {typed}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_line(test: impl FnOnce(&mut Line<'_>)) {
        let name = |cell: Cell| format!("{}{}", char::from(b'a' + cell.column), cell.row + 1);
        let grid = Grid {
            columns: 3,
            rows: 2,
            start: Cell { column: 1, row: 0 },
            name: &name,
            draw: &|cell| format!("board at {}", name(cell)),
        };
        test(&mut Line::new(&grid));
    }

    fn press(line: &mut Line<'_>, keys: &[KeyCode]) -> Step {
        let mut last = Step::Continue;
        for &key in keys {
            last = line.press(key.into());
        }
        last
    }

    fn entered(text: &str) -> Step {
        Step::Entered(text.into())
    }

    #[test]
    fn arrows_move_the_cursor_and_keep_it_on_the_board() {
        use KeyCode::{Down, Enter, Left, Right, Up};
        with_line(|line| {
            assert_eq!(
                press(line, &[Enter]),
                entered(""),
                "it says what may be typed"
            );
            assert_eq!(press(line, &[Up, Left, Left, Left, Enter]), entered("a1"));
            assert_eq!(press(line, &[Down, Down, Right, Enter]), entered("b2"));
            assert_eq!(press(line, &[Right, Right, Enter]), entered("c2"));
        });
    }

    #[test]
    fn what_is_typed_goes_before_the_cursor() {
        use KeyCode::{Backspace, Char, Down, Enter, Esc};
        with_line(|line| {
            assert_eq!(press(line, &[Char(' '), Enter]), entered(" "));
            let typed = [Char('c'), Char('x'), Backspace, Down, Char('1'), Enter];
            assert_eq!(press(line, &typed), entered("c1"));
            assert_eq!(press(line, &[Char('z'), Esc, Enter]), entered("b2"));
        });
    }

    #[test]
    fn control_keys_leave() {
        with_line(|line| {
            let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            assert_eq!(line.press(control('x')), Step::Continue);
            assert_eq!(line.press(control('c')), Step::Leave);
            assert_eq!(line.press(control('d')), Step::Leave);
        });
    }

    #[test]
    fn a_wrong_line_is_explained_beneath_the_board() {
        with_line(|line| {
            assert_eq!(line.shown(), "board at b1\nYour move: ");
            line.refuse("b1 is not legal\nc1 is".into());
            let shown = line.shown();
            assert_eq!(shown, "board at b1\nb1 is not legal\nc1 is\nYour move: ");
            line.step(0, 0);
            assert!(line.shown().ends_with("\nYour move [b1]: "));
        });
    }
}
