// The search of the position that is shown, which goes on until another one is shown.

import { isExact } from './values.js';

export class Live {
  // `onChange` is called with the node whose values changed, and at the end with an error if there was one.
  constructor(engine, onChange) {
    this.engine = engine;
    this.onChange = onChange;
    this.node = null; // the one that is looked at, searched or not
    this.running = null;
  }

  // Searches the position of a node of a tree, unless it is looked at already or all is known of it.
  look(node, request) {
    if (this.node === node) return;
    this.stop();
    this.node = node;
    if (node.position.side === null || isExact(node.hint?.moves[0]?.source)) return;
    const search = this.engine.ask({ call: 'hint', ...request }, (update) => {
      if (this.running !== search) return;
      node.hint = { ...deeper(node.hint, update), done: false };
      this.onChange(node, null);
    });
    this.running = search;
    search.done.then((last) => this.end(search, node, last), (error) => this.end(search, node, null, error));
  }

  end(search, node, last, error = null) {
    if (this.running !== search) return;
    this.running = null;
    if (last?.done) node.hint = { ...deeper(node.hint, last), done: true };
    this.onChange(node, error);
  }

  stop() {
    const { running } = this;
    this.node = this.running = null;
    running?.stop();
  }
}

// A search that begins anew comes by depths that were reached before.
const deeper = (before, update) => (before !== null && before.depth > update.depth ? before : update);
