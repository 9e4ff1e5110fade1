//! The session of section 6, and the open points as `docs/protocols/sloan.md` settles them.

use std::{format, string::String, vec::Vec};

use othello_core::{Bitboard, Square};
use proptest::prelude::*;

use super::*;
use crate::{
    session::{Assessment, Choice, NoteKind, Task},
    sloan::samples::{NEAR_THE_END, OVER_AFTER_C1},
};

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_secs(seconds))
}

/// A player with what happened to it so far, as text.
struct Dialogue {
    player: Player,
    task: Option<Task>,
    transcript: String,
}

impl Dialogue {
    fn new(options: PlayerOptions) -> Self {
        let mut player = Player::new(options);
        player.start(at(0));
        Self {
            player,
            task: None,
            transcript: String::new(),
        }
    }

    /// Feeds each line: `!d3` decides on d3, `+5` lets 5 seconds pass, all else is received,
    /// at one moment.
    fn feed(&mut self, script: &str, mut now: Timestamp) {
        for line in script
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            if let Some(square) = line.strip_prefix('!') {
                self.decide(square.parse().unwrap(), None, now);
            } else if let Some(seconds) = line.strip_prefix('+') {
                now = now + Duration::from_secs(seconds.parse().unwrap());
                self.player.tick(now);
                self.settle();
            } else {
                self.transcript += ">>>";
                self.transcript += line;
                self.transcript += "\n";
                self.player.receive(format!("{line}\n").as_bytes(), now);
                self.settle();
            }
        }
    }

    fn decide(&mut self, square: Square, assessment: Option<Assessment>, now: Timestamp) {
        let task = self.task.take().expect("no task is open").id;
        let decision = Decision {
            task,
            answer: Choice { square, assessment },
        };
        self.player.decide(decision, now);
        self.settle();
    }

    fn settle(&mut self) {
        while let Some(action) = self.player.poll() {
            let line = match action {
                Action::Send(bytes) => String::from_utf8(bytes).unwrap(),
                Action::Think(task) => {
                    self.task = Some(task);
                    format!("[think {:?}]\n", task.question.moves)
                }
                Action::Abandon => {
                    self.task.take().expect("no task to abandon");
                    "[abandon]\n".into()
                }
                Action::Note(note) => match note.kind {
                    NoteKind::Info => format!("[info] {}\n", note.text),
                    NoteKind::Leniency(name) => format!("[{name}] {}\n", note.text),
                    NoteKind::Fault => format!("[fault] {}\n", note.text),
                },
                Action::Finish(ending) => format!("[finish {ending:?}]\n"),
            };
            self.transcript += &line;
        }
    }

    fn end(mut self) -> String {
        self.player.end_of_input(at(0));
        self.settle();
        self.transcript
    }
}

fn transcript(options: PlayerOptions, script: &str) -> String {
    let mut dialogue = Dialogue::new(options);
    dialogue.feed(script, at(0));
    dialogue.end()
}

/// Checks what is sent in the course of a script, line by line.
fn check(options: PlayerOptions, script: &str, expect: &[&str]) {
    let transcript = transcript(options, script);
    let sent: Vec<&str> = transcript
        .lines()
        .filter(|line| !line.starts_with(['[', '>']))
        .collect();
    assert_eq!(sent, expect, "\n{transcript}");
}

fn check_notes(options: PlayerOptions, script: &str, leniency: &str) {
    let transcript = transcript(options, script);
    assert!(
        transcript.contains(&format!("[{leniency}]")),
        "{transcript}"
    );
}

fn standard() -> PlayerOptions {
    PlayerOptions::default()
}

fn from(board: &str) -> PlayerOptions {
    PlayerOptions {
        start: board.parse().unwrap(),
        ..standard()
    }
}

fn at_once() -> PlayerOptions {
    PlayerOptions {
        opening_wait: Some(Duration::ZERO),
        ..standard()
    }
}

mod samples {
    use super::*;

