// The engine on the page's server: requests by HTTP, answers as server-sent events.

import { texts } from './texts.js';

const TRIES = 5;

export function connect() {
  return { kind: 'server', ready: async () => {}, ask };
}

// Sends a request. `done` resolves to the last event, or the last one before `stop`.
function ask(request, onEvent = () => {}) {
  const aborter = new AbortController();
  return { done: run(request, onEvent, aborter.signal), stop: () => aborter.abort() };
}

async function run(request, onEvent, signal) {
  let last = null;
  try {
    for await (const event of events(await send(request, signal))) {
      if (event.event === 'error') throw new Error(event.message);
      last = event;
      onEvent(event);
    }
  } catch (error) {
    if (signal.aborted) return last;
    // Thrown by `fetch` when there is no connection.
    if (error instanceof TypeError) throw new Error(texts.noServer);
    throw error;
  }
  if (last === null) throw new Error(texts.noAnswer);
  return last;
}

async function send({ call, ...fields }, signal) {
  const headers = { Accept: 'text/event-stream' };
  const [address, options] = call === 'hint'
    ? [`/api/hint?${new URLSearchParams(fields)}`, { headers, signal }]
    : [`/api/${call}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
      signal,
    }];
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(address, options);
    if (response.ok) return response;
    if (response.status !== 429 || tries === TRIES) throw new Error(await errorOf(response));
    await pause(1000 * (Number(response.headers.get('Retry-After')) || 1), signal);
  }
}

async function errorOf(response) {
  const written = await response.text();
  try {
    return JSON.parse(written).error.message;
  } catch {
    return written || texts.answered(response.status, response.statusText);
  }
}

function pause(time, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('stopped'));
    });
  });
}

// The events of an answer, which is a stream of them or a single one.
async function* events(response) {
  if (!response.headers.get('Content-Type').startsWith('text/event-stream')) {
    yield response.json();
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    yield* blocks.map(dataOf).filter(Boolean).map((data) => JSON.parse(data));
  }
}

function dataOf(block) {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice(5).trimStart()).join('\n');
}
