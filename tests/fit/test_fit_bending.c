/* The fit of bending against cloths whose law is known: exactly, by coverage, and where there is next to
 * nothing to fit. */
#include <math.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_bending.h"
#include "fit_elastica.h"
#include "fit_bending_impl.h"

#define W 0.15 /* kg/m2 */
#define G CB_STANDARD_GRAVITY_M_PER_S2
#define MAX_TESTS 200
#define MAX_POINTS 400

/* ---- a laboratory ---- */

typedef struct lab {
  cb_material_test test[MAX_TESTS];
  cb_test_point point[MAX_TESTS][MAX_POINTS];
  fit_bending_input in[MAX_TESTS];
  size_t n;
} lab;

static lab *lab_new(void) {
  lab *l = calloc(1, sizeof *l);
  assert_non_null(l);
  return l;
}

static fit_bending_input *add(lab *l, cb_test_kind kind, double angle_deg, const char *specimen) {
  assert_true(l->n < MAX_TESTS);
  cb_material_test *t = &l->test[l->n];
  *t = (cb_material_test){
      .kind = kind, .direction_deg = angle_deg, .repeat = 1, .layers = 1, .origin = CB_IMPORTED};
  if (kind == CB_TEST_CANTILEVER) t->areal_density_kg_per_m2 = W;
  (void)snprintf(t->specimen, sizeof t->specimen, "%s", specimen);
  l->in[l->n] = (fit_bending_input){.test = t, .points = l->point[l->n]};
  return &l->in[l->n++];
}

static void push(lab *l, fit_bending_input *in, double x, double y) {
  size_t i = (size_t)(in - l->in);
  assert_true(in->n < MAX_POINTS);
  l->point[i][in->n++] = (cb_test_point){x, y};
}

static double overhang_of(double B, double chord_rad) {
  return cbrt(fit_elastica_of_chord(chord_rad).load * B / (W * G));
}
static double chord_of(double B, double overhang_m) {
  return fit_elastica_of_load(W * G * pow(overhang_m, 3) / B).chord_rad;
}

/* A fixed-angle cantilever. */
static void cantilever(lab *l, double angle_deg, const char *specimen, double B, double chord_rad) {
  fit_bending_input *in = add(l, CB_TEST_CANTILEVER, angle_deg, specimen);
  push(l, in, overhang_of(B, fabs(chord_rad)), chord_rad);
}

/* KES-FB2: 0 -> +2.5 -> -2.5 -> 0 1/cm, moment = B K + offset, ahead by half the width in the direction of
 * motion. */
static fit_bending_input *kes(lab *l, double angle_deg, const char *specimen, const double B[2], double width,
                              double noise, cb_rng *rng) {
  fit_bending_input *in = add(l, CB_TEST_BENDING_MOMENT, angle_deg, specimen);
  for (int i = 0; i < 200; i++) {
    double K = i < 50 ? 5 * i : i < 150 ? 500 - 5 * i : 5 * i - 1000, sign = i <= 50 || i > 150 ? 1 : -1;
    double moment = B[K < 0] * K + sign * width / 2 + 2e-4 + (rng ? noise * cb_rng_normal(rng) : 0);
    push(l, in, K, moment);
  }
  return in;
}

static fit_bending_result fitted(const lab *l) {
  fit_bending_result r;
  fit_bending_options opt = fit_bending_options_default();
  assert_ok(fit_bending(l->in, l->n, &opt, &r, NULL, err));
  return r;
}

static double truth(const double B[3], double deg) {
  return cb_bending_form_B(CB_BENDING_ORTHOTROPIC, B, deg * CB_DEG, NULL);
}

static cb_bending_value value(const fit_bending_result *r, double deg) {
  cb_bending_value v;
  cb_bending_eval(&r->law, deg * CB_DEG, NAN, &v);
  return v;
}

/* ---- exact ---- */

static void cantilevers_give_back_the_rigidity(void **state) {
  (void)state;
  for (double B = 1e-7; B < 1e-3; B *= 7)
    for (double chord = 1; chord < 89; chord += 9.5) {
      lab *l = lab_new();
      cantilever(l, 0, "", B, chord * CB_DEG);
      fit_bending_result r = fitted(l);
      assert_int_equal(r.outcome, FIT_BENDING_OK);
      assert_near(r.directions[0].B_Nm / B, 1, 1e-10);
      assert_near(value(&r, 0).B_Nm / B, 1, 1e-10);
      assert_near(r.directions[0].length_m, cbrt(B / (W * G)), 1e-10);
      double peirce = W * G * pow(overhang_of(B, chord * CB_DEG), 3) * cos(0.5 * chord * CB_DEG) /
                      (8 * tan(chord * CB_DEG));
      assert_near(r.directions[0].peirce_Nm / peirce, 1, 1e-12);
      free(l);
    }
}

