// The WebAssembly module: its files, and calls of it.

const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
const NodeWorker = isNode ? (await import('node:worker_threads')).Worker : null;

/** Returns the bytes of a file of this package. */
async function read(url) {
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function readWeights() {
  const bytes = await read(new URL('./weights.bin.gz', import.meta.url));
  // Some servers name the compression in a header, so that the browser has undone it.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let weights = null; // a promise

/** Returns a promise of the weights, loaded once. */
export function loadWeights() {
  if (weights === null) {
    weights = readWeights();
    // Whoever asks next tries again.
    weights.catch(() => (weights = null));
  }
  return weights;
}

/** The compiled module. */
export const compiled = await read(new URL('./othello.wasm', import.meta.url)).then((bytes) => WebAssembly.compile(bytes));

/** An instance of the module, for one request at a time. */
export class Instance {
  #exports;
  #last = null; // the last event

  /** An instance for searches has weights; one without knows the rules and the formats of records. */
  constructor(weights = null) {
    const env = {
      now: () => performance.now(),
      stopped: () => 0,
      emit: (address, length) => {
        const text = new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, address, length));
        this.#last = JSON.parse(text);
      },
    };
    this.#exports = new WebAssembly.Instance(compiled, { env }).exports;
    if (weights !== null && this.#call('load', weights) === 0) throw new Error(this.#last.message);
  }

  /** Carries out a request and returns the last event; throws an Error if that is one. */
  ask(request) {
    this.#last = null;
    this.#call('ask', new TextEncoder().encode(JSON.stringify(request)));
    if (this.#last.event === 'error') throw new Error(this.#last.message);
    return this.#last;
  }

  #call(name, bytes) {
    try {
      const address = this.#exports.alloc(bytes.length);
      new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
      return this.#exports[name](address, bytes.length);
    } catch (trap) {
      // A panic sends an error first.
      throw this.#last?.event === 'error' ? new Error(this.#last.message) : trap;
    }
  }
}

/** Starts a worker; one of Node.js is given what those of browsers have. */
export function newWorker() {
  if (!isNode) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const worker = new NodeWorker(new URL('./worker-node.js', import.meta.url));
  worker.on('message', (data) => worker.onmessage?.({ data }));
  worker.on('error', (error) => worker.onerror?.(error));
  worker.on('messageerror', () => worker.onmessageerror?.());
  return worker;
}
