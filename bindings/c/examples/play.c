// Plays a game of the engine, with Black, against random moves.
#include <stdio.h>
#include <stdlib.h>

#include "othello.h"

static void check(OthelloStatus status) {
  if (status != OTHELLO_STATUS_OK) {
    fprintf(stderr, "play: %s\n", othello_last_error());
    exit(1);
  }
}

static uint8_t random_move(uint64_t moves) {
  int skipped = rand() % 64;
  for (;; skipped--) {
    uint64_t lowest = moves & (~moves + 1), rest = moves & (moves - 1);
    if (skipped <= 0 || rest == 0) {
      uint8_t square = 0;
      while (lowest >>= 1) square++;
      return square;
    }
    moves = rest;
  }
}

int main(void) {
  OthelloBoard *board;
  OthelloEngine *engine;
  check(othello_board_new(NULL, &board));
  check(othello_engine_new(1, 16, &engine));
  for (;;) {
    OthelloPosition position;
    OthelloValue chosen = {.mv = OTHELLO_PASS};
    check(othello_board_position(board, &position));
    if (position.is_over) break;
    if (position.to_move == OTHELLO_BLACK)
      check(othello_engine_choose(engine, board, 4, 0, &chosen));
    else if (!position.must_pass)
      chosen.mv = random_move(position.moves);
    check(othello_board_play(board, chosen.mv));
  }
  char text[512];
  size_t length;
  check(othello_board_text(board, OTHELLO_TEXT_DIAGRAM, text, sizeof text, &length));
  puts(text);
  othello_engine_free(engine);
  othello_board_free(board);
  return 0;
}
