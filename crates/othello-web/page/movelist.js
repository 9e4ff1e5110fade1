// The moves of a tree: the main line in rows of two, variations beneath the moves where they start.

import { make, set } from './dom.js';
import { texts } from './texts.js';
import { discs, lossClass, lossMark } from './values.js';

export class MoveList {
  // `lossOf` returns the loss of the move to a node, null if unknown. `onNode` is called with a node that a person
  // chooses; without it the moves are plain text.
  constructor(container, lossOf, onNode = null) {
    this.container = container;
    this.lossOf = lossOf;
    this.isPlain = onNode === null;
    this.buttons = new Map();
    this.current = null;
    container.addEventListener('click', ({ target }) => {
      const button = target.closest('button');
      if (button) onNode?.(button.node);
    });
  }

  // Lists the moves of a tree anew.
  build(tree) {
    const hadFocus = this.container.contains(document.activeElement);
    this.buttons.clear();
    this.current = null;
    this.container.replaceChildren(...this.mainLine(tree.root));
    this.refresh();
    this.place(tree.current, hadFocus);
  }

  mainLine(root) {
    const parts = [];
    let isRowOpen = false;
    for (let at = root; at.children.length > 0; at = at.children[0]) {
      const [main, ...others] = at.children;
      const isBlack = at.position.side === 'black';
      if (isBlack || !isRowOpen) parts.push(make('span', { class: 'number' }, String(main.ply)));
      if (!isBlack && !isRowOpen) parts.push(make('span', { class: 'gap', 'aria-hidden': 'true' }, '…'));
      parts.push(this.button(main));
      isRowOpen = isBlack && others.length === 0;
      parts.push(...others.map((other) => make('div', { class: 'variation', role: 'group', 'aria-label': texts.variation },
        ...this.variation(other))));
    }
    return parts;
  }

  variation(first) {
    const parts = [make('span', { class: 'number' }, `${first.ply}.`), this.button(first)];
    for (let at = first; at.children.length > 0; at = at.children[0]) {
      const [main, ...others] = at.children;
      parts.push(this.button(main));
      parts.push(...others.map((other) => make('span', { class: 'aside' }, '(', ...this.variation(other), ')')));
    }
    return parts;
  }

  button(node) {
    const loss = make('span', { 'aria-hidden': 'true' });
    const button = this.isPlain ? make('span', { class: 'move' }, node.move)
      : make('button', { type: 'button', class: 'move', tabindex: '-1' }, node.move, loss);
    button.node = node;
    this.buttons.set(node, { button, loss, shown: undefined });
    return button;
  }

  // Writes the losses that changed.
  refresh() {
    if (this.isPlain) return;
    for (const [node, entry] of this.buttons) {
      const lost = this.lossOf(node);
      if (entry.shown === lost) continue;
      entry.shown = lost;
      const isLoss = lost !== null && lost > 0;
      entry.loss.className = lossClass(lost);
      entry.loss.textContent = isLoss ? `${lossMark(lost)} −${discs(lost)}` : '';
      set(entry.button, {
        'aria-label': texts.moveOfList(node.ply, node.parent.position.side, node.move, isLoss ? discs(lost) : ''),
      });
    }
  }

  // Marks the move that leads to a node.
  place(node, takesFocus = this.container.contains(document.activeElement)) {
    this.current?.removeAttribute('aria-current');
    if (!this.isPlain) this.current?.setAttribute('tabindex', '-1');
    const button = this.buttons.get(node)?.button ?? null;
    this.current = button;
    if (button === null) {
      this.container.scrollTop = 0;
      return;
    }
    set(button, { 'aria-current': 'step', tabindex: this.isPlain ? null : '0' });
    if (takesFocus) button.focus({ preventScroll: true });
    scrollTo(this.container, button);
  }
}

// Scrolls a box, and nothing around it, so that an element in it is visible.
function scrollTo(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top + 24 || inner.bottom > outer.bottom - 24) {
    box.scrollTop += inner.top - outer.top - box.clientHeight / 2;
  }
}
