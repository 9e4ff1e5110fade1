//! The engine as the thinker of a session, for any wire format.

use std::time::Instant;

use boardgame_io::{Interrupter, Thinker, cpu, cpu_time_left};
use go_core::Move;
use go_proto::session::{Analysis, Candidate, Choice, Goal, Question, Task};
use go_search::Report;

use crate::{Clock, Engine, Settings};

/// Answers the tasks of a session within its clock and the engine's settings.
///
/// # Examples
///
/// ```
/// use std::time::Instant;
///
/// use boardgame_io::Thinker as _;
/// use go_core::{Position, Setup};
/// use go_engine::{Engine, Settings};
/// use go_proto::session::{Choice, Question, Task, TaskClock, TaskId, Timestamp};
///
/// let mut engine = Engine::new(Settings { playouts: Some(50), ..Settings::default() });
/// let position = Position::new(&Setup::default());
/// let clock = TaskClock::unlimited(Timestamp::ORIGIN);
/// let task = Task { id: TaskId(1), question: Question::new(position), clock };
/// let choice = engine.think(&task, Instant::now());
/// assert!(matches!(choice, Choice::Move(mv) if task.question.position.check(mv).is_ok()));
/// ```
impl Thinker<Question> for Engine {
    fn think(&mut self, task: &Task, started: Instant) -> Choice {
        let mut clock = clock(task);
        if let Some(left) = cpu_time_left() {
            clock.remaining = Some(clock.remaining.map_or(left, |of_game| of_game.min(left)));
        }
        self.use_cache(task.question.cache);
        let Question { position, goal, .. } = &task.question;
        let report = match *goal {
            Goal::Analysis(time) => self.analyze(position, time),
            Goal::Move | Goal::Explanation => self.choose_since(position, &clock, started),
        };
        let best = (!self.resigns(&report)).then_some(report.best);
        match (goal, best) {
            (Goal::Move, Some(best)) => best.into(),
            (Goal::Move, None) => Choice::Resign,
            _ => Choice::Analysis(self.analysis(report, best)),
        }
    }

    fn interrupter(&self) -> Interrupter {
        let handle = self.stop_handle();
        Box::new(move || handle.stop())
    }
}

impl Engine {
    /// Creates an engine for a session whose clock counts CPU time. If the system does not report the CPU time of this
    /// process, its searches use wall-clock time.
    pub fn by_cpu_time(settings: Settings) -> Self {
        let engine = Self::new(settings);
        match cpu::clock_of_this_process() {
            Some(clock) => engine.with_clock(clock),
            None => engine,
        }
    }
}

impl Engine {
    /// Converts the report of the last search for a session.
    fn analysis(&self, report: Report, best: Option<Move>) -> Analysis {
        let searched = report.candidates.iter().filter(|it| it.visits > 0);
        let candidates = searched.map(|it| {
            let deviation = (it.win_rate * (1.0 - it.win_rate) / it.visits as f32).sqrt();
            Candidate {
                mv: it.mv,
                visits: it.visits,
                win_rate: it.win_rate,
                win_rate_bound: (it.win_rate - QUANTILE * deviation).max(0.0),
                margin: it.margin,
                prior: it.prior,
                line: self.line_after(it.mv),
            }
        });
        Analysis {
            best,
            candidates: candidates.collect(),
            ownership: report.ownership,
        }
    }
}

/// The quantile of the normal distribution for a two-sided confidence of 95 %.
const QUANTILE: f32 = 1.96;

/// Converts the clock of a task for the engine.
fn clock(task: &Task) -> Clock {
    Clock {
        remaining: task.clock.game,
        move_limit: task.clock.per_move,
        overtime: task.clock.overtime,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use go_core::{Position, Setup};
    use go_proto::{
        gtp,
        session::{Action, PlayerSession, TaskClock, TaskId, Timestamp},
        usenix,
    };

    use super::*;
    use crate::pace::Pace;

    /// Checks that the engine decides before the deadline of a session with this input.
    #[track_caller]
    fn check(mut session: impl PlayerSession<Question = Question>, input: &str) {
        session.start(Timestamp::ORIGIN);
        session.receive(input.as_bytes(), Timestamp::ORIGIN);
        let task = std::iter::from_fn(|| session.poll()).find_map(|action| match action {
            Action::Think(task) => Some(task),
            _ => None,
        });
        let task = task.expect("a task");
        let wait = session.deadline().expect("a limit") - task.clock.started;
        let budget = Pace::default().budget(&clock(&task), &task.question.position);
        let hard = budget.expect("a limit").hard;
        assert!(hard < wait, "{hard:?} of {:?}, {wait:?}", task.clock);
    }

    #[test]
    fn the_engine_decides_before_the_deadline_of_a_move_in_the_tournament() {
        for step in 1..200_u64 {
            for byo_romi in [2, 30, 1_000, 10_000].map(Duration::from_millis) {
                let options = usenix::PlayerOptions {
                    main_time: Duration::from_millis(step * step * 100),
                    byo_romi,
                    ..usenix::PlayerOptions::default()
                };
                check(usenix::Player::new(options.clone()), "black\n");
                check(usenix::Player::new(options), "byo-romi\nblack\n");
            }
        }
    }

    #[test]
    fn the_engine_decides_before_the_deadline_over_gtp() {
        for settings in [
            "1 0 0", "600 0 0", "0 1 1", "0 300 25", "5 10 1", "600 30 5",
        ] {
            let input = format!("time_settings {settings}\ngenmove b\n");
            check(gtp::Player::new(gtp::PlayerOptions::default()), &input);
        }
    }

    #[test]
    fn an_engine_with_resignation_resigns_a_hopeless_game() {
        let choice = |komi: i32, resignation: Option<f32>, playouts| {
            let settings = Settings {
                playouts: Some(playouts),
                ..Settings::default()
            };
            let mut engine = Engine::new(settings).with_resignation(resignation);
            let setup: Setup = format!("9x9 komi {komi}").parse().unwrap();
            let position = Position::new(&setup);
            let task = Task {
                id: TaskId(1),
                question: Question::new(position),
                clock: TaskClock::unlimited(Timestamp::ORIGIN),
            };
            engine.think(&task, Instant::now())
        };
        assert_eq!(choice(200, Some(0.05), 500), Choice::Resign);
        assert_ne!(choice(7, Some(0.05), 500), Choice::Resign);
        assert_ne!(choice(200, None, 500), Choice::Resign);
        // Too few visits to be sure.
        assert_ne!(choice(200, Some(0.05), 40), Choice::Resign);
    }

    #[test]
    fn an_interruption_beforehand_ends_an_unlimited_search() {
        let mut engine = Engine::new(Settings::default());
        let interrupt = engine.interrupter();
        interrupt();
        let position = Position::new(&Setup::default());
        let task = Task {
            id: TaskId(1),
            question: Question::new(position),
            clock: TaskClock::unlimited(Timestamp::ORIGIN),
        };
        let choice = engine.think(&task, Instant::now());
        let Choice::Move(mv) = choice else {
            panic!("{choice:?}");
        };
        assert!(task.question.position.check(mv).is_ok());
    }
}
