#include "cb_text.h"
#include "fit_trace_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_file.h"
#include "cb_plural.h"
#include "cb_stats.h"
#include "cb_stray.h"
#include "fit_table_raw.h"

#define MAX_MAPPING_BYTES ((size_t)1 << 20)
#define EPOCH_S 1e8  /* later times are of no experiment's own clock */
#define ROLL_STEPS 4 /* usual steps that may be lost where a counter begins anew */
#define GAP_STEPS 5  /* usual steps: a longer one is a gap */

/* ---- what a mapping may give ---- */

#define SHARED                                                                             \
  {"time", CB_DIM_TIME, false, -1e11, 1e11}, {"rate", CB_DIM_FREQUENCY, false, 1e-3, 1e7}, \
      {"position", CB_DIM_LENGTH, false, -100, 100}, {                                     \
    "speed", CB_DIM_SPEED, false, -100, 100                                                \
  }

static const fit_table_field force_fields[] = {SHARED,
                                               {"force", CB_DIM_FORCE, true, -1e6, 1e6},
                                               {"zero", CB_DIM_FORCE, false, -1e6, 1e6},
                                               {"cloth", CB_DIM_NONE, true, 0, 0},
                                               {"body", CB_DIM_NONE, true, 0, 0},
                                               {"angle", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI},
                                               {"repeat", CB_DIM_COUNT, false, 1, 1e6},
                                               {"normal_force", CB_DIM_FORCE, false, 1e-6, 1e6},
                                               {"mass", CB_DIM_MASS, false, 1e-6, 1e5},
                                               {"area", CB_DIM_AREA, false, 1e-12, 100},
                                               {"direction", CB_DIM_NONE, false, 0, 0},
                                               {"forward", CB_DIM_NONE, false, 0, 0},
                                               {"backward", CB_DIM_NONE, false, 0, 0},
                                               {"marker", CB_DIM_COUNT, false, 0, 0}};

static const fit_table_field motion_fields[] = {
    SHARED, {"clock_offset", CB_DIM_TIME, false, -1e9, 1e9}, {"u_clock_offset", CB_DIM_TIME, false, 0, 1e6}};

#define COUNT(list) (sizeof list / sizeof list[0])

/* ---- a column over time ---- */

/* Times since 1970 count from the midnight before the first one, so that two logs of one day agree. */
static double epoch_of(const fit_table *t) {
  size_t row = 0;
  if (!fit_table_given(t, TIME)) return 0;
  while (row < fit_table_rows(t) && isnan(fit_table_number(t, TIME, row))) row++;
  const double first_s = row < fit_table_rows(t) ? fit_table_number(t, TIME, row) : 0;
  return fabs(first_s) > EPOCH_S ? floor(first_s / 86400) * 86400 : 0;
}

double fit_trace_time(const fit_table *t, size_t row) {
  if (fit_table_given(t, TIME)) return fit_table_number(t, TIME, row);
  return fit_table_given(t, RATE) ? (double)row / fit_table_number(t, RATE, row) : 0;
}

/* A board's counter of microseconds or milliseconds that began anew: by how much it was set back. 0: it did
 * not, as the time would not go on from there as before. */
static double rolled_over(const cb_series *s, double t_s) {
  static const double periods_s[] = {4294.967296, 4294967.296, 65.536};
  const double last_s = s->t_s[s->n - 1], before_s = s->n > 1 ? last_s - s->t_s[s->n - 2] : 0;
  for (size_t i = 0; i < sizeof periods_s / sizeof periods_s[0]; i++) {
    const double step_s = t_s + periods_s[i] - last_s;
    if (step_s >= 0 && step_s <= ROLL_STEPS * before_s) return periods_s[i];
  }
  return 0;
}

cb_status fit_trace_check_time(const fit_table *t, const char *mapping, cb_err *err) {
  if (fit_table_given(t, TIME) && fit_table_given(t, RATE))
    return cb_fail(err, CB_E_PARSE, "%s: both time and rate are given: one of them was wanted", mapping);
  if (fit_table_given(t, RATE) && !fit_table_constant(t, RATE))
    return cb_fail(err, CB_E_PARSE, "%s: rate: a value was wanted, not a column", mapping);
  return CB_OK;
}

cb_status fit_trace_series(const fit_table *t, size_t field, cb_series *out, size_t *holes, cb_err *err) {
  double since_s = epoch_of(t), rolled_s = 0;
  for (size_t row = 0; row < fit_table_rows(t); row++) {
    double t_s = fit_trace_time(t, row) - since_s + rolled_s, v = fit_table_raw(t, field, row);
    if (isnan(t_s) || isnan(v)) {
      if (holes) ++*holes;
      continue;
    }
    if (out->n > 0 && t_s < out->t_s[out->n - 1]) {
      const double by_s = rolled_over(out, t_s);
      rolled_s += by_s;
      t_s += by_s;
    }
    if (out->n > 0 && t_s < out->t_s[out->n - 1])
      return fit_table_fail(t, row, CB_E_RANGE, err, "time = %.9g s after %.9g s: times must ascend", t_s,
                            out->t_s[out->n - 1]);
    CB_TRY(cb_series_push(out, t_s, v, err));
  }
  return CB_OK;
}

