//! A game record.

use alloc::{string::String, vec::Vec};
use core::fmt;

use othello_core::{Board, ByColor, Color, Game, IllegalMove, Move, Square};

use super::{Clock, MoveItem, Value, parse};
use crate::ParseError;

/// A game in a GGF record. The moves need not be legal: see [`game`](Self::game).
///
/// Text fields should hold no `]` and no line ends: printing replaces them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The place where it was played, `PC`; empty if missing.
    pub place: String,
    /// The date on which it was played, `DT`, as written; empty if missing.
    pub date: String,
    /// The players: `PB` and `TB`, `PW` and `TW`.
    pub players: ByColor<PlayerInfo>,
    /// The result, `RE`, or `None` if the game has none yet.
    pub outcome: Option<Outcome>,
    /// The type of the game, `TY`: `8` for an ordinary one.
    pub kind: String,
    /// The board at the start, `BO`.
    pub start: Board,
    /// The moves, `B` and `W`.
    pub moves: Vec<Ply>,
    /// Comments, `C`, each with the number of moves before it, in their order.
    pub comments: Vec<(usize, String)>,
    /// Unknown tags, and known ones whose value cannot be parsed, in order.
    pub others: Vec<(String, String)>,
}

/// A player of a [`Record`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerInfo {
    /// The name; empty if missing.
    pub name: String,
    /// The clock at the start of the game, `TI`, or `TB` and `TW`.
    pub clock: Option<Clock>,
}

/// The outcome of a game: the value of `RE[…]`, such as `+4.000` or `-64.00:r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Black's result.
    pub score: Value,
    /// The cause of the end.
    pub kind: OutcomeKind,
}

impl Outcome {
    /// Parses the value of the tag `RE`; `None` if it is invalid, such as a score that no board allows.
    pub fn read(text: &str) -> Option<Self> {
        let (score, flag) = match text.split_once(':') {
            Some((score, flag)) => (score, Some(flag.trim())),
            None => (text, None),
        };
        let kind = match flag {
            None => OutcomeKind::Played,
            Some("r") => OutcomeKind::Resigned,
            Some("t") => OutcomeKind::TimedOut,
            Some("s") => OutcomeKind::Agreed,
            Some("l") => OutcomeKind::Left,
            Some(_) => return None,
        };
        let score = Value::read(score.trim().as_bytes()).filter(|score| score.is_result())?;
        Some(Self { score, kind })
    }
}

/// The cause of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeKind {
    /// It was played to its end.
    Played,
    /// A player resigned.
    Resigned,
    /// A player's time ran out.
    TimedOut,
    /// The players agreed on the score.
    Agreed,
    /// A player left.
    Left,
    /// A player broke the rules, as by an illegal move. GGF has no letter for it: it is written like
    /// [`Left`](Self::Left).
    Forfeited,
}

impl OutcomeKind {
    /// Returns the letter after the score.
    pub(super) const fn flag(self) -> Option<char> {
        match self {
            Self::Played => None,
            Self::Resigned => Some('r'),
            Self::TimedOut => Some('t'),
            Self::Agreed => Some('s'),
            Self::Left | Self::Forfeited => Some('l'),
        }
    }
}

/// A move of a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The colour that makes it.
    pub color: Color,
    /// The move.
    pub item: MoveItem,
}

/// A record's moves are no legal game. Moves are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReplayError {
    /// The rules forbid a move.
    #[error("move {number} of the record: {error}")]
    Illegal {
        number: usize,
        #[source]
        error: IllegalMove,
    },
    /// A move is made by the player who is not to move.
    #[error("move {number} of the record: it is the other side's turn")]
    OutOfTurn { number: usize },
}

impl Default for Record {
    /// A game of nobody on the standard start, without moves.
    fn default() -> Self {
        Self {
            place: String::new(),
            date: String::new(),
            players: ByColor::default(),
            outcome: None,
            kind: String::from("8"),
            start: Board::START,
            moves: Vec::new(),
            comments: Vec::new(),
            others: Vec::new(),
        }
    }
}

