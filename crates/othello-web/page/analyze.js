// The view for analysis: a game with its variations, searched while a person looks at it.

import { byId, eachFrame, isField, write } from './dom.js';
import { Explorer } from './explorer.js';
import { Live } from './live.js';
import { Loader } from './load.js';
import { movesAt } from './nodes.js';
import { Review } from './review.js';
import { empties, finalScore, parseMoves, parsePosition, start, text } from './rules.js';
import { Setup } from './setup.js';
import { boardImage, copy, fragment, ggf, pgn, save, sgf } from './share.js';
import { rememberGame } from './storage.js';
import { Study } from './study.js';
import { texts } from './texts.js';
import { Tree, isMain, lineThrough, movesOf, path, transcript } from './tree.js';
import { ahead, evidence, scoreOf } from './values.js';

const LAST_NAMED = 24; // no opening is longer
const REST = 1200; // milliseconds after which the best move is announced

const shareBase = () => document.querySelector('meta[name=othello-share]').content;

// A name for a game that no other has. Browsers give UUIDs only to pages of secure addresses.
const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

export class Analyze {
  // `page` has `announce`, `fail`, `works`, `show`, `keep` and `playFrom`.
  constructor(engine, page) {
    this.engine = engine;
    this.page = page;
    this.info = null;
    this.id = null; // of the game in the browser's storage
    this.isShown = false;
    this.render = eachFrame(() => this.draw());
    this.live = new Live(engine, (node, error) => this.searched(node, error));
    this.review = new Review(engine, () => this.reviewed());
    this.study = new Study({
      onMoved: () => this.moved(),
      onChanged: () => this.remember(),
      analyzed: () => this.review.nodes,
      onSquare: (square) => this.setup.choose(square),
    });
    const openEmpty = () => {
      page.leave();
      this.open({ from: start(), moves: [] });
    };
    this.loader = new Loader(engine, (game) => this.openGame(game), openEmpty);
    this.loader.listen(() => page.show('analyze'));
    this.explorer = new Explorer(engine, {
      games: () => this.loader.collection,
      onMove: (move) => this.study.play(move),
      onGame: (game) => this.openGame(game, game.ply),
      onChange: () => this.render(),
    });
    this.setup = new Setup(engine, () => this.render(), (found) => this.setUp(found));
    this.listen();
    this.study.changed();
  }

  get tree() {
    return this.study.tree;
  }

  listen() {
    byId('live').addEventListener('change', () => this.look());
    byId('on-board').addEventListener('change', () => this.render());
    byId('numbers').addEventListener('change', () => this.render());
    byId('review-start').addEventListener('click', () => this.startReview());
    byId('review-stop').addEventListener('click', () => this.stopReview());
    byId('promote').addEventListener('click', () => this.study.promote());
    byId('remove').addEventListener('click', () => this.study.remove());
    byId('restore').addEventListener('click', () => this.study.restore());
    document.addEventListener('keydown', (event) => {
      if (!this.isShown || !(event.ctrlKey || event.metaKey) || event.key !== 'z' || isField(event.target)) return;
      event.preventDefault();
      this.study.restore();
    });
    byId('parts').addEventListener('click', ({ target: { dataset: { part } } }) => part && this.showPart(part));
    byId('comment').addEventListener('change', ({ target: { value } }) => {
      this.tree.current.comment = value.trim();
      this.remember();
      this.render();
    });
    byId('set-up').addEventListener('click', () => this.openSetup());
    byId('play-here').addEventListener('click', () => {
      this.page.playFrom(this.tree.root.position, movesOf(path(this.tree.current)));
    });
    const show = (message) => {
      this.page.announce(message);
      write(byId('copied'), message);
    };
    const copies = {
      link: () => (shareBase() || location.origin + location.pathname) + this.fragment(),
      moves: () => transcript(movesOf(lineThrough(this.tree.current))),
      position: () => `${text(this.tree.current.position)};`,
    };
    for (const [name, written] of Object.entries(copies)) {
      byId(`copy-${name}`).addEventListener('click', () => copy(written(), name, show));
    }
    const nodes = () => lineThrough(this.tree.current);
    const saves = {
      sgf: () => sgf(nodes(), this.info),
      ggf: () => ggf(nodes(), this.info),
      pgn: () => pgn(nodes(), this.info),
      txt: copies.moves,
      svg: () => boardImage(this.turnedBoard(), 'svg'),
      png: () => boardImage(this.turnedBoard(), 'png'),
    };
    for (const [kind, written] of Object.entries(saves)) {
      byId(`save-${kind}`).addEventListener('click', async () => save(await written(), `othello.${kind}`));
    }
  }

  // The discs in the places where they are shown.
  turnedBoard() {
    const { board } = this.tree.current.position;
    return this.study.view.board.places.map((square) => board[square]).join('');
  }

  // Shows a part of the analysis where there is room for one.
  showPart(part) {
    for (const button of byId('parts').children) button.setAttribute('aria-pressed', String(button.dataset.part === part));
    for (const element of document.querySelectorAll('.part')) element.classList.toggle('shown', element.dataset.part === part);
  }

  remember() {
    rememberGame(this);
  }

