// The view of a game: the board, the moves of a position with their values, the curve, the game, its mistakes.

import { Board } from './board.js';
import { Curve } from './curve.js';
import { byId, write } from './dom.js';
import { MoveList } from './movelist.js';
import { blackValue, lossOf, movesAt } from './nodes.js';
import { count, empties } from './rules.js';
import { MoveTable, showSummary, showWorst } from './tables.js';
import { colors, texts } from './texts.js';
import { isMain, lineThrough, path } from './tree.js';
import { BAD, ahead, discs, isBest, isExact, lossKind, scoreOf } from './values.js';

export class GameView {
  // Actions are called when a person chooses something: `onSquare` with a square, `onMove` with a move, `onLine` with
  // a line of moves, `onPlace` with the index of a position, `onNode` with a node, `onWorst` with one of the worst
  // moves.
  constructor(actions) {
    this.actions = actions;
    this.board = new Board(byId('board'), texts.board, actions.onSquare);
    this.curve = new Curve(byId('curve'), byId('slider'), actions.onPlace);
    byId('sums').addEventListener('change', () => this.drawCurve(this.current));
    this.list = new MoveList(byId('list'), lossOf, actions.onNode);
    this.table = new MoveTable(byId('moves'), actions.onMove, actions.onLine);
  }

  // Shows a tree, the details of the game and the report on it, both null if there is none; `hasValues` puts values on
  // the board, `hasNumbers` the places of moves in the game. If `setup` is not null, the board shows it in place of the
  // tree's position.
  draw({ tree, info, report, hasValues = true, hasNumbers = false, setup = null }) {
    const { current } = tree;
    const isFixed = setup !== null;
    this.current = current;
    if (isFixed) this.board.show({ board: setup });
    else this.drawBoard(current, hasValues, hasNumbers);
    byId('caption').hidden = byId('sentence').hidden = isFixed;
    this.drawWords(current);
    this.drawCurve(current);
    this.list.refresh();
    const [next] = current.children;
    this.table.show(isFixed ? [] : movesAt(current), {
      empties: empties(current.position),
      played: next?.move,
      isProved: Boolean(next?.report?.proof),
    });
    this.drawInfo(info);
    this.drawReport(report, info);
    byId('first').disabled = byId('back').disabled = isFixed || current.parent === null;
    byId('next').disabled = byId('last').disabled = isFixed || current.children.length === 0;
  }

  drawBoard(node, hasValues, hasNumbers) {
    const { position, move, children } = node;
    const played = children[0]?.move;
    const values = new Map(!hasValues ? [] : movesAt(node).map((found) => [found.move, {
      text: scoreOf(found, 1).replace(' ', ''),
      label: texts.squareValue(scoreOf(found), isBest(found), found.move === played),
      kind: `${isBest(found) ? 'best' : ''} ${found.move === played ? 'played' : ''} ${lossKind(found.loss)}`,
    }]));
    const numbers = new Map(hasNumbers ? path(node).map((at) => [at.move, at.ply]) : []);
    this.board.show({ board: position.board, last: move, legal: position.moves, values, numbers });
  }

  drawWords(node) {
    const { position, ply } = node;
    const turn = position.side === null ? texts.isOver
      : position.mustPass ? texts.sideMustPass(position.side) : texts.sideToMove(position.side);
    const place = texts.place(ply, isMain(node));
    write(byId('caption'), texts.caption(place, count(position, 'black'), count(position, 'white'), turn));
    write(byId('sentence'), this.sentence(node));
    write(byId('candidates-title'), position.moves.length > 0
      ? texts.movesOf(position.side) : texts.noMoves);
  }

  sentence(node) {
    const { parent, move, position, comment } = node;
    const told = [];
    if (parent) {
      const { side } = parent.position;
      const loss = lossOf(node);
      told.push(move === 'pass' ? texts.passes(side) : texts.played(side, move, loss === null ? null : discs(loss)));
    }
    if (comment) told.push(texts.quoted(comment));
    const value = blackValue(node);
    if (value) told.push(ahead(value, empties(position)));
    const opening = path(node).findLast((at) => at.opening)?.opening;
    if (opening) told.push(texts.opening(opening));
    return told.join(' ');
  }

  drawCurve(current) {
    const nodes = lineThrough(current);
    const hasSums = byId('sums').checked;
    write(byId('evaluation-title'), hasSums ? texts.sumsOfLosses : texts.valueOfBlack);
    const points = nodes.map(blackValue).map((value) => value && { score: value.score, exact: isExact(value.source) });
    const mistakes = nodes.map((node, at) => [node, at]).filter(([node]) => lossOf(node) >= BAD).map(([node, at]) => ({
      at,
      bad: lossOf(node) >= 2 * BAD,
      text: texts.mistake(at, node.parent.position.side, node.move, discs(lossOf(node))),
    }));
    const sums = hasSums ? sumsOfLosses(nodes) : null;
    const key = JSON.stringify([points, mistakes, sums]);
    if (key !== this.curveKey && hasSums) this.curve.showSums(sums);
    else if (key !== this.curveKey) this.curve.show(points, mistakes);
    this.curveKey = key;
    this.curve.place(current.ply);
  }

  drawReport(report, info) {
    byId('results').hidden = report === null;
    if (report === this.shownReport) return;
    this.shownReport = report;
    if (report === null) return;
    showWorst(byId('worst'), report.worst, this.actions.onWorst);
    if (report.summary) showSummary(byId('summary'), { ...report, game: info ?? report.game });
  }

  drawInfo(info) {
    const { title, black, white, date, event, round, place, result, opening, remarks = [] } = info ?? {};
    // Colours in words: a disc drawn as a letter has the colour of the text.
    const name = (player, color) => [color, player.name, player.rating && `(${player.rating})`].filter(Boolean).join(' ');
    write(byId('game-title'), title ?? (info ? `${name(black, colors.black)} – ${name(white, colors.white)}` : texts.game));
    const told = [result?.text, date, event, round, place, opening && texts.openingOfGame(opening.name), ...remarks];
    write(byId('details'), info ? told.filter(Boolean).join(', ') : '');
  }
}

// The sums of the losses of both players at the nodes of a line, null from a move on whose loss is unknown.
function sumsOfLosses(nodes) {
  const sums = { black: 0, white: 0 };
  return nodes.map((node) => {
    const side = node.parent?.position.side;
    const loss = node.move === 'pass' ? 0 : lossOf(node);
    if (side) sums[side] = loss === null || sums[side] === null ? null : sums[side] + loss;
    return { ...sums };
  });
}
