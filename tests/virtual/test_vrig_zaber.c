/* The device side of Zaber ASCII: exchanges to the byte. */
#include "vrig_zaber.h"
#include "vrigtest.h"

typedef struct device {
  cb_rig rig;
  vrig_stage stage;
  vrig_zaber z;
} device;

static void power_up(device *d) {
  vrig_stage_init(&d->stage, d->rig.stage.limit_min_m, d->rig.stage.limit_max_m, d->rig.stage.start_m);
  vrig_zaber_init(&d->z, &d->rig.stage, &d->stage);
}

/* All that the device says to these bytes at this time. */
static const char *say(device *d, double t, const char *bytes, char out[1024]) {
  size_t n = 0;
  char reply[VRIG_ZABER_REPLY_MAX];
  for (; *bytes; bytes++) {
    size_t got = vrig_zaber_byte(&d->z, t, *bytes, reply);
    assert_true(n + got < 1024);
    memcpy(out + n, reply, got);
    n += got;
  }
  out[n] = '\0';
  return out;
}

static void exchange(device *d, double t, const char *bytes, const char *wanted) {
  char out[1024];
  if (strcmp(say(d, t, bytes, out), wanted) != 0)
    fail_msg("at %g s '%s' got '%s', wanted '%s'", t, bytes, out, wanted);
}

static long long position(device *d, double t) {
  char out[1024];
  long long pos = 0;
  assert_int_equal(sscanf(say(d, t, "/1 get pos\n", out), "@01 0 OK %*4s %*2s %lld", &pos), 1);
  return pos;
}

static void home(device *d) {
  char out[1024];
  (void)say(d, 0, "/1 home\n", out);
  exchange(d, 100, "/1\n", "@01 0 OK IDLE -- 0\r\n");
}

