// The view for lessons: positions in which the person's own games went wrong, asked again by `othello drill --web`.

import { Board } from './board.js';
import { byId, write } from './dom.js';
import { parseMoves, parsePosition } from './rules.js';
import { texts } from './texts.js';
import { isBest, lossKind, scoreOf } from './values.js';

export class Drill {
  // `page` has `announce`, `fail`, `works` and `analyze`.
  constructor(page) {
    this.page = page;
    this.question = null;
    this.judgement = null;
    this.hinted = false;
    this.isAsking = false;
    this.board = new Board(byId('drill-board'), texts.board, (square) => this.answer(square));
    byId('drill-hint').addEventListener('click', () => this.hint());
    byId('drill-give-up').addEventListener('click', () => this.answer());
    byId('drill-next').addEventListener('click', () => this.next());
    byId('drill-analyze').addEventListener('click', () => this.analyze());
    this.isShown = false;
    this.draw();
  }

  show(isShown) {
    this.isShown = isShown;
    this.draw();
  }

  // Shows the tab of the view if the server has questions, or had some.
  async offer(tab) {
    await this.next();
    tab.hidden = !this.question && !this.text;
  }

  async next() {
    await this.ask({}, ({ question, text, left }) => {
      const wasFocused = document.activeElement === byId('drill-next');
      this.question = question && { ...question, left, position: parsePosition(question.board) };
      this.text = text ?? '';
      this.judgement = null;
      this.hinted = false;
      this.draw();
      if (wasFocused) this.board.focus(this.board.focused);
    });
  }

  // Answers the question with a move, or gives up.
  async answer(move) {
    const { question, judgement } = this;
    const isLegal = !move || question?.position.moves.includes(move);
    if (!question || judgement || this.isAsking || !isLegal) return;
    const options = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ board: question.board, move, hinted: this.hinted }),
    };
    await this.ask(options, (answer) => {
      this.judgement = answer;
      this.draw();
      byId('drill-next').focus();
    });
  }

  async ask(options, take) {
    this.isAsking = true;
    try {
      const response = await fetch('/api/drill', options);
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.error.message);
      take(answer);
      this.page.works('drill');
    } catch (error) {
      this.page.fail(error instanceof TypeError ? texts.noServer : error.message, 'drill');
    } finally {
      this.isAsking = false;
    }
  }

  hint() {
    this.hinted = true;
    this.draw();
  }

  analyze() {
    const { question: { position }, judgement: { line } } = this;
    this.page.analyze({ from: position, moves: parseMoves(position, line.join(' ')) });
  }

  draw() {
    const { question, judgement, hinted } = this;
    const isOpen = question !== null && judgement === null;
    if (question) {
      const values = new Map((judgement?.moves ?? []).map((found) => [found.move, {
        text: scoreOf(found, 1).replace(' ', ''),
        label: texts.squareValue(scoreOf(found), isBest(found), false),
        kind: `${isBest(found) ? 'best' : ''} ${found.move === judgement.line[0] ? 'played' : ''} ${lossKind(found.loss)}`,
      }]));
      const { position, last } = question;
      this.board.show({ board: position.board, last, legal: isOpen ? position.moves : [], values });
    }
    const asked = question ? texts.drillQuestion(question.position.side, question.left) : this.text || texts.noDrill;
    write(byId('drill-from'), question?.from ?? '');
    write(byId('drill-text'), judgement?.text ?? (hinted ? question.hint : asked));
    if (this.isShown) this.page.announce(byId('drill-text').textContent);
    byId('drill-text').classList.toggle('right', judgement?.good === true);
    byId('drill-text').classList.toggle('wrong', judgement?.good === false);
    byId('drill-hint').hidden = byId('drill-give-up').hidden = !isOpen;
    byId('drill-hint').disabled = hinted;
    byId('drill-next').hidden = byId('drill-analyze').hidden = judgement === null;
  }
}
