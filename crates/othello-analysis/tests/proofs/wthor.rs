//! The end of a game of a WTHOR file, proved and checked by both checkers.

use crate::support::{by_python, proof, searcher, solved};
use othello_analysis::proof::Claim;
use othello_check::check;
use othello_core::Board;
use othello_records::Format;

const FILE: &[u8] = include_bytes!("../../../othello-records/tests/data/odd.wtb");
/// The proof in `docs/games`, made with threshold 6.
const KEPT: &[u8] = include_bytes!("../../../../docs/games/odd-18.proof");
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
    let board = boards[plies - 20];
    let exact = solved(&mut searcher, board);
    let claim = Claim::exact(board, exact, 6);
    let file = proof(&mut searcher, &claim).expect("a true claim");
    for file in [file.as_slice(), KEPT] {
        let proved = check(file).unwrap_or_else(|error| panic!("{board}: {error}"));
        assert_eq!(proved.claim.to_string(), format!("{board}: score {exact}"));
    }
    if let Some(answers) = by_python(&[KEPT.to_vec()]) {
        let expected = format!("{board}: score from {exact} to {exact}");
        assert_eq!(answers, [Ok(expected)]);
    }
}
