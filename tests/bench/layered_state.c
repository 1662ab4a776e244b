#include "layered_state.h"

#include <string.h>

static size_t prescribed_bytes(const sim_layered_layer *l) {
  return l->elastic ? 0 : (size_t)l->hull.n_vertices * sizeof *l->prescribed_x;
}
static size_t closest_bytes(const sim_layered_layer *l) { return (size_t)l->n * sizeof *l->closest; }

static size_t layer_bytes(const sim_layered_layer *l) {
  size_t bytes = 2 * prescribed_bytes(l) + closest_bytes(l) + sim_traverse_state_bytes(l->traverse) +
                 sim_offset_state_bytes(l->offset);
  if (l->elastic) bytes += sim_elastic_state_bytes(l->elastic);
  return l->air ? bytes + sim_air_state_bytes(l->air) : bytes;
}

size_t layered_state_bytes(const sim_layered *t) {
  size_t bytes = sim_cloth_state_bytes(t->cloth);
  for (int b = 0; b < t->setup.n_bodies; b++) bytes += layer_bytes(&t->layer[b]);
  return bytes;
}

static unsigned char *put_bytes(unsigned char *to, const void *from, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
  return to + bytes;
}

static const unsigned char *get_bytes(const unsigned char *from, void *to, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
  return from + bytes;
}

void layered_state_take(const sim_layered *t, unsigned char *to) {
  sim_cloth_state_take(t->cloth, to);
  to += sim_cloth_state_bytes(t->cloth);
  for (int b = 0; b < t->setup.n_bodies; b++) {
    const sim_layered_layer *l = &t->layer[b];
    to = put_bytes(to, l->prescribed_x, prescribed_bytes(l));
    to = put_bytes(to, l->prescribed_v, prescribed_bytes(l));
    to = put_bytes(to, l->closest, closest_bytes(l));
    sim_traverse_state_take(l->traverse, to);
    to += sim_traverse_state_bytes(l->traverse);
    sim_offset_state_take(l->offset, to);
    to += sim_offset_state_bytes(l->offset);
    if (l->elastic) sim_elastic_state_take(l->elastic, to);
    if (l->elastic) to += sim_elastic_state_bytes(l->elastic);
    if (l->air) sim_air_state_take(l->air, to);
    if (l->air) to += sim_air_state_bytes(l->air);
  }
}

void layered_state_give(sim_layered *t, const unsigned char *from) {
  sim_cloth_state_give(t->cloth, from);
  from += sim_cloth_state_bytes(t->cloth);
  for (int b = 0; b < t->setup.n_bodies; b++) {
    sim_layered_layer *l = &t->layer[b];
    from = get_bytes(from, l->prescribed_x, prescribed_bytes(l));
    from = get_bytes(from, l->prescribed_v, prescribed_bytes(l));
    from = get_bytes(from, l->closest, closest_bytes(l));
    sim_traverse_state_give(l->traverse, from);
    from += sim_traverse_state_bytes(l->traverse);
    sim_offset_state_give(l->offset, from);
    from += sim_offset_state_bytes(l->offset);
    if (l->elastic) sim_elastic_state_give(l->elastic, from);
    if (l->elastic) from += sim_elastic_state_bytes(l->elastic);
    if (l->air) sim_air_state_give(l->air, from);
    if (l->air) from += sim_air_state_bytes(l->air);
  }
}
