//! Sessions by scripts of commands and decisions.

use super::*;
use crate::{
    gtp::{Player, PlayerOptions},
    session::{Action, Decision, Ending, PlayerSession as _, Task, Timestamp},
};
use alloc::{format, vec::Vec};
use boardgame_session::gtp::{Command, Responses};
use go_core::{Board, Point, Setup};
use proptest::prelude::*;

/// A player with its open task.
struct Script {
    player: Player,
    task: Option<Task>,
    ending: Option<Ending>,
    /// The notes on what was read.
    notes: Vec<String>,
}

const NOW: Timestamp = Timestamp::ORIGIN;

fn load(path: &str) -> Option<String> {
    let text = match path {
        "game.sgf" => "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cc];W[])",
        "komi.sgf" => "(;GM[1]SZ[9]KM[6.75])",
        "stones.sgf" => "(;SZ[5]AB[aa]AW[bb:cc])",
        "superko.sgf" => "(;SZ[4]AB[bb][ac][cc][bd]AW[cb][dc][cd];W[bc];B[];W[];B[cc])",
        "othello.sgf" => "(;GM[2]SZ[8];B[f5])",
        "late.sgf" => "(;SZ[9];B[aa];AB[bb])",
        "unclosed.sgf" => "(;SZ[9];B[aa];W[bb]",
        "endless.sgf" => return Some(format!("(;SZ[9]{})", ";B[];W[]".repeat(2049))),
        _ => return None,
    };
    Some(text.into())
}

fn script(setup: &str) -> Script {
    let options = PlayerOptions {
        load,
        version: "1.0".into(),
        ..PlayerOptions::default()
    };
    let setup: Setup = setup.parse().unwrap();
    let mut player = Player::with_game(GoGame::new(setup), options);
    player.start(NOW);
    Script {
        player,
        task: None,
        ending: None,
        notes: Vec::new(),
    }
}

impl Script {
    /// Sends lines and returns the answers as they come, without blank lines.
    fn hears(&mut self, lines: &str) -> String {
        self.player.receive(lines.as_bytes(), NOW);
        self.player.receive(b"\n", NOW);
        self.drain()
    }

    fn decides(&mut self, choice: Choice) -> String {
        let task = self.task.take().expect("a task").id;
        let answer = choice;
        self.player.decide(Decision { task, answer }, NOW);
        self.drain()
    }

    fn plays(&mut self, mv: &str) -> String {
        self.decides(mv.parse::<Move>().unwrap().into())
    }

    fn drain(&mut self) -> String {
        let mut sent = String::new();
        while let Some(action) = self.player.poll() {
            match action {
                Action::Send(bytes) => sent += &String::from_utf8(bytes).unwrap(),
                Action::Think(task) => self.task = Some(task),
                Action::Finish(ending) => self.ending = Some(ending),
                Action::Note(note) => self.notes.push(format!("{note:?}")),
                Action::Abandon => {}
            }
        }
        sent.trim_end().replace("\n\n", "\n")
    }

    /// Puts the stones of a diagram on the board.
    fn shows(&mut self, rows: &str) {
        let board: Board = rows.parse().unwrap();
        self.hears(&format!("boardsize {}", board.size().lines()));
        let setup = board
            .stones()
            .fold(Command::new("gogui-setup"), |command, (point, color)| {
                command.argument(color).argument(point)
            });
        assert_eq!(self.hears(&setup.to_string()), "=");
        assert!(self.board().stones().eq(board.stones()));
    }

    fn board(&self) -> Board {
        self.player.game().board().board().clone()
    }

    fn side_to_move(&self) -> Color {
        self.player.board().side_to_move()
    }
}

#[test]
fn just_the_commands_that_are_listed_are_known() {
    let listed = script("9").hears("list_commands");
    let listed: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
    assert_eq!(listed.len(), GoGame::COMMANDS.len());
    for name in &listed {
        let mut script = script("9");
        assert_eq!(script.hears(&format!("known_command {name}")), "= true");
        assert_ne!(script.hears(name), "? unknown command", "{name}");
    }
    for name in ["genmoves", "GENMOVE", "cputime", "gogui-rules_board"] {
        assert_eq!(script("9").hears(name), "? unknown command", "{name}");
    }
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), listed.len(), "a command is listed twice");
}

