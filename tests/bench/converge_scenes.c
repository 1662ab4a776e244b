#include "converge_scenes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_places.h"
#include "sim_vec.h"

#define CONVERGE_FINER 4 /* steps of the reference in one of the run */

const char *const converge_kind_names[CONVERGE_KINDS] = {"corners", "edge",   "sphere", "plane",
                                                         "grips",   "shaken", "pushed"};

/* ---- scenes ---- */

typedef struct draft {
  cb_rng rng;
  double length_mm, width_mm, inclined_deg, height_mm;
  int vertices;
} draft;

static double between(draft *d, double low, double high) {
  return low + (high - low) * cb_rng_uniform(&d->rng);
}
static double between_log(draft *d, double low, double high) { return exp(between(d, log(low), log(high))); }

static void add(char text[CONVERGE_TEXT], const char *format, ...) {
  const size_t n = strlen(text);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(text + n, CONVERGE_TEXT - n, format, list);
  va_end(list);
}

/* finer: of edges. */
static void add_sheet(const draft *d, int shape, int finer, char text[CONVERGE_TEXT]) {
  const int cells = (int)lround(sqrt(d->vertices * d->width_mm / d->length_mm));
  add(text, "name: a\nsheet: {turned_deg: [%.1f, 0, 0], at_mm: [0, 0, %.1f], ", d->inclined_deg,
      d->height_mm);
  if (shape == 0)
    add(text, "shape: disc, radius_mm: %.1f, vertices: %d}\n", d->length_mm / 2, finer * finer * d->vertices);
  else if (shape == 1)
    add(text, "shape: rectangle, length_mm: %.1f, width_mm: %.1f, cells: %d}\n", d->length_mm, d->width_mm,
        finer * cells);
  else
    add(text, "shape: rectangle, length_mm: %.1f, width_mm: %.1f, vertices: %d}\n", d->length_mm, d->width_mm,
        finer * finer * d->vertices);
}

static void add_material(draft *d, char text[CONVERGE_TEXT]) {
  const double stretch = between_log(d, 30, 2000), bend = between_log(d, 0.5, 100);
  add(text, "material: {areal_density_g_per_m2: %.1f, thickness_mm: 0.5, ", between_log(d, 80, 400));
  add(text, "stretch_warp_N_per_m: %.1f, stretch_weft_N_per_m: %.1f, ", stretch,
      stretch * between(d, 0.5, 1));
  add(text, "shear_N_per_m: %.2f, ", stretch * between_log(d, 0.05, 0.4));
  add(text, "bend_warp_uN_m: %.2f, bend_weft_uN_m: %.2f, ", bend, bend * between(d, 0.5, 1));
  add(text, "damping_ms: %.2f, drag_per_s: %.2f}\n", between(d, 0, 5), between(d, 0, 3));
}

static void add_edges(draft *d, char text[CONVERGE_TEXT]) {
  const double x = between(d, -200, 200), y = between(d, -100, 100), z = between(d, -200, 200);
  add(text,
      "held: [{part: left-edge, motion: [{until_s: 1, velocity_mm_per_s: [%.1f, %.1f, %.1f]}]}, "
      "{part: right-edge}]\n",
      fmax(x, -30), y, z);
}

static void add_shaken(draft *d, char text[CONVERGE_TEXT]) {
  const double half_s = between(d, 0.08, 0.2), v = between(d, 100, 600);
  add(text, "held: {part: upper-corners, motion: [");
  for (int k = 0; k < 8; k++)
    add(text, "%s{until_s: %.3f, velocity_mm_per_s: [0, %.1f, 0]}", k > 0 ? ", " : "", (k + 1) * half_s,
        k % 2 == 0 ? v : -v);
  add(text, "]}\n");
}

