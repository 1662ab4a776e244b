/* The device sides of Grbl, SMC100, the ESM stand and a PI controller: exchanges to the byte, the faults they
 * play, and what makes them say something of their own. (Zaber: test_vrig_zaber.c.) */
#include "vrig_device.h"
#include "vrigtest.h"

typedef struct device {
  cb_rig rig;
  vrig_stage stage;
  const vrig_device *d;
  void *state;
} device;

static void power_up(device *x, int driver) {
  vrt_rig(&x->rig);
  x->rig.stage.driver = driver;
  x->rig.virt.device = CB_VIRTUAL_PI_GCS; /* for the driver lines */
  x->rig.stage.microstep_m = 4e-6;
  (void)strcpy(x->rig.stage.axis, "X");
  if (driver == CB_STAGE_GRBL) {
    x->rig.stage.limit_min_m = -0.1;
    x->rig.stage.limit_max_m = 0;
    x->rig.stage.start_m = -0.08;
  }
  vrig_stage_init(&x->stage, x->rig.stage.limit_min_m, x->rig.stage.limit_max_m, x->rig.stage.start_m);
  x->d = vrig_device_of(&x->rig);
  x->state = calloc(1, x->d->size);
  assert_non_null(x->state);
  x->d->power_up(x->state, &x->rig, &x->stage);
}

static void switch_off(device *x) {
  free(x->state);
  cb_rig_clear(&x->rig);
}

/* What it says to these bytes at this time, and of its own before. */
static void exchange(device *x, double t, const char *bytes, const char *wanted) {
  char out[4096], reply[VRIG_DEVICE_REPLY_MAX];
  size_t n = 0;
  do {
    size_t got = x->d->tick ? x->d->tick(x->state, t, reply) : 0;
    memcpy(out + n, reply, got);
    n += got;
    if (*bytes) {
      got = x->d->byte(x->state, t, *bytes, reply);
      assert_true(n + got < sizeof out);
      memcpy(out + n, reply, got);
      n += got;
    }
  } while (*bytes && *++bytes);
  out[n] = '\0';
  if (strcmp(out, wanted) != 0) fail_msg("at %g s got '%s', wanted '%s'", t, out, wanted);
}

static void fault(device *x, double t, vrig_stage_fault what, const char *wanted) {
  char reply[VRIG_DEVICE_REPLY_MAX];
  size_t n = x->d->fault(x->state, t, what, reply);
  assert_int_equal(n, strlen(wanted));
  assert_memory_equal(reply, wanted, n);
}

static double place(const device *x, double t) {
  double at, v;
  vrig_stage_at(&x->stage, t, &at, &v);
  return at;
}

#define LOCKED "\r\nGrbl 1.1f ['$' for help]\r\n[MSG:'$H'|'$X' to unlock]\r\n"

