//! The commands that are the same for every game: from the specification (section 6), and what GoGui,
//! Quarry and KGS add.
#![allow(clippy::missing_errors_doc)] // A handler fails as the page of the format says.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::{error::Error, time::Duration};

use boardgame_core::{ByoYomi, Color, TimeControl};

use super::{Done, EngineGame, Failure, MoveOf, Outcome, Player, Request, Turn, handler};
use crate::{
    Note,
    gtp::{Command, GtpGame, integer, parse_color},
};

/// Returns the outcome of a command with an empty result.
pub const fn done<E: EngineGame>() -> Done<E> {
    Ok(Outcome::Done(String::new()))
}

/// Returns the outcome of a command with this result.
pub fn told<E: EngineGame>(text: impl Into<String>) -> Done<E> {
    Ok(Outcome::Done(text.into()))
}

/// Returns the arguments of a command that has exactly `N`.
///
/// # Errors
///
/// Fails if there are more or fewer.
pub fn arguments<const N: usize>(command: &Command) -> Result<&[String; N], Failure> {
    let arguments = command.arguments.as_slice().try_into();
    arguments.map_err(|_| Failure::Syntax)
}

/// Returns the arguments of a command in pairs, such as a colour and a vertex.
///
/// # Errors
///
/// Fails if one is left over.
pub fn pairs(command: &Command) -> Result<impl Iterator<Item = (&str, &str)>, Failure> {
    let (pairs, []) = command.arguments.as_chunks() else {
        return Err(Failure::Syntax);
    };
    Ok(pairs
        .iter()
        .map(|[one, other]| (one.as_str(), other.as_str())))
}

/// Reads an argument that is a colour.
///
/// # Errors
///
/// Fails if it is no colour.
pub fn color(word: &str) -> Result<Color, Failure> {
    parse_color(word).map_err(|_| Failure::Syntax)
}

/// Reads an argument that is an unsigned integer.
///
/// # Errors
///
/// Fails if it is no unsigned integer.
pub fn int(word: &str) -> Result<u32, Failure> {
    integer(word.as_bytes()).ok_or(Failure::Syntax)
}

/// Reads an argument that is a finite number, such as `6.5` or `1e1`.
///
/// # Errors
///
/// Fails if it is no finite number.
pub fn number(word: &str) -> Result<f64, Failure> {
    let number = word.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite());
    number.ok_or(Failure::Syntax)
}

/// Reads an argument that is a vertex, which may be off the board.
///
/// # Errors
///
/// Fails if it is no vertex.
pub fn vertex<E: EngineGame>(player: &Player<E>, word: &str) -> Result<MoveOf<E>, Failure> {
    E::Words::parse_vertex(player.game.board(), word).map_err(|_| Failure::Syntax)
}

/// `protocol_version`: 2.
pub fn protocol_version<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told("2")
}

/// `name`: from the options, or the game's name.
pub fn name<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told(player.name())
}

/// `version`: from the options.
pub fn version<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told(player.options.version.as_str())
}

/// `known_command`: `true` or `false`.
pub fn known_command<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [name] = arguments(command)?;
    told(handler::<E>(name).is_some().to_string())
}

/// `list_commands`: a name a line.
pub fn list_commands<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    let names: Vec<&str> = E::COMMANDS.iter().map(|(name, _)| *name).collect();
    told(names.join("\n"))
}

/// `quit`: ends the session.
pub fn quit<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    Ok(Outcome::Quit)
}

/// `clear_board`: starts the game and its clocks anew.
pub fn clear_board<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    player.game.clear();
    player.timer.restart();
    done()
}

/// `play`: makes a move.
pub fn play<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [color_word, vertex_word] = arguments(command)?;
    let mv = vertex(player, vertex_word)?;
    player.play(color(color_word)?, mv)?;
    done()
}