static void three_directions_give_the_plate(void **state) {
  (void)state;
  const double B[3] = {4e-6, 1e-6, 9e-6};
  lab *l = lab_new();
  for (int deg = 0; deg <= 90; deg += 45)
    for (int s = 0; s < 3; s++)
      cantilever(l, s == 1 ? -deg : s == 2 ? 180 + deg : deg, "", truth(B, deg), 41.5 * CB_DEG);
  fit_bending_result r = fitted(l);
  assert_int_equal(r.n_directions, 3);
  assert_int_equal(r.n_specimens, 9);
  assert_int_equal(r.law.form, CB_BENDING_ORTHOTROPIC);
  assert_int_equal(r.direction_basis, FIT_FROM_REPEATS);
  for (int i = 0; i < 3; i++) assert_near(r.law.B_Nm[i] / B[i], 1, 1e-9);
  for (int deg = 0; deg < 180; deg += 5) assert_near(value(&r, deg).B_Nm / truth(B, deg), 1, 1e-9);
  assert_near(r.isotropy.effect, 100 * (9.0 / 3.75 - 1), 1e-6);
  free(l);
}

static void moments_give_rigidity_and_width(void **state) {
  (void)state;
  const double face_back[2] = {8e-6, 6e-6};
  lab *l = lab_new();
  (void)kes(l, 0, "a", face_back, 4e-4, 0, NULL);
  (void)kes(l, 90, "a", (double[2]){2e-6, 2e-6}, 1e-4, 0, NULL);
  fit_bending_result r = fitted(l);
  assert_int_equal(r.n_directions, 2);
  assert_near(r.directions[0].face_Nm, 8e-6, 1e-16);
  assert_near(r.directions[0].back_Nm, 6e-6, 1e-16);
  assert_near(r.directions[0].B_Nm, 7e-6, 1e-16);
  assert_near(r.directions[0].width_N, 4e-4, 1e-14);
  assert_near(r.law.width_N[1], 1e-4, 1e-14);
  assert_near(value(&r, 0).B_Nm, 7e-6, 1e-14);
  assert_true(isnan(r.directions[0].peirce_Nm) && isnan(r.directions[0].length_m));
  assert_near(r.law.curvature_per_m, 100, 0);
  free(l);
}

/* A specimen counts once, however often it was tested; its face and back count alike. */
static void specimens_are_averaged_first(void **state) {
  (void)state;
  lab *l = lab_new();
  for (int i = 0; i < 7; i++) cantilever(l, 0, "a", 4e-6, 40 * CB_DEG);
  cantilever(l, 0, "a", 2e-6, -40 * CB_DEG);
  cantilever(l, 0, "b", 5e-6, 40 * CB_DEG);
  fit_bending_result r = fitted(l);
  assert_int_equal(r.n_specimens, 2);
  assert_near(r.directions[0].B_Nm, 4e-6, 1e-15);
  assert_near(r.directions[0].face_Nm, 4.5e-6, 1e-15);
  assert_near(r.directions[0].back_Nm, 2e-6, 1e-15);
  assert_near(r.directions[0].sd_Nm, sqrt(2) * 1e-6, 1e-15);
  free(l);
}

/* The first bending of a piece is stiffer: its share joins the budget. Other sides are no repeats, nor are
 * tests that name no piece. */
static void first_tests_that_differ(void **state) {
  (void)state;
  static const char *const pieces[] = {"a", "b", ""};
  for (int named = 0; named < 2; named++) {
    lab *l = lab_new();
    for (int i = 0; i < 12; i++) {
      const double B = (i % 4 == 0 ? 9e-6 : 8e-6) * (1 + 0.002 * (i % 4)) * (i < 4 ? 1 : 1.2);
      kes(l, i < 8 ? 0 : 90, pieces[named ? i / 4 % 2 : 2], (const double[]){B, B}, 1e-3, 0, NULL);
    }
    const fit_bending_result r = fitted(l);
    const fit_bending_entry *last = &r.entries[r.n_entries - 1];
    assert_true(r.first.done == named);
    if (named) {
      assert_near(r.first.effect, 12, 0.5);
      assert_true(r.first.p_value < 1e-6 && r.first.dof2 == 8);
      assert_string_equal(last->name, "first tests");
      assert_near(last->u_rel, r.first.effect / 200, 1e-12);
      assert_near(r.law.u_rel_common, last->u_rel, 1e-12);
    } else
      assert_string_equal(last->name, "moment");
    free(l);
  }
  lab *l = lab_new();
  for (int i = 0; i < 6; i++)
    cantilever(l, 0, i < 3 ? "a" : "b", i % 3 ? 4e-6 : 2e-6, (i % 3 ? 40 : -40) * CB_DEG);
  assert_near(fitted(l).first.effect, 0, 1e-9);
  free(l);
}

