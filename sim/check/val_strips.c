#include "val_strips.h"

#include <math.h>

#include "cb_num.h"
#include "cb_time.h"
#include "fit_elastica.h"
#include "sim_cloth.h"
#include "val_buckling.h"
#include "val_cantilever.h"
#include "val_strip_impl.h"

#define LENGTH_M 0.2
#define SLENDER 10
#define AREAL_MASS_KG_PER_M2 0.15
#define TOLERANCE 1e-8
#define MAX_ITERATIONS 400

static sim_rectangle shape_of(sim_pattern pattern, int cells) {
  return (sim_rectangle){.length_m = LENGTH_M,
                         .width_m = LENGTH_M / SLENDER,
                         .pattern = pattern,
                         .edge_m = LENGTH_M / cells,
                         .seed = 1};
}

static void compare(double begin_s, bool settled, val_strips_result *out) {
  out->error = out->predicted / out->reference - 1;
  out->agrees = settled && fabs(out->error) <= VAL_STRIPS_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - begin_s;
}

/* ---- the chain ---- */

#define SPAN 0.7
#define LIMP 1e6       /* w g L^3 / B */
#define UNYIELDING 1e4 /* stretch, over the strip's weight per width */

/* Over L; 2 a sinh(span / 2 a) = 1. */
static double catenary_depth(void) {
  double low = 0.05, high = 5;
  for (int k = 0; k < 60; k++) {
    const double a = (low + high) / 2;
    *(2 * a * sinh(SPAN / 2 / a) > 1 ? &low : &high) = a;
  }
  return low * (cosh(SPAN / 2 / low) - 1);
}

/* Two straight halves, as long as the strip. */
static void lay_chain(const val_strip *strip, double (*x)[3]) {
  for (int i = 0; i < strip->mesh.n_vertices; i++) {
    const double s = strip->mesh.position_m[i][0];
    x[i][0] = SPAN * s;
    x[i][2] = -sqrt(1 - SPAN * SPAN) * fmin(s, LENGTH_M - s);
  }
}

cb_status val_chain_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err) {
  const double begin_s = cb_now_monotonic_s(), weight = AREAL_MASS_KG_PER_M2 * CB_STANDARD_GRAVITY_M_PER_S2;
  const sim_rectangle shape = shape_of(pattern, cells);
  const sim_material material = sim_material_isotropic(AREAL_MASS_KG_PER_M2, UNYIELDING * weight * LENGTH_M,
                                                       weight * LENGTH_M * LENGTH_M * LENGTH_M / LIMP);
  val_strip strip;
  val_held held = {0};
  sim_settle_report report = {0};
  *out = (val_strips_result){.reference = catenary_depth()};
  cb_status st = val_strip_init_clamped(&shape, 0, &strip, err);
  out->vertices = strip.mesh.n_vertices;
  if (st == CB_OK) st = val_held_init_under(&strip, &material, CB_STANDARD_GRAVITY_M_PER_S2, &held, err);
  if (st == CB_OK) {
    double(*x)[3] = sim_cloth_position(held.cloth);
    lay_chain(&strip, x);
    st = sim_cloth_settle(held.cloth, TOLERANCE, MAX_ITERATIONS, &report, err);
    out->predicted = val_strip_depth_m(&strip, LENGTH_M, shape.edge_m, (const sim_vec3 *)x) / LENGTH_M;
  }
  val_held_clear(&held);
  val_strip_clear(&strip);
  compare(begin_s, report.outcome == SIM_SETTLED, out);
  return st;
}

/* ---- the column ---- */

cb_status val_upright_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err) {
  val_buckling e = val_buckling_default();
  val_buckling_result r;
  e.pattern = pattern;
  e.cells = cells;
  e.upright = true;
  CB_TRY(val_buckling_run(&e, &r, err));
  *out = (val_strips_result){.vertices = r.vertices, .predicted = r.gamma, .reference = r.reference};
  compare(cb_now_monotonic_s() - r.seconds, r.settled, out);
  return CB_OK;
}

/* ---- the first tone ---- */

#define FIRST_ROOT 1.8751040687 /* of cos k cosh k = -1 */
#define SWING 1e-4              /* over L; its shortening must pull at nothing */
#define TONE_STRETCH 1e5        /* times B / L^2 */
#define BENDING_NM 1e-5
#define STEPS 400 /* in a period */
#define PERIODS 3

