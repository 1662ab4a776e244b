/* The detail of a point as its column has it: docs/reference/json, `fit trace`. */
#include "cb_json.h"
#include "lab_fields.h"
#include "lab_point_parts.h"

#define S(kind, member, key) LAB_KEY(kind, fit_stick_slip, member, key)
static const lab_field stick_slip_fields[] = {
    LAB_KEY_CHOICE(fit_stick_slip, outcome, "outcome", fit_stick_slip_outcome_text, FIT_STICK_SLIP_REGULAR),
    S(LAB_COUNT, n_peaks, "peaks"),
    S(LAB_REAL, amplitude_N, "amplitude_N"),
    S(LAB_REAL, u_amplitude_N, "u_amplitude_N"),
    S(LAB_REAL, amplitude_sd_N, "amplitude_sd_N"),
    S(LAB_REAL, frequency_Hz, "frequency_Hz"),
    S(LAB_REAL, u_frequency_Hz, "u_frequency_Hz"),
    LAB_KEY_SCALED(fit_stick_slip, peaks_per_m, "peaks_per_mm", 1e-3),
    LAB_KEY_SCALED(fit_stick_slip, u_peaks_per_m, "u_peaks_per_mm", 1e-3),
    S(LAB_REAL, readings_per_peak, "readings_per_peak"),
    S(LAB_REAL, irregularity, "irregularity"),
};

#define P(kind, member, key) LAB_KEY(kind, fit_plateau, member, key)
static const lab_field plateau_fields[] = {
    LAB_KEY_CHOICE(fit_plateau, verdict, "verdict", fit_plateau_verdict_text, FIT_PLATEAU_UNTOLD),
    P(LAB_COUNT, n, "readings"),
    P(LAB_REAL, n_eff, "n_eff"),
    P(LAB_REAL, mean_N, "mean_N"),
    P(LAB_REAL, u_mean_N, "u_mean_N"),
    P(LAB_REAL, sd_N, "sd_N"),
    P(LAB_REAL, slope_N_per_m, "slope_N_per_m"),
    P(LAB_REAL, u_slope_N_per_m, "u_slope_N_per_m"),
    P(LAB_REAL, slope_t, "slope_t"),
    P(LAB_REAL, slope_p, "slope_p"),
    LAB_KEY_SCALED(fit_plateau, slope_rel, "slope_percent", 100),
    P(LAB_REAL, step_N, "step_N"),
    P(LAB_REAL, step_at_m, "step_at_m"),
    P(LAB_REAL, step_p, "step_p"),
    P(LAB_REAL, path_mean_N, "path_mean_N"),
    P(LAB_REAL, path_deviation_N, "path_deviation_N"),
};

#define C(kind, member, key) LAB_KEY(kind, fit_cycle, member, key)
static const lab_field cycle_fields[] = {
    C(LAB_COUNT, n_used[0], "forward"),
    C(LAB_COUNT, n_used[1], "backward"),
    C(LAB_REAL, zero_drift_N, "zero_drift_N"),
    C(LAB_REAL, u_zero_drift_N, "u_zero_drift_N"),
    C(LAB_REAL, friction_drift_N, "friction_drift_N"),
    C(LAB_REAL, u_friction_drift_N, "u_friction_drift_N"),
};

/* A stroke by its first and last reading. */
typedef struct reading_range {
  int direction;
  size_t first, last;
} reading_range;
static const lab_field range_fields[] = {
    LAB_KEY(LAB_SIGN, reading_range, direction, "direction"),
    LAB_KEY(LAB_COUNT, reading_range, first, "first_reading"),
    LAB_KEY(LAB_COUNT, reading_range, last, "last_reading"),
};

/* The keys of a plateau, at the end of o. */
static bool add_plateau(json_t *o, const fit_plateau *p, double normal_force_N) {
  const lab_point_detail alone = {.normal_force_N = normal_force_N, .pull.plateau = *p};
  double miu, mmd;
  lab_point_kes(&alone, &miu, &mmd);
  return lab_fields_join(o, lab_fields_json(plateau_fields, LAB_N(plateau_fields), p)) &&
         lab_fields_join(
             o, json_pack("{s:o, s:o, s:o}", "miu", cb_json_real(miu), "mmd", cb_json_real(mmd), "stick_slip",
                          lab_fields_json(stick_slip_fields, LAB_N(stick_slip_fields), &p->stick_slip)));
}

static json_t *plateau_json(const lab_point_detail *d) {
  json_t *o = json_object();
  if (add_plateau(o, &d->pull.plateau, d->normal_force_N)) return o;
  json_decref(o);
  return NULL;
}

static json_t *cycle_json(const lab_point_detail *d) {
  double miu, mmd;
  lab_point_kes(d, &miu, &mmd);
  json_t *o = lab_fields_json(cycle_fields, LAB_N(cycle_fields), &d->cycle);
  if (lab_fields_join(o, json_pack("{s:o, s:o}", "miu", cb_json_real(miu), "mmd", cb_json_real(mmd))))
    return o;
  json_decref(o);
  return NULL;
}

static json_t *stroke_json(const fit_cycle_stroke *s, double normal_force_N) {
  const reading_range range = {s->window.direction, s->window.first, s->window.first + s->window.n - 1};
  json_t *o = lab_fields_json(range_fields, LAB_N(range_fields), &range);
  if (add_plateau(o, &s->plateau, normal_force_N)) return o;
  json_decref(o);
  return NULL;
}

static json_t *strokes_json(const lab_point_detail *d) {
  json_t *list = json_array();
  for (size_t k = 0; k < d->cycle.n_strokes; k++) {
    if (d->cycle.strokes[k].window.n == 0) continue;
    if (json_array_append_new(list, stroke_json(&d->cycle.strokes[k], d->normal_force_N)) == 0) continue;
    json_decref(list);
    return NULL;
  }
  return list;
}

static json_t *faults_of(const fit_faults *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->n; i++) {
    const fit_fault_kind *kind = &fit_fault_kinds[f->list[i].kind];
    (void)json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:f}", "fault", kind->code, "validity",
                        fit_validity_names[kind->validity], "sentence", kind->sentence, "figures",
                        f->list[i].what, "advice", kind->advice, "u_N", f->list[i].u_N));
  }
  return list;
}

/* null: no pull was judged. */
static json_t *validity_json(const lab_point_detail *d) {
  const bool judged = !d->is_cycle && (d->pull.outcome == FIT_PULL_OK || d->pull.outcome == FIT_PULL_INVALID);
  return judged ? json_string(fit_validity_names[fit_faults_validity(&d->pull.faults)]) : json_null();
}

json_t *lab_point_detail_json(const lab_point_detail *d) {
  bool done = lab_point_is_reduced(d);
  return json_pack(
      "{s:o, s:o, s:s, s:o, s:o, s:o}", "validity", validity_json(d), "faults", faults_of(&d->pull.faults),
      "outcome",
      d->is_cycle ? fit_cycle_outcome_text[d->cycle.outcome] : fit_pull_outcome_text[d->pull.outcome],
      "plateau",
      !d->is_cycle && (done || d->pull.outcome == FIT_PULL_INVALID) ? plateau_json(d) : json_null(), "cycle",
      done && d->is_cycle ? cycle_json(d) : json_null(), "strokes",
      done && d->is_cycle ? strokes_json(d) : json_array());
}
