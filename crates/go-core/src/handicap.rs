//! Handicap points, as in GTP's `fixed_handicap`.

use crate::{Point, PointSet, Size};

/// Returns the maximum fixed handicap of a size: 9 on odd sizes from 9x9 up, 4 on 7x7 and on even sizes from 8x8 up, 0
/// on others.
pub const fn max_fixed_handicap(size: Size) -> usize {
    match size.lines() {
        0..7 => 0,
        7 => 4,
        lines if lines % 2 == 0 => 4,
        _ => 9,
    }
}

/// Returns the points of a fixed handicap, in the order of GTP 2, section 4.1.1, or `None` unless the number of stones
/// is from 2 to [`max_fixed_handicap`].
///
/// The corner points are on the third line up to 11x11 and on the fourth line on larger boards, as in GNU Go, which
/// serves as the reference where GTP is unclear.
///
/// # Examples
///
/// ```
/// use go_core::{Size, fixed_handicap};
///
/// let points = fixed_handicap(Size::NINETEEN, 3).ok_or("too many stones")?;
/// let names: Vec<_> = points.map(|point| point.to_string()).collect();
/// assert_eq!(names, ["D4", "Q16", "D16"]);
/// # Ok::<(), &str>(())
/// ```
pub fn fixed_handicap(size: Size, stones: usize) -> Option<impl Iterator<Item = Point>> {
    if stones < 2 || stones > max_fixed_handicap(size) {
        return None;
    }
    let near = if size.lines() < 12 { 2 } else { 3 };
    // For odd numbers, the stone in the centre comes last.
    let has_centre = stones % 2 == 1 && stones >= 5;
    let (far, middle) = (size.lines() - 1 - near, size.lines() / 2);
    let sides = [
        (near, near),
        (far, far),
        (near, far),
        (far, near),
        (near, middle),
        (far, middle),
        (middle, near),
        (middle, far),
    ];
    let sides = sides.into_iter().take(stones - usize::from(has_centre));
    let centre = has_centre.then_some((middle, middle));
    Some(
        sides
            .chain(centre)
            .filter_map(|(column, row)| Point::new(column, row)),
    )
}

/// Returns the points marked in diagrams: the points of the maximum fixed handicap, without the side points up to
/// 11x11.
pub fn star_points(size: Size) -> PointSet {
    let max_stones = if size.lines() < 12 { 5 } else { 9 };
    let stones = max_fixed_handicap(size).min(max_stones);
    fixed_handicap(size, stones).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{string::String, string::ToString, vec::Vec};

    fn names(lines: u8, stones: usize) -> Option<String> {
        let points = fixed_handicap(Size::new(lines).unwrap(), stones)?;
        Some(
            points
                .map(|point| point.to_string())
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    #[test]
    fn handicaps_on_19x19_match_gtp() {
        for (stones, expected) in [
            (2, "D4 Q16"),
            (3, "D4 Q16 D16"),
            (4, "D4 Q16 D16 Q4"),
            (5, "D4 Q16 D16 Q4 K10"),
            (6, "D4 Q16 D16 Q4 D10 Q10"),
            (7, "D4 Q16 D16 Q4 D10 Q10 K10"),
            (8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
            (9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        ] {
            assert_eq!(names(19, stones).as_deref(), Some(expected));
        }
        assert_eq!((names(19, 1), names(19, 10)), (None, None));
    }

    #[test]
    fn other_sizes_have_different_lines_and_limits() {
        assert_eq!(names(9, 5).as_deref(), Some("C3 G7 C7 G3 E5"));
        assert_eq!(names(13, 2).as_deref(), Some("D4 K10"));
        assert_eq!(names(12, 2).as_deref(), Some("D4 J9"));
        assert_eq!(names(11, 2).as_deref(), Some("C3 J9"));
        assert_eq!(names(7, 4).as_deref(), Some("C3 E5 C5 E3"));
        let limits = (1..=25).map(|lines| max_fixed_handicap(Size::new(lines).unwrap()));
        let expected = [
            0, 0, 0, 0, 0, 0, 4, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9,
        ];
        assert!(limits.eq(expected));
        assert_eq!(names(6, 2), None);
        assert_eq!((names(7, 5), names(8, 5)), (None, None));
    }

    #[test]
    fn diagrams_mark_handicap_points() {
        assert_eq!(star_points(Size::NINE).to_string(), "C3 G3 E5 C7 G7");
        assert_eq!(star_points(Size::new(13).unwrap()).len(), 9);
        assert_eq!(star_points(Size::NINETEEN).len(), 9);
        assert_eq!(star_points(Size::new(8).unwrap()).len(), 4);
        assert!(star_points(Size::MIN).is_empty());
    }
}
