/* The device side of the force read-outs: lines to the byte. */
#include "vrig_force.h"
#include "vrigtest.h"

static void line_is(vrig_force *f, double reading, bool saturated, const char *wanted) {
  char line[VRIG_FORCE_LINE_MAX] = "";
  size_t n = vrig_force_sample(f, reading, saturated, line);
  assert_string_equal(n > 0 ? line : "", wanted);
  assert_int_equal(n, strlen(wanted));
}

static void say(vrig_force *f, const char *bytes, const char *wanted) {
  char line[VRIG_FORCE_LINE_MAX], all[512] = "";
  for (; *bytes; bytes++)
    if (vrig_force_byte(f, *bytes, line) > 0) (void)strncat(all, line, sizeof all - strlen(all) - 1);
  assert_string_equal(all, wanted);
}

static void lines(void **state) {
  (void)state;
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  vrig_force_init(&f, &rig.force, 0.0001);
  line_is(&f, 0.4312, false, "0.4312\r\n");
  line_is(&f, -12.5, false, "-12.5000\r\n");
  line_is(&f, 0, false, "0.0000\r\n");
  say(&f, "*1A1\r*1B1\r", ""); /* it does not listen */
  vrig_force_init(&f, &rig.force, 0.5);
  line_is(&f, 2.5, false, "2.5\r\n");
  vrig_force_init(&f, &rig.force, 1);
  line_is(&f, 2, false, "2\r\n");
  vrig_force_init(&f, &rig.force, 0.0025);
  line_is(&f, 0.0075, false, "0.0075\r\n");
  cb_rig_clear(&rig);
}

/* reading = number x scale; the number stands in its field. */
static void fields(void **state) {
  (void)state;
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  rig.force.field = 2;
  rig.force.separator[0] = ';';
  rig.force.scale = 0.001;
  vrig_force_init(&f, &rig.force, 0.0001);
  line_is(&f, 0.4312, false, "0;0;431.2\r\n");
  line_is(&f, 0.4313, false, "1;0;431.3\r\n");
  rig.force.field = 1;
  rig.force.separator[0] = '\0';
  rig.force.scale = -1;
  vrig_force_init(&f, &rig.force, 0.0001);
  line_is(&f, 0.4312, false, "0 -0.4312\r\n");
  rig.force.field = 63; /* the most a rig file allows fits a line */
  vrig_force_init(&f, &rig.force, 1e-9);
  f.index = 4294967295u;
  char line[VRIG_FORCE_LINE_MAX];
  size_t n = vrig_force_sample(&f, -1e6, false, line);
  assert_true(n == strlen(line) && n < VRIG_FORCE_LINE_MAX);
  assert_string_equal(strrchr(line, ' '), " 1000000.000000000\r\n");
  cb_rig_clear(&rig);
}

static void d500(void **state) {
  (void)state;
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  rig.force.driver = CB_FORCE_FUTEK_D500;
  vrig_force_init(&f, &rig.force, 0.0001);
  line_is(&f, 0.1234, false, "+0.1234\r\n");
  line_is(&f, -2.5, false, "-2.5000\r\n");
  line_is(&f, 16, true, "+16.0000A\r\n");
  say(&f, "*1B1\r", ""); /* it is talking anyway */
  say(&f, "*1A1\r", "");
  line_is(&f, 0.5, false, "");
  say(&f, "*1B1\r", "+0.5000\r\n");
  say(&f, "*1CA\r*1B1\r\n", "+0.0000\r\n");
  line_is(&f, 0.75, false, "");
  say(&f, "*1B1\r", "+0.2500\r\n");
  say(&f, "*1CB\r*1B1\r", "+0.7500\r\n");
  say(&f, "*2B1\r*1B1xyzxyzxyz\rB1\r\r", ""); /* none of these is a command */
  say(&f, "*1B*1B1\r", "+0.7500\r\n");        /* a command begins at its star */
  say(&f, "*1A0\r", "");
  line_is(&f, 0.5, false, "+0.5000\r\n");
  vrig_force_init(&f, &rig.force, 1);
  line_is(&f, 12, false, "+12.\r\n"); /* the point is always there */
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(fields), cmocka_unit_test(d500)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
