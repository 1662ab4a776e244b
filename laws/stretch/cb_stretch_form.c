#include "cb_stretch_form.h"

#include <math.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cb_stretch_impl.h"

/* Smallest part of the weft's, warp's and cross term's own share that the directions must tell apart. */
#define LEAST_DETERMINANT 1e-6

/* The form is linear in its parameters in y = S or y = sqrt S. */
static double to_y(cb_stretch_form f, double s) { return f == CB_STRETCH_TENSOR ? s : sqrt(s); }

static void row_of(cb_stretch_form f, double angle_deg, double a[3]) {
  double c = cos(angle_deg * CB_DEG), s = sin(angle_deg * CB_DEG);
  double p[3] = {c * c, fabs(s * c), s * s};
  for (int i = 0; i < 3; i++) a[i] = f == CB_STRETCH_TENSOR ? p[i] * p[i] : p[i];
}

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Least squares of relative errors: every row divided by its y. */
static bool solve_moduli(cb_stretch_moduli *m) {
  double normal[3][3] = {{0}}, right[3] = {0};
  for (size_t i = 0; i < m->n; i++) {
    double a[3], y = to_y(m->form, m->compliance_m_per_N[i]);
    row_of(m->form, m->angle_deg[i], a);
    for (int r = 0; r < 3; r++) {
      right[r] += a[r] / y;
      for (int c = 0; c < 3; c++) normal[r][c] += a[r] * a[c] / (y * y);
    }
  }
  if (!cb_invert_3x3(normal, LEAST_DETERMINANT, m->inverse)) return false;
  for (int r = 0; r < 3; r++) m->parameter[r] = dot3(m->inverse[r], right);
  return true;
}

/* y > 0 in every direction: the form p0 x^2 + p1 x z + p2 z^2 has no zero at x, z >= 0 (x, z = c^2, s^2 or c,
 * |s|). */
static bool positive(const cb_stretch_moduli *m) {
  const double *p = m->parameter;
  return p[0] > 0 && p[2] > 0 && p[1] > -2 * sqrt(p[0] * p[2]);
}

/* What direction i adds to y at a: dy/dy_i. */
static double weight_of(const cb_stretch_moduli *m, size_t i, const double a[3]) {
  double b[3], y = to_y(m->form, m->compliance_m_per_N[i]);
  row_of(m->form, m->angle_deg[i], b);
  double sum = 0;
  for (int r = 0; r < 3; r++) sum += a[r] * dot3(m->inverse[r], b);
  return sum / (y * y);
}

double cb_stretch_form_weight(const cb_stretch_moduli *m, size_t i, double angle_deg) {
  double a[3];
  row_of(m->form, angle_deg, a);
  return weight_of(m, i, a) * to_y(m->form, m->compliance_m_per_N[i]) / dot3(a, m->parameter);
}

double cb_stretch_compliance(const cb_stretch_moduli *m, double angle_deg, double *u_rel) {
  double a[3], variance = 0, fold = cb_stretch_fold_deg(angle_deg);
  row_of(m->form, fold, a);
  double y = dot3(a, m->parameter);
  for (size_t i = 0; i < m->n; i++) variance += pow(cb_stretch_form_weight(m, i, fold) * m->u_rel[i], 2);
  if (u_rel) *u_rel = sqrt(variance);
  return m->form == CB_STRETCH_TENSOR ? y : y * y;
}

static double u_of_cross(const cb_stretch_moduli *m) {
  double variance = 0, unit[3] = {0, 1, 0}, power = m->form == CB_STRETCH_TENSOR ? 1 : 2;
  for (size_t i = 0; i < m->n; i++) {
    double part = weight_of(m, i, unit) * to_y(m->form, m->compliance_m_per_N[i]) * m->u_rel[i] / power;
    variance += part * part;
  }
  return m->form == CB_STRETCH_TENSOR ? sqrt(variance) : 2 * fabs(m->parameter[1]) * sqrt(variance);
}

static void judge(cb_stretch_moduli *m) {
  double sum = 0, u;
  for (size_t i = 0; i < m->n; i++) {
    m->misfit_rel[i] = m->compliance_m_per_N[i] / cb_stretch_compliance(m, m->angle_deg[i], NULL) - 1;
    sum += m->misfit_rel[i] * m->misfit_rel[i];
  }
  m->rms_rel = m->n > 3 ? sqrt(sum / (double)(m->n - 3)) : 0;
  m->e1_N_per_m = 1 / cb_stretch_compliance(m, 0, &u);
  m->u_e1_N_per_m = u * m->e1_N_per_m;
  m->e2_N_per_m = 1 / cb_stretch_compliance(m, 90, &u);
  m->u_e2_N_per_m = u * m->e2_N_per_m;
  m->cross_m_per_N = m->form == CB_STRETCH_TENSOR ? m->parameter[1] : m->parameter[1] * fabs(m->parameter[1]);
  m->u_cross_m_per_N = u_of_cross(m);
}

void cb_stretch_moduli_at(const cb_stretch_law *law, cb_stretch_form form, double strain,
                          cb_stretch_moduli *out) {
  *out = (cb_stretch_moduli){.form = form, .strain = strain, .inside_measured_range = true};
  for (size_t i = 0; i < law->n; i++) {
    const cb_stretch_direction *d = &law->directions[i];
    double f = cb_stretch_curve(d, strain, NULL);
    if (!(f > 0)) continue; /* still slack: no compliance */
    size_t k = out->n++;
    out->angle_deg[k] = d->angle_deg;
    out->compliance_m_per_N[k] = strain / f;
    out->u_rel[k] = cb_stretch_curve_u(d, strain) / f;
    if (strain > cb_stretch_strain_max(d)) out->inside_measured_range = false;
  }
  out->known = out->n >= 3 && solve_moduli(out) && positive(out);
  if (out->known) judge(out);
}

double cb_stretch_shear_modulus(const cb_stretch_moduli *m, double nu12) {
  double s = m->cross_m_per_N + 2 * nu12 / m->e1_N_per_m;
  return m->known && m->form == CB_STRETCH_TENSOR && s > 0 ? 1 / s : NAN;
}

/* Poisson's ratio does not show in strips. 0 is assumed, up to 0.5 it may be: 1/G is larger by 2 nu/E1, a
 * rectangle about its end. ARCSim's energy has k33 Euv^2/2 with Euv half the shear angle: the modulus is
 * k33/4.
 */
double cb_stretch_shear(const cb_stretch_law *law, double *u_N_per_m) {
  const double at_rest[3] = {0};
  double k[4];
  cb_stretch_moduli m;
  *u_N_per_m = NAN;
  if (law->n == 0) {
    cb_stretch_wang_stiffness(&law->wang, at_rest, k);
    return k[3] > 0 ? k[3] / 4 : NAN;
  }
  cb_stretch_moduli_at(law, CB_STRETCH_TENSOR, CB_STRETCH_SECANT_STRAIN, &m);
  if (!m.known) return NAN;
  const double g = cb_stretch_shear_modulus(&m, 0), u_poisson = 2 * 0.5 / m.e1_N_per_m / sqrt(3);
  *u_N_per_m = g * g * hypot(m.u_cross_m_per_N, u_poisson);
  return g;
}
