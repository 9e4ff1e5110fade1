//! A position of a game: the board, the side to move, and the history that the rules need.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use boardgame_core::{ByColor, Color, Margin, Status};

use crate::{
    Board, BoardDiagram, IllegalMove, IllegalReason, KoRule, Komi, LifeAndDeath, Move, Point,
    Rules, Score, Setup, zobrist,
};

/// A position of a game with its rules.
///
/// Implements [`boardgame_core::Game`]: two passes in a row end the game. Its result then depends on the dead stones,
/// so its status is [`Status::Unscored`].
///
/// # Examples
///
/// ```
/// use go_core::{Move, Point, Position, Setup};
///
/// let mut position = Position::new(&"9x9 komi 5.5 first white".parse::<Setup>()?);
/// let point: Point = "E5".parse()?;
/// position.play(point)?;
/// let error = position.play(point).unwrap_err();
/// assert_eq!(error.to_string(), "illegal move E5: the point is occupied");
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// assert!(position.is_over());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Box<Board>,
    rules: Rules,
    komi: Komi,
    /// The points that White receives for the handicap.
    handicap_points: u32,
    side_to_move: Color,
    /// The last two moves, latest last.
    last_moves: [Option<Move>; 2],
    /// The number of passes since the last stone, at most 2.
    passes: u8,
    /// The number of stones that each side has played.
    stones_played: ByColor<u32>,
    /// For superko, the hashes of all positions so far, including this one.
    seen: Vec<u64>,
}

impl Position {
    /// Creates the position before the first move.
    pub fn new(setup: &Setup) -> Self {
        let mut position = Self {
            board: Box::new(setup.board()),
            rules: setup.rules(),
            komi: setup.komi(),
            handicap_points: setup.rules().handicap_points(setup.handicap()),
            side_to_move: setup.first(),
            last_moves: [None; 2],
            passes: 0,
            stones_played: ByColor::default(),
            seen: Vec::new(),
        };
        position.remember();
        position
    }

    /// Returns the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the komi.
    pub const fn komi(&self) -> Komi {
        self.komi
    }

    /// Returns the points that White receives for Black's handicap stones, in addition to komi.
    pub const fn handicap_points(&self) -> u32 {
        self.handicap_points
    }

    /// Returns the margin of a score by the rules, with komi and the points for the handicap.
    pub fn margin(&self, score: &Score) -> Margin {
        score.margin(self.komi) + Margin::from_points(-(self.handicap_points as i32))
    }

    /// Returns the side to move.
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the last move, or `None` before the first.
    pub const fn last_move(&self) -> Option<Move> {
        self.last_moves[1]
    }

    /// Returns the last two moves, latest last; `None` for moves before the first.
    pub const fn last_moves(&self) -> [Option<Move>; 2] {
        self.last_moves
    }

    /// Returns whether both sides have passed in a row.
    pub const fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Returns the Zobrist hash of the stones and the side to move.
    pub const fn hash(&self) -> u64 {
        self.board.hash() ^ zobrist::side_to_move(self.side_to_move)
    }

    /// Checks the legality of a move of the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal or the game is over.
    pub fn check(&self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let mv = mv.into();
        let result = match mv {
            _ if self.is_over() => Err(IllegalReason::GameOver),
            Move::Place(point) => self.check_stone(point),
            Move::Pass => Ok(()),
        };
        result.map_err(|reason| IllegalMove { mv, reason })
    }

    fn check_stone(&self, point: Point) -> Result<(), IllegalReason> {
        let color = self.side_to_move;
        self.board.check(color, point, self.rules.suicide)?;
        if !self.rules.ko.is_superko() {
            return Ok(());
        }
        let after = self.repetition_key(self.board.hash_after(color, point), !color);
        if self.seen.contains(&after) {
            return Err(IllegalReason::Superko);
        }
        Ok(())
    }

