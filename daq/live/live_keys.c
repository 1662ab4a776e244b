#include "live_keys.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "cb_time.h"

#define ESC '\033'
#define ALONE_S 0.02 /* an arrow's bytes come together; what comes alone is the key Esc */

/* -1: not our controlling terminal, so nobody else's job is on it either. */
static bool has_terminal(void) {
  const pid_t owner = tcgetpgrp(STDIN_FILENO);
  return owner < 0 || owner == getpgrp();
}

bool live_keys_can(void) { return isatty(STDIN_FILENO) && has_terminal(); }

cb_status live_keys_begin(live_keys *k, cb_err *err) {
  *k = (live_keys){.n = 0};
  if (tcgetattr(STDIN_FILENO, &k->before) != 0)
    return cb_fail(err, CB_E_IO, "the terminal cannot be asked for its mode: %s", strerror(errno));
  struct termios t = k->before;
  t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
  t.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR);
  t.c_cc[VMIN] = 1;
  t.c_cc[VTIME] = 0;
  k->raw = tcsetattr(STDIN_FILENO, TCSAFLUSH, &t) == 0; /* what was typed before is no key */
  return k->raw ? CB_OK : cb_fail(err, CB_E_IO, "the terminal's mode cannot be set: %s", strerror(errno));
}

void live_keys_end(live_keys *k) {
  if (k->raw && has_terminal()) (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &k->before);
  k->raw = false;
}

static cb_status read_more(live_keys *k, cb_err *err) {
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  if (!has_terminal()) return cb_fail(err, CB_E_STOPPED, "stopped: another job has the terminal");
  if (k->n == sizeof k->typed || poll(&p, 1, 0) <= 0) return CB_OK;
  const ssize_t n = read(STDIN_FILENO, k->typed + k->n, sizeof k->typed - k->n);
  if (n <= 0) return cb_fail(err, CB_E_STOPPED, "stopped: the terminal is gone");
  if (k->n == 0) k->since_s = cb_now_monotonic_s();
  k->n += (size_t)n;
  return CB_OK;
}

/* How many of the bytes are the first key; 0: its end has not come. */
static size_t first_key(const live_keys *k) {
  if (k->n == 0) return 0;
  if (k->typed[0] != ESC) return 1;
  if (k->n > 1 && k->typed[1] != '[' && k->typed[1] != 'O') return 1;
  for (size_t i = 2; i < k->n; i++)
    if (k->typed[i] >= '@' && k->typed[i] <= '~') return i + 1;
  const bool late = cb_now_monotonic_s() - k->since_s > ALONE_S || k->n == sizeof k->typed;
  return late ? k->n : 0;
}

static int key_of(const char *typed, size_t n) {
  if (n == 3 && typed[2] == 'C') return LIVE_KEY_RIGHT;
  if (n == 3 && typed[2] == 'D') return LIVE_KEY_LEFT;
  return n == 1 && typed[0] != ESC && typed[0] ? (unsigned char)typed[0] : LIVE_KEY_OTHER;
}

cb_status live_keys_next(live_keys *k, int *key, cb_err *err) {
  size_t n = first_key(k);
  *key = LIVE_KEY_NONE;
  if (n == 0) {
    CB_TRY(read_more(k, err));
    n = first_key(k);
  }
  if (n == 0) return CB_OK;
  *key = key_of(k->typed, n);
  k->n -= n;
  memmove(k->typed, k->typed + n, k->n);
  return CB_OK;
}
