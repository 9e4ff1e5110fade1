//! The features that a move may have, and the places of their weights.

use std::{
    collections::HashMap,
    fmt::{self, Display},
    ops::Range,
    sync::LazyLock,
};

/// The lines from the edges of the points of an open corner.
pub(super) const CORNERS: [(u8, u8); 6] = [(3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5)];

/// A feature of a move, besides the pattern around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// The distance from the last stone: columns, rows and the larger of both, 2 to 17.
    Distance(u8),
    /// The distance from the stone before it.
    DistanceBefore(u8),
    /// The move captures 1, 2 or more stones, 3 standing for all that are more; `saves` if they have an own
    /// chain beside them that is in atari.
    Capture { stones: u8, saves: bool },
    /// The move extends a chain of 1, 2 or more stones that is in atari; `works` if it escapes.
    Escape { stones: u8, works: bool },
    /// The move puts 1, 2 or more own stones into atari.
    SelfAtari(u8),
    /// The move puts a chain into atari, which `catches` it if it cannot run.
    Atari { catches: bool },
    /// The line from the edge, 1 to 6, and the distance from the nearest stone, 1 to 5.
    Line { line: u8, distance: u8 },
    /// The lines from the two edges of an open corner, 3 to 5, the lower one first.
    Corner { low: u8, high: u8 },
    /// The liberties of the chain after the move, 2 to 5.
    Liberties(u8),
    /// The share of simulations in which the point belongs to the side to move at their end, in eighths, 0 to 7.
    Owner(u8),
    /// The move continues a joseki, and `answers` the last stone if that is in the same corner as a stone of the side
    /// to move.
    Joseki { answers: bool },
    /// The move captures the opponent's last stone.
    Recapture,
    /// The move captures a chain that is dead already.
    CaptureDead,
    /// The move is at the last liberty of an own chain that is dead already.
    EscapeDead,
    /// The move is an atari that catches a chain of 1, 2 or more stones, which may be dead already.
    Catches { stones: u8, dead: bool },
    /// The move is an atari on two living chains, neither of which it catches.
    DoubleAtari,
    /// The move saves a chain of 1, 2 or more stones that has two liberties and would be caught by an atari. It may be
    /// dead all the same.
    Defends { stones: u8, dead: bool },
    /// The chain of the move has two liberties then, and an atari catches it.
    Caught,
    /// The move catches a chain of 1, 2 or more stones that has two liberties, without an atari.
    Nets { stones: u8 },
    /// The move leaves two of three liberties to a chain of 1, 2 or more stones, and an atari would catch it then.
    Threatens { stones: u8 },
    /// The number of uncertain stones around the point, a level of [`Stakes`].
    Stakes(u8),
}

impl Feature {
    /// The number of features.
    pub(crate) const COUNT: usize = 128;

    const CAPTURE: usize = 32;
    const ESCAPE: usize = 38;
    const SELF_ATARI: usize = 44;
    const ATARI: usize = 47;
    const LINE: usize = 49;
    /// The lines of points that are not beside a stone.
    const FAR_LINE: usize = 55;
    const CORNER: usize = 79;
    const LIBERTIES: usize = 85;
    const OWNER: usize = 89;
    const JOSEKI: usize = 97;
    const RECAPTURE: usize = 99;
    const CAPTURE_DEAD: usize = 100;
    const ESCAPE_DEAD: usize = 101;
    const CATCHES: usize = 102;
    const DOUBLE_ATARI: usize = 108;
    const DEFENDS: usize = 109;
    const CAUGHT: usize = 115;
    const NETS: usize = 116;
    const THREATENS: usize = 119;
    const STAKES: usize = 122;

    /// The features of which [`ChainFeatures`] keeps a bit, and [`Feature::Caught`].
    pub(crate) const CHAINS: Range<usize> = Self::RECAPTURE..Self::STAKES;

    /// The number of groups of these features.
    pub(crate) const CHAIN_GROUPS: usize = 9;

