"""Plays Code Warriors with a class for https://othello.tjhsst.edu: `strategy.py FILE [SECONDS]`.

FILE has a class Strategy with best_strategy(self, board, player, best_move, still_running), and time_limit as a fifth
parameter if it wants it. It may say uses_10x10_board and uses_10x10_moves. What it prints goes to standard error.
"""
import inspect
import multiprocessing
import runpy
import sys

multiprocessing.set_start_method("fork")
LINES = [-11, -10, -9, -1, 1, 9, 10, 11]  # on a board of 10x10, surrounded by ?
SQUARES = [10 * row + column for row in range(1, 9) for column in range(1, 9)]


def flipped(board, player, square):
    other, found = "xo"[player == "x"], []
    for step in LINES:
        line, at = [], square + step
        while board[at] == other:
            line, at = line + [at], at + step
        found += line if board[at] == player else []
    return found if board[square] == "." else []


def play(board, player, square):
    for at in flipped(board, player, square) + [square]:
        board[at] = player


def choose(strategy, board, player, seconds):
    text = "".join(board).replace("?", "?" if getattr(strategy, "uses_10x10_board", False) else "")
    best, running = multiprocessing.Value("i", -1), multiprocessing.Value("i", 1)
    count = max(4, len(inspect.signature(strategy.best_strategy).parameters))
    arguments = [text, player, best, running, seconds][:count]
    thinking = multiprocessing.Process(target=strategy.best_strategy, args=arguments, daemon=True)
    thinking.start()
    thinking.join(0.9 * seconds)
    running.value = 0
    thinking.join(0.1 * seconds)
    thinking.kill()
    found = best.get_obj().value  # without its lock, which the killed process may have held
    is_square = getattr(strategy, "uses_10x10_moves", False) or not 0 <= found < 64
    return found if is_square else SQUARES[found]


out, sys.stdout, seconds = sys.stdout, sys.stderr, float((sys.argv[2:] or [0.8])[0])
strategy = runpy.run_path(sys.argv[1])["Strategy"]()
board, player = list("?" * 100), "o"
for at in SQUARES:
    board[at] = {44: "o", 45: "x", 54: "x", 55: "o"}.get(at, ".")
letters = filter(str.strip, iter(lambda: sys.stdin.read(1), ""))
for word in map("".join, zip(letters, letters)):
    player = "x" if word == "ST" else player
    if word not in ("ST", "PS"):
        play(board, "xo"[player == "x"], 10 * int(word[1]) + " ABCDEFGH".index(word[0]))
    answer = "PS"
    if any(flipped(board, player, at) for at in SQUARES):
        move = choose(strategy, board, player, seconds)
        assert move in SQUARES, f"expected a square from best_strategy, found {move}"
        play(board, player, move)
        answer = f"{' ABCDEFGH'[move % 10]}{move // 10}"
    print(answer, file=out, flush=True)
