//! Line charts as SVG: a grid, curves and a key.
//!
//! Charting crates would pull in font and bitmap libraries for a few lines.

use std::fmt::{self, Write as _};

use boardgame_io::escaped;

/// A line chart.
///
/// # Examples
///
/// ```
/// use boardgame_cli::matches::{Chart, Curve, Point};
///
/// let chart = Chart {
///     title: "Error by discs".into(),
///     x_label: "discs".into(),
///     y_label: "error in discs".into(),
///     curves: vec![Curve {
///         name: "epoch 1".into(),
///         points: vec![Point::new(4.0, 2.0), Point::new(5.0, 1.5)],
///     }],
///     ..Chart::default()
/// };
/// assert!(chart.to_string().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis, which has whole numbers.
    pub x_label: String,
    /// The scale of the horizontal axis.
    pub x_scale: Scale,
    /// The label of the vertical axis, which includes 0.
    pub y_label: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// In proportion to the numbers.
    #[default]
    Linear,
    /// In proportion to the logarithms of the numbers, with grid lines at powers of two.
    Log2,
}

impl Scale {
    /// Returns the place of a number on the axis.
    fn place(self, number: f64) -> f64 {
        match self {
            Self::Linear => number,
            Self::Log2 => number.log2(),
        }
    }

    /// Returns the number at a place on the axis.
    fn number(self, place: f64) -> f64 {
        match self {
            Self::Linear => place,
            Self::Log2 => place.exp2(),
        }
    }
}

/// A curve of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The name in the key, empty for a curve without an entry in the key.
    pub name: String,
    /// The points from left to right. Those that are not finite, or have no place on the scale, are skipped.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
    /// The vertical interval, from low to high, drawn as an error bar if both ends are finite.
    pub interval: Option<[f64; 2]>,
}

impl Point {
    /// A point without an interval.
    pub const fn new(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            interval: None,
        }
    }

    fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    fn bar(self) -> Option<[f64; 2]> {
        self.interval
            .filter(|ends| ends.iter().all(|end| end.is_finite()))
    }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
// The margins.
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// The maximum number of grid lines in each direction, about.
const MAX_LINES: f64 = 10.0;
/// Half the width of the ends of an error bar.
const CAP: f64 = 5.0;
const GRID: &str = "#ddd";
/// A palette for all types of colour vision (Okabe and Ito, "Color universal design", 2008).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// An axis: its range and grid.
#[derive(Clone, Copy)]
struct Axis {
    min: f64,
    max: f64,
    /// The distance of grid lines.
    step: f64,
}

impl Axis {
    /// Creates an axis for a range of numbers, extended to grid lines at least `min_step` apart.
    fn over(numbers: impl Iterator<Item = f64>, min_step: f64) -> Self {
        let range = |(min, max): (f64, f64), number: f64| (min.min(number), max.max(number));
        let (min, max) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), range);
        let (min, max) = if min < max {
            (min, max)
        } else if min.is_finite() {
            (min, min + 1.0)
        } else {
            (0.0, 1.0)
        };
        // The smallest of 1, 2 and 5 times a power of ten that does not give too many lines.
        let rough = (max - min) / MAX_LINES;
        let power = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        let step = round.into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough).max(min_step);
        Self {
            min: (min / step).floor() * step,
            max: (max / step).ceil() * step,
            step,
        }
    }

    fn lines(self) -> impl Iterator<Item = f64> {
        let count = ((self.max - self.min) / self.step).round() as u32;
        (0..=count).map(move |line| self.min + f64::from(line) * self.step)
    }

    /// The position of a number between the two ends, 0 to 1.
    fn share(self, number: f64) -> f64 {
        (number - self.min) / (self.max - self.min)
    }
}

/// The axes of a chart.
struct Axes {
    x_scale: Scale,
    horizontal: Axis,
    vertical: Axis,
}

impl Axes {
    fn of(chart: &Chart) -> Self {
        let x_scale = chart.x_scale;
        let points = || chart.curves.iter().flat_map(|curve| curve.finite(x_scale));
        let heights = points().flat_map(|point| {
            let ends = point.bar().into_iter().flatten();
            ends.chain([point.y])
        });
        Self {
            x_scale,
            horizontal: Axis::over(points().map(|point| point.x), 1.0),
            vertical: Axis::over(heights.chain([0.0]), 0.0),
        }
    }

