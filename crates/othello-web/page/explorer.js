// The explorer: the moves that people played in a position, with results and the book's values, and games through it.

import { byId, draw, make, write } from './dom.js';
import { told } from './load.js';
import { texts } from './texts.js';
import { number } from './values.js';

const REST = 150; // milliseconds for which a position is shown before its games are looked up

export class Explorer {
  // `games` returns the text or file of a loaded collection, or null. `onMove` is called with a chosen move, `onGame`
  // with a chosen game, which has the `ply` of the position. `onChange` is called when there is an answer.
  constructor(engine, { games, onMove, onGame, onChange }) {
    this.engine = engine;
    this.actions = { games, onMove, onGame, onChange };
    this.asked = null;
  }

  // Looks up the position of a node of a tree, unless that has been done, or is being done, for the same games.
  look(node, request) {
    const games = this.actions.games();
    if (this.node === node && this.games === games) return;
    this.stop();
    [this.node, this.games] = [node, games];
    const isKnown = node.explored?.games === games || node.position.side === null;
    if (!isKnown) this.resting = setTimeout(() => this.ask(node, games, request), REST);
  }

  async ask(node, games, request) {
    const asked = this.engine.ask({ call: 'explore', ...request, ...games });
    this.asked = asked;
    try {
      const answer = await asked.done;
      if (this.asked === asked) node.explored = { games, answer };
    } catch (error) {
      if (this.asked === asked) node.explored = { games, error: error.message };
    }
    if (this.asked === asked) this.actions.onChange();
  }

  stop() {
    clearTimeout(this.resting);
    this.asked?.stop();
    this.node = this.games = this.asked = null;
  }

  draw({ explored }) {
    if (explored && this.drawn === explored) return;
    this.drawn = explored;
    const answer = explored?.answer;
    const moves = answer?.moves ?? [];
    const opening = answer?.opening ? `${answer.opening}. ` : '';
    const games = texts.gamesReach(answer?.games, answer?.total);
    const found = answer?.total === 0 ? texts.noGamesYet : answer && games;
    write(byId('explorer-text'), explored?.error ?? `${opening}${found ?? ''}`);
    byId('explorer-moves').parentElement.hidden = moves.length === 0;
    byId('explorer-moves').tBodies[0].replaceChildren(...moves.map((move) => this.row(move)));
    byId('explorer-games').replaceChildren(...(answer?.newest ?? []).map((game) => {
      const { players, rest } = told(game, false);
      const open = make('button', { type: 'button', class: 'link', click: () => this.actions.onGame(game) }, players);
      return make('li', {}, open, ` ${rest}`);
    }));
  }

  row({ move, games, wins, draws, losses, opening, book }) {
    const known = wins + draws + losses;
    const percent = (part) => `${Math.round((100 * part) / known)} %`;
    const results = texts.shares(percent(wins), percent(draws), percent(losses));
    const bar = known > 0 ? [resultBar([wins, draws, losses].map((part) => (100 * part) / known), results)] : [];
    const chosen = make('button', {
      type: 'button', class: 'move', title: opening, click: () => this.actions.onMove(move),
    }, move);
    return make('tr', {}, make('td', {}, chosen), make('td', {}, games > 0 ? String(games) : ''),
      make('td', { class: 'results' }, ...bar), make('td', {}, known > 0 ? percent(wins) : ''),
      make('td', {}, book === undefined ? '' : number(book, false)));
  }
}

function resultBar(shares, label) {
  let left = 0;
  const parts = shares.map((share, at) => {
    const part = draw('rect', { x: left, width: share, height: 10, class: ['won', 'drawn', 'lost'][at] });
    left += share;
    return part;
  });
  return draw('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    draw('title', {}, label), ...parts);
}
