//! Pointers from C. The contract of all these functions is the header's: a pointer is null or points to what its type
//! says, for the time of the call.

use std::ffi::{CStr, c_char};

use crate::status::{Failure, OthelloStatus};

fn null(name: &str) -> Failure {
    Failure::new(
        OthelloStatus::Null,
        &format!("{name}: expected a pointer, found null"),
    )
}

/// Returns what a pointer points to.
///
/// # Safety
///
/// The pointer is null, or valid for reads while the reference lives.
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: by the contract of this function.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Returns what a pointer points to, to change it.
///
/// # Safety
///
/// The pointer is null, or valid for reads and writes while the reference lives, and nothing else uses it.
pub(crate) unsafe fn unique<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    // SAFETY: by the contract of this function.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// Writes an answer, to memory that need not be initialized.
///
/// # Safety
///
/// The pointer is null, or valid for a write.
pub(crate) unsafe fn write<T>(pointer: *mut T, name: &str, value: T) -> Result<(), Failure> {
    not_null(pointer, name)?;
    // SAFETY: it is not null, so valid by the contract of this function.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Checks a pointer, such as one to which an answer will be written.
pub(crate) fn not_null<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    Ok(())
}

/// The caller's memory for an answer of several values.
pub(crate) struct Output<T> {
    values: *mut T,
    capacity: usize,
    count: *mut usize,
}

impl<T: Copy> Output<T> {
    /// Checks pointers, which come with their names, and sets the count to 0. `values` may be null without capacity.
    ///
    /// # Safety
    ///
    /// While this lives, `values` is null or valid for writes of `capacity` values, and `count` null or for writes.
    pub(crate) unsafe fn new(
        (values, values_name): (*mut T, &str),
        capacity: usize,
        (count, count_name): (*mut usize, &str),
    ) -> Result<Self, Failure> {
        // SAFETY: by the contract of this function.
        unsafe { write(count, count_name, 0)? };
        if capacity > 0 {
            not_null(values, values_name)?;
        }
        Ok(Self {
            values,
            capacity,
            count,
        })
    }

    /// Checks that an answer of `needed` values has room; on an error the count is what is needed.
    pub(crate) fn expect_room(&self, needed: usize) -> Result<(), Failure> {
        if needed <= self.capacity {
            return Ok(());
        }
        // SAFETY: it is valid by the contract of `new`.
        unsafe { self.count.write(needed) };
        let found = self.capacity;
        let message = format!("capacity: expected at least {needed}, found {found}");
        Err(Failure::new(OthelloStatus::TooSmall, &message))
    }

    /// Writes the values and their count.
    pub(crate) fn write(&self, answer: &[T]) -> Result<(), Failure> {
        self.expect_room(answer.len())?;
        for (index, value) in answer.iter().enumerate() {
            // SAFETY: there is room by the contract of `new`.
            unsafe { self.values.add(index).write(*value) };
        }
        // SAFETY: it is valid by the contract of `new`.
        unsafe { write(self.count, "count", answer.len()) }
    }
}

/// Returns a text.
///
/// # Safety
///
/// The pointer is null, or points to bytes that end with a zero and do not change while the text lives.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    not_null(pointer, name)?;
    // SAFETY: it is not null, so it ends with a zero by the contract of this function.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| {
        Failure::new(
            OthelloStatus::Utf8,
            &format!("{name}: expected UTF-8: {error}"),
        )
    })
}

/// Drops what `Box::into_raw` returned.
///
/// # Safety
///
/// The pointer is null, or comes from `Box::into_raw` and is not used again.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: by the contract of this function.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
