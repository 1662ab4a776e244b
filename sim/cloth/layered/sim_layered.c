#include "sim_layered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "sim_cloth_room.h"
#include "sim_layered_impl.h"
#include "sim_vec.h"

#define STRETCH 0.05 /* by which the longest edge may grow */
#define TAUT_STIFFER 100.0
#define AGREED 1e-3 /* depth over the offset's thickness at which the bodies agree */

const char *const sim_layered_phase_names[] = {"cloth",          "body", "surface", "closest_points",
                                               "contact_offset", "air",  NULL};

sim_layered_body sim_layered_body_default(const sim_mesh *mesh) {
  return (sim_layered_body){.elastic = sim_elastic_setup_default(NULL),
                            .offset = sim_offset_setup_default(mesh, STRETCH),
                            .air = sim_air_setup_default(mesh),
                            .air_Pa = SIM_ATMOSPHERE_PA};
}

sim_layered_setup sim_layered_setup_default(const sim_mesh *mesh, const sim_material *material) {
  return (sim_layered_setup){.cloth = sim_cloth_setup_default(mesh, material)};
}

void sim_layered_free(sim_layered *t) {
  if (!t) return;
  sim_cloth_free(t->cloth);
  for (int b = 0; t->layer && b < t->setup.n_bodies; b++) sim_layered_layer_clear(&t->layer[b]);
  free(t->layer);
  free(t->push);
  free(t->support);
  free(t->edge_most_m);
  free(t->taut);
  free(t->springs);
  free(t);
}

sim_cloth *sim_layered_cloth(sim_layered *t) { return t->cloth; }
void sim_layered_blow(sim_layered *t, double time_s) { t->gusts_at_s = time_s; }
sim_elastic *sim_layered_elastic(sim_layered *t, int body) { return t->layer[body].elastic; }
sim_air *sim_layered_air(sim_layered *t, int body) { return t->layer[body].air; }
const sim_hull *sim_layered_hull(const sim_layered *t, int body) { return &t->layer[body].hull; }
sim_layered_contacts sim_layered_contacts_of(const sim_layered *t, int body) { return t->layer[body].told; }
const sim_closest_point *sim_layered_closest(const sim_layered *t, int body) {
  return t->layer[body].closest;
}
double (*sim_layered_body_position(sim_layered *t, int body))[3] {
  return sim_layered_layer_x(&t->layer[body]);
}
double (*sim_layered_body_velocity(sim_layered *t, int body))[3] {
  return sim_layered_layer_v(&t->layer[body]);
}

sim_edge_report sim_layered_edges(const sim_layered *t) {
  sim_edge_report r = {.corrected = 0};
  r.longest = sim_cloth_longest_edge(t->cloth, &r.at_limit);
  return r;
}

static int cloth_vertices(const sim_layered *t) { return t->setup.cloth.mesh->n_vertices; }

/* ---- making ---- */

/* The limits of the cloth's edges: the least of the bodies that both ends meet. An edge between held vertices
 * has none. */
static void limit_edges_of(const sim_layered *t) {
  const sim_mesh *mesh = t->setup.cloth.mesh;
  const bool *held = t->setup.cloth.gripped;
  for (int e = 0; e < mesh->n_edges; e++) {
    const int *v = mesh->edge[e].vertex, low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
    t->edge_most_m[e] = INFINITY;
    for (int b = 0; b < t->setup.n_bodies && !(held && held[low] && held[high]); b++) {
      const sim_layered_body *l = &t->setup.bodies[b];
      const bool meets =
          l->n_vertices == 0 || (low >= l->first_vertex && high < l->first_vertex + l->n_vertices);
      if (meets && l->offset.edge_most_m > 0)
        t->edge_most_m[e] = fmin(t->edge_most_m[e], l->offset.edge_most_m);
    }
  }
}

