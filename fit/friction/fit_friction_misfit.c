/* What no tensor can say: forces of the directions that the chosen law does not reach. */
#include <math.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"
#include "fit_friction_quadratic.h"

/* The cells depart from the law, beyond its band, if any of as many would do so by chance with this
 * probability at most. */
#define CHANCE 0.01
/* A law that is wrong by such a factor says nothing of its direction. */
#define FACTOR 2.0

/* A cell beside the law. */
typedef struct beside {
  double law_N, departure_N;
  bool departs;
} beside;

static beside look_at(const fit_data *d, const fit_cell *c, const fit_scatter *s,
                      const cb_friction_law *law) {
  cb_friction_value v;
  cb_friction_law_eval(law, c->angle_rad, d->levels[c->level].normal_force_N, &v);
  const double departure = c->mean_N - v.force_N,
               scatter = cb_student_t(1 - CHANCE / (double)d->n_cells, fit_scatter_dof(s)) * sqrt(c->var_N2),
               band = cb_student_t(0.95, v.dof) * v.u_force_N;
  return (beside){v.force_N, departure, fabs(departure) > hypot(scatter, band)};
}

static double mean_of(const fit_data *d, const fit_level *l) {
  double sum = 0;
  for (size_t k = l->first; k < l->first + l->n; k++) sum += d->cells[k].mean_N;
  return sum / (double)l->n;
}

/* A general form without its bounds reaches three directions; the rest of more of them counts everywhere. */
static double reach(const fit_data *d, const fit_scatter *s, const cb_friction_law *law, double shape[3]) {
  fit_normal n = {{{0}}, {0}};
  double rest = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    fit_normal_add(&n, c->row, look_at(d, c, s, law).departure_N / mean_of(d, &d->levels[c->level]), 1);
  }
  for (int form = CB_FORM_GENERAL; form >= CB_FORM_ISOTROPIC; form--)
    if (fit_normal_best(&n, (cb_friction_form)form, shape)) break;
  double noise = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    const double mean = mean_of(d, &d->levels[c->level]),
                 r = look_at(d, c, s, law).departure_N / mean - fit_dot(c->row, shape);
    rest += r * r / (double)d->n_cells;
    noise += c->var_N2 / (mean * mean) / (double)d->n_cells;
  }
  return sqrt(fmax(0, rest - noise));
}

static void add_part(const fit_data *d, const double shape[3], cb_friction_law *law) {
  cb_friction_shared *part = fit_new_part(law, "misfit");
  for (size_t l = 0; l < law->n_knots; l++)
    for (int i = 0; i < 3; i++) part->f_N[l][i] = mean_of(d, &d->levels[l]) * shape[i];
}

/* Pure error is what runs of a cell scatter, and what laying the sample anew does. */
static fit_test test_lack(const fit_data *d, const fit_scatter *s, const fit_friction_law *f) {
  const double dof = (double)d->n_cells - (double)f->candidates[0].n_parameters;
  double chi2 = 0, scatter = 0, square = 0;
  if (f->n_candidates == 0 || dof < 1) return (fit_test){0};
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    const beside b = look_at(d, c, s, &f->law);
    chi2 += b.departure_N * b.departure_N / c->var_N2;
    square += b.departure_N * b.departure_N / (b.law_N * b.law_N);
    scatter += c->var_N2 / (b.law_N * b.law_N);
  }
  fit_test t = {.done = true, .dof1 = dof, .dof2 = fit_scatter_dof(s), .statistic = chi2 / dof};
  t.p_value = cb_f_p_upper(t.statistic, dof, t.dof2);
  t.effect = 100 * sqrt(fmax(0, square / dof - scatter / (double)d->n_cells));
  return t;
}

bool fit_add_misfit(const fit_data *d, const fit_scatter *s, fit_friction_law *f) {
  cb_friction_law *law = &f->law;
  double factor = 1, shape[3] = {0};
  f->misfit = (fit_misfit){.measured_N = 0};
  f->lack = test_lack(d, s, f);
  bool departs = f->lack.done && f->lack.p_value < FIT_SAID_P;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    const beside b = look_at(d, c, s, law);
    if (!b.departs) continue;
    departs = true;
    const double wrong = c->mean_N > 0 ? fmax(c->mean_N / b.law_N, b.law_N / c->mean_N) : INFINITY;
    if (wrong > factor) {
      factor = wrong;
      f->misfit =
          (fit_misfit){d->angle_deg[c->angle], d->levels[c->level].normal_force_N, c->mean_N, b.law_N};
    }
  }
  if (!departs) return true;
  if (factor > FACTOR || law->n_shared + 2 > CB_LAW_MAX_SHARED) return false;
  const double rest = reach(d, s, law, shape);
  add_part(d, shape, law);
  add_part(d, (const double[3]){rest, 0, rest}, law);
  return true;
}
