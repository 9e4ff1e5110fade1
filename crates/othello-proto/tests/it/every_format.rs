//! The common behaviour of all formats, seen by the same cases in each: the start and the end of a
//! stream.

use crate::transcript::{PlayerLog, at};
use othello_core::{Board, Square};
use othello_proto::{
    codewarriors, gtp, gui, lth, nboard,
    session::{PlayerSession, Question},
    sloan,
};

/// The request of the documents' sample, with c3, e3 and c5 to choose from.
const REQUEST: &str = "........\n........\n...X....\n...XX...\n...XO...\n........\n........\n\
                       ........\nO\n3000\n3 c3 e3 c5\n";

/// The input of a format's player until a move is owed, and its answer when d3 (e3 in the GUI's
/// request) is chosen.
struct Case<S> {
    session: S,
    told: &'static str,
    chosen: Square,
    answer: &'static str,
    /// The input after the answer, until another move is owed.
    reply: &'static str,
    /// The end of the session when nothing more comes.
    ending: &'static str,
}

/// Checks one case of each format.
macro_rules! check_every_player {
    ($check:ident) => {
        let sloan = || sloan::Player::new(sloan::PlayerOptions::default());
        $check(&|| Case {
            session: sloan(),
            told: "(I B)\n(W)\n",
            chosen: Square::D3,
            answer: "(B d 3)\n",
            reply: "(W c 3)\n",
            ending: "CutOff",
        });
        $check(&|| Case {
            session: sloan(),
            told: "I B\nW\n",
            chosen: Square::D3,
            answer: "B d 3\n",
            reply: "W c 3\n",
            ending: "CutOff",
        });
        $check(&|| Case {
            session: lth::Player::new(lth::PlayerOptions::new("me".parse().unwrap())),
            told: "Hi! I am your othello server.\nyou are dark\nyour move\n",
            chosen: Square::D3,
            answer: "d3\n",
            reply: "opponent's move\nc3\nyour move\n",
            ending: "CutOff",
        });
        $check(&|| Case {
            session: codewarriors::Player::new(codewarriors::PlayerOptions::default()),
            told: "ST\n",
            chosen: Square::D3,
            answer: "D3\n",
            reply: "C3\n",
            ending: "CutOff",
        });
        $check(&|| Case {
            session: gui::Player::new(gui::PlayerOptions {
                mode: gui::Mode::Stay,
                ..gui::PlayerOptions::default()
            }),
            told: REQUEST,
            chosen: Square::E3,
            answer: "e3\n",
            reply: REQUEST,
            ending: "Orderly",
        });
        $check(&|| Case {
            session: gtp::Player::new(gtp::PlayerOptions::default()),
            told: "genmove b\n",
            chosen: Square::D3,
            answer: "= D3\n\n",
            reply: "play w c3\ngenmove b\n",
            ending: "Orderly",
        });
        $check(&|| Case {
            session: nboard::Player::new(nboard::PlayerOptions::default()),
            told: "nboard 2\ngo\n",
            chosen: Square::D3,
            answer: "=== D3//0\n",
            reply: "move D3\nmove C3\ngo\n",
            ending: "Orderly",
        });
    };
}

#[test]
fn a_task_open_at_the_end_of_input_is_answered_and_then_the_session_ends() {
    fn check<S: PlayerSession<Question = Question>>(case: &dyn Fn() -> Case<S>) {
        let case = case();
        let mut log = PlayerLog::new(case.session);
        log.hears(case.told, at(0)).ends(at(0));
        let task = log.open.expect("a task");
        assert!(!log.finished, "{}", log.text());
        // Nothing that comes later is read: there is the line that says what came, and no other.
        let lines = log.text().lines().count();
        log.hears(case.told, at(0));
        assert_eq!(log.open, Some(task), "{}", log.text());
        assert_eq!(log.text().lines().count(), lines + 1, "{}", log.text());
        log.decides(case.chosen, at(0));
        assert!(log.sent.ends_with(case.answer.as_bytes()), "{}", log.text());
        let end = format!("finish: {}\n", case.ending);
        assert!(log.text().ends_with(&end), "{}", log.text());
    }
    check_every_player!(check);
}

#[test]
fn the_progress_shows_the_board_of_the_question() {
    fn check<S: PlayerSession<Question = Question>>(case: &dyn Fn() -> Case<S>) {
        let case = case();
        let mut log = PlayerLog::new(case.session);
        log.hears(case.told, at(0)).decides(case.chosen, at(0));
        log.hears(case.reply, at(0));
        let asked = log.open.expect("a task").question.board;
        assert_ne!(asked, Board::START);
        assert_eq!(log.session.progress().board, asked.to_string());
    }
    check_every_player!(check);
}

#[test]
fn a_byte_order_mark_before_the_first_message_changes_nothing() {
    fn check<S: PlayerSession<Question = Question>>(case: &dyn Fn() -> Case<S>) {
        let play = |chunks: &[&[u8]]| {
            let case = case();
            let mut log = PlayerLog::new(case.session);
            for chunk in chunks {
                log.hears_bytes(chunk, at(0));
            }
            log.hears(case.told, at(0)).decides(case.chosen, at(0));
            let noted = log.text().matches("leniency byte-order-mark").count();
            (log.sent, noted)
        };
        let (plain, none) = play(&[]);
        assert_eq!(none, 0);
        let mark = "\u{feff}".as_bytes();
        for chunks in [
            &[mark][..],
            &[&mark[..1], &mark[1..]],
            &[&mark[..2], &mark[2..]],
        ] {
            assert_eq!(play(chunks), (plain.clone(), 1));
        }
    }
    check_every_player!(check);
}
