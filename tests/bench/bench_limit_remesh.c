/* The methods of strain limiting while the mesh changes (paper B): limits of the two directions exchanged.
 *
 *   bench_limit_remesh [SECONDS] [--json]
 *
 * The sheet of scenes/limit_remeshed.yaml, hung by two corners and remeshed every 20 steps of 5 ms, once with
 * 1 % along the weft (down) and 5 % along the warp, once exchanged; 3 s. For each method:
 *
 *   excess      a triangle outside its limits at most, of all steps and both runs; just after a remeshing,
 * too any         the largest strain along any direction at the end, of both runs apart_mm    how far apart
 * the two runs hang at the end: root mean square over 25 places of the cloth. Folds may go to either side:
 * one run is mirrored where that is nearer sag_ratio   the upper edge's sag, larger over smaller remeshings,
 * triangles, wrinkles_per_m     at the end: weft stiff, warp stiff systems     linear systems per step, means
 */
#include <omp.h>

#include "bench_lab.h"
#include "sim_play.h"

#define SIDE 5
#define POINTS (SIDE * SIDE)

static const char *const methods[] = {"principal", "principal-own", "warp-weft", "mapped"};
#define METHODS (sizeof methods / sizeof methods[0])

static const char scene_text[] =
    "name: limit_remesh\n"
    "sheet: {shape: rectangle, length_mm: 1000, width_mm: 1000, edge_mm: 80, pattern: equilateral, "
    "turned_deg: "
    "[90, 0, 0], at_mm: [0, 0, -500]}\n"
    "held: upper-corners\n"
    "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 200, bend_uN_m: 100, "
    "drag_per_s: 5}\n"
    "remeshed:\n"
    "  {every_steps: 20, edge_min_mm: 25, edge_max_mm: 90, turn_deg: 12, locking: 0, change_m_per_s: 0, "
    "compression: 0,\n"
    "   limited: {method: %s, warp_ratio: %s, weft_ratio: %s}}\n"
    "time: {duration_s: %.17g, step_ms: 5}\n"
    "output:\n  probes:\n    - {name: upper, at_mm: [0, 0, 0]}\n";

typedef struct outcome {
  double place[POINTS][3], excess, any, sag_m, remeshings, triangles, wrinkles_per_m, systems;
} outcome;

static void load(const char *method, bool exchanged, double seconds, sim_scene *out) {
  static const char *const range[] = {"[0.95, 1.05]", "[0.99, 1.01]"};
  char text[8192];
  int n = snprintf(text, sizeof text, scene_text, method, range[exchanged], range[!exchanged], seconds);
  for (int i = 0; i < POINTS; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "    - {name: q%d, at_mm: [%d, 0, %d]}\n", i,
                  -400 + 200 * (i % SIDE), -100 - 200 * (i / SIDE));
  LAB_TRY(sim_scene_parse(text, (size_t)n, "limit-remesh", out, err));
}

static double value(sim_play *s, const char *name, int number, char axis) {
  char column[40];
  if (number < 0) return sim_play_value(s, name);
  (void)snprintf(column, sizeof column, "%s%d_%c_m", name, number, axis);
  return sim_play_value(s, column);
}

static void look_at_end(sim_play *s, outcome *out) {
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < 3; k++) out->place[i][k] = value(s, "q", i, "xyz"[k]);
  out->any = fmax(1 - value(s, "any_least", -1, 0), value(s, "any_most", -1, 0) - 1);
  out->sag_m = -value(s, "upper_z_m", -1, 0);
  out->remeshings = value(s, "remeshings", -1, 0);
  out->triangles = value(s, "triangles", -1, 0);
  out->wrinkles_per_m = value(s, "wrinkles_per_m", -1, 0);
}

static outcome play(const char *method, bool exchanged, double seconds) {
  static sim_scene scene;
  outcome out = {.excess = 0};
  sim_play *s = NULL;
  load(method, exchanged, seconds, &scene);
  LAB_TRY(sim_play_new(&scene, &s, err));
  const int steps = sim_play_steps(s);
  for (int k = 0; k < steps; k++) {
    LAB_TRY(sim_play_step(s, NULL, err));
    out.excess = fmax(out.excess, value(s, "excess", -1, 0));
    out.systems += value(s, "linear_systems", -1, 0) / steps;
  }
  look_at_end(s, &out);
  sim_play_free(s);
  sim_scene_clear(&scene);
  return out;
}

static double apart_m(const outcome *a, const outcome *b) {
  double sum[2] = {0, 0};
  for (int i = 0; i < POINTS; i++)
    for (int mirrored = 0; mirrored < 2; mirrored++) {
      const double *p = a->place[i], *q = b->place[i];
      const double dy = p[1] - (mirrored ? -q[1] : q[1]);
      sum[mirrored] += (p[0] - q[0]) * (p[0] - q[0]) + dy * dy + (p[2] - q[2]) * (p[2] - q[2]);
    }
  return sqrt(fmin(sum[0], sum[1]) / POINTS);
}

static void print(const char *method, const outcome r[2], bool first, bool json) {
  const double sag = r[0].sag_m / r[1].sag_m;
  if (json && !first) printf(",\n");
  printf(
      json ? "  \"%s\": {\"excess\": %.4g, \"any\": %.4g, \"apart_mm\": %.4g, \"sag_ratio\": %.4g, "
             "\"remeshings\": "
             "[%g, %g], \"triangles\": [%g, %g], \"wrinkles_per_m\": [%.4g, %.4g], \"systems\": [%.4g, %.4g]}"
           : "%-14s excess %.4g, any %.4g, apart %.4g mm, sag ratio %.4g, remeshings %g %g, triangles %g %g, "
             "wrinkles %.4g %.4g per m, systems %.4g %.4g\n",
      method, fmax(r[0].excess, r[1].excess), fmax(r[0].any, r[1].any), 1e3 * apart_m(&r[0], &r[1]),
      fmax(sag, 1 / sag), r[0].remeshings, r[1].remeshings, r[0].triangles, r[1].triangles,
      r[0].wrinkles_per_m, r[1].wrinkles_per_m, r[0].systems, r[1].systems);
  (void)fflush(stdout);
}

int main(int argc, char **argv) {
  const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
  const double seconds = argc - json > 1 ? atof(argv[1]) : 3;
  if (argc - json > 2 || !(seconds > 0)) lab_die("usage: bench_limit_remesh [SECONDS] [--json]");
  omp_set_num_threads(1); /* as `sim` has for so small a mesh */
  if (json) printf("{\n");
  for (size_t m = 0; m < METHODS; m++) {
    const outcome r[2] = {play(methods[m], false, seconds), play(methods[m], true, seconds)};
    print(methods[m], r, m == 0, json);
  }
  if (json) printf("\n}\n");
  return 0;
}
