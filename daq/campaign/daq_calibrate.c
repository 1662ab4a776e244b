#include "daq_calibrate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_language.h"
#include "daq_emulator.h"
#include "daq_engine.h"
#include "daq_zero.h"

/* Against the deflection under full load: how much a reading at rest may scatter (a weight that swings does
 * so by several per cent), and how far it may go from one window to the next. */
#define STILL_SD 0.005
#define STILL_STEP 0.0005
/* Two windows that differ by less than this many standard uncertainties differ by chance. */
#define CHANCE_K 3.0
/* The preload must be seen above the noise, or no weight ever reached the cell. */
#define SEEN_K 10.0

typedef struct calibrator {
  const daq_calibrate_job *job;
  cb_rig rig; /* the job's without a slope, which is what is looked for; its text is borrowed */
  daq_emulator *emulator;
  daq_bench bench;
  cb_calibration_point *points;
  size_t n, total;
  double began_s;    /* rig seconds on the monotonic clock; 0 before the first reading */
  double deflection; /* under full load, from the preload; 0 before */
  const daq_load *hanging;
} calibrator;

/* ---- weights ---- */

static void describe_load(const daq_load *load, char out[64]) {
  if (load)
    (void)snprintf(out, 64, "%g g", load->nominal_kg * 1e3);
  else
    (void)snprintf(out, 64, "no load");
}

static cb_status ask_person(const calibrator *c, const daq_load *load, cb_err *err) {
  char text[600];
  if (load)
    (void)snprintf(text, sizeof text, _("Hang %g g on the load cell: %s and nothing else."),
                   load->nominal_kg * 1e3, load->names);
  else if (c->n == 0)
    (void)snprintf(text, sizeof text, "%s",
                   _("The stage rests all the time. Take the cart off the link; no weight hangs on the load "
                     "cell, only its pan if it has one."));
  else
    (void)snprintf(text, sizeof text, "%s", _("Take all weights off the load cell."));
  return c->job->prompt(c->job->context, text, err);
}

static cb_status hang(calibrator *c, const daq_load *load, cb_err *err) {
  if (load == c->hanging && c->n > 0) return CB_OK;
  CB_TRY(c->emulator ? daq_emulator_hang_weight(c->emulator, load ? load->conventional_kg : 0, err)
                     : ask_person(c, load, err));
  c->hanging = load;
  return daq_bench_resume(&c->bench, err);
}

/* ---- readings ---- */

static bool still(const calibrator *c, const daq_zero *before, const daq_zero *now) {
  double fs = fabs(c->deflection), chance = CHANCE_K * hypot(before->u, now->u);
  if (fs > 0 && now->sd > STILL_SD * fs) return false;
  return fabs(now->mean - before->mean) <= fmax(chance, STILL_STEP * fs);
}

static cb_status restless(const calibrator *c, const daq_zero *before, const daq_zero *now, cb_err *err) {
  char load[64];
  double fs = fabs(c->deflection), went = fabs(now->mean - before->mean),
         may_go = fmax(CHANCE_K * hypot(before->u, now->u), STILL_STEP * fs);
  bool swings = fs > 0 && now->sd > STILL_SD * fs;
  describe_load(c->hanging, load);
  return cb_fail(
      err, CB_E_TIMEOUT,
      "step %zu, %s: the reading is not stable after %g s: it %s by %.3g %s, at most %.3g is wanted",
      c->n + 1, load, c->job->stable_within_s, swings ? "scatters" : "still goes", swings ? now->sd : went,
      c->rig.force.unit, swings ? STILL_SD * fs : may_go);
}

/* The first window only lets the weight come to rest. */
static cb_status read_still(calibrator *c, daq_zero *z, cb_series *raw, cb_err *err) {
  daq_zero before;
  int windows = (int)fmax(2, ceil(c->job->stable_within_s / c->job->window_s));
  cb_status st = daq_zero_take(&c->bench, c->job->window_s, 0, z, err);
  if (st == CB_OK && c->n == 1) c->deflection = z->mean - c->points[0].reading; /* near enough to judge by */
  for (int i = 0; st == CB_OK && i < windows; i++) {
    before = *z;
    st = daq_zero_take_raw(&c->bench, c->job->window_s, 0, z, raw, err);
    if (st == CB_OK && i > 0 && still(c, &before, z)) return CB_OK;
    if (st == CB_OK && i + 1 == windows) st = restless(c, &before, z, err);
    cb_series_clear(raw);
  }
  return st;
}

