/* The law of stretch against closed forms: curves through their knots, orthotropic sheets, Green-Lagrange
 * curves, Wang's table. */
#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cb_stretch_form.h"
#include "cb_stretch_green.h"
#include "cb_stretch_impl.h"
#include "cbtest.h"

static cb_stretch_direction direction(double angle_deg, double strain_max,
                                      double (*f)(double e, const void *p), const void *p) {
  cb_stretch_direction d = {.angle_deg = angle_deg, .n_tests = 3, .dof = 2, .n_knots = CB_STRETCH_MAX_KNOTS};
  for (size_t i = 0; i < d.n_knots; i++) {
    double e = strain_max * (double)i / (double)(d.n_knots - 1);
    d.knots[i] = (cb_stretch_knot){e, f(e, p), 0.01 * f(e, p), 0.02 * f(e, p)};
  }
  return d;
}

static double linear(double e, const void *p) { return *(const double *)p * e; }
static double j_shape(double e, const void *p) { return *(const double *)p * (exp(8 * e) - 1); }

/* ---- curves ---- */

static void a_curve_goes_through_its_knots_and_never_falls(void **state) {
  (void)state;
  double scale = 3, slope, last = 0;
  cb_stretch_direction d = direction(0, 0.5, j_shape, &scale);
  for (size_t i = 0; i < d.n_knots; i++)
    assert_near(cb_stretch_curve(&d, d.knots[i].strain, NULL), d.knots[i].force_N_per_m,
                1e-12 * d.knots[32].force_N_per_m);
  for (double e = 0; e <= 0.5; e += 1e-4) {
    double f = cb_stretch_curve(&d, e, &slope);
    assert_true(f >= last && slope >= 0);
    assert_near(f, j_shape(e, &scale), 2e-3 * scale * exp(8 * e));
    last = f;
  }
  /* The slope is that of the curve. */
  (void)cb_stretch_curve(&d, 0.3, &slope);
  assert_near(slope, (cb_stretch_curve(&d, 0.3 + 1e-6, NULL) - cb_stretch_curve(&d, 0.3 - 1e-6, NULL)) / 2e-6,
              1e-4 * slope);
}

static void flat_pieces_stay_flat(void **state) {
  (void)state;
  cb_stretch_direction d = {.angle_deg = 0, .n_tests = 1, .dof = 1, .n_knots = 5};
  const double e[] = {0, 0.1, 0.2, 0.3, 0.4}, f[] = {0, 0, 10, 10, 30};
  for (size_t i = 0; i < 5; i++) d.knots[i] = (cb_stretch_knot){e[i], f[i], 0, NAN};
  for (double x = 0; x <= 0.1; x += 0.01) assert_near(cb_stretch_curve(&d, x, NULL), 0, 0);
  for (double x = 0.2; x <= 0.3; x += 0.01) assert_near(cb_stretch_curve(&d, x, NULL), 10, 1e-12);
}

static void beyond_the_last_knot_it_goes_on_straight_and_knows_less(void **state) {
  (void)state;
  double k = 1000;
  cb_stretch_law law = {.cloth = "x", .n = 1};
  cb_stretch_value in, out, far;
  law.directions[0] = direction(0, 0.1, linear, &k);
  cb_stretch_eval(&law, 0, 0.1, &in);
  cb_stretch_eval(&law, 0, 0.15, &out);
  cb_stretch_eval(&law, 180.3, 0.3, &far);
  assert_true(in.inside_measured_range && !out.inside_measured_range);
  assert_near(out.force_N_per_m, 150, 1e-9);
  assert_near(far.force_N_per_m, 300, 1e-9);
  assert_near(out.u_N_per_m, hypot(1, 50 / sqrt(3)), 1e-9);
  assert_true(far.u_N_per_m > out.u_N_per_m && out.u_N_per_m > in.u_N_per_m);
  assert_near(out.sd_N_per_m, 1.5 * in.sd_N_per_m, 1e-9);
  assert_true(in.sd_N_per_m > 0);
  assert_near(cb_stretch_strain(&law, 0, 75), 0.075, 1e-12);
  assert_true(cb_stretch_strain(&law, 0, 0) == 0);
  assert_true(isnan(cb_stretch_strain(&law, 0, 1e9)));
  assert_true(isnan(cb_stretch_strain(&law, 45, 1)));
}

