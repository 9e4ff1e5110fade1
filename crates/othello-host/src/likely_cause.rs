//! Likely causes of faults: misunderstandings of the rules and of the format that explain what a program did.

use boardgame_match::LastOutput;
use boardgame_session::{Cause, SeatFault};
use othello_core::{Board, Color, Game, Move, Square};
use othello_proto::{
    gui::Form,
    sloan::{Dialect, Message, parse_expression, parse_line},
};

/// The form of a program's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AnswerForm {
    Gtp,
    Nboard,
    Sloan(Dialect),
    Lth,
    CodeWarriors,
    Gui(Form),
}

/// A program that lost a game by a fault.
#[derive(Clone, Copy, Debug)]
pub struct Loser<'a> {
    /// The form of its answers.
    pub answers: AnswerForm,
    /// The game up to the fault.
    pub game: &'a Game,
    /// The program's colour.
    pub color: Color,
    /// Its last output.
    pub output: &'a LastOutput,
}

/// Returns the cause of the end of a game in words, with the likely cause of a fault. `output` is that of the program
/// that lost by one.
pub fn in_words(cause: &Cause, game: &Game, answers: AnswerForm, output: &LastOutput) -> String {
    let likely = match cause {
        Cause::Forfeit { by, fault } => Loser {
            answers,
            game,
            color: *by,
            output,
        }
        .likely_cause(fault),
        _ => None,
    };
    let likely = likely.map(|likely| format!("; {likely}"));
    format!("{cause}{}", likely.unwrap_or_default())
}

