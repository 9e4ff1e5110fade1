//! Zeroed memory that the system provides on first use.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ops::{Deref, DerefMut},
    ptr::NonNull,
};

/// A slice of values that are all-zero bits initially, on pages that the system provides when they
/// are first touched.
///
/// For an alignment above its own, the standard allocator writes the zeros itself and so touches
/// every page, which takes 40 ms for 64 MiB. For smaller alignments it returns memory zeroed by the
/// system, so the alignment is done here.
pub(crate) struct Zeroed<T> {
    memory: NonNull<u8>,
    layout: Layout,
    values: NonNull<[T]>,
}

// SAFETY: it owns its values as a box does.
unsafe impl<T: Send> Send for Zeroed<T> {}
// SAFETY: it hands out only shared references, as a box does.
unsafe impl<T: Sync> Sync for Zeroed<T> {}

impl<T> Zeroed<T> {
    /// Allocates `count` values, or returns `None` if there is not enough memory.
    ///
    /// # Safety
    ///
    /// Zero bits must be a valid value of `T`, and `T` must not need dropping.
    pub(crate) unsafe fn new(count: usize) -> Option<Self> {
        let size = count.checked_mul(size_of::<T>());
        let size = size.and_then(|size| size.checked_add(align_of::<T>()));
        let layout = Layout::from_size_align(size?, 1).ok()?;
        // SAFETY: the size is not zero, since the alignment is not.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        prefer_huge_pages(memory, layout.size());
        let offset = memory.align_offset(align_of::<T>());
        // The contract of `align_offset` allows an impossible offset.
        assert!(
            offset < align_of::<T>(),
            "memory is aligned within one alignment"
        );
        // SAFETY: the offset is less than the alignment, and the memory is larger than the values
        // by the alignment.
        let first = unsafe { memory.add(offset) };
        Some(Self {
            memory,
            layout,
            values: NonNull::slice_from_raw_parts(first.cast(), count),
        })
    }
}

impl<T> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory is aligned, holds that many values, which are valid by the contract of
        // `new`, and lives as long as `self`.
        unsafe { self.values.as_ref() }
    }
}

impl<T> DerefMut for Zeroed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow of `self` is the only one.
        unsafe { self.values.as_mut() }
    }
}

/// Asks the system for huge pages where whole ones fit: fewer page faults on first touch, and fewer
/// TLB misses afterwards.
#[cfg(target_os = "linux")]
fn prefer_huge_pages(memory: NonNull<u8>, size: usize) {
    use nix::sys::mman::{MmapAdvise, madvise};

    const HUGE: usize = 2 << 20;
    let start = memory.align_offset(HUGE);
    let whole = size.saturating_sub(start) / HUGE * HUGE;
    if whole > 0 {
        // SAFETY: the huge pages lie within the memory.
        let first = unsafe { memory.add(start) };
        // SAFETY: the advice changes nothing that a program can observe. A system without huge
        // pages refuses it without harm.
        let _ = unsafe { madvise(first.cast(), whole, MmapAdvise::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_: NonNull<u8>, _: usize) {}

impl<T> Drop for Zeroed<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout, and freed once.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[repr(align(128))]
    struct Aligned(AtomicU64);

    #[test]
    fn values_are_aligned_zero_and_keep_what_is_stored() {
        for count in [0, 1, 1000, 100_000] {
            // SAFETY: zero bits are an atomic integer.
            let values = unsafe { Zeroed::<Aligned>::new(count) };
            let values = values.expect("a few MiB are there");
            assert_eq!(values.len(), count);
            assert_eq!(values.as_ptr() as usize % 128, 0);
            for (at, value) in values.iter().enumerate() {
                assert_eq!(value.0.swap(at as u64, Relaxed), 0);
            }
            let stored = values.iter().map(|value| value.0.load(Relaxed));
            assert!(stored.eq(0..count as u64));
        }
    }

    #[test]
    fn an_impossible_size_is_none() {
        for count in [usize::MAX >> 14, usize::MAX >> 7, usize::MAX] {
            // SAFETY: zero bits are an atomic integer.
            let values = unsafe { Zeroed::<Aligned>::new(count) };
            assert!(values.is_none(), "{count}");
        }
    }
}
