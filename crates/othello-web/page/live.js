// The search of the current position, which goes on until another one is shown.

import { isExact } from './values.js';

// Milliseconds: the maximum time to search a position, and the pause after a search that made room for another.
const MAX_TIME = 60_000;
const PAUSE = 500;

export class Live {
  // `onChange` is called with the node whose values changed, and at the end with an error if there was one.
  constructor(engine, onChange) {
    this.engine = engine;
    this.onChange = onChange;
    this.node = null; // the current one, searched or not
    this.running = null;
    this.spent = 0; // milliseconds, with pauses
    this.pausing = null; // a timer
  }

  // Searches the position of a node of a tree, unless it is the current one or fully known.
  look(node, request) {
    if (this.node === node) return;
    this.stop();
    this.node = node;
    this.spent = 0;
    this.search(node, request);
  }

  search(node, request) {
    if (node.position.side === null || isExact(node.hint?.moves[0]?.source)) return;
    const search = this.engine.ask({ call: 'hint', ...request }, (update) => {
      if (this.running !== search) return;
      node.hint = { ...deeper(node.hint, update), done: false };
      this.onChange(node, null);
    });
    this.running = search;
    search.done.then(
      (last) => this.running === search && this.end(node, request, last),
      (error) => this.running === search && this.fail(node, error),
    );
  }

  // The server ends a search without a depth early when others wait for one; then it goes on after a pause.
  end(node, request, last) {
    this.running = null;
    if (last?.done) {
      node.hint = { ...deeper(node.hint, last), done: true };
      this.spent += last.elapsed_ms + PAUSE;
      const isDone = request.depth !== undefined || isExact(node.hint.moves[0]?.source);
      if (!isDone && this.spent < MAX_TIME) {
        node.hint.done = false;
        this.pausing = setTimeout(() => this.search(node, request), PAUSE);
      }
    }
    this.onChange(node, null);
  }

  fail(node, error) {
    this.running = null;
    this.onChange(node, error);
  }

  stop() {
    const { running } = this;
    clearTimeout(this.pausing);
    this.node = this.running = null;
    running?.stop();
  }
}

// A search that starts anew repeats depths that were reached before.
const deeper = (before, update) => (before !== null && before.depth > update.depth ? before : update);