#[test]
fn a_front_end_introduces_itself_and_plays() {
    let mut script = script("19");
    let mut said = Vec::new();
    for line in [
        "1 protocol_version\n2 name\n3 version",
        "list_commands",
        "boardsize 9\nclear_board\nkomi 5.5",
        "get_komi\nquery_boardsize",
        "10 play b E5\n11 play w e5\n12 genmove w # think",
    ] {
        said.push(format!("> {line}\n{}", script.hears(line)));
    }
    said.push(script.plays("C3"));
    for line in ["showboard", "gogui-analyze_commands", "20 quit"] {
        said.push(format!("> {line}\n{}", script.hears(line)));
    }
    let text = said.join("\n");
    insta::assert_snapshot!(text);
    assert!(matches!(script.ending, Some(Ending::Orderly)));
}

#[test]
fn any_finite_komi_is_rounded_to_half_points() {
    let mut script = script("9");
    for (komi, kept) in [
        ("7.", "7"),
        (".5", "0.5"),
        ("1e1", "10"),
        ("6.75", "7"),
        ("1000000", "9999.5"),
        ("-1000000", "-9999.5"),
    ] {
        script.notes.clear();
        let answered = script.hears(&format!("komi {komi}\nget_komi"));
        assert_eq!(answered, format!("=\n= {kept}"), "{komi}");
        let is_rounded = komi.parse::<f64>() != kept.parse();
        let noted = script.notes.iter().filter(|note| note.contains("read as"));
        assert_eq!(noted.count(), usize::from(is_rounded), "{komi}");
    }
    script.notes.clear();
    assert_eq!(script.hears("loadsgf komi.sgf\nget_komi"), "=\n= 7");
    assert!(
        script
            .notes
            .iter()
            .any(|note| note.contains("6.75 read as 7"))
    );
}

#[test]
fn failures_are_told_in_the_words_of_the_specification() {
    for (line, answered) in [
        ("boardsize 0", "? unacceptable size"),
        ("boardsize 26", "? unacceptable size"),
        ("boardsize 1000", "? unacceptable size"),
        ("boardsize -1", "? syntax error"),
        ("boardsize 9x9", "? syntax error"),
        ("komi much", "? syntax error"),
        ("komi nan", "? syntax error"),
        ("komi -inf", "? syntax error"),
        ("play b I5", "? syntax error"),
        ("play b A0", "? syntax error"),
        ("play b Z9", "? illegal move"),
        ("play grey A1", "? syntax error"),
        ("play b resign", "? syntax error"),
        ("3 undo", "?3 cannot undo"),
        ("gg-undo 2", "? cannot undo"),
        ("fixed_handicap 1", "? invalid number of stones"),
        ("fixed_handicap 10", "? invalid number of stones"),
        ("place_free_handicap 1", "? invalid number of stones"),
        ("set_free_handicap A1", "? bad vertex list"),
        ("set_free_handicap A1 A1", "? bad vertex list"),
        ("set_free_handicap A1 pass", "? bad vertex list"),
        ("set_free_handicap A1 Z25", "? bad vertex list"),
        ("set_free_handicap", "? bad vertex list"),
        ("final_status_list", "? syntax error"),
        ("final_status_list hungry", "? syntax error"),
        ("kgs-rules korean", "? syntax error"),
        ("loadsgf nowhere.sgf", "? cannot load file"),
        ("loadsgf othello.sgf", "? cannot load file"),
        ("loadsgf othello.sgf 1", "? cannot load file"),
        ("loadsgf late.sgf", "? cannot load file"),
        ("gogui-setup b A1 w", "? syntax error"),
        ("gogui-setup b pass", "? syntax error"),
        ("gogui-setup b A1 w A2 w B1", "? invalid position"),
        ("set_game Othello", "? unsupported game"),
    ] {
        let mut script = script("9");
        assert_eq!(script.hears(line), answered, "{line}");
        assert_eq!(script.board(), Board::new(Size::NINE), "{line}");
    }
}

