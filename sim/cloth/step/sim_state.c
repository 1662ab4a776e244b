/* The state of a cloth as a copy: to go back to. */
#include <string.h>

#include "sim_cloth_parts.h"

#define PIECES 12

typedef struct piece {
  void *at;
  size_t bytes;
} piece;

static void pieces_of(const sim_cloth *c, piece out[PIECES]) {
  const size_t n = (size_t)c->n, triple = n * sizeof *c->x;
  const size_t sliders = c->bending_friction.mesh != NULL ? (size_t)c->setup.mesh->n_triangles : 0;
  sim_cloth *own = (sim_cloth *)c;
  const piece all[PIECES] = {{c->x, triple},
                             {c->v, triple},
                             {c->x_before, triple},
                             {c->v_before, triple},
                             {c->memory, n * sizeof *c->memory},
                             {c->bodies, (size_t)c->setup.n_bodies * sizeof *c->bodies},
                             {c->tethers, (size_t)c->setup.n_tethers * sizeof *c->tethers},
                             {c->tied_x, c->tied_x != NULL ? triple : 0},
                             {c->bending_friction.slip_per_m, sliders * sizeof *c->bending_friction.slip_per_m},
                             {&own->ledger, sizeof c->ledger},
                             {&own->time_s, sizeof c->time_s},
                             {&own->previous_dt_s, sizeof c->previous_dt_s}};
  memcpy(out, all, sizeof all);
}

size_t sim_cloth_state_bytes(const sim_cloth *c) {
  piece all[PIECES];
  size_t bytes = 0;
  pieces_of(c, all);
  for (int k = 0; k < PIECES; k++) bytes += all[k].bytes;
  return bytes;
}

void sim_cloth_state_take(const sim_cloth *c, unsigned char *to) {
  piece all[PIECES];
  pieces_of(c, all);
  for (int k = 0; k < PIECES; to += all[k++].bytes)
    if (all[k].bytes > 0) memcpy(to, all[k].at, all[k].bytes);
}

void sim_cloth_state_give(sim_cloth *c, const unsigned char *from) {
  piece all[PIECES];
  pieces_of(c, all);
  for (int k = 0; k < PIECES; from += all[k++].bytes)
    if (all[k].bytes > 0) memcpy(all[k].at, from, all[k].bytes);
}
