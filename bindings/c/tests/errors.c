// Bad input is a status with a text that says what was expected, and changes nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "othello.h"

#define FAILS(expected_status, expected_text, call)                                              \
  do {                                                                                           \
    OthelloStatus status = (call);                                                               \
    if (status != (expected_status) || strstr(othello_last_error(), expected_text) == NULL) {     \
      fprintf(stderr, "%d: %s: status %d, %s\n", __LINE__, #call, status, othello_last_error());  \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

#define EXPECT(condition)                                       \
  do {                                                          \
    if (!(condition)) {                                         \
      fprintf(stderr, "%d: expected %s\n", __LINE__, #condition); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

static void boards(void) {
  OthelloBoard *board = NULL, *none = NULL, *copy;
  uint8_t mv = 0, moves[60];
  char text[80];
  size_t count = 1;
  uint64_t leaves;
  FAILS(OTHELLO_STATUS_NULL, "board: expected a pointer", othello_board_new(NULL, NULL));
  FAILS(OTHELLO_STATUS_TEXT, "expected one of 64 squares", othello_board_new("XO", &none));
  FAILS(OTHELLO_STATUS_UTF8, "board_text: expected UTF-8", othello_board_new("\xff", &none));
  FAILS(OTHELLO_STATUS_OVERLAP, "a1", othello_board_from_discs(1, 1, OTHELLO_BLACK, &none));
  FAILS(OTHELLO_STATUS_RANGE, "to_move: expected a number from 0 to 1", othello_board_from_discs(1, 2, 7, &none));
  FAILS(OTHELLO_STATUS_RANGE, "found 256", othello_board_from_discs(1, 2, 256, &none));
  FAILS(OTHELLO_STATUS_NULL, "moves", othello_board_from_moves(NULL, &none));
  FAILS(OTHELLO_STATUS_ILLEGAL_MOVE, "occupied at offset 2", othello_board_from_moves("f5f5", &none));
  FAILS(OTHELLO_STATUS_TEXT, "expected a square", othello_board_from_moves("f5x9", &none));
  EXPECT(none == NULL);

  EXPECT(othello_board_from_moves("f5d6c3", &board) == OTHELLO_STATUS_OK);
  FAILS(OTHELLO_STATUS_ILLEGAL_MOVE, "illegal move a1: it flips nothing", othello_board_play(board, 0));
  FAILS(OTHELLO_STATUS_RANGE, "move: expected a number from 0 to 64, found 65", othello_board_play(board, 65));
  FAILS(OTHELLO_STATUS_RANGE, "found 293", othello_board_play(board, 256 + 37));
  FAILS(OTHELLO_STATUS_NULL, "board", othello_board_play(NULL, 0));
  FAILS(OTHELLO_STATUS_NULL, "position", othello_board_position(board, NULL));
  FAILS(OTHELLO_STATUS_TEXT, "expected", othello_move_parse("i9", &mv));
  FAILS(OTHELLO_STATUS_RANGE, "form", othello_board_text(board, 257, text, sizeof text, &count));
  EXPECT(count == 0);
  FAILS(OTHELLO_STATUS_NULL, "buffer", othello_board_text(board, OTHELLO_TEXT_MOVES, NULL, 80, &count));
  FAILS(OTHELLO_STATUS_NULL, "length", othello_board_text(board, OTHELLO_TEXT_MOVES, text, 80, NULL));
  FAILS(OTHELLO_STATUS_TOO_SMALL, "at least 7, found 6", othello_board_text(board, OTHELLO_TEXT_MOVES, text, 6, &count));
  EXPECT(count == 7 && othello_board_text(board, OTHELLO_TEXT_MOVES, text, 7, &count) == OTHELLO_STATUS_OK);
  EXPECT(strcmp(text, "f5d6c3") == 0);
  FAILS(OTHELLO_STATUS_TOO_SMALL, "at least 3, found 0", othello_board_moves(board, NULL, 0, &count));
  EXPECT(count == 3);
  EXPECT(othello_board_moves(board, moves, 60, &count) == OTHELLO_STATUS_OK && count == 3 && moves[0] == 37);

  EXPECT(othello_board_copy(board, &copy) == OTHELLO_STATUS_OK);
  EXPECT(othello_board_undo(copy, &mv) == OTHELLO_STATUS_OK && mv == 18);
  EXPECT(othello_board_undo(copy, NULL) == OTHELLO_STATUS_OK && othello_board_undo(copy, &mv) == OTHELLO_STATUS_OK);
  EXPECT(othello_board_undo(copy, &mv) == OTHELLO_STATUS_OK && mv == OTHELLO_NO_MOVE);
  EXPECT(othello_board_perft(copy, 6, &leaves) == OTHELLO_STATUS_OK && leaves == 8200);
  EXPECT(othello_board_text(board, OTHELLO_TEXT_BOARD, text, 80, &count) == OTHELLO_STATUS_OK && count == 67);
  othello_board_free(copy);
  othello_board_free(board);
  othello_board_free(NULL);
}

static int stop_at_once(const char *event, void *data) {
  ++*(int *)data;
  return strstr(event, "update") != NULL;
}

static int keep(const char *event, void *data) {
  snprintf(data, 200, "%s", event);
  return 0;
}

// Calls the engine from its own listener, which must be refused and not wait for ever.
static int nested(const char *event, void *data) {
  OthelloEngine *engine = data;
  FAILS(OTHELLO_STATUS_BUSY, "one search at a time", othello_engine_ask(engine, event, nested, data));
  return 0;
}

static atomic_bool has_ended;

// A stop before a search begins is not for that search.
static void *stop_soon(void *engine) {
  struct timespec wait = {0, 10000000};
  while (!atomic_load(&has_ended)) {
    nanosleep(&wait, NULL);
    EXPECT(othello_engine_stop(engine) == OTHELLO_STATUS_OK);
  }
  // Errors are those of a thread.
  EXPECT(strcmp(othello_last_error(), "") == 0);
  return NULL;
}

static void engines(void) {
  OthelloEngine *engine = NULL;
  OthelloBoard *start, *over, *late;
  OthelloValue value, values[33];
  OthelloLoss losses[60];
  size_t count = 1;
  int events = 0;
  char last[200] = "";
  FAILS(OTHELLO_STATUS_RANGE, "threads: expected a number from 1 to 1024, found 0", othello_engine_new(0, 8, &engine));
  FAILS(OTHELLO_STATUS_RANGE, "hash_mib: expected", othello_engine_new(1, UINT64_C(1) << 63, &engine));
  FAILS(OTHELLO_STATUS_NULL, "engine", othello_engine_new(1, 8, NULL));
  EXPECT(engine == NULL && othello_engine_new(2, 8, &engine) == OTHELLO_STATUS_OK);

  EXPECT(othello_board_new(NULL, &start) == OTHELLO_STATUS_OK);
  EXPECT(othello_board_from_discs(1, 0, OTHELLO_WHITE, &over) == OTHELLO_STATUS_OK);
  FAILS(OTHELLO_STATUS_RANGE, "full, a level from 1 to 60 or a rating from 100 to 9999, found 61",
      othello_engine_choose(engine, start, 61, 0, &value));
  FAILS(OTHELLO_STATUS_RANGE, "a rating from 100 to 9999, found 65636",
      othello_engine_choose(engine, start, 65636, 0, &value));
  FAILS(OTHELLO_STATUS_GAME_OVER, "not over", othello_engine_choose(engine, over, 1, 0, &value));
  FAILS(OTHELLO_STATUS_NULL, "board", othello_engine_choose(engine, NULL, 1, 0, &value));
  FAILS(OTHELLO_STATUS_NULL, "chosen", othello_engine_choose(engine, start, 1, 0, NULL));
  FAILS(OTHELLO_STATUS_RANGE, "depth", othello_engine_hint(engine, start, 61, 0, values, 33, &count));
  EXPECT(count == 0);
  // These are refused before the search, which would not end.
  FAILS(OTHELLO_STATUS_NULL, "values", othello_engine_hint(engine, start, 0, 0, NULL, 33, &count));
  FAILS(OTHELLO_STATUS_NULL, "count", othello_engine_hint(engine, start, 0, 0, values, 33, NULL));
  FAILS(OTHELLO_STATUS_TOO_SMALL, "at least 4, found 0", othello_engine_hint(engine, start, 0, 0, NULL, 0, &count));
  EXPECT(count == 4);
  FAILS(OTHELLO_STATUS_NULL, "solution", othello_engine_solve(engine, start, NULL));
  EXPECT(othello_board_from_moves("f5d6c3", &late) == OTHELLO_STATUS_OK);
  FAILS(OTHELLO_STATUS_NULL, "losses", othello_engine_analyze(engine, late, 60, 60, NULL, 60, &count));
  FAILS(OTHELLO_STATUS_TOO_SMALL, "at least 3, found 2", othello_engine_analyze(engine, late, 60, 60, losses, 2, &count));
  EXPECT(count == 3);
  othello_board_free(late);
  FAILS(OTHELLO_STATUS_TOO_SMALL, "at least 4, found 2", othello_engine_hint(engine, start, 3, 0, values, 2, &count));
  EXPECT(othello_engine_hint(engine, start, 3, 0, values, 33, &count) == OTHELLO_STATUS_OK && count == 4);
  FAILS(OTHELLO_STATUS_RANGE, "depth", othello_engine_analyze(engine, start, 1, 0, losses, 60, &count));
  FAILS(OTHELLO_STATUS_NULL, "listener", othello_engine_ask(engine, "{}", NULL, NULL));
  EXPECT(othello_engine_ask(engine, "{}", keep, last) == OTHELLO_STATUS_OK && strstr(last, "expected a request"));
  EXPECT(othello_engine_ask(engine, "{\"call\":\"position\",\"moves\":\"f5a1\"}", keep, last) == OTHELLO_STATUS_OK);
  EXPECT(strstr(last, "illegal move a1") != NULL);
  EXPECT(othello_engine_ask(engine, "{\"call\":\"position\"}", nested, engine) == OTHELLO_STATUS_OK);

  // Searches without bounds end when a listener or another thread says so.
  EXPECT(othello_engine_ask(engine, "{\"call\":\"hint\"}", stop_at_once, &events) == OTHELLO_STATUS_OK && events >= 1);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, stop_soon, engine) == 0);
  EXPECT(othello_engine_hint(engine, start, 0, 0, values, 33, &count) == OTHELLO_STATUS_OK && count <= 4);
  atomic_store(&has_ended, true);
  EXPECT(pthread_join(thread, NULL) == 0);

  EXPECT(othello_board_new("--OXXO--XXXOXO-XXXXOOXXXXOOXXXXXXOXOXXXXXXXOXXX---OOOOX---OOOO-- O", &late) == OTHELLO_STATUS_OK);
  EXPECT(othello_engine_solve(engine, late, &value) == OTHELLO_STATUS_OK && value.exact);
  EXPECT(othello_engine_hint(engine, late, 60, 0, values, 33, &count) == OTHELLO_STATUS_OK);
  EXPECT(count > 1 && values[0].exact && values[0].score == value.score);
  othello_board_free(start);
  othello_board_free(over);
  othello_board_free(late);
  othello_engine_free(engine);
  othello_engine_free(NULL);
}

int main(void) {
  EXPECT(strcmp(othello_last_error(), "") == 0);
  boards();
  engines();
  puts("errors: ok");
  return 0;
}
