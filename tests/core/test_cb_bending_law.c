/* The law's forms against closed forms, and what it tells a simulator against the energy of bent sheets. */
#include <math.h>

#include "cb_bending_law.h"
#include "cb_num.h"
#include "csvtest.h"

static cb_bending_law law_of(cb_bending_form form, double B1, double H, double B2) {
  return (cb_bending_law){.form = form,
                          .B_Nm = {B1, H, B2},
                          .cov_N2m2 = {{1e-14, 0, 0}, {0, 4e-14, 0}, {0, 0, 9e-14}},
                          .u_rel_common = 0.02,
                          .dof = 10,
                          .curvature_per_m = 100,
                          .curvature_min_per_m = 50,
                          .curvature_max_per_m = 150,
                          .width_N = {1e-3, 3e-3},
                          .u_width_N = {1e-4, 2e-4}};
}

static double B_at(const cb_bending_law *l, double deg, double curvature_per_m) {
  cb_bending_value v;
  cb_bending_eval(l, deg * CB_DEG, curvature_per_m, &v);
  return v.B_Nm;
}

static void forms_are_what_they_say(void **state) {
  (void)state;
  cb_bending_law plate = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 2e-6, 9e-6),
                 yarns = law_of(CB_BENDING_PEIRCE, 4e-6, 0, 9e-6);
  assert_ok(cb_bending_law_check(&plate, err));
  assert_ok(cb_bending_law_check(&yarns, err));
  assert_near(B_at(&plate, 0, NAN), 4e-6, 1e-20);
  assert_near(B_at(&plate, -90, NAN), 9e-6, 1e-20);
  assert_near(B_at(&plate, 45, NAN), (4e-6 + 2 * 2e-6 + 9e-6) / 4, 1e-20);
  assert_near(B_at(&plate, 30, NAN), (9 * 4e-6 + 6 * 2e-6 + 9e-6) / 16, 1e-20);
  /* Harmonic mean of the roots: (1/2 + 1/3) / 2 -> 2.4. */
  assert_near(B_at(&yarns, 45, NAN), 2.4 * 2.4e-6, 1e-20);
  assert_near(B_at(&yarns, 135, NAN), 2.4 * 2.4e-6, 1e-20);
}

static void gradients_are_derivatives(void **state) {
  (void)state;
  for (int form = CB_BENDING_ISOTROPIC; form < CB_BENDING_TABLE; form++)
    for (int deg = 0; deg <= 90; deg += 15) {
      double B[3] = {4e-6, 3e-6, 9e-6}, g[3];
      (void)cb_bending_form_B((cb_bending_form)form, B, deg * CB_DEG, g);
      for (int i = 0; i < 3; i++) {
        double up[3] = {B[0], B[1], B[2]}, down[3] = {B[0], B[1], B[2]}, h = 1e-4 * B[i];
        up[i] += h, down[i] -= h;
        double slope = (cb_bending_form_B((cb_bending_form)form, up, deg * CB_DEG, NULL) -
                        cb_bending_form_B((cb_bending_form)form, down, deg * CB_DEG, NULL)) /
                       (2 * h);
        assert_near(g[i], slope, 1e-7);
      }
    }
}

static void uncertainty_is_propagated(void **state) {
  (void)state;
  cb_bending_law l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 2e-6, 9e-6);
  cb_bending_value v;
  cb_bending_eval(&l, 45 * CB_DEG, NAN, &v);
  assert_near(v.u_B_Nm, sqrt((1e-14 + 4 * 4e-14 + 9e-14) / 16 + pow(0.02 * v.B_Nm, 2)), 1e-18);
  assert_near(v.width_N, 2e-3, 1e-15);
  assert_near(v.u_width_N, 0.5 * hypot(1e-4, 2e-4), 1e-15);
  assert_true(v.dof == 10 && v.inside_measured_range);
  /* Over curvature: a power law inside, held outside, ever less certain. */
  l.exponent = -0.2, l.u_exponent = 0.05;
  assert_near(B_at(&l, 0, 60), 4e-6 * pow(0.6, -0.2), 1e-19);
  assert_near(B_at(&l, 0, -60), 4e-6 * pow(0.6, -0.2), 1e-19);
  assert_near(B_at(&l, 0, 600), 4e-6 * pow(1.5, -0.2), 1e-19);
  double before = 0;
  for (double K = 100; K < 1e4; K *= 1.4) {
    cb_bending_eval(&l, 0, K, &v);
    assert_true(v.u_B_Nm / v.B_Nm > before && v.inside_measured_range == (K <= 150));
    before = v.u_B_Nm / v.B_Nm;
  }
  cb_bending_eval(&l, 0, 0, &v);
  assert_true(isfinite(v.u_B_Nm) && !v.inside_measured_range);
}

