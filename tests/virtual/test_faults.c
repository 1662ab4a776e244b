/* Campaigns on a virtual rig that is made to go wrong: no crash, no hang, nothing false in the store, and
 * everything told. CB_SLOW=1: 13000 faults instead of 580. */
#include "daqtest.h"

#include <math.h>
#include <signal.h>
#include <sys/prctl.h>

#include "cb_stats.h"
#include "cb_store.h"
#include "cb_time.h"
#include "daq_engine.h"
#include "faultlog.h"
#include "lab_point_parts.h"

#define SESSION_S 120.0 /* wall: a session that takes longer hangs */

/* ---- the rig: a process with its operator's line ---- */

typedef struct emulator {
  pid_t pid;
  int in, out;
} emulator;

static void read_until(int fd, const char *wanted) {
  char line[600];
  size_t n = 0;
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, 1000 * CBT_HANG_S) <= 0 || read(fd, &line[n], 1) != 1)
      fail_msg("the virtual rig does not say '%s'", wanted);
    if (line[n] != '\n' && n < sizeof line - 2) {
      n++;
      continue;
    }
    line[n] = '\0';
    n = 0;
    if (strcmp(line, wanted) == 0) return;
    if (strncmp(line, "error", 5) == 0) fail_msg("the virtual rig says '%s'", line);
  }
}

static void emulator_start(emulator *e) {
  char rig[400], script[400], log[400];
  int in[2], out[2];
  assert_true(pipe(in) == 0 && pipe(out) == 0);
  e->pid = fork();
  assert_true(e->pid >= 0);
  if (e->pid == 0) {
    int null = open("/dev/null", O_WRONLY);
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(null, 2) < 0) _exit(126);
    for (int fd = 3; fd < 64; fd++) (void)close(fd);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)execl(CB_EXE, "clothbench", "rig", "emulate", cbt_path("rig.yaml", rig), "--link-dir", cbt_folder,
                "--faults", cbt_path("faults.yaml", script), "--fault-log", cbt_path("faults.log", log),
                (char *)NULL);
    _exit(127);
  }
  (void)close(in[0]);
  (void)close(out[1]);
  e->in = in[1];
  e->out = out[0];
  read_until(e->out, "ready");
}

static void emulator_end(emulator *e) {
  int status;
  assert_int_equal(kill(e->pid, SIGTERM), 0);
  assert_int_equal(waitpid(e->pid, &status, 0), e->pid);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  (void)close(e->in);
  (void)close(e->out);
}

static void order(const emulator *e, const char *action) {
  assert_int_equal(write(e->in, action, strlen(action)), strlen(action));
  read_until(e->out, "ok");
}

/* The person at the bench does what the program says. */
static cb_status obey(void *context, const daq_asked *q, daq_answer *answer, cb_err *e) {
  const char *text = q->text;
  double angle_deg, mass_g;
  char action[64];
  const char *put = strstr(text, "Put ");
  (void)e, (void)answer;
  if (sscanf(text, "Turn the sample to %lf", &angle_deg) == 1) {
    (void)snprintf(action, sizeof action, "sample angle_deg=%g\n", angle_deg);
    order(context, action);
  }
  if (put && sscanf(put, "Put %lf g", &mass_g) == 1) {
    (void)snprintf(action, sizeof action, "cart added_mass_kg=%g\n", mass_g * 1e-3);
    order(context, action);
  }
  return CB_OK;
}

/* ---- a session of the host: a process of its own, so that a crash or a hang is seen ---- */

typedef struct session_end {
  int status; /* cb_status */
  int64_t campaign_id;
  size_t runs_done;
  char msg[512];
} session_end;

static session_end measure(const emulator *e, bool resume) {
  session_end end = {0};
  char rig_path[400], plan_path[400], db_path[400];
  cb_err why = {""};
  cb_rig rig = {0};
  daq_campaign plan = {0};
  cb_store *store = NULL;
  daq_engine_result result = {0};
  cb_stop never = CB_STOP_NOT;
  cb_status st = cb_rig_load(cbt_path("rig.yaml", rig_path), &rig, &why);
  if (st == CB_OK) st = daq_campaign_load(cbt_path("plan.yaml", plan_path), &rig, &plan, &why);
  if (st == CB_OK) st = cb_store_open(cbt_path("t.db", db_path), CB_STORE_WRITE, &store, &why);
  daq_engine_job job = {
      .rig = &rig, .campaign = &plan, .store = store, .resume = resume, .stop_flag = &never, .prompt = obey};
  emulator bench = *e;
  job.context = &bench;
  if (st == CB_OK) st = daq_engine_run(&job, &result, &why);
  cb_status closed = cb_store_close(store, st == CB_OK ? &why : NULL);
  end.status = st == CB_OK ? closed : st;
  end.campaign_id = result.campaign_id;
  end.runs_done = result.runs_done;
  (void)snprintf(end.msg, sizeof end.msg, "%s", why.msg);
  daq_campaign_clear(&plan);
  cb_rig_clear(&rig);
  return end;
}