static cb_status make_layers(sim_layered *t, cb_err *err) {
  size_t n = (size_t)cloth_vertices(t), bodies = (size_t)t->setup.n_bodies;
  t->push = calloc(n, sizeof *t->push);
  t->support = calloc(n, sizeof *t->support);
  t->layer = calloc(bodies + 1, sizeof *t->layer);
  t->springs = calloc(bodies + 1, sizeof *t->springs);
  t->edge_most_m = calloc((size_t)t->setup.cloth.mesh->n_edges + 1, sizeof *t->edge_most_m);
  t->taut = calloc(n + 1, sizeof *t->taut);
  if (!t->push || !t->support || !t->layer || !t->springs || !t->edge_most_m || !t->taut)
    return cb_no_memory(err, "three layers over %zu vertices", n);
  t->setup.cloth.push_N = (const sim_vec3 *)t->push;
  for (int b = 0; b < t->setup.n_bodies; b++) t->springs[b] = &t->layer[b].springs;
  limit_edges_of(t);
  t->setup.cloth.edge_most_m = t->edge_most_m;
  t->setup.cloth.springs = t->springs;
  t->setup.cloth.n_springs = t->setup.n_bodies;
  CB_TRY(sim_cloth_new(&t->setup.cloth, &t->cloth, err));
  for (int b = 0; b < t->setup.n_bodies; b++) {
    cb_status st = sim_layered_layer_init(t, b, err);
    if (st != CB_OK) return cb_fail_in(err, st, "body %d in the layers", b + 1);
  }
  return CB_OK;
}

cb_status sim_layered_new(const sim_layered_setup *setup, sim_layered **out, cb_err *err) {
  *out = NULL;
  sim_layered *t = calloc(1, sizeof *t);
  if (!t) return cb_no_memory(err, "three layers");
  t->setup = *setup;
  cb_status st = make_layers(t, err);
  if (st == CB_OK)
    *out = t;
  else
    sim_layered_free(t);
  return st;
}

/* ---- the step ---- */

static void spent(sim_layered *t, sim_layered_report *r, sim_layered_phase phase) {
  double now = cb_now_monotonic_s();
  r->phase_s[phase] += now - t->phase_start_s;
  t->phase_start_s = now;
}

static sim_offset_cloth cloth_of(sim_layered *t, const sim_layered_layer *l) {
  return (sim_offset_cloth){.mesh = t->setup.cloth.mesh,
                            .first_vertex = l->first,
                            .x_m = sim_cloth_position(t->cloth),
                            .v_m_per_s = sim_cloth_velocity(t->cloth),
                            .mass_kg = sim_cloth_mass(t->cloth),
                            .held = t->setup.cloth.gripped,
                            .support = (const sim_vec3 *)t->support};
}

static sim_offset_body body_of(const sim_layered_layer *l) {
  return (sim_offset_body){&l->hull, sim_layered_layer_x(l), sim_layered_layer_v(l),
                           l->elastic ? sim_elastic_mass(l->elastic) : NULL};
}

/* Presses one layer. Returns how deep the cloth was in its contact offset before. */
static double press_layer(sim_layered *t, sim_layered_layer *l, double dt_s, int sweep,
                          sim_layered_report *r) {
  sim_offset_cloth cloth = cloth_of(t, l);
  sim_offset_body body = body_of(l);
  sim_offset_report now;
  sim_offset_press(l->offset, l->traverse, l->closest, &cloth, &body, dt_s, &now);
  if (sweep == 0) {
    r->offset.contacts += now.contacts;
    r->offset.extrapolated += now.extrapolated;
    l->told.contacts += now.contacts;
    l->told.extrapolated += now.extrapolated;
    r->offset.deepest_m = fmax(r->offset.deepest_m, now.deepest_m);
  }
  r->offset.left_m = fmax(r->offset.left_m, now.left_m);
  r->offset.normal_N += now.normal_N;
  r->offset.friction_J += now.friction_J;
  return now.deepest_m;
}

static sim_spring_friction spring_friction(const void *layer, int i, const sim_spring_friction *was,
                                           double pressed_N, const double slip_m[3]) {
  const sim_layered_layer *l = layer;
  if (l->given->stitched && l->given->stitched[i]) return *was;
  return sim_offset_friction(l->offset, &l->met, i, was, pressed_N, slip_m);
}

