// Games from text, files, what is dropped on the page and what is pasted into it; a list if there are several.

import { byId, isField, make, write } from './dom.js';

const PAGE = 100;
const MAX_BYTES = 1_000_000; // what the server takes

export class Loader {
  // `onGame` is called with a game that was loaded or chosen, `onEmpty` when a person wants an empty board.
  constructor(engine, onGame, onEmpty) {
    this.engine = engine;
    this.onGame = onGame;
    const form = byId('load');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.load(form.elements.text.value);
    });
    form.elements.file.addEventListener('change', () => this.read(form.elements.file));
    form.elements.empty.addEventListener('click', () => {
      this.showGames(null);
      onEmpty();
    });
    byId('games-back').addEventListener('click', () => this.ask(this.first - PAGE));
    byId('games-next').addEventListener('click', () => this.ask(this.first + PAGE));
  }

  // Takes what is dropped or pasted anywhere on the page; `onTake` is called before.
  listen(onTake) {
    const hasFiles = ({ dataTransfer }) => [...dataTransfer.types].some((type) => type === 'Files' || type === 'text/plain');
    document.addEventListener('dragover', (event) => { if (hasFiles(event)) event.preventDefault(); });
    document.addEventListener('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      onTake();
      const { files } = event.dataTransfer;
      if (files.length > 0) this.readAll([...files]);
      else this.load(event.dataTransfer.getData('text/plain'));
    });
    document.addEventListener('paste', (event) => {
      if (isField(event.target)) return;
      onTake();
      this.load(event.clipboardData.getData('text/plain'));
    });
  }

  async read(input) {
    await this.readAll([...input.files]);
    input.value = '';
  }

  async readAll(files) {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (size > MAX_BYTES) {
      this.fail(`Expected at most ${MAX_BYTES / 1e6} MB of games, found ${(size / 1e6).toFixed(1)} MB.`);
      return;
    }
    const texts = await Promise.all(files.map((file) => file.text()));
    await this.load(texts.join('\n'));
  }

  async load(text) {
    if (text.trim() === '') {
      this.fail('Expected a game, found nothing.');
      return;
    }
    this.text = text;
    await this.ask(1, true);
  }

  // Reads the games from a number on; one that is alone is opened.
  async ask(first, opens = false) {
    this.fail('');
    try {
      const answer = await this.engine.ask({ call: 'records', text: this.text, first, count: PAGE }).done;
      this.first = first;
      const [problem] = answer.problems;
      if (problem) this.fail(`${answer.problems.length} not read: ${problem.game ? `game ${problem.game}: ` : ''}${problem.message}`);
      this.showGames(answer.total > 1 ? answer : null);
      if (opens && answer.games.length > 0) this.onGame(answer.games[0]);
    } catch (error) {
      this.fail(error.message);
    }
  }

  fail(message) {
    write(byId('load-error'), message);
  }

  showGames(answer) {
    byId('games').hidden = answer === null;
    if (answer === null) return;
    const { games, total, format } = answer;
    write(byId('games-title'), `${total} games (${format})`);
    byId('games-list').replaceChildren(make('tbody', {}, ...games.map((game) => {
      const { black, white, date, event, result } = game.info;
      const players = `${black.name || 'Black'} – ${white.name || 'White'}`;
      const told = [result?.text, date, event].filter(Boolean).join(', ');
      const button = make('button', { type: 'button', class: 'link', click: () => this.onGame(game) }, players);
      return make('tr', {}, make('td', {}, String(game.number)), make('td', { class: 'words' }, button, ` ${told}`));
    })));
    byId('games-back').hidden = byId('games-next').hidden = total <= PAGE;
    byId('games-back').disabled = this.first === 1;
    byId('games-next').disabled = this.first + PAGE > total;
  }
}
