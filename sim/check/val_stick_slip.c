#include "val_stick_slip.h"

#include <math.h>
#include <stdlib.h>

#include "cb_plural.h"
#include "cb_time.h"
#include "sim_cloth.h"
#include "val_elastica.h"
#include "val_strip_impl.h"

#define LENGTH_M 0.2
#define BENDING_NM 1e-5
#define AREAL_MASS_KG_PER_M2 0.15

/* A strip pushed with 20 B / L^2 becomes shorter by this part of 20. */
#define STRETCH 1e-6

#define TOLERANCE 1e-8
#define MAX_ITERATIONS 400
#define LARGEST_PUSH 0.02

val_stick_slip val_stick_slip_default(void) {
  return (val_stick_slip){.n = 8,
                          .shortening = {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6},
                          .pattern = SIM_PATTERN_EQUILATERAL,
                          .cells = 80,
                          .slender = 20,
                          .seed = 1};
}

static cb_status check_strip(const val_stick_slip *e, cb_err *err) {
  if (e->n < 1 || e->n > VAL_STICK_SLIP_MAX)
    return cb_fail(err, CB_E_RANGE, "stick-slip: %d %s: 1 to %d are wanted", e->n,
                   CB_PLURAL(e->n, "push", "pushes"), VAL_STICK_SLIP_MAX);
  for (int k = 0; k < e->n; k++)
    if (!(e->shortening[k] > (k > 0 ? e->shortening[k - 1] : 0) && e->shortening[k] <= 0.65))
      return cb_fail(err, CB_E_RANGE,
                     "stick-slip: push %d = %g of the length: pushes must ascend in (0, 0.65]", k + 1,
                     e->shortening[k]);
  if (e->cells < 4 || e->cells > 2000)
    return cb_fail(err, CB_E_RANGE, "stick-slip: cells = %d: must lie between 4 and 2000", e->cells);
  if (!(e->slender >= 1 && e->slender <= 100))
    return cb_fail(err, CB_E_RANGE, "stick-slip: length over width = %g: must lie between 1 and 100",
                   e->slender);
  return CB_OK;
}

/* Something like the shape it will have: z = a s^2 (1 - s), as short as wanted. */
static void bow(const val_strip *strip, double shortening, double (*x)[3]) {
  for (int i = 0; i < strip->mesh.n_vertices; i++) {
    double s = fmax(0, strip->mesh.position_m[i][0] / LENGTH_M);
    x[i][0] -= shortening * s * LENGTH_M;
    x[i][2] = sqrt(15 * shortening) * s * s * (1 - s) * LENGTH_M;
  }
}

static void push_end(const val_strip *strip, double shortening, double (*x)[3]) {
  for (int i = 0; i < strip->mesh.n_vertices; i++)
    if (strip->tip[i]) x[i][0] = LENGTH_M * (1 - shortening);
}

/* P and Q: what holds the tip. */
static void find_tip_forces(const val_strip *strip, sim_cloth *cloth, double (*force)[3], double *pressure,
                            double *sideways) {
  double sum[3];
  sim_cloth_grip_forces(cloth, force);
  val_strip_tip_mean(strip, (const sim_vec3 *)force, sum);
  *pressure = -sum[0] * strip->n_tip;
  *sideways = sum[2] * strip->n_tip;
}

static cb_status push_all(const val_stick_slip *e, const val_strip *strip, sim_cloth *cloth,
                          double (*force)[3], val_stick_slip_result *out, cb_err *err) {
  double reached = fmin(LARGEST_PUSH, e->shortening[0]), width_m = LENGTH_M / e->slender;
  bow(strip, reached, sim_cloth_position(cloth));
  for (int k = 0; k < e->n;) {
    sim_settle_report report;
    push_end(strip, reached, sim_cloth_position(cloth));
    CB_TRY(sim_cloth_settle(cloth, TOLERANCE, MAX_ITERATIONS, &report, err));
    out->iterations += report.iterations;
    out->settled = out->settled && report.outcome == SIM_SETTLED;
    if (reached == e->shortening[k]) {
      double pressure, sideways;
      find_tip_forces(strip, cloth, force, &pressure, &sideways);
      out->mu[k] = fabs(sideways / pressure);
      out->pressure[k++] = pressure * LENGTH_M * LENGTH_M / (BENDING_NM * width_m);
      if (k == e->n) break;
    }
    reached = fmin(reached + LARGEST_PUSH, e->shortening[k]);
  }
  return CB_OK;
}

static cb_status press_strip(const val_stick_slip *e, const val_strip *strip, val_stick_slip_result *out,
                             cb_err *err) {
  sim_material material =
      sim_material_isotropic(AREAL_MASS_KG_PER_M2, BENDING_NM / (LENGTH_M * LENGTH_M) / STRETCH, BENDING_NM);
  val_held held;
  cb_status st = val_held_init(strip, &material, &held, err);
  if (st == CB_OK) st = push_all(e, strip, held.cloth, held.force_N, out, err);
  val_held_clear(&held);
  return st;
}

static cb_status compare_friction(const val_stick_slip *e, val_stick_slip_result *out, cb_err *err) {
  for (int k = 0; k < e->n; k++) {
    val_elastica reference;
    CB_TRY(val_elastica_solve(e->shortening[k], &reference, err));
    out->reference[k] = fabs(reference.sideways / reference.pressure);
    out->reference_pressure[k] = reference.pressure;
    out->error = fmax(out->error, fabs(out->mu[k] / out->reference[k] - 1));
  }
  out->agrees = out->settled && out->error <= VAL_STICK_SLIP_TOLERANCE;
  return CB_OK;
}

cb_status val_stick_slip_run(const val_stick_slip *e, val_stick_slip_result *out, cb_err *err) {
  *out = (val_stick_slip_result){.settled = true};
  CB_TRY(check_strip(e, err));
  double start = cb_now_monotonic_s();
  sim_rectangle shape = {.length_m = LENGTH_M,
                         .width_m = LENGTH_M / e->slender,
                         .pattern = e->pattern,
                         .edge_m = LENGTH_M / e->cells,
                         .seed = e->seed};
  val_strip strip;
  cb_status st = val_strip_init(&shape, &strip, err);
  if (st == CB_OK) st = press_strip(e, &strip, out, err);
  out->vertices = strip.mesh.n_vertices;
  val_strip_clear(&strip);
  if (st == CB_OK) st = compare_friction(e, out, err);
  out->seconds = cb_now_monotonic_s() - start;
  return st;
}
