//! The scores of a course, as its scoreboard shows them.

use std::fmt::Write as _;

use boardgame_io::csv_field;
use serde::{Deserialize, Serialize};

use super::students::Student;

/// Counts of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The number of games won.
    pub won: u64,
    /// The number of games drawn.
    pub drawn: u64,
    /// The number of games lost.
    pub lost: u64,
}

impl Score {
    /// Returns the points: 1 for a win, ½ for a draw.
    pub fn points(self) -> f64 {
        (2 * self.won + self.drawn) as f64 / 2.0
    }

    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The scores of a student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudentScores {
    /// The student.
    pub student: Student,
    /// The games against other students.
    pub competition: Score,
    /// The games on the evaluation port.
    pub evaluation: Score,
}

/// Sorts scores by class, then best first.
pub(crate) fn sort(scores: &mut [StudentScores]) {
    scores.sort_by(|one, other| {
        let classes = one.student.class.cmp(&other.student.class);
        let points = |score: fn(&StudentScores) -> Score| {
            let points = |scores| score(scores).points();
            points(other).total_cmp(&points(one))
        };
        classes
            .then_with(|| points(|scores| scores.competition))
            .then_with(|| points(|scores| scores.evaluation))
            .then_with(|| one.student.name.cmp(&other.student.name))
    });
}

/// Returns scores as comma-separated values, with a line of headings.
pub fn to_csv(scores: &[StudentScores]) -> String {
    let mut csv =
        "class,name,points,won,drawn,lost,evaluation_won,evaluation_drawn,evaluation_lost\n"
            .to_owned();
    for StudentScores {
        student,
        competition,
        evaluation,
    } in scores
    {
        let (class, name) = (csv_field(&student.class), csv_field(&student.name));
        let points = competition.points();
        let of = |score: &Score| format!("{},{},{}", score.won, score.drawn, score.lost);
        let (competition, evaluation) = (of(competition), of(evaluation));
        // A string takes any text.
        let _ = writeln!(csv, "{class},{name},{points},{competition},{evaluation}");
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_a_class_are_first_and_commas_stay_in_their_field() {
        let scores = |class: &str, name: &str, won, drawn| StudentScores {
            student: Student {
                class: class.into(),
                name: name.into(),
            },
            competition: Score {
                won,
                drawn,
                lost: 1,
            },
            evaluation: Score::default(),
        };
        let mut all = [
            scores("B", "Ida", 9, 0),
            scores("A", "Bo", 0, 2),
            scores("A", "Ada", 0, 2),
            scores("A", "Hopper, \"G\"", 1, 1),
        ];
        sort(&mut all);
        let csv = to_csv(&all);
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "A,\"Hopper, \"\"G\"\"\",1.5,1,1,1,0,0,0",
                "A,Ada,1,0,2,1,0,0,0",
                "A,Bo,1,0,2,1,0,0,0",
                "B,Ida,9,9,0,1,0,0,0",
            ]
        );
    }
}
