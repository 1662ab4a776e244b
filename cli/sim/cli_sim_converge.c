/* The statement of convergence of a run of `sim`: played beside it, as JSON and in words. */
#include <stdio.h>

#include "cb_time.h"
#include "cli_sim.h"

cb_status cli_sim_follow(cli_sim *r, cb_err *err) {
  const double begin = cb_now_monotonic_s();
  const cb_status st = sim_converge_follow(r->converge, err);
  r->converge_seconds += cb_now_monotonic_s() - begin;
  return st;
}

/* ---- JSON ---- */

static json_t *distance_json(const sim_converge_distance *d) {
  return json_pack("{s:f, s:f, s:f}", "end_mm", 1e3 * d->end_m, "most_mm", 1e3 * d->most_m, "bound_mm",
                   1e3 * d->bound_m);
}

static json_t *probes_json(const cli_sim *r, const sim_convergence *c) {
  json_t *all = json_array();
  for (int k = 0; all && k < r->scene.n_probes; k++) {
    json_t *o = distance_json(&c->probe[k]);
    if (o) (void)json_object_set_new(o, "name", json_string(r->scene.probe[k].name));
    (void)json_array_append_new(all, o);
  }
  return all;
}

static json_t *energies_json(const sim_cloth_energies *e) {
  return json_pack("{s:f, s:f, s:f, s:f}", "kinetic_J", e->kinetic, "stretch_J", e->stretch, "bending_J",
                   e->bending, "gravity_J", e->gravity);
}

static json_t *told_json(const cli_sim *r, const sim_convergence *c) {
  return json_pack("{s:i, s:i, s:f, s:f, s:o, s:o, s:o, s:f, s:o}", "vertices", c->vertices, "steps",
                   c->steps, "seconds", r->converge_seconds, "factor", SIM_CONVERGE_FACTOR, "rms",
                   distance_json(&c->rms), "worst", distance_json(&c->worst), "probes", probes_json(r, c),
                   "rms_most_s", c->rms_most_s, "energy_difference", energies_json(&c->run_less_companion));
}

void cli_sim_convergence_json(const cli_sim *r, json_t *doc) {
  sim_convergence c;
  sim_converge_tell(r->converge, &c);
  (void)json_object_set_new(doc, "convergence", c.why[0] ? json_null() : told_json(r, &c));
  (void)json_object_set_new(doc, "convergence_missing", c.why[0] ? json_string(c.why) : json_null());
}

/* ---- words ---- */

void cli_sim_convergence_print(const cli_sim *r) {
  sim_convergence c;
  sim_converge_tell(r->converge, &c);
  if (c.why[0]) {
    printf("convergence is not known: %s\n", c.why);
    return;
  }
  printf("converged to %.3g mm (rms of positions; worst %.3g mm)", 1e3 * c.rms.bound_m,
         1e3 * c.worst.bound_m);
  for (int k = 0; k < r->scene.n_probes; k++)
    printf("%s %s %.3g mm", k == 0 ? ", probe" : ",", r->scene.probe[k].name, 1e3 * c.probe[k].bound_m);
  printf(": mesh and step twice as coarse differ by up to %.3g mm, at the end by %.3g mm\n",
         1e3 * c.rms.most_m, 1e3 * c.rms.end_m);
}
