//! The engine.

use std::{
    ffi::{CString, c_char, c_int, c_void},
    mem::MaybeUninit,
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
};

use othello_analysis::{Discs, Source};
use othello_core::Move;
use othello_engine::{
    Exactness, HashSize, ParseLevelError, PlayLevel, Settings, StopHandle, ThreadCount,
};
use othello_search::Limits;
use othello_web::requests::{
    AnalyzeRequest, Event, HintRequest, MoveRequest, Prepared, Request, Service,
};

use crate::{
    board::{OTHELLO_NO_MOVE, OthelloBoard, number},
    pointers::{Output, given, make, text},
    status::{Failure, OthelloStatus, guarded},
};

/// An engine.
pub struct OthelloEngine {
    service: Mutex<Service>,
    /// The handle of the search that runs, or of the last one.
    stop: Mutex<StopHandle>,
}

// The header lets several threads use a handle.
const _: () = {
    const fn expect_shareable<T: Send + Sync>() {}
    expect_shareable::<OthelloBoard>();
    expect_shareable::<OthelloEngine>();
};

/// A move and its value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OthelloValue {
    /// The move.
    pub mv: u8,
    /// True if the score is proven.
    pub exact: bool,
    /// The score for the side to move, in hundredths of a disc.
    pub score: i32,
}

/// A move of a game and what it lost.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OthelloLoss {
    /// The move.
    pub mv: u8,
    /// The best move, or `OTHELLO_NO_MOVE` if it is not known.
    pub best: u8,
    /// True if the score of the position is proven.
    pub exact: bool,
    /// The loss against the best move in hundredths of a disc, or -1 if it is not known.
    pub loss: i32,
}

/// Takes an event in JSON and what the caller has given; stops the search by returning anything but 0. It must not
/// leave by longjmp or by an exception.
pub type OthelloListener =
    Option<unsafe extern "C" fn(event: *const c_char, data: *mut c_void) -> c_int>;

impl OthelloEngine {
    /// Locks the service for a search, and makes its handle the one that `othello_engine_stop` uses.
    fn begin(&self) -> Result<(MutexGuard<'_, Service>, StopHandle), Failure> {
        let service = self.service.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failure::new(
                OthelloStatus::Busy,
                &"engine: expected one search at a time",
            ),
            TryLockError::Poisoned(_) => Failure::new(
                OthelloStatus::Internal,
                &"engine: expected no defect in a search before",
            ),
        })?;
        let stop = StopHandle::new();
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        Ok((service, stop))
    }

    /// Carries a request out and returns its last event.
    fn answer(&self, request: &Request) -> Result<Option<Event>, Failure> {
        let task = match request.prepare()? {
            Prepared::Answer(event) => return Ok(Some(event)),
            Prepared::Search(task) => task,
        };
        let (mut service, stop) = self.begin()?;
        let mut last = None;
        let mut emit = |event: &Event| last = Some(event.clone());
        service.run(&task, &stop, None, &mut emit);
        Ok(last)
    }
}

fn board_and_moves(board: &OthelloBoard) -> (String, String) {
    (
        board.0.start().to_string(),
        board.0.transcript().to_string(),
    )
}

/// Returns a bound of a request: 0 is none.
fn bound<T: PartialEq + Default>(number: T) -> Option<T> {
    (number != T::default()).then_some(number)
}

fn value(mv: Move, source: Source, score: Discs) -> OthelloValue {
    OthelloValue {
        mv: number(mv),
        exact: is_exact(source),
        score: score.hundredths(),
    }
}

fn level_numbered(number: u32) -> Result<PlayLevel, Failure> {
    let level = u16::try_from(number).map_err(|_| ParseLevelError);
    let level = level.and_then(PlayLevel::numbered);
    level.map_err(|error| {
        let message = format!("level: {error}, found {number}");
        Failure::new(OthelloStatus::Range, &message)
    })
}

fn is_exact(source: Source) -> bool {
    !matches!(source, Source::Depth { .. })
}

