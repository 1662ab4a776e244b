#include "cli_person.h"

#include <ctype.h>
#include <math.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cb_text.h"
#include "cb_language.h"
#include "cb_time.h"
#include "cli.h"
#include "cb_signals.h"

/* ---- what was typed ---- */

/* A line as it came, without its line feed: how many bytes, and the first of them. */
typedef struct typed {
  char *text; /* ends in a NUL of its own */
  size_t size, n;
  bool nul; /* one of the bytes is NUL */
  bool tab; /* it ended by a tab */
} typed;

/* The next byte; waits in short turns: a signal that comes just before the wait must end it too. */
static cb_status next_byte(char *c, cb_err *err) {
  const cb_stop *stop = cb_signals_wish();
  while (!cb_stop_wanted(stop)) {
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&p, 1, 100) <= 0) continue;
    if (read(STDIN_FILENO, c, 1) == 1) return CB_OK;
    if (!cb_stop_wanted(stop)) return cb_fail(err, CB_E_STOPPED, "stopped: standard input has ended");
  }
  return cb_stop_check(stop, err);
}

/* A terminal hands over a line; by default a tab is a part of it. Returns false where there is no terminal.
 */
static bool end_by_tab(cc_t from, cc_t to) {
  struct termios tio;
  if (tcgetattr(STDIN_FILENO, &tio) != 0) return false;
  if (tio.c_cc[VEOL] != from) return true;
  tio.c_cc[VEOL] = to;
  (void)tcsetattr(STDIN_FILENO, TCSANOW, &tio);
  return true;
}

void cli_person_leave(void) { (void)end_by_tab('\t', _POSIX_VDISABLE); }

static cb_status read_line(typed *t, cb_err *err) {
  char c = 0;
  const bool tabs = end_by_tab(_POSIX_VDISABLE, '\t');
  t->n = 0;
  t->nul = t->tab = false;
  for (;;) {
    CB_TRY(next_byte(&c, err));
    t->tab = tabs && c == '\t';
    if (t->tab) fputc('\n', stderr);
    if (c == '\n' || t->tab) break;
    if (t->n + 1 < t->size) t->text[t->n] = c;
    t->nul |= c == '\0';
    t->n++;
  }
  t->text[t->n + 1 < t->size ? t->n : t->size - 1] = '\0';
  return CB_OK;
}

static bool was_cut(const typed *t) { return t->n + 1 > t->size; }

/* ---- answers ---- */

static void trim(char *text) {
  size_t n = strlen(text), lead = strspn(text, " \t\r");
  while (n > lead && isspace((unsigned char)text[n - 1])) n--;
  memmove(text, text + lead, n - lead);
  text[n - lead] = '\0';
}

cb_status cli_person_line(char *out, size_t size, bool *whole, cb_err *err) {
  typed t = {.text = out, .size = size};
  CB_TRY(read_line(&t, err));
  *whole = !was_cut(&t) && !t.nul;
  trim(out);
  return CB_OK;
}

/* ---- before motion ---- */

#define SHOWN_BYTES 64
#define PASTE_S                                                                              \
  0.2 /* nobody reads a refusal and presses Enter within; what was pasted may come in pieces \
         \ */

/* Enter alone; a serial console may send CR LF for it. */
static bool is_empty(const typed *t) { return !t->tab && (t->n == 0 || (t->n == 1 && t->text[0] == '\r')); }

static void say_refused(const typed *t) {
  char shown[4 * SHOWN_BYTES + 1] = "", text[sizeof shown + 300];
  size_t kept = t->n + 1 < t->size ? t->n : t->size - 1, at = 0;
  /* Up to a NUL, the NUL, and on. */
  for (size_t i = 0; i < kept; i += strlen(t->text + i) + 1) {
    at += strlen(cb_text_show(t->text + i, shown + at, sizeof shown - at));
    if (i + strlen(t->text + i) < kept) at += (size_t)snprintf(shown + at, sizeof shown - at, "\\x00");
  }
  (void)snprintf(text, sizeof text,
                 _("'%s%s' was typed and is kept nowhere: Enter alone, on an empty line, was wanted; nothing "
                   "moves before it.\n"),
                 shown, was_cut(t) ? "..." : "");
  cli_wrap(stderr, text);
}

/* The key that the line is, of those; 0: none. */
static char key_of(const typed *t, const char *keys) {
  const bool one = t->n == 1 || (t->n == 2 && t->text[1] == '\r');
  return one && t->text[0] && strchr(keys, t->text[0]) ? t->text[0] : '\0';
}

/* Whether a scanner typed it. */
static bool is_scanned(const cli_person_scan *scan, const typed *t) {
  char out[512], name[SHOWN_BYTES + 1], sentence[520];
  if (!scan || was_cut(t) || t->nul) return false;
  memcpy(name, t->text, t->n + 1);
  trim(name);
  if (!scan->tell(scan->context, name, out)) return false;
  (void)snprintf(sentence, sizeof sentence, "%s.\n", out);
  cli_wrap(stderr, sentence);
  return true;
}

cb_status cli_person_key(const char *text, const char *keys, const cli_person_scan *scan, char *key,
                         cb_err *err) {
  char line[SHOWN_BYTES + 1];
  typed t = {.text = line, .size = sizeof line};
  cli_wrap(stderr, text);
  fputc('\n', stderr);
  for (double refused_s = -INFINITY;; refused_s = cb_now_monotonic_s()) {
    (void)tcflush(STDIN_FILENO, TCIFLUSH); /* of a pipe, it fails and does nothing */
    fputs(keys[0] ? _("Press Enter when that is done (? for help, Ctrl-C stops): ")
                  : _("Press Enter when that is done (Ctrl-C stops): "),
          stderr);
    cb_status st = read_line(&t, err);
    if (st != CB_OK) fputc('\n', stderr);
    if (st != CB_OK) return st;
    *key = key_of(&t, keys);
    if (*key) return CB_OK;
    if (!is_empty(&t)) {
      if (!is_scanned(scan, &t)) say_refused(&t);
    } else if (isatty(STDIN_FILENO) && cb_now_monotonic_s() < refused_s + PASTE_S)
      cli_wrap(
          stderr,
          _("An empty line right behind another one is taken for a part of it: Enter alone was wanted.\n"));
    else
      return CB_OK;
  }
}

cb_status cli_person_confirm(void *context, const char *text, cb_err *err) {
  char key;
  (void)context;
  return cli_person_key(text, "", NULL, &key, err);
}

/* ---- who ---- */

const char *cli_person_name(void) {
  const char *user = getenv("USER");
  const struct passwd *p = user && user[0] ? NULL : getpwuid(getuid());
  return user && user[0] ? user : p ? p->pw_name : "";
}