static void put_reading(calibrator *c, int cycle, cb_calibration_direction direction, const daq_zero *z,
                        const cb_series *raw) {
  assert(raw->n > 0 && raw->t_s);
  if (c->n == 0) c->began_s = raw->t_s[0];
  for (size_t i = 0; i < raw->n; i++) raw->t_s[i] -= c->began_s;
  c->points[c->n] = (cb_calibration_point){.step = (int)c->n + 1,
                                           .cycle = cycle,
                                           .direction = direction,
                                           .reading = z->mean,
                                           .sd = z->sd,
                                           .n = z->n,
                                           .t_s = z->t_s - c->began_s,
                                           .raw = *raw};
  if (c->hanging) {
    c->points[c->n].mass_kg = c->hanging->conventional_kg;
    c->points[c->n].force_N = c->hanging->force_N;
    c->points[c->n].u_force_N = c->hanging->u_force_N;
  }
  c->n++;
}

static void show_reading(const calibrator *c, int cycle, cb_calibration_direction direction,
                         const daq_load *load) {
  char text[128], what[64];
  if (!c->job->progress) return;
  describe_load(load, what);
  (void)snprintf(text, sizeof text, "cycle %d, %s, %s", cycle, cb_calibration_direction_names[direction],
                 what);
  c->job->progress(c->job->context, c->n, c->total, text);
}

static cb_status measure_load(calibrator *c, int cycle, cb_calibration_direction direction,
                              const daq_load *load, cb_err *err) {
  daq_zero z;
  cb_series raw = {0};
  show_reading(c, cycle, direction, load);
  CB_TRY(hang(c, load, err));
  CB_TRY(read_still(c, &z, &raw, err));
  put_reading(c, cycle, direction, &z, &raw);
  return CB_OK;
}

/* ---- the course of it ---- */

static const daq_load *full_load(const calibrator *c) {
  return &c->job->weights->load[c->job->weights->n_loads - 1];
}

static cb_status preload(calibrator *c, cb_err *err) {
  CB_TRY(measure_load(c, 0, CB_CAL_PRELOAD, NULL, err));
  CB_TRY(measure_load(c, 0, CB_CAL_PRELOAD, full_load(c), err));
  const cb_calibration_point *zero = &c->points[0], *full = &c->points[1];
  c->deflection = full->reading - zero->reading;
  if (fabs(c->deflection) > SEEN_K * hypot(full->sd, zero->sd) / sqrt((double)full->n)) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "the reading went by %.3g %s under %g g, which is no more than its noise: does the weight "
                 "hang freely on the cell?",
                 c->deflection, c->rig.force.unit, full_load(c)->nominal_kg * 1e3);
}

static cb_status cycle(calibrator *c, int number, cb_err *err) {
  const daq_weights *w = c->job->weights;
  CB_TRY(measure_load(c, number, CB_CAL_ZERO, NULL, err));
  for (size_t i = 0; i < w->n_loads; i++) CB_TRY(measure_load(c, number, CB_CAL_UP, &w->load[i], err));
  for (size_t i = w->n_loads - 1; i-- > 0;) CB_TRY(measure_load(c, number, CB_CAL_DOWN, &w->load[i], err));
  return measure_load(c, number, CB_CAL_ZERO, NULL, err);
}

static cb_status creep(calibrator *c, cb_err *err) {
  int number = c->job->cycles + 1;
  double unused;
  CB_TRY(measure_load(c, number, CB_CAL_ZERO, NULL, err));
  CB_TRY(measure_load(c, number, CB_CAL_CREEP, full_load(c), err));
  show_reading(c, number, CB_CAL_CREEP, full_load(c));
  CB_TRY(daq_bench_rest(&c->bench, c->job->creep_s, &unused, err));
  CB_TRY(measure_load(c, number, CB_CAL_CREEP, full_load(c), err));
  return measure_load(c, number, CB_CAL_ZERO, NULL, err);
}

