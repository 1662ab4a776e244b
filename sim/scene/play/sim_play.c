#include "sim_play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_play_impl.h"
#include "sim_vec.h"

cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err) {
  sim_play *p = calloc(1, sizeof *p);
  *out = NULL;
  if (p == NULL) return cb_fail(err, CB_E_NOMEM, "%s: out of memory", scene->name);
  p->scene = scene;
  p->steps = (int)lround(scene->duration_s / scene->dt_s);
  p->dt_s = scene->duration_s / p->steps;
  cb_status st = sim_play_make_cloth(p, err);
  if (st == CB_OK)
    *out = p;
  else
    sim_play_free(p);
  return st;
}

void sim_play_free(sim_play *p) {
  if (p == NULL) return;
  if (p->three == NULL) sim_cloth_free(p->cloth);
  sim_play_clear_layers(p);
  sim_mesh_clear(&p->mesh);
  for (int b = 0; b < SIM_SCENE_BODIES; b++) sim_solid_free(p->solid[b]);
  free(p->rest_per_m);
  free(p->grip);
  free(p->gripped);
  free(p->kept);
  free(p);
}

const sim_scene *sim_play_scene(const sim_play *p) { return p->scene; }
const sim_mesh *sim_play_mesh(const sim_play *p) { return &p->mesh; }
sim_cloth *sim_play_cloth(const sim_play *p) { return p->cloth; }
sim_three *sim_play_three(const sim_play *p) { return p->three; }
const sim_three_report *sim_play_three_report(const sim_play *p) { return p->three != NULL ? &p->report : NULL; }
int sim_play_parts(const sim_play *p) { return p->n_parts; }
sim_play_part sim_play_part_of(const sim_play *p, int part) { return p->part_of[part]; }
int sim_play_vertices(const sim_play *p) {
  int n = p->mesh.n_vertices;
  for (int k = 0; k < p->scene->n_layers; k++) n += sim_play_layer_of(p, k).n_vertices;
  return n;
}

int sim_play_steps(const sim_play *p) { return p->steps; }
int sim_play_done(const sim_play *p) { return (int)lround(sim_cloth_time(p->cloth) / p->dt_s); }

static void set_motions(sim_play *p, double dt_s) {
  const sim_scene *s = p->scene;
  double middle_s = sim_cloth_time(p->cloth) + dt_s / 2;
  sim_body *body = sim_cloth_bodies(p->cloth);
  for (int b = 0; b < s->n_bodies; b++) {
    sim_motion m = sim_motion_at(&s->body[b].motions, middle_s);
    memcpy(body[b].velocity_m_per_s, m.velocity_m_per_s, sizeof m.velocity_m_per_s);
    memcpy(body[b].spin_rad_per_s, m.spin_rad_per_s, sizeof m.spin_rad_per_s);
  }
  double(*v)[3] = sim_cloth_velocity(p->cloth);
  sim_motion grip[SIM_SCENE_GRIPS];
  for (int g = 0; g < s->n_grips; g++) grip[g] = sim_motion_at(&s->grip[g].motions, middle_s);
  for (int i = 0; i < p->mesh.n_vertices; i++)
    if (p->grip[i] >= 0) memcpy(v[i], grip[p->grip[i]].velocity_m_per_s, sizeof v[i]);
  if (p->three != NULL) sim_play_move_layers(p, dt_s);
}

/* ---- a step ---- */

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
  for (int k = 0; k < SIM_PHASES; k++) sum->phase_s[k] += before.phase_s[k];
  sum->settled = r->settled && (before.settled || before.steps == 0);
  sum->contacts_agree = r->contacts_agree && (before.contacts_agree || before.steps == 0);
}

static cb_status take_whole(sim_play *p, double dt_s, sim_step_report *report, cb_err *err) {
  if (p->three == NULL) return sim_cloth_step(p->cloth, dt_s, report, err);
  sim_three_report before = p->report;
  CB_TRY(sim_three_step(p->three, dt_s, &p->report, err));
  *report = p->report.cloth;
  if (p->parts_taken > 0) sim_three_report_add(&p->report, &before);
  return CB_OK;
}

static cb_status pace(sim_play *p, double dt_s, int *parts, cb_err *err) {
  int of_layers = 1;
  CB_TRY(sim_pace_of_cloth(p->cloth, dt_s, parts, err));
  if (p->three != NULL) CB_TRY(sim_three_pace(p->three, dt_s, &of_layers, err));
  if (of_layers > *parts) *parts = of_layers;
  return CB_OK;
}

