#include "sim_play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_bending.h"
#include "sim_mesh_obj.h"
#include "sim_vec.h"

#define TORUS_AROUND 96

struct sim_play {
  const sim_scene *scene;
  int steps;
  double dt_s;
  sim_mesh mesh;
  int *grip; /* n_vertices: which one holds; -1: none */
  bool *gripped;
  sim_body body[SIM_SCENE_BODIES];
  sim_solid *solid[SIM_SCENE_BODIES];
  double (*rest_per_m)[3]; /* n_triangles; NULL: flat */
  sim_cloth *cloth;
  unsigned char *kept; /* the cloth's state before a step that may be taken back; NULL: none may */
};

static cb_status make_mesh(const sim_scene *s, sim_mesh *out, cb_err *err) {
  const sim_rectangle rectangle = {.length_m = s->length_m,
                                   .width_m = s->width_m,
                                   .pattern = (sim_pattern)s->pattern,
                                   .about_vertices = s->vertices,
                                   .warp_rad = s->warp_rad,
                                   .seed = (uint64_t)s->seed};
  const double edge_m = (s->radius_m - s->hole_m) / 20;
  const sim_disc disc = {.n_circles = 2,
                         .circle = {{s->hole_m, edge_m}, {s->radius_m, edge_m}},
                         .pattern = (sim_pattern)s->pattern,
                         .about_vertices = s->vertices,
                         .warp_rad = s->warp_rad,
                         .seed = (uint64_t)s->seed};
  sim_obj_options obj = sim_obj_options_default();
  switch (s->mesh) {
    case SIM_SCENE_RECTANGLE: return sim_mesh_rectangle(&rectangle, out, err);
    case SIM_SCENE_DISC: return sim_mesh_disc(&disc, out, err);
    case SIM_SCENE_MESH_FILE: break;
  }
  obj.m_per_unit = s->m_per_unit;
  obj.texture_m_per_unit = s->texture_m_per_unit;
  return sim_mesh_obj_read(s->file, &obj, out, NULL, err);
}

/* The middle of the mesh's box comes to lie there; a file's mesh stays where it is, moved by as much. */
static void put_mesh(const sim_scene *s, sim_mesh *m) {
  double middle[3] = {s->length_m / 2, s->width_m / 2, 0};
  for (int i = 0; i < m->n_vertices; i++)
    for (int k = 0; k < 3; k++) m->position_m[i][k] += s->at_m[k] - (s->mesh == SIM_SCENE_RECTANGLE ? middle[k] : 0);
}

static bool inside(const sim_scene_grip *g, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (!(x[k] >= g->low_m[k] && x[k] <= g->high_m[k])) return false;
  return true;
}

static cb_status make_grips(sim_play *p, cb_err *err) {
  int n = p->mesh.n_vertices;
  p->grip = malloc((size_t)n * sizeof *p->grip);
  p->gripped = calloc((size_t)n, sizeof *p->gripped);
  if (!p->grip || !p->gripped) return cb_fail(err, CB_E_NOMEM, "%s: out of memory for %d vertices", p->scene->name, n);
  for (int i = 0; i < n; i++) p->grip[i] = -1;
  for (int g = 0; g < p->scene->n_grips; g++) {
    int held = 0;
    for (int i = 0; i < n; i++) {
      if (p->grip[i] >= 0 || !inside(&p->scene->grip[g], p->mesh.position_m[i])) continue;
      p->grip[i] = g;
      p->gripped[i] = true;
      held++;
    }
    if (held == 0)
      return cb_fail(err, CB_E_RANGE, "%s: grip %d: no vertex that is still free lies in its box at the start", p->scene->name, g + 1);
  }
  return CB_OK;
}

static cb_status make_body(const sim_scene_body *b, sim_body *out, sim_solid **solid, cb_err *err) {
  static const sim_shape shape[] = {SIM_PLANE, SIM_SPHERE, SIM_CYLINDER, SIM_TRIANGLES, SIM_TRIANGLES};
  *out = (sim_body){.shape = shape[b->shape], .radius_m = b->radius_m, .friction = b->friction};
  memcpy(out->origin_m, b->at_m, sizeof out->origin_m);
  memcpy(out->axis, b->axis, sizeof out->axis);
  memcpy(out->turned_rad, b->turned_rad, sizeof out->turned_rad);
  if (b->shape == SIM_SCENE_TORUS) CB_TRY(sim_solid_torus(b->radius_m, b->tube_m, TORUS_AROUND, solid, err));
  if (b->shape == SIM_SCENE_FILE) CB_TRY(sim_solid_read(b->file, b->m_per_unit, solid, err));
  out->solid = *solid;
  return CB_OK;
}

