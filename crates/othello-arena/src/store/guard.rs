//! Panics of the database crate as errors: it asserts what a damaged file need not hold.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

use super::StoreFault;

thread_local! {
    /// True while a panic of this thread is caught, and goes to the log alone.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does the work; a panic in it is damage.
pub(super) fn catch<T>(work: impl FnOnce() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    quieten();
    let guarded = GUARDED.replace(true);
    // What the work had in its hands is gone with it.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(guarded);
    done.unwrap_or_else(|panic| Err(StoreFault::Damaged(words(&*panic))))
}

/// Keeps the panics that are caught here off standard error; all others are told as before.
fn quieten() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if GUARDED.get() {
                tracing::error!("{panic}");
            } else {
                before(panic);
            }
        }));
    });
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it makes no sense".into())
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
