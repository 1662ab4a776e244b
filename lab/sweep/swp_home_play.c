/* A part of a sweep, played into its file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_time.h"
#include "swp_home_impl.h"
#include "swp_run_impl.h"

typedef struct playing {
  const swp_home *home;
  const swp_share *share;
  cb_sweep_file *file;
  swp_tally *tally;
  int total;
  char host[64];
} playing;

static cb_status keep_row(void *context, const swp_outcome *o, cb_err *err) {
  playing *p = context;
  const swp_plan *plan = &p->home->plan;
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  const char *variable[SWP_VARIABLES_MAX];
  swp_case_values(plan, o->index, value);
  for (size_t i = 0; i < plan->n_variables; i++) variable[i] = value[i];
  const cb_sweep_row row = {o->index,   o->failed, o->exit_code, o->sentence,
                            o->seconds, p->host,   variable,     o->figure};
  CB_TRY(cb_sweep_add(p->file, &row, err));
  *(o->failed ? &p->tally->failed : &p->tally->done) += 1;
  if (p->share->progress) p->share->progress(p->share->context, p->tally->done + p->tally->failed, p->total);
  return CB_OK;
}

/* Files of other parts of the same split have other cases, and need no look. */
static cb_status add_foreign_states(const swp_home *h, const char *path, void *context, cb_err *err) {
  const playing *p = ((void **)context)[0];
  char *state = ((void **)context)[1], split[32];
  const char *of = strstr(path, "-of-");
  cb_sweep_file *f;
  (void)snprintf(split, sizeof split, "-of-%d.db", p->share->n);
  if (of && strcmp(of, split) == 0) return CB_OK;
  if (cb_sweep_read(path, &h->head, &f, NULL) != CB_OK) return CB_OK; /* its cases are played again */
  const cb_status st = cb_sweep_states(f, state, err);
  cb_sweep_close(f);
  return st;
}

static cb_status list_missing(playing *p, int *cases, int *n, cb_err *err) {
  const int n_cases = p->home->plan.n_cases;
  char *state = malloc((size_t)n_cases);
  if (!state) return cb_no_memory(err, "%d cases", n_cases);
  void *both[] = {p, state};
  memset(state, ' ', (size_t)n_cases);
  cb_status st = cb_sweep_states(p->file, state, err);
  if (st == CB_OK) st = swp_home_each_file(p->home, add_foreign_states, both, err);
  *n = 0;
  for (int i = p->share->k - 1; st == CB_OK && i < n_cases; i += p->share->n) {
    if (state[i] == ' ')
      cases[(*n)++] = i;
    else
      p->tally->there++;
  }
  free(state);
  return st;
}

static cb_status play_missing(playing *p, int *cases, cb_err *err) {
  char keep[SWP_HOME_BYTES + 64];
  int n;
  CB_TRY(list_missing(p, cases, &n, err));
  p->total = n;
  if (p->share->progress) p->share->progress(p->share->context, 0, n);
  const swp_work work = {
      &p->home->plan, p->share->play, cases, n, p->share->jobs, swp_home_path(p->home, "cases", keep),
      p->share->stop, keep_row,       p};
  return swp_run(&work, err);
}

static cb_status open_part(playing *p, const char *path, cb_err *err) {
  for (;;) {
    const cb_status st = cb_sweep_open(path, &p->home->head, &p->file, err);
    if (st != CB_E_TIMEOUT || !p->share->waits) return st;
    CB_TRY(cb_stop_check(p->share->stop, err));
    cb_sleep_s(1);
  }
}

cb_status swp_home_play(const swp_home *h, const swp_share *share, swp_tally *tally, cb_err *err) {
  playing p = {.home = h, .share = share, .tally = tally};
  char name[64], path[SWP_HOME_BYTES + 64];
  *tally = (swp_tally){0};
  if (gethostname(p.host, sizeof p.host - 1) != 0) p.host[0] = '\0';
  (void)snprintf(name, sizeof name, "shards/%d-of-%d.db", share->k, share->n);
  int *cases = malloc(((size_t)h->plan.n_cases / (size_t)share->n + 1) * sizeof *cases);
  if (!cases) return cb_no_memory(err, "%d cases", h->plan.n_cases);
  cb_status st = open_part(&p, swp_home_path(h, name, path), err);
  if (st == CB_OK) st = play_missing(&p, cases, err);
  cb_sweep_close(p.file);
  free(cases);
  return st;
}
