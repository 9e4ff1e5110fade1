// The analysis of a whole game: every position is searched, deeper and deeper, until it is done or stopped.

import { lineThrough, movesOf, transcript } from './tree.js';
import { text } from './rules.js';

export class Review {
  // `onChange` is called when values, the progress or `error` changed.
  constructor(engine, onChange) {
    this.engine = engine;
    this.onChange = onChange;
    this.clear();
  }

  // Forgets the analysis.
  clear() {
    this.stop();
    this.nodes = []; // the analyzed ones
    this.progress = null;
    this.report = null;
    this.isComplete = false;
    this.error = null;
  }

  get isRunning() {
    return Boolean(this.search);
  }

  // Analyzes the main line of a tree; its nodes are given their part of each report.
  start(tree) {
    this.clear();
    this.nodes = lineThrough(tree.root);
    const moves = transcript(movesOf(this.nodes));
    const search = this.engine.ask({ call: 'analyze', board: text(tree.root.position), moves }, (event) => {
      if (this.search === search) this.take(event);
    });
    this.search = search;
    const end = (error) => {
      if (this.search !== search) return;
      this.search = null;
      this.error = error;
      this.onChange();
    };
    search.done.then(() => end(null), end);
    this.onChange();
  }

  take(event) {
    if (event.event === 'progress') this.progress = event;
    if (event.event === 'report') {
      this.report = event.report;
      this.isComplete = event.complete;
      event.report.positions.slice(0, this.nodes.length).forEach((position, at) => {
        this.nodes[at].report = { ...position, black: event.report.curve[at] };
      });
    }
    this.onChange();
  }

  stop() {
    this.search?.stop();
    this.search = null;
  }
}