#[test]
fn boards_have_up_to_25_lines_whose_columns_leave_out_i() {
    let mut script = script("9 komi 5.5");
    assert_eq!(script.hears("boardsize 25"), "=");
    assert_eq!(script.hears("play b Z25\nplay w J1\nplay b h1"), "=\n=\n=");
    assert_eq!(script.hears("play b i1"), "? syntax error");
    assert_eq!(script.hears("get_komi"), "= 5.5");
    assert_eq!(script.hears("boardsize 1\nplay b A1"), "=\n? illegal move");
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut script = script("9");
    script.hears(
        "play b B1\nplay w C1\nplay b A2\nplay w D2\nplay b B3\nplay w C3\nplay b E5\nplay w B2",
    );
    script.hears("play b C2");
    let before = script.player.board();
    for line in ["play w B2", "play w C2", "play w A1", "play b C2"] {
        assert_eq!(script.hears(line), "? illegal move", "{line}");
        assert_eq!(script.player.board(), before, "{line}");
    }
    assert_eq!(
        script.hears("gogui-play_sequence w J9 b J8 w J9"),
        "? illegal move"
    );
    assert_eq!(script.player.board(), before);
    // The ko may be taken back after a move elsewhere.
    assert_eq!(script.hears("gogui-play_sequence w J9 b J8 w B2"), "=");
}

#[test]
fn either_colour_may_move_and_moves_are_taken_back_one_by_one() {
    let mut script = script("9");
    script.hears("play w C3\nplay w D3\ngenmove w");
    let task = script.task.as_ref().expect("a task");
    assert_eq!(task.question.position.side_to_move(), Color::White);
    assert_eq!(script.plays("E3"), "= E3");
    assert_eq!(script.side_to_move(), Color::Black);
    assert_eq!(script.hears("gg-undo 2\nundo\nundo"), "=\n=\n? cannot undo");
    assert_eq!(script.board(), Board::new(Size::NINE));
    assert_eq!(script.side_to_move(), Color::White);
}

#[test]
fn a_game_goes_on_after_two_passes() {
    let mut script = script("9");
    script.hears("play b pass\nplay w pass");
    assert!(script.player.board().is_over());
    assert_eq!(script.hears("play b Z9"), "? illegal move");
    assert!(script.player.board().is_over());
    script.hears("genmove b");
    assert!(
        !script
            .task
            .as_ref()
            .expect("a task")
            .question
            .position
            .is_over()
    );
    assert_eq!(script.plays("pass"), "= pass");
    assert_eq!(
        script.hears("play w A1\nundo\nundo\nundo\nundo"),
        "=\n=\n=\n=\n="
    );
}

#[test]
fn a_game_has_a_maximum_number_of_moves() {
    let mut script = script("9");
    assert_eq!(script.hears("loadsgf endless.sgf"), "? cannot load file");
    assert_eq!(script.hears("loadsgf endless.sgf 4096"), "=");
    script.hears("genmove w");
    assert_eq!(script.plays("pass"), "= pass");
    let before = script.player.board();
    for line in ["play b pass", "genmove b", "gogui-play_sequence b pass"] {
        assert_eq!(script.hears(line), "? game too long", "{line}");
        assert_eq!(script.player.board(), before);
    }
    assert_eq!(script.hears("undo\nplay b E5"), "=\n=");
}

#[test]
fn resignation_is_told_and_is_no_move() {
    let mut script = script("9");
    script.hears("genmove b");
    assert_eq!(script.decides(Choice::Resign), "= resign");
    assert_eq!(script.hears("undo"), "? cannot undo");
}

#[test]
fn handicap_stones_are_placed_on_an_empty_board() {
    let mut script = script("9 komi 0.5");
    assert_eq!(script.hears("fixed_handicap 3"), "= C3 G7 C7");
    assert_eq!(script.side_to_move(), Color::White);
    assert_eq!(script.hears("fixed_handicap 2"), "? board not empty");
    assert_eq!(script.hears("set_free_handicap A1 B1"), "? board not empty");
    assert_eq!(script.hears("undo"), "? cannot undo");
    assert_eq!(
        script.hears("clear_board\nplace_free_handicap 30"),
        "=\n= C3 G7 C7 G3 C5 G5 E3 E7 E5"
    );
    assert_eq!(script.hears("clear_board\nset_free_handicap a1 J9"), "=\n=");
    let stones: Vec<Point> = script.board().stones().map(|(point, _)| point).collect();
    assert_eq!(format!("{stones:?}"), "[A1, J9]");
    assert_eq!(script.hears("get_komi"), "= 0.5");
    assert_eq!(
        script.hears("boardsize 5\nplace_free_handicap 2"),
        "=\n? invalid number of stones"
    );
}