static void frames(void **state) {
  (void)state;
  device d;
  vrt_rig(&d.rig);
  power_up(&d);
  home(&d);
  const struct {
    const char *sent, *wanted;
  } cases[] = {
      {"/1\n", "@01 0 OK IDLE -- 0\r\n"},
      {"/1\r\n", "@01 0 OK IDLE -- 0\r\n"}, /* CR, LF or both: one reply */
      {"/\n", "@01 0 OK IDLE -- 0\r\n"},    /* nobody in particular: all */
      {"/0 0\n", "@01 0 OK IDLE -- 0\r\n"},
      {"/2\n", ""}, /* somebody else */
      {"/2 get pos\n", ""},
      {"/01 1\n", "@01 1 OK IDLE -- 0\r\n"},
      {"/1 0 7\n", "@01 0 07 OK IDLE -- 0\r\n"}, /* message id */
      {"/1 1 42 get pos\n", "@01 1 42 OK IDLE -- 0\r\n"},
      {"/1 2\n", "@01 2 RJ IDLE -- BADAXIS\r\n"},
      {"/get pos\n", "@01 0 OK IDLE -- 0\r\n"},
      {"/1   get    pos\n", "@01 0 OK IDLE -- 0\r\n"},
      {"garbage\n", ""},
      {"/1 get/1\n", "@01 0 OK IDLE -- 0\r\n"}, /* a new frame begins where its mark stands */
      {"/1\n/1 0 5\n", "@01 0 OK IDLE -- 0\r\n@01 0 05 OK IDLE -- 0\r\n"},
      {"/123\n", ""},
      {"/1 get pos pos pos pos pos pos pos pos pos\n", ""},
      {"/1 frobnicate\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 move vel 1000\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 move\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 home now\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 get\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 get nothing\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 set version 1\n", "@01 0 RJ IDLE -- BADCOMMAND\r\n"},
      {"/1 move abs\n", "@01 0 RJ IDLE -- BADDATA\r\n"},
      {"/1 move abs 1.5\n", "@01 0 RJ IDLE -- BADDATA\r\n"},
      {"/1 move abs 99999999999999999999\n", "@01 0 RJ IDLE -- BADDATA\r\n"},
      {"/1 move abs 1 2\n", "@01 0 RJ IDLE -- BADDATA\r\n"},
      {"/1 move min 3\n", "@01 0 RJ IDLE -- BADDATA\r\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    exchange(&d, 200, cases[i].sent, cases[i].wanted);
  char longest[200];
  (void)snprintf(longest, sizeof longest, "/1%79s\n/1%80s\n", "", "");
  exchange(&d, 200, longest, "@01 0 OK IDLE -- 0\r\n"); /* 80 bytes after the mark pass, 81 do not */
  cb_rig_clear(&d.rig);
}

/* Sums by hand: "1 0 get pos" 0x353, "01 0 OK IDLE -- 0" 0x373, "01 0 RJ IDLE -- BADDATA" 0x526, "01 0 OK
 * IDLE WR 1" 0x3C3; the checksum makes them 0 mod 0x100. */
static void checksums(void **state) {
  (void)state;
  device d;
  vrt_rig(&d.rig);
  power_up(&d);
  home(&d);
  exchange(&d, 200, "/1 0 get pos:AD\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 200, "/1 0 get pos:ad\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 200, "/1 0 get pos:AE\n", "");
  exchange(&d, 200, "/1 0 get pos:\n", "");
  exchange(&d, 200, "/1 0 get pos:0xAD\n", "");
  exchange(&d, 200, "/1 set comm.checksum 1\n", "@01 0 OK IDLE -- 0:8D\r\n");
  exchange(&d, 200, "/1 set comm.checksum 2\n", "@01 0 RJ IDLE -- BADDATA:DA\r\n");
  exchange(&d, 200, "/1 set comm.checksum 0\n", "@01 0 OK IDLE -- 0\r\n");
  d.rig.stage.checksum = true;
  power_up(&d);
  exchange(&d, 200, "/2 0 get pos\n/1 0 get comm.checksum\n", "@01 0 OK IDLE WR 1:3D\r\n");
  cb_rig_clear(&d.rig);
}

static void homing(void **state) {
  (void)state;
  device d;
  vrt_rig(&d.rig);
  power_up(&d);
  exchange(&d, 1, "/1\n", "@01 0 OK IDLE WR 0\r\n");
  exchange(&d, 1, "/1 get pos\n", "@01 0 OK IDLE WR 0\r\n"); /* it stands at 20 mm and does not know */
  exchange(&d, 1, "/1 warnings\n", "@01 0 OK IDLE WR 01 WR\r\n");
  exchange(&d, 1, "/1 move abs 1000\n", "@01 0 RJ IDLE WR BADDATA\r\n");
  exchange(&d, 1, "/1 move rel 10\n", "@01 0 RJ IDLE WR BADDATA\r\n");
  exchange(&d, 1, "/1 home\n", "@01 0 OK BUSY WR 0\r\n");
  /* 20 mm at 50 mm/s and (413 / ACCEL_SCALE microsteps/s2 =) 500.2 mm/s2: 0.4 s + 0.1 s. */
  exchange(&d, 1.49, "/1\n", "@01 0 OK BUSY WR 0\r\n");
  exchange(&d, 1.51, "/1\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 1.51, "/1 warnings\n", "@01 0 OK IDLE -- 00\r\n");
  exchange(&d, 1.51, "/1 get pos\n", "@01 0 OK IDLE -- 0\r\n");
  assert_true(d.stage.end_m == 0);
  power_up(&d);
  exchange(&d, 1, "/1 home\n", "@01 0 OK BUSY WR 0\r\n");
  exchange(&d, 1.2, "/1 stop\n", "@01 0 OK BUSY WR 0\r\n");
  exchange(&d, 2, "/1 warnings\n", "@01 0 OK IDLE WR 02 WR NI\r\n"); /* cut short: still lost */
  exchange(&d, 2, "/1 set pos 1000\n", "@01 0 OK IDLE WH 0\r\n");
  exchange(&d, 2, "/1 get pos\n", "@01 0 OK IDLE WH 1000\r\n");
  cb_rig_clear(&d.rig);
}

/* 10 mm/s at 0.1984375 um: 50393.7 microsteps/s, data 82565; the same speed must come out on the stage. */
static void moves_and_units(void **state) {
  (void)state;
  device d;
  vrt_rig(&d.rig);
  power_up(&d);
  home(&d);
  exchange(&d, 200, "/1 get maxspeed\n", "@01 0 OK IDLE -- 412825\r\n");
  exchange(&d, 200, "/1 get accel\n", "@01 0 OK IDLE -- 413\r\n");
  exchange(&d, 200, "/1 set maxspeed 82565\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 200, "/1 get maxspeed\n", "@01 0 OK IDLE -- 82565\r\n");
  exchange(&d, 200, "/1 move abs 302362\n", "@01 0 OK BUSY -- 0\r\n"); /* 59.999959 mm */
  double t0, x0, x1, v;
  vrig_stage_at(&d.stage, 202, &x0, &v);
  vrig_stage_at(&d.stage, 203, &x1, &v);
  assert_near(x1 - x0, 0.01, 1e-7); /* the data's digit: 6e-6 of the speed */
  assert_near(d.stage.end_m, 302362 * 0.1984375e-6, 1e-15);
  t0 = d.stage.end_s;
  assert_near(t0 - 200, 302362 * 0.1984375e-6 / 0.01 + 0.01 / 0.5002, 1e-3);
  exchange(&d, t0 - 0.001, "/1\n", "@01 0 OK BUSY -- 0\r\n");
  exchange(&d, t0 + 0.001, "/1 get pos\n", "@01 0 OK IDLE -- 302362\r\n");
  exchange(&d, 300, "/1 move rel -2362\n", "@01 0 OK BUSY -- 0\r\n");
  exchange(&d, 400, "/1 get pos\n", "@01 0 OK IDLE -- 300000\r\n");
  exchange(&d, 400, "/1 move abs 300000\n", "@01 0 OK IDLE -- 0\r\n"); /* there already */
  exchange(&d, 400, "/1 move min\n", "@01 0 OK BUSY -- 0\r\n");
  exchange(&d, 500, "/1 get pos\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 500, "/1 move max\n", "@01 0 OK BUSY -- 0\r\n");
  exchange(&d, 600, "/1 get pos\n", "@01 0 OK IDLE -- 503937\r\n");
  cb_rig_clear(&d.rig);
}

static void limits(void **state) {
  (void)state;
  device d;
  vrt_rig(&d.rig);
  power_up(&d);
  home(&d);
  exchange(&d, 200, "/1 get limit.max\n", "@01 0 OK IDLE -- 503937\r\n"); /* floor(100 mm / microstep) */
  exchange(&d, 200, "/1 get limit.min\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 200, "/1 move abs 503938\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 move abs -1\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set limit.max 1000\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 200, "/1 move abs 1001\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set limit.min 1001\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set limit.max 600000\n", "@01 0 OK IDLE -- 0\r\n");
  /* the track ends there whatever the setting */
  exchange(&d, 200, "/1 move abs 503938\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set maxspeed 0\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set maxspeed 412827\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set accel 0\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 set accel\n", "@01 0 RJ IDLE -- BADDATA\r\n");
  exchange(&d, 200, "/1 get system.serial\n", "@01 0 OK IDLE -- 10001\r\n");
  exchange(&d, 200, "/1 get version\n", "@01 0 OK IDLE -- 7.28\r\n");
  exchange(&d, 200, "/1 get device.id\n", "@01 0 OK IDLE -- 50000\r\n");
  cb_rig_clear(&d.rig);
}

static void stopping(void **state) {
  (void)state;
  device d;
  vrt_rig(&d.rig);
  power_up(&d);
  home(&d);
  exchange(&d, 200, "/1 stop\n", "@01 0 OK IDLE -- 0\r\n"); /* nothing to cut short */
  exchange(&d, 200, "/1 move max\n", "@01 0 OK BUSY -- 0\r\n");
  long long before = position(&d, 201);
  exchange(&d, 201, "/1 stop\n", "@01 0 OK BUSY NI 0\r\n");
  exchange(&d, 202, "/1\n", "@01 0 OK IDLE NI 0\r\n");
  exchange(&d, 202, "/1 warnings\n", "@01 0 OK IDLE NI 01 NI\r\n");
  /* v^2 / 2a of 50 mm/s and 500.2 mm/s2 = 2.499 mm. */
  assert_near((double)(position(&d, 202) - before) * 0.1984375e-3, 2.499, 1e-2);
  exchange(&d, 202, "/1 warnings clear\n", "@01 0 OK IDLE -- 01 NI\r\n");
  exchange(&d, 202, "/1\n", "@01 0 OK IDLE -- 0\r\n");
  exchange(&d, 210, "/1 move min\n", "@01 0 OK BUSY -- 0\r\n");
  exchange(&d, 211, "/1 move max\n", "@01 0 OK BUSY NI 0\r\n"); /* a movement cuts a movement short */
  exchange(&d, 220, "/1 move min\n", "@01 0 OK BUSY -- 0\r\n");
  before = position(&d, 221);
  exchange(&d, 221, "/1 estop\n", "@01 0 OK IDLE NI 0\r\n");
  assert_int_equal(position(&d, 222), before);
  exchange(&d, 222, "/1 move max\n", "@01 0 OK BUSY -- 0\r\n");
  exchange(&d, 222.5, "/1 set pos 0\n", "@01 0 RJ BUSY -- STATUSBUSY\r\n");
  cb_rig_clear(&d.rig);
}

/* Whatever comes over the wire, the stage stays on its track and a clean command is understood afterwards. */
static void noise_on_the_wire(void **state) {
  (void)state;
  device d;
  char reply[VRIG_ZABER_REPLY_MAX];
  const char alphabet[] = "/1 0:-59gethomveabslimrstp.\r\n\x80";
  uint32_t lcg = 1;
  vrt_rig(&d.rig);
  power_up(&d);
  for (int i = 0; i < 300000; i++) {
    lcg = lcg * 1664525u + 1013904223u;
    (void)vrig_zaber_byte(&d.z, i * 1e-3, alphabet[(lcg >> 16) % sizeof alphabet], reply);
    double x, v;
    vrig_stage_at(&d.stage, i * 1e-3, &x, &v);
    assert_true(x >= 0 && x <= 0.1);
  }
  char out[1024];
  assert_non_null(strstr(say(&d, 400, "\n/1 0 9 get version\n", out), " 09 OK "));
  cb_rig_clear(&d.rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames),           cmocka_unit_test(checksums),
                                     cmocka_unit_test(homing),           cmocka_unit_test(moves_and_units),
                                     cmocka_unit_test(limits),           cmocka_unit_test(stopping),
                                     cmocka_unit_test(noise_on_the_wire)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