cb_run_channel fit_trace_converter(const fit_table *t, size_t field, cb_channel channel) {
  cb_run_channel c = {.channel = channel, .conversion = "mapping", .scale = 1};
  c.c[1] = fit_table_scale(t, field, &c.c[0]);
  return c;
}

/* ---- conditions ---- */

void fit_trace_flag(fit_trace *out, const char *word) {
  cb_text_add(out->run.flags, sizeof out->run.flags, " ", "%s", word);
}

/* A column of loads: their mean, with its uncertainty. */
static cb_status read_load(const fit_table *t, cb_run *r, cb_err *err) {
  cb_series load = {0};
  cb_status st = CB_OK;
  double sum = 0;
  CB_GOTO(fit_trace_series(t, NORMAL_FORCE, &load, NULL, err));
  double offset, scale = fit_table_scale(t, NORMAL_FORCE, &offset);
  if (load.n == 0) {
    st = fit_table_fail(t, 0, CB_E_RANGE, err, "normal_force: all rows are holes");
    goto done;
  }
  for (size_t i = 0; i < load.n; i++) sum += load.v[i];
  r->normal_force_N = sum / (double)load.n * scale + offset;
  r->u_normal_force_N = hypot(fabs(scale) * cb_mean_uncertainty(load.v, load.n, NULL),
                              fit_table_u_rel(t, NORMAL_FORCE) * r->normal_force_N);
done:
  cb_series_clear(&load);
  return st;
}

static cb_status read_conditions(const fit_table *t, const char *mapping, fit_trace *out, cb_err *err) {
  cb_run *r = &out->run;
  double angle = fit_table_number(t, ANGLE, 0), repeat = fit_table_number(t, REPEAT, 0),
         area = fit_table_number(t, AREA, 0);
  CB_TRY(fit_table_name(t, CLOTH, 0, out->cloth, sizeof out->cloth, err));
  CB_TRY(fit_table_name(t, BODY, 0, out->body, sizeof out->body, err));
  r->angle_deg = isnan(angle) ? 0 : angle / CB_DEG;
  r->repeat = isnan(repeat) ? 1 : (int)repeat;
  r->contact_area_m2 = isnan(area) ? 1 : area;
  if (isnan(area)) fit_trace_flag(out, "area-unknown");
  bool force = fit_table_given(t, NORMAL_FORCE), mass = fit_table_given(t, MASS);
  if (force && mass)
    return cb_fail(err, CB_E_PARSE, "%s: both normal_force and mass are given: one of them was wanted",
                   mapping);
  if (force) return read_load(t, r, err);
  if (!mass) fit_trace_flag(out, "load-unknown");
  if (!mass) return CB_OK;
  r->cart_mass_kg = fit_table_number(t, MASS, 0);
  if (isnan(r->cart_mass_kg)) return fit_table_fail(t, 0, CB_E_RANGE, err, "mass: the first row is a hole");
  r->normal_force_N = r->cart_mass_kg * CB_STANDARD_GRAVITY_M_PER_S2;
  r->u_normal_force_N = fit_table_u_rel(t, MASS) * r->normal_force_N;
  return CB_OK;
}

/* ---- what follows from the record itself ---- */

