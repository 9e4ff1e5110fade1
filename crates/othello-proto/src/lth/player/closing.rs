//! The final block, in any order and as far as it comes.

use alloc::{format, string::String};

use super::{FINAL_GRACE, OldLine, Phase, Player, Report, ServerLine};
use crate::{
    lth::GameOutcome,
    session::{Ending, Note},
};

impl Player {
    /// Takes the first line of the final block, whichever it is.
    pub(super) fn take_result(&mut self, line: ServerLine) {
        let ends = matches!(
            line,
            ServerLine::Finished
                | ServerLine::Outcome(_)
                | ServerLine::Old(OldLine::FinishedWhite(_))
        );
        if ends || self.game.board().is_over() {
            return self.begin_closing(line);
        }
        // Another kind of words, or a server that counts the discs during the game.
        self.fault(format!("a result before the end: {:?}", format!("{line}")));
    }

    fn begin_closing(&mut self, line: ServerLine) {
        self.common.abandon();
        self.phase = Phase::Closing(self.common.now() + FINAL_GRACE);
        if !self.game.board().is_over() {
            self.note(Note::info("the server ends the game before its end"));
        }
        self.take_closing(line);
    }

    pub(super) fn take_closing(&mut self, line: ServerLine) {
        match line {
            ServerLine::Finished => {}
            ServerLine::Count { color, discs } => self.report.discs[color] = Some(discs),
            ServerLine::Outcome(outcome) => self.report.stated = Some(outcome),
            ServerLine::NamedWinner(name) => self.name_winner(&name),
            ServerLine::Old(OldLine::FinishedWhite(discs)) => match discs {
                Some(discs) => self.report.discs.white = Some(discs),
                None => self.label = Some(othello_core::Color::White),
            },
            ServerLine::Old(OldLine::Label(color)) => self.label = Some(color),
            ServerLine::Old(OldLine::Number(discs)) => match self.label.take() {
                Some(color) => self.report.discs[color] = Some(discs),
                None => self.fault(format!("a number without a meaning: {discs}")),
            },
            line => self.fault(format!("after the end: {:?}", format!("{line}"))),
        }
        if self.report.is_complete() {
            self.finish(Ending::Orderly);
        }
    }

    /// Takes a winner by name. Only our own name is known: for any other, the board decides if the game is over on it,
    /// else it is the opponent.
    fn name_winner(&mut self, name: &str) {
        let Some(color) = self.color else {
            return self.fault(format!("{name:?} won, but the colour is not known"));
        };
        let board = self.game.board();
        let outcome = if self.is_our_name(name) {
            GameOutcome::Won(color)
        } else if board.is_over() {
            GameOutcome::from_winner(board.leader())
        } else {
            GameOutcome::Won(!color)
        };
        if outcome == GameOutcome::Draw {
            self.fault(format!("{name:?} won, but our board is a draw"));
        }
        self.report.stated = Some(outcome);
    }

    /// Returns `true` for our id, in upper or lower case, and for words that begin with `you`.
    fn is_our_name(&self, name: &str) -> bool {
        let mut words = name.split_whitespace();
        let you = words
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case("you"));
        you || name.eq_ignore_ascii_case(self.options.id.as_str())
    }

    /// Returns the ending when input or patience ends before the session has.
    pub(super) fn cut_off(&mut self) -> Ending {
        match self.phase {
            Phase::Closing(_) => Ending::Orderly,
            Phase::Complaint(_) => Ending::Rejected(String::from("error")),
            Phase::Open if self.game.board().is_over() => {
                self.note(Note::leniency(
                    "no-final-block",
                    "the server closed at the end of the game without a word",
                ));
                Ending::Orderly
            }
            Phase::Open => Ending::CutOff,
        }
    }

    /// Logs the result, if one was read.
    pub(super) fn note_report(&mut self) {
        let (report, board) = (self.report, self.game.board());
        if report == Report::default() {
            return;
        }
        self.note(Note::info(format!("the server reports: {report}")));
        if board.is_over() && !report.agrees_with(board) {
            self.fault("the reported result is not the result on our board");
        }
    }
}
