/* clothbench rig check and clothbench devices: exit codes and both streams. */
#include "daqtest.h"
#include "jsonpage.h"
#include "progtest.h"

#include <jansson.h>
#include <signal.h>

#include "cb_time.h"
#include "daq_emulator.h"

static const char *const patient[][2] = {{"reply_timeout_s: 5", "reply_timeout_s: 60"},
                                         {"silence_timeout_s: 5", "silence_timeout_s: 60"},
                                         {"valid_from: 2026-01-01", "valid_from: 2020-01-01"}};
static const char *const real[][2] = {{"port: virtual", "port: /dev/ttyUSB77"},
                                      {"port: virtual", "port: /dev/ttyUSB78"},
                                      {"valid_from: 2026-01-01", "valid_from: 2020-01-01"}};

static void write_rig(const char *name, const char *const pairs[][2], size_t n) {
  char path[400];
  dt_rig_with(cbt_path(name, path), pairs, n);
}

static const char *text_of(const json_t *o, const char *key) {
  return json_string_value(json_object_get(o, key));
}

static void sound_rig(void **state) {
  (void)state;
  static cbt_result r;
  write_rig("own.yaml", patient, 3);
  cbt_run(&r, cbt_folder, "rig check own.yaml --json");
  if (r.code != 0) fail_msg("exit %d: %s %s", r.code, r.err, r.out);
  json_t *doc = jp_document(r.out), *steps = json_object_get(doc, "steps");
  jp_expect("rig check", doc);
  assert_string_equal(text_of(doc, "rig"), "virtual-bench");
  assert_string_equal(text_of(doc, "origin"), "virtual");
  assert_int_equal(json_array_size(steps), 16);
  json_t *pull = json_array_get(steps, 13), *stiffness = json_array_get(json_object_get(pull, "figures"), 0);
  assert_string_equal(text_of(pull, "name"), "pull line");
  assert_string_equal(text_of(pull, "verdict"), "PASS");
  assert_string_equal(text_of(stiffness, "unit"), "N/m");
  assert_near(json_real_value(json_object_get(stiffness, "value")), 500,
              4 * json_real_value(json_object_get(stiffness, "u")));
  assert_true(json_is_null(json_object_get(stiffness, "tau_s")));
  json_decref(doc);
  assert_non_null(strstr(r.err, "clothbench rig: 'virtual-bench': "));
  assert_non_null(strstr(r.err, ", 0 failed, 0 not tested\n"));
}

static void negative(void **state) {
  (void)state;
  static cbt_result r;
  write_rig("real.yaml", real, 3);
  cbt_run(&r, cbt_folder, "rig check real.yaml --yes");
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.out, "\nopen           FAIL        port /dev/ttyUSB77: there is no such port"));
  assert_non_null(strstr(r.out, "\nidentify       not tested  the rig is not ready\n"));
  assert_string_equal(r.err,
                      "clothbench rig: 'virtual-bench': 1 passed, 0 warnings, 1 failed, 14 not tested\n");
}

static void wrong_usage(void **state) {
  (void)state;
  static const struct {
    const char *arguments;
    int code;
    const char *sentence;
  } wrong[] = {
      {"rig check", 2, "an argument is missing: clothbench rig check RIG.yaml"},
      {"rig check a b", 2, "'b' is one argument too many"},
      {"rig check nowhere.yaml", 1, "clothbench rig: nowhere.yaml: "},
      {"rig check real.yaml", 2, "standard input is no terminal; --yes goes on without asking"},
      {"rig inspect real.yaml", 2, "no subcommand 'inspect': must be 'emulate', 'check', 'live' or 'init'"},
      {"devices nowhere", 1, "clothbench devices: port nowhere: there is no such port"},
      {"devices --tell", 2, "unknown option '--tell'"},
  };
  write_rig("real.yaml", real, 3);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    static cbt_result r;
    cbt_run(&r, cbt_folder, wrong[i].arguments);
    if (r.code != wrong[i].code || !strstr(r.err, wrong[i].sentence))
      fail_msg("%s: exit %d, '%s'", wrong[i].arguments, r.code, r.err);
    assert_string_equal(r.out, "");
    assert_ptr_equal(strchr(r.err, '\n'), r.err + strlen(r.err) - 1); /* one sentence */
  }
}

