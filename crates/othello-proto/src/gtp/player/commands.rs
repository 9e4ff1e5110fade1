//! The commands of the specification (section 6), and what Quarry asks of engines of several games.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use boardgame_session::gtp::{integer, parse_color};
use othello_core::{Board, Color, Empties, Move, Square};

use super::{
    super::{entity::parse_vertex, sgf, timer::Settings},
    Command, Failure, Outcome, Player, table,
};
use crate::session::Note;

type Done = Result<Outcome, Failure>;

/// The name of the game, as GoGui and Quarry have it.
const GAME: &str = "Othello";

/// Done, with nothing to tell.
#[allow(clippy::unnecessary_wraps)] // The result of a handler.
const fn done() -> Done {
    Ok(Outcome::Done(String::new()))
}

/// Done, with this result.
#[allow(clippy::unnecessary_wraps)] // The result of a handler.
pub(super) fn told(text: impl Into<String>) -> Done {
    Ok(Outcome::Done(text.into()))
}

/// The arguments, when there are exactly `N`.
pub(super) fn arguments<const N: usize>(command: &Command) -> Result<&[String; N], Failure> {
    let arguments = command.arguments.as_slice().try_into();
    arguments.map_err(|_| Failure::Syntax)
}

pub(super) fn color(word: &str) -> Result<Color, Failure> {
    parse_color(word).map_err(|_| Failure::Syntax)
}

fn int(word: &str) -> Result<u32, Failure> {
    integer(word.as_bytes()).ok_or(Failure::Syntax)
}

pub(super) fn protocol_version(_: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    told("2")
}

pub(super) fn name(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    told(player.options.name.as_str())
}

pub(super) fn version(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    told(player.options.version.as_str())
}

pub(super) fn known_command(_: &mut Player, command: &Command) -> Done {
    let [name] = arguments(command)?;
    let known = table::COMMANDS.iter().any(|(known, _)| known == name);
    told(format!("{known}"))
}

pub(super) fn list_commands(_: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    let names: Vec<&str> = table::COMMANDS.iter().map(|(name, _)| *name).collect();
    told(names.join("\n"))
}

pub(super) fn quit(_: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    Ok(Outcome::Quit)
}

pub(super) fn boardsize(_: &mut Player, command: &Command) -> Done {
    let [size] = arguments(command)?;
    match int(size)? {
        8 => done(),
        _ => Err(Failure::UnacceptableSize),
    }
}

pub(super) fn clear_board(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    player.begin(Board::START);
    player.timer.restart();
    done()
}

/// Othello has no komi: any is accepted, as the specification wants it, and none has an effect.
pub(super) fn komi(_: &mut Player, command: &Command) -> Done {
    let [komi] = arguments(command)?;
    let number: Result<f64, _> = komi.parse();
    number.map_err(|_| Failure::Syntax)?;
    done()
}

pub(super) fn play(player: &mut Player, command: &Command) -> Done {
    let [color_word, vertex] = arguments(command)?;
    let mv = parse_vertex(vertex).map_err(|_| Failure::Syntax)?;
    player.play(color(color_word)?, mv)?;
    done()
}

pub(super) fn genmove(player: &mut Player, command: &Command) -> Done {
    generate(player, command, true)
}

pub(super) fn reg_genmove(player: &mut Player, command: &Command) -> Done {
    generate(player, command, false)
}

fn generate(player: &mut Player, command: &Command, play: bool) -> Done {
    let [color_word] = arguments(command)?;
    let color = color(color_word)?;
    if player.board.is_over() {
        // Controllers of Go end a game by two passes.
        if play && player.passes_after_end() < 2 {
            player.make(player.board.passed());
        }
        return told("pass");
    }
    let board = player.turn_of(color).ok_or(Failure::WrongColor)?;
    if board.must_pass() {
        if play {
            player.make(board.passed());
        }
        return told("pass");
    }
    Ok(Outcome::Think { board, play })
}

pub(super) fn undo(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    player.board = player.history.pop().ok_or(Failure::CannotUndo)?;
    done()
}

pub(super) fn time_settings(player: &mut Player, command: &Command) -> Done {
    let [main, period, moves] = arguments(command)?;
    let settings = Settings {
        main: seconds(player, main)?,
        period: seconds(player, period)?,
        moves: int(moves)?,
    };
    player.timer.set(settings);
    done()
}

pub(super) fn time_left(player: &mut Player, command: &Command) -> Done {
    let [color_word, time, moves] = arguments(command)?;
    let time = seconds(player, time)?;
    let (color, moves) = (color(color_word)?, int(moves)?);
    player.timer.correct(color, time, moves);
    done()
}

