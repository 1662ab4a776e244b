#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_limit_impl.h"
#include "sim_limit_project.h"
#include "sim_vec.h"

#define LEAST                                                                                             \
  1e-4           /* that a limit leaves free: of a cloth of length, only its rigid motions are left below \
                    \ */
#define APART 6  /* projections of a step, at most, that keep the cloth apart from itself */
#define BLUR 0.5 /* of the least strain that is allowed */

sim_limit_setup sim_limit_setup_default(const sim_mesh *mesh, const double *mass_kg) {
  return (sim_limit_setup){.mesh = mesh,
                           .mass_kg = mass_kg,
                           .kind = SIM_LIMIT_MAPPED,
                           .range = {{0.95, 1.05}, {0.95, 1.05}},
                           .tolerance = 5e-4,
                           .rounds = 60};
}

static cb_status check_setup(const sim_limit_setup *s, cb_err *err) {
  static const char *const of[] = {"warp", "weft"};
  char what[64];
  if ((int)s->kind < 0 || s->kind >= SIM_LIMIT_KINDS)
    return cb_fail(err, CB_E_RANGE, "limit: kind %d: there are 0 to 2", (int)s->kind);
  for (int k = 0; k < 2; k++) {
    (void)snprintf(what, sizeof what, "limit: lower ratio of %s", of[k]);
    CB_TRY(cb_check_range(s->range[k].low, 0, 1 - LEAST, what, "", err));
    (void)snprintf(what, sizeof what, "limit: upper ratio of %s", of[k]);
    if (s->range[k].high != INFINITY) CB_TRY(cb_check_range(s->range[k].high, 1 + LEAST, 1e3, what, "", err));
  }
  for (int i = 0; i < s->mesh->n_vertices; i++)
    if (!(s->mass_kg[i] > 0) || !isfinite(s->mass_kg[i]))
      return cb_fail(err, CB_E_RANGE, "limit: vertex %d has a mass of %g kg: must be finite and > 0", i,
                     s->mass_kg[i]);
  CB_TRY(cb_check_range(s->tolerance, 1e-7, 0.01, "limit: tolerance", "", err));
  return cb_check_range(s->rounds, 1, 1e4, "limit: rounds", "", err);
}

cb_status sim_limit_of_law(const cb_stretch_law *law, double force_N_per_m, sim_limit_range range[2],
                           cb_err *err) {
  static const char *const of[] = {"warp", "weft"};
  for (int k = 0; k < 2; k++) {
    const cb_stretch_direction *d = cb_stretch_find(law, 90 * k);
    if (!d)
      return cb_fail(err, CB_E_RANGE, "limit: %s was not tested: the law of stretch must have its curve",
                     of[k]);
    const double end = cb_stretch_strain_max(d), at = cb_stretch_strain(law, 90 * k, force_N_per_m),
                 strain = at <= end ? at : end;
    if (!(strain >= LEAST))
      return cb_fail(err, CB_E_RANGE, "limit: %s gives by %g: it must by %g or more", of[k], strain, LEAST);
    range[k].high = 1 + strain;
  }
  return CB_OK;
}

/* ---- making ---- */

static bool take_memory(sim_limit *l) {
  const size_t n = (size_t)l->n, nt = (size_t)l->n_triangles;
  double(**const vectors[])[3] = {&l->x,      &l->target, &l->trial, &l->start,
                                  &l->before, &l->apart,  &l->b,     &l->change};
  bool ok = true;
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    ok = (*vectors[k] = calloc(n, sizeof **vectors[k])) && ok;
  l->mass_kg = calloc(n, sizeof *l->mass_kg);
  l->wall = calloc(n, sizeof *l->wall);
  l->slope = calloc(nt, sizeof *l->slope);
  l->slot = calloc(nt, sizeof *l->slot);
  l->multiplier = calloc(nt, sizeof *l->multiplier);
  l->corner = calloc(nt, sizeof *l->corner);
  l->block = calloc(nt, sizeof *l->block);
  l->pulls = calloc(nt, sizeof *l->pulls);
  l->sum = calloc(n + nt, sizeof *l->sum);
  return ok && l->mass_kg && l->wall && l->slope && l->slot && l->multiplier && l->corner && l->block &&
         l->pulls && l->sum;
}

