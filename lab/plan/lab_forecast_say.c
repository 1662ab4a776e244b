#include "lab_forecast.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_run.h"

#define CELLS_TEXT 240
#define MASSES_TEXT 80

/* The gravest grade of a trouble, and how many cells have this or any grade of it. */
typedef struct troubled {
  lab_grade grade;
  size_t n_gravest, n_all;
} troubled;

static troubled count_runs(const lab_forecast *f, lab_trouble trouble) {
  troubled t = {LAB_NO_TROUBLE, 0, 0};
  for (size_t i = 0; i < f->n; i++) {
    const lab_grade g = f->cells[i].grade[trouble];
    if (g > t.grade) t.grade = g, t.n_gravest = 0;
    t.n_gravest += g != LAB_NO_TROUBLE && g == t.grade;
    t.n_all += g != LAB_NO_TROUBLE;
  }
  return t;
}

/* ---- which cells ---- */

/* Cells of one sample: one angle of cloth and body. */
static bool same_sample(const lab_forecast_cell *a, const lab_forecast_cell *b) {
  return a->angle_deg == b->angle_deg && cb_run_same_body_angle(a->body_angle_deg, b->body_angle_deg);
}

/* A text that grows, and ends in "..." once there is no room. */
typedef struct line {
  char *out;
  size_t size, n;
  bool is_full;
} line;

static line line_in(char *out, size_t size) {
  out[0] = '\0';
  return (line){.out = out, .size = size};
}

