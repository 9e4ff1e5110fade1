// The view that analyzes: a game with its variations, searched while a person looks at it.

import { AnalyzeView } from './analyze-view.js';
import { byId, eachFrame, isField, write } from './dom.js';
import { Live } from './live.js';
import { Loader } from './load.js';
import { movesAt } from './nodes.js';
import { Review } from './review.js';
import { colors, finalScore, parseMoves, parsePosition, start, text } from './rules.js';
import { Setup } from './setup.js';
import { copy, fragment } from './share.js';
import { Tree, lineThrough, movesOf, path, transcript } from './tree.js';
import { ahead, evidence, scoreOf } from './values.js';

const LAST_NAMED = 24; // no opening is longer
const REST = 1200; // milliseconds after which the best move is announced

export class Analyze {
  // `page` has `announce`, `fail` and `playFrom`.
  constructor(engine, page) {
    this.engine = engine;
    this.page = page;
    this.tree = new Tree(start());
    this.info = null;
    this.isShown = false;
    this.render = eachFrame(() => this.draw());
    this.view = new AnalyzeView({
      onSquare: (square) => this.choose(square),
      onMove: (move) => this.play(move),
      onLine: (line) => this.addLine(line),
      onPlace: (at) => this.go(lineThrough(this.tree.current)[at]),
      onNode: (node) => this.go(node),
      onWorst: ({ ply, line }) => this.showBetter(ply, line),
    });
    this.live = new Live(engine, (node, error) => this.searched(node, error));
    this.review = new Review(engine, () => this.reviewed());
    const openEmpty = () => this.open({ from: start(), moves: [] });
    this.loader = new Loader(engine, (game) => this.openGame(game), openEmpty);
    this.loader.listen(() => page.show('analyze'));
    this.setup = new Setup(() => this.render(), (found) => this.setUp(found));
    this.listen();
    this.changed();
  }

  listen() {
    this.steps = {
      first: () => this.tree.root,
      back: () => this.tree.current.parent,
      next: () => this.tree.current.children[0],
      last: () => lineThrough(this.tree.current).at(-1),
    };
    for (const [id, step] of Object.entries(this.steps)) byId(id).addEventListener('click', () => this.go(step()));
    document.addEventListener('keydown', (event) => this.key(event));
    byId('live').addEventListener('change', () => this.look());
    byId('on-board').addEventListener('change', () => this.render());
    byId('review-start').addEventListener('click', () => this.startReview());
    byId('review-stop').addEventListener('click', () => this.stopReview());
    byId('promote').addEventListener('click', () => this.promote());
    byId('remove').addEventListener('click', () => this.remove());
    byId('to-load').addEventListener('click', () => byId('load').elements.text.focus());
    byId('set-up').addEventListener('click', () => this.openSetup());
    byId('play-here').addEventListener('click', () => {
      this.page.playFrom(this.tree.root.position, movesOf(path(this.tree.current)));
    });
    const tell = (message) => {
      this.page.announce(message);
      write(byId('copied'), message);
    };
    const copies = {
      link: () => location.href.replace(/#.*/, '') + this.fragment(),
      moves: () => transcript(movesOf(lineThrough(this.tree.current))),
      position: () => `${text(this.tree.current.position)};`,
    };
    for (const [name, written] of Object.entries(copies)) {
      byId(`copy-${name}`).addEventListener('click', () => copy(written(), name, tell));
    }
  }

  key(event) {
    if (!this.isShown || this.setup.isOpen || event.altKey || event.ctrlKey || event.metaKey) return;
    if (isField(event.target) || event.target.closest('[role=tablist]')) return;
    const keys = { ArrowLeft: 'back', ArrowRight: 'next', PageUp: 'back', PageDown: 'next', Home: 'first', End: 'last' };
    const step = this.steps[keys[event.key]];
    if (!step) return;
    event.preventDefault();
    this.go(step());
  }

  // Opens moves from a position, of which `at` are played.
  open({ from, moves, at = 0, info = null, comments = [] }) {
    this.live.stop();
    this.review.clear();
    this.tree = new Tree(from, moves);
    this.info = info;
    const nodes = lineThrough(this.tree.root);
    for (const { ply, text: comment } of comments) if (nodes[ply + 1]) nodes[ply + 1].comment = comment;
    this.tree.current = nodes[Math.min(at, nodes.length - 1)];
    this.changed();
  }

  openGame({ info, board, moves, comments }) {
    const from = parsePosition(board);
    this.open({ from, moves: parseMoves(from, moves), info, comments });
    if (moves) this.startReview();
  }

  startReview() {
    this.live.stop();
    this.review.start(this.tree);
  }

  stopReview() {
    this.review.stop();
    this.reviewed();
  }

  promote() {
    this.tree.promote(this.tree.current);
    this.changed();
  }

  remove() {
    this.tree.remove(this.tree.current);
    this.changed();
  }

  openSetup() {
    this.live.stop();
    this.setup.open(this.tree.current.position);
  }

  setUp(found) {
    if (found) this.open({ from: found, moves: [] });
    else this.changed();
    byId('set-up').focus();
  }

  choose(square) {
    if (this.setup.isOpen) this.setup.choose(square);
    else this.play(square);
  }

  play(move) {
    const { children } = this.tree.current;
    const isNew = !children.some((child) => child.move === move);
    const made = this.tree.play(move);
    if (made.length === 0) return;
    if (isNew) this.changed();
    else this.moved();
  }

  addLine(line) {
    this.tree.add(this.tree.current, line);
    this.changed();
  }

  go(node) {
    if (!node || this.setup.isOpen) return;
    this.tree.current = node;
    this.moved();
  }

  // The tree has other moves than before.
  changed() {
    this.view.list.build(this.tree);
    this.moved();
  }

  // Another position is shown.
  moved() {
    write(byId('copied'), '');
    this.view.list.place(this.tree.current);
    this.look();
    this.page.announce(this.announcement());
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.announceBest(), REST);
    this.page.keep(this.fragment());
    this.render();
  }

