#include "sim_bending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_bending_rows.h"
#include "sim_bending_triangle.h"

static cb_status check_stiffness(const double D[3][3], cb_err *err) {
  double big = fmax(fabs(D[0][0]), fmax(fabs(D[1][1]), fabs(D[2][2])));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!isfinite(D[i][j]) || fabs(D[i][j] - D[j][i]) > 1e-12 * big)
        return cb_fail(err, CB_E_RANGE,
                       "bending stiffness: D[%d][%d] = %g, D[%d][%d] = %g N m: must be finite and symmetric",
                       i, j, D[i][j], j, i, D[j][i]);
  double minor[3], slack = 1e-12 * big;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    minor[i] = D[i][i] * D[j][j] - D[i][j] * D[j][i];
  }
  double det = D[0][0] * (D[1][1] * D[2][2] - D[1][2] * D[2][1]) -
               D[0][1] * (D[1][0] * D[2][2] - D[1][2] * D[2][0]) +
               D[0][2] * (D[1][0] * D[2][1] - D[1][1] * D[2][0]);
  for (int i = 0; i < 3; i++)
    if (D[i][i] < 0 || minor[i] < -slack * big || det < -slack * big * big)
      return cb_fail(err, CB_E_RANGE,
                     "bending stiffness: D = (%g %g %g; %g %g; %g) N m: must be positive semi-definite",
                     D[0][0], D[0][1], D[0][2], D[1][1], D[1][2], D[2][2]);
  return CB_OK;
}

static cb_status no_memory(cb_err *err) { return cb_no_memory(err, "bending, its matrix"); }

/* ---- the matrix ---- */

static cb_status make_matrix(sim_bending *b, const sim_stencils *s, cb_err *err) {
  sim_bending_rows rows = {0};
  cb_status st;
  CB_GOTO(sim_bending_rows_make(b->mesh, s, &rows, err));
  sim_bending_rows_add(&rows, b->mesh, s, (const sim_vec3 *)b->D_Nm);
  CB_GOTO(sim_neighbours_make(b->mesh, &b->near, err));
  CB_GOTO(sim_bending_rows_pairs(&rows, &b->near, &b->pairs, err));
done:
  sim_bending_rows_clear(&rows);
  return st;
}

/* ---- curved at rest ---- */

static cb_status make_rest(sim_bending *b, const sim_stencils *s, const double (*rest_per_m)[3],
                           cb_err *err) {
  const sim_mesh *m = b->mesh;
  size_t total = (size_t)s->use_start[m->n_vertices];
  b->rest_per_m = calloc((size_t)m->n_triangles, sizeof *b->rest_per_m);
  b->rest_start = calloc((size_t)m->n_vertices + 1, sizeof *b->rest_start);
  b->rest_triangle = calloc(total + 1, sizeof *b->rest_triangle),
  b->rest_N = calloc(total + 1, sizeof *b->rest_N);
  if (!b->rest_per_m || !b->rest_start || !b->rest_triangle || !b->rest_N) return no_memory(err);
  for (int t = 0; t < m->n_triangles; t++) {
    const double *k = rest_per_m[t];
    if (!isfinite(k[0] + k[1] + k[2]))
      return cb_fail(err, CB_E_NUM, "bending: the rest curvature of triangle %d is not finite", t);
    b->rest_per_m[t][0] = k[0], b->rest_per_m[t][1] = k[1], b->rest_per_m[t][2] = 2 * k[2];
  }
  memcpy(b->rest_start, s->use_start, ((size_t)m->n_vertices + 1) * sizeof *b->rest_start);
  memcpy(b->rest_triangle, s->use_triangle, total * sizeof *b->rest_triangle);
  for (size_t u = 0; u < total; u++) {
    int t = s->use_triangle[u];
    const double *k = s->kappa[s->use_place[u]], *k0 = b->rest_per_m[t], (*D)[3] = (const sim_vec3 *)b->D_Nm;
    /* kappa D P K0 = kappa D K0: P is its own adjoint under D, and kappa = P kappa. */
    for (int r = 0; r < 3; r++)
      b->rest_N[u] += m->area_m2[t] * k[r] * (D[r][0] * k0[0] + D[r][1] * k0[1] + D[r][2] * k0[2]);
  }
  return CB_OK;
}

/* ---- init and clear ---- */

cb_status sim_bending_init(const sim_mesh *mesh, const double D_Nm[3][3], const bool *gripped,
                           const double (*rest_per_m)[3], sim_bending *out, cb_err *err) {
  *out = (sim_bending){.mesh = mesh};
  cb_status st = check_stiffness(D_Nm, err);
  if (st != CB_OK) return st;
  memcpy(out->D_Nm, D_Nm, sizeof out->D_Nm);
  sim_stencils s = {0};
  sim_bending_slopes slopes = {0};
  out->rigid = calloc((size_t)mesh->n_triangles, sizeof *out->rigid);
  out->slopes = calloc(1, sizeof *out->slopes);
  const int most = mesh->n_triangles > mesh->n_vertices ? mesh->n_triangles : mesh->n_vertices;
  out->partial = calloc((size_t)(most / CB_CHUNK) + 1, sizeof *out->partial);
  if (!out->rigid || !out->slopes || !out->partial) CB_GOTO(no_memory(err));
  for (int t = 0; gripped && t < mesh->n_triangles; t++) {
    const int *v = mesh->triangle[t];
    out->rigid[t] = gripped[v[0]] && gripped[v[1]] && gripped[v[2]];
  }
  CB_GOTO(sim_bending_slopes_make(mesh, out->rigid, &slopes, err));
  out->n_uncorrected = slopes.n_uncorrected;
  CB_GOTO(sim_stencils_make(out, &slopes, &s, err));
  CB_GOTO(make_matrix(out, &s, err));
  if (rest_per_m) {
    CB_GOTO(make_rest(out, &s, rest_per_m, err));
    *out->slopes = slopes; /* any energy needs them */
    slopes = (sim_bending_slopes){0};
  }
done:
  sim_bending_slopes_clear(&slopes);
  sim_stencils_clear(&s);
  if (st != CB_OK) sim_bending_clear(out);
  return st;
}

cb_status sim_bending_prepare(const sim_bending *b, cb_err *err) {
  cb_status st = CB_OK;
#pragma omp critical(sim_bending_prepare)
  if (!b->slopes->start) {
    st = sim_bending_slopes_make(b->mesh, b->rigid, b->slopes, err);
    if (st != CB_OK) sim_bending_slopes_clear(b->slopes);
  }
  return st;
}

void sim_bending_clear(sim_bending *b) {
  if (b->slopes) sim_bending_slopes_clear(b->slopes);
  free(b->rigid), free(b->slopes), free(b->partial);
  sim_pairs_clear(&b->pairs);
  sim_neighbours_clear(&b->near);
  free(b->rest_per_m), free(b->rest_start), free(b->rest_triangle), free(b->rest_N);
  *b = (sim_bending){0};
}
