/* The check of a rig against the truth inside the virtual one, and every way to fail it. The emulator plays
 * one rig file, the check reads another: a rig whose file is wrong. */
#include "daqtest.h"

#include <signal.h>
#include <sys/ioctl.h>

#include "cb_rig.h"
#include "daq_check.h"
#include "daq_emulator.h"
#include "daq_transport.h"

/* Time-outs that a loaded machine does not reach; a calibration that was valid long ago already. */
#define PATIENT \
  {"reply_timeout_s: 5", "reply_timeout_s: 60"}, { "silence_timeout_s: 5", "silence_timeout_s: 60" }
#define PACE(n) \
  { "time_scale: 40", "time_scale: " n }

typedef struct bench {
  daq_emulator *emulator;
  cb_stop stop;
  const char *stop_after;   /* step; NULL: all */
  const char *unplug_after; /* step; NULL: never */
  double added_kg;          /* what the operator puts on the cart; < 0: forgets it */
  int prompts;
  daq_check_step step[20];
  size_t n, count[DAQ_N_VERDICTS];
} bench;

static void on_step(void *context, const daq_check_step *s) {
  bench *b = context;
  b->step[b->n++] = *s;
  if (b->stop_after && strcmp(s->name, b->stop_after) == 0) atomic_store(&b->stop, true);
  if (b->unplug_after && strcmp(s->name, b->unplug_after) == 0) {
    daq_emulator_stop(b->emulator);
    b->emulator = NULL;
  }
}

static cb_status on_prompt(void *context, const char *text, cb_err *err) {
  bench *b = context;
  b->prompts++;
  if (!strstr(text, "Put the cart on")) return CB_OK;
  return b->added_kg < 0 ? CB_OK : daq_emulator_load_cart(b->emulator, b->added_kg, err);
}

static const daq_check_step *step(const bench *b, const char *name) {
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->step[i].name, name) == 0) return &b->step[i];
  fail_msg("no step '%s'", name);
  return NULL;
}

static void assert_verdict(const bench *b, const char *name, daq_verdict wanted, const char *text) {
  const daq_check_step *s = step(b, name);
  if (s->verdict != wanted || !strstr(s->text, text))
    fail_msg("%s: %s: '%s', wanted %s and '%s'", name, daq_verdict_names[s->verdict], s->text,
             daq_verdict_names[wanted], text);
}

static const daq_figure *figure(const bench *b, const char *name, const char *what) {
  const daq_check_step *s = step(b, name);
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->figure[i].name, what) == 0) return &s->figure[i];
  fail_msg("step '%s' has no figure '%s'", name, what);
  return NULL;
}

/* Within four of the uncertainties it states: one wrong alarm in ten thousand. */
static void assert_truth(const bench *b, const char *name, const char *what, double truth) {
  const daq_figure *f = figure(b, name, what);
  assert_near(f->value, truth, 4 * f->u);
}

typedef const char *edit[2];

static cb_status check(bench *b, const cb_rig *rig, cb_err *err) {
  const daq_check_job job = {.rig = rig,
                             .program = CB_EXE,
                             .stop_flag = &b->stop,
                             .prompt = on_prompt,
                             .step = on_step,
                             .context = b};
  b->n = 0;
  return daq_check_run(&job, b->count, err);
}

/* The emulator plays the rig with the edits `truth`, the check reads it with the edits `file`. */
static void check_other(bench *b, const edit *truth, size_t n_truth, const edit *file, size_t n_file,
                        bool swapped) {
  char path[400];
  cb_rig rig;
  cb_err why = {""};
  (void)cbt_path("truth.yaml", path);
  dt_rig_with(path, truth, n_truth);
  assert_ok(daq_emulator_start(CB_EXE, path, &b->emulator, err));
  const char *ports[] = {daq_emulator_stage_port(b->emulator), daq_emulator_force_port(b->emulator)};
  dt_rig_on(cbt_path("file.yaml", path), ports[swapped], ports[!swapped], file, n_file);
  assert_ok(cb_rig_load(path, &rig, err));
  cb_status st = check(b, &rig, &why);
  if (st != (b->stop_after ? CB_E_STOPPED : CB_OK)) fail_msg("status %d: %s", st, why.msg);
  cb_rig_clear(&rig);
  daq_emulator_stop(b->emulator);
  b->emulator = NULL;
}
#define CHECK_OTHER(b, truth, file) \
  check_other(b, truth, sizeof(truth) / sizeof(truth)[0], file, sizeof(file) / sizeof(file)[0], false)

/* A pseudo-terminal has no modem lines: while these are not negative, they are what TIOCMGET finds on every
 * port (the linker sends our calls here). */
