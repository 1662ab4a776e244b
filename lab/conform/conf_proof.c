#include "conf_engine_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_nearest.h"
#include "cb_num.h"
#include "cb_time.h"

#define WITHIN 0.02

/* Ascending, whatever the order in which they were typed. */
cb_status conf_meshes_read(const char *text, double edge_m[CONF_EDGES_MAX], int *n, cb_err *err) {
  char list[200], *rest = NULL;
  *n = 0;
  if (snprintf(list, sizeof list, "%s", text ? text : "10,5,3.33") >= (int)sizeof list)
    return cb_fail(err, CB_E_ARG, "--meshes-mm %.60s...: a shorter list was wanted", text);
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    double mm;
    int at = *n;
    if (*n == CONF_EDGES_MAX || cb_parse_double(word, "", &mm, NULL) != CB_OK || !(mm >= 1 && mm <= 25))
      return cb_fail(err, CB_E_ARG, "--meshes-mm %s: up to %d edges of 1 to 25 mm were wanted, as 10,5", text,
                     CONF_EDGES_MAX);
    for (; at > 0 && edge_m[at - 1] > 1e-3 * mm; at--) edge_m[at] = edge_m[at - 1];
    edge_m[at] = 1e-3 * mm;
    ++*n;
  }
  return *n > 0 ? CB_OK : cb_fail(err, CB_E_ARG, "--meshes-mm: a list of edges was wanted, as 10,5");
}

cb_status conf_experiments_read(const char *text, bool plays[CONF_KINDS], cb_err *err) {
  char list[200], *rest = NULL;
  for (int kind = 0; kind < CONF_KINDS; kind++) plays[kind] = !text && kind <= CONF_SLOPE;
  if (!text) return CB_OK;
  if (snprintf(list, sizeof list, "%s", text) >= (int)sizeof list)
    return cb_fail(err, CB_E_ARG, "--experiments %.60s...: a shorter list was wanted", text);
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    int kind = 0;
    while (kind < CONF_KINDS && strcmp(word, conf_kind_names[kind]) != 0) kind++;
    if (kind == CONF_KINDS) {
      const int meant = cb_nearest(word, conf_kind_names, CONF_KINDS);
      return cb_fail(err, CB_E_ARG, "--experiments: '%s': " CONF_KIND_LIST " was wanted%s%s%s", word,
                     meant >= 0 ? "; did you mean '" : "", meant >= 0 ? conf_kind_names[meant] : "",
                     meant >= 0 ? "'?" : "");
    }
    plays[kind] = true;
  }
  return CB_OK;
}

/* ---- what a program is told ---- */

static double ratio(double a, double b) { return a > 0 && b > 0 ? a / b : 1; }

/* The mean of warp and weft, for a program that has one direction. */
static double both(exch_value *warp, exch_value *weft) {
  if (isnan(warp->value)) warp->value = weft->value;
  if (isnan(weft->value)) weft->value = warp->value;
  const double mean = (warp->value + weft->value) / 2, lost = ratio(warp->value, mean) - 1;
  warp->value = weft->value = mean;
  return lost;
}

static void tell(const conf_engine *e, const exch_cloth *cloth, conf_proof *out) {
  out->told = *cloth;
  if (e->has_directions) return;
  out->lost_stretch = both(&out->told.stretch_warp_N_per_m, &out->told.stretch_weft_N_per_m);
  out->lost_bending = both(&out->told.bending_warp_N_m, &out->told.bending_weft_N_m);
}

/* ---- rows ---- */

static int plan_rows(const conf_request *q, conf_proof *p, bool calibrated) {
  const int first = p->n_rows;
  for (int mesh = 0; mesh < q->n_edges; mesh++)
    for (int kind = 0; kind < CONF_KINDS; kind++) {
      if (calibrated && (kind == CONF_FALL || kind > CONF_SLOPE)) continue;
      if (!q->plays[kind]) continue;
      for (const double *level = conf_levels[kind]; *level > 0 && p->n_rows < CONF_ROWS_MAX; level++)
        if (conf_case_possible((conf_kind)kind, *level, q->edge_m[mesh], &p->told))
          p->row[p->n_rows++] = (conf_row){.kind = (conf_kind)kind,
                                           .level = *level,
                                           .edge_m = q->edge_m[mesh],
                                           .mesh = mesh,
                                           .calibrated = calibrated};
    }
  return first;
}

static void scale(exch_value *v, double factor) { v->value *= factor; }

static void calibrate(const exch_passport *p, int mesh, exch_cloth *cloth) {
  scale(&cloth->stretch_warp_N_per_m, p->at[mesh].stretch);
  scale(&cloth->stretch_weft_N_per_m, p->at[mesh].stretch);
  scale(&cloth->shear_N_per_m, p->at[mesh].shear);
  scale(&cloth->bending_warp_N_m, p->at[mesh].bending);
  scale(&cloth->bending_weft_N_m, p->at[mesh].bending);
  scale(&cloth->friction, p->at[mesh].friction);
}

static const char *row_folder(const conf_request *q, const conf_row *r, char out[4096]) {
  if (!q->keep) return NULL;
  (void)snprintf(out, 4096, "%s/%s-%g-%.3gmm%s", q->keep, conf_kind_names[r->kind], r->level, 1e3 * r->edge_m,
                 r->calibrated ? "-calibrated" : "");
  return out;
}

