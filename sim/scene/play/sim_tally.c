#include "sim_tally.h"
#include "sim_play_parts.h"

#include <math.h>

static void look_for_depth(sim_tally *t, const sim_play *play) {
  sim_cloth *cloth = sim_play_cloth(play);
  const sim_scene *s = sim_play_scene(play);
  const double half_m = s->material.thickness_m / 2, (*x)[3] = (const sim_vec3 *)sim_cloth_position(cloth);
  const sim_body *body = sim_cloth_bodies(cloth);
  for (int b = 0; b < s->n_bodies; b++)
    for (int i = 0; i < sim_play_mesh(play)->n_vertices; i++) {
      sim_touch touch;
      if (!sim_body_near(&body[b], x[i], half_m - t->deepest.depth_m, &touch)) continue;
      t->deepest = (sim_depth){half_m - touch.distance_m, sim_cloth_time(cloth), i, b};
    }
}

sim_tally sim_tally_begin(const sim_play *play) {
  sim_tally t = {.deepest = {.vertex = -1, .body = -1}};
  if (!sim_play_cloth(play)) return t;
  sim_cloth_energy(sim_play_cloth(play), &t.begin);
  t.end = t.begin;
  look_for_depth(&t, play);
  for (int k = 0; k < sim_play_scene(play)->n_layers; k++)
    t.layered.air_begin_J[k] = sim_play_air_of(play, k).amount_J;
  return t;
}

static void add_layered(sim_layer_tally *t, const sim_layered_report *r) {
  t->closest_points.points += r->closest_points.points;
  t->closest_points.near += r->closest_points.near;
  t->closest_points.crossed += r->closest_points.crossed;
  t->closest_points.measured += r->closest_points.measured;
  t->closest_points.restarts += r->closest_points.restarts;
  t->contacts += r->offset.contacts;
  t->extrapolated += r->offset.extrapolated;
  t->grounded += r->grounded;
  t->body_iterations += r->body.iterations;
  t->air_iterations += r->air.iterations;
  t->deepest_m = fmax(t->deepest_m, r->offset.deepest_m);
  t->left_m = fmax(t->left_m, r->offset.left_m);
  t->residual = fmax(t->residual, r->cloth.residual);
  if (r->rounds > t->rounds_most) t->rounds_most = r->rounds;
  t->unagreed += !r->agreed;
  if (r->body.inverted > t->inverted_most) t->inverted_most = r->body.inverted;
  if (r->limit.at_limit > t->at_limit_most) t->at_limit_most = r->limit.at_limit;
  t->corrected += r->limit.corrected;
  t->longest = fmax(t->longest, r->limit.longest);
  t->friction_J += r->offset.friction_J;
  t->leaked_J += r->air.leaked_J;
  t->vented_J += r->air.vented_J;
  for (int k = 0; k < SIM_LAYERED_PHASES; k++) t->phase_s[k] += r->phase_s[k];
}

static void add_cloth(sim_tally *t, const sim_play *play, const sim_step_report *r) {
  t->disagreeing += !r->contacts_agree;
  t->solves += r->solves;
  t->solver_iterations += r->solver_iterations;
  t->contacts += r->contacts;
  t->by_law += r->by_law;
  t->extrapolated += r->extrapolated;
  t->self_contacts += r->self_contacts;
  t->self_by_law += r->self_by_law;
  t->self_extrapolated += r->self_extrapolated;
  t->impacts += r->impacts;
  look_for_depth(t, play);
  if (sim_play_layered(play)) add_layered(&t->layered, sim_play_layered_report(play));
}

void sim_tally_add(sim_tally *t, const sim_play *play, const sim_step_report *r) {
  t->steps++;
  t->parts += r->steps;
  t->refused += r->refused;
  if (sim_play_cloth(play)) add_cloth(t, play, r);
}

cb_status sim_tally_end(sim_tally *t, sim_play *play, cb_err *err) {
  sim_layer_tally *layered = &t->layered;
  sim_play_in_bodies(play, t->in_body);
  if (!sim_play_cloth(play)) return CB_OK;
  sim_cloth_energy(sim_play_cloth(play), &t->end);
  for (int k = 0; k < sim_play_scene(play)->n_layers; k++) {
    sim_play_air air = sim_play_air_of(play, k);
    layered->air_end_J[k] = air.amount_J;
    layered->air_end_Pa[k] = air.over_Pa;
    layered->inside_out[k] = sim_play_inside_out(play, k);
    CB_TRY(sim_play_inside(play, k, &layered->inside[k], &layered->least_m[k], err));
  }
  return CB_OK;
}

double sim_tally_unaccounted_J(const sim_tally *t) {
  return sim_cloth_energy_sum(&t->end) - sim_cloth_energy_sum(&t->begin);
}