static double rate_of(const cb_series *x) {
  double span = x->t_s[x->n - 1] - x->t_s[0];
  return span > 0 ? (double)(x->n - 1) / span : 0;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* As the reduction will judge them: readings at rest apart. The digit is that of the raw readings, whose
 * least step tells it. */
static cb_status flag_spikes(fit_trace *out, size_t n_rest, cb_err *err) {
  const size_t n = out->force_raw.n;
  size_t count;
  bool *stray = malloc(n * sizeof *stray);
  if (!stray) return cb_no_memory(err, "%zu readings", n);
  cb_status st = cb_stray_find(out->force_raw.t_s, out->force_raw.v, n, n_rest, 0, stray, &count, err);
  if (st == CB_OK && count > 0) fit_trace_flag(out, CB_STRAY_FLAG);
  free(stray);
  return st;
}

/* Times without readings, against the usual step between times that differ. */
static cb_status flag_gaps(fit_trace *out, cb_err *err) {
  const cb_series *f = &out->force_raw;
  double *work = malloc(2 * f->n * sizeof *work), longest = 0;
  size_t n = 0;
  if (!work) return cb_no_memory(err, "%zu readings", f->n);
  for (size_t i = 1; i < f->n; i++) {
    const double step = f->t_s[i] - f->t_s[i - 1];
    if (step > 0) work[n++] = step;
    longest = fmax(longest, step);
  }
  if (n > 0 && longest > GAP_STEPS * cb_median(work, n, work + f->n)) fit_trace_flag(out, "gaps");
  free(work);
  return CB_OK;
}

static cb_status read_force(const fit_table *t, const fit_trace_files *f, fit_trace *out, cb_err *err) {
  CB_TRY(fit_trace_check_time(t, f->force_mapping.name, err));
  CB_TRY(fit_trace_series(t, FORCE, &out->force_raw, &out->holes, err));
  if (out->force_raw.n < 2)
    return cb_fail(err, CB_E_RANGE, "%s: %zu reading%s of the force: at least 2 are needed", f->force.name,
                   out->force_raw.n, CB_S(out->force_raw.n));
  out->force = fit_trace_converter(t, FORCE, CB_CHANNEL_FORCE);
  out->calibration = (cb_calibration){.kind = CB_CALIBRATION_IMPORTED,
                                      .origin = CB_IMPORTED,
                                      .unit = "N",
                                      .slope_N_per_unit = 1,
                                      .u_rel = fit_table_u_rel(t, FORCE),
                                      .resolution_N = fit_table_digit(t, FORCE)};
  (void)snprintf(out->calibration.certificate, sizeof out->calibration.certificate, "%s",
                 fit_table_source(t));
  out->run = (cb_run){.kind = CB_RUN_PULL,
                      .body_angle_deg = NAN,
                      .direction = 1,
                      .origin = CB_IMPORTED,
                      .status = CB_RUN_RUNNING,
                      .rate_Hz = rate_of(&out->force_raw)};
  (void)snprintf(out->run.source, sizeof out->run.source, "%.200s", base_name(f->force.name));
  CB_TRY(flag_gaps(out, err));
  out->has_zero = fit_table_given(t, ZERO);
  if (out->run.rate_Hz == 0) fit_trace_flag(out, "no-times");
  double zero = fit_table_number(t, ZERO, 0);
  if (out->has_zero && isnan(zero))
    return fit_table_fail(t, 0, CB_E_RANGE, err, "zero: the first row is a hole");
  out->zero = (cb_run_zero){
      .phase = CB_ZERO_BEFORE, .mean = zero, .sd = fit_table_digit(t, FORCE) / sqrt(12), .n = 1};
  return read_conditions(t, f->force_mapping.name, out, err);
}

static cb_status keep_texts(const fit_table *force, const fit_table *motion, fit_trace *out, cb_err *err) {
  (void)snprintf(out->digit_note, sizeof out->digit_note, "%s", fit_table_note(force));
  const char *a = fit_table_mapping(force), *b = motion ? fit_table_mapping(motion) : "";
  size_t n = strlen(a) + strlen(b) + 16;
  out->mapping_text = malloc(n);
  if (!out->mapping_text) return cb_no_memory(err, "the mapping");
  (void)snprintf(out->mapping_text, n, "%s%s%s", a, motion ? "---\n" : "", b);
  (void)snprintf(out->fingerprint, sizeof out->fingerprint, "%s%s", fit_table_fingerprint(force),
                 motion ? fit_table_fingerprint(motion) : "");
  return CB_OK;
}

cb_status fit_trace_parse(const fit_trace_files *f, fit_trace *out, cb_err *err) {
  cb_status st = CB_OK;
  fit_table *force = NULL, *motion = NULL;
  size_t n_rest;
  *out = (fit_trace){.holes = 0};
  CB_GOTO(
      fit_table_parse(f->force_mapping, f->force, "trace", force_fields, COUNT(force_fields), &force, err));
  if (f->motion.name)
    CB_GOTO(fit_table_parse(f->motion_mapping, f->motion, "motion", motion_fields, COUNT(motion_fields),
                            &motion, err));
  CB_GOTO(read_force(force, f, out, err));
  CB_GOTO(fit_trace_motion(force, motion, f, out, &n_rest, err));
  CB_GOTO(flag_spikes(out, n_rest, err));
  CB_GOTO(keep_texts(force, motion, out, err));
done:
  fit_table_free(force);
  fit_table_free(motion);
  return st;
}

void fit_trace_clear(fit_trace *t) {
  cb_series_clear(&t->force_raw);
  cb_series_clear(&t->motion_raw);
  free(t->strokes);
  free(t->mapping_text);
  *t = (fit_trace){.holes = 0};
}

cb_status fit_trace_read(const char *mapping, const char *force, const char *motion_mapping,
                         const char *motion, fit_trace *out, cb_err *err) {
  const char *paths[4] = {mapping, force, motion_mapping, motion};
  fit_table_file file[4] = {{NULL, NULL, 0}};
  char *text[4] = {NULL};
  cb_status st = CB_OK;
  *out = (fit_trace){.holes = 0};
  for (int i = 0; i < (motion ? 4 : 2); i++) {
    CB_GOTO(cb_file_read(paths[i], i % 2 ? cb_csv_options_default().max_bytes : MAX_MAPPING_BYTES, &text[i],
                         &file[i].n, err));
    file[i].name = paths[i];
    file[i].text = text[i];
  }
  st = fit_trace_parse(&(fit_trace_files){file[0], file[1], file[2], file[3]}, out, err);
done:
  for (int i = 0; i < 4; i++) free(text[i]);
  return st;
}
