/* Single keys of the terminal on standard input, as they are typed and without an echo. */
#ifndef LIVE_KEYS_H
#define LIVE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "cb_err.h"

/* A key is a byte as it was typed, or one of these. */
enum { LIVE_KEY_NONE = 0, LIVE_KEY_LEFT = 256, LIVE_KEY_RIGHT, LIVE_KEY_OTHER };

typedef struct live_keys {
  bool raw; /* the terminal's mode was changed: before is what it was */
  struct termios before;
  char typed[16]; /* the beginning of an arrow's bytes */
  size_t n;
  double since_s; /* monotonic: of the first of them */
} live_keys;

/* Returns true where standard input is a terminal, and this program has it. */
bool live_keys_can(void);
/* From now on a key comes at once, and none of them is a signal: Ctrl-C and Ctrl-Z are keys. The caller calls
 * live_keys_end, also after a failure, or the terminal stays so. CB_E_IO. */
CB_CHECKED cb_status live_keys_begin(live_keys *k, cb_err *err);
void live_keys_end(live_keys *k);
/* Takes the next key, LIVE_KEY_NONE where none waits. It never waits. CB_E_STOPPED: the terminal is gone, or
 * another job has it. */
CB_CHECKED cb_status live_keys_next(live_keys *k, int *key, cb_err *err);

#endif
