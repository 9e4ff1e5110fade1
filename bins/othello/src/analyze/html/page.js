'use strict';
(() => {
  const data = JSON.parse(document.getElementById('analysis').textContent);
  const positions = data.positions;
  const end = positions.length - 1;
  const squares = Array.from({ length: 64 }, (_, at) => 'abcdefgh'[at % 8] + (1 + (at >> 3)));
  const colors = { black: 'Black', white: 'White' };
  const symbols = { black: 'X', white: 'O' };
  // The losses from which a move is marked.
  const POOR = 1;
  const BAD = 3;

  // The position shown, and the line that is followed from it: its moves, and the number of them that are played.
  let ply = 0;
  let line = null;

  const byId = (id) => document.getElementById(id);
  const sideOf = (position) => position.to_move && position.to_move.toLowerCase();
  const other = (side) => (side === 'black' ? 'white' : 'black');

  // Elements. Text from the record only ever becomes text of nodes.

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'click') element.addEventListener('click', value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    return element;
  }

  function make(tag, attributes = {}, ...children) {
    const element = set(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  }

  function draw(tag, attributes = {}, ...children) {
    const element = set(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes);
    element.append(...children);
    return element;
  }

  const cells = (tag, ...texts) => texts.map((text) => make(tag, {}, text));

  // Numbers.

  const isExact = (source) => Boolean(source) && source.kind !== 'depth';

  function number(score, exact, decimals = 2) {
    const text = Math.abs(score).toFixed(exact ? 0 : decimals);
    const sign = Number(text) === 0 ? '' : score < 0 ? '−' : '+';
    return sign + text;
  }

  const discs = (loss) => (Number.isInteger(loss) ? String(loss) : loss.toFixed(2));

  // A selective search whose depth reaches the end of the game is not exact.
  function evidence(source, empties) {
    if (source.kind !== 'depth') return 'exact';
    const depth = source.depth < empties ? `depth ${source.depth}` : 'to the end';
    return source.confidence === 100 ? depth : `${depth}, ${source.confidence} %`;
  }

  // A position whose value a file proves.
  const proof = (position) => (position && position.proof ? `, proved by ${position.proof}` : '');

  function scoreOf(move) {
    const text = number(move.score, isExact(move.source));
    return move.bound === 'at_most' ? `≤ ${text}` : text;
  }

  function lossClass(loss) {
    return loss >= BAD ? 'loss bad' : loss >= POOR ? 'loss poor' : 'loss';
  }

  const lossMark = (loss) => (loss >= 2 * BAD ? '??' : loss >= BAD ? '?' : loss >= POOR ? '?!' : '');

  // Rules.

  function play(board, side, move) {
    if (move === 'pass') return board;
    const after = board.split('');
    const at = squares.indexOf(move);
    const [own, foe] = [symbols[side], symbols[other(side)]];
    for (const [right, down] of [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]]) {
      const run = [];
      let [column, row] = [(at % 8) + right, (at >> 3) + down];
      const inside = () => column >= 0 && column < 8 && row >= 0 && row < 8;
      while (inside() && board[8 * row + column] === foe) {
        run.push(8 * row + column);
        column += right;
        row += down;
      }
      if (inside() && board[8 * row + column] === own) for (const square of run) after[square] = own;
    }
    after[at] = own;
    return after.join('');
  }

  // The board that is shown, the side to move on it and the last move.
  function shown() {
    const position = positions[ply];
    const before = ply > 0 ? positions[ply - 1].played : null;
    let state = { board: position.board, side: sideOf(position), last: before && before.move };
    for (const move of line ? line.moves.slice(0, line.step) : []) {
      state = { board: play(state.board, state.side, move), side: other(state.side), last: move };
    }
    return state;
  }

  // Stepping.

  function go(to) {
    ply = Math.min(Math.max(Math.round(to), 0), end);
    line = null;
    render();
  }

  function follow(from, moves, step) {
    ply = from;
    line = { moves, step };
    render();
  }

  function step(by) {
    if (!line) {
      go(ply + by);
    } else if (line.step + by < 1) {
      go(ply);
    } else {
      follow(ply, line.moves, Math.min(line.step + by, line.moves.length));
    }
  }

  // The parts that change.

  function grid(table, cell) {
    const head = make('tr', {}, make('th', { role: 'presentation' }),
      ...[...'abcdefgh'].map((file) => make('th', { scope: 'col' }, file)));
    const rows = Array.from({ length: 8 }, (_, row) => make('tr', {},
      make('th', { scope: 'row' }, String(row + 1)),
      ...squares.slice(8 * row, 8 * row + 8).map((square, column) => cell(square, 8 * row + column))));
    table.querySelectorAll('thead, tbody').forEach((part) => part.remove());
    table.append(make('thead', {}, head), make('tbody', {}, ...rows));
  }

  function disc(color, isLast) {
    const label = make('span', { class: 'hidden' }, colors[color] + (isLast ? ', last move' : ''));
    return make('span', { class: `disc ${color}${isLast ? ' last' : ''}` }, label);
  }

  function renderBoard(state) {
    const position = positions[ply];
    const moves = new Map(line ? [] : position.moves.map((move) => [move.move, move]));
    grid(byId('board'), (square, at) => {
      const symbol = state.board[at];
      if (symbol !== '-') return make('td', {}, disc(symbol === 'X' ? 'black' : 'white', square === state.last));
      const move = moves.get(square);
      if (!move) return make('td', { 'aria-label': `${square} empty` });
      const played = position.played && position.played.move === square;
      const value = (move.bound === 'at_most' ? '≤' : '') + number(move.score, isExact(move.source), 1);
      const label = `${square}, value ${value}${played ? ', played' : ''}; follow its line`;
      return make('td', {}, make('button', {
        class: `${move.loss === 0 && move.bound !== 'at_most' ? 'best' : ''}${played ? ' played' : ''}`,
        'aria-label': label,
        title: label,
        click: () => follow(ply, move.line, 1),
      }, value));
    });
  }

  function renderCaption(state) {
    const count = (symbol) => [...state.board].filter((found) => found === symbol).length;
    const turn = state.side && !(line === null && ply === end && !positions[ply].to_move) ? `${colors[state.side]} to move` : 'game over';
    const at = line ? `Line from move ${ply + 1}` : ply === 0 ? 'Start' : `After move ${ply}`;
    byId('caption').textContent = `${at}: Black ${count('X')}, White ${count('O')}; ${line ? 'a line that was not played' : turn}`;
  }

  function sentence() {
    const position = positions[ply];
    if (line) {
      const first = position.moves.find((move) => move.move === line.moves[0]);
      const worth = first ? ` The line is worth ${scoreOf(first)} to ${colors[sideOf(position)]}.` : '';
      return `Move ${line.step} of ${line.moves.length} of the line: ${line.moves[line.step - 1]}.${worth}`;
    }
    const told = [];
    if (ply > 0 && positions[ply - 1].played) {
      const { move, loss } = positions[ply - 1].played;
      const side = colors[sideOf(positions[ply - 1])];
      const lost = loss === null || loss === undefined ? '' : loss === 0 ? ', a best move' : `, which loses ${discs(loss)}`;
      told.push(move === 'pass' ? `${side} passes.` : `${side} played ${move}${lost}.`);
      if (positions[ply - 1].comment) told.push(`“${positions[ply - 1].comment}”`);
    }
    if (position.value) {
      const black = data.curve[ply];
      const text = number(Math.abs(black), isExact(position.value.source)).replace('+', '');
      const isOver = position.value.source.kind === 'over';
      if (isOver) return [...told, black === 0 ? 'A draw.' : `${black > 0 ? 'Black' : 'White'} won by ${text}.`].join(' ');
      const ahead = black > 0 ? `Black is ahead by ${text}` : black < 0 ? `White is ahead by ${text}` : 'The game is even';
      told.push(`${ahead} (${evidence(position.value.source, position.empties)}${proof(position)}).`);
    }
    return told.join(' ');
  }

  function renderLine() {
    byId('leave').hidden = !line;
    byId('line').hidden = !line;
    byId('line').replaceChildren(...(line ? line.moves : []).flatMap((move, at) =>
      [at + 1 === line.step ? make('b', {}, move) : move, ' ']));
  }

  function renderCandidates() {
    const position = positions[ply];
    const side = sideOf(position);
    byId('candidates-title').textContent = side && position.moves.length
      ? `Moves of ${colors[side]}, values from ${colors[side]}’s side` : 'No moves to choose from';
    const head = make('thead', {}, make('tr', {}, ...cells('th', 'Move', 'Value', 'Loss'),
      make('th', { class: 'from' }, 'From'), make('th', { class: 'words' }, 'Line')));
    const rows = position.moves.map((move) => {
      const played = position.played && position.played.move === move.move;
      const button = make('button', {
        class: 'move', click: () => follow(ply, move.line, 1), 'aria-label': `${move.move}, follow its line`,
      }, move.move);
      return make('tr', { class: played ? 'played' : null },
        make('td', {}, button, played ? make('span', { class: 'hidden' }, ' played') : ''),
        make('td', {}, scoreOf(move)),
        make('td', { class: lossClass(move.loss) }, (move.bound === 'at_most' ? '≥ ' : '') + discs(move.loss)),
        make('td', { class: 'from' }, evidence(move.source, position.empties) + (played && proof(positions[ply + 1]) ? ', proved' : '')),
        make('td', { class: 'words' }, move.line.join(' ')));
    });
    byId('moves').replaceChildren(...(rows.length ? [head, make('tbody', {}, ...rows)] : []));
  }

  function renderPlace() {
    const slider = byId('slider');
    slider.value = ply;
    slider.setAttribute('aria-valuetext', ply === 0 ? 'start' : `after move ${ply}`);
    const x = String(curveX(ply));
    set(byId('here'), { x1: x, x2: x });
    for (const button of byId('list').querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    const current = byId(`move-${ply}`);
    if (current) {
      current.setAttribute('aria-current', 'step');
      const box = byId('list').parentElement;
      const [top, height] = [current.parentElement.offsetTop, current.offsetHeight];
      if (top < box.scrollTop + 2 * height || top + 2 * height > box.scrollTop + box.clientHeight) {
        box.scrollTop = top - box.clientHeight / 2;
      }
    }
    byId('first').disabled = byId('back').disabled = ply === 0 && !line;
    byId('next').disabled = line ? line.step === line.moves.length : ply === end;
    byId('last').disabled = ply === end && !line;
  }

  function render() {
    const hadFocus = byId('position').contains(document.activeElement) || byId('moves').contains(document.activeElement);
    const state = shown();
    renderBoard(state);
    renderCaption(state);
    renderLine();
    renderCandidates();
    renderPlace();
    byId('status').textContent = sentence();
    // What had the focus may be gone, or disabled.
    const focused = document.activeElement;
    if (hadFocus && (focused === document.body || focused.disabled)) {
      (byId('next').disabled ? byId('back') : byId('next')).focus();
    }
  }

  // The parts that stay.

  function buildHeader() {
    const { black, white, date, event, round, place, result, opening } = data.game;
    const name = (player, color) => (player.name || colors[color]) + (player.rating ? ` (${player.rating})` : '');
    const title = `${name(black, 'black')} – ${name(white, 'white')}`;
    byId('players').textContent = `● ${name(black, 'black')} – ○ ${name(white, 'white')}`;
    document.title = `${title}, Othello analysis`;
    const told = [result && result.text, date, event, round, place, opening && `opening: ${opening.name}`];
    byId('details').textContent = told.filter(Boolean).join(', ');
    byId('made').textContent = `Made by ${data.program}: depth ${data.settings.depth}, exact from ${data.settings.exact_from} empty squares.`;
  }

  function listCell(at) {
    const position = positions[at];
    if (!position || !position.played) return [make('td'), make('td')];
    const { move, loss } = position.played;
    const known = loss !== null && loss !== undefined;
    const mark = known ? lossMark(loss) : '';
    const label = known && loss > 0 ? `${move}, loses ${discs(loss)}` : move;
    return [
      make('td', { id: `move-${at + 1}` }, make('button', { class: 'move', 'aria-label': label, click: () => go(at + 1) }, move)),
      make('td', { class: known ? lossClass(loss) : null, id: `loss-${at + 1}` },
        known && loss > 0 ? `${mark} −${discs(loss)}`.trim() : ''),
    ];
  }

  function buildList() {
    const rows = [];
    let at = 0;
    while (at < end) {
      // A row has a move of Black and one of White; a game may begin with either, and passes are moves.
      const blackAt = sideOf(positions[at]) === 'black' ? at : null;
      const whiteAt = blackAt === null ? at : at + 1;
      rows.push(make('tr', {}, make('th', { scope: 'row' }, String((blackAt ?? whiteAt) + 1)),
        ...listCell(blackAt), ...listCell(whiteAt < end ? whiteAt : null)));
      at = whiteAt + 1;
    }
    const player = (symbol, color) => make('th', { scope: 'col', 'aria-label': color, title: color }, symbol);
    const [number, loss, lossToo] = cells('th', '#', 'loss', 'loss');
    const head = make('thead', {}, make('tr', {}, number, player('●', 'Black'), loss, player('○', 'White'), lossToo));
    byId('list').append(head, make('tbody', {}, ...rows));
  }

  const [WIDTH, HEIGHT, LEFT, TOP] = [480, 230, 40, 12];
  const curveX = (at) => LEFT + (at * (WIDTH - LEFT - 12)) / Math.max(end, 1);

  function buildCurve() {
    const known = data.curve.filter((value) => value !== null);
    const max = Math.min(64, Math.max(4, ...known.map(Math.abs)));
    const y = (value) => TOP + ((max - value) * (HEIGHT - TOP - 28)) / (2 * max);
    const curve = set(byId('curve'), { viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
    const unit = [1, 2, 4, 8, 16].find((size) => max / size <= 4);
    for (let value = -Math.floor(max / unit) * unit; value <= max; value += unit) {
      curve.append(draw('line', { class: value === 0 ? 'zero' : 'rule', x1: LEFT, x2: WIDTH - 12, y1: y(value), y2: y(value) }),
        draw('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, number(value, true)));
    }
    for (let at = 0; at <= end; at += 10) {
      curve.append(draw('text', { x: curveX(at), y: HEIGHT - 6, 'text-anchor': 'middle' }, String(at)));
    }
    for (let at = 1; at <= end; at += 1) {
      const [from, to] = [data.curve[at - 1], data.curve[at]];
      if (from === null || to === null) continue;
      const exact = isExact(positions[at - 1].value.source);
      curve.append(draw('path', {
        class: exact ? 'value' : 'value estimate', d: `M${curveX(at - 1)} ${y(from)}L${curveX(at)} ${y(to)}`,
      }));
    }
    positions.forEach((position, at) => {
      const loss = position.played && position.played.loss;
      if (loss >= BAD && data.curve[at + 1] !== null) {
        const text = `Move ${at + 1}, ${colors[sideOf(position)]} ${position.played.move}, loses ${discs(loss)}`;
        curve.append(draw('circle', {
          class: loss >= 2 * BAD ? 'mistake bad' : 'mistake', cx: curveX(at + 1), cy: y(data.curve[at + 1]), r: 5,
        }, draw('title', {}, text)));
      }
    });
    curve.append(draw('line', { id: 'here', class: 'here', y1: TOP, y2: HEIGHT - 26 }));
    const last = known.length ? number(known[known.length - 1], false) : 'unknown';
    curve.setAttribute('aria-label', `Black’s value at each move, from ${number(-max, true)} to ${number(max, true)} discs; ${last} at the end. Solid where exact, dashed where estimated; dots are mistakes.`);
    curve.addEventListener('click', (event) => {
      const box = curve.getBoundingClientRect();
      const x = ((event.clientX - box.left) * WIDTH) / box.width;
      go(Math.round(((x - LEFT) * end) / (WIDTH - LEFT - 12)));
    });
    const slider = set(byId('slider'), { max: end });
    slider.addEventListener('input', () => go(Number(slider.value)));
  }

  function buildWorst() {
    const items = data.worst.map((worst) => make('li', {}, make('button', {
      click: () => follow(worst.ply, worst.line, 1),
    }, `Move ${worst.ply + 1}, ${colors[worst.side.toLowerCase()]} ${worst.move} loses ${discs(worst.loss)}; better ${worst.line.join(' ')}`)));
    byId('mistakes').append(...items);
    byId('worst').hidden = items.length === 0;
  }

  function buildSummary() {
    const phases = data.summary.black.phases.map((phase) => phase.name);
    const head = make('thead', {}, make('tr', {}, make('th', { class: 'words' }, 'Player'),
      ...cells('th', 'moves', 'loss', 'per move', 'best', 'mistakes', ...phases)));
    const rows = ['black', 'white'].map((color) => {
      const sum = data.summary[color];
      return make('tr', {}, make('th', { scope: 'row', class: 'words' }, data.game[color].name || colors[color]),
        ...cells('td', String(sum.moves), discs(sum.total_loss), sum.mean_loss.toFixed(2), String(sum.best_moves),
          String(sum.mistakes), ...sum.phases.map((phase) => discs(phase.total_loss))));
    });
    byId('summary').append(head, make('tbody', {}, ...rows));
  }

  function buildDiagram() {
    const numbers = new Map();
    positions.forEach((position, at) => {
      if (position.played) numbers.set(position.played.move, [sideOf(position), at + 1]);
    });
    const start = positions[0].board;
    grid(byId('diagram'), (square, at) => {
      if (start[at] !== '-') return make('td', {}, disc(start[at] === 'X' ? 'black' : 'white', false));
      if (!numbers.has(square)) return make('td');
      const [side, text] = numbers.get(square);
      return make('td', {}, make('span', { class: `disc ${side}` }, String(text)));
    });
  }

  function listen() {
    byId('first').addEventListener('click', () => go(0));
    byId('back').addEventListener('click', () => step(-1));
    byId('next').addEventListener('click', () => step(1));
    byId('last').addEventListener('click', () => go(end));
    byId('leave').addEventListener('click', () => go(ply));
    document.addEventListener('keydown', (event) => {
      // The slider moves by itself.
      if (event.altKey || event.ctrlKey || event.metaKey || event.target === byId('slider')) return;
      const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(end), Escape: () => go(ply) };
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    let touch = null;
    const board = byId('board');
    board.addEventListener('touchstart', (event) => { touch = event.changedTouches[0]; }, { passive: true });
    board.addEventListener('touchend', (event) => {
      const { clientX, clientY } = event.changedTouches[0];
      const [right, down] = [clientX - touch.clientX, clientY - touch.clientY];
      if (Math.abs(right) > 40 && Math.abs(right) > 2 * Math.abs(down)) step(right > 0 ? -1 : 1);
    }, { passive: true });
  }

  buildHeader();
  buildList();
  buildCurve();
  buildWorst();
  buildSummary();
  buildDiagram();
  listen();
  // A link may name a position: #33.
  const goToHash = () => go(Number(window.location.hash.slice(1)) || 0);
  window.addEventListener('hashchange', goToHash);
  goToHash();
})();
