// The move that the engine chooses.
#include <stdio.h>

#include "othello.h"

int main(void) {
  OthelloBoard *board;
  OthelloEngine *engine;
  OthelloValue best;
  if (othello_board_from_moves("f5d6c3d3c4f4", &board) || othello_engine_new(2, 32, &engine)
      || othello_engine_choose(engine, board, 10, 0, &best))
    return puts(othello_last_error()), 1;
  printf("%c%d %.2f\n", 'a' + best.mv % 8, 1 + best.mv / 8, best.score / 100.0);
  othello_engine_free(engine);
  othello_board_free(board);
}
