//! The features of moves, and the indices of their weights.

use std::{fmt, ops::Range};

/// The points of an open corner, as lines from both edges.
pub(super) const CORNERS: [(u8, u8); 6] = [(3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5)];

/// A feature of a move, apart from the pattern around it, by the index of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature(u8);

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

    /// Returns whether fits to self-play leave its weights unchanged because such games do not determine them:
    /// distances from the last stones, lines far from stones, open corners and joseki.
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
    pub(super) const OWNER: FeatureGroup = Self::LIBERTIES.then(8);
    pub(super) const JOSEKI: FeatureGroup = Self::OWNER.then(2).fixed();
    const RECAPTURE: FeatureGroup = Self::JOSEKI.then(1);
    const CAPTURE_DEAD: FeatureGroup = Self::RECAPTURE.then(1);
    const ESCAPE_DEAD: FeatureGroup = Self::CAPTURE_DEAD.then(1);
    pub(super) const CATCHES: FeatureGroup = Self::ESCAPE_DEAD.then(6);
    const DOUBLE_ATARI: FeatureGroup = Self::CATCHES.then(1);
    const DEFENDS: FeatureGroup = Self::DOUBLE_ATARI.then(6);
    const CAUGHT: FeatureGroup = Self::DEFENDS.then(1);
    const NETS: FeatureGroup = Self::CAUGHT.then(3);
    pub(super) const THREATENS: FeatureGroup = Self::NETS.then(3);
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

    /// The features for which [`ChainFeatures`](super::chains::ChainFeatures) stores a bit, and [`Feature::caught`].
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

    /// Returns the feature whose weight has an index below [`Feature::COUNT`].
    pub(crate) const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT, "the index of a feature");
        Self(index as u8)
    }

    /// Returns the index of the feature's weight.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns `true` if the feature is in a group.
    pub(crate) fn is_in(self, group: FeatureGroup) -> bool {
        group.places().contains(&self.index())
    }

    /// Returns the feature with a printed name, if there is one.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        let place = NAMES.split(' ').position(|it| it == name);
        place.map(Self::from_index)
    }

    /// Returns the feature at a position within a group.
    fn at(group: FeatureGroup, place: u8) -> Self {
        debug_assert!(usize::from(place) < group.len, "{group:?} {place}");
        Self::from_index(group.first + usize::from(place))
    }

    /// The distance from the last stone: columns plus rows plus the larger of both, 2 to 17.
    pub(crate) fn distance(distance: u8) -> Self {
        Self::at(Self::DISTANCE, distance - 2)
    }

    /// The distance from the stone before the last one.
    pub(crate) fn distance_before(distance: u8) -> Self {
        Self::at(Self::DISTANCE_BEFORE, distance - 2)
    }

    /// The move captures 1, 2 or (as 3) more stones; `saves` if they are adjacent to an own chain in atari.
    pub(crate) fn capture(stones: u8, saves: bool) -> Self {
        Self::at(Self::CAPTURE, stones - 1 + 3 * u8::from(saves))
    }

    /// The move extends a chain of 1, 2 or more stones in atari; `works` if the chain escapes.
    pub(crate) fn escape(stones: u8, works: bool) -> Self {
        Self::at(Self::ESCAPE, stones - 1 + 3 * u8::from(works))
    }

    /// The move puts 1, 2 or more own stones in atari.
    pub(crate) fn self_atari(stones: u8) -> Self {
        Self::at(Self::SELF_ATARI, stones - 1)
    }

    /// The move puts a chain in atari; `catches` if the chain cannot escape.
    pub(crate) fn atari(catches: bool) -> Self {
        Self::at(Self::ATARI, u8::from(catches))
    }

    /// The line from the edge, 1 to 6, and the distance from the nearest stone, 1 to 5.
    pub(crate) fn line(line: u8, distance: u8) -> Self {
        match distance {
            1 => Self::at(Self::LINE, line - 1),
            far => Self::at(Self::FAR_LINE, line - 1 + 6 * (far - 2)),
        }
    }

    /// The point of an open corner at a position in [`CORNERS`].
    pub(crate) fn corner(place: usize) -> Self {
        Self::at(Self::CORNER, place as u8)
    }

    /// The liberties of the chain after the move, 2 to 5.
    pub(crate) fn liberties(liberties: u8) -> Self {
        Self::at(Self::LIBERTIES, liberties - 2)
    }

    /// The share of simulations in which the point belongs to the side to move at the end, in eighths, 0 to 7.
    pub(crate) fn owner(eighths: u8) -> Self {
        Self::at(Self::OWNER, eighths)
    }

    /// The move continues a joseki; `answers` if the last stone is in the same corner as a stone of the side to move.
    pub(crate) fn joseki(answers: bool) -> Self {
        Self::at(Self::JOSEKI, u8::from(answers))
    }

    /// The move captures the opponent's last stone.
    pub(crate) fn recapture() -> Self {
        Self::at(Self::RECAPTURE, 0)
    }

    /// The move captures a dead chain.
    pub(crate) fn capture_dead() -> Self {
        Self::at(Self::CAPTURE_DEAD, 0)
    }

    /// The move is at the last liberty of an own dead chain.
    pub(crate) fn escape_dead() -> Self {
        Self::at(Self::ESCAPE_DEAD, 0)
    }

    /// The move is an atari that catches a chain of 1, 2 or more stones; `dead` if the chain is dead anyway.
    pub(crate) fn catches(stones: u8, dead: bool) -> Self {
        Self::at(Self::CATCHES, stones - 1 + 3 * u8::from(!dead))
    }

    /// The move is an atari on two living chains and catches neither by itself.
    pub(crate) fn double_atari() -> Self {
        Self::at(Self::DOUBLE_ATARI, 0)
    }

    /// The move saves a chain of 1, 2 or more stones that has two liberties and would be caught by an atari; `dead` if
    /// the chain is dead anyway.
    pub(crate) fn defends(stones: u8, dead: bool) -> Self {
        Self::at(Self::DEFENDS, stones - 1 + 3 * u8::from(!dead))
    }

    /// After the move its chain has two liberties, and an atari catches it.
    pub(crate) fn caught() -> Self {
        Self::at(Self::CAUGHT, 0)
    }

    /// The move catches a chain of 1, 2 or more stones with two liberties, without an atari.
    pub(crate) fn nets(stones: u8) -> Self {
        Self::at(Self::NETS, stones - 1)
    }

    /// The move reduces a chain of 1, 2 or more stones from three to two liberties, after which an atari would catch
    /// it.
    pub(crate) fn threatens(stones: u8) -> Self {
        Self::at(Self::THREATENS, stones - 1)
    }

    /// The number of uncertain stones around the point, a level of [`Stakes`](super::stakes::Stakes).
    pub(crate) fn stakes(level: u8) -> Self {
        Self::at(Self::STAKES, level)
    }
}

