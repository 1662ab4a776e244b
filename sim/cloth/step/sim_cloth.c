#include "sim_cloth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_cloth_impl.h"
#include "sim_cloth_room.h"
#include "sim_self_look.h"
#include "sim_vec.h"

const char *const sim_cloth_scheme_names[] = {"backward-euler", "bdf2", NULL};
const char *const sim_cloth_phase_names[] = {"assembly",       "preconditioner", "solve", "contact",
                                             "self_collision", "rest",           NULL};

sim_cloth_setup sim_cloth_setup_default(const sim_mesh *mesh, const sim_material *material) {
  return (sim_cloth_setup){.mesh = mesh,
                           .material = material,
                           .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                           .scheme = SIM_BACKWARD_EULER,
                           .iterations = 1,
                           .contact_iterations = 6,
                           .contact_tolerance = 1e-2,
                           .settle_m_per_s = 1e-6,
                           .solve_tolerance = 1e-3,
                           .solve_iterations = 500};
}

static cb_status check_method(const sim_cloth_setup *s, cb_err *err) {
  if (s->iterations < 1)
    return cb_fail(err, CB_E_RANGE, "cloth: iterations = %d: must be >= 1", s->iterations);
  if (s->contact_iterations < 1)
    return cb_fail(err, CB_E_RANGE, "cloth: contact_iterations = %d: must be >= 1", s->contact_iterations);
  if (s->self_collision && !(s->material->thickness_m > 0))
    return cb_fail(err, CB_E_RANGE, "cloth: thickness = %g m: must be > 0 for a cloth that meets itself",
                   s->material->thickness_m);
  if (!(s->contact_tolerance > 0))
    return cb_fail(err, CB_E_RANGE, "cloth: contact_tolerance = %g: must be > 0", s->contact_tolerance);
  if (s->solve_iterations < 1)
    return cb_fail(err, CB_E_RANGE, "cloth: solve_iterations = %d: must be >= 1", s->solve_iterations);
  if (!(s->solve_tolerance > 0 && s->solve_tolerance < 1))
    return cb_fail(err, CB_E_RANGE, "cloth: solve_tolerance = %g: must lie between 0 and 1",
                   s->solve_tolerance);
  if (!(s->settle_m_per_s > 0))
    return cb_fail(err, CB_E_RANGE, "cloth: settle_m_per_s = %g: must be > 0", s->settle_m_per_s);
  return CB_OK;
}

static cb_status check_attached(const sim_cloth_setup *s, cb_err *err) {
  for (int b = 0; b < s->n_bodies; b++)
    if (sim_body_check(&s->bodies[b], err) != CB_OK) return cb_fail_in(err, CB_E_RANGE, "body %d", b + 1);
  for (int t = 0; t < s->n_tethers; t++)
    if (sim_tether_check(&s->tethers[t], s->mesh->n_vertices, err) != CB_OK)
      return cb_fail_in(err, CB_E_RANGE, "tether %d", t + 1);
  return CB_OK;
}

static cb_status check_setup(const sim_cloth_setup *s, cb_err *err) {
  CB_TRY(sim_material_check(s->material, err));
  CB_TRY(check_method(s, err));
  CB_TRY(sim_friction_check(&s->self_friction, err));
  if (s->self_law) CB_TRY(cb_self_friction_law_check(s->self_law, err));
  for (int k = 0; k < 3; k++)
    if (!isfinite(s->gravity_m_per_s2[k]))
      return cb_fail(err, CB_E_RANGE, "cloth: gravity[%d] = %g m/s2: must be finite", k,
                     s->gravity_m_per_s2[k]);
  CB_TRY(check_attached(s, err));
  for (int i = 0; s->load_kg && i < s->mesh->n_vertices; i++)
    if (!(isfinite(s->load_kg[i]) && s->load_kg[i] >= 0))
      return cb_fail(err, CB_E_RANGE, "cloth: load of vertex %d = %g kg: must be finite and >= 0", i,
                     s->load_kg[i]);
  return CB_OK;
}

