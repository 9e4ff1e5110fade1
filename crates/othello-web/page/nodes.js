// The values of a position of a tree: from the analysis of its game, or from a search of the position alone.

import { finalScore } from './rules.js';
import { isExact } from './values.js';

const depthOf = (moves) => {
  if (!moves || moves.length === 0) return -1;
  const { source } = moves[0];
  return isExact(source) ? Infinity : source.depth;
};

// Returns the values of the moves of a position, the best first, from whichever search was deeper.
export function movesAt({ report, hint }) {
  const deeper = depthOf(hint?.moves) > depthOf(report?.moves) ? hint : report;
  return deeper?.moves ?? [];
}

// Returns Black's value of a position, its evidence and the file that proves it, null if nothing is known.
export function blackValue(node) {
  const { side } = node.position;
  if (side === null) return { score: finalScore(node.position), source: { kind: 'over' } };
  const [best] = movesAt(node);
  if (best && best !== node.report?.moves[0]) return ofSide(side, best);
  if (node.report?.value) {
    const { black: score, value, proof } = node.report;
    // The depth is the best move's, as in the table. A move whose value is exact is not yet the best one.
    const source = best && !isExact(best.source) ? best.source : value.source;
    return { score, source, proof };
  }
  return best ? ofSide(side, best) : null;
}

const ofSide = (side, { score, source }) => ({ score: side === 'black' ? score : -score, source });

// Returns the loss of the move to a node against the best one, null if unknown.
export function lossOf(node) {
  const { parent, move } = node;
  if (!parent || move === 'pass') return null;
  const played = parent.report?.played;
  if (played?.move === move) return played.loss ?? null;
  return movesAt(parent).find((found) => found.move === move)?.loss ?? null;
}
