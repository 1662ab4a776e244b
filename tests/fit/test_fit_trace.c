/* Logs of friction rigs by their mappings: what is read, what is told about it, and every mistake in one
 * sentence. */
#include <math.h>

#include "cbtest.h"
#include "fit_trace.h"
#include "fit_trace_impl.h"

static cb_status parse(const char *map, const char *csv, const char *motion_map, const char *motion,
                       fit_trace *t, cb_err *err) {
  const fit_trace_files f = {{"m.yaml", map, strlen(map)},
                             {"f.csv", csv, strlen(csv)},
                             {motion ? "m2.yaml" : NULL, motion_map, motion ? strlen(motion_map) : 0},
                             {motion ? "x.csv" : NULL, motion, motion ? strlen(motion) : 0}};
  return fit_trace_parse(&f, t, err);
}

#define MAP(rest) "kind: trace\nsource: us\ncolumns:\n  cloth: {value: Twill}\n  body: {value: Foam}\n" rest
#define COLUMNS                                                                                              \
  "  time: {column: t, unit: ms}\n  force: {column: V, unit: -200 N, u_rel: 0.01}\n  position: {column: x, " \
  "unit: mm}\n"

static void one_file(void **state) {
  (void)state;
  fit_trace t;
  assert_ok(parse(MAP(COLUMNS "  normal_force: {column: load, unit: N}\n  area: {value: 50, unit: cm2}\n  "
                              "angle: {value: 45, unit: deg}\n"
                              "  zero: {value: -0.13, unit: -200 N}\n  repeat: {value: 3}\n"),
                  "t,V,x,load\n0,-0.13,5,10\n10,-0.5,5,11\n20,,6,12\n30,-0.6,7,11\n", "", NULL, &t, err));
  assert_string_equal(t.cloth, "Twill");
  assert_true(t.force_raw.n == 3 && t.holes == 1 && t.motion_raw.n == 4 && t.n_strokes == 0 && !t.two_clocks);
  assert_near(t.force_raw.t_s[2], 0.03, 1e-15);
  assert_true(t.force_raw.v[2] == -0.6 && t.motion_raw.v[2] == 6); /* as written */
  assert_near(cb_run_channel_value(&t.force, -0.6), 120, 1e-12);
  assert_near(cb_run_channel_value(&t.motion, 7), 0.007, 1e-15);
  assert_true(t.has_zero);
  assert_near(t.zero.mean, 26, 1e-12);
  assert_near(t.run.normal_force_N, 11, 1e-12);
  assert_near(t.run.contact_area_m2, 0.005, 1e-15);
  assert_near(t.run.angle_deg, 45, 1e-12);
  assert_near(t.run.travel_m, 0.002, 1e-15);
  assert_near(t.run.rate_Hz, 2 / 0.03, 1e-9);
  assert_true(t.run.repeat == 3 && t.run.direction == 1 && t.calibration.u_rel == 0.01);
  assert_near(t.calibration.resolution_N, 2, 1e-12);
  assert_string_equal(t.run.flags, "");
  assert_string_equal(t.calibration.unit, "N");
  fit_trace_clear(&t);
}

/* A vendor's header, columns by number, a rate instead of times, a speed instead of positions, nothing known
 * of load and area. */
static void bare_log(void **state) {
  (void)state;
  fit_trace t;
  assert_ok(parse(
      "kind: trace\nsource: us\nheader: false\nskip_lines: 3\ncolumns:\n  cloth: {value: a}\n  body: {value: "
      "b}\n"
      "  rate: {value: 4, unit: Hz}\n  force: {column: 2, unit: lbf}\n  speed: {column: 3, unit: mm/s}\n",
      "\xef\xbb\xbfVendor \"5\"\r\nnames,force,speed\r\n,lb,mm/s\r\n1,0.5,-2\r\n2,0.6,-2\r\n3,0.7,-2\r\n\r\n",
      "", NULL, &t, err));
  assert_true(t.force_raw.n == 3 && t.motion.channel == CB_CHANNEL_SPEED);
  assert_near(t.force_raw.t_s[2], 0.5, 1e-15);
  assert_near(cb_run_channel_value(&t.force, 1), 4.4482216152605, 1e-12);
  assert_near(t.run.travel_m, 0.001, 1e-15);
  assert_near(t.run.speed_m_per_s, 0.002, 1e-12);
  assert_true(t.run.direction == -1 && t.run.normal_force_N == 0 && t.run.contact_area_m2 == 1);
  assert_string_equal(t.run.flags, "area-unknown load-unknown");
  fit_trace_clear(&t);
}