    #[test]
    fn the_first_sample_with_a1_refused() {
        let script = "
            (I B)
            (W)
            !d3
            (C (wow! what a surprise!))
            (C (the diagonal opening)) (W c 3)
            !c4
            (C (I see what you mean!)) (W c 5)
            !a1
            (C (impossible!))(-64)";
        insta::assert_snapshot!(transcript(standard(), script));
    }

    #[test]
    fn the_second_sample_from_a_position_made_for_it() {
        let script = "
            (I B)
            (W a 1)
            (W a 8)
            (-43)";
        check(
            from(NEAR_THE_END),
            script,
            &["(R B)", "(B)", "(B)", "(-43)"],
        );
        insta::assert_snapshot!(transcript(from(NEAR_THE_END), script));
    }
}

mod faults;
mod opening;
mod passes_and_claims;

mod spelling {
    use super::*;

    #[test]
    fn other_spellings_are_read_and_noted() {
        for (spelled, leniency) in [
            ("(W C 3)", "upper-case-column"),
            ("(w c 3)", "letter-case"),
            ("(W c3)", "joined-square"),
            ("( W  c 3 )", "blanks"),
            (")(W c 3)", "stray-parenthesis"),
        ] {
            let script = format!("(I B)\n(W)\n!d3\n{spelled}\n!c4");
            check(standard(), &script, &["(R B)", "(B d 3)", "(B c 4)"]);
            check_notes(standard(), &script, leniency);
        }
    }

    #[test]
    fn the_dialect_without_parentheses_is_answered_in_kind() {
        let script = "
            I B
            W
            !d3
            C what (ever
            W c 3
            !c4
            W c 3
            I W";
        let complaint = "C refused W c 3 illegal move c3 the square is occupied";
        check(
            standard(),
            script,
            &["R B", "B d 3", "B c 4", complaint, "R W"],
        );
        check_notes(standard(), script, "no-parentheses");
    }

    #[test]
    fn comments_come_on_lines_of_their_own_in_that_dialect() {
        let options = PlayerOptions {
            comments: Comments::Board,
            ..standard()
        };
        let board =
            "C board -------- -------- ---X---- ---XX--- ---XO--- -------- -------- --------";
        check(options, "I B\nW\n!d3", &["R B", board, "B d 3"]);
    }
}

mod output {
    use super::*;

    #[test]
    fn remarks_come_before_the_move_on_its_line() {
        let mut dialogue = Dialogue::new(PlayerOptions {
            comments: Comments::Board,
            ..standard()
        });
        dialogue.feed("(I B)\n(W)", at(0));
        let assessment = Assessment {
            score: Score::new(-2).unwrap(),
            exact: false,
            depth: 12,
            nodes: 34567,
            variation: [Square::D3, Square::C3].map(Move::Place).to_vec(),
            others: Vec::new(),
        };
        dialogue.decide(Square::D3, Some(assessment), at(1));
        insta::assert_snapshot!(dialogue.transcript);
    }

    #[test]
    fn eval_alone_shows_no_board() {
        let options = PlayerOptions {
            comments: Comments::Eval,
            ..standard()
        };
        check(options, "(I B)\n(W)\n!d3", &["(R B)", "(B d 3)"]);
    }
}

mod time {
    use super::*;

    #[test]
    fn the_clock_runs_from_the_receipt_to_the_decision() {
        let mut dialogue = Dialogue::new(standard());
        dialogue.feed("(I B)", at(100));
        dialogue.feed("(W)", at(200));
        let clock = dialogue.task.unwrap().clock;
        assert_eq!(clock.started, at(200));
        assert_eq!(clock.game, Some(Duration::from_mins(30)));
        dialogue.feed("!d3", at(260));
        dialogue.feed("(W c 3)", at(1000));
        let clock = dialogue.task.unwrap().clock;
        assert_eq!(clock.started, at(1000));
        assert_eq!(clock.game, Some(Duration::from_mins(29)));
        dialogue.feed("!c4", at(10_000));
        dialogue.feed("(W c 5)", at(10_000));
        assert_eq!(dialogue.task.unwrap().clock.game, Some(Duration::ZERO));
        // A new game has its whole time.
        dialogue.feed("(I B)\n(W)", at(10_000));
        assert_eq!(
            dialogue.task.unwrap().clock.game,
            Some(Duration::from_mins(30))
        );
    }

