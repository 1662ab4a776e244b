/* The scenes of three layers at the sizes of Chen, Feng, Wang (2013): what a step costs, phase by phase, and
 * how long a step may be.
 *
 *   bench_three_layer [--steps K] [--json] [SCENE ...]
 *
 * And the traversal on three pillows (traverse_pillows.h), against exhaustive search over the same triangles
 * and grid; the proof of its signs is bench_traverse's.
 *
 * SCENE: car_cover, bedding, spinning_ball, down_vest; else all four: scenes/NAME_full.yaml. Each is played
 * into its contact first, in steps of START_DT_S, not timed; from there K steps (else 40) of 1 ms, timed one
 * by one: medians. Then, from the same state, the same span in longer steps: the longest whose vertices end
 * no further from those of the 1 ms run than 1 % of the way that they went (both root mean squares) says how
 * many core-seconds a simulated second costs. And how far all that is off a run whose linear systems are
 * solved to CONVERGED. Bytes are what malloc gave for the scene.
 *
 * The paper's figures, Intel i7-2600, four cores of 3.4 GHz: seconds per step, of which it took steps of 0.2
 * to 1 ms; here 1 ms. */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <omp.h>
#include <time.h>

#include "bench_lab.h"
#include "cb_stats.h"
#include "sim_play_parts.h"
#include "layered_state.h"
#include "traverse_pillows.h"

#define START_DT_S 4e-3
#define DT_S 1e-3
#define MOST_STEPS 1000
#define LENGTHS 4
#define PILLOW_STEPS 500
#define CONVERGED 1e-5 /* the cloth's solver: a relative residual that no longer matters */

typedef struct target {
  const char *name;
  double start_s; /* where it is in contact and moves */
  double wanted_s, paper_s;
} target;

static const target targets[] = {{"car_cover", 0.4, 0.045, 0.05},
                                 {"bedding", 0.1, 0.05, 0.07},
                                 {"spinning_ball", 0.3, 0.08, 0.25},
                                 {"down_vest", 0.04, 0.12, 0.37}};
#define TARGETS (int)(sizeof targets / sizeof *targets)

static const int times_longer[LENGTHS] = {2, 4, 5, 8};

typedef struct outcome {
  int cloth_vertices, body_vertices, tets, longest;
  double seconds, phase_s[SIM_LAYERED_PHASES], cloth_s[SIM_CLOTH_PHASES], bytes, visited,
      core_s_per_s[LENGTHS + 1], off[LENGTHS], solver_off;
} outcome;

static sim_play *open_play(sim_scene *s, double dt_s) {
  sim_play *p;
  s->dt_s = dt_s;
  LAB_TRY(sim_play_new(s, &p, err));
  return p;
}

static void step(sim_play *p) {
  sim_step_report r;
  LAB_TRY(sim_play_step(p, &r, err));
}

static unsigned char *state_of(sim_play *p) {
  unsigned char *state = malloc(layered_state_bytes(sim_play_layered(p)));
  if (!state) lab_die("out of memory");
  layered_state_take(sim_play_layered(p), state);
  return state;
}

static double (*places(sim_play *p))[3] {
  size_t bytes = (size_t)sim_play_mesh(p)->n_vertices * sizeof(double[3]);
  double(*x)[3] = malloc(bytes);
  if (!x) lab_die("out of memory");
  memcpy(x, sim_cloth_position(sim_play_cloth(p)), bytes);
  return x;
}

/* Root mean square. */
static double apart(const double (*a)[3], const double (*b)[3], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) sum += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
  return sqrt(sum / n);
}

static void start(sim_scene *s, const target *t, unsigned char **state) {
  sim_play *p = open_play(s, START_DT_S);
  int n = (int)lround(t->start_s / START_DT_S);
  for (int k = 0; k < n; k++) {
    fprintf(stderr, "\r%s: to its contact, step %d of %d ", t->name, k + 1, n);
    step(p);
  }
  fprintf(stderr, "\n");
  *state = state_of(p);
  sim_play_free(p);
}

static double work[MOST_STEPS];
static double median_of(const double *v, int n) { return cb_median(v, (size_t)n, work); }

