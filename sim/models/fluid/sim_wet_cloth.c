#include "sim_wet_cloth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_wet_cloth_impl.h"
#include "sim_vec.h"

sim_wet_cloth_setup sim_wet_cloth_setup_default(const sim_mesh *mesh) {
  return (sim_wet_cloth_setup){.mesh = mesh,
                               .areal_density_kg_per_m2 = 0.15,
                               .stretch_N_per_m = 1000,
                               .bend_Nm = 1e-5,
                               .damping_s = 2e-3,
                               .guest_N_per_m = 5000,
                               .thickness_m = 1e-3,
                               .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                               .substeps = 8};
}

cb_status sim_wet_cloth_setup_check(const sim_wet_cloth_setup *s, cb_err *err) {
  CB_TRY(cb_check_range(s->areal_density_kg_per_m2, 1e-4, 1e2, "sheet: areal density", "kg/m2", err));
  CB_TRY(cb_check_range(s->stretch_N_per_m, 1e-6, 1e9, "sheet: stretch", "N/m", err));
  CB_TRY(cb_check_range(s->bend_Nm, 0, 1e3, "sheet: bend", "N m", err));
  CB_TRY(cb_check_range(s->damping_s, 0, 1e3, "sheet: damping", "s", err));
  CB_TRY(cb_check_range(s->drag_per_s, 0, 1e3, "sheet: drag", "1/s", err));
  CB_TRY(cb_check_range(s->guest_N_per_m, 1e-6, 1e9, "sheet: contact", "N/m", err));
  CB_TRY(cb_check_range(s->thickness_m, 0, 1, "sheet: thickness", "m", err));
  CB_TRY(cb_check_range(s->tear_strain, 0, 100, "sheet: strain at which it tears", "", err));
  for (int k = 0; k < 3; k++)
    CB_TRY(cb_check_range(s->gravity_m_per_s2[k], -1e4, 1e4, "sheet: gravity", "m/s2", err));
  return cb_check_range(s->substeps, 1, 1000, "sheet: small steps", "", err);
}

/* ---- what follows from the mesh ---- */

static void make_stretch(sim_wet_cloth *s) {
  const sim_mesh *m = &s->mesh;
  for (int e = 0; e < m->n_edges; e++) {
    const sim_edge *edge = &m->edge[e];
    const double area =
        m->area_m2[edge->triangle[0]] + (edge->triangle[1] >= 0 ? m->area_m2[edge->triangle[1]] : 0);
    double along[3];
    sim_sub(m->position_m[edge->vertex[1]], m->position_m[edge->vertex[0]], along);
    const double length = sim_norm(along);
    s->stretch[e] = (sim_stretch){
        {edge->vertex[0], edge->vertex[1]}, length, length * length / (s->setup.stretch_N_per_m * area)};
  }
}

static void make_bend(sim_wet_cloth *s) {
  const sim_mesh *m = &s->mesh;
  s->n_bends = 0;
  for (int e = 0; e < m->n_edges && s->setup.bend_Nm > 0; e++) {
    const sim_edge *edge = &m->edge[e];
    if (edge->triangle[1] < 0) continue;
    sim_bend *b = &s->bend[s->n_bends++];
    double x[4][3];
    for (int k = 0; k < 4; k++) {
      b->vertex[k] = k < 2 ? edge->vertex[k] : m->triangle[edge->triangle[k - 2]][edge->opposite[k - 2]];
      memcpy(x[k], m->position_m[b->vertex[k]], sizeof x[k]);
    }
    double angle_rad = 0, first[4][3] = {{0}};
    sim_hinge_angle((const sim_vec3 *)x, &angle_rad, first);
    const double length = s->stretch[e].length_m,
                 area = m->area_m2[edge->triangle[0]] + m->area_m2[edge->triangle[1]];
    b->angle_rad = angle_rad;
    b->per_k = area / (3 * s->setup.bend_Nm * length * length);
  }
}

