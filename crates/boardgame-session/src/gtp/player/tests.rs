//! An engine that counts.

use core::{convert::Infallible, fmt};
use std::{string::ToString as _, time::Duration, vec::Vec};

use boardgame_core::{Game as _, Margin};

use super::{commands as common, *};
use crate::{
    Timestamp,
    gtp::count::{Count, CountGtp},
    player::{Decision, PlayerAction, PlayerSession as _, Question, Task, TimeMargin},
};

/// The number to count up to.
const SIZE: u8 = 100;

/// A game of counting at the engine's side. A record is its numbers.
#[derive(Clone, Debug)]
struct Counting {
    board: Count,
    moves: Vec<u8>,
}

/// The question which number comes after this one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct After(u8);

/// A number, or nothing for a resignation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number(Option<u8>);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl Question for After {
    type Answer = Number;
    type MoveError = Infallible;

    fn fallback(&self) -> Number {
        Number(Some(0))
    }

    fn admits(&self, answer: &Number) -> bool {
        (answer.0).is_none_or(|number| number == 0 || number == self.0 + 1)
    }
}

impl Default for Counting {
    fn default() -> Self {
        Self {
            board: Count::new(&SIZE),
            moves: Vec::new(),
        }
    }
}

impl EngineGame for Counting {
    type Words = CountGtp;
    type Question = After;
    type LoadError = <u8 as core::str::FromStr>::Err;

    const TITLE: &'static str = "Counting";
    const ANALYZE_COMMANDS: &'static str = "string/Show Board/showboard";
    const COMMANDS: &'static [(&'static str, Handler<Self>)] = &[
        ("name", common::name),
        ("list_commands", common::list_commands),
        ("known_command", common::known_command),
        ("clear_board", common::clear_board),
        ("play", common::play),
        ("gogui-play_sequence", common::play_sequence),
        ("genmove", common::genmove),
        ("reg_genmove", common::reg_genmove),
        ("kgs-genmove_cleanup", common::kgs_genmove_cleanup),
        ("undo", common::undo),
        ("gg-undo", common::gg_undo),
        ("time_settings", common::time_settings),
        ("kgs-time_settings", common::kgs_time_settings),
        ("time_left", common::time_left),
        ("final_score", common::final_score),
        ("loadsgf", common::loadsgf),
        ("showboard", common::showboard),
        ("list_games", common::list_games),
        ("set_game", common::set_game),
        ("gogui-analyze_commands", common::analyze_commands),
    ];

    fn board(&self) -> &Count {
        &self.board
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn play(&mut self, _: Color, mv: u8, _: &mut dyn FnMut(Note)) -> Result<(), Failure> {
        self.board.play(mv).map_err(|_| Failure::IllegalMove)?;
        self.moves.push(mv);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let mut moves = core::mem::take(&mut self.moves);
        moves.pop().ok_or(Failure::CannotUndo)?;
        self.clear();
        (moves.into_iter()).try_for_each(|mv| self.play(Color::Black, mv, &mut |_| ()))
    }

    fn turn(&self, color: Color, _: &mut dyn FnMut(Note)) -> Result<Turn<Self>, Failure> {
        if color != self.board.side_to_move() {
            return Err(Failure::WrongColor);
        }
        Ok(if self.board.reached == SIZE {
            Turn::Forced(0)
        } else {
            Turn::Open(After(self.board.reached))
        })
    }

    fn chosen(&self, _: Color, request: Request, answer: &Number) -> Option<u8> {
        match (request, answer.0) {
            (Request::CleanUp, Some(0)) => Some(self.board.reached + 1),
            (_, number) => number,
        }
    }

    fn margin(&mut self) -> Result<Margin, Failure> {
        let is_over = self.board.status().is_over();
        is_over.then_some(Margin::DRAW).ok_or(Failure::CannotScore)
    }

    fn load(
        &self,
        text: &str,
        count: usize,
        note: &mut dyn FnMut(Note),
    ) -> Result<Self, Self::LoadError> {
        note(Note::leniency("numbers", "read as a record"));
        let mut game = Self::default();
        for word in text.split_whitespace().take(count) {
            let _ = game.play(Color::Black, word.parse()?, note);
        }
        Ok(game)
    }

    fn diagram(&self) -> String {
        self.board.reached.to_string()
    }

    fn progress(&self, color: Option<Color>) -> Progress {
        Progress {
            color,
            move_number: self.moves.len() + 1,
            board: self.diagram(),
        }
    }
}

/// A session with the task that is open.
struct Script {
    player: Player<Counting>,
    task: Option<Task<After>>,
    ending: Option<Ending<After>>,
    notes: Vec<String>,
    now: Timestamp,
}