/* One specimen, one overhang: every line of the budget by hand. */
static void the_budget(void **state) {
  (void)state;
  lab *l = lab_new();
  double chord = 41.5 * CB_DEG, L = overhang_of(5e-6, chord), h = 1e-5;
  cantilever(l, 0, "", 5e-6, chord);
  l->test[0].x_digit = 1e-3, l->test[0].u_x_rel = 0.002;
  fit_bending_result r = fitted(l);
  double slope = log(fit_elastica_of_chord(chord + h).load / fit_elastica_of_chord(chord - h).load) / (2 * h);
  assert_int_equal(r.n_entries, 5);
  assert_near(r.entries[0].u_rel, hypot(0.1, 3e-3 / sqrt(12) / L), 1e-9);
  assert_near(r.entries[1].u_rel, 0.006, 1e-12);
  assert_near(r.entries[2].u_rel, slope * 0.5 * CB_DEG / sqrt(3), 5e-6);
  assert_near(r.entries[3].u_rel, 0.01, 1e-15);
  assert_near(r.law.u_rel_common,
              sqrt(0.006 * 0.006 + pow(r.entries[2].u_rel, 2) + 0.01 * 0.01 + 0.0015 * 0.0015), 1e-12);
  double a = r.entries[0].u_rel * r.entries[0].u_rel, c = r.law.u_rel_common * r.law.u_rel_common;
  assert_near(r.law.dof, (a + c) * (a + c) / (a * a / 2), 1e-9);
  assert_int_equal(r.scatter_basis, FIT_ASSUMED);
  /* A calibrated angle, and one that is read with a digit. */
  l->test[0].u_y_rel = 0.01;
  r = fitted(l);
  assert_near(r.entries[2].u_rel, slope * 0.01 * chord, 5e-6);
  l->test[0].u_y_rel = 0, l->test[0].y_digit = 0.5 * CB_DEG;
  r = fitted(l);
  assert_near(r.entries[2].u_rel, 0, 0);
  assert_near(r.entries[0].u_rel,
              sqrt(0.01 + pow(3e-3 / sqrt(12) / L, 2) + pow(slope * 0.5 * CB_DEG, 2) / 12), 5e-6);
  free(l);
}

/* ---- statistics ---- */

typedef struct tally {
  int in, of;
} tally;

static void count(tally *t, double got, double u, double dof, double want) {
  t->in += fabs(got - want) <= cb_student_t(0.95, dof) * u;
  t->of++;
}

static void expect_share(const char *what, tally t, double low, double high) {
  double share = (double)t.in / t.of;
  if (share < low || share > high)
    fail_msg("%s: %.1f %% of %d, %g to %g %% wanted", what, 100 * share, t.of, 100 * low, 100 * high);
}

/* Five specimens in three directions, each face and back, at a fixed angle that is off by what the standard
 * allows; the areal density is off by its uncertainty, the overhangs are rounded to 0.5 mm. */
static void cantilevers_cover(void **state) {
  (void)state;
  const double B[3] = {4e-6, 3e-6, 9e-6};
  enum { CAMPAIGNS = 1000 };
  tally t[4] = {{0}};
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  lab *l = lab_new();
  for (int c = 0; c < CAMPAIGNS; c++) {
    l->n = 0;
    double density = 1 + 0.01 * cb_rng_normal(&rng),
           angle = (41.5 + 0.5 * (2 * cb_rng_uniform(&rng) - 1)) * CB_DEG;
    for (int deg = 0; deg <= 90; deg += 45)
      for (int s = 0; s < 5; s++) {
        double own = truth(B, deg) * (1 + 0.08 * cb_rng_normal(&rng));
        char name[8];
        (void)snprintf(name, sizeof name, "%d", s);
        for (int side = 0; side < 2; side++) {
          fit_bending_input *in = add(l, CB_TEST_CANTILEVER, deg, name);
          push(l, in, 5e-4 * round(overhang_of(own * (side ? 0.9 : 1.1), angle) / 5e-4),
               (side ? -41.5 : 41.5) * CB_DEG);
          l->test[l->n - 1].x_digit = 5e-4;
          l->test[l->n - 1].areal_density_kg_per_m2 = W * density;
        }
      }
    fit_bending_result r = fitted(l);
    for (int i = 0; i < 3; i++) {
      cb_bending_value v = value(&r, 45 * i);
      count(&t[i], v.B_Nm, v.u_B_Nm, v.dof, truth(B, 45 * i));
    }
    double H = r.law.B_Nm[1];
    count(&t[3], H, hypot(sqrt(r.law.cov_N2m2[1][1]), r.law.u_rel_common * H), r.law.dof, B[1]);
    assert_true(r.sides.done && r.sides.p_value < 0.05);
  }
  expect_share("warp", t[0], 0.93, 0.97);
  expect_share("bias", t[1], 0.93, 0.97);
  expect_share("weft", t[2], 0.93, 0.97);
  expect_share("H", t[3], 0.93, 0.97);
  free(l);
}

