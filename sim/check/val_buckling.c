#include "val_buckling.h"

#include <math.h>

#include "cb_time.h"
#include "sim_cloth.h"
#include "val_strip_impl.h"

#define LENGTH_M 0.2
#define BENDING_NM 1e-5
#define AREAL_MASS_KG_PER_M2 0.15

/* In its plane the strip bends as much as sideways x 12 B / (stretch width^2): 1e-4. Stiffer, and what
 * rounding makes of its forces is no longer small against its weight. */
#define STRETCH 1e5
#define STRETCH_UPRIGHT 1e3 /* bends in its plane as much as 83 times as easily: it does not come to that */

#define NARROW 12.853805   /* 6 j */
#define GREENHILL 7.837347 /* 9/4 j^2, j of J(-1/3) */
#define TOLERANCE 1e-7
#define MAX_ITERATIONS 200
#define BISECTIONS 14 /* of a factor of 4: 1e-4 */

val_buckling val_buckling_default(void) {
  return (val_buckling){.pattern = SIM_PATTERN_EQUILATERAL, .cells = 4, .slender = 30, .seed = 1};
}

static cb_status check_strip(const val_buckling *e, cb_err *err) {
  if (!(e->poisson >= 0 && e->poisson < 1))
    return cb_fail(err, CB_E_RANGE, "lateral buckling: nu = %g: must lie in [0, 1)", e->poisson);
  if (e->cells < 1 || e->cells > 100)
    return cb_fail(err, CB_E_RANGE, "lateral buckling: cells = %d: must lie between 1 and 100", e->cells);
  if (!(e->slender >= 1 && e->slender <= 1000))
    return cb_fail(err, CB_E_RANGE, "lateral buckling: length over width = %g: must lie between 1 and 1000",
                   e->slender);
  return CB_OK;
}

/* A sheet whose narrow strips have the rigidity B. */
static sim_material sheet(const val_buckling *e) {
  double width_m = LENGTH_M / e->slender, nu = e->poisson, plate = BENDING_NM / (1 - nu * nu);
  sim_material m = sim_material_isotropic(
      AREAL_MASS_KG_PER_M2, (e->upright ? STRETCH_UPRIGHT : STRETCH) * BENDING_NM / (width_m * width_m),
      plate);
  m.bending_Nm[0][1] = m.bending_Nm[1][0] = nu * plate;
  m.bending_Nm[2][2] = (1 - nu) / 2 * plate;
  return m;
}

static cb_status is_stable(const val_buckling *e, const val_strip *strip, double gamma,
                           val_buckling_result *out, bool *stable, cb_err *err) {
  sim_material material = sheet(e);
  sim_cloth_setup setup = sim_cloth_setup_default(&strip->mesh, &material);
  setup.gripped = strip->clamped;
  setup.gravity_m_per_s2[e->upright ? 0 : 1] =
      -gamma * BENDING_NM / (AREAL_MASS_KG_PER_M2 * LENGTH_M * LENGTH_M * LENGTH_M);
  setup.gravity_m_per_s2[2] = 0;
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  sim_settle_report report;
  cb_status st = sim_cloth_settle(cloth, TOLERANCE, MAX_ITERATIONS, &report, err);
  sim_cloth_free(cloth);
  if (st != CB_OK) return st;
  *stable = report.stable;
  out->settled = out->settled && report.outcome == SIM_SETTLED;
  return CB_OK;
}

static cb_status bisect_gamma(const val_buckling *e, const val_strip *strip, val_buckling_result *out,
                              double *gamma, cb_err *err) {
  double low = log(out->reference / 2), high = log(out->reference * 2);
  for (int k = 0; k < BISECTIONS; k++) {
    bool stable;
    double middle = (low + high) / 2;
    CB_TRY(is_stable(e, strip, exp(middle), out, &stable, err));
    *(stable ? &low : &high) = middle;
  }
  *gamma = exp((low + high) / 2);
  return CB_OK;
}

static cb_status buckle(const val_buckling *e, double slender, val_buckling_result *out, double *gamma,
                        cb_err *err) {
  sim_rectangle shape = {.length_m = LENGTH_M,
                         .width_m = LENGTH_M / slender,
                         .pattern = e->pattern,
                         .cells_across = e->cells,
                         .seed = e->seed};
  val_buckling narrow = *e;
  narrow.slender = slender;
  val_strip strip;
  cb_status st = val_strip_init(&shape, &strip, err);
  if (st == CB_OK) st = bisect_gamma(&narrow, &strip, out, gamma, err);
  out->vertices = strip.mesh.n_vertices;
  val_strip_clear(&strip);
  return st;
}

cb_status val_buckling_run(const val_buckling *e, val_buckling_result *out, cb_err *err) {
  *out = (val_buckling_result){.settled = true};
  CB_TRY(check_strip(e, err));
  double start = cb_now_monotonic_s();
  out->reference = e->upright ? GREENHILL : NARROW * sqrt(2 / (1 + e->poisson));
  CB_TRY(buckle(e, e->slender, out, &out->gamma_wide, err));
  CB_TRY(buckle(e, 2 * e->slender, out, &out->gamma_narrow, err));
  out->gamma = 2 * out->gamma_narrow - out->gamma_wide;
  out->error = out->gamma / out->reference - 1;
  out->agrees = out->settled && fabs(out->error) <= VAL_BUCKLING_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - start;
  return CB_OK;
}
