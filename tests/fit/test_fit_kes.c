/* Laws out of KES figures, against closed forms and against the figures themselves. */
#include <math.h>

#include "cb_num.h"
#include "cb_stretch_form.h"
#include "csvtest.h"
#include "fit_bending_impl.h"
#include "fit_kes.h"

static fit_kes sheet(void) {
  fit_kes k = fit_kes_unknown();
  for (int d = 0; d < 2; d++) {
    k.tensile[d].em = (fit_kes_number){d ? 0.08 : 0.04, 0.1};
    k.tensile[d].lt = (fit_kes_number){d ? 0.8 : 0.6, 0.1};
    k.bending_Nm[d] = (fit_kes_number){d ? 2e-6 : 8e-6, 0.1};
    k.hysteresis_N[d] = (fit_kes_number){d ? 1e-4 : 3e-4, 0.2};
  }
  k.shear_N_per_m = (fit_kes_number){40, 0.1};
  return k;
}

/* Simpson's rule over the law's own curve. */
static double area_under(const cb_stretch_direction *d, double to) {
  enum { N = 2000 };
  double sum = 0;
  for (int i = 0; i <= N; i++)
    sum += (i == 0 || i == N ? 1 : i % 2 ? 4 : 2) * cb_stretch_curve(d, to * i / N, NULL);
  return sum * to / N / 3;
}

/* EM and LT are read off the law again: at Fm the strain is EM, and the area is LT Fm EM / 2. */
static void curves_have_their_figures(void **state) {
  (void)state;
  const fit_kes k = sheet();
  cb_stretch_law law;
  assert_ok(fit_kes_stretch(&k, &law, err));
  assert_int_equal(law.n, 3);
  for (int i = 0; i < 2; i++) {
    const cb_stretch_direction *d = cb_stretch_find(&law, 90 * i);
    const double em = k.tensile[i].em.value, lt = k.tensile[i].lt.value;
    assert_near(cb_stretch_curve(d, em, NULL), FIT_KES_LOAD_N_PER_M, 1e-9);
    assert_near(area_under(d, em) / (FIT_KES_LOAD_N_PER_M * em / 2), lt, 2e-3); /* 16 chords of a cubic */
    assert_near(d->kes.lt, lt, 0);
    assert_near(d->kes.wt_J_per_m2, FIT_KES_LOAD_N_PER_M * em * lt / 2, 1e-12);
    /* F = Fm (e / EM)^p: an error of EM is p times as large in F */
    assert_near(d->knots[16].u_N_per_m / d->knots[16].force_N_per_m, 0.1 * (2 / lt - 1), 1e-12);
  }
}

/* WT in the place of LT, and in that of EM: the same curves, but for what WT's uncertainty adds. */
static void work_replaces_what_is_missing(void **state) {
  (void)state;
  const fit_kes whole = sheet();
  fit_kes k = whole;
  cb_stretch_law wanted, law;
  assert_ok(fit_kes_stretch(&whole, &wanted, err));
  for (int d = 0; d < 2; d++) {
    const fit_kes_tensile *t = &whole.tensile[d];
    k.tensile[d].wt = (fit_kes_number){t->lt.value * FIT_KES_LOAD_N_PER_M * t->em.value / 2, 0.02};
  }
  k.tensile[0].lt = k.tensile[1].em = fit_kes_unknown().tensile[0].em;
  assert_true(fit_kes_has_stretch(&k));
  assert_ok(fit_kes_stretch(&k, &law, err));
  for (int i = 0; i < 2; i++) {
    const cb_stretch_direction *d = cb_stretch_find(&law, 90 * i), *w = cb_stretch_find(&wanted, 90 * i);
    for (size_t j = 0; j < d->n_knots; j++) {
      assert_near(d->knots[j].strain, w->knots[j].strain, 1e-15);
      assert_near(d->knots[j].force_N_per_m, w->knots[j].force_N_per_m, 1e-9);
    }
    assert_near(d->kes.wt_J_per_m2, w->kes.wt_J_per_m2, 1e-12);
    assert_near(d->kes.u_wt_J_per_m2, 0.02 * w->kes.wt_J_per_m2, 1e-12);
  }
  assert_near(cb_stretch_find(&law, 0)->kes.u_lt, 0.6 * hypot(0.1, 0.02), 1e-12);
  assert_near(cb_stretch_find(&law, 90)->kes.u_emt, 0.08 * hypot(0.1, 0.02), 1e-12);
}

/* Twice the uncertainty of the difference lies between what agrees and what does not. */
static void work_must_agree(void **state) {
  (void)state;
  fit_kes k = sheet();
  cb_stretch_law law;
  const double follows = 0.6 * FIT_KES_LOAD_N_PER_M * 0.04 / 2, u = follows * hypot(0.1, 0.1);
  k.tensile[0].wt = (fit_kes_number){follows + 1.99 * u, 0};
  assert_ok(fit_kes_stretch(&k, &law, err));
  assert_near(law.directions[0].kes.wt_J_per_m2, follows + 1.99 * u, 1e-12);
  k.tensile[0].wt.value = follows + 2.01 * u;
  assert_fails(CB_E_RANGE, "WT = 7.557 J/m2, u = 0, but LT Fm EM / 2 = 5.884 J/m2, u = 0.83",
               fit_kes_stretch(&k, &law, err));
  k.tensile[0].lt.value = NAN;
  k.tensile[0].wt.value = 20;
  assert_fails(CB_E_RANGE, "makes LT = 2.039: 0.05 to 1.95 was wanted", fit_kes_stretch(&k, &law, err));
  k.tensile[0].em.value = NAN;
  assert_false(fit_kes_has_stretch(&k));
}

