#include "val_incline.h"

#include <math.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_sled.h"

#define STEEPEST_RAD (89 * CB_DEG)

val_incline val_incline_default(void) {
  return (val_incline){.friction = {.mu_kinetic = 0.3, .mu_static = 0.3},
                       .material = sim_material_isotropic(0.15, 1000, 1e-5),
                       .side_m = 0.2,
                       .pattern = SIM_PATTERN_RIGHT,
                       .vertices = 5000,
                       .angle_rad = 20 * CB_DEG,
                       .dt_s = 0.005,
                       .duration_s = 1};
}

static cb_status check_incline(const val_incline *e, cb_err *err) {
  if (!(e->side_m > 0 && isfinite(e->side_m)))
    return cb_fail(err, CB_E_RANGE, "incline: side = %g m: must be finite and > 0", e->side_m);
  if (e->vertices < 4 || e->vertices > 2000000)
    return cb_fail(err, CB_E_RANGE, "incline: vertices = %d: must lie between 4 and 2000000", e->vertices);
  if (!(e->angle_rad >= 0 && e->angle_rad < CB_PI / 2))
    return cb_fail(err, CB_E_RANGE, "incline: angle = %g deg: must be >= 0 and < 90", e->angle_rad / CB_DEG);
  if (!(fabs(e->turned_rad) <= 100))
    return cb_fail(err, CB_E_RANGE, "incline: cloth turned by %g rad: at most 100 were wanted",
                   e->turned_rad);
  if (!(e->dt_s > 0 && e->dt_s <= e->duration_s && isfinite(e->duration_s)))
    return cb_fail(err, CB_E_RANGE, "incline: steps of %g s over %g s: 0 < step <= duration was wanted",
                   e->dt_s, e->duration_s);
  if (!(e->launch_m_per_s >= 0 && isfinite(e->launch_m_per_s) && isfinite(e->launch_rad)))
    return cb_fail(err, CB_E_RANGE,
                   "incline: launch of %g m/s at %g rad: speed >= 0, both finite were wanted",
                   e->launch_m_per_s, e->launch_rad);
  return CB_OK;
}

/* ---- the rigid body ---- */

static double mass_kg(const val_incline *e) {
  return e->material.areal_density_kg_per_m2 * e->side_m * e->side_m;
}

/* Friction of the whole cloth that slides, or would, along (down, across) the slope. */
static sim_friction_force friction_along(const val_incline *e, const double d[2]) {
  double c = cos(e->turned_rad), s = sin(e->turned_rad),
         in_cloth[2] = {c * d[0] - s * d[1], s * d[0] + c * d[1]};
  double normal_N = mass_kg(e) * CB_STANDARD_GRAVITY_M_PER_S2 * cos(e->angle_rad);
  return sim_friction_eval(&e->friction, in_cloth, normal_N, e->side_m * e->side_m);
}

static bool rests(const val_incline *e) {
  const double down[2] = {1, 0};
  return mass_kg(e) * CB_STANDARD_GRAVITY_M_PER_S2 * sin(e->angle_rad) <= friction_along(e, down).static_N;
}

/* Coulomb's two numbers as laws. No friction at all is no law: next to none. */
static cb_friction_law coulomb(double mu, double area_m2) {
  double f = fmax(mu, 1e-12);
  return (cb_friction_law){.contact_area_m2 = area_m2,
                           .model = CB_MODEL_COULOMB,
                           .exponent = 1,
                           .dof = INFINITY,
                           .n_knots = 1,
                           .knots = {{.normal_force_N = 1, .f_N = {f, 0, f}}}};
}

static void in_slope(const val_incline *e, const sim_sled_sample *a, double place[2], double velocity[2]) {
  double c = cos(e->turned_rad), s = sin(e->turned_rad);
  place[0] = c * a->x_m + s * a->y_m;
  place[1] = c * a->y_m - s * a->x_m;
  velocity[0] = c * a->vx_m_per_s + s * a->vy_m_per_s;
  velocity[1] = c * a->vy_m_per_s - s * a->vx_m_per_s;
}

static cb_status exact(const val_incline *e, val_incline_result *out, cb_err *err) {
  double area = e->side_m * e->side_m, course = e->turned_rad + e->launch_rad;
  cb_friction_law kinetic = coulomb(e->friction.mu_kinetic, area),
                  stat = coulomb(e->friction.mu_static, area);
  bool lawful = e->friction.kinetic_law != NULL;
  sim_sled sled = sim_sled_default();
  sled.mass_kg = mass_kg(e);
  sled.contact_area_m2 = area;
  sled.incline_rad = e->angle_rad;
  sled.downhill_rad = e->turned_rad;
  sled.kinetic_law = lawful ? e->friction.kinetic_law : &kinetic;
  sled.static_law = lawful ? e->friction.static_law : &stat;
  sled.velocity_m_per_s[0] = e->launch_m_per_s * cos(course);
  sled.velocity_m_per_s[1] = e->launch_m_per_s * sin(course);
  sled.duration_s = e->duration_s;
  sled.rate_Hz = 200 / e->duration_s;
  sled.step_s = fmin(sled.step_s, e->duration_s / 1000);
  sim_sled_result r;
  CB_TRY(sim_sled_run(&sled, &r, err));
  for (size_t i = 1; i < r.n; i++)
    out->way_m += hypot(r.samples[i].x_m - r.samples[i - 1].x_m, r.samples[i].y_m - r.samples[i - 1].y_m);
  in_slope(e, &r.samples[r.n - 1], out->expected_m, out->expected_m_per_s);
  sim_sled_result_clear(&r);
  return CB_OK;
}

