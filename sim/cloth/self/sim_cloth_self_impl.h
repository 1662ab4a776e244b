/* What the files of sim_cloth_self.h share. */
#ifndef SIM_CLOTH_SELF_IMPL_H
#define SIM_CLOTH_SELF_IMPL_H

#include "sim_cloth_self.h"

struct sim_cloth_self {
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
CB_CHECKED cb_status sim_cloth_self_cut(const sim_mesh *mesh, sim_cloth_self *out, cb_err *err);

#endif
