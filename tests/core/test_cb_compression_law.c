/* The law of compression: a cloth whose thickness is a power of the pressure is known everywhere in closed
 * form; what cannot be is refused; texts go there and back. */
#include <math.h>

#include "cb_json.h"
#include "cb_law_json.h"
#include "cbtest.h"
#include "law.h"

#define STEEP -0.12
#define T1 5e-4 /* at 1 kPa */

static double thickness_at(double Pa) { return T1 * pow(Pa / 1000, STEEP); }

static cb_compression_law felt(void) {
  static const double Pa[] = {50, 200, 1000, 5000};
  cb_compression_law l = {
      .n = 4, .u_pressure_rel = 0.05, .u_thickness_rel = 0.002, .specimen_sd = 0.03, .dof = 4};
  l.kes = (cb_compression_kes){0.4, 0.02, NAN, NAN, 0.5, NAN};
  for (size_t k = 0; k < l.n; k++) l.knot[k] = (cb_compression_knot){Pa[k], thickness_at(Pa[k]), 0.01};
  return l;
}

static void a_power_is_known_everywhere(void **state) {
  (void)state;
  const cb_compression_law l = felt();
  for (double Pa = 5; Pa < 5e4; Pa *= 1.37) {
    cb_compression_value v;
    cb_compression_at_pressure(&l, Pa, &v);
    const double far = fmax(0, fmax(log(50 / Pa), log(Pa / 5000))),
                 mean = hypot(hypot(0.01, STEEP * 0.05), hypot(0.002, STEEP * far * fmin(1, far) / sqrt(3)));
    assert_near(v.thickness_m, thickness_at(Pa), 1e-15);
    assert_near(v.steepness, STEEP, 1e-12);
    assert_near(v.u_ln, mean, 1e-12);
    assert_near(v.u_ln_piece, hypot(mean, 0.03), 1e-12);
    assert_near(v.dof, 4 * pow(mean / 0.01, 4), 1e-6);
    assert_int_equal(v.inside_measured_range, Pa > 49 && Pa < 5100);
    assert_near(cb_compression_pressure(&l, v.thickness_m) / Pa, 1, 1e-9);
  }
  assert_true(isnan(cb_compression_pressure(&l, thickness_at(0.1))));
  assert_true(isnan(cb_compression_pressure(&l, thickness_at(1e6))));
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  cb_compression_law l = felt();
  assert_ok(cb_compression_law_check(&l, err));
  l.n = 1;
  assert_fails(CB_E_RANGE, "1 knots: 2 to 16 were wanted", cb_compression_law_check(&l, err));
  l = felt(), l.knot[2].thickness_m = 7e-4;
  assert_fails(CB_E_RANGE, "knot 2", cb_compression_law_check(&l, err));
  l = felt(), l.knot[1].pressure_Pa = 50;
  assert_fails(CB_E_RANGE, "pressures that ascend", cb_compression_law_check(&l, err));
  l = felt(), l.knot[3].u_ln = NAN;
  assert_fails(CB_E_RANGE, "knot 3", cb_compression_law_check(&l, err));
  l = felt(), l.dof = 0;
  assert_fails(CB_E_RANGE, "0 degrees of freedom", cb_compression_law_check(&l, err));
  l = felt(), l.specimen_sd = -1;
  assert_fails(CB_E_RANGE, "uncertainty -1", cb_compression_law_check(&l, err));
}

static char *text_of(const cb_compression_law *l) {
  json_t *doc = json_pack("{s:o}", "law", cb_compression_json(l));
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

static void texts_go_there_and_back(void **state) {
  (void)state;
  const cb_compression_law l = felt();
  cb_compression_law back;
  char *text = text_of(&l), *again;
  assert_ok(law_read(CB_LAW_COMPRESSION, text, &back, err));
  again = text_of(&back);
  assert_string_equal(text, again);
  free(text), free(again);
  assert_fails(CB_E_PARSE, "line 1", law_read(CB_LAW_COMPRESSION, "{", &back, err));
  assert_fails(CB_E_PARSE, "knots: 2 to 16 were wanted",
               law_read(CB_LAW_COMPRESSION, "{\"law\": {\"knots\": [{}]}}", &back, err));
}

static void count_figure(void *to, const law_figure *f) {
  if (strcmp(f->name, "thickness") == 0) ++*(int *)to;
  if (strcmp(f->name, "WC") == 0) assert_true(isnan(f->value));
  if (strcmp(f->at, "1000 Pa") == 0) assert_near(f->value, T1, 1e-15);
}

static void it_tells_three_thicknesses(void **state) {
  (void)state;
  const cb_compression_law l = felt();
  int n = 0;
  law_of_kind(CB_LAW_COMPRESSION)->tell(&l, &(cb_material_law){.id = 1}, count_figure, &n);
  assert_int_equal(n, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_power_is_known_everywhere), cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(texts_go_there_and_back), cmocka_unit_test(it_tells_three_thicknesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
