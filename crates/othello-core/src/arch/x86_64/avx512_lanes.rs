//! AVX-512: eight positions side by side.

use core::arch::x86_64::{
    __m512i, _mm_set_epi8, _mm_set_epi64x, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_broadcast_i32x4, _mm512_broadcast_i64x2, _mm512_load_si512,
    _mm512_loadu_si512, _mm512_mask_add_epi64, _mm512_mask_blend_epi64,
    _mm512_maskz_ternarylogic_epi64, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_sad_epu8,
    _mm512_set_epi64, _mm512_set1_epi8, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_slli_epi64, _mm512_srli_epi16,
    _mm512_srli_epi64, _mm512_store_si512, _mm512_storeu_si512, _mm512_ternarylogic_epi64,
    _mm512_test_epi64_mask, _mm512_testn_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::{avx512::Avx512, turned};
use crate::{
    Bitboard,
    perft::cascade::{Batch, BothWays, Directions, Lanes, Queue, Totals},
};

impl Lanes for Avx512 {
    const LANES: usize = 8;

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

/// Even lanes hold the discs as they are, for the upward directions; odd lanes hold them on the
/// board turned by 180°, for the downward ones, which so become upward as well.
///
/// On each ray, the first square without an opponent's disc is the lowest bit of the stops; where
/// it holds an own disc, the bits below it, down to the move's square, are taken.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn flips_by_direction(own: BothWays, opponent: BothWays, square: usize) -> Directions {
    /// `a & !b & c`
    const END: i32 = 0x20;
    /// `!a & b & c`
    const BELOW: i32 = 0x08;
    let own = repeat(own);
    let opponent = repeat(opponent);
    let from = &turned::TURNED[square];
    let stops = _mm512_andnot_si512(opponent, load(&from.beyond));
    let below = _mm512_add_epi64(stops, _mm512_set1_epi64(-1));
    let end = _mm512_ternarylogic_epi64::<END>(stops, below, own);
    let brackets = _mm512_test_epi64_mask(end, end);
    let flips =
        _mm512_maskz_ternarylogic_epi64::<BELOW>(brackets, stops, below, load(&from.inclusive));
    let mut directions = Directions([0; 8]);
    // SAFETY: `Directions` is 64 bytes, aligned to 64.
    unsafe { _mm512_store_si512(core::ptr::from_mut(&mut directions.0).cast(), flips) };
    directions
}

/// Four times both forms of a set, in the even and the odd lanes.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn repeat([upright, turned]: BothWays) -> __m512i {
    _mm512_broadcast_i64x2(_mm_set_epi64x(turned as i64, upright as i64))
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn load(lanes: &turned::EightRays) -> __m512i {
    // SAFETY: `EightRays` is 64 bytes, aligned to 64.
    unsafe { _mm512_load_si512(core::ptr::from_ref(lanes).cast()) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn play_batch(queue: &Queue, at: usize) -> Batch {
    let [own, opponent] = children(queue, at);
    let moves = legal_moves(own, opponent);
    let mut batch = Batch::default();
    store_pairs(&mut batch.own, own, turn(own));
    store_pairs(&mut batch.opponent, opponent, turn(opponent));
    // SAFETY: the array is 64 bytes.
    unsafe { _mm512_storeu_si512(core::ptr::from_mut(&mut batch.moves).cast(), moves) };
    batch
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn count_batch(queue: &Queue, at: usize, totals: &mut Totals) {
    let [own, opponent] = children(queue, at);
    let moves = legal_moves(own, opponent);
    let totals: *mut __m512i = core::ptr::from_mut(totals).cast();
    // SAFETY: `Totals` is 64 bytes, aligned to 64.
    let sums = unsafe { _mm512_load_si512(totals) };
    let sums = _mm512_add_epi64(sums, count(moves));
    let none = _mm512_testn_epi64_mask(moves, moves);
    let sums = _mm512_mask_add_epi64(sums, none, sums, _mm512_set1_epi64(1));
    // SAFETY: as above.
    unsafe { _mm512_store_si512(totals, sums) };
}

/// Stores each lane of two vectors side by side.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn store_pairs(pairs: &mut [BothWays; 8], first: __m512i, second: __m512i) {
    let low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    let high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    let vectors: *mut __m512i = core::ptr::from_mut(pairs).cast();
    // SAFETY: the array is 128 bytes.
    unsafe {
        _mm512_storeu_si512(vectors, _mm512_permutex2var_epi64(first, low, second));
        _mm512_storeu_si512(
            vectors.add(1),
            _mm512_permutex2var_epi64(first, high, second),
        );
    }
}

/// The own and the opponent's discs after each move of a batch, seen from the opponent.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn children(queue: &Queue, at: usize) -> [__m512i; 2] {
    let flips: &[Directions; 8] = queue.flips[at..at + 8].first_chunk().expect("eight");
    let own: &[u64; 8] = queue.own[at..at + 8].first_chunk().expect("eight");
    let opponent: &[u64; 8] = queue.opponent[at..at + 8].first_chunk().expect("eight");
    // SAFETY: each is an array of 64 bytes.
    let own = unsafe { _mm512_loadu_si512(core::ptr::from_ref(own).cast()) };
    // SAFETY: as above.
    let opponent = unsafe { _mm512_loadu_si512(core::ptr::from_ref(opponent).cast()) };
    let flips = join(flips);
    [
        _mm512_andnot_si512(flips, opponent),
        _mm512_or_si512(flips, own),
    ]
}

/// Joins the flips of eight moves over their directions: move by move from by direction.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn join(flips: &[Directions; 8]) -> __m512i {
    let load = |index: usize| {
        // SAFETY: `Directions` is 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(core::ptr::from_ref(&flips[index].0).cast()) }
    };
    // Pairs of lanes are (upright, turned). Unite the four pairs of each move to one.
    let halve = |a, b| {
        // a0|a2, a1|a3, b2|b0, b3|b1
        let straight = _mm512_mask_blend_epi64(0b1111_0000, a, b);
        let crossed = _mm512_shuffle_i64x2::<0b01_00_11_10>(a, b);
        _mm512_or_si512(straight, crossed)
    };
    let quarter = |ab, cd| {
        let even = _mm512_shuffle_i64x2::<0b10_00_10_00>(ab, cd);
        let odd = _mm512_shuffle_i64x2::<0b11_01_11_01>(ab, cd);
        _mm512_or_si512(even, odd)
    };
    let even_moves = quarter(halve(load(0), load(2)), halve(load(4), load(6)));
    let odd_moves = quarter(halve(load(1), load(3)), halve(load(5), load(7)));
    let upright = _mm512_unpacklo_epi64(even_moves, odd_moves);
    let turned = _mm512_unpackhi_epi64(even_moves, odd_moves);
    _mm512_or_si512(upright, turn(turned))
}

/// Reverses the bits of each lane, which turns its board by 180°.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn turn(boards: __m512i) -> __m512i {
    let nibble = _mm512_set1_epi8(0x0f);
    let low = _mm512_and_si512(boards, nibble);
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(boards), nibble);
    let reversed_high = _mm512_broadcast_i32x4(_mm_set_epi8(
        0xf, 0x7, 0xb, 0x3, 0xd, 0x5, 0x9, 0x1, 0xe, 0x6, 0xa, 0x2, 0xc, 0x4, 0x8, 0x0,
    ));
    let reversed_low = _mm512_slli_epi64::<4>(reversed_high);
    let bytes = _mm512_or_si512(
        _mm512_shuffle_epi8(reversed_high, high),
        _mm512_shuffle_epi8(reversed_low, low),
    );
    let rows = _mm512_broadcast_i32x4(_mm_set_epi8(
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
    ));
    _mm512_shuffle_epi8(bytes, rows)
}