    /// The places of features of which a move has at most one each. A move that puts its own stones into atari has no
    /// count of liberties.
    pub(crate) const GROUPS: [Range<usize>; 22] = [
        0..16,
        16..Self::CAPTURE,
        Self::CAPTURE..Self::ESCAPE,
        Self::ESCAPE..Self::SELF_ATARI,
        Self::SELF_ATARI..Self::ATARI,
        Self::ATARI..Self::LINE,
        Self::LINE..Self::FAR_LINE,
        Self::FAR_LINE..Self::CORNER,
        Self::CORNER..Self::LIBERTIES,
        Self::LIBERTIES..Self::OWNER,
        Self::OWNER..Self::JOSEKI,
        Self::JOSEKI..Self::RECAPTURE,
        Self::RECAPTURE..Self::CAPTURE_DEAD,
        Self::CAPTURE_DEAD..Self::ESCAPE_DEAD,
        Self::ESCAPE_DEAD..Self::CATCHES,
        Self::CATCHES..Self::DOUBLE_ATARI,
        Self::DOUBLE_ATARI..Self::DEFENDS,
        Self::DEFENDS..Self::CAUGHT,
        Self::CAUGHT..Self::NETS,
        Self::NETS..Self::THREATENS,
        Self::THREATENS..Self::STAKES,
        Self::STAKES..Self::COUNT,
    ];

    /// The groups that a fit leaves alone: games of self-play do not determine their weights.
    pub(crate) const FIXED: [Range<usize>; 5] = [
        0..16,
        16..Self::CAPTURE,
        Self::FAR_LINE..Self::CORNER,
        Self::CORNER..Self::LIBERTIES,
        Self::JOSEKI..Self::RECAPTURE,
    ];

    /// Returns the feature of a name, as it is displayed, or `None` if there is none.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        static BY_NAME: LazyLock<HashMap<String, Feature>> = LazyLock::new(|| {
            let all = (0..Feature::COUNT).map(Feature::from_index);
            all.map(|feature| (feature.to_string(), feature)).collect()
        });
        BY_NAME.get(name).copied()
    }

    /// Returns the place of the feature's weight.
    pub(crate) fn index(self) -> usize {
        let place = |first: usize, value: u8, least: u8| first + usize::from(value - least);
        match self {
            Self::Distance(distance) => place(0, distance, 2),
            Self::DistanceBefore(distance) => place(16, distance, 2),
            Self::Capture { stones, saves } => {
                place(Self::CAPTURE, stones, 1) + 3 * usize::from(saves)
            }
            Self::Escape { stones, works } => {
                place(Self::ESCAPE, stones, 1) + 3 * usize::from(works)
            }
            Self::SelfAtari(stones) => place(Self::SELF_ATARI, stones, 1),
            Self::Atari { catches } => Self::ATARI + usize::from(catches),
            Self::Line { line, distance } => {
                place(Self::LINE, line, 1) + 6 * usize::from(distance - 1)
            }
            Self::Corner { low, high } => {
                let corner = CORNERS.iter().position(|&it| it == (low, high));
                Self::CORNER + corner.expect("lines of a corner")
            }
            Self::Liberties(liberties) => place(Self::LIBERTIES, liberties, 2),
            Self::Owner(eighths) => place(Self::OWNER, eighths, 0),
            Self::Joseki { answers } => Self::JOSEKI + usize::from(answers),
            Self::Recapture => Self::RECAPTURE,
            Self::CaptureDead => Self::CAPTURE_DEAD,
            Self::EscapeDead => Self::ESCAPE_DEAD,
            Self::Catches { stones, dead } => {
                place(Self::CATCHES, stones, 1) + 3 * usize::from(!dead)
            }
            Self::DoubleAtari => Self::DOUBLE_ATARI,
            Self::Defends { stones, dead } => {
                place(Self::DEFENDS, stones, 1) + 3 * usize::from(!dead)
            }
            Self::Caught => Self::CAUGHT,
            Self::Nets { stones } => place(Self::NETS, stones, 1),
            Self::Threatens { stones } => place(Self::THREATENS, stones, 1),
            Self::Stakes(level) => place(Self::STAKES, level, 0),
        }
    }

    /// Returns the feature whose weight is at a place below [`Feature::COUNT`].
    pub(crate) fn from_index(index: usize) -> Self {
        let value = |first: usize, least: u8| (index - first) as u8 + least;
        match index {
            0..16 => Self::Distance(value(0, 2)),
            16..Self::CAPTURE => Self::DistanceBefore(value(16, 2)),
            Self::CAPTURE..Self::ESCAPE => Self::Capture {
                stones: value(Self::CAPTURE, 0) % 3 + 1,
                saves: index >= Self::CAPTURE + 3,
            },
            Self::ESCAPE..Self::SELF_ATARI => Self::Escape {
                stones: value(Self::ESCAPE, 0) % 3 + 1,
                works: index >= Self::ESCAPE + 3,
            },
            Self::SELF_ATARI..Self::ATARI => Self::SelfAtari(value(Self::SELF_ATARI, 1)),
            Self::ATARI..Self::LINE => Self::Atari {
                catches: index > Self::ATARI,
            },
            Self::LINE..Self::CORNER => Self::Line {
                line: value(Self::LINE, 0) % 6 + 1,
                distance: value(Self::LINE, 0) / 6 + 1,
            },
            Self::CORNER..Self::LIBERTIES => {
                let (low, high) = CORNERS[index - Self::CORNER];
                Self::Corner { low, high }
            }
            Self::LIBERTIES..Self::OWNER => Self::Liberties(value(Self::LIBERTIES, 2)),
            Self::OWNER..Self::JOSEKI => Self::Owner(value(Self::OWNER, 0)),
            Self::JOSEKI..Self::RECAPTURE => Self::Joseki {
                answers: index > Self::JOSEKI,
            },
            Self::RECAPTURE => Self::Recapture,
            Self::CAPTURE_DEAD => Self::CaptureDead,
            Self::ESCAPE_DEAD => Self::EscapeDead,
            Self::CATCHES..Self::DOUBLE_ATARI => Self::Catches {
                stones: value(Self::CATCHES, 0) % 3 + 1,
                dead: index < Self::CATCHES + 3,
            },
            Self::DOUBLE_ATARI => Self::DoubleAtari,
            Self::DEFENDS..Self::CAUGHT => Self::Defends {
                stones: value(Self::DEFENDS, 0) % 3 + 1,
                dead: index < Self::DEFENDS + 3,
            },
            Self::CAUGHT => Self::Caught,
            Self::NETS..Self::THREATENS => Self::Nets {
                stones: value(Self::NETS, 1),
            },
            Self::THREATENS..Self::STAKES => Self::Threatens {
                stones: value(Self::THREATENS, 1),
            },
            _ => Self::Stakes(value(Self::STAKES, 0)),
        }
    }
}

