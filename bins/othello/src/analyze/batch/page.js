// The page of a batch: tables of accuracy.

import { byId, cells, make } from './dom.js';

const tables = JSON.parse(byId('data').textContent);

for (const { title, head, rows } of tables) {
  const body = rows.map((row) => {
    const made = make('tr', {}, ...cells('td', ...row));
    made.children[3].style.setProperty('--share', `${row[3]}%`);
    return made;
  });
  byId('tables').append(make('h2', {}, title), make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': title },
    make('table', {}, make('thead', {}, make('tr', {}, ...cells('th', ...head))), make('tbody', {}, ...body))));
}
document.documentElement.dataset.ready = 'true';