static session_end session(const emulator *e, bool resume) {
  session_end end = {0};
  int back[2], status;
  assert_int_equal(pipe(back), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    end = measure(e, resume);
    _exit(write(back[1], &end, sizeof end) == sizeof end ? 0 : 126);
  }
  (void)close(back[1]);
  struct pollfd p = {.fd = back[0], .events = POLLIN};
  if (poll(&p, 1, (int)(SESSION_S * 1e3)) <= 0) {
    (void)kill(pid, SIGABRT);
    fail_msg("a session hangs: no end after %g s", SESSION_S);
  }
  ssize_t got = read(back[0], &end, sizeof end);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (got != sizeof end || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail_msg("a session crashed: status %#x", status);
  (void)close(back[0]);
  return end;
}

/* ---- files ---- */

/* add_checksum: the stage of that rig uses none yet, and is to. */
static void write_rig(const char *name, bool add_checksum) {
  char path[400], stage[320], force[320];
  (void)snprintf(stage, sizeof stage, "port: %s/stage", cbt_folder);
  (void)snprintf(force, sizeof force, "port: %s/force", cbt_folder);
  const char *const changes[][2] = {{"port: virtual", stage},
                                    {"port: virtual", force},
                                    {"reply_timeout_s: 5", "reply_timeout_s: 0.2"},
                                    {"time_scale: 40", "time_scale: 10"},
                                    {"checksum: false", "checksum: true"}};
  dt_rig_from(name, cbt_path("rig.yaml", path), changes, add_checksum ? 5 : 4);
}

static void write_file(const char *name, const char *text) {
  char path[400];
  cbt_write(cbt_path(name, path), text);
}

/* ---- what must be true afterwards ---- */

typedef struct tally {
  size_t runs, done, failed, samples, positions, refused, told;
  size_t gaps, retries, strays;
  size_t false_taken[VRIG_N_FAULTS];
} tally;

static size_t count_in(const cb_event *e, size_t n, int64_t run_id, const char *kind) {
  size_t sum = 0;
  for (size_t i = 0; i < n; i++)
    if ((run_id < 0 || e[i].run_id == run_id) && strcmp(e[i].kind, kind) == 0)
      sum += strtoul(e[i].text, NULL, 10);
  return sum;
}

static size_t events_of(const cb_event *e, size_t n, const char *kind) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += strcmp(e[i].kind, kind) == 0;
  return found;
}

/* Lines that the host refused from so long before the record's begin on. */
static size_t refused_before(const fl_log *log, size_t at, double seconds) {
  size_t n = 0;
  double from_s = log->line[at].t_s - seconds;
  for (; at > 0 && log->line[at - 1].t_s >= from_s; at--)
    n += log->line[at - 1].ended && log->line[at - 1].says != log->line[at - 1].is;
  return n;
}

/* What the judge saw where it and the events disagree. */
static void print_walk(const fl_log *log, const fl_walk *walk, const cb_event *events, size_t n_events,
                       int64_t run_id) {
  for (size_t i = walk->from; i < walk->to; i++) {
    const fl_line *l = &log->line[i];
    if (l->says != l->is || l->kind != FL_NO_KIND)
      print_message("  line %zu at %.4f s: %s, is %g, says %g%s\n", i, l->t_s,
                    l->kind == FL_NO_KIND ? "-" : vrig_fault_names[l->kind], l->is, l->says,
                    l->ended ? "" : ", no line");
  }
  for (size_t i = 0; i < n_events; i++)
    if (events[i].run_id == run_id)
      print_message("  event at %.4f s: %s: %s\n", events[i].t_s, events[i].kind, events[i].text);
}

/* Every sample is one that was measured, in order and without holes but for what the wire lost; unreadable
 * lines are told. */
