// The small boards of games in progress, and the lists of games and standings.

import { cells, draw, make, set, write } from './dom.js';
import { timeText } from './clock.js';
import { colors, texts } from './texts.js';
import { resultOf, timeLeft } from './watch-state.js';

const COLORS = ['black', 'white'];
const SHOWN = 50; // finished games, until more are requested

// A small board: a picture whose discs change.
function miniBoard() {
  const discs = Array.from({ length: 64 }, (_, at) => draw('circle', {
    cx: (at % 8) + 0.5, cy: (at >> 3) + 0.5, r: 0.41, class: 'empty',
  }));
  const lines = Array.from({ length: 7 }, (_, at) => `M${at + 1} 0V8M0 ${at + 1}H8`).join('');
  const last = draw('circle', { r: 0.13, class: 'last-move' });
  const picture = draw('svg', { viewBox: '0 0 8 8', class: 'mini', 'aria-hidden': 'true' },
    draw('path', { d: lines }), ...discs, last);
  let shown = '';
  const show = (game) => {
    [...game.squares].forEach((square, at) => {
      if (shown[at] !== square) discs[at].setAttribute('class', { X: 'black', O: 'white' }[square] ?? 'empty');
    });
    shown = game.squares;
    const isSquare = /^[a-h][1-8]$/.test(game.last ?? '');
    last.toggleAttribute('hidden', !isSquare);
    if (isSquare) {
      set(last, { cx: game.last.charCodeAt(0) - 96.5, cy: Number(game.last[1]) - 0.5 });
    }
  };
  return { picture, show };
}

// The boards of games in progress. Each is a button, which stays as long as its game is shown.
export class Boards {
  constructor(container, onGame) {
    this.container = container;
    this.onGame = onGame;
    this.cards = new Map();
  }

  // Shows games, with `chosen` marked.
  show(games, chosen, now) {
    const ids = new Set(games.map(({ id }) => id));
    for (const [id, card] of this.cards) {
      if (ids.has(id)) continue;
      card.button.remove();
      this.cards.delete(id);
    }
    for (const game of games) {
      const card = this.cards.get(game.id) ?? this.card(game.id);
      card.show(game, game.id === chosen, now);
    }
  }

  card(id) {
    const { picture, show: showBoard } = miniBoard();
    const sides = COLORS.map((color) => {
      const [name, count, clock] = [make('span', { class: 'name' }), make('span'), make('span', { class: 'clock' })];
      const line = make('span', { class: 'side' },
        make('span', { class: `chip ${color}`, 'aria-hidden': 'true' }), name, count, clock);
      return { color, line, name, count, clock };
    });
    const button = make('button', { type: 'button', class: 'card', click: () => this.onGame(id) },
      picture, ...sides.map(({ line }) => line));
    const show = (game, isChosen, now) => {
      showBoard(game);
      for (const { color, line, name, count, clock } of sides) {
        write(name, game[color]);
        write(count, String(game.discs[color]));
        const left = timeLeft(game, color, now);
        write(clock, left === null ? '' : timeText(left));
        line.classList.toggle('turn', game.to_move === color);
      }
      set(button, { 'aria-pressed': String(isChosen) });
      button.setAttribute('aria-label', texts.gameCard(id, game));
    };
    this.container.append(button);
    const card = { button, show };
    this.cards.set(id, card);
    return card;
  }
}

// The table of finished games, newest first.
export class Finished {
  constructor(table, more, onGame) {
    this.body = make('tbody');
    this.limit = SHOWN;
    this.more = more;
    this.onGame = onGame;
    this.key = '';
    table.append(make('thead', {}, make('tr', {}, ...cells('th', texts.game, colors.black, colors.white, texts.discs),
      make('th', { class: 'words' }, texts.result))), this.body);
    more.addEventListener('click', () => {
      this.limit += SHOWN;
      this.show(...this.last);
    });
  }

  // Shows games of a run, with `chosen` marked.
  show(run, games, chosen) {
    this.last = [run, games, chosen];
    const key = [run, games.length, games[0]?.id, chosen, this.limit].join();
    if (this.key === key) return;
    this.key = key;
    this.more.hidden = games.length <= this.limit;
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.body.replaceChildren(...games.slice(0, this.limit).map((game) => this.row(game, game.id === chosen)));
    if (focused) this.body.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
  }

  row(game, isChosen) {
    const { score, words } = resultOf(game);
    const button = make('button', {
      type: 'button', class: 'link', 'data-id': game.id, 'aria-current': isChosen ? 'true' : null,
      click: () => this.onGame(game.id),
    }, texts.gameNumber(game.id));
    return make('tr', { class: isChosen ? 'played' : '' }, make('td', {}, button),
      ...cells('td', game.black, game.white, score), make('td', { class: 'words' }, words));
  }
}

const signed = (number, digits) => (number < 0 ? '−' : '+') + Math.abs(number).toFixed(digits);

// Elo numbers, without decimals if the interval is so wide that they mean nothing.

function eloText({ value, low, high }) {
  const digits = low !== null && high !== null && high - low < 20 ? 1 : 0;
  const end = (number, unbounded) => (number === null ? unbounded : signed(number, digits));
  // An engine that won or lost all games has no estimate, but a bound.
  const middle = end(value, low === null ? '−∞' : '+∞');
  return `${middle} [${end(low, '−∞')}, ${end(high, '+∞')}]`;
}

// Shows standings in a table and a paragraph of notes.
export function showStandings(table, notes, standings) {
  const { rows = [], notes: lines = [] } = standings ?? {};
  const hasElo = rows.some(({ elo }) => elo !== null);
  const hasByes = rows.some(({ byes }) => byes > 0);
  const head = make('tr', {}, make('th', { class: 'words' }, texts.name),
    ...cells('th', texts.points, ...(hasElo ? [texts.elo] : []), texts.record,
      ...(hasByes ? [texts.byes] : []), texts.discs));
  const body = rows.map((row) => make('tr', {}, make('th', { scope: 'row', class: 'words' }, row.name),
    ...cells('td', String(row.points), ...(hasElo ? [row.elo ? eloText(row.elo) : '–'] : []),
      `${row.wins}–${row.draws}–${row.losses}`, ...(hasByes ? [String(row.byes)] : []), signed(row.discs, 0))));
  table.replaceChildren(make('thead', {}, head), make('tbody', {}, ...body));
  write(notes, lines.join(' '));
}
