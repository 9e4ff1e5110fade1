// A game as a tree: the main line and its variations. The first child of a node continues its line.

import { after, isLegal } from './rules.js';

const node = (parent, move, position) => ({
  parent,
  move,
  position,
  ply: parent ? parent.ply + 1 : 0,
  children: [],
  comment: '',
  report: null, // the result for the position in an analysis of the game
  hint: null, // the result of a search of the position
  opening: undefined, // the name, null if it has none, undefined if not yet known
});

export class Tree {
  constructor(start, moves = []) {
    this.root = node(null, null, start);
    this.current = this.root;
    for (const move of moves) this.step(move);
    this.current = this.root;
  }

  // Goes to the position after a move, which becomes a variation if it is not in the tree. Returns false if the move is
  // illegal.
  step(move) {
    if (!isLegal(this.current.position, move)) return false;
    this.current = this.child(this.current, move);
    return true;
  }

  // Goes to the position after a move and the pass that it forces. Returns false if the move is illegal.
  play(move) {
    const isMade = this.step(move);
    if (isMade) this.step('pass');
    return isMade;
  }

  child(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const child = node(parent, move, after(parent.position, move));
    parent.children.push(child);
    return child;
  }

  // Adds a line of moves at a node as far as they are legal, and returns its first node.
  add(at, moves) {
    let last = at;
    for (const move of moves) {
      if (!isLegal(last.position, move)) break;
      last = this.child(last, move);
    }
    return at.children.find((child) => child.move === moves[0]);
  }

  // Removes a node and its descendants.
  remove(removed) {
    const { parent } = removed;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== removed);
    if (path(this.current).includes(removed)) this.current = parent;
  }

  // Moves the variation of a node in front of the line that it departs from.
  promote(promoted) {
    const first = path(promoted).findLast((at) => at.parent && at.parent.children[0] !== at);
    if (!first) return;
    const { children } = first.parent;
    children.splice(children.indexOf(first), 1);
    children.unshift(first);
  }
}

// The nodes from the start to a node.
export function path(to) {
  const nodes = [];
  for (let at = to; at; at = at.parent) nodes.unshift(at);
  return nodes;
}

// The nodes of the line through a node: from the start to it, and on to the end.
export function lineThrough(through) {
  const nodes = path(through);
  for (let at = through; at.children.length > 0; at = at.children[0]) nodes.push(at.children[0]);
  return nodes;
}

// Returns whether a node is still in the tree.
export const isIn = ({ root }, node) => path(node).every((at) => at === root || at.parent?.children.includes(at));

export const isMain = (at) => path(at).every((step) => !step.parent || step.parent.children[0] === step);

export const movesOf = (nodes) => nodes.slice(1).map((at) => at.move);

// Moves as a transcript. It leaves out passes except as the last move, where nothing else would show the pass.
export const transcript = (moves) => moves.map((move, at) => {
  if (move !== 'pass') return move;
  return at === moves.length - 1 ? '--' : '';
}).join('');