static void calibrations_are_shared(void **state) {
  (void)state;
  double k = 1000;
  cb_stretch_law law = {.cloth = "x", .n = 1, .u_force_rel = 0.03, .u_strain_rel = 0.04};
  cb_stretch_value v;
  law.directions[0] = direction(0, 0.1, linear, &k);
  cb_stretch_eval(&law, 0, 0.05, &v);
  assert_near(v.u_N_per_m, 50 * sqrt(0.03 * 0.03 + 0.04 * 0.04 + 0.01 * 0.01), 1e-9);
}

/* ---- directions ---- */

typedef struct sheet {
  double s1, s2, cross;
  cb_stretch_form form;
} sheet;

static double compliance(const sheet *s, double angle_deg) {
  double c = cos(angle_deg * CB_DEG), n = sin(angle_deg * CB_DEG);
  if (s->form == CB_STRETCH_TENSOR) return s->s1 * pow(c, 4) + s->cross * c * c * n * n + s->s2 * pow(n, 4);
  return pow(sqrt(s->s1) * c * c + sqrt(s->cross) * fabs(c * n) + sqrt(s->s2) * n * n, 2);
}

static cb_stretch_law law_of(const sheet *s, const double *angles, size_t n) {
  cb_stretch_law law = {.cloth = "x", .n = n, .form = s->form};
  for (size_t i = 0; i < n; i++) {
    double k = 1 / compliance(s, angles[i]);
    law.directions[i] = direction(angles[i], 0.05, linear, &k);
  }
  return law;
}

static void three_directions_give_the_moduli(void **state) {
  (void)state;
  const sheet sheets[] = {{1e-4, 3e-4, 2e-3, CB_STRETCH_TENSOR}, {1e-4, 3e-4, 2e-3, CB_STRETCH_STRIP}};
  const double angles[][3] = {{0, 45, 90}, {0, 30, 90}, {10, 50, 80}};
  for (size_t k = 0; k < 2; k++)
    for (size_t j = 0; j < 3; j++) {
      cb_stretch_moduli m;
      cb_stretch_law law = law_of(&sheets[k], angles[j], 3);
      cb_stretch_moduli_at(&law, law.form, 0.02, &m);
      assert_true(m.known);
      assert_near(m.e1_N_per_m, 1e4, 1e-6);
      assert_near(m.e2_N_per_m, 1 / 3e-4, 1e-7);
      assert_near(m.cross_m_per_N, 2e-3, 1e-12);
      for (double a = -180; a <= 360; a += 7.5)
        assert_near(cb_stretch_compliance(&m, a, NULL), compliance(&sheets[k], a), 1e-12);
    }
}

/* Of an isotropic sheet: B = 2/E, G = E/(2 (1 + nu)). */
static void an_isotropic_sheet_is_the_same_everywhere(void **state) {
  (void)state;
  const sheet s = {1e-4, 1e-4, 2e-4, CB_STRETCH_TENSOR};
  const double angles[] = {0, 45, 90};
  cb_stretch_law law = law_of(&s, angles, 3);
  cb_stretch_moduli m;
  cb_stretch_moduli_at(&law, CB_STRETCH_TENSOR, 0.03, &m);
  for (double a = 0; a < 90; a += 5) assert_near(cb_stretch_compliance(&m, a, NULL), 1e-4, 1e-15);
  assert_near(cb_stretch_shear_modulus(&m, 0.3), 1e4 / 2.6, 1e-6);
  cb_stretch_moduli_at(&law, CB_STRETCH_STRIP, 0.03, &m);
  assert_near(m.cross_m_per_N, 0, 1e-12);
  for (double a = 0; a < 90; a += 5) assert_near(cb_stretch_compliance(&m, a, NULL), 1e-4, 1e-12);
}

