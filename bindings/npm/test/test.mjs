import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Board, createEngine, createWorkerEngine } from 'othello-engine';

const LATE = '--OXXO--XXXOXO-XXXXOOXXXXOOXXXXXXOXOXXXXXXXOXXX---OOOOX---OOOO-- O';

test('a game is played and undone', () => {
  const board = new Board();
  assert.deepEqual(board.moves(), ['d3', 'c4', 'f5', 'e6']);
  for (const move of ['f5', 'D6', 'c3']) board.play(move);
  assert.deepEqual([board.transcript, board.turn, board.discs], ['f5d6c3', 'white', { black: 5, white: 2 }]);
  const copy = board.copy();
  assert.equal(copy.undo(), 'c3');
  assert.deepEqual([copy.squares, board.moves().length], [Board.fromMoves('f5d6').squares, 4]);
  assert.equal(copy.undo() + copy.undo() + copy.undo(), 'd6f5null');
  assert.equal(String(copy).split('\n')[4], '4 - - - O X - - -');
  assert.equal(Board.fromDiscs(1n << 28n | 1n << 35n, 1n << 27n | 1n << 36n).squares, new Board().squares);
});

test('passes are moves of their own', () => {
  const board = new Board(`-OX-OXXX${'X'.repeat(56)} X`).play('a1');
  assert.ok(board.mustPass && board.moves().length === 0);
  assert.throws(() => board.play('d1'), Error);
  board.play('pass').play('d1');
  assert.deepEqual([board.isOver, board.turn, board.transcript], [true, null, 'a1--d1']);
});

test('bad input is an Error that says what was expected', async () => {
  const engine = await createEngine();
  const start = new Board();
  const cases = [
    [() => start.play('a1'), /illegal move a1: it flips nothing/],
    [() => start.play('i9'), /expected a square a1-h8 or a pass/],
    [() => start.play(''), /expected one move/],
    [() => start.play(7), /move: expected text, found 7/],
    [() => new Board('XO'), /board: expected one of 64 squares/],
    [() => Board.fromMoves('f5f5'), /illegal move f5: the square is occupied at offset 2/],
    [() => Board.fromDiscs(3n, 2n), /expected each square to hold one disc, but both sides hold b1/],
    [() => Board.fromDiscs(1n << 64n, 0n), /black: expected a BigInt of 64 bits/],
    [() => Board.fromDiscs(1n, 2n, 'red'), /turn: expected black or white, found red/],
    [() => engine.hint(start, { depth: 61 }), /depth: expected a number from 1 to 60, found 61/],
    [() => engine.hint(start, { depth: 'deep' }), /depth: expected an integer, found deep/],
    [() => engine.analyze(start, { number: 1 }), /number: expected a record of games, found a Board/],
    [() => engine.choose('f5'), /board: expected a Board, found f5/],
    [() => engine.read('no game'), /expected/],
    [() => engine.ask({ call: 'dance' }), /unknown variant `dance`/],
  ];
  // They would be null in JSON, which is no bound.
  for (const value of [NaN, Infinity, null]) {
    cases.push([() => engine.hint(start, { depth: value }), new RegExp(`depth: expected an integer, found ${value}`)]);
    cases.push([() => engine.hint(start, { timeMs: value }), /timeMs: expected an integer/]);
    cases.push([() => engine.choose(start, { level: value }), /level: expected an integer/]);
    cases.push([() => engine.analyze('f5d6', { exactFrom: value }), /exactFrom: expected an integer/]);
    cases.push([() => engine.read('f5d6', { count: value }), /count: expected an integer/]);
  }
  for (const [call, message] of cases) assert.throws(call, (error) => error instanceof Error && message.test(error.message));
  assert.equal(start.transcript, '');
  // And the engine goes on.
  assert.equal(engine.hint(start, { depth: 3 }).length, 4);
});

test('the engine chooses, values and analyzes', async () => {
  const engine = await createEngine();
  const late = new Board(LATE);
  const [best] = engine.hint(late, { depth: 60 });
  assert.ok(best.exact && late.moves().includes(best.move));
  assert.equal(engine.choose(late, { level: 60 }).score, best.score);
  const record = '(;GM[2]SZ[8]PB[A]PW[B];B[f5];W[d6];B[c3])';
  assert.equal(engine.read(record).games.length, 1);
  assert.ok(engine.analyze(record, { depth: 4, exactFrom: 0 }).complete);
});

test('a worker searches meanwhile, is cancelled and goes on', async () => {
  const engine = await createWorkerEngine();
  const board = Board.fromMoves('f5d6c3');
  const cancel = new AbortController();
  const endless = engine.hint(board, { signal: cancel.signal, onUpdate: () => cancel.abort() });
  const waiting = engine.choose(board, { level: 4 });
  await assert.rejects(endless, { name: 'AbortError' });
  assert.ok(board.moves().includes((await waiting).move));
  await assert.rejects(engine.hint(board, { signal: cancel.signal }), { name: 'AbortError' });
  await assert.rejects(engine.hint(board, { depth: 61 }), /depth: expected a number from 1 to 60/);
  const values = await engine.hint(board, { depth: 5 });
  assert.deepEqual(values.map(({ move }) => move).sort(), board.moves().sort());
  const unfinished = engine.hint(board);
  engine.close();
  await assert.rejects(unfinished, /the engine is closed/);
  await assert.rejects(engine.hint(board, { depth: 1 }), /the engine is closed/);
});