cb_status sim_rest_as_made(const sim_mesh *mesh, double (*out_per_m)[3], cb_err *err) {
  const double any[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sim_bending b;
  CB_TRY(sim_bending_init(mesh, any, NULL, NULL, &b, err));
  const cb_status st = sim_bending_prepare(&b, err);
  if (st == CB_OK) sim_bending_curvature(&b, (const sim_vec3 *)mesh->position_m, out_per_m);
  sim_bending_clear(&b);
  return st;
}

static void *zeros(size_t n, size_t size, cb_status *st) {
  void *p = calloc(n > 0 ? n : 1, size);
  if (!p) *st = CB_E_NOMEM;
  return p;
}

static cb_status new_arrays(sim_cloth *c, cb_err *err) {
  sim_stage *s = &c->now;
  size_t n = (size_t)s->n;
  cb_status st = CB_OK;
  double(**const triples[])[3] = {&s->x,        &s->v,        &s->past_x,   &s->past_v,
                                  &s->at,       &s->residual, &s->reaction, &c->x_before,
                                  &c->v_before, &c->force,    &c->shift};
  float(**const fours[])[4] = {&c->right, &c->change};
  for (size_t k = 0; k < sizeof triples / sizeof *triples; k++)
    *triples[k] = zeros(n, sizeof **triples[k], &st);
  for (size_t k = 0; k < sizeof fours / sizeof *fours; k++) *fours[k] = zeros(n, sizeof **fours[k], &st);
  if (c->setup.iterations > 1) {
    c->kept.v = zeros(n, sizeof *c->kept.v, &st);
    c->kept.reaction = zeros(n, sizeof *c->kept.reaction, &st);
  }
  s->mass_kg = zeros(n, sizeof *s->mass_kg, &st);
  s->inertia_kg = zeros(n, sizeof *s->inertia_kg, &st);
  s->extra = zeros(n, sizeof *s->extra, &st);
  s->constraint = zeros(n, sizeof *s->constraint, &st);
  c->put_out = zeros(n, sizeof *c->put_out, &st);
  return st == CB_OK ? CB_OK : cb_fail(err, st, "cloth of %d vertices: out of memory", s->n);
}

static void put_at_rest(sim_cloth *c) {
  const sim_cloth_setup *setup = &c->setup;
  sim_stage *s = &c->now;
  memcpy(s->x, setup->mesh->position_m, (size_t)s->n * sizeof *s->x);
  for (int i = 0; i < s->n; i++) {
    s->mass_kg[i] = setup->material->areal_density_kg_per_m2 * setup->mesh->vertex_area_m2[i] +
                    (setup->load_kg ? setup->load_kg[i] : 0);
    if (setup->gripped && setup->gripped[i])
      s->constraint[s->n_grips++] = (sim_constraint){i, SIM_FIXED_WHOLE, {0, 0, 0}};
  }
}

/* Finds the free vertex whose motion alone stretches the cloth most for its mass: for 1 N/m, the sum of area
 * times the square of the gradient over its triangles. */
static void find_stiffest(sim_cloth *c) {
  const sim_mesh *m = c->setup.mesh;
  double *stiff = &c->shift[0][0]; /* free until the first step */
  for (int t = 0; t < m->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      const double *p = m->corner_m[t][(k + 1) % 3], *q = m->corner_m[t][(k + 2) % 3];
      stiff[m->triangle[t][k]] +=
          ((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1])) / (4 * m->area_m2[t]);
    }
  for (int i = 0; i < c->now.n; i++) {
    const double per_kg = stiff[i] / c->now.mass_kg[i];
    if (per_kg > c->stiffest_per_kg && !(c->setup.gripped && c->setup.gripped[i]))
      c->stiffest_per_kg = per_kg, c->stiffest = i;
    stiff[i] = 0;
  }
}