/* The orthotropic sheet gives G back from the strip at 45 degrees. */
static void shear_comes_back(void **state) {
  (void)state;
  fit_kes k = sheet();
  cb_stretch_law law;
  cb_stretch_moduli m;
  k.tensile[0] = k.tensile[1] = fit_kes_unknown().tensile[0];
  k.tensile[0].stiffness_N_per_m = (fit_kes_number){477.226, 0.1};
  k.tensile[1].stiffness_N_per_m = (fit_kes_number){458.614, 0.1};
  assert_ok(fit_kes_stretch(&k, &law, err));
  cb_stretch_moduli_at(&law, CB_STRETCH_TENSOR, 0.02, &m);
  assert_true(m.known);
  assert_near(cb_stretch_shear_modulus(&m, 0), 40, 1e-9);
  assert_near(m.e1_N_per_m, 477.226, 1e-9);
  assert_near(m.e2_N_per_m, 458.614, 1e-9);
  assert_near(cb_stretch_strain_max(&law.directions[0]), FIT_KES_STRAIN, 1e-15);
}

static void bending_is_peirce(void **state) {
  (void)state;
  const fit_kes k = sheet();
  cb_bending_law law;
  cb_bending_value v;
  assert_ok(fit_kes_bending(&k, &law, err));
  cb_bending_eval(&law, 0, NAN, &v);
  assert_near(v.B_Nm, 8e-6, 1e-20);
  assert_near(v.u_B_Nm, 8e-7, 1e-18);
  assert_near(v.width_N, 3e-4, 1e-18);
  cb_bending_eval(&law, CB_PI / 2, NAN, &v);
  assert_near(v.B_Nm, 2e-6, 1e-20);
  /* 1 / sqrt B = (1 / sqrt B1 + 1 / sqrt B2) / 2 at 45 degrees */
  cb_bending_eval(&law, CB_PI / 4, NAN, &v);
  assert_near(v.B_Nm, pow(2 / (1 / sqrt(8e-6) + 1 / sqrt(2e-6)), 2), 1e-18);
  assert_near(v.u_B_Nm, hypot(2e-6, hypot(2e-7, 5e-8)), 1e-12);
}

/* The diagonal of the 251 fabrics of bending_618 (SIGGRAPH Asia 2022), from their warp and weft: of a KES
 * sheet, and of the fit, whose own doubts are made small. */
static void the_bias_that_was_not_tested(void **state) {
  (void)state;
  const char *path = CBT_DATA "/bending_618/dataset.csv";
  if (cbt_absent(path)) return;
  cb_csv *csv = csvt_load(path);
  double B[640][3];
  size_t n = 0, inside = 0, by_fit = 0;
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    size_t same = 0;
    for (size_t k = 0; k < 3; k++) B[n][k] = 1e-9 * csvt_number_at(csv, row, k + 1);
    while (memcmp(B[same], B[n], sizeof B[n]) != 0) same++;
    if (same < n) continue;
    fit_kes kes = sheet();
    cb_bending_law law;
    cb_bending_value v, w;
    fit_bending_form form;
    for (size_t d = 0; d < 2; d++) kes.bending_Nm[d] = (fit_kes_number){B[n][d], 1e-3};
    assert_ok(fit_kes_bending(&kes, &law, err));
    cb_bending_eval(&law, CB_PI / 4, NAN, &v);
    inside += fabs(B[n][2] - v.B_Nm) < 1.96 * v.u_B_Nm;
    const fit_bending_mean means[] = {{0, B[n][0], 1e-6}, {CB_PI / 2, B[n][1], 1e-6}};
    fit_bending_form_make(CB_BENDING_ORTHOTROPIC, means, 2, &form);
    memcpy(law.B_Nm, form.B_Nm, sizeof law.B_Nm);
    memcpy(law.cov_N2m2, form.cov_N2m2, sizeof law.cov_N2m2);
    cb_bending_eval(&law, CB_PI / 4, NAN, &w);
    assert_near(w.B_Nm / v.B_Nm, 1, 1e-6);
    by_fit += fabs(B[n][2] - w.B_Nm) < 1.96 * w.u_B_Nm;
    n++;
  }
  cb_csv_free(csv);
  print_message("%zu and %zu of %zu inside\n", inside, by_fit, n);
  assert_int_equal(n, 251);
  assert_in_range(100 * inside / n, 93, 97);
  assert_in_range(100 * by_fit / n, 93, 97);
}

static void what_is_not_there_makes_no_law(void **state) {
  (void)state;
  fit_kes k = fit_kes_unknown();
  cb_stretch_law law;
  assert_false(fit_kes_has_stretch(&k));
  assert_false(fit_kes_has_bending(&k));
  k = sheet();
  k.shear_N_per_m = fit_kes_unknown().shear_N_per_m;
  assert_ok(fit_kes_stretch(&k, &law, err));
  assert_int_equal(law.n, 2);
  k.tensile[0].lt.value = 2.5;
  assert_fails(CB_E_RANGE, "LT = 2.5: between 0 and 2", fit_kes_stretch(&k, &law, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(curves_have_their_figures),
                                     cmocka_unit_test(shear_comes_back),
                                     cmocka_unit_test(bending_is_peirce),
                                     cmocka_unit_test(the_bias_that_was_not_tested),
                                     cmocka_unit_test(what_is_not_there_makes_no_law),
                                     cmocka_unit_test(work_replaces_what_is_missing),
                                     cmocka_unit_test(work_must_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