#define LABELS                                                                                           \
  "  direction: {column: way}\n  forward: {value: go}\n  backward: {value: back}\n  force: {column: F, " \
  "unit: N}\n"

static void labels_without_times(void **state) {
  (void)state;
  fit_trace t;
  assert_ok(parse(MAP(LABELS "  mass: {value: 200, unit: g, u_rel: 0.01}\n"),
                  "way,F\ngo,1\ngo,2\nback,-1\nback,\nback,-2\ngo,3\n", "", NULL, &t, err));
  assert_true(t.force_raw.n == 5 && t.holes == 1 && t.motion_raw.n == 0 && t.n_strokes == 3 &&
              t.run.rate_Hz == 0);
  assert_true(t.strokes[1].first == 2 && t.strokes[1].n == 2 && t.strokes[1].direction == -1 &&
              t.strokes[2].first == 4);
  assert_near(t.run.normal_force_N, 0.2 * 9.80665, 1e-12);
  assert_near(t.run.u_normal_force_N, 0.01 * 0.2 * 9.80665, 1e-12);
  assert_true(t.force_raw.t_s[4] == 0);
  assert_string_equal(t.run.flags, "no-times area-unknown");
  fit_trace_clear(&t);
}

/* A pull of 2 s seen by two devices, whose clocks differ by 0.25 s; the force follows the motion. */
static void two_files(void **state) {
  (void)state;
  fit_trace t;
  static char force[40000], motion[20000];
  size_t n = (size_t)sprintf(force, "t,V,x\n"), m = (size_t)sprintf(motion, "s\tmm\n");
  for (int i = 0; i < 400; i++)
    n += (size_t)sprintf(force + n, "%d,%.2f,0\n", 10 * i, i >= 100 && i < 300 ? -0.5 : -0.01 * (i % 3));
  for (int i = 0; i < 80; i++)
    m += (size_t)sprintf(motion + m, "%.2f\t%.1f\n", 0.05 * i + 0.25, i < 20 ? 0 : i < 60 ? i - 20.0 : 40);
  const char *map2 =
      "kind: motion\nsource: us\ncolumns:\n  time: {column: s, unit: s}\n  position: {column: mm, unit: "
      "mm}\n";
  const char *map = MAP("  time: {column: t, unit: ms}\n  force: {column: V, unit: -200 N}\n");
  assert_ok(parse(map, force, map2, motion, &t, err));
  assert_true(t.two_clocks && t.clocks.outcome == FIT_CLOCKS_OK);
  assert_near(t.clocks.offset_s, -0.25, 0.03); /* a reading every 50 ms tells no more */
  assert_true(t.clocks.u_offset_s > 0.014 && t.clocks.u_offset_s < 0.03);
  assert_true(t.motion.clock_offset_s == t.clocks.offset_s && t.motion_raw.t_s[0] == 0.25 &&
              strlen(t.fingerprint) == 32);
  assert_non_null(strstr(t.mapping_text, "kind: motion"));
  fit_trace_clear(&t);
  /* Told instead of found. */
  assert_ok(parse(
      map, force,
      "kind: motion\nsource: us\ncolumns:\n  time: {column: s, unit: s}\n  position: {column: mm, unit: mm}\n"
      "  clock_offset: {value: -250, unit: ms}\n  u_clock_offset: {value: 1, unit: ms}\n",
      motion, &t, err));
  assert_true(t.motion.clock_offset_s == -0.25 && t.motion.u_clock_offset_s == 0.001);
  fit_trace_clear(&t);
  /* A force that has nothing to do with it. */
  for (char *p = force; (p = strstr(p, "-0.50")); p++) memcpy(p, "-0.00", 5);
  assert_fails(CB_E_RANGE, "f.csv and x.csv: their clocks cannot be compared",
               parse(map, force, map2, motion, &t, err));
  fit_trace_clear(&t);
}

