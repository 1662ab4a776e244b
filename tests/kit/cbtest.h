/* What the tests share: cmocka in its required order, a scratch folder, whole files, running the program with
 * exact exit code and both streams (progtest.h: while it runs), and skipping where measured data are not at
 * hand. */
#ifndef CBTEST_H
#define CBTEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cb_err.h"
#include "cb_file.h"

#define CBT_DATA CB_SOURCE_DIR "/../shared/data"

/* CB_OK, or the sentence that says why not. */
#define assert_ok(call)                                            \
  do {                                                             \
    cb_err cbt_err_ = {""};                                        \
    cb_err *err = &cbt_err_;                                       \
    cb_status cbt_st_ = (call);                                    \
    if (cbt_st_ != CB_OK) fail_msg("%s: %s", #call, cbt_err_.msg); \
  } while (0)

/* The status, and a sentence that contains the text. */
#define assert_fails(status, text, call)                                                    \
  do {                                                                                      \
    cb_err cbt_err_ = {""};                                                                 \
    cb_err *err = &cbt_err_;                                                                \
    cb_status cbt_st_ = (call);                                                             \
    if (cbt_st_ != (status))                                                                \
      fail_msg("%s: status %d, %d was wanted: %s", #call, cbt_st_, (status), cbt_err_.msg); \
    if (!strstr(cbt_err_.msg, (text)))                                                      \
      fail_msg("%s: the sentence is '%s', without '%s'", #call, cbt_err_.msg, (text));      \
  } while (0)

#define assert_near(a, b, tolerance)                                          \
  do {                                                                        \
    double cbt_a_ = (a), cbt_b_ = (b), cbt_t_ = (tolerance);                  \
    if (!(fabs(cbt_a_ - cbt_b_) <= cbt_t_))                                   \
      fail_msg("%s = %.17g, wanted %.17g +- %g", #a, cbt_a_, cbt_b_, cbt_t_); \
  } while (0)

/* A fresh folder under $TMPDIR or /tmp, for tests that need more than cbt_folder. */
static inline char *cbt_scratch(char out[256]) {
  const char *base = getenv("TMPDIR");
  (void)snprintf(out, 256, "%s/clothbench-test-XXXXXX", base && base[0] ? base : "/tmp");
  if (!mkdtemp(out)) fail_msg("cannot make a scratch folder %s", out);
  return out;
}

static inline void cbt_remove(const char *folder) {
  char command[400];
  (void)snprintf(command, sizeof command, "rm -rf -- '%s'", folder);
  if (system(command) != 0) fail_msg("cannot remove %s", folder);
}

/* A fresh folder as cmocka's set-up and tear-down; also called by those of a test's own. */
static char cbt_folder[256];

static inline int cbt_folder_set_up(void **state) {
  (void)state;
  cbt_scratch(cbt_folder);
  return 0;
}

static inline int cbt_folder_tear_down(void **state) {
  (void)state;
  cbt_remove(cbt_folder);
  return 0;
}

/* The same for tests whose state is on the heap. */
static inline int cbt_state_tear_down(void **state) {
  free(*state);
  return cbt_folder_tear_down(state);
}

/* Returns out: the path of what has this name in the folder. */
static inline char *cbt_path(const char *name, char out[400]) {
  (void)snprintf(out, 400, "%s/%s", cbt_folder, name);
  return out;
}

/* A whole file, ended with a NUL; caller frees. (Inlined, gcc 12 takes what strstr() finds in it for a
 * pointer into this frame.) */
__attribute__((noinline, unused)) static char *cbt_read(const char *path) {
  char *text = NULL;
  size_t n;
  assert_ok(cb_file_read(path, 1 << 30, &text, &n, err));
  return text;
}

/* In order, the first place of each first text gets the second, or the test fails. Caller frees. */
static inline char *cbt_replace(const char *text, const char *const pairs[][2], size_t n_pairs) {
  char *out = strdup(text);
  for (size_t i = 0; i < n_pairs; i++) {
    char *old = out, *at = strstr(old, pairs[i][0]);
    if (!at) fail_msg("'%s' is not there to be replaced", pairs[i][0]);
    size_t size = strlen(old) + strlen(pairs[i][1]) + 1;
    out = malloc(size);
    assert_non_null(out);
    (void)snprintf(out, size, "%.*s%s%s", (int)(at - old), old, pairs[i][1], at + strlen(pairs[i][0]));
    free(old);
  }
  return out;
}

static inline void cbt_write(const char *path, const char *text) {
  assert_ok(cb_file_write(path, text, strlen(text), err));
}

typedef struct cbt_result {
  int code;
  char out[65536], err[8192];
} cbt_result;

/* Runs "CB_EXE arguments" in a shell, in the folder. */
static inline void cbt_run(cbt_result *r, const char *folder, const char *arguments) {
  char command[4096], path[300];
  (void)snprintf(command, sizeof command, "cd '%s' && '%s' %s </dev/null >.out 2>.err", folder, CB_EXE,
                 arguments);
  int status = system(command);
  r->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const char *names[] = {".out", ".err"};
  char *to[] = {r->out, r->err};
  size_t sizes[] = {sizeof r->out, sizeof r->err};
  for (int i = 0; i < 2; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(to[i], 1, sizes[i] - 1, f) : 0;
    to[i][n] = '\0';
    if (f) fclose(f);
  }
}

/* ---- a busy machine ---- */

/* Who waits longer than this waits for what does not come. */
#define CBT_HANG_S 600

static inline double cbt_clock_s(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How many times as long as on an idle machine a work takes now: 1 or more. A limit of the wall clock is
 * multiplied by it. It takes 40 ms of the processor, which is what a test's program computes between two
 * words, and is at its most since the test began. */
static inline double cbt_patience(void) {
  static double most = 1;
  const double work_s = 0.04, cpu_s = cbt_clock_s(CLOCK_THREAD_CPUTIME_ID),
               wall_s = cbt_clock_s(CLOCK_MONOTONIC);
  while (cbt_clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu_s < work_s) continue;
  const double ratio = (cbt_clock_s(CLOCK_MONOTONIC) - wall_s) / work_s;
  /* One look may meet a quiet moment: a machine that is busy at all gets three times as much. */
  if (ratio > 1.5) most = fmax(most, 3 * ratio);
  return most;
}

/* True, after saying so, where the file of measured data is absent. */
static inline int cbt_absent(const char *path) {
  if (access(path, R_OK) == 0) return 0;
  print_message("skipped: %s is not here\n", path);
  return 1;
}

#endif
