//! Printed boards.

use std::fmt;

use anstyle::{Ansi256Color, AnsiColor, Style as Paint};
use boardgame_cli::terminal::Style;
use othello_core::{Board, Color, Game, Move, Square};

/// A diagram of a board: coordinates, discs, the legal moves by name, and the last move in parentheses; below, the
/// numbers of discs and the side to move.
///
/// Black is `X` or `●`, White `O` or `○`, and an empty square `-` or `·`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diagram {
    board: Board,
    last: Option<Square>,
    cursor: Option<Square>,
    style: Style,
}

const BOARD: Paint = Paint::new().bg_color(Some(anstyle::Color::Ansi256(Ansi256Color(28))));
const LAST: Paint = Paint::new().bg_color(Some(anstyle::Color::Ansi256(Ansi256Color(22))));
const CURSOR: Paint = Paint::new().bg_color(Some(anstyle::Color::Ansi256(Ansi256Color(136))));
const BLACK: anstyle::Color = anstyle::Color::Ansi256(Ansi256Color(16));
const WHITE: anstyle::Color = anstyle::Color::Ansi(AnsiColor::BrightWhite);

impl Diagram {
    /// Returns a diagram of the final board of a game, in the style of standard output.
    pub(crate) fn of(game: &Game) -> Self {
        Self {
            board: game.board(),
            last: game.last_move().and_then(Move::square),
            cursor: None,
            style: Style::of_stdout(),
        }
    }

    /// Shows a cursor on a square.
    pub(crate) const fn with_cursor(self, square: Square) -> Self {
        Self {
            cursor: Some(square),
            ..self
        }
    }

    const fn disc(self, color: Color) -> char {
        match (self.style, color) {
            (Style::Symbols, Color::Black) => '●',
            (Style::Symbols, Color::White) => '○',
            _ => color.disc(),
        }
    }

    /// Returns the three characters of a square.
    fn text(self, square: Square) -> String {
        let cursor = self.cursor == Some(square);
        let (open, close) = if self.last == Some(square) {
            ('(', ')')
        } else {
            (' ', ' ')
        };
        let open = if cursor { '>' } else { open };
        match self.board.disc(square) {
            Some(color) => format!("{open}{}{close}", self.disc(color)),
            None if self.board.legal_moves().contains(square) => format!("{open}{square}"),
            None if self.style == Style::Symbols => format!("{open}·{close}"),
            None => format!("{open}-{close}"),
        }
    }

    fn paint(self, square: Square) -> Paint {
        if !self.style.has_colors() {
            return Paint::new();
        }
        let ground = match Some(square) {
            square if square == self.cursor => CURSOR,
            square if square == self.last => LAST,
            _ => BOARD,
        };
        match self.board.disc(square) {
            Some(Color::White) => ground.fg_color(Some(WHITE)).bold(),
            _ => ground.fg_color(Some(BLACK)),
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COLUMNS: &str = "   a  b  c  d  e  f  g  h";
        writeln!(f, "{COLUMNS}")?;
        for row in Square::ALL.chunks_exact(8) {
            let digit = row[0].row_digit();
            write!(f, "{digit} ")?;
            for &square in row {
                let (paint, text) = (self.paint(square), self.text(square));
                write!(f, "{paint}{text}{paint:#}")?;
            }
            writeln!(f, " {digit}")?;
        }
        writeln!(f, "{COLUMNS}")?;
        for (color, end) in [(Color::Black, ", "), (Color::White, "; ")] {
            let count = self.board.discs(color).count();
            write!(f, "{color} {} {count}{end}", self.disc(color))?;
        }
        if self.board.is_over() {
            f.write_str("game over")
        } else {
            write!(f, "{} to move", self.board.side_to_move())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(style: Style) -> Diagram {
        let game: Game = "f5d6".parse().unwrap();
        Diagram {
            style,
            ..Diagram::of(&game).with_cursor(Square::E3)
        }
    }

    #[test]
    fn a_plain_board_is_ascii() {
        let shown = diagram(Style::Plain).to_string();
        assert!(shown.is_ascii(), "{shown}");
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn colours_and_symbols_change_no_place() {
        let seen = |style| without_colours(&diagram(style).to_string());
        let plain = diagram(Style::Plain).to_string();
        assert_eq!(seen(Style::Colors), plain);
        let symbols = plain.replace('X', "●").replace('O', "○").replace('-', "·");
        assert_eq!(seen(Style::Symbols), symbols);
    }

    #[test]
    fn a_printed_board_reads_back() {
        let game: Game = "f5d6c3d3c4f4f6f3e6e7".parse().unwrap();
        for style in [Style::Plain, Style::Symbols] {
            let shown = Diagram {
                style,
                ..Diagram::of(&game).with_cursor(Square::F7)
            };
            let seen = without_colours(&shown.to_string());
            assert_eq!(seen.parse(), Ok(game.board()), "{seen}");
        }
    }

    #[test]
    fn each_kind_of_square_has_a_colour_of_its_own() {
        let shown = diagram(Style::Symbols).to_string();
        insta::assert_snapshot!(shown.replace('\u{1b}', "ESC"));
    }

    #[test]
    fn a_game_without_moves_is_over() {
        let board: Board = ("-".repeat(63) + "O X").parse().unwrap();
        let shown = Diagram::of(&Game::new(board)).to_string();
        assert!(
            shown.ends_with("Black X 0, White O 1; game over"),
            "{shown}"
        );
    }

    /// Removes control sequences from a text.
    fn without_colours(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |seen, part| {
            seen + part.split_once('m').map_or("", |(_, rest)| rest)
        })
    }
}
