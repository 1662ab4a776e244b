/* A technician at a terminal of 80 columns and 24 lines: questions are waited for and answered. */
#ifndef DIALOGUETEST_H
#define DIALOGUETEST_H

#include "daqtest.h"
#include "clitest.h"
#include "progtest.h"

#include "cb_columns.h"

#include <ctype.h>
#include <poll.h>
#include <sys/ioctl.h>

#define COLUMNS 80

typedef struct dialogue {
  dt_pty terminal;
  pid_t pid;
  size_t n, read; /* bytes said, and how many were waited for */
  char said[100000];
} dialogue;

static dialogue d;

static inline void begin(const char *const words[]) {
  const struct winsize size = {.ws_row = 24, .ws_col = COLUMNS};
  memset(&d, 0, sizeof d);
  dt_pty_open(&d.terminal); /* raw: nothing is echoed */
  assert_int_equal(ioctl(d.terminal.master, TIOCSWINSZ, &size), 0);
  assert_int_equal(setenv("TERM", "dumb", 1), 0); /* no picture of the run */
  d.pid = prog_start(words, d.terminal.slave, d.terminal.slave);
}

static inline bool listen_on(double within_s) {
  struct pollfd f = {.fd = d.terminal.master, .events = POLLIN};
  if (poll(&f, 1, (int)(1e3 * within_s)) <= 0) return false;
  ssize_t n = read(d.terminal.master, d.said + d.n, sizeof d.said - 1 - d.n);
  if (n <= 0) return false;
  for (const char *c = d.said + d.n; c < d.said + d.n + n; c++) assert_true(*c != '\x1b');
  d.n += (size_t)n;
  return true;
}

/* Lines break anywhere between words, also between Chinese letters: blanks of any kind are alike. */
static inline bool is_said(const char *at, const char *wanted, const char **end) {
  for (; *wanted; wanted++) {
    if ((unsigned char)*wanted >= 0x80 && strncmp(at, "\n  ", 3) == 0) at += 3;
    if (*wanted == ' ' && isspace((unsigned char)*at)) {
      while (isspace((unsigned char)*at)) at++;
    } else if (*at++ != *wanted) {
      return false;
    }
  }
  *end = at;
  return true;
}

static inline void await(const char *wanted) {
  const char *end;
  for (;;) {
    for (const char *at = d.said + d.read; *at; at++)
      if (is_said(at, wanted, &end)) {
        d.read = (size_t)(end - d.said);
        return;
      }
    if (!listen_on(CBT_HANG_S)) fail_msg("'%s' was not said, but: %s", wanted, d.said + d.read);
  }
}

static inline void answer(const char *question, const char *line) {
  await(question);
  while (d.n < 2 || strcmp(d.said + d.n - 2, ": ") != 0)
    if (!listen_on(CBT_HANG_S)) fail_msg("no question is open: %s", d.said);
  assert_int_equal(write(d.terminal.master, line, strlen(line)), (ssize_t)strlen(line));
  assert_int_equal(write(d.terminal.master, "\n", 1), 1);
  d.said[d.n++] = '\n'; /* what a terminal would show of it */
}

/* Waits for its end. No line was wider than the terminal. */
static inline void end(int code) {
  int status;
  while (waitpid(d.pid, &status, WNOHANG) == 0) (void)listen_on(0.1);
  while (listen_on(0)) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != code) fail_msg("%d: %s", status, d.said);
  size_t widest = 0;
  for (const char *at = d.said; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != '\0')) {
    const size_t columns = cb_columns(at, strcspn(at, "\r\n"));
    widest = columns > widest ? columns : widest;
  }
  if (widest >= COLUMNS) fail_msg("a line has %zu columns: %s", widest, d.said);
  dt_pty_close(&d.terminal);
}

#endif
