#include "val_sled.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_mesh.h"

/* Before the stage sets off: the zero. */
#define REST_S 0.2
/* Travel that is not given: so many times what the spring stretches until the sled breaks away. */
#define TRAVEL_STRETCHES 3
#define TRAVEL_LEAST_M 5e-3

val_sled val_sled_default(void) {
  return (val_sled){.friction = {.mu_kinetic = 0.3, .mu_static = 0.35},
                    .material = sim_material_isotropic(0.15, 1000, 1e-5),
                    .side_m = 0.0635,
                    .load_kg = 0.2,
                    .vertices = 400,
                    .stiffness_N_per_m = 100,
                    .damping_ratio = 1,
                    .profile = {.start_s = REST_S, .speed_m_per_s = 0.0025, .acceleration_m_per_s2 = 1},
                    .dt_s = 0.002};
}

static cb_status check_sled(const val_sled *e, cb_err *err) {
  if (e->vertices < 4 || e->vertices > 2000000)
    return cb_fail(err, CB_E_RANGE, "sled: vertices = %d: must lie between 4 and 2000000", e->vertices);
  CB_TRY(cb_check_range(e->side_m, 1e-3, 10, "sled: side", "m", err));
  CB_TRY(cb_check_range(e->load_kg, 0, 1e3, "sled: load", "kg", err));
  CB_TRY(cb_check_range(e->angle_rad, -100, 100, "sled: angle", "rad", err));
  CB_TRY(cb_check_range(e->stiffness_N_per_m, 1e-3, 1e9, "sled: stiffness", "N/m", err));
  CB_TRY(cb_check_range(e->damping_ratio, 0, 100, "sled: damping ratio", "", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 0.1, "sled: step", "s", err));
  CB_TRY(sim_friction_check(&e->friction, err));
  CB_TRY(sim_profile_check(&e->profile, err));
  return e->profile.travel_m >= 0
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "sled: travel = %g m: must be >= 0", e->profile.travel_m);
}

/* By area: the block presses evenly, and pulls evenly. */
static cb_status spread_load(const val_sled *e, const sim_mesh *mesh, double **load_kg, double **share,
                             cb_err *err) {
  double area = 0;
  *load_kg = calloc((size_t)mesh->n_vertices, sizeof **load_kg);
  *share = calloc((size_t)mesh->n_vertices, sizeof **share);
  if (!*load_kg || !*share) return cb_no_memory(err, "sled of %d vertices", mesh->n_vertices);
  for (int i = 0; i < mesh->n_vertices; i++) area += mesh->vertex_area_m2[i];
  for (int i = 0; i < mesh->n_vertices; i++) {
    (*share)[i] = mesh->vertex_area_m2[i] / area;
    (*load_kg)[i] = e->load_kg * (*share)[i];
  }
  return CB_OK;
}

static double mass_kg(const val_sled *e) {
  return e->load_kg + e->material.areal_density_kg_per_m2 * e->side_m * e->side_m;
}

static sim_friction_force friction(const val_sled *e) {
  const double along[2] = {cos(e->angle_rad), sin(e->angle_rad)};
  return sim_friction_eval(&e->friction, along, mass_kg(e) * CB_STANDARD_GRAVITY_M_PER_S2,
                           e->side_m * e->side_m);
}

static cb_status record_pull(sim_cloth *cloth, const double breaks_s[4], const val_sled *e,
                             val_sled_result *out, cb_err *err) {
  int steps = (int)ceil(breaks_s[3] / e->dt_s);
  sim_tether *link = sim_cloth_tethers(cloth);
  sim_step_report report;
  out->trace.speed_m_per_s = e->profile.speed_m_per_s;
  CB_TRY(cb_series_push(&out->trace.force_N, 0, 0, err));
  CB_TRY(cb_series_push(&out->trace.position_m, 0, 0, err));
  for (int k = 1; k <= steps; k++) {
    double t = k * e->dt_s;
    link->anchor_m = sim_profile_at(&e->profile, breaks_s, t, &link->anchor_m_per_s);
    CB_TRY(sim_cloth_step(cloth, e->dt_s, &report, err));
    CB_TRY(cb_series_push(&out->trace.force_N, t, sim_cloth_tension_N(cloth, 0), err));
    CB_TRY(cb_series_push(&out->trace.position_m, t, link->anchor_m, err));
    if (report.extrapolated > out->extrapolated) out->extrapolated = report.extrapolated;
  }
  return CB_OK;
}