static atomic_int modem_lines = -1;
int __real_ioctl(int fd, unsigned long request, void *argument);
int __wrap_ioctl(int fd, unsigned long request, void *argument);

int __wrap_ioctl(int fd, unsigned long request, void *argument) {
  int lines = atomic_load(&modem_lines);
  if (request != TIOCMGET || lines < 0) return __real_ioctl(fd, request, argument);
  *(int *)argument = lines;
  return 0;
}

/* ---- figures against truth ---- */

static void truth(void **state) {
  (void)state;
  static const edit edits[] = {PATIENT,
                               PACE("10"),
                               {"u_rel: 0.002", "u_rel: 0.00001"},
                               {"drift_per_s: 0.00002", "drift_per_s: 0.0002"}};
  static bench b;
  char path[400];
  cb_rig rig;
  (void)cbt_path("own.yaml", path);
  dt_rig_with(path, edits, sizeof edits / sizeof edits[0]);
  assert_ok(cb_rig_load(path, &rig, err));
  assert_ok(check(&b, &rig, err));
  assert_int_equal(b.prompts, 0); /* a virtual rig has an operator of its own */
  assert_int_equal(b.count[DAQ_FAIL], 0);
  assert_int_equal(b.count[DAQ_NOT_TESTED], 0);
  assert_verdict(&b, "e-stop", DAQ_INFO, "names no contact");
  assert_truth(&b, "sample rate", "rate", 400);
  assert_true(figure(&b, "sample rate", "rate")->u < 20);
  assert_near(figure(&b, "sample rate", "unreadable")->value, 0, 0);
  assert_true(figure(&b, "round trip", "questions")->value >= 200);
  /* Question and answer take the latency of 5 ms of rig time, at ten times the pace. */
  assert_true(figure(&b, "round trip", "median")->value >= 0.5e-3);
  assert_near(figure(&b, "digit", "digit")->value, 1e-4, 1e-9);
  assert_truth(&b, "noise", "sd", 2e-3);
  assert_truth(&b, "noise", "density", 2e-3 * sqrt(2 / 400.0));
  /* White noise and drift, each by its closed form. */
  assert_truth(&b, "noise", "mean_1s", hypot(2e-3 / sqrt(400), 2e-4 * 1 / sqrt(2)));
  assert_truth(&b, "drift", "drift", 2e-4);
  /* What had drifted by then comes on top of the zero. */
  assert_near(figure(&b, "zero", "zero")->value, 0.05, 0.02);
  assert_near(figure(&b, "home", "position")->value, 0, 1e-7);
  assert_near(figure(&b, "repeatability", "worst")->value, 0, 0.2e-6);
  assert_truth(&b, "pull line", "stiffness", 500);
  assert_true(figure(&b, "pull line", "stiffness")->u < 5);
  assert_truth(&b, "slack", "slack", 2e-3);
  assert_true(figure(&b, "slack", "slack")->u < 0.1e-3);
  assert_verdict(&b, "polarity", DAQ_PASS, "positive");
  cb_rig_clear(&rig);
}

/* The sensor at the cart against the stage: a right scale, one that is 5 % off, one of the wrong sign. */
static void displacement(void **state) {
  (void)state;
  static const struct {
    const char *scale;
    double truth;
    daq_verdict verdict;
    const char *text;
  } cases[] = {{"scale: 0.01}", 1, DAQ_PASS, "the sensor saw "},
               {"scale: 0.0105}", 1.05, DAQ_WARN, "the sensor saw "},
               {"scale: -0.01}", -1, DAQ_FAIL, "the channel's scale has the wrong sign"}};
  for (int i = 0; i < 3; i++) {
    static bench b = {.added_kg = 0.395};
    char path[400], played[400], stage[200], force[200];
    cb_rig rig;
    const edit truth[] = {{"time_scale: 40", "time_scale: 10"}, {"noise_sd: 0.002", "noise_sd: 0.001"}};
    dt_rig_from("virtual-comedi.yaml", cbt_path("truth.yaml", played), truth, 2);
    assert_ok(daq_emulator_start(CB_EXE, played, &b.emulator, err));
    (void)snprintf(stage, sizeof stage, "port: %s", daq_emulator_stage_port(b.emulator));
    (void)snprintf(force, sizeof force, "port: %s", daq_emulator_force_port(b.emulator));
    const edit file[] = {{"time_scale: 40", "time_scale: 10"},
                         {"port: virtual", stage},
                         {"port: virtual", force},
                         {"scale: 0.01}", cases[i].scale}};
    dt_rig_from("virtual-comedi.yaml", cbt_path("file.yaml", path), file, 4);
    assert_ok(cb_rig_load(path, &rig, err));
    assert_ok(check(&b, &rig, err));
    assert_verdict(&b, "displacement", cases[i].verdict, cases[i].text);
    assert_truth(&b, "displacement", "scale", cases[i].truth);
    assert_true(figure(&b, "displacement", "scale")->u < 0.005);
    cb_rig_clear(&rig);
    daq_emulator_stop(b.emulator);
    b.emulator = NULL;
  }
}

