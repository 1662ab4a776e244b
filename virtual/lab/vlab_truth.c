#include "vlab_truth.h"

#include <math.h>

#define NEWTON_MOST 100
#define NEWTON_TOLERANCE 1e-13 /* of the stresses, over the initial stiffness */

/* ---- the membrane ---- */

static void grow_stress(double stiffness, double growth, double E, double *S, double *slope) {
  const bool pulled = E > 0 && growth > 0;
  *S = pulled ? stiffness / growth * expm1(growth * E) : stiffness * E;
  *slope = pulled ? stiffness * exp(growth * E) : stiffness;
}

void vlab_membrane_stress(const vlab_membrane *m, const double E[3], double S[3], double own[3]) {
  grow_stress(m->warp_N_per_m, m->warp_growth, E[0], &S[0], &own[0]);
  grow_stress(m->weft_N_per_m, m->weft_growth, E[1], &S[1], &own[1]);
  S[0] += m->cross_N_per_m * E[1];
  S[1] += m->cross_N_per_m * E[0];
  const double twice = 2 * m->shear_N_per_m, g = m->shear_growth;
  S[2] = g > 0 ? twice / g * sinh(g * E[2]) : twice * E[2];
  own[2] = twice * cosh(g * E[2]);
}

/* Strains (uu, vv, uv) of the cloth from those of the strip, of which `turn` has the axes: cosine, sine. */
static void turn_strain(const double turn[2], const double e[3], double E[3]) {
  const double c = turn[0], s = turn[1];
  E[0] = c * c * e[0] + s * s * e[1] - 2 * s * c * e[2];
  E[1] = s * s * e[0] + c * c * e[1] + 2 * s * c * e[2];
  E[2] = s * c * (e[0] - e[1]) + (c * c - s * s) * e[2];
}

/* The other way. */
static void turn_stress(const double turn[2], const double S[3], double t[3]) {
  const double c = turn[0], s = turn[1];
  t[0] = c * c * S[0] + s * s * S[1] + 2 * s * c * S[2];
  t[1] = s * s * S[0] + c * c * S[1] - 2 * s * c * S[2];
  t[2] = s * c * (S[1] - S[0]) + (c * c - s * s) * S[2];
}

/* Stresses of the strip, and their change with its strain number k (1: across, 2: shear). */
static void strip_stress(const vlab_membrane *m, const double turn[2], const double e[3], double t[3],
                         double by[3][3]) {
  double E[3], S[3], own[3];
  turn_strain(turn, e, E);
  vlab_membrane_stress(m, E, S, own);
  turn_stress(turn, S, t);
  for (int k = 1; k < 3; k++) {
    double one[3] = {0}, dE[3];
    one[k] = 1;
    turn_strain(turn, one, dE);
    const double dS[3] = {own[0] * dE[0] + m->cross_N_per_m * dE[1],
                          own[1] * dE[1] + m->cross_N_per_m * dE[0], own[2] * dE[2]};
    turn_stress(turn, dS, by[k]);
  }
}

/* Newton's method: the stress across and the shear stress vanish. The energy is convex. */
double vlab_strip_N_per_m(const vlab_membrane *m, double angle_rad, double strain) {
  const double turn[2] = {cos(angle_rad), sin(angle_rad)}, small = NEWTON_TOLERANCE * m->warp_N_per_m;
  double e[3] = {strain + strain * strain / 2, 0, 0}, t[3] = {0};
  const double whole = e[0];
  const int parts = 8; /* the solution at a smaller strain starts the next */
  for (int part = 1; part <= parts; part++) {
    e[0] = whole * part / parts;
    for (int i = 0; i < NEWTON_MOST; i++) {
      double by[3][3];
      strip_stress(m, turn, e, t, by);
      if (fabs(t[1]) + fabs(t[2]) <= small) break;
      const double det = by[1][1] * by[2][2] - by[2][1] * by[1][2];
      e[1] -= (t[1] * by[2][2] - t[2] * by[2][1]) / det;
      e[2] -= (t[2] * by[1][1] - t[1] * by[1][2]) / det;
    }
  }
  return (1 + strain) * t[0];
}

/* ---- bending, air ---- */

double vlab_rigidity_Nm(const vlab_bending *b, double angle_rad) {
  const double c = cos(angle_rad) * cos(angle_rad), s = 1 - c;
  return b->warp_Nm * c * c + 2 * b->twist_Nm * s * c + b->weft_Nm * s * s;
}

double vlab_friction_N(const vlab_bending *b, double angle_rad) {
  const double c = cos(angle_rad) * cos(angle_rad);
  return c * b->friction_N[0] + (1 - c) * b->friction_N[1];
}

double vlab_air_m_per_s(const vlab_truth *t, double pressure_Pa) {
  const double a = t->viscous_Pa_s_per_m, b = t->inertial_Pa_s2_per_m2;
  return 2 * pressure_Pa / (a + sqrt(a * a + 4 * b * pressure_Pa));
}
