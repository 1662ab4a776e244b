/* What the files of sim_layers.h share. */
#ifndef SIM_LAYERS_IMPL_H
#define SIM_LAYERS_IMPL_H

#include "sim_layers.h"

struct sim_layers {
  sim_self *self;
  sim_mesh *piece; /* n_pieces, self's meshes; NULL: the cloth's own is */
  int n_pieces;
  double *inverse_mass_per_kg;
  const sim_self_contact *contact; /* self's */
  int n_contacts;
  sim_pair_term *term; /* up to three per contact */
  int n_terms;
  size_t capacity;
  int by_law, extrapolated; /* of the last solve: pairs that slide under a law; of these, outside the loads
                               that were measured */
};

/* The pieces, where there are several that come one after the other. */
CB_CHECKED cb_status sim_layers_cut(const sim_mesh *mesh, sim_layers *out, cb_err *err);

#endif
