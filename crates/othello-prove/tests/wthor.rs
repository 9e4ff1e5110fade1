//! The end of a game of a WTHOR file, proved and checked by both checkers.

mod support;

use othello_check::check;
use othello_core::Board;
use othello_prove::Claim;
use othello_records::Format;
use support::{by_python, proof, searcher, solved};

const FILE: &[u8] = include_bytes!("../../othello-records/tests/data/odd.wtb");
/// The game's number in the file, from 0.
const NUMBER: usize = 17;

#[test]
fn the_last_20_plies_of_a_game_are_proved() {
    let record = Format::Wthor.read(FILE).nth(NUMBER);
    let game = record.expect("a game").expect("no damage").game;
    let mut boards = vec![Board::START];
    for &mv in game.moves() {
        let mut board = boards[boards.len() - 1];
        board.play(mv).expect("a legal move");
        boards.push(board);
    }
    let plies = game.moves().len();
    let mut searcher = searcher();
    for (after, threshold, python) in [(plies - 20, 8, false), (plies - 10, 4, true)] {
        let board = boards[after];
        let exact = solved(&mut searcher, board);
        let file =
            proof(&mut searcher, &Claim::exact(board, exact, threshold)).expect("a true claim");
        let proved = check(file.as_slice()).unwrap_or_else(|error| panic!("{board}: {error}"));
        assert_eq!(
            (proved.claim.lower, proved.claim.upper),
            (exact.discs(), exact.discs())
        );
        if python && let Some(answer) = by_python(&file) {
            let told = answer.expect("a proof");
            assert!(told.contains(&board.to_string()), "{told}");
        }
    }
}