cb_status sim_wet_cloth_build(sim_wet_cloth *s, cb_err *err) {
  const sim_mesh *m = &s->mesh;
  const size_t n = (size_t)m->n_vertices;
  s->n = m->n_vertices;
  s->begin = calloc(n, sizeof *s->begin);
  s->before = calloc(n, sizeof *s->before);
  s->inverse_mass = calloc(n, sizeof *s->inverse_mass);
  s->stretch = calloc((size_t)m->n_edges, sizeof *s->stretch);
  s->bend = calloc((size_t)m->n_edges, sizeof *s->bend);
  if (!s->begin || !s->before || !s->inverse_mass || !s->stretch || !s->bend)
    return cb_no_memory(err, "sheet of %d vertices", s->n);
  for (int i = 0; i < s->n; i++)
    s->inverse_mass[i] = s->held[i] ? 0 : 1 / (s->setup.areal_density_kg_per_m2 * m->vertex_area_m2[i]);
  make_stretch(s);
  make_bend(s);
  if (s->setup.thickness_m == 0) return CB_OK;
  const sim_mesh *const list[] = {&s->mesh};
  const sim_self_options options = {.thickness_m = s->setup.thickness_m, .rounds = 10};
  CB_TRY(sim_self_new(list, NULL, 1, &options, &s->self, err));
  sim_self_set_inverse_mass(s->self, s->inverse_mass);
  return CB_OK;
}

void sim_wet_cloth_unbuild(sim_wet_cloth *s) {
  sim_self_free(s->self);
  free(s->begin);
  free(s->before);
  free(s->inverse_mass);
  free(s->stretch);
  free(s->bend);
  s->self = NULL;
  s->begin = s->before = NULL;
  s->inverse_mass = NULL;
  s->stretch = NULL;
  s->bend = NULL;
}

/* ---- making ---- */

static cb_status make_sheet(sim_wet_cloth *s, cb_err *err) {
  CB_TRY(sim_mesh_join(s->setup.mesh, 1, &s->mesh, err));
  const size_t n = (size_t)s->mesh.n_vertices;
  s->x = calloc(n, sizeof *s->x);
  s->v = calloc(n, sizeof *s->v);
  s->held = calloc(n, sizeof *s->held);
  if (!s->x || !s->v || !s->held) return cb_no_memory(err, "sheet of %zu vertices", n);
  memcpy(s->x, s->mesh.position_m, n * sizeof *s->x);
  if (s->setup.held) memcpy(s->held, s->setup.held, n * sizeof *s->held);
  s->setup.mesh = NULL;
  s->setup.held = NULL;
  CB_TRY(sim_wet_cloth_build(s, err));
  memcpy(s->begin, s->x, n * sizeof *s->x);
  return CB_OK;
}

cb_status sim_wet_cloth_new(const sim_wet_cloth_setup *setup, sim_wet_cloth **out, cb_err *err) {
  *out = NULL;
  CB_TRY(sim_wet_cloth_setup_check(setup, err));
  if (setup->mesh->n_vertices == 0) return cb_fail(err, CB_E_RANGE, "sheet: a mesh without vertices");
  sim_wet_cloth *s = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "sheet of %d vertices", setup->mesh->n_vertices);
  s->setup = *setup;
  const cb_status st = make_sheet(s, err);
  if (st == CB_OK)
    *out = s;
  else
    sim_wet_cloth_free(s);
  return st;
}

void sim_wet_cloth_free(sim_wet_cloth *s) {
  if (!s) return;
  sim_wet_cloth_unbuild(s);
  sim_mesh_clear(&s->mesh);
  free(s->x);
  free(s->v);
  free(s->held);
  free(s);
}

/* ---- a step ---- */

/* Where everything would be without constraints. */
static void fly(sim_wet_cloth *s, double h_s, sim_wet_cloth_guest *guest, int n_guests) {
  const double slower = 1 / (1 + h_s * s->setup.drag_per_s);
  memcpy(s->before, s->x, (size_t)s->n * sizeof *s->x);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3; k++) {
      if (!s->held[i]) s->v[i][k] = slower * (s->v[i][k] + h_s * s->setup.gravity_m_per_s2[k]);
      s->x[i][k] += h_s * s->v[i][k];
    }
  for (int i = 0; i < n_guests; i++) sim_add(guest[i].x, h_s, guest[i].v);
}

static void find_velocities(sim_wet_cloth *s, double h_s) {
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3 && !s->held[i]; k++) s->v[i][k] = (s->x[i][k] - s->before[i][k]) / h_s;
}