static void grbl(void **state) {
  (void)state;
  device x;
  char reply[VRIG_DEVICE_REPLY_MAX];
  power_up(&x, CB_STAGE_GRBL);
  size_t n = x.d->opened(x.state, 0, reply);
  assert_int_equal(n, strlen(LOCKED));
  assert_memory_equal(reply, LOCKED, n);
  exchange(&x, 0, "?", "<Alarm|MPos:0.000,0.000,0.000|FS:0,0|WCO:0.000,0.000,0.000>\r\n");
  exchange(&x, 0, "$J=G91X1F100\n", "error:8\r\n"); /* not before homing */
  exchange(&x, 0, "G0X1\n", "error:9\r\n");
  exchange(&x, 0, "$foo\n", "error:3\r\n");
  exchange(&x, 0, "$I\r\n\n", "[VER:1.1f.20170801:virtual]\r\n[OPT:V,15,128]\r\nok\r\nok\r\n");
  /* 80 mm up at 25 mm/s and 500 mm/s2: 3.25 s; then 1 mm back: 0.0894 s. */
  exchange(&x, 0, "$H\n", "");
  exchange(&x, 1, "?", "");
  exchange(&x, 3.2, "", "");
  exchange(&x, 3.3, "", "");
  exchange(&x, 3.5, "", "ok\r\n");
  assert_near(place(&x, 4), -1e-3, 1e-12);
  exchange(&x, 4, "?", "<Idle|MPos:-1.000,0.000,0.000|FS:0,0>\r\n");
  exchange(&x, 4, "$J=G53G90G21X-81.000F600\n", "ok\r\n");
  /* 20 mm less the ramp's 0.1 mm, in steps of 4 um */
  exchange(&x, 6, "?", "<Jog|MPos:-20.900,0.000,0.000|FS:100,0>\r\n");
  exchange(&x, 6, "\x85", "");
  exchange(&x, 7, "?", "<Idle|MPos:-21.000,0.000,0.000|FS:0,0>\r\n");
  exchange(&x, 7, "$J=X1F600\n", "error:15\r\n");
  exchange(&x, 7, "$J=X-101F600\n", "error:15\r\n");
  exchange(&x, 7, "$J=X-50\n", "error:22\r\n");
  exchange(&x, 7, "$J=A1F1\n", "error:16\r\n");
  exchange(&x, 7, "$J=X1.2.3F1\n", "error:2\r\n");
  exchange(&x, 7, "G1X0\n", "error:20\r\n");
  exchange(&x, 7, "!?", "<Hold:0|MPos:-21.000,0.000,0.000|FS:0,0>\r\n");
  exchange(&x, 7, "~?", "<Idle|MPos:-21.000,0.000,0.000|FS:0,0>\r\n");
  /* A reset in motion: the position is lost. */
  exchange(&x, 7, "$J=G91X-10F600\n", "ok\r\n");
  exchange(&x, 7.5, "\x18", "ALARM:3\r\n" LOCKED);
  exchange(&x, 8, "$J=G91X1F100\n", "error:8\r\n");
  exchange(&x, 8, "$X\n", "[MSG:Caution: Unlocked]\r\nok\r\n");
  switch_off(&x);
}

static void grbl_faults(void **state) {
  (void)state;
  device x;
  power_up(&x, CB_STAGE_GRBL);
  exchange(&x, 0, "$X\n$J=G91X-10F600\n", "[MSG:Caution: Unlocked]\r\nok\r\nok\r\n");
  /* A stepper that loses its load does not know: it counts on. */
  fault(&x, 0.5, VRIG_STAGE_STALL, "");
  double stuck = place(&x, 0.5);
  exchange(&x, 3, "?", "<Idle|MPos:-10.000,0.000,0.000|FS:0,0|WCO:0.000,0.000,0.000>\r\n");
  assert_near(place(&x, 3), stuck, 1e-12);
  exchange(&x, 3, "?", "<Idle|MPos:-10.000,0.000,0.000|FS:0,0>\r\n");
  fault(&x, 3, VRIG_STAGE_REJECT, "");
  exchange(&x, 3, "$J=G91X1F600\n", "error:9\r\n");
  exchange(&x, 3, "$J=G91X1F600\n", "ok\r\n");
  fault(&x, 3.05, VRIG_STAGE_ALARM, "ALARM:1\r\n[MSG:Reset to continue]\r\n");
  exchange(&x, 3.1, "?$X\n", ""); /* deaf until it is reset */
  exchange(&x, 3.2, "\x18", LOCKED);
  exchange(&x, 3.2, "$X\n", "[MSG:Caution: Unlocked]\r\nok\r\n");
  fault(&x, 3.3, VRIG_STAGE_ESTOP, "");
  exchange(&x, 3.3, "$J=G91X1F600\n", "error:8\r\n");
  switch_off(&x);
}

