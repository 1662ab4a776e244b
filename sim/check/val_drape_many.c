/* Drapes of one cloth again and again, its properties as uncertain as they are. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cb_sobol.h"
#include "cb_stats.h"
#include "val_drape_impl.h"

#include "cb_time.h"

#define SEEDS_MAX 100000

#define SCRAMBLE 1

const char *const val_drawn_names[] = {"bend_warp", "bend_weft", "hysteresis", "onset", "bend_both",
                                       "stretch",   "shear",     "mass",       NULL};

/* Log-normal. */
static double factor(const val_drape_many *e, uint64_t seed, val_drawn a, double u_rel) {
  const double score =
      e->score ? e->score[a] : cb_normal_quantile(cb_sobol((uint32_t)(seed - 1), (int)a, SCRAMBLE));
  return exp(u_rel * score);
}

/* Where the slope is known, friction comes on top of it. */
static void draw_slope(const val_drape_doubt *u, const double bend[2], double friction, sim_material *m) {
  sim_bending_scale(m->bending_Nm, bend[0], bend[1]);
  for (int k = 0; k < 2; k++)
    m->bending_friction_N[k] *= friction * (u->friction_follows_bending ? bend[k] : 1);
}

/* Where the moment is known at a curvature, M = B K + h min(K / onset, 1), friction divides it. */
static void draw_moment(double K, const double bend[2], double friction, double onset_before,
                        sim_material *m) {
  double before = fmin(K / onset_before, 1), after = fmin(K / m->bending_friction_onset_per_m, 1), share[2];
  for (int k = 0; k < 2; k++) {
    double B = m->bending_Nm[k][k], h = m->bending_friction_N[k], M = bend[k] * (B * K + h * before);
    double slope = M / (K + friction * h / B * after);
    m->bending_friction_N[k] = friction * h / B * slope;
    share[k] = slope / B;
  }
  sim_bending_scale(m->bending_Nm, share[0], share[1]);
}

static void draw_bending(const val_drape_many *e, uint64_t seed, sim_material *m) {
  const val_drape_doubt *u = &e->doubt;
  const double both = factor(e, seed, VAL_DRAWN_BEND_BOTH, u->bending_common),
               bend[2] = {both * factor(e, seed, VAL_DRAWN_BEND_WARP, u->bending[0]),
                          both * factor(e, seed, VAL_DRAWN_BEND_WEFT, u->bending[1])},
               friction = factor(e, seed, VAL_DRAWN_HYSTERESIS, u->friction),
               onset = m->bending_friction_onset_per_m,
               before = onset > 0 ? onset : SIM_BENDING_FRICTION_ONSET_PER_M;
  m->bending_friction_onset_per_m = before * factor(e, seed, VAL_DRAWN_ONSET, u->onset);
  if (u->moment_known_at_per_m > 0)
    draw_moment(u->moment_known_at_per_m, bend, friction, before, m);
  else
    draw_slope(u, bend, friction, m);
}

val_drape val_drape_drawn(const val_drape_many *e, int i) {
  val_drape one = e->one;
  sim_material *m = &one.material;
  one.seed += (uint64_t)i;
  m->areal_density_kg_per_m2 *= factor(e, one.seed, VAL_DRAWN_MASS, e->doubt.mass);
  sim_curve_scale(&m->shear, factor(e, one.seed, VAL_DRAWN_SHEAR, e->doubt.shear));
  draw_bending(e, one.seed, m);
  double stretch = factor(e, one.seed, VAL_DRAWN_STRETCH, e->doubt.stretch);
  sim_curve_scale(&m->warp, stretch);
  sim_curve_scale(&m->weft, stretch);
  m->cross_N_per_m *= stretch;
  return one;
}

/* ---- over the seeds ---- */

static double coefficient(const val_drape_result *r) { return r->drape.drape_coefficient; }
static double nodes(const val_drape_result *r) { return r->drape.nodes; }
static double amplitude(const val_drape_result *r) { return r->drape.node_height_m; }