static cb_status measure_cycles(calibrator *c, cb_err *err) {
  CB_TRY(preload(c, err));
  for (int i = 1; i <= c->job->cycles; i++) CB_TRY(cycle(c, i, err));
  if (c->job->creep_s > 0) CB_TRY(creep(c, err));
  if (c->job->progress) c->job->progress(c->job->context, c->total, c->total, "");
  return CB_OK;
}

static cb_status check_job(const daq_calibrate_job *job, cb_err *err) {
  const daq_weights *w = job->weights;
  const daq_load *full = &w->load[w->n_loads - 1];
  if (!job->rig->force.cell[0])
    return cb_fail(
        err, CB_E_NOTFOUND,
        "%s: force.cell is not said: a calibration belongs to a load cell, its serial number is wanted",
        job->rig->path);
  if (full->force_N <= job->rig->force.overload_N) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "the largest load of %g g pulls with %.4g N: force.overload_N of the rig file allows %.4g N",
                 full->nominal_kg * 1e3, full->force_N, job->rig->force.overload_N);
}

static cb_status open_bench(calibrator *c, cb_err *err) {
  const char *stage_port = c->rig.stage.port, *force_port = c->rig.force.port;
  if (daq_engine_emulates(c->job->rig)) {
    CB_TRY(daq_emulator_start(c->job->program, c->rig.path, &c->emulator, err));
    stage_port = daq_emulator_stage_port(c->emulator);
    force_port = daq_emulator_force_port(c->emulator);
  }
  return daq_bench_open(&c->bench, &c->rig, stage_port, force_port, c->job->stop_flag, err);
}

/* ---- the digit ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Readings of one window lie close together: their smallest difference is a digit. Rounding makes differences
 * far below it. */
static cb_status find_digit(const calibrator *c, double *digit, cb_err *err) {
  double smallest = INFINITY;
  for (size_t i = 0; i < c->n; i++) {
    const cb_series *raw = &c->points[i].raw;
    double *v = malloc((raw->n + 1) * sizeof *v);
    if (!v) return cb_no_memory(err, "%zu readings", raw->n);
    memcpy(v, raw->v, raw->n * sizeof *v);
    qsort(v, raw->n, sizeof *v, ascending);
    for (size_t k = 1; k < raw->n; k++)
      if (v[k] - v[k - 1] > 1e-9 * fabs(c->deflection)) smallest = fmin(smallest, v[k] - v[k - 1]);
    free(v);
  }
  *digit = isfinite(smallest) ? smallest : 0;
  return CB_OK;
}

cb_status daq_calibrate(const daq_calibrate_job *job, cb_calibration_point **points, size_t *n, double *digit,
                        cb_err *err) {
  calibrator c = {.job = job, .rig = *job->rig};
  cb_status st = CB_OK;
  *points = NULL;
  *n = 0;
  CB_TRY(check_job(job, err));
  c.rig.calibration = (cb_rig_calibration){.present = false};
  c.total = 2 + (size_t)job->cycles * (2 * job->weights->n_loads + 1) + (job->creep_s > 0 ? 4 : 0);
  c.points = calloc(c.total, sizeof *c.points);
  if (!c.points) return cb_no_memory(err, "%zu steps", c.total);
  CB_GOTO(open_bench(&c, err));
  CB_GOTO(measure_cycles(&c, err));
  CB_GOTO(find_digit(&c, digit, err));
done:
  daq_bench_close(&c.bench);
  daq_emulator_stop(c.emulator);
  *points = c.points;
  *n = c.n;
  return st;
}

void daq_calibrate_free(cb_calibration_point *points, size_t n) {
  for (size_t i = 0; i < n; i++) cb_series_clear(&points[i].raw);
  free(points);
}
