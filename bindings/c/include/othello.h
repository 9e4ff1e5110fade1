// The Othello engine and rules.
//
// Moves are numbers: 0 for a1, 1 for b1, 63 for h8, OTHELLO_PASS for a pass. Sets of squares have these bits. Text is
// UTF-8 and ends with a zero byte. Scores are hundredths of a disc for the side to move.
//
// Functions return OTHELLO_STATUS_OK or an error; othello_last_error() returns its text. On an error a handle that was
// to be made is null, a count or length is 0, and nothing else has changed; after OTHELLO_STATUS_TOO_SMALL the count or
// length says how much room the answer needs. A null pointer with the capacity 0 asks for that, without a search. Null
// pointers are errors where nothing else is said. Other pointers must point to what the type says, and handles come
// from this library and are not used after they were freed. No panic of Rust crosses this border.
//
// A board may be read by several threads at a time; while one changes or frees it, no other may use it. An engine may
// be used by several: a search while another runs is refused with OTHELLO_STATUS_BUSY. Free it only when no other
// thread uses it.


#ifndef OTHELLO_H
#define OTHELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of a pass.
#define OTHELLO_PASS 64

// The number that stands for no move.
#define OTHELLO_NO_MOVE 255

// The side that begins.
#define OTHELLO_BLACK 0

// The other side.
#define OTHELLO_WHITE 1

// A text of 64 squares of X, O and - from a1 to h8, a space, and X or O for the side to move.
#define OTHELLO_TEXT_BOARD 0

// A text of the moves since the start, such as f5d6c3; -- is a pass.
#define OTHELLO_TEXT_MOVES 1

// A diagram of several lines.
#define OTHELLO_TEXT_DIAGRAM 2

// The result of a call.
typedef enum {
  // The call has done its work.
  OTHELLO_STATUS_OK,
  // A pointer is null.
  OTHELLO_STATUS_NULL,
  // A text is not UTF-8.
  OTHELLO_STATUS_UTF8,
  // A text is not of the expected form.
  OTHELLO_STATUS_TEXT,
  // A move is illegal.
  OTHELLO_STATUS_ILLEGAL_MOVE,
  // A square has discs of both colors.
  OTHELLO_STATUS_OVERLAP,
  // A number is out of its range.
  OTHELLO_STATUS_RANGE,
  // The memory for an answer is too small; the count or length says how much is needed.
  OTHELLO_STATUS_TOO_SMALL,
  // There is not enough memory.
  OTHELLO_STATUS_MEMORY,
  // The game is over, and has no move.
  OTHELLO_STATUS_GAME_OVER,
  // The engine is searching.
  OTHELLO_STATUS_BUSY,
  // A defect of the library. The engine of the call can only be freed.
  OTHELLO_STATUS_INTERNAL,
} OthelloStatus;

// A game in progress: a start and the moves since.
typedef struct OthelloBoard OthelloBoard;

// An engine.
typedef struct OthelloEngine OthelloEngine;

// A position with its properties by the rules.
typedef struct {
  // The black discs.
  uint64_t black;
  // The white discs.
  uint64_t white;
  // The squares where the side to move may play.
  uint64_t moves;
  // `OTHELLO_BLACK` or `OTHELLO_WHITE`.
  uint8_t to_move;
  // True if a pass is the only move.
  bool must_pass;
  // True if the game is over.
  bool is_over;
  // The discs of Black less those of White; empty squares count for the leader.
  int8_t score;
} OthelloPosition;

// A move and its value.
typedef struct {
  // The move.
  uint8_t mv;
  // True if the score is proven.
  bool exact;
  // The score for the side to move, in hundredths of a disc.
  int32_t score;
} OthelloValue;

// A move of a game and what it lost.
typedef struct {
  // The move.
  uint8_t mv;
  // The best move, or `OTHELLO_NO_MOVE` if it is not known.
  uint8_t best;
  // True if the score of the position is proven.
  bool exact;
  // The loss against the best move in hundredths of a disc, or -1 if it is not known.
  int32_t loss;
} OthelloLoss;