impl Loser<'_> {
    /// Returns the likely cause of a fault.
    pub fn likely_cause(&self, fault: &SeatFault) -> Option<String> {
        match fault {
            SeatFault::IllegalMove { mv, .. } => Some(self.illegal_move(mv.parse().ok()?)),
            SeatFault::Format { .. } => self.wrong_format(),
            // An answer that came late needs no explanation.
            SeatFault::Overtime { .. } if self.has_answer() && !self.must_exit() => None,
            SeatFault::Overtime { .. } | SeatFault::Idle { .. } => Some(self.silence()),
            SeatFault::Left => self.early_end(),
            _ => None,
        }
    }

    /// Returns the likely cause of an illegal move.
    fn illegal_move(&self, mv: Move) -> String {
        let (board, color) = (self.game.board(), self.color);
        let legal = board.legal_moves();
        let cause = misunderstanding(self.game, color, mv.square());
        let unknown = || "its board is not that of the game, or its rules are wrong".into();
        let cause = cause.unwrap_or_else(unknown);
        let seen = match mv.square() {
            None if legal.is_empty() => {
                return format!("{color} must pass: {}", self.examples().1);
            }
            Some(_) if legal.is_empty() => {
                return format!(
                    "{color} has no legal move here and must pass: {}",
                    self.examples().1
                );
            }
            None => format!(
                "{color} has {} legal moves here and must not pass",
                legal.count()
            ),
            Some(square) => match board.disc(square) {
                Some(owner) if owner == color => format!("{square} has its own disc"),
                Some(_) if self.game.last_move() == Some(mv) => {
                    format!("the opponent has just placed a disc on {square}")
                }
                Some(_) => format!("{square} has the opponent's disc"),
                // The fault says that it flips nothing.
                None => return cause,
            },
        };
        format!("{seen}; {cause}")
    }

    /// Returns the likely cause of output that breaks the format, as far as its lines tell.
    fn wrong_format(&self) -> Option<String> {
        if matches!(self.answers, AnswerForm::Gtp | AnswerForm::Nboard) {
            return None;
        }
        let text = self.text();
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !self.is_comment(line));
        let lines: Vec<&str> = lines.collect();
        let (mv, pass) = self.examples();
        match *lines {
            [] => None,
            [line] if is_answer(line) && self.game.board().side_to_move() != self.color => {
                Some("it answered out of turn".into())
            }
            // The fault may be another one.
            [line] if is_answer(line) && self.is_written(line) => None,
            [line] if is_answer(line) => {
                let case = if self.answers == AnswerForm::CodeWarriors {
                    ", in capital letters only"
                } else {
                    ""
                };
                Some(format!("a move is written {mv} and a pass {pass}{case}"))
            }
            [line] if is_square(&line.chars().rev().collect::<String>()) => {
                Some(format!("the column comes before the row: {mv}"))
            }
            [_] => Some("this line is no answer: write debugging text to standard error".into()),
            ref lines => {
                let advice = if lines.iter().all(|line| is_answer(line)) {
                    "each question has one answer"
                } else {
                    "write debugging text to standard error"
                };
                Some(format!(
                    "it wrote {} lines where one was expected: {advice}",
                    lines.len()
                ))
            }
        }
    }

    /// Returns the likely cause why a program that runs has not answered.
    fn silence(&self) -> String {
        if !self.must_exit() {
            return self.output.silence();
        }
        if self.has_answer() {
            return "it must exit after its move".into();
        }
        // Its input ends with the question, as that of its earlier processes did.
        let output = LastOutput {
            flushed: 0,
            ..self.output.clone()
        };
        output.silence()
    }

    /// Returns the likely cause of an early end.
    fn early_end(&self) -> Option<String> {
        let own = |(board, mv): &(Board, Move)| {
            board.side_to_move() == self.color && mv.square().is_some()
        };
        let moved_once = self.game.plies().filter(own).count() == 1;
        let stays = matches!(self.answers, AnswerForm::Gui(Form::Stay(_)));
        (stays && moved_once && self.output.ended_well)
            .then(|| "the program ended: in this form one process plays the whole game".into())
    }

    /// Returns whether a process makes one move.
    const fn must_exit(&self) -> bool {
        matches!(
            self.answers,
            AnswerForm::Gui(Form::Released | Form::Document(_))
        )
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.answer).into_owned()
    }

    /// Returns whether there is a whole answer among the lines.
    fn has_answer(&self) -> bool {
        use AnswerForm::{CodeWarriors, Gui, Sloan};

        let needs_no_newline = matches!(
            self.answers,
            CodeWarriors | Gui(_) | Sloan(Dialect::Expressions)
        );
        let is_whole = needs_no_newline || self.output.answer.ends_with(b"\n");
        is_whole && self.text().lines().any(is_answer)
    }

    /// Returns whether an answer has the letters of the format.
    fn is_written(&self, line: &str) -> bool {
        match self.answers {
            AnswerForm::CodeWarriors => {
                line == "PS" || is_square(line) && line == line.to_ascii_uppercase()
            }
            AnswerForm::Lth => {
                line == "PASS" || is_square(line) && line == line.to_ascii_lowercase()
            }
            AnswerForm::Gui(_) => is_square(line) && line == line.to_ascii_lowercase(),
            _ => true,
        }
    }

    /// Returns whether a line is a comment, which a program may send in addition to its answer.
    fn is_comment(&self, line: &str) -> bool {
        let parsed = match self.answers {
            AnswerForm::Sloan(Dialect::Lines) => parse_line(line.as_bytes()),
            AnswerForm::Sloan(Dialect::Expressions) => parse_expression(line.as_bytes()),
            _ => return false,
        };
        parsed.is_ok_and(|parsed| matches!(parsed.message, Message::Comment(_)))
    }

    /// Returns examples of a move and of a pass.
    const fn examples(&self) -> (&'static str, &'static str) {
        match (self.answers, self.color) {
            (AnswerForm::Gtp, _) => ("`D3`", "`pass`"),
            (AnswerForm::Nboard, _) => ("`=== D3`", "`=== PA`"),
            (AnswerForm::Sloan(Dialect::Lines), Color::Black) => ("`B d 3`", "`B`"),
            (AnswerForm::Sloan(Dialect::Lines), Color::White) => ("`W d 3`", "`W`"),
            (AnswerForm::Sloan(Dialect::Expressions), Color::Black) => ("`(B d 3)`", "`(B)`"),
            (AnswerForm::Sloan(Dialect::Expressions), Color::White) => ("`(W d 3)`", "`(W)`"),
            (AnswerForm::Lth, _) => ("`d3`", "`PASS`"),
            (AnswerForm::CodeWarriors, _) => ("`D3`", "`PS`"),
            (AnswerForm::Gui(_), _) => ("`d3`", "not at all: the program is not asked"),
        }
    }
}

/// Returns whether a line has a move or a pass and nothing else, in the form of any format.
fn is_answer(line: &str) -> bool {
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let color = |word: &String| matches!(word.as_str(), "b" | "w");
    let rest = words.split_first().filter(|(first, _)| color(first));
    let text = rest.map_or(&*words, |(_, rest)| rest).concat();
    let is_pass = matches!(text.as_str(), "pass" | "ps" | "pa");
    is_pass || is_square(&text) || text.is_empty() && rest.is_some()
}

fn is_square(text: &str) -> bool {
    text.parse::<Square>().is_ok()
}

