#include "sim_bending_friction.h"

#include <math.h>
#include <stdlib.h>

#include "cb_threads.h"
#include "sim_bending_rows.h"
#include "sim_vec.h"

static cb_status no_memory(cb_err *err) { return cb_no_memory(err, "bending friction"); }

static cb_status make_stencils(sim_bending_friction *f, const sim_bending *bending, cb_err *err) {
  sim_bending_slopes slopes;
  cb_status st = sim_bending_slopes_make(bending->mesh, bending->rigid, &slopes, err);
  if (st == CB_OK) st = sim_stencils_make(bending, &slopes, &f->stencils, err);
  sim_bending_slopes_clear(&slopes);
  return st;
}

static cb_status make_held(sim_bending_friction *f, const sim_bending *bending, cb_err *err) {
  const double stiff[3][3] = {
      {f->moment_N[0] / f->onset_per_m, 0, 0}, {0, f->moment_N[1] / f->onset_per_m, 0}, {0, 0, 0}};
  sim_bending_rows rows = {0};
  cb_status st;
  CB_GOTO(sim_bending_rows_make(f->mesh, &f->stencils, &rows, err));
  sim_bending_rows_add(&rows, f->mesh, &f->stencils, stiff);
  CB_GOTO(sim_bending_rows_pairs(&rows, &bending->near, &f->held, err));
  sim_bending_rows_add(&rows, f->mesh, &f->stencils, (const sim_vec3 *)bending->D_Nm);
  CB_GOTO(sim_bending_rows_pairs(&rows, &bending->near, &f->stiffest, err));
  sim_pairs_round(&f->stiffest);
done:
  sim_bending_rows_clear(&rows);
  return st;
}

cb_status sim_bending_friction_init(const sim_bending *bending, const double moment_N[2], double onset_per_m,
                                    sim_bending_friction *out, cb_err *err) {
  *out = (sim_bending_friction){.onset_per_m = onset_per_m};
  for (int r = 0; r < 2; r++) {
    out->moment_N[r] = moment_N[r];
    if (!(moment_N[r] >= 0) || !isfinite(moment_N[r]))
      return cb_fail(err, CB_E_RANGE, "bending friction of %s = %g N: must be finite and >= 0",
                     r == 0 ? "warp" : "weft", moment_N[r]);
  }
  if (moment_N[0] == 0 && moment_N[1] == 0) return CB_OK;
  if (!(onset_per_m > 0) || !isfinite(onset_per_m))
    return cb_fail(err, CB_E_RANGE, "bending friction: onset = %g 1/m: must be finite and > 0", onset_per_m);
  const sim_mesh *m = out->mesh = bending->mesh;
  out->slip_per_m = calloc((size_t)m->n_triangles, sizeof *out->slip_per_m);
  out->pull_N = calloc((size_t)m->n_triangles, sizeof *out->pull_N);
  out->partial = calloc((size_t)(m->n_triangles / CB_CHUNK) + 1, sizeof *out->partial);
  if (!out->slip_per_m || !out->pull_N || !out->partial) return no_memory(err);
  CB_TRY(make_stencils(out, bending, err));
  return make_held(out, bending, err);
}

void sim_bending_friction_clear(sim_bending_friction *f) {
  sim_stencils_clear(&f->stencils);
  free(f->slip_per_m), free(f->pull_N), free(f->partial);
  sim_pairs_clear(&f->held);
  sim_pairs_clear(&f->stiffest);
  *f = (sim_bending_friction){0};
}

/* u of warp and weft, and the normal. */
static void stretch_of(const sim_bending_friction *f, const double (*x)[3], int t, double u[2][3],
                       double n[3]) {
  const sim_stencils *s = &f->stencils;
  sim_triangle_normal(f->mesh, x, t, n);
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 3; c++) u[r][c] = -f->slip_per_m[t][r] * n[c];
  const double *origin = x[f->mesh->triangle[t][0]];
  for (int i = s->start[t]; i < s->start[t + 1]; i++) {
    double d[3];
    sim_sub(x[s->vertex[i]], origin, d);
    for (int r = 0; r < 2; r++) sim_add(u[r], s->kappa[i][r], d);
  }
}

