// Checks that the WebAssembly module answers as the native engine does, and that it stops at once:
//
//   node check.mjs MODULE WEIGHTS ANSWERS
//
// where ANSWERS is the program of examples/answers.rs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [modulePath, weightsPath, answers] = process.argv.slice(2);

const game = 'd3c5c6e3c4d2f5e6d7e7f4d6f6b3c3f3c2b5b6e2a5g4a4a3d8d1h3a6g3a7f2f7b4c8c7g5h4g6b8f8h7e8g8g1b7h5f1';
const requests = [
  { call: 'hint', depth: 8 },
  { call: 'hint', moves: 'f5d6c3d3c4', depth: 7 },
  // The last 13 squares, solved.
  { call: 'hint', moves: game, depth: 60 },
  // Known by now.
  { call: 'hint', moves: game },
  { call: 'move', moves: 'f5d6', level: 8 },
  { call: 'records', text: `(;GM[2]FF[4]SZ[8]PB[a]PW[b];B[f5];W[d6]C[why];B[c3])\n${game}` },
  { call: 'records', text: 'f5f6x9' },
  { call: 'analyze', moves: game, depth: 6, exact_from: 10 },
  { call: 'position', moves: 'f5d6c3' },
  { call: 'position', moves: 'f5a1' },
  { call: 'hint', deep: 3 },
];

// An engine of the module, as worker.js has one. `stopped` is what the search asks.
async function load(stopped = () => 0) {
  const events = [];
  const env = {
    now: () => performance.now(),
    stopped,
    emit(address, length) {
      const bytes = new Uint8Array(engine.memory.buffer, address, length);
      events.push(JSON.parse(new TextDecoder().decode(bytes)));
    },
  };
  const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), { env });
  const engine = instance.exports;
  const call = (name, bytes) => {
    const address = engine.alloc(bytes.length);
    new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
    return engine[name](address, bytes.length);
  };
  const ask = (request) => {
    events.length = 0;
    call('ask', new TextEncoder().encode(JSON.stringify(request)));
    return [...events];
  };
  return { events, engine, call, ask };
}

// An event without its times, which no two runs share.
function withoutTimes(event) {
  return JSON.parse(JSON.stringify(event, (key, value) => (key === 'elapsed_ms' ? undefined : value)));
}

// Fails if the code takes more than a megabyte to load: with the weights linked into it, it would.
function checkSize() {
  const compressed = gzipSync(readFileSync(modulePath), { level: 9 }).length;
  console.log(`${compressed} bytes of code, compressed`);
  assert.ok(compressed <= 1_000_000);
}

// Prints what it takes until the engine is ready, once its files are there.
async function measureStart() {
  const compressed = gzipSync(readFileSync(weightsPath), { level: 9 });
  const { call } = await load();
  const steps = {
    'to compile the module': () => WebAssembly.compile(readFileSync(modulePath)),
    'to decompress the weights': () => decompress(compressed),
    'to load the weights': () => call('load', readFileSync(weightsPath)),
  };
  for (const [name, step] of Object.entries(steps)) {
    const times = [];
    for (let run = 0; run < 9; run += 1) {
      const begun = performance.now();
      await step();
      times.push(performance.now() - begun);
    }
    console.log(`${Math.min(...times).toFixed(0)} ms ${name}`);
  }
}

// As engine-worker.js decompresses them.
function decompress(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

// Fails unless damaged weights are refused, and searches without weights.
async function checkLoading() {
  const { events, call, ask } = await load();
  assert.match(ask({ call: 'hint' }).at(-1).message, /weights/);
  assert.equal(ask({ call: 'position', moves: 'f5' }).at(-1).boards.length, 2);
  const damaged = readFileSync(weightsPath);
  damaged[damaged.length - 1] ^= 1;
  assert.equal(call('load', damaged), 0);
  assert.match(events.at(-1).message, /checksum/);
}

// Fails unless the answers and the signature are the native ones.
async function checkAnswers() {
  const input = requests.map((request) => JSON.stringify(request)).join('\n');
  const [signature, ...native] = execFileSync(answers, { input, encoding: 'utf8' }).trim().split('\n');
  const { events, engine, call, ask } = await load();
  assert.equal(call('load', readFileSync(weightsPath)), 1);
  assert.equal(native.length, requests.length);
  requests.forEach((request, at) => {
    const answer = ask(request).at(-1);
    assert.deepEqual(withoutTimes(answer), withoutTimes(JSON.parse(native[at])), JSON.stringify(request));
    console.log(`${request.call}: ${answer.event} as natively`);
  });
  const times = [];
  for (let run = 0; run < 7; run += 1) {
    const before = process.cpuUsage();
    engine.bench();
    times.push(process.cpuUsage(before).user);
    assert.equal(String(events.at(-1).nodes), signature, 'the signature of the search');
  }
  // In the first runs what runs often is compiled again.
  const median = times.slice(4).sort((a, b) => a - b)[1];
  const speed = Number(signature) / median;
  console.log(`${signature} nodes in ${(median / 1000).toFixed(0)} ms of user CPU: ${speed.toFixed(1)} M nodes/s`);
}

// Fails unless a search without limits ends once it is told to, with what it has, and the next one runs. Prints how
// soon it ended.
async function checkStop() {
  let deadline = Infinity;
  const { call, ask } = await load(() => (performance.now() > deadline ? 1 : 0));
  assert.equal(call('load', readFileSync(weightsPath)), 1);
  deadline = performance.now() + 300;
  const updates = ask({ call: 'hint' });
  const late = performance.now() - deadline;
  assert.ok(updates.length > 3 && updates.slice(0, -1).every((update) => !update.done));
  assert.ok(updates.at(-1).done && updates.at(-1).moves.length === 4);
  console.log(`a search stopped ${late.toFixed(1)} ms after it was told to`);
  deadline = Infinity;
  assert.ok(ask({ call: 'hint', depth: 4 }).at(-1).done);
}

checkSize();
await measureStart();
await checkLoading();
await checkAnswers();
await checkStop();