static cb_status play_row(const conf_engine *e, const conf_request *q, const conf_proof *p, conf_row *r,
                          char version[80], cb_err *err) {
  conf_case c;
  char folder[4096];
  const double start = cb_now_monotonic_s();
  CB_TRY(conf_case_init(r->kind, r->level, r->edge_m, &p->told, &c, err));
  if (r->calibrated) calibrate(&p->passport, r->mesh, &c.cloth);
  double(*x)[3] = calloc((size_t)(CONF_TIMES * c.n_vertices), sizeof *x);
  cb_status st = x ? conf_engine_play(e, &c, row_folder(q, r, folder), q->stop, x, version, err)
                   : cb_no_memory(err, "an experiment");
  if (st == CB_OK) r->finding = conf_case_judge(&c, &p->told, e->has_hinges, (const double(*)[3])x);
  r->edge_m = c.edge_m;
  r->seconds = cb_now_monotonic_s() - start;
  free(x);
  conf_case_clear(&c);
  return st;
}

/* Rows from `first`, beside each other. The first error in their order is told. */
static cb_status play_rows(conf_engine *e, const conf_request *q, conf_proof *p, int first, int total,
                           cb_err *err) {
  cb_status all = CB_OK;
  int failed = p->n_rows, done = first;
  char version[80] = "";
#pragma omp parallel for schedule(dynamic) num_threads(q->jobs)
  for (int i = first; i < p->n_rows; i++) {
    cb_err why = {""};
    char said[80] = "";
    bool skip;
#pragma omp critical(conf_rows)
    skip = all != CB_OK;
    if (skip) continue;
    const cb_status st = play_row(e, q, p, &p->row[i], said, &why);
#pragma omp critical(conf_rows)
    {
      if (st != CB_OK && i < failed) {
        all = st, failed = i;
        if (err) *err = why;
      }
      if (said[0]) memcpy(version, said, sizeof version);
      if (q->progress) q->progress(q->context, ++done, total);
    }
  }
  if (version[0]) memcpy(e->version, version, sizeof e->version);
  return all;
}

/* ---- the passport ---- */

/* Largest |found / wanted - 1| over the rows of an experiment on a mesh; NAN: there is none. */
static double largest_off(const conf_proof *p, conf_kind kind, int mesh, bool calibrated) {
  double most = NAN;
  for (int i = 0; i < p->n_rows; i++) {
    const conf_row *r = &p->row[i];
    if (r->kind != kind || r->mesh != mesh || r->calibrated != calibrated || !(r->finding.wanted > 0))
      continue;
    const double off = fabs(r->finding.found / r->finding.wanted - 1);
    most = isnan(off) ? INFINITY : fmax(most, off); /* fmax ignores a NAN */
  }
  return most;
}

/* The factor that makes the mean of ln(found / wanted) zero, if the program is proportional. */
static double factor(const conf_proof *p, conf_kind kind, int mesh) {
  double sum = 0;
  int n = 0;
  for (int i = 0; i < p->n_rows; i++) {
    const conf_row *r = &p->row[i];
    if (r->kind != kind || r->mesh != mesh || r->calibrated || !(r->finding.found > 0) ||
        !(r->finding.wanted > 0))
      continue;
    sum += log(r->finding.wanted / r->finding.found);
    n++;
  }
  return n > 0 ? exp(sum / n) : 1;
}

static void make_passport(const conf_request *q, const char *engine, conf_proof *p) {
  exch_passport *s = &p->passport;
  (void)snprintf(s->engine, sizeof s->engine, "%s", engine);
  memcpy(s->date, p->date, sizeof s->date);
  s->n = q->n_edges;
  for (int m = 0; m < s->n; m++) {
    s->at[m].edge_m = q->edge_m[m];
    s->at[m].stretch = factor(p, CONF_STRIP, m);
    s->at[m].shear = factor(p, CONF_SHEAR, m);
    s->at[m].friction = factor(p, CONF_SLOPE, m);
    s->at[m].bending = factor(p, CONF_CANTILEVER, m);
  }
}

static void finish_passport(conf_proof *p) {
  for (int m = 0; m < p->passport.n; m++) {
    p->passport.at[m].cantilever_off = largest_off(p, CONF_CANTILEVER, m, true);
    p->passport.at[m].strip_off = largest_off(p, CONF_STRIP, m, true);
    p->passport.at[m].friction_off = largest_off(p, CONF_SLOPE, m, true);
  }
}

cb_status conf_prove(conf_engine *engine, const conf_request *q, conf_proof *out, cb_err *err) {
  *out = (conf_proof){.n_rows = 0};
  tell(engine, q->cloth, out);
  cb_date_today(out->date);
  const int first = plan_rows(q, out, false);
  if (out->n_rows == 0)
    return cb_fail(
        err, CB_E_NOTFOUND,
        "'%s': none of the experiments is possible: they want areal density, and the property they give",
        q->cloth->name);
  const int again = q->calibrate ? plan_rows(q, out, true) : out->n_rows, total = out->n_rows;
  out->n_rows = again;
  CB_TRY(play_rows(engine, q, out, first, total, err));
  const char *name = engine->version[0] ? engine->version : engine->name;
  (void)snprintf(out->engine, sizeof out->engine, "%.79s", name);
  if (!q->calibrate) return CB_OK;
  make_passport(q, name, out);
  out->n_rows = total;
  CB_TRY(play_rows(engine, q, out, again, total, err));
  finish_passport(out);
  return CB_OK;
}

bool conf_proof_agrees(const conf_proof *p) {
  for (int m = 0; m < p->passport.n; m++)
    if (p->passport.at[m].cantilever_off > WITHIN || p->passport.at[m].strip_off > WITHIN) return false;
  return true;
}
