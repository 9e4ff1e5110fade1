//! The answers to decisions.

use alloc::{string::String, vec::Vec};

use othello_core::{Move, Score};

use super::{Player, Purpose, Query};
use crate::{
    ggf::{MoveItem, Value},
    nboard::{Depth, Hint, Response, Source},
    session::{AnsweredTask, Assessment, Note},
};

impl Player {
    /// Answers what a task was opened for.
    pub(super) fn answer_query(&mut self, answered: &AnsweredTask<Purpose>) {
        let time = self.common.now() - answered.task.clock.started;
        let assessment = answered.answer.assessment.as_ref();
        let Purpose { query, passed } = answered.purpose;
        if let Some(assessment) = assessment {
            let nodes = assessment.nodes;
            let time = Some(time);
            self.send(&Response::NodeStats { nodes, time });
        }
        match query {
            Query::Go => {
                let first = assessment.map(|it| (it.score, it.variation.as_slice()));
                self.send_hints(passed, assessment, first);
                self.send(&Response::Move(MoveItem {
                    mv: answered.answer.square.into(),
                    value: assessment.map(|it| it.score.into()),
                    time: Some(time),
                }));
            }
            Query::Hint => {
                let first = assessment.map(|it| (it.score, it.variation.as_slice()));
                let others = assessment.map_or(&[][..], |it| &it.others);
                let others = others.iter().map(|it| (it.score, it.variation.as_slice()));
                self.send_hints(passed, assessment, first.into_iter().chain(others));
                self.status("");
            }
            Query::Analysis { moves } => {
                match assessment {
                    Some(it) if passed => self.send_analysis(moves, (-it.score).into()),
                    Some(it) => self.send_analysis(moves, it.score.into()),
                    None => {
                        let text = "a position without a value is left out";
                        self.common.note(Note::fault(text));
                    }
                }
                self.analyze_first(moves);
            }
        }
    }

    pub(super) fn send_analysis(&mut self, moves: usize, value: Value) {
        // A game has at most 60 moves and as many passes.
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        let value = Some(value);
        self.send(&Response::Analysis { moves, value });
    }

    /// Sends a hint for each line of play; it starts with the pass if the side to move must pass.
    fn send_hints<'a>(
        &mut self,
        passed: bool,
        assessment: Option<&Assessment>,
        lines: impl IntoIterator<Item = (Score, &'a [Move])>,
    ) {
        let depth = match assessment {
            Some(it) if it.exact => Depth::exact(),
            Some(it) => Depth::plies(it.depth),
            None => return,
        };
        let source = match assessment {
            Some(it) if it.from_book => Source::Book(0),
            _ => Source::Search,
        };
        for (score, line) in lines {
            let (pass, score) = if passed {
                (Some(Move::Pass), -score)
            } else {
                (None, score)
            };
            let variation: Vec<Move> = pass.into_iter().chain(line.iter().copied()).collect();
            if variation.is_empty() {
                continue;
            }
            self.send(&Response::Hint(Hint {
                source,
                variation,
                value: Some(score.into()),
                draws_to_white: None,
                depth: depth.clone(),
                text: String::new(),
            }));
        }
    }
}