// Takes an event in JSON and what the caller has given; stops the search by returning anything but 0. It must not
// leave by longjmp or by an exception.
typedef int (*OthelloListener)(const char *event, void *data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes a board of 64 squares of X, O and - from a1 to h8 and X or O for the side to move; of the start if `board_text`
// is null.
OthelloStatus othello_board_new(const char *board_text,
                                OthelloBoard **board);

// Makes a board by playing moves such as f5d6c3 from the start. Passes may be left out.
OthelloStatus othello_board_from_moves(const char *moves, OthelloBoard **board);

// Makes a board of two sets of discs and the side to move, `OTHELLO_BLACK` or `OTHELLO_WHITE`.
OthelloStatus othello_board_from_discs(uint64_t black,
                                       uint64_t white,
                                       uint32_t to_move,
                                       OthelloBoard **board);

// Makes an independent copy.
OthelloStatus othello_board_copy(const OthelloBoard *board, OthelloBoard **copy);

// Frees a board, or does nothing if it is null.
void othello_board_free(OthelloBoard *board);

// Describes the position.
OthelloStatus othello_board_position(const OthelloBoard *board, OthelloPosition *position);

// Plays a move. An illegal one leaves the board unchanged.
OthelloStatus othello_board_play(OthelloBoard *board, uint32_t mv);

// Undoes the last move and reports it: `OTHELLO_NO_MOVE` at the start. `mv` may be null.
OthelloStatus othello_board_undo(OthelloBoard *board, uint8_t *mv);

// Writes the moves since the start.
OthelloStatus othello_board_moves(const OthelloBoard *board,
                                  uint8_t *moves,
                                  size_t capacity,
                                  size_t *count);

// Writes the board as text of a form, `OTHELLO_TEXT_BOARD`, `OTHELLO_TEXT_MOVES` or `OTHELLO_TEXT_DIAGRAM`; `length`
// includes the zero at the end.
OthelloStatus othello_board_text(const OthelloBoard *board,
                                 uint32_t form,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *length);

// Counts the leaves of the game tree at a depth; a pass is a ply. The time grows about tenfold with each ply.
OthelloStatus othello_board_perft(const OthelloBoard *board,
                                  uint32_t depth,
                                  uint64_t *leaves);

// Parses a move: a square such as f5, or pass, pa, ps or --.
OthelloStatus othello_move_parse(const char *move_text, uint8_t *mv);

// Makes an engine with 1 to 1024 threads and a transposition table of 1 to 65536 MiB.
OthelloStatus othello_engine_new(uint64_t threads, uint64_t hash_mib, OthelloEngine **engine);

// Frees an engine, or does nothing if it is null.
void othello_engine_free(OthelloEngine *engine);

// Makes the search that runs end with what it has found, from any thread; does nothing if none runs.
OthelloStatus othello_engine_stop(const OthelloEngine *engine);

// Chooses a move at a level from 1 to 60 or with a rating from 100 on, within a time in milliseconds, or both; 0 is no
// bound. Without any bound it takes a second.
OthelloStatus othello_engine_choose(const OthelloEngine *engine,
                                    const OthelloBoard *board,
                                    uint32_t level,
                                    uint64_t time_ms,
                                    OthelloValue *chosen);

// Values all moves, best first, to a depth from 1 to 60, within a time in milliseconds, or both; 0 is no bound.
// Without any bound it goes on until all values are exact or the search is stopped. In a game no position has more
// than 33 moves.
OthelloStatus othello_engine_hint(const OthelloEngine *engine,
                                  const OthelloBoard *board,
                                  uint32_t depth,
                                  uint64_t time_ms,
                                  OthelloValue *values,
                                  size_t capacity,
                                  size_t *count);

// Finds the exact score and a best move; a search that is stopped has a score that is not exact. The time grows about
// threefold with each empty square, and is seconds at 24.
OthelloStatus othello_engine_solve(const OthelloEngine *engine,
                                   const OthelloBoard *board,
                                   OthelloValue *solution);

// Finds what each move of the game lost. Positions with at most `exact_from` empty squares (0 to 60) are solved, the
// others searched to a depth from 2 to 60.
OthelloStatus othello_engine_analyze(const OthelloEngine *engine,
                                     const OthelloBoard *board,
                                     uint32_t depth,
                                     uint32_t exact_from,
                                     OthelloLoss *losses,
                                     size_t capacity,
                                     size_t *count);

// Carries out a request in JSON of docs/web.md, such as `{"call":"records","text":…}`, and gives each event to the
// listener; the last is the answer. An event `error` is no error of this call. `data` may be null.
OthelloStatus othello_engine_ask(const OthelloEngine *engine,
                                 const char *request,
                                 OthelloListener listener,
                                 void *data);

// Returns the text of the last error on this thread, which says what was expected; empty before the first one. It is
// valid until the next error on this thread or the thread's end.
const char *othello_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OTHELLO_H */
