//! The engine as a WebAssembly module.
#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]

use std::sync::{Arc, Mutex, PoisonError};

use othello_search::{Options, bench, eval::Network};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Takes an event, UTF-8 at this address with this length; the memory is the module's again when it returns.
    safe fn emit(event: *const u8, len: usize);
}

static NETWORK: Mutex<Option<Arc<Network>>> = Mutex::new(None);

fn send(event: &str) {
    emit(event.as_ptr(), event.len());
}

/// Returns memory of `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Takes back the memory that [`alloc`] returned.
///
/// # Safety
///
/// It is memory of `alloc`, of that length, and was not taken back before.
unsafe fn taken(bytes: *mut u8, len: usize) -> Box<[u8]> {
    // SAFETY: by the contract of this function it is a box of that many bytes.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, len)) }
}

/// Loads the weights.
///
/// # Safety
///
/// They are in memory of [`alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn load(bytes: *mut u8, len: usize) -> i32 {
    std::panic::set_hook(Box::new(|panic| send(&panic.to_string())));
    // SAFETY: by the contract of this function.
    let bytes = unsafe { taken(bytes, len) };
    match Network::read(&bytes) {
        Ok(network) => {
            *NETWORK.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(network));
            1
        }
        Err(error) => {
            send(&format!("{error}"));
            0
        }
    }
}

/// Runs the benchmark.
#[unsafe(no_mangle)]
pub extern "C" fn run_bench() {
    let network = NETWORK
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let result = bench::run(Options::with_network(network.expect("loaded")), &mut |_| {});
    send(&format!(
        r#"{{"event":"bench","nodes":{},"elapsed_ms":{}}}"#,
        result.nodes,
        result.elapsed.as_secs_f64() * 1e3
    ));
}