/// `gogui-play_sequence`: pairs of a colour and a vertex. All are played, or none.
pub fn play_sequence<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let before = player.game.clone();
    for (color_word, vertex_word) in pairs(command)? {
        let made = match (color(color_word), vertex(player, vertex_word)) {
            (Ok(color), Ok(mv)) => player.play(color, mv),
            _ => Err(Failure::Syntax),
        };
        if let Err(failure) = made {
            player.game = before;
            return Err(failure);
        }
    }
    done()
}

/// `genmove`: chooses a move and makes it.
pub fn genmove<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    generate(player, command, Request::Play)
}

/// `reg_genmove`: chooses a move and only reports it.
pub fn reg_genmove<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    generate(player, command, Request::Tell)
}

/// `kgs-genmove_cleanup`: chooses a move that is no pass while the opponent has dead stones, and makes it.
pub fn kgs_genmove_cleanup<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    generate(player, command, Request::CleanUp)
}

fn generate<E: EngineGame>(player: &mut Player<E>, command: &Command, request: Request) -> Done<E> {
    let [color_word] = arguments(command)?;
    think(player, color(color_word)?, request, |_| ())
}

/// Asks for a move of a colour, by a question that `change` completes.
///
/// # Errors
///
/// Fails if the colour is not to move.
pub fn think<E: EngineGame>(
    player: &mut Player<E>,
    color: Color,
    request: Request,
    change: impl FnOnce(&mut E::Question),
) -> Done<E> {
    let common = &mut player.common;
    let turn = (player.game).turn(color, &mut |note| common.note_input(note))?;
    match turn {
        Turn::Open(mut question) => {
            change(&mut question);
            Ok(Outcome::Think {
                question,
                color,
                request,
            })
        }
        Turn::Forced(mv) => {
            let text = E::Words::vertex(player.game.board(), mv);
            if request.is_played() {
                // After the end of the game it may be reported but not made.
                let _ = player.play(color, mv);
            }
            told(text)
        }
    }
}

/// `undo`: takes back the last move.
pub fn undo<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    player.game.undo()?;
    done()
}

/// `gg-undo`: takes back a number of moves, by default one; all of them, or none.
pub fn gg_undo<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let count = match command.arguments.as_slice() {
        [] => 1,
        [count] => int(count)?,
        _ => return Err(Failure::Syntax),
    };
    let before = player.game.clone();
    for _ in 0..count {
        if let Err(failure) = player.game.undo() {
            player.game = before;
            return Err(failure);
        }
    }
    done()
}

/// `time_settings`: the main time, and the length of a period with its moves.
pub fn time_settings<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [main, period, moves] = arguments(command)?;
    let (main, period) = (seconds(player, main)?, seconds(player, period)?);
    let control = match (period.is_zero(), int(moves)?) {
        (true, _) => Some(control(main, None)),
        // A period without moves means no limit at all.
        (false, 0) => None,
        (false, moves) => Some(control(main, Some(ByoYomi::canadian(period, moves)))),
    };
    player.timer.set(control);
    done()
}

/// `kgs-time_settings`: a time control of KGS.
pub fn kgs_time_settings<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
    let time_control = match words.as_slice() {
        ["none"] => None,
        ["absolute", main] => Some(control(seconds(player, main)?, None)),
        [kind @ ("byoyomi" | "canadian"), main, period, count] => {
            let (main, period) = (seconds(player, main)?, seconds(player, period)?);
            let count = Some(int(count)?).filter(|&count| count > 0);
            let count = count.ok_or(Failure::Syntax)?;
            let byo_yomi = match *kind {
                "byoyomi" => ByoYomi::japanese(period, count),
                _ => ByoYomi::canadian(period, count),
            };
            let byo_yomi = Some(byo_yomi).filter(|_| !period.is_zero());
            Some(control(main, byo_yomi))
        }
        _ => return Err(Failure::Syntax),
    };
    player.timer.set(time_control);
    done()
}

