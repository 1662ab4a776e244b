/* The fault script and what it does to lines: strict reading, every kind of fault, the log. */
#include "vrig_fault_impl.h"

#include <math.h>

#include "cb_num.h"
#include "cbtest.h"

static cb_status parse(const char *text, vrig_fault_script *s, cb_err *e) {
  return vrig_fault_script_parse(text, strlen(text), "f.yaml", s, e);
}

static void a_script(void **state) {
  (void)state;
  vrig_fault_script s;
  assert_ok(
      parse("seed: 9\nfrom_s: 2\nlog_lines: true\nfaults:\n  - {kind: torn, port: force, at_s: 3.5}\n"
            "  - {kind: unplugged, port: stage, every_s: 60, duration_s: 2}\n  - {kind: overload, at_s: 0}\n"
            "  - {kind: estop, at_s: 1}\n"
            "mix:\n  every_s: 0.1\n  count: 20\n  force: {torn: 3, garbage: 1}\n  stage: {stale: 1}\n",
            &s, err));
  assert_true(s.seed == 9 && s.from_s == 2 && s.log_lines && s.n == 4);
  assert_true(s.rule[0].kind == VRIG_FAULT_TORN && s.rule[0].wire == VRIG_WIRE_FORCE &&
              s.rule[0].at_s == 3.5);
  assert_true(s.rule[1].wire == VRIG_WIRE_STAGE && isnan(s.rule[1].at_s) && s.rule[1].every_s == 60 &&
              s.rule[1].duration_s == 2);
  assert_true(s.rule[2].wire == VRIG_WIRE_FORCE && s.rule[2].factor == 1.5 && s.rule[2].duration_s == 0.02);
  assert_true(s.rule[3].wire == VRIG_WIRE_STAGE && s.rule[3].duration_s == 1);
  assert_true(s.mix.present && s.mix.count == 20 && s.mix.weight[VRIG_WIRE_FORCE][VRIG_FAULT_TORN] == 3);
  assert_true(s.mix.weight[VRIG_WIRE_STAGE][VRIG_FAULT_STALE] == 1 &&
              s.mix.weight[VRIG_WIRE_STAGE][VRIG_FAULT_TORN] == 0);
  for (int k = 0; k < VRIG_N_FAULTS; k++) assert_true(vrig_fault_names[k] && vrig_fault_names[k][0]);
  assert_null(vrig_fault_names[VRIG_N_FAULTS]);
}

/* Every kind that has a size takes it by its own key, in SI inside. */
static void mishaps(void **state) {
  (void)state;
  static const struct {
    const char *rule;
    vrig_mishap is;
  } rules[] = {
      {"kind: glued", {VRIG_MISHAP_GLUED, 0, 0}},
      {"kind: late, way_mm: 8", {VRIG_MISHAP_LATE, 0, 8e-3}},
      {"kind: caught, excess: 0.5", {VRIG_MISHAP_CAUGHT, 0.5, 10e-3}},
      {"kind: tips, growth_per_m: 4", {VRIG_MISHAP_TIPS, 4, 0}},
      {"kind: weights, times: 2", {VRIG_MISHAP_WEIGHTS, 2, 0}},
      {"kind: shifts, shift_mm: 1", {VRIG_MISHAP_SHIFTS, 1e-3, 10e-3}},
      {"kind: tilt, tilt_deg: 180e-2", {VRIG_MISHAP_TILT, CB_PI / 100, 0}},
      {"kind: turned, turn_deg: 90", {VRIG_MISHAP_TURNED, CB_PI / 2, 0}},
      {"kind: other-side, times: 0", {VRIG_MISHAP_OTHER_SIDE, 0, 0}},
      {"kind: slow, speed_times: 0.2", {VRIG_MISHAP_SLOW, 0.2, 0}},
      {"kind: stands", {VRIG_MISHAP_STANDS, 0, 12e-3}},
      {"kind: uneven, swing: 0.1, way_mm: 2", {VRIG_MISHAP_UNEVEN, 0.1, 2e-3}},
      {"kind: reversed", {VRIG_MISHAP_REVERSED, 0, 0}},
      {"kind: cable, drag_N_per_m: 3", {VRIG_MISHAP_CABLE, 3, 0}},
      {"kind: pulley, tooth_N: 0.2", {VRIG_MISHAP_PULLEY, 0.2, 2e-3}},
      {"kind: clipped, end_N: 0.7", {VRIG_MISHAP_CLIPPED, 0.7, 0}},
      {"kind: coarse, digit_N: 0.1", {VRIG_MISHAP_COARSE, 0.1, 0}},
      {"kind: zero-drift, drift_N_per_s: 0.01", {VRIG_MISHAP_ZERO_DRIFT, 0.01, 0}},
      {"kind: zero-jump, jump_N: -0.2", {VRIG_MISHAP_ZERO_JUMP, -0.2, 10e-3}},
      {"kind: repeated", {VRIG_MISHAP_REPEATED, 0, 0}},
  };
  enum { N = sizeof rules / sizeof rules[0] };
  assert_int_equal(N, VRIG_N_MISHAPS - 1);
  char text[4000] = "mishaps:\n";
  cb_rng rng;
  vrig_fault_script s;
  for (size_t i = 0; i < N; i++)
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "  - {%s, at_pull: %zu}\n", rules[i].rule,
                   i + 2);
  assert_ok(parse(text, &s, err));
  cb_rng_init(&rng, 1, 1);
  for (unsigned long pull = 1; pull < N + 4; pull++) {
    vrig_mishap m = vrig_mishap_plan_draw(&s.mishaps, pull, &rng);
    bool wanted = pull >= 2 && pull < N + 2;
    assert_int_equal(m.kind, wanted ? rules[pull - 2].is.kind : VRIG_MISHAP_NONE);
    assert_near(m.size, wanted ? rules[pull - 2].is.size : 0, 1e-15);
    assert_near(m.way_m, wanted ? rules[pull - 2].is.way_m : 0, 1e-15);
  }
}

