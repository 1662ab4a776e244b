/* The force over displacement in a gnuplot window. gnuplot is a child process at the end of a pipe that never
 * blocks. A frame that does not fit is finished later, and newer ones are dropped meanwhile. A gnuplot that
 * died gets no more frames. */
#ifndef LIVE_WINDOW_H
#define LIVE_WINDOW_H

#include <sys/types.h>

#include "live_state.h"

#define LIVE_WINDOW_FRAME 32768

typedef struct live_window {
  int pipe; /* -1: closed or dead */
  pid_t pid;
  char frame[LIVE_WINDOW_FRAME];
  size_t n, at; /* of the frame being sent; at == n: none */
  size_t n_dropped;
} live_window;

/* Starts gnuplot. The caller calls live_window_close, also after a failure.
 * CB_E_NOTFOUND: gnuplot is not installed. CB_E_IO. */
CB_CHECKED cb_status live_window_open(live_window *w, const char *terminal, cb_err *err);
/* Sends the present picture, or drops it. Never waits. */
void live_window_draw(live_window *w, const live_state *s);
/* Ends gnuplot, by force after 0.2 s. Allowed after a failed open. */
void live_window_close(live_window *w);

#endif
