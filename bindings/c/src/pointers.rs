//! Pointers from C. The contract of all these functions is the header's: a pointer is null or points to what its type
//! says, for the time of the call.

use std::{
    ffi::{CStr, c_char},
    mem::MaybeUninit,
};

use crate::status::{Failure, OthelloStatus, guarded};

/// Returns a pointer that must not be null.
pub(crate) fn given<T>(pointer: Option<T>, name: &str) -> Result<T, Failure> {
    pointer.ok_or_else(|| {
        Failure::new(
            OthelloStatus::Null,
            &format!("{name}: expected a pointer, found null"),
        )
    })
}

/// Makes a handle; on an error it is null.
pub(crate) fn make<T>(
    (handle, name): (Option<&mut MaybeUninit<Option<Box<T>>>>, &str),
    made: impl FnOnce() -> Result<T, Failure>,
) -> OthelloStatus {
    guarded(|| {
        let handle = given(handle, name)?.write(None);
        *handle = Some(Box::new(made()?));
        Ok(())
    })
}

/// The caller's memory for an answer of several values.
pub(crate) struct Output<'a, T> {
    values: *mut T,
    capacity: usize,
    count: &'a mut usize,
}

impl<'a, T: Copy> Output<'a, T> {
    /// Checks pointers, which come with their names, and sets the count to 0. `values` may be null without capacity.
    ///
    /// # Safety
    ///
    /// While this lives, `values` is null or valid for writes of `capacity` values.
    pub(crate) unsafe fn new(
        (values, values_name): (*mut T, &str),
        capacity: usize,
        (count, count_name): (Option<&'a mut MaybeUninit<usize>>, &str),
    ) -> Result<Self, Failure> {
        let count = given(count, count_name)?.write(0);
        given(
            (capacity == 0 || !values.is_null()).then_some(()),
            values_name,
        )?;
        Ok(Self {
            values,
            capacity,
            count,
        })
    }

    /// Checks that an answer of `needed` values has room; on an error the count is what is needed.
    pub(crate) fn expect_room(&mut self, needed: usize) -> Result<(), Failure> {
        if needed <= self.capacity {
            return Ok(());
        }
        *self.count = needed;
        let found = self.capacity;
        let message = format!("capacity: expected at least {needed}, found {found}");
        Err(Failure::new(OthelloStatus::TooSmall, &message))
    }

    /// Writes the values and their count.
    pub(crate) fn write(mut self, answer: &[T]) -> Result<(), Failure> {
        self.expect_room(answer.len())?;
        for (index, value) in answer.iter().enumerate() {
            // SAFETY: there is room by the contract of `new`.
            unsafe { self.values.add(index).write(*value) };
        }
        *self.count = answer.len();
        Ok(())
    }
}

/// Returns a text.
///
/// # Safety
///
/// The pointer is null, or points to bytes that end with a zero and do not change while the text lives.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    given((!pointer.is_null()).then_some(()), name)?;
    // SAFETY: it is not null, so it ends with a zero by the contract of this function.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| {
        Failure::new(
            OthelloStatus::Utf8,
            &format!("{name}: expected UTF-8: {error}"),
        )
    })
}
