#include "val_tension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_stretch_green.h"
#include "cb_time.h"
#include "sim_cloth.h"
#include "val_strip_impl.h"

#define LENGTH_M 0.2
#define AREAL_MASS_KG_PER_M2 0.15
#define BENDING_NM 1e-6

#define TOLERANCE 1e-9
#define MAX_ITERATIONS 200

static void example(cb_stretch_law *law) {
  static const struct {
    double angle_deg, k1, k3;
  } directions[] = {{0, 2000, 1e6}, {45, 200, 4e4}, {90, 800, 3e5}};
  memset(law, 0, sizeof *law);
  law->n = sizeof directions / sizeof *directions;
  for (size_t d = 0; d < law->n; d++) {
    cb_stretch_direction *out = &law->directions[d];
    out->angle_deg = directions[d].angle_deg;
    out->n_knots = CB_STRETCH_MAX_KNOTS;
    for (size_t k = 0; k < out->n_knots; k++) {
      double e = 0.1 * (double)k / (CB_STRETCH_MAX_KNOTS - 1);
      out->knots[k] = (cb_stretch_knot){.strain = e,
                                        .force_N_per_m = directions[d].k1 * e + directions[d].k3 * e * e * e};
    }
  }
}

val_tension val_tension_default(cb_stretch_law *law) {
  example(law);
  return (val_tension){.law = law, .strain_max = NAN, .n = 7, .cells = 40, .slender = 5};
}

static cb_status check_strip(const val_tension *e, cb_err *err) {
  if (e->angle_deg != 0 && e->angle_deg != 45 && e->angle_deg != 90)
    return cb_fail(err, CB_E_RANGE, "strip tension: angle = %g degrees: 0, 45 or 90 is wanted", e->angle_deg);
  if (e->n < 1 || e->n > VAL_TENSION_POINTS)
    return cb_fail(err, CB_E_RANGE, "strip tension: %d point%s: 1 to %d are wanted", e->n, CB_S(e->n),
                   VAL_TENSION_POINTS);
  if (e->strain_max <= 0 || isinf(e->strain_max))
    return cb_fail(err, CB_E_RANGE, "strip tension: strain = %g: must be > 0", e->strain_max);
  if (e->cells < 4 || e->cells % 4 != 0 || e->cells > 1000)
    return cb_fail(err, CB_E_RANGE, "strip tension: cells = %d: a multiple of 4, at most 1000, is wanted",
                   e->cells);
  if (!(e->slender >= 1 && e->slender <= 100))
    return cb_fail(err, CB_E_RANGE, "strip tension: length over width = %g: must lie between 1 and 100",
                   e->slender);
  return CB_OK;
}

static cb_status take_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out, cb_err *err) {
  cb_stretch_green g;
  cb_stretch_green_curve(law, axis, &g);
  if (g.n < 2)
    return cb_fail(err, CB_E_RANGE,
                   "strip tension: the law of stretch has no %s: 0, 45 and 90 degrees must have been tested",
                   cb_stretch_axis_names[axis]);
  out->n = (int)g.n;
  for (size_t k = 0; k < g.n; k++) out->strain[k] = g.strain[k], out->stress_N_per_m[k] = g.stress_N_per_m[k];
  return CB_OK;
}

static cb_status cloth_of(const cb_stretch_law *law, sim_material *m, cb_err *err) {
  *m = sim_material_isotropic(AREAL_MASS_KG_PER_M2, 1, BENDING_NM);
  CB_TRY(take_curve(law, CB_STRETCH_WARP, &m->warp, err));
  CB_TRY(take_curve(law, CB_STRETCH_WEFT, &m->weft, err));
  return take_curve(law, CB_STRETCH_SHEAR, &m->shear, err);
}

/* Mean distance from the clamp of the vertices that rest at `at`. */
static double mean_place(const sim_mesh *mesh, const double (*x)[3], double at_m) {
  double sum = 0;
  int n = 0;
  for (int i = 0; i < mesh->n_vertices; i++)
    if (fabs(mesh->position_m[i][0] - at_m) < 1e-6 * LENGTH_M) sum += x[i][0], n++;
  return sum / n;
}

static cb_status pull_all(const val_tension *e, const val_strip *strip, sim_cloth *cloth, double (*force)[3],
                          val_tension_result *out, cb_err *err) {
  double last = 0, strain_max = isnan(e->strain_max)
                                    ? cb_stretch_strain_max(cb_stretch_find(e->law, e->angle_deg))
                                    : e->strain_max;
  double(*x)[3] = sim_cloth_position(cloth);
  for (int k = 0; k < e->n; k++) {
    double strain = strain_max * (k + 1) / e->n, tip[3];
    for (int i = 0; i < strip->mesh.n_vertices; i++)
      if (!strip->clamped[i]) x[i][0] *= (1 + strain) / (1 + last);
    last = strain;
    sim_settle_report report;
    CB_TRY(sim_cloth_settle(cloth, TOLERANCE, MAX_ITERATIONS, &report, err));
    out->settled = out->settled && report.outcome == SIM_SETTLED;
    sim_cloth_grip_forces(cloth, force);
    val_strip_tip_mean(strip, (const sim_vec3 *)force, tip);
    out->force_N_per_m[k] = tip[0] * strip->n_tip * e->slender / LENGTH_M;
    const double(*at)[3] = (const sim_vec3 *)x;
    out->strain[k] =
        (mean_place(&strip->mesh, at, 0.75 * LENGTH_M) - mean_place(&strip->mesh, at, 0.25 * LENGTH_M)) /
            (0.5 * LENGTH_M) -
        1;
  }
  return CB_OK;
}

static cb_status pull_strip(const val_tension *e, const val_strip *strip, val_tension_result *out,
                            cb_err *err) {
  sim_material material;
  CB_TRY(cloth_of(e->law, &material, err));
  val_held held;
  cb_status st = val_held_init(strip, &material, &held, err);
  if (st == CB_OK) st = pull_all(e, strip, held.cloth, held.force_N, out, err);
  val_held_clear(&held);
  return st;
}

static void compare_curve(const val_tension *e, val_tension_result *out) {
  double largest = 0;
  for (int k = 0; k < e->n; k++) {
    cb_stretch_value v;
    cb_stretch_eval(e->law, e->angle_deg, out->strain[k], &v);
    out->reference_N_per_m[k] = v.force_N_per_m;
    out->error = fmax(out->error, fabs(out->force_N_per_m[k] - v.force_N_per_m));
    largest = fmax(largest, v.force_N_per_m);
  }
  out->error /= largest;
  out->agrees = out->settled && out->error <= VAL_TENSION_TOLERANCE;
}

cb_status val_tension_run(const val_tension *e, val_tension_result *out, cb_err *err) {
  *out = (val_tension_result){.settled = true};
  CB_TRY(check_strip(e, err));
  double start = cb_now_monotonic_s();
  sim_rectangle shape = {.length_m = LENGTH_M,
                         .width_m = LENGTH_M / e->slender,
                         .pattern = SIM_PATTERN_ALTERNATING,
                         .edge_m = LENGTH_M / e->cells,
                         .warp_rad = -e->angle_deg * acos(-1) / 180};
  val_strip strip;
  cb_status st = val_strip_init(&shape, &strip, err);
  if (st == CB_OK) st = pull_strip(e, &strip, out, err);
  out->vertices = strip.mesh.n_vertices;
  val_strip_clear(&strip);
  if (st == CB_OK) compare_curve(e, out);
  out->seconds = cb_now_monotonic_s() - start;
  return st;
}