static val_spread spread_of(const val_drape_statistics *s, double (*value)(const val_drape_result *)) {
  val_spread out = {0, NAN, NAN, NAN};
  double squares = 0, n = s->n;
  for (int i = 0; i < s->n; i++) out.mean += value(&s->each[i]) / n;
  if (s->n < 2) return out;
  for (int i = 0; i < s->n; i++) squares += pow(value(&s->each[i]) - out.mean, 2);
  out.sd = sqrt(squares / (n - 1));
  double U = cb_student_t(0.95, n - 1) * out.sd * sqrt(1 + 1 / n);
  out.lo95 = out.mean - U;
  out.hi95 = out.mean + U;
  return out;
}

static cb_status check_seeds(const val_drape_many *e, cb_err *err) {
  const double u[] = {e->doubt.mass,           e->doubt.shear,    e->doubt.bending[0], e->doubt.bending[1],
                      e->doubt.bending_common, e->doubt.friction, e->doubt.onset,      e->doubt.stretch};
  if (e->seeds < 1 || e->seeds > SEEDS_MAX)
    return cb_fail(err, CB_E_RANGE, "drape: seeds = %d: must lie between 1 and %d", e->seeds, SEEDS_MAX);
  for (size_t k = 0; k < sizeof u / sizeof u[0]; k++)
    if (!(u[k] >= 0 && u[k] <= 1))
      return cb_fail(err, CB_E_RANGE, "drape: relative uncertainty %g: must lie between 0 and 1", u[k]);
  return CB_OK;
}

/* The outcome of seeds that failed: the first of them. */
typedef struct failure {
  int seed;
  cb_status st;
  cb_err err;
} failure;

/* What is told of a drape, and of all. */
typedef struct tally {
  const val_drape_many *e;
  double done; /* of all */
} tally;

typedef struct told_one {
  tally *all;
  double share;
} told_one;

/* The end is told once, and not by a sum of shares. */
#define NEARLY (1 - 1e-9)

static void tell_share(void *context, double share) {
  told_one *one = context;
  const val_drape_many *e = one->all->e;
#pragma omp critical(val_drape_told)
  {
    one->all->done += share - one->share;
    one->share = share;
    if (e->told) e->told(e->context, fmin(one->all->done, e->seeds * NEARLY), e->seeds);
  }
}

static void run_one(const val_drape_many *e, tally *told, int i, val_drape_result *out, bool *made,
                    failure *f) {
  if (cb_stop_wanted(e->stop)) return;
  val_drape one = val_drape_drawn(e, i);
  told_one share = {told, 0};
  if (e->told) one.told = tell_share, one.context = &share;
  cb_err own = {""};
  cb_status got = val_drape_run(&one, out, i < VAL_DRAPE_SHAPES ? &out->shape : NULL, &own);
  *made = got == CB_OK;
  if (got == CB_OK) return;
#pragma omp critical
  if (i < f->seed) *f = (failure){i, got, own};
}

/* Each seed in a thread of its own: the loops within then have one thread, and the same bits. A single seed
 * has all threads. In a parallel region of one thread, the loops within would make new threads each time. */
static cb_status run_all(const val_drape_many *e, val_drape_result *each, bool *made, cb_err *err) {
  failure f = {.seed = e->seeds};
  tally told = {e, 0};
  if (e->told) e->told(e->context, 0, e->seeds);
  if (e->seeds == 1) {
    run_one(e, &told, 0, each, made, &f);
  } else {
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < e->seeds; i++) run_one(e, &told, i, &each[i], &made[i], &f);
  }
  if (f.st == CB_OK && e->told && !cb_stop_wanted(e->stop)) e->told(e->context, e->seeds, e->seeds);
  if (f.st == CB_OK) return CB_OK;
  *err = f.err;
  return cb_fail_in(err, f.st, "seed %llu", (unsigned long long)e->one.seed + (unsigned long long)f.seed);
}