static void check_force(cb_store *s, const cb_run *run, const cb_event *events, size_t n_events,
                        const fl_log *log, size_t *at, tally *sum) {
  cb_series series;
  fl_walk walk = {0};
  assert_ok(cb_store_samples(s, run->id, CB_CHANNEL_FORCE, &series, err));
  if (series.n > 0) {
    fl_find(log, *at, series.v, series.n, &walk);
    size_t told = count_in(events, n_events, run->id, "unreadable");
    if (told < walk.refused ||
        told > walk.refused + refused_before(log, walk.from, 3) +
                   refused_before(log, walk.to + 8 < log->n ? walk.to + 8 : log->n - 1, 1)) {
      print_walk(log, &walk, events, n_events, run->id);
      fail_msg("run %lld: %zu lines were unreadable, its events tell of %zu", (long long)run->id,
               walk.refused, told);
    }
    *at = walk.to;
    sum->samples += series.n;
    sum->refused += walk.refused;
    for (int k = 0; k < VRIG_N_FAULTS; k++) sum->false_taken[k] += walk.false_taken[k];
  }
  cb_series_clear(&series);
}

/* Every position is one that the stage said, in order, in its unit. */
static void check_positions(cb_store *s, const cb_run *run, double unit_m, const fl_log *log, size_t *at,
                            tally *sum) {
  cb_series series;
  assert_ok(cb_store_samples(s, run->id, CB_CHANNEL_POSITION, &series, err));
  for (size_t i = 0; i < series.n; i++) {
    double said = series.v[i] / unit_m;
    while (*at < log->n_replies && !(fabs(log->reply[*at] - said) < 1e-6)) (*at)++;
    if (*at == log->n_replies) fail_msg("run %lld: the stage never said %.7g", (long long)run->id, said);
  }
  sum->positions += series.n;
  cb_series_clear(&series);
}

/* A run that failed says why; its events do, too. */
static void check_runs(cb_store *s, double unit_m, const fl_log *log, tally *sum) {
  cb_run_filter f = cb_run_filter_all();
  cb_run *runs;
  size_t n, force_at = 0, reply_at = 0;
  assert_ok(cb_store_runs(s, &f, &runs, &n, err));
  for (size_t i = 0; i < n; i++) {
    cb_event *events;
    size_t n_events;
    assert_int_not_equal(runs[i].status, CB_RUN_RUNNING);
    assert_true(runs[i].status == CB_RUN_DONE || runs[i].reason[0]);
    assert_ok(cb_store_events(s, runs[i].campaign_id, &events, &n_events, err));
    check_force(s, &runs[i], events, n_events, log, &force_at, sum);
    check_positions(s, &runs[i], unit_m, log, &reply_at, sum);
    free(events);
    sum->done += runs[i].status == CB_RUN_DONE;
    sum->failed += runs[i].status == CB_RUN_FAILED;
  }
  sum->runs = n;
  free(runs);
}

