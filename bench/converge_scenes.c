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
  const double half_mm = d->width_mm / 2;
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
  const double duration_s = between(&d, 0.2, 0.6), step_ms = between(&d, 4, 10);
  add_output(&d, output);
  add_sheet(&d, shape, 1, out->run);
  add(out->run, "%stime: {duration_s: %.3f, step_ms: %.3f}\n%s", rest, duration_s, step_ms, output);
  add_sheet(&d, shape, 2, out->reference);
  add(out->reference, "%stime: {duration_s: %.3f, step_ms: %.4f, solve_tolerance: 1e-8}\n%s", rest,
      duration_s, step_ms / 4, output);
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

static cb_status follow(sim_converge *c, double *seconds, cb_err *err) {
  const double from_s = processor_s();
  while (sim_converge_behind(c)) CB_TRY(sim_converge_step(c, err));
  *seconds += processor_s() - from_s;
  return CB_OK;
}

static cb_status play_run(const sim_scene *s, sim_play *run, converge_outcome *out, cb_err *err) {
  sim_converge *c;
  double from_s = processor_s();
  CB_TRY(sim_converge_new(s, run, &c, err));
  out->companion_s += processor_s() - from_s;
  cb_status st = CB_OK;
  while (st == CB_OK && sim_play_done(run) < sim_play_steps(run)) {
    from_s = processor_s();
    st = sim_play_step(run, NULL, err);
    out->run_s += processor_s() - from_s;
    if (st == CB_OK) st = follow(c, &out->companion_s, err);
  }
  sim_converge_tell(c, &out->told);
  sim_converge_free(c);
  return st;
}

static cb_status play_reference(sim_play *reference, converge_outcome *out, cb_err *err) {
  const double from_s = processor_s();
  while (sim_play_done(reference) < sim_play_steps(reference)) CB_TRY(sim_play_step(reference, NULL, err));
  out->reference_s += processor_s() - from_s;
  return CB_OK;
}

static double apart_m(const sim_play *run, const sim_play *reference, const sim_place *place, int vertex) {
  double there[3], apart[3];
  sim_place_at(&place[vertex], (const sim_vec3 *)sim_cloth_position(sim_play_cloth(reference)), there);
  sim_sub(sim_cloth_position(sim_play_cloth(run))[vertex], there, apart);
  return sim_norm(apart);
}

static int nearest_vertex(const sim_mesh *m, const double at_m[3]) {
  int nearest = 0;
  double least = INFINITY, apart[3];
  for (int i = 0; i < m->n_vertices; i++) {
    sim_sub(m->position_m[i], at_m, apart);
    if (sim_norm(apart) < least) least = sim_norm(apart), nearest = i;
  }
  return nearest;
}

static cb_status compare(const sim_scene *s, const sim_play *run, const sim_play *reference,
                         converge_outcome *out, cb_err *err) {
  const sim_mesh *m = sim_play_mesh(run);
  sim_place *place = malloc((size_t)m->n_vertices * sizeof *place);
  double sum = 0;
  if (place == NULL) return cb_no_memory(err, "reference");
  sim_places_of_play(run, reference, place);
  for (int i = 0; i < m->n_vertices; i++) {
    const double d = apart_m(run, reference, place, i);
    sum += d * d;
    out->worst_m = fmax(out->worst_m, d);
  }
  out->rms_m = sqrt(sum / m->n_vertices);
  for (int k = 0; k < CONVERGE_PROBES; k++)
    out->probe_m[k] = apart_m(run, reference, place, nearest_vertex(m, s->probe[k].at_m));
  free(place);
  return CB_OK;
}

static cb_status play_both(const sim_scene scene[2], sim_play *play[2], converge_outcome *out, cb_err *err) {
  CB_TRY(sim_play_new(&scene[0], &play[0], err));
  CB_TRY(sim_play_new(&scene[1], &play[1], err));
  out->vertices = sim_play_mesh(play[0])->n_vertices;
  out->steps = sim_play_steps(play[0]);
  CB_TRY(play_run(&scene[0], play[0], out, err));
  CB_TRY(play_reference(play[1], out, err));
  return compare(&scene[0], play[0], play[1], out, err);
}

cb_status converge_case_play(const converge_case *c, converge_outcome *out, cb_err *err) {
  sim_scene *scene = calloc(2, sizeof *scene);
  sim_play *play[2] = {NULL, NULL};
  *out = (converge_outcome){.vertices = 0};
  if (scene == NULL) return cb_no_memory(err, "scene");
  cb_status st = parse(c->run, &scene[0], err);
  if (st == CB_OK) st = parse(c->reference, &scene[1], err);
  if (st == CB_OK) st = play_both(scene, play, out, err);
  sim_play_free(play[0]);
  sim_play_free(play[1]);
  free(scene);
  return st;
}