/* A vertex at a taut edge passes on far more than its own mass: its contact spring is as stiff as that edge,
 * at the same force. */
static void stiffen_taut(const sim_layered *t, sim_layered_layer *l) {
  for (int i = 0; i < l->n; i++) {
    if (!t->taut[l->first + i]) continue;
    l->springs.spring[i].stiffness_N_per_m *= TAUT_STIFFER;
    l->springs.spring[i].rest_m /= TAUT_STIFFER;
  }
}

/* Makes the contact springs of a layer: the air, and the pressing contacts. */
static cb_status spring(sim_layered *t, sim_layered_layer *l, double dt_s, cb_err *err) {
  l->met = cloth_of(t, l);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++) {
    memcpy(l->springs.spring[i].corner, l->hull.triangle[l->closest[i].triangle],
           sizeof l->springs.spring[i].corner);
    memcpy(l->springs.spring[i].weight, l->closest[i].weight, sizeof l->springs.spring[i].weight);
  }
  if (l->air) CB_TRY(sim_layered_breath_push(t, l, dt_s, err));
  l->springs.any =
      sim_offset_hold(l->offset, &l->met, dt_s, l->springs.spring) > 0 || l->air || l->n_stitches > 0;
  stiffen_taut(t, l);
  sim_layered_stitch_spring(t, l, dt_s);
  l->springs.friction = spring_friction;
  l->springs.surface = l;
  return CB_OK;
}

static cb_status make_springs(sim_layered *t, double dt_s, cb_err *err) {
  memset(t->push, 0, (size_t)cloth_vertices(t) * sizeof *t->push);
  sim_cloth_taut(t->cloth, t->taut);
  for (int b = 0; b < t->setup.n_bodies; b++) CB_TRY(spring(t, &t->layer[b], dt_s, err));
  return CB_OK;
}

static void begin_bodies(sim_layered *t, double dt_s, sim_layered_report *r) {
  for (int b = 0; b < t->setup.n_bodies; b++) {
    sim_elastic_report now = {0};
    sim_layered_layer_begin(&t->layer[b], dt_s, &now);
    r->body.inverted += now.inverted;
  }
}

static cb_status move_bodies(sim_layered *t, double dt_s, sim_layered_report *r, cb_err *err) {
  for (int b = 0; b < t->setup.n_bodies; b++) {
    sim_elastic_report now = {0};
    CB_TRY(sim_layered_layer_move(&t->layer[b], dt_s, &now, err));
    if (t->layer[b].elastic) r->grounded += sim_layered_ground(t, &t->layer[b], dt_s);
    r->body.iterations += now.iterations;
    r->body.residual = fmax(r->body.residual, now.residual);
    r->body.inverted += now.inverted;
  }
  return CB_OK;
}

static void release_springs(sim_layered *t, double dt_s, sim_layered_report *r) {
  for (int b = 0; b < t->setup.n_bodies; b++)
    r->offset.friction_J += sim_offset_release(t->layer[b].offset, &t->layer[b].springs, dt_s);
}

static cb_status find_closest_points(sim_layered *t, double dt_s, sim_layered_report *r, cb_err *err) {
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(t->cloth);
  for (int b = 0; b < t->setup.n_bodies; b++) {
    sim_layered_layer *l = &t->layer[b];
    CB_TRY(sim_layered_layer_surface(t, l, dt_s, err));
    spent(t, r, SIM_LAYERED_SURFACE);
    sim_traverse_step(l->traverse, t->setup.traversal, x + l->first, l->n, l->closest, &r->closest_points);
    spent(t, r, SIM_LAYERED_CLOSEST_POINTS);
  }
  return CB_OK;
}

/* Shortens edges that are too long. Returns whether there was any. */
static bool limit_edges(sim_layered *t, double dt_s, sim_layered_report *r) {
  const int n = sim_cloth_limit_edges(t->cloth, (const sim_vec3 *)t->support, dt_s);
  r->limit.corrected += n;
  return n > 0;
}

