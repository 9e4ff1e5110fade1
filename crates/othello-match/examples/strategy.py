"""Plays Code Warriors with a class for https://othello.tjhsst.edu: `strategy.py FILE [SECONDS]`.

FILE has a class Strategy with best_strategy(self, board, player, best_move, still_running), and time_limit as a fifth
parameter if it wants it. It may say uses_10x10_board and uses_10x10_moves. What it prints goes to standard error.
"""
import inspect
import multiprocessing
import os
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


def words():
    word = ""
    while byte := os.read(0, 1).decode():
        word += byte.strip()
        if len(word) == 2:
            yield word
            word = ""


def choose(strategy, board, player, seconds):
    text = "".join(board)
    if not getattr(strategy, "uses_10x10_board", False):
        text = text.replace("?", "")
    best, running = multiprocessing.Value("i", -1), multiprocessing.Value("i", 1)
    arguments = [text, player, best, running, seconds]
    takes = len(inspect.signature(strategy.best_strategy).parameters)
    thinking = multiprocessing.Process(target=strategy.best_strategy, args=arguments[:max(takes, 4)], daemon=True)
    thinking.start()
    thinking.join(0.9 * seconds)
    running.value = 0
    thinking.join(0.1 * seconds)
    thinking.kill()
    move = best.value
    return move if getattr(strategy, "uses_10x10_moves", False) else SQUARES[move] if 0 <= move < 64 else move


def main():
    file, seconds = sys.argv[1], float((sys.argv[2:] or [1.5])[0])
    out, sys.stdout = sys.stdout, sys.stderr
    strategy = runpy.run_path(file)["Strategy"]()
    board, player = list("?" * 100), "o"
    for at in SQUARES:
        board[at] = {44: "o", 45: "x", 54: "x", 55: "o"}.get(at, ".")
    for word in words():
        player = "x" if word == "ST" else player
        if word not in ("ST", "PS"):
            play(board, "xo"[player == "x"], 10 * int(word[1]) + " ABCDEFGH".index(word[0]))
        move = choose(strategy, board, player, seconds) if any(flipped(board, player, at) for at in SQUARES) else 0
        if move in SQUARES:
            play(board, player, move)
        print(f"{' ABCDEFGH'[move % 10]}{move // 10}" if move in SQUARES else "PS" if move == 0 else "??", file=out, flush=True)


main()
