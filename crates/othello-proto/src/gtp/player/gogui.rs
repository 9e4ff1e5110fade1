//! GoGui's commands beyond the specification: the rules of a game other than Go, and positions set up.
//!
//! Source: GoGui's manual, and how GoGui treats a program's answers.

use alloc::{format, string::String, vec::Vec};

use othello_core::{Bitboard, Board, ByColor, Color, Empties, Move};

use boardgame_session::gtp::player::{
    Failure,
    commands::{arguments, color, done, pairs, told},
};

use super::{
    super::{
        Command, Player,
        entity::{Answer, parse_vertex},
    },
    OthelloGame, line,
};

type Done = boardgame_session::gtp::player::Done<OthelloGame>;

/// The commands that GoGui puts into its menu: type, label, command.
pub(super) const ANALYZE_COMMANDS: &str = "\
pstring/Legal Moves/gogui-rules_legal_moves
pstring/Suggest Move/reg_genmove %m
string/Final Score/final_score
string/Show Board/showboard";

/// The rows from the 8th to the 1st: GoGui shows row 1 at the bottom.
pub(super) fn rules_board(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    let rows = (0..8).rev().map(|row| line(player.board(), row));
    let rows: Vec<String> = rows.map(|row| row.trim_start().into()).collect();
    told(rows.join("\n"))
}

pub(super) fn rules_board_size(_: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    told("8")
}

/// Lists the legal squares, `pass` if there are none, and nothing at the end of the game.
pub(super) fn rules_legal_moves(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    let moves = player.board().legal_moves().iter();
    let words: Vec<String> = moves
        .map(|square| format!("{}", Answer::Move(square.into())))
        .collect();
    if player.board().must_pass() {
        return told("pass");
    }
    told(words.join(" "))
}

pub(super) fn rules_side_to_move(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    told(match player.board().side_to_move() {
        Color::Black => "black",
        Color::White => "white",
    })
}

/// A sentence, which GoGui shows to the user.
pub(super) fn rules_final_result(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    let board = player.board();
    if !board.is_over() {
        return told("The game is not over.");
    }
    let margin = board.score(Color::Black, Empties::ToWinner).discs();
    let result = match board.leader() {
        Some(winner) => format!("{winner} wins by {}.", margin.abs()),
        None => "Draw.".into(),
    };
    let discs = (32 + margin / 2, 32 - margin / 2);
    told(format!(
        "{result} The score is B {}, W {}.",
        discs.0, discs.1
    ))
}

/// Sets up exactly the discs given as pairs of a colour and a square.
pub(super) fn setup(player: &mut Player, command: &Command) -> Done {
    let mut discs: ByColor<Bitboard> = ByColor::default();
    for (color_word, vertex) in pairs(command)? {
        let color = color(color_word)?;
        let Ok(Move::Place(square)) = parse_vertex(vertex) else {
            return Err(Failure::Syntax);
        };
        discs = discs.map(|discs| discs.without(square));
        discs[color] |= square.into();
    }
    let side = player.board().side_to_move();
    player
        .game_mut()
        .begin(Board::from_discs_unchecked(discs, side));
    done()
}

/// Sets the side to move; the discs stay.
pub(super) fn setup_player(player: &mut Player, command: &Command) -> Done {
    let [color_word] = arguments(command)?;
    let side = color(color_word)?;
    let discs = ByColor::new_with(|color| player.board().discs(color));
    player
        .game_mut()
        .begin(Board::from_discs_unchecked(discs, side));
    done()
}
