//! Othello as controllers present it to programs.

use alloc::{
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use boardgame_core::Margin;
use boardgame_session::gtp::{Command, GtpGame, InexpressibleSetup, color_word};
use othello_core::{Board, Color, Empties, Move};

use super::{Answer, parse_answer, parse_vertex};
use crate::ParseError;

/// Othello on 8x8 squares. Other starting boards need the commands of GoGui: GTP itself has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Othello;

impl GtpGame for Othello {
    type Game = Board;

    fn board_size(_: &Board) -> u32 {
        8
    }

    fn setup_commands(
        start: &Board,
        knows: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Command>, InexpressibleSetup> {
        if *start == Board::START {
            return Ok(Vec::new());
        }
        if !(knows("gogui-setup") && knows("gogui-setup_player")) {
            return Err(InexpressibleSetup {
                commands: "gogui-setup and gogui-setup_player",
                part: "an opening that no moves lead to",
            });
        }
        let discs = Color::ALL.into_iter().flat_map(|color| {
            let squares = start.discs(color).into_iter();
            squares.map(move |square| (color, square))
        });
        let setup = discs.fold(Command::new("gogui-setup"), |command, (color, square)| {
            command.argument(color_word(color)).argument(square)
        });
        let player = color_word(start.side_to_move());
        let player = Command::new("gogui-setup_player").argument(player);
        Ok(vec![setup, player])
    }

    fn vertex(_: &Board, mv: Move) -> String {
        Answer::Move(mv).to_string()
    }

    fn parse_vertex(_: &Board, text: &str) -> Result<Move, ParseError> {
        match parse_answer(text)? {
            Answer::Move(mv) => Ok(mv),
            Answer::Resign => parse_vertex(text),
        }
    }

    /// Returns the scores with the empty squares counted for the winner, and for nobody.
    fn final_scores(board: &Board) -> Vec<Margin> {
        let scores = [Empties::ToWinner, Empties::OnBoard];
        (scores.into_iter())
            .map(|empties| Margin::from_points(board.score(Color::Black, empties).discs()))
            .collect()
    }
}