/* dS/dS_i by differences. */
static void uncertainty_goes_through_the_form(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    const sheet s = {1e-4, 3e-4, 2e-3, (cb_stretch_form)form};
    const double angles[] = {0, 20, 45, 90};
    cb_stretch_law law = law_of(&s, angles, 4);
    cb_stretch_moduli m, n;
    double u, sum = 0;
    cb_stretch_moduli_at(&law, s.form, 0.02, &m);
    double at = cb_stretch_compliance(&m, 63, &u);
    for (size_t i = 0; i < 4; i++) {
      cb_stretch_law moved = law;
      /* The weights 1/y^2 move with the value: at an exact fit that changes nothing to first order. */
      for (size_t k = 0; k < law.directions[i].n_knots; k++)
        moved.directions[i].knots[k].force_N_per_m /= 1 + 1e-6;
      cb_stretch_moduli_at(&moved, s.form, 0.02, &n);
      double d = (cb_stretch_compliance(&n, 63, NULL) / at - 1) / 1e-6;
      sum += d * d;
    }
    assert_near(u, 0.01 * sqrt(sum), 1e-4 * u);
  }
}

static void four_directions_show_what_a_form_misses(void **state) {
  (void)state;
  const sheet s = {1e-4, 3e-4, 2e-3, CB_STRETCH_STRIP};
  const double angles[] = {0, 15, 45, 90};
  cb_stretch_law law = law_of(&s, angles, 4);
  cb_stretch_moduli tensor, strip;
  cb_stretch_value v;
  cb_stretch_moduli_at(&law, CB_STRETCH_TENSOR, 0.02, &tensor);
  cb_stretch_moduli_at(&law, CB_STRETCH_STRIP, 0.02, &strip);
  assert_true(strip.rms_rel < 1e-9 && tensor.rms_rel > 0.05);
  law.form = CB_STRETCH_TENSOR;
  cb_stretch_eval(&law, 30, 0.02, &v);
  assert_int_equal(v.basis, CB_STRETCH_BY_FORM);
  assert_true(v.dof >= 3); /* one direction to spare, and the published cloths */
  assert_true(fabs(v.force_N_per_m - 0.02 / compliance(&s, 30)) < cb_student_t(0.95, v.dof) * v.u_N_per_m);
}

/* Beside a tested direction the law says what was measured there, and doubts it little. */
static void a_law_leads_into_its_directions(void **state) {
  (void)state;
  const sheet s = {1e-4, 3e-4, 2e-3, CB_STRETCH_STRIP};
  const double angles[] = {0, 15, 45, 90};
  cb_stretch_law law = law_of(&s, angles, 4);
  cb_stretch_value at, near, far;
  law.form = CB_STRETCH_TENSOR; /* which is wrong, by 8 % at 15 degrees */
  cb_stretch_eval(&law, 45, 0.02, &at);
  cb_stretch_eval(&law, 45.6, 0.02, &near);
  cb_stretch_eval(&law, 65, 0.02, &far);
  assert_near(near.force_N_per_m / at.force_N_per_m, 1, 0.01);
  assert_true(near.u_form_N_per_m / near.force_N_per_m < 0.3 * far.u_form_N_per_m / far.force_N_per_m);
}

/* Where both forms agree the walk is left. At 22.5 degrees the tensor takes w = 0.6036, 0.5 and -0.1036 of
 * the three directions; the sum of w_i d_i less that of w_i w_k d_ik is 0.543 of 22.5 degrees. */
static void the_band_between_directions_has_a_walk(void **state) {
  (void)state;
  const sheet s = {1e-4, 1e-4, 2e-4, CB_STRETCH_TENSOR};
  const double angles[] = {0, 45, 90};
  cb_stretch_law law = law_of(&s, angles, 3);
  cb_stretch_value v;
  cb_stretch_eval(&law, 22.5, 0.02, &v);
  assert_near(v.u_form_N_per_m / v.force_N_per_m, 0.15 * sqrt(0.543), 1e-4);
}

