#include "fit_force_budget.h"

#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "fit_friction_quadratic.h"
#include "fit_line.h"

static bool has_source(const cb_friction_law *law, const char *source) {
  for (size_t i = 0; i < law->n_shared; i++)
    if (strcmp(law->shared[i].source, source) == 0) return true;
  return false;
}

size_t fit_force_not_assessed(const cb_friction_law *law, const fit_force_scatter *s,
                              const char *out[FIT_NOT_ASSESSED]) {
  size_t n = 0;
  if (!has_source(law, "alignment"))
    out[n++] =
        "alignment of the pull: x off level changes the force by mu sin x (0.9 % at 1 degree and mu = 0.5), "
        "x to the side by 1 - cos x "
        "(0.015 %); say u_line_pitch_deg and u_line_yaw_deg in the rig file";
  if (s && !s->place_tested)
    out[n++] =
        "placement: these runs cannot tell it; lay the sample anew for every repeat, or measure two "
        "directions at six loads, of "
        "this pair or of others on the same rig";
  return n;
}

/* ---- entries ---- */

/* type 'A' or 'B'; u = value / divisor * sensitivity. Nothing: no entry. */
static fit_budget_entry *add_entry(fit_force_budget *b, const char *name, char type, double value,
                                   const char *unit, double sensitivity, double dof) {
  if (!(value > 0)) return NULL;
  fit_budget_entry *e = &b->entry[b->n_entries++];
  *e = (fit_budget_entry){.name = name,
                          .unit = unit,
                          .type = type,
                          .distribution = type == 'A' ? "t" : "normal",
                          .value = value,
                          .divisor = 1,
                          .sensitivity = sensitivity,
                          .u_N = fabs(sensitivity) * value,
                          .dof = dof};
  return e;
}

static void add_relative(fit_force_budget *b, const char *name, char type, double value, double sensitivity,
                         double dof) {
  fit_budget_entry *e = add_entry(b, name, type, value, "1", sensitivity, dof);
  if (e) e->in_proportion = true;
}

static void add_rectangular(fit_force_budget *b, const char *name, double half_width_N, double sensitivity) {
  fit_budget_entry *e = add_entry(b, name, 'B', half_width_N, "N", sensitivity, INFINITY);
  if (!e) return;
  e->distribution = "rectangular";
  e->divisor = sqrt(3);
  e->u_N /= e->divisor;
}

/* How the law's force changes with load and angle. */
static double load_slope(const cb_friction_law *law, double angle_rad, double N) {
  if (!(N > 0)) return 0;
  const double h = 1e-4;
  double above[3], below[3];
  cb_friction_law_matrix(law, N * (1 + h), above);
  cb_friction_law_matrix(law, N * (1 - h), below);
  return (cb_friction_quadratic(above, angle_rad) - cb_friction_quadratic(below, angle_rad)) / (2 * h * N);
}

static double angle_slope(const cb_friction_law *law, double angle_rad, double N) {
  double f[3];
  cb_friction_law_matrix(law, N, f);
  return (f[2] - f[0]) * sin(2 * angle_rad) + 2 * f[1] * cos(2 * angle_rad);
}

static fit_force_budget budget_at(const cb_friction_law *law, double angle_rad, double N) {
  fit_force_budget b = {.angle_rad = angle_rad, .normal_force_N = N};
  cb_friction_value v;
  cb_friction_law_eval(law, angle_rad, N, &v);
  b.force_N = v.force_N;
  return b;
}

/* ---- what scatters ---- */

static void point_squares(const cb_friction_point *p, cb_friction_kind kind, double *zero, double *plateau) {
  double u = kind == CB_FRICTION_KINETIC ? p->u_kinetic_N : p->u_static_N,
         z = isfinite(p->u_zero_N) ? fmin(p->u_zero_N, u) : 0;
  *zero = z * z;
  *plateau = u * u - z * z;
}

static bool is_used(const cb_friction_obs *o, cb_friction_kind kind) {
  return isfinite(kind == CB_FRICTION_KINETIC ? o->point.kinetic_N : o->point.static_N);
}

static bool same_cell(const cb_run *a, const cb_run *b) {
  return fabs(a->angle_deg - b->angle_deg) < 0.01 &&
         fabs(a->normal_force_N - b->normal_force_N) < 1e-3 * a->normal_force_N;
}

fit_force_scatter fit_force_scatter_of(const cb_friction_obs *obs, size_t n, const fit_friction_law *fit,
                                       const fit_friction_options *opt) {
  fit_force_scatter s = {.repeat_rel = fit->scatter_rel,
                         .repeat_dof = fit->scatter_dof,
                         .place_rel = fit->placement_rel,
                         .place_dof = fit->placement_dof,
                         .place_tested = fit->placement_tested,
                         .angle_rad = opt->u_angle_rad,
                         .pitch_rad = opt->u_pitch_rad,
                         .yaw_rad = opt->u_yaw_rad,
                         .calibration_dof = INFINITY,
                         .lots_dof = fit->lots.dof};
  double zero = 0, plateau = 0;
  size_t used = 0, cells = 0;
  for (size_t i = 0; i < n; i++) {
    double z, p;
    bool first = true;
    if (!is_used(&obs[i], fit->law.kind)) continue;
    point_squares(&obs[i].point, fit->law.kind, &z, &p);
    zero += z, plateau += p;
    if (obs[i].dof_calibration > 0) s.calibration_dof = fmin(s.calibration_dof, obs[i].dof_calibration);
    for (size_t k = 0; k < i && first; k++)
      first = !(is_used(&obs[k], fit->law.kind) && same_cell(&obs[k].run, &obs[i].run));
    used++, cells += first ? 1 : 0;
  }
  s.runs_per_cell = cells > 0 ? (double)used / (double)cells : 1;
  if (used > 0) s.zero_N = sqrt(zero / (double)used), s.plateau_N = sqrt(plateau / (double)used);
  return s;
}

