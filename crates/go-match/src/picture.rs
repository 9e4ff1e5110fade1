//! Pictures of judged positions.

use std::fmt;

use boardgame_core::Color;
use go_core::{Point, PointSet, star_points};

use crate::Judgement;

/// The colour of lines, black stones and outlines.
const BLACK: &str = "#111";

/// The colour of white stones.
const WHITE: &str = "#fff";

/// The colour of the crosses on dead stones.
const RED: &str = "#d11";

/// The width of the border with the coordinates, outside the outer lines.
const BORDER: f32 = 1.4;

/// The diameters of stones, marks of territory and star points; two lines are a distance of 1 apart.
const STONE: f32 = 0.94;
const TERRITORY: f32 = 0.3;
const STAR: f32 = 0.24;

/// The width of the outline of white shapes.
const OUTLINE: f32 = 0.04;

/// The picture of a judged position, displayed as an SVG document.
///
/// Dead stones are crossed out, points of territory have a small square in the colour of their owner, and stones
/// added by the judge are pale.
///
/// # Examples
///
/// ```
/// use go_core::Position;
/// use go_match::{Judge, Picture};
///
/// let position = Position::new(&"5x5 black C3".parse()?);
/// let judgement = Judge::default().judge(&position);
/// let picture = Picture { judgement: &judgement, last_move: Some("C3".parse()?) };
/// assert!(picture.to_string().starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The position with its judgement.
    pub judgement: &'a Judgement,
    /// The point of the last stone played, which is marked.
    pub last_move: Option<Point>,
}

