#include "sim_play_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_clothing.h"
#include "sim_hash.h"
#include "sim_play_impl.h"
#include "sim_scene_impl.h"

/* ---- making ---- */

static void hash_curve(uint64_t *h, const sim_curve *c) {
  sim_hash_doubles(h, c->strain, (size_t)c->n);
  sim_hash_doubles(h, c->stress_N_per_m, (size_t)c->n);
}

/* Of the main cloth they are in its own hash, as mesh and as what is held. */
static void hash_sheets(uint64_t *h, const sim_scene *s) {
  const sim_material *m = &s->material;
  const double number[] = {m->areal_density_kg_per_m2, m->thickness_m,          m->damping_s, m->drag_per_s,
                           s->permeability_m_per_s,    s->permeability_exponent};
  for (int k = 0; k < s->n_sheets; k++) {
    const sim_scene_sheet *a = &s->sheet[k];
    const double size[] = {a->length_m, a->width_m, a->radius_m, a->hole_m, a->warp_rad, a->edge_m, a->slack};
    const int whole[] = {a->shape, a->vertices, a->cells, a->pattern, a->seed};
    sim_hash_doubles(h, size, sizeof size / sizeof *size);
    sim_hash_doubles(h, a->at_m, 3);
    sim_hash_doubles(h, a->turned_rad, 3);
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) sim_hash_u64(h, (uint64_t)whole[i]);
  }
  for (int k = 0; k < s->n_held; k++) {
    sim_hash_u64(h, (uint64_t)s->held[k].part);
    sim_hash_u64(h, (uint64_t)s->held[k].sheet);
    sim_hash_doubles(h, &s->held[k].within_m, 1);
    sim_hash_doubles(h, s->held[k].low_m, 3);
    sim_hash_doubles(h, s->held[k].high_m, 3);
  }
  sim_hash_doubles(h, number, sizeof number / sizeof *number);
  sim_hash_doubles(h, &m->bending_Nm[0][0], 9);
  hash_curve(h, &m->warp);
  hash_curve(h, &m->weft);
  hash_curve(h, &m->shear);
}

static void hash_scene(sim_play *p) {
  const sim_scene *s = p->scene;
  p->hash = SIM_HASH_BEGIN;
  if (sim_clothing_of(p) == NULL) hash_sheets(&p->hash, s);
  sim_hash_doubles(&p->hash, s->gravity_m_per_s2, 3);
  for (int b = 0; b < s->n_bodies; b++) sim_hash_u64(&p->hash, (uint64_t)s->body[b].shape);
  sim_hash_u64(&p->hash, p->told.hash);
}

static cb_status make_play(sim_play *p, cb_err *err) {
  CB_TRY(sim_play_make_bodies(p, err));
  p->state = calloc(1, p->model->state_bytes);
  if (p->state == NULL) return cb_no_memory(err, "%s", p->scene->name);
  CB_TRY(p->model->make(p->scene->section, &p->told, p->state, err));
  hash_scene(p);
  return sim_play_make_columns(p, err);
}

cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err) {
  sim_play *p = calloc(1, sizeof *p);
  *out = NULL;
  if (p == NULL) return cb_no_memory(err, "%s", scene->name);
  p->scene = scene;
  p->model = scene->model;
  p->steps = (int)lround(scene->duration_s / scene->dt_s);
  p->told = (sim_told){
      .scene = scene, .body = p->body, .dt_s = scene->duration_s / p->steps, .hash = SIM_HASH_BEGIN};
  cb_status st = make_play(p, err);
  if (st == CB_OK)
    *out = p;
  else
    sim_play_free(p);
  return st;
}

void sim_play_free(sim_play *p) {
  if (p == NULL) return;
  if (p->state != NULL) p->model->release(p->state);
  free(p->state);
  for (int b = 0; b < SIM_SCENE_BODIES; b++) sim_solid_free(p->solid[b]);
  sim_play_kept_clear(&p->kept);
  free(p->column);
  free(p);
}

/* ---- what it is ---- */

const sim_scene *sim_play_scene(const sim_play *p) { return p->scene; }
const char *sim_play_model(const sim_play *p) { return p->model->takes.name; }
const sim_body *sim_play_bodies(const sim_play *p) { return p->body; }
int sim_play_steps(const sim_play *p) { return p->steps; }
int sim_play_done(const sim_play *p) { return p->done; }
double sim_play_time(const sim_play *p) {
  return p->model->time_s != NULL ? p->model->time_s(p->state) : p->done * p->told.dt_s + p->told.within_s;
}

const sim_clothing *sim_clothing_of(const sim_play *p) {
  return p->model == &sim_cloth_model || p->model == &sim_layers_model ? p->state : NULL;
}

const sim_mesh *sim_play_mesh(const sim_play *p) {
  const sim_clothing *c = sim_clothing_of(p);
  return c != NULL ? &c->mesh : NULL;
}

sim_cloth *sim_play_cloth(const sim_play *p) {
  const sim_clothing *c = sim_clothing_of(p);
  return c != NULL ? c->cloth : NULL;
}

sim_layered *sim_play_layered(const sim_play *p) {
  const sim_clothing *c = sim_clothing_of(p);
  return c != NULL ? c->layered : NULL;
}

const sim_layered_report *sim_play_layered_report(const sim_play *p) {
  const sim_clothing *c = sim_clothing_of(p);
  return c != NULL && c->layered != NULL ? &c->report : NULL;
}

