// The board: a grid that is drawn once; changes touch only the squares that differ. One square has the keyboard focus;
// arrow keys move it, Enter or the space bar chooses it.

import { make } from './dom.js';
import { squares } from './rules.js';
import { texts } from './texts.js';

const DISCS = { X: 'black', O: 'white' };

export const upright = squares.map((_, at) => at);

// The places of a board after a quarter turn to the right, and in a mirror.
export const turns = {
  rotate: (places) => places.map((_, at) => places[8 * (7 - (at % 8)) + (at >> 3)]),
  mirror: (places) => places.map((_, at) => places[at ^ 7]),
};

export class Board {
  // `onSquare` is called with the name of a square that a person chooses.
  constructor(container, label, onSquare) {
    this.shown = new Array(64).fill('');
    this.symbols = new Array(64).fill('-');
    this.focused = 0;
    this.cells = squares.map((square) => make('div', {
      role: 'gridcell', class: 'square', 'data-square': square, tabindex: '-1',
    }, make('span', { class: 'content', 'aria-hidden': 'true' })));
    this.grid = make('div', { role: 'grid', class: 'board', 'aria-label': label });
    [this.files, this.ranks] = ['files', 'ranks'].map((kind) => make('div', { class: kind, 'aria-hidden': 'true' }));
    container.classList.add('frame');
    container.append(this.files, this.ranks, this.grid);
    this.orient(upright);
    this.focus(27, false);
    this.grid.addEventListener('click', ({ target }) => {
      const at = this.cells.indexOf(target.closest('.square'));
      if (at < 0) return;
      this.focus(at, false);
      onSquare(squares[at]);
    });
    this.grid.addEventListener('focusin', ({ target }) => {
      const at = this.cells.indexOf(target);
      if (at >= 0) this.focus(at, false);
    });
    this.grid.addEventListener('keydown', (event) => this.key(event, onSquare));
  }

  // Turns the board: `places` has the square, by its number from a1, that is in each place of the window.
  orient(places) {
    this.places = places;
    const [row, column] = [places.slice(0, 8), places.filter((_, place) => place % 8 === 0)];
    const isUpright = row[0] >> 3 === row[1] >> 3;
    const names = (line, at) => line.map((square) => make('span', {}, squares[square][at]));
    this.files.replaceChildren(...names(row, isUpright ? 0 : 1));
    this.ranks.replaceChildren(...names(column, isUpright ? 1 : 0));
    this.grid.replaceChildren(...Array.from({ length: 8 }, (_, at) => make('div', { role: 'row', class: 'row' },
      ...places.slice(8 * at, 8 * at + 8).map((square) => this.cells[square]))));
  }

  // Shows a board. `last` is the last move, `legal` are squares that may be chosen, `values` is a map from squares to
  // their marks: `text`, `label` for screen readers, and `kind`, a class. `numbers` are written on discs.
  show({ board, last = null, legal = [], values = new Map(), numbers = new Map() }) {
    const from = squares.indexOf(last);
    squares.forEach((square, at) => {
      const value = values.get(square);
      const view = describe(square, board[at], square === last, legal.includes(square), value, numbers.get(square));
      const key = Object.values(view).join('\n');
      const before = this.symbols[at];
      this.symbols[at] = board[at];
      if (this.shown[at] === key) return;
      this.shown[at] = key;
      const cell = this.cells[at];
      const isTurned = from >= 0 && [before, board[at]].sort().join('') === 'OX' && at !== from;
      if (isTurned) cell.style.setProperty('--turn', distance(from, at));
      cell.className = `square ${view.kind}${isTurned ? ' turning' : ''}`;
      cell.setAttribute('aria-label', view.label);
      cell.firstChild.className = `content ${view.content}`;
      cell.firstChild.textContent = view.text;
    });
  }

  focus(at, moves = true) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = at;
    this.cells[at].tabIndex = 0;
    if (moves) this.cells[at].focus();
  }

  key(event, onSquare) {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const place = this.places.indexOf(this.focused);
    const [column, row] = [place % 8, place >> 3];
    const to = {
      ArrowLeft: [Math.max(column - 1, 0), row],
      ArrowRight: [Math.min(column + 1, 7), row],
      ArrowUp: [column, Math.max(row - 1, 0)],
      ArrowDown: [column, Math.min(row + 1, 7)],
      Home: [0, event.ctrlKey ? 0 : row],
      End: [7, event.ctrlKey ? 7 : row],
    }[event.key];
    if (to) this.focus(this.places[8 * to[1] + to[0]]);
    else if (event.key === 'Enter' || event.key === ' ') onSquare(squares[this.focused]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const distance = (from, to) => Math.max(Math.abs((from % 8) - (to % 8)), Math.abs((from >> 3) - (to >> 3)));

function describe(square, symbol, isLast, isLegal, value, number) {
  if (symbol !== '-') {
    const color = DISCS[symbol];
    return {
      kind: isLast ? 'last' : '',
      content: `disc ${color}${number ? ' numbered' : ''}`,
      text: number ? String(number) : '',
      label: texts.squareDisc(square, color, isLast),
    };
  }
  return {
    kind: `${isLegal ? 'legal' : ''} ${value ? value.kind : ''}`,
    content: value ? 'value' : isLegal ? 'dot' : '',
    text: value ? value.text : '',
    label: texts.squareEmpty(square, value ? value.label : isLegal ? texts.legalMove : ''),
  };
}