/* M (v - V) = gamma F with friction against v: the direction of v is that of V + gamma g, whatever the
 * friction. `ahead`: X less where the step began; a body that would not get on along its course stays
 * there. */
static void scheme_step(const val_incline *e, double gamma_s, const double ahead[2], const double past_v[2],
                        double v[2]) {
  double push[2] = {past_v[0] + gamma_s * CB_STANDARD_GRAVITY_M_PER_S2 * sin(e->angle_rad), past_v[1]},
         speed = hypot(push[0], push[1]), on = 0;
  double left = speed > 0 ? 1 - gamma_s * friction_along(e, push).kinetic_N / mass_kg(e) / speed : 0;
  for (int k = 0; k < 2; k++) {
    v[k] = left * push[k];
    on += (ahead[k] + gamma_s * v[k]) * push[k];
  }
  for (int k = 0; k < 2 && on <= 0; k++) v[k] = -ahead[k] / gamma_s;
}

/* The rigid body's way in the steps of the scheme. */
static void scheme_way(const val_incline *e, int steps, double x[2]) {
  double v[2] = {e->launch_m_per_s * cos(e->launch_rad), e->launch_m_per_s * sin(e->launch_rad)},
         h = e->duration_s / steps;
  double x_before[2] = {0, 0}, v_before[2] = {0, 0};
  x[0] = x[1] = 0;
  for (int k = 0; k < steps && !(v[0] == 0 && v[1] == 0 && rests(e)); k++) {
    double a = e->scheme == SIM_BDF2 && k > 0 ? 1.0 / 3 : 0, gamma = a > 0 ? 2 * h / 3 : h, ahead[2],
           past_v[2];
    for (int d = 0; d < 2; d++) {
      ahead[d] = a * (x[d] - x_before[d]);
      past_v[d] = v[d] + a * (v[d] - v_before[d]);
      x_before[d] = x[d];
      v_before[d] = v[d];
    }
    scheme_step(e, gamma, ahead, past_v, v);
    for (int d = 0; d < 2; d++) x[d] += ahead[d] + gamma * v[d];
  }
}

/* ---- the cloth ---- */

/* Mean over the cloth by mass, down the slope and across. The slope runs along x of the world, the cloth's
 * warp is turned against it. */
static void mean_of(const sim_cloth *cloth, const double (*v)[3], int n, double out[2]) {
  const double *mass = sim_cloth_mass(cloth);
  double sum[2] = {0, 0}, total = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 2; k++) sum[k] += mass[i] * v[i][k];
    total += mass[i];
  }
  for (int k = 0; k < 2; k++) out[k] = sum[k] / total;
}

static void lay_and_launch(const val_incline *e, sim_cloth *cloth, int n) {
  double(*x)[3] = sim_cloth_position(cloth), (*v)[3] = sim_cloth_velocity(cloth);
  for (int i = 0; i < n; i++) {
    x[i][2] = e->material.thickness_m / 2;
    v[i][0] = e->launch_m_per_s * cos(e->launch_rad);
    v[i][1] = e->launch_m_per_s * sin(e->launch_rad);
  }
}