/* Numbers of errors, bits and forms of answers: PI's manual MS249E, pages 117, 126, 207. */
static void gcs(void **state) {
  (void)state;
  device x;
  power_up(&x, CB_STAGE_LINES);
  exchange(&x, 0, "\x04\x05", "0x0000\n0\n"); /* its servo is off; single characters have no end */
  exchange(&x, 0, "MOV 1 5\nERR?\nERR?\n", "5\n0\n");
  exchange(&x, 0, "FRF 1\nERR?\nXYZ 1 3\nERR?\nSVO 1 2\nERR?\nSVO 2 1\nERR?\n", "5\n2\n1\n15\n");
  exchange(&x, 0, "SVO 1 1\nSVO? 1\nPOS? 1\nFRF?\n", "1=1\n1=0.0000000\n1=0\n");
  exchange(&x, 0, "MOV 1 5\n\x04", "0x9100\n"); /* an error is told by a bit until it is asked for */
  exchange(&x, 0, "ERR?\nPOS? 7\nERR?\n", "5\n15\n");
  /* From 20 mm to the middle at 50 mm/s and 500 mm/s2: 0.7 s. */
  exchange(&x, 0, "FRF 1\n\x04\x05POS? 1\n", "0x7000\n1\n1=0.0000000\n");
  exchange(&x, 1, "\x04POS? 1\nFRF? 1\nONT? 1\n", "0x9000\n1=50.0000000\n1=1\n1=1\n");
  exchange(&x, 1, "VEL 1 10\nVEL? 1\nVEL 1 51\nERR?\nACC? 1\n", "1=10.0000000\n8\n1=500.0000000\n");
  exchange(&x, 1, "MOV 1 101\nERR?\nMOV 1 x\nERR?\nMOV? 1\n", "7\n1\n1=50.0000000\n");
  exchange(&x, 1, "MOV 1 70\nERR?\n", "0\n");
  /* 10 mm less the ramp's 0.1 mm */
  exchange(&x, 2, "\x04POS? 1\n", "0x3002\n1=59.9000000\n");
  exchange(&x, 2, "MOV 1 5\x18\n", ""); /* stops at once, though a line has begun, which then counts */
  exchange(&x, 2, "STP\nERR?\nPOS? 1\n", "10\n1=59.9000000\n");
  exchange(&x, 2, "MOV 1 30\n", "");
  fault(&x, 2.5, VRIG_STAGE_STALL, "");
  exchange(&x, 3,
           "\x04"
           "ERR?\nMOV 1 40\nERR?\n",
           "0x0102\n-1024\n5\n");
  exchange(&x, 3, "SVO 1 1\nMOV 1 40\nERR?\nHLT 1\nERR?\n", "0\n10\n");
  fault(&x, 4, VRIG_STAGE_REJECT, "");
  exchange(&x, 4, "MOV 1 30\nERR?\nMOV 1 30\nERR?\n", "7\n0\n");
  fault(&x, 5, VRIG_STAGE_ESTOP, "");
  exchange(&x, 5, "ERR?\nSVO 1 1\nERR?\n", "-1024\n5\n");
  exchange(&x, 5, "*IDN?\n", "(c)2021 Physik Instrumente (PI) GmbH & Co. KG, C-863.12, V20001, 1.2.1\n");
  switch_off(&x);
}

/* The same for a protocol of bytes: both as "43 04 01 00 50 01", what comes by itself before. */
static void bytes(device *x, double t, const char *sent, const char *wanted) {
  char out[600] = "", reply[VRIG_DEVICE_REPLY_MAX];
  size_t at = 0, got = x->d->tick(x->state, t, reply);
  for (;;) {
    for (size_t i = 0; i < got; i++)
      at += (size_t)snprintf(out + at, sizeof out - at, at ? " %02X" : "%02X", (unsigned char)reply[i]);
    if (!*sent) break;
    got = x->d->byte(x->state, t, (char)strtol(sent, NULL, 16), reply);
    sent += sent[2] ? 3 : 2;
  }
  if (strcmp(out, wanted) != 0) fail_msg("at %g s got '%s', wanted '%s'", t, out, wanted);
}

#define DC_STATE "90 04 01 00 50 01"
#define SAYS(id, position, bits) id " 04 0E 00 81 50 01 00 " position " 00 00 00 00 " bits

