//! The session of an engine.

use std::error::Error;

use crate::{Answered, PlayerEvent, PlayerFormat, Script, gtp::OpenCommands, player_session};
use boardgame_session::{
    gtp::{Command, Response, parse_color},
    player::Question as _,
};
use go_core::{Color, Move, Point, Position, Rules, Setup, Size};
use go_proto::{
    gtp::{GoGame, Player, PlayerOptions},
    session::{Choice, Ending, Question, Task},
};

use crate::go::any_choice;

/// The laws of a player's session and of [`OpenCommands`]; also: a failed command changes nothing; `play` makes exactly
/// its move; a reported move is the answer to a task and legal.
pub fn player(data: &[u8]) {
    let (head, events) = data.split_at(data.len().min(2));
    let mut script = Script::new(head);
    let size = Size::new(script.choose(&[9, 5, 4, 3, 2, 1, 19, 25])).expect("a size");
    let rules = script.choose(&[Rules::JAPANESE, Rules::CHINESE, Rules::AGA]);
    let setup = Setup::new(size).with_rules(rules);
    let options = PlayerOptions {
        load,
        ..PlayerOptions::default()
    };
    let mut law = PlayerLaw {
        commands: OpenCommands::of::<GoGame>(),
        board: Position::new(&setup),
    };
    let session = Player::with_game(GoGame::new(setup), options);
    player_session(&mut law, session, any_choice, events);
}

/// Returns the text of a file, for `loadsgf`.
fn load(path: &str) -> Result<String, Box<dyn Error>> {
    let text = match path {
        "game.sgf" => "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cc];W[])",
        "passes.sgf" => "(;SZ[2];B[];W[];W[aa];W[];B[])",
        "superko.sgf" => "(;SZ[4]AB[bb][ac][cc][bd]AW[cb][dc][cd];W[bc];B[];W[];B[cc])",
        _ => return Err("no such file".into()),
    };
    Ok(text.into())
}

/// Lines of a controller, valid and invalid, except most of `play` and `genmove`.
const LINES: [&str; 64] = [
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "known_command genmove",
    "known_command cputime",
    "boardsize 0",
    "boardsize 1",
    "boardsize 25",
    "boardsize 26",
    "boardsize 9",
    "boardsize 5",
    "boardsize +9",
    "query_boardsize",
    "clear_board",
    "komi 6.5",
    "komi -1000000",
    "get_komi",
    "fixed_handicap 2",
    "fixed_handicap 9",
    "fixed_handicap 1",
    "place_free_handicap 30",
    "set_free_handicap A1 B2",
    "set_free_handicap a1 A1",
    "set_free_handicap",
    "play b",
    "play grey A1",
    "play b I5",
    "play w resign",
    "play b Z99",
    "genmove",
    "genmove grey",
    "gg-undo",
    "gg-undo 0",
    "gg-undo 3",
    "gg-undo 2147483647",
    "time_settings 0 0 0",
    "time_settings 60 0 0",
    "time_settings 0 10 2",
    "time_settings 5 10 0",
    "time_left b 3 0",
    "time_left w 0.25 1",
    "kgs-time_settings none",
    "kgs-time_settings absolute 30",
    "kgs-time_settings byoyomi 1 2 3",
    "kgs-time_settings canadian 1 2 3",
    "final_score",
    "final_status_list dead",
    "final_status_list hungry",
    "loadsgf game.sgf",
    "loadsgf game.sgf 2",
    "loadsgf no.sgf",
    "loadsgf passes.sgf",
    "loadsgf superko.sgf",
    "showboard",
    "set_game Go",
    "set_game Chess",
    "kgs-rules chinese",
    "kgs-rules new_zealand",
    "gogui-play_sequence b A1 w B1 w pass w pass w A2",
    "gogui-play_sequence b A1 w A1",
    "gogui-setup b A1 w B1 b B1",
    "gogui-setup_player w",
    "nonsense",
];

struct PlayerLaw {
    commands: OpenCommands,
    /// The session's board after the last answer.
    board: Position,
}

impl PlayerFormat for PlayerLaw {
    type Session = Player;

    fn fed(&mut self, event: PlayerEvent<'_>) {
        self.commands.fed(event);
    }