    fn x(&self, number: f64) -> f64 {
        LEFT + self.horizontal.share(number) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, number: f64) -> f64 {
        HEIGHT - BOTTOM - self.vertical.share(number) * (HEIGHT - TOP - BOTTOM)
    }

    /// Draws the grid lines with their numbers.
    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            x_scale,
            horizontal,
            vertical,
        } = self;
        for place in horizontal.lines() {
            let x = self.x(place);
            line(
                f,
                [(x, self.y(vertical.min)), (x, self.y(vertical.max))],
                GRID,
            )?;
            text(
                f,
                (x, HEIGHT - BOTTOM + 16.0),
                "middle",
                &label(x_scale.number(place)),
            )?;
        }
        for number in vertical.lines() {
            let y = self.y(number);
            line(
                f,
                [(self.x(horizontal.min), y), (self.x(horizontal.max), y)],
                GRID,
            )?;
            text(f, (LEFT - 6.0, y + 4.0), "end", &label(number))?;
        }
        Ok(())
    }
}

impl fmt::Display for Chart {
    /// Prints the chart as an SVG document of 720 by 440 pixels.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">"#
        )?;
        writeln!(f, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
        text(f, (WIDTH / 2.0, 22.0), "middle", &self.title)?;
        text(f, (WIDTH / 2.0, HEIGHT - 12.0), "middle", &self.x_label)?;
        text(f, (8.0, TOP - 12.0), "start", &self.y_label)?;
        let axes = Axes::of(self);
        axes.draw(f)?;
        for (number, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            curve.draw(f, &axes, colour)?;
            if !curve.name.is_empty() {
                key(f, number, &curve.name, colour)?;
            }
        }
        writeln!(f, "</svg>")
    }
}

impl Curve {
    /// Returns the finite points with their places on the horizontal axis.
    fn finite(&self, x_scale: Scale) -> impl Iterator<Item = Point> {
        let points = self.points.iter().map(move |point| Point {
            x: x_scale.place(point.x),
            ..*point
        });
        points.filter(|point| point.is_finite())
    }

    fn draw(&self, f: &mut fmt::Formatter<'_>, axes: &Axes, colour: &str) -> fmt::Result {
        let mut points = String::new();
        let finite = || self.finite(axes.x_scale);
        for point in finite() {
            write!(points, "{:.1},{:.1} ", axes.x(point.x), axes.y(point.y))?;
        }
        writeln!(
            f,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#,
            points.trim_end()
        )?;
        for (point, ends) in finite().filter_map(|p| p.bar().map(|ends| (p, ends))) {
            let x = axes.x(point.x);
            let [low, high] = ends.map(|end| axes.y(end));
            line(f, [(x, low), (x, high)], colour)?;
            for y in [low, high] {
                line(f, [(x - CAP, y), (x + CAP, y)], colour)?;
            }
            let y = axes.y(point.y);
            writeln!(
                f,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{colour}"/>"#
            )?;
        }
        Ok(())
    }
}

/// Draws the entry of a curve in the key.
fn key(f: &mut fmt::Formatter<'_>, number: usize, name: &str, colour: &str) -> fmt::Result {
    let y = TOP + 16.0 * (number as f64 + 1.0);
    writeln!(
        f,
        r#"<rect x="{}" y="{}" width="12" height="3" fill="{colour}"/>"#,
        WIDTH - RIGHT - 170.0,
        y - 5.0
    )?;
    text(f, (WIDTH - RIGHT - 152.0, y), "start", name)
}

/// The label of a grid line, without trailing zeros.
fn label(number: f64) -> String {
    // Adding 0 turns a negative zero into a positive one.
    format!("{}", (number * 1000.0).round() / 1000.0 + 0.0)
}

fn line(f: &mut fmt::Formatter<'_>, [from, to]: [(f64, f64); 2], colour: &str) -> fmt::Result {
    writeln!(
        f,
        r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{colour}"/>"#,
        from.0, from.1, to.0, to.1
    )
}

