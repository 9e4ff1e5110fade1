"""Othello's rules, for `othello check-rules --perft 4 -- python3 rules.py`."""
import sys

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def flips(squares, side, start):
    flipped = []
    for dx, dy in DIRECTIONS:
        run, x, y = [], start % 8 + dx, start // 8 + dy
        while 0 <= x < 8 and 0 <= y < 8 and squares[8 * y + x] != "-":
            if squares[8 * y + x] == side:
                flipped += run
                break
            run.append(8 * y + x)
            x, y = x + dx, y + dy
    return flipped


def legal(squares, side):
    return [n for n in range(64) if squares[n] == "-" and flips(squares, side, n)]


def after(squares, side, n):
    changed = [n, *flips(squares, side, n)]
    return "".join(side if at in changed else disc for at, disc in enumerate(squares))


def perft(squares, side, depth):
    moves, other = legal(squares, side), "O" if side == "X" else "X"
    if depth == 0 or not moves and not legal(squares, other):
        return 1
    if not moves:
        return perft(squares, other, depth - 1)
    return sum(perft(after(squares, side, n), other, depth - 1) for n in moves)


for line in sys.stdin:
    question, squares, side, *rest = line.split()
    if question == "moves":
        answer = " ".join("abcdefgh"[n % 8] + str(n // 8 + 1) for n in legal(squares, side)) or "pass"
    elif question == "perft":
        answer = perft(squares, side, int(rest[0]))
    else:
        if rest != ["pass"]:
            squares = after(squares, side, "abcdefgh".index(rest[0][0]) + 8 * (int(rest[0][1]) - 1))
        answer = squares + (" O" if side == "X" else " X")
    print(answer, flush=True)
