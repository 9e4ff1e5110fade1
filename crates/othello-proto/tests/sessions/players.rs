//! The player's session of each format, under the scripts in `scripts/players`.

use std::time::Duration;

use othello_core::{Move, Score, Square};
use othello_proto::{
    codewarriors, gtp, gui, lth, nboard,
    session::{Assessment, Choice, Effort, Line, PlayerSession, Question, TimeMargin, Timestamp},
    sloan,
};

use crate::{
    golden::{PlayerScript, Settings, check},
    seats::seconds,
};

/// Reads seconds, or `none`.
fn optional_seconds(text: &str) -> Option<Duration> {
    (text != "none").then(|| seconds(text))
}

fn question(question: &Question) -> String {
    let moves: Vec<String> = question
        .moves
        .iter()
        .map(|square| square.to_string())
        .collect();
    let effort = match question.effort {
        effort if effort == Effort::default() => String::new(),
        Effort { depth, lines } => format!(", depth {depth:?}, {lines} lines"),
    };
    format!(
        "{} to choose of {}{effort}",
        question.board.side_to_move(),
        moves.join(" ")
    )
}

/// Reads a square and, if present, the assessment: `exact` or `book`, the score, the depth, the nodes, and the
/// variations, each worth a disc less than the one before.
fn choice(text: &str) -> Choice {
    let mut words = text.split(' ');
    let square: Square = words
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a square");
    let Some(mut word) = words.next() else {
        return square.into();
    };
    let (exact, from_book) = (word == "exact", word == "book");
    if exact || from_book {
        word = words.next().expect("a score");
    }
    let best: i32 = word.parse().expect("a score");
    let mut number = || {
        words
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number")
    };
    let (depth, nodes) = (number() as u32, number());
    let lines = words.zip(0..).map(|(line, less)| {
        let squares = line
            .split('/')
            .map(|square| square.parse().map(Move::Place));
        Line {
            score: Score::new(best - less).expect("a score"),
            variation: squares.map(|mv| mv.expect("a square")).collect(),
        }
    });
    let mut lines: Vec<Line> = lines.collect();
    let first = lines.remove(0);
    Choice {
        square,
        assessment: Some(Assessment {
            score: first.score,
            exact,
            from_book,
            depth,
            nodes,
            variation: first.variation,
            others: lines,
        }),
    }
}

fn script<S: PlayerSession<Question = Question>>(
    session: S,
    state: fn(&S) -> String,
) -> PlayerScript<S> {
    PlayerScript::new(session, question, choice, state)
}

/// Runs a script of a session without a state besides its progress.
fn run<S: PlayerSession<Question = Question>>(file: &str, make: impl Fn(&Settings) -> S) {
    run_with(file, make, |_| String::new());
}

fn run_with<S>(file: &str, make: impl Fn(&Settings) -> S, state: fn(&S) -> String)
where
    S: PlayerSession<Question = Question>,
{
    let path = format!("tests/sessions/scripts/players/{file}.txt");
    check(&path, |settings| script(make(settings), state));
}

#[test]
fn sloan() {
    run("sloan", |settings| {
        let mut options = sloan::PlayerOptions::default();
        for (key, value) in settings {
            match &**key {
                "from" => options.start = value.parse().expect("a board"),
                "game-time" => options.game_time = optional_seconds(value),
                "opening-wait" => options.opening_wait = optional_seconds(value),
                "comments" if value == "eval" => options.comments = sloan::Comments::Eval,
                "comments" => options.comments = sloan::Comments::Board,
                _ => panic!("{key}"),
            }
        }
        sloan::Player::new(options)
    });
}

#[test]
fn lth() {
    let make = |settings: &Settings| {
        let mut options = lth::PlayerOptions::new("me".parse().expect("an id"));
        for (key, value) in settings {
            match &**key {
                "color" => options.color = Some(value.parse().expect("a colour")),
                "per-move" => options.scope = lth::LimitScope::Move,
                "margin" => {
                    let (per_move, game) = value.split_once(' ').expect("two margins");
                    let (per_move, game) = (seconds(per_move), seconds(game));
                    options.time_margin = TimeMargin { per_move, game };
                }
                _ => panic!("{key}"),
            }
        }
        lth::Player::new(options)
    };
    run_with("lth", make, |player| {
        let report = player.report();
        format!(", {:?}, {:?}", player.mode(), report.outcome())
    });
}

#[test]
fn codewarriors() {
    run("codewarriors", |settings| {
        let mut options = codewarriors::PlayerOptions::default();
        for (key, value) in settings {
            match &**key {
                "from" => options.start = value.parse().expect("a board"),
                "launched" => options.launched = Some(Timestamp::from_origin(seconds(value))),
                _ => panic!("{key}"),
            }
        }
        codewarriors::Player::new(options)
    });
}

#[test]
fn gui() {
    run("gui", |settings| {
        let mut options = gui::PlayerOptions::default();
        for (key, value) in settings {
            match (&**key, &**value) {
                ("launched", _) => options.launched = Some(Timestamp::from_origin(seconds(value))),
                ("notes", _) => options.notes = true,
                ("mode", "released") => options.mode = gui::Mode::Released,
                ("mode", "document") => options.mode = gui::Mode::Document,
                ("mode", "stay") => options.mode = gui::Mode::Stay,
                ("mode", "auto") => options.mode = gui::Mode::Auto,
                _ => panic!("{key} {value}"),
            }
        }
        gui::Player::new(options)
    });
}

#[test]
fn gtp() {
    run("gtp", |_| {
        gtp::Player::new(gtp::PlayerOptions {
            version: "1.0".into(),
            load: |path| match path {
                "game.sgf" => Ok("(;FF[4]GM[2];B[f5];W[f6];B[e6];W[f4])".into()),
                "left-out-pass.sgf" => Ok("(;GM[2]AB[a1]AW[b1]PL[W];B[c1])".into()),
                "illegal.sgf" => Ok("(;GM[2];B[f5];W[a1])".into()),
                "cut-short.sgf" => Ok("(;GM[2];B[f5];W[f6]\n".into()),
                "set-up-later.sgf" => Ok("(;GM[2];B[f5];W[f6];AB[a1])".into()),
                "go.sgf" => Ok("(;GM[1]SZ[19];B[pd])".into()),
                _ => Err("no such file".into()),
            },
            ..gtp::PlayerOptions::default()
        })
    });
}

#[test]
fn nboard() {
    run("nboard", |_| {
        nboard::Player::new(nboard::PlayerOptions::default())
    });
}