/* The steps of 1 ms. */
static void time_steps(sim_play *p, int steps, outcome *o) {
  static double total[MOST_STEPS], phase[SIM_LAYERED_PHASES][MOST_STEPS], cloth[SIM_CLOTH_PHASES][MOST_STEPS];
  sim_traverse_counts closest_points = {0};
  for (int k = 0; k < steps; k++) {
    double begin = cb_now_monotonic_s();
    step(p);
    total[k] = cb_now_monotonic_s() - begin;
    const sim_layered_report *r = sim_play_layered_report(p);
    for (int i = 0; i < SIM_LAYERED_PHASES; i++) phase[i][k] = r->phase_s[i];
    for (int i = 0; i < SIM_CLOTH_PHASES; i++) cloth[i][k] = r->cloth.phase_s[i];
    closest_points.points += r->closest_points.points;
    closest_points.crossed += r->closest_points.crossed;
    closest_points.measured += r->closest_points.measured;
  }
  o->seconds = median_of(total, steps);
  for (int i = 0; i < SIM_LAYERED_PHASES; i++) o->phase_s[i] = median_of(phase[i], steps);
  for (int i = 0; i < SIM_CLOTH_PHASES; i++) o->cloth_s[i] = median_of(cloth[i], steps);
  o->visited = closest_points.points > 0 ? (double)(closest_points.crossed + closest_points.measured) /
                                               (double)closest_points.points
                                         : 0;
}

static void describe(const sim_play *p, outcome *o) {
  o->cloth_vertices = sim_play_mesh(p)->n_vertices;
  for (int k = 0; k < sim_play_scene(p)->n_layers; k++) {
    sim_play_layer l = sim_play_layer_of(p, k);
    o->body_vertices += l.n_vertices;
    o->tets += l.n_tets;
  }
}

/* The same span in longer steps; the longest that is as good is the last one tried that was. */
static void lengthen(sim_scene *s, const unsigned char *state, int steps, const double (*from)[3],
                     const double (*to)[3], outcome *o) {
  double way = apart(from, to, o->cloth_vertices);
  for (int k = 0; k < LENGTHS; k++) {
    sim_play *p = open_play(s, DT_S * times_longer[k]);
    layered_state_give(sim_play_layered(p), state);
    double begin = lab_cpu_s();
    for (int i = 0; i < steps / times_longer[k]; i++) step(p);
    o->core_s_per_s[k + 1] = (lab_cpu_s() - begin) / (steps * DT_S);
    o->off[k] = apart((const double(*)[3])sim_cloth_position(sim_play_cloth(p)), to, o->cloth_vertices) / way;
    sim_play_free(p);
    if (o->off[k] > 0.01) break;
    o->longest = k + 1;
  }
}

/* The same steps with the cloth's linear systems solved well: how far the scene's own tolerance is off, by
 * the way that was gone. */
static void solve_well(sim_scene *s, const unsigned char *state, int steps, const double (*from)[3],
                       const double (*to)[3], outcome *o) {
  double tolerance = s->solve_tolerance;
  s->solve_tolerance = CONVERGED;
  sim_play *p = open_play(s, DT_S);
  layered_state_give(sim_play_layered(p), state);
  for (int i = 0; i < steps; i++) step(p);
  o->solver_off = apart((const double(*)[3])sim_cloth_position(sim_play_cloth(p)), to, o->cloth_vertices) /
                  apart(from, to, o->cloth_vertices);
  sim_play_free(p);
  s->solve_tolerance = tolerance;
}

static outcome measure(const target *t, int steps) {
  static sim_scene scene;
  outcome o = {0};
  char path[256];
  (void)snprintf(path, sizeof path, "%s/scenes/%s_full.yaml", CB_SOURCE_DIR, t->name);
  LAB_TRY(sim_scene_load(path, &scene, err));
  unsigned char *state;
  start(&scene, t, &state);
  double before = lab_bytes_in_use();
  sim_play *p = open_play(&scene, DT_S);
  layered_state_give(sim_play_layered(p), state);
  describe(p, &o);
  double(*from)[3] = places(p), begin = lab_cpu_s();
  time_steps(p, steps, &o);
  o.core_s_per_s[0] = (lab_cpu_s() - begin) / (steps * DT_S);
  o.bytes = lab_bytes_in_use() - before - (double)o.cloth_vertices * sizeof(double[3]);
  double(*to)[3] = places(p);
  sim_play_free(p);
  solve_well(&scene, state, steps, (const double(*)[3])from, (const double(*)[3])to, &o);
  lengthen(&scene, state, steps, (const double(*)[3])from, (const double(*)[3])to, &o);
  free(state);
  free(from);
  free(to);
  return o;
}

static double longest_s(const outcome *o) {
  return DT_S * (o->longest > 0 ? times_longer[o->longest - 1] : 1);
}