impl Script {
    fn new() -> Self {
        let options = PlayerOptions {
            load: |path| (path == "123").then(|| "1 2 3".into()),
            time_margin: TimeMargin {
                per_move: Duration::ZERO,
                game: Duration::ZERO,
            },
            ..PlayerOptions::default()
        };
        let mut player = Player::new(options);
        player.start(Timestamp::ORIGIN);
        Self {
            player,
            task: None,
            ending: None,
            notes: Vec::new(),
            now: Timestamp::ORIGIN,
        }
    }

    /// Sends lines and returns the answers without blank lines.
    fn hears(&mut self, lines: &str) -> String {
        let now = self.now;
        self.player.receive(lines.as_bytes(), now);
        self.player.receive(b"\n", now);
        self.drain()
    }

    /// Answers the open task a number of seconds after it was asked.
    fn decides(&mut self, number: Option<u8>, seconds: u64) -> String {
        let task = self.task.take().expect("a task").id;
        let answer = Number(number);
        self.now = self.now + Duration::from_secs(seconds);
        self.player.decide(Decision { task, answer }, self.now);
        self.drain()
    }

    fn drain(&mut self) -> String {
        let mut sent = String::new();
        while let Some(action) = self.player.poll() {
            match action {
                PlayerAction::Send(bytes) => sent += &String::from_utf8(bytes).unwrap(),
                PlayerAction::Think(task) => self.task = Some(task),
                PlayerAction::Finish(ending) => self.ending = Some(ending),
                PlayerAction::Note(note) => self.notes.push(note.text),
                PlayerAction::Abandon => {}
            }
        }
        sent.trim_end().replace("\n\n", "\n")
    }

    /// Returns the limit of the move that is asked for next, in seconds, which is then passed at once.
    fn limit(&mut self) -> Option<u64> {
        let side = self.player.board().side_to_move();
        self.hears(&Command::genmove(side).to_string());
        let deadline = self.player.deadline();
        let limit = deadline.map(|moment| (moment - self.now).as_secs());
        self.decides(Some(0), 0);
        limit
    }
}

#[test]
fn commands_are_answered_in_order_while_a_move_is_chosen() {
    let mut script = Script::new();
    assert_eq!(script.hears("7 genmove b\nname\n9 nonsense\ngenmove w"), "");
    assert_eq!(
        script.decides(Some(1), 1),
        "=7 1\n= count\n?9 unknown command"
    );
    assert_eq!(script.player.color(), Some(Color::White));
    assert_eq!(script.decides(Some(2), 1), "= 2");
    assert_eq!(script.hears("showboard"), "= \n2");
}

#[test]
fn a_move_that_is_only_told_and_a_resignation_are_not_made() {
    let mut script = Script::new();
    script.hears("reg_genmove b");
    assert_eq!(script.decides(Some(1), 1), "= 1");
    script.hears("genmove b");
    assert_eq!(script.decides(None, 1), "= resign");
    assert_eq!(script.player.board().reached, 0);
    assert_eq!(script.hears("genmove w"), "? wrong color");
}

#[test]
fn a_clean_up_is_the_games_to_carry_out() {
    let mut script = Script::new();
    script.hears("kgs-genmove_cleanup b");
    assert_eq!(script.decides(Some(0), 1), "= 1");
    assert_eq!(script.player.board().reached, 1);
}

#[test]
fn a_forced_move_is_made_without_a_question() {
    let mut script = Script::new();
    let all: Vec<String> = (1..=SIZE)
        .map(|number| std::format!("b {number}"))
        .collect();
    assert_eq!(script.hears("final_score"), "? cannot score");
    assert_eq!(
        script.hears(&std::format!("gogui-play_sequence {}", all.join(" "))),
        "="
    );
    assert_eq!(script.hears("reg_genmove b\ngenmove b"), "= PASS\n= PASS");
    assert_eq!(script.hears("final_score"), "= 0");
    assert_eq!(
        PlayerFormat::progress(&script.player).move_number,
        usize::from(SIZE) + 2
    );
}

#[test]
fn several_moves_are_taken_back_or_none() {
    let mut script = Script::new();
    script.hears("gogui-play_sequence b 1 w 2 b 3");
    assert_eq!(
        script.hears("gogui-play_sequence w 4 b 6"),
        "? illegal move"
    );
    assert_eq!(script.hears("gg-undo 4"), "? cannot undo");
    assert_eq!(script.player.board().reached, 3);
    assert_eq!(script.hears("gg-undo 2"), "=");
    assert_eq!(script.player.board().reached, 1);
    assert_eq!(script.hears("gg-undo\nundo"), "=\n? cannot undo");
}

#[test]
fn a_record_is_loaded_up_to_a_move() {
    let mut script = Script::new();
    assert_eq!(script.hears("loadsgf 123 3"), "=");
    assert_eq!(script.player.board().reached, 2);
    assert_eq!(script.hears("loadsgf 456"), "? cannot load file");
    assert_eq!(script.player.board().reached, 2);
}

