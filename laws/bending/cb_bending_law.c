#include "cb_bending_law.h"

#include <math.h>
#include <stddef.h>

#include "cb_num.h"
#include "cb_uncertainty.h"

const char *const cb_bending_form_names[] = {"isotropic", "peirce", "orthotropic", "table", NULL};
const char *const cb_bending_reading_names[] = {"secant", "slope", NULL};

static cb_status check_table(const cb_bending_wang *w, cb_err *err) {
  for (int r = 0; r < CB_BENDING_WANG_ROWS; r++)
    for (int k = 0; k < CB_BENDING_WANG_SAMPLES; k++)
      if (!(w->ke_Nm[r][k] > 0) || !isfinite(w->ke_Nm[r][k]))
        return cb_fail(err, CB_E_RANGE, "bending law: row %d, sample %d of its table is %g N m: must be > 0",
                       r, k, w->ke_Nm[r][k]);
  return CB_OK;
}

cb_status cb_bending_law_check(const cb_bending_law *law, cb_err *err) {
  if (law->form == CB_BENDING_TABLE) return check_table(&law->wang, err);
  const double *B = law->B_Nm;
  if (!(B[0] > 0) || !(B[2] > 0) || !isfinite(B[0] + B[1] + B[2]) || !(B[1] > -sqrt(B[0] * B[2])))
    return cb_fail(err, CB_E_RANGE,
                   "bending law: B1 = %g, H = %g, B2 = %g N m: must be > 0 in every direction", B[0], B[1],
                   B[2]);
  CB_TRY(cb_check_covariance(&law->cov_N2m2[0][0], 3, "bending law", err));
  CB_TRY(cb_check_dof(law->dof, "bending law: dof", err));
  CB_TRY(cb_check_u(law->u_rel_common, "bending law: u_rel_common", err));
  CB_TRY(cb_check_u(law->u_rel_between, "bending law: u_rel_between", err));
  CB_TRY(cb_check_u(law->u_exponent, "bending law: u_exponent", err));
  if (!isfinite(law->exponent))
    return cb_fail(err, CB_E_RANGE, "bending law: exponent = %g: must be finite", law->exponent);
  for (int i = 0; i < 2; i++) /* NAN: not measured */
    if (isinf(law->width_N[i]) || isinf(law->u_width_N[i]) || law->width_N[i] < 0 || law->u_width_N[i] < 0)
      return cb_fail(err, CB_E_RANGE,
                     "bending law: width of the hysteresis %g +- %g N: must be finite and >= 0",
                     law->width_N[i], law->u_width_N[i]);
  if (!(law->curvature_min_per_m > 0) || !(law->curvature_per_m >= law->curvature_min_per_m) ||
      !(law->curvature_max_per_m >= law->curvature_per_m) || !isfinite(law->curvature_max_per_m))
    return cb_fail(err, CB_E_RANGE,
                   "bending law: curvature %g, measured from %g to %g 1/m: must be > 0 and ascend",
                   law->curvature_per_m, law->curvature_min_per_m, law->curvature_max_per_m);
  return CB_OK;
}

double cb_bending_form_B(cb_bending_form form, const double B_Nm[3], double angle_rad, double gradient[3]) {
  double c2 = cos(angle_rad) * cos(angle_rad), s2 = 1 - c2;
  double g[3] = {c2 * c2, 2 * s2 * c2, s2 * s2}, B;
  if (form == CB_BENDING_PEIRCE) {
    double flexible = c2 / sqrt(B_Nm[0]) + s2 / sqrt(B_Nm[2]);
    B = 1 / (flexible * flexible);
    double slope = B / flexible;
    g[0] = slope * c2 / (B_Nm[0] * sqrt(B_Nm[0])), g[1] = 0, g[2] = slope * s2 / (B_Nm[2] * sqrt(B_Nm[2]));
  } else {
    B = g[0] * B_Nm[0] + g[1] * B_Nm[1] + g[2] * B_Nm[2];
  }
  for (int i = 0; gradient && i < 3; i++) gradient[i] = g[i];
  return B;
}

double cb_bending_peirce_twist(double ln_root_ratio) {
  const double c = cosh(ln_root_ratio);
  return fmax(4 / (1 + c) - c, -0.9);
}