impl Display for Feature {
    /// Writes the name, as it stands in a file of weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Distance(distance) => write!(f, "distance-{distance}"),
            Self::DistanceBefore(distance) => write!(f, "distance-before-{distance}"),
            Self::Capture { stones, saves } => {
                write!(f, "capture-{stones}{}", mark(saves, "saves"))
            }
            Self::Escape { stones, works } => write!(f, "escape-{stones}{}", mark(works, "works")),
            Self::SelfAtari(stones) => write!(f, "self-atari-{stones}"),
            Self::Atari { catches } => write!(f, "atari{}", mark(catches, "catches")),
            Self::Line { line, distance } => write!(f, "line-{line}-distance-{distance}"),
            Self::Corner { low, high } => write!(f, "corner-{low}-{high}"),
            Self::Liberties(liberties) => write!(f, "liberties-{liberties}"),
            Self::Owner(eighths) => write!(f, "owner-{eighths}"),
            Self::Joseki { answers } => write!(f, "joseki{}", mark(answers, "answers")),
            Self::Recapture => write!(f, "recapture"),
            Self::CaptureDead => write!(f, "capture-dead"),
            Self::EscapeDead => write!(f, "escape-dead"),
            Self::Catches { stones, dead } => write!(f, "catches-{stones}{}", mark(dead, "dead")),
            Self::DoubleAtari => write!(f, "double-atari"),
            Self::Defends { stones, dead } => write!(f, "defends-{stones}{}", mark(dead, "dead")),
            Self::Caught => write!(f, "caught"),
            Self::Nets { stones } => write!(f, "nets-{stones}"),
            Self::Threatens { stones } => write!(f, "threatens-{stones}"),
            Self::Stakes(level) => write!(f, "stakes-{level}"),
        }
    }
}

/// Displays the part of a name for what is the case, or nothing.
fn mark(is_so: bool, what: &str) -> impl Display {
    fmt::from_fn(move |f| if is_so { write!(f, "-{what}") } else { Ok(()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn features_have_places_of_their_own() {
        for index in 0..Feature::COUNT {
            assert_eq!(Feature::from_index(index).index(), index);
        }
    }

    #[test]
    fn features_are_found_by_names_of_their_own() {
        let names: BTreeSet<String> = (0..Feature::COUNT)
            .map(|index| Feature::from_index(index).to_string())
            .collect();
        assert_eq!(names.len(), Feature::COUNT);
        let line = Feature::Line {
            line: 3,
            distance: 1,
        };
        assert_eq!(Feature::by_name("line-3-distance-1"), Some(line));
        let capture = Feature::Capture {
            stones: 2,
            saves: true,
        };
        assert_eq!(Feature::by_name("capture-2-saves"), Some(capture));
        assert_eq!(Feature::by_name("capture-4"), None);
    }
}
