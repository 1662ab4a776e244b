#include "live_screen.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Asked before every frame: no signal handler is needed for a terminal that changes its size. */
static live_look look_of(const live_terminal *t) {
  struct winsize size = {0};
  live_look look = {.columns = 80, .rows = 24, .utf8 = t->utf8, .color = t->color};
  if (ioctl(t->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    look.columns = size.ws_col;
    look.rows = size.ws_row;
  }
  return look;
}

static bool ready(const live_terminal *t) {
  struct pollfd p = {.fd = t->fd, .events = POLLOUT};
  pid_t owner = tcgetpgrp(t->fd);
  /* -1: not our controlling terminal, so nobody else's job is on it either. */
  return (owner < 0 || owner == getpgrp()) && poll(&p, 1, 0) == 1 && (p.revents & POLLOUT);
}

/* Lines that were drawn on a wider terminal wrap on a narrower one. */
static int rows_of(const live_frame *f, int columns) {
  int rows = 0;
  for (size_t i = 0; i < f->n_lines; i++)
    rows += f->width[i] > columns ? (f->width[i] + columns - 1) / columns : 1;
  return rows;
}

static void write_all(int fd, const char *text, size_t n) {
  while (n > 0) {
    ssize_t wrote = write(fd, text, n);
    if (wrote <= 0) return; /* a terminal that went away is no matter of the measurement */
    text += wrote;
    n -= (size_t)wrote;
  }
}

/* In place of the frame before, of which so many rows stand on the screen. */
static void put_frame(live_terminal *t, int rows_before) {
  char out[LIVE_FRAME_SIZE + 256];
  size_t n = 0;
  if (rows_before) n = (size_t)snprintf(out, sizeof out, "\r\033[%dA\033[J", rows_before);
  memcpy(out + n, t->frame.text, t->frame.n);
  write_all(t->fd, out, n + t->frame.n);
}

void live_terminal_draw(live_terminal *t, const live_state *s, double now_s) {
  if (t->fd < 0 || !ready(t)) return;
  const live_look look = look_of(t);
  const int rows = rows_of(&t->frame, look.columns);
  live_screen_draw(s, now_s, &look, &t->frame);
  put_frame(t, rows);
}

void live_terminal_words(live_terminal *t, const char *text) {
  if (t->fd < 0 || !ready(t)) return;
  const live_look look = look_of(t);
  const int rows = rows_of(&t->frame, look.columns);
  live_screen_words(text, &look, &t->frame);
  put_frame(t, rows);
}

void live_terminal_leave(live_terminal *t) { t->frame.n_lines = 0; }
