//! The standing of a match on one line of a terminal, and the faults in it.

use std::io::{self, Write as _};

use boardgame_io::printable;
use boardgame_match::{
    EngineId, contest::Match, engine::Engine, fault::Fault, record::PlayedGame, stats::Sprt,
    summary, tally::Tally,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar on standard error, if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    sprt: Option<Sprt>,
    /// True for a match of pairs, whose standing the bar can show.
    duel: bool,
}

impl Progress {
    /// Returns the progress of a match, some of whose games may have been played before.
    pub(crate) fn new<E: Engine, O>(contest: &Match<E, O>, tally: &Tally) -> Self {
        let games = contest.schedule.total(tally) as u64;
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        let style = "{bar:24} {human_pos}/{human_len} games, {eta} left  {msg}";
        bar.set_style(
            ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_position(tally.results().len() as u64);
        bar.reset_eta();
        let progress = Self {
            bar,
            sprt: contest.sprt,
            duel: contest.schedule.is_of_pairs(),
        };
        progress.tell(tally);
        progress
    }

    /// Adds a game.
    pub(crate) fn add(&self, tally: &Tally, played: &PlayedGame) {
        let faults = played.faults.iter();
        for (side, fault) in faults.filter(|(_, fault)| *fault != Fault::Resigned) {
            let engine = &played.names[*side as usize];
            let opening = played.id.opening + 1;
            let line = format!(
                "opening {opening}: {engine} {}",
                printable(&fault.to_string())
            );
            self.bar.suspend(|| {
                // An error of standard error cannot be reported.
                let _ = writeln!(io::stderr(), "{line}");
            });
        }
        self.bar.set_position(tally.results().len() as u64);
        self.tell(tally);
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, tally: &Tally) {
        if self.duel {
            let pair = tally.duel(EngineId(0), EngineId(1));
            self.bar
                .set_message(summary::running(&pair, self.sprt.as_ref()));
        }
        self.bar.tick();
    }
}
