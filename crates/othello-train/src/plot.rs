//! Curves as SVG.
//!
//! What is drawn here is a grid, a few curves and their names. The crates that draw charts bring
//! fonts, bitmaps and back ends along for it, so these lines are written here.

use std::fmt::{self, Write as _};

/// A chart of curves over one axis.
///
/// # Examples
///
/// ```
/// use othello_train::Chart;
///
/// let chart = Chart {
///     title: "Error by discs".into(),
///     across: "discs".into(),
///     up: "discs off".into(),
///     curves: vec![("epoch 1".into(), vec![(4.0, 2.0), (5.0, 1.5)])],
/// };
/// assert!(chart.to_string().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis counts.
    pub across: String,
    /// What the vertical axis counts, from 0.
    pub up: String,
    /// The curves with their names; points that are not finite are left out.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
/// From the edges to the axes.
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// At most so many lines of the grid in each direction.
const LINES: f64 = 10.0;
/// Told apart also by those who see few colours (Okabe and Ito, "Color universal design", 2008).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// The numbers along an axis.
#[derive(Clone, Copy)]
struct Axis {
    least: f64,
    most: f64,
    /// Between two lines of the grid.
    step: f64,
}

impl Axis {
    /// An axis for these numbers, from and to a line of the grid.
    fn over(numbers: impl Iterator<Item = f64>) -> Self {
        let range = |(least, most): (f64, f64), number: f64| (least.min(number), most.max(number));
        let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), range);
        let (least, most) = if least < most {
            (least, most)
        } else {
            (0.0, 1.0)
        };
        // The least of 1, 2 and 5 times a power of ten that does not give too many lines.
        let rough = (most - least) / LINES;
        let power = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        let step = round.into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        Self {
            least: (least / step).floor() * step,
            most: (most / step).ceil() * step,
            step,
        }
    }

    fn lines(self) -> impl Iterator<Item = f64> {
        let count = ((self.most - self.least) / self.step).round() as u32;
        (0..=count).map(move |line| self.least + f64::from(line) * self.step)
    }

    /// Where a number lies between the two ends, 0 to 1.
    fn share(self, number: f64) -> f64 {
        (number - self.least) / (self.most - self.least)
    }
}

impl fmt::Display for Chart {
    /// The chart as a picture of its own, 720 by 440.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = || self.curves.iter().flat_map(|(_, curve)| finite(curve));
        let across = Axis::over(points().map(|(x, _)| x));
        let up = Axis::over(points().map(|(_, y)| y).chain([0.0]));
        let x = |number| LEFT + across.share(number) * (WIDTH - LEFT - RIGHT);
        let y = |number| HEIGHT - BOTTOM - up.share(number) * (HEIGHT - TOP - BOTTOM);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">"#
        )?;
        writeln!(f, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
        text(f, (WIDTH / 2.0, 22.0), "middle", &self.title)?;
        text(f, (WIDTH / 2.0, HEIGHT - 12.0), "middle", &self.across)?;
        text(f, (8.0, TOP - 12.0), "start", &self.up)?;
        for line in across.lines() {
            let ends = [(x(line), y(up.least)), (x(line), y(up.most))];
            grid(f, ends)?;
            text(f, (x(line), HEIGHT - BOTTOM + 16.0), "middle", &label(line))?;
        }
        for line in up.lines() {
            let ends = [(x(across.least), y(line)), (x(across.most), y(line))];
            grid(f, ends)?;
            text(f, (LEFT - 6.0, y(line) + 4.0), "end", &label(line))?;
        }
        for (number, (name, curve)) in self.curves.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let mut points = String::new();
            for (across, up) in finite(curve) {
                write!(points, "{:.1},{:.1} ", x(across), y(up))?;
            }
            writeln!(
                f,
                r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#,
                points.trim_end()
            )?;
            let key = TOP + 16.0 * (number as f64 + 1.0);
            writeln!(
                f,
                r#"<rect x="{}" y="{}" width="12" height="3" fill="{colour}"/>"#,
                WIDTH - RIGHT - 170.0,
                key - 5.0
            )?;
            text(f, (WIDTH - RIGHT - 152.0, key), "start", name)?;
        }
        writeln!(f, "</svg>")
    }
}

fn finite(curve: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let points = curve.iter().copied();
    points.filter(|(x, y)| x.is_finite() && y.is_finite())
}

/// A number of the grid without needless zeros.
fn label(number: f64) -> String {
    // Adding 0 makes of a negative zero a plain one.
    format!("{}", (number * 1000.0).round() / 1000.0 + 0.0)
}

fn grid(f: &mut fmt::Formatter<'_>, [from, to]: [(f64, f64); 2]) -> fmt::Result {
    writeln!(
        f,
        r##"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="#ddd"/>"##,
        from.0, from.1, to.0, to.1
    )
}

fn text(f: &mut fmt::Formatter<'_>, at: (f64, f64), anchor: &str, text: &str) -> fmt::Result {
    let (x, y) = at;
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(
        f,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_lie_on_a_grid_of_round_numbers() {
        let chart = Chart {
            title: "a < b & c".into(),
            curves: vec![
                (
                    "one".into(),
                    vec![(4.0, 1.0), (f64::NAN, 3.0), (60.0, 19.0)],
                ),
                ("two".into(), vec![(10.0, f64::NAN), (20.0, 2.0)]),
            ],
            ..Chart::default()
        };
        let svg = chart.to_string();
        assert!(svg.contains(">a &lt; b &amp; c</text>"), "{svg}");
        // From 0 to 60 in tens, and from 0 to 20 in twos.
        assert!(svg.contains(r#"points="102.7,372.5 700.0,57.5""#), "{svg}");
        assert!(svg.contains(r#"points="273.3,355.0""#), "{svg}");
        for label in [">60<", ">20<", ">18<"] {
            assert!(svg.contains(label), "{label} in {svg}");
        }
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn a_chart_without_points_is_a_picture_too() {
        let svg = Chart::default().to_string();
        assert!(
            svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"),
            "{svg}"
        );
    }
}