    /// Iterates over the points where the side to move may place a stone, in order; empty after the end of the game.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Position, Setup};
    ///
    /// assert_eq!(Position::new(&Setup::default()).legal_points().count(), 361);
    /// ```
    pub fn legal_points(&self) -> impl Iterator<Item = Point> {
        self.board
            .size()
            .points()
            .filter(|&point| self.check(point).is_ok())
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal or the game is over, and leaves the position unchanged.
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let mv = mv.into();
        self.check(mv)?;
        match mv {
            Move::Place(point) => {
                self.board.play(self.side_to_move, point);
                self.stones_played[self.side_to_move] += 1;
                if self.rules.ko == KoRule::Unrestricted {
                    self.board.clear_ko();
                }
                self.passes = 0;
            }
            Move::Pass => {
                self.board.clear_ko();
                self.passes += 1;
            }
        }
        self.side_to_move = !self.side_to_move;
        self.last_moves = [self.last_moves[1], Some(mv)];
        self.remember();
        Ok(())
    }

    /// Plays a move for either side; GTP and SGF allow moves out of turn.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal or the game is over, and leaves the position unchanged.
    pub fn play_as(&mut self, color: Color, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let side_to_move = self.side_to_move;
        self.side_to_move = color;
        self.play(mv)
            .inspect_err(|_| self.side_to_move = side_to_move)
    }

    /// Sets the side to move, as after undoing a move or on request of a GTP controller.
    pub const fn set_side_to_move(&mut self, color: Color) {
        self.side_to_move = color;
    }

    /// Sets the komi, which may be agreed on during a game.
    pub const fn set_komi(&mut self, komi: Komi) {
        self.komi = komi;
    }

    /// Resumes the game after two passes, as players do who disagree on dead stones: any legal move may follow. Does
    /// nothing if the game is not over.
    pub const fn resume(&mut self) {
        if self.is_over() {
            self.passes = 0;
        }
    }

    /// Returns a printable diagram with the last move.
    pub fn diagram(&self) -> BoardDiagram<'_> {
        self.board
            .diagram()
            .last_move(self.last_move().and_then(Move::point))
    }

    /// Returns the number of stones that each side has captured.
    pub const fn captures(&self) -> ByColor<u32> {
        self.board.captures()
    }

    /// Returns the number of stones that each side has played, without handicap stones.
    pub const fn stones_played(&self) -> ByColor<u32> {
        self.stones_played
    }

    /// Returns the score under the rules' scoring, without komi, for a given status of dead stones and seki.
    pub fn score(&self, status: &LifeAndDeath) -> Score {
        Score::new(&self.board, status, self.rules.scoring)
    }

    /// Adds the current position to the positions forbidden by superko.
    fn remember(&mut self) {
        if self.rules.ko.is_superko() {
            let key = self.repetition_key(self.board.hash(), self.side_to_move);
            if self.seen.last() != Some(&key) {
                self.seen.push(key);
            }
        }
    }

    /// Returns the hash that superko compares.
    const fn repetition_key(&self, stones: u64, side_to_move: Color) -> u64 {
        match self.rules.ko {
            KoRule::SituationalSuperko => stones ^ zobrist::side_to_move(side_to_move),
            KoRule::Simple | KoRule::Unrestricted | KoRule::PositionalSuperko => stones,
        }
    }
}

impl fmt::Display for Position {
    /// Prints the diagram, the captures and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByColor { black, white } = self.captures();
        writeln!(f, "{}", self.diagram())?;
        write!(f, "Black X captured {black}, White O captured {white}; ")?;
        if self.is_over() {
            f.write_str("game over")
        } else {
            write!(f, "{} to move", self.side_to_move)
        }
    }
}

impl boardgame_core::Game for Position {
    type Move = Move;
    type Setup = Setup;
    type IllegalMove = IllegalMove;

    const NAME: &'static str = "go";

