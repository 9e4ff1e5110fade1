// The clock of a game against the engine.

import { other } from './rules.js';

// Returns a time as minutes and seconds, with tenths in the last ten seconds.
export function timeText(milliseconds) {
  const left = Math.max(milliseconds, 0);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export class Clock {
  // Times in milliseconds. `onTick` is called as time goes by, `onFlag` with the side whose time is up.
  constructor(time, increment, onTick, onFlag) {
    this.left = { black: time, white: time };
    this.increment = increment;
    this.running = null;
    this.actions = { onTick, onFlag };
  }

  remaining(side) {
    return this.left[side] - (this.running === side ? performance.now() - this.since : 0);
  }

  // Returns the times of both sides, to which `restore` goes back.
  times() {
    return { black: this.remaining('black'), white: this.remaining('white') };
  }

  restore(times) {
    this.stop();
    this.left = { ...times };
  }

  // Lets the time of a side run.
  start(side) {
    this.stop();
    this.running = side;
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 100);
  }

  tick() {
    const side = this.running;
    if (this.remaining(side) <= 0) {
      this.stop();
      this.actions.onFlag(side);
    }
    this.actions.onTick();
  }

  stop() {
    if (this.running === null) return;
    this.left[this.running] = Math.max(this.remaining(this.running), 0);
    this.running = null;
    clearInterval(this.timer);
  }

  // Ends the turn of a side, and begins that of the other unless the game is over.
  moved(side, goesOn) {
    this.stop();
    this.left[side] += this.increment;
    if (goesOn) this.start(other(side));
  }
}