static void bad_laws_are_told(void **state) {
  (void)state;
  cb_bending_law l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, -6e-6, 9e-6);
  assert_fails(CB_E_RANGE, "must be > 0 in every direction", cb_bending_law_check(&l, err));
  l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, -5.9e-6, 9e-6);
  assert_ok(cb_bending_law_check(&l, err));
  for (int deg = 0; deg < 180; deg++) assert_true(B_at(&l, deg, NAN) > 0);
  l.B_Nm[0] = NAN;
  assert_fails(CB_E_RANGE, "B1 = nan", cb_bending_law_check(&l, err));
  l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 0, 9e-6), l.cov_N2m2[1][1] = -1;
  assert_fails(CB_E_RANGE, "variance 2 is -1", cb_bending_law_check(&l, err));
  l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 0, 9e-6), l.cov_N2m2[2][0] = l.cov_N2m2[0][2] = -3.1e-14;
  assert_fails(CB_E_RANGE, "covariance 1, 3 is -3.1e-14: at most 3e-14", cb_bending_law_check(&l, err));
  l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 0, 9e-6), l.dof = 0;
  assert_fails(CB_E_RANGE, "dof = 0", cb_bending_law_check(&l, err));
  l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 0, 9e-6), l.curvature_min_per_m = 120;
  assert_fails(CB_E_RANGE, "curvature 100", cb_bending_law_check(&l, err));
  l = (cb_bending_law){.form = CB_BENDING_TABLE};
  assert_fails(CB_E_RANGE, "row 0, sample 0", cb_bending_law_check(&l, err));
}

/* ---- meshes ---- */

typedef struct vec3 {
  double x, y, z;
} vec3;

