"""Checks proofs of Othello scores. The format is described in docs/design/proofs.md."""

import argparse
import re
import sys
import zlib

EDGE, EMPTY, OTHER = "#", "-", {"X": "O", "O": "X"}
STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)
SQUARES = [10 * row + column for row in range(1, 9) for column in range(1, 9)]
MAX_REMEMBERED, PLACES, ONES = 1 << 22, 8, 0xFFFFFFFF
HEADER = re.compile(rb"othproof 1 ([XO-]{64}) ([XO]) (0|-?[1-9]\d?) (0|-?[1-9]\d?) (0|[1-9]\d?)\n")


def play(board, square, side):
    """Returns the board after a move to an empty square, or None if it is not legal."""
    after, other = None, OTHER[side]
    for step in STEPS:
        cell = square + step
        if board[cell] == other:
            while board[cell] == other:
                cell += step
            if board[cell] == side:
                after = after or list(board)
                after[square:cell:step] = [side] * len(range(square, cell, step))
    return after and tuple(after)


def moves(board, side):
    """Returns the boards after the legal moves, in the order of the squares."""
    return [after for square in SQUARES if board[square] == EMPTY and (after := play(board, square, side))]


def final_score(board, side):
    """Returns the score if the game ends here, empty squares to the side with more discs."""
    lead = board.count(side) - board.count(OTHER[side])
    return lead + board.count(EMPTY) * ((lead > 0) - (lead < 0))


def reaches(board, side, bound):
    """Returns whether the side to move reaches a score whatever the opponent does."""
    after = moves(board, side)
    if not after and not moves(board, OTHER[side]):
        return final_score(board, side) >= bound
    return any(not reaches(board, OTHER[side], 1 - bound) for board in after or [board])


class Decoder:
    """The binary arithmetic decoder of the choices."""
    def __init__(self, data, offset):
        self.data, self.offset = data, offset
        self.low, self.high = 0, ONES
        self.code = int.from_bytes(bytes(self.byte() for _ in range(4)), "big")
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
            self.high, probability = middle, probability + ((65536 - probability) >> 5)
        else:
            self.low, probability = middle + 1, probability - (probability >> 5)
        self.probabilities[context] = probability
        while self.low >> 24 == self.high >> 24:
            self.low, self.high = self.low << 8 & ONES, (self.high << 8 | 0xFF) & ONES
            self.code = (self.code << 8 | self.byte()) & ONES
        return chosen


def visit(decoder, board, to_move, prover, bound, threshold, met):
    """Checks that the prover reaches the bound."""
    empties = board.count(EMPTY)
    if empties <= threshold:
        own = to_move == prover
        return require(reaches(board, to_move, bound if own else 1 - bound) == own, decoder, board)
    after = sorted(moves(board, to_move), key=lambda after: len(moves(after, OTHER[to_move]))) or [board]
    if after == [board] and not moves(board, OTHER[to_move]):
        return require(final_score(board, prover) >= bound, decoder, board)
    if to_move == prover and after != [board]:
        squares = "".join(board)
        if squares in met:
            return
        if len(met) < MAX_REMEMBERED:
            met.add(squares)
        after = [after[decoder.choice(empties, len(after))]]
    for board in after:
        visit(decoder, board, OTHER[to_move], prover, bound, threshold, met)


def require(reached, decoder, board):
    """Refuses a position in which the bound is not reached."""
    if not reached:
        raise ValueError(f"byte {decoder.offset}: the bound is not reached in " + "".join(board).replace(EDGE, ""))


def check(data):
    """Checks a file, and returns what it proves in words."""
    header = HEADER.match(data)
    if not header:
        raise ValueError("expected othproof 1 SQUARES SIDE LOWER UPPER THRESHOLD")
    squares, side = header[1].decode(), header[2].decode()
    lower, upper, threshold = (int(number) for number in header.groups()[2:])
    if not (-64 <= lower <= upper <= 64 and upper - lower < 128 and threshold <= 16):
        raise ValueError("expected -64 <= LOWER <= UPPER <= 64, not both ends, and a threshold of at most 16")
    discs = dict(zip(SQUARES, squares))
    board = tuple(discs.get(cell, EDGE) for cell in range(100))
    decoder = Decoder(data, header.end())
    for prover, bound in ((side, lower), (OTHER[side], -upper)):
        if bound > -64:
            visit(decoder, board, side, prover, bound, threshold, set())
    if decoder.offset != len(data) - 4:
        raise ValueError(f"byte {decoder.offset + 4}: expected the end of the file")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError("checksum mismatch")
    return f"{squares} {side}: score from {lower:+} to {upper:+}"


def main():
    """Checks the files of the command line, and returns the exit status: 1 if one is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", metavar="FILE", nargs="+")
    status = 0
    for path in parser.parse_args().files:
        try:
            with open(path, "rb") as file:
                print(f"{path}: proved: {check(file.read())}")
        except (OSError, ValueError) as error:
            print(f"{path}: refused: {error}", file=sys.stderr)
            status = 1
    return status


sys.exit(main())
