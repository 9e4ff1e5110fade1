// Games from text, files, and text dropped on the page or pasted into it; a list if there are several.

import { byId, isField, make, write } from './dom.js';
import { text as boardText } from './rules.js';
import { readFragment } from './share.js';
import { colors, texts } from './texts.js';
import { transcript } from './tree.js';

const PAGE = 100;
const MAX_COUNT = 1000; // games in an answer
const TYPING = 300; // milliseconds without a key after which a search begins
// The maximum that the server takes as base64, and the maximum without a server. As JSON text may need more, up to six
// bytes for an escaped character, the server may still refuse it.
const MAX_BYTES = { server: 700_000, browser: 32_000_000 };

export class Loader {
  // `onGame` is called with a game that was loaded or chosen, `onEmpty` when a person wants an empty board.
  constructor(engine, onGame, onEmpty) {
    this.engine = engine;
    this.onGame = onGame;
    this.collection = null; // the source of the games that are listed
    this.asked = null; // the latest request for games, the only one that counts
    const form = byId('load');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.load(form.elements.text.value);
    });
    form.elements.file.addEventListener('change', () => this.read(form.elements.file));
    form.elements.empty.addEventListener('click', () => {
      this.stop();
      this.showGames(null);
      onEmpty();
    });
    byId('games-back').addEventListener('click', () => this.ask(this.first - PAGE));
    byId('games-next').addEventListener('click', () => this.ask(this.first + PAGE));
    byId('games-search').addEventListener('input', ({ target: { value } }) => {
      clearTimeout(this.typing);
      const words = value.toLowerCase().split(/\s+/).filter(Boolean);
      this.typing = setTimeout(() => (words.length > 0 ? this.search(words) : this.ask(1)), TYPING);
    });
  }

  // Takes text or files dropped or pasted anywhere on the page; `onTake` is called before.
  listen(onTake) {
    // Text dropped into a field belongs there.
    const isGame = ({ dataTransfer: { types }, target }) => types.includes('Files')
      || (types.includes('text/plain') && !isField(target));
    document.addEventListener('dragover', (event) => {
      if (isGame(event)) event.preventDefault();
    });
    document.addEventListener('drop', (event) => {
      if (!isGame(event)) return;
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

  // Reads text files, possibly several, or one file that is not text.
  async readAll(files) {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const most = MAX_BYTES[this.engine.kind];
    if (size > most) {
      this.fail(texts.tooLarge(most / 1e6, (size / 1e6).toFixed(1)));
      return;
    }
    const contents = await Promise.all(files.map((file) => file.arrayBuffer()));
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true });
      await this.load(contents.map((content) => decoder.decode(content)).join('\n'));
    } catch {
      // Text in other encodings has no zero bytes.
      const isText = contents.every((content) => !new Uint8Array(content).includes(0));
      const parts = contents.flatMap((content) => [content, '\n']).slice(0, -1);
      const joined = await new Blob(parts).arrayBuffer();
      if (files.length === 1 || isText) await this.open({ base64: base64(joined) });
      else this.fail(texts.notText);
    }
  }

  async load(text) {
    const [, linked] = text.trim().match(/^https?:\/\/\S+(#\S+)$/) ?? [];
    if (text.trim() === '') this.fail(texts.nothing);
    else if (linked) this.follow(linked);
    else await this.open({ text });
  }

  // Opens the game of a link to this page.
  follow(linked) {
    this.stop();
    this.fail('');
    try {
      const game = readFragment(linked);
      if (!game) throw new Error(texts.foundNone);
      const { from, moves, black, white } = game;
      const info = black || white ? { black: { name: black }, white: { name: white } } : null;
      this.showGames(null);
      this.onGame({ info, board: boardText(from), moves: transcript(moves) });
    } catch (error) {
      this.fail(texts.noLink(error.message));
    }
  }

  async open(source) {
    this.source = source;
    clearTimeout(this.typing);
    byId('games-search').value = '';
    await this.ask(1, true);
  }

  // Reads the games from a number on; opens a single one.
  async ask(first, opens = false) {
    this.fail('');
    this.stop();
    const asked = this.engine.ask({ call: 'records', ...this.source, first, count: PAGE });
    this.asked = asked;
    try {
      const answer = await asked.done;
      if (this.asked !== asked) return;
      this.first = first;
      const [problem] = answer.problems;
      const faults = problem && texts.faults(answer.problems.length, problem.message);
      const encoding = answer.format.includes(', read as ') && answer.format;
      this.fail([faults, encoding].filter(Boolean).join(' – '));
      this.showGames(answer.total > 1 ? answer : null);
      if (opens && answer.games.length > 0) this.onGame(answer.games[0]);
    } catch (error) {
      if (this.asked === asked) this.fail(error.message);
    }
  }

  // Lists the games that have all words in their players, date, event, opening or result.
  async search(words) {
    this.stop();
    const found = [];
    try {
      for (let first = 1, total = 1; first <= total; first += MAX_COUNT) {
        const asked = this.engine.ask({ call: 'records', ...this.source, first, count: MAX_COUNT });
        this.asked = asked;
        const answer = await asked.done;
        if (this.asked !== asked) return;
        total = answer.total;
        const text = (game) => Object.values(told(game, true)).join(' ').toLowerCase();
        found.push(...answer.games.filter((game) => words.every((word) => text(game).includes(word))));
        write(byId('games-title'), texts.gamesFound(found.length, total, PAGE));
        this.list(found.slice(0, PAGE));
      }
      byId('games-back').hidden = byId('games-next').hidden = true;
    } catch (error) {
      this.fail(error.message);
    }
  }

  stop() {
    this.asked?.stop();
    this.asked = null;
  }

  fail(message) {
    write(byId('load-error'), message);
  }

  showGames(answer) {
    byId('games').hidden = answer === null;
    this.collection = answer && this.source;
    if (answer === null) return;
    const { games, total, format } = answer;
    write(byId('games-title'), texts.gamesOf(total, format));
    this.list(games);
    byId('games-back').hidden = byId('games-next').hidden = total <= PAGE;
    byId('games-back').disabled = this.first === 1;
    byId('games-next').disabled = this.first + PAGE > total;
  }

  list(games) {
    byId('games-list').replaceChildren(make('tbody', {}, ...games.map((game) => {
      const { players, rest } = told(game, true);
      const button = make('button', { type: 'button', class: 'link', click: () => this.onGame(game) }, players);
      return make('tr', {}, make('td', {}, String(game.number)), make('td', { class: 'words' }, button, ` ${rest}`));
    })));
  }
}

// Returns the players of a game and the rest of what is known of it, as text; its opening and moves only on demand.
export function told({ info: { black, white, date, event, result, opening, remarks = [] }, moves }, isLong) {
  const count = moves.match(/[a-h][1-8]/gi)?.length ?? 0;
  const more = isLong ? [opening?.name, texts.moveCount(count), ...remarks] : [];
  return {
    players: `${black.name || colors.black} – ${white.name || colors.white}`,
    rest: [result?.text, date, event, ...more].filter(Boolean).join(', '),
  };
}

function base64(content) {
  const bytes = Array.from(new Uint8Array(content), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join(''));
}
