#include "sim_three.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "sim_cloth_parts.h"
#include "sim_vec.h"

const char *const sim_three_phase_names[] = {"cloth", "body", "surface", "feet", "buffer", "air", NULL};

struct sim_three {
  sim_three_setup setup;
  sim_cloth *cloth;
  sim_elastic *elastic;
  sim_hull hull;
  sim_traverse *traverse;
  sim_buffer *buffer;
  sim_air *air;
  sim_foot *foot;
  double (*surface_x)[3], (*surface_v)[3]; /* of a body that is told how to move */
  double (*push)[3];                       /* on the cloth's vertices, by the air and by the body through those that lie on something */
  double (*support)[3], (*borne_Ns)[3];
  double (*normal)[3], *area, *gap, *yield, *before_Pa, *load_m2;
  double side; /* 1 where the cloth's face looks away from the body, -1 where its back does */
  double phase_start_s;
};

sim_three_setup sim_three_setup_default(const sim_mesh *mesh, const sim_material *material) {
  sim_three_setup s = {.cloth = sim_setup_default(mesh, material),
                       .elastic = sim_elastic_setup_default(NULL),
                       .buffer = sim_buffer_setup_default(mesh, 0.05),
                       .air = sim_air_setup_default(mesh),
                       .air_Pa = SIM_ATMOSPHERE_PA};
  return s;
}

void sim_three_free(sim_three *t) {
  if (!t) return;
  sim_cloth_free(t->cloth);
  sim_elastic_free(t->elastic);
  sim_hull_clear(&t->hull);
  sim_traverse_free(t->traverse);
  sim_buffer_free(t->buffer);
  sim_air_free(t->air);
  void *const arrays[] = {t->foot,   t->surface_x, t->surface_v, t->push,  t->support,   t->borne_Ns,
                          t->normal, t->area,      t->gap,       t->yield, t->before_Pa, t->load_m2};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  free(t);
}

sim_cloth *sim_three_cloth(sim_three *t) { return t->cloth; }
sim_elastic *sim_three_elastic(sim_three *t) { return t->elastic; }
sim_air *sim_three_air(sim_three *t) { return t->air; }
const sim_hull *sim_three_hull(const sim_three *t) { return &t->hull; }
const sim_foot *sim_three_foot(const sim_three *t) { return t->foot; }
double (*sim_three_body_position(sim_three *t))[3] { return t->elastic ? sim_elastic_position(t->elastic) : t->surface_x; }
double (*sim_three_body_velocity(sim_three *t))[3] { return t->elastic ? sim_elastic_velocity(t->elastic) : t->surface_v; }

static int body_vertices(const sim_three *t) { return t->hull.n_vertices; }
static int cloth_vertices(const sim_three *t) { return t->setup.cloth.mesh->n_vertices; }

/* ---- making ---- */

static cb_status new_body(sim_three *t, cb_err *err) {
  const sim_three_setup *s = &t->setup;
  const sim_tets *tets = s->elastic.tets;
  if (tets) {
    CB_TRY(sim_elastic_new(&s->elastic, &t->elastic, err));
    CB_TRY(sim_hull_build((const int(*)[3])tets->surface, tets->n_surface, tets->n_vertices, &t->hull, err));
  } else {
    CB_TRY(sim_hull_build(s->surface_triangle, s->surface_triangles, s->surface_vertices, &t->hull, err));
    t->surface_x = malloc((size_t)s->surface_vertices * sizeof *t->surface_x);
    t->surface_v = calloc((size_t)s->surface_vertices, sizeof *t->surface_v);
    if (!t->surface_x || !t->surface_v) return cb_fail(err, CB_E_NOMEM, "body of %d vertices: out of memory", s->surface_vertices);
    memcpy(t->surface_x, s->surface_m, (size_t)s->surface_vertices * sizeof *t->surface_x);
  }
  t->load_m2 = calloc((size_t)body_vertices(t), sizeof *t->load_m2);
  if (!t->load_m2) return cb_fail(err, CB_E_NOMEM, "body of %d vertices: out of memory", body_vertices(t));
  return sim_traverse_new(&t->hull, &t->traverse, err);
}