/* ---- every way to fail ---- */

static void wrong_rate(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT}, file[] = {PATIENT, {"rate_Hz: 400", "rate_Hz: 200"}};
  static bench b = {.stop_after = "noise"};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "sample rate", DAQ_FAIL, "not those of an even stream of 200 Hz");
  assert_verdict(&b, "noise", DAQ_NOT_TESTED, "no even stream");
  static const edit near[] = {PATIENT, {"rate_Hz: 400", "rate_Hz: 370"}};
  static bench c = {.stop_after = "sample rate"};
  CHECK_OTHER(&c, truth, near);
  assert_verdict(&c, "sample rate", DAQ_WARN, " Hz from ");
  assert_near(figure(&c, "sample rate", "rate")->value, 400, 8);
}

static void wrong_link(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT};
  static const edit file[] = {PATIENT,
                              {"slope_N_per_unit: 1,", "slope_N_per_unit: -1,"},
                              {"link_stiffness_N_per_m: 500", "link_stiffness_N_per_m: 800"},
                              {"link_slack_mm: 2", "link_slack_mm: 1.5"}};
  static bench b = {.added_kg = 0.4};
  CHECK_OTHER(&b, truth, file);
  assert_int_equal(b.prompts, 2);
  assert_verdict(&b, "pull line", DAQ_FAIL, " N/m up to ");
  assert_truth(&b, "pull line", "stiffness", 500);
  assert_verdict(&b, "slack", DAQ_WARN, "mm to either side");
  assert_truth(&b, "slack", "slack", 2e-3);
  assert_verdict(&b, "polarity", DAQ_FAIL, "slope_N_per_unit has the wrong sign");
}

/* The operator forgets to load the cart: it slides before the line is straight. */
static void light_cart(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT}, file[] = {PATIENT};
  static bench b = {.added_kg = -1};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "pull line", DAQ_FAIL, "the cart slides along, put more weight on it");
  assert_verdict(&b, "slack", DAQ_NOT_TESTED, "the pull line could not be measured");
  assert_verdict(&b, "polarity", DAQ_NOT_TESTED, "");
}

static void wrong_serial(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT},
                    file[] = {PATIENT, {"device_address: 1", "device_address: 1\n  serial: \"1000\""}};
  static bench b = {.stop_after = "settings"};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "open", DAQ_PASS, "taken for this program alone");
  assert_verdict(&b, "identify", DAQ_FAIL, "serial number is 10001, the rig file wants 1000");
  assert_verdict(&b, "settings", DAQ_NOT_TESTED, "");
  static const edit right[] = {PATIENT, {"device_address: 1", "device_address: 1\n  serial: \"10001\""}};
  static bench c = {.stop_after = "identify"};
  CHECK_OTHER(&c, truth, right);
  assert_verdict(&c, "identify", DAQ_PASS, "serial number 10001");
  static const edit mute[] = {PATIENT, {"driver: line", "driver: line\n  serial: \"77\""}};
  static bench d = {.stop_after = "identify"};
  CHECK_OTHER(&d, truth, mute);
  assert_verdict(&d, "identify", DAQ_FAIL,
                 "force read-out (line): tells no serial number, the rig file wants 77");
}

static void swapped_ports(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT}, file[] = {{"silence_timeout_s: 5", "silence_timeout_s: 60"}};
  static bench b;
  check_other(&b, truth, 2, file, 1, true);
  assert_verdict(&b, "identify", DAQ_FAIL, "are stage.port and force.port swapped?");
  assert_verdict(&b, "identify", DAQ_FAIL, "stream of readings is there");
  for (size_t i = 3; i < b.n; i++) assert_int_equal(b.step[i].verdict, DAQ_NOT_TESTED);
  assert_int_equal(b.n, 16);
}