#[test]
fn a_game_is_loaded_up_to_the_position_before_a_move() {
    let mut script = script("19 rules chinese");
    assert_eq!(script.hears("loadsgf game.sgf 2"), "=");
    assert_eq!(script.hears("query_boardsize\nget_komi"), "= 9\n= 5.5");
    assert_eq!(
        (script.board().stone_count(), script.side_to_move()),
        (3, Color::Black)
    );
    assert_eq!(
        script.hears("loadsgf game.sgf\nundo\nundo\nundo\nundo"),
        "=\n=\n=\n=\n? cannot undo"
    );
    assert_eq!(script.player.board().rules(), Rules::CHINESE);
    // What is wrong after the moves that are wanted does not matter, nor that the file ends early.
    assert_eq!(
        script.hears("loadsgf late.sgf 2\nundo\nundo"),
        "=\n=\n? cannot undo"
    );
    assert_eq!(script.hears("loadsgf unclosed.sgf\nundo\nundo"), "=\n=\n=");
    assert!(script.notes.iter().any(|note| note.contains("expected )")));
    assert_eq!(script.hears("loadsgf stones.sgf"), "=");
    assert_eq!(
        (script.board().stone_count(), script.side_to_move()),
        (5, Color::Black)
    );
}

#[test]
fn a_file_is_loaded_by_the_engines_rules() {
    let mut simple = script("9 rules japanese");
    assert_eq!(simple.hears("loadsgf superko.sgf"), "=");
    let mut superko = script("9 rules chinese");
    superko.hears("play b E5");
    let before = superko.board();
    assert_eq!(superko.hears("loadsgf superko.sgf"), "? cannot load file");
    assert_eq!(superko.board(), before);
    assert_eq!(superko.hears("loadsgf superko.sgf 4"), "=");
}

#[test]
fn rules_of_kgs_hold_from_the_next_game_on_unless_this_one_has_no_move() {
    let mut script = script("9");
    assert_eq!(script.hears("kgs-rules chinese"), "=");
    assert_eq!(script.player.board().rules(), Rules::CHINESE);
    script.hears("fixed_handicap 2\nkgs-rules aga");
    assert_eq!(script.player.board().rules(), Rules::AGA);
    assert_eq!(script.board().stone_count(), 2);
    script.hears("play w E5\nkgs-rules new_zealand");
    assert_eq!(script.player.board().rules(), Rules::AGA);
    script.hears("clear_board");
    assert_eq!(script.player.board().rules(), Rules::NEW_ZEALAND);
}

/// Black and White have a side each, with a dead stone of the other in it.
const SIDES: &str = ". X . X O . O . .
     X X X X O O O . .
     . . . X O . . . .
     . O . X O . X . .
     . . . X O . . . .
     . . . X O . . . .
     . . . X O . . . .
     X X X X O O O O O
     . X . X O . O . .";

#[test]
fn a_position_is_scored_with_its_dead_stones() {
    let mut script = script("9 komi 5.5 rules japanese");
    script.shows(SIDES);
    assert_eq!(script.hears("final_status_list dead"), "= B6\nG6");
    assert_eq!(script.hears("final_status_list seki"), "=");
    let alive = script.hears("final_status_list alive");
    let chains: Vec<&str> = alive.trim_start_matches("= ").lines().collect();
    assert!(
        chains.iter().any(|chain| chain.starts_with("B1 ")),
        "{alive}"
    );
    let stones = chains.iter().flat_map(|chain| chain.split(' ')).count();
    assert_eq!(stones, script.board().stone_count() - 2);
    // 19 points and a prisoner against 28 and a prisoner, or 36 points against 45.
    let japanese = script.hears("final_score");
    script.hears("kgs-rules chinese");
    let chinese = script.hears("final_score");
    assert_eq!(
        (japanese.as_str(), chinese.as_str()),
        ("= W+14.5", "= W+14.5")
    );
    script.hears("komi -20");
    assert_eq!(script.hears("final_score"), "= B+11");
}

