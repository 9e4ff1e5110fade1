//! The back ends of x86-64 CPUs.

pub(crate) mod avx2;
mod avx2_lanes;
mod avx2_rows;
pub(crate) mod avx512;
mod avx512_lanes;
mod avx512_rows;
mod last;

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// Evaluates to `true` if the CPU has all the named features. Without `std`, checks whether the
/// compilation target guarantees them.
macro_rules! has_features {
    ($($feature:tt)*) => {{
        #[cfg(feature = "std")]
        let has = true $(&& std::arch::is_x86_feature_detected!($feature))*;
        #[cfg(not(feature = "std"))]
        let has = cfg!(all($(target_feature = $feature),*));
        has
    }};
}
use has_features;

/// Prefetches the cache line at the start of `value`.
#[inline(always)]
fn prefetch<T>(value: &T) {
    // SAFETY: a prefetch changes nothing, and every x86-64 CPU has the instruction.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) }
}