/* Half of the least strain that the ranges allow. */
static double blur_of(const sim_limit_setup *s) {
  double least = INFINITY;
  for (int k = 0; k < 2; k++) least = fmin(least, fmin(s->range[k].high - 1, 1 - s->range[k].low));
  return BLUR * least;
}

static cb_status make_cloth(sim_limit *l, cb_err *err) {
  const sim_mesh *m = l->setup.mesh;
  if (!take_memory(l)) return cb_no_memory(err, "limit of %d triangles", m->n_triangles);
  CB_TRY(sim_blocks_init(l->n, m->triangle[0], m->n_triangles, 3, &l->matrix, err));
  CB_TRY(sim_limit_factor_init(&l->matrix, &l->factor, err));
  memcpy(l->mass_kg, l->setup.mass_kg, (size_t)l->n * sizeof *l->mass_kg);
  l->setup.mass_kg = l->mass_kg;
  for (int i = 0; i < l->n; i++) l->whole_kg += l->mass_kg[i];
  for (int t = 0; t < m->n_triangles; t++) {
    l->extent_m2 += m->area_m2[t];
    sim_mesh_slopes((const double(*)[2])m->corner_m[t], l->slope[t]);
    for (int k = 0; k < 9; k++)
      l->slot[t][k] = sim_blocks_find(&l->matrix, m->triangle[t][k / 3], m->triangle[t][k % 3]);
  }
  l->side_m = sqrt(2 * l->extent_m2 / m->n_triangles);
  l->blur = blur_of(&l->setup);
  return CB_OK;
}

cb_status sim_limit_new(const sim_limit_setup *setup, sim_limit **out, cb_err *err) {
  *out = NULL;
  CB_TRY(check_setup(setup, err));
  if (setup->mesh->n_triangles == 0) return cb_fail(err, CB_E_RANGE, "limit: a mesh without triangles");
  sim_limit *l = calloc(1, sizeof *l);
  if (!l) return cb_no_memory(err, "limit");
  l->setup = *setup;
  l->n = setup->mesh->n_vertices;
  l->n_triangles = setup->mesh->n_triangles;
  cb_status st = make_cloth(l, err);
  if (st == CB_OK)
    *out = l;
  else
    sim_limit_free(l);
  return st;
}

void sim_limit_free(sim_limit *l) {
  if (!l) return;
  sim_limit_factor_clear(&l->factor);
  sim_blocks_clear(&l->matrix);
  void *const owned[] = {l->x,          l->target, l->trial,   l->start, l->before, l->b,
                         l->change,     l->apart,  l->mass_kg, l->wall,  l->slope,  l->slot,
                         l->multiplier, l->corner, l->block,   l->pulls, l->sum,    l};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
}

/* ---- looking ---- */

void sim_limit_derivative(const double slope[2][3], const int corner[3], const double (*x)[3],
                          double w[2][3]) {
  for (int a = 0; a < 2; a++)
    for (int r = 0; r < 3; r++)
      w[a][r] = slope[a][0] * x[corner[0]][r] + slope[a][1] * x[corner[1]][r] + slope[a][2] * x[corner[2]][r];
}

sim_limit_range sim_limit_range_of(const sim_limit_setup *s, int i) {
  const sim_limit_range *r = s->range;
  if (s->kind != SIM_LIMIT_PRINCIPAL) return r[i];
  return (sim_limit_range){fmax(r[0].low, r[1].low), fmin(r[0].high, r[1].high)};
}

double sim_limit_outside(const sim_limit_setup *s, const sim_limit_gauges *g, int i) {
  const sim_limit_range r = sim_limit_range_of(s, g->range[i]);
  if (!(g->inner[i] > 0)) return 0; /* across: unlimited */
  const double strain = g->value[i] / g->share[i];
  const double over = strain - (r.high - 1) / g->inner[i], under = strain - (r.low - 1) / g->inner[i];
  return over > 0 ? over : under < 0 ? under : 0;
}

