#include "val_incline.h"

#include <math.h>
#include <time.h>

#include "sim_mesh_make.h"
#include "sim_sled.h"

val_incline val_incline_default(void) {
  return (val_incline){.friction = {.mu_kinetic = 0.3, .mu_static = 0.3},
                       .material = sim_material_isotropic(0.15, 1000, 1e-5),
                       .side_m = 0.2,
                       .vertices = 5000,
                       .angle_rad = 20 * M_PI / 180,
                       .dt_s = 0.005,
                       .duration_s = 1};
}

static cb_status check(const val_incline *e, cb_err *err) {
  if (!(e->side_m > 0 && isfinite(e->side_m))) return cb_fail(err, CB_E_RANGE, "incline: side = %g m: must be finite and > 0", e->side_m);
  if (e->vertices < 4 || e->vertices > 2000000)
    return cb_fail(err, CB_E_RANGE, "incline: vertices = %d: must lie between 4 and 2000000", e->vertices);
  if (!(fabs(e->angle_rad) < M_PI / 2))
    return cb_fail(err, CB_E_RANGE, "incline: angle = %g deg: must lie between -90 and 90", e->angle_rad * 180 / M_PI);
  if (!(e->dt_s > 0 && e->dt_s <= e->duration_s && isfinite(e->duration_s)))
    return cb_fail(err, CB_E_RANGE, "incline: steps of %g s over %g s: 0 < step <= duration was wanted", e->dt_s, e->duration_s);
  if (!isfinite(e->launch_m_per_s)) return cb_fail(err, CB_E_RANGE, "incline: launch = %g m/s: must be finite", e->launch_m_per_s);
  return CB_OK;
}

/* The rigid body of the same mass and area. */
static cb_status reference(const val_incline *e, double mass_kg, val_incline_result *out, cb_err *err) {
  double area = e->side_m * e->side_m;
  cb_friction_law coulomb[2] = {{0}, {0}};
  const double mu[2] = {e->friction.mu_kinetic, e->friction.mu_static};
  for (int k = 0; k < 2; k++) {
    coulomb[k].n_knots = 1;
    coulomb[k].contact_area_m2 = area;
    coulomb[k].exponent = 1;
    coulomb[k].dof = INFINITY;
    /* No friction at all is no law: next to none. */
    double f = fmax(mu[k], 1e-12);
    coulomb[k].knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {f, 0, f}};
  }
  bool lawful = e->friction.kinetic_law != NULL;
  sim_sled sled = sim_sled_default();
  sled.mass_kg = mass_kg;
  sled.contact_area_m2 = area;
  sled.incline_rad = e->angle_rad;
  sled.downhill_rad = e->turned_rad;
  sled.kinetic_law = lawful ? e->friction.kinetic_law : &coulomb[0];
  sled.static_law = lawful ? e->friction.static_law : &coulomb[1];
  double course = e->turned_rad + e->launch_rad;
  sled.velocity_m_per_s[0] = e->launch_m_per_s * cos(course);
  sled.velocity_m_per_s[1] = e->launch_m_per_s * sin(course);
  sled.duration_s = e->duration_s;
  sled.rate_Hz = 10 / e->duration_s;
  sled.step_s = fmin(sled.step_s, e->duration_s / 1000);
  sim_sled_result r;
  CB_TRY(sim_sled_run(&sled, &r, err));
  const sim_sled_sample *last = &r.samples[r.n - 1];
  double c = cos(e->turned_rad), s = sin(e->turned_rad);
  out->expected_m[0] = c * last->x_m + s * last->y_m;
  out->expected_m[1] = c * last->y_m - s * last->x_m;
  out->expected_m_per_s[0] = c * last->vx_m_per_s + s * last->vy_m_per_s;
  out->expected_m_per_s[1] = c * last->vy_m_per_s - s * last->vx_m_per_s;
  sim_sled_result_clear(&r);
  return CB_OK;
}

/* Mean over the cloth by mass, down the slope and across. The slope runs along x of the world, the cloth's warp is turned against it. */
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

static cb_status slide(const val_incline *e, const sim_mesh *mesh, val_incline_result *out, cb_err *err) {
  sim_body plane = {.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = e->friction};
  sim_setup setup = sim_setup_default(mesh, &e->material);
  setup.bodies = &plane;
  setup.n_bodies = 1;
  setup.scheme = e->scheme;
  setup.solve_tolerance = 1e-6;
  double g = -setup.gravity_m_per_s2[2];
  setup.gravity_m_per_s2[0] = g * sin(e->angle_rad);
  setup.gravity_m_per_s2[2] = -g * cos(e->angle_rad);
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  cb_status st = CB_OK;
  int n = mesh->n_vertices, steps = (int)lround(e->duration_s / e->dt_s);
  lay_and_launch(e, cloth, n);
  double start[2], end[2];
  sim_step_report report;
  mean_of(cloth, (const double(*)[3])sim_cloth_position(cloth), n, start);
  for (int k = 0; k < steps; k++) CB_GOTO(sim_cloth_step(cloth, e->duration_s / steps, &report, err));
  mean_of(cloth, (const double(*)[3])sim_cloth_position(cloth), n, end);
  mean_of(cloth, (const double(*)[3])sim_cloth_velocity(cloth), n, out->velocity_m_per_s);
  for (int k = 0; k < 2; k++) out->displacement_m[k] = end[k] - start[k];
  out->largest_m = largest_move(mesh, sim_cloth_position(cloth), e->material.thickness_m / 2);
  out->sticks = out->largest_m < 1e-6;
  out->extrapolated = report.extrapolated;
  double mass = e->material.areal_density_kg_per_m2 * e->side_m * e->side_m;
  CB_GOTO(reference(e, mass, out, err));
  out->acceleration_m_per_s2 = (out->velocity_m_per_s[0] - e->launch_m_per_s * cos(e->launch_rad)) / e->duration_s;
  out->expected_m_per_s2 = (out->expected_m_per_s[0] - e->launch_m_per_s * cos(e->launch_rad)) / e->duration_s;
  /* Backward Euler under a constant acceleration: a h t/2 more than a t^2/2. */
  out->scheme_m = e->scheme == SIM_BACKWARD_EULER ? out->expected_m_per_s2 * e->duration_s / steps * e->duration_s / 2 : 0;
done:
  sim_cloth_free(cloth);
  return st;
}

cb_status val_incline_run(const val_incline *e, val_incline_result *out, cb_err *err) {
  *out = (val_incline_result){0};
  CB_TRY(check(e, err));
  struct timespec from, to;
  (void)clock_gettime(CLOCK_MONOTONIC, &from);
  sim_rectangle square = {
      .length_m = e->side_m, .width_m = e->side_m, .pattern = SIM_PATTERN_RIGHT, .about_vertices = e->vertices, .warp_rad = -e->turned_rad};
  sim_mesh mesh;
  CB_TRY(sim_mesh_rectangle(&square, &mesh, err));
  out->vertices = mesh.n_vertices;
  cb_status st = slide(e, &mesh, out, err);
  sim_mesh_clear(&mesh);
  (void)clock_gettime(CLOCK_MONOTONIC, &to);
  out->seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  return st;
}