/* KES curves with noisy moments, specimens that scatter, one instrument whose moment is off by 1 %. */
static void moments_cover(void **state) {
  (void)state;
  const double B[3] = {4e-6, 3e-6, 9e-6};
  tally t[2] = {{0}}, false_alarms = {0};
  cb_rng rng;
  cb_rng_init(&rng, 7, 2);
  lab *l = lab_new();
  for (int c = 0; c < 2000; c++) {
    l->n = 0;
    double gain = 1 + 0.01 * cb_rng_normal(&rng);
    for (int deg = 0; deg <= 90; deg += 45)
      for (int s = 0; s < 3; s++) {
        double own = gain * truth(B, deg) * (1 + 0.05 * cb_rng_normal(&rng));
        (void)kes(l, deg, "", (double[2]){own, own}, 3e-4 * gain * (1 + 0.1 * cb_rng_normal(&rng)), 5e-6,
                  &rng);
        l->test[l->n - 1].u_y_rel = 0.01;
      }
    fit_bending_result r = fitted(l);
    r.law.u_rel_between = 0; /* the truth is a plate */
    cb_bending_value v = value(&r, 30);
    count(&t[0], v.B_Nm, v.u_B_Nm, v.dof, truth(B, 30));
    count(&t[1], v.width_N, v.u_width_N, 2 * 3, 3e-4);
    assert_true(r.constancy.done);
    false_alarms.in += r.constancy.p_value < 0.05;
    false_alarms.of++;
  }
  expect_share("B at 30 degrees", t[0], 0.93, 0.97);
  expect_share("2HB at 30 degrees", t[1], 0.93, 0.98);
  expect_share("false alarms of constancy", false_alarms, 0.03, 0.07);
  free(l);
}

/* Angles that are read off, at overhangs that are set: the same B everywhere must not look like one that
 * depends on the curvature; one that does must be found. */
static void constancy(void **state) {
  (void)state;
  tally alarms = {0}, exponents = {0};
  cb_rng rng;
  cb_rng_init(&rng, 7, 3);
  lab *l = lab_new();
  for (int c = 0; c < 150; c++)
    for (int soft = 0; soft < 2; soft++) {
      l->n = 0;
      for (int s = 0; s < 3; s++) {
        fit_bending_input *in = add(l, CB_TEST_CANTILEVER, 0, "");
        double own = 4e-6 * (1 + 0.05 * cb_rng_normal(&rng));
        for (double L = 0.02; L < 0.06; L += 0.008) {
          double B = own;
          for (int i = 0; i < 15 && soft; i++) {
            fit_elastica e = fit_elastica_of_load(W * G * L * L * L / B);
            B = own * pow(sqrt(e.square_curvature) / L / 30, -0.3);
          }
          push(l, in, L, chord_of(B, L) + 0.3 * CB_DEG * cb_rng_normal(&rng));
        }
        l->test[l->n - 1].y_digit = 0.1 * CB_DEG;
      }
      fit_bending_result r = fitted(l);
      assert_true(r.constancy.done);
      if (soft) {
        assert_true(r.constancy.p_value < 0.01 && r.law.exponent < 0);
        count(&exponents, r.constancy.effect, r.law.u_exponent, r.constancy.dof2, -0.3);
        cb_bending_value v;
        cb_bending_eval(&r.law, 0, 30, &v);
        assert_near(v.B_Nm / 4e-6, 1, 0.25);
      } else {
        double slope = r.constancy.effect, u = slope / r.constancy.statistic;
        assert_near(r.law.u_exponent, r.law.exponent != 0 ? u : hypot(u, slope), 1e-9);
        alarms.in += r.constancy.p_value < 0.05;
        alarms.of++;
      }
    }
  expect_share("false alarms", alarms, 0.01, 0.10);
  expect_share("exponent", exponents, 0.9, 1);
  free(l);
}

