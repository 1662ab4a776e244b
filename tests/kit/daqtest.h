/* What the daq tests share: pseudo-terminals, and an instrument that plays a script on one: it wants exactly
 * these lines, in this order and nothing else, and answers what the script says. */
#ifndef DAQTEST_H
#define DAQTEST_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* posix_openpt; include this header first */
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <termios.h>

#include "cb_store.h"
#include "cbtest.h"
#include "daq_latency.h"

typedef struct dt_pty {
  int master, slave; /* slave: kept open and raw, so that nothing is echoed or lost before the program opens
                        it */
  char name[64];
} dt_pty;

static inline void dt_pty_open(dt_pty *p) {
  p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (p->master < 0 || grantpt(p->master) != 0 || unlockpt(p->master) != 0)
    fail_msg("no pseudo-terminal: %s", strerror(errno));
  (void)snprintf(p->name, sizeof p->name, "%s", ptsname(p->master));
  p->slave = open(p->name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct termios t;
  if (p->slave < 0 || tcgetattr(p->slave, &t) != 0) fail_msg("%s: %s", p->name, strerror(errno));
  t.c_iflag = t.c_oflag = t.c_lflag = 0;
  if (tcsetattr(p->slave, TCSANOW, &t) != 0) fail_msg("%s: %s", p->name, strerror(errno));
}

static inline void dt_pty_close(dt_pty *p) {
  if (p->slave >= 0) close(p->slave);
  if (p->master >= 0) close(p->master);
  p->slave = p->master = -1;
}

/* The cable is pulled. */
static inline void dt_pty_unplug(dt_pty *p) {
  close(p->master);
  p->master = -1;
}

static inline void dt_send(const dt_pty *p, const char *text) {
  size_t n = strlen(text);
  if (write(p->master, text, n) != (ssize_t)n) fail_msg("%s: write: %s", p->name, strerror(errno));
}

typedef struct dt_step {
  const char *wanted; /* a line without its line feed; in a script of bytes: exactly these */
  const char *answer; /* as sent; NULL: silence */
} dt_step;

typedef struct dt_script {
  dt_pty pty;
  const dt_step *steps;
  size_t n;
  bool bytes; /* the protocol knows no lines */
  bool hex;   /* nor texts: the steps are bytes as "43 04 01" */
  atomic_bool over;
  char complaint[400];
  pthread_t thread;
} dt_script;

/* One byte, or -1 once the script is over and nothing is left. */
static inline int dt_next_byte(dt_script *s) {
  for (;;) {
    struct pollfd p = {.fd = s->pty.master, .events = POLLIN};
    bool over = atomic_load(&s->over);
    unsigned char c;
    if (poll(&p, 1, 5) > 0 && read(s->pty.master, &c, 1) == 1) return c;
    if (over) return -1;
  }
}

static inline size_t dt_from_hex(const char *hex, char *bytes) {
  size_t n = 0;
  for (; *hex; hex += hex[2] ? 3 : 2) bytes[n++] = (char)strtol(hex, NULL, 16);
  return n;
}

/* What the next step is compared with: a line, or as many bytes as it wants. False: the script is over. */
static inline bool dt_next_piece(dt_script *s, const char *wanted, char *piece, size_t size) {
  int hex = 0;
  piece[0] = '\0';
  for (size_t at = 0; s->hex && at < strlen(wanted) && hex >= 0; at += 3)
    if ((hex = dt_next_byte(s)) >= 0)
      (void)snprintf(piece + at - (at > 0), 4, at ? " %02X" : "%02X", (unsigned)hex);
  if (s->hex) return piece[0];
  size_t n = 0, most = s->bytes && strlen(wanted) < size - 1 ? strlen(wanted) : size - 1;
  int c = 0;
  while (n < most && (c = dt_next_byte(s)) >= 0 && (s->bytes || c != '\n')) piece[n++] = (char)c;
  piece[n] = '\0';
  return c >= 0 || n > 0;
}

static inline void *dt_play(void *context) {
  dt_script *s = context;
  char line[128];
  daq_latency_prefer(); /* an instrument does not wait for a processor */
  for (size_t step = 0;; step++) {
    const char *wanted = step < s->n ? s->steps[step].wanted : "(nothing more)";
    if (!dt_next_piece(s, wanted, line, sizeof line) && step == s->n) return NULL;
    if (strcmp(line, wanted) != 0) {
      (void)snprintf(s->complaint, sizeof s->complaint, "line %zu: got '%s', wanted '%s'", step + 1, line,
                     wanted);
      return NULL;
    }
    const char *answer = s->steps[step].answer;
    char raw[256];
    size_t n = answer ? strlen(answer) : 0;
    if (answer && s->hex) n = dt_from_hex(answer, raw);
    if (answer && write(s->pty.master, s->hex ? raw : answer, n) < 0) return NULL;
  }
}

/* kind: 0 lines, 1 bytes as text, 2 bytes as "43 04 01". */
static inline void dt_script_start_as(dt_script *s, const dt_step *steps, size_t n, int kind) {
  memset(s, 0, sizeof *s);
  s->bytes = kind > 0;
  s->hex = kind > 1;
  dt_pty_open(&s->pty);
  s->steps = steps;
  s->n = n;
  if (pthread_create(&s->thread, NULL, dt_play, s) != 0) fail_msg("no thread");
}

static inline void dt_script_start(dt_script *s, const dt_step *steps, size_t n) {
  dt_script_start_as(s, steps, n, 0);
}
static inline void dt_script_start_bytes(dt_script *s, const dt_step *steps, size_t n) {
  dt_script_start_as(s, steps, n, 1);
}

/* Fails unless the whole script was played and nothing else came. */
static inline void dt_script_end(dt_script *s) {
  atomic_store(&s->over, true);
  pthread_join(s->thread, NULL);
  dt_pty_close(&s->pty);
  if (s->complaint[0]) fail_msg("%s", s->complaint);
}

/* The runs with this status, -1: any. Caller frees the list. */
static inline size_t dt_runs(cb_store *s, int status, cb_run **list) {
  cb_run_filter filter = cb_run_filter_all();
  size_t n;
  filter.status = status;
  assert_ok(cb_store_runs(s, &filter, list, &n, err));
  return n;
}

/* The rig file rigs/NAME with texts replaced by others (cbt_replace), written to path. */
static inline void dt_rig_from(const char *name, const char *path, const char *const pairs[][2],
                               size_t n_pairs) {
  char from[400];
  (void)snprintf(from, sizeof from, CB_SOURCE_DIR "/rigs/%s", name);
  char *text = cbt_read(from), *edited = cbt_replace(text, pairs, n_pairs);
  cbt_write(path, edited);
  free(edited);
  free(text);
}

static inline void dt_rig_with(const char *path, const char *const pairs[][2], size_t n_pairs) {
  dt_rig_from("virtual.yaml", path, pairs, n_pairs);
}

/* ... and on these ports. */
static inline void dt_rig_on(const char *path, const char *stage_port, const char *force_port,
                             const char *const pairs[][2], size_t n_pairs) {
  char stage[400], force[400];
  const char *all[16][2] = {{"port: virtual", stage}, {"port: virtual", force}};
  assert_true(n_pairs <= 14);
  (void)snprintf(stage, sizeof stage, "port: %s", stage_port);
  (void)snprintf(force, sizeof force, "port: %s", force_port);
  for (size_t i = 0; i < n_pairs; i++) all[i + 2][0] = pairs[i][0], all[i + 2][1] = pairs[i][1];
  dt_rig_with(path, (const char *const(*)[2])all, n_pairs + 2);
}

#endif
