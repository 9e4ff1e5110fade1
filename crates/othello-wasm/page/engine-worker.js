// The engine in the browser itself: WebAssembly in a Web Worker, with the same interface as `engine-server.js`.

import { Lane, startWorker } from './lane.js';

/** @returns {Engine} */
export function connect() {
  return new Engine();
}

const MODULE = new URL('othello.wasm', import.meta.url);
const WEIGHTS = new URL('weights.bin.gz', import.meta.url);
const WORKER = new URL('worker.js', import.meta.url);

// The worker of each kind of request, so that none waits for one that runs for long. A worker starts when it is first
// needed.
const LANES = {
  hint: 'search', move: 'move', analyze: 'review', explore: 'games', records: 'look-up', position: 'look-up',
};

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

  /** Carries out a request in the lane of its kind, as `Lane.ask` does. */
  ask(request, onEvent = () => {}) {
    return this.#lane(LANES[request.call] ?? 'look-up').ask(request, onEvent);
  }

  #lane(name) {
    const launch = async (stopId, take) => {
      const { script, ...files } = await this.#load();
      return startWorker(new Worker(script, { type: 'module' }), files, stopId, take);
    };
    if (!this.#lanes.has(name)) this.#lanes.set(name, new Lane(launch, name !== 'look-up'));
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
