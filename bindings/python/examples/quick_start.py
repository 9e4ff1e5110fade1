"""Plays a game of the engine against random moves, and times a vectorized environment."""

import random
import time

import numpy as np

from othello_engine import Board, Engine, VectorEnv

engine, board = Engine(), Board()
while not board.is_over:
    if board.must_pass:
        board.play("ps")
    elif board.turn == "black":
        board.play(engine.choose(board, level=4).move)
    else:
        board.play(random.choice(board.legal_moves))
print(repr(board))

env, began, moves = VectorEnv(4096), time.process_time(), 0
rng = np.random.default_rng(1)
for _ in range(500):
    # The lowest legal square of each game.
    legal = env.legal_moves
    env.step(np.bitwise_count((legal & -legal) - np.uint64(1)).astype(np.uint8))
    moves += len(env)
print(f"{moves / (time.process_time() - began) / 1e6:.0f} million moves a second")
