'use strict';
const byId = (id) => document.getElementById(id);
const report = JSON.parse(byId('data').textContent);
const { game, positions } = report;
const { size } = game;
const columns = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const lead = (points) => points === 0 ? '0' : `${points > 0 ? 'B' : 'W'}+${Math.abs(points).toFixed(1)}`;
const lossClass = ({ win_rate: lost }) => lost >= report.blunder ? 'bad' : lost >= report.mistake ? 'poor' : '';
const inWords = (loss) => `${percent(loss.win_rate)} and ${loss.points.toFixed(1)} points`;
const last = positions.length - 1;
const hasValues = positions.some(({ win_rate: rate }) => rate !== undefined);
let at = 0;
let shownLine = null;

// Makes an element of HTML, or of SVG, with attributes and children, which are elements or text.
function make(name, attributes = {}, ...children) {
  const svg = ['circle', 'path', 'text', 'rect', 'line', 'title'].includes(name);
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Returns the place of a point, to the right and down from the upper left one; null for a pass.
function place(move) {
  const column = columns.indexOf(move[0]);
  const row = Number(move.slice(1));
  return row > 0 && column >= 0 ? [column, size - row] : null;
}

function stone([x, y], color) {
  return make('circle', { cx: x, cy: y, r: .47, fill: color === 'black' ? '#111' : '#fff', stroke: '#111', 'stroke-width': .04 });
}

function label([x, y], text, fill) {
  return make('text', { x, y, fill }, text);
}

function drawBoard() {
  const { board, played, moves } = positions[at];
  const svg = byId('board');
  const end = size - 1;
  svg.setAttribute('viewBox', `-1.5 -1.5 ${size + 2} ${size + 2}`);
  svg.replaceChildren(make('rect', { x: -1.5, y: -1.5, width: size + 2, height: size + 2, fill: '#dcb35c' }));
  const lines = Array.from({ length: size }, (_, n) => `M0 ${n}h${end}M${n} 0v${end}`).join('');
  svg.append(make('path', { d: lines, stroke: '#111', 'stroke-width': .04, 'stroke-linecap': 'square' }));
  for (let n = 0; n < size; n += 1) {
    svg.append(label([n, -1], columns[n], '#111'), label([n, size], columns[n], '#111'));
    svg.append(label([-1, n], String(size - n), '#111'), label([size, n], String(size - n), '#111'));
  }
  board.split('/').forEach((row, y) => [...row].forEach((letter, x) => {
    if (letter !== '.') svg.append(stone([x, y], letter === 'X' ? 'black' : 'white'));
  }));
  const before = at > 0 && place(positions[at - 1].played.move);
  if (before) svg.append(make('circle', { cx: before[0], cy: before[1], r: .22, fill: 'none', stroke: '#d11', 'stroke-width': .1 }));
  const side = played?.color ?? (positions[at - 1]?.played.color === 'black' ? 'white' : 'black');
  if (shownLine) {
    shownLine.forEach((move, number) => {
      const color = (number % 2 === 0) === (side === 'black') ? 'black' : 'white';
      const point = place(move);
      if (point) svg.append(stone(point, color), label(point, String(number + 1), color === 'black' ? '#fff' : '#111'));
    });
    return;
  }
  moves.forEach((found, order) => {
    const point = place(found.move);
    if (!point) return;
    const share = side === 'black' ? found.win_rate : 1 - found.win_rate;
    const [cx, cy] = point;
    svg.append(make('circle', { cx, cy, r: .45, fill: order === 0 ? '#2a7fd4' : '#7fb06a', opacity: .85 }));
    svg.append(label(point, (100 * share).toFixed(0), '#fff'));
  });
  const next = played && place(played.move);
  if (next) svg.append(make('circle', { cx: next[0], cy: next[1], r: .47, fill: 'none', stroke: '#d11', 'stroke-width': .06 }));
}

function drawCurve() {
  const svg = byId('curve');
  const width = Math.max(1, positions.length - 1);
  svg.setAttribute('viewBox', `0 0 ${width} 100`);
  const thin = { 'stroke-width': 1, 'vector-effect': 'non-scaling-stroke', fill: 'none' };
  svg.replaceChildren(make('path', { d: `M0 50h${width}`, stroke: 'var(--rule)', ...thin }));
  let path = '';
  positions.forEach(({ win_rate: rate }, x) => {
    if (rate !== undefined) path += `${positions[x - 1]?.win_rate === undefined ? 'M' : 'L'}${x} ${100 - 100 * rate}`;
  });
  svg.append(make('path', { d: path, stroke: 'var(--accent)', ...thin, 'stroke-width': 2 }));
  for (const number of report.worst) {
    svg.append(make('path', { d: `M${number} 0v100`, stroke: 'var(--bad)', ...thin, 'stroke-dasharray': '2 3' }));
  }
  svg.append(make('path', { d: `M${at} 0v100`, stroke: 'var(--mark)', ...thin, 'stroke-width': 2 }));
}

// Shows a line on the board, or the position again at the second time.
function toggleLine(line) {
  shownLine = shownLine === line ? null : line;
  drawBoard();
}

function lineButton(line) {
  const button = make('button', { class: 'line', title: 'Show on the board' }, line.join(' '));
  button.addEventListener('click', () => toggleLine(line));
  return button;
}

function headed(table, heads, rows) {
  const head = make('thead', {}, make('tr', {}, ...heads.map((text) => make('th', { scope: 'col' }, text))));
  byId(table).replaceChildren(head, make('tbody', {}, ...rows));
}

function drawMoves() {
  const { moves } = positions[at];
  headed('moves', ['Black', 'lead', 'playouts', 'line'], moves.map((found) => make('tr', {},
    make('td', {}, percent(found.win_rate)), make('td', {}, lead(found.lead)), make('td', {}, String(found.playouts)),
    make('td', {}, lineButton(found.line)))));
}

function drawSentence() {
  const { win_rate: rate, lead: points, comment } = positions[at];
  const before = positions[at - 1]?.played;
  const parts = [];
  if (before?.loss?.win_rate > 0) parts.push(`${before.move} lost ${inWords(before.loss)}.`);
  if (comment) parts.push(comment);
  byId('sentence').textContent = parts.join('\n');
  const value = rate === undefined ? ': no value' : `: Black ${percent(rate)}, ${lead(points)}`;
  byId('caption').textContent = `${at ? `Move ${at}` : 'Start'}${hasValues ? value : ''}`;
}

function go(to) {
  at = Math.min(Math.max(to, 0), last);
  shownLine = null;
  drawBoard();
  drawCurve();
  drawMoves();
  drawSentence();
  for (const row of byId('rows').children) row.removeAttribute('aria-current');
  const row = byId('rows').children[at - 1];
  if (row) {
    row.setAttribute('aria-current', 'step');
    row.scrollIntoView({ block: 'nearest' });
  }
  // Without a number, the page follows a game that goes on.
  history.replaceState(null, '', !hasValues && at === last ? '#' : `#${at}`);
}

function drawRecord() {
  positions.forEach(({ played }, n) => {
    if (!played) return;
    const after = positions[n + 1];
    const button = make('button', { class: 'line' }, `${played.color === 'black' ? '●' : '○'} ${played.move}`);
    button.addEventListener('click', () => go(n + 1));
    const { loss } = played;
    byId('rows').append(make('tr', {}, make('td', {}, String(n + 1)), make('td', {}, button),
      make('td', {}, after.win_rate === undefined ? '' : percent(after.win_rate)),
      make('td', { class: loss ? lossClass(loss) : '' }, loss && lossClass(loss) ? `−${percent(loss.win_rate)}` : '')));
  });
  for (const number of report.worst) {
    const { played, moves } = positions[number - 1];
    const text = `${number}. ${played.move} loses ${inWords(played.loss)}; better ${moves[0]?.move ?? ''}`;
    const button = make('button', { class: 'line' }, text);
    button.addEventListener('click', () => go(number - 1));
    byId('worst').append(make('li', {}, button));
  }
  headed('sums', ['', 'moves', 'loss a move', 'points a move', "engine's choice", 'mistakes'],
    ['black', 'white'].map((side) => {
      const { moves, win_rate: rate, points, engine_choices: choices, mistakes } = report.sums[side];
      const mean = (sum) => sum / Math.max(1, moves);
      const cells = [side === 'black' ? 'Black' : 'White', moves, percent(mean(rate)), mean(points).toFixed(1), choices, mistakes];
      return make('tr', {}, ...cells.map((cell) => make('td', {}, String(cell))));
    }));
}

byId('title').textContent = `${game.black || 'Black'} – ${game.white || 'White'}`;
document.title = byId('title').textContent + (hasValues ? ': analysis' : '');
byId('values').hidden = !hasValues;
const terms = [`komi ${game.komi}`, `${game.rules} rules`];
byId('details').textContent = [game.result, game.date, game.event, ...terms].filter(Boolean).join(', ');
const estimates = `, ${report.limits}. Values are Black's and estimates: two searches of one position differ a little.`;
byId('made').textContent = report.program + (hasValues ? estimates : report.is_live ? ': the game goes on.' : '.');
drawRecord();
byId('first').addEventListener('click', () => go(0));
byId('back').addEventListener('click', () => go(at - 1));
byId('next').addEventListener('click', () => go(at + 1));
byId('last').addEventListener('click', () => go(last));
byId('curve').addEventListener('click', (event) => {
  const box = byId('curve').getBoundingClientRect();
  go(Math.round((event.clientX - box.left) / box.width * last));
});
document.addEventListener('keydown', (event) => {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(to);
});
const fromHash = () => go(Math.trunc(Number(location.hash.slice(1) || (hasValues ? 0 : last))) || 0);
window.addEventListener('hashchange', fromHash);
fromHash();
if (report.is_live) setTimeout(() => location.reload(), 2000);
document.documentElement.dataset.ready = 'true';
