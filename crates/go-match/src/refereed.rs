//! Records of refereed games.

use boardgame_core::Color;
use boardgame_match::{GameReport, Outcome, SeatReport};
use boardgame_session::{Cause, SeatFault, Verdict};
use go_core::{
    Game, IllegalReason, KoRule, Move, Position, Rules, Setup,
    sgf::{GameResult, Record, WinCause},
};

use crate::Ruling;

/// Returns the record of a game: its setup, moves, players and result, and at its end a comment with the cause of
/// the end, the times and faults of both programs, and the judgement. `ruling` is the judge's, for a game that is
/// [judged](is_judged).
pub fn record(report: &GameReport<Position>, ruling: Option<&Ruling>) -> Record {
    let mut game = Game::new(report.setup.clone());
    for &mv in &report.moves {
        let played = game.play(mv);
        debug_assert!(played.is_ok(), "the game was played by these rules");
    }
    let mut record = Record::new(game);
    record.players = report.seats.as_ref().map(|seat| seat.name.clone());
    let outcome = ruling.map_or_else(|| report.outcome.clone(), |ruling| ruling.outcome(report));
    record.result = Some(outcome.verdict().map_or(GameResult::Void, result));
    record
        .comments
        .insert(report.moves.len(), comment(report, ruling));
    record
}

/// Returns the cause of the end, the times and faults of both programs, and the judgement.
fn comment(report: &GameReport<Position>, ruling: Option<&Ruling>) -> String {
    let mut lines = vec![ruling.map_or_else(
        || report.outcome.to_string(),
        |ruling| ruling.sentence(report),
    )];
    for color in Color::ALL {
        let seat = &report.seats[color];
        lines.push(format!("{color}: {}", times(seat)));
        lines.extend(seat.faults.iter().map(|fault| format!("{color} {fault}")));
    }
    let violations = ko_violations(report);
    if !violations.is_empty() {
        lines.push(format!("Moves that take a ko back at once: {violations:?}"));
    }
    lines.extend(ruling.map(|ruling| ruling.judgement.to_string()));
    lines.join("\n")
}

/// Returns the number of a program's moves and their time, such as `120 moves in 95.1 s, the longest 4.0 s, user
/// CPU 93.8 s`.
pub fn times(seat: &SeatReport) -> String {
    let user = seat.user_cpu.unwrap_or_default();
    let plural = if seat.moves == 1 { "" } else { "s" };
    format!(
        "{} move{plural} in {:.1} s, the longest {:.1} s, user CPU {:.1} s",
        seat.moves,
        seat.used.as_secs_f64(),
        seat.longest.as_secs_f64(),
        user.as_secs_f64()
    )
}

/// Converts a verdict to the form of records.
fn result(verdict: &Verdict) -> GameResult {
    let won = |cause| {
        let winner = verdict.winner.map(|winner| GameResult::Win(winner, cause));
        winner.unwrap_or(GameResult::Void)
    };
    match (&verdict.cause, verdict.margin) {
        (_, Some(margin)) => GameResult::Score(margin),
        (Cause::Resigned { .. }, None) => won(WinCause::Resignation),
        (
            Cause::Forfeit {
                fault: SeatFault::Overtime { .. },
                ..
            },
            None,
        ) => won(WinCause::Time),
        (_, None) => won(WinCause::Forfeit),
    }
}

/// Returns true if a game is over for its referee: it has been judged or is to be judged.
pub fn is_judged(report: &GameReport<Position>) -> bool {
    match &report.outcome {
        Outcome::Decided(verdict) => verdict.margin.is_some(),
        outcome => *outcome == Outcome::Unscored,
    }
}

/// Returns the moves of a game, counted from 1, that retake a ko at once. Only a referee that allows them lets
/// them occur.
pub fn ko_violations(report: &GameReport<Position>) -> Vec<usize> {
    let Rules {
        suicide, scoring, ..
    } = report.setup.rules();
    let strict: Setup = report.setup.clone().with_rules(Rules {
        ko: KoRule::Simple,
        suicide,
        scoring,
    });
    let mut violations = Vec::new();
    let mut position = Position::new(&strict);
    for (number, &mv) in (1..).zip(&report.moves) {
        let Err(illegal) = position.play(mv) else {
            continue;
        };
        if illegal.reason != IllegalReason::Ko {
            break;
        }
        violations.push(number);
        // A pass for each side lifts the ban and changes nothing else.
        for mv in [Move::Pass, Move::Pass, mv] {
            position.resume();
            let played = position.play(mv);
            debug_assert!(played.is_ok(), "the ban is lifted");
        }
    }
    violations
}
