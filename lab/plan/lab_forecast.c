#include "lab_forecast.h"

#include <math.h>

#include "cb_json.h"
#include "fit_forecast.h"
#include "lab_expected.h"

/* No cloth is known below it: what fails even then is certain to fail. */
#define MU_LEAST 0.05
/* The least damping that lab_slide_predict.c takes a link to have, where its own is not known. */
#define DAMPING_RATIO 0.2

/* Fewer readings tell no slope of a plateau (fit_plateau.h). */
#define READINGS_WANTED 16
/* A mean may be so much too low because the stage brakes. */
#define BRAKE_ERROR_REL 0.005

const char *const lab_trouble_names[] = {"no-slide",     "slides-late", "overload",
                                         "weak-stage",   "stick-slip",  "uncalibrated-force",
                                         "few-readings", "brakes",      NULL};

/* ---- one cell ---- */

static double mass_of(const lab_forecast *f, const lab_forecast_cell *c) {
  return f->rig->bench.cart_mass_kg + c->added_mass_kg;
}

static fit_forecast pull_of(const lab_forecast *f, const lab_forecast_cell *c, double static_N,
                            double kinetic_N) {
  const cb_rig_bench *b = &f->rig->bench;
  const fit_pull_options opt = fit_pull_options_default();
  const double mass_kg = mass_of(f, c), critical = 2 * sqrt(b->link_stiffness_N_per_m * mass_kg);
  const fit_forecast_pull p = {
      .mass_kg = mass_kg,
      .stiffness_N_per_m = b->link_stiffness_N_per_m,
      .slack_m = b->link_slack_m,
      .damping_ratio = b->link_damping_Ns_per_m > 0 ? b->link_damping_Ns_per_m / critical : DAMPING_RATIO,
      .travel_m = f->plan.travel_m,
      .speed_m_per_s = f->plan.speed_m_per_s,
      .acceleration_m_per_s2 = f->rig->stage.acceleration_m_per_s2,
      .rate_Hz = f->rig->force.rate_Hz,
      .static_N = fmax(static_N, kinetic_N),
      .kinetic_N = kinetic_N};
  return fit_forecast_make(&p, &opt);
}

/* Certain is only what fails with a force that nobody doubts: the pair's own, at an angle of the body that
 * its law holds for, or the least that cloth has. */
static fit_forecast surest_of(const lab_forecast *f, const lab_forecast_cell *c) {
  if (f->from == LAB_EXPECTED_PAIR && isnan(c->body_angle_deg))
    return pull_of(f, c, c->stat.low_N, c->kinetic.low_N);
  return pull_of(f, c, MU_LEAST * c->normal_force_N, MU_LEAST * c->normal_force_N);
}

static lab_grade grade_of(bool possible, bool likely, bool certain) {
  return certain ? LAB_CERTAIN : likely ? LAB_LIKELY : possible ? LAB_POSSIBLE : LAB_NO_TROUBLE;
}

/* limit_N 0: none. */
static lab_grade grade_force(double limit_N, const fit_forecast by[3]) {
  if (!(limit_N > 0)) return LAB_NO_TROUBLE;
  return grade_of(by[2].peak_N > limit_N, by[1].peak_N > limit_N, by[0].peak_N > limit_N);
}

static lab_grade not_certain(lab_grade g) { return g == LAB_CERTAIN ? LAB_LIKELY : g; }

/* What the window of a pull that has one is worth. */
static void grade_window(const fit_forecast by[3], lab_forecast_cell *c) {
  if (!by[1].has_plateau) return;
  c->grade[LAB_FEW_READINGS] =
      grade_of(false, by[1].n_readings < READINGS_WANTED, by[0].n_readings < FIT_PULL_MIN_READINGS);
  c->grade[LAB_BRAKES] = grade_of(false, by[1].brake_error_rel > BRAKE_ERROR_REL, false);
}

/* by: with the surest force, the middle one, the highest. */
static void grade_cell(const lab_forecast *f, const fit_forecast by[3], lab_forecast_cell *c) {
  const cb_rig_bench *b = &f->rig->bench;
  c->grade[LAB_NO_SLIDE] = grade_of(!by[2].slides, !by[1].slides, !by[0].slides);
  c->grade[LAB_SLIDES_LATE] =
      grade_of(by[2].slides && !by[2].has_plateau, by[1].slides && !by[1].has_plateau, false);
  if (c->grade[LAB_NO_SLIDE] > c->grade[LAB_SLIDES_LATE]) c->grade[LAB_SLIDES_LATE] = LAB_NO_TROUBLE;
  c->grade[LAB_OVERLOAD] = grade_force(f->rig->force.overload_N, by);
  c->grade[LAB_UNCALIBRATED_FORCE] = not_certain(grade_force(f->plan.calibrated_N, by));
  grade_window(by, c);
  c->grade[LAB_WEAK_STAGE] = grade_force(f->rig->stage.max_force_N, by);
  /* Where the damping is a guess, so is this. */
  c->grade[LAB_STICK_SLIP] = grade_of(by[1].sticks, by[1].sticks && b->link_damping_Ns_per_m > 0, false);
}