static cb_status pull_sled(const val_sled *e, const sim_mesh *mesh, const double *load_kg,
                           const double *share, val_sled_result *out, cb_err *err) {
  sim_body plane = {.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = e->friction};
  sim_tether link = {.direction = {1, 0, 0},
                     .share = share,
                     .stiffness_N_per_m = e->stiffness_N_per_m,
                     .damping_Ns_per_m = 2 * e->damping_ratio * sqrt(e->stiffness_N_per_m * mass_kg(e))};
  sim_cloth_setup setup = sim_cloth_setup_default(mesh, &e->material);
  setup.bodies = &plane;
  setup.n_bodies = 1;
  setup.tethers = &link;
  setup.n_tethers = 1;
  setup.load_kg = load_kg;
  setup.scheme = e->scheme;
  setup.solve_tolerance = 1e-6;
  setup.contact_tolerance = 1e-5;
  setup.contact_iterations = 20;
  double breaks_s[4], y = 0;
  sim_profile_breaks(&e->profile, breaks_s);
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  for (int i = 0; i < mesh->n_vertices; i++) sim_cloth_position(cloth)[i][2] = e->material.thickness_m / 2;
  cb_status st = record_pull(cloth, breaks_s, e, out, err);
  for (int i = 0; i < mesh->n_vertices; i++)
    y += share[i] * (sim_cloth_position(cloth)[i][1] - mesh->position_m[i][1]);
  out->across_m = y;
  sim_cloth_free(cloth);
  return st;
}

/* The friction that went in, and what the reduction found. */
static cb_status compare_friction(const val_sled *e, val_sled_result *r, cb_err *err) {
  const fit_pull_options reduction = fit_pull_options_default();
  sim_friction_force truth = friction(e);
  r->normal_N = mass_kg(e) * CB_STANDARD_GRAVITY_M_PER_S2;
  r->expected_static_N = truth.static_N;
  r->expected_kinetic_N = truth.kinetic_N;
  r->expected_mu_static = truth.static_N / r->normal_N;
  r->expected_mu_kinetic = truth.kinetic_N / r->normal_N;
  CB_TRY(fit_pull_reduce(&r->trace, 1, e->profile.travel_m, &reduction, &r->pull, err));
  r->mu_static = r->pull.static_N / r->normal_N;
  r->mu_kinetic = r->pull.kinetic_N / r->normal_N;
  r->static_error = r->pull.static_N / truth.static_N - 1;
  r->kinetic_error = r->pull.kinetic_N / truth.kinetic_N - 1;
  r->peak_expected = truth.static_N * (1 - 2 * reduction.static_drop_rel) > truth.kinetic_N;
  r->agrees = r->pull.outcome == FIT_PULL_OK && fabs(r->kinetic_error) <= VAL_SLED_TOLERANCE &&
              (!r->peak_expected || fabs(r->static_error) <= VAL_SLED_TOLERANCE);
  return CB_OK;
}

cb_status val_sled_run(const val_sled *given, val_sled_result *out, cb_err *err) {
  *out = (val_sled_result){0};
  CB_TRY(check_sled(given, err));
  val_sled with_travel = *given, *e = &with_travel;
  if (!(friction(e).kinetic_N > 0))
    return cb_fail(err, CB_E_RANGE, "sled: no friction went in: none can be given back");
  if (e->profile.travel_m == 0)
    e->profile.travel_m =
        fmax(TRAVEL_LEAST_M, TRAVEL_STRETCHES * friction(e).static_N / e->stiffness_N_per_m);
  double begin_s = cb_now_monotonic_s();
  sim_rectangle square = {
      .length_m = e->side_m, .width_m = e->side_m, .about_vertices = e->vertices, .warp_rad = -e->angle_rad};
  sim_mesh mesh;
  CB_TRY(sim_mesh_rectangle(&square, &mesh, err));
  double *load_kg, *share;
  out->vertices = mesh.n_vertices;
  cb_status st = spread_load(e, &mesh, &load_kg, &share, err);
  if (st == CB_OK) st = pull_sled(e, &mesh, load_kg, share, out, err);
  if (st == CB_OK) st = compare_friction(e, out, err);
  free(load_kg);
  free(share);
  sim_mesh_clear(&mesh);
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}

void val_sled_result_clear(val_sled_result *r) { cb_trace_clear(&r->trace); }
