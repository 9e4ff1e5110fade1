//! Results in words and columns.

use std::io::{self, Write};

use boardgame_io::printable;
use boardgame_match::GameReport;
use othello_core::{Board, Color};
use othello_host::{
    likely_cause::{self, AnswerForm},
    replay::replay,
    series::{SeriesReport, Standing},
};

/// The number of last lines shown of a program's standard error.
const STDERR_LINES: usize = 10;

/// Prints a finished game.
pub(crate) fn game(
    out: &mut impl Write,
    number: u32,
    report: &GameReport<Board>,
    answers: AnswerForm,
) -> io::Result<()> {
    let [black, white] = Color::ALL.map(|color| &report.seats[color].name);
    let board = report.position;
    let [blacks, whites] = Color::ALL.map(|color| board.discs(color).count());
    let result = match report.outcome.verdict() {
        Some(verdict) => {
            let winner = verdict
                .winner
                .map_or("draw".into(), |color| format!("{color} wins"));
            let (game, output) = (replay(report), report.loser_output());
            let cause = likely_cause::in_words(&verdict.cause, &game, answers, &output);
            format!("{winner}, {cause}")
        }
        None => report.outcome.to_string(),
    };
    let line = format!("game {number}: Black {black}, White {white}: {blacks}-{whites}, {result}");
    writeln!(out, "{}", printable(&line))?;
    if !report.moves.is_empty() {
        writeln!(out, "  {}", replay(report).transcript())?;
    }
    for color in Color::ALL {
        let seat = &report.seats[color];
        for fault in &seat.faults {
            writeln!(out, "  {color} {}", printable(&fault.to_string()))?;
        }
        let said: Vec<&str> = seat.stderr.lines().collect();
        let left_out = said.len().saturating_sub(STDERR_LINES);
        if left_out > 0 {
            writeln!(out, "  {color} said {left_out} lines more on stderr, then:")?;
        }
        for line in &said[left_out..] {
            writeln!(out, "  {color} said on stderr: {}", printable(line))?;
        }
    }
    Ok(())
}

/// The columns of a terminal that are left for a name.
const NAME_COLUMNS: usize = 80 - 62;

/// Prints the totals of both sides. A long name has a line of its own.
pub(crate) fn series(
    out: &mut impl Write,
    names: &[String; 2],
    report: &SeriesReport,
) -> io::Result<()> {
    let shown = names.each_ref().map(|name| printable(name));
    let width = shown
        .iter()
        .map(|name| name.chars().count())
        .filter(|&width| width <= NAME_COLUMNS)
        .max()
        .unwrap_or(0);
    writeln!(
        out,
        "{:width$}  won  drawn  lost  discs  forfeits  faults  s a move  longest",
        ""
    )?;
    for ((name, shown), standing) in names.iter().zip(&shown).zip(&report.standings) {
        let shown = if shown.chars().count() > width {
            writeln!(out, "{shown}")?;
            ""
        } else {
            shown
        };
        let row = row(standing, moves(report, name));
        writeln!(out, "{shown:width$}  {row}")?;
    }
    if report.undecided > 0 {
        writeln!(out, "{} undecided", report.undecided)?;
    }
    Ok(())
}

fn row(standing: &Standing, moves: u32) -> String {
    let Standing {
        wins,
        draws,
        losses,
        discs,
        forfeits,
        faults,
        used,
        longest,
    } = standing;
    let mean = used.as_secs_f64() / f64::from(moves.max(1));
    let longest = longest.as_secs_f64();
    format!(
        "{wins:>3}  {draws:>5}  {losses:>4}  {discs:>+5}  {forfeits:>8}  {faults:>6}  {mean:>8.3}  {longest:>7.3}"
    )
}

/// Returns the number of moves that a side made in all games.
fn moves(report: &SeriesReport, name: &str) -> u32 {
    let seats = report.games.iter().flat_map(|(_, game)| game.seats.iter());
    seats
        .filter(|seat| seat.name == name)
        .map(|seat| seat.moves)
        .sum()
}