/* What would help this cell, too. */
static void want_more(lab_forecast *f, const lab_forecast_cell *c, const fit_forecast by[3]) {
  if (c->grade[LAB_NO_SLIDE] || c->grade[LAB_SLIDES_LATE]) {
    f->travel_wanted_m = fmax(f->travel_wanted_m, by[2].travel_wanted_m);
    f->stiffness_wanted_N_per_m = fmax(f->stiffness_wanted_N_per_m, by[2].stiffness_wanted_N_per_m);
  }
  if (c->grade[LAB_FEW_READINGS]) {
    const double way_m = by[1].window_to_m - by[1].window_from_m;
    f->readable_m_per_s = fmin(f->readable_m_per_s, f->rig->force.rate_Hz * way_m / READINGS_WANTED);
  }
  if (c->grade[LAB_OVERLOAD] || c->grade[LAB_WEAK_STAGE] || c->grade[LAB_UNCALIBRATED_FORCE])
    f->force_wanted_N = fmax(f->force_wanted_N, by[2].peak_N);
  if (c->grade[LAB_STICK_SLIP]) {
    f->smooth_speed_m_per_s = fmax(f->smooth_speed_m_per_s, by[1].smooth_m_per_s);
    f->smooth_stiffness_N_per_m = fmax(f->smooth_stiffness_N_per_m, by[1].smooth_stiffness_N_per_m);
  }
}

static void forecast_cell(const lab_expected *e, lab_forecast *f, lab_forecast_cell *c) {
  const cb_rig_bench *b = &f->rig->bench;
  c->normal_force_N = mass_of(f, c) * b->gravity_m_per_s2;
  c->kinetic = lab_expected_at(e, CB_FRICTION_KINETIC, c->angle_deg, c->normal_force_N, b->contact_area_m2);
  c->stat = lab_expected_at(e, CB_FRICTION_STATIC, c->angle_deg, c->normal_force_N, b->contact_area_m2);
  const fit_forecast by[3] = {surest_of(f, c), pull_of(f, c, c->stat.mid_N, c->kinetic.mid_N),
                              pull_of(f, c, c->stat.high_N, c->kinetic.high_N)};
  c->slips_at_m = by[1].slips_at_m;
  c->peak_N = by[1].peak_N;
  c->smooth_m_per_s = by[1].smooth_m_per_s;
  grade_cell(f, by, c);
  want_more(f, c, by);
}

/* ---- all ---- */

/* A load under which the cart slides too late is no help where it does not slide. */
static bool has_trouble(const lab_forecast_cell *c, lab_trouble trouble) {
  return c->grade[trouble] != LAB_NO_TROUBLE ||
         (trouble == LAB_NO_SLIDE && c->grade[LAB_SLIDES_LATE] != LAB_NO_TROUBLE);
}

static double find_sound_mass(const lab_forecast *f, lab_trouble trouble) {
  double lightest_kg = INFINITY, sound_kg = NAN;
  for (size_t i = 0; i < f->n; i++)
    if (has_trouble(&f->cells[i], trouble)) lightest_kg = fmin(lightest_kg, f->cells[i].added_mass_kg);
  for (size_t i = 0; i < f->n; i++)
    if (f->cells[i].added_mass_kg < lightest_kg) sound_kg = fmax(sound_kg, f->cells[i].added_mass_kg);
  return sound_kg;
}

cb_status lab_forecast_make(cb_store *s, const lab_known_laws *known, const cb_rig *rig,
                            const lab_forecast_plan *plan, lab_forecast_cell *cells, size_t n,
                            lab_forecast *out, cb_err *err) {
  lab_expected e;
  *out = (lab_forecast){.rig = rig, .plan = *plan, .n = n, .cells = cells, .readable_m_per_s = INFINITY};
  const cb_status st = lab_expected_find(s, known, plan->cloth, plan->body, !rig->virt.present, &e, err);
  out->from = e.from;
  out->n_others = e.n_others;
  out->has_static = e.has_static;
  for (size_t i = 0; i < n && st == CB_OK; i++) forecast_cell(&e, out, &cells[i]);
  for (int t = 0; t < LAB_N_TROUBLES && st == CB_OK; t++)
    out->sound_kg[t] = find_sound_mass(out, (lab_trouble)t);
  lab_expected_clear(&e);
  return st;
}

/* ---- document ---- */

static json_t *force_json(const lab_expected_force *f) {
  return json_pack("[f,f,f]", f->low_N, f->mid_N, f->high_N);
}

static const char *const grade_names[] = {"none", "possible", "likely", "certain"};

static json_t *troubles_json(const lab_forecast_cell *c) {
  json_t *list = json_array();
  for (int t = 0; t < LAB_N_TROUBLES; t++)
    if (c->grade[t] != LAB_NO_TROUBLE)
      (void)json_array_append_new(
          list, json_pack("{s:s, s:s}", "trouble", lab_trouble_names[t], "grade", grade_names[c->grade[t]]));
  return list;
}

json_t *lab_forecast_json(const lab_forecast *f) {
  json_t *cells = json_array();
  for (size_t i = 0; i < f->n; i++) {
    const lab_forecast_cell *c = &f->cells[i];
    (void)json_array_append_new(
        cells, json_pack("{s:f, s:o, s:f, s:f, s:o, s:o, s:f, s:f, s:f, s:o}", "angle_deg", c->angle_deg,
                         "body_angle_deg", cb_json_real(c->body_angle_deg), "added_mass_kg", c->added_mass_kg,
                         "normal_force_N", c->normal_force_N, "kinetic_N", force_json(&c->kinetic),
                         "static_N", force_json(&c->stat), "slips_at_m", c->slips_at_m, "peak_N", c->peak_N,
                         "smooth_m_per_s", c->smooth_m_per_s, "troubles", troubles_json(c)));
  }
  return json_pack("{s:s, s:I, s:b, s:o}", "expected_from", lab_expected_from_names[f->from], "other_pairs",
                   (json_int_t)f->n_others, "static_known", f->has_static, "cells", cells);
}
