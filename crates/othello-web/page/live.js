// The search of the position that is shown, which goes on until another one is shown.

export class Live {
  // `onChange` is called with the node whose values changed, and at the end with an error if there was one.
  constructor(engine, onChange) {
    this.engine = engine;
    this.onChange = onChange;
    this.running = null;
  }

  // Searches the position of a node of a tree, unless that is what is searched or was searched already.
  look(node, request) {
    if (this.running?.node === node) return;
    this.stop();
    if (node.position.side === null || node.hint?.done) return;
    const search = this.engine.ask({ call: 'hint', ...request }, (update) => {
      if (this.running?.search !== search) return;
      node.hint = { ...deeper(node.hint, update), done: false };
      this.onChange(node, null);
    });
    this.running = { node, search };
    search.done.then((last) => this.end(search, node, last), (error) => this.end(search, node, null, error));
  }

  end(search, node, last, error = null) {
    if (this.running?.search !== search) return;
    this.running = null;
    if (last?.done) node.hint = { ...deeper(node.hint, last), done: true };
    this.onChange(node, error);
  }

  stop() {
    const { running } = this;
    this.running = null;
    running?.search.stop();
  }
}

// A search that begins anew comes by depths that were reached before.
const deeper = (before, update) => (before !== null && before.depth > update.depth ? before : update);
