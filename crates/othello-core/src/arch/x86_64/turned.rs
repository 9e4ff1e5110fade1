//! The rays of each square for flips in eight lanes, all of them upward.

use crate::arch::rays;

/// Eight rays of one square, aligned for one vector load.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct EightRays(pub(super) [u64; 8]);

/// The rays of one square in all eight directions, each as an upward ray.
#[derive(Clone, Copy)]
pub(super) struct Turned {
    /// The rays without the square.
    pub(super) beyond: EightRays,
    /// The rays with the square.
    pub(super) inclusive: EightRays,
}

/// For each square the four upward rays, in the even lanes, and in the odd lanes the downward
/// rays on a board turned by 180°, where they lead upward. A last entry without rays is for the
/// first square of an empty set, 64.
pub(super) static TURNED: [Turned; 65] = {
    let none = EightRays([0; 8]);
    let mut table = [Turned {
        beyond: none,
        inclusive: none,
    }; 65];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let (rays, origin) = match lane % 2 {
                0 => (rays::UP[square].0, 1 << square),
                _ => (rays::UP[63 - square].0, 1 << (63 - square)),
            };
            table[square].beyond.0[lane] = rays[lane / 2];
            table[square].inclusive.0[lane] = rays[lane / 2] | origin;
            lane += 1;
        }
        square += 1;
    }
    table
};
