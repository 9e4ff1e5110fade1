//! The engine: requests in JSON, and exact solutions.

use std::{
    sync::{Mutex, PoisonError, mpsc},
    time::Duration,
};

use othello_core::{Bitboard, Position};
use othello_engine::{HashSize, Settings, StopHandle, ThreadCount};
use othello_search::{Limits, Options, Searcher};
use othello_web::requests;
use pyo3::{exceptions::PyMemoryError, prelude::*};

use crate::{range, value_error};

/// The interval at which a search looks for signals, such as Ctrl-C in a notebook.
const SIGNALS: Duration = Duration::from_millis(50);

#[pyclass(module = "othello_engine._native", frozen)]
pub(crate) struct Service(Mutex<requests::Service>);

#[pymethods]
impl Service {
    #[new]
    fn new(threads: u64, hash_mib: u64) -> PyResult<Self> {
        let settings = Settings {
            threads: thread_count(threads)?,
            hash: HashSize::new(hash_mib)
                .ok_or_else(|| range("hash_mib", HashSize::MAX, hash_mib))?,
            ..Settings::default()
        };
        let program = concat!("othello-engine ", env!("CARGO_PKG_VERSION"));
        let service = requests::Service::new(settings, program);
        service
            .map(|service| Self(Mutex::new(service)))
            .map_err(|error| PyMemoryError::new_err(error.to_string()))
    }

    /// Carries out a request in JSON and returns the last event.
    fn ask(&self, py: Python<'_>, request: &[u8]) -> PyResult<String> {
        let mut last = String::new();
        interruptible(py, |stop| {
            let mut service = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            service.answer_json(request, stop, None, &mut |event| last = event.to_json());
        })?;
        Ok(last)
    }
}

/// Returns the exact score of a position, from the side to move, and a best line.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    own: u64,
    opponent: u64,
    threads: u64,
) -> PyResult<(i32, Vec<String>)> {
    let position = Position::new(Bitboard(own), Bitboard(opponent)).map_err(value_error)?;
    let options = Options {
        threads: thread_count(threads)?.into(),
        ..Options::default()
    };
    let mut searcher =
        Searcher::try_new(options).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    let mut report = None;
    interruptible(py, |stop| {
        let limits = Limits {
            stop: Some(stop.clone()),
            ..Limits::default()
        };
        report = Some(searcher.search(position, &limits));
    })?;
    let report = report.ok_or_else(|| value_error("expected a search that ends"))?;
    let line = report.pv.iter().map(ToString::to_string).collect();
    Ok((report.score.to_score().discs(), line))
}

fn thread_count(threads: u64) -> PyResult<ThreadCount> {
    ThreadCount::new(threads).ok_or_else(|| range("threads", ThreadCount::MAX, threads))
}

/// Does work without the interpreter's lock, and stops it when a signal handler raises.
fn interruptible(py: Python<'_>, work: impl FnOnce(&StopHandle) + Send) -> PyResult<()> {
    let stop = StopHandle::new();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = mpsc::channel::<()>();
            let handle = stop.clone();
            scope.spawn(move || {
                // Dropped at the end, also by a panic.
                let _done = done;
                work(&handle);
            });
            let mut raised = Ok(());
            while finished.recv_timeout(SIGNALS) == Err(mpsc::RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals());
                }
                if raised.is_err() {
                    stop.stop();
                }
            }
            raised
        })
    })
}