/* One in five: of 10000 pulls, 2000 with a standard deviation of 40. The seed decides which. */
static void mishaps_by_chance(void **state) {
  (void)state;
  vrig_fault_script s;
  cb_rng rng[2];
  int n = 0;
  assert_ok(parse("mishaps:\n  - {kind: glued, every_pulls: 5}\n", &s, err));
  for (int i = 0; i < 2; i++) cb_rng_init(&rng[i], 3, 1);
  for (unsigned long pull = 1; pull <= 10000; pull++) {
    vrig_mishap m = vrig_mishap_plan_draw(&s.mishaps, pull, &rng[0]);
    assert_int_equal(m.kind, vrig_mishap_plan_draw(&s.mishaps, pull, &rng[1]).kind);
    n += m.kind == VRIG_MISHAP_GLUED;
  }
  assert_in_range(n, 1840, 2160);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    cb_status st;
    const char *text, *sentence;
  } wrong[] = {
      {CB_E_PARSE, "seed: 1\n", "f.yaml:1: none of 'faults', 'mix', 'mishaps'"},
      {CB_E_PARSE, "mishaps: {kind: glued}\n", "f.yaml:1: mishaps: a list was wanted"},
      {CB_E_PARSE, "mishaps:\n  - {kind: glued}\n",
       "f.yaml:2: a mishap 'glued' needs either at_pull or every_pulls"},
      {CB_E_PARSE, "mishaps:\n  - {kind: none, at_pull: 1}\n", "kind = 'none': a mishap was wanted"},
      {CB_E_PARSE, "mishaps:\n  - {kind: torn, at_pull: 1}\n", "kind = 'torn': must be none | glued | late"},
      {CB_E_PARSE, "mishaps:\n  - {kind: glued, at_pull: 1, way_mm: 3}\n",
       "way_mm: a mishap 'glued' has none"},
      {CB_E_PARSE, "mishaps:\n  - {kind: tilt, at_pull: 1, turn_deg: 3}\n",
       "turn_deg: a mishap 'tilt' has none"},
      {CB_E_RANGE, "mishaps:\n  - {kind: tilt, at_pull: 1, tilt_deg: 40}\n",
       "tilt_deg = 40: must be between"},
      {CB_E_PARSE, "faults: {kind: torn}\n", "f.yaml:1: faults: a list was wanted"},
      {CB_E_PARSE, "faults:\n  - {kind: torn, at_s: 1}\n",
       "f.yaml:2: a fault 'torn' needs a port: force | stage"},
      {CB_E_PARSE, "faults:\n  - {kind: turn, at_s: 1}\n",
       "f.yaml:2: kind = 'turn': must be torn | lost-byte"},
      {CB_E_PARSE, "faults:\n  - {kind: clock, port: stage, at_s: 1}\n",
       "f.yaml:2: port = 'stage': 'clock' is no fault of that port"},
      {CB_E_PARSE, "faults:\n  - {kind: clock}\n", "f.yaml:2: a fault 'clock' needs either at_s or every_s"},
      {CB_E_PARSE, "faults:\n  - {kind: clock, at_s: 1, every_s: 1}\n", "needs either at_s or every_s"},
      {CB_E_PARSE, "faults:\n  - {kind: dropped, port: force, at_s: 1, duration_s: 1}\n",
       "duration_s: a fault 'dropped' has none"},
      {CB_E_PARSE, "faults:\n  - {kind: burst, port: force, at_s: 1, factor: 2}\n",
       "factor: a fault 'burst' has none"},
      {CB_E_RANGE, "faults:\n  - {kind: clock, at_s: 1, factor: 0}\n",
       "factor = 0: must be between 0.5 and 100"},
      {CB_E_PARSE, "mix: {every_s: 1, count: 5, force: {stale: 1}}\n", "unknown key 'stale'"},
      {CB_E_RANGE, "mix: {every_s: 1, count: 5, force: {torn: 0}}\n", "mix: no fault has a weight above 0"},
      {CB_E_PARSE, "mix: {every_s: 1, force: {torn: 1}}\n", "the key 'count' is missing"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    vrig_fault_script s;
    assert_fails(wrong[i].st, wrong[i].sentence, parse(wrong[i].text, &s, err));
  }
}