static void add_motion(draft *d, converge_kind kind, char text[CONVERGE_TEXT]) {
  const double mu = between(d, 0.1, 0.6), radius_mm = between(d, 40, 80);
  switch (kind) {
    case CONVERGE_CORNERS: add(text, "held: upper-corners\n"); break;
    case CONVERGE_EDGE: add(text, "held: upper-edge\n"); break;
    case CONVERGE_SPHERE:
      add(text,
          "bodies: [{shape: sphere, at_mm: [%.1f, %.1f, 80], radius_mm: %.1f, friction: %.2f}, {shape: "
          "plane, "
          "friction: %.2f}]\n",
          between(d, -20, 20), between(d, -20, 20), radius_mm, mu, mu);
      break;
    case CONVERGE_PLANE: add(text, "bodies: [{shape: plane, friction: %.2f}]\n", mu); break;
    case CONVERGE_GRIPS: add_edges(d, text); break;
    case CONVERGE_SHAKEN: add_shaken(d, text); break;
    case CONVERGE_PUSHED:
      add(text,
          "held: upper-edge\nbodies: [{shape: sphere, at_mm: [0, %.1f, %.1f], radius_mm: %.1f, friction: "
          "%.2f, motion: [{until_s: 1, velocity_mm_per_s: [0, %.1f, 0]}]}]\n",
          -radius_mm - 10, d->height_mm - 20, radius_mm, mu, between(d, 100, 500));
      break;
    case CONVERGE_KINDS: break;
  }
}

/* How far the sheet is inclined, and the height of its middle. */
static void place(draft *d, converge_kind kind) {
  const double half_mm = d->length_mm / 2; /* of the longer side, and of a disc */
  d->inclined_deg = 0;
  if (kind == CONVERGE_CORNERS || kind == CONVERGE_EDGE || kind == CONVERGE_SHAKEN)
    d->inclined_deg = between(d, 0, 80);
  if (kind == CONVERGE_PLANE) d->inclined_deg = between(d, 5, 60);
  if (kind == CONVERGE_PUSHED) d->inclined_deg = 90;
  d->height_mm = 400;
  if (kind == CONVERGE_SPHERE) d->height_mm = 165 + between(d, 0, 40);
  if (kind == CONVERGE_PLANE) d->height_mm = half_mm * sin(d->inclined_deg * CB_PI / 180) + between(d, 2, 40);
}

static void add_output(draft *d, char text[CONVERGE_TEXT]) {
  add(text, "output: {probes: [");
  for (int k = 0; k < CONVERGE_PROBES; k++) {
    const double x = between(d, -0.5, 0.5) * d->length_mm, y = between(d, -0.5, 0.5) * d->width_mm,
                 a = d->inclined_deg * CB_PI / 180;
    add(text, "%s{name: p%d, at_mm: [%.1f, %.1f, %.1f]}", k > 0 ? ", " : "", k, x, y * cos(a),
        d->height_mm + y * sin(a));
  }
  add(text, "]}\n");
}

/* Discs have no edges and corners to hold. */
static int shape_of(draft *d, converge_kind kind) {
  const bool disc = kind == CONVERGE_SPHERE || kind == CONVERGE_PLANE;
  const int shape = (int)between(d, disc ? 0 : 1, 4);
  return shape > 2 ? 2 : shape;
}

void converge_case_make(uint64_t seed, int number, converge_case *out) {
  draft d = {.vertices = 0};
  char rest[CONVERGE_TEXT] = "", output[CONVERGE_TEXT] = "";
  cb_rng_init(&d.rng, seed, (uint64_t)number);
  *out = (converge_case){.kind = (converge_kind)(number % CONVERGE_KINDS)};
  d.vertices = (int)between_log(&d, 150, 600);
  d.length_mm = between(&d, 150, 400);
  d.width_mm = d.length_mm * between(&d, 0.6, 1);
  place(&d, out->kind);
  const int shape = shape_of(&d, out->kind);
  add_material(&d, rest);
  add_motion(&d, out->kind, rest);
  add(rest, "cloth: {self_friction: 0.2}\n");
  const double duration_s = between(&d, 0.2, 0.6);
  const int steps = (int)lround(duration_s / between(&d, 0.004, 0.01));
  add_output(&d, output);
  add_sheet(&d, shape, 1, out->run);
  add(out->run, "%stime: {duration_s: %.3f, step_ms: %.9f}\n%s", rest, duration_s, 1e3 * duration_s / steps,
      output);
  add_sheet(&d, shape, 2, out->reference);
  add(out->reference, "%stime: {duration_s: %.3f, step_ms: %.9f, solve_tolerance: 1e-8}\n%s", rest,
      duration_s, 1e3 * duration_s / (CONVERGE_FINER * steps), output);
}

/* ---- runs ---- */

