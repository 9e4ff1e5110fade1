// Positions and games in the fragment of an address, which servers do not see, and on the clipboard.

import { parseMoves, parsePosition, start, text } from './rules.js';
import { transcript } from './tree.js';

const MAX_NAME = 100; // characters

const cut = (name) => [...name].slice(0, MAX_NAME).join('');

// Returns the fragment for moves from a position, `at` of which are played, and the players' names if known.
export function fragment({ from, moves, at, black = '', white = '' }) {
  const fields = new URLSearchParams();
  if (text(from) !== text(start())) fields.set('start', text(from).replace(' ', ''));
  if (moves.length > 0) fields.set('moves', transcript(moves));
  if (at > 0) fields.set('at', at);
  if (black) fields.set('black', cut(black));
  if (white) fields.set('white', cut(white));
  return `#${fields}`;
}

// Reads a fragment; returns null if it holds no game.
export function readFragment(written) {
  const fields = new URLSearchParams(written.replace(/^#/, ''));
  if (!fields.has('start') && !fields.has('moves')) return null;
  const from = fields.has('start') ? parsePosition(fields.get('start')) : start();
  const moves = parseMoves(from, fields.get('moves') ?? '');
  const at = Math.min(Math.max(Math.trunc(Number(fields.get('at'))) || 0, 0), moves.length);
  return { from, moves, at, black: cut(fields.get('black') ?? ''), white: cut(fields.get('white') ?? '') };
}

// Copies text, and confirms it; if the browser forbids copying, shows the text itself.
export async function copy(written, name, show) {
  try {
    await navigator.clipboard.writeText(written);
    show(`Copied the ${name}.`);
  } catch {
    show(`The browser does not let the page copy the ${name}: ${written}`);
  }
}
