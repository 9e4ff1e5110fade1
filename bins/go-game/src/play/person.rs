//! A person as a local player.

use boardgame_cli::terminal::{PersonRequests, PersonTurn, Prompt, Refusal};
use boardgame_core::ByColor;
use boardgame_match::{Choice, LocalPlayer, Turn};
use boardgame_session::Thought;
use go_core::{Game, Move, Position};
use go_engine::{Clock, Engine, Report};

use super::save::{COMMANDS, answer};

/// The form of a move.
pub(super) const POINT: &str = "a point such as Q16, pass";

/// Reads a move that is legal in a position.
pub(super) fn read(text: &str, position: &Position) -> Result<Move, Refusal> {
    let mv: Move = text.parse().map_err(|_| Refusal::NoMove)?;
    position.check(mv).map_err(|illegal| Refusal::Illegal {
        reason: illegal.to_string(),
    })?;
    Ok(mv)
}

/// Describes the engine's choice and its expectations.
pub(super) fn choice_in_words(report: &Report) -> String {
    let Report {
        best,
        win_rate,
        margin,
        ..
    } = report;
    format!(
        "{best} (wins {:.0} %, {margin:+.1} points)",
        100.0 * win_rate
    )
}

/// Chooses moves by asking at the terminal.
pub(super) struct Person {
    /// The names of the players, for records.
    pub(super) players: ByColor<String>,
    /// For hints.
    pub(super) engine: Engine,
    /// The reason why moves cannot be taken back, if so.
    pub(super) no_undo: Option<&'static str>,
    pub(super) requests: PersonRequests<()>,
}

impl LocalPlayer<Position> for Person {
    /// A request calls the game off before the answer counts.
    fn choose(&mut self, turn: &Turn<Position>) -> Choice<Move> {
        let (engine, players) = (&mut self.engine, &self.players);
        let position = &turn.position;
        let game = game_of(turn);
        let chosen = self.requests.ask(&mut PersonTurn {
            position: &(),
            board: position,
            prompt: Prompt {
                expected: POINT,
                read: &|text| read(text, position),
                commands: COMMANDS,
                in_game: true,
                grid: None,
            },
            hint: &mut || choice_in_words(&engine.choose(position, &Clock::default())),
            command: &mut |command, rest| answer(&game, players, command, rest),
            no_undo: self.no_undo,
        });
        chosen.map_or(Choice::Resign, |mv| Choice::Move(mv, Thought::default()))
    }
}

/// Returns the game of a turn.
fn game_of(turn: &Turn<Position>) -> Game {
    let mut game = Game::new(turn.setup.clone());
    for &mv in &turn.moves {
        game.play(mv).expect("the moves of a game are legal");
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::Setup;

    #[test]
    fn legal_moves_are_read_in_either_case() {
        let position = Position::new(&"9x9 black E5 first white".parse::<Setup>().unwrap());
        let read = |text| read(text, &position).map(|mv| mv.to_string());
        assert_eq!(
            (read("c3"), read("PASS")),
            (Ok("C3".into()), Ok("pass".into()))
        );
        assert_eq!(read("xyzzy"), Err(Refusal::NoMove));
        let occupied = read("e5").unwrap_err().to_string();
        assert_eq!(occupied, "illegal move E5: the point is occupied");
    }
}
