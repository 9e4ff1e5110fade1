export type Color = 'black' | 'white';

/** A game in progress: a start, and the moves since. */
export class Board {
  /** Begins at the board of a text (64 squares of X, O and - from a1 to h8, and X or O to move), or at the start. */
  constructor(text?: string);
  /** Plays the moves of a transcript, such as f5d6c3, from the start. Passes may be left out. */
  static fromMoves(moves: string): Board;
  /** Begins at a board of two sets of discs: bit 0 is a1, bit 63 is h8. */
  static fromDiscs(black: bigint, white: bigint, turn?: Color): Board;
  /** Plays a move such as f5, or pass. Throws an Error and plays nothing if it is illegal. */
  play(move: string): this;
  /** Undoes the last move and returns it, `pass` for a pass; null at the start. */
  undo(): string | null;
  copy(): Board;
  /** The squares where the side to move may play. */
  moves(): string[];
  /** The 64 squares from a1 to h8 as X, O and -. */
  readonly squares: string;
  /** The side to move, null at the end. */
  readonly turn: Color | null;
  readonly mustPass: boolean;
  readonly isOver: boolean;
  readonly discs: { black: number; white: number };
  /** The text of the board before the first move, empty for the usual start. */
  readonly start: string;
  /** The moves since the start, such as f5d6c3; -- is a pass. */
  readonly transcript: string;
  toString(): string;
}

/** A move and its value in discs for the side to move. */
export interface MoveValue {
  /** A square such as f5, or `pass`. */
  move: string;
  score: number;
  exact: boolean;
  line: string[];
}

export interface ChooseOptions {
  /**
   * The level of play: 1 to 60, a rating from 100 on, or beginner, casual, club, tournament, expert, master or full.
   * Without level and time the search takes a second; at full strength, positions of the built-in opening book need
   * none.
   */
  level?: number | string;
  timeMs?: number;
}

export interface HintOptions {
  /** The depth in plies, 1 to 60. */
  depth?: number;
  timeMs?: number;
}

export interface AnalyzeOptions {
  /** The depth in plies, 2 to 60, where the game is not solved. */
  depth?: number;
  /** The number of empty squares from which positions are solved, at most 60. */
  exactFrom?: number;
  /** The number of the game in a record with several; an Error with a `Board`. */
  number?: number;
}

export interface ReadOptions {
  first?: number;
  count?: number;
}

/** The last event of a request in JSON, as docs/web.md and `openapi.json` of the repository describe it. */
export type Answer = { event: string; [field: string]: any };

/** Runs on the calling thread and blocks it. */
export interface Engine {
  choose(board: Board, options?: ChooseOptions): MoveValue;
  /** Values all moves, best first; for a second if neither depth nor time is given. */
  hint(board: Board, options?: HintOptions): MoveValue[];
  /** Analyzes a game, or a game of a record in any format. */
  analyze(game: Board | string, options?: AnalyzeOptions): Answer;
  /** Reads the games of a record: SGF, GGF, PGN, transcripts and other formats. */
  read(text: string, options?: ReadOptions): Answer;
  /** Carries out a request in JSON. */
  ask(request: { call: string; [field: string]: unknown }): Answer;
}

export interface Cancel {
  /** Ends the request, or keeps it from beginning; the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

export interface Updates<T> extends Cancel {
  /** Is given what is known so far, while the search goes on. */
  onUpdate?: (soFar: T) => void;
}

/** An engine in a worker, so that a page or a server goes on meanwhile. Requests wait for those before them. */
export interface WorkerEngine {
  choose(board: Board, options?: ChooseOptions & Cancel): Promise<MoveValue>;
  /** As that of `Engine`, but without depth and time it goes on until the position is solved or the signal ends it. */
  hint(board: Board, options?: HintOptions & Updates<MoveValue[]>): Promise<MoveValue[]>;
  analyze(game: Board | string, options?: AnalyzeOptions & Updates<Answer>): Promise<Answer>;
  read(text: string, options?: ReadOptions & Cancel): Promise<Answer>;
  ask(
    request: { call: string; [field: string]: unknown },
    options?: { signal?: AbortSignal; onEvent?: (event: Answer) => void },
  ): Promise<Answer>;
  /** Terminates the worker, which otherwise keeps Node.js running; pending requests reject, and so do later ones. */
  close(): void;
}

export function createEngine(): Promise<Engine>;
export function createWorkerEngine(): Promise<WorkerEngine>;
