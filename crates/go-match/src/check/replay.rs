//! Games of a check, played again: the situations in them, and the causes of faults.

use boardgame_match::{
    check::{Finished, Loss, Rule, Scene},
    fault::Fault,
    record::RecordFormat as _,
};
use go_core::{IllegalReason, Move, Point, Position, Setup, Size};

use super::Goal;
use crate::{Format, record::Go};

/// A game of a check, played again.
#[derive(Debug)]
pub(super) struct Replay<'a> {
    format: Format,
    finished: &'a Finished,
    setup: Setup,
    moves: Vec<Move>,
    position: Position,
    met: Vec<Goal>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(format: Format, finished: &'a Finished) -> Self {
        let setup = finished.game.setup.as_ref();
        let setup: Setup = setup.and_then(|text| text.parse().ok()).unwrap_or_default();
        let moves = Go::read_moves(&setup, &finished.game.moves).unwrap_or_default();
        let mut replay = Self {
            format,
            finished,
            position: Position::new(&setup),
            setup,
            moves: Vec::new(),
            met: Vec::new(),
        };
        for mv in moves {
            if replay.position.side_to_move() == finished.color {
                let offered = replay.offered();
                replay.met.extend(offered);
            }
            // The conductor of the game has judged it.
            let _ = replay.position.play(mv);
            replay.moves.push(mv);
        }
        // A program that resigns has answered, too.
        let is_resigned = finished.fault.is_none() && !finished.game.faults.is_empty();
        if is_resigned && replay.position.side_to_move() == finished.color {
            let offered = replay.offered();
            replay.met.extend(offered);
        }
        if replay.position.is_over() {
            replay.met.push(Goal::TwoPasses);
        }
        replay
    }

    pub(super) fn met(self) -> Vec<Goal> {
        self.met
    }

    /// Returns the situations of the position, in which the program is to move. The first are the most special.
    fn offered(&self) -> Vec<Goal> {
        let (position, color) = (&self.position, self.finished.color);
        let board = position.board();
        let captures_before = |len: usize| {
            let mut before = Position::new(&self.setup);
            let played = self.moves[..len].iter().try_for_each(|&mv| before.play(mv));
            played.map_or(0, |()| before.captures()[!color])
        };
        let size = |lines| Size::new(lines) == Some(board.size());
        let is_captured = self
            .moves
            .len()
            .checked_sub(1)
            .is_some_and(|before| captures_before(before) < position.captures()[!color]);
        let all = [
            (Goal::MustPass, position.legal_points().next().is_none()),
            (
                Goal::OpponentPasses,
                position.last_move() == Some(Move::Pass),
            ),
            (
                Goal::Ko,
                board.ko().is_some_and(|(banned, _)| banned == color),
            ),
            (Goal::Captured, is_captured),
            (
                Goal::Suicide,
                board
                    .empty_points()
                    .any(|point| board.is_suicide(color, point)),
            ),
            (Goal::Handicap, self.setup.handicap() > 0),
            (Goal::Thirteen, size(13)),
            (Goal::Nineteen, size(19)),
        ];
        let met = all.into_iter().filter(|(_, is_met)| *is_met);
        met.map(|(goal, _)| goal).collect()
    }

    /// Returns what is shown of the program's fault.
    pub(super) fn loss(&self) -> Loss {
        let point = self.illegal().and_then(Move::point);
        let position = &self.position;
        let last = point.or(position.last_move().and_then(Move::point));
        let mut legal: Vec<String> = position.legal_points().map(|it| it.to_string()).collect();
        if legal.len() > 20 {
            legal.clear();
        }
        Loss {
            case: self.case().map(Goal::name),
            cause: self.cause(),
            rule: Some(self.rule()),
            scene: Scene {
                moves: Go::write_moves(&self.moves),
                board: position.board().diagram().last_move(last).to_string(),
                square: point.map(|point| point.to_string()),
                legal,
            },
        }
    }

    /// Returns the situation in which the fault was made.
    fn case(&self) -> Option<Goal> {
        if self.position.is_over() {
            return Some(Goal::TwoPasses);
        }
        if self.position.side_to_move() != self.finished.color {
            return None;
        }
        let reason = self.reason();
        let is_case = |goal: &Goal| match goal {
            Goal::Ko => reason == Some(IllegalReason::Ko),
            Goal::Suicide => reason == Some(IllegalReason::Suicide),
            Goal::Nineteen => self.format == Format::Gtp,
            _ => true,
        };
        self.offered().into_iter().find(is_case)
    }

    /// Returns the illegal move.
    fn illegal(&self) -> Option<Move> {
        match &self.finished.fault {
            Some(Fault::IllegalMove { mv, .. }) => mv.parse().ok(),
            _ => None,
        }
    }

    fn reason(&self) -> Option<IllegalReason> {
        let mv = self.illegal()?;
        self.position.check(mv).err().map(|illegal| illegal.reason)
    }

    fn cause(&self) -> Option<String> {
        match self.finished.fault.as_ref()? {
            Fault::IllegalMove { mv, .. } => Some(self.explained(mv)),
            Fault::Format { .. } => None,
            _ => self.finished.cause(),
        }
    }

    /// Returns the likely cause of an illegal move.
    fn explained(&self, text: &str) -> String {
        let board = self.position.board();
        let size = board.size();
        let Some(Move::Place(point)) = self.illegal() else {
            return format!(
                "columns are A to T without I, and rows 1 to {}",
                size.lines()
            );
        };
        if self.position.legal_points().next().is_none() {
            return "it has no legal point and must pass: `pass`".into();
        }
        let seen = match self.reason() {
            Some(IllegalReason::Occupied) => {
                match (board.stone(point), self.position.last_move()) {
                    (_, Some(last)) if last.point() == Some(point) => {
                        format!("the opponent has just played {point}")
                    }
                    (Some(color), _) if color == self.finished.color => {
                        format!("{point} has its own stone")
                    }
                    _ => format!("{point} has the opponent's stone"),
                }
            }
            Some(IllegalReason::Ko) => {
                return format!("{point} retakes the ko at once: play elsewhere first");
            }
            Some(IllegalReason::Superko) => return format!("{point} repeats an earlier position"),
            Some(IllegalReason::Suicide) => {
                return format!("a stone on {point} has no liberty and captures nothing");
            }
            Some(IllegalReason::OffBoard) => {
                return format!("{text} is off the board, which has {} lines", size.lines());
            }
            _ => return "the game is over".into(),
        };
        let lines = size.lines() - 1;
        let mirrored = |it: Point| Point::new(it.column(), lines - it.row());
        let why = if self.explains(mirrored, point) {
            "rows look counted from the top in what it writes"
        } else if self.explains(|it| Point::new(it.row(), it.column()), point) {
            "columns and rows look exchanged in what it writes"
        } else {
            "its board is not that of the game: are all moves played on it, and captured stones removed?"
        };
        format!("{seen}; {why}")
    }

    /// Returns whether all moves of the program were legal if it meant other points.
    fn explains(&self, meant: impl Fn(Point) -> Option<Point>, last: Point) -> bool {
        let mut position = Position::new(&self.setup);
        let moves = self.moves.iter().copied().chain([last.into()]);
        let opening = self.finished.game.opening_plies;
        moves.enumerate().all(|(ply, mv)| {
            let is_own = ply >= opening && position.side_to_move() == self.finished.color;
            let point = mv.point().filter(|_| is_own).and_then(&meant);
            position.play(point.map_or(mv, Move::from)).is_ok()
        })
    }

    /// Returns the heading of the rule that the program broke.
    fn rule(&self) -> Rule {
        let fault = self.finished.fault.as_ref();
        let topic = match fault {
            Some(Fault::Format { .. }) => 0,
            Some(Fault::Late { .. } | Fault::Hung { .. }) => 2,
            _ => 1,
        };
        rule(self.format, topic)
    }
}

