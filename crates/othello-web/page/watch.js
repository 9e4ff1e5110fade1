// The view for watching games: matches, hosts and servers while they play, and logs of finished ones. Most of it is
// loaded when it is first shown.

import { make } from './dom.js';

let view = null;

// Shows the games in a container; they are followed from the first time on.
export function open(container) {
  view ??= load(container);
}

async function load(container) {
  const style = make('link', { rel: 'stylesheet', href: 'watch.css' });
  const isStyled = new Promise((resolve) => {
    style.addEventListener('load', resolve);
    style.addEventListener('error', resolve);
  });
  document.head.append(style);
  const { Watch } = await import('./watch-view.js');
  await isStyled;
  return new Watch(container);
}

// Shows the tab of the view if the server has games to watch.
export async function offer(tab, engine) {
  if (engine.kind !== 'server') return;
  try {
    const response = await fetch('/api/games');
    if (response.ok) tab.hidden = (await response.json()).runs.length === 0;
  } catch {
    // There is no server, so there is nothing to watch.
  }
}
