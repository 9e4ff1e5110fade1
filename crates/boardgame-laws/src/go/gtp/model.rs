//! The game of a session as the commands that it carried out have it.

use boardgame_session::gtp::{Command, parse_color, parse_score};
use go_core::{
    ByColor, Color, Komi, Move, Point, PointSet, Position, Rules, Setup, Size, fixed_handicap,
    max_fixed_handicap, sgf::Record,
};
use go_proto::gtp::GoGame;

/// The files that `loadsgf` finds.
const FILES: [(&str, &str); 6] = [
    (
        "game.sgf",
        "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cc];W[])",
    ),
    ("stones.sgf", "(;SZ[5]AB[aa]AW[bb:cc])"),
    ("passes.sgf", "(;SZ[2];B[];W[];W[aa];W[];B[])"),
    (
        "superko.sgf",
        "(;SZ[4]AB[bb][ac][cc][bd]AW[cb][dc][cd];W[bc];B[];W[];B[cc])",
    ),
    ("othello.sgf", "(;GM[2]SZ[8];B[f5])"),
    ("late.sgf", "(;SZ[9];B[aa];AB[bb])"),
];

/// Returns the text of a file, for `loadsgf`.
pub(super) fn load(path: &str) -> Option<String> {
    let (_, text) = FILES.iter().find(|(name, _)| *name == path)?;
    Some((*text).into())
}

/// A game that is told which commands were carried out, with a position for each move.
pub(super) struct Model {
    setup: Setup,
    /// The rules of the next game.
    rules: Rules,
    /// The moves' colours, and the positions before them.
    before: Vec<(Color, Position)>,
    position: Position,
}

