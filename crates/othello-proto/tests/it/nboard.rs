//! Dialogues with a front end that speaks NBoard, as the document and real programs have them.

use std::{fmt::Write as _, time::Duration};

use othello_core::{Game, Move, Score, Square};
use othello_proto::{
    ggf::Record,
    nboard::{Player, PlayerOptions},
    session::{
        Action, Assessment, Choice, Decision, Line, NoteKind, PlayerSession, Task, Timestamp,
    },
};

/// The document's game.
const GAME: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]\
    TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
    B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

/// Black must pass; White may take a1.
const MUST_PASS: &str =
    "(;BO[8 -*OOOOOO-------------------------------------------------------- *];)";

/// A session with everything that went in and came out.
struct Dialogue {
    player: Player,
    open: Option<Task>,
    now: Timestamp,
    text: String,
}

impl Dialogue {
    fn new() -> Self {
        let mut player = Player::new(PlayerOptions::default());
        player.start(Timestamp::ORIGIN);
        Self {
            player,
            open: None,
            now: Timestamp::ORIGIN,
            text: String::new(),
        }
    }

    fn hears(&mut self, lines: &str) -> &mut Self {
        for line in lines.lines() {
            let shown: String = line.chars().take(300).collect();
            self.line(&format!("> {shown}"));
            self.player.receive(line.as_bytes(), self.now);
            self.player.receive(b"\n", self.now);
            self.drain();
        }
        self
    }

    /// The open task is answered after a quarter of a second.
    fn decides(&mut self, square: Square, assessment: Option<Assessment>) -> &mut Self {
        let task = self.open.take().expect("a task is open").id;
        self.now = self.now + Duration::from_millis(250);
        self.line(&format!("! {square}"));
        let decision = Decision {
            task,
            answer: Choice { square, assessment },
        };
        self.player.decide(decision, self.now);
        self.drain();
        self
    }

    fn drain(&mut self) {
        while let Some(action) = self.player.poll() {
            let line = match action {
                Action::Send(bytes) => {
                    format!("< {}", String::from_utf8(bytes).unwrap().trim_end())
                }
                Action::Think(task) => {
                    self.open = Some(task);
                    format!(
                        "? {} in {:?}, {:?}",
                        task.question.board, task.clock.game, task.question.effort
                    )
                }
                Action::Abandon => {
                    self.open = None;
                    "abandon".into()
                }
                Action::Note(note) => match note.kind {
                    NoteKind::Leniency(name) => format!("leniency {name}: {}", note.text),
                    kind => format!("{kind:?}: {}", note.text),
                },
                Action::Finish(ending) => format!("finish: {ending:?}"),
            };
            self.line(&format!("    {line}"));
        }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{}", line.trim_end()).unwrap();
    }
}

/// The result of a search, with as many lines as there are squares.
fn found(score: i32, squares: &[Square]) -> Assessment {
    let score = |less: usize| Score::new(score - i32::try_from(less).unwrap()).unwrap();
    let line = |square: Square| vec![Move::Place(square)];
    let others = squares.iter().enumerate().skip(1);
    Assessment {
        score: score(0),
        exact: false,
        depth: 6,
        nodes: 35805,
        variation: line(squares[0]),
        others: others
            .map(|(less, &square)| Line {
                score: score(less),
                variation: line(square),
            })
            .collect(),
    }
}