fn unexpected() -> Failure {
    Failure::new(OthelloStatus::Internal, &"expected another event")
}

/// Makes an engine with 1 to 1024 threads and a transposition table of 1 to 65536 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn othello_engine_new(
    threads: u64,
    hash_mib: u64,
    engine: Option<&mut MaybeUninit<Option<Box<OthelloEngine>>>>,
) -> OthelloStatus {
    make((engine, "engine"), || {
        let settings = Settings {
            threads: ThreadCount::new(threads)
                .ok_or_else(|| Failure::range("threads", 1, ThreadCount::MAX, threads))?,
            hash: HashSize::new(hash_mib)
                .ok_or_else(|| Failure::range("hash_mib", 1, HashSize::MAX, hash_mib))?,
            ..Settings::default()
        };
        let program = concat!("othello-engine ", env!("CARGO_PKG_VERSION"));
        let service = Service::new(settings, program)
            .map_err(|error| Failure::new(OthelloStatus::Memory, &error))?;
        Ok(OthelloEngine {
            service: Mutex::new(service),
            stop: Mutex::default(),
        })
    })
}

/// Frees an engine, or does nothing if it is null.
#[unsafe(no_mangle)]
pub extern "C" fn othello_engine_free(engine: Option<Box<OthelloEngine>>) {
    drop(engine);
}

/// Makes the search that runs end with what it has found, from any thread; does nothing if none runs.
#[unsafe(no_mangle)]
pub extern "C" fn othello_engine_stop(engine: Option<&OthelloEngine>) -> OthelloStatus {
    guarded(|| {
        let stop = given(engine, "engine")?.stop.lock();
        stop.unwrap_or_else(PoisonError::into_inner).stop();
        Ok(())
    })
}

/// Chooses a move at a level from 1 to 60 or with a rating from 100 on, within a time in milliseconds, or both; 0 is no
/// bound. Without any bound it takes a second.
#[unsafe(no_mangle)]
pub extern "C" fn othello_engine_choose(
    engine: Option<&OthelloEngine>,
    board: Option<&OthelloBoard>,
    level: u32,
    time_ms: u64,
    chosen: Option<&mut MaybeUninit<OthelloValue>>,
) -> OthelloStatus {
    guarded(|| {
        let (engine, board) = (given(engine, "engine")?, given(board, "board")?);
        let chosen = given(chosen, "chosen")?;
        let level = bound(level).map(level_numbered).transpose()?;
        let (start, moves) = board_and_moves(board);
        let request = Request::Move(MoveRequest {
            board: start,
            moves,
            level,
            time_ms: bound(time_ms),
            clock: None,
        });
        let Some(Event::Move(answer)) = engine.answer(&request)? else {
            return Err(unexpected());
        };
        chosen.write(value(answer.mv, answer.source, answer.score));
        Ok(())
    })
}

/// Values all moves, best first, to a depth from 1 to 60, within a time in milliseconds, or both; 0 is no bound.
/// Without any bound it goes on until all values are exact or the search is stopped. In a game no position has more
/// than 33 moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_engine_hint(
    engine: Option<&OthelloEngine>,
    board: Option<&OthelloBoard>,
    depth: u32,
    time_ms: u64,
    values: *mut OthelloValue,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> OthelloStatus {
    guarded(|| {
        // SAFETY: by the contract of the header.
        let mut output = unsafe { Output::new((values, "values"), capacity, (count, "count"))? };
        let (engine, board) = (given(engine, "engine")?, given(board, "board")?);
        let now = board.0.board();
        output.expect_room(now.legal_moves().count() as usize + usize::from(now.must_pass()))?;
        let (start, moves) = board_and_moves(board);
        let request = Request::Hint(HintRequest {
            board: start,
            moves,
            depth: bound(depth),
            time_ms: bound(time_ms),
        });
        let Some(Event::Update(update)) = engine.answer(&request)? else {
            return Err(unexpected());
        };
        let moves = update.moves.iter();
        let values = moves.map(|report| value(report.mv, report.source, report.score));
        output.write(&values.collect::<Vec<_>>())
    })
}

