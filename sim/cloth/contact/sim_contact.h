/* Contacts of one cloth vertex with bodies, within one implicit step.
 *
 * The states of a contact are kept exactly. The unknown is w, the velocity of the vertex at the end of the
 * step relative to the body:
 *
 *   apart    r = 0,                        n.w >= approach
 *   sliding  r.n = N >= 0, n.w = approach, r_t = -F_k(u, N) u,  u = w_t / |w_t|
 *   holding  r.n = N >= 0, n.w = approach, w_t = 0,             |r_t| <= F_s(r_t, N)
 *
 * n is the body's normal, r its force on the vertex. approach = -(gap - reach) / gamma with reach half of the
 * cloth's thickness: at the end of the step the vertex is that far from the surface. A holding vertex has the
 * body's own velocity, so it does not creep. Sliding friction is linearised about its direction: it turns
 * with the velocity, and only across it, by F/|w_t| (1 - u u^T).
 *
 * A vertex has up to two contacts, with the two nearest bodies; a third waits for a later step. Two pressed
 * contacts are in a corner or pinched.
 *
 * In a corner both have n.w = approach, and the vertex is free only along the edge between the bodies. The
 * reaction is split into N_1 n_1 + N_2 n_2 + f with f along the edge. Friction across the edge cannot be told
 * from the normal forces and is counted with them.
 *
 * A vertex is pinched between bodies that face each other (within 30 degrees) closer than the cloth is thick,
 * and deep between bodies that overlap (sim_contacts_impl.h). The bodies win: the vertex is in the middle
 * between them, and both press with area x compression_Pa (thickness / gap - 1). Any other force that pushes
 * the vertex against one body is carried by that body. If both contacts hold, they share a force along the
 * surface in proportion to their static friction.
 *
 * The states are found by an outer iteration: solve, compare the reactions with the states, change the states
 * that are contradicted. */
#ifndef SIM_CONTACT_H
#define SIM_CONTACT_H

#include "sim_contacts.h"

typedef struct sim_contact {
  int vertex, body;
  sim_hold hold;
  int flips;    /* changes between holding, sliding and apart in this step */
  bool pinched; /* the vertex's other contact is pinched, too */
  double normal[3], velocity_m_per_s[3] /* of a vertex that stays at its place on the body */,
      approach_m_per_s, gap_m;
  /* Velocity of the body there. It differs from velocity_m_per_s only in schemes with a longer past than one
   * step. */
  double body_m_per_s[3];
  /* A vertex apart may miss its approach by this much, so that rounding makes no contacts. */
  double slack_m_per_s;
  double to_cloth[2][3]; /* world direction in the tangent plane -> (warp, weft) */
  double area_m2;
  double inertia_kg_per_s; /* mass / gamma: force that changes the velocity by 1 m/s within the step */
  double direction[3];     /* u; of sliding, or where friction was last known */
  double speed_m_per_s;
  /* Pinched: pressing force of both bodies; the axis between them; force per slip in the plane at right
   * angles to it, and the force that this was in the last solve, against `direction`. */
  double squeeze_N, axis[3], brake_kg_per_s, braked_N;
  /* Force of the body on the vertex in the last solve, without sliding friction. */
  double reaction_N[3];
  double normal_N, friction_N;
  double beside_N; /* friction of the vertex's other contact along this direction */
  bool extrapolated;
  double wrong_N; /* force that the last solve had wrong at the vertex; in its first contact */
} sim_contact;

/* A contact that changes its state this often in a step is at its limit: it is not made to hold again, and
 * the next step decides anew. Its friction becomes what would stop it, between none and the kinetic force. */
#define SIM_FLIPS_MOST 2

/* Tests a vertex apart that would reach the body with the velocity `next`. If it does, the contact holds, or
 * slides where the velocity `now` is mainly along the surface. Returns INFINITY if it touches, else 0. */
double sim_contact_touch(sim_contact *c, const double next_m_per_s[3], const double now_m_per_s[3]);
/* Makes the contact press from now on: it holds, or slides where `now` is mainly along the surface. */
void sim_contact_press(sim_contact *c, const double now_m_per_s[3]);

/* Reviews a contact after a solve. r_N: the force of the body on the vertex that the solve needed; v: the
 * velocity of the vertex then. Returns the force that the solve had wrong [N]; INFINITY if it let the vertex
 * through. Sliding is decided relative to the place on the body, the direction of friction relative to the
 * body's velocity. */
double sim_contact_update(sim_contact *c, const sim_friction *f, const double r_N[3],
                          const double v_m_per_s[3]);
/* Makes a holding contact slide, because the body moves away under it along t (not 0). */
void sim_contact_drag(sim_contact *c, const sim_friction *f, const double t_m_per_s[3]);
/* Friction along t (not 0), for the present normal force. */
sim_friction_force sim_contact_friction(const sim_contact *c, const sim_friction *f, const double t[3]);
static inline double sim_contact_static_N(const sim_contact *c, const sim_friction *f, const double t[3]) {
  return sim_contact_friction(c, f, t).static_N;
}

/* ---- the n contacts of one vertex, n = 1 or 2, which lie next to each other ---- */

static inline int sim_contacts_of_vertex(const sim_contact *k, int left) {
  return left > 1 && k[1].vertex == k[0].vertex ? 2 : 1;
}

/* Decides whether two contacts pinch the vertex, and sets pinched and squeeze_N. thickness_m, compression_Pa:
 * of the cloth; v: velocity of the vertex. */
void sim_contact_pair_up(sim_contact k[2], double thickness_m, double compression_Pa, double gamma_s,
                         const double v_m_per_s[3]);
/* The vertex's constraint in a solve. Returns false if the vertex is free. */
bool sim_contact_constraint(const sim_contact *k, int n, sim_constraint *out);
/* Sets the constrained part of v to the prescribed velocity. */
void sim_contact_prescribe(const sim_contact *k, int n, double v_m_per_s[3]);
/* sim_contact_update of all n contacts, after the reaction is shared out. f: per contact. Returns the sum of
 * the wrong forces [N]. */
double sim_contact_review_vertex(sim_contact *k, int n, const sim_friction *const *f, const double r_N[3],
                                 const double v_m_per_s[3]);

#endif
