/* A copy of a cloth's state. */
#include <string.h>

#include "sim_cloth_impl.h"

#define PIECES 12

typedef struct piece {
  void *at;
  size_t bytes;
} piece;

static void pieces_of(const sim_cloth *c, piece out[PIECES]) {
  const size_t n = (size_t)c->now.n, triple = n * sizeof *c->now.x;
  const size_t sliders = c->bending_friction.mesh ? (size_t)c->setup.mesh->n_triangles : 0;
  sim_cloth *own = (sim_cloth *)c;
  const piece all[PIECES] = {
      {c->now.x, triple},
      {c->now.v, triple},
      {c->x_before, triple},
      {c->v_before, triple},
      {sim_contacts_memory(c->contacts), n * SIM_CONTACTS_EACH * sizeof(sim_contact_memory)},
      {sim_cloth_bodies(c), (size_t)c->setup.n_bodies * sizeof(sim_body)},
      {sim_cloth_tethers(c), (size_t)c->setup.n_tethers * sizeof(sim_tether)},
      {sim_tethers_tied(c->tethers), c->setup.n_tethers > 0 ? triple : 0},
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
  if (c->self_contacts) sim_cloth_self_keep(c->self_contacts, c->now.n);
}

void sim_cloth_state_give(sim_cloth *c, const unsigned char *from) {
  piece all[PIECES];
  pieces_of(c, all);
  for (int k = 0; k < PIECES; from += all[k++].bytes)
    if (all[k].bytes > 0) memcpy(all[k].at, from, all[k].bytes);
  if (c->self_contacts) sim_cloth_self_return(c->self_contacts, c->now.n);
}
