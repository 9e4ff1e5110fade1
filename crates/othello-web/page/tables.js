// The tables of an analysis: the moves of a position, the worst moves, and the sums of the players.

import { cells, make, set, write } from './dom.js';
import { colors, texts } from './texts.js';
import { discs, evidence, lossClass, scoreOf } from './values.js';

// The moves of a position. Rows stay as long as their moves do, and only changes in them are written.
export class MoveTable {
  // `onMove` is called with a move that a person chooses, `onLine` with a line of moves.
  constructor(table, onMove, onLine) {
    this.rows = new Map();
    this.body = make('tbody');
    this.actions = { onMove, onLine };
    table.append(make('thead', {}, make('tr', {}, ...cells('th', texts.move, texts.value, texts.loss),
      make('th', { class: 'from' }, texts.from), make('th', { class: 'words' }, texts.line))), this.body);
  }

  // Shows the moves of a position with a number of empty squares, among them the `played` one, whose value a file may
  // prove.
  show(moves, { empties, played = null, isProved = false }) {
    const names = moves.map(({ move }) => move);
    for (const [name, row] of this.rows) {
      if (!names.includes(name)) {
        row.element.remove();
        this.rows.delete(name);
      }
    }
    const focused = document.activeElement;
    moves.forEach((move, at) => {
      const row = this.rows.get(move.move) ?? this.row(move.move);
      if (this.body.children[at] !== row.element) this.body.insertBefore(row.element, this.body.children[at] ?? null);
      row.fill(move, evidence(move.source, empties), move.move === played, isProved);
    });
    // A row loses the focus when it is moved.
    if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  }

  row(name) {
    const move = make('button', { type: 'button', class: 'move', click: () => this.actions.onMove(name) }, name);
    const [value, loss] = [make('td'), make('td')];
    const from = make('td', { class: 'from' });
    let moves = [];
    const line = make('button', { type: 'button', class: 'line', click: () => this.actions.onLine(moves) });
    const element = make('tr', {}, make('td', {}, move), value, loss, from, make('td', { class: 'words' }, line));
    const fill = (found, rests, isPlayed, isProved) => {
      moves = found.line;
      write(value, scoreOf(found));
      write(loss, (found.bound === 'at_most' ? '≥ ' : '') + discs(found.loss));
      loss.className = lossClass(found.loss);
      write(from, isPlayed && isProved ? texts.evidenceProved(rests) : rests);
      write(line, moves.join(' '));
      element.classList.toggle('played', isPlayed);
      set(move, { 'aria-label': isPlayed ? texts.moveWasPlayed(name) : name });
      set(line, { title: moves.join(' '), 'aria-label': texts.addLine(moves.join(' ')) });
    };
    const row = { element, fill };
    this.rows.set(name, row);
    return row;
  }
}

// Lists the worst moves of a game; `onMove` is called with one that a person chooses.
export function showWorst(list, worst, onMove) {
  list.replaceChildren(...worst.map((found) => make('li', {}, make('button', {
    type: 'button', class: 'link', title: found.line.join(' '), click: () => onMove(found),
  }, texts.better(found.ply + 1, found.side.toLowerCase(), found.move, discs(found.loss), found.line.join(' '))))));
}

// Shows the losses of each player's moves, by phase.
export function showSummary(table, { summary, game }) {
  const phases = summary.black.phases.map((phase) => phase.name);
  const head = make('thead', {}, make('tr', {}, make('th', { class: 'words' }, texts.player),
    ...cells('th', ...texts.sums, ...phases)));
  const rows = ['black', 'white'].map((color) => {
    const sum = summary[color];
    return make('tr', {}, make('th', { scope: 'row', class: 'words' }, game[color].name || colors[color]),
      ...cells('td', String(sum.moves), discs(sum.total_loss), sum.mean_loss.toFixed(2), String(sum.best_moves),
        String(sum.mistakes), ...sum.phases.map((phase) => discs(phase.total_loss))));
  });
  table.replaceChildren(head, make('tbody', {}, ...rows));
}
