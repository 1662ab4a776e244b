/* A step: columns, each on its own; then what they do to each other, bodies to them, and rods that get their length back, so many rounds.
 */
#include <math.h>
#include <omp.h>

#include "cb_num.h"
#include "sim_curtain_parts.h"

static void each_column(sim_curtain *c, double dt_s) {
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
  for (int b = 0; b < c->blocks; b++) sim_curtain_column(c, b, dt_s, &c->work[c->work_size * omp_get_thread_num()]);
}

static void pull_rows(sim_curtain *c, bool first) {
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
  for (int i = 0; i < sim_curtain_eights(c); i++) sim_curtain_pull(c, i, first, &c->work[c->work_size * omp_get_thread_num()]);
}

static void straighten(sim_curtain *c) {
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
  for (int b = 0; b < c->blocks; b++) sim_curtain_straighten(c, b);
}

static bool arrive(sim_curtain *c, double dt_s) {
  bool finite = true;
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1) reduction(&& : finite)
  for (int b = 0; b < c->blocks; b++) finite = sim_curtain_arrive(c, b, dt_s) && finite;
  return finite;
}

static void blow(sim_curtain *c, double time_s) {
  const sim_curtain_wind *w = &c->setup.wind;
  const double way = time_s * w->turbulence_m_per_s / c->setup.rod_m, whole = floor(way);
  c->source.row = (int)fmod(whole, SIM_CURTAIN_GUSTS);
  c->source.between = way - whole;
}

cb_status sim_curtain_step(sim_curtain *c, double dt_s, sim_curtain_report *report, cb_err *err) {
  sim_curtain_report r = {.stretch = 1};
  const sim_curtain_setup *s = &c->setup;
  CB_TRY(cb_check_range(dt_s, 1e-9, 1, "curtain: step", "s", err));
  blow(c, c->time_s);
  each_column(c, dt_s);
  for (int k = 0; k < s->pulls; k++) {
    if (s->columns > 1) pull_rows(c, k == 0);
    if (s->n_bodies > 0 && k == s->pulls - 1) r.touching = sim_curtain_push(c, dt_s);
    straighten(c);
  }
  if (s->self_passes > 0) CB_TRY(sim_curtain_part(c, &r, err));
  c->time_s += dt_s;
  if (!arrive(c, dt_s)) return cb_fail(err, CB_E_NUM, "curtain: a column is nowhere at %g s: places must be finite", c->time_s);
  if (report) {
    r.stretch = sim_curtain_stretch(c);
    *report = r;
  }
  return CB_OK;
}
