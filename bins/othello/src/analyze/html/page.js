// The page of an analysis, a report looked through like any other game, or of a preparation: lines with reports.

import { byId, make } from './dom.js';
import { movesAt } from './nodes.js';
import { position, squares, start, symbols } from './rules.js';
import { Study } from './study.js';
import { texts, writeTexts } from './texts.js';
import { Tree, lineThrough } from './tree.js';

writeTexts();
const data = JSON.parse(byId('data').textContent);
const reports = data.reports ?? [data];

// Makes the tree of a game.
function treeOf({ positions: [first] }) {
  return new Tree(position(first.board, first.to_move?.toLowerCase() ?? 'black'));
}

// Adds a line to a tree, and returns its nodes, which have their part of the report.
function addLine(tree, { positions, curve, game }) {
  const nodes = [tree.root];
  for (const { played } of positions) {
    if (played?.move) tree.step(played.move);
    nodes.push(tree.current);
  }
  tree.current = tree.root;
  positions.forEach((found, at) => {
    nodes[at].report = { ...found, black: curve[at] };
    if (found.comment) nodes[at + 1].comment = found.comment;
  });
  const named = game.opening && nodes[game.opening.ply];
  if (named) named.opening = game.opening.name;
  return nodes;
}

function showNumbers(tree) {
  const numbers = new Map();
  for (const { move, parent, ply } of lineThrough(tree.root).slice(1)) numbers.set(move, [parent.position.side, ply]);
  const cell = (square, at) => {
    const symbol = tree.root.position.board[at];
    const onStart = ['black', 'white'].find((color) => symbols[color] === symbol);
    const [color, number] = onStart ? [onStart, ''] : numbers.get(square) ?? [null, ''];
    return make('td', {}, color ? make('span', { class: `disc ${color}` }, String(number)) : '');
  };
  const files = Array.from('abcdefgh', (file) => make('th', { scope: 'col' }, file));
  const rows = Array.from({ length: 8 }, (_, row) => make('tr', {}, make('th', { scope: 'row' }, String(row + 1)),
    ...squares.slice(8 * row, 8 * row + 8).map((square, column) => cell(square, 8 * row + column))));
  byId('diagram').append(make('thead', {}, make('tr', {}, make('th'), ...files)), make('tbody', {}, ...rows));
}

const tree = reports.length > 0 ? treeOf(reports[0]) : new Tree(start());
const lines = reports.map((report) => addLine(tree, report));
const worst = reports.flatMap((report, of) => report.worst.map((found) => ({ ...found, of })));
const shown = data.reports ? { worst } : { ...data, worst };
const info = data.game ?? { title: data.title, remarks: [data.details] };

const study = new Study({
  onMoved: () => study.view.draw({ tree: study.tree, info, report: shown }),
  analyzed: ({ of }) => lines[of],
  lineOf: (move, at) => movesAt(at).find((found) => found.move === move)?.line ?? [move],
});

// Goes to the position in the address: #33.
function goToHash() {
  const nodes = lineThrough(study.tree.root);
  study.go(nodes[Math.min(Number(location.hash.slice(1)) || 0, nodes.length - 1)]);
}

study.open(tree);
document.title = texts.reportTitle(byId('game-title').textContent);
if (data.reports) {
  for (const id of ['sums-title', 'summary', 'numbers']) byId(id).remove();
} else {
  showNumbers(tree);
  const { program, settings: { depth, exact_from: exactFrom } } = data;
  byId('made').textContent = texts.madeBy(program, depth, exactFrom);
}
window.addEventListener('hashchange', goToHash);
goToHash();
document.documentElement.dataset.ready = 'true';
