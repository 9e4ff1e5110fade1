// The view for playing: a game against the engine, or of two people at one board.

import { Board } from './board.js';
import { Clock, timeText } from './clock.js';
import { byId, eachFrame, isField, write } from './dom.js';
import { Live } from './live.js';
import { MoveList } from './movelist.js';
import { movesAt } from './nodes.js';
import { count, empties, finalScore, isLegal, other, parseMoves, parsePosition, readPosition, start, text } from './rules.js';
import { recall, remember } from './storage.js';
import { colors, texts } from './texts.js';
import { Tree, movesOf, path, transcript } from './tree.js';
import { isBest, scoreOf } from './values.js';

const HINT_DEPTH = 12;
const LOOK = 700; // milliseconds for which a person sees a move before the engine answers
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

export class Play {
  // `page` has `announce`, `fail`, `works` and `analyze`.
  constructor(engine, page) {
    this.engine = engine;
    this.page = page;
    this.isShown = false;
    this.past = null; // a node before the current one that is looked at
    this.render = eachFrame(() => this.draw());
    this.board = new Board(byId('play-board'), texts.board, (square) => this.choose(square));
    this.list = new MoveList(byId('play-moves'), () => null, (node) => this.look(node));
    this.live = new Live(engine, (_, error) => {
      if (error) page.fail(error.message, 'search');
      else page.works('search');
      this.render();
    });
    this.form = byId('new-game');
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.startFromForm();
    });
    this.form.addEventListener('input', () => this.showFields());
    byId('undo').addEventListener('click', () => this.undo());
    byId('pass').addEventListener('click', () => this.pass());
    byId('resign').addEventListener('click', () => this.resign());
    byId('rematch').addEventListener('click', () => this.rematch());
    byId('former').addEventListener('click', () => this.exchange());
    document.addEventListener('keydown', (event) => this.key(event));
    byId('hints').addEventListener('change', () => this.hint());
    byId('play-analyze').addEventListener('click', () => this.analyze());
    this.showFields();
    if (!this.resume(recall('play'))) this.begin(start(), [], true);
  }

  showFields() {
    const { limit, level, depth, 'depth-shown': shown } = this.form.elements;
    shown.value = depth.value;
    for (const row of this.form.querySelectorAll('[data-limit]')) row.hidden = row.dataset.limit !== limit.value;
    for (const row of this.form.querySelectorAll('[data-level]')) row.hidden = row.dataset.level !== level.value;
  }

  async startFromForm() {
    const { start: field } = this.form.elements;
    try {
      const { from, moves } = await readStart(this.engine, field.value.trim());
      write(byId('new-game-error'), '');
      this.begin(from, moves);
      this.fold();
      this.board.focus(this.board.focused);
    } catch (error) {
      write(byId('new-game-error'), texts.newGameError(error.message));
    }
  }

  fold() {
    byId('new-game-fold').open = false;
  }

  // The game and the form as the browser keeps them.
  saved() {
    const names = ['color', 'limit', 'level', 'depth', 'seconds', 'minutes', 'increment'];
    const fields = names.map((name) => [name, this.form.elements[name]?.value]).filter(([, value]) => value !== undefined);
    return {
      from: text(this.tree.root.position),
      moves: movesOf(path(this.tree.current)),
      human: this.human,
      fields: Object.fromEntries(fields),
      times: this.clock?.times(),
      flagged: this.flagged,
      resigned: this.resigned,
    };
  }

  // Continues a game that the browser kept; returns false if there is none.
  resume(kept) {
    try {
      const from = parsePosition(kept.from);
      for (const [name, value] of Object.entries(kept.fields)) this.form.elements[name].value = value;
      this.showFields();
      this.begin(from, kept.moves, true);
      Object.assign(this, { human: kept.human, flagged: kept.flagged, resigned: kept.resigned });
      if (kept.times) this.clock?.restore(kept.times);
      if (kept.moves.length > 0) this.fold();
      this.turn(texts.gameGoesOn);
      return true;
    } catch {
      return false; // kept by another version of the page
    }
  }

  // The game as it is kept if it has begun and is not over, otherwise null.
  unfinished() {
    return this.tree && this.side !== null && this.tree.root.children.length > 0 ? this.saved() : null;
  }

  // Returns to the game before this one, which can then be returned to as well.
  exchange() {
    const former = recall('former');
    remember('former', this.unfinished());
    this.resume(former);
  }

  // Starts a game at a position after moves, by the form. The game before can be returned to, unless it is over.
  begin(from, moves, isResumed = false) {
    const { color, limit, minutes, increment } = this.form.elements;
    this.stop();
    if (!isResumed) remember('former', this.unfinished());
    this.resigned = null;
    this.tree = new Tree(from);
    for (const move of moves) this.tree.step(move);
    this.human = color.value;
    this.flagged = null;
    this.limits = this.readLimits();
    this.clock = limit.value !== 'game' ? null : new Clock(60_000 * minutes.value, 1000 * increment.value,
      () => this.render(), (side) => this.flag(side));
    this.times = new Map(path(this.tree.current).map((node) => [node, this.clock?.times()]));
    this.list.build(this.tree);
    if (!isResumed || moves.length === 0) this.turn(texts.gameBegins(this.human));
  }

  // The level and limits of the engine, as a function of its remaining time.
  readLimits() {
    const { limit, level: { value }, depth, seconds, increment } = this.form.elements;
    const milliseconds = (field) => Math.round(1000 * field.value);
    const level = value === 'depth' ? Number(depth.value) : value;
    this.isLikePeople = value !== 'depth' && value !== 'full';
    if (limit.value === 'none') return () => ({ level });
    if (limit.value === 'move') return () => ({ level, time_ms: milliseconds(seconds) });
    const increment_ms = milliseconds(increment);
    return () => {
      const remaining_ms = Math.max(Math.round(this.clock.remaining(other(this.human))), 1);
      return { level, clock: { remaining_ms, increment_ms } };
    };
  }

  // The milliseconds that a person takes for the next move: longer with more choice, and never much of the clock.
  moment() {
    if (!this.isLikePeople) return 0;
    const choice = Math.min(this.tree.current.position.moves.length - 1, 10);
    const left = this.clock ? this.clock.remaining(this.side) / 60 : Infinity;
    const { limit, seconds } = this.form.elements;
    const limited = limit.value === 'move' ? 500 * seconds.value : Infinity;
    return Math.min(300 + 120 * choice * (0.5 + Math.random()), left, limited);
  }

  get side() {
    return this.flagged || this.resigned ? null : this.tree.current.position.side;
  }

  // True if two people play.
  get isShared() {
    return this.human === 'both';
  }

  isOwn(side) {
    return side !== null && (this.isShared || side === this.human);
  }

  // True if a person has no move, and has yet to take note of the pass.
  get isPassing() {
    return this.isOwn(this.side) && this.tree.current.position.mustPass;
  }

  // Continues the game: the engine moves or passes, or waits for a person. `news` is announced.
  turn(news) {
    const { side } = this;
    if (side !== null && !this.isOwn(side) && this.tree.current.position.mustPass) {
      this.made('pass', `${news} ${texts.mustPass(side)}`);
      return;
    }
    this.news = news;
    this.past = null;
    this.page.announce(`${news} ${this.state()}`);
    this.live.stop();
    remember('play', this.saved());
    if (side !== null && !this.isOwn(side)) this.think();
    else this.hint();
    this.render();
    byId('pass').hidden = !this.isPassing;
    if (this.isPassing) byId('pass').focus();
  }

  think() {
    if (this.clock && this.clock.running === null) this.clock.start(this.side);
    const moves = transcript(movesOf(path(this.tree.current)));
    const thinking = this.engine.ask({ call: 'move', board: text(this.tree.root.position), moves, ...this.limits() });
    this.thinking = thinking;
    this.trouble = null;
    const fail = (error) => {
      if (this.thinking !== thinking) return;
      this.stop();
      this.trouble = error.message;
      this.page.fail(texts.noMoveMade(error.message), 'move');
      this.render();
    };
    const pause = Math.max(isStill.matches || this.clock ? 0 : LOOK, this.moment());
    const seen = new Promise((resolve) => { setTimeout(resolve, pause); });
    thinking.done.then(async (answer) => {
      await seen;
      if (this.thinking !== thinking) return;
      if (this.move(answer.move)) this.page.works('move');
      else fail(new Error(texts.notLegal(answer.move)));
    }, fail);
  }

  stop() {
    this.thinking?.stop();
    this.thinking = null;
    this.trouble = null;
    this.clock?.stop();
    this.live.stop();
  }

  choose(square) {
    if (this.past) this.look(this.tree.current);
    else if (this.isOwn(this.side)) this.move(square);
    else if (this.trouble && this.side !== null) this.think();
  }

  // Shows an earlier position of the game, or the current one.
  look(node) {
    if (!node) return;
    this.past = node === this.tree.current ? null : node;
    this.list.place(node);
    this.page.announce(this.past ? texts.backAt(node.ply) : this.state());
    this.render();
  }

  // Makes a move and continues the game; returns false if the move is illegal.
  move(move) {
    const { side } = this;
    if (move === 'pass' || !isLegal(this.tree.current.position, move)) return false;
    this.thinking = null;
    this.fold();
    if (byId('sound').checked) click();
    this.made(move, texts.plays(side, move));
    return true;
  }

  // Enters a legal move, which a pass may be, and continues the game.
  made(move, news) {
    const { side } = this;
    this.tree.step(move);
    if (move === 'pass') this.clock?.start(other(side));
    else this.clock?.moved(side, this.side !== null);
    this.times.set(this.tree.current, this.clock?.times());
    this.list.build(this.tree);
    this.turn(news);
  }

  // Passes for a person who has taken note of it.
  pass() {
    if (!this.isPassing) return;
    this.board.focus(this.board.focused);
    this.made('pass', texts.passes(this.side));
  }

  flag(side) {
    this.stop();
    this.flagged = side;
    this.turn(texts.timeUp(side));
  }

  // The last node at which a person moved, null if there is none.
  lastOwn() {
    const before = path(this.tree.current).slice(0, -1);
    return before.findLast(({ position }) => this.isOwn(position.side) && !position.mustPass) ?? null;
  }

  // Takes back the last move of a person and the moves after it, and restores both sides' times from before it.
  undo() {
    const before = this.lastOwn();
    if (!before) return;
    this.stop();
    this.flagged = this.resigned = null;
    if (this.times.get(before)) this.clock?.restore(this.times.get(before));
    this.tree.current = before;
    this.tree.remove(before.children[0]);
    this.list.build(this.tree);
    this.turn(texts.takenBack);
    this.clock?.start(this.side);
  }

  resign() {
    const { side } = this;
    if (side === null) return;
    this.stop();
    this.resigned = this.isShared ? side : this.human;
    this.turn(texts.resigns(this.resigned));
  }

  // Starts the same game with the colours exchanged.
  rematch() {
    const { color } = this.form.elements;
    if (!this.isShared) color.value = other(this.human);
    this.begin(this.tree.root.position, []);
  }

  key(event) {
    if (!this.isShown || isField(event.target)) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    const nodes = path(this.tree.current);
    const at = nodes.indexOf(this.past ?? this.tree.current);
    if (event.key === 'PageUp') this.look(nodes[at - 1]);
    else if (event.key === 'PageDown') this.look(nodes[at + 1]);
    else if (hasModifier ? event.key === 'z' : event.key === 'u') this.undo();
    else return;
    event.preventDefault();
  }

  hint() {
    const isWanted = this.isShown && byId('hints').checked && this.isOwn(this.side) && !this.isPassing;
    if (isWanted) {
      const node = this.tree.current;
      const moves = transcript(movesOf(path(node)));
      this.live.look(node, { board: text(this.tree.root.position), moves, depth: HINT_DEPTH });
    } else {
      this.live.stop();
    }
    this.render();
  }

  analyze() {
    const info = { black: { name: '' }, white: { name: '' } };
    if (!this.isShared) {
      info[this.human].name = texts.you;
      info[other(this.human)].name = texts.engine;
    }
    this.page.analyze({ from: this.tree.root.position, moves: movesOf(path(this.tree.current)), info });
  }

  show(isShown) {
    this.isShown = isShown;
    this.hint();
  }

  // The current contents.

  state() {
    const { side, flagged, resigned, tree: { current: { position } } } = this;
    if (flagged) return texts.winsOnTime(other(flagged));
    if (resigned) return `${this.winnerWords(other(resigned))}.`;
    if (this.isPassing) return this.isShared ? texts.noMoveOf(side) : texts.noMove;
    if (side !== null) return this.isShared ? texts.toMove(side) : this.isOwn(side) ? texts.yourTurn : texts.engineThinks;
    const score = finalScore(position);
    if (score === 0) return texts.draw;
    const winner = score > 0 ? 'black' : 'white';
    return texts.won(this.winnerWords(winner), count(position, winner), count(position, other(winner)), empties(position));
  }

  winnerWords(winner) {
    if (this.isShared) return texts.wins(winner);
    return winner === this.human ? texts.youWin : texts.engineWins;
  }

  draw() {
    if (!this.isShown) return;
    const { position, move, ply } = this.past ?? this.tree.current;
    const isOwn = !this.past && this.isOwn(this.side);
    const hints = isOwn && byId('hints').checked ? movesAt(this.tree.current) : [];
    this.board.show({
      board: position.board,
      last: move,
      legal: isOwn ? position.moves : [],
      values: new Map(hints.map((found) => [found.move, {
        text: scoreOf(found, 1).replace(' ', ''),
        label: texts.squareValue(scoreOf(found), isBest(found), false),
        kind: isBest(found) ? 'best' : '',
      }])),
    });
    write(byId('play-status'), this.past ? texts.backAtHelp(ply) : this.trouble
      ? texts.askAgain : `${this.news} ${this.state()}`);
    for (const side of ['black', 'white']) {
      const row = byId(`player-${side}`);
      row.classList.toggle('turn', side === this.side);
      const [, name, time, number] = row.children;
      write(name, this.isShared ? colors[side] : side === this.human ? texts.you : texts.engine);
      write(time, this.clock ? timeText(this.clock.remaining(side)) : '');
      write(number, String(count(position, side)));
    }
    byId('undo').disabled = this.lastOwn() === null;
    const isOver = this.side === null;
    byId('play-status').classList.toggle('result', isOver);
    byId('resign').hidden = isOver;
    byId('rematch').hidden = !isOver;
    byId('former').hidden = recall('former') === null;
    byId('play-analyze').disabled = this.tree.root.children.length === 0;
  }
}

let audio = null; // made with the first sound, as browsers want a person's click before

// The sound of a disc that is set down.
function click() {
  audio ??= new AudioContext();
  const [tone, gain] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(220, now + 0.06);
  gain.gain.setValueAtTime(0.25, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}

// Reads where a game starts: from moves, from a position, or from the usual one.
async function readStart(engine, written) {
  const isMoves = /^[\d.)\s]*[a-h][1-8]/i.test(written);
  if (written === '' || isMoves) return { from: start(), moves: parseMoves(start(), written) };
  return { from: await readPosition(engine, written), moves: [] };
}
