import pytest

from othello_engine import Board, Engine


def test_a_game_is_played_and_undone():
    board = Board()
    assert board.legal_moves == ["d3", "c4", "f5", "e6"]
    for move in ["f5", "d6", "c3"]:
        board.play(move)
    assert (board.transcript, board.turn) == ("f5d6c3", "white")
    assert board == Board.from_moves("f5d6c3")
    assert board.undo() == "c3"
    assert str(board) == str(Board.from_moves("f5d6"))
    assert str(Board(str(board))) == str(board)
    assert Board().perft(6) == 8200
    assert len({str(turned.canonical()) for turned in board.symmetries()}) == 1
    assert repr(board).startswith("  a b c d e f g h\n1 ")
    assert board._repr_svg_().count("<circle") == 6 + len(board.legal_moves) + 1


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Board().play("a1"), "illegal move a1: it flips nothing"),
        (lambda: Board().play("i9"), "expected"),
        (lambda: Board("X"), "expected"),
        (lambda: Board.from_moves("f5f5"), "illegal move f5: the square is occupied at offset 2"),
        (lambda: Board.from_bitboards(1, 1), "a1"),
        (lambda: Board.from_bitboards(1, 2, "red"), "turn: expected black or white"),
        (lambda: Engine(threads=0), "threads: expected a number from 1 to 1024, found 0"),
        (lambda: Engine(hash_mib=2**63), "hash_mib: expected a number from 1 to 65536, found 9223372036854775808"),
        (lambda: Engine().hint(Board(), depth=61), "depth: expected a number from 1 to 60, found 61"),
        (lambda: Engine().read("no game"), "expected"),
    ],
)
def test_errors_say_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("call", [lambda: Board.from_bitboards(2**64, 0), lambda: Engine(hash_mib=2**64)])
def test_numbers_out_of_range_are_errors(call):
    with pytest.raises(OverflowError):
        call()


def test_the_engine_chooses_values_and_solves():
    engine = Engine()
    board = Board("--OXXO--XXXOXO-XXXXOOXXXXOOXXXXXXOXOXXXXXXXOXXX---OOOOX---OOOO-- O")
    score, line = engine.solve(board)
    hint = engine.hint(board, depth=60)
    assert hint[0].exact and hint[0].score == score
    assert engine.choose(board, level=60).score == score
    assert len(hint) == len(board.legal_moves) and hint[0].move in board.legal_moves
    for move in line:
        board.play(move)
    assert board.is_over


def test_games_are_read_and_analyzed():
    engine = Engine()
    record = "(;GM[2]SZ[8]PB[A]PW[B];B[f5];W[d6];B[c3])"
    assert len(engine.read(record)["games"]) == 1
    report = engine.analyze(record, depth=4, exact_from=0)
    assert report["complete"] and report["event"] == "report"