/* Between tensor and strip, and with a sixth harmonic that neither has; drawn anew. Forces are off by 1 %. */
static void bands_hold_what_no_form_says(void **state) {
  (void)state;
  static const double c6[] = {0, 0.03, 0.1};
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  for (size_t n = 3; n <= 7; n += 2)
    for (int i = 0; i < 3; i++) {
      int in = 0, of = 0;
      for (int c = 0; c < 500; c++) {
        const sheet t = {1e-4, 3e-4, 2e-3, CB_STRETCH_TENSOR}, s = {1e-4, 3e-4, 2e-3, CB_STRETCH_STRIP};
        const double mix = cb_rng_uniform(&rng), h = c6[i] * cb_rng_normal(&rng);
        double truth[13], fitted[3];
        cb_stretch_law law = {.cloth = "x", .n = n};
        for (size_t k = 0; k < 2 * n - 1; k++) {
          const double deg = 45.0 * (double)k / (double)(n - 1);
          truth[k] = exp(h * cos(6 * deg * CB_DEG)) /
                     (pow(compliance(&t, deg), mix) * pow(compliance(&s, deg), 1 - mix));
          double off = truth[k] * (1 + 0.01 * cb_rng_normal(&rng));
          if (k % 2 == 0)
            law.directions[k / 2] = direction(deg, 0.05, linear, &off), law.directions[k / 2].dof = 30;
        }
        for (int f = 0; f < 2; f++) {
          cb_stretch_moduli m;
          cb_stretch_moduli_at(&law, (cb_stretch_form)f, 0.02, &m);
          fitted[f] = m.known ? m.rms_rel : INFINITY;
        }
        law.form =
            fitted[CB_STRETCH_STRIP] < fitted[CB_STRETCH_TENSOR] ? CB_STRETCH_STRIP : CB_STRETCH_TENSOR;
        for (size_t k = 1; k < 2 * n - 1; k += 2) {
          cb_stretch_value v;
          cb_stretch_eval(&law, 45.0 * (double)k / (double)(n - 1), 0.02, &v);
          in += fabs(v.force_N_per_m - 0.02 * truth[k]) <= cb_student_t(0.95, v.dof) * v.u_N_per_m, of++;
        }
      }
      print_message("%zu directions, sixth harmonic %.2f: %.1f %% between them\n", n, c6[i], 100.0 * in / of);
      assert_true(in >= 0.93 * of);
    }
}

/* With three, the two forms bound each other. */
static void three_directions_leave_the_form_open(void **state) {
  (void)state;
  const sheet s = {1e-4, 3e-4, 2e-3, CB_STRETCH_STRIP};
  const double angles[] = {0, 45, 90};
  cb_stretch_law law = law_of(&s, angles, 3);
  cb_stretch_value strip, tensor;
  cb_stretch_eval(&law, 20, 0.02, &strip);
  law.form = CB_STRETCH_TENSOR;
  cb_stretch_eval(&law, 20, 0.02, &tensor);
  double apart = fabs(strip.force_N_per_m - tensor.force_N_per_m);
  assert_true(apart > 0.01 * strip.force_N_per_m);
  assert_true(strip.u_form_N_per_m > apart / sqrt(3));
  assert_near(strip.slope_N_per_m, strip.force_N_per_m / 0.02, 1e-4 * strip.slope_N_per_m);
  assert_near(strip.sd_N_per_m, 0.02 * strip.force_N_per_m, 1e-9);
}

static void what_cannot_be_told_is_nothing(void **state) {
  (void)state;
  const sheet s = {1e-4, 3e-4, 2e-3, CB_STRETCH_TENSOR};
  const double two[] = {0, 90}, close[] = {44, 44.8, 45.6};
  cb_stretch_law law = law_of(&s, two, 2), near = law_of(&s, close, 3);
  cb_stretch_value v;
  cb_stretch_eval(&law, 30, 0.02, &v);
  assert_int_equal(v.basis, CB_STRETCH_BY_NOTHING);
  assert_true(isnan(v.force_N_per_m));
  cb_stretch_eval(&near, 0, 0.02, &v);
  assert_int_equal(v.basis, CB_STRETCH_BY_NOTHING);
}

