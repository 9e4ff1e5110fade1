// The page: its views, and their shared parts.

import { Analyze } from './analyze.js';
import { turns, upright } from './board.js';
import { byId, write } from './dom.js';
import { Drill } from './drill.js';
import { Play } from './play.js';
import { readFragment } from './share.js';
import { recall, recallGame, remember } from './storage.js';
import { texts, writeTexts } from './texts.js';
import { chooseTheme } from './theme.js';
import { offer as offerWatch, open as openWatch } from './watch.js';

const VIEWS = ['play', 'analyze', 'watch', 'drill'];
const OF_SERVERS = ['watch', 'drill'];
const KEEP = 400; // milliseconds from a change to the update of the address

const views = {};
let shown = null;
let keeping = null;
let waiting = null; // the address that is not yet updated to this
let failing = null; // the subject of the notice, if known

const tabOf = (name) => byId(`tab-${name}`);

function show(name) {
  if (shown === name) return;
  shown = name;
  page.fail('');
  for (const view of VIEWS) {
    const isShown = view === name;
    byId(view).hidden = !isShown;
    tabOf(view).setAttribute('aria-selected', String(isShown));
    tabOf(view).tabIndex = isShown ? 0 : -1;
    views[view].show(isShown);
  }
  document.title = texts.title(tabOf(name).textContent);
  keep(name === 'analyze' ? views.analyze.fragment() : `#${name}`);
}

// Puts the current contents into the address, so that they can be loaded again.
function keep(fragment) {
  if (fragment !== `#${shown}` && shown !== 'analyze') return;
  clearTimeout(keeping);
  waiting = fragment === '#' ? '#analyze' : fragment;
  keeping = setTimeout(flush, KEEP);
}

function flush() {
  clearTimeout(keeping);
  if (waiting !== null) history.replaceState(null, '', waiting);
  waiting = null;
}

// Leaves what is shown in the history, so that Back returns to it.
function leave() {
  flush();
  history.pushState(null, '', location.href);
}

const page = {
  show,
  keep,
  leave,
  announce: (text) => write(byId('announcer'), text),
  // Shows an error. If its subject is named, the error disappears once that works.
  fail(text, about = null) {
    failing = about;
    write(byId('notice'), text);
  },
  works(about) {
    if (failing === about) page.fail('');
  },
  analyze(game) {
    leave();
    show('analyze');
    views.analyze.open(game);
    views.analyze.startReview();
  },
  playFrom(from, moves) {
    leave();
    show('play');
    views.play.begin(from, moves);
  },
};

const canOpen = (view) => VIEWS.includes(view) && (!OF_SERVERS.includes(view) || engine.kind === 'server');

// Shows the contents of the address: a game, or a view.
function follow() {
  try {
    const game = readFragment(location.hash);
    const view = location.hash.slice(1);
    show(game ? 'analyze' : canOpen(view) ? view : VIEWS[0]);
    page.works('address');
    const { black = '', white = '' } = game ?? {};
    const info = black || white ? { black: { name: black }, white: { name: white } } : null;
    if (game) views.analyze.open({ ...game, info, ...recallGame(game) });
  } catch (error) {
    show('analyze');
    page.fail(texts.noGameInAddress(error.message), 'address');
  }
}

function listenToTabs() {
  for (const name of VIEWS) {
    tabOf(name).addEventListener('click', () => {
      if (shown !== name) leave();
      show(name);
    });
  }
  byId('tabs').addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const open = VIEWS.filter((name) => !tabOf(name).hidden);
    const name = open[(open.indexOf(shown) + step + open.length) % open.length];
    show(name);
    tabOf(name).focus();
  });
}

// Turns the boards, as they were turned last and when a person asks for it.
function listenToTurns() {
  let places = recall('places') ?? upright;
  const boards = [views.play.board, views.analyze.study.view.board, views.drill.board];
  const orient = () => boards.forEach((board) => board.orient(places));
  for (const button of document.querySelectorAll('[data-turn]')) {
    button.addEventListener('click', () => {
      places = turns[button.dataset.turn](places);
      remember('places', places);
      orient();
    });
  }
  orient();
}

async function connect() {
  const kind = document.querySelector('meta[name=othello-engine]').content;
  const { connect: connectTo } = await import(kind === 'browser' ? './engine-worker.js' : './engine-server.js');
  return connectTo();
}

async function load(engine) {
  const loading = setTimeout(() => { byId('loading').hidden = false; }, 200);
  try {
    await engine.ready((loaded, total) => {
      if (total === 0) return;
      byId('loaded').max = total;
      byId('loaded').value = loaded;
    });
    document.documentElement.dataset.engine = 'ready';
  } catch (error) {
    page.fail(texts.engineNotLoaded(error.message), 'search');
  }
  clearTimeout(loading);
  byId('loading').hidden = true;
}

writeTexts();
chooseTheme(byId('theme'));
const engine = await connect();
views.play = new Play(engine, page);
views.analyze = new Analyze(engine, page);
views.drill = new Drill(page);
views.watch = { show: (isShown) => { if (isShown) openWatch(byId('watch')); } };
listenToTabs();
listenToTurns();
window.addEventListener('hashchange', follow);
follow();
document.documentElement.dataset.ready = 'true';
performance.mark('ready');
offerWatch(byId('tab-watch'), engine);
if (engine.kind === 'server') views.drill.offer(byId('tab-drill'));
await load(engine);
