from othello_engine import Board, Engine

board = Board.from_moves("f5d6c3d3c4f4")
best = Engine(threads=2).choose(board, level=10)
print(best.move, best.score)
