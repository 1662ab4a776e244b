#include "val_sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_time.h"

#define HALVINGS 8      /* of twice SEARCH_RAD */
#define SEARCH_RAD 0.05 /* around what is expected */

const char *const val_sheet_body_names[] = {"prescribed", "elastic", "free", NULL};

val_sheet val_sheet_default(void) {
  return (val_sheet){.friction = {.mu_kinetic = 0.3, .mu_static = 0.3},
                     .areal_density_kg_per_m2 = 0.15,
                     .side_m = 0.15,
                     .vertices = 200,
                     .angle_rad = 25 * CB_DEG,
                     .gravity_m_per_s2 = CB_STANDARD_GRAVITY_M_PER_S2,
                     .room_m = 0.4,
                     .young_Pa = 1e6,
                     .poisson = 0.3,
                     .dt_s = 0.002,
                     .duration_s = 0.2};
}

static cb_status check_sheet(const val_sheet *e, cb_err *err) {
  CB_TRY(cb_check_range(e->areal_density_kg_per_m2, 1e-4, 100, "sheet-slide: mass per area", "kg/m2", err));
  CB_TRY(cb_check_range(e->side_m, 1e-3, 10, "sheet-slide: side", "m", err));
  CB_TRY(cb_check_range(e->vertices, 9, 1e6, "sheet-slide: vertices", "", err));
  CB_TRY(cb_check_range(e->angle_rad, 0, 89.9 * CB_DEG, "sheet-slide: angle", "rad", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 0.1, "sheet-slide: step", "s", err));
  CB_TRY(cb_check_range(e->duration_s, e->dt_s, 1e3, "sheet-slide: duration", "s", err));
  return sim_friction_check(&e->friction, err);
}

static double mass_kg(const val_sheet *e) {
  return e->areal_density_kg_per_m2 * e->side_m * e->side_m + e->load_kg;
}

static sim_friction_force friction(const val_sheet *e) {
  const double along[2] = {cos(e->turned_rad), sin(e->turned_rad)};
  return sim_friction_eval(&e->friction, along, mass_kg(e) * e->gravity_m_per_s2 * cos(e->angle_rad),
                           e->side_m * e->side_m);
}

/* ---- what happened ---- */

static void momentum(const double (*v)[3], const double *mass, int n, double out[3]) {
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) out[k] += mass[i] * v[i][k];
}

static double way(const double (*x)[3], const double (*from)[3], int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, hypot(x[i][0] - from[i][0], x[i][1] - from[i][1]));
  return most;
}

static void measure_slide(const val_sheet *e, val_sheet_scene *s, val_sheet_result *out) {
  sim_cloth *cloth = sim_layered_cloth(s->layered);
  double sheet[3], body[3] = {0, 0, 0}, m = mass_kg(e),
                   given = m * e->gravity_m_per_s2 * sin(e->angle_rad) * e->duration_s;
  momentum((const sim_vec3 *)sim_cloth_velocity(cloth), sim_cloth_mass(cloth), s->mesh.n_vertices, sheet);
  sim_elastic *elastic = sim_layered_elastic(s->layered, 0);
  if (elastic)
    momentum((const sim_vec3 *)sim_elastic_velocity(elastic), sim_elastic_mass(elastic), s->tets.n_vertices,
             body);
  out->acceleration_m_per_s2 = sheet[0] / m / e->duration_s;
  out->largest_m = way((const sim_vec3 *)sim_cloth_position(cloth), (const sim_vec3 *)s->mesh.position_m,
                       s->mesh.n_vertices);
  if (e->body != VAL_SHEET_FREE) return;
  out->friction_Ns = body[0];
  out->expected_friction_Ns = friction(e).kinetic_N * e->duration_s;
  out->momentum_error = fabs(sheet[0] + body[0] - given) / given;
}

static cb_status play_slide(const val_sheet *e, val_sheet_scene *s, sim_layered_report *r,
                            val_sheet_result *out, cb_err *err) {
  const int steps = (int)lround(e->duration_s / e->dt_s);
  const size_t bytes = (size_t)s->mesh.n_vertices * sizeof(double[3]);
  double(*half)[3] = malloc(bytes), (*x)[3] = sim_cloth_position(sim_layered_cloth(s->layered));
  if (!half) return cb_no_memory(err, "sheet-slide");
  cb_status st = CB_OK;
  memcpy(half, x, bytes);
  for (int k = 0; k < steps && st == CB_OK; k++) {
    if (k == steps / 2) memcpy(half, x, bytes);
    st = sim_layered_step(s->layered, e->duration_s / steps, r, err);
  }
  out->late_m = way((const sim_vec3 *)x, (const sim_vec3 *)half, s->mesh.n_vertices);
  free(half);
  return st;
}

cb_status val_sheet_run(const val_sheet *e, val_sheet_result *out, cb_err *err) {
  *out = (val_sheet_result){0};
  CB_TRY(check_sheet(e, err));
  double begin_s = cb_now_monotonic_s();
  sim_layered_report r = {0};
  val_sheet_scene s;
  cb_status st = val_sheet_scene_make(e, &s, err);
  if (st == CB_OK) st = play_slide(e, &s, &r, out, err);
  if (st == CB_OK) measure_slide(e, &s, out);
  out->vertices = s.mesh.n_vertices;
  out->extrapolated = r.offset.extrapolated;
  val_sheet_scene_clear(&s);
  double f = friction(e).kinetic_N / mass_kg(e), down = e->gravity_m_per_s2 * sin(e->angle_rad);
  out->expected_m_per_s2 = friction(e).static_N / mass_kg(e) >= down ? 0 : down - f;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}

/* Where the weight down the slope passes static friction. */
static double expected_release_rad(const val_sheet *given) {
  val_sheet e = *given;
  double low = 0, high = CB_PI / 2;
  for (int k = 0; k < 60; k++) {
    e.angle_rad = (low + high) / 2;
    if (mass_kg(&e) * e.gravity_m_per_s2 * sin(e.angle_rad) <= friction(&e).static_N)
      low = e.angle_rad;
    else
      high = e.angle_rad;
  }
  return low;
}

cb_status val_sheet_release(const val_sheet *given, double *angle_rad, double *expected_rad, cb_err *err) {
  val_sheet e = *given;
  *expected_rad = expected_release_rad(given);
  double low = fmax(*expected_rad - SEARCH_RAD, 0), high = fmin(*expected_rad + SEARCH_RAD, 89 * CB_DEG);
  for (int k = 0; k < HALVINGS; k++) {
    val_sheet_result r;
    e.angle_rad = (low + high) / 2;
    CB_TRY(val_sheet_run(&e, &r, err));
    if (r.late_m <= VAL_SHEET_DRIFT_M)
      low = e.angle_rad;
    else
      high = e.angle_rad;
  }
  *angle_rad = (low + high) / 2;
  return CB_OK;
}
