/* A person at the program's terminal: reads what it says on standard error, and types. */
#ifndef PERSONTEST_H
#define PERSONTEST_H

#include "daqtest.h"
#include "progtest.h"

#define PERSON_BYTES 4000000

typedef struct person {
  dt_pty terminal; /* the program's standard input; raw */
  int words;       /* what it says */
  pid_t pid;
  size_t n, read;          /* bytes said, and how many of them were waited for */
  char said[PERSON_BYTES]; /* text */
} person;

static inline void person_start(person *p, const char *const words[]) {
  int ends[2];
  memset(p, 0, sizeof *p);
  dt_pty_open(&p->terminal);
  assert_int_equal(pipe(ends), 0);
  for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  p->words = ends[0];
  p->pid = prog_start(words, p->terminal.slave, ends[1]);
  close(ends[1]);
}

/* False: it says no more, or nothing came in time. */
static inline bool person_listen(person *p, double within_s) {
  struct pollfd f = {.fd = p->words, .events = POLLIN};
  if (poll(&f, 1, (int)(1e3 * within_s)) <= 0 || p->n + 1 >= sizeof p->said) return false;
  ssize_t n = read(p->words, p->said + p->n, sizeof p->said - 1 - p->n);
  if (n <= 0) return false;
  p->n += (size_t)n;
  p->said[p->n] = '\0';
  return true;
}

/* Reads on until the text came, which must be new. */
static inline void person_await(person *p, const char *wanted) {
  char *at;
  while (!(at = strstr(p->said + p->read, wanted)))
    if (!person_listen(p, CBT_HANG_S)) fail_msg("'%s' was not said, but: %s", wanted, p->said + p->read);
  p->read = (size_t)(at - p->said) + strlen(wanted);
}

static inline void person_type(const person *p, const char *bytes, size_t n) {
  for (size_t at = 0; at < n;) {
    ssize_t put = write(p->terminal.master, bytes + at, n - at);
    if (put <= 0) fail_msg("write: %s", strerror(errno));
    at += (size_t)put;
  }
}

/* Waits for its end: the exit code; everything that it said is in p->said. */
static inline int person_end(person *p) {
  while (person_listen(p, CBT_HANG_S)) continue;
  close(p->words);
  dt_pty_close(&p->terminal);
  return prog_end(p->pid);
}

#endif