    fn new(setup: &Setup) -> Self {
        Self::new(setup)
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns `None`: passing is a choice in Go.
    fn forced_move(&self) -> Option<Move> {
        None
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        Self::play(self, mv)
    }

    fn status(&self) -> Status {
        if self.is_over() {
            Status::Unscored
        } else {
            Status::Playing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use boardgame_core::Game as _;
    use std::string::ToString;

    /// Plays moves from the empty board, and returns the position or the message of the first error.
    fn play(setup: &str, moves: &str) -> Result<Position, std::string::String> {
        let mut position = Position::new(&setup.parse().unwrap());
        for mv in moves.split_whitespace() {
            position
                .play(mv.parse::<Move>().unwrap())
                .map_err(|error| error.to_string())?;
        }
        Ok(position)
    }

    /// Black takes a ko at C2, and White may not retake it at B2 immediately.
    const KO: &str = "B1 C1 A2 D2 B3 C3 E5 B2 C2";

    #[test]
    fn a_ko_is_retaken_after_a_move_elsewhere() {
        let retaken = |moves: &str| play("5", &std::format!("{KO} {moves}")).map(|p| p.captures());
        let error = Err("illegal move B2: it retakes a ko at once".to_string());
        assert_eq!(retaken("B2"), error);
        assert_eq!(retaken("E1 A5 B2"), Ok(ByColor { black: 1, white: 1 }));
        // A pass lifts the ban too.
        assert_eq!(retaken("pass pass"), Ok(ByColor { black: 1, white: 0 }));
        assert!(retaken("pass A5 B2").is_ok());
        // Black, who took the ko, may connect.
        assert!(retaken("E1 B2").is_ok());
        assert_eq!(
            play("5", KO).unwrap().board().ko(),
            Some((Color::White, "B2".parse().unwrap()))
        );
    }

    #[test]
    fn an_unrestricted_ko_may_be_retaken_immediately() {
        let retaken = play("5 rules unrestricted-ko", &std::format!("{KO} B2 C2 B2"));
        assert_eq!(retaken.unwrap().captures(), ByColor { black: 2, white: 2 });
    }

    #[test]
    fn two_passes_end_the_game_until_it_is_resumed() {
        let mut position = play("9", "E5 pass C3 pass").unwrap();
        assert_eq!(
            (position.status(), position.is_over()),
            (Status::Playing, false)
        );
        position.play(Move::Pass).unwrap();
        assert_eq!(
            (position.status(), position.is_over()),
            (Status::Unscored, true)
        );
        assert_eq!(position.legal_points().count(), 0);
        let error = position.play(Move::Pass).unwrap_err();
        assert_eq!(error.reason, IllegalReason::GameOver);
        position.resume();
        assert_eq!(position.status(), Status::Playing);
        position.play(Move::Pass).unwrap();
        position.resume();
        position.play(Move::Pass).unwrap();
        assert!(
            position.is_over(),
            "expected resuming an unfinished game to keep its passes"
        );
    }

    #[test]
    fn an_illegal_move_leaves_the_position_unchanged() {
        let mut position = play("3 rules chinese", "A2 C3 B1").unwrap();
        let before = position.clone();
        for (mv, reason) in [
            ("A1", IllegalReason::Suicide),
            ("A2", IllegalReason::Occupied),
            ("D1", IllegalReason::OffBoard),
        ] {
            let mv: Move = mv.parse().unwrap();
            assert_eq!(position.play(mv), Err(IllegalMove { mv, reason }));
        }
        let mv = Move::Place("B1".parse().unwrap());
        position.play_as(Color::Black, mv).unwrap_err();
        assert_eq!(position, before);
        assert_eq!(position.side_to_move(), Color::White);
    }

    #[test]
    fn either_side_may_play_out_of_turn() {
        let mut position = Position::new(&Setup::new(Size::NINE));
        let points = ["C3", "G7"].map(|name| name.parse::<Point>().unwrap());
        position.play_as(Color::Black, points[0]).unwrap();
        position.play_as(Color::Black, points[1]).unwrap();
        assert_eq!(position.side_to_move(), Color::White);
        assert!(
            points
                .iter()
                .all(|&point| position.board().stone(point) == Some(Color::Black))
        );
    }

    #[test]
    fn the_hash_depends_on_the_side_to_move() {
        let empty = Position::new(&Setup::default());
        let mut passed = empty.clone();
        passed.play(Move::Pass).unwrap();
        assert_eq!(empty.hash(), 0);
        assert_ne!(passed.hash(), empty.hash());
        assert_eq!(passed.board().hash(), empty.board().hash());
        let stone = play("19", "E5").unwrap();
        assert_eq!(stone.hash() ^ stone.board().hash(), passed.hash());
        passed.play(Move::Pass).unwrap();
        assert_eq!(passed.hash(), empty.hash());
    }

    #[test]
    fn the_trait_agrees_with_the_position() {
        let setup: Setup = "9 komi 5.5 rules aga first white".parse().unwrap();
        let mut position = <Position as boardgame_core::Game>::new(&setup);
        assert_eq!(boardgame_core::Game::side_to_move(&position), Color::White);
        assert_eq!(position.forced_move(), None);
        boardgame_core::Game::play(&mut position, Move::Pass).unwrap();
        assert_eq!(position.last_moves(), [None, Some(Move::Pass)]);
        assert_eq!(position.side_to_move(), Color::Black);
        assert_eq!(
            (position.komi(), position.rules()),
            (setup.komi(), Rules::AGA)
        );
        assert_eq!(Position::NAME, "go");
    }

    #[test]
    fn the_score_follows_the_rules() {
        let moves = "A2 A1 B1 C2";
        let margin = |rules: &str| {
            let position = play(&std::format!("3 komi 0.5 rules {rules}"), moves).unwrap();
            let dead = crate::PointSet::from_iter(["C2".parse().unwrap()]);
            let status = LifeAndDeath {
                dead,
                ..LifeAndDeath::default()
            };
            position.score(&status).margin(position.komi()).to_string()
        };
        // Seven points and two prisoners, or the whole board.
        assert_eq!([margin("japanese"), margin("chinese")], ["B+8.5", "B+8.5"]);
        let alive = play("3", moves).unwrap().score(&LifeAndDeath::default());
        assert_eq!(alive.points, ByColor { black: 2, white: 0 });
    }

    #[test]
    fn white_is_compensated_for_a_handicap_by_the_rules() {
        let margin = |rules: &str, moves: &str| {
            let setup = std::format!("9 komi 0.5 rules {rules} black C3 G3 C7 G7 first white");
            let position = play(&setup, moves).unwrap();
            let score = position.score(&LifeAndDeath::default());
            position.margin(&score).to_string()
        };
        for (rules, expected) in [
            ("chinese", "B+76.5"),
            ("aga", "B+77.5"),
            ("japanese", "B+76.5"),
            ("new-zealand", "B+80.5"),
        ] {
            assert_eq!(margin(rules, "pass pass"), expected, "{rules}");
        }
        // Black's own stones are no handicap.
        let placed = play("9 komi 0.5 rules chinese", "C3 pass G7 pass pass").unwrap();
        assert_eq!(placed.handicap_points(), 0);
    }

    #[test]
    fn the_text_has_captures_and_the_side_to_move() {
        let position = play("3", "A2 A1 B1").unwrap();
        let expected = "  A B C\n3 . . . 3\n2 X . . 2\n1 .(X). 1\n  A B C\n\
            Black X captured 1, White O captured 0; White to move";
        assert_eq!(position.to_string(), expected);
        let over = play("1", "pass pass").unwrap().to_string();
        assert_eq!(
            over,
            "  A\n1 . 1\n  A\nBlack X captured 0, White O captured 0; game over"
        );
    }
}
