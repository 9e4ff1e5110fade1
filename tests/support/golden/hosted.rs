//! Scripts of a game between two programs at a host.

use std::{mem, time::Duration};

use boardgame_core::{Color, Game};
use boardgame_session::{GameEvent, Said, SeatSession, Timestamp, Verdict};

use crate::golden::{Clock, Subject, bytes_of, note_line, shown, shown_time, thought_text};
use crate::hosted_game::{HostAction, HostedGame};

/// A game at a host under a script with the steps
///
/// - `start`
/// - `B: TEXT`, `W: TEXT`: a program prints a text
/// - `B!`, `W!`: a program ends, unless another one was launched at the end of its output
/// - `B eof`, `B exit STATUS`: its output ends; it ends
/// - `kept`: the verdict is kept
/// - `@SECONDS`: the time of the next step; `+SECONDS`: time passes; `+`: it passes to the deadline
pub(crate) struct HostedScript<G: Game, S> {
    game: HostedGame<G, S>,
    clock: Clock,
    started: bool,
    launches: usize,
    verdict: Option<Verdict>,
    lines: Vec<String>,
}

impl<G: Game<Move: ToString> + std::fmt::Display, S: SeatSession<G>> HostedScript<G, S> {
    pub(crate) const fn new(game: HostedGame<G, S>) -> Self {
        Self {
            game,
            clock: Clock::new(),
            started: false,
            launches: 0,
            verdict: None,
            lines: Vec::new(),
        }
    }

    fn pass_to_deadline(&mut self) {
        let deadline = self.game.deadline().expect("a deadline");
        let just_before = deadline
            .since_origin()
            .saturating_sub(Duration::from_nanos(1));
        if just_before >= self.clock.now.since_origin() {
            self.game.tick(Timestamp::from_origin(just_before));
            assert!(self.game.poll().is_none(), "an action before the deadline");
        }
        self.clock.now = deadline;
        self.lines.push(format!("at {}", shown_time(deadline)));
        self.game.tick(deadline);
    }

    fn program(&mut self, seat: Color, act: &str) {
        let now = self.clock.now;
        match act.split_once(' ').unwrap_or((act, "")) {
            (":", text) => self.game.receive(seat, &bytes_of(text), now),
            ("", "eof") => self.game.end_of_input(seat, now),
            ("", exit) => self.game.exited(seat, exit == "exit 0", now),
            ("!", _) => {
                let before = self.launches;
                self.game.end_of_input(seat, now);
                self.settle();
                if self.launches == before {
                    self.game.exited(seat, true, now);
                }
            }
            _ => panic!("{act:?} is no step"),
        }
    }

    fn settle(&mut self) {
        while let Some(action) = self.game.poll() {
            assert!(self.verdict.is_none(), "{action:?} after the end");
            let line = match action {
                HostAction::Launch(seat) => {
                    self.launches += 1;
                    format!("launch {seat}")
                }
                HostAction::Send { seat, bytes } => {
                    format!("to {}: {}", letter(seat), shown(&bytes))
                }
                HostAction::HangUp(seat) => format!("hang up on {seat}"),
                HostAction::Event(GameEvent::Began) => "began".into(),
                HostAction::Event(GameEvent::Restarted) => "restarted".into(),
                HostAction::Event(GameEvent::Moved(seat, mv, thought)) => {
                    let thought = thought_text(&thought.unwrap_or_default());
                    format!("{seat}: {mv} {thought}")
                }
                HostAction::Event(GameEvent::Said(seat, Said::Comment(text))) => {
                    format!("{seat} remarks: {text}")
                }
                HostAction::Event(GameEvent::Said(seat, said)) => format!("{seat} says {said:?}"),
                HostAction::Note(note) => note_line(&note),
                HostAction::Keep(verdict) => format!("keep: {verdict}"),
                HostAction::Finish(verdict) => {
                    let line = format!("{verdict}; {}", self.game.position());
                    self.verdict = Some(verdict);
                    line
                }
            };
            self.lines.push(line);
        }
    }
}

impl<G: Game<Move: ToString> + std::fmt::Display, S: SeatSession<G>> Subject
    for HostedScript<G, S>
{
    fn step(&mut self, step: &str) {
        if !self.started {
            self.started = true;
            self.game.start(self.clock.now);
            self.settle();
        }
        if let Some(act) = step.strip_prefix('B') {
            self.program(Color::Black, act);
        } else if let Some(act) = step.strip_prefix('W') {
            self.program(Color::White, act);
        } else if step == "+" {
            self.pass_to_deadline();
        } else if step == "kept" {
            self.game.kept(self.clock.now);
        } else if step.starts_with('@') {
            self.clock.set(step);
            return;
        } else if self.clock.set(step) {
            self.game.tick(self.clock.now);
        } else {
            assert_eq!(step, "start", "no step");
        }
        self.settle();
    }

    fn output(&mut self) -> Vec<String> {
        let deadline = self.game.deadline();
        self.lines.extend(self.clock.deadline_line(deadline));
        mem::take(&mut self.lines)
    }
}

const fn letter(seat: Color) -> char {
    match seat {
        Color::Black => 'B',
        Color::White => 'W',
    }
}