/// The names of features in files of weights, in the order of their indices.
const NAMES: &str = "\
    distance-2 distance-3 distance-4 distance-5 distance-6 distance-7 distance-8 distance-9 distance-10 \
    distance-11 distance-12 distance-13 distance-14 distance-15 distance-16 distance-17 \
    distance-before-2 distance-before-3 distance-before-4 distance-before-5 distance-before-6 \
    distance-before-7 distance-before-8 distance-before-9 distance-before-10 distance-before-11 \
    distance-before-12 distance-before-13 distance-before-14 distance-before-15 distance-before-16 \
    distance-before-17 \
    capture-1 capture-2 capture-3 capture-1-saves capture-2-saves capture-3-saves \
    escape-1 escape-2 escape-3 escape-1-works escape-2-works escape-3-works \
    self-atari-1 self-atari-2 self-atari-3 \
    atari atari-catches \
    line-1-distance-1 line-2-distance-1 line-3-distance-1 line-4-distance-1 line-5-distance-1 \
    line-6-distance-1 \
    line-1-distance-2 line-2-distance-2 line-3-distance-2 line-4-distance-2 line-5-distance-2 \
    line-6-distance-2 \
    line-1-distance-3 line-2-distance-3 line-3-distance-3 line-4-distance-3 line-5-distance-3 \
    line-6-distance-3 \
    line-1-distance-4 line-2-distance-4 line-3-distance-4 line-4-distance-4 line-5-distance-4 \
    line-6-distance-4 \
    line-1-distance-5 line-2-distance-5 line-3-distance-5 line-4-distance-5 line-5-distance-5 \
    line-6-distance-5 \
    corner-3-3 corner-3-4 corner-4-4 corner-3-5 corner-4-5 corner-5-5 \
    liberties-2 liberties-3 liberties-4 liberties-5 \
    owner-0 owner-1 owner-2 owner-3 owner-4 owner-5 owner-6 owner-7 \
    joseki joseki-answers \
    recapture capture-dead escape-dead \
    catches-1-dead catches-2-dead catches-3-dead catches-1 catches-2 catches-3 \
    double-atari \
    defends-1-dead defends-2-dead defends-3-dead defends-1 defends-2 defends-3 \
    caught nets-1 nets-2 nets-3 threatens-1 threatens-2 threatens-3 \
    stakes-0 stakes-1 stakes-2 stakes-3 stakes-4 stakes-5";

impl fmt::Display for Feature {
    /// Prints the name used in files of weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.split(' ').nth(self.index()).unwrap_or_default())
    }
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
    fn features_have_the_names_of_their_constructors() {
        for (index, feature, name) in [
            (0, Feature::distance(2), "distance-2"),
            (31, Feature::distance_before(17), "distance-before-17"),
            (36, Feature::capture(2, true), "capture-2-saves"),
            (38, Feature::escape(1, false), "escape-1"),
            (44, Feature::self_atari(1), "self-atari-1"),
            (48, Feature::atari(true), "atari-catches"),
            (49, Feature::line(1, 1), "line-1-distance-1"),
            (75, Feature::line(3, 5), "line-3-distance-5"),
            (80, Feature::corner(1), "corner-3-4"),
            (85, Feature::liberties(2), "liberties-2"),
            (89, Feature::owner(0), "owner-0"),
            (98, Feature::joseki(true), "joseki-answers"),
            (99, Feature::recapture(), "recapture"),
            (100, Feature::capture_dead(), "capture-dead"),
            (101, Feature::escape_dead(), "escape-dead"),
            (103, Feature::catches(2, true), "catches-2-dead"),
            (108, Feature::double_atari(), "double-atari"),
            (112, Feature::defends(1, false), "defends-1"),
            (115, Feature::caught(), "caught"),
            (116, Feature::nets(1), "nets-1"),
            (121, Feature::threatens(3), "threatens-3"),
            (127, Feature::stakes(5), "stakes-5"),
        ] {
            assert_eq!(feature.index(), index);
            assert_eq!(feature.to_string(), name);
            assert_eq!(Feature::by_name(name), Some(feature));
        }
        assert_eq!(Feature::by_name("capture-4"), None);
        let names: BTreeSet<&str> = NAMES.split(' ').collect();
        assert_eq!(names.len(), Feature::COUNT);
    }
}
