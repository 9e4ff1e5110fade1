"""Checks proofs of Othello scores (docs/design/proofs.md): python3 check.py FILE..."""

import re
import sys
import zlib

EDGE, EMPTY = "#", "-"
OTHER = {"X": "O", "O": "X"}
STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)
SQUARES = [10 * row + column for row in range(1, 9) for column in range(1, 9)]
MAX_REMEMBERED = 1 << 22
PLACES, ONES = 8, 0xFFFFFFFF
HEADER = re.compile(rb"othproof 1 ([XO-]{64}) ([XO]) (0|-?[1-9]\d?) (0|-?[1-9]\d?) (0|[1-9]\d?)")


def play(board, square, side):
    """Returns the board after a move to an empty square, or None if it is not legal."""
    after = list(board)
    for step in STEPS:
        cell = square + step
        while board[cell] == OTHER[side]:
            cell += step
        if board[cell] == side:
            after[square:cell:step] = [side] * len(after[square:cell:step])
    return tuple(after) if after[square] == side and after.count(side) > board.count(side) + 1 else None


def moves(board, side):
    """Returns the boards after the legal moves, in the order of the squares."""
    return [after for square in SQUARES if board[square] == EMPTY and (after := play(board, square, side))]


def sorted_moves(board, side):
    """Returns the boards after the legal moves, fewest replies first."""
    return sorted(moves(board, side), key=lambda after: len(moves(after, OTHER[side])))


def final_score(board, side):
    """Returns the score if the game ends here, empty squares to the side with more discs."""
    lead = board.count(side) - board.count(OTHER[side])
    return lead + board.count(EMPTY) * ((lead > 0) - (lead < 0))


def reaches(board, side, bound):
    """Returns whether the side to move reaches a score whatever the opponent does."""
    after = moves(board, side) or [board]
    if after == [board] and not moves(board, OTHER[side]):
        return final_score(board, side) >= bound
    return any(not reaches(board, OTHER[side], 1 - bound) for board in after)


class Decoder:
    """The binary arithmetic decoder of the choices."""
    def __init__(self, data, offset):
        self.data, self.offset = data, offset
        self.low, self.high, self.code = 0, ONES, 0
        for _ in range(4):
            self.code = self.code << 8 | self.byte()
        self.probabilities = {}

    def byte(self):
        if self.offset >= len(self.data) - 4:  # The last four are the checksum.
            raise ValueError("the file ends, expected more of the proof")
        self.offset += 1
        return self.data[self.offset - 1]

    def choice(self, empties, count):
        """Returns which of the moves is chosen."""
        for place in range(count - 1):
            if self.is_chosen((empties, min(place, PLACES - 1))):
                return place
        return count - 1

    def is_chosen(self, context):
        probability = self.probabilities.get(context, 1 << 15)
        middle = self.low + ((self.high - self.low) * probability >> 16)
        chosen = self.code <= middle
        if chosen:
            self.high = middle
            probability += (65536 - probability) >> 5
        else:
            self.low = middle + 1
            probability -= probability >> 5
        self.probabilities[context] = probability
        while self.low >> 24 == self.high >> 24:
            self.low = self.low << 8 & ONES
            self.high = (self.high << 8 | 0xFF) & ONES
            self.code = (self.code << 8 | self.byte()) & ONES
        return chosen


def visit(decoder, board, to_move, prover, bound, threshold, met):
    """Checks that the prover reaches the bound."""
    empties = board.count(EMPTY)
    if empties <= threshold:
        own = to_move == prover
        return require(reaches(board, to_move, bound if own else 1 - bound) == own, decoder, board)
    after = sorted_moves(board, to_move) or [board]
    if after == [board] and not moves(board, OTHER[to_move]):
        return require(final_score(board, prover) >= bound, decoder, board)
    if to_move == prover and after != [board]:
        if board in met:
            return
        if len(met) < MAX_REMEMBERED:
            met.add(board)
        after = [after[decoder.choice(empties, len(after))]]
    for board in after:
        visit(decoder, board, OTHER[to_move], prover, bound, threshold, met)


def require(reached, decoder, board):
    """Refuses a position in which the bound is not reached."""
    if not reached:
        raise ValueError(f"byte {decoder.offset}: the bound is not reached in " + "".join(board).replace(EDGE, ""))


def check(data):
    """Checks a file, and returns what it proves in words."""
    line, found, _ = data.partition(b"\n")
    header = HEADER.fullmatch(line)
    if not found or not header:
        raise ValueError("expected othproof 1 SQUARES SIDE LOWER UPPER THRESHOLD")
    squares, side = header[1].decode(), header[2].decode()
    lower, upper, threshold = (int(number) for number in header.groups()[2:])
    if not (-64 <= lower <= upper <= 64 and upper - lower < 128 and threshold <= 16):
        raise ValueError("expected -64 <= LOWER <= UPPER <= 64, not both ends, and a threshold of at most 16")
    board = [EDGE] * 100
    for square, disc in zip(SQUARES, squares):
        board[square] = disc
    decoder = Decoder(data, len(line) + 1)
    if lower > -64:
        visit(decoder, tuple(board), side, side, lower, threshold, set())
    if upper < 64:
        visit(decoder, tuple(board), side, OTHER[side], -upper, threshold, set())
    if decoder.offset != len(data) - 4:
        raise ValueError(f"byte {decoder.offset + 4}: expected the end of the file")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError("checksum mismatch")
    return f"{squares} {side}: score from {lower:+} to {upper:+}"


for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            print(f"{path}: proved: {check(file.read())}")
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
