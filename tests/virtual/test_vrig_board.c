/* The device side of the virtual Comedi board: orders, answers and scans, to the byte. */
#include "vrig_board.h"
#include "vrigtest.h"

static void set_up_rig(cb_rig *rig) {
  vrt_rig(rig);
  rig->force.driver = CB_FORCE_COMEDI;
  rig->comedi = (cb_rig_comedi){.present = true,
                                .n = 2,
                                .channel = {{CB_COMEDI_FORCE, 3, 0, CB_AREF_DIFF, 2, 1},
                                            {CB_COMEDI_DISPLACEMENT, 5, 1, CB_AREF_DIFF, 0.01, 0}}};
}

static void order(vrig_board *b, const char *text, const char *wanted) {
  char reply[VRIG_BOARD_REPLY_MAX], all[512] = "";
  for (; *text; text++) {
    size_t n = vrig_board_byte(b, *text, reply);
    assert_true(n == 0 || n == strlen(reply));
    if (n > 0) (void)strncat(all, reply, sizeof all - strlen(all) - 1);
  }
  assert_string_equal(all, wanted);
}

static void scan_is(vrig_board *b, double force, double displacement_m, const unsigned *wanted, size_t n) {
  char reply[VRIG_BOARD_REPLY_MAX];
  assert_int_equal(vrig_board_scan(b, force, displacement_m, reply), 2 * n);
  for (size_t i = 0; i < n; i++)
    assert_int_equal((unsigned char)reply[2 * i] | (unsigned)(unsigned char)reply[2 * i + 1] << 8, wanted[i]);
}

static void orders(void **state) {
  (void)state;
  cb_rig rig;
  vrig_board b;
  char reply[VRIG_BOARD_REPLY_MAX];
  set_up_rig(&rig);
  vrig_board_init(&b, &rig);
  assert_int_equal(vrig_board_scan(&b, 1, 0, reply), 0); /* nothing was ordered */
  order(&b, "scan 5000000 3:0 5:1\n", "scans 5000000 65535 -10:10 -5:5\n");
  order(&b, "scan 1 3:0\n", "scans 5000000 65535 -10:10\n"); /* it has its own period */
  order(&b, "scan 5000000\n", "refused it has channels 0 to 15 and ranges 0 to 1\n");
  assert_int_equal(vrig_board_scan(&b, 1, 0, reply), 0); /* a refused order ends what ran */
  order(&b, "scan 5000000 16:0\nscan 5000000 0:2\nscan 5000000 0:0x\n",
        "refused it has channels 0 to 15 and ranges 0 to 1\n"
        "refused it has channels 0 to 15 and ranges 0 to 1\n"
        "refused it has channels 0 to 15 and ranges 0 to 1\n");
  order(&b, "scan 1 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:0\n",
        "refused it has channels 0 to 15 and ranges 0 to 1\n");
  order(&b, "\nhello\n", "refused unknown order\nrefused unknown order\n");
  cb_rig_clear(&rig);
}

/* counts = (volts + full) / (2 full) 65535, volts = (value - offset) / scale. */
static void scans(void **state) {
  (void)state;
  cb_rig rig;
  vrig_board b;
  set_up_rig(&rig);
  vrig_board_init(&b, &rig);
  order(&b, "scan 5000000 3:0 5:1 7:0\n", "scans 5000000 65535 -10:10 -5:5 -10:10\n");
  scan_is(&b, 1, 0, (const unsigned[]){0, 32768, 32768, 32768}, 4);     /* 0 V lies between two counts */
  scan_is(&b, 11, 0.02, (const unsigned[]){1, 49151, 45874, 32768}, 4); /* 5 V of 10, 2 V of 5 */
  scan_is(&b, 100, -1, (const unsigned[]){2, 65535, 0, 32768}, 4);      /* it ends there */
  vrig_board_cancel(&b);
  order(&b, "scan 5000000 5:0\n", "scans 5000000 65535 -10:10\n");
  scan_is(&b, 0, 0.1, (const unsigned[]){0, 65535}, 2); /* begins anew */
  for (unsigned i = 1; i < 65536; i++) scan_is(&b, 0, 0, (const unsigned[]){i, 32768}, 2);
  scan_is(&b, 0, 0, (const unsigned[]){0, 32768}, 2);
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(scans)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