fn text(f: &mut fmt::Formatter<'_>, at: (f64, f64), anchor: &str, text: &str) -> fmt::Result {
    let (x, y) = at;
    let text = escaped(text);
    writeln!(
        f,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, points: &[(f64, f64)]) -> Curve {
        let points = points.iter().map(|&(x, y)| Point::new(x, y));
        Curve {
            name: name.into(),
            points: points.collect(),
        }
    }

    #[test]
    fn curves_lie_on_a_grid_of_round_numbers() {
        let chart = Chart {
            title: "a < b & c".into(),
            curves: vec![
                curve("one", &[(4.0, 1.0), (f64::NAN, 3.0), (60.0, 19.0)]),
                curve("two", &[(10.0, f64::NAN), (20.0, 2.0)]),
            ],
            ..Chart::default()
        };
        let svg = chart.to_string();
        assert!(svg.contains(">a &lt; b &amp; c</text>"), "{svg}");
        // From 0 to 60 in tens, and from 0 to 20 in twos.
        assert!(svg.contains(r#"points="102.7,372.5 700.0,57.5""#), "{svg}");
        assert!(svg.contains(r#"points="273.3,355.0""#), "{svg}");
        for label in [">60<", ">20<", ">18<", ">one<", ">two<"] {
            assert!(svg.contains(label), "{label} in {svg}");
        }
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn intervals_are_bars_that_fit_in_the_chart() {
        let point = |x, y, interval| Point {
            interval: Some(interval),
            ..Point::new(x, y)
        };
        let chart = Chart {
            curves: vec![Curve {
                points: vec![
                    point(0.0, -30.0, [-45.0, -15.0]),
                    point(1.0, 10.0, [f64::NEG_INFINITY, 50.0]),
                    point(2.0, 25.0, [10.0, 40.0]),
                ],
                ..Curve::default()
            }],
            ..Chart::default()
        };
        let svg = chart.to_string();
        // From -50 to 40 in tens, the lowest and the highest end within; 0, 1 and 2 across.
        let lines = svg.matches("#ddd").count();
        assert_eq!(lines, 10 + 3, "{svg}");
        for label in [">-50<", ">40<", ">2<"] {
            assert!(svg.contains(label), "{label} in {svg}");
        }
        assert!(!svg.contains(">0.5<"), "{svg}");
        let low = r##"<line x1="60.0" y1="370.6" x2="60.0" y2="253.9" stroke="#0072b2"/>"##;
        assert!(svg.contains(low), "{svg}");
        // Two bars with two ends each; the infinite bar is omitted, but not its point.
        assert_eq!(svg.matches("stroke=\"#0072b2\"/>").count(), 6, "{svg}");
        assert!(
            svg.contains(r#"points="60.0,312.2 380.0,156.7 700.0,98.3""#),
            "{svg}"
        );
        // A curve without a name has no entry in the key.
        assert_eq!(svg.matches("<rect").count(), 1, "{svg}");
        assert!(!svg.contains("inf"), "{svg}");
    }

    #[test]
    fn doublings_are_equally_far_apart_on_a_scale_of_logarithms() {
        let chart = Chart {
            x_scale: Scale::Log2,
            curves: vec![curve(
                "",
                &[(0.0, 5.0), (100.0, 1.0), (200.0, 2.0), (400.0, 3.0)],
            )],
            ..Chart::default()
        };
        let svg = chart.to_string();
        // From 64 to 512 = 3 doublings on 640 pixels; there is no place for 0.
        assert!(
            svg.contains(r#"points="197.4,273.3 410.7,156.7 624.0,40.0""#),
            "{svg}"
        );
        for label in [">64<", ">128<", ">256<", ">512<"] {
            assert!(svg.contains(label), "{label} in {svg}");
        }
        assert!(!svg.contains("inf"), "{svg}");
    }

    #[test]
    fn few_points_or_none_make_a_picture_too() {
        let chart = Chart {
            curves: vec![curve("", &[(10.0, 0.0)])],
            ..Chart::default()
        };
        let svg = chart.to_string();
        assert!(svg.contains(r#"points="60.0,390.0""#), "{svg}");
        assert!(svg.contains(">10<") && svg.contains(">11<"), "{svg}");
        let svg = Chart::default().to_string();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
