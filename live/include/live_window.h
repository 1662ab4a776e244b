/* The force over displacement in a gnuplot window. gnuplot is a child process at the end of a pipe that never blocks: a frame that
 * does not fit is finished later and newer ones are dropped meanwhile; a gnuplot that died is no longer fed. */
#ifndef LIVE_WINDOW_H
#define LIVE_WINDOW_H

#include <sys/types.h>

#include "live_state.h"

/* Which of gnuplot's window terminals can be used here. CB_E_NOTFOUND says what is missing: gnuplot itself, a display, or a gnuplot
 * with windows. Takes a moment (it asks gnuplot), at most two seconds. */
CB_CHECKED cb_status live_window_find(const char **terminal, cb_err *err);

#define LIVE_WINDOW_FRAME 32768

typedef struct live_window {
  int pipe; /* -1: closed or dead */
  pid_t pid;
  char frame[LIVE_WINDOW_FRAME];
  size_t n, at; /* of the frame on its way; at == n: none */
  size_t n_dropped;
} live_window;

CB_CHECKED cb_status live_window_open(live_window *w, const char *terminal, cb_err *err);
/* Never waits. */
void live_window_draw(live_window *w, const live_state *s);
/* Ends gnuplot, by force if it does not go within 0.2 s. Harmless after a failed open. */
void live_window_close(live_window *w);

#endif
