//! A game with its recorded properties.

use std::{fmt, time::Duration};

use othello_core::{Board, ByColor, Color, Empties, Game, IllegalMove, Move, Score};
pub use othello_proto::ggf::{Clock, OutcomeKind, Value};

use crate::Date;

/// A game with the properties of its record. Missing text is empty.
///
/// # Examples
///
/// ```
/// use othello_records::Record;
///
/// let record = Record::from(othello_core::Game::default());
/// assert_eq!(record, Record::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The game: the starting board and the moves, including passes.
    pub game: Game,
    /// The notes on the moves, by index; moves beyond the last note have none.
    pub notes: Vec<Note>,
    /// The players.
    pub players: ByColor<Player>,
    /// The date on which the game was played.
    pub date: Option<Date>,
    /// The tournament.
    pub event: String,
    /// The round of the tournament.
    pub round: String,
    /// The place or server of the game.
    pub place: String,
    /// The recorded result, which may contradict the board.
    pub result: Option<Outcome>,
    /// The comment on the game as a whole.
    pub comment: String,
    /// The scores of moves in the starting position, from the point of view of the side to move, as in a problem.
    pub scores: Vec<(Move, Score)>,
    /// Further properties, by their names in the record's format.
    pub tags: Vec<(String, String)>,
    /// The guessed encoding of the text, if the text is not UTF-8 and does not name its encoding.
    pub encoding: Option<&'static str>,
}

/// A player of a [`Record`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rating, as written in the record.
    pub rating: String,
    /// The clock at the start of the game.
    pub clock: Option<Clock>,
}

/// The recorded properties of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The evaluation, from the point of view of the player who moves.
    pub value: Option<Value>,
    /// The time that the move took.
    pub time: Option<Duration>,
    /// A comment.
    pub comment: String,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner, or `None` for a draw.
    pub winner: Option<Color>,
    /// Black's result in discs, or `None` if only the winner is known.
    pub score: Option<Value>,
    /// The cause of the end.
    pub kind: OutcomeKind,
}

/// A warning about the contents of a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The result contradicts the final board, which has these discs.
    Contradicted(ByColor<u32>),
    /// The game is anti-Othello, type `8a`: the player with fewer discs wins.
    FewerDiscsWin,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contradicted(ByColor { black, white }) => {
                write!(
                    f,
                    "the result contradicts the board at the end, {black}-{white}"
                )
            }
            Self::FewerDiscsWin => {
                f.write_str("anti-Othello (TY[8a]): the player with fewer discs wins")
            }
        }
    }
}

/// Appends a comment to a text.
pub(crate) fn add_comment(text: &mut String, separator: &str, comment: &str) {
    if !text.is_empty() && !comment.is_empty() {
        *text += separator;
    }
    *text += comment;
}

impl Outcome {
    /// Parses a result in PGN notation: `1-0`, or discs such as `40-24`, Black's first.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let won = |winner| Self {
            winner,
            score: None,
            kind: OutcomeKind::Played,
        };
        match text {
            "1-0" => Some(won(Some(Color::Black))),
            "0-1" => Some(won(Some(Color::White))),
            "1/2-1/2" => Some(Self::played(0)),
            _ => {
                let (black, white) = text.split_once('-')?;
                let discs = |text: &str| {
                    text.trim()
                        .parse::<u8>()
                        .ok()
                        .map(i32::from)
                        .filter(|&discs| discs <= 64)
                };
                let (black, white) = (discs(black)?, discs(white)?);
                (1..=64)
                    .contains(&(black + white))
                    .then(|| Self::played(black - white))
            }
        }
    }

    /// Creates a result from Black's score.
    pub fn new(score: Value, kind: OutcomeKind) -> Self {
        let winner = match score.hundredths() {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        };
        Self {
            winner,
            score: Some(score),
            kind,
        }
    }

    /// Creates the result of a game that was played to the end, with Black's score in whole discs.
    pub fn played(discs: i32) -> Self {
        Self::new(Value::from_hundredths(discs * 100), OutcomeKind::Played)
    }

    /// Black's result, if it is a whole number of discs from −64 to 64.
    pub fn discs(&self) -> Option<i32> {
        let hundredths = self.score?.hundredths();
        let discs = hundredths / 100;
        (hundredths % 100 == 0 && discs.abs() <= 64).then_some(discs)
    }
}

impl From<Game> for Record {
    fn from(game: Game) -> Self {
        Self {
            game,
            ..Self::default()
        }
    }
}