/* Presses all layers in rounds, until they and the limits of edges agree: cloth between two bodies passes
 * each push on to the other. One body alone agrees with itself. */
static void press_all(sim_layered *t, double dt_s, sim_layered_report *r) {
  for (r->rounds = 0; r->rounds < SIM_LAYERED_ROUNDS && !r->agreed; r->rounds++) {
    double deepest = 0, thinnest = INFINITY;
    r->offset.left_m = r->offset.normal_N = 0;
    for (int b = 0; b < t->setup.n_bodies; b++) {
      deepest = fmax(deepest, press_layer(t, &t->layer[b], dt_s, r->rounds, r));
      thinnest = fmin(thinnest, t->layer[b].given->offset.thickness_m);
    }
    const bool limited = limit_edges(t, dt_s, r);
    r->agreed = !limited && (deepest < AGREED * thinnest || t->setup.n_bodies == 1);
  }
}

static cb_status breathe(sim_layered *t, double dt_s, sim_layered_report *r, cb_err *err) {
  for (int b = 0; b < t->setup.n_bodies; b++) {
    if (!t->layer[b].air) continue;
    sim_air_report now;
    CB_TRY(sim_layered_breath_step(t, &t->layer[b], dt_s, &now, err));
    r->air.iterations += now.iterations;
    r->air.solves += now.solves;
    r->air.leaked_J += now.leaked_J;
    r->air.vented_J += now.vented_J;
    r->air.total_J += now.total_J;
  }
  return CB_OK;
}

static double kinetic_J(const sim_layered *t) {
  const double *mass_kg = sim_cloth_mass(t->cloth), (*v)[3] = (const sim_vec3 *)sim_cloth_velocity(t->cloth);
  double sum = 0;
  for (int i = 0; i < cloth_vertices(t); i++) sum += mass_kg[i] * sim_dot(v[i], v[i]) / 2;
  return sum;
}

static double fastest(const sim_layered *t) {
  double most = 0;
  for (int b = 0; b < t->setup.n_bodies; b++) {
    const sim_layered_layer *l = &t->layer[b];
    const double(*v)[3] = (const sim_vec3 *)sim_layered_layer_v(l);
    for (int i = 0; i < l->hull.n_vertices; i++) most = fmax(most, sim_norm(v[i]));
  }
  return most;
}

cb_status sim_layered_step(sim_layered *t, double dt_s, sim_layered_report *report, cb_err *err) {
  sim_layered_report own, *r = report ? report : &own;
  *r = (sim_layered_report){0};
  t->phase_start_s = cb_now_monotonic_s();
  sim_layered_core_begin(t);
  CB_TRY(make_springs(t, dt_s, err));
  spent(t, r, SIM_LAYERED_AIR);
  begin_bodies(t, dt_s, r);
  spent(t, r, SIM_LAYERED_BODY);
  CB_TRY(sim_cloth_step(t->cloth, dt_s, &r->cloth, err));
  spent(t, r, SIM_LAYERED_CLOTH);
  CB_TRY(move_bodies(t, dt_s, r, err));
  spent(t, r, SIM_LAYERED_BODY);
  release_springs(t, dt_s, r);
  const double before_J = kinetic_J(t);
  sim_cloth_support(t->cloth, t->support);
  (void)limit_edges(t, dt_s, r);
  spent(t, r, SIM_LAYERED_OFFSET);
  CB_TRY(find_closest_points(t, dt_s, r, err));
  press_all(t, dt_s, r);
  r->cloth.pressed_J = kinetic_J(t) - before_J;
  r->cloth.layers_m_per_s = fastest(t);
  r->limit.longest = sim_cloth_longest_edge(t->cloth, &r->limit.at_limit);
  spent(t, r, SIM_LAYERED_OFFSET);
  CB_TRY(sim_layered_core_check(t, dt_s, err));
  CB_TRY(breathe(t, dt_s, r, err));
  spent(t, r, SIM_LAYERED_AIR);
  return CB_OK;
}
