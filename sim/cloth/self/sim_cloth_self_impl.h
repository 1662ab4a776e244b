/* Self-contact of a cloth, shared by its files. */
#ifndef SIM_CLOTH_SELF_IMPL_H
#define SIM_CLOTH_SELF_IMPL_H

#include "sim_cloth_self.h"

struct sim_cloth_self {
  sim_self *self;
  sim_mesh *piece; /* n_pieces meshes for self; NULL: the cloth's own mesh serves */
  int n_pieces;
  double *inverse_mass_per_kg;
  const sim_self_contact *contact; /* belongs to self */
  int n_contacts;
  sim_pair_term *term; /* up to three per contact */
  int n_terms;
  size_t capacity;
  /* Of the last solve: pairs that slide under a law; of these, outside of the measured loads. */
  int by_law, extrapolated;
};

/* Cuts a mesh into its unconnected pieces, if their vertices and triangles are runs one after another; else
 * makes none. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_cut(const sim_mesh *mesh, sim_cloth_self *out, cb_err *err);

#endif