/* The way as a whole: nothing has come through anything, else positions and velocities change. */
static cb_status resolve(sim_wet_cloth *s, double dt_s, sim_wet_cloth_report *report, cb_err *err) {
  sim_self_report r;
  memcpy(s->before, s->x, (size_t)s->n * sizeof *s->x);
  CB_TRY(sim_self_resolve(s->self, (const sim_vec3 *)s->begin, s->x, &r, err));
  report->stopped += r.joined;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3 && !s->held[i]; k++) s->v[i][k] += (s->x[i][k] - s->before[i][k]) / dt_s;
  return CB_OK;
}

static cb_status check_places(sim_wet_cloth *s, sim_wet_cloth_report *report, cb_err *err) {
  for (int i = 0; i < s->n; i++)
    if (!(isfinite(s->x[i][0]) && isfinite(s->x[i][1]) && isfinite(s->x[i][2])))
      return cb_fail(err, CB_E_NUM, "sheet at %g s: the position of vertex %d is not finite", s->time_s, i);
  for (int e = 0; e < s->mesh.n_edges; e++) {
    double along[3];
    sim_sub(s->x[s->stretch[e].vertex[1]], s->x[s->stretch[e].vertex[0]], along);
    report->strain_max = fmax(report->strain_max, sim_norm(along) / s->stretch[e].length_m - 1);
  }
  return CB_OK;
}

cb_status sim_wet_cloth_step(sim_wet_cloth *s, double dt_s, sim_wet_cloth_guest *guest, int n_guests,
                             sim_wet_cloth_report *report, cb_err *err) {
  const double h_s = dt_s / s->setup.substeps;
  sim_wet_cloth_report own = {0};
  const sim_self_contact *contact = NULL;
  CB_TRY(cb_check_range(dt_s, 1e-9, 10, "sheet: step", "s", err));
  memcpy(s->begin, s->x, (size_t)s->n * sizeof *s->x);
  if (s->self)
    CB_TRY(sim_self_contacts(s->self, (const sim_vec3 *)s->x, s->setup.thickness_m, &contact, &own.contacts,
                             err));
  for (int i = 0; i < n_guests; i++) guest[i].impulse_Ns = 0;
  for (int k = 0; k < s->setup.substeps; k++) {
    fly(s, h_s, guest, n_guests);
    sim_wet_cloth_project(s, h_s, contact, own.contacts, guest, n_guests);
    find_velocities(s, h_s);
    sim_wet_cloth_damp(s, h_s);
  }
  CB_TRY(check_places(s, &own, err));
  if (s->self) CB_TRY(resolve(s, dt_s, &own, err));
  s->time_s += dt_s;
  if (report) *report = own;
  return CB_OK;
}

void sim_wet_cloth_rewind(sim_wet_cloth *s, double dt_s, const double (*velocity_m_per_s)[3]) {
  memcpy(s->x, s->begin, (size_t)s->n * sizeof *s->x);
  memcpy(s->v, velocity_m_per_s, (size_t)s->n * sizeof *s->v);
  s->time_s -= dt_s;
}

/* ---- the state ---- */

const sim_mesh *sim_wet_cloth_mesh(const sim_wet_cloth *s) { return &s->mesh; }
double (*sim_wet_cloth_position(sim_wet_cloth *s))[3] { return s->x; }
double (*sim_wet_cloth_velocity(sim_wet_cloth *s))[3] { return s->v; }
const double (*sim_wet_cloth_before(const sim_wet_cloth *s))[3] { return (const sim_vec3 *)s->begin; }
const double *sim_wet_cloth_inverse_mass(const sim_wet_cloth *s) { return s->inverse_mass; }

cb_status sim_wet_cloth_check_start(sim_wet_cloth *s, cb_err *err) {
  return s->self ? sim_self_check_start(s->self, (const sim_vec3 *)s->x, s->setup.thickness_m, err) : CB_OK;
}

cb_status sim_wet_cloth_crossings(sim_wet_cloth *s, int *out, cb_err *err) {
  const sim_mesh *const list[] = {&s->mesh};
  const sim_self_options options = {.thickness_m = 1e-3, .rounds = 1};
  sim_self *self;
  CB_TRY(sim_self_new(list, NULL, 1, &options, &self, err));
  *out = sim_self_crossings(self, (const sim_vec3 *)s->x);
  sim_self_free(self);
  return CB_OK;
}
