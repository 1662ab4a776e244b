/* The whole emulator as a host meets it: the program, its ports, its operator, its end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <termios.h>

#include "cb_time.h"
#include "vrigtest.h"

#define PATIENCE_MS (1000 * CBT_HANG_S)

typedef struct emulator {
  pid_t pid;
  int in, out, err; /* its standard streams; in: -1 once closed */
  char folder[256], stage[64], force[64];
} emulator;

/* One line without its end; fails after PATIENCE_MS. */
static void read_line(int fd, char line[512]) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  for (size_t n = 0;;) {
    char c = '\0';
    if (poll(&p, 1, PATIENCE_MS) <= 0 || read(fd, &c, 1) != 1)
      fail_msg("no line came; until then: '%.*s'", (int)n, line);
    if (c == '\r') continue;
    if (c == '\n' || n == 511) {
      line[n] = '\0';
      return;
    }
    line[n++] = c;
  }
}

static void start(emulator *e, const char *rig_text) {
  int in[2], out[2], errors[2];
  char path[300], line[512];
  (void)cbt_scratch(e->folder);
  (void)snprintf(path, sizeof path, "%s/rig.yaml", e->folder);
  cbt_write(path, rig_text);
  assert_true(pipe(in) == 0 && pipe(out) == 0 && pipe(errors) == 0);
  e->pid = fork();
  if (e->pid == 0) {
    (void)dup2(in[0], 0);
    (void)dup2(out[1], 1);
    (void)dup2(errors[1], 2);
    for (int fd = 3; fd < 64; fd++) (void)close(fd);
    (void)alarm(2 * CBT_HANG_S); /* never outlives a test that failed */
    (void)execl(CB_EXE, "clothbench", "rig", "emulate", path, "--link-dir", e->folder, (char *)NULL);
    _exit(127);
  }
  (void)close(in[0]);
  (void)close(out[1]);
  (void)close(errors[1]);
  e->in = in[1];
  e->out = out[0];
  e->err = errors[0];
  read_line(e->out, line);
  assert_int_equal(sscanf(line, "stage %63s", e->stage), 1);
  read_line(e->out, line);
  assert_int_equal(sscanf(line, "force %63s", e->force), 1);
  read_line(e->out, line);
  assert_string_equal(line, "ready");
}

/* What a person must know whose own rig file names these ports. */
static const char pace[] =
    ": the rig's time runs 4 times as fast as the clock: the rig file of who uses these ports must say "
    "'virtual: "
    "{time_scale: 4}'; for one without the section 'virtual', begin with --time-scale 1\n";

/* Ends it by a signal: exit code 0, links gone. Returns its CPU seconds; says: what it wrote to standard
 * error. */