impl Record {
    /// Parses a record, from its `(;` to its `;)`.
    ///
    /// # Errors
    ///
    /// Fails if it is no record, if its game or board size is another, or if a move cannot be parsed.
    pub fn parse(text: &[u8]) -> Result<Self, ParseError> {
        crate::grammar::whole(parse::record, text)
    }

    /// Parses a record like [`parse`](Self::parse), but keeps everything before the first error.
    pub fn parse_until_error(text: &[u8]) -> (Self, Option<ParseError>) {
        let mut record = Self::default();
        let read = crate::grammar::whole(|text| parse::fill(&mut record, text), text);
        (record, read.err())
    }

    /// Returns the record of a game, without names, times and evaluations.
    pub fn of_game(game: &Game) -> Self {
        let plies = game.plies().map(|(board, mv)| Ply {
            color: board.side_to_move(),
            item: mv.into(),
        });
        Self {
            start: game.start(),
            moves: plies.collect(),
            ..Self::default()
        }
    }

    /// Returns the game, with the passes that the record leaves out and without those after the end.
    ///
    /// # Errors
    ///
    /// Fails at the first move that is illegal or out of turn.
    pub fn game(&self) -> Result<Game, ReplayError> {
        let mut game = Game::new(self.start);
        for (number, ply) in (1..).zip(&self.moves) {
            let (board, mv) = (game.board(), ply.item.mv);
            let played = match mv {
                Move::Pass if board.is_over() => Ok(()),
                _ if board.side_to_move() == ply.color => game.play(mv),
                Move::Place(_) if board.must_pass() => game.play_recorded(mv),
                _ => return Err(ReplayError::OutOfTurn { number }),
            };
            played.map_err(|error| ReplayError::Illegal { number, error })?;
        }
        Ok(game)
    }

    /// Returns a player's clock after the moves of the record.
    pub fn clock(&self, color: Color) -> Option<Clock> {
        let clock = self.players[color].clock?;
        let own = self.moves.iter().filter(|ply| ply.color == color);
        Some(own.fold(clock, |clock, ply| {
            clock.after(ply.item.time.unwrap_or_default())
        }))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;GM[Othello]")?;
        text("PC", &self.place, f)?;
        text("DT", &self.date, f)?;
        text("PB", &self.players.black.name, f)?;
        text("PW", &self.players.white.name, f)?;
        match self.outcome {
            Some(outcome) => write!(f, "RE[{outcome}]")?,
            None => f.write_str("RE[?]")?,
        }
        match (self.players.black.clock, self.players.white.clock) {
            (Some(black), Some(white)) if black == white => write!(f, "TI[{black}]")?,
            (black, white) => {
                for (tag, clock) in [("TB", black), ("TW", white)] {
                    if let Some(clock) = clock {
                        write!(f, "{tag}[{clock}]")?;
                    }
                }
            }
        }
        text("TY", &self.kind, f)?;
        for (tag, value) in &self.others {
            write!(f, "{tag}[{}]", InValue(value))?;
        }
        write!(f, "BO[8 {}]", Squares(self.start))?;
        self.write_comments(0, f)?;
        for (ply, number) in self.moves.iter().zip(1..) {
            let tag = match ply.color {
                Color::Black => 'B',
                Color::White => 'W',
            };
            write!(f, "{tag}[{}]", ply.item)?;
            self.write_comments(number, f)?;
        }
        f.write_str(";)")
    }
}

impl Record {
    /// Writes the comments that stand after this number of moves.
    fn write_comments(&self, moves: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comments = self.comments.iter();
        comments
            .filter(|(before, _)| *before == moves)
            .try_for_each(|(_, comment)| write!(f, "C[{}]", InValue(comment)))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.score)?;
        match self.kind.flag() {
            Some(flag) => write!(f, ":{flag}"),
            None => Ok(()),
        }
    }
}

