// The view that analyzes: a game with its variations, searched while a person looks at it.

import { Board } from './board.js';
import { Curve } from './curve.js';
import { byId, eachFrame, isField, write } from './dom.js';
import { Live } from './live.js';
import { Loader } from './load.js';
import { MoveList } from './movelist.js';
import { blackValue, lossOf, movesAt } from './nodes.js';
import { Review } from './review.js';
import { colors, count, parseMoves, parsePosition, start, text } from './rules.js';
import { Setup } from './setup.js';
import { copy, fragment } from './share.js';
import { MoveTable, showSummary, showWorst } from './tables.js';
import { Tree, isMain, lineThrough, movesOf, path, transcript } from './tree.js';
import { BAD, ahead, discs, evidence, isBest, isExact, scoreOf } from './values.js';

const LAST_NAMED = 24; // no opening is longer
const REST = 1200; // milliseconds after which the best move is announced

export class Analyze {
  // `page` has `announce`, `fail` and `playFrom`.
  constructor(engine, page) {
    this.engine = engine;
    this.page = page;
    this.tree = new Tree(start());
    this.info = null;
    this.isShown = false;
    this.render = eachFrame(() => this.draw());
    this.board = new Board(byId('board'), 'Board', (square) => this.choose(square));
    this.curve = new Curve(byId('curve'), byId('slider'), (at) => this.go(lineThrough(this.tree.current)[at]));
    this.list = new MoveList(byId('list'), lossOf, (node) => this.go(node));
    this.table = new MoveTable(byId('moves'), (move) => this.play(move), (line) => this.addLine(line));
    this.live = new Live(engine, (node, error) => this.searched(node, error));
    this.review = new Review(engine, () => this.reviewed());
    this.loader = new Loader(engine, (game) => this.openGame(game), () => this.open({ from: start(), moves: [] }));
    this.loader.listen(() => page.show('analyze'));
    this.setup = new Setup(() => this.render(), (found) => this.setUp(found));
    this.listen();
    this.changed();
  }