/* Seven directions, five specimens each: the form that made the data is chosen, and AICc names the others. */
static void forms_are_told_apart(void **state) {
  (void)state;
  int right[CB_BENDING_TABLE] = {0};
  cb_rng rng;
  cb_rng_init(&rng, 7, 4);
  lab *l = lab_new();
  for (int c = 0; c < 60; c++)
    for (int form = 0; form < CB_BENDING_TABLE; form++) {
      double B[3] = {3e-6, 1e-6, 12e-6};
      if (form == CB_BENDING_ISOTROPIC) B[1] = B[2] = B[0];
      l->n = 0;
      for (int deg = 0; deg <= 90; deg += 15)
        for (int s = 0; s < 5; s++) {
          double b = cb_bending_form_B((cb_bending_form)form, B, deg * CB_DEG, NULL);
          cantilever(l, deg, "", b * (1 + 0.06 * cb_rng_normal(&rng)), 41.5 * CB_DEG);
        }
      fit_bending_result r = fitted(l);
      for (int f = 0; f < CB_BENDING_TABLE; f++) assert_true(r.aicc[r.law.form] <= r.aicc[f]);
      right[form] += (int)r.law.form == form;
      assert_true(r.shape.done);
    }
  for (int form = 0; form < CB_BENDING_TABLE; form++) assert_true(right[form] > 45);
  free(l);
}

/* ---- cloths that no form can say ---- */

/* A sixth harmonic on top of the plate, and friction on the bias that is no mean of warp and weft. */
typedef struct strange {
  double c6, bias;
} strange;

static double strange_B(const strange *t, double deg) {
  const double B[3] = {4e-6, 3e-6, 9e-6};
  return truth(B, deg) * exp(t->c6 * cos(6 * deg * CB_DEG));
}

static double strange_width(const strange *t, double deg) {
  return 3e-4 * (1 + pow(cos(deg * CB_DEG), 2)) * exp(t->bias * pow(sin(2 * deg * CB_DEG), 2));
}

/* Four specimens each at 0, 90 / (n - 1) ... 90 degrees; counted there, and half way between. */
static void play_strange(int n, double c6, double bias, tally at[2], tally of_widths[2]) {
  cb_rng rng;
  cb_rng_init(&rng, 7, 8);
  lab *l = lab_new();
  for (int c = 0; c < 400; c++) {
    const strange t = {c6 * cb_rng_normal(&rng), bias * cb_rng_normal(&rng)};
    l->n = 0;
    for (int k = 0; k < 4 * n; k++) {
      const double deg = 90.0 * (k % n) / (n - 1), B = strange_B(&t, deg) * (1 + 0.05 * cb_rng_normal(&rng));
      (void)kes(l, deg, "", (double[2]){B, B}, strange_width(&t, deg) * (1 + 0.1 * cb_rng_normal(&rng)), 5e-6,
                &rng);
    }
    const fit_bending_result r = fitted(l);
    for (int k = 0; k < 2 * n - 1; k++) {
      const double deg = 45.0 * k / (n - 1);
      const cb_bending_value v = value(&r, deg);
      count(&at[k % 2], v.B_Nm, v.u_B_Nm, v.dof, strange_B(&t, deg));
      count(&of_widths[k % 2], v.width_N, v.u_width_N, v.dof, strange_width(&t, deg));
    }
  }
  free(l);
}

/* Three directions say nothing of B between them; there a walk is assumed (docs/method/misfit.md). */
static void bands_hold_what_no_form_says(void **state) {
  (void)state;
  static const double size[][2] = {{0, 0}, {0.03, 0.1}, {0.1, 0.3}, {0.3, 0.7}};
  for (int n = 3; n <= 7; n += 2)
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
      tally at[2] = {{0}}, of_widths[2] = {{0}};
      play_strange(n, size[i][0], size[i][1], at, of_widths);
      print_message("%d directions, %.2f, %.2f: B %.1f and %.1f %%, 2HB %.1f and %.1f %%\n", n, size[i][0],
                    size[i][1], 100.0 * at[0].in / at[0].of, 100.0 * at[1].in / at[1].of,
                    100.0 * of_widths[0].in / of_widths[0].of, 100.0 * of_widths[1].in / of_widths[1].of);
      expect_share("B where measured", at[0], 0.93, 1);
      if (n > 3 || size[i][0] < 0.1) expect_share("B between", at[1], 0.93, 1);
      if (n == 3 && size[i][0] == 0.1) expect_share("B between", at[1], 0.8, 0.93);
      if (n == 3 && size[i][0] == 0.3) expect_share("B between", at[1], 0.35, 0.5);
      expect_share("2HB where measured", of_widths[0], 0.93, 1);
      expect_share("2HB between", of_widths[1], 0.93, 1);
    }
}

