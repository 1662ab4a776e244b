/* The stage of templates: what a rig file may say, what is sent and matched, and the driver with the
 * templates of rigs/virtual-gcs.yaml against a scripted controller, byte for byte. Examples: user manual
 * MS249E 1.2.1 of PI's C-863.12. */
#include "daqtest.h"

#include "daq_lines.h"
#include "stagetest.h"

static void gcs_rig(cb_rig *rig) {
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual-gcs.yaml", rig, err));
  rig->stage.reply_timeout_s = 3;
}

/* ---- what a rig file may say ---- */

static void bad_templates(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *sentence;
  } cases[] = {
      {"  stop: '\\x18\\c' ", "  # '", "rig.yaml:7: the key 'stop' is missing"},
      {"stop: '\\x18\\c'", "stop: ''", "rig.yaml:7: stop: is empty"},
      {"stop: '\\x18\\c'", "stop: 'STOP NOW {position}'",
       "of the placeholders only {address} may stand in it"},
      {"stop: '\\x18\\c'", "stop: 'STOP NOW, PLEASE'", "1 to 15 bytes with its line end were wanted"},
      {"stop: '\\x18\\c'", "stop: 'S\\c\\c'", "stop: '\\c\\c' cannot stand here: \\xHH, \\r, \\n, \\t, \\\\"},
      {"stop: '\\x18\\c'", "stop: '\\x00\\c'", "stop: '\\x00\\c' cannot stand here"},
      {"line_end: lf", "line_end: vt", "line_end = 'vt': must be cr | lf | crlf"},
      {"{position:6}", "{place:6}",
       "move: '{place:6}' is no placeholder here; allowed are {position}, {speed}"},
      {"{position:6}", "{position:12}", "move: '{position:12}' is no placeholder here"},
      {"{position:6}", "{code}", "move: '{code}' is no placeholder here"},
      {"- 'MOV 1 {position:6}'", "- 'GO'", "move: {position} was wanted in its last command and no other"},
      {"VEL 1 {speed:4}", "VEL 1 5", "move: {speed} was wanted in one of its commands"},
      {"{position:6}'", "{min} {max} {min} {max} {min}'",
       "at most 4 placeholders can be sent in one message"},
      {"'1={position}'", "'1={value}'", "position.reply = '1={value}': {position} was wanted in it"},
      {"'1={position}'", "'{*}{position}'", "a text is wanted between two placeholders"},
      {"'1={position}'", "'1={speed}'",
       "reply: '{speed}' is no placeholder here; allowed are {position}, {ad"},
      {"'1={position}'", "'\\x05{position}'",
       "reply: '\\x05{posit' cannot stand here: a printable character"},
      {"ask: 'VEL? 1', reply: '1={value}'", "ask: 'VEL? 1'", "the key 'reply' is missing"},
      {"'0 = good', ", "", "accept.rules: none of them means 'good'"},
      {"'0 = good'", "'0 good'", "accept.rules: '0 good': CODE = MEANING was wanted"},
      {"'0 = good'", "'0 = fine'", "accept.rules: '0 = fine': must mean good, stopped or refused"},
      {"'9??? = idle'", "'9??? = good'",
       "state.rules: '9??? = good': must mean idle, busy, unhomed, limit or"},
      {"{*}Physik Instrumente{*},{*},{serial},{*}", "{*}",
       "identity.reply = '{*}': a text of 2 bytes or more"},
      {"  device: pi-gcs\n", "", "the key 'device' is missing: pi-gcs or zaber-ascii was wanted"},
      {"driver: lines", "driver: grbl", "device: belongs to stage.driver = 'lines', this is 'grbl'"},
      {"\nlines:\n", "\nline:\n", "unknown key 'line': did you mean 'lines'?"},
  };
  char *text = cbt_read(CB_SOURCE_DIR "/rigs/virtual-gcs.yaml");
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *const pair[][2] = {{cases[i].from, cases[i].to}};
    char *bad = cbt_replace(text, pair, 1);
    cb_rig rig;
    cb_err why = {""};
    cb_status st = cb_rig_parse(bad, "rig.yaml", &rig, &why);
    if (st == CB_OK || !strstr(why.msg, cases[i].sentence))
      fail_msg("'%s' gave '%s', wanted '%s'", cases[i].to, st == CB_OK ? "no error" : why.msg,
               cases[i].sentence);
    cb_rig_clear(&rig);
    free(bad);
  }
  free(text);
}