static void append(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(line *l, const char *format, ...) {
  const size_t room = l->size - l->n - strlen("...");
  va_list list;
  if (l->is_full) return;
  va_start(list, format);
  const int more = vsnprintf(l->out + l->n, room, format, list);
  va_end(list);
  l->is_full = more < 0 || (size_t)more >= room;
  if (l->is_full)
    memcpy(l->out + l->n, "...", sizeof "...");
  else
    l->n += (size_t)more;
}

typedef struct question {
  const lab_forecast *f;
  lab_trouble trouble;
  lab_grade grade;
} question;

static bool is_meant(const question *q, size_t i) { return q->f->cells[i].grade[q->trouble] == q->grade; }

/* The masses of a sample that are meant: as a range if nothing between is missing, else one by one. */
static void write_masses(const question *q, const lab_forecast_cell *sample, char out[MASSES_TEXT]) {
  double least = INFINITY, most = 0;
  size_t n = 0, between = 0;
  for (size_t i = 0; i < q->f->n; i++) {
    if (!same_sample(sample, &q->f->cells[i]) || !is_meant(q, i)) continue;
    n++, least = fmin(least, q->f->cells[i].added_mass_kg), most = fmax(most, q->f->cells[i].added_mass_kg);
  }
  for (size_t i = 0; i < q->f->n; i++) {
    const double mass_kg = q->f->cells[i].added_mass_kg;
    between += same_sample(sample, &q->f->cells[i]) && mass_kg >= least && mass_kg <= most;
  }
  line l = line_in(out, MASSES_TEXT);
  if (n > 2 && n == between) {
    append(&l, "%g to %g", least * 1e3, most * 1e3);
    return;
  }
  for (size_t i = 0; i < q->f->n; i++)
    if (same_sample(sample, &q->f->cells[i]) && is_meant(q, i))
      append(&l, "%s%g", l.n > 0 ? ", " : "", q->f->cells[i].added_mass_kg * 1e3);
}

static bool is_first_of_sample(const question *q, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (is_meant(q, k) && same_sample(&q->f->cells[k], &q->f->cells[i])) return false;
  return is_meant(q, i);
}

static void write_sample(const lab_forecast_cell *c, line *out) {
  append(out, "%g", c->angle_deg);
  if (!isnan(c->body_angle_deg)) append(out, " on %g", c->body_angle_deg);
}

/* Writes which cells have a trouble in this grade: "0, 90 deg with 500 to 2000 g; 45 deg with 2000 g". A list
 * that is too long ends in "...". */
static void write_cells(const lab_forecast *f, lab_trouble trouble, lab_grade grade, char *out, size_t size) {
  const question q = {f, trouble, grade};
  char masses[MASSES_TEXT], before[MASSES_TEXT] = "";
  line l = line_in(out, size);
  for (size_t i = 0; i < f->n && !l.is_full; i++) {
    if (!is_first_of_sample(&q, i)) continue;
    write_masses(&q, &f->cells[i], masses);
    if (before[0] && strcmp(masses, before) != 0) append(&l, " deg with %s g; ", before);
    if (before[0] && strcmp(masses, before) == 0) append(&l, ", ");
    write_sample(&f->cells[i], &l);
    (void)snprintf(before, sizeof before, "%s", masses);
  }
  append(&l, " deg with %s g", before);
}

/* ---- what would help ---- */

/* Rounded up to two digits, so that it is enough; 0 where nothing is wanted. */
static double round_up(double x) {
  if (!(x > 0)) return 0;
  const double digit = pow(10, floor(log10(x)) - 1);
  return ceil(x / digit - 1e-9) * digit;
}

/* Rounded down, for what may not be exceeded. */
static double round_down(double x) {
  if (!(x > 0)) return 0;
  const double digit = pow(10, floor(log10(x)) - 1);
  return floor(x / digit + 1e-9) * digit;
}

/* The longest pull that the stage has room for. */
static double room_m(const lab_forecast *f) {
  const cb_rig *r = f->rig;
  const double back_off_m = r->bench.link_slack_m + r->force.overload_N / r->bench.link_stiffness_N_per_m;
  return r->stage.limit_max_m - r->stage.start_m - (f->plan.backward ? back_off_m : 0);
}

/* What would help, one of several: "a travel of 24 mm, a link of 900 N/m or at most 200 g". */
typedef struct remedies {
  char text[4][64];
  size_t n;
} remedies;

static void suggest(remedies *r, const char *format, double number) __attribute__((format(printf, 2, 0)));
static void suggest(remedies *r, const char *format, double number) {
  (void)snprintf(r->text[r->n++], sizeof r->text[0], format, number);
}

static void suggest_mass(const lab_forecast *f, lab_trouble trouble, remedies *r) {
  if (isfinite(f->sound_kg[trouble])) suggest(r, "at most %g g", f->sound_kg[trouble] * 1e3);
}

/* The plateau ends at 95 % of the way: the stage must not brake before. */
static void suggest_braking(const lab_forecast *f, remedies *r) {
  const double a = f->rig->stage.acceleration_m_per_s2, v = f->plan.speed_m_per_s;
  const double travel_mm = ceil(1e3 * v * v / (2 * a * 0.05) - 1e-9);
  suggest(r, "at most %g mm/s", round_down(1e3 * sqrt(2 * a * 0.05 * f->plan.travel_m)));
  if (travel_mm * 1e-3 <= room_m(f)) suggest(r, "a travel of %g mm", travel_mm);
}

static void suggest_for(const lab_forecast *f, lab_trouble trouble, remedies *r) {
  const bool sliding = trouble == LAB_NO_SLIDE || trouble == LAB_SLIDES_LATE;
  const double travel_mm = ceil(f->travel_wanted_m * 1e3 - 1e-9), speed = round_up(f->smooth_speed_m_per_s);
  if (sliding && travel_mm * 1e-3 <= room_m(f)) suggest(r, "a travel of %g mm", travel_mm);
  if (sliding && isfinite(f->stiffness_wanted_N_per_m))
    suggest(r, "a link of %g N/m", round_up(f->stiffness_wanted_N_per_m));
  if (trouble == LAB_STICK_SLIP && speed <= f->rig->stage.max_speed_m_per_s)
    suggest(r, "a speed of %g mm/s", speed * 1e3);
  if (trouble == LAB_STICK_SLIP) suggest(r, "a link of %g N/m", round_up(f->smooth_stiffness_N_per_m));
  if (trouble == LAB_FEW_READINGS) suggest(r, "at most %g mm/s", round_down(f->readable_m_per_s * 1e3));
  if (trouble == LAB_BRAKES) suggest_braking(f, r);
  if (trouble != LAB_FEW_READINGS && trouble != LAB_BRAKES) suggest_mass(f, trouble, r);
}

/* What else is to be known beside the remedies. */
static void say_besides(const lab_forecast *f, lab_trouble trouble, line *out) {
  const bool sliding = trouble == LAB_NO_SLIDE || trouble == LAB_SLIDES_LATE;
  if (sliding && f->travel_wanted_m > room_m(f))
    append(out, "; a travel of %.0f mm is more than the %.3g mm of the stage", ceil(f->travel_wanted_m * 1e3),
           room_m(f) * 1e3);
  if (trouble == LAB_STICK_SLIP && !(f->rig->bench.link_damping_Ns_per_m > 0))
    append(out, "; the link's damping is taken as 0.2 of critical");
  if (trouble == LAB_OVERLOAD || trouble == LAB_WEAK_STAGE || trouble == LAB_UNCALIBRATED_FORCE)
    append(out, "; up to %g N can come", round_up(f->force_wanted_N));
}

static void say_remedy(const lab_forecast *f, lab_trouble trouble, line *out) {
  remedies r = {.n = 0};
  suggest_for(f, trouble, &r);
  for (size_t i = 0; i < r.n; i++)
    append(out, "%s%s", i == 0 ? "; " : i + 1 < r.n ? ", " : " or ", r.text[i]);
  if (r.n > 0) append(out, " would do");
  say_besides(f, trouble, out);
}

/* ---- the sentence ---- */

static void say_what(const lab_forecast *f, lab_trouble trouble, line *out) {
  const double travel_mm = f->plan.travel_m * 1e3;
  if (trouble == LAB_NO_SLIDE) append(out, "slide within %g mm", travel_mm);
  if (trouble == LAB_SLIDES_LATE) append(out, "break away too late for a plateau within %g mm", travel_mm);
  if (trouble == LAB_OVERLOAD)
    append(out, "go beyond force.overload_N = %g, where the guard stops the stage", f->rig->force.overload_N);
  if (trouble == LAB_WEAK_STAGE) append(out, "go beyond stage.max_force_N = %g", f->rig->stage.max_force_N);
  if (trouble == LAB_UNCALIBRATED_FORCE)
    append(out, "go beyond the %g N that are calibrated", f->plan.calibrated_N);
  if (trouble == LAB_FEW_READINGS)
    append(out, "have too few readings in the plateau, at %g Hz and %g mm/s", f->rig->force.rate_Hz,
           f->plan.speed_m_per_s * 1e3);
  if (trouble == LAB_BRAKES)
    append(out, "have a plateau in which the stage brakes from %g mm/s", f->plan.speed_m_per_s * 1e3);
  if (trouble == LAB_STICK_SLIP) append(out, "stick and slip at %g mm/s", f->plan.speed_m_per_s * 1e3);
}

static const char *verb_of(lab_trouble trouble, lab_grade grade) {
  static const char *const slide[] = {"", "may not", "will probably not", "cannot"};
  static const char *const other[] = {"", "may", "will probably", "will"};
  return (trouble == LAB_NO_SLIDE ? slide : other)[grade];
}

static void say_source(const lab_forecast *f, line *out) {
  if (f->from == LAB_EXPECTED_PAIR) append(out, " (by this pair's friction)");
  if (f->from == LAB_EXPECTED_OTHERS)
    append(out, " (by %zu other pair%s of this cloth or body)", f->n_others, CB_S(f->n_others));
  if (f->from == LAB_EXPECTED_ASSUMED)
    append(out, " (nothing is known of this pair: a friction coefficient of 0.3 to 1 is assumed)");
}

lab_grade lab_forecast_say(const lab_forecast *f, lab_trouble trouble, char out[LAB_FORECAST_TEXT]) {
  char cells[CELLS_TEXT];
  line l = line_in(out, LAB_FORECAST_TEXT);
  const troubled t = count_runs(f, trouble);
  if (t.grade == LAB_NO_TROUBLE) return t.grade;
  write_cells(f, trouble, t.grade, cells, sizeof cells);
  append(&l, "%zu of %zu cell%s %s ", t.n_gravest, f->n, CB_S(f->n), verb_of(trouble, t.grade));
  say_what(f, trouble, &l);
  append(&l, ": %s", cells);
  if (t.n_all > t.n_gravest) append(&l, ", and perhaps %zu more", t.n_all - t.n_gravest);
  say_source(f, &l);
  say_remedy(f, trouble, &l);
  return t.grade;
}