int sim_play_parts(const sim_play *p) { return sim_clothing_of(p)->n_parts; }
sim_play_part sim_play_part_of(const sim_play *p, int part) { return sim_clothing_of(p)->part_of[part]; }

/* ---- a step ---- */

static void set_motions(sim_play *p, double dt_s) {
  const double middle_s = sim_play_time(p) + dt_s / 2;
  for (int b = 0; b < p->scene->n_bodies; b++) {
    const sim_motion m = sim_motion_at(&p->scene->body[b].motions, middle_s);
    memcpy(p->body[b].velocity_m_per_s, m.velocity_m_per_s, sizeof m.velocity_m_per_s);
    memcpy(p->body[b].spin_rad_per_s, m.spin_rad_per_s, sizeof m.spin_rad_per_s);
  }
  if (p->model->aim != NULL) p->model->aim(p->state, dt_s);
}

static void add_report(sim_step_report *sum, const sim_step_report *r) {
  const sim_step_report before = *sum;
  *sum = *r;
  sum->steps = before.steps + r->steps;
  sum->refused = before.refused;
  sum->linearisations += before.linearisations;
  sum->solves += before.solves;
  sum->solver_iterations += before.solver_iterations;
  sum->impacts += before.impacts;
  sum->put_out += before.put_out;
  sum->pressed_J += before.pressed_J;
  for (int k = 0; k < SIM_CLOTH_PHASES; k++) sum->phase_s[k] += before.phase_s[k];
  sum->settled = r->settled && (before.settled || before.steps == 0);
  sum->contacts_agree = r->contacts_agree && (before.contacts_agree || before.steps == 0);
}

static cb_status take_whole(sim_play *p, double dt_s, sim_step_report *report, cb_err *err) {
  *report = (sim_step_report){.steps = 1, .settled = true, .contacts_agree = true};
  CB_TRY(p->model->step(p->state, dt_s, report, err));
  for (int b = 0; b < p->scene->n_bodies; b++) sim_body_move(&p->body[b], dt_s);
  p->last_dt_s = dt_s;
  p->told.within_s += dt_s;
  return CB_OK;
}

/* Where bodies are fast for what they measure the step is divided; the speeds are asked again before each
 * part. */
static cb_status take_step(sim_play *p, double dt_s, sim_step_report *report, cb_err *err) {
  sim_step_report sum = {0}, r = {0};
  double left_s = dt_s;
  int part = 0, parts = 0;
  for (; parts != 1; part++) {
    parts = 1;
    set_motions(p, left_s);
    if (p->model->divide != NULL) CB_TRY(p->model->divide(p->state, left_s, &parts, err));
    if (part + parts > 2 * SIM_PACE_MOST)
      return cb_fail(
          err, CB_E_RANGE,
          "%s: bodies or cloth grow faster within the step at t = %g s: more than %d parts were wanted",
          p->scene->name, sim_play_time(p), 2 * SIM_PACE_MOST);
    if (parts > 1) set_motions(p, left_s / parts);
    CB_TRY(take_whole(p, left_s / parts, &r, err));
    left_s -= left_s / parts;
    add_report(&sum, &r);
  }
  *report = part == 1 ? r : sum;
  return CB_OK;
}

/* ---- steps of many lengths ---- */

#define WHOLE (1 << SIM_PLAY_HALVINGS) /* in the shortest steps */

/* How often the step before was halved, once less. */
static int first_halvings(const sim_play *p) {
  int n = p->last_dt_s > 0 ? (int)lround(log2(p->told.dt_s / p->last_dt_s)) - 1 : 0;
  return n < 0 ? 0 : n > SIM_PLAY_HALVINGS ? SIM_PLAY_HALVINGS : n;
}

/* One part of the step, halved until it goes; *easy: it would have gone with half of what is allowed. */
static cb_status take_part(sim_play *p, int *halvings, sim_step_report *sum, bool *easy, cb_err *err) {
  for (;; (*halvings)++, sum->refused++) {
    sim_step_report r = {0};
    CB_TRY(sim_play_keep(p, err));
    cb_status st = take_step(p, p->told.dt_s / (1 << *halvings), &r, err);
    const bool last = *halvings == SIM_PLAY_HALVINGS;
    if (st != CB_OK && (last || (st != CB_E_NUM && st != CB_E_RANGE))) return st;
    const double jump = st == CB_OK ? sim_play_jump(p, &r) : INFINITY;
    *easy = jump <= 0.5;
    if (jump <= 1 || last) {
      add_report(sum, &r);
      return CB_OK;
    }
    CB_TRY(sim_play_take_back(p, err));
  }
}

static cb_status divide_step(sim_play *p, sim_step_report *report, cb_err *err) {
  sim_step_report sum = {0};
  int halvings = first_halvings(p), done = 0;
  while (done < WHOLE) {
    bool easy;
    CB_TRY(take_part(p, &halvings, &sum, &easy, err));
    done += WHOLE >> halvings;
    if (easy && halvings > 0 && done % (WHOLE >> (halvings - 1)) == 0) halvings--;
  }
  *report = sum;
  return CB_OK;
}

cb_status sim_play_step(sim_play *p, sim_step_report *report, cb_err *err) {
  sim_step_report own, *r = report != NULL ? report : &own;
  CB_TRY(p->scene->adaptive ? divide_step(p, r, err) : take_step(p, p->told.dt_s, r, err));
  p->done++;
  p->told.within_s = 0;
  return p->model->watch != NULL ? p->model->watch(p->state, r, err) : CB_OK;
}