/* Messages as in yaq-project/thorlabs-apt-protocol: README.md and parsing.py. */
static void apt(void **state) {
  (void)state;
  device x;
  power_up(&x, CB_STAGE_APT);
  bytes(&x, 0, DC_STATE, SAYS("91", "00 00 00 00", "00 01 00 00"));
  bytes(&x, 0, "43 04 01 00 50 01 " DC_STATE, SAYS("91", "00 00 00 00", "00 01 00 00")); /* not enabled */
  bytes(&x, 0, "10 02 01 01 50 01 53 04 06 00 D0 01 01 00 00 08 00 00", "");             /* not homed */
  /* From 20 mm to 0 at 50 mm/s and 500 mm/s2: 0.5 s; 4 um are a count. */
  bytes(&x, 0, "43 04 01 00 50 01 " DC_STATE, SAYS("91", "00 00 00 00", "20 03 00 80"));
  bytes(&x, 0.25, DC_STATE, SAYS("91", "3C F6 FF FF", "20 03 00 80")); /* -2500 and a bit: it goes back */
  bytes(&x, 0.6, DC_STATE, "44 04 01 00 01 50 " SAYS("91", "00 00 00 00", "00 05 00 80"));
  bytes(&x, 0.6, "53 04 06 00 D0 01 01 00 00 08 00 00", ""); /* to 2048 */
  bytes(&x, 2, "", SAYS("64", "00 08 00 00", "00 05 00 80"));
  bytes(&x, 2, "53 04 06 00 D0 01 01 00 A9 61 00 00", ""); /* 25001 is beyond the travel */
  bytes(&x, 2, "53 04 06 00 D0 01 01 00 A8 61 00 00 65 04 01 01 50 01", "");
  bytes(&x, 2, "", SAYS("66", "00 08 00 00", "00 05 00 80"));
  for (int i = 0; i < 60; i++) bytes(&x, 2, DC_STATE, i < 45 ? SAYS("91", "00 08 00 00", "00 05 00 80") : "");
  bytes(&x, 2, "92 04 00 00 50 01 " DC_STATE, SAYS("91", "00 08 00 00", "00 05 00 80"));
  fault(&x, 2, VRIG_STAGE_STALL, "");
  bytes(&x, 2, DC_STATE, SAYS("91", "00 08 00 00", "00 45 00 80"));
  switch_off(&x);
}

static void smc100(void **state) {
  (void)state;
  device x;
  power_up(&x, CB_STAGE_SMC100);
  exchange(&x, 0, "1TS\r\n2TS\r\n", "1TS00000A\r\n"); /* somebody else is not asked */
  exchange(&x, 0, "1TP\r\n1VE\r\n1ID?\r\n",
           "1TP0.00000\r\n1VE SMC100CC V1.2\r\n1IDVIRTUAL100CC_SN:V10001\r\n");
  exchange(&x, 0, "1PA5\r\n1TE\r\n1TE\r\n", "1TEH\r\n1TE@\r\n"); /* not before homing; told once */
  exchange(&x, 0, "1VA10\r\n1TE\r\n", "1TEH\r\n");
  exchange(&x, 0, "1XX\r\n1TE\r\n", "1TEA\r\n");
  /* From 20 mm to 0 at 50 mm/s and 500 mm/s2: 0.5 s. */
  exchange(&x, 0, "1OR\r\n1TE\r\n1TS\r\n1OR\r\n1TE\r\n", "1TE@\r\n1TS00001E\r\n1TEE\r\n");
  exchange(&x, 1, "1TS\r\n1TP\r\n1OR\r\n1TE\r\n", "1TS000032\r\n1TP0.00000\r\n1TEK\r\n");
  exchange(&x, 1, "1VA10\r\n1TE\r\n1VA?\r\n1AC?\r\n", "1TE@\r\n1VA10\r\n1AC500\r\n");
  exchange(&x, 1, "1VA51\r\n1TE\r\n1SR60\r\n1TE\r\n1SR?\r\n", "1TEC\r\n1TE@\r\n1SR60\r\n");
  exchange(&x, 1, "1PA61\r\n1TE\r\n1PAx\r\n1TE\r\n", "1TEG\r\n1TEC\r\n");
  exchange(&x, 1, "1PA40\r\n1TE\r\n1TS\r\n", "1TE@\r\n1TS000028\r\n");
  /* 20 mm less the ramp's 0.1 mm */
  exchange(&x, 3, "1TP\r\n1PR1\r\n1TE\r\n1ST\r\n", "1TP19.90000\r\n1TEM\r\n");
  exchange(&x, 4, "1TS\r\n1TP\r\n", "1TS000033\r\n1TP20.00000\r\n");
  fault(&x, 4, VRIG_STAGE_REJECT, "");
  exchange(&x, 4, "1PA30\r\n1TE\r\n1PA30\r\n1TE\r\n", "1TED\r\n1TE@\r\n");
  fault(&x, 4.5, VRIG_STAGE_STALL, "");
  exchange(&x, 5, "1TS\r\n1TS\r\n1PA0\r\n1TE\r\n", "1TS00203D\r\n1TS00003D\r\n1TEJ\r\n"); /* told once */
  exchange(&x, 5, "1RS\r\n1TS\r\n", "1TS00000A\r\n");
  fault(&x, 5, VRIG_STAGE_ALARM, "");
  exchange(&x, 5, "1TS\r\n", "1TS00020F\r\n");
  fault(&x, 5, VRIG_STAGE_ESTOP, "");
  exchange(&x, 5, "1TS\r\n1TS\r\n", "1TS01003D\r\n1TS01003D\r\n");
  switch_off(&x);
}

