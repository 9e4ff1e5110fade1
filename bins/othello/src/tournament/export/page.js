// The page of a tournament: standings, crosstable, and its games to be replayed.

import { byId, cells, make, write } from './dom.js';
import { writeTexts } from './texts.js';
import { WatchedGame } from './watch-game.js';

writeTexts();
const tournament = JSON.parse(byId('data').textContent);
const replays = new Map(tournament.replays.map((game) => [game.id, game]));
const view = new WatchedGame(byId('game'));
view.link.remove();

// Fills a table; `show` returns the content of a cell in the first column.
function fill(table, { head, rows }, show = (text) => text) {
  table.append(make('thead', {}, make('tr', {}, ...cells('th', ...head))),
    make('tbody', {}, ...rows.map(([first, ...rest]) => make('tr', {}, ...cells('td', show(first), ...rest)))));
}

// Shows the game in the address: #7.
function showGame() {
  const game = replays.get(Number(location.hash.slice(1)));
  byId('game').hidden = !game;
  if (!game) return;
  view.open(game);
  byId('game').scrollIntoView({ block: 'nearest' });
}

document.title = tournament.title;
write(byId('title'), tournament.title);
write(byId('place'), tournament.place);
fill(byId('standings'), tournament.standings);
byId('crosstable-part').hidden = !tournament.crosstable;
if (tournament.crosstable) fill(byId('crosstable'), tournament.crosstable);
fill(byId('games'), tournament.games, (number) => (replays.has(Number(number))
  ? make('a', { href: `#${number}` }, number) : number));
window.addEventListener('hashchange', showGame);
showGame();
document.documentElement.dataset.ready = 'true';
