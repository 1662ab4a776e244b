/* How a sweep stands: its cases and failures in all files. */
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "swp_home_impl.h"

typedef struct looking {
  char *state; /* of each case: 'd' done, 'f' failed, ' ' missing */
  swp_standing *out;
  size_t room;
  swp_bad_file *bad;
  void *context;
} looking;

static cb_status add_failure(looking *l, const cb_sweep_failure *one, cb_err *err) {
  swp_standing *s = l->out;
  for (size_t i = 0; i < s->n_failures; i++) {
    if (strcmp(s->failure[i].sentence, one->sentence) != 0) continue;
    s->failure[i].n += one->n;
    if (one->first < s->failure[i].first) s->failure[i].first = one->first;
    return CB_OK;
  }
  cb_sweep_failure *grown = cb_array_grow(s->failure, &l->room, s->n_failures + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "failures");
  s->failure = grown;
  s->failure[s->n_failures++] = *one;
  return CB_OK;
}

/* What is gathered already is counted in the shards. */
static cb_status look_into(looking *l, const char *path, cb_sweep_file *f, cb_err *err) {
  cb_sweep_failure *list = NULL;
  size_t n = 0;
  CB_TRY(cb_sweep_states(f, l->state, err));
  if (!strstr(path, "-of-")) return CB_OK;
  CB_TRY(cb_sweep_failures(f, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; st == CB_OK && i < n; i++) st = add_failure(l, &list[i], err);
  free(list);
  return st;
}

static cb_status look_at(const swp_home *h, const char *path, void *context, cb_err *err) {
  looking *l = context;
  cb_sweep_file *f;
  cb_err why;
  cb_status st = cb_sweep_read(path, &h->head, &f, &why);
  if (st == CB_OK) {
    st = look_into(l, path, f, &why);
    cb_sweep_close(f);
  }
  if (st == CB_E_NOMEM) return cb_fail(err, st, "%s", why.msg);
  if (st != CB_OK && l->bad) l->bad(l->context, why.msg);
  return CB_OK;
}

static int compare_failures(const void *a, const void *b) {
  const cb_sweep_failure *x = a, *y = b;
  return x->n != y->n ? y->n - x->n : x->first - y->first;
}

static cb_status find_states(const swp_home *h, char *state, swp_bad_file *bad, void *context,
                             swp_standing *out, cb_err *err) {
  looking l = {state, out, 0, bad, context};
  memset(state, ' ', (size_t)h->plan.n_cases);
  CB_TRY(swp_home_each_file(h, look_at, &l, err));
  for (int i = 0; i < h->plan.n_cases; i++)
    *(state[i] == 'd' ? &out->done : state[i] == 'f' ? &out->failed : &out->missing) += 1;
  if (out->n_failures > 0) qsort(out->failure, out->n_failures, sizeof *out->failure, compare_failures);
  return CB_OK;
}

cb_status swp_home_standing(const swp_home *h, swp_bad_file *bad, void *context, swp_standing *out,
                            cb_err *err) {
  *out = (swp_standing){.done = 0};
  char *state = malloc((size_t)h->plan.n_cases);
  if (!state) return cb_no_memory(err, "%d cases", h->plan.n_cases);
  const cb_status st = find_states(h, state, bad, context, out, err);
  free(state);
  return st;
}

static cb_status forget_in(const swp_home *h, const char *path, void *context, cb_err *err) {
  int n;
  cb_sweep_file *f;
  (void)context;
  CB_TRY(cb_sweep_open(path, &h->head, &f, err));
  const cb_status st = cb_sweep_forget_failed(f, &n, err);
  cb_sweep_close(f);
  return st;
}

cb_status swp_home_forget_failed(const swp_home *h, int *n, cb_err *err) {
  swp_standing before, after = {.done = 0};
  cb_status st = swp_home_standing(h, NULL, NULL, &before, err);
  if (st == CB_OK) st = swp_home_each_file(h, forget_in, NULL, err);
  if (st == CB_OK) st = swp_home_standing(h, NULL, NULL, &after, err);
  *n = before.failed - after.failed;
  free(before.failure);
  free(after.failure);
  return st;
}