/* ---- one line ---- */

static const char line[] = "-0.4312\r\n";
#define LENGTH (sizeof line - 1)

static vrig_fault_line spoil(vrig_fault_kind kind, uint64_t seed) {
  cb_rng rng;
  vrig_fault_line before = {.n = 8, .text = "0.4311\r\n"}, out;
  cb_rng_init(&rng, seed, 0);
  vrig_fault_line_spoil(kind, &rng, line, LENGTH, &before, &out);
  return out;
}

static bool is(const vrig_fault_line *l, const char *text) {
  return l->n == strlen(text) && memcmp(l->text, text, l->n) == 0;
}

static int bits_apart(const vrig_fault_line *l) {
  int n = 0;
  for (size_t i = 0; i < LENGTH; i++)
    for (unsigned x = (unsigned char)l->text[i] ^ (unsigned char)line[i]; x; x >>= 1) n += (x & 1) != 0;
  return n;
}

static void kinds(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    vrig_fault_line l = spoil(VRIG_FAULT_TORN, seed);
    assert_true(l.n >= 1 && l.n <= LENGTH - 3 && memcmp(l.text, line, l.n) == 0);
    l = spoil(VRIG_FAULT_LOST_BYTE, seed);
    assert_true(l.n == LENGTH - 1 && memcmp(l.text + l.n - 2, "\r\n", 2) == 0);
    l = spoil(VRIG_FAULT_FLIPPED_BIT, seed);
    assert_true(l.n == LENGTH && bits_apart(&l) == 1 && memcmp(l.text + l.n - 2, "\r\n", 2) == 0);
    l = spoil(VRIG_FAULT_GARBAGE, seed);
    assert_true(l.n > LENGTH && l.n <= LENGTH + 18 && memcmp(l.text + l.n - LENGTH, line, LENGTH) == 0);
    assert_null(memchr(l.text, '\n', l.n - LENGTH - 2 < l.n ? l.n - LENGTH - 2 : 0));
    l = spoil(VRIG_FAULT_NOT_A_NUMBER, seed);
    assert_true(memcmp(l.text + l.n - 2, "\r\n", 2) == 0 && !memchr(l.text, '.', l.n));
    l = spoil(VRIG_FAULT_PIECES, seed);
    assert_true(is(&l, line) && l.cut >= 1 && l.cut < LENGTH);
  }
  vrig_fault_line l = spoil(VRIG_FAULT_DOUBLED, 1);
  assert_true(is(&l, "-0.4312\r\n-0.4312\r\n"));
  l = spoil(VRIG_FAULT_DROPPED, 1);
  assert_int_equal(l.n, 0);
  l = spoil(VRIG_FAULT_STALE, 1);
  assert_true(is(&l, "0.4311\r\n"));
}