    #[test]
    fn the_answer_to_another_task_is_ignored() {
        let mut dialogue = Dialogue::new(standard());
        dialogue.feed("(I B)\n(W)", at(0));
        let late = dialogue.task.unwrap().id;
        dialogue.feed("(I B)\n(W)", at(0));
        let decision = Decision {
            task: late,
            answer: Square::D3.into(),
        };
        dialogue.player.decide(decision, at(0));
        assert_eq!(dialogue.player.poll(), None);
        assert_ne!(dialogue.task.unwrap().id, late);
    }
}

mod endings {
    use super::*;

    fn check(script: &str, expect: &str) {
        let transcript = transcript(standard(), script);
        assert!(transcript.ends_with(expect), "{transcript}");
    }

    #[test]
    fn the_end_of_input_ends_the_session() {
        check("", "[finish Orderly]\n");
        check("(I B)\n(W)\n!d3", "[finish CutOff]\n");
        check("(I B)\n(64)", "(64)\n[finish Orderly]\n");
    }

    #[test]
    fn a_move_that_is_owed_at_the_end_of_input_is_made() {
        let mut dialogue = Dialogue::new(standard());
        dialogue.feed("(I B)\n(W)", at(0));
        dialogue.player.end_of_input(at(1));
        dialogue.settle();
        assert!(dialogue.task.is_some(), "{}", dialogue.transcript);
        dialogue.feed("(64)\n!d3", at(2));
        assert!(dialogue.transcript.ends_with("(B d 3)\n[finish CutOff]\n"));
    }

    #[test]
    fn an_unfinished_message_is_no_message() {
        let mut dialogue = Dialogue::new(standard());
        dialogue.player.receive(b"(I B", at(0));
        let transcript = dialogue.end();
        assert!(!transcript.contains("(R B)"), "{transcript}");
    }
}

proptest! {
    #[test]
    fn chunks_and_line_ends_do_not_matter(cut in 0usize..60, without_line_ends: bool) {
        let mut text = String::from("(I B)\n(W)\r\n(C (a\n(b)))\n(W c 3)(x)(W a 1)");
        if without_line_ends {
            text.retain(|c| c != '\n' && c != '\r');
        }
        let cut = cut.min(text.len());
        let (mut whole, mut parts) = (Player::new(at_once()), Player::new(at_once()));
        whole.receive(text.as_bytes(), at(0));
        parts.receive(&text.as_bytes()[..cut], at(0));
        parts.receive(&text.as_bytes()[cut..], at(0));
        let all = |player: &mut Player| core::iter::from_fn(|| player.poll()).collect::<Vec<_>>();
        prop_assert_eq!(all(&mut whole), all(&mut parts));
    }
}

#[test]
fn the_colour_and_the_board_are_known_from_the_assignment_on() {
    let mut board: Board = NEAR_THE_END.parse().unwrap();
    let mut dialogue = Dialogue::new(from(NEAR_THE_END));
    let known = |dialogue: &Dialogue| (dialogue.player.color(), dialogue.player.board());
    assert_eq!(known(&dialogue), (None, board));
    dialogue.feed("(I B)", at(0));
    assert_eq!(known(&dialogue), (Some(Color::Black), board));
    dialogue.feed("(W a 1)", at(0));
    board.play(Square::A1).unwrap();
    // Black passes.
    let board = board.passed();
    assert_eq!(known(&dialogue), (Some(Color::Black), board));
}

#[test]
fn a_task_offers_all_legal_moves() {
    let mut dialogue = Dialogue::new(standard());
    dialogue.feed("(I B)\n(W)", at(0));
    let moves: Bitboard = [Square::D3, Square::C4, Square::F5, Square::E6]
        .into_iter()
        .collect();
    assert_eq!(dialogue.task.unwrap().question.moves, moves);
}
