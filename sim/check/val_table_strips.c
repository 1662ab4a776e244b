/* Tables of the strips and the frame: bending and stretch against closed forms. */
#include <math.h>

#include "cb_num.h"
#include "val_buckling.h"
#include "val_cantilever.h"
#include "val_frame.h"
#include "val_stick_slip.h"
#include "val_table_impl.h"
#include "val_tension.h"

static cb_status add_cantilever(val_table *t, const val_cantilever *e, cb_err *err) {
  val_cantilever_result r;
  CB_TRY(val_cantilever_run(e, &r, err));
  val_table_add(t,
                (val_row){"cantilever", .predicted = r.h_over_w, .reference = r.reference, .error = r.error,
                          .allowed = VAL_CANTILEVER_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
                "H/W, gamma %g, %s, %d vertices", e->gamma, sim_pattern_text[e->pattern], r.vertices);
  return CB_OK;
}

/* Light to heavy on meshes in rows and on irregular ones; five meshes of two sizes; finer and finer. */
cb_status val_table_cantilever(val_table *t, cb_err *err) {
  static const double gammas[] = {0.1, 1, 5, 20, 100, 500};
  static const sim_pattern patterns[] = {SIM_PATTERN_EQUILATERAL, SIM_PATTERN_IRREGULAR};
  static const struct {
    sim_pattern pattern;
    int cells;
  } five[] = {{SIM_PATTERN_RIGHT, 40},
              {SIM_PATTERN_ALTERNATING, 40},
              {SIM_PATTERN_ALTERNATING, 80},
              {SIM_PATTERN_EQUILATERAL, 40},
              {SIM_PATTERN_EQUILATERAL, 80}};
  for (size_t p = 0; p < 2; p++)
    for (size_t g = 0; g < sizeof gammas / sizeof gammas[0]; g++) {
      val_cantilever e = val_cantilever_default();
      e.pattern = patterns[p];
      e.gamma = gammas[g];
      CB_TRY(add_cantilever(t, &e, err));
    }
  for (size_t k = 0; k < sizeof five / sizeof five[0]; k++) {
    val_cantilever e = val_cantilever_default();
    e.gamma = 8;
    e.pattern = five[k].pattern;
    e.cells = five[k].cells;
    CB_TRY(add_cantilever(t, &e, err));
  }
  return CB_OK;
}

cb_status val_table_buckling(val_table *t, cb_err *err) {
  static const double poisson[] = {0, 0.3, 0.5, 0};
  for (int k = 0; k < 4; k++) {
    val_buckling e = val_buckling_default();
    val_buckling_result r;
    e.poisson = poisson[k];
    if (k == 3) e.pattern = SIM_PATTERN_IRREGULAR;
    CB_TRY(val_buckling_run(&e, &r, err));
    val_table_add(
        t,
        (val_row){"lateral-buckling", .predicted = r.gamma, .reference = r.reference, .error = r.error,
                  .allowed = VAL_BUCKLING_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
        "critical gamma, nu %g, %s, %d vertices", e.poisson, sim_pattern_text[e.pattern], r.vertices);
  }
  return CB_OK;
}

cb_status val_table_stick_slip(val_table *t, cb_err *err) {
  val_stick_slip e = val_stick_slip_default();
  val_stick_slip_result r;
  CB_TRY(val_stick_slip_run(&e, &r, err));
  for (int k = 0; k < e.n; k++) {
    const double error = r.mu[k] / r.reference[k] - 1;
    val_table_add(
        t,
        (val_row){"stick-slip", .predicted = r.mu[k], .reference = r.reference[k], .error = error,
                  .allowed = VAL_STICK_SLIP_TOLERANCE,
                  .pass = r.settled && fabs(error) <= VAL_STICK_SLIP_TOLERANCE, .seconds = r.seconds / e.n},
        "critical mu, pushed by %g, %d vertices", e.shortening[k], r.vertices);
  }
  return CB_OK;
}

cb_status val_table_tension(val_table *t, cb_err *err) {
  cb_stretch_law law;
  for (int a = 0; a <= 90; a += 45) {
    val_tension e = val_tension_default(&law);
    val_tension_result r;
    e.angle_deg = a;
    CB_TRY(val_tension_run(&e, &r, err));
    val_table_add(t,
                  (val_row){"strip-tension", .predicted = r.force_N_per_m[e.n - 1],
                            .reference = r.reference_N_per_m[e.n - 1], .error = r.error,
                            .allowed = VAL_TENSION_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
                  "N/m, pulled at %d deg, largest difference", a);
  }
  return CB_OK;
}

cb_status val_table_frame(val_table *t, cb_err *err) {
  val_frame e = val_frame_default();
  val_frame_result r;
  CB_TRY(val_frame_run(&e, &r, err));
  for (int k = e.n - 1; k >= 0; k -= e.n - 1) {
    val_table_add(t,
                  (val_row){"picture-frame", .predicted = r.force_N[k], .reference = r.reference_N[k],
                            .error = r.force_N[k] / r.reference_N[k] - 1, .allowed = VAL_FRAME_TOLERANCE,
                            .pass = r.agrees, .seconds = r.seconds / 2},
                  "N, sheared by %g deg, irregular, %d vertices", r.angle_rad[k] / CB_DEG, r.vertices);
  }
  return CB_OK;
}
