#include "val_cantilever.h"

#include <math.h>

#include "cb_num.h"
#include "cb_time.h"
#include "fit_elastica.h"
#include "sim_cloth.h"
#include "val_strip_impl.h"

/* What a strip is does not matter: only gamma does. */
#define LENGTH_M 0.2
#define AREAL_MASS_KG_PER_M2 0.15

#define TOLERANCE 1e-8
#define MAX_ITERATIONS 400

val_cantilever val_cantilever_default(void) {
  return (val_cantilever){
      .gamma = 1, .pattern = SIM_PATTERN_EQUILATERAL, .slender = 10, .stiffness = 1e4, .seed = 1};
}

/* Returns the number of cells along the strip that gamma needs for an error of about 0.25 % on any mesh. The
 * error goes with the square of the cell over the length over which the strip bends at its clamp. */
static int cells_of(double gamma) { return (int)ceil(40 * fmax(1, sqrt(gamma / 20))); }

static cb_status check_cantilever(const val_cantilever *e, cb_err *err) {
  if (!(e->gamma > 0 && e->gamma <= 1e4))
    return cb_fail(err, CB_E_RANGE, "cantilever: gamma = %g: must lie in (0, 10000]", e->gamma);
  if (e->cells < 0 || e->cells > 2000)
    return cb_fail(err, CB_E_RANGE, "cantilever: cells = %d: must lie between 0 and 2000", e->cells);
  if (!(e->slender >= 1 && e->slender <= 100))
    return cb_fail(err, CB_E_RANGE, "cantilever: length over width = %g: must lie between 1 and 100",
                   e->slender);
  if (!(e->stiffness > 0 && isfinite(e->stiffness)))
    return cb_fail(err, CB_E_RANGE, "cantilever: stiffness = %g: must be finite and > 0", e->stiffness);
  return CB_OK;
}

static cb_status hang_strip(const val_cantilever *e, const val_strip *strip, val_cantilever_result *out,
                            cb_err *err) {
  const double weight = AREAL_MASS_KG_PER_M2 * CB_STANDARD_GRAVITY_M_PER_S2;
  sim_material material = sim_material_isotropic(AREAL_MASS_KG_PER_M2, e->stiffness * weight * LENGTH_M,
                                                 weight * LENGTH_M * LENGTH_M * LENGTH_M / e->gamma);
  sim_cloth_setup setup = sim_cloth_setup_default(&strip->mesh, &material);
  setup.gripped = strip->clamped;
  setup.gravity_m_per_s2[2] = -CB_STANDARD_GRAVITY_M_PER_S2;
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  sim_settle_report report;
  cb_status st = sim_cloth_settle(cloth, TOLERANCE, MAX_ITERATIONS, &report, err);
  if (st == CB_OK) {
    double tip[3];
    val_strip_tip_mean(strip, (const sim_vec3 *)sim_cloth_position(cloth), tip);
    out->h_over_w = -tip[2] / tip[0];
    out->iterations = report.iterations;
    out->residual = report.residual;
    out->settled = report.outcome == SIM_SETTLED;
    out->stable = report.stable;
  }
  sim_cloth_free(cloth);
  return st;
}

cb_status val_cantilever_run(const val_cantilever *e, val_cantilever_result *out, cb_err *err) {
  *out = (val_cantilever_result){0};
  CB_TRY(check_cantilever(e, err));
  double start = cb_now_monotonic_s();
  out->cells = e->cells > 0 ? e->cells : cells_of(e->gamma);
  sim_rectangle shape = {.length_m = LENGTH_M,
                         .width_m = LENGTH_M / e->slender,
                         .pattern = e->pattern,
                         .edge_m = LENGTH_M / out->cells,
                         .seed = e->seed};
  val_strip strip;
  cb_status st = val_strip_init(&shape, &strip, err);
  if (st == CB_OK) st = hang_strip(e, &strip, out, err);
  out->vertices = strip.mesh.n_vertices;
  val_strip_clear(&strip);
  if (st != CB_OK) return st;
  fit_elastica reference = fit_elastica_of_load(e->gamma);
  out->reference = reference.drop / reference.reach;
  out->error = out->h_over_w / out->reference - 1;
  out->agrees = out->settled && fabs(out->error) <= VAL_CANTILEVER_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - start;
  return CB_OK;
}
