// The Web Worker in which the engine runs, compiled to WebAssembly. It takes one request at a time:
//
//   {start: {module, weights, stopId}}  ->  {ready: true} or {failed: message}
//   {id, request}                       ->  {id, event}…, then {id, done: true} or {failed: message}
//
// `stopId` is a SharedArrayBuffer with one 32-bit number, or null where the page may not have one: requests up to this
// id are to stop. After `failed` the worker is of no more use.

// The shortest time between two posts of events, in milliseconds.
const POST_INTERVAL = 50;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let engine; // the exports of the module
let stopId = null;
let answer = null; // what the request in progress has brought
let problem = ''; // the last error that the module told of

// The events of a request: passes them on, the newest of each kind, and not too often.
class Answer {
  constructor(id) {
    this.id = id;
    this.waiting = new Map(); // the newest event of each kind
    this.posted = -Infinity;
  }

  take(event) {
    this.waiting.delete(event.event); // so that it goes behind events of other kinds
    this.waiting.set(event.event, event);
    this.postDue();
  }

  postDue() {
    if (this.waiting.size > 0 && performance.now() - this.posted >= POST_INTERVAL) this.post();
  }

  post() {
    for (const event of this.waiting.values()) postMessage({ id: this.id, event });
    this.waiting.clear();
    this.posted = performance.now();
  }

  isStopped() {
    return stopId !== null && Atomics.load(stopId, 0) >= this.id;
  }
}

// What the module asks of the program around it.
const env = {
  now: () => performance.now(),
  // The search asks every few hundred positions.
  stopped() {
    if (answer === null) return 0;
    answer.postDue();
    return answer.isStopped() ? 1 : 0;
  },
  emit(address, length) {
    const event = JSON.parse(decoder.decode(new Uint8Array(engine.memory.buffer, address, length)));
    if (event.event === 'error') problem = event.message; // it may be a panic
    answer?.take(event);
  },
};

// Copies bytes into memory that the module then owns, and calls one of its functions with them.
function call(name, bytes) {
  const address = engine.alloc(bytes.length);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
  return engine[name](address, bytes.length);
}

async function start({ module, weights, stopId: shared }) {
  engine = (await WebAssembly.instantiate(module, { env })).exports;
  if (call('load', weights) === 0) throw new Error(problem || 'the file of weights is damaged');
  stopId = shared && new Int32Array(shared);
  postMessage({ ready: true });
}

function ask(id, request) {
  problem = '';
  answer = new Answer(id);
  call('ask', encoder.encode(JSON.stringify(request)));
  answer.post();
  answer = null;
  postMessage({ id, done: true });
}

addEventListener('message', async ({ data }) => {
  try {
    if (data.start) await start(data.start);
    else ask(data.id, data.request);
  } catch (error) {
    postMessage({ failed: String(problem || (error?.message ?? 'the worker failed')) });
  }
});
