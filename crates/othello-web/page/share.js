// Positions and games in the fragment of an address, which servers do not see, and on the clipboard.

import { draw, make } from './dom.js';
import { finalScore, parseMoves, parsePosition, squares, start, text } from './rules.js';
import { texts } from './texts.js';
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
    show(texts.copied[name]);
  } catch {
    show(texts.notCopied(written));
  }
}

// Saves text or a blob as a file.
export function save(content, name) {
  const address = URL.createObjectURL(new Blob([content]));
  const link = make('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const escaped = (written) => written.replace(/[\\\]]/g, '\\$&');

// The names of players and the date as properties, which SGF and GGF have in common.
const heading = (info, write) => [['PB', info?.black?.name], ['PW', info?.white?.name], ['DT', info?.date]]
  .filter(([, value]) => value).map(([name, value]) => `${name}[${write(value)}]`).join('');

const sideOf = (node) => (node.parent.position.side === 'black' ? 'B' : 'W');

// Returns the nodes of a line as a game in SGF, with its comments.
export function sgf([root, ...nodes], info) {
  const { board } = root.position;
  const discs = (symbol) => squares.filter((_, at) => board[at] === symbol).map((square) => `[${square}]`).join('');
  const isUsual = text(root.position) === text(start());
  const list = (name, symbol) => (discs(symbol) ? name + discs(symbol) : '');
  const setup = isUsual ? '' : `${list('AB', 'X')}${list('AW', 'O')}PL[${root.position.side === 'white' ? 'W' : 'B'}]`;
  const comment = (node) => (node.comment ? `C[${escaped(node.comment)}]` : '');
  const moves = nodes.map((node) => `;${sideOf(node)}[${node.move === 'pass' ? '' : node.move}]${comment(node)}`);
  return `(;FF[4]GM[2]SZ[8]CA[UTF-8]${heading(info, escaped)}${setup}${comment(root)}${moves.join('')})\n`;
}

// Returns the nodes of a line as a game in GGF, which has no brackets in texts.
export function ggf([root, ...nodes], info) {
  const rows = root.position.board.replaceAll('X', '*').match(/.{8}/g).join(' ');
  const moves = nodes.map((node) => `${sideOf(node)}[${node.move === 'pass' ? 'PA' : node.move.toUpperCase()}]`).join('');
  const turn = root.position.side === 'white' ? 'O' : '*';
  return `(;GM[Othello]${heading(info, (name) => name.replace(/[[\]]/g, ' '))}TY[8]BO[8 ${rows} ${turn}]${moves};)\n`;
}

// Returns the nodes of a line as a game in PGN, in the dialect of Edax and PlayOK.
export function pgn([root, ...nodes], info) {
  const { position } = nodes.at(-1) ?? root;
  const score = finalScore(position);
  const result = position.side !== null ? '*' : score > 0 ? '1-0' : score < 0 ? '0-1' : '1/2-1/2';
  const row = (squaresOf) => squaresOf.replace(/-+/g, ({ length }) => length).replaceAll('X', 'p').replaceAll('O', 'P');
  const rows = root.position.board.match(/.{8}/g).reverse().map(row).join('/');
  const isUsual = text(root.position) === text(start());
  const tags = Object.entries({
    Event: info?.event,
    Site: info?.place,
    Date: info?.date?.replaceAll('-', '.'),
    Round: info?.round,
    Black: info?.black?.name,
    White: info?.white?.name,
    Result: result,
    FEN: isUsual ? null : `${rows} ${root.position.side === 'white' ? 'w' : 'b'} - - 0 1`,
  }).filter(([, value]) => value !== null);
  const heading = tags.map(([name, value]) => `[${name} "${(value || '?').replace(/[\\"]/g, '\\$&')}"]\n`).join('');
  const comment = ({ comment: said }) => (said ? ` {${said.replace(/[{}\s]+/g, ' ')}}` : '');
  const moves = nodes.map((node, at) => `${at % 2 ? '' : `${at / 2 + 1}. `}${node.move === 'pass' ? '--' : node.move}${comment(node)}`);
  const all = [comment(root).trim(), ...moves, result].filter(Boolean).join(' ');
  return `${heading}\n${all.replace(/(.{1,77})(?: |$)/g, '$1\n')}\n`;
}

// Returns a board as a picture: the text of an SVG, or a PNG.
export async function boardImage(board, kind) {
  const discs = squares.map((_, at) => [board[at], at]).filter(([symbol]) => symbol !== '-').map(([symbol, at]) => (
    draw('circle', { cx: 60 + 80 * (at % 8), cy: 60 + 80 * (at >> 3), r: 34, fill: symbol === 'X' ? '#111' : '#f6f5f0' })));
  const lines = Array.from({ length: 9 }, (_, at) => `M${20 + 80 * at} 20V660M20 ${20 + 80 * at}H660`).join('');
  const svg = draw('svg', { xmlns: 'http://www.w3.org/2000/svg', width: 680, height: 680, viewBox: '0 0 680 680' },
    draw('rect', { width: 680, height: 680, fill: '#1d7a48' }),
    draw('path', { d: lines, stroke: '#0f4a2a', 'stroke-width': 3 }), ...discs);
  const written = svg.outerHTML;
  if (kind === 'svg') return written;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(written)}`;
  await image.decode();
  const canvas = make('canvas', { width: 680, height: 680 });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}