static vec3 minus(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec3 cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double norm(vec3 a) { return sqrt(dot(a, a)); }

typedef struct sheet {
  double curvature, direction_rad; /* of the bend */
} sheet;

/* The flat sheet's point (u, v), rolled on a cylinder. */
static vec3 rolled(sheet s, double u, double v) {
  double c = cos(s.direction_rad), d = sin(s.direction_rad), along = u * c + v * d, across = v * c - u * d,
         angle = along * s.curvature;
  double bent = sin(angle) / s.curvature, rise = (1 - cos(angle)) / s.curvature;
  return (vec3){bent * c - across * d, bent * d + across * c, rise};
}

/* The hinge between two triangles, energy = stiffness theta^2 / 2 with the dihedral angle theta: B edge^2 /
 * area, area of both triangles. Summed over a regular mesh - equilateral in any direction, or a grid of
 * squares bent along its edges or across its diagonals - it is the sheet's own energy B K^2 / 2 per area. The
 * same hinge written as 3 B edge^2 / area (Grinspun et al., Discrete Shells, 2003, with h = a third of the
 * mean height) counts three families of edges as if each were alone: it is three times too stiff there. */
static double hinge_Nm(double B_Nm, double edge_m, double area_m2) {
  return B_Nm * edge_m * edge_m / area_m2;
}

/* Energy of the hinge on the edge a-b with the opposite corners p and q, all in (u, v). */
static double hinge(sheet s, double B, const double a[2], const double b[2], const double p[2],
                    const double q[2]) {
  vec3 A = rolled(s, a[0], a[1]), E = minus(rolled(s, b[0], b[1]), A);
  vec3 n1 = cross(E, minus(rolled(s, p[0], p[1]), A)), n2 = cross(minus(rolled(s, q[0], q[1]), A), E);
  double theta = atan2(norm(cross(n1, n2)), dot(n1, n2));
  /* twice one triangle: both */
  double flat = fabs((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
  double edge = hypot(b[0] - a[0], b[1] - a[1]);
  return 0.5 * hinge_Nm(B, edge, flat) * theta * theta;
}

/* All cells are alike: the three hinges of one vertex stand for one cell. corners: the lattice vectors e1, e2
 * and e1 + e2 are edges. */
static double cell_energy(sheet s, double B, const double e1[2], const double e2[2]) {
  double o[2] = {0, 0}, sum[2] = {e1[0] + e2[0], e1[1] + e2[1]}, m1[2] = {-e1[0], -e1[1]},
         m2[2] = {-e2[0], -e2[1]};
  return hinge(s, B, o, e1, sum, m2) + hinge(s, B, o, e2, sum, m1) + hinge(s, B, o, sum, e1, e2);
}

static double exact(sheet s, double B, const double e1[2], const double e2[2]) {
  return 0.5 * B * s.curvature * s.curvature * fabs(e1[0] * e2[1] - e1[1] * e2[0]);
}

static void hinges_hold_the_energy_of_a_bent_sheet(void **state) {
  (void)state;
  const double B = 3e-6, h = 1e-3, e1[2] = {h, 0}, e2[2] = {-0.5 * h, 0.5 * sqrt(3) * h}, s1[2] = {h, 0},
               s2[2] = {0, h};
  for (double K = 1; K < 60; K *= 2) {
    double finite = K * h * K * h; /* a chord is shorter than its arc */
    for (int deg = 0; deg < 180; deg += 7) {
      sheet s = {K, deg * CB_DEG};
      assert_near(cell_energy(s, B, e1, e2) / exact(s, B, e1, e2), 1, finite + 1e-6);
    }
    /* The grid of squares: exact along its edges and across its diagonals, three times too stiff along
     * them. */
    for (int deg = 0; deg < 180; deg += 45) {
      sheet s = {K, deg * CB_DEG};
      assert_near(cell_energy(s, B, s1, s2) / exact(s, B, s1, s2), deg == 45 ? 3 : 1, 3 * finite + 1e-6);
    }
  }
}

/* A strip of squares, bent into part of a ring: all hinges, one by one. One row of hinges is missing at its
 * ends. */
static void a_strip_of_squares(void **state) {
  (void)state;
  enum { NX = 40, NY = 5 };
  const double B = 3e-6, h = 1e-3;
  sheet s = {20, 0};
  double energy = 0;
  for (int i = 0; i <= NX; i++)
    for (int j = 0; j <= NY; j++) {
      double x = i * h, y = j * h, o[2] = {x, y}, r[2] = {x + h, y}, u[2] = {x, y + h}, d[2] = {x + h, y + h},
             l[2] = {x - h, y}, below[2] = {x, y - h};
      if (i < NX && j < NY) energy += hinge(s, B, o, d, r, u);
      if (i < NX && j > 0 && j < NY) energy += hinge(s, B, o, r, d, below);
      if (j < NY && i > 0 && i < NX) energy += hinge(s, B, o, u, d, l);
    }
  double area = (NX - 1) * h * NY * h;
  assert_near(energy / (0.5 * B * 400 * area), 1, 5e-4);
}

/* Bridson's and ARCSim's hinges, written out, are the same. */
static void other_programs_hinges(void **state) {
  (void)state;
  double B = 5e-6, edge = 2e-3, area = 3e-6, theta = 1e-4;
  double ours = 0.5 * hinge_Nm(B, edge, area) * theta * theta;
  /* |N1| + |N2| = 2 area */
  double torque = CB_BENDING_WANG_FACTOR * B * edge * edge / (2 * area) * sin(theta / 2);
  assert_near(torque / (hinge_Nm(B, edge, area) * theta), 1, 1e-8);
  double arcsim = CB_BENDING_WANG_FACTOR * B * edge * edge / (2 * area) * theta * theta / 4;
  assert_near(arcsim / ours, 1, 1e-12);
}

/* D must give back B in every direction, be positive definite, and be the plate's own where that is known. */
static void shells(void **state) {
  (void)state;
  for (double H = -5.5e-6; H < 3e-5; H += 5e-7) {
    cb_bending_law l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, H, 9e-6);
    double D[3][3];
    cb_bending_shell(&l, D);
    assert_true(D[2][2] > 0 && D[0][0] > 0 && D[0][0] * D[1][1] > D[0][1] * D[1][0]);
    for (int deg = 0; deg < 180; deg += 10) {
      double c = cos(deg * CB_DEG), s = sin(deg * CB_DEG), K[3] = {c * c, s * s, 2 * s * c}, energy = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) energy += K[i] * D[i][j] * K[j];
      assert_near(energy, B_at(&l, deg, NAN), 1e-18);
    }
  }
  cb_bending_law isotropic = law_of(CB_BENDING_ISOTROPIC, 4e-6, 4e-6, 4e-6);
  double D[3][3];
  cb_bending_shell(&isotropic, D);
  assert_near(D[0][1], 0, 1e-20);
  assert_near(D[2][2], 2e-6, 1e-20);
}

/* The table of a law, read as ARCSim reads it, is the law at warp, bias, weft; edges resist across
 * themselves. */
static void tables(void **state) {
  (void)state;
  cb_bending_law l = law_of(CB_BENDING_ORTHOTROPIC, 4e-6, 2e-6, 9e-6), t = {.form = CB_BENDING_TABLE};
  l.curvature_min_per_m = 5, l.curvature_per_m = 20, l.exponent = -0.3;
  cb_bending_wang_of(&l, &t.wang);
  assert_ok(cb_bending_law_check(&t, err));
  assert_near(t.wang.ke_Nm[0][2], 4 * 9e-6, 1e-18);
  assert_near(t.wang.ke_Nm[2][2], 4 * 4e-6, 1e-18);
  for (int deg = -180; deg <= 180; deg += 45)
    for (double K = 0; K <= 40; K += 10) assert_near(B_at(&t, deg, K) / B_at(&l, deg, K), 1, 1e-12);
  assert_near(B_at(&t, 22.5, 15),
              (B_at(&l, 0, 10) + B_at(&l, 45, 10) + B_at(&l, 0, 20) + B_at(&l, 45, 20)) / 4, 1e-18);
  cb_bending_value v;
  cb_bending_eval(&t, 0, 100, &v);
  assert_true(isnan(v.u_B_Nm) && !v.inside_measured_range);
  assert_near(v.B_Nm, B_at(&t, 0, 40), 1e-20);
}

/* ---- measured cloths ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The ten cloths of Wang et al. 2011: read as k_e = 4 B they have the bending lengths of cloth, also the
 * interlock knit; read as B they would be canvas. */
static void arcsims_cloths(void **state) {
  const char *path = CBT_DATA "/wang2011_elastic/bending.csv",
             *weights = CBT_DATA "/wang2011_elastic/stretching.csv";
  double lengths[300], knit = 0;
  size_t n = 0, row = 0;
  (void)state;
  if (cbt_absent(path)) return;
  cb_csv *ke = csvt_load(path), *w = csvt_load(weights);
  for (size_t first = 0; first < cb_csv_rows(ke); first += 3) {
    cb_bending_law law = {.form = CB_BENDING_TABLE};
    for (size_t r = 0; r < 3; r++)
      for (size_t k = 0; k < 5; k++) law.wang.ke_Nm[r][k] = csvt_number_at(ke, first + r, 2 + k);
    assert_ok(cb_bending_law_check(&law, err));
    while (strcmp(cb_csv_cell(w, row, 0), cb_csv_cell(ke, first, 0)) != 0) row++;
    for (int deg = 0; deg <= 90; deg += 45)
      for (double K = 10; K <= 30; K += 10) {
        lengths[n] = cbrt(B_at(&law, deg, K) / (csvt_number_at(w, row, 1) * CB_STANDARD_GRAVITY_M_PER_S2));
        if (strstr(cb_csv_cell(ke, first, 0), "interlock")) knit = fmax(knit, lengths[n]);
        n++;
      }
  }
  qsort(lengths, n, sizeof lengths[0], ascending);
  assert_int_equal(n, 90);
  assert_true(lengths[0] > 0.008 && lengths[n / 2] > 0.013 && lengths[n / 2] < 0.02 &&
              lengths[n - 1] < 0.035);
  assert_true(knit > 0.01 && knit < 0.02);
  cb_csv_free(ke);
  cb_csv_free(w);
}

/* Three wovens of Petrak et al. 2025, measured with KES: limper than those, of the same order. 1 g mm2/s2 =
 * 1e-9 N m. */
static void kes_cloths(void **state) {
  const char *path = CBT_DATA "/drape_kes/drape_kes.csv";
  (void)state;
  if (cbt_absent(path)) return;
  cb_csv *csv = csvt_load(path);
  size_t warp, weft, mass;
  assert_ok(cb_csv_find(csv, "bending_warp_g_mm2_s2", &warp, err));
  assert_ok(cb_csv_find(csv, "bending_weft_g_mm2_s2", &weft, err));
  assert_ok(cb_csv_find(csv, "areal_mass_g_m2", &mass, err));
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    cb_bending_law l = law_of(CB_BENDING_PEIRCE, 1e-9 * csvt_number_at(csv, row, warp), 0,
                              1e-9 * csvt_number_at(csv, row, weft));
    assert_ok(cb_bending_law_check(&l, err));
    for (int deg = 0; deg <= 90; deg += 15) {
      double length =
          cbrt(B_at(&l, deg, NAN) / (1e-3 * csvt_number_at(csv, row, mass) * CB_STANDARD_GRAVITY_M_PER_S2));
      assert_true(length > 0.006 && length < 0.03);
    }
  }
  cb_csv_free(csv);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_are_what_they_say),
      cmocka_unit_test(gradients_are_derivatives),
      cmocka_unit_test(uncertainty_is_propagated),
      cmocka_unit_test(bad_laws_are_told),
      cmocka_unit_test(hinges_hold_the_energy_of_a_bent_sheet),
      cmocka_unit_test(a_strip_of_squares),
      cmocka_unit_test(other_programs_hinges),
      cmocka_unit_test(shells),
      cmocka_unit_test(tables),
      cmocka_unit_test(arcsims_cloths),
      cmocka_unit_test(kes_cloths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
