// Prints the loss of each move of a game: analyze MOVES, such as analyze f5d6c3d3c4f4
#include <stdio.h>

#include "othello.h"

static const char *name(uint8_t mv, char text[3]) {
  text[0] = mv < OTHELLO_PASS ? 'a' + mv % 8 : '-';
  text[1] = mv < OTHELLO_PASS ? '1' + mv / 8 : '-';
  text[2] = '\0';
  return text;
}

int main(int argc, char **argv) {
  if (argc != 2) return fputs("usage: analyze MOVES\n", stderr), 2;
  OthelloBoard *board = NULL;
  OthelloEngine *engine = NULL;
  OthelloLoss losses[128];
  size_t count = 0;
  int failed = othello_board_from_moves(argv[1], &board) != OTHELLO_STATUS_OK
      || othello_engine_new(1, 16, &engine) != OTHELLO_STATUS_OK
      || othello_engine_analyze(engine, board, 6, 12, losses, 128, &count) != OTHELLO_STATUS_OK;
  if (failed) fprintf(stderr, "analyze: %s\n", othello_last_error());
  for (size_t i = 0; !failed && i < count; i++) {
    char played[3], best[3];
    printf("%2zu %s lost %5.2f (best %s)\n", i + 1, name(losses[i].mv, played), losses[i].loss / 100.0,
        name(losses[i].best, best));
  }
  othello_engine_free(engine);
  othello_board_free(board);
  return failed;
}