/* The first mode, 1 at the tip. */
static double mode(double u) {
  const double k = FIRST_ROOT, r = (sinh(k) - sin(k)) / (cosh(k) + cos(k));
  return (cosh(k * u) - cos(k * u) - r * (sinh(k * u) - sin(k * u))) / 2;
}

/* The mean period between the first and the last time that the tip comes through 0. */
static cb_status swing(sim_cloth *cloth, const val_strip *strip, double period_s, double *out_s,
                       cb_err *err) {
  const double dt_s = period_s / STEPS;
  double before = SWING * LENGTH_M, first_s = NAN, tip[3];
  int n = 0;
  for (int k = 1; k <= PERIODS * STEPS; k++, before = tip[2]) {
    CB_TRY(sim_cloth_step(cloth, dt_s, NULL, err));
    val_strip_tip_mean(strip, (const sim_vec3 *)sim_cloth_position(cloth), tip);
    if ((tip[2] > 0) == (before > 0)) continue;
    const double at_s = (k - tip[2] / (tip[2] - before)) * dt_s;
    if (n == 0) first_s = at_s;
    if (n > 0) *out_s = 2 * (at_s - first_s) / n;
    n++;
  }
  return CB_OK;
}

static cb_status sound(const val_strip *strip, val_strips_result *out, cb_err *err) {
  const sim_material material = sim_material_isotropic(
      AREAL_MASS_KG_PER_M2, TONE_STRETCH * BENDING_NM / (LENGTH_M * LENGTH_M), BENDING_NM);
  sim_cloth_setup setup = sim_cloth_setup_default(&strip->mesh, &material);
  setup.gripped = strip->clamped;
  setup.gravity_m_per_s2[2] = 0;
  setup.scheme = SIM_BDF2;
  setup.solve_tolerance = 1e-7;
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  for (int i = 0; i < strip->mesh.n_vertices; i++)
    sim_cloth_position(cloth)[i][2] =
        SWING * LENGTH_M * mode(fmax(0, strip->mesh.position_m[i][0] / LENGTH_M));
  cb_status st = swing(cloth, strip, out->reference, &out->predicted, err);
  sim_cloth_free(cloth);
  return st;
}

cb_status val_tone_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err) {
  const double begin_s = cb_now_monotonic_s(), k2 = FIRST_ROOT * FIRST_ROOT / (LENGTH_M * LENGTH_M);
  const sim_rectangle shape = shape_of(pattern, cells);
  *out = (val_strips_result){.reference = 2 * CB_PI / k2 * sqrt(AREAL_MASS_KG_PER_M2 / BENDING_NM)};
  val_strip strip;
  cb_status st = val_strip_init(&shape, &strip, err);
  if (st == CB_OK) st = sound(&strip, out, err);
  out->vertices = strip.mesh.n_vertices;
  val_strip_clear(&strip);
  compare(begin_s, true, out);
  return st;
}

/* ---- the bending length that is read ---- */

#define READ_RAD (41.5 * CB_DEG)
#define HALVINGS 20

cb_status val_length_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err) {
  const double begin_s = cb_now_monotonic_s();
  double low = 4, high = 16, one = 4, other = 16; /* loads w g L^3 / B of the simulated strip, of the elastica
                                                   */
  bool settled = true;
  *out = (val_strips_result){0};
  for (int k = 0; k < HALVINGS; k++) {
    val_cantilever e = val_cantilever_default();
    val_cantilever_result r;
    e.pattern = pattern;
    e.cells = cells;
    e.gamma = (low + high) / 2;
    CB_TRY(val_cantilever_run(&e, &r, err));
    *(atan(r.h_over_w) < READ_RAD ? &low : &high) = e.gamma;
    settled = settled && r.settled;
    out->vertices = r.vertices;
  }
  for (int k = 0; k < 60; k++) {
    const double middle = (one + other) / 2;
    *(fit_elastica_of_load(middle).chord_rad < READ_RAD ? &one : &other) = middle;
  }
  out->predicted = cbrt(low) / 2;
  out->reference = cbrt(one) / 2;
  compare(begin_s, settled, out);
  return CB_OK;
}