static void laws_that_cannot_be_are_refused(void **state) {
  (void)state;
  double k = 1000;
  cb_stretch_law law = {.cloth = "x", .n = 1}, bad;
  law.directions[0] = direction(0, 0.1, linear, &k);
  assert_ok(cb_stretch_law_check(&law, err));
  bad = law, bad.n = 0;
  assert_fails(CB_E_RANGE, "0 directions", cb_stretch_law_check(&bad, err));
  bad = law, bad.directions[0].angle_deg = 91;
  assert_fails(CB_E_RANGE, "91 deg", cb_stretch_law_check(&bad, err));
  bad = law, bad.directions[0].knots[3].force_N_per_m = 1;
  assert_fails(CB_E_RANGE, "must not fall", cb_stretch_law_check(&bad, err));
  bad = law, bad.directions[0].knots[0].force_N_per_m = 1;
  assert_fails(CB_E_RANGE, "must be (0, 0)", cb_stretch_law_check(&bad, err));
  bad = law, bad.directions[0].knots[2].u_N_per_m = NAN;
  assert_fails(CB_E_RANGE, "must be >= 0", cb_stretch_law_check(&bad, err));
  bad = law, bad.directions[0].knots[0].u_N_per_m = -1;
  assert_fails(CB_E_RANGE, "knot 0: u = -1", cb_stretch_law_check(&bad, err));
  bad = law, bad.directions[0].n_knots = 1;
  assert_fails(CB_E_RANGE, "1 knot,", cb_stretch_law_check(&bad, err));
}

/* ---- finite elements ---- */

/* A cloth whose three curves are straight in Green-Lagrange strain: S_uu = a E_uu, S_vv = b E_vv, S_uv = g
 * E_uv. */
typedef struct volino {
  double a, b, g;
} volino;

static double along(double e, const void *p) { return *(const double *)p * (e + 0.5 * e * e) * (1 + e); }
static double on_the_bias(double e, const void *p) {
  const volino *v = p;
  double green = e + 0.5 * e * e, s = green / (0.5 / v->a + 0.5 / v->b + 1 / v->g); /* S_xx / 2 */
  return 2 * s * (1 + e);
}

static void the_bias_strip_gives_the_shear_curve(void **state) {
  (void)state;
  const volino v = {2000, 3000, 150};
  cb_stretch_law law = {.cloth = "x", .n = 3};
  cb_stretch_green g;
  law.directions[0] = direction(0, 0.4, along, &v.a);
  law.directions[1] = direction(45, 0.4, on_the_bias, &v);
  law.directions[2] = direction(90, 0.4, along, &v.b);
  const double truth[] = {v.a, v.b, v.g};
  for (int axis = 0; axis < 3; axis++) {
    cb_stretch_green_curve(&law, (cb_stretch_axis)axis, &g);
    assert_int_equal(g.n, CB_STRETCH_MAX_KNOTS);
    for (size_t i = 1; i < g.n; i++)
      assert_near(g.stress_N_per_m[i], truth[axis] * g.strain[i], 1e-9 * truth[axis]);
    assert_near(cb_stretch_green_stress(&g, 0.05), truth[axis] * 0.05, 1e-9 * truth[axis]);
  }
  /* u of the shear: 1 % of three curves; at the same stress E_uv = E_xx - (E_uu + E_vv) / 2. */
  double s = g.stress_N_per_m[20], up = hypot(0.01 * s, v.g * 0.5 * 0.01 * hypot(s / v.a, s / v.b));
  assert_near(g.u_N_per_m[20], up, 0.05 * up);
}

static void no_bias_no_shear(void **state) {
  (void)state;
  double k = 1000, soft = 100;
  cb_stretch_law law = {.cloth = "x", .n = 2};
  cb_stretch_green g;
  cb_stretch_wang w;
  bool beyond;
  law.directions[0] = direction(0, 0.1, linear, &soft);
  law.directions[1] = direction(90, 0.1, linear, &soft);
  cb_stretch_green_curve(&law, CB_STRETCH_SHEAR, &g);
  assert_int_equal(g.n, 0);
  assert_false(cb_stretch_wang_of(&law, &w, &beyond));
  /* Stiffer on the bias than along the yarns: no shear curve that could carry that. */
  law.n = 3;
  law.directions[2] = law.directions[1];
  law.directions[1] = direction(45, 0.1, linear, &k);
  cb_stretch_green_curve(&law, CB_STRETCH_SHEAR, &g);
  assert_int_equal(g.n, 0);
}