static double evaluate_triangle(sim_bending_friction *f, const double (*x)[3], int t) {
  double u[2][3], n[3], energy = 0, onset = f->onset_per_m;
  stretch_of(f, x, t, u, n);
  for (int r = 0; r < 2; r++) {
    double length = sim_norm(u[r]), most = f->mesh->area_m2[t] * f->moment_N[r];
    energy += most * (length < onset ? length * length / (2 * onset) : length - onset / 2);
    for (int c = 0; c < 3; c++) f->pull_N[t][r][c] = most * u[r][c] / fmax(length, onset);
  }
  return energy;
}

/* Sums of chunks, in their order. */
static double over_triangles(sim_bending_friction *f, const double (*x)[3],
                             double (*of_triangle)(sim_bending_friction *, const double (*)[3], int)) {
  int n = f->mesh->n_triangles, n_chunks = n / CB_CHUNK + 1;
#pragma omp parallel for schedule(static)
  for (int chunk = 0; chunk < n_chunks; chunk++) {
    double sum = 0;
    for (int t = chunk * CB_CHUNK; t < n && t < (chunk + 1) * CB_CHUNK; t++) sum += of_triangle(f, x, t);
    f->partial[chunk] = sum;
  }
  double sum = 0;
  for (int chunk = 0; chunk < n_chunks; chunk++) sum += f->partial[chunk];
  return sum;
}

double sim_bending_friction_evaluate(sim_bending_friction *f, const double (*x_m)[3], double (*force_N)[3]) {
  if (!f->mesh) return 0;
  const sim_stencils *s = &f->stencils;
  double energy = over_triangles(f, x_m, evaluate_triangle);
  if (!force_N) return energy;
#pragma omp parallel for schedule(static)
  for (int v = 0; v < f->mesh->n_vertices; v++)
    for (int k = s->use_start[v]; k < s->use_start[v + 1]; k++)
      for (int r = 0; r < 2; r++)
        sim_add(force_N[v], -s->kappa[s->use_place[k]][r], f->pull_N[s->use_triangle[k]][r]);
  return energy;
}

void sim_bending_friction_tangent(const sim_bending_friction *f, const double (*x_m)[3], int t,
                                  double out[2][3][3]) {
  double u[2][3], n[3];
  stretch_of(f, x_m, t, u, n);
  for (int r = 0; r < 2; r++) {
    double length = sim_norm(u[r]), most = f->mesh->area_m2[t] * f->moment_N[r],
           stiffness = most / fmax(length, f->onset_per_m);
    /* nothing resists along u any more */
    double along = length > f->onset_per_m ? stiffness / (length * length) : 0;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) out[r][a][b] = (a == b ? stiffness : 0) - along * u[r][a] * u[r][b];
  }
}

void sim_bending_friction_product(const sim_bending_friction *f, double scale, const double (*d)[3],
                                  double (*y)[3]) {
  if (f->mesh) sim_pairs_product(&f->held, scale, d, y);
}

/* The slider follows along the normal until |u| is the onset. */
static double slip_triangle(sim_bending_friction *f, const double (*x)[3], int t) {
  double u[2][3], n[3], lost = 0;
  stretch_of(f, x, t, u, n);
  for (int r = 0; r < 2; r++) {
    double length = sim_norm(u[r]), beyond = length - f->onset_per_m;
    if (!(beyond > 0)) continue;
    double way = beyond * sim_dot(u[r], n) / length;
    f->slip_per_m[t][r] += way;
    lost += f->mesh->area_m2[t] * f->moment_N[r] * fabs(way);
  }
  return lost;
}

double sim_bending_friction_slip(sim_bending_friction *f, const double (*x_m)[3]) {
  return !f->mesh ? 0 : over_triangles(f, x_m, slip_triangle);
}
