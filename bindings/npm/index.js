// A strong Othello engine and the rules. index.d.ts documents what is exported.

import { Lane, startWorker } from './lane.js';
import { Instance, compiled, loadWeights, newWorker } from './module.js';

const rules = new Instance();

export class Board {
  #start;
  #line; // the boards since the start, as the module describes them

  constructor(text = '') {
    this.#start = expectText('board', text);
    this.#line = this.#boards('');
  }

  static fromMoves(moves) {
    const board = new Board();
    board.#line = board.#boards(expectText('moves', moves));
    return board;
  }

  static fromDiscs(black, white, turn = 'black') {
    for (const [name, discs] of Object.entries({ black, white })) {
      if (typeof discs !== 'bigint' || BigInt.asUintN(64, discs) !== discs) {
        throw new Error(`${name}: expected a BigInt of 64 bits, found ${String(discs)}`);
      }
    }
    if (turn !== 'black' && turn !== 'white') throw new Error(`turn: expected black or white, found ${String(turn)}`);
    let text = '';
    for (let square = 0; square < 64; square += 1) {
      const [isBlack, isWhite] = [black, white].map((discs) => ((discs >> BigInt(square)) & 1n) === 1n);
      if (isBlack && isWhite) throw new Error(`expected each square to hold one disc, but both sides hold ${name(square)}`);
      text += isBlack ? 'X' : isWhite ? 'O' : '-';
    }
    return new Board(`${text} ${turn === 'black' ? 'X' : 'O'}`);
  }

  play(move) {
    const text = expectText('move', move);
    const boards = this.#boards(this.transcript + (text.toLowerCase() === 'pass' ? '--' : text));
    // A pass that is left out would be a second move.
    if (boards.length !== this.#line.length + 1) throw new Error(`expected one move, found ${text || 'none'}`);
    this.#line = boards;
    return this;
  }

  undo() {
    return this.#line.length === 1 ? null : this.#line.pop().last;
  }

  copy() {
    const copy = new Board(this.#start);
    copy.#line = [...this.#line];
    return copy;
  }

  moves() {
    return [...this.#now.legal];
  }

  get squares() {
    return this.#now.squares;
  }

  get turn() {
    return this.#now.to_move;
  }

  get mustPass() {
    return this.#now.must_pass;
  }

  get isOver() {
    return this.#now.over;
  }

  get discs() {
    return { ...this.#now.discs };
  }

  get start() {
    return this.#start;
  }

  get transcript() {
    return this.#line.slice(1).map(({ last }) => (last === 'pass' ? '--' : last)).join('');
  }

  toString() {
    const rows = this.squares.match(/.{8}/g).map((row, index) => `${index + 1} ${[...row].join(' ')}`);
    return ['  a b c d e f g h', ...rows].join('\n');
  }

  get #now() {
    return this.#line.at(-1);
  }

  #boards(moves) {
    return rules.ask({ call: 'position', board: this.#start, moves }).boards;
  }
}

function name(square) {
  return 'abcdefgh'[square % 8] + String(1 + Math.floor(square / 8));
}

function expectText(field, text) {
  if (typeof text !== 'string') throw new Error(`${field}: expected text, found ${String(text)}`);
  return text;
}

// JSON has no NaN and no infinity: they would become null, which is no bound.
function expectNumber(field, value) {
  if (value === undefined || Number.isInteger(value)) return;
  throw new Error(`${field}: expected an integer, found ${String(value)}`);
}

function position(board) {
  if (!(board instanceof Board)) throw new Error(`board: expected a Board, found ${String(board)}`);
  return { board: board.start, moves: board.transcript };
}

// The requests, by the names of methods, and what the methods return of the answers.
const REQUESTS = {
  choose: (board, { level, timeMs }) => ({ call: 'move', ...position(board), level, time_ms: timeMs }),
  hint: (board, { depth, timeMs }) => ({ call: 'hint', ...position(board), depth, time_ms: timeMs }),
  analyze: (game, { depth, exactFrom, number }) => {
    if (number !== undefined && game instanceof Board) throw new Error('number: expected a record of games, found a Board');
    const source = typeof game === 'string' ? { text: game, game: number } : position(game);
    return { call: 'analyze', ...source, depth, exact_from: exactFrom };
  },
  read: (text, { first, count }) => ({ call: 'records', text: expectText('text', text), first, count }),
};
const ANSWERS = {
  choose: (answer) => value(answer),
  hint: (answer) => answer.moves.map(value),
  analyze: (answer) => answer,
  read: (answer) => answer,
};

const NUMBERS = ['timeMs', 'depth', 'exactFrom', 'number', 'first', 'count'];
function requestOf(method, subject, options = {}) {
  for (const field of NUMBERS) expectNumber(field, options[field]);
  if (typeof options.level !== 'string') expectNumber('level', options.level);
  return REQUESTS[method](subject, options);
}

function value({ move, score, source, line = [] }) {
  return { move, score, exact: source.kind !== 'depth', line };
}

class Requests {
  choose(board, options) {
    return this._carryOut('choose', board, options);
  }

  hint(board, options) {
    return this._carryOut('hint', board, options);
  }

  analyze(game, options) {
    return this._carryOut('analyze', game, options);
  }

  read(text, options) {
    return this._carryOut('read', text, options);
  }
}

class Engine extends Requests {
  #instance;

  constructor(instance) {
    super();
    this.#instance = instance;
  }

  ask(request) {
    return this.#instance.ask(request);
  }

  hint(board, { depth, timeMs = depth === undefined ? 1000 : undefined } = {}) {
    return super.hint(board, { depth, timeMs });
  }

  _carryOut(method, subject, options) {
    return ANSWERS[method](this.ask(requestOf(method, subject, options)));
  }
}

class WorkerEngine extends Requests {
  #lane;

  constructor(lane) {
    super();
    this.#lane = lane;
  }

  async ask(request, { signal, onEvent } = {}) {
    signal?.throwIfAborted();
    const job = this.#lane.ask(request, onEvent);
    signal?.addEventListener('abort', job.stop, { once: true });
    try {
      const answer = await job.done;
      signal?.throwIfAborted();
      return answer;
    } finally {
      signal?.removeEventListener('abort', job.stop);
    }
  }

  close() {
    this.#lane.close();
  }

  async _carryOut(method, subject, options = {}) {
    const { signal, onUpdate } = options;
    const onEvent = (event) => ['update', 'report'].includes(event.event) && onUpdate?.(ANSWERS[method](event));
    return ANSWERS[method](await this.ask(requestOf(method, subject, options), { signal, onEvent }));
  }
}

export async function createEngine() {
  return new Engine(new Instance(await loadWeights()));
}

export async function createWorkerEngine() {
  const start = async (stopId, take) => {
    const weights = await loadWeights();
    return startWorker(newWorker(), { module: compiled, weights }, stopId, take);
  };
  const lane = new Lane(start, true);
  await lane.start();
  return new WorkerEngine(lane);
}
