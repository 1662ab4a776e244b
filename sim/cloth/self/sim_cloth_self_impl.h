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

/* What the friction of a step leaves to the next one. */
typedef struct sim_self_memory {
  sim_self_hold *hold; /* n_holds: the pairs that pressed */
  int n_holds;
  size_t capacity;
  /* Friction residual, per vertex: by how much friction was too large under the solved normal forces and
   * slip. It acts as a force in the next step. */
  double (*residual_N)[3];
  bool any_residual; /* else all of it is 0 */
} sim_self_memory;

/* Friction of a contact in a solve: the pull of the first layer on the second is pull_N + stiffness (slip -
 * slip_m). */
typedef struct sim_self_rub {
  double held_N[3]; /* of the previous step, in the present tangent plane; 0: it had none */
  double normal_N;  /* of the previous step; 0: it had none */
  double pull_N[3], slip_m[3], stiffness_N_per_m;
  double way_m[3]; /* at which the pair is linearised */
  double apart_m;  /* distance along the contact's normal at the beginning of the step */
  bool holds;
  bool presses; /* in the last solve */
} sim_self_rub;

struct sim_cloth_self {
  sim_self *self;
  sim_mesh *piece; /* n_pieces meshes for self; NULL: the cloth's own mesh serves */
  int n_pieces;
  double *inverse_mass_per_kg;
  /* Per vertex: the end that its velocity leads to; whether it is near another layer. */
  double (*ahead_m)[3];
  bool *near;
  bool follows;                    /* pairs move, and were not yet found anew after a solve */
  const sim_self_contact *contact; /* belongs to self */
  int n_contacts;
  sim_pair_term *term; /* up to three per contact */
  int n_terms;
  size_t capacity;
  sim_self_rub *rub; /* one per contact */
  size_t rub_capacity;
  sim_self_memory memory; /* of the previous step */
  sim_self_memory kept;   /* a copy (sim_cloth_self_keep) */
  int *slot;              /* n_slots, a power of 2: hash table of memory.hold; -1: empty */
  int n_slots;
  size_t slot_capacity;
  /* Of the last solve: pairs that slide under a law; of these, outside of the measured loads. */
  int by_law, extrapolated;
};

/* ---- friction: sim_cloth_self_friction.c ---- */

/* Matches the contacts with the memory of the previous step. Call it when the contacts are found. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_friction_begin(sim_cloth_self *l, cb_err *err);
/* Adds the friction residual of the previous step to s->residual. */
void sim_self_friction_add_residual(const sim_cloth_self *l, const sim_stage *s);
/* Adds the friction of contact j, which moves by way_m in the step and presses with normal_N, to s->residual
 * and its terms to l. mass_kg: of the cloth at the contact. */
void sim_self_friction_add(sim_cloth_self *l, const sim_stage *s, int j, const double way_m[3],
                           double normal_N, double mass_kg);
/* Returns by how much the friction of contact j was wrong in the last solve, and adds the right one to
 * *right_N. */
double sim_self_friction_wrong_N(const sim_cloth_self *l, const sim_stage *s, int j, double *right_N);
/* Adds a pair term for the present solve. */
void sim_cloth_self_put_term(sim_cloth_self *l, const sim_self_contact *k, const double direction[3],
                             double stiffness);
/* Adds an impulse along a direction to the residual of the pair's vertices. */
void sim_cloth_self_push(const sim_stage *s, const sim_self_contact *k, double impulse,
                         const double direction[3]);
/* The way of the first layer against the second in the step, at the velocities of the stage. */
void sim_cloth_self_way(const sim_self_contact *k, const sim_stage *s, double way_m[3]);
/* Returns the normal force of contact j after that way; < 0: it does not press. */
double sim_cloth_self_normal_N(const sim_cloth_self *l, int j, const sim_stage *s, const double way_m[3]);

/* Cuts a mesh into its unconnected pieces, if their vertices and triangles are runs one after another; else
 * makes none. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_cut(const sim_mesh *mesh, sim_cloth_self *out, cb_err *err);

#endif
