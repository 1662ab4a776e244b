/* All files of a sweep as one, and what it says. */
#include <stdlib.h>
#include <string.h>

#include "swp_home_impl.h"

typedef struct gathering {
  cb_sweep_file *into;
  swp_bad_file *bad;
  void *context;
  swp_gathered *out;
} gathering;

static bool is_shard(const char *path) { return strstr(path, "-of-") != NULL; }

static cb_status take_file(const swp_home *h, const char *path, void *context, cb_err *err) {
  gathering *g = context;
  cb_sweep_counts c;
  cb_err why;
  (void)h;
  if (!is_shard(path)) return CB_OK;
  const cb_status st = cb_sweep_merge(g->into, path, &c, &why);
  if (st == CB_E_NOMEM) return cb_fail(err, st, "%s", why.msg);
  if (st != CB_OK) {
    g->out->bad++;
    g->bad(g->context, why.msg);
    return CB_OK;
  }
  g->out->files++;
  g->out->rows.taken += c.taken;
  g->out->rows.known += c.known;
  if (g->out->rows.differ == 0) g->out->rows.first = c.first;
  g->out->rows.differ += c.differ;
  return CB_OK;
}

static cb_status sum_up(const swp_home *h, const char *path, const char *csv, swp_gathered *out,
                        cb_err *err) {
  cb_sweep_file *f;
  CB_TRY(cb_sweep_read(path, &h->head, &f, err));
  cb_status st = cb_sweep_sum(f, &out->sums, err);
  if (st == CB_OK) st = cb_sweep_hash(f, out->hash, err);
  if (st == CB_OK && csv) st = cb_sweep_csv(f, csv, err);
  cb_sweep_close(f);
  return st;
}

cb_status swp_home_gather(const swp_home *h, const char *csv, swp_bad_file *bad, void *context,
                          swp_gathered *out, cb_err *err) {
  gathering g = {NULL, bad, context, out};
  char path[SWP_HOME_BYTES + 64];
  *out = (swp_gathered){.files = 0};
  CB_TRY(cb_sweep_open(swp_home_path(h, "results.db", path), &h->head, &g.into, err));
  const cb_status st = swp_home_each_file(h, take_file, &g, err);
  cb_sweep_close(g.into);
  return st == CB_OK ? sum_up(h, path, csv, out, err) : st;
}

/* ---- columns and indices ---- */

cb_status swp_home_column(const swp_home *h, const char *name, double *values, cb_err *err) {
  char path[SWP_HOME_BYTES + 64];
  cb_sweep_file *f;
  CB_TRY(cb_sweep_read(swp_home_path(h, "results.db", path), &h->head, &f, err));
  const cb_status st = cb_sweep_column(f, name, values, err);
  cb_sweep_close(f);
  return st;
}

cb_status swp_home_indices(const swp_home *h, const char *name, swp_sensitivity *out, cb_err *err) {
  double *figure = malloc((size_t)h->plan.n_cases * sizeof *figure);
  if (!figure) return cb_no_memory(err, "%d cases", h->plan.n_cases);
  cb_status st = swp_home_column(h, name, figure, err);
  if (st == CB_OK) st = swp_indices(&h->plan, figure, out, err);
  free(figure);
  return st;
}
