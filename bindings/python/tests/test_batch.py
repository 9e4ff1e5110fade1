import numpy as np
import pytest

import othello_engine as oe
from othello_engine import Board, VectorEnv


def squares(legal, rng):
    """Chooses a legal square at random for each set of moves."""
    bits = np.unpackbits(legal.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return (bits * rng.random(bits.shape)).argmax(axis=1).astype(np.uint8)


def test_a_batch_agrees_with_boards():
    env, rng = VectorEnv(100), np.random.default_rng(1)
    boards, ended = [Board() for _ in range(100)], 0
    for _ in range(150):
        chosen = squares(env.legal_moves, rng)
        own, opponent = oe.play(env.own, env.opponent, chosen)
        for board, square in zip(boards, chosen):
            board.play("abcdefgh"[square % 8] + str(square // 8 + 1))
        assert [board.own for board in boards] == own.tolist()
        assert [board.opponent for board in boards] == opponent.tolist()
        scores, over = env.step(chosen)
        for at, board in enumerate(boards):
            if board.is_over:
                assert over[at] and scores[at] == board.score()
                boards[at], ended = Board(), ended + 1
            elif board.must_pass:
                board.play("ps")
        assert [board.own for board in boards] == env.own.tolist()
        assert [board.turn == "white" for board in boards] == env.white_to_move.tolist()
    assert ended > 150


def test_values_of_batches():
    own, opponent = np.array([Board().own], np.uint64), np.array([Board().opponent], np.uint64)
    assert oe.score(own, opponent).tolist() == [0]
    assert abs(oe.evaluate(own, opponent)[0]) < 3
    scores = oe.playouts(np.repeat(own, 2000), np.repeat(opponent, 2000), 1)
    assert abs(scores.mean()) < 4 and scores.std() > 10


@pytest.mark.parametrize(
    "own, opponent, moves, message",
    [
        ([1], [1], [0], "position 0: .*a1"),
        ([1], [1, 2], [0], "opponent: expected 1 numbers, found 2"),
        ([0x0810000000], [0x1008000000], [0], "position 0: illegal move a1"),
        ([0x0810000000], [0x1008000000], [64], "position 0: a pass is legal only without a move"),
        ([0x0810000000], [0x1008000000], [65], "expected a square from 0 to 63 or 64"),
        ([0x0810000000], [0x1008000000], [1, 2], "squares: expected 1 numbers, found 2"),
    ],
)
def test_errors_name_the_position(own, opponent, moves, message):
    with pytest.raises(ValueError, match=message):
        oe.play(np.array(own, np.uint64), np.array(opponent, np.uint64), np.array(moves, np.uint8))


def test_an_illegal_step_plays_nothing():
    env = VectorEnv(2)
    before = env.own
    with pytest.raises(ValueError, match="position 1: illegal move a1"):
        env.step(np.array([19, 0], np.uint8))
    assert (env.own == before).all()
    with pytest.raises(ValueError, match="squares: expected 2 numbers, found 1"):
        env.step(np.array([19], np.uint8))
    with pytest.raises(TypeError):
        env.step(np.array([19.0, 19.0]))
    for count in (0, 2**24 + 1, 2**63):
        with pytest.raises(ValueError, match=f"count: expected a number from 1 to 16777216, found {count}"):
            VectorEnv(count)
