//! The values of the moves of a game.

use std::fmt::Write as _;

use othello_core::{Board, Color, Empties, Game, Move};
use othello_engine::Settings;
use othello_search::{Evaluation, Exactness, Limits, Searcher};

use crate::engine::value;

/// The depth of the searches in plies.
const DEPTH: u32 = 12;

/// The number of empty squares from which positions are solved.
const SOLVE_FROM: u32 = 16;

/// The smallest loss in discs for which the better move is told.
const TOLD_LOSS: f32 = 0.5;

/// What is known of a position, from the side to move.
struct Known {
    value: Evaluation,
    is_exact: bool,
    best: Option<Move>,
}

/// Returns a table of the moves of a game: their values, from the point of view of the side that plays, what they lose
/// against the best move, and that move.
pub(super) fn analyze(game: &Game, settings: &Settings) -> String {
    if game.moves().is_empty() {
        return "There is no move yet.".into();
    }
    let mut searcher = match settings.searcher() {
        Ok(searcher) => searcher,
        Err(error) => return error.to_string(),
    };
    let mut lines = Vec::new();
    let mut losses = [0.0; 2];
    let mut after = known(&mut searcher, game.board(), game.moves().len());
    // From the end, so that the value of a position is never below that of the move that follows.
    for (ply, (board, mv)) in game.plies().enumerate().rev() {
        let played = -after.value;
        let is_exact = after.is_exact;
        let side = board.side_to_move();
        after = match mv {
            Move::Pass => Known {
                value: played,
                is_exact,
                best: None,
            },
            Move::Place(_) => better(known(&mut searcher, board, ply), mv, played),
        };
        let loss = after.value.discs() - played.discs();
        losses[side.index()] += loss;
        let move_text = format!("{:>3} {side} {mv}", ply + 1);
        let value = value(played, is_exact);
        let mut line = format!("{move_text:<14}{value:>7} {loss:>6.2}");
        if let Some(best) = after.best.filter(|_| loss >= TOLD_LOSS) {
            let _ = write!(line, "  {best}");
        }
        lines.push(line);
    }
    lines.push(format!("{:<16}value   loss  better", "    move"));
    lines.reverse();
    let [black, white] = losses;
    lines.push(format!(
        "{} loses {black:.2} discs in all, {} {white:.2}. Values have a sign; whole ones are exact.",
        Color::Black,
        Color::White
    ));
    lines.join("\n")
}

/// Searches a position that comes after this number of plies of the game.
fn known(searcher: &mut Searcher, board: Board, ply: usize) -> Known {
    if board.is_over() {
        let score = board.score(board.side_to_move(), Empties::ToWinner);
        return Known {
            value: score.into(),
            is_exact: true,
            best: None,
        };
    }
    // The leaves of all searches have the same side to move: the evaluation favours one side.
    let limits = Limits {
        solve_from: SOLVE_FROM,
        ..Limits::depth(DEPTH - (ply % 2) as u32)
    };
    let report = searcher.search(board.position(), &limits, &mut |_| {});
    Known {
        value: report.score,
        is_exact: report.exactness == Exactness::Exact,
        best: report.best.map(Move::from),
    }
}

/// What is known of a position once the value of the move played in it is.
fn better(searched: Known, mv: Move, played: Evaluation) -> Known {
    if searched.is_exact || (searched.best != Some(mv) && searched.value > played) {
        return searched;
    }
    Known {
        value: played,
        best: Some(mv),
        ..searched
    }
}

#[cfg(test)]
mod tests {
    use othello_engine::HashSize;

    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        text.lines().map(words).collect()
    }

    #[test]
    fn a_mistake_in_a_solved_position_loses_what_it_costs() {
        // h5 wins by 6, g6 loses by 2.
        let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        let settings = Settings {
            hash: HashSize::MIN,
            ..Settings::default()
        };
        let mut game = Game::new(board.parse().unwrap());
        game.play("g6".parse::<Move>().unwrap()).unwrap();
        let text = analyze(&game, &settings);
        let rows = rows(&text);
        assert_eq!(rows[1], ["1", "Black", "g6", "-2", "8.00", "h5"], "{text}");
        assert!(text.contains("Black loses 8.00 discs in all, White 0.00"));
        assert_eq!(
            analyze(&Game::default(), &settings),
            "There is no move yet."
        );
    }
}
