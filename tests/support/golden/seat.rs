//! Scripts of the host's session of one seat.

use std::{mem, time::Duration};

use boardgame_core::{ByColor, ClockState, Color, Game, Margin};
use boardgame_session::{
    Order, Said, SeatAction, SeatEvent, SeatFault, SeatSession, Thought, Timestamp, Verdict,
};

use super::{Clock, Subject, bytes_of, note_line, shown, shown_time};

/// A seat's session under a script with the steps
///
/// - `begin`, with a setup and `after` moves of an opening, or without
/// - `choose`; `black MOVE`, `white MOVE`: a move was played
/// - `said WORDS`: `comment`, `claim`, or a closing move
/// - `over`, with `closes` if the other side makes closing moves; `conclude VERDICT`; `call-off`
/// - `> TEXT`: the program prints a text
/// - `eof`: its output ends; `exit STATUS`: it ends; `leave`: both
/// - `conventions`: those of the session
/// - `@SECONDS`: the time of the next step; `+SECONDS`: time passes; `+`: it passes to the deadline
pub(crate) struct SeatScript<G: Game, S> {
    session: S,
    color: Color,
    clocks: ByColor<ClockState>,
    /// Reads a setup, empty if a script gives none.
    setup: fn(&str) -> G::Setup,
    mv: fn(&str) -> G::Move,
    clock: Clock,
    lines: Vec<String>,
}

impl<G: Game<Move: ToString>, S: SeatSession<G>> SeatScript<G, S> {
    pub(crate) fn new(
        session: S,
        color: Color,
        clocks: ByColor<ClockState>,
        setup: fn(&str) -> G::Setup,
        mv: fn(&str) -> G::Move,
    ) -> Self {
        Self {
            session,
            color,
            clocks,
            setup,
            mv,
            clock: Clock::new(),
            lines: Vec::new(),
        }
    }

    fn begin(&self, text: &str) -> Order<G> {
        let (setup, moves) = text.split_once("after").unwrap_or((text, ""));
        Order::Begin {
            setup: (self.setup)(setup.trim()),
            moves: moves.split_whitespace().map(self.mv).collect(),
            color: self.color,
            clocks: self.clocks,
            tolerance: Duration::ZERO,
        }
    }

    fn said(&self, text: &str) -> Said<G::Move> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("comment", text) => Said::Comment(text.into()),
            ("claim", points) => Said::Claim(Margin::from_points(points.parse().expect("points"))),
            _ => Said::ClosingMove((self.mv)(text)),
        }
    }

    fn order(&mut self, step: &str) -> Option<Order<G>> {
        let (word, text) = step.split_once(' ').unwrap_or((step, ""));
        let played = |color| Order::Played {
            color,
            mv: (self.mv)(text),
        };
        Some(match word {
            "begin" => self.begin(text),
            "choose" => Order::Choose {
                clocks: self.clocks,
            },
            "black" => played(Color::Black),
            "white" => played(Color::White),
            "said" => Order::Said(self.said(text)),
            "over" => Order::Over {
                margin: None,
                other_closes: text == "closes",
            },
            "conclude" => Order::Conclude(verdict(text)),
            "call-off" => Order::CallOff,
            _ => return None,
        })
    }

    fn pass_to_deadline(&mut self) {
        let deadline = self.session.deadline().expect("a deadline");
        let just_before = deadline
            .since_origin()
            .saturating_sub(Duration::from_nanos(1));
        if just_before >= self.clock.now.since_origin() {
            self.session.tick(Timestamp::from_origin(just_before));
            assert!(
                self.session.poll().is_none(),
                "an action before the deadline"
            );
        }
        self.clock.now = deadline;
        self.lines.push(format!("at {}", shown_time(deadline)));
        self.session.tick(deadline);
    }

    fn settle(&mut self) {
        while let Some(action) = self.session.poll() {
            let line = match action {
                SeatAction::Launch => "launch".into(),
                SeatAction::Send(bytes) => format!("< {}", shown(&bytes)),
                SeatAction::HangUp => "hang up".into(),
                SeatAction::Note(note) => note_line(&note),
                SeatAction::Event(SeatEvent::Move(mv, thought)) => {
                    format!("{} {}", mv, thought_text(&thought))
                }
                SeatAction::Event(SeatEvent::Fault(fault)) => {
                    Verdict::forfeit(self.color, fault).cause.to_string()
                }
                SeatAction::Event(event) => format!("{event:?}"),
            };
            self.lines.push(line);
        }
    }
}

impl<G: Game<Move: ToString>, S: SeatSession<G>> Subject for SeatScript<G, S> {
    fn step(&mut self, step: &str) {
        let now = self.clock.now;
        let (word, text) = step.split_once(' ').unwrap_or((step, ""));
        match word {
            ">" => self.session.receive(&bytes_of(text), now),
            "eof" => self.session.end_of_input(now),
            "exit" => self.session.exited(text == "0", now),
            "leave" => {
                self.session.end_of_input(now);
                self.session.exited(true, now);
            }
            "conventions" => self.lines.push(format!("{:?}", self.session.conventions())),
            "+" => self.pass_to_deadline(),
            _ if step.starts_with('@') => {
                self.clock.set(step);
                return;
            }
            _ if self.clock.set(step) => self.session.tick(self.clock.now),
            _ => {
                let order = self.order(step);
                let order = order.unwrap_or_else(|| panic!("{step:?} is no step"));
                self.session.order(order, now);
            }
        }
        self.settle();
    }

    fn output(&mut self) -> Vec<String> {
        let deadline = self.session.deadline();
        self.lines.extend(self.clock.deadline_line(deadline));
        mem::take(&mut self.lines)
    }
}

/// Returns how long a move took, and the other details that its program reported.
pub(crate) fn thought_text(thought: &Thought) -> String {
    let mut text = format!("after {:?}", thought.took);
    text += &thought
        .score
        .map_or(String::new(), |score| format!(", score {score}"));
    text += &thought
        .depth
        .map_or(String::new(), |depth| format!(", depth {depth}"));
    text += &thought
        .nodes
        .map_or(String::new(), |nodes| format!(", {nodes} nodes"));
    text
}

/// Reads a verdict: `played POINTS`, or `resigned`, `overtime`, `illegal`, `format` or `left` with a side.
fn verdict(text: &str) -> Verdict {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let side = || {
        if rest == "white" {
            Color::White
        } else {
            Color::Black
        }
    };
    let forfeit = |fault| Verdict::forfeit(side(), fault);
    match word {
        "played" => Verdict::played(Margin::from_points(rest.parse().expect("points"))),
        "overtime" => forfeit(SeatFault::Overtime {
            detail: String::new(),
        }),
        "left" => forfeit(SeatFault::Left),
        "format" => forfeit(SeatFault::format("")),
        "illegal" => forfeit(SeatFault::IllegalMove {
            mv: String::new(),
            detail: String::new(),
        }),
        _ => Verdict::resigned(side()),
    }
}