  listen() {
    const steps = { first: () => this.tree.root, back: () => this.tree.current.parent, next: () => this.tree.current.children[0], last: () => lineThrough(this.tree.current).at(-1) };
    this.steps = steps;
    for (const [id, step] of Object.entries(steps)) byId(id).addEventListener('click', () => this.go(step()));
    document.addEventListener('keydown', (event) => this.key(event));
    byId('live').addEventListener('change', () => this.look());
    byId('on-board').addEventListener('change', () => this.render());
    byId('review-start').addEventListener('click', () => this.startReview());
    byId('review-stop').addEventListener('click', () => { this.review.stop(); this.reviewed(); });
    byId('promote').addEventListener('click', () => { this.tree.promote(this.tree.current); this.changed(); });
    byId('remove').addEventListener('click', () => { this.tree.remove(this.tree.current); this.changed(); });
    byId('set-up').addEventListener('click', () => { this.live.stop(); this.setup.open(this.tree.current.position); });
    byId('play-here').addEventListener('click', () => this.page.playFrom(this.tree.root.position, movesOf(path(this.tree.current))));
    const tell = (message) => { this.page.announce(message); write(byId('search'), message); };
    byId('copy-link').addEventListener('click', () => copy(location.href.replace(/#.*/, '') + this.fragment(), 'link', tell));
    byId('copy-moves').addEventListener('click', () => copy(transcript(movesOf(lineThrough(this.tree.current))), 'moves', tell));
    byId('copy-position').addEventListener('click', () => copy(`${text(this.tree.current.position)};`, 'position', tell));
  }

  key(event) {
    if (!this.isShown || this.setup.isOpen || event.altKey || event.ctrlKey || event.metaKey || isField(event.target)) return;
    if (event.target.closest('[role=tablist]')) return;
    const keys = { ArrowLeft: 'back', ArrowRight: 'next', PageUp: 'back', PageDown: 'next', Home: 'first', End: 'last' };
    const step = this.steps[keys[event.key]];
    if (!step) return;
    event.preventDefault();
    this.go(step());
  }

  // Opens moves from a position, of which `at` are played.
  open({ from, moves, at = 0, info = null, comments = [] }) {
    this.live.stop();
    this.review.clear();
    this.tree = new Tree(from, moves);
    this.info = info;
    const nodes = lineThrough(this.tree.root);
    for (const { ply, text: comment } of comments) if (nodes[ply + 1]) nodes[ply + 1].comment = comment;
    this.tree.current = nodes[Math.min(at, nodes.length - 1)];
    this.changed();
  }

  openGame({ info, board, moves, comments }) {
    const from = parsePosition(board);
    this.open({ from, moves: parseMoves(from, moves), info, comments });
    if (moves) this.startReview();
  }

  startReview() {
    this.live.stop();
    this.review.start(this.tree);
  }

  setUp(found) {
    if (found) this.open({ from: found, moves: [] });
    else this.changed();
    byId('set-up').focus();
  }

  choose(square) {
    if (this.setup.isOpen) this.setup.choose(square);
    else this.play(square);
  }

  play(move) {
    const { children } = this.tree.current;
    const isNew = !children.some((child) => child.move === move);
    const made = this.tree.play(move);
    if (made.length === 0) return;
    if (isNew) this.changed();
    else this.moved();
  }

  addLine(line) {
    this.tree.add(this.tree.current, line);
    this.changed();
  }

  go(node) {
    if (!node || this.setup.isOpen) return;
    this.tree.current = node;
    this.moved();
  }

  // The tree has other moves than before.
  changed() {
    this.list.build(this.tree);
    this.moved();
  }

  // Another position is shown.
  moved() {
    this.list.place(this.tree.current);
    this.look();
    this.page.announce(this.announcement());
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.announceBest(), REST);
    this.page.keep(this.fragment());
    this.render();
  }

  // Shows the view or hides it; hidden, it searches nothing.
  show(isShown) {
    this.isShown = isShown;
    if (isShown) this.render();
    this.look();
  }

  look() {
    const node = this.tree.current;
    const isReviewed = this.review.isRunning && node.report?.moves.length > 0;
    if (!this.isShown || !byId('live').checked || isReviewed) {
      this.live.stop();
      return;
    }
    this.nameOpening(node);
    this.live.look(node, { board: text(this.tree.root.position), moves: transcript(movesOf(path(node))) });
  }

  async nameOpening(node) {
    if (node.opening !== undefined || node.ply === 0 || node.ply > LAST_NAMED || this.tree.root.position.board !== start().board) return;
    node.opening = null;
    try {
      const answer = await this.engine.ask({ call: 'position', moves: transcript(movesOf(path(node))) }).done;
      node.opening = answer.opening?.name ?? null;
      this.render();
    } catch {
      node.opening = undefined; // it may be asked for again
    }
  }

  searched(node, error) {
    if (error) this.page.fail(error.message);
    if (node === this.tree.current) this.render();
  }

  reviewed() {
    if (this.review.error) this.page.fail(this.review.error.message);
    this.look();
    this.render();
  }

  fragment() {
    const nodes = lineThrough(this.tree.current);
    const names = this.info ? { black: this.info.black.name, white: this.info.white.name } : {};
    return fragment({ from: this.tree.root.position, moves: movesOf(nodes), at: this.tree.current.ply, ...names });
  }

  announcement() {
    const { move, parent, position } = this.tree.current;
    const side = position.side ? `${colors[position.side]} to move.` : `${ahead(blackValue(this.tree.current).score, { kind: 'over' })}`;
    if (!parent) return side;
    return `${colors[parent.position.side]} ${move === 'pass' ? 'passes' : move}. ${side}`;
  }

  announceBest() {
    const [best] = movesAt(this.tree.current);
    if (this.isShown && best) this.page.announce(`Best is ${best.move}, ${scoreOf(best)}, ${evidence(best.source)}.`);
  }

  // What is shown.

  draw() {
    if (!this.isShown) return;
    this.drawBoard();
    this.drawWords();
    this.drawCurve();
    this.list.refresh();
    this.table.show(this.setup.isOpen ? [] : movesAt(this.tree.current), this.tree.current.children[0]?.move);
    this.drawReview();
    this.drawButtons();
  }

  drawBoard() {
    if (this.setup.isOpen) {
      this.board.show({ board: this.setup.board });
      return;
    }
    const { position, move, children } = this.tree.current;
    const played = children[0]?.move;
    const values = new Map(!byId('on-board').checked ? [] : movesAt(this.tree.current).map((found) => [found.move, {
      text: scoreOf(found, 1).replace(' ', ''),
      label: `value ${scoreOf(found)}${isBest(found) ? ', best' : ''}${found.move === played ? ', played' : ''}`,
      kind: `${isBest(found) ? 'best' : ''} ${found.move === played ? 'played' : ''}`,
    }]));
    this.board.show({ board: position.board, last: move, legal: position.moves, values });
  }

  drawWords() {
    const node = this.tree.current;
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

  searchWords({ hint }) {
    if (!hint) return '';
    const nodes = hint.nodes < 1e6 ? String(hint.nodes) : `${(hint.nodes / 1e6).toFixed(1)} million`;
    return `Depth ${hint.depth}, ${nodes} positions, ${(hint.elapsed_ms / 1000).toFixed(1)} s${hint.done ? ', done' : ''}`;
  }

  drawCurve() {
    const nodes = lineThrough(this.tree.current);
    const points = nodes.map(blackValue).map((value) => value && { score: value.score, exact: isExact(value.source) });
    const mistakes = nodes.map((node, at) => [node, at]).filter(([node]) => lossOf(node) >= BAD).map(([node, at]) => ({
      at,
      bad: lossOf(node) >= 2 * BAD,
      text: `Move ${at}, ${colors[node.parent.position.side]} ${node.move}, loses ${discs(lossOf(node))}`,
    }));
    const key = JSON.stringify([points, mistakes]);
    if (key !== this.curveKey) this.curve.show(points, mistakes);
    this.curveKey = key;
    this.curve.place(this.tree.current.ply);
  }

  drawReview() {
    const { isRunning, progress, report, isComplete } = this.review;
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
    showWorst(byId('worst'), report.worst, ({ ply, line }) => this.showBetter(ply, line));
    showSummary(byId('summary'), { ...report, game: this.info ?? report.game });
  }

  // Goes to the position before a mistake, and adds what would have been better.
  showBetter(ply, line) {
    const before = lineThrough(this.tree.root)[ply];
    if (!before) return;
    this.tree.add(before, line);
    this.tree.current = before;
    this.changed();
  }

  drawButtons() {
    const { current, root } = this.tree;
    const isFixed = this.setup.isOpen;
    byId('first').disabled = byId('back').disabled = isFixed || current === root;
    byId('next').disabled = byId('last').disabled = isFixed || current.children.length === 0;
    byId('remove').disabled = isFixed || current === root;
    byId('promote').disabled = isFixed || isMain(current);
    byId('tools').hidden = isFixed;
    byId('review-start').hidden = this.review.isRunning;
    byId('review-stop').hidden = !this.review.isRunning;
    byId('review-start').disabled = isFixed || root.children.length === 0;
    const { black, white, date, event, round, place, result, opening } = this.info ?? {};
    write(byId('game-title'), this.info ? `${black.name || 'Black'} – ${white.name || 'White'}` : 'Game');
    const told = [result?.text, date, event, round, place, opening && `opening: ${opening.name}`];
    write(byId('details'), this.info ? told.filter(Boolean).join(', ') : '');
  }
}
