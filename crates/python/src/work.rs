//! Work that the interpreter does not wait for with its lock.
//!
//! **Problem.** A call may take minutes. Meanwhile other Python threads go on, Ctrl-C is heard,
//! and a panic does not tear the interpreter down.
//!
//! **Method.** Work owns what it needs and runs on a pool of threads. The calling thread waits
//! without the lock and asks for signals some times a second. When Python raises (a
//! `KeyboardInterrupt`), a flag is raised and the work left alone with its pool: loops that look
//! at the flag (solves and their setup) and operators written in Python end at once, all else when it is done. Nobody waits for it,
//! and what it reads stays alive until then. Short work is not worth the trouble: the calling
//! thread waits for it as it is.
//!
//! Pools are kept by the number of their threads. A process that was forked off has none of its
//! parent's threads, so pools also belong to a process.

use crate::prelude::*;
use palmette::core::Cancel;
use palmette::core::parallel::MOST_THREADS;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Between two looks at signals.
const LISTEN: Duration = Duration::from_millis(25);

/// Work on fewer things than this ends before anyone could interrupt it.
pub(crate) const SHORT: usize = 1 << 13;

/// The number of threads where a call names none; 0 is one per core.
static DEFAULT: AtomicUsize = AtomicUsize::new(0);

/// How many cores there are.
static CORES: OnceLock<usize> = OnceLock::new();

/// Pools by process and number of threads.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// Sets the default number of threads for calls (0 = one per core).
#[pyfunction]
pub(crate) fn set_threads(threads: usize) -> PyResult<()> {
    check(threads)?;
    DEFAULT.store(threads, Ordering::Relaxed);
    Ok(())
}

/// The default number of threads for calls.
#[pyfunction]
pub(crate) fn get_threads() -> usize {
    count(None)
}

fn check(threads: usize) -> PyResult<()> {
    if threads > MOST_THREADS {
        let text = format!("threads: expected a number up to {MOST_THREADS}, found {threads}");
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// The number of threads of a call that asks for so many.
pub(crate) fn count(threads: Option<usize>) -> usize {
    let wanted = threads.filter(|&n| n > 0).unwrap_or_else(|| DEFAULT.load(Ordering::Relaxed));
    // The system looks through files to answer this.
    let ask = || std::thread::available_parallelism().map_or(1, |n| n.get());
    if wanted == 0 { *CORES.get_or_init(ask) } else { wanted }
}

fn pools() -> MutexGuard<'static, Option<Pools>> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pool of so many threads; 0 or none are as many as calls have by default.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    check(threads.unwrap_or(0))?;
    let key = (std::process::id(), count(threads));
    let mut pools = pools();
    let pools = pools.get_or_insert_default();
    if let Some(pool) = pools.get(&key) {
        return Ok(pool.clone());
    }
    let named = |i: usize| format!("palmette-{i}");
    let pool = ThreadPoolBuilder::new().num_threads(key.1).thread_name(named).build();
    let pool = pool.map_err(|error| {
        PyValueError::new_err(format!("threads: cannot start {}: {error}", key.1))
    })?;
    let pool = Arc::new(pool);
    pools.insert(key, pool.clone());
    Ok(pool)
}

/// Later calls get another pool: this one is still busy with abandoned work.
fn abandon(pool: &Arc<ThreadPool>) {
    if let Some(pools) = pools().as_mut() {
        pools.retain(|_, kept| !Arc::ptr_eq(kept, pool));
    }
}

/// Runs work on about `size` things; see the module.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    size: usize,
    work: impl FnOnce(&Cancel) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let cancel = Cancel::new();
    let own = cancel.clone();
    let guarded = move || guard(|| work(&own));
    if size < SHORT {
        return Ok(py.detach(|| pool.install(guarded))?);
    }
    let (send, receive) = sync_channel(1);
    pool.spawn(move || {
        // The caller may be gone.
        let _ = send.send(guarded());
    });
    wait(py, receive, &cancel, || abandon(&pool))
}

/// Waits for an answer and listens to signals.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    mut answer: Receiver<Result<T, Failure>>,
    cancel: &Cancel,
    give_up: impl FnOnce(),
) -> PyResult<T> {
    loop {
        let (found, back) = py.detach(move || (answer.recv_timeout(LISTEN), answer));
        answer = back;
        match found {
            Ok(found) => return Ok(found?),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Panic("a thread ended without an answer".into()).into());
            }
        }
        if let Err(error) = py.check_signals() {
            cancel.raise();
            give_up();
            return Err(error);
        }
    }
}

/// What panics is a failure of ours.
pub(crate) fn guard<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        Err(Failure::Panic(text.unwrap_or_else(|| "a panic without a text".to_string())))
    })
}