/* ln B departs from the plate as a walk of 0.15 in 22.5 degrees: near the tested directions, too. */
static void a_walk_is_held_everywhere(void **state) {
  (void)state;
  static const double asked[] = {5, 22.5, 37};
  const double B[3] = {4e-6, 3e-6, 9e-6};
  tally t[3] = {{0}};
  cb_rng rng;
  cb_rng_init(&rng, 7, 9);
  lab *l = lab_new();
  for (int c = 0; c < 1000; c++) {
    static const double at[] = {0, 5, 22.5, 37, 45, 90};
    double ln[6] = {0};
    for (int i = 1; i < 6; i++)
      ln[i] = ln[i - 1] + 0.15 * sqrt((at[i] - at[i - 1]) / 22.5) * cb_rng_normal(&rng);
    l->n = 0;
    for (int i = 0; i < 6; i++)
      for (int s = 0; s < 3 && fmod(at[i], 45) == 0; s++) {
        const double own = truth(B, at[i]) * exp(ln[i]) * (1 + 0.01 * cb_rng_normal(&rng));
        (void)kes(l, at[i], "", (double[2]){own, own}, 3e-4, 5e-6, &rng);
      }
    const fit_bending_result r = fitted(l);
    for (int i = 0; i < 3; i++) {
      const cb_bending_value v = value(&r, asked[i]);
      count(&t[i], v.B_Nm, v.u_B_Nm, INFINITY, truth(B, asked[i]) * exp(ln[i + 1]));
    }
  }
  for (int i = 0; i < 3; i++) {
    print_message("%g degrees: %.1f %%\n", asked[i], 100.0 * t[i].in / t[i].of);
    expect_share("B of a walk", t[i], 0.93, 0.98);
  }
  free(l);
}

/* Friction on the bias half of a straight line's, and next to none along weft: every direction that was
 * measured stays inside the band, and no width is below zero. */
static void widths_off_the_line(void **state) {
  (void)state;
  static const double width[][3] = {{4e-4, 2e-4, 4e-4}, {4e-4, 8e-4, 4e-4}, {1e-3, 2e-4, 1e-4}};
  lab *l = lab_new();
  for (int i = 0; i < 3; i++) {
    l->n = 0;
    for (int k = 0; k < 9; k++)
      (void)kes(l, 45 * (k % 3), "", (double[2]){4e-6, 4e-6}, width[i][k % 3] * (1 + 0.01 * (k / 3)), 0,
                NULL);
    const fit_bending_result r = fitted(l);
    for (int k = 0; k < 3; k++) {
      const cb_bending_value v = value(&r, 45 * k);
      assert_true(v.width_N >= 0);
      assert_near(r.directions[k].width_N, v.width_N, cb_student_t(0.95, v.dof) * v.u_width_N);
    }
  }
  free(l);
}

/* ---- next to no data ---- */

static void few_directions_leave_the_rest_uncertain(void **state) {
  (void)state;
  lab *l = lab_new();
  for (int s = 0; s < 5; s++) cantilever(l, 0, "", 4e-6 * (1 + 0.02 * s), 41.5 * CB_DEG);
  fit_bending_result r = fitted(l);
  assert_int_equal(r.direction_basis, FIT_ASSUMED);
  double u_warp = value(&r, 0).u_B_Nm / value(&r, 0).B_Nm, u_weft = value(&r, 90).u_B_Nm / value(&r, 90).B_Nm;
  assert_near(value(&r, 0).B_Nm / r.directions[0].B_Nm, 1, 1e-9);
  assert_true(u_warp < 0.03 && u_weft > 0.5 && u_weft < 1);
  for (int s = 0; s < 5; s++) cantilever(l, 90, "", 8e-6 * (1 + 0.02 * s), 41.5 * CB_DEG);
  r = fitted(l);
  assert_int_equal(r.direction_basis, FIT_ASSUMED);
  double u_bias = value(&r, 45).u_B_Nm / value(&r, 45).B_Nm;
  assert_near(value(&r, 90).B_Nm / r.directions[1].B_Nm, 1, 1e-9);
  assert_true(value(&r, 90).u_B_Nm / value(&r, 90).B_Nm < 0.03 && u_bias > 0.4 && u_bias < 0.6);
  free(l);
  /* A cloth whose direction nobody noted is taken as isotropic, with what that may miss. */
  l = lab_new();
  for (int s = 0; s < 5; s++) cantilever(l, NAN, "", 4e-6, 41.5 * CB_DEG);
  r = fitted(l);
  assert_int_equal(r.law.form, CB_BENDING_ISOTROPIC);
  assert_near(value(&r, 20).B_Nm / 4e-6, 1, 1e-9);
  assert_true(value(&r, 20).u_B_Nm > 0.3 * 4e-6);
  cantilever(l, 0, "", 5e-6, 41.5 * CB_DEG);
  r = fitted(l);
  assert_int_equal(r.defects[FIT_BENDING_NO_DIRECTION], 5);
  fit_bending_defect why[6];
  fit_bending_options opt = fit_bending_options_default();
  assert_ok(fit_bending(l->in, l->n, &opt, &r, why, err));
  assert_true(why[4] == FIT_BENDING_NO_DIRECTION && why[5] == FIT_BENDING_USED);
  assert_int_equal(r.n_specimens, 1);
  free(l);
}

