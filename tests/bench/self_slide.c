#include "self_slide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_cloth_room.h"

#define NORMAL_M_PER_S2 9.0

typedef struct pile {
  sim_mesh part[2], mesh;
  bool *held;
  sim_cloth *cloth;
} pile;

static double way_m(const self_slide *how) {
  return how->m_per_s * how->duration_s + how->pull_m_per_s2 * how->duration_s * how->duration_s / 2;
}

static cb_status make_meshes(const self_slide *how, pile *p, cb_err *err) {
  const double margin_m = 0.3 * how->side_m;
  const sim_rectangle held = {.length_m = how->side_m + way_m(how) + 2 * margin_m,
                              .width_m = how->side_m + 2 * margin_m,
                              .pattern = how->pattern,
                              .edge_m = how->edge_m[0],
                              .seed = how->seed},
                      slides = {.length_m = how->side_m,
                                .width_m = how->side_m,
                                .pattern = how->pattern,
                                .edge_m = how->edge_m[1],
                                .seed = how->seed + 1};
  const double none[3] = {0}, up[3] = {margin_m, margin_m, 1.5 * how->material.thickness_m};
  CB_TRY(sim_mesh_rectangle(&held, &p->part[0], err));
  CB_TRY(sim_mesh_rectangle(&slides, &p->part[1], err));
  sim_mesh_place(&p->part[1], none, up);
  CB_TRY(sim_mesh_join(p->part, 2, &p->mesh, err));
  p->held = calloc((size_t)p->mesh.n_vertices, sizeof *p->held);
  if (!p->held) return cb_no_memory(err, "a pile of %d vertices", p->mesh.n_vertices);
  for (int i = 0; i < p->part[0].n_vertices; i++) p->held[i] = true;
  return CB_OK;
}

static cb_status make_pile(const self_slide *how, pile *p, cb_err *err) {
  CB_TRY(make_meshes(how, p, err));
  sim_cloth_setup setup = sim_cloth_setup_default(&p->mesh, &how->material);
  setup.gripped = p->held;
  setup.self_collision = true;
  setup.self_friction = (sim_friction){.mu_kinetic = how->mu, .mu_static = how->mu};
  setup.gravity_m_per_s2[0] = how->mu * NORMAL_M_PER_S2 + how->pull_m_per_s2;
  setup.gravity_m_per_s2[2] = -NORMAL_M_PER_S2;
  setup.scheme = how->scheme;
  if (how->iterations) setup.iterations = how->iterations;
  CB_TRY(sim_cloth_new(&setup, &p->cloth, err));
  for (int i = 0; i < p->mesh.n_vertices; i++) {
    if (p->held[i]) continue;
    sim_cloth_velocity(p->cloth)[i][0] = how->m_per_s;
    sim_cloth_position(p->cloth)[i][2] -= 0.5 * how->material.thickness_m;
  }
  return CB_OK;
}

static void clear_pile(pile *p) {
  sim_cloth_free(p->cloth);
  sim_mesh_clear(&p->mesh);
  for (int k = 0; k < 2; k++) sim_mesh_clear(&p->part[k]);
  free(p->held);
}

static double speed_of(const pile *p) {
  double sum = 0, all = 0;
  for (int i = 0; i < p->mesh.n_vertices; i++) {
    if (p->held[i]) continue;
    sum += sim_cloth_mass(p->cloth)[i] * sim_cloth_velocity(p->cloth)[i][0];
    all += sim_cloth_mass(p->cloth)[i];
  }
  return sum / all;
}

/* Sums of a line through the speeds. */
typedef struct line {
  double n, t, v, tt, tv;
} line;

static void add_point(line *l, double t, double v) {
  l->n++;
  l->t += t;
  l->v += v;
  l->tt += t * t;
  l->tv += t * v;
}

static cb_status slide_on(const self_slide *how, pile *p, self_slide_result *out, cb_err *err) {
  line l = {0};
  out->steps = (int)lround(how->duration_s / how->step_s);
  for (int k = 0; k < out->steps; k++) {
    sim_step_report r;
    CB_TRY(sim_cloth_step(p->cloth, how->step_s, &r, err));
    out->solves += r.solves;
    out->contacts += r.self_contacts;
    out->impacts += r.impacts;
    out->end_m_per_s = speed_of(p);
    if ((k + 1) * how->step_s > how->settle_s) add_point(&l, k * how->step_s, out->end_m_per_s);
  }
  const double a = (l.n * l.tv - l.t * l.v) / (l.n * l.tt - l.t * l.t);
  out->mu = how->mu + (how->pull_m_per_s2 - a) / NORMAL_M_PER_S2;
  return CB_OK;
}

cb_status self_slide_play(const self_slide *how, self_slide_result *out, cb_err *err) {
  pile p = {0};
  *out = (self_slide_result){0};
  cb_status st = make_pile(how, &p, err);
  if (st == CB_OK) st = slide_on(how, &p, out, err);
  clear_pile(&p);
  return st;
}
