//! The sums of an analysis and its worst moves.

mod common;

use common::{WHOLE, with_losses};
use othello_analysis::{Discs, Phase, Report, Settings};
use othello_core::{Color, Game, Move};
use othello_records::Record;

const fn discs(hundredths: i32) -> Discs {
    Discs::from_hundredths(hundredths)
}

/// Returns the report on an analysis with these losses, in hundredths of a disc.
fn report(game: Game, losses: &[(usize, i32)]) -> Report {
    let losses: Vec<_> = losses
        .iter()
        .map(|&(ply, loss)| (ply, discs(loss)))
        .collect();
    let analysis = with_losses(&game, &losses);
    Report::new("test", &Record::from(game), &analysis, &Settings::default())
}

/// The first 50 moves, none of them a pass.
fn begun() -> Game {
    let game: Game = WHOLE.parse().expect("legal moves");
    let mut begun = Game::default();
    for &mv in &game.moves()[..50] {
        begun.play(mv).expect("a legal move");
    }
    begun
}

#[test]
fn losses_are_summed_by_player_and_phase() {
    // Black moves at even plies. The opening ends after ply 19, the midgame after ply 39.
    let losses = [
        (2, 100),
        (3, 300),
        (19, 299),
        (20, 650),
        (39, 200),
        (40, 25),
    ];
    let report = report(begun(), &losses);
    let figures = |color| {
        let summary = &report.summary[color];
        let phases = summary.phases.iter();
        let phases = phases.map(|phase| (phase.name, phase.moves, phase.total_loss));
        (
            (summary.moves, summary.total_loss, summary.mean_loss),
            (summary.best_moves, summary.mistakes),
            phases.collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        figures(Color::Black),
        (
            (25, discs(775), 7.75 / 25.0),
            (22, 1),
            vec![
                (Phase::Opening, 10, discs(100)),
                (Phase::Midgame, 10, discs(650)),
                (Phase::Endgame, 5, discs(25)),
            ]
        )
    );
    assert_eq!(
        figures(Color::White),
        (
            (25, discs(799), 7.99 / 25.0),
            (22, 1),
            vec![
                (Phase::Opening, 10, discs(599)),
                (Phase::Midgame, 10, discs(200)),
                (Phase::Endgame, 5, discs(0)),
            ]
        )
    );
}

#[test]
fn passes_do_not_count() {
    let report = report(WHOLE.parse().expect("legal moves"), &[]);
    let moves = [Color::Black, Color::White].map(|color| report.summary[color].moves);
    assert_eq!(moves.iter().sum::<usize>(), 60);
}

#[test]
fn the_five_worst_moves_are_named_the_worst_first() {
    let losses = [
        (5, 100),
        (6, 400),
        (7, 50),
        (8, 300),
        (9, 400),
        (10, 25),
        (11, 200),
    ];
    let report = report(begun(), &losses);
    let worst: Vec<_> = report.worst.iter().map(|mv| (mv.ply, mv.loss)).collect();
    let expected = [(6, 400), (9, 400), (8, 300), (11, 200), (5, 100)];
    assert_eq!(worst, expected.map(|(ply, loss)| (ply, discs(loss))));
    let game = begun();
    let second = &report.worst[1];
    assert_eq!((second.side, second.mv), (Color::White, game.moves()[9]));
    assert!(second.better != second.mv && second.better != Move::Pass);
    assert_eq!(second.line, [second.better]);
}
