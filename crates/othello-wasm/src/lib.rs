//! The engine as a WebAssembly module, which answers the requests of `othello-web`.
//!
//! The module has three functions and asks for three; bytes go both ways as an address and a length in its memory:
//!
//! | exported | does |
//! |---|---|
//! | `alloc(len) -> ptr` | returns memory for the bytes of one of the calls below, which then owns it |
//! | `load(ptr, len) -> 0 or 1` | takes a file of weights; 0 if it is damaged, after an event that says so |
//! | `ask(ptr, len)` | carries out a request in JSON; returns when it is done; searches need weights |
//! | `bench()` | runs the benchmark, whose node count is the search's signature |
//!
//! | imported from `env` | does |
//! |---|---|
//! | `emit(ptr, len)` | takes an event in JSON |
//! | `now() -> f64` | returns the time in milliseconds |
//! | `stopped() -> i32` | returns anything but 0 if the request is to stop; asked every few hundred positions |
//!
//! A panic sends an error and then traps; the module is of no more use after it. For other targets the crate is empty.
#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]

use std::{
    panic::set_hook,
    ptr::slice_from_raw_parts_mut,
    sync::{Arc, Mutex, MutexGuard, Once, PoisonError},
};

use othello_analysis::MemoryStore;
use othello_engine::{
    Settings, StopHandle,
    book::{BookPlay, OpeningBook},
};
use othello_search::{Options, bench, eval::Network};
use othello_web::requests::{Event, Prepared, Request, Service};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn emit(event: *const u8, len: usize);
}

/// The program that reports name.
const PROGRAM: &str = concat!("othello ", env!("CARGO_PKG_VERSION"));

/// What answers requests, once the weights are loaded.
struct Loaded {
    network: Arc<Network>,
    service: Service,
    /// What was found, so that a position that is shown again keeps its values.
    store: MemoryStore,
}

static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

fn loaded() -> MutexGuard<'static, Option<Loaded>> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns memory of `len` bytes. The first call also sets the panic hook, which sends an error.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(len: usize) -> *mut u8 {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| set_hook(Box::new(|panic| send_error(panic.to_string()))));
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Takes over the memory that [`alloc`] returned.
///
/// # Safety
///
/// It must come from a call of [`alloc`] with this length, and be taken over once.
unsafe fn owned(bytes: *mut u8, len: usize) -> Box<[u8]> {
    // SAFETY: by the contract of this function it was a box of this length.
    unsafe { Box::from_raw(slice_from_raw_parts_mut(bytes, len)) }
}

/// Loads a file of weights, and returns 1, or 0 if it cannot be used.
///
/// # Safety
///
/// The memory must come from a call of [`alloc`] with this length, and be given to one call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn load(bytes: *mut u8, len: usize) -> i32 {
    // SAFETY: by the contract of this function.
    let file = unsafe { owned(bytes, len) };
    let network = match Network::read(&file) {
        Ok(network) => Arc::new(network),
        Err(error) => return refused(&error),
    };
    let settings = Settings {
        book: book_for(&file),
        ..Settings::with_network(Arc::clone(&network))
    };
    match Service::new(settings, PROGRAM) {
        Ok(service) => {
            let store = MemoryStore::default();
            *loaded() = Some(Loaded {
                network,
                service,
                store,
            });
        }
        Err(error) => return refused(&error),
    }
    1
}

/// Returns the built-in book, whose values are those of the built-in weights, for these alone.
fn book_for(weights: &[u8]) -> Option<BookPlay> {
    let book = OpeningBook::built_in();
    (book.weights() == crc32fast::hash(weights)).then(|| BookPlay {
        book: Arc::new(book),
        margin: 0,
        at_any_strength: false,
    })
}

fn refused(error: &dyn std::error::Error) -> i32 {
    send_error(error.to_string());
    0
}

/// Carries out a request; the last event is the answer.
///
/// # Safety
///
/// The memory must come from a call of [`alloc`] with this length, and be given to one call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(bytes: *mut u8, len: usize) {
    // SAFETY: by the contract of this function.
    let request = unsafe { owned(bytes, len) };
    match loaded().as_mut() {
        Some(Loaded { service, store, .. }) => {
            let mut emit = |event: &Event| send(&event.to_json());
            service.answer_json(&request, &StopHandle::new(), Some(store), &mut emit);
        }
        None => match Request::from_json(&request).and_then(|request| request.prepare()) {
            Ok(Prepared::Answer(answer)) => send(&answer.to_json()),
            Ok(Prepared::Search(_)) => send_not_loaded(),
            Err(error) => send_error(error.to_string()),
        },
    }
}

/// Runs the benchmark, and sends an event with its nodes and time.
#[unsafe(no_mangle)]
pub extern "C" fn bench() {
    match loaded().as_ref() {
        Some(Loaded { network, .. }) => {
            let result = bench::run(Options::with_network(Arc::clone(network)), &mut |_| {});
            let (nodes, milliseconds) = (result.nodes, result.elapsed.as_secs_f64() * 1000.0);
            send(&format!(
                r#"{{"event":"bench","nodes":{nodes},"elapsed_ms":{milliseconds}}}"#
            ));
        }
        None => send_not_loaded(),
    }
}

fn send(event: &str) {
    emit(event.as_ptr(), event.len());
}

fn send_error(message: String) {
    send(&Event::Error { message }.to_json());
}

fn send_not_loaded() {
    send_error("expected weights to be loaded before the first search".to_owned());
}