static cb_status new_system(sim_cloth *c, cb_err *err) {
  const sim_cloth_setup *s = &c->setup;
  CB_TRY(sim_membrane_init(s->mesh, s->material, &c->membrane, err));
  CB_TRY(sim_bending_init(s->mesh, s->material->bending_Nm, s->gripped, s->rest_per_m, &c->bending, err));
  double onset = s->material->bending_friction_onset_per_m;
  CB_TRY(sim_bending_friction_init(&c->bending, s->material->bending_friction_N,
                                   onset > 0 ? onset : SIM_BENDING_FRICTION_ONSET_PER_M, &c->bending_friction,
                                   err));
  for (int t = 0; s->rest_per_m && c->bending_friction.mesh && t < s->mesh->n_triangles; t++)
    for (int k = 0; k < 2; k++) c->bending_friction.slip_per_m[t][k] = s->rest_per_m[t][k];
  /* Bending, and bending friction at its stiffest. */
  CB_TRY(sim_matrix_init(c->bending_friction.mesh ? &c->bending_friction.stiffest : &c->bending.pairs,
                         &c->matrix, err));
  CB_TRY(sim_edge_limit_init(s->mesh, s->edge_most_m, &c->edge_limit, err));
  CB_TRY(sim_multilevel_init(s->mesh, &c->multilevel, err));
  CB_TRY(sim_pcg_init(c->now.n, &c->pcg, err));
  c->pcg.springs = s->springs;
  c->pcg.n_springs = s->n_springs;
  return CB_OK;
}

static cb_status new_stages(sim_cloth *c, cb_err *err) {
  CB_TRY(sim_contacts_new(&c->setup, &c->contacts, err));
  CB_TRY(sim_tethers_new(&c->setup, &c->tethers, err));
  return c->setup.self_collision ? sim_cloth_self_new(&c->setup, c->now.mass_kg, &c->self_contacts, err)
                                 : CB_OK;
}

cb_status sim_cloth_new(const sim_cloth_setup *setup, sim_cloth **out, cb_err *err) {
  *out = NULL;
  CB_TRY(check_setup(setup, err));
  sim_cloth *c = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "cloth");
  c->setup = *setup;
  c->now.setup = &c->setup;
  c->now.n = setup->mesh->n_vertices;
  cb_status st;
  CB_GOTO(new_arrays(c, err));
  put_at_rest(c);
  if (c->now.n > 0) find_stiffest(c);
  CB_GOTO(new_system(c, err));
  CB_GOTO(new_stages(c, err));
  *out = c;
done:
  if (st != CB_OK) sim_cloth_free(c);
  return st;
}

void sim_cloth_free(sim_cloth *c) {
  if (!c) return;
  sim_membrane_clear(&c->membrane);
  sim_bending_friction_clear(&c->bending_friction);
  sim_bending_clear(&c->bending);
  sim_edge_limit_clear(&c->edge_limit);
  sim_matrix_clear(&c->matrix);
  sim_multilevel_clear(&c->multilevel);
  sim_pcg_clear(&c->pcg);
  sim_contacts_free(c->contacts);
  sim_tethers_free(c->tethers);
  sim_cloth_self_free(c->self_contacts);
  const sim_stage *s = &c->now;
  void *const arrays[] = {s->x,          s->v,        s->past_x,   s->past_v,  s->at,
                          s->residual,   s->reaction, s->extra,    s->mass_kg, s->inertia_kg,
                          s->constraint, c->x_before, c->v_before, c->force,   c->shift,
                          c->right,      c->change,   c->put_out,  c->kept.v,  c->kept.reaction};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  free(c);
}

/* Largest stiffness over inertia of a vertex that is solved. Of sheets with needles of triangles that fall
 * onto a plane, none of 100 is thrown about at 3e8, 2 of 100 at 5e8, 16 of 60 at 1e9: single precision. The
 * limit is as wide as that because it counts the steepest part of a law, which few cloths reach. */
#define STIFF_MOST 1e9

cb_status sim_cloth_check_step(const sim_cloth *c, double dt_s, cb_err *err) {
  if (!(dt_s > 0 && isfinite(dt_s)))
    return cb_fail(err, CB_E_RANGE, "cloth: step = %g s: must be finite and > 0", dt_s);
  const double stiff = sim_material_steepest_N_per_m(c->setup.material),
               ratio = dt_s * dt_s * stiff * c->stiffest_per_kg;
  if (ratio <= STIFF_MOST) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "cloth: %g N/m at vertex %d of %.3g kg: the stretch of a step of %g s is %.1g times the "
                 "inertia, at most %g can be solved: a shorter step, wider triangles there or a softer cloth "
                 "is wanted",
                 stiff, c->stiffest, c->now.mass_kg[c->stiffest], dt_s, ratio, STIFF_MOST);
}