static cb_status new_arrays(sim_three *t, cb_err *err) {
  size_t n = (size_t)cloth_vertices(t);
  t->foot = calloc(n, sizeof *t->foot);
  t->push = calloc(n, sizeof *t->push);
  t->normal = calloc(n, sizeof *t->normal);
  t->support = calloc(n, sizeof *t->support);
  t->borne_Ns = calloc(n, sizeof *t->borne_Ns);
  double **const scalars[] = {&t->area, &t->gap, &t->yield, &t->before_Pa};
  bool ok = t->foot && t->push && t->normal && t->support && t->borne_Ns;
  for (size_t k = 0; k < sizeof scalars / sizeof *scalars; k++) ok = (*scalars[k] = calloc(n, sizeof(double))) != NULL && ok;
  return ok ? CB_OK : cb_fail(err, CB_E_NOMEM, "three layers over %zu vertices: out of memory", n);
}

static cb_status expect_outside(const sim_three *t, cb_err *err) {
  for (int i = 0; i < cloth_vertices(t); i++)
    if (!(t->foot[i].distance_m > 0))
      return cb_fail(err, CB_E_RANGE, "cloth: vertex %d starts %g mm inside of the body: outside was wanted", i,
                     -1e3 * t->foot[i].distance_m);
  return CB_OK;
}

static double reach(const sim_three *t) { return t->setup.buffer.thickness_m + t->setup.buffer.skin_m; }

static void find_area(sim_three *t);
static sim_air_place place_of(sim_three *t);

cb_status sim_three_new(const sim_three_setup *setup, sim_three **out, cb_err *err) {
  *out = NULL;
  sim_three *t = calloc(1, sizeof *t);
  if (!t) return cb_fail(err, CB_E_NOMEM, "three layers: out of memory");
  t->setup = *setup;
  cb_status st;
  CB_GOTO(new_arrays(t, err));
  CB_GOTO(new_body(t, err));
  t->setup.cloth.push_N = (const double(*)[3])t->push;
  CB_GOTO(sim_cloth_new(&t->setup.cloth, &t->cloth, err));
  CB_GOTO(sim_buffer_new(&t->setup.buffer, cloth_vertices(t), body_vertices(t), &t->buffer, err));
  CB_GOTO(sim_traverse_surface(t->traverse, (const double(*)[3])sim_three_body_position(t), reach(t), err));
  CB_GOTO(sim_traverse_start(t->traverse, (const double(*)[3])sim_cloth_position(t->cloth), cloth_vertices(t), t->foot, err));
  CB_GOTO(expect_outside(t, err));
  find_area(t);
  if (setup->has_air) {
    CB_GOTO(sim_air_new(&t->setup.air, &t->air, err));
    sim_air_place place = place_of(t);
    sim_air_fill(t->air, &place, setup->air_Pa);
  }
  *out = t;
done:
  if (st != CB_OK) sim_three_free(t);
  return st;
}

/* ---- the air's place ---- */

/* A third of the area around each vertex, with its normal away from the body. */
static void find_area(sim_three *t) {
  const sim_mesh *m = t->setup.cloth.mesh;
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(t->cloth);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n_vertices; i++) {
    double sum[3] = {0, 0, 0};
    t->area[i] = 0;
    for (int k = m->fan_start[i]; k < m->fan_start[i + 1]; k++) {
      const int *v = m->triangle[m->fan[k] / 3];
      double a[3], b[3], n[3];
      sim_sub(x[v[1]], x[v[0]], a);
      sim_sub(x[v[2]], x[v[0]], b);
      sim_cross(a, b, n);
      sim_add(sum, 1.0 / 6, n);
      t->area[i] += sim_norm(n) / 6;
    }
    memcpy(t->normal[i], sum, sizeof sum);
  }
  if (t->side != 0) return;
  double along = 0;
  for (int i = 0; i < m->n_vertices; i++) {
    double at[3], n[3];
    sim_traverse_foot(t->traverse, &t->foot[i], at, n);
    along += sim_dot(t->normal[i], n);
  }
  t->side = along < 0 ? -1 : 1;
}

/* How the gap gives way to its pressure within a step. Of the body as if all pressures around changed alike: what many vertices of the
 * cloth do together to one of the body is more than what each does by itself, and an air that is thought too soft is stable. */
