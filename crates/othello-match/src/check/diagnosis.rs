//! Likely causes of a program's fault.

use std::time::{Duration, Instant};

use boardgame_io::{Exchange, ExchangeKind};
use boardgame_match::fault::{Fault, StartFailure};
use othello_core::{Board, Color, Move, Square};
use othello_proto::{gui::Form, sloan};

use super::belief::Misunderstanding;
use crate::protocol::{Protocol, WireFormat};

/// The time after the end of its input within which a program writes what it has not flushed.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// A lost game as the causes are derived from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss<'a> {
    pub(super) protocol: Protocol,
    pub(super) program: Color,
    pub(super) fault: &'a Fault,
    pub(super) moves: &'a [Move],
    /// The boards of the game, of which the last is that of the fault.
    pub(super) boards: &'a [Board],
    pub(super) trace: &'a [Exchange],
}

impl Loss<'_> {
    /// Returns the likely cause in a sentence.
    pub(super) fn cause(&self) -> Option<String> {
        let cause = match self.fault {
            Fault::IllegalMove { .. } => return Some(self.illegal()),
            Fault::Hung { .. } => return Some(self.silent()),
            Fault::Late { .. } => "it thinks longer than its limit, or starts too slowly",
            Fault::NotStarted {
                failure: StartFailure::NotRun,
                ..
            } => "it cannot be run: check the path, and that the file may be executed",
            Fault::NotStarted {
                failure: StartFailure::Silent,
                ..
            } => return Some(self.silent()),
            Fault::Crashed { .. } if self.is_kept_by_gui() => {
                "the program ended: in this form one process plays the whole game"
            }
            Fault::NotStarted { .. } | Fault::Crashed { .. } => {
                "the program ended: what it wrote to standard error may say why"
            }
            Fault::FalseResult { .. } => {
                "its board is not that of the game, or it counts the discs differently"
            }
            Fault::Format { .. } => return self.misformed(),
            _ => return None,
        };
        Some(cause.into())
    }

    const fn is_kept_by_gui(&self) -> bool {
        matches!(
            self.protocol,
            Protocol::Wire(WireFormat::Gui(Form::Stay(_)))
        )
    }

    fn board(&self) -> Board {
        self.boards.last().copied().unwrap_or(Board::START)
    }

    /// Returns the exchanges until the program's input was closed.
    fn until_closed(&self) -> &[Exchange] {
        let closed = |it: &Exchange| it.kind == ExchangeKind::Closed;
        let last = self.trace.iter().rposition(closed);
        &self.trace[..last.unwrap_or(self.trace.len())]
    }

    /// Returns the last bytes of the program, unless it was sent a question after them that it did not answer.
    fn answer(&self) -> Vec<u8> {
        let trace = self.until_closed();
        let is = |kind| move |it: &Exchange| it.kind == kind;
        let Some(last) = trace.iter().rposition(is(ExchangeKind::Received)) else {
            return Vec::new();
        };
        let after = trace[last..]
            .iter()
            .filter(|it| it.kind == ExchangeKind::Sent)
            .count();
        // These say the verdict, too.
        let is_told = matches!(
            self.protocol,
            Protocol::Wire(WireFormat::Sloan(_) | WireFormat::Lth)
        );
        if matches!(self.fault, Fault::Hung { .. }) && after > usize::from(is_told) {
            return Vec::new();
        }
        let sent = trace[..last].iter().rposition(is(ExchangeKind::Sent));
        received(&trace[sent.map_or(0, |at| at + 1)..=last])
    }

    /// Returns the square of an illegal move.
    pub(super) fn square(&self) -> Option<Square> {
        let Fault::IllegalMove { mv, .. } = self.fault else {
            return None;
        };
        mv.parse::<Move>().ok()?.square()
    }

    fn illegal(&self) -> String {
        let (board, side) = (self.board(), self.program);
        let legal = board.legal_moves();
        let answer = self.square();
        let of_color = |(board, mv): (&Board, &Move)| (board.side_to_move(), mv.square());
        let mut moves: Vec<_> = self.boards.iter().zip(self.moves).map(of_color).collect();
        moves.push((side, answer));
        let reasons = Misunderstanding::explaining(side, &moves);
        let reasons: Vec<&str> = reasons
            .into_iter()
            .map(Misunderstanding::in_words)
            .collect();
        let seen = match answer {
            None if legal.is_empty() => {
                return format!("{side} must pass: {}", self.pass_in_words());
            }
            Some(_) if legal.is_empty() => {
                return format!(
                    "{side} has no legal move here and must pass: {}",
                    self.pass_in_words()
                );
            }
            None => format!(
                "{side} has {} legal moves here and must not pass",
                legal.count()
            ),
            Some(square) => match board.disc(square) {
                Some(color) if color == side => format!("{square} has its own disc"),
                Some(_) if self.moves.last() == Some(&Move::Place(square)) => {
                    format!("the opponent has just placed a disc on {square}")
                }
                Some(_) => format!("{square} has the opponent's disc"),
                None => format!("{square} is empty but flips nothing"),
            },
        };
        if reasons.is_empty() {
            seen + "; its board is not that of the game, or its rules are wrong"
        } else {
            format!("{seen}; {}", reasons.join(", or "))
        }
    }

    /// Returns the form of a pass in the program's protocol.
    fn pass_in_words(&self) -> &'static str {
        let is_black = self.program == Color::Black;
        match self.protocol {
            Protocol::Gtp => "`pass`",
            Protocol::Nboard => "`=== PA`",
            Protocol::Wire(WireFormat::Sloan(sloan::Dialect::Lines)) if is_black => "`B`",
            Protocol::Wire(WireFormat::Sloan(sloan::Dialect::Lines)) => "`W`",
            Protocol::Wire(WireFormat::Sloan(_)) if is_black => "`(B)`",
            Protocol::Wire(WireFormat::Sloan(_)) => "`(W)`",
            Protocol::Wire(WireFormat::Lth) => "`PASS`",
            Protocol::Wire(WireFormat::Codewarriors) => "`PS`",
            Protocol::Wire(WireFormat::Gui(_)) => "it is not asked for a move",
        }
    }

    fn silent(&self) -> String {
        let before = self.until_closed();
        let answer = self.answer();
        let after = &self.trace[before.len()..];
        let at = |it: &Exchange| -> Instant { it.at };
        let closed = after.first().map(at);
        let flushed = after.iter().filter(|it| {
            it.kind == ExchangeKind::Received
                && closed.is_some_and(|closed| it.at.duration_since(closed) < FLUSH_TIME)
        });
        let late: usize = flushed.map(|it| it.bytes.len()).sum();
        let text = String::from_utf8_lossy(&answer);
        let is_answered = text
            .lines()
            .any(|line| line.trim().parse::<Square>().is_ok());
        let is_for_one_move = matches!(
            self.protocol,
            Protocol::Wire(WireFormat::Gui(Form::Released | Form::Document(_)))
        );
        let cause = if is_for_one_move && is_answered {
            "it must exit after its move"
        } else if late > 0 && answer.is_empty() {
            return format!(
                "nothing arrived in time, and {late} bytes came when its input ended: flush standard output after each line"
            );
        } else if answer.is_empty() {
            "nothing arrived: it waits for more input, thinks too long, or did not understand what it was sent"
        } else if answer.ends_with(b"\n") {
            "it wrote something, but no answer: write debugging text to standard error"
        } else {
            "its answer has no newline at the end"
        };
        cause.into()
    }

    fn misformed(&self) -> Option<String> {
        let is_wire = matches!(self.protocol, Protocol::Wire(_));
        if !is_wire {
            return None;
        }
        let answer = self.answer();
        let text = String::from_utf8_lossy(&answer);
        let text = text.trim();
        let capitals = self.protocol == Protocol::Wire(WireFormat::Codewarriors);
        let is_move = text.parse::<Square>().is_ok() || text.eq_ignore_ascii_case("ps");
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        match lines {
            0 => None,
            1 if capitals && is_move => {
                Some("the format has capital letters only: `D3`, `PS`".into())
            }
            1 if is_move => None,
            1 => Some("this line is no answer: write debugging text to standard error".into()),
            _ => Some(format!(
                "it wrote {lines} lines where one was expected: write debugging text to standard error"
            )),
        }
    }
}

fn received(trace: &[Exchange]) -> Vec<u8> {
    let received = trace.iter().filter(|it| it.kind == ExchangeKind::Received);
    received.flat_map(|it| it.bytes.clone()).collect()
}
