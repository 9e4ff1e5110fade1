//! AVX2: four positions side by side.

use core::arch::x86_64::{
    __m256i, _mm_set_epi8, _mm_set_epi64x, _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi64, _mm256_loadu_si256,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set1_epi8,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64,
    _mm256_srli_epi16, _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_epi64,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

use super::{avx2::Avx2, turned};
use crate::{
    Bitboard,
    perft::cascade::{Batch, BothWays, Directions, Lanes, Queue, Totals},
};

impl Lanes for Avx2 {
    const LANES: usize = 4;

    #[inline(always)]
    fn flips_by_direction(self, own: BothWays, opponent: BothWays, square: usize) -> Directions {
        // SAFETY: `self` is proof of the features.
        unsafe { flips_by_direction(own, opponent, square) }
    }

    #[inline(always)]
    fn play_batch(self, queue: &Queue, at: usize) -> Batch {
        // SAFETY: `self` is proof of the features.
        unsafe { play_batch(queue, at) }
    }

    #[inline(always)]
    fn count_batch(self, queue: &Queue, at: usize, totals: &mut Totals) {
        // SAFETY: `self` is proof of the features.
        unsafe { count_batch(queue, at, totals) }
    }
}

/// Loads four elements from `index` on.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn load(array: &[u64], index: usize) -> __m256i {
    let lanes = &array[index..index + 4];
    // SAFETY: the slice is 32 bytes, and the load is unaligned.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

/// Stores four elements from `index` on.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn store(array: &mut [u64], index: usize, vector: __m256i) {
    let lanes = &mut array[index..index + 4];
    // SAFETY: the slice is 32 bytes, and the store is unaligned.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), vector) };
}

/// The eight directions as in the AVX-512 form, in two halves that are united at once: the first
/// four of the result are twice (upright, turned).
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn flips_by_direction(own: BothWays, opponent: BothWays, square: usize) -> Directions {
    let own = repeat(own);
    let opponent = repeat(opponent);
    let from = &turned::TURNED[square];
    let half = |lane| {
        let (beyond, inclusive) = (load(&from.beyond.0, lane), load(&from.inclusive.0, lane));
        bracketed(own, opponent, beyond, inclusive)
    };
    let mut directions = Directions([0; 8]);
    store(&mut directions.0, 0, _mm256_or_si256(half(0), half(4)));
    directions
}

/// On each ray, the squares from the first one of `inclusive` to the first own disc, if only the
/// opponent's discs lie between.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn bracketed(own: __m256i, opponent: __m256i, beyond: __m256i, inclusive: __m256i) -> __m256i {
    let stops = _mm256_andnot_si256(opponent, beyond);
    let below = _mm256_add_epi64(stops, _mm256_set1_epi64x(-1));
    let end = _mm256_and_si256(own, _mm256_andnot_si256(below, stops));
    let open = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
    let between = _mm256_and_si256(inclusive, _mm256_andnot_si256(stops, below));
    _mm256_andnot_si256(open, between)
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn repeat([upright, turned]: BothWays) -> __m256i {
    _mm256_broadcastsi128_si256(_mm_set_epi64x(turned as i64, upright as i64))
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn play_batch(queue: &Queue, at: usize) -> Batch {
    let [own, opponent] = children(queue, at);
    let mut batch = Batch::default();
    store_pairs(&mut batch.own, own, turn(own));
    store_pairs(&mut batch.opponent, opponent, turn(opponent));
    store(&mut batch.moves, 0, legal_moves(own, opponent));
    batch
}

/// Stores each lane of two vectors side by side.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn store_pairs(pairs: &mut [BothWays; 8], first: __m256i, second: __m256i) {
    let even = _mm256_unpacklo_epi64(first, second);
    let odd = _mm256_unpackhi_epi64(first, second);
    let pairs = pairs.as_flattened_mut();
    store(pairs, 0, _mm256_permute2x128_si256::<0x20>(even, odd));
    store(pairs, 4, _mm256_permute2x128_si256::<0x31>(even, odd));
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn count_batch(queue: &Queue, at: usize, totals: &mut Totals) {
    let [own, opponent] = children(queue, at);
    let moves = legal_moves(own, opponent);
    let sums = _mm256_add_epi64(load(&totals.0, 0), count(moves));
    let none = _mm256_cmpeq_epi64(moves, _mm256_setzero_si256());
    store(&mut totals.0, 0, _mm256_sub_epi64(sums, none));
}

/// The own and the opponent's discs after each move of a batch, seen from the opponent.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn children(queue: &Queue, at: usize) -> [__m256i; 2] {
    let flips = join(&queue.flips[at..at + 4]);
    let own = load(&queue.own, at);
    let opponent = load(&queue.opponent, at);
    [
        _mm256_andnot_si256(flips, opponent),
        _mm256_or_si256(flips, own),
    ]
}

