//! A format made for this test: its grammar and its session rules are all that a new format needs.
//!
//! The host tells a program each move by its square or `pass`, and asks by `go`; the program answers with its move.

use std::time::Duration;

use boardgame_core::{ByColor, ClockState};
use boardgame_session::{
    Conventions, Opening, Received, SeatActions, SeatEvent, SeatFault, SeatFormat, Wait,
    framing::{Line, Lines},
    player::{AnsweredTask, CommonState, PlayerFormat},
};
use othello_core::{Board, Color, Move};
use othello_proto::session::{Ending, Note, Progress, Question, TaskClock, TimeMargin, Timestamp};

use crate::games::{Opponent, STARTS, Side, check};

/// A line of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Play(Move),
    Go,
}

fn parse(line: &[u8]) -> Option<Command> {
    let line = str::from_utf8(line).ok()?;
    Some(match line {
        "go" => Command::Go,
        line => Command::Play(line.parse().ok()?),
    })
}

// The program's side.

struct Player {
    common: CommonState<Question>,
    lines: Lines,
    board: Board,
}

impl Player {
    fn new(board: Board) -> Self {
        Self {
            common: CommonState::new(TimeMargin::default()),
            lines: Lines::default(),
            board,
        }
    }

    fn go(&mut self) {
        let clock = TaskClock::unlimited(self.common.now());
        if self.board.must_pass() {
            self.common.send("pass\n");
        } else {
            let question = Question::best_move(self.board);
            self.common.open_task((), clock, question);
        }
    }
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = ();
    type Framing = Lines;

    fn common(&self) -> &CommonState<Question> {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState<Question>, &mut Lines) {
        (&mut self.common, &mut self.lines)
    }

    fn take(&mut self, line: Line) {
        let Line::Whole(line) = line else { return };
        match parse(&line) {
            Some(Command::Play(mv)) => self.board.play(mv).unwrap(),
            Some(Command::Go) if !self.common.is_thinking() => self.go(),
            _ => self.common.note_input(Note::fault("ignored")),
        }
    }

    fn answer(&mut self, answered: &AnsweredTask<Question>) {
        self.common.send(format!("{}\n", answered.answer));
    }

    fn ending(&mut self) -> Ending {
        Ending::Orderly
    }

    fn progress(&self) -> Progress {
        Progress {
            color: None,
            move_number: 1,
            board: self.board.to_string(),
        }
    }
}

// The host's side.

#[derive(Default)]
struct Seat {
    actions: SeatActions<Move>,
    lines: Lines,
    wait: Option<Wait>,
}

impl SeatFormat for Seat {
    type Game = Board;

    const CONVENTIONS: Conventions = Conventions {
        asks_forced_moves: true,
        closing_moves: false,
    };

    fn actions(&mut self) -> &mut SeatActions<Move> {
        &mut self.actions
    }

    fn begin(&mut self, _: Opening<Board>, _: Timestamp) {
        self.actions.event(SeatEvent::Ready);
    }

    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp) {
        self.wait = Some(Wait::for_move(now, &clocks.black, Duration::ZERO));
        self.actions.send("go\n");
    }

    fn played(&mut self, _: Color, mv: Move) {
        self.actions.send(format!("{mv}\n"));
    }

    fn over(&mut self, _: bool, _: Timestamp) {
        self.actions.event(SeatEvent::Completed);
    }

    fn leave(&mut self) {
        self.wait = None;
        self.actions.hang_up();
    }

    fn read(&mut self, bytes: &[u8], now: Timestamp) {
        self.lines.push(bytes);
        while let (Some(wait), Some(line)) = (self.wait, self.lines.next_line()) {
            let answer = match &line {
                Line::Whole(line) => parse(line),
                Line::TooLong => None,
            };
            match answer {
                Some(Command::Play(mv)) => self.actions.answer(mv, now - wait.since),
                _ => self.actions.fault(SeatFault::format("expected a move")),
            }
            self.wait = None;
        }
    }

    fn read_end(&mut self, _: Timestamp) {
        if self.wait.is_some() {
            self.fail(SeatFault::Left);
        }
    }

    fn wait(&self) -> Option<Wait> {
        self.wait
    }

    fn received(&self) -> Received<'_> {
        Received::Part(self.lines.partial())
    }

    fn fail(&mut self, fault: SeatFault) {
        self.wait = None;
        self.actions.fault(fault);
    }
}

#[test]
fn a_new_format_plays_whole_games() {
    let mover = Opponent::Mover(Seat::CONVENTIONS);
    for (seed, start) in (0..).zip(STARTS) {
        for (color, opponent) in [
            (Color::Black, mover),
            (Color::White, mover),
            (Color::Black, Opponent::OurPlayer),
        ] {
            check(color, opponent, start, seed, |_, start| {
                Side::new(Seat::default(), move || Player::new(start))
            });
        }
    }
}
