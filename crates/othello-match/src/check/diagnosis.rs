//! Likely causes of a program's fault.

use boardgame_match::{
    check::{Finished, Loss, Rule, Scene},
    fault::Fault,
    record::RecordFormat as _,
};
use othello_core::{Board, Game, Move, Square};

use super::situation::{Situation, Tracker};
use crate::{
    protocol::{Protocol, WireFormat},
    record::Othello,
};

/// A game of a check, played again.
#[derive(Debug)]
pub(super) struct Replay<'a> {
    protocol: Protocol,
    finished: &'a Finished,
    game: Game,
    pub(super) tracker: Tracker,
}

impl<'a> Replay<'a> {
    pub(super) fn new(protocol: Protocol, finished: &'a Finished) -> Self {
        let game = Game::from_transcript(Board::START, &finished.game.moves).unwrap_or_default();
        let mut tracker = Tracker::new(Board::START, finished.color);
        game.moves().iter().for_each(|&mv| tracker.play(mv));
        Self {
            protocol,
            finished,
            game,
            tracker,
        }
    }

    /// Returns what is shown of the program's fault.
    pub(super) fn loss(&self) -> Loss {
        let last = self.game.last_move().and_then(Move::square);
        let square = self.square();
        let legal = self.board().legal_moves();
        Loss {
            case: self.case().map(Situation::name),
            cause: self.finished.cause(),
            rule: Some(self.rule()),
            scene: Scene {
                moves: Othello::write_moves(self.game.moves()),
                board: self.board().pretty().last_move(square.or(last)).to_string(),
                square: square.as_ref().map(Square::to_string),
                legal: legal.iter().map(|square| square.to_string()).collect(),
            },
        }
    }

    /// Returns the situation in which the fault was made.
    fn case(&self) -> Option<Situation> {
        let board = self.board();
        let mut moves = self.game.moves().iter().rev();
        let (last, own_last, before_last) = (moves.next(), moves.next(), moves.next());
        let ends = [
            Situation::WipedOut,
            Situation::WipesOut,
            Situation::EarlyEnd,
            Situation::FullBoard,
        ];
        if board.is_over() {
            return ends.into_iter().find(|&end| self.tracker.has(end));
        }
        if board.side_to_move() != self.finished.color {
            return None;
        }
        let is_pass = |mv: Option<&Move>| mv == Some(&Move::Pass);
        match (board.must_pass(), is_pass(last)) {
            (true, _) if is_pass(own_last) => Some(Situation::MustPassTwice),
            (true, _) => Some(Situation::MustPass),
            (false, true) if is_pass(before_last) => Some(Situation::OpponentPassesTwice),
            (false, true) => Some(Situation::OpponentPasses),
            (false, false) => None,
        }
    }

    fn board(&self) -> Board {
        self.tracker.board()
    }

    /// Returns the heading of the rule that the program broke.
    fn rule(&self) -> Rule {
        let topic = match self.finished.fault {
            Some(Fault::Format { .. }) => 0,
            _ if self.board().is_over() || self.board().must_pass() => 2,
            Some(Fault::Late { .. } | Fault::Hung { .. }) => 2,
            _ => 1,
        };
        rule(self.protocol, topic)
    }

    /// Returns the square of an illegal move.
    fn square(&self) -> Option<Square> {
        let Some(Fault::IllegalMove { mv, .. }) = &self.finished.fault else {
            return None;
        };
        mv.parse::<Move>().ok()?.square()
    }
}

/// Returns a heading of a protocol's page, by its number in [`page`].
pub(super) const fn rule(protocol: Protocol, topic: usize) -> Rule {
    let (title, page, headings) = page(protocol);
    Rule {
        title,
        page,
        heading: headings[topic],
    }
}

/// Returns the title and the name of a protocol's page, with the headings of its grammar, its session, and its rules
/// about passes, the end and time.
const fn page(protocol: Protocol) -> (&'static str, &'static str, [&'static str; 3]) {
    match protocol {
        Protocol::Gtp => (
            "Go Text Protocol (GTP)",
            "gtp",
            ["Grammar", "Session", "Othello"],
        ),
        Protocol::Nboard => (
            "NBoard, and game records in GGF",
            "nboard",
            ["Grammar", "Session", "Settled points"],
        ),
        Protocol::Wire(WireFormat::Sloan(_)) => (
            "Sloan's format, the IAGO referee's",
            "sloan",
            ["Grammar", "Session of the player", "Session of the referee"],
        ),
        Protocol::Wire(WireFormat::Lth) => (
            "LTH Othello server",
            "lth",
            ["Grammar", "Session", "The server"],
        ),
        Protocol::Wire(WireFormat::Codewarriors) => (
            "Code Warriors",
            "code-warriors",
            ["Grammar", "Session", "Settled points"],
        ),
        Protocol::Wire(WireFormat::Gui(_)) => {
            ("Othello GUI", "gui", ["Grammar", "Session", "The host"])
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_rule_is_a_heading_of_its_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocols");
        for (title, file, headings) in Protocol::all().map(page) {
            let text = fs::read_to_string(format!("{folder}/{file}.md")).unwrap();
            assert!(text.starts_with(&format!("# {title}\n")), "{title}");
            for heading in headings {
                let line = format!("\n## {heading}\n");
                assert!(text.contains(&line), "{file}: {heading}");
            }
        }
    }
}
