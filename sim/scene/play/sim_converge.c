#include "sim_converge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_places.h"
#include "sim_vec.h"

#define COARSER 2        /* edges and steps of the companion over those of the run */
#define LOOSER 4         /* its solver tolerance, likewise */
#define LOOSEST 0.1      /* its greatest solver tolerance */
#define LEAST_STEPS 4    /* of a run: fewer are not a series that converges */
#define LEAST_RATIO 2    /* vertices of the run over those of the companion */
#define LEAST_OF_RMS 0.5 /* the least difference of a probe that counts, over that of the rms */
#define AT_ONCE 1e-6     /* of a step: times so near are the same */

struct sim_converge {
  const sim_play *run;
  sim_scene scene;     /* of the companion */
  sim_play *companion; /* NULL: there is none, or it was given up */
  char why[SIM_CONVERGE_WHY];
  sim_place *place;            /* per vertex of the run: its material point in the companion */
  int probe[SIM_SCENE_PROBES]; /* vertices of the run */
  double dt_s;                 /* of the companion */
  sim_converge_distance rms, worst, at_probe[SIM_SCENE_PROBES]; /* so far, without bounds */
  double rms_most_s;
};

/* ---- making ---- */

static void coarsen(sim_scene_sheet *s) {
  s->vertices /= COARSER * COARSER;
  s->cells /= COARSER;
  s->edge_m *= COARSER;
}

/* Returns why a run has no companion; NULL: it may have one. */
static const char *reason_of(const sim_scene *s, const sim_play *run) {
  if (s->n_layers > 0) return "the scene has layers";
  if (sim_play_done(run) > 0) return "the run was resumed";
  if (sim_play_mesh(run) == NULL) return "only the main cloth has a companion";
  if (s->adaptive) return "the steps are adaptive";
  if (sim_play_steps(run) < LEAST_STEPS) return "the run has fewer than four steps";
  for (int k = 0; k < s->n_sheets; k++) {
    sim_scene_sheet half = s->sheet[k];
    coarsen(&half);
    if (half.shape == SIM_SCENE_SHEET_FILE) return "the mesh is that of a file";
    if (half.vertices == 0 && half.cells == 0 && !(half.edge_m > 0)) return "the mesh has too few triangles";
  }
  return NULL;
}

static void make_scene(sim_converge *c) {
  sim_scene *s = &c->scene;
  const int steps = (sim_play_steps(c->run) + COARSER - 1) / COARSER;
  for (int k = 0; k < s->n_sheets; k++) coarsen(&s->sheet[k]);
  s->dt_s = s->duration_s / steps;
  s->solve_tolerance = fmax(s->solve_tolerance, fmin(LOOSER * s->solve_tolerance, LOOSEST));
}

static cb_status find_places(sim_converge *c, cb_err *err) {
  const sim_mesh *m = sim_play_mesh(c->run);
  c->place = malloc((size_t)m->n_vertices * sizeof *c->place);
  if (c->place == NULL) return cb_no_memory(err, "%s, convergence", c->scene.name);
  sim_places_of_play(c->run, c->companion, c->place);
  /* The run's probes follow the vertices that were nearest at the start. */
  for (int k = 0; k < c->scene.n_probes; k++) c->probe[k] = sim_mesh_nearest(m, c->scene.probe[k].at_m);
  return CB_OK;
}

static void give_up(sim_converge *c, const char *why) {
  sim_play_free(c->companion);
  c->companion = NULL;
  (void)snprintf(c->why, sizeof c->why, "%s", why);
}

/* What stops a companion is no fault of the run, but for memory. */
static cb_status of_companion(sim_converge *c, cb_status st, const cb_err *why, cb_err *err) {
  if (st == CB_OK) return CB_OK;
  if (st == CB_E_NOMEM) return cb_no_memory(err, "%s, convergence", c->scene.name);
  give_up(c, "");
  (void)snprintf(c->why, sizeof c->why, "twice as coarse it cannot be played: %s", why->msg);
  return CB_OK;
}

static cb_status make_companion(sim_converge *c, cb_err *err) {
  cb_err why = {""};
  const sim_mesh *m = sim_play_mesh(c->run);
  make_scene(c);
  CB_TRY(of_companion(c, sim_play_new(&c->scene, &c->companion, &why), &why, err));
  if (c->companion == NULL) return CB_OK;
  if (LEAST_RATIO * sim_play_mesh(c->companion)->n_vertices > m->n_vertices) {
    give_up(c, "the mesh has too few triangles");
    return CB_OK;
  }
  c->dt_s = c->scene.duration_s / sim_play_steps(c->companion);
  return find_places(c, err);
}

