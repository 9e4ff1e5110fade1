// What the browser keeps of the page: the game that is played, and the newest analyzed games with their variations.

import { parsePosition, text } from './rules.js';
import { Tree, path } from './tree.js';

const MAX_GAMES = 50;

const lasting = new Map(); // in place of a storage that is forbidden or full

export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`othello-${name}`)) ?? lasting.get(name) ?? null;
  } catch {
    return lasting.get(name) ?? null;
  }
}

export function remember(name, value) {
  lasting.set(name, value);
  try {
    localStorage.setItem(`othello-${name}`, JSON.stringify(value));
  } catch {
    // Then it lasts as long as the page.
  }
}

// A tree as nested lists: the move of a node, its comment, then its children.
const pack = ({ move, comment, children }) => [move, comment, ...children.map(pack)];

function unpack(tree, node, [, comment, ...children]) {
  node.comment = comment;
  for (const child of children) {
    const added = tree.add(node, [child[0]]);
    if (added) unpack(tree, added, child);
  }
}

// Keeps a game, in place of an earlier state of it, which has the same `id`.
export function rememberGame({ id, tree, info }) {
  if (tree.root.children.length === 0) return;
  const others = (recall('games') ?? []).filter((game) => game.id !== id);
  const game = { id, start: text(tree.root.position), moves: pack(tree.root), info };
  remember('games', [game, ...others].slice(0, MAX_GAMES));
}

// Returns the newest kept game that has a line of moves which ends there, null if there is none.
export function recallGame({ from, moves, at }) {
  const start = text(from);
  const end = (game) => moves.reduce((list, move) => list?.slice(2).find(([found]) => found === move), game.moves);
  const found = moves.length > 0 && (recall('games') ?? []).find((game) => game.start === start && end(game)?.length === 2);
  if (!found) return null;
  const tree = new Tree(parsePosition(found.start));
  unpack(tree, tree.root, found.moves);
  let last = tree.root;
  for (const move of moves) last = last.children.find((child) => child.move === move);
  tree.current = path(last)[at];
  return { id: found.id, tree, info: found.info };
}