impl Record {
    /// Creates a record of a board without moves.
    pub fn of_board(board: Board) -> Self {
        Game::new(board).into()
    }

    /// The note on the move with this index.
    pub fn note(&self, index: usize) -> Note {
        self.notes.get(index).cloned().unwrap_or_default()
    }

    /// The recorded result, or else the final board's if a standard game is over, with empty squares to the winner.
    pub fn outcome(&self) -> Option<Outcome> {
        let of_board = || Outcome::played(self.board_score(Empties::ToWinner));
        let is_over = self.game.is_over() && !self.is_of_type('a');
        self.result.or_else(|| is_over.then(of_board))
    }

    /// The discs of both sides by the [outcome](Self::outcome): the final board's if their difference is the score,
    /// otherwise 64 discs including the empty squares. `None` if there is no score, or the score is impossible with 64
    /// discs.
    pub fn discs(&self) -> Option<ByColor<u32>> {
        let difference = self.outcome()?.discs()?;
        let score = |empties| self.game.is_over().then(|| self.board_score(empties));
        if score(Empties::OnBoard) == Some(difference)
            && score(Empties::ToWinner) != Some(difference)
        {
            return Some(self.discs_on_board());
        }
        (difference % 2 == 0).then(|| ByColor {
            black: (32 + difference / 2).unsigned_abs(),
            white: (32 - difference / 2).unsigned_abs(),
        })
    }

    fn discs_on_board(&self) -> ByColor<u32> {
        ByColor::new_with(|color| self.game.board().discs(color).count())
    }

    /// Warnings about the record, such as a result that contradicts the final board. The record is unchanged.
    pub fn remarks(&self) -> Vec<Remark> {
        let is_usual = !self.is_of_type('a') && !self.is_of_type('k');
        let played = |result: Outcome| result.kind == OutcomeKind::Played;
        let contradicted = is_usual
            && self.game.is_over()
            && self.result.is_some_and(played)
            && !self.result_follows();
        let contradicted = contradicted.then(|| Remark::Contradicted(self.discs_on_board()));
        let fewer_win = self.is_of_type('a').then_some(Remark::FewerDiscsWin);
        contradicted.into_iter().chain(fewer_win).collect()
    }

    /// Returns `true` if the GGS type of the game has an option: in `8a`, `a` means that fewer discs win; in `8k`, `k`
    /// means that a bid for the colour counts in the result.
    fn is_of_type(&self, option: char) -> bool {
        let has_option = |value: &str| {
            let rest = value.trim_start_matches(|c: char| c == 's' || c.is_ascii_digit());
            let mut words = rest.split(|c: char| !c.is_ascii_alphabetic());
            words.any(|word| word != "rand" && word.contains(option))
        };
        let mut tags = self.tags.iter();
        tags.any(|(name, value)| {
            name == "TY"
                && value.starts_with(|c: char| c.is_ascii_digit() || c == 's')
                && has_option(value)
        })
    }

    /// Returns `true` if the recorded result follows from the moves: the game is over, and the score is the board's
    /// under either convention for empty squares or, if only the winner is recorded, the winner is the board's.
    pub fn result_follows(&self) -> bool {
        let played = |result: &Outcome| result.kind == OutcomeKind::Played;
        let Some(recorded) = self.result.filter(played).filter(|_| self.game.is_over()) else {
            return false;
        };
        let agrees = |empties| {
            let of_board = Outcome::played(self.board_score(empties));
            of_board.winner == recorded.winner
                && (recorded.score.is_none() || of_board.score == recorded.score)
        };
        agrees(Empties::ToWinner) || agrees(Empties::OnBoard)
    }

    /// Black's score on the final board.
    pub(crate) fn board_score(&self, empties: Empties) -> i32 {
        self.game.board().score(Color::Black, empties).discs()
    }

    /// Plays a move of a record and adds its note. The note of a pass after the end is dropped.
    pub(crate) fn play(&mut self, mv: Move, note: Note) -> Result<(), IllegalMove> {
        self.game.play_recorded(mv)?;
        let played =
            self.game.last_move() == Some(mv) && self.game.moves().len() > self.notes.len();
        if note != Note::default() && played {
            self.notes
                .resize_with(self.game.moves().len(), Note::default);
            if let Some(last) = self.notes.last_mut() {
                *last = note;
            }
        }
        Ok(())
    }

    /// Adds a further property.
    pub(crate) fn tag(&mut self, name: &str, value: &str) {
        self.tags.push((name.to_owned(), value.to_owned()));
    }
}
