//! The analysis on a terminal: a table of the moves, the curve, the worst moves and the sums.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use boardgame_cli::terminal::{Style, curve};
use boardgame_io::printable;
use othello_analysis::{
    Discs, GameInfo, PlayerInfo, PositionReport, PositionValue, Report, Summary, line_in_words,
};
use othello_core::Color;

/// The mark of a value that has a proof.
const PROVED: char = '*';

/// Prints the report.
pub(super) fn print(report: &Report) -> io::Result<()> {
    let text = joined([
        heading(&report.game),
        moves(report),
        next(report),
        drawn(&report.curve),
        worst(report),
        proofs(report),
        summaries(report),
    ]);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Returns the values of the moves of a game in progress, without help for choosing the next one.
pub(crate) fn played_so_far(report: &Report) -> String {
    joined([moves(report), worst(report), summaries(report)])
}

/// Returns the curve.
fn drawn(values: &[Option<Discs>]) -> String {
    let values: Vec<Option<f64>> = values.iter().map(|it| it.map(Discs::to_f64)).collect();
    let title = "Black's value in discs, by move";
    curve(title, 0, &values, &[1, 2, 4, 8, 12], Style::of_stdout())
}

fn joined<const N: usize>(parts: [String; N]) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Returns the players and the other known facts about the game.
fn heading(game: &GameInfo) -> String {
    let player = |player: &PlayerInfo, color: Color| match (&*player.name, &*player.rating) {
        ("", "") => format!("{color:?}"),
        (name, "") => format!("{color:?} {name}"),
        (name, rating) => format!("{color:?} {name} ({rating})"),
    };
    let mut parts = vec![format!(
        "{} - {}",
        player(&game.black, Color::Black),
        player(&game.white, Color::White)
    )];
    parts.extend(game.result.as_ref().map(|result| result.text.clone()));
    parts.extend(game.date.clone());
    let details = [&game.event, &game.round, &game.place];
    parts.extend(details.into_iter().filter(|text| !text.is_empty()).cloned());
    let opening = game.opening.as_ref();
    parts.extend(opening.map(|opening| format!("opening: {}", opening.name)));
    let remarks = game
        .remarks
        .iter()
        .map(|remark| format!("Note: {}\n", printable(remark)));
    printable(&parts.join(", ")) + "\n" + &remarks.collect::<String>()
}

/// Returns a line for each move played.
fn moves(report: &Report) -> String {
    let after = report.positions.iter().skip(1);
    let rows = report.positions.iter().zip(after);
    let rows: String = rows.map(|(position, after)| row(position, after)).collect();
    if rows.is_empty() {
        return rows;
    }
    format!("  #  move      Black   loss  better\n{rows}")
}

fn row(position: &PositionReport, after: &PositionReport) -> String {
    let Some(played) = position.played else {
        return String::new();
    };
    let side = if position.to_move == Some(Color::White) {
        "O"
    } else {
        "X"
    };
    let value = after.value.map_or("?".to_owned(), |value| {
        // A finished game has no side to move, but its value is for the side whose turn it would be.
        let value = match position.to_move {
            Some(Color::Black) => -value,
            _ => value,
        };
        value.to_string()
    });
    let mut row = format!(
        "{:>3}  {side} {:<4}  {value:>7}{}",
        position.ply + 1,
        played.mv.to_string(),
        if after.proof.is_some() { PROVED } else { ' ' }
    );
    let loss = played.loss.filter(|&loss| loss > Discs::ZERO);
    if let (Some(loss), Some(best)) = (loss, position.moves.first()) {
        let better = from_black(position, best.value());
        let _ = write!(row, " {:>5}  {} {better}", loss.unsigned(), best.mv);
    }
    row.trim_end().to_owned() + "\n"
}

/// Returns the moves of the last position of a record that ends before the game does.
fn next(report: &Report) -> String {
    let Some(last) = report
        .positions
        .last()
        .filter(|last| !last.moves.is_empty())
    else {
        return String::new();
    };
    let mut text = String::from("The game is not over. The moves from here:\n");
    for mv in &last.moves {
        let value = from_black(last, mv.value());
        let _ = writeln!(text, "{value:>8}  {}", line_in_words(&mv.line));
    }
    text
}

/// Returns the moves that lost most.
fn worst(report: &Report) -> String {
    let mut text = String::new();
    for worst in &report.worst {
        let side = if worst.side == Color::Black { "X" } else { "O" };
        let _ = writeln!(
            text,
            "{:>3}  {side} {} loses {}; better {}",
            worst.ply + 1,
            worst.mv,
            worst.loss.unsigned(),
            line_in_words(&worst.line)
        );
    }
    if text.is_empty() {
        return text;
    }
    format!("Worst moves\n{text}")
}

/// Returns the proved values, by the number of the move before.
fn proofs(report: &Report) -> String {
    let mut text = String::new();
    for (position, score) in report.positions.iter().zip(&report.curve) {
        if let (Some(proof), &Some(score), Some(value)) = (&position.proof, score, position.value) {
            let value = PositionValue { score, ..value };
            let proof = printable(proof);
            let _ = writeln!(text, "{:>3}  {value:>3}  {proof}", position.ply);
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("Proved values {PROVED}\n{text}")
}

/// Returns the sums of both players.
fn summaries(report: &Report) -> String {
    let mut text = format!(
        "{:<6}{:>7}{:>8}{:>10}{:>7}{:>10}",
        "", "moves", "loss", "per move", "best", "mistakes"
    );
    for phase in &report.summary.black.phases {
        let _ = write!(text, "{:>9}", phase.name.name());
    }
    text.push('\n');
    text += &summary("Black", &report.summary.black);
    text += &summary("White", &report.summary.white);
    text
}

fn summary(name: &str, summary: &Summary) -> String {
    let mut text = format!(
        "{name:<6}{:>7}{:>8}{:>10.2}{:>7}{:>10}",
        summary.moves,
        summary.total_loss.unsigned(),
        summary.mean_loss,
        summary.best_moves,
        summary.mistakes
    );
    for phase in &summary.phases {
        let _ = write!(text, "{:>9}", phase.total_loss.unsigned());
    }
    text + "\n"
}

/// Converts a value from the point of view of a position's side to move to Black's.
fn from_black(position: &PositionReport, value: PositionValue) -> PositionValue {
    match position.to_move {
        Some(Color::White) => -value,
        _ => value,
    }
}