/* Another device's reply, its sum right. Sums by hand: 5C -> the message of device 02 has one more. */
static void foreign(void **state) {
  (void)state;
  cb_rng rng;
  vrig_fault_line before = {0}, out;
  cb_rng_init(&rng, 1, 0);
  vrig_fault_line_spoil(VRIG_FAULT_FOREIGN, &rng, "@01 0 07 OK IDLE -- 0\r\n", 23, &before, &out);
  assert_true(is(&out, "@02 0 07 OK IDLE -- 0\r\n@01 0 07 OK IDLE -- 0\r\n"));
  const char with_sum[] = "@01 0 07 OK IDLE -- 0:8D\r\n";
  unsigned sum = 0;
  vrig_fault_line_spoil(VRIG_FAULT_FOREIGN, &rng, with_sum, sizeof with_sum - 1, &before, &out);
  assert_int_equal(out.n, 2 * (sizeof with_sum - 1));
  for (const char *at = out.text + 1; *at != ':'; at++) sum += (unsigned char)*at;
  out.text[24] = '\0';
  assert_int_equal((sum + strtoul(out.text + 22, NULL, 16)) & 0xff, 0);
}

/* ---- as the rig plays them ---- */

static const bool both[VRIG_N_WIRES] = {true, true};

static void open_script(const char *text, vrig_fault **f) {
  char script[400], log[400];
  cbt_write(cbt_path("f.yaml", script), text);
  assert_ok(vrig_fault_open(script, cbt_path("f.log", log), f, err));
}

static void played(void **state) {
  (void)state;
  vrig_fault *f;
  vrig_fault_piece p[2];
  char path[400];
  open_script(
      "log_lines: true\nfaults:\n  - {kind: doubled, port: force, at_s: 1}\n  - {kind: silence, port: force, "
      "at_s: 2, duration_s: 0.5}\n"
      "  - {kind: unplugged, port: stage, at_s: 3, duration_s: 1}\n  - {kind: overload, at_s: 4}\n  - {kind: "
      "alarm, at_s: 5}\n",
      &f);
  for (int i = 0; i <= 60; i++) {
    double t_s = 0.1 * i;
    vrig_stage_fault fault;
    vrig_fault_tick(f, t_s, both);
    vrig_fault_send(f, VRIG_WIRE_FORCE, t_s, "0.5\r\n", 5, p);
    bool silent = i >= 20 && i < 25;
    assert_int_equal(p[0].n + p[1].n, i == 10 ? 10 : silent ? 0 : 5);
    assert_int_equal(vrig_fault_unplugged(f, VRIG_WIRE_STAGE, t_s), i >= 30 && i < 40);
    assert_true(vrig_fault_overload(f, t_s) == (i == 40 ? 1.5 : 0));
    vrig_stage_event event = vrig_fault_of_stage(f, t_s, &fault);
    assert_int_equal(event, i == 50 ? VRIG_STAGE_FAULT : i == 60 ? VRIG_STAGE_POWERED : VRIG_STAGE_NOTHING);
    if (i == 50) assert_int_equal(fault, VRIG_STAGE_ALARM);
  }
  assert_int_equal(vrig_fault_count(f), 5);
  assert_ok(vrig_fault_close(f, err));
  char *text = cbt_read(cbt_path("f.log", path));
  assert_non_null(strstr(text, "0\t0.000000\tforce\t-\t\"0.5\\r\\n\"\t\"0.5\\r\\n\"\n"));
  assert_non_null(strstr(text, "1\t1.000000\tforce\tdoubled\t\"0.5\\r\\n\"\t\"0.5\\r\\n0.5\\r\\n\"\n"));
  assert_non_null(strstr(
      text, "2\t2.000000\tforce\tsilence\t\"\"\t\"\"\n2\t2.000000\tforce\tsilence\t\"0.5\\r\\n\"\t\"\"\n"));
  assert_non_null(strstr(text, "5\t5.000000\tstage\talarm\t\"\"\t\"\"\n"));
  free(text);
}

