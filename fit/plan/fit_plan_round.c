#include "fit_plan_round.h"

#include <math.h>

#include "cb_num.h"
#include "fit_friction_quadratic.h"

/* The law is looked at on this many directions over half a turn and loads even in ln N. */
#define LOOK_ANGLES 12
#define LOOK_LOADS 9
#define MOST_REPEATS 3
/* As in a fit: the same direction, the same load. */
#define SAME_ANGLE_DEG 0.01
#define SAME_LOAD_REL 1e-3

/* ---- cells and their time ---- */

static bool in_cell(const cb_friction_obs *o, double angle_deg, double load_N) {
  return isfinite(o->point.kinetic_N) && fabs(o->run.angle_deg - angle_deg) <= SAME_ANGLE_DEG &&
         fabs(o->run.normal_force_N - load_N) <= SAME_LOAD_REL * load_N;
}

size_t fit_plan_runs(const cb_friction_obs *obs, size_t n, double angle_deg, double load_N) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += in_cell(&obs[i], angle_deg, load_N) ? 1 : 0;
  return found;
}

void fit_plan_add(fit_plan *p, double angle_deg, double load_N) {
  if (p->n_cells < FIT_PLAN_MAX)
    p->cells[p->n_cells++] = (fit_plan_cell){.angle_deg = angle_deg, .normal_force_N = load_N, .u_rel = NAN};
}

double fit_plan_seconds(const fit_plan *p, const fit_plan_options *o) {
  double sum = 0;
  for (size_t i = 0; i < p->n_cells; i++) {
    bool turned = false;
    for (size_t k = 0; k < i; k++) turned = turned || p->cells[k].angle_deg == p->cells[i].angle_deg;
    sum += (double)(p->repeats * o->pulls_per_repeat) * o->pull_s + o->weights_s + (turned ? 0 : o->turn_s);
  }
  return sum;
}

/* ---- the law as it would become ---- */

static fit_noise noise_at(const fit_friction_law *k, const fit_plan_options *o, double u_point_N,
                          double angle_rad, double N) {
  double f[3], row[3];
  cb_friction_law_matrix(&k->law, N, f);
  fit_row(angle_rad, row);
  double force = fit_dot(row, f), turned = o->u_angle_rad * fit_slope(f, row) / force,
         point = u_point_N / force;
  /* What could not be told from chance is not nothing. */
  double laying = k->placement_rel > 0 ? k->placement_rel : k->scatter_rel;
  return (fit_noise){.laying = laying * laying + turned * turned,
                     .pull = k->scatter_rel * k->scatter_rel + point * point + 1e-18};
}

static double point_uncertainty(const cb_friction_obs *obs, size_t n) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(obs[i].point.kinetic_N)) sum += obs[i].point.u_kinetic_N * obs[i].point.u_kinetic_N, count++;
  return count > 0 ? sqrt(sum / count) : 0;
}

static void set_look(const fit_plan_options *o, const cb_friction_law *law, size_t first, fit_field *f) {
  for (size_t a = 0; a < LOOK_ANGLES; a++)
    for (size_t l = 0; l < LOOK_LOADS; l++) {
      double N = o->from_N * pow(o->to_N / o->from_N, (double)l / (LOOK_LOADS - 1));
      fit_field_set(f, first++, law, 180.0 / LOOK_ANGLES * (double)a * CB_DEG, N);
    }
}

cb_status fit_outlook_init(fit_outlook *w, const cb_friction_obs *obs, size_t n, const fit_friction_law *k,
                           const fit_plan_options *o, cb_err *err) {
  size_t points = o->n_angles * o->n_loads + (size_t)LOOK_ANGLES * LOOK_LOADS;
  double u_point_N = point_uncertainty(obs, n);
  *w = (fit_outlook){.o = o, .n_cells = o->n_angles * o->n_loads};
  CB_TRY(fit_field_init(&w->now, points, &k->law, err));
  CB_TRY(fit_field_init(&w->then, points, &k->law, err));
  for (size_t i = 0; i < w->n_cells; i++) {
    double angle = o->angles_deg[i / o->n_loads] * CB_DEG, N = o->loads_N[i % o->n_loads];
    fit_field_set(&w->now, i, &k->law, angle, N);
    w->noise[i] = noise_at(k, o, u_point_N, angle, N);
    w->noise[i].done = (double)fit_plan_runs(obs, n, o->angles_deg[i / o->n_loads], N);
  }
  set_look(o, &k->law, w->n_cells, &w->now);
  return CB_OK;
}

