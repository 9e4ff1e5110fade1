//! The features of moves, and the indices of their weights.

use std::{
    collections::HashMap,
    fmt::{self, Display},
    ops::Range,
    sync::LazyLock,
};

/// The points of an open corner, as lines from both edges.
pub(super) const CORNERS: [(u8, u8); 6] = [(3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5)];

/// A feature of a move, apart from the pattern around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// The distance from the last stone: columns plus rows plus the larger of both, 2 to 17.
    Distance(u8),
    /// The distance from the stone before the last one.
    DistanceBefore(u8),
    /// The move captures 1, 2 or (as 3) more stones; `saves` if they are adjacent to an own chain in atari.
    Capture { stones: u8, saves: bool },
    /// The move extends a chain of 1, 2 or more stones in atari; `works` if the chain escapes.
    Escape { stones: u8, works: bool },
    /// The move puts 1, 2 or more own stones in atari.
    SelfAtari(u8),
    /// The move puts a chain in atari; `catches` if the chain cannot escape.
    Atari { catches: bool },
    /// The line from the edge, 1 to 6, and the distance from the nearest stone, 1 to 5.
    Line { line: u8, distance: u8 },
    /// The lines from the two edges of an open corner, 3 to 5, lower one first.
    Corner { low: u8, high: u8 },
    /// The liberties of the chain after the move, 2 to 5.
    Liberties(u8),
    /// The share of simulations in which the point belongs to the side to move at the end, in eighths, 0 to 7.
    Owner(u8),
    /// The move continues a joseki; `answers` if the last stone is in the same corner as a stone of the side to move.
    Joseki { answers: bool },
    /// The move captures the opponent's last stone.
    Recapture,
    /// The move captures a dead chain.
    CaptureDead,
    /// The move is at the last liberty of an own dead chain.
    EscapeDead,
    /// The move is an atari that catches a chain of 1, 2 or more stones; `dead` if the chain is dead anyway.
    Catches { stones: u8, dead: bool },
    /// The move is an atari on two living chains and catches neither by itself.
    DoubleAtari,
    /// The move saves a chain of 1, 2 or more stones that has two liberties and would be caught by an atari; `dead` if
    /// the chain is dead anyway.
    Defends { stones: u8, dead: bool },
    /// After the move its chain has two liberties, and an atari catches it.
    Caught,
    /// The move catches a chain of 1, 2 or more stones with two liberties, without an atari.
    Nets { stones: u8 },
    /// The move reduces a chain of 1, 2 or more stones from three to two liberties, after which an atari would catch
    /// it.
    Threatens { stones: u8 },
    /// The number of uncertain stones around the point, a level of [`Stakes`](super::stakes::Stakes).
    Stakes(u8),
}

/// A group of features; a move has at most one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureGroup {
    /// The index of its first feature's weight.
    first: usize,
    /// The number of its features.
    len: usize,
    is_fixed: bool,
}

impl FeatureGroup {
    /// Creates a group of `len` features at index `first`.
    const fn new(first: usize, len: usize) -> Self {
        Self {
            first,
            len,
            is_fixed: false,
        }
    }

    /// Returns the group of the next `len` features.
    const fn then(self, len: usize) -> Self {
        Self::new(self.end(), len)
    }

    /// Marks the group's weights as fixed in fits.
    const fn fixed(mut self) -> Self {
        self.is_fixed = true;
        self
    }

    const fn end(self) -> usize {
        self.first + self.len
    }

    /// The indices of its features' weights.
    pub const fn places(self) -> Range<usize> {
        self.first..self.end()
    }

    /// Returns whether fits leave its weights unchanged because games of self-play do not determine them: distances
    /// from the last stones, lines far from stones, open corners and joseki.
    pub const fn is_fixed(self) -> bool {
        self.is_fixed
    }
}

impl Feature {
    const DISTANCE: FeatureGroup = FeatureGroup::new(0, 16).fixed();
    const DISTANCE_BEFORE: FeatureGroup = Self::DISTANCE.then(16).fixed();
    const CAPTURE: FeatureGroup = Self::DISTANCE_BEFORE.then(6);
    const ESCAPE: FeatureGroup = Self::CAPTURE.then(6);
    /// A move that puts its own stones in atari has no feature for its liberties.
    const SELF_ATARI: FeatureGroup = Self::ESCAPE.then(3);
    const ATARI: FeatureGroup = Self::SELF_ATARI.then(2);
    const LINE: FeatureGroup = Self::ATARI.then(6);
    /// The lines of points that are not adjacent to a stone.
    const FAR_LINE: FeatureGroup = Self::LINE.then(24).fixed();
    const CORNER: FeatureGroup = Self::FAR_LINE.then(CORNERS.len()).fixed();
    const LIBERTIES: FeatureGroup = Self::CORNER.then(4);
    const OWNER: FeatureGroup = Self::LIBERTIES.then(8);
    const JOSEKI: FeatureGroup = Self::OWNER.then(2).fixed();
    const RECAPTURE: FeatureGroup = Self::JOSEKI.then(1);
    const CAPTURE_DEAD: FeatureGroup = Self::RECAPTURE.then(1);
    const ESCAPE_DEAD: FeatureGroup = Self::CAPTURE_DEAD.then(1);
    const CATCHES: FeatureGroup = Self::ESCAPE_DEAD.then(6);
    const DOUBLE_ATARI: FeatureGroup = Self::CATCHES.then(1);
    const DEFENDS: FeatureGroup = Self::DOUBLE_ATARI.then(6);
    const CAUGHT: FeatureGroup = Self::DEFENDS.then(1);
    const NETS: FeatureGroup = Self::CAUGHT.then(3);
    const THREATENS: FeatureGroup = Self::NETS.then(3);
    const STAKES: FeatureGroup = Self::THREATENS.then(6);