/* The mishap of a pull is logged as it begins, and the read-out can say again what it said. */
static void pulls(void **state) {
  (void)state;
  vrig_fault *f;
  char path[400];
  open_script("mishaps:\n  - {kind: tips, at_pull: 2}\n  - {kind: repeated, at_pull: 3}\n", &f);
  assert_int_equal(vrig_fault_pull(f, 0, 0).kind, VRIG_MISHAP_NONE);
  assert_int_equal(vrig_fault_pull(f, 1, 1).kind, VRIG_MISHAP_TIPS);
  assert_true(vrig_fault_reading(f, 0, false, 9) == 9);
  for (int i = 0; i < 3; i++) assert_true(vrig_fault_reading(f, 1, false, i) == i);
  assert_int_equal(vrig_fault_pull(f, 2, 2).kind, VRIG_MISHAP_REPEATED);
  assert_int_equal(vrig_fault_pull(f, 2.1, 2).kind, VRIG_MISHAP_REPEATED);
  for (int i = 0; i < 2; i++) assert_true(vrig_fault_reading(f, 2, false, 10 + i) == 10 + i);
  assert_int_equal(vrig_fault_pull(f, 3, 3).kind, VRIG_MISHAP_NONE);
  for (int i = 0; i < 3; i++) assert_true(vrig_fault_reading(f, 3, true, 20 + i) == (i < 2 ? 10 + i : 22));
  assert_int_equal(vrig_fault_count(f), 2);
  assert_ok(vrig_fault_close(f, err));
  char *text = cbt_read(cbt_path("f.log", path));
  assert_string_equal(text,
                      "1\t2.000000\tbench\ttips\t\"\"\t\"\"\n2\t3.000000\tbench\trepeated\t\"\"\t\"\"\n");
  free(text);
}

/* A fault waits for a host: nobody is there to see it before. */
static void waits_for_a_host(void **state) {
  (void)state;
  const bool none[VRIG_N_WIRES] = {false, false};
  vrig_fault *f;
  open_script("faults:\n  - {kind: unplugged, port: force, at_s: 1}\n", &f);
  for (int i = 0; i < 20; i++) vrig_fault_tick(f, i, none);
  assert_int_equal(vrig_fault_count(f), 0);
  vrig_fault_tick(f, 20, both);
  assert_int_equal(vrig_fault_count(f), 1);
  assert_true(vrig_fault_unplugged(f, VRIG_WIRE_FORCE, 20.4) &&
              !vrig_fault_unplugged(f, VRIG_WIRE_FORCE, 20.6));
  assert_ok(vrig_fault_close(f, err));
}

/* Same seed, same faults; so many as were asked for. */
static void mixed(void **state) {
  (void)state;
  static char sent[2][20000];
  for (int k = 0; k < 2; k++) {
    vrig_fault *f;
    size_t n = 0;
    open_script("seed: 4\nmix: {every_s: 0.05, count: 50, force: {torn: 1, flipped-bit: 2, garbage: 1}}\n",
                &f);
    for (int i = 0; i < 1000; i++) {
      vrig_fault_piece p[2];
      vrig_fault_tick(f, 0.01 * i, both);
      vrig_fault_send(f, VRIG_WIRE_FORCE, 0.01 * i, line, LENGTH, p);
      memcpy(sent[k] + n, p[0].text, p[0].n);
      n += p[0].n;
    }
    assert_int_equal(vrig_fault_count(f), 50);
    assert_ok(vrig_fault_close(f, err));
  }
  assert_memory_equal(sent[0], sent[1], sizeof sent[0]);
}

static void log_that_cannot_be_written(void **state) {
  (void)state;
  vrig_fault *f;
  char script[400];
  cbt_write(cbt_path("f.yaml", script), "faults: [{kind: clock, at_s: 1}]\n");
  assert_fails(CB_E_IO, "no/such/folder/f.log: cannot be written",
               vrig_fault_open(script, "no/such/folder/f.log", &f, err));
  assert_null(f);
  assert_ok(vrig_fault_close(NULL, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_script),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(mishaps),
                                     cmocka_unit_test(mishaps_by_chance),
                                     cmocka_unit_test(pulls),
                                     cmocka_unit_test(kinds),
                                     cmocka_unit_test(foreign),
                                     cmocka_unit_test(played),
                                     cmocka_unit_test(waits_for_a_host),
                                     cmocka_unit_test(mixed),
                                     cmocka_unit_test(log_that_cannot_be_written)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
