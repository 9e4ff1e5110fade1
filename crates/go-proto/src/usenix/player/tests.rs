//! Tests of the player by scripts of input and decisions.

use super::*;
use crate::session::{Action, Decision, PlayerSession as _, Task, TaskId, Timestamp};
use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

/// A player with its open task.
struct Script {
    player: Player,
    task: Option<(TaskId, TaskClock)>,
    now: Timestamp,
    notes: Vec<String>,
    ending: Option<Ending>,
}

const SEC: fn(u64) -> Duration = Duration::from_secs;

fn script(setup: &str) -> Script {
    let options = PlayerOptions {
        setup: setup.parse().unwrap(),
        ..PlayerOptions::default()
    };
    let mut player = Player::new(options);
    player.start(Timestamp::ORIGIN);
    Script {
        player,
        task: None,
        now: Timestamp::ORIGIN,
        notes: Vec::new(),
        ending: None,
    }
}

impl Script {
    /// The lines that the player sends, joined by blanks.
    fn sent(&mut self) -> String {
        let mut sent = Vec::new();
        while let Some(action) = self.player.poll() {
            match action {
                Action::Send(bytes) => {
                    let text = String::from_utf8(bytes).unwrap();
                    sent.push(text.strip_suffix('\n').unwrap().to_string());
                }
                Action::Think(task) => self.task = Some((task.id, task.clock)),
                Action::Abandon => self.task = None,
                Action::Note(note) => self.notes.push(note.text),
                Action::Finish(ending) => self.ending = Some(ending),
            }
        }
        sent.join(" ")
    }

    fn reads(&mut self, text: &[u8]) -> String {
        self.player.receive(text, self.now);
        self.sent()
    }

    fn decides(&mut self, mv: &str) -> String {
        let (task, _) = self.task.take().expect("a task is open");
        let answer = mv.parse::<Move>().unwrap().into();
        self.player.decide(Decision { task, answer }, self.now);
        self.sent()
    }

    fn ends(&mut self) -> String {
        self.player.end_of_input(self.now);
        self.sent()
    }

    fn clock(&self) -> TaskClock {
        self.task.expect("a task is open").1
    }
}

#[test]
fn a_game_is_played_to_its_two_passes() {
    let mut white = script("9");
    assert_eq!(white.reads(b"white\n"), "");
    assert!(white.task.is_none());
    white.reads(b"E5\n");
    assert_eq!(white.decides("C3"), "C3");
    assert!(white.task.is_none());
    white.reads(b"pass\n");
    assert_eq!(white.decides("pass"), "pass");
    assert_eq!(white.reads(b"G7\n"), "");
    assert!(white.task.is_none());
    white.ends();
    assert_eq!(white.ending, Some(Ending::Orderly));
    assert_eq!(white.notes, ["G7 ignored: the game is over"]);
}

#[test]
fn any_form_of_a_line_is_read() {
    let mut player = script("9");
    player.reads(b"\xef\xbb\xbf White \r\n\r\n garbage\r\n\te 0 5\n");
    assert_eq!(player.player.color(), Some(Color::White));
    assert_eq!(player.decides("C3"), "C3");
    assert_eq!(
        PlayerFormat::progress(&player.player)
            .board
            .split('/')
            .nth(4),
        Some("....X....")
    );
    assert_eq!(player.notes.len(), 8, "{:?}", player.notes);
}

#[test]
fn messages_that_come_at_once_wait_for_their_turn() {
    let mut player = script("9");
    assert_eq!(player.reads(b"black\nE5\nbyo-romi\nC3\n"), "");
    assert!(player.player.is_in_byo_romi());
    assert_eq!(player.decides("D4"), "D4");
    assert_eq!(player.decides("D5"), "D5");
    assert_eq!(player.ends(), "");
    assert_eq!(player.decides("D6"), "D6");
    assert_eq!(player.ending, Some(Ending::CutOff));
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut player = script("9");
    player.reads(b"white\nE5");
    assert_eq!(player.ends(), "");
    assert_eq!(player.ending, None);
    assert_eq!(player.decides("C3"), "C3");
    assert_eq!(player.ending, Some(Ending::CutOff));
    let mut silent = script("9");
    silent.ends();
    assert_eq!(silent.ending, Some(Ending::CutOff));
}

#[test]
fn a_move_before_the_colour_makes_us_white() {
    let mut player = script("9");
    player.reads(b"E5\n");
    assert_eq!(player.decides("C3"), "C3");
    assert_eq!(player.player.color(), Some(Color::White));
}