/// Returns the misunderstandings that explain a program's illegal move after the moves of a game, in words. `illegal`
/// is `None` for a pass.
fn misunderstanding(game: &Game, program: Color, illegal: Option<Square>) -> Option<String> {
    let plies = game.plies();
    let mut moves: Vec<_> = plies
        .map(|(board, mv)| (board.side_to_move(), mv.square()))
        .collect();
    moves.push((program, illegal));
    let explains = |it: &Misunderstanding| Belief::new(*it, game, program).follows(&moves);
    let explaining = Misunderstanding::ALL.into_iter().filter(explains);
    let causes: Vec<&str> = explaining.map(Misunderstanding::in_words).collect();
    (!causes.is_empty()).then(|| causes.join(", or "))
}

/// A misunderstanding of the notation, the game or its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misunderstanding {
    /// It writes squares with columns and rows exchanged.
    ColumnsAndRows,
    /// It counts rows from the bottom when it writes squares.
    RowsFromBelow,
    /// It moves for the other colour.
    WrongColor,
    /// It leaves the opponent's moves out.
    OpponentIgnored,
    /// It does not flip discs after its own moves.
    OwnFlipsIgnored,
    /// It does not flip discs after the opponent's moves.
    OpponentFlipsIgnored,
    /// It knows no diagonals.
    NoDiagonals,
    /// It knows only diagonals.
    DiagonalsAlone,
}

impl Misunderstanding {
    const ALL: [Self; 8] = [
        Self::ColumnsAndRows,
        Self::RowsFromBelow,
        Self::WrongColor,
        Self::OpponentIgnored,
        Self::OwnFlipsIgnored,
        Self::OpponentFlipsIgnored,
        Self::NoDiagonals,
        Self::DiagonalsAlone,
    ];

    const fn in_words(self) -> &'static str {
        match self {
            Self::ColumnsAndRows => "columns and rows look exchanged in what it writes",
            Self::RowsFromBelow => "rows look counted from the bottom in what it writes",
            Self::WrongColor => "it looks as if it moved for the other colour",
            Self::OpponentIgnored => {
                "it looks as if it did not play the opponent's moves on its board"
            }
            Self::OwnFlipsIgnored => "it looks as if it flipped no discs after its own moves",
            Self::OpponentFlipsIgnored => {
                "it looks as if it flipped no discs after the opponent's moves"
            }
            Self::NoDiagonals => "it looks as if it did not flip along diagonals",
            Self::DiagonalsAlone => "it looks as if it flipped only along diagonals",
        }
    }
}

/// A board as a program with a misunderstanding sees it.
struct Belief {
    misunderstanding: Misunderstanding,
    program: Color,
    discs: [Option<Color>; 64],
}

impl Belief {
    fn new(misunderstanding: Misunderstanding, game: &Game, program: Color) -> Self {
        Self {
            misunderstanding,
            program,
            discs: Square::ALL.map(|square| game.start().disc(square)),
        }
    }

    /// Plays the moves of both sides, and returns whether those of the program are legal on this board. `None` is a
    /// pass.
    fn follows(&mut self, moves: &[(Color, Option<Square>)]) -> bool {
        use Misunderstanding::{
            OpponentFlipsIgnored, OpponentIgnored, OwnFlipsIgnored, WrongColor,
        };
        moves.iter().all(|&(color, square)| {
            let own = color == self.program;
            if !own && self.misunderstanding == OpponentIgnored {
                return true;
            }
            let moving = if own && self.misunderstanding == WrongColor {
                !color
            } else {
                color
            };
            let Some(square) = square else {
                return !own
                    || Square::ALL
                        .iter()
                        .all(|&it| self.flips(moving, it).is_empty());
            };
            let square = if own { self.meant(square) } else { square };
            let flips = self.flips(moving, square);
            let is_legal = !flips.is_empty();
            let ignored = if own {
                OwnFlipsIgnored
            } else {
                OpponentFlipsIgnored
            };
            if self.misunderstanding != ignored {
                for flipped in flips {
                    self.discs[usize::from(flipped.index())] = Some(moving);
                }
            }
            self.discs[usize::from(square.index())] = Some(moving);
            is_legal || !own
        })
    }

    /// Returns the square that the program meant.
    fn meant(&self, square: Square) -> Square {
        let [column, row] = [square.column(), square.row()];
        let meant = match self.misunderstanding {
            Misunderstanding::ColumnsAndRows => Square::new(row, column),
            Misunderstanding::RowsFromBelow => Square::new(column, 7 - row),
            _ => None,
        };
        meant.unwrap_or(square)
    }