static void widen_range(double range[2], double value) {
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

bool sim_limit_fits(const void *setup, const double w[2][3]) {
  const sim_limit_setup *s = setup;
  sim_limit_gauges g;
  bool fits = true;
  sim_limit_gauges_of(s->kind, 0, w, false, &g);
  for (int i = 0; i < g.n; i++) fits = fits && fabs(sim_limit_outside(s, &g, i)) <= s->tolerance;
  return fits;
}

void sim_limit_see(const sim_limit_setup *s, const double (*x_m)[3], sim_limit_look *out) {
  *out = (sim_limit_look){.warp = {INFINITY, 0}, .weft = {INFINITY, 0}, .any = {INFINITY, 0}};
  for (int t = 0; t < s->mesh->n_triangles; t++) {
    double slope[2][3], w[2][3], excess = 0;
    sim_limit_gauges g;
    sim_limit_svd svd;
    sim_mesh_slopes((const double(*)[2])s->mesh->corner_m[t], slope);
    sim_limit_derivative((const sim_vec3 *)slope, s->mesh->triangle[t], x_m, w);
    sim_limit_svd_of((const sim_vec3 *)w, &svd);
    sim_limit_gauges_of(s->kind, 0, (const sim_vec3 *)w, false, &g);
    widen_range(out->warp, sim_norm(w[0]));
    widen_range(out->weft, sim_norm(w[1]));
    for (int k = 0; k < 2; k++) widen_range(out->any, svd.sigma[k]);
    for (int i = 0; i < g.n; i++) excess = fmax(excess, fabs(sim_limit_outside(s, &g, i)));
    out->excess = fmax(out->excess, excess);
    out->outside += excess > s->tolerance;
  }
}

/* ---- with a cloth ---- */

/* A projection that would take cloth through itself is done again with planes that keep it apart. After the
 * last one the cloth is put apart, whatever that does to its strain. */
static cb_status project_apart(sim_limit *l, sim_cloth *cloth, sim_limit_report *report, cb_err *err) {
  const size_t bytes = (size_t)l->n * sizeof *l->x;
  sim_limit_report r;
  bool through = true;
  *report = (sim_limit_report){.rounds = 0};
  for (int k = 0; k < APART && through; k++) {
    CB_TRY(sim_limit_project_surely(l, &r, err));
    r.rounds += report->rounds;
    r.systems += report->systems;
    *report = r;
    memcpy(l->apart, l->x, bytes);
    CB_TRY(sim_cloth_resolve(cloth, (const sim_vec3 *)l->target, l->apart, &through, err));
    if (through) sim_limit_keep_apart(l, (const sim_vec3 *)l->x, (const sim_vec3 *)l->apart);
    if (through) memcpy(l->start, l->x, bytes);
  }
  if (!through) return CB_OK;
  memcpy(l->x, l->apart, bytes);
  report->excess = sim_limit_excess(l);
  report->within = report->excess <= l->setup.tolerance;
  return CB_OK;
}

cb_status sim_limit_step(sim_limit *l, sim_cloth *cloth, int n_bodies, double dt_s, sim_step_report *step,
                         sim_limit_report *report, cb_err *err) {
  double(*x)[3] = sim_cloth_position(cloth), (*v)[3] = sim_cloth_velocity(cloth);
  sim_limit_report r;
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < 3; k++) {
      l->before[i][k] = x[i][k];
      l->start[i][k] = x[i][k] + dt_s * v[i][k];
    }
  CB_TRY(sim_cloth_step(cloth, dt_s, step, err));
  memcpy(l->target, x, (size_t)l->n * sizeof *x);
  sim_limit_keep_out(l, sim_cloth_bodies(cloth), n_bodies, (const sim_vec3 *)x);
  CB_TRY(project_apart(l, cloth, &r, err));
  if (report) *report = r;
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < 3; k++) {
      x[i][k] = l->x[i][k];
      v[i][k] += (l->x[i][k] - l->target[i][k]) / dt_s;
    }
  return CB_OK;
}