/* ---- Wang ---- */

static const cb_stretch_wang table = {{{100, 10, 200, 30},
                                       {110, 11, 210, 31},
                                       {120, 12, 220, 32},
                                       {130, 13, 230, 33},
                                       {140, -14, 240, 34},
                                       {150, 15, 250, 35}}};

/* Green-Lagrange strain of a stretch w along a direction, none across. */
static void stretched(double w, double angle_deg, double green[3]) {
  double e = 0.5 * (w * w - 1), c = cos(angle_deg * CB_DEG), s = sin(angle_deg * CB_DEG);
  green[0] = e * c * c, green[1] = e * s * s, green[2] = e * s * c;
}

static void the_table_is_read_at_its_places(void **state) {
  (void)state;
  double green[3] = {0, 0, 0}, k[4];
  cb_stretch_wang_stiffness(&table, green, k);
  for (int j = 0; j < 4; j++) assert_near(k[j], 2 * table.c_N_per_m[0][j], 1e-12);
  for (int row = 1; row < CB_WANG_ROWS; row++) {
    stretched(CB_WANG_STRETCH, 22.5 * (row - 1), green);
    cb_stretch_wang_stiffness(&table, green, k);
    for (int j = 0; j < 4; j++) assert_near(k[j], 2 * fmax(table.c_N_per_m[row][j], 0), 1e-9);
    green[2] = -green[2]; /* shear to the other side is the same */
    cb_stretch_wang_stiffness(&table, green, k);
    assert_near(k[0], 2 * table.c_N_per_m[row][0], 1e-9);
  }
  stretched(1 + 1 / 12.0, 33.75, green); /* half the stretch, between rows 2 and 3 */
  cb_stretch_wang_stiffness(&table, green, k);
  assert_near(k[0], 2 * (0.5 * 100 + 0.25 * (120 + 130)), 1e-9);
  stretched(1.5, 0, green); /* beyond: as at the end */
  cb_stretch_wang_stiffness(&table, green, k);
  assert_near(k[2], 2 * 210, 1e-9);
}

static void its_stress_is_the_energy_s_slope(void **state) {
  (void)state;
  double green[3] = {0.02, 0.01, 0.03}, s[3], k[4];
  cb_stretch_wang_stress(&table, green, s);
  cb_stretch_wang_stiffness(&table, green, k);
  /* W at fixed k; Euv stands for two components. */
  assert_near(s[0], k[0] * green[0] + k[1] * green[1], 1e-12);
  assert_near(s[1], k[2] * green[1] + k[1] * green[0], 1e-12);
  assert_near(2 * s[2] * green[2], k[3] * green[2] * green[2], 1e-12);
}

static void a_linear_cloth_makes_a_constant_table(void **state) {
  (void)state;
  const volino v = {2000, 3000, 150};
  cb_stretch_law law = {.cloth = "x", .n = 3};
  cb_stretch_wang w;
  bool beyond;
  law.directions[0] = direction(0, 0.4, along, &v.a);
  law.directions[1] = direction(45, 0.4, on_the_bias, &v);
  law.directions[2] = direction(90, 0.4, along, &v.b);
  assert_true(cb_stretch_wang_of(&law, &w, &beyond));
  assert_false(beyond);
  for (int row = 0; row < CB_WANG_ROWS; row++) {
    double green[3], s[3];
    stretched(row ? CB_WANG_STRETCH : 1.01, row ? 22.5 * (row - 1) : 0, green);
    cb_stretch_wang_stress(&w, green, s);
    assert_near(s[0], v.a * green[0], 1e-6 * v.a);
    assert_near(s[1], v.b * green[1], 1e-6 * v.b);
    assert_near(s[2], v.g * green[2], 1e-6 * v.g);
  }
}