    /// All groups, in the order of their indices.
    pub(crate) const GROUPS: [FeatureGroup; 22] = [
        Self::DISTANCE,
        Self::DISTANCE_BEFORE,
        Self::CAPTURE,
        Self::ESCAPE,
        Self::SELF_ATARI,
        Self::ATARI,
        Self::LINE,
        Self::FAR_LINE,
        Self::CORNER,
        Self::LIBERTIES,
        Self::OWNER,
        Self::JOSEKI,
        Self::RECAPTURE,
        Self::CAPTURE_DEAD,
        Self::ESCAPE_DEAD,
        Self::CATCHES,
        Self::DOUBLE_ATARI,
        Self::DEFENDS,
        Self::CAUGHT,
        Self::NETS,
        Self::THREATENS,
        Self::STAKES,
    ];

    /// The number of features.
    pub(crate) const COUNT: usize = Self::STAKES.end();

    /// All features, in the order of their indices.
    const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Recapture; Self::COUNT];
        let mut group = 0;
        while group < Self::GROUPS.len() {
            let mut place = 0;
            while place < Self::GROUPS[group].len {
                all[Self::GROUPS[group].first + place] =
                    Self::of_group(Self::GROUPS[group], place as u8);
                place += 1;
            }
            group += 1;
        }
        all
    };

    /// The features for which [`ChainFeatures`](super::chains::ChainFeatures) stores a bit, and [`Feature::Caught`].
    pub(crate) const CHAINS: Range<usize> = Self::RECAPTURE.first..Self::STAKES.first;

    /// The number of groups of these features.
    pub(crate) const CHAIN_GROUPS: usize = {
        let (mut count, mut group) = (0, 0);
        while group < Self::GROUPS.len() {
            let first = Self::GROUPS[group].first;
            count += (Self::CHAINS.start <= first && first < Self::CHAINS.end) as usize;
            group += 1;
        }
        count
    };

    /// Returns the group of the feature with an index below [`Feature::COUNT`].
    pub(crate) fn group_at(index: usize) -> FeatureGroup {
        let mut groups = Self::GROUPS.into_iter();
        let group = groups.find(|group| index < group.end());
        group.expect("each feature is in a group")
    }

    /// Returns the feature with a printed name, if there is one.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        static BY_NAME: LazyLock<HashMap<String, Feature>> = LazyLock::new(|| {
            let all = (0..Feature::COUNT).map(Feature::from_index);
            all.map(|feature| (feature.to_string(), feature)).collect()
        });
        BY_NAME.get(name).copied()
    }

    /// Returns the index of the feature's weight.
    pub(crate) fn index(self) -> usize {
        let at = |group: FeatureGroup, place: u8| group.first + usize::from(place);
        match self {
            Self::Distance(distance) => at(Self::DISTANCE, distance - 2),
            Self::DistanceBefore(distance) => at(Self::DISTANCE_BEFORE, distance - 2),
            Self::Capture { stones, saves } => at(Self::CAPTURE, stones - 1 + 3 * u8::from(saves)),
            Self::Escape { stones, works } => at(Self::ESCAPE, stones - 1 + 3 * u8::from(works)),
            Self::SelfAtari(stones) => at(Self::SELF_ATARI, stones - 1),
            Self::Atari { catches } => at(Self::ATARI, u8::from(catches)),
            // The far lines come after the near ones.
            Self::Line { line, distance } => at(Self::LINE, line - 1 + 6 * (distance - 1)),
            Self::Corner { low, high } => {
                let corner = CORNERS.iter().position(|&it| it == (low, high));
                Self::CORNER.first + corner.expect("lines of a corner")
            }
            Self::Liberties(liberties) => at(Self::LIBERTIES, liberties - 2),
            Self::Owner(eighths) => at(Self::OWNER, eighths),
            Self::Joseki { answers } => at(Self::JOSEKI, u8::from(answers)),
            Self::Recapture => at(Self::RECAPTURE, 0),
            Self::CaptureDead => at(Self::CAPTURE_DEAD, 0),
            Self::EscapeDead => at(Self::ESCAPE_DEAD, 0),
            Self::Catches { stones, dead } => at(Self::CATCHES, stones - 1 + 3 * u8::from(!dead)),
            Self::DoubleAtari => at(Self::DOUBLE_ATARI, 0),
            Self::Defends { stones, dead } => at(Self::DEFENDS, stones - 1 + 3 * u8::from(!dead)),
            Self::Caught => at(Self::CAUGHT, 0),
            Self::Nets { stones } => at(Self::NETS, stones - 1),
            Self::Threatens { stones } => at(Self::THREATENS, stones - 1),
            Self::Stakes(level) => at(Self::STAKES, level),
        }
    }

    /// Returns the feature whose weight has an index below [`Feature::COUNT`].
    pub(crate) const fn from_index(index: usize) -> Self {
        const ALL: &[Feature; Feature::COUNT] = &Feature::ALL;
        ALL[index]
    }

    /// Returns the feature at a position within a group.
    const fn of_group(group: FeatureGroup, place: u8) -> Self {
        let (stones, is_second) = (place % 3 + 1, place >= 3);
        match group {
            Self::DISTANCE => Self::Distance(place + 2),
            Self::DISTANCE_BEFORE => Self::DistanceBefore(place + 2),
            Self::CAPTURE => Self::Capture {
                stones,
                saves: is_second,
            },
            Self::ESCAPE => Self::Escape {
                stones,
                works: is_second,
            },
            Self::SELF_ATARI => Self::SelfAtari(stones),
            Self::ATARI => Self::Atari {
                catches: place == 1,
            },
            Self::LINE => Self::Line {
                line: place + 1,
                distance: 1,
            },
            Self::FAR_LINE => Self::Line {
                line: place % 6 + 1,
                distance: place / 6 + 2,
            },
            Self::CORNER => {
                let (low, high) = CORNERS[place as usize];
                Self::Corner { low, high }
            }
            Self::LIBERTIES => Self::Liberties(place + 2),
            Self::OWNER => Self::Owner(place),
            Self::JOSEKI => Self::Joseki {
                answers: place == 1,
            },
            Self::RECAPTURE => Self::Recapture,
            Self::CAPTURE_DEAD => Self::CaptureDead,
            Self::ESCAPE_DEAD => Self::EscapeDead,
            Self::CATCHES => Self::Catches {
                stones,
                dead: !is_second,
            },
            Self::DOUBLE_ATARI => Self::DoubleAtari,
            Self::DEFENDS => Self::Defends {
                stones,
                dead: !is_second,
            },
            Self::CAUGHT => Self::Caught,
            Self::NETS => Self::Nets { stones },
            Self::THREATENS => Self::Threatens { stones },
            Self::STAKES => Self::Stakes(place),
            _ => panic!("expected a group of features"),
        }
    }
}