    /// Returns the discs that a move flips in the directions that the program knows.
    fn flips(&self, color: Color, square: Square) -> Vec<Square> {
        let mut flips = Vec::new();
        if self.disc(square).is_some() {
            return flips;
        }
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let is_known = match self.misunderstanding {
                Misunderstanding::NoDiagonals => x == 0 || y == 0,
                Misunderstanding::DiagonalsAlone => x != 0 && y != 0,
                _ => true,
            };
            if (x, y) == (0, 0) || !is_known {
                continue;
            }
            let mut line = Vec::new();
            let mut at = step(square, x, y);
            while let Some(next) = at.filter(|&at| self.disc(at) == Some(!color)) {
                line.push(next);
                at = step(next, x, y);
            }
            if at.is_some_and(|at| self.disc(at) == Some(color)) {
                flips.append(&mut line);
            }
        }
        flips
    }

    const fn disc(&self, square: Square) -> Option<Color> {
        self.discs[square.index() as usize]
    }
}

fn step(square: Square, x: i8, y: i8) -> Option<Square> {
    let column = square.column().checked_add_signed(x)?;
    Square::new(column, square.row().checked_add_signed(y)?)
}

#[cfg(test)]
mod tests {
    use othello_proto::gui::Version;

    use super::*;

    /// Returns the likely cause of a fault of Black's after an output.
    fn cause(answers: AnswerForm, game: &str, answer: &str, fault: &SeatFault) -> String {
        let output = LastOutput {
            answer: answer.into(),
            ended_well: true,
            ..LastOutput::default()
        };
        let loser = Loser {
            answers,
            game: &game.parse().unwrap(),
            color: Color::Black,
            output: &output,
        };
        loser.likely_cause(fault).unwrap_or_default()
    }

    #[test]
    fn output_in_a_wrong_form_is_told_from_debugging_text() {
        use AnswerForm::{CodeWarriors, Gtp, Gui, Lth, Sloan};

        let sloan = Sloan(Dialect::Expressions);
        let gui = Gui(Form::Released);
        for (answers, game, answer, expected) in [
            (CodeWarriors, "", "d3\n", "a pass `PS`, in capital letters"),
            (CodeWarriors, "", "PASS\n", "a pass `PS`"),
            (CodeWarriors, "", "PA\n", "a pass `PS`"),
            (CodeWarriors, "", "D 3\n", "a move is written `D3`"),
            (CodeWarriors, "", "B D3\n", "a move is written `D3`"),
            (Lth, "", "pass\n", "a pass `PASS`"),
            (Lth, "", "D3\n", "a move is written `d3` and a pass `PASS`"),
            (Lth, "", "3d\n", "the column comes before the row: `d3`"),
            (gui, "", "D3\n", "a move is written `d3`"),
            (CodeWarriors, "", "my move: D3\n", "this line is no answer"),
            (
                Lth,
                "",
                "depth 3\nd3\n",
                "2 lines where one was expected: w",
            ),
            (sloan, "", "(B d 3)\n(B)\n", "each question has one answer"),
            (Lth, "f5", "d3\n", "it answered out of turn"),
        ] {
            let found = cause(answers, game, answer, &SeatFault::format(""));
            assert!(found.contains(expected), "{answer:?}: {found}");
        }
        for (answers, answer) in [
            (CodeWarriors, "D3\n"),
            (Lth, ""),
            (Gtp, "= hello\n\n"),
            (sloan, "(C (good))\n(B d 3)\n"),
        ] {
            assert_eq!(cause(answers, "", answer, &SeatFault::format("")), "");
        }
    }

    #[test]
    fn silence_is_told_from_a_late_answer() {
        let overtime = SeatFault::Overtime {
            detail: String::new(),
        };
        let lines = AnswerForm::Sloan(Dialect::Lines);
        let of = |answers, answer| cause(answers, "", answer, &overtime);
        assert_eq!(of(lines, "B d 3\n"), "");
        assert!(of(lines, "B d 3").contains("no newline"));
        assert!(of(lines, "hello\n").contains("no answer"));
        assert!(of(lines, "").starts_with("nothing arrived"));
        let released = AnswerForm::Gui(Form::Released);
        assert_eq!(of(released, "d3\n"), "it must exit after its move");
        let stays = AnswerForm::Gui(Form::Stay(Version::V1));
        assert_eq!(cause(stays, "", "", &SeatFault::Left), "");
        assert!(cause(stays, "f5d6", "", &SeatFault::Left).contains("one process"));
        assert_eq!(cause(stays, "f5d6c3d3", "", &SeatFault::Left), "");
    }
}