/// Finds the exact score and a best move; a search that is stopped has a score that is not exact. The time grows about
/// threefold with each empty square, and is seconds at 24.
#[unsafe(no_mangle)]
pub extern "C" fn othello_engine_solve(
    engine: Option<&OthelloEngine>,
    board: Option<&OthelloBoard>,
    solution: Option<&mut MaybeUninit<OthelloValue>>,
) -> OthelloStatus {
    guarded(|| {
        let (engine, board) = (given(engine, "engine")?, given(board, "board")?);
        let solution = given(solution, "solution")?;
        let (mut service, stop) = engine.begin()?;
        let limits = Limits {
            stop: Some(stop),
            ..Limits::default()
        };
        let position = board.0.board().position();
        let report = service.engine().searcher().search(position, &limits);
        solution.write(OthelloValue {
            mv: report.pv.first().copied().map_or(OTHELLO_NO_MOVE, number),
            exact: report.exactness == Exactness::Exact,
            score: report.score.to_score().discs() * 100,
        });
        Ok(())
    })
}

/// Finds what each move of the game lost. Positions with at most `exact_from` empty squares (0 to 60) are solved, the
/// others searched to a depth from 2 to 60.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_engine_analyze(
    engine: Option<&OthelloEngine>,
    board: Option<&OthelloBoard>,
    depth: u32,
    exact_from: u32,
    losses: *mut OthelloLoss,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> OthelloStatus {
    guarded(|| {
        // SAFETY: by the contract of the header.
        let mut output = unsafe { Output::new((losses, "losses"), capacity, (count, "count"))? };
        let (engine, board) = (given(engine, "engine")?, given(board, "board")?);
        // An analysis adds a pass that must follow the last move.
        output.expect_room(board.0.moves().len() + usize::from(board.0.board().must_pass()))?;
        let (start, moves) = board_and_moves(board);
        let request = Request::Analyze(AnalyzeRequest {
            board: Some(start),
            moves: Some(moves),
            depth: Some(depth),
            exact_from: Some(exact_from),
            ..AnalyzeRequest::default()
        });
        let Some(Event::Report(answer)) = engine.answer(&request)? else {
            return Err(unexpected());
        };
        let positions = answer.report.positions.iter();
        let all = positions.filter_map(|position| {
            let played = position.played?;
            let best = position.moves.first();
            Some(OthelloLoss {
                mv: number(played.mv),
                best: best.map_or(OTHELLO_NO_MOVE, |best| number(best.mv)),
                exact: position.value.is_some_and(|value| is_exact(value.source)),
                loss: played.loss.map_or(-1, Discs::hundredths),
            })
        });
        output.write(&all.collect::<Vec<_>>())
    })
}

/// Carries out a request in JSON of docs/web.md, such as `{"call":"records","text":…}`, and gives each event to the
/// listener; the last is the answer. An event `error` is no error of this call. `data` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn othello_engine_ask(
    engine: Option<&OthelloEngine>,
    request: *const c_char,
    listener: OthelloListener,
    data: *mut c_void,
) -> OthelloStatus {
    guarded(|| {
        // SAFETY: by the contract of the header.
        let (engine, request) = (given(engine, "engine")?, unsafe {
            text(request, "request")?
        });
        let listener = given(listener, "listener")?;
        let (mut service, stop) = engine.begin()?;
        let mut emit = |event: &Event| {
            // Zero bytes are escaped in JSON.
            let event = CString::new(event.to_json()).unwrap_or_default();
            // SAFETY: by the contract of the header.
            if unsafe { listener(event.as_ptr(), data) } != 0 {
                stop.stop();
            }
        };
        service.answer_json(request.as_bytes(), &stop, None, &mut emit);
        Ok(())
    })
}
