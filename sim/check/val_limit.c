#include "val_limit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cb_num.h"
#include "sim_play.h"

val_limit val_limit_default(void) {
  return (val_limit){.kind = SIM_LIMIT_MAPPED, .cells = 20, .duration_s = 3, .dt_s = 0.005};
}

static const char scene[] =
    "name: limit_swap\n"
    "sheet: {shape: rectangle, length_mm: 1000, width_mm: 1000, cells: %d, turned_deg: [90, 0, 0],\n"
    "  at_mm: [0, 0, -500]}\n"
    "held: upper-corners\n"
    "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 20, bend_uN_m: 100, "
    "drag_per_s: "
    "5}\n"
    "limited:\n"
    "  method: %s\n"
    "  warp_ratio: %s\n"
    "  weft_ratio: %s\n"
    "time: {duration_s: %.17g, step_ms: %.17g}\n"
    "output:\n"
    "  picture: {width_px: 500, height_px: 500, azimuth_deg: -65, elevation_deg: 12}\n";

static cb_status load(const val_limit *e, sim_scene *out, cb_err *err) {
  static const char *const range[] = {"[0.95, 1.05]", "[0.99, 1.01]"};
  const char *method = e->kind == SIM_LIMIT_KINDS ? "none" : sim_limit_kind_names[e->kind];
  char text[1024];
  const int n = snprintf(text, sizeof text, scene, e->cells, method, range[e->swapped], range[!e->swapped],
                         e->duration_s, 1e3 * e->dt_s);
  return sim_scene_parse(text, (size_t)n, "limit-swap", out, err);
}

/* ---- what the model measures of itself ---- */

static cb_status take_places(sim_play *s, val_limit_result *out, cb_err *err) {
  sim_drawn sheet[SIM_PLAY_SURFACES];
  (void)sim_play_surfaces(s, sheet);
  const size_t bytes = (size_t)sheet[0].n_vertices * sizeof *out->position_m;
  double nearest = INFINITY;
  out->n_vertices = sheet[0].n_vertices;
  out->position_m = malloc(bytes);
  if (out->position_m == NULL) return cb_no_memory(err, "limit-swap");
  memcpy(out->position_m, sheet[0].position_m, bytes);
  for (int i = 0; i < out->n_vertices; i++) {
    const double *x = out->position_m[i];
    if (hypot(x[0], x[2]) < nearest) nearest = hypot(x[0], x[2]), out->sag_m = -x[2];
  }
  return CB_OK;
}

static cb_status take(sim_play *s, val_limit_result *out, cb_err *err) {
  const struct {
    const char *name;
    double *to;
  } values[] = {{"warp_least", &out->warp[0]},
                {"warp_most", &out->warp[1]},
                {"weft_least", &out->weft[0]},
                {"weft_most", &out->weft[1]},
                {"any_least", &out->any[0]},
                {"any_most", &out->any[1]},
                {"excess", &out->excess},
                {"lowest_m", &out->lowest_m},
                {"wrinkles_per_m", &out->wrinkles_per_m},
                {"fastest_m_per_s", &out->fastest_m_per_s}};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++)
    *values[k].to = sim_play_value(s, values[k].name);
  return take_places(s, out, err);
}

static double processor_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

static cb_status play(sim_play *s, val_limit_result *out, cb_err *err) {
  const int steps = sim_play_steps(s);
  for (int k = 0; k < steps; k++) {
    const double begin_s = processor_s();
    CB_TRY(sim_play_step(s, NULL, err));
    out->seconds += (processor_s() - begin_s) / steps;
    out->rounds += sim_play_value(s, "rounds") / steps;
    out->excess_worst = fmax(out->excess_worst, sim_play_value(s, "excess"));
  }
  return CB_OK;
}

static cb_status run(const sim_scene *of, const char *picture, val_limit_result *out, cb_err *err) {
  sim_play *s = NULL;
  cb_status st;
  CB_GOTO(sim_play_new(of, &s, err));
  CB_GOTO(play(s, out, err));
  CB_GOTO(take(s, out, err));
  if (picture) CB_GOTO(sim_play_picture(s, picture, err));
done:
  sim_play_free(s);
  return st;
}

cb_status val_limit_run(const val_limit *e, const char *picture, val_limit_result *out, cb_err *err) {
  *out = (val_limit_result){0};
  CB_TRY(cb_check_range(e->cells, 2, 200, "limit-swap: cells", "", err));
  sim_scene *of = malloc(sizeof *of); /* large */
  if (of == NULL) return cb_no_memory(err, "limit-swap");
  cb_status st = load(e, of, err);
  if (st == CB_OK) {
    st = run(of, picture, out, err);
    sim_scene_clear(of);
  }
  free(of);
  return st;
}

void val_limit_clear(val_limit_result *r) {
  free(r->position_m);
  *r = (val_limit_result){0};
}

double val_limit_apart(const val_limit_result *a, const val_limit_result *b) {
  double sum[2] = {0, 0};
  for (int i = 0; i < a->n_vertices; i++)
    for (int side = 0; side < 2; side++) {
      const double *p = a->position_m[i], *q = b->position_m[i], d = p[1] - (side ? -q[1] : q[1]);
      sum[side] += (p[0] - q[0]) * (p[0] - q[0]) + d * d + (p[2] - q[2]) * (p[2] - q[2]);
    }
  return sqrt(fmin(sum[0], sum[1]) / a->n_vertices);
}
