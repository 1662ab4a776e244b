#include "val_sag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_time.h"

#define WIDTH_M 0.6
#define HEIGHT_M 0.8
#define ASIDE_M 1e-4 /* out of the plane, at random: a flat sheet would never find its folds */
#define FIRST_STEP_S 0.005
#define LAST_STEP_S 1e3
#define BALANCED 1e-5 /* of the weight */
#define STEPS 3000

val_sag val_sag_default(void) {
  return (val_sag){
      .k_N_per_m = 20, .shear_N_per_m = 5, .bend_Nm = 1e-5, .areal_density_kg_per_m2 = 0.15, .cells = 20};
}

/* Two triangles in the plane of the sheet; the diagonals in turn. */
static void put_cell(int columns, int i, int j, int (*t)[3]) {
  const int p = j * (columns + 1) + i, q = p + 1, r = p + columns + 1, s = r + 1; /* r, s: below */
  const bool odd = (i + j) % 2;
  const int two[2][3] = {{p, r, odd ? q : s}, {odd ? r : p, s, q}};
  memcpy(t, two, sizeof two);
}

/* Makes a rectangle that hangs along -z, its upper left corner at the origin, warp along the width. The
 * caller clears *out with sim_mesh_clear. Error: memory. */
static cb_status make_mesh(double width_m, double height_m, int columns, int rows, sim_mesh *out,
                           cb_err *err) {
  const int n = (columns + 1) * (rows + 1), nt = 2 * columns * rows;
  cb_status st = CB_OK;
  *out = (sim_mesh){0};
  double(*x)[3] = calloc((size_t)n, sizeof *x);
  double(*corner)[3][2] = calloc((size_t)nt, sizeof *corner);
  int(*t)[3] = calloc((size_t)nt, sizeof *t);
  if (!x || !corner || !t) CB_GOTO(cb_no_memory(err, "sheet of %d x %d cells", columns, rows));
  for (int k = 0; k < n; k++) {
    x[k][0] = width_m * (k % (columns + 1)) / columns;
    const int row = k / (columns + 1);
    x[k][2] = -height_m * row / rows;
  }
  for (int k = 0; k < columns * rows; k++) put_cell(columns, k % columns, k / columns, &t[2 * (size_t)k]);
  for (int k = 0; k < nt; k++)
    for (int c = 0; c < 3; c++) {
      corner[k][c][0] = x[t[k][c]][0];
      corner[k][c][1] = x[t[k][c]][2];
    }
  CB_GOTO(sim_mesh_build((const sim_vec3 *)x, n, (const int(*)[3])t, (const double(*)[3][2])corner, nt, out,
                         err));
done:
  free(x);
  free(corner);
  free(t);
  return st;
}

/* Returns the setup of the sheet on that mesh. It fills held (per vertex) with the two upper corners, and
 * points to it. */
static sim_conditions_setup set_up(const val_sag *e, const sim_mesh *mesh, bool *held) {
  sim_conditions_setup s = sim_conditions_setup_default(mesh);
  s.areal_density_kg_per_m2 = e->areal_density_kg_per_m2;
  s.law[SIM_CONDITIONS_STRETCH] = (sim_conditions_law){e->k_N_per_m, e->lambda_N_per_m3, 0};
  s.law[SIM_CONDITIONS_SHEAR] = (sim_conditions_law){e->shear_N_per_m, 0, 0};
  s.law[SIM_CONDITIONS_BEND] = (sim_conditions_law){e->bend_Nm, 0, 0};
  s.held = held;
  s.iterations = 1;
  held[0] = held[e->cells] = true;
  return s;
}

/* Forces out of balance on what is free, over the weight. */
static double missed(sim_conditions *p, const sim_conditions_setup *s, double (*force)[3]) {
  double square = 0, weight = 0;
  (void)sim_conditions_elastic(p, force);
  for (int i = 0; i < s->mesh->n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      const double own = sim_conditions_mass(p)[i] * s->gravity_m_per_s2[k], f = force[i][k] + own;
      weight += own * own;
      if (!s->held[i]) square += f * f;
    }
  return sqrt(square / weight);
}

/* Steps from rest, of one linearisation each, that grow while they go well: downhill first, Newton's method
 * at last. */
static cb_status settle_sheet(sim_conditions *p, const sim_conditions_setup *s, double (*force)[3],
                              val_sag_result *out, cb_err *err) {
  double dt_s = FIRST_STEP_S;
  const int n = s->mesh->n_vertices;
  for (out->missed = INFINITY; out->steps < STEPS && out->missed > BALANCED; out->steps++) {
    sim_conditions_report r;
    memset(sim_conditions_velocity(p), 0, (size_t)n * sizeof *sim_conditions_velocity(p));
    CB_TRY(sim_conditions_step(p, dt_s, &r, err));
    dt_s = fmin(LAST_STEP_S, r.halvings > 0 ? dt_s / 3 : dt_s * 1.3);
    out->missed = missed(p, s, force);
  }
  out->settled = out->missed <= BALANCED;
  return CB_OK;
}

static double distance(const double a[3], const double b[3]) {
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void measure_sag(const val_sag *e, const sim_mesh *m, const bool *held, const double (*x)[3],
                        val_sag_result *out) {
  const int row = e->cells + 1, inner[2] = {row + 1, row + e->cells - 1};
  for (int k = 0; k < 2; k++) out->sag_m += (m->position_m[inner[k]][2] - x[inner[k]][2]) / 2;
  for (int k = 0; k < m->n_edges; k++) {
    const int *v = m->edge[k].vertex;
    if (held[v[0]] || held[v[1]])
      out->pin_strain =
          fmax(out->pin_strain,
               distance(x[v[0]], x[v[1]]) / distance(m->position_m[v[0]], m->position_m[v[1]]) - 1);
  }
  for (int i = 0; i < m->n_vertices; i++) out->bottom_sag_m = fmax(out->bottom_sag_m, -HEIGHT_M - x[i][2]);
}

static cb_status hang_sheet(const val_sag *e, const sim_mesh *mesh, val_sag_result *out, cb_err *err) {
  cb_status st = CB_OK;
  sim_conditions *p = NULL;
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  bool *held = calloc((size_t)mesh->n_vertices, sizeof *held);
  double(*force)[3] = calloc((size_t)mesh->n_vertices, sizeof *force);
  if (!held || !force) CB_GOTO(cb_no_memory(err, "sag"));
  sim_conditions_setup s = set_up(e, mesh, held);
  CB_GOTO(sim_conditions_new(&s, &p, err));
  for (int i = 0; i < mesh->n_vertices; i++)
    if (!held[i]) sim_conditions_position(p)[i][1] = ASIDE_M * (2 * cb_rng_uniform(&rng) - 1);
  CB_GOTO(settle_sheet(p, &s, force, out, err));
  measure_sag(e, mesh, held, (const sim_vec3 *)sim_conditions_position(p), out);
done:
  sim_conditions_free(p);
  free(held);
  free(force);
  return st;
}

cb_status val_sag_run(const val_sag *e, val_sag_result *out, cb_err *err) {
  *out = (val_sag_result){0};
  CB_TRY(cb_check_range(e->cells, 2, 500, "sag: cells", "", err));
  const double begin_s = cb_now_monotonic_s();
  sim_mesh mesh;
  CB_TRY(make_mesh(WIDTH_M, HEIGHT_M, e->cells, e->cells, &mesh, err));
  cb_status st = hang_sheet(e, &mesh, out, err);
  sim_mesh_clear(&mesh);
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
