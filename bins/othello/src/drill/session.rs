//! Questions and answers on a terminal or in JSON.

use std::io::{self, Write};

use boardgame_cli::{
    printable,
    terminal::{Answer as Typed, Command, Keyboard, Prompt, exit_on_stop},
};
use othello_analysis::{Answer, Bound, Discs, PositionValue, Question, line_in_words};
use othello_core::{Game, Square};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    diagram::Diagram,
    play::person::{SQUARE, read, with_grid},
};

const HINT: &str = "hint";

const COMMANDS: &[Command] = &[
    Command {
        word: HINT,
        help: "hint: says something about the position",
    },
    Command {
        word: "answer",
        help: "answer: gives up, and shows the best move",
    },
];

/// The person or program that is asked.
pub(super) struct Session {
    keyboard: Keyboard,
    json: bool,
    /// The number of the next question.
    number: u32,
}

/// A question with what is shown of it.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question,
    /// The moves up to the position.
    pub(super) game: &'a Game,
    /// The game that it comes from.
    pub(super) title: &'a str,
    pub(super) hint: &'a str,
}

/// The answer of a person.
pub(super) struct Given {
    /// The move, or `None` to give up.
    pub(super) square: Option<Square>,
    /// True if there was a hint before.
    pub(super) hinted: bool,
}

impl Session {
    pub(super) fn new(json: bool) -> anyhow::Result<Self> {
        exit_on_stop()?;
        Ok(Self {
            keyboard: Keyboard::of_stdin()?,
            json,
            number: 1,
        })
    }

    /// Shows a question and returns the answer; `None` to leave.
    pub(super) fn ask(&mut self, asked: &Asked<'_>) -> anyhow::Result<Option<Given>> {
        let legal = asked.game.board().legal_moves();
        let squares: Vec<Square> = legal.into_iter().collect();
        let title = format!("{}. {}", self.number, asked.title);
        self.tell("question", &title, || {
            json!({"number": self.number, "from": asked.title, "board": asked.question.board, "moves": squares})
        })?;
        self.number += 1;
        let mut given = Given {
            square: None,
            hinted: false,
        };
        loop {
            match self.answer(asked.game)? {
                Typed::Play(square) => given.square = Some(square),
                Typed::Command(HINT, _) => {
                    self.tell("hint", asked.hint, || json!(asked.hint))?;
                    given.hinted = true;
                    continue;
                }
                Typed::Command(..) => {}
                _ => return Ok(None),
            }
            return Ok(Some(given));
        }
    }

    fn answer(&self, game: &Game) -> io::Result<Typed<Square>> {
        let legal = game.board().legal_moves();
        let read = |text: &str| read(text, legal);
        let prompt = Prompt {
            expected: SQUARE,
            read: &read,
            commands: COMMANDS,
            in_game: false,
            grid: None,
        };
        if self.json {
            return self.keyboard.ask(&mut io::stderr(), &prompt);
        }
        let mut out = io::stdout();
        with_grid(game, |grid| {
            if !self.keyboard.shows(grid) {
                writeln!(out, "{}", Diagram::of(game))?;
            }
            let prompt = Prompt {
                grid: Some(grid),
                ..prompt
            };
            self.keyboard.ask(&mut out, &prompt)
        })
    }

    /// Shows the judgement of an answer, and what follows from it.
    pub(super) fn judge(
        &self,
        asked: &Asked<'_>,
        given: &Given,
        follows: &str,
    ) -> anyhow::Result<()> {
        let question = asked.question;
        let answer = given.square.and_then(|square| question.answer(square));
        let text = judgement_of(question, answer.as_ref());
        let good: Vec<_> = question.good().collect();
        let judged = || json!({"answer": answer, "good": good, "follows": follows});
        self.tell("judgement", &format!("{text}{follows}"), judged)
    }

    /// Prints a text, or an object of JSON with a name.
    pub(super) fn tell(
        &self,
        name: &str,
        text: &str,
        value: impl FnOnce() -> Value,
    ) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &Named(name, value()))?;
            writeln!(out)?;
        } else {
            for line in text.lines() {
                writeln!(out, "{}", printable(line))?;
            }
        }
        out.flush()?;
        Ok(())
    }

    /// Tells how many of the questions were answered right.
    pub(super) fn end(&self, text: &str, answered: u32, right: u32) -> anyhow::Result<()> {
        let value = || json!({"answered": answered, "right": right});
        self.tell("end", text, value)
    }
}

/// A value with its name.
struct Named<'a>(&'a str, Value);

impl Serialize for Named<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, &self.1)])
    }
}

/// Describes an answer, or the good moves if there is none.
pub(super) fn judgement_of(question: &Question, answer: Option<&Answer>) -> String {
    answer.map_or_else(|| best(question), judgement)
}

/// Describes an answer: `g7 loses 6: it gives the corner at h8.`, its refutation, and the best line.
fn judgement(answer: &Answer) -> String {
    let value = answer.value;
    let best = format!("{} ({value})", line_in_words(&answer.best));
    if answer.good {
        return if answer.loss == Discs::ZERO {
            format!("Right: {best}\n")
        } else {
            format!("Right: {} is as good as {best}\n", answer.mv)
        };
    }
    let loss = PositionValue {
        score: answer.loss,
        ..value
    };
    let loss = loss.to_string();
    let more = or_more(answer.bound);
    let reasons = answer.reasons.iter();
    let reasons: Vec<String> = reasons.map(|reason| format!("  It {reason}.\n")).collect();
    let reasons = reasons.concat();
    format!(
        "{} loses {}{more}: {}\n{reasons}Best is {best}\n",
        answer.mv,
        loss.trim_start_matches('+'),
        line_in_words(&answer.line)
    )
}

/// Returns the words after a loss that is at least as told, if only a bound of a value is known.
pub(super) const fn or_more(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::AtMost => " or more",
    }
}

fn best(question: &Question) -> String {
    let good = question.good();
    let good: Vec<String> = good
        .map(|mv| format!("{} ({})", line_in_words(&mv.line), mv.value()))
        .collect();
    format!("Best is {}\n", good.join(", or "))
}
