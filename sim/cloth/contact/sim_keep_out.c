/* The last resort against bodies: puts back vertices that the solve let in, because of a third body or of
 * layers that push each other aside. */
#include <string.h>

#include "cb_threads.h"
#include "sim_contacts_impl.h"
#include "sim_vec.h"

/* As a fraction of half the cloth's thickness: the least distance from a body, unless two bodies pinch the
 * vertex. */
#define KEEP 0.25
/* Rounds for bodies that meet in a corner. */
#define SWEEPS 8

/* Whether x had to be moved. */
static bool put_out(const sim_contacts *c, const sim_cloth_setup *setup, double x[3]) {
  const double keep_m = KEEP * setup->material->thickness_m / 2;
  bool moved = false, again = true;
  for (int sweep = 0; sweep < SWEEPS && again; sweep++) {
    again = false;
    for (int b = 0; b < setup->n_bodies; b++) {
      sim_touch touch;
      if (!sim_body_near(&c->bodies_next[b], x, keep_m, &touch)) continue;
      if (keep_m - touch.distance_m <= 1e-3 * keep_m) continue;
      sim_add(x, keep_m - touch.distance_m, touch.normal);
      moved = again = true;
    }
  }
  return moved;
}

int sim_contacts_keep_out(sim_contacts *c, const sim_stage *s, bool *moved) {
  const sim_cloth_setup *setup = s->setup;
  int n = 0;
  if (setup->n_bodies == 0) return 0;
  for (int b = 0; b < setup->n_bodies; b++) {
    c->bodies_next[b] = c->bodies[b];
    sim_body_move(&c->bodies_next[b], s->dt_s);
  }
  memset(c->near, 0, (size_t)s->n * sizeof *c->near);
  for (int j = 0; j < c->n_contacts; j++) c->near[c->contact[j].vertex] = c->contact[j].pinched;
#pragma omp parallel for schedule(dynamic, CB_CHUNK) reduction(+ : n)
  for (int i = 0; i < s->n; i++) {
    if ((setup->gripped && setup->gripped[i]) || c->near[i]) continue;
    if (!put_out(c, setup, s->at[i])) continue;
    moved[i] = true;
    n++;
  }
  return n;
}