impl Picture<'_> {
    /// Returns the number of the last line, counted from 0.
    const fn last_line(&self) -> u8 {
        self.judgement.board.size().lines() - 1
    }

    /// Returns the place of a point: to the right and down from the upper left point.
    const fn place(&self, point: Point) -> (u8, u8) {
        (point.column(), self.last_line() - point.row())
    }

    /// Writes a dot on each point: a path segment of no length, whose round ends show.
    fn write_dots(
        &self,
        f: &mut fmt::Formatter<'_>,
        points: PointSet,
        color: &str,
        width: f32,
    ) -> fmt::Result {
        if points.is_empty() {
            return Ok(());
        }
        write!(
            f,
            "<path stroke=\"{color}\" stroke-width=\"{width:.2}\" d=\""
        )?;
        for point in points.iter() {
            let (x, y) = self.place(point);
            write!(f, "M{x} {y}h0")?;
        }
        writeln!(f, "\"/>")
    }

    /// Writes dots in the colour of a side, white ones with an outline.
    fn write_side(
        &self,
        f: &mut fmt::Formatter<'_>,
        side: Color,
        points: PointSet,
        width: f32,
    ) -> fmt::Result {
        self.write_dots(f, points, BLACK, width)?;
        match side {
            Color::Black => Ok(()),
            Color::White => self.write_dots(f, points, WHITE, width - 2.0 * OUTLINE),
        }
    }

    fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last_line();
        write!(
            f,
            "<path stroke=\"{BLACK}\" stroke-width=\"0.04\" stroke-linecap=\"square\" d=\""
        )?;
        for line in 0..=last {
            write!(f, "M0 {line}h{last}M{line} 0v{last}")?;
        }
        writeln!(f, "\"/>")
    }

    /// Writes the letters of columns and the numbers of rows, on both sides of the board.
    fn write_coordinates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "<g font-family=\"sans-serif\" font-size=\"0.5\" text-anchor=\"middle\" fill=\"{BLACK}\">"
        )?;
        let last = self.last_line();
        let (near, far) = (-0.95, f32::from(last) + 0.95);
        // The base line of the text is below its middle.
        let below = 0.18;
        for line in 0..=last {
            let Some(point) = Point::new(line, line) else {
                continue;
            };
            let (x, y) = self.place(point);
            let (letter, number) = (point.column_letter(), u16::from(line) + 1);
            let base = f32::from(y) + below;
            for end in [near, far] {
                let side = end + below;
                write!(f, "<text x=\"{x}\" y=\"{side:.2}\">{letter}</text>")?;
                write!(f, "<text x=\"{end:.2}\" y=\"{base:.2}\">{number}</text>")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "</g>")
    }

    /// Writes the stones; those added by the judge are pale.
    fn write_stones(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let added: PointSet = self.judgement.filled.iter().map(|it| it.1).collect();
        let stones = |side| {
            let stones = self.judgement.board.stones();
            stones.filter_map(move |(point, color)| (color == side).then_some(point))
        };
        for side in Color::ALL {
            let all: PointSet = stones(side).collect();
            self.write_side(f, side, all - added, STONE)?;
        }
        if added.is_empty() {
            return Ok(());
        }
        writeln!(f, "<g opacity=\"0.4\">")?;
        for side in Color::ALL {
            let all: PointSet = stones(side).collect();
            self.write_side(f, side, all & added, STONE)?;
        }
        writeln!(f, "</g>")
    }

    /// Writes a square on each empty point of territory.
    fn write_territory(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let empty: PointSet = self.judgement.board.empty_points().collect();
        writeln!(f, "<g stroke-linecap=\"square\">")?;
        for side in Color::ALL {
            let points = self.judgement.score.territory[side] & empty;
            self.write_side(f, side, points, TERRITORY)?;
        }
        writeln!(f, "</g>")
    }

    fn write_crosses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dead = self.judgement.status.dead;
        if dead.is_empty() {
            return Ok(());
        }
        write!(f, "<path stroke=\"{RED}\" stroke-width=\"0.12\" d=\"")?;
        for point in dead.iter() {
            let (x, y) = self.place(point);
            write!(f, "M{x} {y}m-.2-.2l.4.4m0-.4l-.4.4")?;
        }
        writeln!(f, "\"/>")
    }

    /// Writes a ring on the last stone.
    fn write_last_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stone = |point| Some((point, self.judgement.board.stone(point)?));
        let Some((point, color)) = self.last_move.and_then(stone) else {
            return Ok(());
        };
        let (x, y) = self.place(point);
        let ring = match color {
            Color::Black => WHITE,
            Color::White => BLACK,
        };
        writeln!(
            f,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"0.26\" stroke=\"{ring}\" stroke-width=\"0.08\"/>"
        )
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = f32::from(self.last_line()) + 2.0 * BORDER;
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\" height=\"600\" \
             viewBox=\"-{BORDER} -{BORDER} {side:.1} {side:.1}\" fill=\"none\" stroke-linecap=\"round\">"
        )?;
        writeln!(
            f,
            "<rect x=\"-{BORDER}\" y=\"-{BORDER}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"#f6e7c8\"/>"
        )?;
        self.write_lines(f)?;
        self.write_coordinates(f)?;
        let stars = star_points(self.judgement.board.size());
        self.write_dots(f, stars, BLACK, STAR)?;
        self.write_stones(f)?;
        self.write_territory(f)?;
        self.write_crosses(f)?;
        self.write_last_move(f)?;
        writeln!(f, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use go_core::Position;

    use super::*;
    use crate::Judge;

    #[test]
    fn a_small_board_is_drawn_with_all_marks() {
        let walls = "5x5 komi 0.5 black B1 B2 B3 B4 B5 C2 E2 white D1 D2 D3 D4 D5 E3";
        let judgement = Judge::default().judge(&Position::new(&walls.parse().unwrap()));
        let picture = Picture {
            judgement: &judgement,
            last_move: Some("E3".parse().unwrap()),
        };
        insta::assert_snapshot!(picture);
    }

    #[test]
    fn a_board_without_stones_has_no_marks() {
        let judgement = Judge::default().judge(&Position::new(&"9x9".parse().unwrap()));
        let picture = Picture {
            judgement: &judgement,
            last_move: None,
        };
        let text = picture.to_string();
        assert!(!text.contains(WHITE) && !text.contains(RED), "{text}");
        // The star points.
        assert_eq!(text.matches("h0").count(), 5, "{text}");
    }
}