const sim_mesh *sim_cloth_mesh(const sim_cloth *c) { return c->setup.mesh; }
double (*sim_cloth_position(const sim_cloth *c))[3] { return c->now.x; }
double (*sim_cloth_velocity(const sim_cloth *c))[3] { return c->now.v; }
double sim_cloth_time(const sim_cloth *c) { return c->time_s; }
sim_body *sim_cloth_bodies(const sim_cloth *c) { return sim_contacts_bodies(c->contacts); }
sim_tether *sim_cloth_tethers(const sim_cloth *c) { return sim_tethers_all(c->tethers); }
const double *sim_cloth_mass(const sim_cloth *c) { return c->now.mass_kg; }

double sim_cloth_tension_N(const sim_cloth *c, int tether) {
  return sim_tethers_tension_N(c->tethers, c->previous_dt_s > 0 ? &c->now : NULL, tether);
}

void sim_cloth_body_force(const sim_cloth *c, int body, double force_N[3]) {
  sim_contacts_body_force(c->contacts, body, force_N);
}
const double (*sim_cloth_position_before(const sim_cloth *c))[3] { return (const sim_vec3 *)c->x_before; }

void sim_cloth_support(const sim_cloth *c, double (*normal)[3]) {
  memset(normal, 0, (size_t)c->now.n * sizeof *normal);
  sim_contacts_support(c->contacts, normal);
}

int sim_cloth_limit_edges(sim_cloth *c, const double (*support)[3], double dt_s) {
  return sim_edge_limit_enforce(
      &c->edge_limit, &(sim_edge_limit_cloth){c->now.x, c->now.v, c->now.mass_kg, c->setup.gripped, support},
      dt_s);
}
void sim_cloth_taut(sim_cloth *c, bool *taut) {
  sim_edge_limit_ends(&c->edge_limit, (const sim_vec3 *)c->now.x, taut);
}
double sim_cloth_longest_edge(const sim_cloth *c, int *at_limit) {
  return sim_edge_limit_longest(&c->edge_limit, (const sim_vec3 *)c->now.x, at_limit);
}

void sim_cloth_strain(const sim_cloth *c, double (*out)[3]) {
  sim_membrane_strain(&c->membrane, (const sim_vec3 *)c->now.x, out);
}

cb_status sim_cloth_curvature(const sim_cloth *c, double (*out_per_m)[3], cb_err *err) {
  CB_TRY(sim_bending_prepare(&c->bending, err));
  sim_bending_curvature(&c->bending, (const sim_vec3 *)c->now.x, out_per_m);
  return CB_OK;
}

sim_cloth_touch sim_cloth_touch_of(const sim_cloth *c, int vertex) {
  const sim_contact_memory *two = sim_contacts_memory(c->contacts)[vertex];
  const sim_contact_memory *m = &two[two[1].body >= 0 && two[1].normal_N > two[0].normal_N];
  return (sim_cloth_touch){m->body, m->normal_N, m->hold == SIM_SLIDES};
}

double (*sim_cloth_sliders(const sim_cloth *c))[2] {
  return c->bending_friction.mesh ? c->bending_friction.slip_per_m : NULL;
}

void sim_cloth_go_on(sim_cloth *c, const sim_cloth *before, const int *from) {
  sim_contact_memory(*memory)[SIM_CONTACTS_EACH] = sim_contacts_memory(c->contacts);
  for (int i = 0; i < c->now.n; i++)
    if (from[i] >= 0) memcpy(memory[i], sim_contacts_memory(before->contacts)[from[i]], sizeof *memory);
  if (c->setup.n_bodies > 0)
    memcpy(sim_cloth_bodies(c), sim_cloth_bodies(before), (size_t)c->setup.n_bodies * sizeof(sim_body));
  c->ledger = before->ledger;
  c->time_s = before->time_s;
}

int sim_cloth_crossings(const sim_cloth *c) {
  return c->self_contacts
             ? sim_self_deep_crossings(sim_cloth_self_self(c->self_contacts), (const sim_vec3 *)c->now.x)
             : 0;
}