/* ---- texts ---- */

static void fills(void **state) {
  (void)state;
  cb_rig rig;
  char out[DAQ_LINES_MESSAGE];
  double last, digit;
  const daq_lines_values v = {-12.3456784e-3, 2.5e-3};
  gcs_rig(&rig);
  cb_rig_lines *l = rig.stage.lines;
  assert_int_equal(daq_lines_fill(&l->move.command[1].send, &rig.stage, &v, out, &last, &digit), 17);
  assert_string_equal(out, "MOV 1 -12.345678\n");
  assert_near(last, -12.345678, 0);
  assert_near(digit, 1e-6, 1e-18);
  assert_int_equal(daq_lines_fill(&l->state.ask, &rig.stage, &v, out, NULL, NULL), 1);
  assert_string_equal(out, "\x04");
  /* counts of 0.1984375 um, and a speed of 1.6384 counts per second, as a Zaber stage has them */
  l->unit_m = 0.1984375e-6;
  l->speed_unit_m_per_s = 0.1984375e-6 / 1.6384;
  strcpy(l->line_end, "crlf");
  l->move.command[0].send.piece[1].digits = l->move.command[1].send.piece[1].digits = 0;
  (void)daq_lines_fill(&l->move.command[0].send, &rig.stage, &v, out, &last, &digit);
  assert_string_equal(out, "VEL 1 20641\r\n");
  assert_near(digit, 1, 0);
  const daq_lines_values zero = {-1e-9, 1};
  (void)daq_lines_fill(&l->move.command[1].send, &rig.stage, &zero, out, NULL, NULL);
  assert_string_equal(out, "MOV 1 0\r\n");
  cb_rig_clear(&rig);
}

/* The template of an answer, put into a rig file. */
static void as_reply(const char *reply, cb_rig *rig) {
  char *text = cbt_read(CB_SOURCE_DIR "/rigs/virtual-gcs.yaml"), with[200];
  (void)snprintf(with, sizeof with, "identity: {ask: '?', reply: '%s'}\n  #", reply);
  const char *const pair[][2] = {{"identity:", with}};
  char *edited = cbt_replace(text, pair, 1);
  assert_ok(cb_rig_parse(edited, "rig.yaml", rig, err));
  free(edited);
  free(text);
}