  // Opens `tree`, or a new tree of these moves, `at` of which are played.
  open({ from, moves, at = 0, info = null, comment = '', comments = [], tree: known = null, id = newId() }) {
    this.live.stop();
    this.review.clear();
    this.setup.close();
    this.study.isHeld = false;
    const tree = known ?? new Tree(from, moves);
    this.info = info;
    this.id = id;
    if (!known) {
      const nodes = lineThrough(tree.root);
      tree.root.comment = comment;
      for (const { ply, text: said } of comments) if (nodes[ply + 1]) nodes[ply + 1].comment = said;
      tree.current = nodes[Math.min(at, nodes.length - 1)];
    }
    const isEmpty = tree.root.children.length === 0 && text(from) === text(start());
    byId('load-fold').open = isEmpty;
    this.showPart(isEmpty || byId('load-error').textContent ? 'source' : 'candidates');
    this.study.open(tree);
  }

  openGame({ info, board, moves, comment, comments }, at = 0) {
    this.page.leave();
    const from = parsePosition(board);
    this.open({ from, moves: parseMoves(from, moves), at, info, comment, comments });
    if (moves) this.startReview();
  }

  startReview() {
    this.live.stop();
    this.review.start(this.tree);
  }

  stopReview() {
    this.review.stop();
    this.reviewed();
  }

  openSetup() {
    this.live.stop();
    this.study.isHeld = true;
    this.setup.open(this.tree.current.position);
  }

  setUp(found) {
    this.study.isHeld = false;
    if (found) {
      this.page.leave();
      this.open({ from: found, moves: [] });
    }
    if (!found) this.moved();
    byId('set-up').focus();
  }

  // Another position is shown.
  moved() {
    write(byId('copied'), '');
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
    this.study.isActive = isShown;
    if (isShown) this.render();
    this.look();
  }

  look() {
    const node = this.tree.current;
    const line = { board: text(this.tree.root.position), moves: transcript(movesOf(path(node))) };
    if (this.isShown && !this.study.isHeld) this.explorer.look(node, line);
    else this.explorer.stop();
    const isReviewed = this.review.isRunning && node.report?.moves.length > 0;
    if (!this.isShown || !byId('live').checked || isReviewed) {
      this.live.stop();
      return;
    }
    this.live.look(node, line);
    this.nameOpening(node);
  }

  async nameOpening(node) {
    const mayBeNamed = node.ply > 0 && node.ply <= LAST_NAMED && this.tree.root.position.board === start().board;
    if (!mayBeNamed || node.opening !== undefined) return;
    node.opening = null;
    try {
      const answer = await this.engine.ask({ call: 'position', moves: transcript(movesOf(path(node))) }).done;
      node.opening = answer.opening?.name ?? null;
      this.render();
    } catch {
      node.opening = undefined; // it may be requested again
    }
  }

  searched(node, error) {
    if (error) this.page.fail(error.message, 'search');
    else this.page.works('search');
    if (node === this.tree.current) this.render();
  }

  reviewed() {
    if (this.review.error) this.page.fail(this.review.error.message, 'review');
    else this.page.works('review');
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
    const rest = position.side ? texts.toMove(position.side) : ahead({ score: finalScore(position), source: { kind: 'over' } }, empties(position));
    return parent ? texts.made(parent.position.side, move, rest) : rest;
  }

  announceBest() {
    const { position } = this.tree.current;
    const [best] = movesAt(this.tree.current);
    if (this.isShown && best) this.page.announce(texts.best(best.move, scoreOf(best), evidence(best.source, empties(position))));
  }

  // The current contents.

  draw() {
    if (!this.isShown) return;
    const { tree, info, setup: { board: setup }, review: { report } } = this;
    this.study.view.draw({ tree, info, report, hasValues: byId('on-board').checked, hasNumbers: byId('numbers').checked, setup });
    write(byId('search'), searchWords(tree.current));
    this.explorer.draw(tree.current);
    this.drawReview(this.review);
    this.drawButtons(tree, setup !== null);
  }

  drawReview({ isRunning, progress, report, isComplete }) {
    const share = isRunning && progress?.total > 0 ? progress.done / progress.total : null;
    byId('review-progress').hidden = share === null;
    if (share !== null) byId('review-progress').value = share;
    const reached = report && texts.reached(report.settings.depth, report.settings.exact_from);
    const state = isRunning && progress ? texts.atDepth(progress.depth) : report && (isComplete ? reached : texts.stopped);
    write(byId('review-text'), state ?? '');
    byId('review-start').hidden = isRunning;
    byId('review-stop').hidden = !isRunning;
  }

  drawButtons({ current, root }, isHeld) {
    byId('remove').disabled = isHeld || current === root;
    byId('restore').hidden = isHeld || this.study.removed.length === 0;
    byId('comment').disabled = isHeld;
    if (document.activeElement !== byId('comment')) byId('comment').value = current.comment;
    byId('promote').disabled = isHeld || isMain(current);
    byId('tools').hidden = isHeld;
    byId('review-start').disabled = isHeld || root.children.length === 0;
  }
}

// The text about the search of a position.
function searchWords(node) {
  const { hint, report } = node;
  const isReported = report !== null && movesAt(node) === report.moves;
  if (isReported) return texts.fromAnalysis(hint ? hint.depth : null);
  if (!hint) return '';
  return texts.searched(hint.depth, hint.nodes, (hint.elapsed_ms / 1000).toFixed(1), hint.done);
}
