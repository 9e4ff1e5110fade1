//! A toy format: the host sends `move` and the squares to choose from, the player one of them.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

pub mod server;

use std::{collections::VecDeque, future::pending, time::Duration};

use othello_arena::{
    CommandLine, GameOptions, GameReport, ProgramOptions, Seat,
    game::{self, Launch},
};
use othello_core::{Color, Game, Move};
use othello_net::{Interrupter, Thinker};
use othello_proto::{
    framing::{Line, Lines},
    session::{
        Cause, Clock, Decision, Effort, HostAction, HostEvent, HostSession, Note, Task, TaskId,
        Timestamp, Verdict,
    },
};

/// How a game of the toy format goes.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The time for each move.
    pub limit: Option<Duration>,
    /// The colour that the host plays itself.
    pub house: Option<Color>,
    /// Whether a program is started for each move.
    pub launches: bool,
    /// Bytes sent along with each question.
    pub padding: usize,
    /// The moves after which the host breaks off.
    pub moves: Option<usize>,
}

/// The host of the toy format.
pub struct Toy {
    rules: Rules,
    game: Game,
    asked: Option<Timestamp>,
    lines: [Lines; 2],
    actions: VecDeque<HostAction>,
}

impl Toy {
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            game: Game::default(),
            asked: None,
            lines: [Lines::default(), Lines::default()],
            actions: VecDeque::new(),
        }
    }

    fn ask(&mut self, now: Timestamp) {
        if self.game.board().must_pass() {
            self.game.play(Move::Pass).unwrap();
        }
        let board = self.game.board();
        let enough = self.rules.moves == Some(self.game.moves().len());
        if board.is_over() || enough {
            return self.finish(board.leader(), Cause::Played);
        }
        let seat = board.side_to_move();
        self.asked = Some(now);
        if self.rules.house == Some(seat) {
            let clock = Clock {
                started: now,
                game: None,
                per_move: self.rules.limit,
            };
            let id = TaskId(self.game.moves().len() as u64);
            let moves = board.legal_moves();
            self.actions.push_back(HostAction::Think(Task {
                id,
                board,
                moves,
                clock,
                effort: Effort::default(),
            }));
            return;
        }
        let mut text = "move".to_owned();
        for square in board.legal_moves() {
            text += " ";
            text += &square.to_string();
        }
        text += &" ".repeat(self.rules.padding);
        text += "\n";
        if self.rules.launches {
            self.actions.push_back(HostAction::Launch(seat));
        }
        let bytes = text.into_bytes();
        self.actions.push_back(HostAction::Send { seat, bytes });
        if self.rules.launches {
            self.actions.push_back(HostAction::HangUp(seat));
        }
    }

    fn answer(&mut self, seat: Color, line: &Line, now: Timestamp) {
        let Line::Whole(line) = line else {
            return self.fault(Cause::Format {
                by: seat,
                detail: "too long".into(),
            });
        };
        let text = String::from_utf8_lossy(line);
        let Ok(mv) = text.trim().parse::<Move>() else {
            self.actions.push_back(HostAction::Note(Note::fault(text)));
            return;
        };
        let turn = self.game.board().side_to_move() == seat;
        if !turn || self.game.play(mv).is_err() {
            return self.fault(Cause::IllegalMove {
                by: seat,
                detail: mv.to_string(),
            });
        }
        self.moved(seat, mv, now);
    }

    fn moved(&mut self, seat: Color, mv: Move, now: Timestamp) {
        let took = now - self.asked.take().unwrap_or(now);
        let event = HostEvent::Moved { seat, mv, took };
        self.actions.push_back(HostAction::Event(event));
        self.ask(now);
    }

    fn fault(&mut self, cause: Cause) {
        self.finish(cause.culprit().map(|by| !by), cause);
    }

    fn finish(&mut self, winner: Option<Color>, cause: Cause) {
        self.asked = None;
        let board = self.game.board();
        self.actions.push_back(HostAction::Finish(Verdict {
            winner,
            cause,
            board,
        }));
    }
}

impl HostSession for Toy {
    fn start(&mut self, now: Timestamp) {
        self.actions.push_back(HostAction::Event(HostEvent::Began));
        self.ask(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        let lines = &mut self.lines[usize::from(seat == Color::White)];
        lines.push(bytes);
        let mut whole = Vec::new();
        while let Some(line) = lines.next_line() {
            whole.push(line);
        }
        for line in whole {
            self.answer(seat, &line, now);
        }
    }

    fn end_of_input(&mut self, seat: Color, _: Timestamp) {
        if !self.rules.launches {
            self.fault(Cause::Left { by: seat });
        }
    }

    fn exited(&mut self, seat: Color, _: bool, _: Timestamp) {
        if self.game.board().side_to_move() == seat {
            self.fault(Cause::Left { by: seat });
        }
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        let seat = self.game.board().side_to_move();
        let mv = Move::Place(decision.square);
        self.game.play(mv).expect("the house plays by the rules");
        self.moved(seat, mv, now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        Some(self.asked? + self.rules.limit?)
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            let by = self.game.board().side_to_move();
            self.fault(Cause::Overtime { by });
        }
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.actions.pop_front()
    }

    fn game(&self) -> &Game {
        &self.game
    }
}

/// Plays the first of its moves.
pub struct First;

impl Thinker for First {
    fn think(&mut self, task: &Task, _: std::time::Instant) -> Decision {
        Decision {
            task: task.id,
            square: task.moves.first().unwrap(),
            assessment: None,
        }
    }

    fn interrupter(&self) -> Interrupter {
        Box::new(|| {})
    }
}

/// A player of the toy format: a shell script.
pub const PLAYER: &str = "while read word first rest; do echo $first; done";

/// Short grace periods, so that tests of what hangs take little time.
pub fn quick() -> ProgramOptions {
    ProgramOptions {
        grace: Duration::from_millis(300),
        last_grace: Duration::from_millis(300),
        ..ProgramOptions::default()
    }
}

/// A seat for a shell script.
pub fn script(text: &str) -> Seat {
    Seat::program(text, shell(text), quick())
}

pub fn shell(text: &str) -> CommandLine {
    CommandLine::new("/bin/sh", ["-c", text])
}

/// Plays a game between two shell scripts.
pub async fn play(black: &str, white: &str, rules: Rules) -> GameReport {
    play_seats([script(black), script(white)], rules).await
}

pub async fn play_seats(seats: [Seat; 2], rules: Rules) -> GameReport {
    let launch = if rules.launches {
        Launch::OnRequest
    } else {
        Launch::AtStart
    };
    let options = GameOptions {
        launch,
        ..GameOptions::default()
    };
    game::run(Toy::new(rules), seats, |_, _| {}, &options, pending()).await
}
