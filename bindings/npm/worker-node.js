// The worker in Node.js, which is given what the one of browsers has.

import { parentPort } from 'node:worker_threads';

globalThis.postMessage = (data) => parentPort.postMessage(data);
globalThis.addEventListener = (kind, listener) => parentPort.on(kind, (data) => listener({ data }));
await import('./worker.js');