#[test]
fn the_documents_session() {
    let mut dialogue = Dialogue::new();
    dialogue
        .hears(&format!(
            "nboard 2\nset game {GAME}\nset depth 6\nping 1\ngo"
        ))
        .decides(Square::D6, Some(found(-1, &[Square::D6])))
        .hears("move D6/-1.00/0.25\nping 2\nhint 1");
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn hints_are_the_best_lines() {
    let mut dialogue = Dialogue::new();
    let squares = [Square::D6, Square::F6, Square::F4];
    dialogue
        .hears("nboard 2\nmove F5\nset depth 9\nhint 3")
        .decides(Square::D6, Some(found(2, &squares)))
        .hears("hint 0")
        .decides(
            Square::D6,
            Some(Assessment {
                exact: true,
                ..found(2, &[Square::D6])
            }),
        )
        .hears("hint 2")
        .decides(Square::D6, None);
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn a_new_position_or_a_ping_ends_the_thinking() {
    let mut dialogue = Dialogue::new();
    dialogue
        .hears("go\nset depth 3\nset contempt 10\nlearn\nping 1")
        .hears("hint 2\nmove F5\ngo\nset game (;B[F5]W[D6];)\ngo\ngo\nanalyze\nquit\ngo");
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn a_pass_is_bare_and_a_hint_looks_beyond_it() {
    let mut dialogue = Dialogue::new();
    dialogue
        .hears(&format!("set game {MUST_PASS}\ngo\nhint 1"))
        .decides(Square::A1, Some(found(64, &[Square::A1])))
        .hears("analyze")
        .decides(Square::A1, Some(found(64, &[Square::A1])))
        .hears("move PA//3.1\ngo")
        .decides(Square::A1, None)
        .hears("move A1\ngo\nhint 1\nmove PA\nanalyze")
        .hears(&format!("set game {MUST_PASS}\nmove A1"));
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn an_analysis_goes_back_through_the_game() {
    let mut dialogue = Dialogue::new();
    dialogue
        .hears("move F5\nmove D6\nanalyze")
        .decides(Square::C3, Some(found(1, &[Square::C3])))
        .decides(Square::D6, None)
        .decides(Square::F5, Some(found(0, &[Square::F5])));
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn the_clock_of_the_game_is_the_movers() {
    let mut dialogue = Dialogue::new();
    let game = "(;TI[1:00/0:05//]B[F5//10]W[D6//20];)";
    dialogue
        .hears(&format!(
            "set game {game}\ngo\nmove C3//70\ngo\nmove D3//1\ngo"
        ))
        .hears("set game (;TI[0];)\ngo")
        .hears("set game (;TB[2:00];)\ngo\nmove F5//1\ngo\nmove D6//1\ngo\nhint 1");
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn a_position_that_cannot_be_followed_is_not_guessed() {
    let mut dialogue = Dialogue::new();
    dialogue
        .hears("set game (;B[F5]W[A1];)\ngo\nhint 1\nanalyze\nmove D6")
        .hears("set game (;B[F5];)\ngo\nmove A1\ngo")
        .hears("set game (;B[F5")
        .hears(&format!("set game (;PB[{}];)", "x".repeat(5000)))
        .hears("set game (;B[F5];)\nmove z9\nset game (;B[F5];)\ngo");
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn unknown_lines_are_ignored_and_odd_spellings_named() {
    let mut dialogue = Dialogue::new();
    dialogue.hears("NBOARD 2\nset  depth 5\n\nset time 3\nset\nnew\nf5\nMOVE d6\nPing 3");
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn the_end_of_input_waits_for_the_answer() {
    let mut dialogue = Dialogue::new();
    dialogue.hears("go");
    dialogue.player.end_of_input(dialogue.now);
    dialogue.drain();
    dialogue.decides(Square::F5, None);
    insta::assert_snapshot!(dialogue.text);
}

#[test]
fn a_whole_game_is_played_by_move_commands() {
    let mut dialogue = Dialogue::new();
    let mut game = Game::default();
    while !game.is_over() {
        dialogue.hears("go");
        let mv = match dialogue.open {
            Some(task) => {
                let square = task.question.moves.last().unwrap();
                dialogue.decides(square, None);
                square.into()
            }
            None => Move::Pass,
        };
        game.play(mv).unwrap();
        let command = Record::of_game(&game).moves.last().unwrap().item;
        dialogue.hears(&format!("move {command}"));
        assert_eq!(dialogue.player.board(), game.board());
    }
    assert!(game.moves().contains(&Move::Pass));
    assert!(dialogue.text.contains("< === PA\n"));
}
