//! Games with their moves, from the reports and events of the driver.

use boardgame_match::{GameReport, News};
use boardgame_session::GameEvent;
use othello_core::{Board, Game, Move};

/// Returns the game that a report is of.
pub fn replay(report: &GameReport<Board>) -> Game {
    let mut game = Game::new(report.setup);
    report.moves.iter().for_each(|&mv| make(&mut game, mv));
    game
}

/// Updates a game with an event that its observer is told.
pub fn follow(game: &mut Game, news: &News<'_, Move>) {
    match news {
        News::Event(GameEvent::Restarted) => *game = Game::new(game.start()),
        News::Event(GameEvent::Moved(_, mv, _)) => make(game, *mv),
        _ => {}
    }
}

fn make(game: &mut Game, mv: Move) {
    let made = game.play(mv);
    debug_assert!(made.is_ok(), "the conductor has judged it");
}
