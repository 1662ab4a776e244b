/* The program as a process beside the test, in cbt_folder: started, listened to, ended. */
#ifndef PROGTEST_H
#define PROGTEST_H

#include <fcntl.h>
#include <stdbool.h>

#include "cb_time.h"
#include "cbtest.h"

/* Cuts a command line at its blanks, for prog_start. */
static inline void prog_cut(char *line, const char *words[32]) {
  for (size_t i = 0; (words[i] = strsep(&line, " ")); i++) assert_true(i < 30);
}

/* The words of its command line, NULL at the end. Its standard input, output and error are these, -1:
 * nothing, nowhere and the file .err. */
static inline pid_t prog_start_to(const char *const words[], int in, int out, int err) {
  char *argv[32] = {"clothbench"}, path[400];
  for (size_t i = 0; words[i]; i++) {
    assert_true(i < 30);
    argv[i + 1] = (char *)(uintptr_t)words[i];
  }
  (void)unlink(cbt_path(".err", path)); /* what another one has said */
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid > 0) return pid;
  if (chdir(cbt_folder) != 0) _exit(126);
  int null = open("/dev/null", O_RDWR), said = open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(in < 0 ? null : in, 0) < 0 || dup2(out < 0 ? null : out, 1) < 0 ||
      dup2(err < 0 ? said : err, 2) < 0)
    _exit(126);
  execv(CB_EXE, argv);
  _exit(127);
}

static inline pid_t prog_start(const char *const words[], int in, int err) {
  return prog_start_to(words, in, -1, err);
}

/* What it has said on its standard error so far; NULL: there is no such file yet. Caller frees. */
static inline char *prog_words(void) {
  char path[400], *text = NULL;
  size_t n;
  return cb_file_read(cbt_path(".err", path), 1 << 20, &text, &n, NULL) == CB_OK ? text : NULL;
}

static inline bool prog_said(const char *wanted) {
  char *text = prog_words();
  bool found = text && strstr(text, wanted);
  free(text);
  return found;
}

static inline void prog_expect(const char *wanted) {
  if (!prog_said(wanted)) fail_msg("'%s' was not said, but: %s", wanted, prog_words());
}

/* within_s: on an idle machine. */
static inline void prog_await(const char *wanted, double within_s) {
  double deadline_s = cb_now_monotonic_s() + within_s * cbt_patience();
  while (!prog_said(wanted)) {
    if (cb_now_monotonic_s() > deadline_s) fail_msg("'%s' was not said within %g s", wanted, within_s);
    cb_sleep_s(0.01);
  }
}

/* Waits for its end: the exit code. */
static inline int prog_end(pid_t pid) {
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

#endif