  // Shows the view or hides it; hidden, it searches nothing.
  show(isShown) {
    this.isShown = isShown;
    if (isShown) this.render();
    this.look();
  }

  look() {
    const node = this.tree.current;
    const isReviewed = this.review.isRunning && node.report?.moves.length > 0;
    if (!this.isShown || !byId('live').checked || isReviewed) {
      this.live.stop();
      return;
    }
    this.nameOpening(node);
    this.live.look(node, { board: text(this.tree.root.position), moves: transcript(movesOf(path(node))) });
  }

  async nameOpening(node) {
    const mayBeNamed = node.ply > 0 && node.ply <= LAST_NAMED && this.tree.root.position.board === start().board;
    if (!mayBeNamed || node.opening !== undefined) return;
    node.opening = null;
    try {
      const answer = await this.engine.ask({ call: 'position', moves: transcript(movesOf(path(node))) }).done;
      node.opening = answer.opening?.name ?? null;
      this.render();
    } catch {
      node.opening = undefined; // it may be asked for again
    }
  }

  searched(node, error) {
    if (error) this.page.fail(error.message);
    if (node === this.tree.current) this.render();
  }

  reviewed() {
    if (this.review.error) this.page.fail(this.review.error.message);
    this.look();
    this.render();
  }

  fragment() {
    const nodes = lineThrough(this.tree.current);
    const names = this.info ? { black: this.info.black.name, white: this.info.white.name } : {};
    return fragment({ from: this.tree.root.position, moves: movesOf(nodes), at: this.tree.current.ply, ...names });
  }

  announcement() {
    const { move, parent, position } = this.tree.current;
    const side = position.side ? `${colors[position.side]} to move.` : ahead(finalScore(position), { kind: 'over' });
    if (!parent) return side;
    return `${colors[parent.position.side]} ${move === 'pass' ? 'passes' : move}. ${side}`;
  }

  announceBest() {
    const [best] = movesAt(this.tree.current);
    if (this.isShown && best) this.page.announce(`Best is ${best.move}, ${scoreOf(best)}, ${evidence(best.source)}.`);
  }

  // Goes to the position before a mistake, and adds what would have been better.
  showBetter(ply, line) {
    const before = lineThrough(this.tree.root)[ply];
    if (!before) return;
    this.tree.add(before, line);
    this.tree.current = before;
    this.changed();
  }

  draw() {
    const { tree, review, info, setup } = this;
    if (this.isShown) this.view.draw({ tree, review, info, setup: setup.board });
  }
}