impl Model {
    /// Returns a game before its first move.
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            rules: setup.rules(),
            before: Vec::new(),
            position: Position::new(&setup),
            setup,
        }
    }

    /// Returns the position after all moves.
    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the position with a colour to move, after two passes too.
    pub(super) fn position_of(&self, color: Color) -> Position {
        let mut position = self.position.clone();
        position.resume();
        position.set_side_to_move(color);
        position
    }

    /// Makes a move, which must be legal.
    pub(super) fn play(&mut self, color: Color, mv: Move) {
        let mut after = self.position_of(color);
        assert_eq!(after.play(mv), Ok(()), "{color}");
        let before = std::mem::replace(&mut self.position, after);
        self.before.push((color, before));
        assert!(self.before.len() <= GoGame::MAX_MOVES, "too many moves");
    }

    /// Carries out a command that the session carried out with the result `text`, and checks that this was
    /// possible and is true.
    pub(super) fn carry_out(&mut self, command: &Command, text: &str) {
        let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        match (command.name.as_str(), &words[..]) {
            ("boardsize", [lines]) => self.resize(size(lines).expect("a size")),
            ("clear_board", []) => self.resize(self.setup.size()),
            ("komi", [komi]) => self.set_komi(nearest_komi(komi).expect("a komi")),
            ("kgs-rules", [name]) => self.set_rules(&name.replace('_', "-")),
            ("fixed_handicap", [count]) => self.give_fixed_handicap(number(count), text),
            ("place_free_handicap", [count]) => {
                let count = number(count).min(max_fixed_handicap(self.setup.size()));
                self.give_fixed_handicap(count, text);
            }
            ("set_free_handicap", points) => self.give_handicap(points),
            ("play", words @ [_, _]) | ("gogui-play_sequence", words) => {
                for (color, mv) in moves(words).expect("moves") {
                    self.play(color, mv);
                }
            }
            ("undo" | "gg-undo", []) => self.undo(),
            ("gg-undo", [count]) => (0..number(count)).for_each(|_| self.undo()),
            ("loadsgf", [path]) => self.load(path, usize::MAX),
            ("loadsgf", [path, number]) => {
                self.load(path, self::number(number).saturating_sub(1));
            }
            ("gogui-setup", words) => self.set_up(words),
            ("gogui-setup_player", [color]) => self.set_player(parse_color(color).expect("one")),
            _ => self.check_told(command, text),
        }
    }

    /// Checks the result of a command that changes nothing.
    fn check_told(&self, command: &Command, text: &str) {
        let board = self.position.board();
        match command.name.as_str() {
            "query_boardsize" => assert_eq!(text, self.setup.size().lines().to_string()),
            "get_komi" => assert_eq!(text, self.setup.komi().to_string()),
            "showboard" => assert_eq!(text, format!("\n{}", self.position)),
            "final_score" => assert!(parse_score(text).is_some(), "{text}"),
            "final_status_list" => {
                let points: Vec<Point> = text.split_whitespace().map(point).collect();
                assert!(points.iter().all(|&point| board.stone(point).is_some()));
                let distinct: PointSet = points.iter().copied().collect();
                assert_eq!(distinct.len(), points.len());
            }
            _ => {}
        }
    }

    /// Checks that a command which the session did not carry out is impossible, where that is told from
    /// the command and the board.
    pub(super) fn refuse(&self, command: &Command) {
        let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        let is_full = self.before.len() == GoGame::MAX_MOVES;
        match (command.name.as_str(), &words[..]) {
            ("boardsize", [lines]) => assert_eq!(size(lines), None),
            ("komi", [komi]) => assert_eq!(nearest_komi(komi), None, "{komi}"),
            ("play", words @ [_, _]) if !is_full => {
                for (color, mv) in moves(words).into_iter().flatten() {
                    self.position_of(color).check(mv).unwrap_err();
                }
            }
            ("genmove" | "reg_genmove" | "kgs-genmove_cleanup", [color]) if !is_full => {
                parse_color(color).unwrap_err();
            }
            ("undo" | "gg-undo", []) => assert!(self.before.is_empty(), "there is a move"),
            (
                "protocol_version" | "name" | "version" | "clear_board" | "query_boardsize"
                | "get_komi" | "final_score" | "showboard",
                [],
            ) => panic!("{command} is not carried out"),
            _ => {}
        }
    }

    /// Begins a game without moves.
    fn begin(&mut self, setup: Setup) {
        self.position = Position::new(&setup);
        self.setup = setup;
        self.before.clear();
    }

    fn empty_setup(&self, size: Size) -> Setup {
        let setup = Setup::new(size).with_komi(self.setup.komi());
        setup.with_rules(self.rules)
    }

    fn resize(&mut self, size: Size) {
        self.begin(self.empty_setup(size));
    }

    fn set_komi(&mut self, komi: Komi) {
        self.setup = self.setup.clone().with_komi(komi);
        self.position.set_komi(komi);
    }

    fn set_rules(&mut self, name: &str) {
        self.rules = name.parse().expect("rules");
        if self.before.is_empty() {
            self.begin(self.setup.clone().with_rules(self.rules));
        }
    }

    fn give_fixed_handicap(&mut self, count: usize, text: &str) {
        let points = fixed_handicap(self.setup.size(), count).expect("a fixed handicap");
        let names: Vec<String> = points.map(|point| point.to_string()).collect();
        assert_eq!(names.join(" "), text);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.give_handicap(&names);
    }

    fn give_handicap(&mut self, points: &[&str]) {
        assert_eq!(self.position.board().stone_count(), 0, "there are stones");
        let empty = self.empty_setup(self.setup.size());
        let setup = empty.with_handicap(points.iter().map(|text| point(text)));
        self.begin(setup.expect("a handicap"));
    }

    fn undo(&mut self) {
        let (color, before) = self.before.pop().expect("a move");
        self.position = before;
        self.position.set_side_to_move(color);
        // A komi that was set since then stays.
        self.position.set_komi(self.setup.komi());
    }

    fn load(&mut self, path: &str, count: usize) {
        let text = load(path).expect("a file");
        let record: Record = text.parse().expect("a record");
        let setup = record.game.setup().clone().with_rules(self.rules);
        self.begin(setup);
        for &(color, mv) in record.game.moves().iter().take(count) {
            self.play(color, mv);
        }
    }

    fn set_up(&mut self, words: &[&str]) {
        let mut stones: ByColor<PointSet> = ByColor::default();
        for (color, mv) in moves(words).expect("stones") {
            let point = mv.point().expect("a point");
            stones[!color].remove(point);
            stones[color].insert(point);
        }
        self.begin_with(stones, self.position.side_to_move());
    }

    fn set_player(&mut self, side: Color) {
        let mut stones: ByColor<PointSet> = ByColor::default();
        for (point, color) in self.position.board().stones() {
            stones[color].insert(point);
        }
        self.begin_with(stones, side);
    }

    fn begin_with(&mut self, stones: ByColor<PointSet>, first: Color) {
        let setup = self.setup.clone().with_rules(self.rules);
        let setup = setup.with_stones(stones).expect("stones that can be");
        self.begin(setup.with_first(first));
    }
}

/// Returns the komi that a number of points is rounded to.
fn nearest_komi(word: &str) -> Option<Komi> {
    word.parse().ok().and_then(Komi::nearest)
}

/// Returns the size of a board of 1 to 25 lines, given in decimal digits.
fn size(lines: &str) -> Option<Size> {
    let is_number = !lines.is_empty() && lines.bytes().all(|byte| byte.is_ascii_digit());
    let lines = lines.trim_start_matches('0').parse().ok()?;
    Size::new(lines).filter(|_| is_number)
}

fn number(word: &str) -> usize {
    word.parse().expect("a number")
}

fn point(text: &str) -> Point {
    text.parse().expect("a point")
}

/// Returns the moves of words that are colours and vertices, by turns.
fn moves(words: &[&str]) -> Option<Vec<(Color, Move)>> {
    let (pairs, []) = words.as_chunks() else {
        return None;
    };
    let read = |[color, vertex]: &[&str; 2]| Some((parse_color(color).ok()?, vertex.parse().ok()?));
    pairs.iter().map(read).collect()
}
