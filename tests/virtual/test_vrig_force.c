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

/* The line ends as the rig file says. */
static void terminators(void **state) {
  (void)state;
  static const char *const ends[][2] = {
      {"cr", "0.5000\r"}, {"lf", "0.5000\n"}, {"crlf", "0.5000\r\n"}, {"!", "0.5000!"}};
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  for (size_t i = 0; i < 4; i++) {
    (void)strcpy(rig.force.terminator, ends[i][0]);
    vrig_force_init(&f, &rig.force, 0.0001);
    line_is(&f, 0.5, false, ends[i][1]);
  }
  cb_rig_clear(&rig);
}

static void gcl(void **state) {
  (void)state;
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  rig.force.driver = CB_FORCE_MARK10_GCL;
  (void)strcpy(rig.force.unit, "lbf");
  vrig_force_init(&f, &rig.force, 0.01);
  line_is(&f, 1.25, false, ""); /* silent as powered up */
  say(&f, "?\r\n", "1.25 lbF\r\n");
  say(&f, "AOUT125\r", "");
  line_is(&f, -18.78, false, "-18.78 lbF\r\n");
  say(&f, "NUM\r", "");
  line_is(&f, 4.29, false, "4.29\r\n");
  say(&f, "FULL\rZ\r", "");
  line_is(&f, 4.29, false, "0.00 lbF\r\n");
  say(&f, "AOUT3\r", "*12\r\n");
  say(&f, "aout5\r\r", "*10\r\n");
  say(&f, "AOUT0\r", "");
  line_is(&f, 1, false, "");
  say(&f, "LIST\r", "VIRTUAL;V1.00;CUR\r\n");
  cb_rig_clear(&rig);
}

static void sics(void **state) {
  (void)state;
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  rig.force.driver = CB_FORCE_MT_SICS;
  (void)strcpy(rig.force.unit, "g");
  vrig_force_init(&f, &rig.force, 0.01);
  line_is(&f, 100, false, "");
  say(&f, "SIR\r\n", "");
  line_is(&f, 100, false, "S D     100.00 g\r\n");
  line_is(&f, 100, false, "S S     100.00 g\r\n");
  line_is(&f, 999, true, "S +\r\n");
  line_is(&f, -999, true, "S -\r\n");
  say(&f, "@\r\n", "I4 A \"VIRTUAL\"\r\n");
  line_is(&f, 5, false, "");
  say(&f, "SI\r\n", "S D       5.00 g\r\n");
  say(&f, "Z\r\nS\r\n", "Z A\r\nS D       0.00 g\r\n");
  say(&f, "s\r\n", "ES\r\n");
  cb_rig_clear(&rig);
}

/* A Comedi board (vrig_board.h) or a stand's own gauge has no lines. */
static void not_played(void **state) {
  (void)state;
  cb_rig rig;
  vrig_force f;
  vrt_rig(&rig);
  rig.force.driver = CB_FORCE_MARK10_ESM;
  vrig_force_init(&f, &rig.force, 0.01);
  line_is(&f, 1, false, "");
  say(&f, "n\r?\r", "");
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines),     cmocka_unit_test(fields),
                                     cmocka_unit_test(d500),      cmocka_unit_test(terminators),
                                     cmocka_unit_test(gcl),       cmocka_unit_test(sics),
                                     cmocka_unit_test(not_played)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