static void check_store(double unit_m, const fl_log *log, int64_t last_campaign, tally *sum) {
  char path[400];
  cb_store *s;
  *sum = (tally){0};
  assert_ok(cb_store_open(cbt_path("t.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  check_runs(s, unit_m, log, sum);
  for (int64_t id = 1; id <= last_campaign; id++) {
    cb_event *events;
    size_t n;
    assert_ok(cb_store_events(s, id, &events, &n, err));
    sum->told += count_in(events, n, -1, "unreadable");
    sum->retries += count_in(events, n, -1, "retry");
    sum->strays += count_in(events, n, -1, "stray");
    sum->gaps += events_of(events, n, "gap");
    free(events);
  }
  assert_ok(cb_store_close(s, err));
}

/* ---- the campaign ---- */

static const char plan_text[] =
    "name: faulty\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0, 90]\nadded_masses_g: [50]\nrepeats: "
    "2\ndirections: both\n"
    "speed_mm_per_s: 10\ntravel_mm: 15\nzero_s: 0.5\n";

/* As far as the log has been flushed; its last record may be half written. */
static size_t faults_so_far(void) {
  char path[400], *text = cbt_read(cbt_path("faults.log", path)), *at;
  size_t most = 0;
  for (at = text; at && strchr(at, '\n'); at = strchr(at, '\n'), at += at != NULL) {
    size_t number = strtoul(at, NULL, 10);
    if (number > most) most = number;
  }
  free(text);
  return most;
}

/* Somebody plugs it in again. */
static void await_ports(void) {
  char stage[400], force[400];
  double until_s = cb_now_monotonic_s() + CBT_HANG_S;
  while (access(cbt_path("stage", stage), F_OK) != 0 || access(cbt_path("force", force), F_OK) != 0) {
    if (cb_now_monotonic_s() > until_s) fail_msg("a port does not come back");
    cb_sleep_s(0.01);
  }
}

static void say(const fl_log *log, const tally *t, size_t sessions, double seconds) {
  print_message(
      "%zu faults in %.1f s: %zu sessions, %zu runs (%zu done, %zu failed), %zu samples, %zu positions\n",
      log->n_faults, seconds, sessions, t->runs, t->done, t->failed, t->samples, t->positions);
  print_message("  %zu lines refused within runs, %zu told in all; %zu gap events, %zu retries, %zu strays\n",
                t->refused, t->told, t->gaps, t->retries, t->strays);
  for (int w = 0; w < VRIG_N_WIRES; w++)
    for (int k = 0; k < VRIG_N_FAULTS; k++)
      if (log->faults[w][k])
        print_message("  %s %s: %zu\n", vrig_wire_names[w], vrig_fault_names[k], log->faults[w][k]);
  for (int k = 0; k < VRIG_N_FAULTS; k++)
    if (t->false_taken[k])
      print_message("  false readings in the form of true ones, by %s: %zu\n", vrig_fault_names[k],
                    t->false_taken[k]);
}

static void play(double unit_m, size_t wanted, tally *sum, fl_log *log) {
  emulator e;
  char path[400];
  bool resume = false;
  size_t sessions = 0;
  int64_t last = 0;
  double began_s = cb_now_monotonic_s();
  emulator_start(&e);
  for (bool enough = false; !enough || resume;) {
    await_ports();
    session_end end = session(&e, resume);
    sessions++;
    if (end.campaign_id) last = end.campaign_id;
    if (end.status != CB_OK) print_message("  session %zu: %s\n", sessions, end.msg);
    assert_true(end.status == CB_OK || end.msg[0]);
    /* Somebody looks what is the matter. */
    if (end.status != CB_OK) cb_sleep_s(0.1);
    resume = end.status == CB_OK ? false : resume || end.campaign_id > 0;
    if (strstr(end.msg, "all runs were made")) resume = false; /* and then a plug was pulled */
    if (end.status == CB_OK || sessions % 16 == 0) enough = faults_so_far() >= wanted;
    if (sessions > 20 + wanted / 4) fail_msg("the campaign never ends");
  }
  emulator_end(&e);
  fl_read(cbt_path("faults.log", path), log);
  check_store(unit_m, log, last, sum);
  say(log, sum, sessions, cb_now_monotonic_s() - began_s);
}

static bool slowly(void) {
  const char *slow = getenv("CB_SLOW");
  return slow && slow[0];
}

/* Faults on both wires, or on the stage's alone: then a campaign gets on. */
static void campaign_on(const char *rig, bool add_checksum, double unit_m, const char *force_faults,
                        const char *stage_faults) {
  char text[900];
  tally sum;
  fl_log log;
  size_t wanted = force_faults ? (slowly() ? 5000 : 200) : (slowly() ? 1000 : 60);
  write_rig(rig, add_checksum);
  write_file("plan.yaml", plan_text);
  (void)snprintf(text, sizeof text,
                 "seed: 7\nlog_lines: true\nmix:\n  every_s: %g\n  count: %zu\n%s  stage: {%s}\n",
                 force_faults ? 0.1 : 1.0, wanted, force_faults ? force_faults : "", stage_faults);
  write_file("faults.yaml", text);
  print_message("  %s\n", rig);
  play(unit_m, wanted, &sum, &log);
  assert_true(log.n_faults >= wanted);
  assert_true(sum.done >= 8);
  fl_clear(&log);
}

static const char any_reading[] =
    "  force: {torn: 10, lost-byte: 10, flipped-bit: 10, garbage: 10, not-a-number: 10, doubled: 10, "
    "dropped: 10, pieces: 10,\n"
    "    silence: 5, burst: 10, clock: 2, unplugged: 0.2, overload: 0.2, saturation: 0.2}\n";

/* With checksums every byte may be wrong. */
static const char any_byte[] =
    "torn: 2, lost-byte: 2, flipped-bit: 2, garbage: 4, doubled: 4, dropped: 1, pieces: 4, stale: 1, "
    "foreign: 4, silence: 0.5, burst: 4, unplugged: 0.2, stall: 0.1, reject: 0.1, alarm: 0.1";

static void lines(void **state) {
  (void)state;
  campaign_on("virtual.yaml", true, 0.1984375e-6, any_reading, any_byte);
}
static void display(void **state) {
  (void)state;
  campaign_on("virtual-d500.yaml", false, 0.1984375e-6, any_reading, any_byte);
}

/* Without, a wrong digit makes a wrong place; whole messages may be lost, come late, twice, or as another's.
 */
#define ANY_MESSAGE                                                                              \
  "torn: 8, garbage: 16, doubled: 16, dropped: 8, pieces: 16, stale: 8, silence: 2, burst: 16, " \
  "unplugged: 0.8, stall: 0.4, reject: 0.4, alarm: 0.4"

static void gcs(void **state) {
  (void)state;
  campaign_on("virtual-gcs.yaml", false, 1e-3, NULL, ANY_MESSAGE ", foreign: 8");
}
static void smc100(void **state) {
  (void)state;
  campaign_on("virtual-smc100.yaml", false, 1e-3, NULL, ANY_MESSAGE ", foreign: 8");
}
static void apt(void **state) {
  (void)state;
  campaign_on("virtual-apt.yaml", false, 0.0291511194e-6, NULL, ANY_MESSAGE);
}

/* Where the readings of `part` come in `all`, or -1. */
static long place_of(const cb_series *all, const double *part, size_t n) {
  for (size_t i = 0; i + n <= all->n; i++)
    if (memcmp(all->v + i, part, n * sizeof *part) == 0) return (long)i;
  return -1;
}

/* Level of the second half against the first readings, at rest. */
static double level_of(const cb_series *x) { return cb_mean(x->v + x->n / 2, x->n / 3) - cb_mean(x->v, 100); }

/* Three forward pulls, between which the cart is taken back: the second has the cloth's other side up, the
 * third reads what the second read. */
static void mishaps_of_pulls(void **state) {
  (void)state;
  emulator e;
  char path[400];
  cb_store *s;
  cb_run_filter f = cb_run_filter_all();
  cb_run *runs;
  size_t n;
  cb_series x[3];
  write_rig("virtual.yaml", false);
  write_file(
      "plan.yaml",
      "name: mishaps\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0]\nadded_masses_g: [50]\nrepeats: "
      "3\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 15\nzero_s: 0.5\n");
  write_file("faults.yaml",
             "mishaps:\n  - {kind: other-side, at_pull: 2, times: 1.3}\n  - {kind: repeated, at_pull: 3}\n");
  session_end end = {.msg = "watchdog"};
  /* A machine that is busy elsewhere may hold up the host, which then stops: all begins anew. */
  for (int i = 0; i < 5 && strstr(end.msg, "watchdog"); i++) {
    (void)remove(cbt_path("t.db", path));
    emulator_start(&e);
    end = session(&e, false);
    emulator_end(&e);
  }
  if (end.status != CB_OK) fail_msg("%s", end.msg);
  char *log = cbt_read(cbt_path("faults.log", path));
  assert_non_null(strstr(log, "\tbench\tother-side\t\"\"\t\"\"\n2\t"));
  assert_non_null(strstr(log, "\tbench\trepeated\t\"\"\t\"\"\n"));
  free(log);
  assert_ok(cb_store_open(cbt_path("t.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_runs(s, &f, &runs, &n, err));
  assert_int_equal(n, 3);
  for (int i = 0; i < 3; i++) assert_ok(cb_store_samples(s, runs[i].id, CB_CHANNEL_FORCE, &x[i], err));
  /* A pull's own scatter is 0.5 %. */
  assert_near(level_of(&x[1]) / level_of(&x[0]), 1.3, 0.03);
  size_t middle = x[2].n / 2;
  assert_true(place_of(&x[1], x[2].v + middle, 200) >= 0);
  assert_true(place_of(&x[0], x[2].v + middle, 200) < 0);
  for (int i = 0; i < 3; i++) {
    cb_friction_point p;
    char words[96];
    assert_ok(lab_point_of_run(s, &runs[i], &p, NULL, err));
    assert_true((lab_point_validity(&p, words) == FIT_INVALID) == (i == 2));
    if (i == 2) assert_string_equal(words, "repeats");
  }
  for (int i = 0; i < 3; i++) cb_series_clear(&x[i]);
  free(runs);
  assert_ok(cb_store_close(s, err));
}

static int set_up(void **state) {
  (void)signal(SIGPIPE, SIG_IGN);
  return cbt_folder_set_up(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(lines, set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(display, set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(gcs, set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(smc100, set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(apt, set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(mishaps_of_pulls, set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