static void noisy(void **state) {
  (void)state;
  static const edit truth[] = {
      PATIENT, {"rate_Hz: 400", "rate_Hz: 50"}, {"noise_sd: 0.002", "noise_sd: 0.9"}};
  static const edit file[] = {
      PATIENT, {"rate_Hz: 400", "rate_Hz: 50"}, {"resolution: 0.0001", "resolution: 0.00001"}};
  static bench b = {.stop_after = "noise"};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "noise", DAQ_FAIL, "1 s mean");
  assert_truth(&b, "noise", "mean_1s", 0.9 / sqrt(50));
  assert_verdict(&b, "digit", DAQ_WARN, "");
}

/* Fifty times the drift, a digit that hides the noise, a zero beyond half of what the guard allows. */
static void drifting(void **state) {
  (void)state;
  static const edit truth[] = {
      PATIENT, {"drift_per_s: 0.00002", "drift_per_s: 0.02"}, {"zero: 0.05", "zero: 5"}};
  static const edit file[] = {PATIENT};
  static bench b = {.stop_after = "zero"};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "drift", DAQ_FAIL, "per minute");
  assert_truth(&b, "drift", "drift", 0.02);
  assert_verdict(&b, "zero", DAQ_WARN, "the guard stops");
  static const edit coarse[] = {PATIENT, {"quantum: 0.0001", "quantum: 1"}};
  static bench c = {.stop_after = "zero"};
  CHECK_OTHER(&c, coarse, file);
  assert_verdict(&c, "digit", DAQ_WARN, "the digit hides the noise, or the read-out is stuck");
}

static void does_not_home(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT}, file[] = {PATIENT};
  static bench b = {.unplug_after = "zero"};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "home", DAQ_FAIL, "disconnected");
  assert_verdict(&b, "repeatability", DAQ_NOT_TESTED, "does not move as it should");
  assert_verdict(&b, "stop", DAQ_FAIL, "the stage could not be told to stop; it stood still");
  assert_int_equal(b.count[DAQ_FAIL], 2);
  assert_int_equal(b.count[DAQ_NOT_TESTED], 4);
}

static void calibrations(void **state) {
  (void)state;
  static const edit truth[] = {PATIENT};
  static const edit file[] = {PATIENT,
                              {"valid_from: 2026-01-01}", "valid_from: 2020-01-01, valid_days: 365}"}};
  static bench b = {.stop_after = "rig file"};
  CHECK_OTHER(&b, truth, file);
  assert_verdict(&b, "rig file", DAQ_WARN, "its calibration of 2020-01-01 expired ");
  static const edit none[] = {
      PATIENT, {"calibration: {", "#calibration: {"}, {"  seed: 1", "  seed: 1\n  slope_N_per_unit: 1"}};
  static bench c;
  CHECK_OTHER(&c, truth, none);
  assert_verdict(&c, "rig file", DAQ_WARN, "has no calibration");
  assert_verdict(&c, "noise", DAQ_INFO, "");
  assert_verdict(&c, "pull line", DAQ_NOT_TESTED, "forces are not known");
}

/* ---- the e-stop contact ---- */

static void check_contact(bench *b, const char *port, const char *rest, int lines) {
  static const edit truth[] = {PATIENT};
  char contact[256];
  (void)snprintf(contact, sizeof contact, "estop: {port: %s, line: dsr%s}\nvirtual:\n", port, rest);
  const edit file[] = {PATIENT, {"virtual:\n", contact}};
  atomic_store(&modem_lines, lines);
  check_other(b, truth, 2, file, 3, false);
  atomic_store(&modem_lines, -1);
}

static void estop_released(void **state) {
  (void)state;
  static bench set = {.stop_after = "settings"}, off = {.stop_after = "settings"};
  dt_pty contact;
  char wanted[160];
  dt_pty_open(&contact);
  check_contact(&set, contact.name, "", TIOCM_DSR);
  (void)snprintf(wanted, sizeof wanted, "released: line DSR of port %s is set", contact.name);
  assert_verdict(&set, "e-stop", DAQ_PASS, wanted);
  assert_verdict(&set, "settings", DAQ_PASS, "accepted");
  check_contact(&off, contact.name, ", stop_if_set: true", TIOCM_CTS);
  (void)snprintf(wanted, sizeof wanted, "released: line DSR of port %s is off", contact.name);
  assert_verdict(&off, "e-stop", DAQ_PASS, wanted);
  dt_pty_close(&contact);
}

/* The devices are sound and said to be: nothing is asked what it might be instead, and nothing moves. */
static void estop_pressed(void **state) {
  (void)state;
  static bench b;
  dt_pty contact;
  char wanted[200];
  dt_pty_open(&contact);
  check_contact(&b, contact.name, "", TIOCM_CTS);
  (void)snprintf(wanted, sizeof wanted,
                 "pressed: release the emergency stop first: e-stop: line DSR of port %s is off",
                 contact.name);
  assert_verdict(&b, "identify", DAQ_PASS, "Zaber device 50000");
  assert_verdict(&b, "e-stop", DAQ_FAIL, wanted);
  for (size_t i = 4; i < b.n; i++) assert_int_equal(b.step[i].verdict, DAQ_NOT_TESTED);
  assert_int_equal(b.n, 16);
  assert_int_equal(b.prompts, 0);
  dt_pty_close(&contact);
}

