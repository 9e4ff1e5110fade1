//! The scoreboard of a course, a page without scripts, and the same as comma-separated values.

use std::{
    fmt::{self, Write as _},
    sync::Arc,
};

use axum::{
    Router, extract::State, http::header::CONTENT_TYPE, response::IntoResponse, routing::get,
};
use boardgame_io::escaped;
use othello_host::lth_server::{StudentScores, to_csv};
use tokio::sync::watch;

/// The path of the page.
pub(crate) const PATH: &str = "/scoreboard";

/// The scores, which change as games end.
pub type Scores = watch::Receiver<Arc<[StudentScores]>>;

/// Returns the routes of the scoreboard.
pub(crate) fn routes(scores: Scores) -> Router {
    Router::new()
        .route(PATH, get(page))
        .route("/scoreboard.csv", get(csv))
        .with_state(scores)
}

async fn page(State(scores): State<Scores>) -> impl IntoResponse {
    let scores = Arc::clone(&scores.borrow());
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], html(&scores))
}

async fn csv(State(scores): State<Scores>) -> impl IntoResponse {
    let scores = Arc::clone(&scores.borrow());
    ([(CONTENT_TYPE, "text/csv; charset=utf-8")], to_csv(&scores))
}

/// The page up to its tables. Browsers load it again every ten seconds.
const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
<title>Scoreboard</title>
<link rel="stylesheet" href="base.css">
</head>
<body>
<h1>Scoreboard</h1>
"#;

/// The headings of a table.
const HEADINGS: &str = "<thead><tr><th></th><th class=\"words\">Name</th><th>Points</th><th>Won</th><th>Drawn</th>\
    <th>Lost</th><th>Won in evaluation</th><th>of</th></tr></thead>\n<tbody>\n";

/// Returns the page of scores, which are sorted by class, with a table for each class.
fn html(scores: &[StudentScores]) -> String {
    let mut page = HEAD.to_owned();
    for class in scores.chunk_by(|one, other| one.student.class == other.student.class) {
        // A string takes any text.
        let _ = table(&mut page, class);
    }
    page += "<p class=\"soft\">Points are those of games against each other: 1 for a win, ½ for a draw.</p>\n</body>\n</html>\n";
    page
}

/// Writes the table of a class, which has a student.
fn table(page: &mut String, class: &[StudentScores]) -> fmt::Result {
    let title = escaped(&class[0].student.class);
    writeln!(
        page,
        "<h2>{title}</h2>\n<div class=\"scroll\"><table>{HEADINGS}"
    )?;
    for one in class {
        // Equal points share a rank.
        let points = one.competition.points();
        let better = class
            .iter()
            .filter(|other| other.competition.points() > points);
        let (rank, name) = (better.count() + 1, escaped(&one.student.name));
        let (competition, evaluation) = (one.competition, one.evaluation);
        let played = evaluation.won + evaluation.drawn + evaluation.lost;
        writeln!(
            page,
            "<tr><td>{rank}</td><td class=\"words\">{name}</td><td>{points}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{played}</td></tr>",
            competition.won, competition.drawn, competition.lost, evaluation.won
        )?;
    }
    writeln!(page, "</tbody></table></div>")
}

#[cfg(test)]
mod tests {
    use othello_host::lth_server::{Score, Student};

    use super::*;

    #[test]
    fn a_class_has_a_table_and_names_are_text() {
        let scores = ["A", "B"].map(|class| StudentScores {
            student: Student {
                class: class.into(),
                name: "<b>&".into(),
            },
            competition: Score {
                drawn: 1,
                ..Score::default()
            },
            evaluation: Score::default(),
        });
        let page = html(&scores);
        assert_eq!(page.matches("<table>").count(), 2, "{page}");
        let row = "<tr><td>1</td><td class=\"words\">&lt;b&gt;&amp;</td><td>0.5</td>";
        assert_eq!(page.matches(row).count(), 2, "{page}");
    }
}
