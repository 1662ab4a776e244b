#include "sim_tally.h"

#include <stddef.h>

static void look_for_depth(sim_tally *t, const sim_play *play) {
  sim_cloth *cloth = sim_play_cloth(play);
  const sim_scene *s = sim_play_scene(play);
  const double half_m = s->material.thickness_m / 2, (*x)[3] = (const double(*)[3])sim_cloth_position(cloth);
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
  sim_cloth_energy(sim_play_cloth(play), &t.begin);
  t.end = t.begin;
  look_for_depth(&t, play);
  return t;
}

void sim_tally_add(sim_tally *t, const sim_play *play, const sim_step_report *r) {
  t->steps++;
  t->disagreeing += !r->contacts_agree;
  t->parts += r->steps;
  t->refused += r->refused;
  t->solves += r->solves;
  t->solver_iterations += r->solver_iterations;
  t->contacts += r->contacts;
  t->by_law += r->by_law;
  t->extrapolated += r->extrapolated;
  t->layers += r->layers;
  t->layers_by_law += r->layers_by_law;
  t->layers_extrapolated += r->layers_extrapolated;
  t->impacts += r->impacts;
  look_for_depth(t, play);
}

void sim_tally_end(sim_tally *t, const sim_play *play) { sim_cloth_energy(sim_play_cloth(play), &t->end); }

static double sum(const sim_energy *e) {
  return e->kinetic + e->stretch + e->bending + e->gravity + e->friction + e->damping - e->supports;
}

double sim_tally_unaccounted_J(const sim_tally *t) { return sum(&t->end) - sum(&t->begin); }
