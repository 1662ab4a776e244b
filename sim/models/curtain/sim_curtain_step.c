/* A step: columns, each on its own; then what they do to each other and bodies do to them, and rods that get
 * their length back. */
#include <math.h>
#include <omp.h>

#include "cb_num.h"
#include "cb_threads.h"
#include "sim_curtain_impl.h"

/* What one thread does is not worth asking OpenMP for: five regions cost as much as half of a flag. */
void sim_curtain_each(const sim_curtain *c, int n, sim_curtain_part_of *part, void *context) {
  if (c->threads == 1)
    for (int i = 0; i < n; i++) part(context, i, c->work);
  else
#pragma omp parallel for schedule(static) num_threads(cb_threads_within(c->threads))
    for (int i = 0; i < n; i++) part(context, i, &c->work[c->work_size * omp_get_thread_num()]);
}

typedef struct stepping {
  sim_curtain *c;
  double dt_s;
  bool first, lost;
} stepping;

static void move_block(void *context, int block, sim_f64x8 *work) {
  const stepping *s = context;
  sim_curtain_column(s->c, block, s->dt_s, work);
}

static void pull_eight(void *context, int eight, sim_f64x8 *work) {
  const stepping *s = context;
  sim_curtain_pull(s->c, eight, s->first, work);
}

static void straighten_block(void *context, int block, sim_f64x8 *work) {
  (void)work;
  sim_curtain_straighten(((const stepping *)context)->c, block);
}

static void arrive_block(void *context, int block, sim_f64x8 *work) {
  stepping *s = context;
  (void)work;
  if (sim_curtain_arrive(s->c, block, s->dt_s)) return;
#pragma omp atomic write
  s->lost = true;
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
  stepping now = {c, dt_s, false, false};
  blow(c, c->time_s);
  sim_curtain_each(c, c->blocks, move_block, &now);
  for (int k = 0; k < s->pulls; k++) {
    now.first = k == 0;
    if (s->columns > 1) sim_curtain_each(c, sim_curtain_eights(c), pull_eight, &now);
    sim_curtain_each(c, c->blocks, straighten_block, &now);
  }
  if (s->n_bodies > 0) r.touching = sim_curtain_lead(c, dt_s);
  if (c->order.row) r.corrected = sim_curtain_order(c, dt_s);
  c->time_s += dt_s;
  sim_curtain_each(c, c->blocks, arrive_block, &now);
  if (now.lost)
    return cb_fail(err, CB_E_NUM, "curtain: a column is nowhere at %g s: places must be finite", c->time_s);
  if (report) {
    r.stretch = sim_curtain_stretch(c);
    *report = r;
  }
  return CB_OK;
}
