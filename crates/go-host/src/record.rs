//! Records of games that were refereed.

use boardgame_match::{GameReport, Outcome};
use boardgame_session::{Cause, SeatFault, Verdict};
use go_core::{
    Game, IllegalReason, KoRule, Move, Position, Rules, Setup,
    sgf::{GameResult, Record, WinCause},
};

/// Returns the record of a game: its setup, moves, players and result, and a comment at its end.
pub fn record(report: &GameReport<Position>, comment: &str) -> Record {
    let mut game = Game::new(report.setup.clone());
    for &mv in &report.moves {
        let played = game.play(mv);
        debug_assert!(played.is_ok(), "the game was played by these rules");
    }
    let mut record = Record::new(game);
    record.players = report.seats.as_ref().map(|seat| seat.name.clone());
    record.result = Some(report.outcome.verdict().map_or(GameResult::Void, result));
    let comment = match comment {
        "" => report.outcome.to_string(),
        comment => format!("{}\n{comment}", report.outcome),
    };
    record.comments.insert(report.moves.len(), comment);
    record
}

/// Returns a verdict as records have it.
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
                fault: SeatFault::Overtime,
                ..
            },
            None,
        ) => won(WinCause::Time),
        (_, None) => won(WinCause::Forfeit),
    }
}

/// Returns whether a game is over as far as its referee is concerned: there is a judgement to be made or one
/// was made.
pub fn is_judged(report: &GameReport<Position>) -> bool {
    match &report.outcome {
        Outcome::Decided(verdict) => verdict.margin.is_some(),
        outcome => *outcome == Outcome::Unscored,
    }
}

/// Returns the moves of a game, counted from 1, that retake a ko at once. There are none but in games in which
/// the referee lets them pass.
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