static void whatever_comes_in_an_outcome_goes_out(void **state) {
  (void)state;
  fit_bending_options opt = fit_bending_options_default();
  fit_bending_result r;
  assert_ok(fit_bending(NULL, 0, &opt, &r, NULL, err));
  assert_int_equal(r.outcome, FIT_BENDING_NO_DATA);
  lab *l = lab_new();
  cantilever(l, 0, "", 4e-6, 41.5 * CB_DEG);
  l->test[0].areal_density_kg_per_m2 = 0;
  assert_int_equal(fitted(l).defects[FIT_BENDING_NO_DENSITY], 1);
  assert_int_equal(fitted(l).outcome, FIT_BENDING_NO_DATA);
  opt.areal_density_kg_per_m2 = W;
  assert_ok(fit_bending(l->in, 1, &opt, &r, NULL, err));
  assert_near(r.directions[0].B_Nm / 4e-6, 1, 1e-10);
  l->test[0].areal_density_kg_per_m2 = W;
  l->point[0][0].y = 0;
  assert_int_equal(fitted(l).defects[FIT_BENDING_NO_ANGLE], 1);
  l->point[0][0].y = CB_PI / 2;
  assert_int_equal(fitted(l).defects[FIT_BENDING_NO_ANGLE], 1);
  /* Contradictory duplicates are scatter. */
  l->point[0][0].y = 41.5 * CB_DEG;
  cantilever(l, 0, "", 4e-5, 41.5 * CB_DEG);
  r = fitted(l);
  assert_true(r.outcome == FIT_BENDING_OK && r.scatter_rel > 1);
  for (int i = 0; i < 20; i++) cantilever(l, 2 * i, "", 4e-6, 41.5 * CB_DEG);
  assert_int_equal(fitted(l).outcome, FIT_BENDING_TOO_MANY_DIRECTIONS);
  l->n = 0;
  /* Two directions a degree apart tell one constant, not two. */
  cantilever(l, 0, "", 4e-6, 41.5 * CB_DEG);
  cantilever(l, 1, "", 4.1e-6, 41.5 * CB_DEG);
  cantilever(l, 2, "", 3.9e-6, 41.5 * CB_DEG);
  r = fitted(l);
  assert_true(r.outcome == FIT_BENDING_OK && value(&r, 90).u_B_Nm > 0.3 * value(&r, 90).B_Nm);
  free(l);
}

static void curves_that_say_nothing(void **state) {
  (void)state;
  lab *l = lab_new();
  fit_bending_input *in = kes(l, 0, "", (double[2]){4e-6, 4e-6}, 1e-4, 0, NULL);
  for (size_t i = 0; i < in->n; i++) l->point[0][i].x *= 0.4;
  assert_int_equal(fitted(l).defects[FIT_BENDING_NO_WINDOW], 1);
  l->n = 0;
  (void)kes(l, 0, "", (double[2]){-4e-6, 4e-6}, 1e-4, 0, NULL);
  assert_int_equal(fitted(l).defects[FIT_BENDING_NOT_POSITIVE], 1);
  for (int constant = 0; constant < 2; constant++) {
    for (size_t i = 0; i < in->n; i++) l->point[0][i] = (cb_test_point){100.0 * constant, 1};
    assert_int_equal(fitted(l).defects[FIT_BENDING_NO_WINDOW], 1);
  }
  l->in[0].n = 1;
  assert_int_equal(fitted(l).defects[FIT_BENDING_NO_WINDOW], 1);
  l->in[0].n = 0;
  assert_int_equal(fitted(l).defects[FIT_BENDING_NO_WINDOW], 1);
  /* Loading alone: a rigidity, no width. */
  l->n = 0;
  in = kes(l, 0, "", (double[2]){4e-6, 4e-6}, 1e-4, 0, NULL);
  in->n = 50;
  fit_bending_result r = fitted(l);
  assert_near(r.directions[0].B_Nm, 4e-6, 1e-16);
  assert_true(isnan(r.directions[0].width_N) && isnan(r.law.width_N[0]) && isnan(r.directions[0].back_Nm));
  free(l);
}