static void refusals(void **state) {
  (void)state;
#define CSV "t,V,x\n0,1,2\n1,1,3\n"
  static const struct {
    const char *map, *csv, *sentence;
  } bad[] = {
      {MAP(COLUMNS), "t,V,x\n0,1,2\n5,1,3\n4,1,3\n",
       "f.csv:4: time = 0.004 s after 0.005 s: times must ascend"},
      {MAP(COLUMNS), "t,V,x\n0,1,2\n", "f.csv: 1 reading of the force: at least 2 are needed"},
      {MAP(COLUMNS), "t,V,x\n0,1,\n1,2,\n", "m.yaml: 0 places of the stage"},
      {MAP(COLUMNS "  rate: {value: 5, unit: Hz}\n"), CSV, "m.yaml: both time and rate are given"},
      {MAP(COLUMNS "  speed: {column: x, unit: mm/s}\n"), CSV, "m.yaml: both position and speed are given"},
      {MAP(COLUMNS "  mass: {value: 1, unit: kg}\n  normal_force: {value: 1, unit: N}\n"), CSV,
       "both normal_force and mass are given"},
      {MAP("  force: {column: V, unit: N}\n"), CSV, "m.yaml: the motion is told nowhere"},
      {MAP(COLUMNS "  direction: {column: x}\n"), CSV, "m.yaml: the motion is told more than once"},
      {MAP("  force: {column: V, unit: N}\n  position: {column: x, unit: m}\n"), CSV,
       "m.yaml: a force with a motion needs its time"},
      {MAP("  force: {column: V, unit: N}\n  direction: {column: x}\n"), CSV,
       "m.yaml: a column of directions needs its words"},
      {MAP("  rate: {column: t, unit: Hz}\n  force: {column: V, unit: N}\n  position: {column: x, unit: "
           "m}\n"),
       "t,V,x\n1,1,2\n1,1,3\n", "m.yaml: rate: a value was wanted"},
      {MAP(LABELS), "way,F\ngo,1\nstay,2\n", "f.csv:3: direction = 'stay': 'go' or 'back' was wanted"},
      {MAP(COLUMNS "  zero: {column: z, unit: N}\n"), "t,V,x,z\n0,1,2,\n1,1,3,4\n",
       "f.csv:2: zero: the first row is a hole"},
      {MAP(COLUMNS "  load: {value: 1}\n"), CSV, "m.yaml:9: unknown key 'load'"},
      {MAP(COLUMNS), "t,V,x\n0,1e300,2\n1,1,3\n", "f.csv:2: force = -2e+302 (SI): must be between"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    fit_trace t;
    cb_err e = {""};
    if (parse(bad[i].map, bad[i].csv, "", NULL, &t, &e) == CB_OK)
      fail_msg("%zu: was read: %s", i, bad[i].map);
    if (!strstr(e.msg, bad[i].sentence)) fail_msg("'%s' was said, '%s' was wanted", e.msg, bad[i].sentence);
    fit_trace_clear(&t);
  }
}

/* ---- how loggers write times; what a record tells of itself ---- */

#define PULL_MAP                                                                                           \
  MAP("  time: {column: t, unit: s}\n  force: {column: F, unit: N}\n  position: {column: x, unit: mm}\n  " \
      "area: {value: 1, unit: cm2}\n  mass: {value: 1, unit: kg}\n")
#define ROWS 200

/* A pull of 10 readings per second: rest to row 50, then 0.5 N along the motion in noise of a few digits. */
static void write_row(char *out, size_t *n, const char *time, int i) {
  const double noise = 0.001 * (i * i % 7);
  *n += (size_t)sprintf(out + *n, "%s,%.1f,%.3f\n", time, i > 50 ? 0.2 * (i - 50) : 0,
                        (i > 55 ? 0.55 : 0.05) + noise);
}

typedef void write_time(char out[40], int i);
static void plain_s(char out[40], int i) { (void)sprintf(out, "%.1f", 43195 + 0.1 * i); }
static void of_day(char out[40], int i) {
  (void)sprintf(out, "%02d:%02d:%04.1f", i < 50 ? 11 : 12, i < 50 ? 59 : 0,
                i < 50 ? 55 + 0.1 * i : 0.1 * (i - 50));
}
static void over_midnight(char out[40], int i) {
  (void)sprintf(out, "%02d:%02d:%04.1f", i < 50 ? 23 : 0, i < 50 ? 59 : 0,
                i < 50 ? 55 + 0.1 * i : 0.1 * (i - 50));
}
static void dated(char out[40], int i) {
  (void)sprintf(out, "2024-0%s %02d:%02d:%04.1fZ", i < 50 ? "2-29" : "3-01", i < 50 ? 23 : 0, i < 50 ? 59 : 0,
                i < 50 ? 55 + 0.1 * i : 0.1 * (i - 50));
}
static void stopwatch(char out[40], int i) { (void)sprintf(out, "%02d:%04.1f", i / 600, 0.1 * (i % 600)); }
static void epoch(char out[40], int i) { (void)sprintf(out, "%.1f", 1.7e9 + 0.1 * i); }
static void counter_began_anew(char out[40], int i) {
  (void)sprintf(out, "%.6f", 4290 + 0.1 * i - (i < 50 ? 0 : 4294.967296));
}

static void times_as_written(void **state) {
  (void)state;
  static write_time *const writers[] = {plain_s,   of_day, over_midnight,     dated,
                                        stopwatch, epoch,  counter_began_anew};
  for (size_t k = 0; k < sizeof writers / sizeof writers[0]; k++) {
    static char log[20000];
    char time[40];
    fit_trace t;
    size_t n = (size_t)sprintf(log, "t,x,F\n");
    for (int i = 0; i < ROWS; i++) {
      writers[k](time, i);
      write_row(log, &n, time, i);
    }
    assert_ok(parse(PULL_MAP, log, "", NULL, &t, err));
    assert_true(t.force_raw.n == ROWS && t.motion_raw.n == ROWS);
    for (size_t i = 1; i < ROWS; i++)
      assert_near(t.force_raw.t_s[i] - t.force_raw.t_s[0], 0.1 * (double)i, 1e-5);
    assert_true(fabs(t.force_raw.t_s[0]) < 86400);
    assert_string_equal(t.run.flags, "");
    fit_trace_clear(&t);
  }
}

static void times_that_are_none(void **state) {
  (void)state;
  fit_trace t;
  assert_fails(CB_E_PARSE, "f.csv:3: '25': a time of day like the others was wanted",
               parse(PULL_MAP, "t,x,F\n10:00:00,0,1\n25,0,1\n10:00:02,0,1\n", "", NULL, &t, err));
  fit_trace_clear(&t);
  assert_fails(CB_E_PARSE, "f.csv:2: t = '10:61:00'",
               parse(PULL_MAP, "t,x,F\n10:61:00,0,1\n10:62:00,0,1\n", "", NULL, &t, err));
  fit_trace_clear(&t);
  assert_fails(CB_E_RANGE, "times must ascend",
               parse(PULL_MAP, "t,x,F\n100,0,1\n100.1,0,1\n20,0,1\n", "", NULL, &t, err));
  fit_trace_clear(&t);
}

/* What is wrong in a record becomes a flag: which, and of which row. */
static void flags(void **state) {
  (void)state;
  static const struct {
    const char *flag;
    int gap_at, spike_at, still_from, sign;
  } cases[] = {
      {"", 0, 0, 0, 1},      {"spikes", 0, 90, 0, 1},          {"spikes", 0, 20, 0, 1},
      {"gaps", 90, 0, 0, 1}, {"equal-readings", 0, 0, 120, 1}, {"force-against-motion", 0, 0, 0, -1}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    static char log[20000];
    char time[40];
    fit_trace t;
    size_t n = (size_t)sprintf(log, "t,x,F\n");
    for (int i = 0; i < ROWS; i++) {
      (void)sprintf(time, "%.1f", 0.1 * i + (cases[k].gap_at && i >= cases[k].gap_at ? 1 : 0));
      const double noise = 0.001 * (i * i % 7), F = cases[k].sign * (i > 55 ? 0.55 : 0.05) + noise;
      n += (size_t)sprintf(log + n, "%s,%.1f,%.3f\n", time, i > 50 ? 0.2 * (i - 50) : 0,
                           cases[k].spike_at && i == cases[k].spike_at       ? 4.2
                           : cases[k].still_from && i >= cases[k].still_from ? 0.551
                                                                             : F);
    }
    assert_ok(parse(PULL_MAP, log, "", NULL, &t, err));
    assert_string_equal(t.run.flags, cases[k].flag);
    fit_trace_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_file),
                                     cmocka_unit_test(bare_log),
                                     cmocka_unit_test(labels_without_times),
                                     cmocka_unit_test(two_files),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(times_as_written),
                                     cmocka_unit_test(times_that_are_none),
                                     cmocka_unit_test(flags)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
