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
  double dt_s, share;
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
  if (sim_curtain_arrive(s->c, block, s->dt_s, s->share)) return;
#pragma omp atomic write
  s->lost = true;
}

static void blow(sim_curtain *c, double time_s) {
  const sim_curtain_wind *w = &c->setup.wind;
  const double way = time_s * w->turbulence_m_per_s / c->setup.rod_m, whole = floor(way);
  c->source.row = (int)fmod(whole, SIM_CURTAIN_GUSTS);
  c->source.between = way - whole;
}

/* Rounds of weft and warp, with bodies in the last. The cloth stays apart from itself in every round. */
static sim_curtain_report act_on_each_other(sim_curtain *c, double dt_s, stepping *now) {
  sim_curtain_report r = {.stretch = 1};
  const sim_curtain_setup *s = &c->setup;
  const bool orders = c->order.row != NULL;
  const int rounds = s->pulls > 0 ? s->pulls : 1;
  const double before = orders ? sim_curtain_motion(c) : 0;
  if (orders) sim_curtain_face(c);
  sim_curtain_move_bodies(c, dt_s);
  for (int k = 0; k < rounds; k++) {
    const bool last = k == rounds - 1;
    now->first = k == 0;
    if (s->pulls > 0 && s->columns > 1) sim_curtain_each(c, sim_curtain_eights(c), pull_eight, now);
    if (s->pulls > 0) sim_curtain_each(c, c->blocks, straighten_block, now);
    if (last && s->n_bodies > 0) r.touching = sim_curtain_lead(c, dt_s);
    if (orders) r.corrected += sim_curtain_order(c, dt_s, last);
  }
  if (r.corrected == 0) return r;
  const double after = sim_curtain_motion(c);
  now->share = after > before ? sqrt(before / after) : 1;
  return r;
}

cb_status sim_curtain_step(sim_curtain *c, double dt_s, sim_curtain_report *report, cb_err *err) {
  sim_curtain_report r;
  CB_TRY(cb_check_range(dt_s, 1e-9, 1, "curtain: step", "s", err));
  stepping now = {.c = c, .dt_s = dt_s, .share = 1};
  blow(c, c->time_s);
  sim_curtain_each(c, c->blocks, move_block, &now);
  r = act_on_each_other(c, dt_s, &now);
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