    fn speak(&mut self, script: &mut Script<'_>, session: &Player) -> Vec<u8> {
        // Always the same number of choices, so that seeds stay in step with the game.
        let (kind, index) = (script.pick(16), script.pick_of_many(1 << 16));
        let spelling = script.pick(16);
        let position = session.board();
        let side = position.side_to_move();
        let play = |color: Color, points: Vec<Point>| {
            let index = index.checked_rem(points.len());
            let mv = index.map_or(Move::Pass, |index| points[index].into());
            Command::play(color, mv).to_string()
        };
        let points = || position.board().size().points();
        let line = match kind {
            0..3 => Command::genmove(side).to_string(),
            3 => Command::genmove(!side).to_string(),
            // Playouts are slow.
            4 if index % 8 == 0 => format!("kgs-genmove_cleanup {side}"),
            4 | 5 => format!("reg_genmove {side}"),
            6..9 => play(side, position.legal_points().collect()),
            9 => play(!side, points().collect()),
            10 => {
                // An occupied point, a ko or suicide, if there is one.
                let is_illegal = |point: &Point| position.check(*point).is_err();
                play(side, points().filter(is_illegal).collect())
            }
            11 => play(side, Vec::new()),
            12 => "undo".into(),
            13 if index % 64 == 0 => "x".repeat(5000),
            _ => LINES[index % LINES.len()].into(),
        };
        spelled(spelling, index, &line)
    }

    fn asked(&mut self, task: &Task) {
        let command = self.commands.asked();
        let color = parse_color(&command.arguments[0]).expect("a colour");
        assert_eq!(task.question.position, self.position_of(color));
    }

    fn sent(&mut self, session: &Player, bytes: &[u8], answered: Option<&Answered<'_, Question>>) {
        let (command, response) = self.commands.answered(bytes);
        if let Some(command) = command.filter(|_| response.success) {
            let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
            match (command.name.as_str(), &words[..]) {
                ("genmove" | "reg_genmove" | "kgs-genmove_cleanup", _) => {
                    let answered = answered.expect("a move without an answer");
                    self.check_move(&command, &response, answered);
                }
                ("play", [color, vertex]) => {
                    let color = parse_color(color).expect("a colour");
                    self.play(color, vertex.parse().expect("a vertex"));
                }
                // The session's tests cover the others.
                _ => self.board = session.board(),
            }
        }
        assert_eq!(session.board(), self.board);
    }

    fn settled(&mut self, _: &Player, is_thinking: bool) {
        self.commands.settled(is_thinking);
    }

    fn finished(&mut self, ending: &Ending) {
        self.commands.finished(ending);
    }
}

impl PlayerLaw {
    /// Returns the position with a colour to move, even after two passes.
    fn position_of(&self, color: Color) -> Position {
        let mut position = self.board.clone();
        position.resume();
        position.set_side_to_move(color);
        position
    }

    fn play(&mut self, color: Color, mv: Move) {
        let mut after = self.position_of(color);
        assert_eq!(after.play(mv), Ok(()), "{color}");
        self.board = after;
    }

    /// Checks the move that answers a command, and makes it unless it is only reported.
    fn check_move(
        &mut self,
        command: &Command,
        response: &Response,
        answered: &Answered<'_, Question>,
    ) {
        let question = &answered.task.question;
        let choice = match response.text.as_str() {
            "resign" => Choice::Resign,
            vertex => Choice::Move(vertex.parse().expect("a vertex")),
        };
        assert!(question.admits(&choice), "{response}");
        let chosen = answered.chosen.filter(|chosen| question.admits(chosen));
        let decided = chosen.cloned().unwrap_or_else(|| question.fallback());
        let cleans_up = command.name == "kgs-genmove_cleanup" && decided == Move::Pass.into();
        assert!(choice == decided || cleans_up, "{choice}, not {decided}");
        if let Choice::Move(mv) = choice
            && command.name != "reg_genmove"
        {
            self.play(question.position.side_to_move(), mv);
        }
    }
}

/// Returns a line in one of the known spellings.
fn spelled(spelling: usize, id: usize, line: &str) -> Vec<u8> {
    match spelling {
        0..4 => format!("{id} {line}\n"),
        4 => format!("{line}\r\n"),
        5 => format!("\t {line} # and more\n"),
        6 => format!("# {line}\n"),
        7 => format!("\0{line}\x07\n"),
        8 => format!("{line}\n{line}\n"),
        9 => line.into(),
        10 => format!("{line} more\n"),
        11 => format!("{id}\n"),
        _ => format!("{line}\n"),
    }
    .into_bytes()
}