/* k fixed: along the warp P = (1 + e) (k11 - k12^2/k22) E; on the bias without coupling as above. */
static void a_strip_of_the_table_has_free_edges(void **state) {
  (void)state;
  cb_stretch_wang w;
  const volino v = {2000, 3000, 150};
  for (int row = 0; row < CB_WANG_ROWS; row++)
    memcpy(w.c_N_per_m[row], (double[]){1000, 400, 1500, 150}, 4 * sizeof(double));
  for (double e = 0.01; e < 0.15; e += 0.02)
    assert_near(cb_stretch_wang_strip(&w, 0, e), (1 + e) * (2000 - 800 * 800 / 3000.0) * (e + 0.5 * e * e),
                1e-6);
  for (int row = 0; row < CB_WANG_ROWS; row++) w.c_N_per_m[row][1] = 0;
  for (double e = 0.01; e < 0.1; e += 0.02) {
    assert_near(cb_stretch_wang_strip(&w, 45, e), on_the_bias(e, &v), 1e-6);
    assert_near(cb_stretch_wang_strip(&w, -45, e), on_the_bias(e, &v), 1e-6);
  }
  for (int row = 0; row < CB_WANG_ROWS; row++) w.c_N_per_m[row][3] = 0;
  assert_near(cb_stretch_wang_strip(&w, 45, 0.05), 0, 1e-6); /* without shear stiffness nothing carries it */
}

static void a_law_may_be_a_table_only(void **state) {
  (void)state;
  cb_stretch_law law = {.cloth = "x", .has_wang = true, .wang = table};
  cb_stretch_value v;
  assert_ok(cb_stretch_law_check(&law, err));
  cb_stretch_eval(&law, 20, 0.05, &v);
  assert_int_equal(v.basis, CB_STRETCH_BY_TABLE);
  assert_true(v.force_N_per_m > 0 && v.slope_N_per_m > 0 && isnan(v.u_N_per_m));
  assert_near(cb_stretch_strain(&law, 20, v.force_N_per_m), 0.05, 1e-9);
  cb_stretch_eval(&law, 20, 0.2, &v);
  assert_false(v.inside_measured_range);
}

/* A triangle stores what its piece of cloth stores, whichever a its author chose. */
static void k_and_lambda_hold_the_same_energy(void **state) {
  (void)state;
  const cb_stretch_direction d = {.k1_N_per_m = 300, .k3_N_per_m = 7e4};
  const double area = 6e-4, e = 0.07, scales[] = {6e-4, sqrt(6e-4), 1};
  for (int i = 0; i < 3; i++) {
    double k, lambda, c = scales[i] * e;
    cb_stretch_k_lambda(&d, area, scales[i], &k, &lambda);
    assert_near(0.5 * k * c * c + 0.25 * lambda * c * c * c * c,
                area * (150 * e * e + 0.25 * 7e4 * e * e * e * e), 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_curve_goes_through_its_knots_and_never_falls),
      cmocka_unit_test(flat_pieces_stay_flat),
      cmocka_unit_test(beyond_the_last_knot_it_goes_on_straight_and_knows_less),
      cmocka_unit_test(calibrations_are_shared),
      cmocka_unit_test(three_directions_give_the_moduli),
      cmocka_unit_test(an_isotropic_sheet_is_the_same_everywhere),
      cmocka_unit_test(uncertainty_goes_through_the_form),
      cmocka_unit_test(four_directions_show_what_a_form_misses),
      cmocka_unit_test(a_law_leads_into_its_directions),
      cmocka_unit_test(the_band_between_directions_has_a_walk),
      cmocka_unit_test(bands_hold_what_no_form_says),
      cmocka_unit_test(three_directions_leave_the_form_open),
      cmocka_unit_test(what_cannot_be_told_is_nothing),
      cmocka_unit_test(laws_that_cannot_be_are_refused),
      cmocka_unit_test(the_bias_strip_gives_the_shear_curve),
      cmocka_unit_test(no_bias_no_shear),
      cmocka_unit_test(the_table_is_read_at_its_places),
      cmocka_unit_test(its_stress_is_the_energy_s_slope),
      cmocka_unit_test(a_linear_cloth_makes_a_constant_table),
      cmocka_unit_test(a_strip_of_the_table_has_free_edges),
      cmocka_unit_test(a_law_may_be_a_table_only),
      cmocka_unit_test(k_and_lambda_hold_the_same_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
