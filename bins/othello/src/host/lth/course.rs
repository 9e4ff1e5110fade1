//! The options of a course.

use std::{
    io::{self, BufRead as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
};

use anyhow::Context as _;
use boardgame_cli::positive;
use boardgame_io::printable;
use othello_host::lth_server::{self, Operator, Students};

/// The maximum size of a file of students in bytes.
const MAX_FILE: u64 = 4 * boardgame_files::MIB;

const STUDENTS_HELP: &str = "\
The students, from this TOML file: a table for each class with a line for each student. The id is the student's
secret; others see the name:

[Monday]
da7308ca-s = \"Ada Lovelace\"
\"any printable text\" = \"Grace Hopper\"

Other ids are refused, unless --guests is given. With --web there is a scoreboard.";

/// The options of a course.
#[derive(clap::Args)]
#[command(next_help_heading = "Course")]
pub(super) struct Course {
    /// The students, from this TOML file
    #[arg(long, value_name = "FILE", long_help = STUDENTS_HELP)]
    students: Option<PathBuf>,
    /// Let ids that no student has play too; others see them as guest
    #[arg(long, requires = "students")]
    pub(super) guests: bool,
    /// Games of an id at a time, including those that wait for an opponent [default: any number]
    #[arg(long, value_name = "N", value_parser = positive::<std::num::NonZeroUsize>)]
    games_at_a_time: Option<std::num::NonZeroUsize>,
    /// Games of an id in a day of UTC [default: any number]
    #[arg(long, value_name = "N", value_parser = positive::<std::num::NonZeroU64>)]
    games_a_day: Option<std::num::NonZeroU64>,
    /// Obey commands on standard input: reset NAME sets a student's results to zero; the log keeps the games
    #[arg(long, requires = "store")]
    pub(super) commands: bool,
    /// Print the students' results in the store as comma-separated values, and serve nothing
    #[arg(long, requires_all = ["students", "store"])]
    pub(super) results: bool,
}

impl Course {
    pub(super) fn games_at_a_time(&self) -> Option<usize> {
        self.games_at_a_time.map(Into::into)
    }

    pub(super) fn games_a_day(&self) -> Option<u64> {
        self.games_a_day.map(Into::into)
    }

    /// Reads the students, if there is a file.
    pub(super) fn students(&self) -> anyhow::Result<Option<Students>> {
        let read = |path: &PathBuf| {
            let text = boardgame_files::read_to_string(path, MAX_FILE)?;
            text.parse::<Students>().map_err(anyhow::Error::from)
        };
        let file = self.students.as_ref();
        let students = file.map(|path| read(path).with_context(|| path.display().to_string()));
        students.transpose()
    }

    /// Prints the results in a log.
    pub(super) fn print_results(&self, log: Option<&Path>) -> anyhow::Result<ExitCode> {
        // The command line has both.
        if let (Some(students), Some(log)) = (self.students()?, log) {
            let scores = lth_server::scores(log, &students)?;
            write!(io::stdout(), "{}", lth_server::to_csv(&scores))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Carries out the commands on standard input, in a thread of their own, up to its end.
pub(super) fn obey(operator: Operator) -> io::Result<()> {
    let obey = move || {
        for line in io::stdin().lock().lines() {
            let answer = match line {
                Ok(line) => answer(&operator, line.trim()),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => error.to_string(),
                Err(_) => return,
            };
            // Without standard output the command is still carried out.
            let _ = writeln!(io::stdout(), "{}", printable(&answer));
        }
    };
    thread::Builder::new().name("commands".into()).spawn(obey)?;
    Ok(())
}

/// Carries out a command and returns its answer.
fn answer(operator: &Operator, line: &str) -> String {
    match line.split_once(char::is_whitespace) {
        Some(("reset", name)) => match operator.reset(name.trim()) {
            Ok(()) => format!("the results of {} are reset", name.trim()),
            Err(error) => error.to_string(),
        },
        _ => format!("expected reset NAME, found {line:?}"),
    }
}
