//! Statuses, and the text of the last error.

use std::{
    any::Any,
    cell::RefCell,
    ffi::{CString, c_char},
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

use othello_core::IllegalMove;
use othello_web::requests::RequestError;

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OthelloStatus {
    /// The call has done its work.
    Ok,
    /// A pointer is null.
    Null,
    /// A text is not UTF-8.
    Utf8,
    /// A text is not of the expected form.
    Text,
    /// A move is illegal.
    IllegalMove,
    /// A square has discs of both colors.
    Overlap,
    /// A number is out of its range.
    Range,
    /// The memory for an answer is too small; the count or length says how much is needed.
    TooSmall,
    /// There is not enough memory.
    Memory,
    /// The game is over, and has no move.
    GameOver,
    /// The engine is searching.
    Busy,
    /// A defect of the library. The engine of the call can only be freed.
    Internal,
}

/// An error with its text.
pub(crate) struct Failure {
    status: OthelloStatus,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: OthelloStatus, message: &impl Display) -> Self {
        Self {
            status,
            message: message.to_string(),
        }
    }

    pub(crate) fn range(name: &str, min: u64, max: u64, found: u64) -> Self {
        let message = format!("{name}: expected a number from {min} to {max}, found {found}");
        Self::new(OthelloStatus::Range, &message)
    }
}

impl From<IllegalMove> for Failure {
    fn from(error: IllegalMove) -> Self {
        Self::new(OthelloStatus::IllegalMove, &error)
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        let status = match error {
            RequestError::Number { .. } => OthelloStatus::Range,
            RequestError::GameOver => OthelloStatus::GameOver,
            _ => OthelloStatus::Text,
        };
        Self::new(status, &error)
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Does the work of an entry point. An error or a panic becomes a status and the last error of this thread.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> OthelloStatus {
    // What a panic leaves behind is behind a lock, which it poisons.
    let done = catch_unwind(AssertUnwindSafe(work));
    let failure = match done {
        Ok(Ok(())) => return OthelloStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure {
            status: OthelloStatus::Internal,
            message: format!("a defect of the library: {}", text_of(&*panic)),
        },
    };
    let text = failure.message.replace('\0', "\u{fffd}");
    let text = CString::new(text).unwrap_or_default();
    // A thread that ends may have freed its text already.
    let _ = LAST_ERROR.try_with(|last| last.replace(text));
    failure.status
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic")
}

/// Returns the text of the last error on this thread, which says what was expected; empty before the first one. It is
/// valid until the next error on this thread or the thread's end.
#[unsafe(no_mangle)]
pub extern "C" fn othello_last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|text| text.borrow().as_ptr())
        .unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    #[test]
    fn a_panic_becomes_a_status_with_its_text() {
        let status = guarded(|| panic!("a reason\0"));
        assert_eq!(status, OthelloStatus::Internal);
        // SAFETY: the text is valid until the next error on this thread.
        let text = unsafe { CStr::from_ptr(othello_last_error()) };
        let expected = "a defect of the library: a reason\u{fffd}";
        assert_eq!(text.to_str(), Ok(expected));
    }
}
