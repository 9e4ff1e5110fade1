//! The analysis on a terminal, and its values in words.

use std::fmt::Write as _;

use boardgame_cli::terminal::{Style, curve};
use boardgame_core::ByColor;
use boardgame_io::printable;

use super::report::{GameInfo, Loss, PositionReport, Report, Sums, ValueReport};

/// Returns the report as text: the moves, the curve, the worst moves and the sums.
pub(super) fn of(report: &Report) -> String {
    let above_half =
        |position: &PositionReport| position.value.map(|value| 100.0 * value.win_rate - 50.0);
    let values: Vec<Option<f64>> = report.positions.iter().map(above_half).collect();
    let first = values.iter().take_while(|it| it.is_none()).count();
    let last = values.iter().rposition(Option::is_some);
    let known = last.map_or(&[][..], |last| &values[first..=last]);
    let curve = curve(
        "Black's win rate above 50 %, by move",
        first,
        known,
        &[10],
        Style::of_stdout(),
    );
    let parts = [
        heading(&report.game) + &report.limits + "\n",
        moves(report),
        curve,
        worst(report),
        sums(&report.sums),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Returns the players and the other known facts about the game.
fn heading(game: &GameInfo) -> String {
    let result = game.result.as_deref().unwrap_or_default();
    let players = [("Black", &game.black), ("White", &game.white)];
    let [black, white] =
        players.map(|(color, name)| format!("{color} {name}").trim_end().to_owned());
    let terms = format!("komi {}, {} rules", game.komi, game.rules);
    let mut text = format!("{black} - {white}");
    for part in [result, &game.date, &game.event, &terms] {
        if !part.is_empty() {
            let _ = write!(text, ", {part}");
        }
    }
    printable(&text) + "\n"
}

/// Returns a line for each move with a value.
fn moves(report: &Report) -> String {
    let mut text = String::new();
    let after = report.positions.iter().skip(1);
    for (number, (position, after)) in (1..).zip(report.positions.iter().zip(after)) {
        let (Some(played), Some(value)) = (&position.played, after.value) else {
            continue;
        };
        let letter = if played.color == "black" { 'X' } else { 'O' };
        let row = format!("{number:>3}  {letter} {:<4}  {}", played.mv, columns(value));
        let better = position.mistake().zip(position.moves.first());
        let better = better.map(|(Loss { win_rate, points }, best)| {
            let mv = best.line.first().map(String::as_str).unwrap_or_default();
            format!("  {:>6} {points:>6.1}   {mv}", percent(win_rate))
        });
        let _ = writeln!(text, "{}", (row + &better.unwrap_or_default()).trim_end());
    }
    if text.is_empty() {
        return text;
    }
    format!("  #  move     Black     lead    loss points   better\n{text}")
}

/// Returns the mistakes that lost most.
fn worst(report: &Report) -> String {
    let mut text = String::new();
    for &number in &report.worst {
        let position = &report.positions[number - 1];
        let parts = (&position.played, position.loss(), position.moves.first());
        if let (Some(played), Some(loss), Some(best)) = parts {
            let letter = if played.color == "black" { 'X' } else { 'O' };
            let (mv, loss, line) = (&played.mv, in_words(loss), best.line.join(" "));
            let _ = writeln!(
                text,
                "{number:>3}  {letter} {mv} loses {loss}; better {line}"
            );
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("Worst moves\n{text}")
}

/// Returns the sums of both players.
fn sums(sums: &ByColor<Sums>) -> String {
    if sums.black.moves + sums.white.moves == 0 {
        return String::new();
    }
    let mut text =
        String::from("       moves  loss a move  points a move  engine's choice  mistakes\n");
    for (name, sums) in [("Black", &sums.black), ("White", &sums.white)] {
        let mean = |sum: f64| sum / sums.moves.max(1) as f64;
        let _ = writeln!(
            text,
            "{name}{:>7}{:>13}{:>15.1}{:>17}{:>10}",
            sums.moves,
            percent(mean(sums.win_rate)),
            mean(sums.points),
            sums.engine_choices,
            sums.mistakes
        );
    }
    text
}

/// Returns a loss such as `12.5 % and 3.5 points`.
pub(super) fn in_words(loss: Loss) -> String {
    format!("{} and {:.1} points", percent(loss.win_rate), loss.points)
}

/// Returns a value such as `47.5 %, W+0.5`, with the win rate of Black.
pub(super) fn value_in_words(value: ValueReport) -> String {
    format!("{}, {}", percent(value.win_rate), lead(value.lead))
}

fn columns(value: ValueReport) -> String {
    format!("{:>7} {:>8}", percent(value.win_rate), lead(value.lead))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn lead(points: f64) -> String {
    match points {
        0.0 => "0".into(),
        0.0.. => format!("B+{points:.1}"),
        _ => format!("W+{:.1}", -points),
    }
}