/* No contact can hang on such a port; that is not the devices' fault either. */
static void estop_unreadable(void **state) {
  (void)state;
  static bench none, mute;
  dt_pty contact;
  check_contact(&none, "/dev/no-such-port", "", -1);
  assert_verdict(&none, "identify", DAQ_PASS, "Zaber device 50000");
  assert_verdict(&none, "e-stop", DAQ_FAIL, "e-stop: port /dev/no-such-port: there is no such port");
  dt_pty_open(&contact);
  check_contact(&mute, contact.name, "", -1);
  assert_verdict(&mute, "e-stop", DAQ_FAIL, "has no modem lines");
  assert_verdict(&mute, "settings", DAQ_NOT_TESTED, "the rig is not ready");
  dt_pty_close(&contact);
}

/* ---- ports ---- */

static void check_ports(bench *b, const char *stage, const char *force, const edit *more, size_t n) {
  char path[400];
  cb_rig rig;
  cb_err why = {""};
  dt_rig_on(cbt_path("ports.yaml", path), stage, force, more, n);
  assert_ok(cb_rig_load(path, &rig, err));
  cb_status st = check(b, &rig, &why);
  if (st != CB_OK) fail_msg("status %d: %s", st, why.msg);
  cb_rig_clear(&rig);
}

static void no_such_port(void **state) {
  (void)state;
  static bench b;
  check_ports(&b, "/dev/ttyUSB77", "/dev/ttyUSB78", NULL, 0);
  assert_verdict(&b, "open", DAQ_FAIL, "port /dev/ttyUSB77: there is no such port");
  assert_verdict(&b, "identify", DAQ_NOT_TESTED, "the rig is not ready");
}

static void busy_port(void **state) {
  (void)state;
  static bench b;
  dt_pty p;
  daq_transport *other;
  dt_pty_open(&p);
  assert_ok(daq_transport_open(p.name, 9600, &other, err));
  check_ports(&b, p.name, "/dev/ttyUSB78", NULL, 0);
  assert_verdict(&b, "open", DAQ_FAIL, "in use by another program");
  daq_transport_close(other);
  dt_pty_close(&p);
}

/* ---- wrong speed: bytes, but no text ---- */

static void *send_garbage(void *context) {
  dt_script *s = context;
  static const char bytes[] = {'\xf8', '\x80', '\x1e', '\xe6', '\r', '\x98', '\n'};
  while (!atomic_load(&s->over)) {
    (void)!write(s->pty.master, bytes, sizeof bytes);
    struct pollfd p = {.fd = -1};
    (void)poll(&p, 1, 20);
  }
  return NULL;
}

static void wrong_speed(void **state) {
  (void)state;
  static bench b;
  static dt_script s;
  static const edit quick[] = {{"reply_timeout_s: 5", "reply_timeout_s: 0.05"}};
  dt_pty_open(&s.pty);
  assert_int_equal(fcntl(s.pty.master, F_SETFL, O_NONBLOCK), 0);
  assert_int_equal(pthread_create(&s.thread, NULL, send_garbage, &s), 0);
  check_ports(&b, s.pty.name, "/dev/ttyUSB78", quick, 1);
  atomic_store(&s.over, true);
  pthread_join(s.thread, NULL);
  dt_pty_close(&s.pty);
  assert_verdict(&b, "identify", DAQ_FAIL,
                 "no text at any usual speed: wrong baud rate, or another kind of device");
}

int main(void) {
  (void)signal(SIGPIPE, SIG_IGN);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(truth),         cmocka_unit_test(displacement),    cmocka_unit_test(wrong_rate),
      cmocka_unit_test(wrong_link),    cmocka_unit_test(light_cart),      cmocka_unit_test(wrong_serial),
      cmocka_unit_test(swapped_ports), cmocka_unit_test(noisy),           cmocka_unit_test(drifting),
      cmocka_unit_test(does_not_home), cmocka_unit_test(calibrations),    cmocka_unit_test(no_such_port),
      cmocka_unit_test(busy_port),     cmocka_unit_test(wrong_speed),     cmocka_unit_test(estop_released),
      cmocka_unit_test(estop_pressed), cmocka_unit_test(estop_unreadable)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
