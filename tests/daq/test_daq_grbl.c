/* Grbl: the parser against every line it knows and garbage; the driver against a scripted controller, byte
 * for byte. */
#include "daqtest.h"

#include "cb_rng_parts.h"
#include "daq_grbl.h"
#include "stagetest.h"

/* ---- parser ---- */

static daq_parse parse(const char *text, daq_grbl_message *m, size_t *used) {
  return daq_grbl_parse(text, strlen(text), m, used);
}

static void lines(void **state) {
  (void)state;
  daq_grbl_message m;
  size_t used;
  assert_int_equal(parse("ok\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.kind, DAQ_GRBL_OK);
  assert_int_equal(used, 3); /* the line feed goes with what follows */
  assert_int_equal(parse("error:15\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_true(m.kind == DAQ_GRBL_ERROR && m.code == 15);
  assert_int_equal(parse("\r\nALARM:1\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_true(m.kind == DAQ_GRBL_ALARM && m.code == 1);
  assert_int_equal(parse("Grbl 1.1f ['$' for help]\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.kind, DAQ_GRBL_WELCOME);
  assert_string_equal(m.text, "1.1f");
  assert_int_equal(parse("$100=250.000\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_true(m.kind == DAQ_GRBL_SETTING && m.code == 100 && m.value == 250);
  assert_int_equal(parse("[VER:1.1f.20170801:my rig]\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.kind, DAQ_GRBL_INFO);
  assert_string_equal(m.text, "VER:1.1f.20170801:my rig");
}

/* The relatives say what they are; what explains a number, or is a name, does no harm. */
static void relatives(void **state) {
  (void)state;
  static const struct {
    const char *says;
    daq_grbl_firmware firmware;
    const char *version;
  } welcomes[] = {
      {"Grbl 1.1h ['$' for help]\r\n", DAQ_GRBL_ORIGINAL, "1.1h"},
      {"Grbl 1.1i MR MegaV Open Frame Bed ['$' for help]\r\n", DAQ_GRBL_ORIGINAL, "1.1i"},
      {"GrblHAL 1.1f ['$' or '$HELP' for help]\r\n", DAQ_GRBL_HAL, "1.1f"},
      {"grblHAL 1.1f ['$' or '$HELP' for help]\r\n", DAQ_GRBL_HAL, "1.1f"},
      {"Grbl 1.3a ['$' for help]\r\n", DAQ_GRBL_ESP32, "1.3a"},
      {"Grbl 3.7 [FluidNC v3.7.13 (noradio) '$' for help]\r\n", DAQ_GRBL_FLUIDNC, "v3.7.13"},
      {"Grbl 4.0 [FluidNC v4.0.3 (wifi) '$' for help]\r\n", DAQ_GRBL_FLUIDNC, "v4.0.3"},
  };
  daq_grbl_message m;
  size_t used;
  for (size_t i = 0; i < COUNT(welcomes); i++) {
    if (parse(welcomes[i].says, &m, &used) != DAQ_PARSE_VALID || m.kind != DAQ_GRBL_WELCOME)
      fail_msg("%s", welcomes[i].says);
    assert_int_equal(m.firmware, welcomes[i].firmware);
    assert_string_equal(m.text, welcomes[i].version);
  }
  assert_int_equal(parse("$100=250.000 (x, step/mm)\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_true(m.kind == DAQ_GRBL_SETTING && m.code == 100 && m.value == 250);
  static const char *const harmless[] = {"$300=grblHAL\r\n", "$74=\r\n", ">G54G20:ok\r\n", ">:error:2\r\n"};
  for (size_t i = 0; i < COUNT(harmless); i++) {
    if (parse(harmless[i], &m, &used) != DAQ_PARSE_VALID) fail_msg("%s", harmless[i]);
    assert_int_equal(m.kind, DAQ_GRBL_INFO);
  }
  assert_int_equal(parse("$100=x\r\n", &m, &used), DAQ_PARSE_INVALID);
}

static void reports(void **state) {
  (void)state;
  static const struct {
    const char *text;
    daq_grbl_state wanted;
    bool has;
    double y_mm;
  } cases[] = {
      {"<Idle|MPos:0.000,0.000,0.000|FS:0.0,0>\r\n", DAQ_GRBL_IDLE, true, 0},
      {"<Jog|MPos:-1.5,-20.004,3|FS:600,0|Ov:100,100,100>\r\n", DAQ_GRBL_JOG, true, -20.004},
      {"<Hold:1|FS:0,0|MPos:1,2,3,4>\r\n", DAQ_GRBL_HOLD, true, 2}, /* any order, more axes */
      {"<Door:0|WPos:1,2,3>\r\n", DAQ_GRBL_DOOR, false, 0},
      {"<Alarm>\r\n", DAQ_GRBL_IN_ALARM, false, 0},
      {"<Home|MPos:1,2,3|Pn:X>\r\n", DAQ_GRBL_HOME, true, 2},
      {"<Check|MPos:1,2,3>\n", DAQ_GRBL_CHECK, true, 2},
      {"<Sleep|MPos:1,2,3>\r", DAQ_GRBL_SLEEP, true, 2},
      {"<Run|MPos:1,2,3>\r\n", DAQ_GRBL_RUN, true, 2},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    daq_grbl_message m;
    size_t used;
    if (parse(cases[i].text, &m, &used) != DAQ_PARSE_VALID) fail_msg("'%s' was not taken", cases[i].text);
    assert_int_equal(m.kind, DAQ_GRBL_STATUS);
    assert_int_equal(m.state, cases[i].wanted);
    assert_int_equal(m.has_position, cases[i].has);
    if (m.has_position) assert_near(m.axis_mm[1], cases[i].y_mm, 1e-12);
  }
}

static void refused_lines(void **state) {
  (void)state;
  static const char *const bad[] = {"okay\r\n",
                                    "error:\r\n",
                                    "error:x\r\n",
                                    "ALARM:1234\r\n",
                                    "$100\r\n",
                                    "$x=1\r\n",
                                    "$1=nan\r\n",
                                    "<Lazy|MPos:1,2,3>\r\n",
                                    "<Idle|MPos:1,2>\r\n",
                                    "<Idle|MPos:1,2,x>\r\n",
                                    "<Idle|MPos:1,2,3|MPos:1,2,3>\r\n",
                                    "<Idle|MPos:1,2,3\r\n",
                                    "<>\r\n",
                                    "<\r\n",
                                    "[\r\n",
                                    "[MSG:\x80]\r\n",
                                    "@01 0 OK IDLE -- 0\r\n"};
  for (size_t i = 0; i < COUNT(bad); i++) {
    daq_grbl_message m;
    size_t used;
    if (parse(bad[i], &m, &used) != DAQ_PARSE_INVALID) fail_msg("'%s' was taken", bad[i]);
    assert_true(used > 0 && used <= strlen(bad[i]));
  }
  daq_grbl_message m;
  size_t used;
  assert_int_equal(parse("<Idle|MPos:0.0", &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(used, 0);
}

/* Any bytes, in pieces of any size: the parser ends, drops something, and the report after them is found. */
/* A cable that rustles: nothing but line ends must not fill the buffer for good. */
static void endless_line_ends(void **state) {
  (void)state;
  char text[1024];
  daq_grbl_message m;
  size_t used;
  for (size_t i = 0; i < sizeof text; i++) text[i] = i % 3 ? '\r' : '\n';
  assert_int_equal(daq_grbl_parse(text, 2, &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_grbl_parse(text, sizeof text, &m, &used), DAQ_PARSE_INVALID);
  assert_int_equal(used, sizeof text);
}

static void garbage(void **state) {
  (void)state;
  const char alphabet[] = "<>|:$[]=,.0123456789okerALARMIdleJogMPos\r\n \x00\xff";
  const char good[] = "<Jog|MPos:-47.110,0.000,0.000|FS:1,0>\r\n";
  cb_rng rng;
  cb_rng_init(&rng, 12, 0);
  for (int round = 0; round < 2000; round++) {
    char text[512];
    size_t n = cb_rng_u64(&rng) % 300, at = 0, used;
    for (size_t i = 0; i < n; i++) text[i] = alphabet[cb_rng_u64(&rng) % (sizeof alphabet - 1)];
    memcpy(text + n, good, sizeof good - 1);
    n += sizeof good - 1;
    daq_grbl_message m;
    daq_parse p;
    bool found = false;
    while ((p = daq_grbl_parse(text + at, n - at, &m, &used)) != DAQ_PARSE_MORE) {
      assert_true(used > 0 && used <= n - at);
      at += used;
      found = found || (p == DAQ_PARSE_VALID && m.kind == DAQ_GRBL_STATUS && m.state == DAQ_GRBL_JOG &&
                        m.axis_mm[0] == -47.11);
    }
    assert_true(found);
  }
}

static void texts(void **state) {
  (void)state;
  assert_string_equal(daq_grbl_alarm_text(1), "a limit switch was hit; the position is lost");
  assert_string_equal(daq_grbl_error_text(15), "the target lies outside the machine's travel ($130 to $132)");
  assert_string_equal(daq_grbl_error_text(38), "see Grbl's list");
}

/* ---- driver ---- */

static const daq_stage_driver *const grbl = &daq_grbl_driver;

static const cb_rig_stage rig = {.baud = 115200,
                                 .axis = "Y",
                                 .microstep_m = 4e-6,
                                 .limit_min_m = -0.2,
                                 .limit_max_m = 0,
                                 .max_speed_m_per_s = 0.05,
                                 .acceleration_m_per_s2 = 0.5,
                                 .start_m = -0.18,
                                 .reply_timeout_s = 3};

#define WELCOME "\r\nGrbl 1.1f ['$' for help]\r\n"
#define SWITCHES "$10=1\r\n$13=0\r\n$20=1\r\n$21=1\r\n$22=1\r\n$23=0\r\n"
#define AXES "$101=250.000\r\n$111=3000.000\r\n$121=500.000\r\n$131=200.000\r\n"
#define OPENING                                                              \
  {"\x18", WELCOME "[MSG:'$H'|'$X' to unlock]\r\n"},                         \
      {"$I\n", "[VER:1.1f.20170801:bench 3]\r\n[OPT:V,15,128]\r\nok\r\n"}, { \
    "$$\n", SWITCHES "$100=1.000\r\n" AXES "ok\r\n"                          \
  }
#define AT(state, y) "<" state "|MPos:0.000," y ",0.000|FS:0,0>\r\n"

static void start(dt_script *script, daq_stage *s, const dt_step *steps, size_t n) {
  dt_script_start_bytes(script, steps, n);
  assert_ok(grbl->open(s, &rig, script->pty.name, err));
  s->ask_period_s = 0;
}

static void opens(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING};
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  assert_string_equal(s.identity, "Grbl 1.1f.20170801, name 'bench 3'");
  assert_string_equal(s.stop_text, "\x18");
  st_end(&script, &s);
}

static void homes_moves_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"?", AT("Alarm", "0.000")}, /* locked until it is homed */
      /* a report from before the command */
      {"$H\n", NULL},
      {"?", AT("Idle", "-1.000")},
      {"$J=G53G90G21Y-180.000F3000.000\n", AT("Idle", "-1.000") "ok\r\n"},
      {"?", AT("Jog", "-50.004")},
      {"\x85?", AT("Jog", "-60.000")},
      {"\x85?", AT("Idle", "-61.200")},
      {"?", AT("Idle", "-61.200")},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  bool fresh;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(grbl->home(&s, err));
  for (int i = 0; i < 5; i++) { /* nothing is asked while it homes */
    assert_ok(grbl->ask(&s, err));
    assert_ok(grbl->take(&s, &at, &fresh, err));
    assert_false(fresh);
    cb_sleep_s(0.005);
  }
  dt_send(&script.pty, "ok\r\n");
  assert_ok(st_look(&s, &at, err));
  assert_near(at.position_m, -1e-3, 1e-12);
  assert_ok(grbl->move_abs(&s, -0.18, 0.05, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_near(at.position_m, -50.004e-3, 1e-12);
  assert_ok(grbl->stop(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  st_end(&script, &s);
}

/* 10 questions per second are what the firmware bears. */
static void asks_slowly(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, {"?", AT("Idle", "0.000")}, {"?", AT("Idle", "0.000")}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  s.ask_period_s = 0.1;
  assert_ok(st_look(&s, &at, err));
  double began = cb_now_monotonic_s();
  assert_ok(st_look(&s, &at, err));
  assert_true(cb_now_monotonic_s() - began > 0.08);
  st_end(&script, &s);
}

static void homing_is_stopped_by_a_reset(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING, {"$H\n", NULL}, {"\x18", "ALARM:6\r\n" WELCOME}, {"?", AT("Alarm", "0.000")}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(grbl->home(&s, err));
  assert_ok(grbl->stop(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  st_end(&script, &s);
}

/* What a homed stage says, and what becomes of it. */
static void trouble(const char *says, cb_status status, const char *sentence) {
  const dt_step steps[] = {OPENING, {"$H\n", "ok\r\n"}, {"?", AT("Idle", "-1.000")}, {"?", says}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(grbl->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  if (status == CB_E_TIMEOUT) st_impatient(&s);
  assert_fails(status, sentence, st_look(&s, &at, err));
  st_end(&script, &s);
}

static void troubles(void **state) {
  (void)state;
  trouble("ALARM:1\r\n[MSG:Reset to continue]\r\n", CB_E_DEVICE,
          "ALARM:1 (a limit switch was hit; the position is lost); look at the stage, free it");
  trouble(WELCOME, CB_E_DEVICE, "Grbl was reset; the position is lost");
  trouble(AT("Alarm", "-1.000"), CB_E_DEVICE, "is locked by an alarm");
  trouble(AT("Hold:0", "-1.000"), CB_E_DEVICE, "is held (feed hold), and not by this program");
  trouble(AT("Door:1", "-1.000"), CB_E_DEVICE, "its safety door is open, or its emergency stop is pressed");
  trouble(AT("Sleep", "-1.000"), CB_E_DEVICE, "sleeps");
  trouble(AT("Check", "-1.000"), CB_E_DEVICE, "check mode");
  trouble("<Idle|WPos:1,2,3>\r\n", CB_E_DEVICE, "reports no machine position");
}

/* A jog whose ok is lost is not sent again: the report tells whether it was heard. */
static void ok_of_a_jog_is_lost(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING,
                           {"$J=G53G90G21Y-180.000F600.000\n", AT("Idle", "-1.000")},
                           {"?", AT("Jog", "-3.000")},
                           {"$J=G53G90G21Y-20.000F600.000\n", NULL},
                           {"?", AT("Idle", "-20.000")},
                           {"$J=G53G90G21Y-10.000F600.000\n", NULL},
                           {"?", AT("Idle", "-20.000")}};
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  assert_ok(grbl->move_abs(&s, -0.18, 0.01, err));
  assert_ok(grbl->move_abs(&s, -0.02, 0.01, err));
  assert_fails(CB_E_TIMEOUT, "no answer to '$J=G53G90G21Y-10.000F600.000' within 0.5 s",
               grbl->move_abs(&s, -0.01, 0.01, err));
  st_end(&script, &s);
}

/* The ok of homing is lost: a report that was asked for later tells that it is home. */
static void ok_of_homing_is_lost(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING,
                           {"$H\n", NULL},
                           {"?", "<Home|MPos:-50.000,0.000,0.000|FS:600,0>\r\n"},
                           {"?", AT("Idle", "-1.000")},
                           {"?", AT("Idle", "-1.000")}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(grbl->home(&s, err));
  double began_s = cb_now_monotonic_s();
  assert_ok(st_look(&s, &at, err));
  assert_true(cb_now_monotonic_s() - began_s > 3.5);
  assert_near(at.position_m, -1e-3, 1e-12);
  assert_false(at.busy);
  st_end(&script, &s);
}

/* A report is asked for three times in all, and the second answer is as good. */
static void report_is_asked_again(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,     {"?", NULL}, {"?", AT("Idle", "-1.000")}, {"?", "%&?#\r\n<Idle|MPos:0.0\r\n"},
      {"?", NULL}, {"?", NULL}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  double began_s = cb_now_monotonic_s();
  assert_ok(st_look(&s, &at, err));
  assert_near(at.position_m, -1e-3, 1e-12);
  assert_int_equal(s.n_retried, 1);
  assert_true(at.asked_s - began_s < 0.05); /* the first question's: the position may be that old */
  assert_fails(CB_E_TIMEOUT, "no answer to '?' within 0.5 s", st_look(&s, &at, err));
  assert_int_equal(s.n_retried, 3);
  st_end(&script, &s);
}

static void refusals(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"$J=G53G90G21Y-180.000F600.000\n", "error:8\r\n"},
      {"$J=G53G90G21Y10.000F600.000\n", "error:15\r\n"},
      {"$J=G53G90G21Y-10.000F600.000\n", NULL},
      {"?", NULL}, /* was it heard? */
      {"$H\n", "error:5\r\n"},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  bool fresh;
  start(&script, &s, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "error:8 (not possible while it is busy)", grbl->move_abs(&s, -0.18, 0.01, err));
  assert_fails(CB_E_DEVICE, "refuses '$J=G53G90G21Y10.000F600.000': error:15",
               grbl->move_abs(&s, 0.01, 0.01, err));
  st_impatient(&s);
  assert_fails(CB_E_TIMEOUT, "no answer to '$J=G53G90G21Y-10.000F600.000' within 0.5 s",
               grbl->move_abs(&s, -0.01, 0.01, err));
  assert_ok(grbl->home(&s, err));
  cb_sleep_s(0.05);
  assert_fails(CB_E_DEVICE, "refuses '$H': error:5 (homing is switched off ($22))",
               grbl->take(&s, &at, &fresh, err));
  st_end(&script, &s);
}

static void stop_is_repeated(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, {"\x85?", NULL}, {"\x85?", NULL}, {"\x85?", NULL}};
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  assert_fails(CB_E_TIMEOUT, "no answer to 'jog cancel'", grbl->stop(&s, err));
  st_end(&script, &s);
}

/* Settings that do not go with the rig file: which, is, wanted. */
static void settings(void **state) {
  (void)state;
  static const struct {
    const char *says, *sentence;
  } cases[] = {
      {"$10=0\r\n", "setting $10 = 0: it reports work positions"},
      {"$13=1\r\n", "setting $13 = 1: it reports inches"},
      {"$20=0\r\n", "setting $20 = 0: soft limits are off"},
      {"$21=0\r\n", "setting $21 = 0: limit switches do not stop it"},
      {"$22=0\r\n", "setting $22 = 0: it cannot home"},
      {"$101=200.000\r\n", "setting $101 = 200 steps/mm, a step of 5 um; the rig file says 4 um"},
      {"$111=600.000\r\n", "setting $111 = 600 mm/min, the rig file's max_speed_mm_per_s wants 3000"},
      {"$121=10.000\r\n", "setting $121 = 10 mm/s2, the rig file's acceleration_mm_per_s2 wants 500"},
      {"$131=150.000\r\n", "travel is -150 to 0 mm ($131), the rig file's limits are -200 to 0 mm"},
      {NULL, "'$$' does not tell $131"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char text[400];
    (void)snprintf(text, sizeof text, "%s%s%sok\r\n", SWITCHES,
                   cases[i].says ? AXES : "$101=250\r\n$111=3000\r\n$121=500\r\n",
                   cases[i].says ? cases[i].says : "");
    dt_step steps[] = {OPENING};
    dt_script script;
    daq_stage s;
    steps[2].answer = text;
    dt_script_start_bytes(&script, steps, COUNT(steps));
    assert_fails(CB_E_DEVICE, cases[i].sentence, grbl->open(&s, &rig, script.pty.name, err));
    st_end(&script, &s);
  }
}

/* A build that has its origin at the lower switch counts upwards. */
static void origin_at_the_lower_end(void **state) {
  (void)state;
  const dt_step steps[] = {{"\x18", WELCOME},
                           {"$I\n", "[VER:1.1f.20170801:]\r\n[OPT:VZ,15,128]\r\nok\r\n"},
                           {"$$\n", SWITCHES AXES "$23=2\r\nok\r\n"}};
  dt_script script;
  daq_stage s;
  cb_rig_stage upwards = rig;
  upwards.limit_min_m = 0;
  upwards.limit_max_m = 0.2;
  dt_script_start_bytes(&script, steps, COUNT(steps));
  assert_ok(grbl->open(&s, &upwards, script.pty.name, err));
  st_end(&script, &s);
}

#define HAL_SETTINGS                                                                                       \
  "$10=511\r\n$13=0\r\n$20=1\r\n$21=3\r\n$22=13\r\n$23=2\r\n$74=\r\n$101=250\r\n$111=3000\r\n$121=500\r\n" \
  "$131=200\r\n$300=grblHAL\r\nok\r\n"
#define HAL_INFO "[VER:1.1f.20230101:rig]\r\n[OPT:V,15,128]\r\n[FIRMWARE:grblHAL]\r\nok\r\n"

/* Driven as Grbl is: grblHAL, whichever way it greets, with its bits in $21 and $22 (8: origin at the
 * switch); Grbl_ESP32 after the words of its boot loader. */
static void drives_relatives(void **state) {
  (void)state;
  const dt_step hal[] = {
      {"\x18", "\r\nGrblHAL 1.1f ['$' or '$HELP' for help]\r\n[MSG:'$H'|'$X' to unlock]\r\n"},
      {"$I\n", HAL_INFO},
      {"$$\n", HAL_SETTINGS},
      {"?", "<Alarm:11|MPos:0.000,4.000,0.000|Bf:35,1023|FS:0,0,0|Pn:|H:0|FW:grblHAL>\r\n"}};
  const dt_step compatible[] = {
      {"\x18", WELCOME}, {"$I\n", HAL_INFO}, {"$$\n", HAL_SETTINGS}, {"?", AT("Idle", "4.000")}};
  const dt_step esp32[] = {
      {"\x18",
       "ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
       "[MSG:Grbl_ESP32 Ver 1.3a Date 20210419]\r\n\r\nGrbl 1.3a ['$' for help]\r\n"},
      {"$I\n", "[VER:1.3a.20210419:rig]\r\n[OPT:VZ,15,128]\r\nok\r\n"},
      {"$$\n", SWITCHES AXES "$23=2\r\nok\r\n"},
      {"?", AT("Idle", "4.000")}};
  const struct {
    const dt_step *steps;
    const char *identity;
  } all[] = {{hal, "grblHAL 1.1f.20230101, name 'rig'"},
             {compatible, "grblHAL 1.1f.20230101, name 'rig'"},
             {esp32, "Grbl_ESP32 1.3a.20210419, name 'rig'"}};
  for (size_t i = 0; i < COUNT(all); i++) {
    dt_script script;
    daq_stage s;
    daq_stage_state at;
    cb_rig_stage upwards = rig;
    upwards.limit_min_m = 0;
    upwards.limit_max_m = 0.2;
    dt_script_start_bytes(&script, all[i].steps, 4);
    assert_ok(grbl->open(&s, &upwards, script.pty.name, err));
    assert_string_equal(s.identity, all[i].identity);
    assert_int_equal(s.n_unreadable, 0);
    assert_ok(st_look(&s, &at, err));
    assert_near(at.position_m, 4e-3, 1e-12);
    st_end(&script, &s);
  }
}

/* Named for what it is, and not driven: what it keeps to itself cannot be checked. */
static void fluidnc(void **state) {
  (void)state;
  const dt_step steps[] = {
      {"\x18", "[MSG:INFO: FluidNC v3.7.13]\r\nGrbl 3.7 [FluidNC v3.7.13 (noradio) '$' for help]\r\n"}};
  dt_script script;
  daq_stage s;
  dt_script_start_bytes(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE,
               "is FluidNC v3.7.13, which keeps travel, steps and limit switches in its own file",
               grbl->open(&s, &rig, script.pty.name, err));
  st_end(&script, &s);
}

static void wrong_devices(void **state) {
  (void)state;
  dt_step steps[] = {{"\x18", "\r\nGrbl 0.9j ['$' for help]\r\n"}};
  dt_step other[] = {{"\x18", WELCOME}, {"$I\n", "[VER:1.1f.20170801:bench 3]\r\nok\r\n"}};
  dt_script script;
  daq_stage s;
  cb_rig_stage named = rig;
  dt_script_start_bytes(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "is Grbl 0.9j, 1.1 was wanted", grbl->open(&s, &rig, script.pty.name, err));
  st_end(&script, &s);
  (void)snprintf(named.serial, sizeof named.serial, "bench 4");
  dt_script_start_bytes(&script, other, COUNT(other));
  assert_fails(CB_E_DEVICE, "serial number is bench 3, the rig file wants bench 4",
               grbl->open(&s, &named, script.pty.name, err));
  st_end(&script, &s);
  st_busy_port(grbl, &rig);
  st_stranger(grbl, &rig, "\x80\xf8garb\r\n", CB_E_DEVICE,
              "and none made sense: another device, or a rate other than 115200 baud");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines),
      cmocka_unit_test(reports),
      cmocka_unit_test(refused_lines),
      cmocka_unit_test(endless_line_ends),
      cmocka_unit_test(garbage),
      cmocka_unit_test(texts),
      cmocka_unit_test(opens),
      cmocka_unit_test(homes_moves_stops),
      cmocka_unit_test(asks_slowly),
      cmocka_unit_test(homing_is_stopped_by_a_reset),
      cmocka_unit_test(troubles),
      cmocka_unit_test(refusals),
      cmocka_unit_test(stop_is_repeated),
      cmocka_unit_test(settings),
      cmocka_unit_test(origin_at_the_lower_end),
      cmocka_unit_test(relatives),
      cmocka_unit_test(report_is_asked_again),
      cmocka_unit_test(ok_of_homing_is_lost),
      cmocka_unit_test(ok_of_a_jog_is_lost),
      cmocka_unit_test(drives_relatives),
      cmocka_unit_test(fluidnc),
      cmocka_unit_test(wrong_devices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