cb_status sim_converge_new(const sim_scene *scene, const sim_play *run, sim_converge **out, cb_err *err) {
  sim_converge *c = calloc(1, sizeof *c);
  const char *reason = reason_of(scene, run);
  *out = NULL;
  if (c == NULL) return cb_no_memory(err, "%s, convergence", scene->name);
  c->run = run;
  c->scene = *scene;
  if (reason != NULL) give_up(c, reason);
  const cb_status st = reason == NULL ? make_companion(c, err) : CB_OK;
  if (st == CB_OK)
    *out = c;
  else
    sim_converge_free(c);
  return st;
}

void sim_converge_free(sim_converge *c) {
  if (c == NULL) return;
  sim_play_free(c->companion);
  free(c->place);
  free(c);
}

/* ---- the comparison ---- */

/* The distance of a vertex of the run from its material point in the companion. Within its last step the run
 * moved straight: exactly with backward Euler, nearly with BDF2. */
static double distance_m(const sim_converge *c, int vertex, double ahead_s) {
  double apart[3], other[3];
  const sim_cloth *run = sim_play_cloth(c->run);
  sim_place_at(&c->place[vertex], (const sim_vec3 *)sim_cloth_position(sim_play_cloth(c->companion)), other);
  sim_sub(sim_cloth_position(run)[vertex], other, apart);
  sim_add(apart, -ahead_s, sim_cloth_velocity(run)[vertex]);
  return sim_norm(apart);
}

static void see(sim_converge_distance *d, double now_m) {
  d->end_m = now_m;
  d->most_m = fmax(d->most_m, now_m);
}

static void compare(sim_converge *c) {
  const int n = sim_play_mesh(c->run)->n_vertices;
  const double ahead_s = sim_play_time(c->run) - sim_play_time(c->companion), before_m = c->rms.most_m;
  double sum = 0, worst_m = 0;
  for (int i = 0; i < n; i++) {
    const double d = distance_m(c, i, ahead_s);
    sum += d * d;
    worst_m = fmax(worst_m, d);
  }
  see(&c->rms, sqrt(sum / n));
  see(&c->worst, worst_m);
  for (int k = 0; k < c->scene.n_probes; k++) see(&c->at_probe[k], distance_m(c, c->probe[k], ahead_s));
  if (c->rms.most_m > before_m) c->rms_most_s = sim_play_time(c->companion);
}

static bool has_ended(const sim_play *p) { return sim_play_done(p) == sim_play_steps(p); }

cb_status sim_converge_follow(sim_converge *c, cb_err *err) {
  while (c->companion != NULL && !has_ended(c->companion) &&
         sim_play_time(c->run) - sim_play_time(c->companion) >= (1 - AT_ONCE) * c->dt_s) {
    cb_err why = {""};
    CB_TRY(of_companion(c, sim_play_step(c->companion, NULL, &why), &why, err));
    if (c->companion != NULL) compare(c);
  }
  return CB_OK;
}

/* ---- the statement ---- */

static sim_converge_distance bounded(const sim_converge_distance *d, double least_m) {
  return (sim_converge_distance){d->end_m, d->most_m, SIM_CONVERGE_FACTOR * fmax(d->most_m, least_m)};
}

static void tell_energies(const sim_converge *c, sim_cloth_energies *out) {
  sim_cloth_energies run, other;
  sim_cloth_energy(sim_play_cloth(c->run), &run);
  sim_cloth_energy(sim_play_cloth(c->companion), &other);
  out->kinetic = run.kinetic - other.kinetic;
  out->stretch = run.stretch - other.stretch;
  out->bending = run.bending - other.bending;
  out->gravity = run.gravity - other.gravity;
  out->friction = run.friction - other.friction;
  out->damping = run.damping - other.damping;
  out->supports = run.supports - other.supports;
}

void sim_converge_tell(const sim_converge *c, sim_convergence *out) {
  *out = (sim_convergence){.rms_most_s = c->rms_most_s};
  memcpy(out->why, c->why, sizeof out->why);
  if (c->companion == NULL) return;
  if (!has_ended(c->run) || !has_ended(c->companion)) {
    (void)snprintf(out->why, sizeof out->why, "the run has not ended");
    return;
  }
  out->vertices = sim_play_mesh(c->companion)->n_vertices;
  out->steps = sim_play_steps(c->companion);
  out->rms = bounded(&c->rms, 0);
  out->worst = bounded(&c->worst, 0);
  for (int k = 0; k < c->scene.n_probes; k++)
    out->probe[k] = bounded(&c->at_probe[k], LEAST_OF_RMS * c->rms.most_m);
  tell_energies(c, &out->run_less_companion);
}
