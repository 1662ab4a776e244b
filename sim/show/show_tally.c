#include "show_tally.h"

#include <math.h>

#include "cb_json_whole.h"

static json_t *number(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static double percent(long long part, long long of) { return of > 0 ? 100 * (double)part / (double)of : NAN; }

static json_t *energy_json(const sim_cloth_energies *e) {
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "kinetic_J", e->kinetic, "stretch_J", e->stretch,
                   "bending_J", e->bending, "gravity_J", e->gravity, "friction_J", e->friction, "damping_J",
                   e->damping, "supports_J", e->supports);
}

static json_t *ledger_json(const sim_tally *t) {
  return json_pack("{s:o, s:o, s:f}", "begin", energy_json(&t->begin), "end", energy_json(&t->end),
                   "unaccounted_J", sim_tally_unaccounted_J(t));
}

static json_t *depth_json(const sim_depth *d) {
  if (d->body < 0) return json_pack("{s:f, s:n, s:n, s:n}", "depth_mm", 0.0, "time_s", "vertex", "body");
  return json_pack("{s:f, s:f, s:i, s:i}", "depth_mm", 1e3 * d->depth_m, "time_s", d->time_s, "vertex",
                   d->vertex, "body", d->body + 1);
}

static json_t *contacts_json(const sim_tally *t) {
  return json_pack("{s:I, s:I, s:I, s:o, s:i}", "sum", (json_int_t)t->contacts, "by_law",
                   (json_int_t)t->by_law, "extrapolated", (json_int_t)t->extrapolated, "extrapolated_percent",
                   number(percent(t->extrapolated, t->by_law)), "steps_disagreeing", t->disagreeing);
}

static json_t *self_json(const sim_tally *t) {
  return json_pack("{s:I, s:I, s:I, s:o, s:I}", "sum", (json_int_t)t->self_contacts, "by_law",
                   (json_int_t)t->self_by_law, "extrapolated", (json_int_t)t->self_extrapolated,
                   "extrapolated_percent", number(percent(t->self_extrapolated, t->self_by_law)), "impacts",
                   (json_int_t)t->impacts);
}

static json_t *body_json(const sim_scene *scene, const sim_play *play, const sim_layer_tally *t, int k) {
  const sim_scene_layer *l = &scene->layer[k];
  const sim_play_layer body = sim_play_layer_of(play, k);
  json_t *air = !l->air.on ? json_null()
                           : json_pack("{s:f, s:f, s:f}", "begin_J", t->air_begin_J[k], "end_J",
                                       t->air_end_J[k], "over_Pa", t->air_end_Pa[k]);
  return json_pack("{s:b, s:i, s:i, s:i, s:i, s:f, s:I, s:I, s:i, s:o, s:o}", "rigid", l->rigid, "vertices",
                   body.n_vertices, "tetrahedra", body.n_tets, "triangles", body.n_triangles, "met",
                   body.n_met, "contact_offset_mm", 1e3 * body.contact_offset_m, "contacts",
                   (json_int_t)body.contacts.contacts, "extrapolated", (json_int_t)body.contacts.extrapolated,
                   "inside", t->inside[k], "least_mm", number(1e3 * t->least_m[k]), "air", air);
}

static json_t *closest_json(const sim_traverse_counts *f) {
  double points = f->points > 0 ? (double)f->points : 1;
  return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f}", "points", (json_int_t)f->points, "near",
                   (json_int_t)f->near, "crossed", (json_int_t)f->crossed, "measured",
                   (json_int_t)f->measured, "restarts", (json_int_t)f->restarts, "triangles_per_vertex_step",
                   (double)(f->crossed + f->measured) / points);
}

static json_t *edges_json(const sim_layer_tally *t) {
  return json_pack("{s:i, s:I, s:f}", "at_limit_most", t->at_limit_most, "corrections",
                   (json_int_t)t->corrected, "longest_over_limit", t->longest);
}

static json_t *layered_json(const sim_scene *scene, const sim_play *play, const sim_layer_tally *t) {
  if (scene->n_layers == 0) return json_null();
  json_t *bodies = json_array(), *phases = json_object();
  for (int k = 0; bodies && k < scene->n_layers; k++) cb_json_append(&bodies, body_json(scene, play, t, k));
  for (int k = 0; phases && k < SIM_LAYERED_PHASES; k++)
    cb_json_set(&phases, sim_layered_phase_names[k], json_real(t->phase_s[k]));
  return json_pack(
      "{s:o, s:o, s:o, s:I, s:I, s:f, s:f, s:f, s:I, s:i, s:I, s:I, s:f, s:f, s:o, s:f, s:i, s:i}", "bodies",
      bodies, "edges", edges_json(t), "closest_points", closest_json(&t->closest_points), "contacts",
      (json_int_t)t->contacts, "extrapolated", (json_int_t)t->extrapolated, "deepest_mm", 1e3 * t->deepest_m,
      "left_mm", 1e3 * t->left_m, "friction_J", t->friction_J, "grounded", (json_int_t)t->grounded,
      "inverted_most", t->inverted_most, "body_iterations", (json_int_t)t->body_iterations, "air_iterations",
      (json_int_t)t->air_iterations, "leaked_J", t->leaked_J, "vented_J", t->vented_J, "phases_s", phases,
      "residual_most", t->residual, "rounds_most", t->rounds_most, "steps_not_agreed", t->unagreed);
}

json_t *show_tally_json(const sim_scene *scene, const sim_play *play, const sim_tally *t) {
  return json_pack("{s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "triangles", sim_play_mesh(play)->n_triangles,
                   "solves", (json_int_t)t->solves, "solver_iterations", (json_int_t)t->solver_iterations,
                   "contacts", contacts_json(t), "self_contacts", self_json(t), "penetration",
                   depth_json(&t->deepest), "energy", ledger_json(t), "layered",
                   layered_json(scene, play, &t->layered));
}
