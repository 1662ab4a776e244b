/* Self-contact of a cloth, shared by its files. */
#ifndef SIM_CLOTH_SELF_IMPL_H
#define SIM_CLOTH_SELF_IMPL_H

#include "sim_cloth_self.h"

/* The friction that a pair ended a step with. The next step begins with it, so that layers at rest do not
 * creep. */
typedef struct sim_self_hold {
  sim_pair pair;
  int vertex[4];
  double held_N[3]; /* pull of the first layer on the second along the contact */
  double normal_N;
} sim_self_hold;

/* Friction of a contact in a solve: the pull of the first layer on the second is pull_N + stiffness (slip -
 * slip_m). */
typedef struct sim_self_rub {
  double held_N[3]; /* of the previous step, in the present tangent plane; 0: it had none */
  double normal_N;  /* of the previous step; 0: it had none */
  double pull_N[3], slip_m[3], stiffness_N_per_m;
  bool holds;
} sim_self_rub;

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
  sim_self_rub *rub; /* one per contact */
  size_t rub_capacity;
  sim_self_hold *hold; /* n_holds: memory of the previous step */
  int n_holds;
  size_t hold_capacity;
  int *slot; /* n_slots, a power of 2: hash table of the memory; -1: empty */
  int n_slots;
  size_t slot_capacity;
  /* Friction residual of the previous step, per vertex: what friction was too large by under the solved
   * normal forces and slip. It acts as a force in this step. */
  double (*residual_N)[3];
  bool any_residual;
  /* Of the last solve: pairs that slide under a law; of these, outside of the measured loads. */
  int by_law, extrapolated;
};

/* ---- friction: sim_cloth_self_friction.c ---- */

/* Matches the contacts with the memory of the previous step. Call it when the contacts are found. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_friction_begin(sim_cloth_self *l, cb_err *err);
/* Adds the friction residual of the previous step to s->residual. */
void sim_self_friction_add_residual(const sim_cloth_self *l, const sim_stage *s);
/* Adds the friction of contact j, which presses with normal_N, to s->residual and its terms to l. mass_kg: of
 * the cloth at the contact. */
void sim_self_friction_add(sim_cloth_self *l, const sim_stage *s, int j, double normal_N, double mass_kg);
/* Adds a pair term for the present solve. */
void sim_cloth_self_put_term(sim_cloth_self *l, const sim_self_contact *k, const double direction[3],
                             double stiffness);
/* Adds an impulse along a direction to the residual of the pair's vertices. */
void sim_cloth_self_push(const sim_stage *s, const sim_self_contact *k, double impulse,
                         const double direction[3]);
/* out = sum of weights times a field. */
void sim_cloth_self_mean(const sim_self_contact *k, double (*field)[3], double out[3]);
/* Returns the normal force of a contact for the velocities of the stage; < 0: it does not press. */
double sim_cloth_self_normal_N(const sim_self_contact *k, const sim_stage *s);

/* Cuts a mesh into its unconnected pieces, if their vertices and triangles are runs one after another; else
 * makes none. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_cut(const sim_mesh *mesh, sim_cloth_self *out, cb_err *err);

#endif