static void matches(void **state) {
  (void)state;
  static const struct {
    const char *reply, *line, *code, *serial;
    bool fits;
    double number;
  } cases[] = {
      {"2={position} ax", "2=-1158.4405 ax", "", "", true, -1158.4405}, /* MS249E page 117, example 5 */
      {"11={position}", "11=+0000.0000 ", "", "", true, 0},
      {"11={position}", "21=1", "", "", false, 0},
      {"11={position}", "11=1.5mm", "", "", false, 0},
      {"11={position}", "11=1e999", "", "", false, 0},
      {"11={position}", "11=nan", "", "", false, 0},
      {"11={position}", "11=", "", "", false, 0},
      {"1 1=0x{code}", "1 1=0x9002", "9002", "", true, 0}, /* page 194 */
      {"@{address} 0 OK {code} {code} {position}", "@01 0 OK IDLE -- 500", "IDLE --", "", true, 500},
      {"@{address} 0 OK {code} {code} {position}", "@02 0 OK IDLE -- 500", "", "", false, 0},
      {"@{address} 0 OK {code} {code} {position}", "@01 0 OK IDLE --", "", "", false, 0},
      {"{*}, {*}, {serial}, {*}", "(c) PI, C-863.12, 0115, 1.2", "", "0115", true, 0},
      {"a{{b{code}", "a{bc d", "", "", false, 0},
      {"a{{b{code}", "a{bcd", "cd", "", true, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    cb_rig rig;
    daq_lines_found f;
    as_reply(cases[i].reply, &rig);
    bool fits = daq_lines_match(&rig.stage.lines->identity.reply, cases[i].line, 1, &f);
    if (fits != cases[i].fits) fail_msg("'%s' and '%s'", cases[i].reply, cases[i].line);
    if (fits) {
      assert_string_equal(f.code, cases[i].code);
      assert_string_equal(f.serial, cases[i].serial);
      assert_near(f.number, cases[i].number, 0);
    }
    cb_rig_clear(&rig);
  }
}

/* Bits of the status register: MS249E page 126, whose example is 0x9005. */
static void states_of_gcs(void **state) {
  (void)state;
  static const struct {
    const char *code;
    int means;
  } cases[] = {{"9005", CB_LINES_IDLE}, {"9002", CB_LINES_IDLE},  {"B002", CB_LINES_BUSY},
               {"3000", CB_LINES_BUSY}, {"7005", CB_LINES_BUSY},  {"5005", CB_LINES_BUSY},
               {"1005", CB_LINES_BUSY}, {"9105", CB_LINES_FAULT}, {"8005", CB_LINES_FAULT},
               {"0005", CB_LINES_FAULT}};
  cb_rig rig;
  gcs_rig(&rig);
  for (size_t i = 0; i < COUNT(cases); i++) {
    const cb_lines_rule *r = daq_lines_rule_of(&rig.stage.lines->state, cases[i].code);
    assert_non_null(r);
    assert_int_equal(r->means, cases[i].means);
  }
  assert_null(daq_lines_rule_of(&rig.stage.lines->state, "905"));
  cb_rig_clear(&rig);
}

/* ---- driver ---- */

static const daq_stage_driver *const driver = &daq_lines_driver;
#define IDN "(c)2021 Physik Instrumente (PI) GmbH & Co. KG, C-863.12, V20001, 1.2.1\n"
#define WHO \
  { "*IDN?\n", IDN }
#define TOLD(command) \
  {command "\n", NULL}, { "ERR?\n", "0\n" }
#define OPENING \
  {"\x18", NULL}, WHO, {"\x04", "0x8002\n"}, {"ERR?\n", "10\n"}, WHO, {"SVO 1 1\n", NULL}, { "ERR?\n", "0\n" }
#define LOOK(bits, place) \
  {"\x04", "0x" bits "\n"}, { "POS? 1\n", "1=" place "\n" }
#define SET(name, value) \
  TOLD(name " 1 " value), { name "? 1\n", "1=" value "\n" }

static void start(dt_script *script, daq_stage *s, cb_rig *rig, const dt_step *steps, size_t n) {
  dt_script_start_bytes(script, steps, n);
  gcs_rig(rig);
  assert_ok(driver->open(s, &rig->stage, script->pty.name, err));
  s->ask_period_s = 0;
}

static void finish(dt_script *script, daq_stage *s, cb_rig *rig) {
  st_end(script, s);
  cb_rig_clear(rig);
}

static void homes_moves_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      LOOK("9002", "0.3"),
      TOLD("FRF 1"),
      LOOK("7002", "1.5"),
      {"\x04", "0x9002\n"},
      {"FRF? 1\n", "1=1\n"},
      {"\x04", "0x9002\n"},
      {"POS? 1\n", "1=50.0000000\n"},
      SET("ACC", "80.0000"),
      SET("DEC", "80.0000"),
      SET("VEL", "10.0000"),
      TOLD("MOV 1 12.500000"),
      LOOK("3002", "43.25"),
      {"\x18", NULL},
      WHO,
      {"\x04", "0x3102\n"},
      {"\x04", "0x9102\n"},
      {"ERR?\n", "10\n"},
      LOOK("9002", "42.5"),
      SET("VEL", "10.0000"), /* its accelerations are in */
      TOLD("MOV 1 5.000000"),
  };
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_string_equal(s.stop_text, "\x18");
  assert_non_null(strstr(s.identity, "C-863.12, V20001"));
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(driver->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_near(at.position_m, 1.5e-3, 1e-12);
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_near(at.position_m, 0.05, 1e-12);
  assert_ok(driver->move_abs(&s, 0.0125, 0.01, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_ok(driver->stop(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_near(at.position_m, 42.5e-3, 1e-12);
  assert_ok(driver->move_abs(&s, 5e-3, 0.01, err));
  assert_int_equal(s.n_stray + s.n_retried + s.n_unreadable, 0);
  finish(&script, &s, &rig);
}

/* An answer that comes late, lies behind the answer to *IDN?, and is not taken for the next one's. */
static void late_and_lost_answers(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING,
                           {"\x04", NULL},
                           {"*IDN?\n", "0x3002\n" IDN}, /* the late one; it moves no more meanwhile */
                           {"\x04", "1=12.5\n0y9002\n\x80\n0x9002\n"},
                           {"POS? 1\n", "0x9002\n"}, /* an answer of before, again */
                           WHO,
                           {"POS? 1\n", "1=7.5\n"},
                           {"\x04", NULL},
                           {"*IDN?\n", NULL},
                           {"*IDN?\n", NULL}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  st_impatient(&s);
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_near(at.position_m, 7.5e-3, 1e-12);
  assert_int_equal(s.n_retried, 2);
  assert_int_equal(s.n_stray, 4);
  assert_int_equal(s.n_unreadable, 1);
  assert_fails(CB_E_TIMEOUT, "no answer to '\\x04\\c' within 0.5 s", st_look(&s, &at, err));
  finish(&script, &s, &rig);
}

static void refusals_and_silence(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING,
                           {"FRF 1\n", NULL},
                           {"ERR?\n", "5\n"},
                           SET("ACC", "80.0000"),
                           SET("DEC", "80.0000"),
                           TOLD("VEL 1 10.0000"),
                           {"VEL? 1\n", "1=8\n"},
                           SET("VEL", "10.0000"),
                           {"MOV 1 10.000000\n", NULL},
                           {"ERR?\n", "-1024\n"},
                           {"VEL 1 10.0000\n", NULL},
                           {"ERR?\n", "10\n"},
                           {"VEL 1 10.0000\n", NULL}, /* asked once: it forgets what it has told */
                           {"ERR?\n", "0x9002\n"},
                           {"\x18", NULL},
                           {"*IDN?\n", NULL},
                           {"\x18", NULL},
                           {"*IDN?\n", NULL},
                           {"\x18", NULL},
                           {"*IDN?\n", NULL}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "refuses 'FRF 1': 5 (no reference or servo off)", driver->home(&s, err));
  assert_fails(CB_E_DEVICE, "was told 'VEL 1 {speed:4}' with 10, but it says 8 now",
               driver->move_abs(&s, 0.01, 0.01, err));
  assert_fails(CB_E_DEVICE, "refuses 'MOV 1 10.000000': -1024 (motion error)",
               driver->move_abs(&s, 0.01, 0.01, err));
  assert_fails(CB_E_DEVICE, "was stopped by somebody before 'VEL 1 10.0000': 10",
               driver->move_abs(&s, 0.01, 0.01, err));
  st_impatient(&s);
  assert_fails(CB_E_TIMEOUT, "no answer to 'ERR?' within 0.5 s; what came, '0x9002', is none by its template",
               driver->move_abs(&s, 0.01, 0.01, err));
  assert_fails(CB_E_TIMEOUT, "no answer to '*IDN?' within 0.5 s", driver->stop(&s, err));
  finish(&script, &s, &rig);
}

static void trouble(const char *bits, const char *sentence) {
  const dt_step steps[] = {
      OPENING,       TOLD("FRF 1"), {"\x04", "0x9002\n"}, {"FRF? 1\n", "1=1\n"}, LOOK("9002", "50"),
      {"\x04", bits}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_ok(driver->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_fails(CB_E_DEVICE, sentence, st_look(&s, &at, err));
  finish(&script, &s, &rig);
}

static void troubles(void **state) {
  (void)state;
  trouble("0x8002\n", "reports '8002' (its servo is off)");
  trouble("0x9102\n", "reports '9102' (ERR? tells which)");
}

static void homing_fails(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, TOLD("FRF 1"), {"\x04", "0x9002\n"}, {"FRF? 1\n", "1=0\n"}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_ok(driver->home(&s, err));
  assert_fails(CB_E_DEVICE, "homing ended with '0' (no reference)", st_look(&s, &at, err));
  finish(&script, &s, &rig);
}

/* The cable is pulled in mid-move: that is said at once, by whatever is asked. */
static void unplugged(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, {"\x04", NULL}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_ok(driver->ask(&s, err));
  atomic_store(&script.over, true);
  pthread_join(script.thread, NULL);
  dt_pty_unplug(&script.pty);
  double before_s = cb_now_monotonic_s();
  assert_fails(CB_E_DEVICE, "the device was disconnected", st_look(&s, &at, err));
  assert_fails(CB_E_DEVICE, "the device was disconnected", driver->stop(&s, err));
  assert_true(cb_now_monotonic_s() - before_s < 0.5 * cbt_patience());
  daq_stage_close(&s);
  dt_pty_close(&script.pty);
  cb_rig_clear(&rig);
}

static void wrong_devices(void **state) {
  (void)state;
  const dt_step steps[] = {{"\x18", NULL}, WHO, {"\x04", "0x8002\n"}, {"ERR?\n", "10\n"}, WHO};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  gcs_rig(&rig);
  strcpy(rig.stage.serial, "V7");
  dt_script_start_bytes(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "serial number is V20001, the rig file wants V7",
               driver->open(&s, &rig.stage, script.pty.name, err));
  st_end(&script, &s);
  st_busy_port(driver, &rig.stage);
  rig.stage.reply_timeout_s = 0.3;
  st_stranger(driver, &rig.stage, NULL, CB_E_TIMEOUT, "nothing came: no power, the wrong cable or port");
  st_stranger(driver, &rig.stage, "@01 0 OK IDLE -- 0\r\n", CB_E_DEVICE,
              "115200 baud; a PI controller with GCS 2 was wanted");
  cb_rig_clear(&rig);
}

/* An identity that could be any answer cannot tell the late ones from the others. */
static void an_identity_like_others(void **state) {
  (void)state;
  const dt_step steps[] = {{"\x18", NULL},
                           {"*IDN?\n", "0x9002\n"},
                           {"\x04", "0x9002\n"},
                           {"ERR?\n", "10\n"},
                           {"*IDN?\n", "0x9002\n"}};
  char *text = cbt_read(CB_SOURCE_DIR "/rigs/virtual-gcs.yaml");
  const char *const pair[][2] = {{"'{*}Physik Instrumente{*},{*},{serial},{*}'", "'0x{serial}'"}};
  char *edited = cbt_replace(text, pair, 1);
  dt_script script;
  daq_stage s;
  cb_rig rig;
  assert_ok(cb_rig_parse(edited, "rig.yaml", &rig, err));
  dt_script_start_bytes(&script, steps, COUNT(steps));
  assert_fails(CB_E_ARG, "'0x9002', its answer to '*IDN?', also fits the reply '0x{code}'",
               driver->open(&s, &rig.stage, script.pty.name, err));
  st_end(&script, &s);
  cb_rig_clear(&rig);
  free(edited);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_templates),
      cmocka_unit_test(fills),
      cmocka_unit_test(matches),
      cmocka_unit_test(states_of_gcs),
      cmocka_unit_test(homes_moves_stops),
      cmocka_unit_test(late_and_lost_answers),
      cmocka_unit_test(refusals_and_silence),
      cmocka_unit_test(troubles),
      cmocka_unit_test(homing_fails),
      cmocka_unit_test(unplugged),
      cmocka_unit_test(wrong_devices),
      cmocka_unit_test(an_identity_like_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