/* Those that were made, closed up. */
static int keep_made(const val_drape_many *e, val_drape_result *each, const bool *made) {
  int n = 0;
  for (int i = 0; i < e->seeds; i++) {
    if (!made[i]) continue;
    const val_drape_result one = each[i];
    each[i].shape = (val_drape_shape){0};
    each[n] = one;
    each[n++].seed = e->one.seed + (uint64_t)i;
  }
  return n;
}

/* Drapes with a greater coefficient less those with a smaller one: 0 of the median. */
static int off_median(const val_drape_statistics *s, int i) {
  int off = 0;
  for (int k = 0; k < s->n; k++)
    off += (coefficient(&s->each[k]) > coefficient(&s->each[i])) -
           (coefficient(&s->each[k]) < coefficient(&s->each[i]));
  return abs(off);
}

static void find_middle(val_drape_statistics *s) {
  for (int i = 1; i < s->n && s->each[i].shape.n_vertices > 0; i++)
    if (off_median(s, i) < off_median(s, s->middle)) s->middle = i;
}

static void clear_shapes(val_drape_result *each, int n) {
  for (int i = 0; each && i < n && i < VAL_DRAPE_SHAPES; i++) {
    free(each[i].shape.position_m);
    free(each[i].shape.triangle);
  }
}

/* ---- what the mesh lacks ---- */

/* The error falls with the square of the edges (docs/method/drape-prediction.md, "The mesh"): the finer drape
 * and the coarser one differ by this many times what the finer one still lacks. */
#define RICHARDSON (VAL_DRAPE_COARSER * VAL_DRAPE_COARSER - 1)
/* What an extrapolation may be wrong by, as a share of it: the order is 2 only in the limit. */
#define U_ORDER 0.3

/* One shift for all: a seed whose two meshes fold otherwise would be moved by that. */
static void extrapolate(val_drape_statistics *s) {
  double squares = 0, n = s->n;
  for (int i = 0; i < s->n; i++)
    s->mesh_shift += (coefficient(&s->each[i]) - s->each[i].coarse_coefficient) / RICHARDSON / n;
  for (int i = 0; i < s->n; i++) {
    double own = (coefficient(&s->each[i]) - s->each[i].coarse_coefficient) / RICHARDSON - s->mesh_shift;
    squares += own * own;
  }
  s->u_mesh_shift = hypot(U_ORDER * s->mesh_shift, s->n > 1 ? sqrt(squares / (n - 1) / n) : 0);
  val_spread *c = &s->drape_coefficient;
  double half = hypot((c->hi95 - c->lo95) / 2, 2 * s->u_mesh_shift);
  c->mean += s->mesh_shift;
  c->lo95 = c->mean - half;
  c->hi95 = c->mean + half;
}

static void sum_up(val_drape_statistics *out, bool extrapolated) {
  if (out->n == 0) return;
  find_middle(out);
  for (int i = 0; i < out->n; i++) out->settled += out->each[i].settled;
  out->drape_coefficient = spread_of(out, coefficient);
  out->nodes = spread_of(out, nodes);
  out->amplitude_m = spread_of(out, amplitude);
  if (extrapolated) extrapolate(out);
}

cb_status val_drape_many_run(const val_drape_many *e, val_drape_statistics *out, cb_err *err) {
  *out = (val_drape_statistics){0};
  CB_TRY(check_seeds(e, err));
  double from = cb_now_monotonic_s();
  bool *made = calloc((size_t)e->seeds, sizeof *made);
  out->each = calloc((size_t)e->seeds, sizeof *out->each);
  cb_status st =
      out->each && made ? run_all(e, out->each, made, err) : cb_no_memory(err, "drape, %d seeds", e->seeds);
  if (st == CB_OK) out->n = keep_made(e, out->each, made);
  if (st != CB_OK) clear_shapes(out->each, e->seeds);
  free(made);
  CB_TRY(st);
  sum_up(out, e->one.also_coarser);
  out->seconds = cb_now_monotonic_s() - from;
  return out->n < e->seeds ? cb_stop_check(e->stop, err) : CB_OK;
}

void val_drape_statistics_clear(val_drape_statistics *s) {
  clear_shapes(s->each, s->n);
  free(s->each);
  *s = (val_drape_statistics){0};
}