static double within(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* Linear in direction and curvature, held at the ends. A row resists curvature across its edges. */
static double table_B(const cb_bending_wang *w, double angle_rad, double curvature_per_m) {
  double across_deg = 90 - fabs(remainder(angle_rad / CB_DEG, 180));
  double row = fabs(across_deg) / 45,
         sample = within(fabs(curvature_per_m) / CB_BENDING_WANG_STEP_PER_M, 0, CB_BENDING_WANG_SAMPLES - 1);
  int r = row < 1 ? 0 : 1, k = (int)fmin(sample, CB_BENDING_WANG_SAMPLES - 2);
  double a = row - r, b = sample - k;
  double ke = (1 - a) * ((1 - b) * w->ke_Nm[r][k] + b * w->ke_Nm[r][k + 1]) +
              a * ((1 - b) * w->ke_Nm[r + 1][k] + b * w->ke_Nm[r + 1][k + 1]);
  return ke / CB_BENDING_WANG_FACTOR;
}

static void eval_table(const cb_bending_law *law, double angle_rad, double curvature_per_m,
                       cb_bending_value *out) {
  double last = (CB_BENDING_WANG_SAMPLES - 1) * CB_BENDING_WANG_STEP_PER_M;
  double K = isnan(curvature_per_m) ? 0.5 * last : fabs(curvature_per_m);
  *out = (cb_bending_value){.B_Nm = table_B(&law->wang, angle_rad, K),
                            .u_B_Nm = NAN,
                            .dof = INFINITY,
                            .width_N = NAN,
                            .u_width_N = NAN,
                            .inside_measured_range = K <= last};
}

/* The variance of a walk of ln B over the angle about the plate through 0, 45 and 90 degrees, over half of
 * what the walk has in 22.5 degrees. */
static double walked(const double B_Nm[3], double angle_rad) {
  const double deg = fabs(remainder(angle_rad / CB_DEG, 180)), c = cos(2 * angle_rad),
               B = cb_bending_form_B(CB_BENDING_ORTHOTROPIC, B_Nm, angle_rad, NULL),
               bias = cb_bending_form_B(CB_BENDING_ORTHOTROPIC, B_Nm, CB_PI / 4, NULL),
               w[] = {0.5 * (1 + c) * c * B_Nm[0] / B, (1 - c * c) * bias / B,
                      -0.5 * (1 - c) * c * B_Nm[2] / B}; /* d ln B / d ln B(0, 45, 90) */
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += w[i] * fabs(45 * i - deg);
    for (int k = 0; k < i; k++) sum -= w[i] * w[k] * 45 * (i - k);
  }
  return fmax(sum, 0) / 11.25;
}

void cb_bending_eval(const cb_bending_law *law, double angle_rad, double curvature_per_m,
                     cb_bending_value *out) {
  if (law->form == CB_BENDING_TABLE) {
    eval_table(law, angle_rad, curvature_per_m, out);
    return;
  }
  double K = isnan(curvature_per_m) ? law->curvature_per_m : fabs(curvature_per_m), g[3], var = 0;
  double reach = log(within(K, law->curvature_min_per_m, law->curvature_max_per_m) / law->curvature_per_m);
  /* Beyond what was measured B is held; that it might have gone on is uncertainty. Down to no curvature at
   * all: two decades of it. */
  double whole = log(fmax(K, 0.01 * law->curvature_min_per_m) / law->curvature_per_m),
         beyond = law->exponent * (whole - reach);
  double B = cb_bending_form_B(law->form, law->B_Nm, angle_rad, g);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) var += g[i] * law->cov_N2m2[i][j] * g[j];
  double rel2 = var / (B * B) + law->u_rel_common * law->u_rel_common +
                law->u_rel_between * law->u_rel_between * walked(law->B_Nm, angle_rad) +
                law->u_exponent * law->u_exponent * whole * whole + beyond * beyond;
  double c2 = cos(angle_rad) * cos(angle_rad), s2 = 1 - c2;
  out->B_Nm = B * exp(law->exponent * reach);
  out->u_B_Nm = out->B_Nm * sqrt(rel2);
  out->dof = law->dof;
  out->width_N = c2 * law->width_N[0] + s2 * law->width_N[1];
  out->u_width_N = hypot(c2 * law->u_width_N[0], s2 * law->u_width_N[1]);
  /* The ends themselves survive the way through a file. */
  out->inside_measured_range =
      K >= law->curvature_min_per_m * (1 - 1e-9) && K <= law->curvature_max_per_m * (1 + 1e-9);
}

void cb_bending_shell(const cb_bending_law *law, double D_Nm[3][3]) {
  cb_bending_value warp, bias, weft;
  cb_bending_eval(law, 0, NAN, &warp);
  cb_bending_eval(law, 45 * CB_DEG, NAN, &bias);
  cb_bending_eval(law, 90 * CB_DEG, NAN, &weft);
  double B1 = warp.B_Nm, B2 = weft.B_Nm, mean = sqrt(B1 * B2);
  /* A table may be softer on the bias than any plate. */
  double H = fmax(2 * bias.B_Nm - 0.5 * (B1 + B2), -0.99 * mean), D12 = fmin(0, 0.5 * (H - mean));
  double D[3][3] = {{B1, D12, 0}, {D12, B2, 0}, {0, 0, 0.5 * (H - D12)}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D_Nm[i][j] = D[i][j];
}

/* k_e of Bridson, Marino, Fedkiw (SCA 2003, eq. 5-6: force = k_e |E|^2 / (|N1| + |N2|) sin(theta / 2) u, |N|
 * twice a triangle's area) that makes the same hinge: 4 B. ARCSim's bending stiffness is this k_e
 * (src/physics.cpp: energy = ke edge^2 / (2 area) theta^2 / 4). */
static double bridson_Nm(double B_Nm) { return CB_BENDING_WANG_FACTOR * B_Nm; }

void cb_bending_wang_of(const cb_bending_law *law, cb_bending_wang *out) {
  for (int r = 0; r < CB_BENDING_WANG_ROWS; r++)
    for (int k = 0; k < CB_BENDING_WANG_SAMPLES; k++) {
      cb_bending_value v;
      cb_bending_eval(law, (90 - 45 * r) * CB_DEG, k * CB_BENDING_WANG_STEP_PER_M, &v);
      out->ke_Nm[r][k] = bridson_Nm(v.B_Nm);
    }
}
