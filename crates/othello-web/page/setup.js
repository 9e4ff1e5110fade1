// A position that is set up by choosing squares, or from text.

import { byId, write } from './dom.js';
import { position, readPosition, squares, start, text } from './rules.js';
import { texts } from './texts.js';

export class Setup {
  // The engine parses the text. `onChange` is called when the position has changed, `onDone` with the finished
  // position, or null if it is cancelled.
  constructor(engine, onChange, onDone) {
    this.engine = engine;
    this.board = null;
    this.reading = null;
    this.onChange = onChange;
    this.form = byId('setup');
    const { usual, clear, cancel, side, text: field } = this.form.elements;
    usual.addEventListener('click', () => this.take(start()));
    clear.addEventListener('click', () => this.take({ board: '-'.repeat(64), side: 'black' }));
    side.addEventListener('change', () => this.take({ board: this.board, side: side.value }));
    field.addEventListener('change', () => this.read(field.value));
    cancel.addEventListener('click', () => this.end(onDone, null));
    this.form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (await this.read(field.value)) this.end(onDone, position(this.board, side.value));
    });
  }

  get isOpen() {
    return this.board !== null;
  }

  open(from) {
    this.form.hidden = false;
    this.take(from);
  }

  end(onDone, found) {
    this.close();
    onDone(found);
  }

  close() {
    this.reading = null;
    this.board = null;
    this.form.hidden = true;
  }

  // Puts the chosen disc on a square.
  choose(square) {
    const changed = this.board.split('');
    changed[squares.indexOf(square)] = this.form.elements.brush.value;
    this.take({ board: changed.join(''), side: this.form.elements.side.value });
  }

  take({ board, side }) {
    this.reading = null;
    this.board = board;
    this.form.elements.side.value = side ?? 'black';
    this.form.elements.text.value = text({ board, side });
    write(byId('setup-error'), '');
    this.onChange();
  }

  // Takes a position given as text, unless there is another one by the time it is parsed; returns whether it was taken.
  async read(written) {
    const reading = Symbol(written);
    this.reading = reading;
    try {
      const found = await readPosition(this.engine, written);
      if (this.reading !== reading) return false;
      this.take(found);
      return true;
    } catch (error) {
      if (this.reading !== reading) return false;
      write(byId('setup-error'), texts.notASentence(error.message));
      return false;
    }
  }
}
