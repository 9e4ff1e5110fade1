"""Othello's rules, for `othello check-rules -- python3 rules.py`."""
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


for line in sys.stdin:
    question, squares, side, *move = line.split()
    if question == "moves":
        legal = [n for n in range(64) if squares[n] == "-" and flips(squares, side, n)]
        answer = " ".join("abcdefgh"[n % 8] + str(n // 8 + 1) for n in legal) or "pass"
    else:
        after = list(squares)
        if move != ["pass"]:
            n = "abcdefgh".index(move[0][0]) + 8 * (int(move[0][1]) - 1)
            for changed in [n, *flips(squares, side, n)]:
                after[changed] = side
        answer = "".join(after) + (" O" if side == "X" else " X")
    print(answer, flush=True)
