// The view for watching games: its runs, and the current game.

import { eachFrame, make, write } from './dom.js';
import { texts } from './texts.js';
import { Boards, Finished, showStandings } from './watch-boards.js';
import { WatchedGame } from './watch-game.js';
import { apply, finished, inProgress, isUsual } from './watch-state.js';

const NAMES = ['snapshot', 'run', 'started', 'moved', 'finished', 'standings'];
const RETRY = 5000; // milliseconds before reconnecting after the browser gave up
const TICK = 100; // milliseconds between two updates of the clocks

// The secret of a program, which shows its log: /?secret=…
const secret = new URLSearchParams(location.search).get('secret');

export class Watch {
  constructor(container) {
    this.container = container;
    this.runs = [];
    this.chosen = { run: null, game: null };
    this.shown = null; // the run and the game that are loaded
    this.isWatching = false;
    this.skew = 0; // of the server's clock, in milliseconds
    this.render = eachFrame(() => this.show());
    this.build();
    this.connect();
    setInterval(() => { if (!container.hidden) this.tick(); }, TICK);
  }

  build() {
    this.status = make('p', { class: 'soft', role: 'status' }, texts.connecting);
    this.select = make('select', { change: () => this.chooseRun(Number(this.select.value)) });
    this.follow = make('input', { type: 'checkbox', checked: '' });
    const heading = (text) => make('h2', {}, text);
    const [boards, game] = [make('div', { class: 'cards' }), make('div', { class: 'watch-game' })];
    const [standings, notes, list] = [make('table'), make('p', { class: 'soft' }), make('table')];
    const more = make('button', { type: 'button', hidden: '' }, texts.showMore);
    const scroll = (label, table) => make('div', {
      class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label,
    }, table);
    this.parts = {
      boards: make('section', {}, heading(texts.inProgress), boards),
      standings: make('section', {}, heading(texts.standings), scroll(texts.standings, standings), notes),
      finished: make('section', {}, heading(texts.finished), scroll(texts.finishedGames, list), make('div', { class: 'bar' }, more)),
    };
    this.container.replaceChildren(make('div', { class: 'bar watch-bar' }, make('label', {}, texts.run, ' ', this.select),
      make('label', {}, this.follow, ` ${texts.goOn}`), this.status), game, ...Object.values(this.parts));
    const choose = (id) => this.chooseGame(id);
    this.boards = new Boards(boards, choose);
    this.finished = new Finished(list, more, choose);
    this.game = new WatchedGame(game);
    this.table = (found) => showStandings(standings, notes, found);
  }

  connect() {
    const source = new EventSource('/api/games/events');
    for (const name of NAMES) source.addEventListener(name, ({ data }) => this.take(JSON.parse(data)));
    source.addEventListener('open', () => write(this.status, ''));
    source.addEventListener('error', () => {
      const isOver = this.runs.length > 0 && this.runs.every(({ live }) => !live);
      // Otherwise the browser tries again, unless it gave up.
      if (isOver) source.close();
      else if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), RETRY);
      write(this.status, isOver ? texts.allOver : texts.noConnection);
    });
  }

  take(event) {
    if (event.event === 'snapshot') this.skew = event.now - Date.now();
    this.runs = apply(this.runs, event);
    if (event.run === this.chosen.run && event.game?.id === this.chosen.game) this.takeOfGame(event);
    else if (event.event === 'snapshot') this.load();
    this.goOn();
    this.render();
  }

  // Takes an event of the current game.
  takeOfGame({ event, move, game }) {
    if (this.shown !== `${this.chosen.run}/${this.chosen.game}`) return;
    if (event === 'moved' ? !this.game.moved(move, game) : game.ply !== this.game.length) this.load();
    else this.game.update(game);
    // The event does not include the faults of an unusual end.
    if (event === 'finished' && !isUsual(game.end)) this.load();
    else if (event === 'finished') this.loadLog();
  }

  get run() { return this.runs.find(({ id }) => id === this.chosen.run) ?? null; }

  // Chooses a run and a game if there is none yet, and the next game once the current one is over.
  goOn() {
    if (!this.run) {
      const found = this.runs.findLast((run) => inProgress(run).length > 0) ?? this.runs.at(-1);
      if (found) this.chosen = { run: found.id, game: null };
    }
    const { run } = this;
    if (!run) return;
    const shown = run.games.find(({ id }) => id === this.chosen.game);
    const isDone = !shown || (this.isWatching && shown.end !== null && this.follow.checked);
    if (!isDone) return;
    const next = inProgress(run)[0] ?? (shown ? null : finished(run)[0]);
    if (next) this.chooseGame(next.id);
  }

  chooseRun(id) {
    this.chosen = { run: id, game: null };
    this.goOn();
    this.render();
  }

  chooseGame(id) {
    this.chosen.game = id;
    // A game that was already over was chosen to be replayed.
    this.isWatching = this.run.games.find((game) => game.id === id)?.end === null;
    this.load();
    this.render();
  }

  // Loads the chosen game with its moves.
  async load() {
    const { run, game } = this.chosen;
    if (game === null) return;
    const isStill = () => this.chosen.run === run && this.chosen.game === game;
    try {
      const response = await fetch(`/api/games/${run}/${game}`);
      const found = await response.json();
      if (!isStill()) return;
      if (!response.ok) throw new Error(found.error.message);
      const name = `${run}/${game}`;
      this.game.open(found, (this.shown === name ? this.game.earlier : null) ?? Infinity);
      this.shown = name;
      this.tick();
      this.loadLog();
    } catch (error) {
      if (isStill()) write(this.status, texts.gameNotLoaded(game, error.message));
    }
  }

  // Loads what the program whose secret the address has wrote in the shown game.
  async loadLog() {
    if (!secret) return;
    const { shown, chosen: { game } } = this;
    write(this.game.log, '');
    try {
      const response = await fetch(`/log?${new URLSearchParams({ secret, game })}`);
      const text = response.ok ? await response.text() : '';
      if (this.shown === shown) write(this.game.log, text);
    } catch {
      // The next game loads its own.
    }
  }

  tick() {
    const now = Date.now() + this.skew;
    this.game.tick(now);
    if (this.run) this.boards.show(inProgress(this.run), this.chosen.game, now);
  }

  show() {
    const { run, parts, chosen } = this;
    this.showRuns();
    const [playing, over] = run ? [inProgress(run), finished(run)] : [[], []];
    parts.boards.hidden = playing.length === 0;
    parts.standings.hidden = !run?.standings;
    parts.finished.hidden = over.length === 0;
    this.tick();
    this.table(run?.standings);
    this.finished.show(chosen.run, over, chosen.game);
  }

  showRuns() {
    while (this.select.options.length < this.runs.length) this.select.append(make('option'));
    this.runs.forEach(({ id, name, finished: count, total, live }, at) => {
      const option = this.select.options[at];
      option.value = id;
      write(option, texts.runName(name, count, total, live));
    });
    if (this.chosen.run !== null) this.select.value = this.chosen.run;
  }
}
