/* What the files of the bonds share. Bonds of a kind are of a vertex each: who writes to the cloth goes by kinds, so that no two threads
 * meet. */
#ifndef SIM_BOND_PARTS_H
#define SIM_BOND_PARTS_H

#include "sim_bond.h"
#include "sim_threads.h"
#include "sim_vec.h"

#define SIM_BOND_CHUNKS(n) (((n) + SIM_CHUNK - 1) / SIM_CHUNK)

static inline int sim_bonds_begin_of(const sim_bonds *b, int kind) { return kind == 0 ? 0 : b->end[kind - 1]; }
static inline int sim_bonds_all(const sim_bonds *b) { return b->end[SIM_BOND_ALONE]; }
static inline bool sim_bonds_moves(const sim_bonds *b, int vertex) { return !b->body.held || !b->body.held[vertex]; }

/* out += scale (`along` what of w is along the normal, `across` the rest). */
static inline void sim_bond_split(const sim_bond *k, double along, double across, double scale, const double w[3], double out[3]) {
  const double normal = (along - across) * sim_dot(k->normal, w);
  for (int a = 0; a < 3; a++) out[a] += scale * (across * w[a] + normal * k->normal[a]);
}

/* out += scale * the body's velocity under the vertex. */
static inline void sim_bond_under(const sim_bond *k, double scale, const double (*v)[3], double out[3]) {
  for (int j = 0; j < 3; j++) sim_add(out, scale * k->weight[j], v[k->corner[j]]);
}

/* y += scale * what pulls at the body's vertex. */
static inline void sim_bonds_gather(const sim_bonds *b, int vertex, double scale, double y[3]) {
  for (int i = b->start[vertex]; i < b->start[vertex + 1]; i++)
    sim_add(y, scale * b->bond[b->who[i] / 3].weight[b->who[i] % 3], b->pull[b->who[i] / 3]);
}

/* What pulls each bond together, of how much further apart they are: `apart` to `pull`, but for rests. */
void sim_bonds_respond(sim_bonds *b);

#endif
