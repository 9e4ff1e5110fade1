// The curve of a game: Black's value at each position, with its mistakes, and a slider beneath it to move in the game.

import { draw, set } from './dom.js';
import { texts } from './texts.js';
import { discs, number } from './values.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [480, 180, 40, 12, 10, 24];

export class Curve {
  // `onPlace` is called with the index of a position that a person chooses.
  constructor(svg, slider, onPlace) {
    this.svg = set(svg, { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' });
    this.slider = slider;
    this.end = 0;
    this.here = draw('line', { class: 'here', y1: TOP, y2: HEIGHT - BOTTOM + 2 });
    svg.addEventListener('click', (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) * WIDTH) / box.width;
      const at = Math.round(((x - LEFT) * this.end) / (WIDTH - LEFT - RIGHT));
      onPlace(Math.min(Math.max(at, 0), this.end));
    });
    slider.addEventListener('input', () => onPlace(Number(slider.value)));
  }

  x(at) {
    return LEFT + (at * (WIDTH - LEFT - RIGHT)) / Math.max(this.end, 1);
  }

  // Draws the points of the positions: `score`, Black's, and whether it is `exact`; null if unknown. Mistakes have the
  // position `at` that they lead to, whether they are `bad`, and a `text`.
  show(points, mistakes) {
    const scores = points.filter(Boolean).map(({ score }) => score);
    const max = Math.min(64, Math.max(4, ...scores.map(Math.abs)));
    const y = this.scale(points.length - 1, -max, max);
    const paths = [...this.line('value', points, y, ({ exact }) => exact),
      ...this.line('value estimate', points, y, ({ exact }) => !exact)];
    const dots = mistakes.filter(({ at }) => points[at]).map(({ at, bad, text }) => draw('circle', {
      class: bad ? 'mistake bad' : 'mistake', cx: this.x(at), cy: y(points[at].score), r: 5,
    }, draw('title', {}, text)));
    this.svg.replaceChildren(...this.axes(-max, max, y), ...paths, ...dots, this.here);
    const last = scores.length > 0 ? number(scores.at(-1), false) : texts.unknown;
    this.svg.setAttribute('aria-label', texts.curve(number(-max, true), number(max, true), last));
  }

  // Draws the sums of the losses of both players at the positions, null if unknown.
  showSums(sums) {
    const points = (side) => sums.map((sum) => sum[side] === null ? null : { score: sum[side] });
    const last = (side) => sums.findLast((sum) => sum[side] !== null)[side];
    const max = Math.max(4, last('black'), last('white'));
    const y = this.scale(sums.length - 1, 0, max);
    const paths = ['black', 'white'].flatMap((side) => this.line(`sum ${side}`, points(side), y, () => true));
    this.svg.replaceChildren(...this.axes(0, max, y), ...paths, this.here);
    this.svg.setAttribute('aria-label', texts.sumsCurve(discs(last('black')), discs(last('white'))));
  }

  // Sets the range of both axes; returns the height of a value.
  scale(end, min, max) {
    this.end = end;
    set(this.slider, { max: end });
    return (value) => TOP + ((max - value) * (HEIGHT - TOP - BOTTOM)) / (max - min);
  }

  // The path of the pieces of a line from points that are wanted.
  line(kind, points, y, isWanted) {
    const pieces = points.slice(1).map((to, at) => (points[at] && to && isWanted(points[at])
      ? `M${this.x(at)} ${y(points[at].score)}L${this.x(at + 1)} ${y(to.score)}` : ''));
    return pieces.some(Boolean) ? [draw('path', { class: kind, d: pieces.join('') })] : [];
  }

  axes(min, max, y) {
    const unit = 2 ** Math.max(0, Math.ceil(Math.log2((max - min) / 8)));
    const parts = [];
    for (let value = Math.ceil(min / unit) * unit; value <= max; value += unit) {
      const kind = value === 0 ? 'zero' : 'rule';
      parts.push(draw('line', { class: kind, x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        draw('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, number(value, true).replace(min === 0 ? '+' : '', '')));
    }
    for (let at = 0; at <= this.end; at += 10) {
      parts.push(draw('text', { x: this.x(at), y: HEIGHT - 6, 'text-anchor': 'middle' }, String(at)));
    }
    return parts;
  }

  // Marks the current position.
  place(at) {
    const x = String(this.x(at));
    set(this.here, { x1: x, x2: x });
    this.slider.value = at;
    this.slider.setAttribute('aria-valuetext', texts.afterMove(at));
  }
}