#[test]
fn the_commands_of_time_set_the_clocks() {
    let mut script = Script::new();
    assert_eq!(script.limit(), None);
    for (settings, limit) in [
        ("time_settings 0 30 3", Some(10)),
        ("time_settings 9 0 0", Some(9)),
        ("time_settings 9 30 0", None),
        ("kgs-time_settings none", None),
        ("kgs-time_settings absolute 20", Some(20)),
        ("kgs-time_settings byoyomi 0 30 5", Some(30)),
        ("kgs-time_settings byoyomi 60 30 5", Some(90)),
        ("kgs-time_settings canadian 0 30 5", Some(6)),
    ] {
        assert_eq!(script.hears(settings), "=", "{settings}");
        assert_eq!(script.limit(), limit, "{settings}");
    }
    for wrong in [
        "kgs-time_settings",
        "kgs-time_settings none 0",
        "kgs-time_settings fischer 60 5",
        "kgs-time_settings byoyomi 60 30",
        "kgs-time_settings byoyomi 60 30 0",
        "kgs-time_settings canadian 60 30 x",
    ] {
        assert_eq!(script.hears(wrong), "? syntax error", "{wrong}");
    }
}

#[test]
fn time_left_counts_periods_where_kgs_has_told_of_several() {
    let mut script = Script::new();
    script.hears("kgs-time_settings byoyomi 60 30 5\ntime_left b 12 3\ntime_left w 12 3");
    assert_eq!(script.limit(), Some(12));
    script.hears("time_settings 60 30 5\ntime_left b 12 3\ntime_left w 12 3");
    assert_eq!(script.limit(), Some(4));
}

#[test]
fn quarry_and_gogui_are_told_of_the_game() {
    let mut script = Script::new();
    assert_eq!(
        script.hears("list_games\nset_game Counting\nset_game Go"),
        "= Counting\n=\n? unsupported game"
    );
    assert_eq!(
        script.hears("gogui-analyze_commands"),
        "= string/Show Board/showboard"
    );
}

#[test]
fn the_end_of_input_ends_the_last_line_and_the_session() {
    let mut script = Script::new();
    script.player.receive(b"name", script.now);
    assert_eq!(script.drain(), "");
    script.player.end_of_input(script.now);
    assert_eq!(script.drain(), "= count");
    assert_eq!(script.ending, Some(Ending::Orderly));
    // Nothing that comes later is read, nor what comes after the end while a move is owed.
    assert_eq!(script.hears("\nname"), "");
    let mut script = Script::new();
    script.hears("genmove b");
    script.player.end_of_input(script.now);
    script.hears("name");
    assert_eq!(script.decides(Some(1), 1), "= 1");
    assert_eq!(script.ending, Some(Ending::Orderly));
}

#[test]
fn what_is_lenient_or_fails_is_noted() {
    let mut script = Script::new();
    script.hears("time_settings 9.5 0 0\nnonsense");
    let notes = ["9.5 read as 9.5s", "unknown command: nonsense; 0"];
    assert_eq!(script.notes, notes);
}

#[test]
fn a_decision_that_does_not_come_in_time_is_replaced() {
    let mut script = Script::new();
    script.hears("time_settings 9 0 0\ngenmove b");
    let deadline = script.player.deadline().expect("a limit");
    script.player.tick(script.now);
    assert_eq!(script.drain(), "");
    script.player.tick(deadline);
    assert_eq!(script.drain(), "= PASS");
}

#[test]
fn what_comes_while_the_engine_thinks_is_bounded() {
    let mut script = Script::new();
    for number in [1, 2] {
        let side = script.player.board().side_to_move();
        script.hears(&Command::genmove(side).to_string());
        let half = " ".repeat(MAX_WAITING / 2);
        script.player.receive(half.as_bytes(), script.now);
        script.player.receive(half.as_bytes(), script.now);
        script.drain();
        assert_eq!(script.ending, None);
        script.decides(Some(number), 1);
        script.hears("");
    }
    script.hears("genmove b");
    let flood = " ".repeat(MAX_WAITING + 1);
    script.player.receive(flood.as_bytes(), script.now);
    script.drain();
    let max_bytes = MAX_WAITING;
    let flood = PeerMisbehaved::TooManyCommands { max_bytes };
    assert_eq!(script.ending, Some(Ending::Unintelligible(flood)));
}

#[test]
fn a_number_is_finite() {
    for (word, number) in [
        ("6.5", Some(6.5)),
        ("1e1", Some(10.0)),
        ("inf", None),
        ("x", None),
    ] {
        assert_eq!(common::number(word).ok(), number, "{word}");
    }
}
