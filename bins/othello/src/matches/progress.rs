//! The standing of a match on one line of a terminal, and the faults in it.

use std::io::{self, Write as _};

use boardgame_match::{EngineId, record::PlayedGame, schedule::Form, stats::Sprt, tally::Tally};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use othello_match::runner::Match;

use super::tables;
use boardgame_cli::terminal::printable;

/// A progress bar on standard error. It is not there when that is no terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    sprt: Option<Sprt>,
    /// True if two engines play, so that the bar can show their standing.
    duel: bool,
}

impl Progress {
    /// The progress of a match of which some games may have been played before.
    pub(super) fn new(contest: &Match, tally: &Tally) -> Self {
        let games = games(contest, tally);
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
            duel: contest.engines.len() == 2,
        };
        progress.tell(tally);
        progress
    }

    /// Takes note of a game.
    pub(super) fn add(&self, tally: &Tally, played: &PlayedGame) {
        for (side, fault) in &played.faults {
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

    /// Takes the bar away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, tally: &Tally) {
        if self.duel {
            let pair = tally.duel(EngineId(0), EngineId(1));
            self.bar
                .set_message(tables::running(&pair, self.sprt.as_ref()));
        }
        self.bar.tick();
    }
}

/// The number of games of a match.
fn games(contest: &Match, tally: &Tally) -> u64 {
    match contest.schedule.form() {
        // The later rounds are not known yet.
        Form::Swiss { rounds } => u64::from(rounds) * (contest.engines.len() as u64 / 2),
        _ => contest.schedule.known(tally.results()).len() as u64,
    }
}
