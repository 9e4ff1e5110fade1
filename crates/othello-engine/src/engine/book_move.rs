//! The choice of a move from the opening book instead of a search.

use std::hash::{BuildHasher as _, RandomState};

use othello_search::{Evaluation, Report};

use super::{Engine, MoveRequest, draw};
use crate::{book::BookPlay, human::mix, settings::Strength};

impl Engine {
    /// Returns the move of the book, if it has one and applies.
    pub(super) fn book_move(
        &mut self,
        request: &MoveRequest,
        strength: Strength,
    ) -> Option<Report> {
        let BookPlay {
            book,
            margin,
            at_any_strength,
        } = self.settings.book.as_ref()?;
        let position = request.board.position();
        let applies = strength.person.is_none() && (*at_any_strength || !strength.is_bounded());
        let is_free = request
            .moves
            .is_none_or(|moves| (position.legal_moves() & !moves).is_empty());
        if !applies || !is_free || request.lines > 1 {
            return None;
        }
        let seed = match self.settings.seed {
            Some(seed) => mix(seed),
            None => RandomState::new().hash_one(request.started),
        };
        let best = book.choose(position, *margin, draw(seed, position))?;
        let mut report = Report::evaluated(evaluation(best.value));
        report.best = Some(best.square);
        report.pv = book.line(position, best.square);
        report.from_book = true;
        report.elapsed = request.started.elapsed();
        self.searcher.skip_search();
        Some(report)
    }
}

/// Returns a value in hundredths of a disc, rounded to the search's unit.
fn evaluation(hundredths: i16) -> Evaluation {
    let units = i32::from(hundredths) * Evaluation::DISC;
    Evaluation::from_units((units + 50 * units.signum()) / 100)
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use othello_core::{Board, Game, Square};
    use othello_search::Clock;

    use super::*;
    use crate::{PlayLevel, Settings, book::tests::book, engine::tests::settings};

    /// An engine at full strength with a book that knows f5 and the reply d6, and its table's size.
    fn with_book(settings: Settings) -> Engine {
        let book = book(&[("", 10, None), ("f5", -10, Some((Square::D6, -10)))]);
        Engine::new(Settings {
            book: Some(BookPlay {
                book: Arc::new(book),
                margin: 0,
                at_any_strength: false,
            }),
            ..settings
        })
    }

    #[test]
    fn a_move_of_the_book_needs_no_search_and_is_pondered_on() {
        let mut engine = with_book(Settings {
            strength: Strength::default(),
            ponder: true,
            ..settings(60)
        });
        let before = engine.stop_handle();
        let report = engine.choose(Board::START, &Clock::default());
        let line: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
        assert_eq!((report.from_book, report.depth, report.nodes), (true, 0, 0));
        assert_eq!((line.join(" "), report.score.units()), ("d3 c5".into(), 13));
        // The handle of the answered request stops no later search.
        before.stop();
        engine.set_strength(Strength::depth(5));
        let expected = engine.expected().filter(|_| engine.ponders()).unwrap();
        let report = engine.choose(expected, &Clock::default());
        assert_eq!((report.from_book, report.depth), (false, 5));
    }

    #[test]
    fn the_book_leaves_limited_and_restricted_requests_to_the_search() {
        let from_book = |strength: Strength, request: MoveRequest| {
            let mut engine = with_book(Settings {
                strength,
                ..settings(1)
            });
            let limited = engine.answer(&request, &mut |_| {}).from_book;
            if let Some(play) = &mut engine.settings.book {
                play.at_any_strength = true;
            }
            (limited, engine.answer(&request, &mut |_| {}).from_book)
        };
        let request = MoveRequest::new(
            Board::START,
            Clock {
                move_limit: Some(Duration::from_millis(1)),
                ..Clock::default()
            },
        );
        let full = Strength::default();
        let legal = Some(Board::START.legal_moves());
        let all = MoveRequest {
            moves: legal,
            ..request.clone()
        };
        assert_eq!(from_book(full, all), (true, true));
        let depth = MoveRequest {
            max_depth: Some(1),
            ..request.clone()
        };
        assert_eq!(from_book(full, depth), (false, true));
        assert_eq!(
            from_book(Strength::depth(1), request.clone()),
            (false, true)
        );
        let one = MoveRequest {
            moves: Some(Square::D3.into()),
            ..request.clone()
        };
        assert_eq!(from_book(full, one), (false, false));
        let lines = MoveRequest {
            lines: 2,
            ..request.clone()
        };
        assert_eq!(from_book(full, lines), (false, false));
        let club: Strength = "club".parse::<PlayLevel>().unwrap().into();
        assert_eq!(from_book(club, request), (false, false));
    }

    #[test]
    fn moves_of_the_book_begin_the_account_of_a_game() {
        let mut engine = with_book(Settings {
            strength: Strength::default(),
            game_time: Some(Duration::from_mins(1)),
            ..settings(1)
        });
        let mut later = "f5d6".parse::<Game>().unwrap().board();
        engine.pace.budget(&Clock::default(), 40);
        engine.pace.spend(Duration::from_mins(1));
        engine.choose(Board::START, &Clock::default());
        later.play(Square::C3).unwrap();
        let left = engine
            .pace
            .budget(&Clock::default(), later.empties().count());
        assert!(left.hard > Duration::from_secs(1), "{left:?}");
    }
}
