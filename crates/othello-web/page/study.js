// A game for a person to look through: its tree, and the ways to move in it and to change it.

import { byId, isField } from './dom.js';
import { GameView } from './game-view.js';
import { start } from './rules.js';
import { Tree, isIn, isMain, lineThrough } from './tree.js';

const KEYS = {
  ArrowLeft: 'back', ArrowRight: 'next', PageUp: 'back', PageDown: 'next', Home: 'first', End: 'last', Escape: 'main',
};
const SWIPE = 40; // pixels

export class Study {
  // `onMoved` is called when another position is shown, `onChanged` when the tree has other moves. `lineOf` returns the
  // line that starts with a chosen move, whose first move is played, `analyzed` the nodes of the analyzed game with a
  // mistake. `onSquare` is called with a chosen square while the study is held.
  constructor({ onMoved, onChanged = () => {}, lineOf = (move) => [move], analyzed, onSquare = () => {} }) {
    this.actions = { onMoved, onChanged, lineOf, analyzed };
    this.tree = new Tree(start());
    this.removed = []; // what was removed from the tree
    this.isActive = true; // whether it is shown, and listens to keys
    this.isHeld = false; // whether its position stays as it is
    this.view = new GameView({
      onSquare: (square) => (this.isHeld ? onSquare(square) : this.play(square)),
      onMove: (move) => this.play(move),
      onLine: (line) => this.add(line),
      onPlace: (at) => this.go(lineThrough(this.tree.current)[at]),
      onNode: (node) => this.go(node),
      onWorst: (worst) => this.showBetter(worst),
    });
    this.steps = {
      first: () => this.tree.root,
      back: () => this.tree.current.parent,
      next: () => this.tree.current.children[0],
      last: () => lineThrough(this.tree.current).at(-1),
      main: () => this.departure(),
    };
    this.listen();
  }

  listen() {
    for (const name of ['first', 'back', 'next', 'last']) {
      byId(name).addEventListener('click', () => this.go(this.steps[name]()));
    }
    document.addEventListener('keydown', (event) => this.key(event));
    let from = null;
    const board = byId('board');
    board.addEventListener('touchstart', ({ changedTouches }) => { [from] = changedTouches; }, { passive: true });
    board.addEventListener('touchend', ({ changedTouches: [to] }) => {
      const [right, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
      const isSwipe = Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down);
      if (isSwipe) this.go(this.steps[right > 0 ? 'back' : 'next']());
    }, { passive: true });
  }

  key(event) {
    if (!this.isActive || this.isHeld || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (isField(event.target) || event.target.closest('[role=tablist]') || event.target.matches('.scroll')) return;
    const step = this.steps[KEYS[event.key]];
    if (!step) return;
    event.preventDefault();
    this.go(step());
  }

  // The node where the current variation departs from the main line.
  departure() {
    let at = this.tree.current;
    while (!isMain(at)) at = at.parent;
    return at;
  }

  open(tree) {
    this.tree = tree;
    this.removed = [];
    this.changed();
  }

  // The moves of the tree have changed.
  changed() {
    this.view.list.build(this.tree);
    this.actions.onChanged();
    this.moved();
  }

  // Another position is shown.
  moved() {
    this.view.list.place(this.tree.current);
    this.actions.onMoved();
  }

  go(node) {
    if (!node || this.isHeld) return;
    this.tree.current = node;
    this.moved();
  }

  play(move) {
    const before = this.tree.current;
    const isNew = !before.children.some((child) => child.move === move);
    if (!this.tree.play(move)) return;
    if (isNew) this.tree.add(before, this.actions.lineOf(move, before));
    if (isNew) this.changed();
    else this.moved();
  }

  // Adds a line at the current position.
  add(line) {
    this.tree.add(this.tree.current, line);
    this.changed();
  }

  // Goes to the position before a mistake, and adds the better line.
  showBetter(mistake) {
    const { ply, line } = mistake;
    const before = this.actions.analyzed(mistake)[ply];
    if (!before || !isIn(this.tree, before) || this.isHeld) return;
    this.tree.add(before, line);
    this.tree.current = before;
    this.changed();
  }

  promote() {
    this.tree.promote(this.tree.current);
    this.changed();
  }

  remove() {
    const { current } = this.tree;
    if (this.isHeld || !current.parent) return;
    this.removed.push({ node: current, at: current.parent.children.indexOf(current) });
    this.tree.remove(current);
    this.changed();
  }

  // Puts back what was removed last.
  restore() {
    if (this.isHeld) return;
    const { node, at } = this.removed.pop() ?? {};
    if (!node || !isIn(this.tree, node.parent)) return;
    const others = node.parent.children;
    const again = others.find(({ move }) => move === node.move);
    if (again) { // played anew since then
      for (const child of node.children) {
        if (again.children.some(({ move }) => move === child.move)) continue;
        child.parent = again;
        again.children.push(child);
      }
    } else {
      node.parent.children = [...others.slice(0, at), node, ...others.slice(at)];
    }
    this.tree.current = again ?? node;
    this.changed();
  }
}
