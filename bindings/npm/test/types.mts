// Uses of the declarations; the lines after @ts-expect-error are wrong.
import { Board, createEngine, createWorkerEngine, type MoveValue } from 'othello-engine';

const board: Board = Board.fromMoves('f5').play('d6');
const values: MoveValue[] = (await createEngine()).hint(board, { depth: 3 });
const worker = await createWorkerEngine();
const chosen: MoveValue = await worker.choose(board, { level: 2, signal: AbortSignal.timeout(1000) });
const moves: string[] = [...board.moves(), ...values.map(({ move }) => move), chosen.move];
worker.close();
// @ts-expect-error
board.play(moves);
// @ts-expect-error
(await createEngine()).hint('f5');
// @ts-expect-error
await worker.choose(board, { onUpdate: console.log });
