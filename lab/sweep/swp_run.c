#include "swp_run_impl.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_UP_MS 50 /* for the wish to stop */

typedef struct pool {
  const swp_work *work;
  swp_child *child;  /* jobs of them */
  struct pollfd *fd; /* two per child */
  int next;          /* case to begin */
  int running;
} pool;

static bool is_over(const swp_child *c) { return c->pid > 0 && c->out.fd < 0 && c->err.fd < 0; }

static cb_status start_free_ones(pool *p, cb_err *err) {
  for (int i = 0; i < p->work->jobs && p->next < p->work->n_cases; i++) {
    if (p->child[i].pid > 0) continue;
    CB_TRY(swp_child_start(p->work, p->work->cases[p->next], &p->child[i], err));
    p->next++;
    p->running++;
  }
  return CB_OK;
}

static cb_status read_all(pool *p, cb_err *err) {
  const int n = 2 * p->work->jobs;
  for (int i = 0; i < n; i++) {
    const swp_child *c = &p->child[i / 2];
    p->fd[i] = (struct pollfd){.fd = c->pid > 0 ? (i % 2 ? c->err.fd : c->out.fd) : -1, .events = POLLIN};
  }
  if (poll(p->fd, (nfds_t)n, LOOK_UP_MS) < 0) {
    if (errno == EINTR) return CB_OK;
    return cb_fail(err, CB_E_IO, "poll: %s", strerror(errno));
  }
  for (int i = 0; i < n; i++) {
    swp_child *c = &p->child[i / 2];
    if (p->fd[i].revents) CB_TRY(swp_pipe_read(i % 2 ? &c->err : &c->out, err));
  }
  return CB_OK;
}

static cb_status take_ended(pool *p, cb_err *err) {
  for (int i = 0; i < p->work->jobs; i++) {
    swp_outcome outcome;
    int status;
    if (!is_over(&p->child[i])) continue;
    swp_child_end(p->work, &p->child[i], &status, &outcome);
    p->running--;
    CB_TRY(p->work->take(p->work->context, &outcome, err));
  }
  return CB_OK;
}

static cb_status play_all(pool *p, cb_err *err) {
  while (p->next < p->work->n_cases || p->running > 0) {
    CB_TRY(cb_stop_check(p->work->stop, err));
    CB_TRY(start_free_ones(p, err));
    CB_TRY(read_all(p, err));
    CB_TRY(take_ended(p, err));
  }
  return CB_OK;
}

cb_status swp_run(const swp_work *work, cb_err *err) {
  pool p = {.work = work,
            .child = calloc((size_t)work->jobs, sizeof *p.child),
            .fd = calloc(2 * (size_t)work->jobs, sizeof *p.fd)};
  const cb_status st =
      p.child && p.fd ? play_all(&p, err) : cb_no_memory(err, "%d cases at once", work->jobs);
  for (int i = 0; p.child && i < work->jobs; i++) swp_child_kill(work, &p.child[i]);
  free(p.child);
  free(p.fd);
  return st;
}
