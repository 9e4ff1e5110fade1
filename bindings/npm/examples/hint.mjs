import { Board, createEngine } from 'othello-engine';

const board = Board.fromMoves('f5d6c3d3c4f4');
const engine = await createEngine();
const { move, score } = engine.choose(board, { level: 10 });
console.log(move, score);
