/* A cloth on itself, within the implicit step.
 *
 * Layers nearer than the thickness press each other apart like springs, of which the pressed side alone counts; friction works against the
 * slip as Coulomb's law has it, and as a stiff dashpot where the slip is next to nothing. Both are terms of the matrix. Whatever is left
 * then on its way through another layer is stopped by sim_self_resolve. */
#ifndef SIM_LAYERS_H
#define SIM_LAYERS_H

#include "cb_self_friction_law.h"
#include "sim_friction.h"
#include "sim_matrix.h"
#include "sim_self.h"

typedef struct sim_layers {
  sim_self *self;  /* NULL: the cloth does not meet itself */
  sim_mesh *piece; /* n_pieces, self's meshes; NULL: the cloth's own is */
  int n_pieces;
  double *inverse_mass_per_kg;
  const sim_self_contact *contact; /* self's */
  int n_contacts;
  sim_pair_term *term; /* up to three per contact */
  int n_terms, capacity;
  int by_law, extrapolated; /* of the last solve: pairs that rub under a law; of these, outside the loads that were measured */
} sim_layers;

/* The pieces, where there are several that come one after the other. */
CB_CHECKED cb_status sim_layers_cut(const sim_mesh *mesh, sim_layers *out, cb_err *err);

#endif