static void a_million_points(void **state) {
  (void)state;
  enum { N = 1000000 };
  cb_test_point *p = malloc(N * sizeof *p);
  assert_non_null(p);
  cb_rng rng;
  cb_rng_init(&rng, 7, 5);
  for (int i = 0; i < N; i++) {
    double K = 250 * sin(2 * CB_PI * i / N), ahead = cos(2 * CB_PI * i / N) > 0 ? 1 : -1;
    p[i] = (cb_test_point){K, 4e-6 * K + ahead * 5e-5 + 1e-5 * cb_rng_normal(&rng)};
  }
  cb_material_test t = {.kind = CB_TEST_BENDING_MOMENT, .origin = CB_IMPORTED};
  fit_bending_input in = {&t, p, N};
  fit_bending_options opt = fit_bending_options_default();
  fit_bending_result r;
  assert_ok(fit_bending(&in, 1, &opt, &r, NULL, err));
  assert_near(r.directions[0].B_Nm / 4e-6, 1, 1e-3);
  assert_near(r.directions[0].width_N / 1e-4, 1, 1e-2);
  t.kind = CB_TEST_CANTILEVER, t.areal_density_kg_per_m2 = W;
  assert_ok(fit_bending(&in, 1, &opt, &r, NULL, err));
  assert_int_equal(r.defects[FIT_BENDING_TOO_MANY_POINTS], 1);
  free(p);
}

static void bad_data_are_errors(void **state) {
  (void)state;
  fit_bending_options opt = fit_bending_options_default();
  fit_bending_result r;
  lab *l = lab_new();
  cantilever(l, 0, "", 4e-6, 0.7);
  (void)kes(l, 0, "", (double[2]){4e-6, 4e-6}, 0, 0, NULL);
  assert_fails(CB_E_RANGE, "one kind was wanted", fit_bending(l->in, 2, &opt, &r, NULL, err));
  cantilever(l, 0, "", 4e-6, 0.7);
  l->in[1] = l->in[2];
  l->test[0].origin = CB_IMPORTED, l->test[2].origin = CB_MEASURED;
  assert_ok(fit_bending(l->in, 2, &opt, &r, NULL, err));
  assert_int_equal(r.origin, CB_IMPORTED);
  l->test[2].origin = CB_VIRTUAL;
  assert_fails(CB_E_RANGE, "bending test 2: imported and virtual data together",
               fit_bending(l->in, 2, &opt, &r, NULL, err));
  l->point[0][0].y = NAN;
  assert_fails(CB_E_NUM, "point 1", fit_bending(l->in, 1, &opt, &r, NULL, err));
  l->point[0][0] = (cb_test_point){0, 0.7};
  assert_fails(CB_E_RANGE, "overhang = 0 m", fit_bending(l->in, 1, &opt, &r, NULL, err));
  l->test[0].kind = CB_TEST_STRETCH;
  assert_fails(CB_E_ARG, "no test of bending", fit_bending(l->in, 1, &opt, &r, NULL, err));
  free(l);
}

static void same_input_same_bits(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 7, 6);
  lab *l = lab_new();
  for (int deg = 0; deg <= 90; deg += 30)
    for (int s = 0; s < 3; s++) cantilever(l, deg, "", 4e-6 * (1 + 0.1 * cb_rng_normal(&rng)), 41.5 * CB_DEG);
  fit_bending_result a = fitted(l), b = fitted(l);
  assert_memory_equal(&a.law, &b.law, sizeof a.law);
  free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilevers_give_back_the_rigidity),
      cmocka_unit_test(three_directions_give_the_plate),
      cmocka_unit_test(moments_give_rigidity_and_width),
      cmocka_unit_test(specimens_are_averaged_first),
      cmocka_unit_test(first_tests_that_differ),
      cmocka_unit_test(the_budget),
      cmocka_unit_test(cantilevers_cover),
      cmocka_unit_test(moments_cover),
      cmocka_unit_test(constancy),
      cmocka_unit_test(forms_are_told_apart),
      cmocka_unit_test(bands_hold_what_no_form_says),
      cmocka_unit_test(a_walk_is_held_everywhere),
      cmocka_unit_test(widths_off_the_line),
      cmocka_unit_test(few_directions_leave_the_rest_uncertain),
      cmocka_unit_test(whatever_comes_in_an_outcome_goes_out),
      cmocka_unit_test(curves_that_say_nothing),
      cmocka_unit_test(a_million_points),
      cmocka_unit_test(bad_data_are_errors),
      cmocka_unit_test(same_input_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
