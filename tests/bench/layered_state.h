/* A copy of the whole state of layers, bytes long: take writes it, give puts it back. It begins with the
 * cloth's (sim_cloth_state_take). */
#ifndef LAYERED_STATE_H
#define LAYERED_STATE_H

#include "sim_layered_impl.h"

size_t layered_state_bytes(const sim_layered *layered);
void layered_state_take(const sim_layered *layered, unsigned char *to);
void layered_state_give(sim_layered *layered, const unsigned char *from);

#endif