fn text(tag: &str, value: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if value.is_empty() {
        return Ok(());
    }
    write!(f, "{tag}[{}]", InValue(value))
}

/// Displays a text without the characters that would end its value or line.
struct InValue<'a>(&'a str);

impl fmt::Display for InValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            fmt::Write::write_char(f, parse::in_value(letter))?;
        }
        Ok(())
    }
}

/// Displays a board's squares row by row and the side to move.
struct Squares(Board);

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let disc = |color| match color {
            Some(Color::Black) => '*',
            Some(Color::White) => 'O',
            None => '-',
        };
        for square in Square::ALL {
            fmt::Write::write_char(f, disc(self.0.disc(square)))?;
        }
        write!(f, " {}", disc(Some(self.0.side_to_move())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{string::ToString as _, time::Duration};

    /// NBoard's example, from the protocol's document.
    const NBOARD: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]\
        RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- \
        *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

    /// As GGS writes them.
    const GGS: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[one]PW[two]\
        RB[2196.37]RW[2200.35]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- \
        ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[c5/2.39/20.97];)";

    fn record(text: &str) -> Record {
        Record::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn nboards_own_record_prints_as_it_is() {
        let record = record(NBOARD);
        assert_eq!(record.to_string(), NBOARD);
        assert_eq!(record.players.black.name, "./mEdax");
        let game = record.game().unwrap();
        assert_eq!(game.transcript().to_string(), "f5f6d3c5e6f7e7f4");
        let clock = record.clock(Color::White).unwrap();
        assert_eq!(clock.main, Duration::from_mins(15));
        assert_eq!(Record::of_game(&game).game(), Ok(game));
    }

    #[test]
    fn a_record_of_ggs_keeps_its_ratings_and_times() {
        let record = record(GGS);
        insta::assert_snapshot!(record.to_string());
        assert_eq!(
            Record::parse(record.to_string().as_bytes()),
            Ok(record.clone())
        );
        assert_eq!(record.others[0], ("RB".into(), "2196.37".into()));
        let clock = record.clock(Color::White).unwrap();
        assert_eq!(clock.main, Duration::from_millis(300_000 - 20_970));
        assert_eq!(record.outcome.unwrap().score, Value::from_hundredths(0));
    }

    #[test]
    fn unknown_tags_blanks_and_unreadable_values_do_not_matter() {
        let record = record(
            " 1 (; GM [ othello ]\nZZ[a\tb] TI[soon] RE[aborted] b[f5 1.00 2.0]\r\n w [PA/-64] ;) ",
        );
        assert_eq!(
            record.to_string(),
            "(;GM[Othello]RE[?]TY[8]ZZ[a b]TI[soon]RE[aborted]\
             BO[8 ---------------------------O*------*O--------------------------- *]\
             B[F5/1.00/2]W[PA];)"
        );
        assert_eq!(
            record.game().unwrap_err().to_string(),
            "move 2 of the record: illegal move pass: there is a legal move"
        );
    }

    #[test]
    fn the_type_is_8_unless_another_one_is_told() {
        for (text, kind) in [
            ("(;GM[Othello];)", "8"),
            ("(;GM[Othello]TY[];)", "8"),
            ("(;GM[Othello]TY[ ];)", "8"),
            ("(;GM[Othello]TY[8r16];)", "8r16"),
        ] {
            let record = record(text);
            assert_eq!(record.kind, kind, "{text}");
            assert_eq!(record.others, [], "{text}");
        }
    }

    #[test]
    fn other_text_than_a_record_is_an_error_that_says_where() {
        let mut errors = String::new();
        for text in [
            "",
            "(GM[Othello];)",
            "(;GM[Othello]",
            "(;GM[Othello];",
            "(;GM[Othello]B;)",
            "(;GM[Othello]B[F5;)",
            "(;GM[Amazons];)",
            "(;GM[Othello2];)",
            "(;BO[10 -];)",
            "(;BO[8-];)",
            "(;BO[8 ---];)",
            "(;BO[8 ---------------------------Q*------*O--------------------------- *];)",
            "(;BO[8 ---------------------------O*------*O--------------------------- * *];)",
            "(;B[F9];)",
            "(;B[F5];) x",
        ] {
            let error = Record::parse(text.as_bytes()).unwrap_err();
            errors += &error.to_string();
            errors.push('\n');
        }
        insta::assert_snapshot!(errors);
    }

    #[test]
    fn what_stands_before_an_error_is_read() {
        for text in [
            "(;PB[a]B[F5]W[Z9]B[C3];)",
            "(;PB[a]B[F5]",
            "(;PB[a]B[F5]W[D",
        ] {
            let (record, error) = Record::parse_until_error(text.as_bytes());
            assert_eq!((record.moves.len(), error.is_some()), (1, true), "{text}");
            assert_eq!(record.players.black.name, "a");
        }
    }

    #[test]
    fn results_are_read_with_what_ended_the_game() {
        for (text, printed) in [
            ("+64.000", "+64.00"),
            ("-40.00:r", "-40.00:r"),
            ("2:t", "+2.00:t"),
            ("0 : s", "+0.00:s"),
            ("-2.5:l", "-2.50:l"),
        ] {
            let outcome = record(&std::format!("(;RE[{text}];)")).outcome.unwrap();
            assert_eq!(outcome.to_string(), printed);
        }
        for text in ["4:x", "-127.000", "+64.01", "-65:r", "1000"] {
            assert_eq!(
                record(&std::format!("(;RE[{text}];)")).outcome,
                None,
                "{text}"
            );
        }
    }

    #[test]
    fn clocks_may_differ_and_overruns_use_the_grace() {
        let text = "(;GM[Othello]TB[1:00//0:30]TW[2:00];)";
        let mut record = record(text);
        assert!(record.to_string().contains("TB[1:00//0:30]TW[2:00]"));
        let mut item = MoveItem::from(Move::Place(Square::F5));
        item.time = Some(Duration::from_secs(70));
        let color = Color::Black;
        record.moves.push(Ply { color, item });
        let clock = record.clock(Color::Black).unwrap();
        assert_eq!(clock, Clock::new(Duration::from_secs(20)));
    }

    #[test]
    fn texts_cannot_break_the_record() {
        let mut made = Record::default();
        made.players.black.name = "a]W[F5]\n".into();
        made.place = "here".into();
        let read = record(&made.to_string());
        assert_eq!(
            (read.players.black.name.as_str(), read.moves.len()),
            ("a)W[F5)", 0)
        );
    }

    #[test]
    fn comments_stay_where_they_stand() {
        let text = "(;GM[Othello]RE[?]TY[8]BO[8 ---------------------------O*------*O---------------------------\
            \u{20}*]C[a game]B[F5]C[the move]C[another]W[D6];)";
        let record = record(text);
        assert_eq!(record.comments[1], (1, "the move".into()));
        assert_eq!(record.to_string(), text);
    }

    #[test]
    fn passes_are_put_in_where_a_record_leaves_them_out() {
        let mut game = Game::default();
        while !game.is_over() {
            let moves = game.board().legal_moves();
            let mv = moves.last().map_or(Move::Pass, Move::Place);
            game.play(mv).unwrap();
        }
        let whole = Record::of_game(&game);
        assert_eq!(whole.game(), Ok(game.clone()));
        let mut without = whole.clone();
        without.moves.retain(|ply| ply.item.mv != Move::Pass);
        assert!(without.moves.len() < whole.moves.len());
        assert_eq!(without.game(), Ok(game));
        let mut late = whole.clone();
        let color = !whole.moves.last().unwrap().color;
        late.moves.push(Ply {
            color,
            item: Move::Pass.into(),
        });
        assert_eq!(late.game(), whole.game());
        let mut wrong = whole;
        wrong.moves.remove(0);
        assert_eq!(wrong.game(), Err(ReplayError::OutOfTurn { number: 1 }));
    }
}