static double processor_s(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cb_status parse(const char *text, sim_scene *out, cb_err *err) {
  const cb_status st = sim_scene_parse(text, strlen(text), "scene", out, err);
  sim_scene_clear(out); /* the main cloth keeps no document */
  return st;
}

/* A run, its companion and its reference. */
typedef struct trio {
  sim_scene scene[2];
  sim_play *run, *reference;
  sim_converge *companion;
  sim_place *place; /* per vertex of the run: in the reference */
} trio;

static double apart_m(const trio *t, int vertex) {
  double there[3], apart[3];
  sim_place_at(&t->place[vertex], (const sim_vec3 *)sim_cloth_position(sim_play_cloth(t->reference)), there);
  sim_sub(sim_cloth_position(sim_play_cloth(t->run))[vertex], there, apart);
  return sim_norm(apart);
}

static void see(sim_converge_distance *d, double now_m) {
  d->end_m = now_m;
  d->most_m = fmax(d->most_m, now_m);
}

static void compare(const trio *t, converge_outcome *out) {
  const sim_mesh *m = sim_play_mesh(t->run);
  double sum = 0, worst_m = 0;
  for (int i = 0; i < m->n_vertices; i++) {
    const double d = apart_m(t, i);
    sum += d * d;
    worst_m = fmax(worst_m, d);
  }
  see(&out->rms, sqrt(sum / m->n_vertices));
  see(&out->worst, worst_m);
  for (int k = 0; k < CONVERGE_PROBES; k++)
    see(&out->probe[k], apart_m(t, sim_mesh_nearest(m, t->scene[0].probe[k].at_m)));
}

static cb_status make(const converge_case *c, trio *t, converge_outcome *out, cb_err *err) {
  CB_TRY(parse(c->run, &t->scene[0], err));
  CB_TRY(parse(c->reference, &t->scene[1], err));
  const double from_s = processor_s();
  CB_TRY(sim_play_new(&t->scene[0], &t->run, err));
  const double run_s = processor_s();
  CB_TRY(sim_converge_new(&t->scene[0], t->run, &t->companion, err));
  const double companion_s = processor_s();
  CB_TRY(sim_play_new(&t->scene[1], &t->reference, err));
  out->run_s += run_s - from_s;
  out->companion_s += companion_s - run_s;
  out->reference_s += processor_s() - companion_s;
  out->vertices = sim_play_mesh(t->run)->n_vertices;
  out->steps = sim_play_steps(t->run);
  t->place = malloc((size_t)out->vertices * sizeof *t->place);
  if (t->place == NULL) return cb_no_memory(err, "reference");
  sim_places_of_play(t->run, t->reference, t->place);
  return CB_OK;
}

static cb_status step(trio *t, converge_outcome *out, cb_err *err) {
  const double from_s = processor_s();
  CB_TRY(sim_play_step(t->run, NULL, err));
  const double run_s = processor_s();
  CB_TRY(sim_converge_follow(t->companion, err));
  const double companion_s = processor_s();
  for (int k = 0; k < CONVERGE_FINER; k++) CB_TRY(sim_play_step(t->reference, NULL, err));
  out->run_s += run_s - from_s;
  out->companion_s += companion_s - run_s;
  out->reference_s += processor_s() - companion_s;
  compare(t, out);
  return CB_OK;
}

static cb_status play_all(const converge_case *c, trio *t, converge_outcome *out, cb_err *err) {
  CB_TRY(make(c, t, out, err));
  if (sim_play_steps(t->reference) != CONVERGE_FINER * out->steps)
    return cb_fail(err, CB_E_RANGE, "the reference has %d steps, the run %d", sim_play_steps(t->reference),
                   out->steps);
  while (sim_play_done(t->run) < out->steps) CB_TRY(step(t, out, err));
  sim_converge_tell(t->companion, &out->told);
  return CB_OK;
}

cb_status converge_case_play(const converge_case *c, converge_outcome *out, cb_err *err) {
  trio *t = calloc(1, sizeof *t);
  *out = (converge_outcome){.vertices = 0};
  if (t == NULL) return cb_no_memory(err, "scene");
  const cb_status st = play_all(c, t, out, err);
  sim_converge_free(t->companion);
  sim_play_free(t->run);
  sim_play_free(t->reference);
  free(t->place);
  free(t);
  return st;
}
