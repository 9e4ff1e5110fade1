// Values of moves and positions in a form for people.

import { texts } from './texts.js';

// The losses in discs from which a move is marked.
const POOR = 1;
export const BAD = 3;

export const isExact = (source) => Boolean(source) && source.kind !== 'depth';

// Returns a score in discs with its sign: whole if it is exact, with decimals if it is an estimate.
export function number(score, exact, decimals = 2) {
  const digits = Math.abs(score).toFixed(exact ? 0 : decimals);
  const sign = Number(digits) === 0 ? '' : score < 0 ? '−' : '+';
  return sign + digits;
}

export const discs = (loss) => (Number.isInteger(loss) ? String(loss) : loss.toFixed(2));

// Returns the evidence for a value of a position with a number of empty squares. A selective search whose depth reaches
// the end of the game is not exact.
export function evidence(source, empties) {
  if (source.kind !== 'depth') return texts.exact;
  return texts.evidence(source.depth < empties ? source.depth : null, source.confidence);
}

export function scoreOf(move, decimals = 2) {
  const score = number(move.score, isExact(move.source), decimals);
  return move.bound === 'at_most' ? `≤ ${score}` : score;
}

export const isBest = (move) => move.loss === 0 && move.bound !== 'at_most';

export const lossKind = (loss) => (loss >= BAD ? 'bad' : loss >= POOR ? 'poor' : '');

export const lossClass = (loss) => `loss ${lossKind(loss)}`.trimEnd();

export const lossMark = (loss) => (loss >= 2 * BAD ? '??' : loss >= BAD ? '?' : loss >= POOR ? '?!' : '');

// Describes who is ahead in a position with a number of empty squares, by Black's value, and the evidence for it.
export function ahead({ score: black, source, proof }, empties) {
  const by = number(Math.abs(black), isExact(source)).replace('+', '');
  const side = black > 0 ? 'black' : 'white';
  if (source.kind === 'over') return black === 0 ? texts.drawn : texts.wonBy(side, by);
  const rests = evidence(source, empties);
  return texts.ahead(Number(by) === 0 ? null : side, by, proof ? texts.provedBy(rests, proof) : rests);
}
