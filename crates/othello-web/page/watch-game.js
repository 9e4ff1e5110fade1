// The game that a person has chosen to watch or to replay.

import { Board } from './board.js';
import { timeText } from './clock.js';
import { isField, make, set, write } from './dom.js';
import { MoveList } from './movelist.js';
import { parsePosition } from './rules.js';
import { fragment } from './share.js';
import { colors, texts } from './texts.js';
import { Tree } from './tree.js';
import { isOver, resultOf, timeLeft } from './watch-state.js';

const COLORS = ['black', 'white'];

const button = (name, label, title, click) => make('button', {
  type: 'button', 'aria-label': label, title, click,
}, name);

export class WatchedGame {
  constructor(container) {
    this.game = null;
    const place = make('div');
    this.board = new Board(place, texts.boardOfGame, () => {});
    this.title = make('h2', { id: 'watch-title' });
    this.caption = make('p', { class: 'status', 'aria-live': 'polite' });
    this.rows = COLORS.map((color) => this.player(color));
    this.link = make('a', { href: '#analyze', class: 'button' }, texts.analyzeThisGame);
    this.faults = make('p', { class: 'soft' });
    this.log = make('pre', { class: 'log', tabindex: '0', 'aria-label': texts.standardError });
    const steps = make('div', { class: 'steps', role: 'group', 'aria-label': texts.stepThrough },
      button('«', texts.firstPosition, texts.firstTitle, () => this.go(0)),
      button('‹', texts.back, texts.backTitle, () => this.step(-1)),
      button('›', texts.forward, texts.forwardTitle, () => this.step(1)),
      button('»', texts.lastPosition, texts.lastTitle, () => this.go(Infinity)));
    const list = make('div', { class: 'moves', role: 'group', 'aria-label': texts.moves });
    this.list = new MoveList(list, () => null, (node) => this.go(node.ply));
    container.append(
      make('div', { class: 'left' }, this.title, place, steps, this.caption),
      make('div', { class: 'right' }, make('table', { class: 'watch-players' }, make('caption', { class: 'hidden' },
        texts.players), make('tbody', {}, ...this.rows.map(({ row }) => row))), list, this.faults,
      make('div', { class: 'bar' }, this.link), this.log),
    );
    document.addEventListener('keydown', (event) => { if (container.checkVisibility()) this.key(event); });
  }

  player(color) {
    const [name, score] = [make('span', { class: 'name' }), make('span', { class: 'score soft' })];
    const [clock, count] = [make('td', { class: 'clock' }), make('td', { class: 'count' })];
    const chip = make('td', {}, make('span', { class: `chip ${color}`, 'aria-hidden': 'true' }),
      make('span', { class: 'hidden' }, colors[color]));
    const row = make('tr', {}, chip, make('th', { scope: 'row' }, name, score), clock, count);
    return { color, row, name, score, clock, count };
  }

  // Shows a game with all its moves, after `ply` of them.
  open(game, ply = Infinity) {
    this.game = game;
    this.tree = new Tree(parsePosition(game.start));
    this.add(game.moves.map(({ move }) => move));
    this.list.build(this.tree);
    this.go(ply);
  }

  // The number of moves before the current position, if that is not the last one.
  get earlier() { return this.game && this.tree.current !== this.nodes.at(-1) ? this.tree.current.ply : null; }

  get length() { return this.nodes.length - 1; }

  add(moves) {
    let last = this.tree.root;
    while (last.children.length > 0) [last] = last.children;
    this.tree.add(last, moves);
    this.nodes = [this.tree.root];
    for (let at = this.tree.root; at.children.length > 0; [at] = at.children) this.nodes.push(at.children[0]);
  }

  // Takes a move made in the game; returns false if an earlier one is missing.
  moved(move, summary) {
    if (move.ply > this.length + 1) return false;
    const isAtEnd = this.tree.current === this.nodes.at(-1);
    if (move.ply === this.length + 1) {
      this.game.moves.push(move);
      this.add([move.move]);
      this.list.build(this.tree);
    }
    this.update(summary);
    if (isAtEnd) this.go(Infinity);
    return true;
  }

  // Takes news about the game other than its moves.
  update(summary) {
    Object.assign(this.game, summary);
    this.showEnd();
  }

  step(by) {
    if (this.game) this.go(this.tree.current.ply + by);
  }

  go(ply) {
    if (!this.game) return;
    this.tree.current = this.nodes[Math.min(Math.max(ply, 0), this.length)];
    this.list.place(this.tree.current);
    this.show();
  }

  show() {
    const { game, tree: { current } } = this;
    write(this.title, texts.gameTitle(game.id, game.black, game.white));
    this.board.show({ board: current.position.board, last: current.move });
    for (const { color, name, score, count, row } of this.rows) {
      write(name, game[color]);
      write(count, String([...current.position.board].filter((disc) => disc === (color === 'black' ? 'X' : 'O')).length));
      const told = game.moves.slice(0, current.ply).findLast((move) => move.color === color && move.score !== null);
      write(score, told ? texts.expects(`${told.score < 0 ? '−' : '+'}${Math.abs(told.score).toFixed(1)}`) : '');
      row.classList.toggle('turn', current.position.side === color);
    }
    const moves = game.moves.map(({ move }) => move);
    const from = this.tree.root.position;
    set(this.link, { href: fragment({ from, moves, at: current.ply, black: game.black, white: game.white }) });
    this.showEnd();
  }

  showEnd() {
    const { game, tree: { current } } = this;
    write(this.caption, captionOf(game, current, this.length));
    write(this.faults, (game.faults ?? []).join(' '));
  }

  // Shows the clocks at a time of the server's clock.
  tick(now) {
    if (!this.game) return;
    for (const { color, clock } of this.rows) {
      const left = timeLeft(this.game, color, now);
      write(clock, left === null ? '' : timeText(left));
    }
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isField(event.target)) return;
    if (event.target.closest('[role=tablist]') || event.target.matches('.scroll')) return;
    const steps = {
      ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1, Home: -Infinity, End: Infinity,
    };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.step(by);
  }
}

function captionOf(game, { ply, move, parent }, length) {
  const made = move === null ? texts.theStart
    : texts.watchedMove(ply, length, parent.position.side, move, secondsOf(game.moves[ply - 1]));
  return isOver(game) && ply === length ? `${made} ${resultOf(game).words}.` : made;
}

const secondsOf = ({ ms }) => (ms === null ? null : (ms / 1000).toFixed(ms < 10_000 ? 2 : 0));
