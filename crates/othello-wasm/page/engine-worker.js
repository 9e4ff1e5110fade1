// The engine in the browser itself: WebAssembly in a Web Worker, with the same interface as `engine-server.js`.

/** @returns {Engine} */
export function connect() {
  return new Engine();
}

const MODULE = new URL('othello.wasm', import.meta.url);
const WEIGHTS = new URL('weights.bin.gz', import.meta.url);
const WORKER = new URL('worker.js', import.meta.url);

const START_LIMIT = 60_000; // milliseconds until a worker has to be ready

// The worker of each kind of request, so that none waits for one that runs for long. A worker starts when it is first
// needed.
const LANES = { hint: 'search', move: 'move', analyze: 'review', records: 'look-up', position: 'look-up' };

class Engine {
  kind = 'browser';
  #files = null; // a promise of all that a worker needs
  #progress = [];
  #lanes = new Map();

  /** Loads the engine; `onProgress(loaded, total)` counts bytes of the weights, `total` is 0 if it is unknown. */
  ready(onProgress = () => {}) {
    this.#progress.push(onProgress);
    return this.#lane('search').start();
  }

  /**
   * Carries out a request, after those of its kind before it. `onEvent` is called with each event, the last one too.
   * `done` is a promise of the last event, rejected with an Error where that is an error or there is none. `stop()`
   * ends the request at once: then `done` is the last event before, or null.
   */
  ask(request, onEvent = () => {}) {
    const lane = this.#lane(LANES[request.call] ?? 'look-up');
    const job = new Job(request, onEvent);
    lane.add(job);
    return { done: job.done, stop: () => lane.stop(job) };
  }

  #lane(name) {
    if (!this.#lanes.has(name)) this.#lanes.set(name, new Lane(() => this.#load(), name !== 'look-up'));
    return this.#lanes.get(name);
  }

  #load() {
    if (this.#files === null) {
      this.#files = load((loaded, total) => this.#progress.forEach((listener) => listener(loaded, total)));
      // Whoever asks next tries again.
      this.#files.catch(() => (this.#files = null));
    }
    return this.#files;
  }
}

// A worker and the requests that wait for it.
class Lane {
  #load;
  #worker = null; // a promise
  #spare = null; // a promise of the worker that takes over if this one is terminated
  #needsSpare;
  #stopId = globalThis.crossOriginIsolated ? new SharedArrayBuffer(4) : null;
  #lastId = 0;
  #current = null; // the job that the worker has, or gets once it is ready
  #queue = [];

  // `isLong` tells whether requests run for so long that they are stopped.
  constructor(load, isLong) {
    this.#load = load;
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

  add(job) {
    job.id = ++this.#lastId;
    this.#queue.push(job);
    this.#next();
  }

  stop(job) {
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
    const launched = this.#load().then(
      (files) => startWorker(files, this.#stopId, (data) => this.#take(launched, data)),
    );
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

// Loads all that workers need, so that they start without a network from then on.
async function load(onProgress) {
  const [module, weights, script] = await Promise.all([loadModule(), loadWeights(onProgress), loadScript()]);
  return { module, weights, script };
}

async function loadScript() {
  const response = await fetchFile(WORKER);
  return URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
}

async function loadModule() {
  const response = await fetchFile(MODULE);
  // Some servers do not know the type, and then the browser refuses to compile while it loads.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function loadWeights(onProgress) {
  const response = await fetchFile(WEIGHTS);
  const total = Number(response.headers.get('content-length') ?? 0);
  const chunks = [];
  let loaded = 0;
  for await (const chunk of chunksOf(response.body)) {
    chunks.push(chunk);
    loaded += chunk.length;
    onProgress(loaded, total);
  }
  const file = new Blob(chunks);
  // Some servers name the compression in a header, so that the browser has undone it.
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isCompressed = first === 0x1f && second === 0x8b;
  const bytes = isCompressed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

async function fetchFile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url.pathname}: ${response.status} ${response.statusText}`);
  return response;
}

async function* chunksOf(stream) {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

// A promise of a worker that has the engine ready; whatever it says later goes to `take`.
function startWorker({ module, weights, script }, stopId, take) {
  const worker = new Worker(script, { type: 'module' });
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