static void find_yield(sim_three *t, double dt_s) {
  double *load = t->load_m2; /* of each vertex of the body: area of cloth whose air presses on it */
  for (int i = 0; t->elastic && i < body_vertices(t); i++) load[i] = 0;
  for (int i = 0; t->elastic && i < cloth_vertices(t); i++)
    for (int k = 0; k < 3; k++) load[t->hull.triangle[t->foot[i].triangle][k]] += t->foot[i].weight[k] * t->area[i];
  for (int i = 0; i < cloth_vertices(t); i++) {
    double gives = t->area[i] / sim_cloth_mass(t->cloth)[i];
    for (int k = 0; k < 3 && t->elastic; k++) {
      int v = t->hull.triangle[t->foot[i].triangle][k];
      gives += t->foot[i].weight[k] * load[v] / sim_elastic_mass(t->elastic)[v];
    }
    t->yield[i] = dt_s * dt_s * t->area[i] * gives;
  }
}

static double depth_of(const sim_three *t, int i) {
  double most = t->setup.air_gap_most_m, d = t->foot[i].distance_m;
  return most > 0 && d > most ? most : d;
}

static sim_air_place place_of(sim_three *t) {
  for (int i = 0; i < cloth_vertices(t); i++) t->gap[i] = depth_of(t, i);
  return (sim_air_place){(const double(*)[3])sim_cloth_position(t->cloth), t->area, t->gap, NULL, NULL};
}

/* ---- pushes ---- */

/* By so much pressure per vertex: on the cloth into `cloth`, the opposite on its foot's corners into `body`; NULL: neither is wanted. */
static void press_apart(sim_three *t, const double *over_Pa, double (*cloth)[3], double (*body)[3], bool as_velocity, double dt_s) {
  for (int i = 0; i < cloth_vertices(t); i++) {
    double force[3];
    for (int k = 0; k < 3; k++) force[k] = t->side * over_Pa[i] * t->normal[i][k];
    sim_add(cloth[i], as_velocity ? dt_s / sim_cloth_mass(t->cloth)[i] : 1, force);
    for (int k = 0; k < 3 && body; k++) {
      int v = t->hull.triangle[t->foot[i].triangle][k];
      sim_add(body[v], -t->foot[i].weight[k] * (as_velocity ? dt_s / sim_elastic_mass(t->elastic)[v] : 1), force);
    }
  }
}

static void push_by_air(sim_three *t) {
  for (int i = 0; i < cloth_vertices(t); i++) {
    t->before_Pa[i] = sim_air_pressure_Pa(t->air)[i];
    t->gap[i] = t->before_Pa[i] - t->setup.air.ambient_Pa;
  }
  press_apart(t, t->gap, t->push, t->elastic ? sim_elastic_force(t->elastic) : NULL, false, 0);
}

/* The pressures of the step's end, less those that pushed: velocities, and positions with them. */
static void push_again(sim_three *t, double dt_s) {
  int n = cloth_vertices(t), nb = t->elastic ? body_vertices(t) : 0;
  double(*x)[3] = sim_cloth_position(t->cloth), (*v)[3] = sim_cloth_velocity(t->cloth);
  for (int i = 0; i < n; i++) {
    t->gap[i] = sim_air_pressure_Pa(t->air)[i] - t->before_Pa[i];
    sim_add(x[i], -dt_s, v[i]);
  }
  double(*bx)[3] = sim_three_body_position(t), (*bv)[3] = sim_three_body_velocity(t);
  for (int i = 0; i < nb; i++) sim_add(bx[i], -dt_s, bv[i]);
  press_apart(t, t->gap, v, t->elastic ? bv : NULL, true, dt_s);
  for (int i = 0; i < n; i++) sim_add(x[i], dt_s, v[i]);
  for (int i = 0; i < nb; i++) sim_add(bx[i], dt_s, bv[i]);
}

/* ---- the step ---- */

static void spent(sim_three *t, sim_three_report *r, sim_three_phase phase) {
  double now = cb_now_monotonic_s();
  r->phase_s[phase] += now - t->phase_start_s;
  t->phase_start_s = now;
}

static cb_status move_body(sim_three *t, double dt_s, sim_three_report *r, cb_err *err) {
  if (t->elastic) return sim_elastic_step(t->elastic, dt_s, &r->body, err);
  for (int i = 0; i < body_vertices(t); i++) sim_add(t->surface_x[i], dt_s, t->surface_v[i]);
  return CB_OK;
}