/* A port that this very test holds open is in use; it is listed, and nothing is sent to it. */
static void port_in_use(void **state) {
  (void)state;
  static cbt_result r;
  char arguments[100], sent;
  dt_pty p;
  dt_pty_open(&p);
  (void)snprintf(arguments, sizeof arguments, "devices %s --json", p.name);
  cbt_run(&r, cbt_folder, arguments);
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out), *ports = json_object_get(doc, "ports"), *port = json_array_get(ports, 0);
  assert_int_equal(json_array_size(ports), 1);
  jp_expect("devices", doc);
  assert_string_equal(text_of(port, "path"), p.name);
  assert_non_null(strstr(text_of(port, "user"), "test_cli_rig (process "));
  assert_true(json_is_true(json_object_get(port, "permitted")));
  assert_true(json_is_null(json_object_get(port, "answer")));
  json_decref(doc);
  (void)snprintf(arguments, sizeof arguments, "devices %s", p.name);
  cbt_run(&r, cbt_folder, arguments);
  assert_non_null(strstr(r.out, "\n    in use by test_cli_rig (process "));
  (void)snprintf(arguments, sizeof arguments, "devices --ask %s", p.name);
  cbt_run(&r, cbt_folder, arguments);
  assert_non_null(strstr(r.out, "not asked, because it is in use"));
  struct pollfd f = {.fd = p.master, .events = POLLIN};
  assert_int_equal(poll(&f, 1, 0) > 0 ? read(p.master, &sent, 1) : 0, 0);
  dt_pty_close(&p);
}

/* At a terminal nothing moves before Enter, and Ctrl-C at the prompt ends the check. */
static void person(void **state) {
  (void)state;
  static const char *const words[] = {"rig", "check", "wired.yaml", NULL};
  char path[400];
  daq_emulator *e;
  dt_pty terminal;
  write_rig("own.yaml", patient, 3);
  assert_ok(daq_emulator_start(CB_EXE, cbt_path("own.yaml", path), &e, err));
  dt_rig_on(cbt_path("wired.yaml", path), daq_emulator_stage_port(e), daq_emulator_force_port(e), patient, 1);
  dt_pty_open(&terminal);
  pid_t pid = prog_start(words, terminal.slave, -1);
  prog_await("Press Enter", 60);
  prog_expect("Take the cart off the link, keep the way of the stage free and your hands off");
  assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
  assert_int_equal(kill(pid, SIGINT), 0);
  assert_int_equal(prog_end(pid), 1);
  prog_expect("clothbench rig: stopped by the operator\n");
  daq_emulator_stop(e);
  dt_pty_close(&terminal);
}

/* The emulator's stage, found by asking. */
static void asked(void **state) {
  (void)state;
  char command[1024], path[400];
  write_rig("own.yaml", patient, 3);
  (void)snprintf(command, sizeof command,
                 "cd '%s' && '%s' rig emulate own.yaml --link-dir . >ready 2>/dev/null & p=$!; cd '%s'; "
                 "until grep -q ready ready; do "
                 "sleep 0.05; done; "
                 "'%s' devices --ask stage >.told; s=$?; kill $p; wait $p; exit $s",
                 cbt_folder, CB_EXE, cbt_folder, CB_EXE);
  assert_int_equal(system(command), 0);
  char *text = cbt_read(cbt_path(".told", path));
  if (!strstr(text, "Zaber stage, device 1, serial number 10001 at ")) fail_msg("%s", text);
  free(text);
}

int main(void) {
  (void)signal(SIGPIPE, SIG_IGN);
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound_rig),   cmocka_unit_test(negative),
                                     cmocka_unit_test(wrong_usage), cmocka_unit_test(port_in_use),
                                     cmocka_unit_test(person),      cmocka_unit_test(asked)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