static void esm(void **state) {
  (void)state;
  device x;
  power_up(&x, CB_STAGE_MARK10_ESM);
  x.d->reading(x.state, -1.2345);
  exchange(&x, 0, "pn", "SM\r\n-1.2345 N\r\n20.00 mm\r\n");
  exchange(&x, 0, "vwax", "100.00 mm\r\n0.00 mm\r\n3000.0 mm/min\r\n20.00 mm\r\n");
  /* a number of the wrong width is none */
  exchange(&x, 0, "h035.00g-01.00g-007.52lvwp", "35.00 mm\r\n-7.52 mm\r\nSL\r\n");
  exchange(&x, 0, "/CLR u\\e0600.0aou", "600.0 mm/min\r\n"); /* what is for the gauge does not move the
                                                                stand */
  exchange(&x, 1, "px", "UL\r\n29.90 mm\r\n");               /* 10 mm less the ramp's 0.1 mm */
  exchange(&x, 3, "px", "SLUL\r\n35.00 mm\r\n");
  exchange(&x, 3, "up", "SLUL\r\n"); /* it is there */
  exchange(&x, 3, "d", "");
  exchange(&x, 4, "sp", "DL\r\n");
  exchange(&x, 5, "px", "SL\r\n25.00 mm\r\n");
  fault(&x, 5, VRIG_STAGE_REJECT, "");
  exchange(&x, 5, "up", "SL\r\n");
  exchange(&x, 5, "up", "UL\r\n");
  fault(&x, 5.5, VRIG_STAGE_ALARM, "");
  exchange(&x, 6, "p", "SLUL\r\n");
  fault(&x, 6, VRIG_STAGE_ESTOP, "");
  exchange(&x, 6, "dp", "SL\r\n");
  exchange(&x, 6, "zx", "0.00 mm\r\n");
  switch_off(&x);
}

static void zaber(void **state) {
  (void)state;
  device x;
  power_up(&x, CB_STAGE_ZABER_ASCII);
  exchange(&x, 0, "/1 set comm.alert 1\n/1 home\n", "@01 0 OK IDLE WR 0\r\n@01 0 OK BUSY WR 0\r\n");
  exchange(&x, 0.2, "", "");
  exchange(&x, 1, "", "!01 1 IDLE --\r\n");
  exchange(&x, 1, "", "");
  exchange(&x, 1, "/1 move abs 10000\n", "@01 0 OK BUSY -- 0\r\n");
  fault(&x, 1.2, VRIG_STAGE_STALL, "!01 1 IDLE FS\r\n");
  exchange(&x, 2, "/1 home\n/1 warnings clear\n",
           "@01 0 RJ IDLE FS DRIVERDISABLED\r\n@01 0 OK IDLE -- 01 FS\r\n");
  exchange(&x, 2, "/1 get comm.alert\n", "@01 0 OK IDLE -- 1\r\n");
  fault(&x, 2, VRIG_STAGE_REJECT, "");
  /* accel 20: 488.3 mm/s2, so the ramp takes 0.1024 s and 2.56 mm, and 0.0976 s at 50 mm/s were left: 7.44 mm
   * of 4 um each. */
  exchange(&x, 2, "/1 get pos\n", "@01 0 OK IDLE -- 1860\r\n");
  exchange(&x, 2, "/1 move abs 0\n", "@01 0 RJ IDLE -- AGAIN\r\n");
  fault(&x, 2, VRIG_STAGE_ALARM, "!01 1 IDLE FE\r\n");
  fault(&x, 2, VRIG_STAGE_ESTOP, "!01 1 IDLE FH\r\n");
  exchange(&x, 2, "/1 warnings clear\n/1\n", "@01 0 OK IDLE FH 01 FH\r\n@01 0 OK IDLE FH 0\r\n");
  switch_off(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grbl), cmocka_unit_test(grbl_faults), cmocka_unit_test(smc100), cmocka_unit_test(esm),
      cmocka_unit_test(gcs),  cmocka_unit_test(apt),         cmocka_unit_test(zaber)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