/// Joins the flips of four moves over their directions: move by move from by direction.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn join(flips: &[Directions]) -> __m256i {
    let lanes = |index: usize| load(&flips[index].0, 0);
    // Pairs of lanes are (upright, turned). Unite the two pairs of each move to one.
    let halve = |a, b| {
        _mm256_or_si256(
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x31>(a, b),
        )
    };
    let even = halve(lanes(0), lanes(2));
    let odd = halve(lanes(1), lanes(3));
    let turned = _mm256_unpackhi_epi64(even, odd);
    _mm256_or_si256(_mm256_unpacklo_epi64(even, odd), turn(turned))
}

/// Reverses the bits of each lane, which turns its board by 180°.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn turn(boards: __m256i) -> __m256i {
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_and_si256(boards, nibble);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(boards), nibble);
    let reversed_high = _mm256_broadcastsi128_si256(_mm_set_epi8(
        0xf, 0x7, 0xb, 0x3, 0xd, 0x5, 0x9, 0x1, 0xe, 0x6, 0xa, 0x2, 0xc, 0x4, 0x8, 0x0,
    ));
    let reversed_low = _mm256_slli_epi64::<4>(reversed_high);
    let bytes = _mm256_or_si256(
        _mm256_shuffle_epi8(reversed_high, high),
        _mm256_shuffle_epi8(reversed_low, low),
    );
    let rows = _mm256_broadcastsi128_si256(_mm_set_epi8(
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
    ));
    _mm256_shuffle_epi8(bytes, rows)
}

/// The number of squares in each lane.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn count(boards: __m256i) -> __m256i {
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_and_si256(boards, nibble);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(boards), nibble);
    let ones =
        _mm256_broadcastsi128_si256(_mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0));
    let bytes = _mm256_add_epi8(
        _mm256_shuffle_epi8(ones, low),
        _mm256_shuffle_epi8(ones, high),
    );
    _mm256_sad_epu8(bytes, _mm256_setzero_si256())
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
pub(super) fn legal_moves_of_eight(own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
    let load = |discs: &[Bitboard; 8], from: usize| {
        let half = &discs[from..from + 4];
        // SAFETY: the slice is 32 bytes, and the load is unaligned.
        unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
    };
    let mut moves = [Bitboard::EMPTY; 8];
    for from in [0, 4] {
        let lanes = legal_moves(load(own, from), load(opponent, from));
        let half = &mut moves[from..from + 4];
        // SAFETY: the slice is 32 bytes, and the store is unaligned.
        unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), lanes) };
    }
    moves
}

/// The legal moves of each lane's position, by parallel-prefix search.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn legal_moves(own: __m256i, opponent: __m256i) -> __m256i {
    let inner = _mm256_and_si256(opponent, _mm256_set1_epi64x(0x7e7e_7e7e_7e7e_7e7e));
    let rows_and_columns = _mm256_or_si256(row(own, inner), axis::<8, 16>(own, opponent));
    let diagonals = _mm256_or_si256(axis::<7, 14>(own, inner), axis::<9, 18>(own, inner));
    let moves = _mm256_or_si256(rows_and_columns, diagonals);
    _mm256_andnot_si256(_mm256_or_si256(own, opponent), moves)
}

/// The squares just beyond the runs of `between` that `own` discs begin, both ways along the axis
/// of `STEP`; `TWICE` is twice that.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn axis<const STEP: i32, const TWICE: i32>(own: __m256i, between: __m256i) -> __m256i {
    let pairs = _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(between));
    let runs = _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(own));
    let runs = through(runs, between, _mm256_slli_epi64::<STEP>(runs));
    let runs = through(runs, pairs, _mm256_slli_epi64::<TWICE>(runs));
    let runs = through(runs, pairs, _mm256_slli_epi64::<TWICE>(runs));
    _mm256_or_si256(
        _mm256_slli_epi64::<STEP>(runs),
        back::<STEP, TWICE>(own, between, pairs),
    )
}

/// The way back of [`axis`], towards lower squares.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn back<const STEP: i32, const TWICE: i32>(
    own: __m256i,
    between: __m256i,
    pairs: __m256i,
) -> __m256i {
    let pairs = _mm256_srli_epi64::<STEP>(pairs);
    let runs = _mm256_and_si256(between, _mm256_srli_epi64::<STEP>(own));
    let runs = through(runs, between, _mm256_srli_epi64::<STEP>(runs));
    let runs = through(runs, pairs, _mm256_srli_epi64::<TWICE>(runs));
    let runs = through(runs, pairs, _mm256_srli_epi64::<TWICE>(runs));
    _mm256_srli_epi64::<STEP>(runs)
}

/// The runs, and what they reach when shifted as far as they may.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn through(runs: __m256i, allowed: __m256i, shifted: __m256i) -> __m256i {
    _mm256_or_si256(runs, _mm256_and_si256(allowed, shifted))
}

/// [`axis`] for the rows, where a carry runs through the discs to the right by itself; it leaves
/// some of `between` in the result.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn row(own: __m256i, between: __m256i) -> __m256i {
    let starts = _mm256_and_si256(between, _mm256_slli_epi64::<1>(own));
    let carried = _mm256_add_epi64(between, starts);
    let pairs = _mm256_and_si256(between, _mm256_slli_epi64::<1>(between));
    _mm256_or_si256(carried, back::<1, 2>(own, between, pairs))
}