/// The number of squares in each lane.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn count(boards: __m512i) -> __m512i {
    let nibble = _mm512_set1_epi8(0x0f);
    let low = _mm512_and_si512(boards, nibble);
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(boards), nibble);
    let ones = _mm512_broadcast_i32x4(_mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0));
    let bytes = _mm512_add_epi8(
        _mm512_shuffle_epi8(ones, low),
        _mm512_shuffle_epi8(ones, high),
    );
    _mm512_sad_epu8(bytes, _mm512_setzero_si512())
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn legal_moves_of_eight(own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
    let load = |discs: &[Bitboard; 8]| {
        // SAFETY: the array is 64 bytes, and the load is unaligned.
        unsafe { _mm512_loadu_si512(core::ptr::from_ref(discs).cast()) }
    };
    let mut moves = [Bitboard::EMPTY; 8];
    let lanes = legal_moves(load(own), load(opponent));
    // SAFETY: the array is 64 bytes, and the store is unaligned.
    unsafe { _mm512_storeu_si512(core::ptr::from_mut(&mut moves).cast(), lanes) };
    moves
}

/// The legal moves of each lane's position, by parallel-prefix search.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn legal_moves(own: __m512i, opponent: __m512i) -> __m512i {
    /// `a & !(b | c)`
    const EMPTY: i32 = 0x10;
    /// `a | b | c`
    const UNION: i32 = 0xfe;
    let inner = _mm512_and_si512(opponent, _mm512_set1_epi64(0x7e7e_7e7e_7e7e_7e7e));
    let [right, left] = row(own, inner);
    let [down, up] = axis::<8, 16>(own, opponent);
    let [down_left, up_right] = axis::<7, 14>(own, inner);
    let [down_right, up_left] = axis::<9, 18>(own, inner);
    let moves = _mm512_ternarylogic_epi64::<UNION>(right, left, down);
    let moves = _mm512_ternarylogic_epi64::<UNION>(moves, up, down_left);
    let moves = _mm512_ternarylogic_epi64::<UNION>(moves, up_right, down_right);
    let moves = _mm512_or_si512(moves, up_left);
    _mm512_ternarylogic_epi64::<EMPTY>(moves, own, opponent)
}