/// Returns a heading of a format's page: of its grammar, its rules, or those about time.
pub(super) const fn rule(format: Format, topic: usize) -> Rule {
    let usenix = ("USENIX Computer Go Tournament", "usenix-go");
    let gtp = ("Go Text Protocol (GTP)", "gtp");
    let ((title, page), heading) = match (format, topic) {
        (Format::Usenix, 0) => (usenix, "Grammar"),
        (Format::Usenix, 1) => (usenix, "Session"),
        (Format::Usenix, _) => (usenix, "The referee"),
        (Format::Gtp, 0) => (gtp, "Grammar"),
        (Format::Gtp, 1) => (("GTP for Go", "gtp-go"), "Session"),
        (Format::Gtp, _) => (gtp, "Time"),
    };
    Rule {
        title,
        page,
        heading,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_rule_is_a_heading_of_its_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocols");
        for format in [Format::Usenix, Format::Gtp] {
            for topic in 0..3 {
                let rule = rule(format, topic);
                let text = fs::read_to_string(format!("{folder}/{}.md", rule.page)).unwrap();
                assert!(text.starts_with(&format!("# {}\n", rule.title)), "{rule}");
                assert!(text.contains(&format!("\n## {}\n", rule.heading)), "{rule}");
            }
        }
    }
}