/* ---- a predicted force ---- */

/* The law with one group of its uncertainties alone: their variances add up, so that each may be asked for by
 * itself. */
typedef enum part { PART_GAIN, PART_FITTED, PART_SHARED, PART_RULE } part;

/* What a level found out and lent to others is as much the fit's as a formula's parameters are. */
static bool is_from(const cb_friction_shared *p, const char *source) {
  bool lent = strcmp(p->source, "level") == 0 && strcmp(source, "parameters") == 0;
  return lent || strcmp(p->source, source) == 0;
}

static double u_of_part(const cb_friction_law *law, double angle_rad, double N, part which,
                        const char *source) {
  cb_friction_law one = *law;
  cb_friction_value v;
  if (which != PART_GAIN) one.u_rel_common = 0;
  if (which != PART_RULE) one.u_exponent = one.u_rel_model = 0;
  for (size_t k = 0; k < one.n_knots && which != PART_FITTED; k++)
    memset(one.knots[k].cov_N2, 0, sizeof one.knots[k].cov_N2);
  one.n_shared = 0;
  for (size_t s = 0; s < law->n_shared && source; s++)
    if (is_from(&law->shared[s], source)) one.shared[one.n_shared++] = law->shared[s];
  cb_friction_law_eval(&one, angle_rad, N, &v);
  return v.u_force_N;
}

/* Shares out what the fit found as the variance of a cell's mean is made up at this force: a run scatters, a
 * laying shifts, the point has its zero and plateau, the angle its slope. `value` is that of one run, the
 * sensitivity what is left of it in the law. */
static void add_fitted(const cb_friction_law *law, const fit_force_scatter *s, double u_N,
                       fit_force_budget *b) {
  double F = b->force_N, n = s->runs_per_cell, slope = angle_slope(law, b->angle_rad, b->normal_force_N);
  struct {
    const char *name, *unit;
    char type;
    double value, size_N, n, dof;
  } const piece[] = {{"repeatability", "1", 'A', s->repeat_rel, s->repeat_rel * F, n, s->repeat_dof},
                     {"placement", "1", 'A', s->place_rel, s->place_rel * F, 1, s->place_dof},
                     {"zero", "N", 'A', s->zero_N, s->zero_N, n, INFINITY},
                     {"plateau", "N", 'A', s->plateau_N, s->plateau_N, n, INFINITY},
                     {"angle", "rad", 'B', s->angle_rad, s->angle_rad * slope, 1, INFINITY}};
  double sum = 0;
  for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++)
    sum += piece[i].size_N * piece[i].size_N / piece[i].n;
  for (size_t i = 0; i < sizeof piece / sizeof piece[0] && sum > 0; i++) {
    if (!(piece[i].value > 0)) continue;
    double u = u_N * fabs(piece[i].size_N) / sqrt(piece[i].n * sum);
    fit_budget_entry *e = add_entry(b, piece[i].name, piece[i].type, piece[i].value, piece[i].unit,
                                    u / piece[i].value, piece[i].dof);
    if (e) e->in_proportion = e->unit[0] != 'N';
  }
}

/* Without the runs: as many degrees of freedom as make those of the whole the law's. */
static void add_unshared(const cb_friction_law *law, double u_N, double u_all_N, fit_force_budget *b) {
  double share = u_all_N > 0 ? u_N / u_all_N : 0;
  add_entry(b, "fit", 'A', u_N, "N", 1, law->dof * share * share * share * share);
}

/* Another lot than those that were measured. Without the runs, with the degrees of freedom that it has at
 * least if the law's are its. */
static void add_lots(const cb_friction_law *law, const fit_force_scatter *s, double u_all_N,
                     fit_force_budget *b) {
  const double u_N = u_of_part(law, b->angle_rad, b->normal_force_N, PART_SHARED, "lots");
  const double share = u_all_N > 0 ? u_N / u_all_N : 0;
  const double dof = s ? s->lots_dof : fmax(1, law->dof * share * share * share * share);
  if (b->force_N > 0) add_relative(b, "lots", 'A', u_N / b->force_N, b->force_N, dof);
}