void fit_outlook_clear(fit_outlook *w) {
  fit_field_clear(&w->now);
  fit_field_clear(&w->then);
}

/* Relative variance of what these pulls measure. In a cell that was measured before they measure what its
 * mean gains: the fit takes all runs of a cell for one laying, which they share. */
static double noise_of(const fit_outlook *w, size_t cell, size_t repeats) {
  const fit_noise *n = &w->noise[cell];
  double pulls = (double)(repeats * w->o->pulls_per_repeat), then = n->laying + n->pull / (n->done + pulls);
  if (!(n->done > 0)) return then;
  double before = n->laying + n->pull / n->done;
  return then * before / fmax(before - then, 1e-12 * before);
}

static double u_of(const fit_outlook *w, const fit_field *f) {
  return sqrt(fit_field_mean_var(f, w->n_cells) + fit_field_mean_fixed(f, w->n_cells));
}

double fit_outlook_u(const fit_outlook *w) { return u_of(w, &w->now); }

double fit_outlook_floor(const fit_outlook *w) { return sqrt(fit_field_mean_fixed(&w->now, w->n_cells)); }

typedef struct choice {
  bool taken[FIT_PLAN_MAX * FIT_PLAN_MAX], turned[FIT_PLAN_MAX];
} choice;

/* The cell with the largest gain per second that is not in the round yet; n_cells: none is left that
 * helps. */
static size_t best_cell(const fit_outlook *w, const choice *c, size_t repeats) {
  size_t best = w->n_cells;
  double highest = 0;
  for (size_t i = 0; i < w->n_cells; i++) {
    if (c->taken[i]) continue;
    double seconds = (double)(repeats * w->o->pulls_per_repeat) * w->o->pull_s + w->o->weights_s;
    if (!c->turned[i / w->o->n_loads]) seconds += w->o->turn_s;
    double rate = fit_field_gain(&w->then, i, noise_of(w, i, repeats), w->n_cells) / seconds;
    if (rate > highest) highest = rate, best = i;
  }
  return best;
}

static void plan_round(fit_outlook *w, size_t repeats, fit_plan *p) {
  const fit_plan_options *o = w->o;
  choice c = {.taken = {false}};
  size_t pulls = repeats * o->pulls_per_repeat;
  p->n_cells = 0;
  p->repeats = repeats;
  p->u_rel_expected = p->u_rel;
  fit_field_copy(&w->then, &w->now);
  while (p->n_cells < FIT_PLAN_MAX && (p->n_cells == 0 || (p->n_cells + 1) * pulls <= o->max_pulls)) {
    size_t i = best_cell(w, &c, repeats);
    if (i == w->n_cells) break;
    fit_field_observe(&w->then, i, noise_of(w, i, repeats));
    c.taken[i] = c.turned[i / o->n_loads] = true;
    fit_plan_add(p, o->angles_deg[i / o->n_loads], o->loads_N[i % o->n_loads]);
    p->u_rel_expected = p->cells[p->n_cells - 1].u_rel = u_of(w, &w->then);
    if (p->u_rel_expected <= o->target_rel) break;
  }
  p->seconds = fit_plan_seconds(p, o);
}

static double rate_of(const fit_plan *p) {
  return p->seconds > 0 ? (p->u_rel * p->u_rel - p->u_rel_expected * p->u_rel_expected) / p->seconds : 0;
}

/* How often a cell is pulled in one laying: whatever brings more per minute. */
void fit_outlook_refine(fit_outlook *w, fit_plan *p) {
  fit_plan other = *p;
  plan_round(w, 1, p);
  for (size_t repeats = 2; repeats <= MOST_REPEATS && repeats * w->o->pulls_per_repeat <= w->o->max_pulls;
       repeats++) {
    plan_round(w, repeats, &other);
    if (rate_of(&other) > rate_of(p)) *p = other;
  }
}

/* What cells that were chosen for other reasons would bring. */
void fit_outlook_expect(fit_outlook *w, fit_plan *p) {
  fit_field_copy(&w->then, &w->now);
  for (size_t i = 0; i < p->n_cells; i++) {
    size_t at = 0;
    while (w->o->angles_deg[at / w->o->n_loads] != p->cells[i].angle_deg ||
           w->o->loads_N[at % w->o->n_loads] != p->cells[i].normal_force_N)
      at++;
    fit_field_observe(&w->then, at, noise_of(w, at, p->repeats));
    p->u_rel_expected = p->cells[i].u_rel = u_of(w, &w->then);
  }
  p->seconds = fit_plan_seconds(p, w->o);
}
