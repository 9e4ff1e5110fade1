//! Panics of the database crate as errors: its assertions may fail on a damaged file.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

use super::StoreFault;

thread_local! {
    /// True while a panic of this thread would be caught; it is then written to the log alone.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function and turns a panic in it into [`StoreFault::Damaged`].
pub(super) fn catch<T>(work: impl FnOnce() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    silence_caught_panics();
    let before = CATCHING.replace(true);
    // Everything that the function borrows mutably is dropped with it.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(before);
    done.unwrap_or_else(|panic| Err(StoreFault::Damaged(panic_message(&*panic))))
}

/// Keeps the panics that are caught here off standard error; all others are reported as before.
fn silence_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CATCHING.get() {
                tracing::error!("{panic}");
            } else {
                before(panic);
            }
        }));
    });
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_damage() {
        let caught = catch::<()>(|| panic!("page {} is no page", 7));
        let Err(StoreFault::Damaged(told)) = caught else {
            panic!("{caught:?}");
        };
        assert_eq!(told, "page 7 is no page");
        assert_eq!(catch(|| Ok(7)).unwrap(), 7);
    }
}