/* Where bodies are fast for what they measure the step is divided; the speeds are asked again before each part. */
static cb_status take_step(sim_play *p, double dt_s, sim_step_report *report, cb_err *err) {
  sim_step_report sum = {0}, r;
  double left_s = dt_s;
  int parts = 0;
  p->parts_taken = 0;
  while (parts != 1) {
    set_motions(p, left_s);
    CB_TRY(pace(p, left_s, &parts, err));
    if (p->parts_taken + parts > 2 * SIM_PACE_MOST)
      return cb_fail(err, CB_E_RANGE, "%s: bodies or cloth grow faster within the step at t = %g s: more than %d parts were wanted",
                     p->scene->name, sim_cloth_time(p->cloth), 2 * SIM_PACE_MOST);
    if (parts > 1) set_motions(p, left_s / parts);
    CB_TRY(take_whole(p, left_s / parts, &r, err));
    left_s -= left_s / parts;
    p->parts_taken++;
    add_report(&sum, &r);
  }
  if (report != NULL) *report = p->parts_taken == 1 ? r : sum;
  return CB_OK;
}

/* ---- steps of many lengths ---- */

#define WHOLE (1 << SIM_PLAY_HALVINGS) /* in the shortest steps */

/* By how much an edge's length changed, over its length at rest, at most. */
static double strain_change(const sim_play *p) {
  const double(*before)[3] = (const double(*)[3])(const void *)p->kept, (*now)[3] = (const double(*)[3])sim_cloth_position(p->cloth);
  const double(*rest)[3] = (const double(*)[3])p->mesh.position_m;
  double most = 0;
  for (int e = 0; e < p->mesh.n_edges; e++) {
    const int *v = p->mesh.edge[e].vertex;
    double a[3], b[3], c[3];
    sim_sub(before[v[1]], before[v[0]], a);
    sim_sub(now[v[1]], now[v[0]], b);
    sim_sub(rest[v[1]], rest[v[0]], c);
    most = fmax(most, fabs(sim_norm(b) - sim_norm(a)) / sim_norm(c));
  }
  return most;
}

/* How often the step before was halved, once less. */
static int first_halvings(const sim_play *p) {
  double last_s = sim_cloth_last_step(p->cloth);
  int n = last_s > 0 ? (int)lround(log2(p->dt_s / last_s)) - 1 : 0;
  return n < 0 ? 0 : n > SIM_PLAY_HALVINGS ? SIM_PLAY_HALVINGS : n;
}

/* One part of the step, halved until it goes; *easy: it would have gone with half of what is allowed. */
static cb_status take_part(sim_play *p, int *halvings, sim_step_report *sum, bool *easy, cb_err *err) {
  for (;; (*halvings)++, sum->refused++) {
    const double dt_s = p->dt_s / (1 << *halvings);
    sim_step_report r;
    sim_cloth_state_take(p->cloth, p->kept);
    cb_status st = take_step(p, dt_s, &r, err);
    const bool last = *halvings == SIM_PLAY_HALVINGS;
    if (st != CB_OK && (last || (st != CB_E_NUM && st != CB_E_RANGE))) return st;
    const double jump = st == CB_OK ? strain_change(p) : INFINITY;
    const bool goes = st == CB_OK && r.contacts_agree && (p->scene->iterations == 1 || r.settled) && jump <= SIM_PLAY_STRAIN;
    *easy = goes && jump <= SIM_PLAY_STRAIN / 2;
    if (goes || last) {
      add_report(sum, &r);
      return CB_OK;
    }
    sim_cloth_state_give(p->cloth, p->kept);
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
  if (report != NULL) *report = sum;
  return CB_OK;
}

/* From here on, where it was not begun yet: after a checkpoint it is begun anew. */
static void watch(sim_play *p) {
  if (p->watched) return;
  p->alarm = sim_alarm_begin(p->cloth, p->dt_s);
  p->watched = true;
}

cb_status sim_play_step(sim_play *p, sim_step_report *report, cb_err *err) {
  sim_step_report own, *r = report != NULL ? report : &own;
  watch(p);
  CB_TRY(p->scene->adaptive ? divide_step(p, r, err) : take_step(p, p->dt_s, r, err));
  const cb_status st = sim_alarm_look(&p->alarm, p->cloth, r, err);
  return st == CB_OK ? st : cb_fail_in(err, st, "%s", p->scene->name);
}
