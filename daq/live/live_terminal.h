/* Private to live: a frame on a terminal, drawn over the one before. */
#ifndef LIVE_TERMINAL_H
#define LIVE_TERMINAL_H

#include "live_screen.h"

typedef struct live_terminal {
  int fd; /* -1: none */
  bool utf8, color;
  live_frame frame; /* what stands on the screen; n_lines = 0: nothing of ours */
} live_terminal;

/* Dropped where the terminal does not take it now (stopped with Ctrl-S) or another job has it. */
void live_terminal_draw(live_terminal *t, const live_state *s, double now_s);
/* What stands there stays; the next frame begins below. */
void live_terminal_leave(live_terminal *t);

#endif