/// A time in seconds: an integer, but a decimal is read too.
fn seconds(player: &mut Player, word: &str) -> Result<Duration, Failure> {
    if let Some(seconds) = integer(word.as_bytes()) {
        return Ok(Duration::from_secs(seconds.into()));
    }
    let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let decimal: Option<f64> = word
        .bytes()
        .all(is_plain)
        .then(|| word.parse().ok())
        .flatten();
    let time = decimal.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|time| u32::try_from(time.as_secs()).is_ok());
    let time = time.ok_or(Failure::Syntax)?;
    let text = format!("{word} read as {time:?}");
    player
        .common
        .note_input(Note::leniency("decimal-seconds", text));
    Ok(time)
}

/// The winner's margin, empty squares counted for him.
pub(super) fn final_score(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    if !player.board.is_over() {
        return Err(Failure::CannotScore);
    }
    let score = player.board.score(Color::Black, Empties::ToWinner).discs();
    told(match score {
        0 => "0".into(),
        1.. => format!("B+{score}"),
        _ => format!("W+{}", -score),
    })
}

pub(super) fn loadsgf(player: &mut Player, command: &Command) -> Done {
    let (path, until) = match command.arguments.as_slice() {
        [path] => (path, None),
        [path, until] => (path, Some(int(until)?)),
        _ => return Err(Failure::Syntax),
    };
    let text = (player.options.load)(path).ok_or(Failure::CannotLoad)?;
    let record = sgf::read(&text).map_err(|error| {
        player
            .common
            .note_input(Note::fault(format!("{path}: {error}")));
        Failure::CannotLoad
    })?;
    // Up to the position before the move of this number.
    let count = until.map_or(usize::MAX, |until| until.saturating_sub(1) as usize);
    let before = (player.board, core::mem::take(&mut player.history));
    player.begin(record.start);
    for (color, mv) in record.moves.into_iter().take(count) {
        if player.play(color, mv).is_err() {
            player
                .common
                .note_input(Note::fault(format!("{path}: {mv} of {color} is illegal")));
            (player.board, player.history) = before;
            return Err(Failure::CannotLoad);
        }
    }
    done()
}

/// The board as Othello shows it, row 1 at the top.
pub(super) fn showboard(player: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    let board = player.board;
    let rows: Vec<String> = (0..8)
        .map(|row| format!("{}{}", row + 1, line(board, row)))
        .collect();
    let [black, white] = Color::ALL.map(|color| board.discs(color).count());
    let turn = if board.is_over() {
        "the game is over".into()
    } else {
        format!("{} to move", board.side_to_move())
    };
    told(format!(
        "\n  A B C D E F G H\n{}\nBlack (X) {black}, White (O) {white}, {turn}",
        rows.join("\n"),
    ))
}

/// The squares of a row with a blank before each.
pub(super) fn line(board: Board, row: u8) -> String {
    let squares = Square::ALL.into_iter();
    let squares = squares.filter(|square| square.row() == row);
    squares
        .flat_map(|square| [' ', board.disc(square).map_or('.', Color::disc)])
        .collect()
}

/// The one game that the engine plays: of Quarry.
pub(super) fn list_games(_: &mut Player, command: &Command) -> Done {
    let [] = arguments(command)?;
    told(GAME)
}

pub(super) fn set_game(_: &mut Player, command: &Command) -> Done {
    let [game] = arguments(command)?;
    if game == GAME {
        done()
    } else {
        Err(Failure::UnsupportedGame)
    }
}

impl Player {
    /// Makes a move as the controller wants it.
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(), Failure> {
        if self.board.is_over() && mv == Move::Pass && self.passes_after_end() < 2 {
            self.make(self.board.passed());
            return Ok(());
        }
        let mut board = self.turn_of(color).ok_or(Failure::IllegalMove)?;
        board.play(mv).map_err(|_| Failure::IllegalMove)?;
        self.make(board);
        Ok(())
    }

    /// The board with `color` on the move, its opponent having passed if it must and was not told
    /// to; `None` when it is not the colour's turn.
    fn turn_of(&mut self, color: Color) -> Option<Board> {
        if self.board.side_to_move() == color {
            Some(self.board)
        } else if self.board.must_pass() {
            let text = format!("{} must pass: taken as done", !color);
            self.common
                .note_input(Note::leniency("automatic-pass", text));
            Some(self.board.passed())
        } else {
            None
        }
    }

    /// The passes made since neither side can move.
    fn passes_after_end(&self) -> usize {
        let boards = self.history.iter().rev();
        boards.take_while(|board| board.is_over()).count()
    }
}
