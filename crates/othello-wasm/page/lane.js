// A worker that has the engine, for one request at a time. It knows nothing of where its files come from.

const START_LIMIT = 60_000; // milliseconds until a worker has to be ready

// Whether memory may be shared with a worker: browsers allow it to isolated pages, Node.js always.
const canShare = typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false;

/** A worker and the requests that wait for it. */
export class Lane {
  #makeWorker;
  #worker = null; // a promise
  #spare = null; // a promise of the worker that takes over if this one is terminated
  #needsSpare;
  #stopId = canShare ? new SharedArrayBuffer(4) : null;
  #lastId = 0;
  #current = null; // the job that the worker has, or gets once it is ready
  #queue = [];
  #isClosed = false;

  /**
   * `makeWorker(stopId, take)` starts a worker and returns a promise of it; `isLong` tells whether requests run for so
   * long that they are stopped.
   */
  constructor(makeWorker, isLong) {
    this.#makeWorker = makeWorker;
    this.#needsSpare = isLong && this.#stopId === null;
  }

  async start() {
    this.#worker ??= this.#launch();
    const worker = this.#worker;
    try {
      await worker;
    } catch (error) {
      // Whoever asks next tries again.
      if (this.#worker === worker) this.#worker = null;
      throw error;
    }
  }

  /**
   * Carries out a request, after those before it. `onEvent` is called with each event, the last one too. `done` is a
   * promise of the last event, rejected with an Error where that is an error or there is none. `stop()` ends the request
   * at once: then `done` is the last event before, or null.
   */
  ask(request, onEvent = () => {}) {
    const job = new Job(request, onEvent);
    job.id = ++this.#lastId;
    if (this.#isClosed) job.fail(new Error('the engine is closed'));
    else this.#queue.push(job);
    this.#next();
    return { done: job.done, stop: () => this.#stop(job) };
  }

  /** Ends the worker, and all requests with an Error, later ones too. */
  close() {
    this.#isClosed = true;
    const jobs = [this.#current, ...this.#queue.splice(0)];
    this.#current = null;
    for (const job of jobs) job?.fail(new Error('the engine is closed'));
    this.#replaceWorker();
    this.#replaceWorker(); // the spare
  }

  #stop(job) {
    job.cut();
    const place = this.#queue.indexOf(job);
    if (place >= 0) {
      this.#queue.splice(place, 1);
    } else if (job === this.#current && !job.isSent) {
      this.#finish(job);
    } else if (job === this.#current && this.#stopId !== null) {
      Atomics.store(new Int32Array(this.#stopId), 0, job.id);
    } else if (job === this.#current) {
      this.#replaceWorker();
      this.#finish(job);
    }
  }

  #launch() {
    const launched = this.#makeWorker(this.#stopId, (data) => this.#take(launched, data));
    return launched;
  }

  #prepareSpare() {
    this.#spare ??= this.#launch();
    this.#spare.catch(() => {}); // whoever needs it is told
  }

  async #next() {
    if (this.#current !== null || this.#queue.length === 0) return;
    const job = (this.#current = this.#queue.shift());
    try {
      await this.start();
      const worker = await this.#worker;
      // A job that was stopped in the meantime is no longer the current one.
      if (job !== this.#current) return;
      job.isSent = true;
      worker.postMessage({ id: job.id, request: job.request });
      if (this.#needsSpare) this.#prepareSpare();
    } catch (error) {
      job.fail(error);
      this.#finish(job);
    }
  }

  // Takes what a worker, given by its promise, says.
  #take(from, data) {
    if (from === this.#spare) this.#spare = null; // it has no request, so it has failed
    if (from !== this.#worker) return;
    const job = this.#current;
    if (data.failed !== undefined) {
      this.#replaceWorker();
      job?.fail(new Error(data.failed));
      this.#finish(job);
    } else if (job !== null && data.id === job.id) {
      if (!data.done) return job.take(data.event);
      job.end();
      this.#finish(job);
    }
  }

  #finish(job) {
    if (job === this.#current) this.#current = null;
    this.#next();
  }

  // Terminates the worker; the spare, if there is one, takes over.
  #replaceWorker() {
    this.#worker?.then(
      (worker) => worker.terminate(),
      () => {},
    );
    this.#worker = this.#spare;
    this.#spare = null;
  }
}

// A request and what has come of it.
class Job {
  isSent = false; // whether a worker has it
  #last = null;
  #isOver = false;
  #onEvent;
  #resolve;
  #reject;

  constructor(request, onEvent) {
    this.request = request;
    this.#onEvent = onEvent;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  take(event) {
    if (this.#isOver) return;
    if (event.event === 'error') return this.fail(new Error(event.message));
    this.#last = event;
    this.#onEvent(event);
  }

  end() {
    if (this.#last === null) this.fail(new Error('The engine gave no answer.'));
    else this.cut();
  }

  // Ends with what there is.
  cut() {
    this.#isOver = true;
    this.#resolve(this.#last);
  }

  fail(error) {
    this.#isOver = true;
    this.#reject(error);
  }
}

/** Returns a promise of a worker that has the engine ready; whatever it says later goes to `take`. */
export function startWorker(worker, { module, weights }, stopId, take) {
  return new Promise((resolve, reject) => {
    const fail = (message) => {
      clearTimeout(late);
      worker.terminate();
      reject(new Error(message));
    };
    const late = setTimeout(() => fail(`the worker was not ready after ${START_LIMIT / 1000} s`), START_LIMIT);
    worker.onerror = (event) => fail(event.message ?? 'the worker cannot be loaded');
    worker.onmessageerror = () => fail('the worker sent a message that cannot be read');
    worker.onmessage = ({ data }) => {
      if (data.failed !== undefined) return fail(data.failed);
      clearTimeout(late);
      worker.onerror = (event) => take({ failed: event.message ?? 'the worker failed' });
      worker.onmessageerror = () => take({ failed: 'the worker sent a message that cannot be read' });
      worker.onmessage = (message) => take(message.data);
      resolve(worker);
    };
    worker.postMessage({ start: { module, weights, stopId } });
  });
}