fn control(main: Duration, byo_yomi: Option<ByoYomi>) -> TimeControl {
    TimeControl {
        main: Some(main),
        byo_yomi,
        ..TimeControl::default()
    }
}

/// `time_left`: the rest of the main time or of a period. A clock below zero has nothing left.
pub fn time_left<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [color_word, time, count] = arguments(command)?;
    let time = match time.strip_prefix('-') {
        None => seconds(player, time)?,
        Some(overdue) => {
            seconds(player, overdue)?;
            player.note(Note::leniency(
                "negative-seconds",
                format!("{time} read as 0"),
            ));
            Duration::ZERO
        }
    };
    let (color, count) = (color(color_word)?, int(count)?);
    player.timer.correct(color, time, count);
    done()
}

/// Parses a time in seconds: an integer, or leniently a decimal.
fn seconds<E: EngineGame>(player: &mut Player<E>, word: &str) -> Result<Duration, Failure> {
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
    player.note(Note::leniency("decimal-seconds", text));
    Ok(time)
}

/// `cputime`: the CPU time of the program in seconds.
pub fn cputime<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    let time = (player.options.cpu_time)().ok_or(Failure::CannotMeasure)?;
    told(format!("{:.3}", time.as_secs_f64()))
}

/// `kgs-chat`: answers a message of a person, from the game or in private, with the program's name and version.
pub fn kgs_chat<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let ["game" | "private", _name, ..] = *command
        .arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
    else {
        return Err(Failure::Syntax);
    };
    told(format!(
        "I am the program {} {}.",
        player.name(),
        player.options.version
    ))
}

/// `kgs-game_over`: the controller's game is over, which changes nothing.
pub fn kgs_game_over<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    done()
}

/// `final_score`: the margin of the winner.
pub fn final_score<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told(player.game.margin()?.to_string())
}

/// `loadsgf`: a game from a file, up to the position before a move or to the end.
pub fn loadsgf<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let (path, until) = match command.arguments.as_slice() {
        [path] => (path, None),
        [path, until] => (path, Some(int(until)?)),
        _ => return Err(Failure::Syntax),
    };
    let cannot_load = |error: &dyn Error| Failure::CannotLoad {
        reason: error.to_string(),
    };
    let text = (player.options.load)(path).map_err(|error| cannot_load(&*error))?;
    // Up to the position before the move of this number.
    let count = until.map_or(usize::MAX, |until| until.saturating_sub(1) as usize);
    let common = &mut player.common;
    let loaded = (player.game).load(&text, count, &mut |note| common.note_input(note));
    player.game = loaded.map_err(|error| cannot_load(&error))?;
    done()
}

/// Answers with the record of a game, or writes it to a file if one other than `-` is named.
pub fn printed<E: EngineGame>(player: &Player<E>, command: &Command, record: &str) -> Done<E> {
    match command
        .arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()[..]
    {
        [] | ["-"] => told(record.trim_end()),
        [path] if (player.options.save)(path, record) => done(),
        [_] => Err(Failure::CannotSave),
        _ => Err(Failure::Syntax),
    }
}

/// `showboard`: a diagram of the board.
pub fn showboard<E: EngineGame>(player: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told(format!("\n{}", player.game.diagram()))
}

/// `list_games` of Quarry: the one game that the engine plays.
pub fn list_games<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told(E::TITLE)
}

/// `set_game` of Quarry: chooses the one game.
pub fn set_game<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [game] = arguments(command)?;
    if game == E::TITLE {
        done()
    } else {
        Err(Failure::UnsupportedGame)
    }
}

/// `gogui-interrupt`: a comment that begins with `# interrupt` ends the thought about a move.
pub fn gogui_interrupt<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    done()
}

/// `gogui-analyze_commands`: the commands for GoGui's menu.
pub fn analyze_commands<E: EngineGame>(_: &mut Player<E>, command: &Command) -> Done<E> {
    let [] = arguments(command)?;
    told(E::ANALYZE_COMMANDS)
}