/* As the mesh lies, and what the scene adds to that. */
static cb_status make_rest(sim_play *p, cb_err *err) {
  const sim_scene *s = p->scene;
  const double *add = s->rest_curvature_per_m, any[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sim_bending b;
  if (s->rest == SIM_SCENE_FLAT && add[0] == 0 && add[1] == 0 && add[2] == 0) return CB_OK;
  p->rest_per_m = calloc((size_t)p->mesh.n_triangles, sizeof *p->rest_per_m);
  if (!p->rest_per_m) return cb_fail(err, CB_E_NOMEM, "%s: out of memory for %d triangles", s->name, p->mesh.n_triangles);
  if (s->rest == SIM_SCENE_AS_MADE) {
    CB_TRY(sim_bending_init(&p->mesh, any, NULL, NULL, &b, err));
    sim_bending_curvature(&b, (const double(*)[3])p->mesh.position_m, p->rest_per_m);
    sim_bending_clear(&b);
  }
  for (int t = 0; t < p->mesh.n_triangles; t++)
    for (int k = 0; k < 3; k++) p->rest_per_m[t][k] += add[k];
  return CB_OK;
}

/* Nothing that was named is taken for 0. */
static cb_status check_laws(const sim_scene *s, cb_err *err) {
  const sim_scene_wants *w = &s->wants;
  if (w->areal_density || w->thickness || w->warp || w->weft || w->shear || w->bending)
    return cb_fail(err, CB_E_RANGE, "%s: cloth '%s': its laws were not looked up", s->name, s->cloth);
  if (s->self_material[0] && !s->self_law)
    return cb_fail(err, CB_E_RANGE, "%s: cloth: its law of friction on '%s' was not looked up", s->name, s->self_material);
  for (int b = 0; b < s->n_bodies; b++)
    if (s->body[b].material[0] && !s->body[b].friction.kinetic_law)
      return cb_fail(err, CB_E_RANGE, "%s: body %d: the law of friction of '%s' was not looked up", s->name, b + 1, s->body[b].material);
  return CB_OK;
}

static cb_status make(sim_play *p, cb_err *err) {
  const sim_scene *s = p->scene;
  CB_TRY(check_laws(s, err));
  CB_TRY(make_mesh(s, &p->mesh, err));
  put_mesh(s, &p->mesh);
  CB_TRY(make_rest(p, err));
  CB_TRY(make_grips(p, err));
  for (int b = 0; b < s->n_bodies; b++)
    if (make_body(&s->body[b], &p->body[b], &p->solid[b], err) != CB_OK) return cb_fail_in(err, CB_E_RANGE, "%s: body %d", s->name, b + 1);
  sim_setup setup = sim_setup_default(&p->mesh, &s->material);
  setup.gripped = p->gripped;
  setup.bodies = p->body;
  setup.n_bodies = s->n_bodies;
  setup.self_collision = s->self_collision;
  setup.self_friction = s->self_friction;
  setup.self_law = s->self_law;
  setup.rest_per_m = (const double(*)[3])p->rest_per_m;
  setup.scheme = (sim_scheme)s->scheme;
  setup.iterations = s->iterations;
  setup.solve_tolerance = s->solve_tolerance;
  memcpy(setup.gravity_m_per_s2, s->gravity_m_per_s2, sizeof setup.gravity_m_per_s2);
  CB_TRY(sim_cloth_new(&setup, &p->cloth, err));
  if (!s->adaptive) return CB_OK;
  p->kept = malloc(sim_cloth_state_bytes(p->cloth));
  return p->kept != NULL ? CB_OK : cb_fail(err, CB_E_NOMEM, "%s: out of memory", s->name);
}

cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err) {
  sim_play *p = calloc(1, sizeof *p);
  *out = NULL;
  if (p == NULL) return cb_fail(err, CB_E_NOMEM, "%s: out of memory", scene->name);
  p->scene = scene;
  p->steps = (int)lround(scene->duration_s / scene->dt_s);
  p->dt_s = scene->duration_s / p->steps;
  cb_status st = make(p, err);
  if (st == CB_OK)
    *out = p;
  else
    sim_play_free(p);
  return st;
}

void sim_play_free(sim_play *p) {
  if (p == NULL) return;
  sim_cloth_free(p->cloth);
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

static void add_report(sim_step_report *sum, const sim_step_report *r) {
  const sim_step_report before = *sum;
  *sum = *r;
  sum->steps = before.steps + 1;
  sum->refused = before.refused;
  sum->linearisations += before.linearisations;
  sum->solves += before.solves;
  sum->solver_iterations += before.solver_iterations;
  sum->impacts += before.impacts;
  sum->put_out += before.put_out;
  for (int k = 0; k < SIM_PHASES; k++) sum->phase_s[k] += before.phase_s[k];
  sum->settled = r->settled && (before.settled || before.steps == 0);
  sum->contacts_agree = r->contacts_agree && (before.contacts_agree || before.steps == 0);
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
    set_motions(p, dt_s);
    cb_status st = sim_cloth_step(p->cloth, dt_s, &r, err);
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

cb_status sim_play_step(sim_play *p, sim_step_report *report, cb_err *err) {
  if (p->scene->adaptive) return divide_step(p, report, err);
  set_motions(p, p->dt_s);
  return sim_cloth_step(p->cloth, p->dt_s, report, err);
}
