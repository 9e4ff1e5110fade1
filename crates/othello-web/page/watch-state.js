// The known state of the server's games: a snapshot, to which its events are applied.

import { texts } from './texts.js';

export const isUsual = ({ cause }) => cause === 'played to the end';

const setGame = (run, game) => {
  const at = run.games.findIndex(({ id }) => id >= game.id);
  if (at < 0) run.games.push(game);
  else run.games.splice(at, run.games[at].id === game.id ? 1 : 0, game);
};

const changes = {
  run: (runs, { run: info }) => {
    const known = runs.find(({ id }) => id === info.id);
    if (known) Object.assign(known, info);
    else runs.push({ ...info, games: [], standings: null });
  },
  started: (runs, { game }, run) => setGame(run, game),
  moved: (runs, { game }, run) => setGame(run, game),
  finished: (runs, { game, finished, dropped }, run) => {
    setGame(run, game);
    run.games = run.games.filter(({ id }) => !dropped.includes(id));
    run.finished = finished;
  },
  standings: (runs, { standings }, run) => { run.standings = standings; },
};

// Returns the runs after an event; `runs` itself may change.
export function apply(runs, event) {
  if (event.event === 'snapshot') return event.runs;
  const run = event.event === 'run' ? null : runs.find(({ id }) => id === event.run);
  if (run !== undefined) changes[event.event]?.(runs, event, run);
  return runs;
}

export const isOver = ({ end }) => end !== null;

export const inProgress = (run) => run.games.filter((game) => !isOver(game));

// Returns the finished games of a run, newest first.
export const finished = (run) => run.games.filter(isOver).reverse();

// Returns the result of a finished game, such as “40–24”, and in words.
export function resultOf({ discs, end, black, white }) {
  const winner = { black: texts.wonName(black), white: texts.wonName(white), draw: texts.drawnGame, none: texts.noResult }[end.winner];
  const words = isUsual(end) ? winner : texts.because(winner, end.cause);
  return { score: `${discs.black}–${discs.white}`, words };
}

// Returns the time left to a side in milliseconds at a time of the server's clock, null without limit.
export function timeLeft({ clocks, to_move: side, since }, color, now) {
  const left = clocks[color];
  if (left === null || since === null || side !== color) return left;
  return Math.max(left - Math.max(now - since, 0), 0);
}