/* Points move by no more than this against the surface, in the step before and, as good as, in this. */
static double motion(sim_three *t, double dt_s) {
  double most[2] = {0, 0};
  for (int i = 0; i < cloth_vertices(t); i++)
    most[0] = fmax(most[0], sim_dot(sim_cloth_velocity(t->cloth)[i], sim_cloth_velocity(t->cloth)[i]));
  for (int i = 0; i < body_vertices(t); i++) most[1] = fmax(most[1], sim_dot(sim_three_body_velocity(t)[i], sim_three_body_velocity(t)[i]));
  return dt_s * (sqrt(most[0]) + sqrt(most[1]));
}

/* What the cloth lies on, of the bodies that it knows itself. */
static void find_support(sim_three *t) {
  memset(t->support, 0, (size_t)cloth_vertices(t) * sizeof *t->support);
  for (int j = 0; j < t->cloth->n_contacts; j++) {
    const sim_contact *k = &t->cloth->contact[j];
    if (k->hold != SIM_APART) memcpy(t->support[k->vertex], k->normal, sizeof k->normal);
  }
}

static void press(sim_three *t, double dt_s, sim_three_report *r) {
  find_support(t);
  sim_buffer_cloth cloth = {.mesh = t->setup.cloth.mesh,
                            .x_m = sim_cloth_position(t->cloth),
                            .v_m_per_s = sim_cloth_velocity(t->cloth),
                            .mass_kg = sim_cloth_mass(t->cloth),
                            .held = t->setup.cloth.gripped,
                            .support = (const double(*)[3])t->support,
                            .borne_Ns = t->borne_Ns};
  sim_buffer_body body = {&t->hull, sim_three_body_position(t), sim_three_body_velocity(t),
                          t->elastic ? sim_elastic_mass(t->elastic) : NULL};
  sim_buffer_press(t->buffer, t->traverse, t->foot, &cloth, &body, dt_s, &r->buffer);
}

/* How far the vertex is from its foot as both are now, along the foot's normal. */
static double gap_of(sim_three *t, int i) {
  double at[3], n[3], d[3];
  sim_traverse_foot(t->traverse, &t->foot[i], at, n);
  sim_sub(sim_cloth_position(t->cloth)[i], at, d);
  return sim_norm(d);
}

static cb_status breathe(sim_three *t, double dt_s, sim_three_report *r, cb_err *err) {
  find_area(t);
  for (int i = 0; i < cloth_vertices(t); i++) t->foot[i].distance_m = gap_of(t, i);
  sim_air_place place = place_of(t);
  find_yield(t, dt_s);
  place.yield_m3_per_Pa = t->yield;
  CB_TRY(sim_air_step(t->air, &place, dt_s, &r->air, err));
  push_again(t, dt_s);
  return CB_OK;
}

cb_status sim_three_step(sim_three *t, double dt_s, sim_three_report *r, cb_err *err) {
  *r = (sim_three_report){0};
  t->phase_start_s = cb_now_monotonic_s();
  for (int i = 0; i < cloth_vertices(t); i++)
    for (int k = 0; k < 3; k++) t->push[i][k] = t->borne_Ns[i][k] / dt_s;
  if (t->air) push_by_air(t);
  spent(t, r, SIM_THREE_AIR);
  CB_TRY(sim_cloth_step(t->cloth, dt_s, &r->cloth, err));
  spent(t, r, SIM_THREE_CLOTH);
  CB_TRY(move_body(t, dt_s, r, err));
  spent(t, r, SIM_THREE_BODY);
  CB_TRY(sim_traverse_surface(t->traverse, (const double(*)[3])sim_three_body_position(t), reach(t) + motion(t, dt_s), err));
  spent(t, r, SIM_THREE_SURFACE);
  sim_traverse_step(t->traverse, t->setup.traversal, (const double(*)[3])sim_cloth_position(t->cloth), cloth_vertices(t), t->foot,
                    &r->feet);
  spent(t, r, SIM_THREE_FEET);
  press(t, dt_s, r);
  spent(t, r, SIM_THREE_BUFFER);
  if (t->air) CB_TRY(breathe(t, dt_s, r, err));
  spent(t, r, SIM_THREE_AIR);
  return CB_OK;
}
