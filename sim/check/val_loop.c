#include "val_loop.h"

#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_cloth.h"
#include "val_strip_impl.h"

#define LENGTH_M 0.2
#define SLENDER 10
#define AREAL_MASS_KG_PER_M2 0.15
#define STIFFNESS 1e4 /* of stretch, over the strip's weight per width */
#define TOLERANCE 1e-8
#define MAX_ITERATIONS 400

const char *const val_loop_names[VAL_LOOPS] = {"ring", "pear", "heart"};
static const double first_rad[VAL_LOOPS] = {0, -CB_PI / 2, CB_PI / 2};

/* ---- the heavy elastica ---- */

#define WALK 60 /* steps from the ring without weight to the loop */
#define NEWTON 30

typedef struct half_loop {
  double gamma, first_rad;
  double u[2]; /* the curvature at the clamp, the pull across */
} half_loop;

/* y: theta, theta', x, z. */
static int slope(double s, const double y[], double dy[], void *context) {
  const half_loop *h = context;
  dy[0] = y[1];
  dy[1] = h->gamma * (0.5 - s) * cos(y[0]) + h->u[1] * sin(y[0]);
  dy[2] = cos(y[0]);
  dy[3] = sin(y[0]);
  return GSL_SUCCESS;
}

/* miss: what theta and x are off by in the middle. path: NULL, or the places. */
static cb_status shoot(const half_loop *h, double miss[2], double (*path)[2], cb_err *err) {
  half_loop own = *h;
  gsl_odeiv2_system system = {slope, NULL, 4, &own};
  gsl_odeiv2_driver *d = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-11, 0);
  if (!d) return cb_no_memory(err, "a loop of a strip");
  double s = 0, y[4] = {h->first_rad, h->u[0], 0, 0};
  int st = GSL_SUCCESS;
  for (int k = 0; k <= VAL_LOOP_POINTS && st == GSL_SUCCESS; k++) {
    if (k > 0) st = gsl_odeiv2_driver_apply(d, &s, 0.5 * k / VAL_LOOP_POINTS, y);
    if (path) path[k][0] = y[2], path[k][1] = y[3];
  }
  gsl_odeiv2_driver_free(d);
  miss[0] = y[0] + CB_PI;
  miss[1] = y[2];
  return st == GSL_SUCCESS && isfinite(y[0]) ? CB_OK : cb_fail(err, CB_E_NUM, "loop: no such strip");
}

static cb_status newton_step(half_loop *h, double *left, cb_err *err) {
  double miss[2], there[2], j[2][2];
  CB_TRY(shoot(h, miss, NULL, err));
  for (int k = 0; k < 2; k++) {
    half_loop other = *h;
    const double step = 1e-6 * fmax(1, fabs(h->u[k]));
    other.u[k] += step;
    CB_TRY(shoot(&other, there, NULL, err));
    for (int r = 0; r < 2; r++) j[r][k] = (there[r] - miss[r]) / step;
  }
  const double all = j[0][0] * j[1][1] - j[0][1] * j[1][0];
  h->u[0] -= (miss[0] * j[1][1] - miss[1] * j[0][1]) / all;
  h->u[1] -= (miss[1] * j[0][0] - miss[0] * j[1][0]) / all;
  *left = hypot(miss[0], miss[1]);
  return CB_OK;
}

/* First the clamp turns, then the weight grows. A step begins where the last two point to. */
static cb_status find_half(double gamma, double last_rad, half_loop *h, cb_err *err) {
  double before[2] = {-2 * CB_PI, 0};
  *h = (half_loop){0, 0, {before[0], before[1]}};
  for (int k = 1; k <= 2 * WALK; k++) {
    double left = INFINITY;
    h->first_rad = last_rad * fmin(1, (double)k / WALK);
    h->gamma = gamma * fmax(0, (double)(k - WALK) / WALK);
    for (int i = 0; i < 2; i++) {
      const double now = h->u[i];
      h->u[i] = k == WALK + 1 ? now : 2 * now - before[i];
      before[i] = now;
    }
    for (int n = 0; n < NEWTON && !(left < 1e-10); n++) CB_TRY(newton_step(h, &left, err));
    if (!(left < 1e-8)) return cb_fail(err, CB_E_NUM, "loop: none is found with gamma = %g", h->gamma);
  }
  return CB_OK;
}

