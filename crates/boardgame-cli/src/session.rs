//! Sessions of any format over their connections, and reports of their ends.

use std::path::Path;

use boardgame_io::{ProcessEnd, Thinker};
use boardgame_session::player::PlayerSession;

use crate::{ExitCode, Program};

/// Prepares the process of a player, with its log in `log` or the default, and plays a session over standard input
/// and output. The thinker is created after the log is open.
pub fn play<S: PlayerSession, T: Thinker<S::Question>>(
    program: Program,
    log: Option<&Path>,
    session: S,
    thinker: impl FnOnce() -> T,
) -> ExitCode {
    match program.prepare(log) {
        Ok(()) => over_stdio(program, session, thinker()),
        Err(code) => code,
    }
}

/// Plays a session over standard input and output in a process that is [prepared](Program::prepare).
pub fn over_stdio<S: PlayerSession>(
    program: Program,
    session: S,
    thinker: impl Thinker<S::Question>,
) -> ExitCode {
    let end = boardgame_io::play_over_stdio(program.name, session, thinker);
    reported(program, end)
}

/// Plays a session like [`over_stdio`], on this thread [alone](boardgame_io::play_over_stdio_alone).
pub fn over_stdio_alone<S: PlayerSession>(
    program: Program,
    session: S,
    thinker: impl Thinker<S::Question>,
) -> ExitCode {
    let end = boardgame_io::play_over_stdio_alone(program.name, session, thinker);
    reported(program, end)
}

/// Does the work on this thread, then reports the end to the log and, if the format permits, to the user.
pub fn in_runtime(program: Program, work: impl Future<Output = ProcessEnd>) -> ExitCode {
    reported(program, boardgame_io::in_runtime(work))
}

fn reported(program: Program, end: ProcessEnd) -> ExitCode {
    if let Some(remark) = end.remark {
        program.remark(&remark);
    }
    end.code
}