static double largest_move(const sim_mesh *mesh, double (*x)[3], double lift_m) {
  double largest = 0;
  for (int i = 0; i < mesh->n_vertices; i++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = x[i][k] - mesh->position_m[i][k] - (k == 2 ? lift_m : 0);
    largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  return largest;
}

static cb_status slide_cloth(const val_incline *e, const sim_mesh *mesh, int steps, val_incline_result *out,
                             cb_err *err) {
  sim_body plane = {.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = e->friction};
  sim_cloth_setup setup = sim_cloth_setup_default(mesh, &e->material);
  setup.bodies = &plane;
  setup.n_bodies = 1;
  setup.scheme = e->scheme;
  setup.solve_tolerance = 1e-6;
  setup.contact_tolerance = 1e-5;
  setup.contact_iterations = 20;
  setup.gravity_m_per_s2[0] = CB_STANDARD_GRAVITY_M_PER_S2 * sin(e->angle_rad);
  setup.gravity_m_per_s2[2] = -CB_STANDARD_GRAVITY_M_PER_S2 * cos(e->angle_rad);
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  cb_status st = CB_OK;
  int n = mesh->n_vertices;
  lay_and_launch(e, cloth, n);
  double start[2], end[2];
  sim_step_report report = {0};
  mean_of(cloth, (const sim_vec3 *)sim_cloth_position(cloth), n, start);
  for (int k = 0; k < steps; k++) CB_GOTO(sim_cloth_step(cloth, e->duration_s / steps, &report, err));
  mean_of(cloth, (const sim_vec3 *)sim_cloth_position(cloth), n, end);
  mean_of(cloth, (const sim_vec3 *)sim_cloth_velocity(cloth), n, out->velocity_m_per_s);
  for (int k = 0; k < 2; k++) out->displacement_m[k] = end[k] - start[k];
  out->largest_m = largest_move(mesh, sim_cloth_position(cloth), e->material.thickness_m / 2);
  out->sticks = out->largest_m < VAL_STICKS_M;
  out->extrapolated = report.extrapolated;
done:
  sim_cloth_free(cloth);
  return st;
}

static void compare_way(const val_incline *e, val_incline_result *r) {
  double launch = e->launch_m_per_s * cos(e->launch_rad), off[2];
  r->acceleration_m_per_s2 = (r->velocity_m_per_s[0] - launch) / e->duration_s;
  r->expected_m_per_s2 = (r->expected_m_per_s[0] - launch) / e->duration_s;
  r->expected_sticks = r->way_m == 0;
  if (r->expected_sticks) {
    r->agrees = r->sticks;
    return;
  }
  for (int k = 0; k < 2; k++) off[k] = r->displacement_m[k] - r->expected_m[k] - r->scheme_m[k];
  r->way_error = hypot(off[0], off[1]) / r->way_m;
  r->acceleration_error = fabs(r->acceleration_m_per_s2 - r->expected_m_per_s2) / fabs(r->expected_m_per_s2);
  bool across = e->launch_m_per_s * sin(e->launch_rad) != 0;
  r->agrees = !r->sticks && (across || r->acceleration_error <= VAL_INCLINE_ACCELERATION) &&
              r->way_error <= (across ? VAL_INCLINE_PATH : VAL_INCLINE_WAY);
}

static cb_status square(const val_incline *e, sim_mesh *mesh, cb_err *err) {
  sim_rectangle r = {.length_m = e->side_m,
                     .width_m = e->side_m,
                     .pattern = e->pattern,
                     .about_vertices = e->vertices,
                     .warp_rad = -e->turned_rad};
  return sim_mesh_rectangle(&r, mesh, err);
}

cb_status val_incline_run(const val_incline *e, val_incline_result *out, cb_err *err) {
  *out = (val_incline_result){0};
  CB_TRY(check_incline(e, err));
  double begin_s = cb_now_monotonic_s();
  int steps = (int)lround(e->duration_s / e->dt_s);
  double way[2];
  sim_mesh mesh;
  CB_TRY(square(e, &mesh, err));
  out->vertices = mesh.n_vertices;
  cb_status st = slide_cloth(e, &mesh, steps, out, err);
  sim_mesh_clear(&mesh);
  if (st == CB_OK) st = exact(e, out, err);
  if (st != CB_OK) return st;
  scheme_way(e, steps, way);
  for (int k = 0; k < 2; k++) out->scheme_m[k] = way[k] - out->expected_m[k];
  compare_way(e, out);
  out->seconds = cb_now_monotonic_s() - begin_s;
  return CB_OK;
}

/* ---- the angle of release ---- */

static double rigid_release(val_incline e) {
  double low = 0, high = CB_PI / 2;
  for (int k = 0; k < 60; k++) {
    e.angle_rad = (low + high) / 2;
    *(rests(&e) ? &low : &high) = e.angle_rad;
  }
  return low;
}

cb_status val_incline_release(const val_incline *given, double within_rad, val_release *out, cb_err *err) {
  val_incline e = *given;
  e.launch_m_per_s = e.angle_rad = 0;
  *out = (val_release){.expected_rad = rigid_release(e)};
  if (!(within_rad > 0))
    return cb_fail(err, CB_E_RANGE, "incline: release within %g rad: must be > 0", within_rad);
  CB_TRY(check_incline(&e, err));
  sim_mesh mesh;
  CB_TRY(square(&e, &mesh, err));
  cb_status st = CB_OK;
  double low = 0, high = STEEPEST_RAD;
  while (high - low > within_rad) {
    val_incline_result r = {0};
    e.angle_rad = (low + high) / 2;
    CB_GOTO(slide_cloth(&e, &mesh, (int)lround(e.duration_s / e.dt_s), &r, err));
    *(r.sticks ? &low : &high) = e.angle_rad;
    out->runs++;
  }
  out->vertices = mesh.n_vertices;
  out->angle_rad = (low + high) / 2;
  out->agrees = fabs(out->angle_rad - out->expected_rad) <= VAL_RELEASE_RAD;
done:
  sim_mesh_clear(&mesh);
  return st;
}

val_incline val_incline_release_case(const val_incline *e, int k) {
  static const double heavier[VAL_RELEASES / 2] = {0.25, 0.5, 1, 2, 4};
  val_incline out = *e;
  out.material.areal_density_kg_per_m2 *= heavier[k / 2];
  if (k % 2 == 1) out.vertices *= 4;
  return out;
}