cb_status val_loop_half(val_loop_kind kind, double gamma, double out[VAL_LOOP_POINTS + 1][2], cb_err *err) {
  half_loop h;
  double miss[2];
  (void)gsl_set_error_handler_off();
  CB_TRY(find_half(gamma, first_rad[kind], &h, err));
  return shoot(&h, miss, out, err);
}

/* ---- the cloth ---- */

/* The strip along a loop; what is in the clamp goes straight on. */
static void lay_strip(const val_strip *strip, double first, double half[VAL_LOOP_POINTS + 1][2],
                      double (*x)[3]) {
  for (int i = 0; i < strip->mesh.n_vertices; i++) {
    const double u = strip->mesh.position_m[i][0] / LENGTH_M, from = fmin(u, 1 - u),
                 at = fmax(0, from) * 2 * VAL_LOOP_POINTS, rest = fmin(0, from);
    const int k = (int)fmin(at, VAL_LOOP_POINTS - 1);
    double place[2];
    for (int c = 0; c < 2; c++) place[c] = half[k][c] + (at - k) * (half[k + 1][c] - half[k][c]);
    x[i][0] = LENGTH_M * copysign(1, 0.5 - u) * (place[0] + rest * cos(first));
    x[i][2] = LENGTH_M * (place[1] + rest * sin(first));
  }
}

static cb_status hang(const val_loop *e, const val_strip *strip, double half[VAL_LOOP_POINTS + 1][2],
                      val_loop_result *out, cb_err *err) {
  const double weight = AREAL_MASS_KG_PER_M2 * CB_STANDARD_GRAVITY_M_PER_S2;
  const sim_material material = sim_material_isotropic(AREAL_MASS_KG_PER_M2, STIFFNESS * weight * LENGTH_M,
                                                       weight * LENGTH_M * LENGTH_M * LENGTH_M / e->gamma);
  val_held held;
  cb_status st = val_held_init_under(strip, &material, CB_STANDARD_GRAVITY_M_PER_S2, &held, err);
  if (st == CB_OK) {
    sim_settle_report report;
    lay_strip(strip, first_rad[e->kind], half, sim_cloth_position(held.cloth));
    st = sim_cloth_settle(held.cloth, TOLERANCE, MAX_ITERATIONS, &report, err);
    out->settled = st == CB_OK && report.outcome == SIM_SETTLED;
    out->depth = val_strip_depth_m(strip, LENGTH_M, LENGTH_M / e->cells,
                                   (const sim_vec3 *)sim_cloth_position(held.cloth)) /
                 LENGTH_M;
  }
  val_held_clear(&held);
  return st;
}

cb_status val_loop_run(const val_loop *e, val_loop_result *out, cb_err *err) {
  const double begin_s = cb_now_monotonic_s();
  const sim_rectangle shape = {.length_m = LENGTH_M,
                               .width_m = LENGTH_M / SLENDER,
                               .pattern = e->pattern,
                               .edge_m = LENGTH_M / e->cells,
                               .seed = 1};
  double half[VAL_LOOP_POINTS + 1][2];
  *out = (val_loop_result){0};
  CB_TRY(val_loop_half(e->kind, e->gamma, half, err));
  out->reference = -half[VAL_LOOP_POINTS][1];
  CB_TRY(val_loop_half(e->kind, 0, half, err));
  val_strip strip;
  cb_status st = val_strip_init_clamped(&shape, 2, &strip, err);
  if (st == CB_OK) st = hang(e, &strip, half, out, err);
  out->vertices = strip.mesh.n_vertices;
  val_strip_clear(&strip);
  out->error = out->depth / out->reference - 1;
  out->agrees = out->settled && fabs(out->error) <= VAL_LOOP_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
