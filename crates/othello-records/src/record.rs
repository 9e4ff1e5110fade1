//! A game with what is told of it.

use std::{fmt, time::Duration};

use othello_core::{Board, ByColor, Color, Empties, Game, IllegalMove, Move, Score};
pub use othello_proto::ggf::{Clock, OutcomeKind, Value};

use crate::Date;

/// A game with what a record tells of it. Text that is not told is empty.
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
    /// The game: the board at its start and its moves, passes among them.
    pub game: Game,
    /// The notes on the moves, by their index; moves beyond the last note have none.
    pub notes: Vec<Note>,
    /// The players.
    pub players: ByColor<Player>,
    /// The date on which the game was played.
    pub date: Option<Date>,
    /// The tournament.
    pub event: String,
    /// The round of the tournament.
    pub round: String,
    /// The place or the server on which it was played.
    pub place: String,
    /// The result as it is told, which need not be that of the board.
    pub result: Option<Outcome>,
    /// The comment on the game as a whole.
    pub comment: String,
    /// Scores of moves in the position at the start, from the point of view of the side to move: those of a problem.
    pub scores: Vec<(Move, Score)>,
    /// What the record tells besides, by the names that its format has for it.
    pub tags: Vec<(String, String)>,
    /// The encoding that the text was taken to be in, where that is a guess: it is no UTF-8 and names none.
    pub encoding: Option<&'static str>,
}

/// A player of a [`Record`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rating, as it is written.
    pub rating: String,
    /// The clock at the start of the game.
    pub clock: Option<Clock>,
}

/// What is told of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The evaluation, from the point of view of the move's player.
    pub value: Option<Value>,
    /// The time that the move took.
    pub time: Option<Duration>,
    /// A comment.
    pub comment: String,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner, or `None` of a draw.
    pub winner: Option<Color>,
    /// Black's result in discs, or `None` if only the winner is told.
    pub score: Option<Value>,
    /// The cause of the end.
    pub kind: OutcomeKind,
}

/// What a reader of a [`Record`] should know of what it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The result is not that of the board at the end, which has these discs.
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

/// Adds a comment to those before it.
pub(crate) fn add_comment(text: &mut String, separator: &str, comment: &str) {
    if !text.is_empty() && !comment.is_empty() {
        *text += separator;
    }
    *text += comment;
}

impl Outcome {
    /// Parses a result as PGN writes it: `1-0`, or discs such as `40-24`, Black's first.
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

    /// The result of a game with this score of Black's.
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

    /// The result of a game that was played to this score of Black's, in whole discs.
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
    /// The record of a board without moves.
    pub fn of_board(board: Board) -> Self {
        Game::new(board).into()
    }

    /// The note on the move with this index.
    pub fn note(&self, index: usize) -> Note {
        self.notes.get(index).cloned().unwrap_or_default()
    }

    /// The result that is told, or else that of the board if the usual game is over, empty squares to the winner.
    pub fn outcome(&self) -> Option<Outcome> {
        let of_board = || Outcome::played(self.board_score(Empties::ToWinner));
        let is_over = self.game.is_over() && !self.is_of_type('a');
        self.result.or_else(|| is_over.then(of_board))
    }

    /// The discs of both sides by the [outcome](Self::outcome): those on the board if their difference is the score, or
    /// else 64 with the empty squares; `None` if there is no score, or 64 discs cannot have it.
    pub fn discs(&self) -> Option<ByColor<u32>> {
        let told = self.outcome()?.discs()?;
        let score = |empties| self.game.is_over().then(|| self.board_score(empties));
        if score(Empties::OnBoard) == Some(told) && score(Empties::ToWinner) != Some(told) {
            return Some(self.discs_on_board());
        }
        (told % 2 == 0).then(|| ByColor {
            black: (32 + told / 2).unsigned_abs(),
            white: (32 - told / 2).unsigned_abs(),
        })
    }

    fn discs_on_board(&self) -> ByColor<u32> {
        ByColor::new_with(|color| self.game.board().discs(color).count())
    }

    /// Warnings about the record, such as a result that contradicts the final board. The record itself is left as it is.
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

    /// Returns `true` if the type that GGS gives the game has an option, as `8a` has `a`, the game that fewer discs
    /// win, and `8k` has `k`, one with a bid for the colour, which the result counts.
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

    /// Returns `true` if the result that is told follows from the moves: the game is over, and the score is that of the
    /// board by either convention for empty squares, or the winner that of the board if only the winner is told.
    pub fn result_follows(&self) -> bool {
        let played = |result: &Outcome| result.kind == OutcomeKind::Played;
        let Some(told) = self.result.filter(played).filter(|_| self.game.is_over()) else {
            return false;
        };
        let agrees = |empties| {
            let of_board = Outcome::played(self.board_score(empties));
            of_board.winner == told.winner && (told.score.is_none() || of_board.score == told.score)
        };
        agrees(Empties::ToWinner) || agrees(Empties::OnBoard)
    }

    /// Black's score on the board.
    pub(crate) fn board_score(&self, empties: Empties) -> i32 {
        self.game.board().score(Color::Black, empties).discs()
    }

    /// Plays a move as records have it and notes what is told of it. The note of a pass after the end is dropped.
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

    /// Adds what a record tells besides.
    pub(crate) fn tag(&mut self, name: &str, value: &str) {
        self.tags.push((name.to_owned(), value.to_owned()));
    }
}
