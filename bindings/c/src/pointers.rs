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
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null, so valid by the contract of this function.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes how many values an answer has, and the values if there is room for them.
///
/// # Safety
///
/// `values` is null or valid for writes of `capacity` values; `count` is null or valid for a write.
pub(crate) unsafe fn write_all<T: Copy>(
    answer: &[T],
    values: *mut T,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: by the contract of this function.
    unsafe { write(count, "count", answer.len())? };
    if answer.len() > capacity {
        let needed = format!(
            "capacity: expected at least {}, found {capacity}",
            answer.len()
        );
        return Err(Failure::new(OthelloStatus::TooSmall, &needed));
    }
    if values.is_null() && !answer.is_empty() {
        return Err(null("values"));
    }
    if !answer.is_empty() {
        // SAFETY: there is room for `capacity` values by the contract of this function; the answer is memory of ours.
        unsafe { values.copy_from_nonoverlapping(answer.as_ptr(), answer.len()) };
    }
    Ok(())
}

/// Returns a text.
///
/// # Safety
///
/// The pointer is null, or points to bytes that end with a zero and do not change while the text lives.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
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