impl Display for Feature {
    /// Prints the name used in files of weights.
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

/// Returns a suffix of a name if it applies, otherwise nothing.
fn mark(is_so: bool, what: &str) -> impl Display {
    fmt::from_fn(move |f| if is_so { write!(f, "-{what}") } else { Ok(()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn groups_cover_the_indices_exactly() {
        let mut end = 0;
        for group in Feature::GROUPS {
            let places = group.places();
            assert_eq!(places.start, end);
            assert!(!places.is_empty());
            end = places.end;
            for index in places {
                assert_eq!(Feature::group_at(index), group);
            }
        }
        assert_eq!(end, Feature::COUNT);
    }

    /// Files of weights use names, but the built-in weights and the signatures of searches depend on the order.
    #[test]
    fn indices_stay_unchanged() {
        assert_eq!(Feature::COUNT, 128);
        for (index, name) in [
            (0, "distance-2"),
            (16, "distance-before-2"),
            (32, "capture-1"),
            (38, "escape-1"),
            (44, "self-atari-1"),
            (47, "atari"),
            (49, "line-1-distance-1"),
            (55, "line-1-distance-2"),
            (79, "corner-3-3"),
            (85, "liberties-2"),
            (89, "owner-0"),
            (97, "joseki"),
            (99, "recapture"),
            (100, "capture-dead"),
            (101, "escape-dead"),
            (102, "catches-1-dead"),
            (108, "double-atari"),
            (109, "defends-1-dead"),
            (115, "caught"),
            (116, "nets-1"),
            (119, "threatens-1"),
            (122, "stakes-0"),
        ] {
            assert_eq!(Feature::from_index(index).to_string(), name);
        }
    }

    #[test]
    fn features_have_distinct_indices() {
        for index in 0..Feature::COUNT {
            assert_eq!(Feature::from_index(index).index(), index);
        }
    }

    #[test]
    fn features_have_distinct_names_and_are_found_by_them() {
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