static void print_text(const target *t, const outcome *o) {
  printf("%s: %d vertices of cloth, bodies of %d vertices, %d tetrahedra\n", t->name, o->cloth_vertices,
         o->body_vertices, o->tets);
  printf("  a step of 1 ms %.4f s (wanted %.3f; paper %.2f s on 4 cores)\n ", o->seconds, t->wanted_s,
         t->paper_s);
  for (int i = 0; i < SIM_LAYERED_PHASES; i++) printf(" %s %.4f", sim_layered_phase_names[i], o->phase_s[i]);
  printf("\n  of the cloth:");
  for (int i = 0; i < SIM_CLOTH_PHASES; i++) printf(" %s %.4f", sim_cloth_phase_names[i], o->cloth_s[i]);
  printf("\n  %.0f MB, %.3f triangles visited per vertex and step; %.2f %% off a run that is solved well\n",
         1e-6 * o->bytes, o->visited, 100 * o->solver_off);
  printf("  core-seconds per second: %.0f at 1 ms", o->core_s_per_s[0]);
  for (int k = 0; k < LENGTHS && o->core_s_per_s[k + 1] > 0; k++)
    printf(", %.0f at %d ms (%.2f %% off)", o->core_s_per_s[k + 1], times_longer[k], 100 * o->off[k]);
  printf("; paper %.0f\n", 4 * t->paper_s / DT_S);
  printf("  longest step within 1 %%: %.0f ms, %.2f of the paper's core-seconds (wanted 0.20)\n",
         1e3 * longest_s(o), o->core_s_per_s[o->longest] / (4 * t->paper_s / DT_S));
}

static void print_json(const target *t, const outcome *o, bool last) {
  printf("  \"%s\": {\"seconds_per_step\": %.6g, \"phases\": {", t->name, o->seconds);
  for (int i = 0; i < SIM_LAYERED_PHASES; i++)
    printf("%s\"%s\": %.6g", i ? ", " : "", sim_layered_phase_names[i], o->phase_s[i]);
  printf("}, \"bytes\": %.0f, \"cloth_vertices\": %d, \"body_vertices\": %d, \"tets\": %d, ", o->bytes,
         o->cloth_vertices, o->body_vertices, o->tets);
  printf(
      "\"longest_step_s\": %g, \"core_s_per_s\": %.6g, \"paper_core_s_per_s\": %g, \"solver_off\": %.4g, "
      "\"triangles_per_vertex_step\": "
      "%.4f}%s\n",
      longest_s(o), o->core_s_per_s[o->longest], 4 * t->paper_s / DT_S, o->solver_off, o->visited,
      last ? "" : ",");
}

static void traversal(bool json) {
  pillows_result r;
  pillows_run(PILLOW_STEPS, &r);
  double visited = (double)(r.walk.crossed + r.walk.measured) / (double)r.walk.points;
  if (json)
    printf("}, \"traversal\": {\"triangles_per_vertex_step\": %.4f, \"speedup_over_exhaustive\": %.4g}}\n",
           visited, r.all_s / r.walk_s);
  else
    printf(
        "three pillows, %d triangles: %.3f visited per vertex and step (wanted 1.4), %.1f times as fast as "
        "exhaustive (wanted 8)\n",
        r.cloth_triangles + r.body_triangles, visited, r.all_s / r.walk_s);
}

static bool wanted(const target *t, char **name, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(name[i], t->name) == 0) return true;
  return n == 0;
}

int main(int argc, char **argv) {
  int steps = 40, first = 1, done = 0, all = 0;
  bool json = false;
  for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
    if (strcmp(argv[first], "--json") == 0)
      json = true;
    else if (strcmp(argv[first], "--steps") == 0 && first + 1 < argc)
      steps = atoi(argv[++first]);
    else
      lab_die("usage: bench_three_layer [--steps K] [--json] [SCENE ...]");
  }
  if (steps < 8 || steps > MOST_STEPS || steps % 40 != 0) lab_die("--steps: 40, 80, ... 1000 was wanted");
  for (int i = 0; i < TARGETS; i++) all += wanted(&targets[i], argv + first, argc - first);
  if (all < (argc > first ? argc - first : TARGETS))
    lab_die("a scene that is not there: car_cover, bedding, spinning_ball or down_vest was wanted");
  if (json) printf("{\"threads\": %d, \"scenes\": {\n", omp_get_max_threads());
  for (int i = 0; i < TARGETS; i++) {
    if (!wanted(&targets[i], argv + first, argc - first)) continue;
    outcome o = measure(&targets[i], steps);
    if (json)
      print_json(&targets[i], &o, ++done == all);
    else
      print_text(&targets[i], &o);
    (void)fflush(stdout);
  }
  traversal(json);
  return 0;
}