static double end(emulator *e, int signal_number, char says[512]) {
  char path[300];
  int status;
  struct rusage used;
  assert_int_equal(kill(e->pid, signal_number), 0);
  assert_int_equal(wait4(e->pid, &status, 0, &used), e->pid);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const char *links[] = {"stage", "force"};
  for (int i = 0; i < 2; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", e->folder, links[i]);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(readlink(path, says, 512), -1);
  }
  ssize_t n = read(e->err, says, 511);
  says[n > 0 ? n : 0] = '\0';
  if (e->in >= 0) (void)close(e->in);
  (void)close(e->out);
  (void)close(e->err);
  cbt_remove(e->folder);
  return (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static int open_port(const char *name) {
  struct termios t;
  int fd = open(name, O_RDWR | O_NOCTTY);
  if (fd < 0) fail_msg("cannot open %s: %s", name, strerror(errno));
  assert_int_equal(tcgetattr(fd, &t), 0);
  cfmakeraw(&t);
  assert_int_equal(tcsetattr(fd, TCSANOW, &t), 0);
  return fd;
}

static void ask(int fd, const char *command, const char *wanted) {
  char line[512];
  assert_int_equal(write(fd, command, strlen(command)), strlen(command));
  read_line(fd, line);
  if (wanted && strcmp(line, wanted) != 0) fail_msg("'%s' got '%s', wanted '%s'", command, line, wanted);
}

static void wait_until_idle(int fd) {
  char line[512];
  for (int i = 0; i < 100000; i++) {
    assert_int_equal(write(fd, "/1\n", 3), 3);
    read_line(fd, line);
    if (strstr(line, " IDLE ")) return;
    cb_sleep_s(2e-3);
  }
  fail_msg("the stage never rests");
}

static void order(const emulator *e, const char *command, const char *wanted) {
  char line[512];
  assert_int_equal(write(e->in, command, strlen(command)), strlen(command));
  read_line(e->out, line);
  if (strncmp(line, wanted, strlen(wanted)) != 0) fail_msg("'%s' got '%s'", command, line);
}

static double force_reading(int fd) {
  char line[512], *rest;
  read_line(fd, line);
  double v = strtod(line, &rest);
  const char *point = strchr(line, '.');
  if (*rest != '\0' || !point || strlen(point) != 5) fail_msg("'%s' is no whole line", line);
  return v;
}

/* Home, load, turn, pull: zero and plateau on the wire are those of the rig file. At 4 times the clock's pace
 * a terminal holds 0.7 s of readings for a host that waits for its turn. */
static void a_pull_over_the_wire(void **state) {
  (void)state;
  emulator e;
  char says[512], line[512];
  double kinetic, x;
  static const char *const damped[][2] = {{"latency_ms: 5", "latency_ms: 5, link_damping_Ns_per_m: 10"},
                                          {"time_scale: 40", "time_scale: 4"}};
  char *text = cbt_replace(vrt_text, damped, 2);
  start(&e, text);
  free(text);
  int stage = open_port(e.stage), force = open_port(e.force);
  ask(stage, "/1 home\n", "@01 0 OK BUSY WR 0");
  wait_until_idle(stage);
  ask(stage, "/1 move abs 100787\n", "@01 0 OK BUSY -- 0");
  wait_until_idle(stage);
  order(&e, "sample angle_deg=45\n", "ok");
  order(&e, "cart added_mass_kg=0.1\n", "ok");
  assert_int_equal(write(e.in, "truth\n", 6), 6);
  read_line(e.out, line);
  assert_int_equal(sscanf(line, "truth kinetic_N=%lf static_N=%lf", &kinetic, &x), 2);
  read_line(e.out, line);
  assert_string_equal(line, "ok");
  (void)tcflush(force, TCIFLUSH);
  read_line(force, line); /* the flush may have cut it */
  for (int i = 0; i < 20; i++) assert_near(force_reading(force), 0.05, 1e-12);
  ask(stage, "/1 set maxspeed 82565\n", "@01 0 OK IDLE -- 0");
  ask(stage, "/1 move abs 450000\n", "@01 0 OK BUSY -- 0"); /* 69 mm at 10 mm/s: 1400 samples */
  for (int i = 0; i < 900; i++) (void)force_reading(force);
  for (int i = 0; i < 100; i++)
    assert_near(force_reading(force) - 0.05, kinetic, 0.5001e-4); /* half a digit */
  order(&e, "cart added_mass_kg=0\n", "error: the stage is moving");
  (void)close(stage);
  (void)close(force);
  (void)end(&e, SIGTERM, says);
  const char *line_end = strstr(says, pace);
  assert_non_null(line_end);
  assert_string_equal(line_end + strlen(pace), "");
}

/* A host that leaves in the middle of a line and another that comes: a fresh port, and the rig went on
 * meanwhile. */
static void hosts_come_and_go(void **state) {
  (void)state;
  emulator e;
  char says[512], link[300];
  start(&e, vrt_text);
  (void)snprintf(link, sizeof link, "%s/stage", e.folder);
  int stage = open_port(link);
  ask(stage, "/1 home\n", "@01 0 OK BUSY WR 0");
  (void)close(stage);
  for (int i = 0; i < 5; i++) {
    int force = open_port(e.force);
    for (int k = 0; k < 10; k++) (void)force_reading(force);
    (void)close(force);
    cb_sleep_s(0.02);
  }
  stage = open_port(e.stage);
  wait_until_idle(stage);
  ask(stage, "/1 get pos\n", "@01 0 OK IDLE -- 0"); /* it came home with nobody at the port */
  assert_int_equal(write(stage, "/1 move abs 1000\n/1 get p", 24), 24);
  (void)close(stage);
  cb_sleep_s(0.1 * cbt_patience()); /* it notices that the host has left */
  stage = open_port(e.stage);
  wait_until_idle(stage);
  ask(stage, "/1 get pos\n", "@01 0 OK IDLE -- 1000");
  (void)close(stage);
  (void)close(e.in); /* an operator who leaves does not end it */
  e.in = -1;
  cb_sleep_s(0.1 * cbt_patience());
  stage = open_port(e.stage);
  ask(stage, "/1\n", "@01 0 OK IDLE -- 0");
  (void)close(stage);
  (void)end(&e, SIGINT, says);
}

/* Nobody reads 40000 lines/s: lines are lost whole and counted, the stage moves and answers all the while. */
static void a_host_that_does_not_read(void **state) {
  (void)state;
  emulator e;
  static const char *const faster[][2] = {{"rate_Hz: 200", "rate_Hz: 1000"}};
  char says[512], *text = cbt_replace(vrt_text, faster, 1);
  start(&e, text);
  free(text);
  int stage = open_port(e.stage), force = open_port(e.force);
  ask(stage, "/1 home\n", "@01 0 OK BUSY WR 0");
  double longest_s = 0, began = cb_now_monotonic_s();
  while (cb_now_monotonic_s() - began < 0.8) {
    double asked = cb_now_monotonic_s();
    ask(stage, "/1\n", NULL);
    longest_s = fmax(longest_s, cb_now_monotonic_s() - asked);
    cb_sleep_s(0.01);
  }
  if (longest_s > 0.3 * cbt_patience()) fail_msg("an answer took %g s", longest_s);
  wait_until_idle(stage);
  ask(stage, "/1 get pos\n", "@01 0 OK IDLE -- 0");
  for (int i = 0; i < 20000; i++) (void)force_reading(force); /* no line is torn */
  (void)close(stage);
  (void)close(force);
  (void)end(&e, SIGTERM, says);
  unsigned long lost = 0;
  const char *last = strstr(says, "\nclothbench rig: ");
  assert_non_null(last);
  assert_int_equal(sscanf(last, " clothbench rig: %lu force lines were lost", &lost), 1);
  assert_true(lost > 1000);
}

/* The shipped rig, time scale 40, a stage that moves and a host that reads: well below half a core. */
static void it_is_light(void **state) {
  (void)state;
  emulator e;
  char says[512], bytes[65536], *text = cbt_read(CB_SOURCE_DIR "/rigs/virtual.yaml");
  double began = cb_now_monotonic_s();
  start(&e, text);
  free(text);
  int stage = open_port(e.stage), force = open_port(e.force);
  ask(stage, "/1 home\n", "@01 0 OK BUSY WR 0");
  wait_until_idle(stage);
  ask(stage, "/1 set maxspeed 82565\n", "@01 0 OK IDLE -- 0");
  for (size_t got = 0; cb_now_monotonic_s() - began < 1.5;) {
    ask(stage, got % 2 ? "/1 move abs 500000\n" : "/1 move abs 0\n", NULL);
    for (int i = 0; i < 40; i++) {
      got += read(force, bytes, sizeof bytes) > 0;
      cb_sleep_s(1e-3);
    }
  }
  double wall = cb_now_monotonic_s() - began;
  (void)close(stage);
  (void)close(force);
  double cpu = end(&e, SIGTERM, says);
  print_message("%.0f %% of a core\n", 100 * cpu / wall);
  assert_true(cpu < 0.5 * wall);
}

static void refused(const char *arguments, int code, const char *sentence) {
  static cbt_result r;
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != code || !strstr(r.err, sentence) || r.out[0])
    fail_msg("'%s' gave %d, '%s', '%s'", arguments, r.code, r.out, r.err);
}

static void what_is_refused(void **state) {
  (void)state;
  static const char *const too_fast[][2] = {{"rate_Hz: 200", "rate_Hz: 20000"}};
  char path[400], text[2000], *fast = cbt_replace(vrt_text, too_fast, 1);
  (void)cbt_path("real.yaml", path);
  (void)snprintf(text, sizeof text, "%.*s", (int)(strstr(vrt_text, "virtual: {") - vrt_text), vrt_text);
  char *port = strstr(text, "port: virtual");
  memcpy(port, "port: /dev/t1", 13);
  memcpy(strstr(text, "port: virtual"), "port: /dev/t2", 13);
  cbt_write(path, text);
  cbt_write(cbt_path("good.yaml", path), vrt_text);
  cbt_write(cbt_path("fast.yaml", path), fast);
  free(fast);
  (void)cbt_path("force", path);
  cbt_write(path, "not a link");
  refused("rig emulate real.yaml", 1, "real.yaml: no section 'virtual': a real rig cannot be played");
  refused("rig emulate nothing.yaml", 1, "nothing.yaml");
  refused("rig emulate fast.yaml", 1,
          "rate_Hz x time_scale = 800000 lines per second: must be at most 100000");
  refused("rig emulate good.yaml --link-dir .", 1, "./force: cannot make a link");
  assert_int_equal(access(path, F_OK), 0);
  (void)cbt_path("stage", path);
  assert_int_equal(readlink(path, text, sizeof text), -1);
  refused("rig emulate good.yaml --link-dir . --time-scale 3", 1,
          "good.yaml: the rig's time runs 3 times as fast as the clock: ");
  refused("rig emulate good.yaml --link-dir . --time-scale 1", 1,
          "clothbench rig: ./force: cannot make a link");
  refused("rig emulate good.yaml --time-scale 0", 2, "--time-scale = 0");
  refused("rig dance good.yaml", 2, "no subcommand 'dance'");
  refused("rig emulate", 2, "which rig file?");
  refused("rig", 2, "an argument is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pull_over_the_wire), cmocka_unit_test(hosts_come_and_go),
      cmocka_unit_test(a_host_that_does_not_read), cmocka_unit_test(it_is_light),
      cmocka_unit_test_setup_teardown(what_is_refused, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