#[test]
fn stones_in_seki_are_listed() {
    let mut script = script("7");
    script.shows(
        ". X . O . O X
         X X X O O O X
         O O O X X X X
         . O O X . X .
         O . O X X X X
         O O O O X . X
         . O . O X X .",
    );
    let listed = script.hears("final_status_list seki");
    let count = listed.trim_start_matches("= ").split_whitespace().count();
    assert_eq!(count, 9, "{listed}");
}

#[test]
fn a_clean_up_captures_dead_stones_before_it_passes() {
    let mut script = script("9");
    script.shows(SIDES);
    for played in 1..=4 {
        script.hears("kgs-genmove_cleanup b");
        let answer = script.plays("pass");
        assert_ne!(answer, "= pass", "move {played}");
    }
    assert!(script.board().is_empty("B6".parse().unwrap()));
    script.hears("kgs-genmove_cleanup b");
    assert_eq!(script.plays("pass"), "= pass");
    script.hears("genmove w");
    assert_eq!(
        script.plays("pass"),
        "= pass",
        "the other command passes as it is told to"
    );
}

#[test]
fn what_is_asked_before_the_end_of_input_is_answered() {
    let mut script = script("9");
    script.hears("genmove b\nversion");
    script.player.end_of_input(NOW);
    assert_eq!(script.drain(), "");
    assert_eq!(script.plays("E5"), "= E5\n= 1.0");
    assert!(matches!(script.ending, Some(Ending::Orderly)));
}

/// Lines of a controller, valid and invalid.
fn line() -> impl Strategy<Value = String> {
    let color = prop_oneof!["b", "w"];
    let vertex = prop_oneof![4 => "[A-HJ][1-9]", 1 => Just("pass".into()), 1 => "[a-z][0-9]{0,2}"];
    let other = prop::sample::select(&[
        "7 name",
        "list_commands",
        "boardsize 9",
        "boardsize 2",
        "boardsize 30",
        "clear_board",
        "komi 6.5",
        "undo",
        "gg-undo 3",
        "fixed_handicap 4",
        "place_free_handicap 3",
        "set_free_handicap A1 B2",
        "loadsgf game.sgf",
        "loadsgf stones.sgf",
        "loadsgf no.sgf",
        "time_settings 0 0 0",
        "time_settings 10 5 2",
        "kgs-time_settings byoyomi 1 2 3",
        "time_left b 0 0",
        "time_left w 3 2",
        "kgs-rules chinese",
        "kgs-rules japanese",
        "showboard",
        "gogui-setup b A1 w B2",
        "gogui-setup_player w",
        "17",
        "nonsense # and more",
    ]);
    prop_oneof![
        4 => (color.clone(), vertex).prop_map(|(color, vertex)| format!("play {color} {vertex}")),
        2 => color.clone().prop_map(|color| format!("genmove {color}")),
        1 => color.prop_map(|color| format!("kgs-genmove_cleanup {color}")),
        4 => other.prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every command has one response, in order, and a move that is made was legal.
    #[test]
    fn every_command_is_answered(lines in prop::collection::vec(line(), 1..60), seed: u64) {
        let mut script = script("5");
        for (number, line) in (seed..).zip(&lines) {
            let mut sent = script.hears(line);
            if let Some(task) = &script.task {
                let position = task.question.position.clone();
                let legal: Vec<Point> = position.legal_points().collect();
                let choice = match number % 8 {
                    0 => Choice::Resign,
                    1 => Move::Pass.into(),
                    _ => legal.get(number as usize % legal.len().max(1))
                        .map_or(Move::Pass, |&point| point.into()).into(),
                };
                sent = script.decides(choice);
            }
            let mut responses = Responses::default();
            responses.push(format!("{sent}\n\n").as_bytes());
            prop_assert!(matches!(responses.next_response(), Some(Ok(_))), "{line}: {sent}");
            prop_assert_eq!(responses.next_response(), None);
        }
    }
}
