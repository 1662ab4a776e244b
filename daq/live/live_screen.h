/* The picture of a campaign as lines of text. Pure: it depends on state, time and look only. */
#ifndef LIVE_SCREEN_H
#define LIVE_SCREEN_H

#include "live_state.h"

#define LIVE_MAX_LINES 13
#define LIVE_FRAME_SIZE 8192

typedef struct live_look {
  int columns, rows; /* of the terminal; lines are cut to columns - 1, so that none wraps */
  bool utf8, color;
} live_look;

typedef struct live_frame {
  size_t n_lines;
  int width[LIVE_MAX_LINES];  /* columns of each line */
  char text[LIVE_FRAME_SIZE]; /* every line ends in "\n" */
  size_t n;
} live_frame;

/* Draws the picture. now_s is monotonic wall time without pauses, as in live_state.h. */
void live_screen_draw(const live_state *s, double now_s, const live_look *look, live_frame *out);
/* Lines of text, each ending in "\n", as a frame: cut to the terminal, at most LIVE_MAX_LINES of them. */
void live_screen_words(const char *text, const live_look *look, live_frame *out);

/* A frame on a terminal, drawn over the one before. */

typedef struct live_terminal {
  int fd; /* -1: none */
  bool utf8, color;
  live_frame frame; /* what stands on the screen; n_lines = 0: nothing of ours */
} live_terminal;

/* Dropped where the terminal does not take it now (stopped with Ctrl-S) or another job has it. */
void live_terminal_draw(live_terminal *t, const live_state *s, double now_s);
void live_terminal_words(live_terminal *t, const char *text);
/* What stands there stays; the next frame begins below. */
void live_terminal_leave(live_terminal *t);

#endif
