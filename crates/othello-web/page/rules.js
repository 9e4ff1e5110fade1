// The rules of Othello, on boards of 64 characters from a1 to h8: `X` for Black, `O` for White, `-` for empty.

import { texts } from './texts.js';

export const squares = Array.from({ length: 64 }, (_, at) => 'abcdefgh'[at % 8] + (1 + (at >> 3)));
export const symbols = { black: 'X', white: 'O' };
export const other = (side) => (side === 'black' ? 'white' : 'black');

const START = '---------------------------OX------XO---------------------------';
const DIRECTIONS = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

// Returns the squares whose discs a move flips, none if it is illegal.
function turned(board, side, at) {
  if (board[at] !== '-') return [];
  const [own, foe] = [symbols[side], symbols[other(side)]];
  return DIRECTIONS.flatMap(([right, down]) => {
    const run = [];
    let [column, row] = [(at % 8) + right, (at >> 3) + down];
    const inside = () => column >= 0 && column < 8 && row >= 0 && row < 8;
    while (inside() && board[8 * row + column] === foe) {
      run.push(8 * row + column);
      column += right;
      row += down;
    }
    return inside() && board[8 * row + column] === own ? run : [];
  });
}

// Returns the board after a move, which is `pass` or a legal one.
export function boardAfter(board, side, move) {
  if (move === 'pass') return board;
  const at = squares.indexOf(move);
  const after = board.split('');
  for (const square of [at, ...turned(board, side, at)]) after[square] = symbols[side];
  return after.join('');
}

const legalMoves = (board, side) => squares.filter((_, at) => turned(board, side, at).length > 0);

// Returns a position: the board, the side to move (null once the game is over), its moves, and whether it must pass.
export function position(board, side) {
  const moves = legalMoves(board, side);
  const canGoOn = moves.length > 0 || legalMoves(board, other(side)).length > 0;
  return { board, side: canGoOn ? side : null, moves, mustPass: canGoOn && moves.length === 0 };
}

export const start = () => position(START, 'black');

export const isLegal = ({ moves, mustPass }, move) => (move === 'pass' ? mustPass : moves.includes(move));

// Returns the position after a legal move.
export const after = ({ board, side }, move) => position(boardAfter(board, side, move), other(side));

// Returns the position as text: the 64 squares, and the side to move.
export const text = ({ board, side }) => `${board} ${symbols[side ?? 'black']}`;

export const count = ({ board }, side) => [...board].filter((found) => found === symbols[side]).length;

export const empties = ({ board }) => [...board].filter((found) => found === '-').length;

// Returns Black's score in discs, with empty squares to the winner.
export function finalScore(at) {
  const difference = count(at, 'black') - count(at, 'white');
  return difference + Math.sign(difference) * empties(at);
}

// Reads a position as `text` writes it, with the blank or without.
export function parsePosition(written) {
  const [, squaresRead, side] = /^([XO-]{64}) ?([XO])$/.exec(written.trim()) ?? [];
  if (!side) throw new Error(texts.expectedSquares);
  return position(squaresRead, side === 'O' ? 'white' : 'black');
}

// Parses a position written by a person, in any of the notations that the engine knows.
export async function readPosition(engine, written) {
  try {
    return parsePosition(written);
  } catch {
    const { board } = await engine.ask({ call: 'position', board: written }).done;
    return position(board.squares, board.to_move ?? 'black');
  }
}

// Parses moves such as `f5 d6 c3`; adds passes that are left out.
export function parseMoves(from, written) {
  const moves = [];
  let at = from;
  const play = (move) => {
    moves.push(move);
    at = after(at, move);
  };
  for (const [found] of written.toLowerCase().matchAll(/[a-h][1-8]|pa(?:ss)?|--|[^\s\d.,;]+|\d+/g)) {
    if (/^\d+$/.test(found)) continue; // the number of a move
    const move = /^(pa(ss)?|--)$/.test(found) ? 'pass' : found;
    if (at.mustPass && move !== 'pass') play('pass');
    if (!isLegal(at, move)) throw new Error(texts.expectedMove(moves.length + 1, found));
    play(move);
  }
  return moves;
}