/// The truth table of `a | (b & c)`.
const A_OR_BC: i32 = 0xf8;

/// The squares just beyond the runs of `between` that `own` discs begin, both ways along the axis
/// of `STEP`; `TWICE` is twice that.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn axis<const STEP: u32, const TWICE: u32>(own: __m512i, between: __m512i) -> [__m512i; 2] {
    let forth = _mm512_and_si512(between, _mm512_slli_epi64::<STEP>(own));
    let forth =
        _mm512_ternarylogic_epi64::<A_OR_BC>(forth, between, _mm512_slli_epi64::<STEP>(forth));
    let pairs = _mm512_and_si512(between, _mm512_slli_epi64::<STEP>(between));
    let forth =
        _mm512_ternarylogic_epi64::<A_OR_BC>(forth, pairs, _mm512_slli_epi64::<TWICE>(forth));
    let forth =
        _mm512_ternarylogic_epi64::<A_OR_BC>(forth, pairs, _mm512_slli_epi64::<TWICE>(forth));
    [
        _mm512_slli_epi64::<STEP>(forth),
        back::<STEP, TWICE>(own, between, pairs),
    ]
}

/// The way back of [`axis`], towards lower squares.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn back<const STEP: u32, const TWICE: u32>(
    own: __m512i,
    between: __m512i,
    pairs: __m512i,
) -> __m512i {
    let pairs = _mm512_srli_epi64::<STEP>(pairs);
    let runs = _mm512_and_si512(between, _mm512_srli_epi64::<STEP>(own));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, between, _mm512_srli_epi64::<STEP>(runs));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, pairs, _mm512_srli_epi64::<TWICE>(runs));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, pairs, _mm512_srli_epi64::<TWICE>(runs));
    _mm512_srli_epi64::<STEP>(runs)
}

/// [`axis`] for the rows, where a carry runs through the discs to the right by itself; it leaves
/// some of `between` in the result.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn row(own: __m512i, between: __m512i) -> [__m512i; 2] {
    let starts = _mm512_and_si512(between, _mm512_slli_epi64::<1>(own));
    let carried = _mm512_add_epi64(between, starts);
    let pairs = _mm512_and_si512(between, _mm512_slli_epi64::<1>(between));
    [carried, back::<1, 2>(own, between, pairs)]
}
