// The page of an analysis: a report, looked through like any other game.

import { byId, make } from './dom.js';
import { movesAt } from './nodes.js';
import { position, squares, symbols } from './rules.js';
import { Study } from './study.js';
import { texts, writeTexts } from './texts.js';
import { Tree, lineThrough } from './tree.js';

writeTexts();
const report = JSON.parse(byId('data').textContent);

// Makes the tree of the game, whose nodes have their part of the report.
function treeOf({ positions, curve }) {
  const [first] = positions;
  const side = first.to_move?.toLowerCase() ?? 'black';
  const tree = new Tree(position(first.board, side), positions.flatMap(({ played }) => played?.move ?? []));
  const nodes = lineThrough(tree.root);
  positions.slice(0, nodes.length).forEach((found, at) => {
    nodes[at].report = { ...found, black: curve[at] };
    if (nodes[at + 1]) nodes[at + 1].comment = found.comment;
  });
  const named = report.game.opening && nodes[report.game.opening.ply];
  if (named) named.opening = report.game.opening.name;
  return tree;
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

const study = new Study({
  onMoved: () => study.view.draw({ tree: study.tree, info: report.game, report }),
  analyzed: () => lineThrough(study.tree.root),
  lineOf: (move, at) => movesAt(at).find((found) => found.move === move)?.line ?? [move],
});

// Goes to the position in the address: #33.
function goToHash() {
  const nodes = lineThrough(study.tree.root);
  study.go(nodes[Math.min(Number(location.hash.slice(1)) || 0, nodes.length - 1)]);
}

const tree = treeOf(report);
showNumbers(tree);
study.open(tree);
document.title = texts.reportTitle(byId('game-title').textContent);
const { depth, exact_from: exactFrom } = report.settings;
byId('made').textContent = texts.madeBy(report.program, depth, exactFrom);
window.addEventListener('hashchange', goToHash);
goToHash();
document.documentElement.dataset.ready = 'true';
