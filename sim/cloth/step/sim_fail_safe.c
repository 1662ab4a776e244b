/* The fail-safe: moves the end of a step out of bodies and of the cloth itself. */
#include <string.h>

#include "sim_cloth_impl.h"

/* Most rounds of bodies and layers in turn. In a bundle of cloth that is drawn through a narrow ring, ten
 * left a vertex 0.3 mm inside, and twenty none. */
#define SAFE_ROUNDS 30

static void find_end(const sim_stage *s) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int d = 0; d < 3; d++) s->at[i][d] = s->past_x[i][d] + s->gamma_s * s->v[i][d];
}

/* Sets the velocities to those that lead to the end positions. */
static void take_end(const sim_stage *s) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int d = 0; d < 3; d++) s->v[i][d] = (s->at[i][d] - s->past_x[i][d]) / s->gamma_s;
}

/* Bodies come first. Vertices that they put out hardly yield while layers are separated, which may push
 * others into bodies: hence rounds. Layers have the last word. */
static cb_status put_apart(sim_cloth *c, bool *changed, sim_step_report *report, cb_err *err) {
  bool again = true;
  for (int round = 0; round < SAFE_ROUNDS && again; round++) {
    const int n = sim_contacts_keep_out(c->contacts, &c->now, c->put_out);
    report->put_out += n;
    *changed = *changed || n > 0;
    if (!c->self_contacts || (round > 0 && n == 0)) return CB_OK;
    if (n > 0) sim_cloth_self_set_put_out(c->self_contacts, &c->now, c->put_out, true);
    CB_TRY(sim_cloth_self_resolve(c->self_contacts, &c->now, &again, report, err));
    *changed = *changed || again;
  }
  return CB_OK;
}

cb_status sim_fail_safe(sim_cloth *c, sim_step_report *report, cb_err *err) {
  bool changed = false;
  if (!c->self_contacts && c->setup.n_bodies == 0) return CB_OK;
  find_end(&c->now);
  memset(c->put_out, 0, (size_t)c->now.n * sizeof *c->put_out);
  if (c->self_contacts) sim_cloth_self_count(c->self_contacts, report);
  cb_status st = put_apart(c, &changed, report, err);
  if (c->self_contacts) sim_cloth_self_set_put_out(c->self_contacts, &c->now, c->put_out, false);
  if (changed) take_end(&c->now);
  return st;
}

cb_status sim_cloth_resolve(sim_cloth *c, const double (*start_m)[3], double (*end_m)[3], bool *changed,
                            cb_err *err) {
  sim_self_report r;
  *changed = false;
  if (!c->self_contacts) return CB_OK;
  CB_TRY(sim_self_resolve(sim_cloth_self_self(c->self_contacts), start_m, end_m, &r, err));
  *changed = r.outcome != SIM_SELF_FREE;
  return CB_OK;
}