#[test]
fn an_impossible_move_is_answered_from_our_own_board() {
    let mut player = script("9");
    player.reads(b"black\n");
    player.decides("E5");
    player.reads(b"Z77\n");
    assert_eq!(player.decides("pass"), "pass");
    player.reads(b"M19\n");
    assert_eq!(player.decides("pass"), "pass");
    // Neither impossible move is a pass.
    player.reads(b"C3\n");
    assert_eq!(player.decides("E6"), "E6");
    assert_eq!(player.notes.len(), 2, "{:?}", player.notes);
    player.reads(b"E6\n");
    assert!(player.task.is_none(), "it is an echo");
}

#[test]
fn a_ko_that_is_retaken_is_played() {
    let mut player = script("5");
    player.reads(b"black\n");
    for (ours, theirs) in [
        ("B1", "C1"),
        ("A2", "D2"),
        ("B3", "C3"),
        ("E5", "B2"),
        ("C2", "B2"),
    ] {
        assert_eq!(player.decides(ours), ours);
        player.reads(format!("{theirs}\n").as_bytes());
    }
    let point = |name: &str| name.parse::<Point>().unwrap();
    let board = player.player.position().board();
    assert_eq!(board.stone(point("B2")), Some(Color::White));
    assert!(board.is_empty(point("C2")));
    assert_eq!(player.decides("E4"), "E4");
}

#[test]
fn resigning_and_illegal_decisions_become_legal_moves() {
    let mut player = script("9");
    player.reads(b"white\nE5\n");
    assert_eq!(player.decides("E5"), "A1");
    player.reads(b"E6\n");
    let (task, _) = player.task.take().unwrap();
    let answer = Choice::Resign;
    player.player.decide(Decision { task, answer }, player.now);
    assert_eq!(player.sent(), "pass");
}

#[test]
fn a_move_may_take_the_main_time_but_for_a_margin_or_byo_romi() {
    let limits = |main_time| {
        let mut player = Player::new(PlayerOptions {
            main_time,
            ..PlayerOptions::default()
        });
        assert_eq!(PlayerFormat::measure(&player), TimeMeasure::UserCpu);
        player.start(Timestamp::ORIGIN);
        player.receive(b"black\n", Timestamp::ORIGIN);
        match player.poll() {
            Some(Action::Think(Task { clock, .. })) => (clock.per_move, clock.overtime),
            action => panic!("{action:?}"),
        }
    };
    let within_main = Duration::from_millis(3_599_500);
    assert_eq!(limits(MAIN_TIME), (Some(within_main), Some(BYO_ROMI)));
    for seconds in [1, 10] {
        assert_eq!(limits(SEC(seconds)), (Some(BYO_ROMI), Some(BYO_ROMI)));
    }
    assert_eq!(limits(SEC(0)), (Some(BYO_ROMI), None));
}

#[test]
fn the_main_time_runs_until_byo_romi() {
    let mut player = script("9");
    player.reads(b"black\n");
    assert_eq!(player.clock().game, Some(MAIN_TIME));
    player.now = Timestamp::from_origin(SEC(600));
    player.decides("E5");
    player.reads(b"C3\n");
    assert_eq!(player.clock().game, Some(SEC(3000)));
    player.decides("E6");
    player.reads(b"byo-romi\nC4\n");
    let clock = player.clock();
    assert_eq!((clock.game, clock.per_move), (None, Some(BYO_ROMI)));
    let deadline = player.player.deadline().unwrap();
    assert!(deadline < player.now + BYO_ROMI);
    player.player.tick(deadline);
    assert_eq!(player.sent(), "A1");
}

#[test]
fn byo_romi_shortens_a_move_that_is_being_chosen() {
    let mut player = script("9");
    player.reads(b"black\n");
    let before = player.player.deadline().unwrap();
    player.reads(b"byo-romi\n");
    let deadline = player.player.deadline().unwrap();
    assert!(deadline < before && deadline < player.now + BYO_ROMI);
}

#[test]
fn too_many_messages_are_dropped() {
    let mut player = script("9");
    player.reads(b"black\n");
    player.reads(&b"pass\n".repeat(MAX_WAITING + 2));
    assert_eq!(player.notes.len(), 2);
    assert!(player.player.waiting.len() <= MAX_WAITING);
}
