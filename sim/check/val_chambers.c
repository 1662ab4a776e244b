/* Two chambers: val_leak.h. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_mesh.h"
#include "val_leak.h"
#include "val_layers.h"

#define CELL_M 0.005
#define ROWS 4
#define LENGTH_M 0.3
#define LOW_M 0.1325 /* the passage: columns of vertices between these have a low gap */
#define HIGH_M 0.1675
#define CHAMBER_GAP_M 0.05
#define PASSAGE_GAP_M 2e-6
#define HELD_M2 1.0 /* much more than the sections are */
#define FLOW_M_PER_S 200.0
#define OVER_PA 300.0
#define STEPS 400
#define TIMES 2.0
#define SETTLED 40 /* steps until the passage itself has filled */

typedef struct layer {
  sim_mesh mesh;
  double *gap;
} layer;

static bool in_passage(double x) { return x > LOW_M && x < HIGH_M; }

/* Of the passage, by Kirchhoff's laws: the chambers are held at 1 and 0. */
static cb_status conductance(const layer *l, double *out, cb_err *err) {
  int n = l->mesh.n_vertices;
  double *at = malloc(3 * (size_t)n * sizeof *at), *hold = at + n, *p = hold + n;
  if (!at) return cb_no_memory(err, "chambers of %d vertices", n);
  for (int i = 0; i < n; i++) {
    double x = l->mesh.position_m[i][0];
    at[i] = x < LOW_M;
    hold[i] = in_passage(x) ? 0 : HELD_M2;
  }
  const val_network w = {&l->mesh, (const sim_vec3 *)l->mesh.position_m, l->gap, 1, hold, at};
  cb_status st = val_network_solve(&w, p, err);
  *out = 0;
  for (int i = 0; i < n && st == CB_OK; i++)
    if (at[i] > 0) *out += hold[i] * (1 - p[i]);
  free(at);
  return st;
}

static cb_status make_layer(layer *l, cb_err *err) {
  const sim_rectangle r = {
      .length_m = LENGTH_M, .width_m = ROWS * CELL_M, .pattern = SIM_PATTERN_RIGHT, .cells_across = ROWS};
  *l = (layer){.gap = NULL};
  CB_TRY(sim_mesh_rectangle(&r, &l->mesh, err));
  l->gap = malloc((size_t)l->mesh.n_vertices * sizeof *l->gap);
  if (!l->gap) return cb_no_memory(err, "chambers of %d vertices", l->mesh.n_vertices);
  for (int i = 0; i < l->mesh.n_vertices; i++)
    l->gap[i] = in_passage(l->mesh.position_m[i][0]) ? PASSAGE_GAP_M : CHAMBER_GAP_M;
  return CB_OK;
}

/* Mean pressures of the chambers, by volume. */
static void means(const layer *l, const sim_air *air, double mean_Pa[2], double volume_m3[2]) {
  double sum[2] = {0, 0};
  volume_m3[0] = volume_m3[1] = 0;
  for (int i = 0; i < l->mesh.n_vertices; i++) {
    double x = l->mesh.position_m[i][0], v = l->mesh.vertex_area_m2[i] * l->gap[i];
    int side = x > (LOW_M + HIGH_M) / 2;
    if (in_passage(x)) continue;
    volume_m3[side] += v;
    sum[side] += v * sim_air_pressure_Pa(air)[i];
  }
  for (int k = 0; k < 2; k++) mean_Pa[k] = sum[k] / volume_m3[k];
}

static cb_status play_flow(const layer *l, sim_air *air, val_chambers_result *out, cb_err *err) {
  const sim_air_place place = {(const sim_vec3 *)l->mesh.position_m, l->mesh.vertex_area_m2, l->gap, NULL};
  double mean[2], volume[2], start = 0, section;
  CB_TRY(conductance(l, &section, err));
  sim_air_fill(air, &place, SIM_ATMOSPHERE_PA);
  for (int i = 0; i < l->mesh.n_vertices; i++)
    if (l->mesh.position_m[i][0] < LOW_M) sim_air_amount_J(air)[i] *= 1 + OVER_PA / SIM_ATMOSPHERE_PA;
  means(l, air, mean, volume);
  out->time_constant_s = 1 / (FLOW_M_PER_S * section * (1 / volume[0] + 1 / volume[1]));
  double dt_s = TIMES * out->time_constant_s / STEPS;
  for (int k = 0; k < STEPS + SETTLED; k++) {
    sim_air_report r;
    CB_TRY(sim_air_step(air, &place, dt_s, &r, err));
    means(l, air, mean, volume);
    if (k == SETTLED - 1) start = mean[0] - mean[1];
  }
  out->difference_Pa = mean[0] - mean[1];
  out->expected_Pa = start * exp(-TIMES);
  out->mean_Pa = (mean[0] * volume[0] + mean[1] * volume[1]) / (volume[0] + volume[1]) - SIM_ATMOSPHERE_PA;
  out->expected_mean_Pa = OVER_PA * volume[0] / (volume[0] + volume[1]);
  out->error = out->difference_Pa / out->expected_Pa - 1;
  return CB_OK;
}

cb_status val_chambers_run(sim_air_solver solver, val_chambers_result *out, cb_err *err) {
  *out = (val_chambers_result){0};
  double begin_s = cb_now_monotonic_s();
  layer l;
  sim_air *air = NULL;
  cb_status st = make_layer(&l, err);
  sim_air_setup setup = sim_air_setup_default(&l.mesh);
  setup.flow_m_per_s = FLOW_M_PER_S;
  setup.solver = solver;
  if (st == CB_OK) st = sim_air_new(&setup, &air, err);
  if (st == CB_OK) st = play_flow(&l, air, out, err);
  out->vertices = l.mesh.n_vertices;
  sim_air_free(air);
  sim_mesh_clear(&l.mesh);
  free(l.gap);
  out->agrees = fabs(out->error) <= VAL_LEAK_TOLERANCE &&
                fabs(out->mean_Pa / out->expected_mean_Pa - 1) <= VAL_LEAK_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