void fit_force_budget_law(const cb_friction_law *law, double angle_rad, double normal_force_N,
                          const fit_force_scatter *s, fit_force_budget *out) {
  double F, slope = load_slope(law, angle_rad, normal_force_N);
  cb_friction_value v;
  *out = budget_at(law, angle_rad, normal_force_N);
  F = out->force_N;
  const double per_F = F > 0 ? F : 1; /* without a force nothing is uncertain */
  cb_friction_law_eval(law, angle_rad, normal_force_N, &v);
  double fitted = u_of_part(law, angle_rad, normal_force_N, PART_FITTED, "parameters"),
         load = u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "load"),
         rule = u_of_part(law, angle_rad, normal_force_N, PART_RULE, NULL);
  /* Outside the loads the rule has degrees of freedom of its own. */
  const bool inside = v.inside_measured_range;
  const double u_law_N = inside ? v.u_force_N : sqrt(fmax(0, v.u_force_N * v.u_force_N - rule * rule));
  if (s && (s->repeat_rel > 0 || s->place_rel > 0 || s->zero_N > 0 || s->plateau_N > 0))
    add_fitted(law, s, fitted, out);
  else
    add_unshared(law, fitted, u_law_N, out);
  add_lots(law, s, u_law_N, out);
  add_relative(out, "calibration, in proportion", 'B', law->u_rel_common, F,
               s ? s->calibration_dof : INFINITY);
  add_entry(out, "calibration, floor", 'B', u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "zero"),
            "N", 1, INFINITY);
  if (slope > 0) add_entry(out, "normal force", 'B', load / slope, "N", slope, INFINITY);
  add_relative(out, "alignment", 'B',
               u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "alignment") / per_F, F, INFINITY);
  add_relative(out, "alignment, second order", 'B',
               u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "second order") / per_F, F, INFINITY);
  add_relative(out, "directions not measured", 'B',
               u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "shape") / per_F, F, INFINITY);
  add_relative(out, "choice of the law", 'B',
               u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "candidates") / per_F, F, INFINITY);
  add_relative(out, "doubtful runs", 'B',
               u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "doubtful runs") / per_F, F, INFINITY);
  add_relative(out, "misfit of the tensor", 'B',
               u_of_part(law, angle_rad, normal_force_N, PART_SHARED, "misfit") / per_F, F, INFINITY);
  add_relative(out, inside ? "between the loads" : "outside the loads", 'B', rule / per_F, F,
               inside ? INFINITY : CB_LAW_OUTSIDE_DOF);
  out->total = fit_budget_combine(out->entry, out->n_entries);
}

/* ---- one run ---- */

/* A digit that the noise does not stir hides in no scatter. Where noise is larger, the plateau has it; so
 * have points whose plateau's uncertainty says so (fit_pull.h), imported points, which are one rounded
 * figure, and a measured calibration's floor. */
static double digit_counts(const cb_friction_obs *run, double half_digit_N, double u_plateau_N) {
  return run->point.n_eff > 0 && run->point.kinetic_sd_N < half_digit_N &&
                 u_plateau_N < 0.999 * half_digit_N / sqrt(3) &&
                 run->u_floor_calibration_N < half_digit_N / sqrt(3)
             ? 1
             : 0;
}

void fit_force_budget_run(const cb_friction_law *law, const cb_friction_obs *run, const fit_force_scatter *s,
                          double resolution_N, fit_force_budget *out) {
  const cb_run *r = &run->run;
  double angle_rad = remainder(r->angle_deg, 180) * CB_DEG, zero, plateau, N = r->normal_force_N;
  double dof = run->dof_calibration > 0 ? run->dof_calibration : INFINITY,
         slope = load_slope(law, angle_rad, N);
  *out = budget_at(law, angle_rad, N);
  out->force_N = law->kind == CB_FRICTION_KINETIC ? run->point.kinetic_N : run->point.static_N;
  point_squares(&run->point, law->kind, &zero, &plateau);
  add_relative(out, "repeatability", 'A', s->repeat_rel, out->force_N, s->repeat_dof);
  add_relative(out, "placement", 'A', s->place_rel, out->force_N, s->place_dof);
  add_entry(out, "zero", 'A', sqrt(zero), "N", 1, INFINITY);
  add_entry(out, "plateau", 'A', sqrt(plateau), "N", 1,
            run->point.n_eff > 1 ? run->point.n_eff - 1 : INFINITY);
  add_rectangular(out, "resolution", 0.5 * resolution_N,
                  digit_counts(run, 0.5 * resolution_N, sqrt(plateau)));
  add_entry(out, "angle", 'B', s->angle_rad, "rad", angle_slope(law, angle_rad, N), INFINITY);
  add_relative(out, "calibration, in proportion", 'B', run->u_rel_calibration, out->force_N, dof);
  add_entry(out, "calibration, floor", 'B', run->u_floor_calibration_N, "N", 1, INFINITY);
  add_entry(out, "normal force", 'B', r->u_normal_force_N, "N", slope, INFINITY);
  add_entry(out, "alignment", 'B', s->pitch_rad, "rad", -out->force_N * slope, INFINITY);
  add_relative(out, "alignment, second order", 'B',
               fit_alignment_second_order(slope, s->pitch_rad, s->yaw_rad), out->force_N, INFINITY);
  out->total = fit_budget_combine(out->entry, out->n_entries);
}
