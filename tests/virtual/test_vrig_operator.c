/* The operator's lines. */
#include "cb_num.h"
#include "vrig_operator.h"
#include "vrigtest.h"

static void orders(void **state) {
  (void)state;
  cb_rig rig;
  vrig_bench b;
  char answer[VRIG_OPERATOR_ANSWER_MAX];
  vrt_rig(&rig);
  assert_ok(vrig_bench_init(&b, &rig, err));
  vrig_operator_line(&b, "sample angle_deg=45", answer);
  assert_string_equal(answer, "ok\n");
  assert_near(b.angle_rad, CB_PI / 4, 1e-15);
  vrig_operator_line(&b, "cart added_mass_kg=0.2", answer);
  assert_string_equal(answer, "ok\n");
  assert_near(b.mass_kg, 0.3, 1e-15);
  vrig_operator_line(&b, "truth", answer);
  double kinetic, fixed, N = 0.3 * CB_STANDARD_GRAVITY_M_PER_S2;
  assert_int_equal(sscanf(answer, "truth kinetic_N=%lf static_N=%lf\nok\n", &kinetic, &fixed), 2);
  assert_near(kinetic, 0.5 * (0.6 * pow(N, 0.9) + 0.45 * pow(N, 0.93)) + 0.02 * pow(N, 0.9), 1e-14);
  assert_near(fixed, 1.25 * kinetic, 1e-14);
  cb_rig_clear(&rig);
}

/* Mean: M (q1 + q2) / 2; product: M sqrt(q1 q2), M the mean of warp and weft at this load. By hand, from the
 * file's numbers. */
static void a_body_with_directions(void **state) {
  (void)state;
  cb_rig rig;
  vrig_bench b;
  char answer[VRIG_OPERATOR_ANSWER_MAX];
  vrt_rig(&rig);
  rig.virt.truth.body_cos2 = 0.2;
  rig.virt.truth.body_sin2 = -0.1;
  double N = 0.1 * CB_STANDARD_GRAVITY_M_PER_S2, f00 = 0.6 * pow(N, 0.9), f11 = 0.45 * pow(N, 0.93),
         mean = 0.5 * (f00 + f11);
  for (int rule = CB_RIG_BODY_PLAIN; rule <= CB_RIG_BODY_PRODUCT; rule++) {
    double kinetic, fixed, q1 = f00 / mean, q2 = 1 + 0.2 * cos(CB_PI / 3) - 0.1 * sin(CB_PI / 3);
    double factor = rule == CB_RIG_BODY_PLAIN  ? q1
                    : rule == CB_RIG_BODY_MEAN ? 0.5 * (q1 + q2)
                                               : sqrt(q1 * q2);
    rig.virt.truth.body_rule = rule;
    assert_ok(vrig_bench_init(&b, &rig, err));
    vrig_operator_line(&b, "body angle_deg=30", answer);
    assert_string_equal(answer, "ok\n");
    vrig_operator_line(&b, "truth", answer);
    assert_int_equal(sscanf(answer, "truth kinetic_N=%lf static_N=%lf\nok\n", &kinetic, &fixed), 2);
    assert_near(kinetic, mean * factor, 1e-14);
    assert_near(fixed, 1.25 * kinetic, 1e-14);
  }
  cb_rig_clear(&rig);
}

static void what_is_refused(void **state) {
  (void)state;
  const struct {
    const char *line, *sentence;
  } cases[] = {
      {"", "error: operator: '': must be 'sample angle_deg=NUMBER'"},
      {"dance", "error: operator: 'dance': must be"},
      {"sample 45", "must be 'sample angle_deg=NUMBER'"},
      {"sample angle_deg=north", "error: angle_deg = 'north'"},
      {"sample angle_deg=nan", "error: angle_deg = 'nan'"},
      {"sample angle_deg=400", "error: angle_deg = 400"},
      {"body angle_deg=400", "error: angle_deg = 400"},
      {"body 45", "must be 'body angle_deg=NUMBER'"},
      {"cart added_mass_kg=-0.1", "error: added_mass_kg = -0.1"},
      {"cart added_mass_kg=", "error: added_mass_kg = ''"},
      {"truth please", "error: operator: 'truth please'"},
  };
  cb_rig rig;
  vrig_bench b;
  char answer[VRIG_OPERATOR_ANSWER_MAX];
  vrt_rig(&rig);
  assert_ok(vrig_bench_init(&b, &rig, err));
  vrig_bench before = b;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    vrig_operator_line(&b, cases[i].line, answer);
    if (!strstr(answer, cases[i].sentence)) fail_msg("'%s' got '%s'", cases[i].line, answer);
    assert_ptr_equal(strchr(answer, '\n'), answer + strlen(answer) - 1);
  }
  assert_true(b.angle_rad == before.angle_rad && b.mass_kg == before.mass_kg &&
              b.placement == before.placement);
  vrig_stage_move(&b.stage, 0, 0.05, 0.01, 0.5);
  vrig_operator_line(&b, "sample angle_deg=45", answer);
  assert_non_null(strstr(answer, "error: the stage is moving"));
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(a_body_with_directions),
                                     cmocka_unit_test(what_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
