// What the view that analyzes shows: the board, the moves of a position, the curve, the game and its mistakes.

import { Board } from './board.js';
import { Curve } from './curve.js';
import { byId, write } from './dom.js';
import { MoveList } from './movelist.js';
import { blackValue, lossOf, movesAt } from './nodes.js';
import { colors, count } from './rules.js';
import { MoveTable, showSummary, showWorst } from './tables.js';
import { isMain, lineThrough, path } from './tree.js';
import { BAD, ahead, discs, isBest, isExact, scoreOf } from './values.js';

export class AnalyzeView {
  // Actions are called when a person chooses something: `onSquare` with a square, `onMove` with a move, `onLine` with
  // a line of moves, `onPlace` with the index of a position, `onNode` with a node, `onWorst` with one of the worst
  // moves.
  constructor(actions) {
    this.actions = actions;
    this.board = new Board(byId('board'), 'Board', actions.onSquare);
    this.curve = new Curve(byId('curve'), byId('slider'), actions.onPlace);
    this.list = new MoveList(byId('list'), lossOf, actions.onNode);
    this.table = new MoveTable(byId('moves'), actions.onMove, actions.onLine);
  }

  // Shows a tree, its review, what is told of the game, and the position that is set up, null if none is.
  draw({ tree, review, info, setup }) {
    const { current } = tree;
    if (setup) this.board.show({ board: setup });
    else this.drawBoard(current);
    this.drawWords(current);
    this.drawCurve(current);
    this.list.refresh();
    this.table.show(setup ? [] : movesAt(current), current.children[0]?.move);
    this.drawReview(review, info);
    this.drawInfo(info);
    this.drawButtons(tree, review, setup !== null);
  }

  drawBoard(node) {
    const { position, move, children } = node;
    const played = children[0]?.move;
    const values = new Map(!byId('on-board').checked ? [] : movesAt(node).map((found) => [found.move, {
      text: scoreOf(found, 1).replace(' ', ''),
      label: `value ${scoreOf(found)}${isBest(found) ? ', best' : ''}${found.move === played ? ', played' : ''}`,
      kind: `${isBest(found) ? 'best' : ''} ${found.move === played ? 'played' : ''}`,
    }]));
    this.board.show({ board: position.board, last: move, legal: position.moves, values });
  }

  drawWords(node) {
    const { position, ply } = node;
    const turn = position.side === null ? 'the game is over'
      : position.mustPass ? `${colors[position.side]} must pass` : `${colors[position.side]} to move`;
    const place = `${ply === 0 ? 'Start' : `After move ${ply}`}${isMain(node) ? '' : ' of a variation'}`;
    write(byId('caption'), `${place}: Black ${count(position, 'black')}, White ${count(position, 'white')}; ${turn}`);
    write(byId('sentence'), this.sentence(node));
    write(byId('candidates-title'), position.moves.length > 0
      ? `Moves of ${colors[position.side]}` : 'No moves to choose from');
    write(byId('search'), this.searchWords(node));
  }

  sentence(node) {
    const { parent, move, comment } = node;
    const told = [];
    if (parent) {
      const side = colors[parent.position.side];
      const loss = lossOf(node);
      const lost = loss === null ? '' : loss === 0 ? ', a best move' : `, which loses ${discs(loss)}`;
      told.push(move === 'pass' ? `${side} passes.` : `${side} played ${move}${lost}.`);
      if (comment) told.push(`“${comment}”`);
    }
    const value = blackValue(node);
    if (value) told.push(ahead(value.score, value.source));
    const opening = path(node).findLast((at) => at.opening)?.opening;
    if (opening) told.push(`Opening: ${opening}.`);
    return told.join(' ');
  }

  searchWords(node) {
    const { hint, report } = node;
    const isReported = report !== null && movesAt(node) === report.moves;
    if (isReported) return `From the analysis of the game${hint ? `; the search is at depth ${hint.depth}` : ''}`;
    if (!hint) return '';
    const nodes = hint.nodes < 1e6 ? String(hint.nodes) : `${(hint.nodes / 1e6).toFixed(1)} million`;
    const time = (hint.elapsed_ms / 1000).toFixed(1);
    return `Depth ${hint.depth}, ${nodes} positions, ${time} s${hint.done ? ', done' : ''}`;
  }

  drawCurve(current) {
    const nodes = lineThrough(current);
    const points = nodes.map(blackValue).map((value) => value && { score: value.score, exact: isExact(value.source) });
    const mistakes = nodes.map((node, at) => [node, at]).filter(([node]) => lossOf(node) >= BAD).map(([node, at]) => ({
      at,
      bad: lossOf(node) >= 2 * BAD,
      text: `Move ${at}, ${colors[node.parent.position.side]} ${node.move}, loses ${discs(lossOf(node))}`,
    }));
    const key = JSON.stringify([points, mistakes]);
    if (key !== this.curveKey) this.curve.show(points, mistakes);
    this.curveKey = key;
    this.curve.place(current.ply);
  }

  drawReview({ isRunning, progress, report, isComplete }, info) {
    const share = isRunning && progress && progress.total > 0 ? progress.done / progress.total : null;
    byId('review-progress').hidden = share === null;
    if (share !== null) byId('review-progress').value = share;
    const depth = report && `depth ${report.settings.depth}, exact from ${report.settings.exact_from} empty squares`;
    const state = isRunning && progress ? `depth ${progress.depth}` : report && (isComplete ? depth : 'stopped');
    write(byId('review-text'), state ?? '');
    byId('results').hidden = report === null;
    if (report === this.shownReport) return;
    this.shownReport = report;
    if (report === null) return;
    showWorst(byId('worst'), report.worst, this.actions.onWorst);
    showSummary(byId('summary'), { ...report, game: info ?? report.game });
  }

  drawInfo(info) {
    const { black, white, date, event, round, place, result, opening } = info ?? {};
    write(byId('game-title'), info ? `${black.name || 'Black'} – ${white.name || 'White'}` : 'Game');
    const told = [result?.text, date, event, round, place, opening && `opening: ${opening.name}`];
    write(byId('details'), info ? told.filter(Boolean).join(', ') : '');
  }

  drawButtons({ current, root }, { isRunning }, isFixed) {
    byId('first').disabled = byId('back').disabled = isFixed || current === root;
    byId('next').disabled = byId('last').disabled = isFixed || current.children.length === 0;
    byId('remove').disabled = isFixed || current === root;
    byId('promote').disabled = isFixed || isMain(current);
    byId('tools').hidden = isFixed;
    byId('review-start').hidden = isRunning;
    byId('review-stop').hidden = !isRunning;
    byId('review-start').disabled = isFixed || root.children.length === 0;
  }
}
