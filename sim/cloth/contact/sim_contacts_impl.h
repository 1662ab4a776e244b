/* The contact stage, shared by its files. */
#ifndef SIM_CONTACTS_IMPL_H
#define SIM_CONTACTS_IMPL_H

#include "sim_contact.h"

struct sim_contacts {
  sim_body *bodies;      /* at the beginning of the step */
  sim_body *bodies_next; /* at its end */
  int n;                 /* vertices */
  sim_contact_memory (*memory)[SIM_CONTACTS_EACH];
  sim_contact *contact; /* n_contacts, by vertex */
  sim_contact *kept;    /* copy for sim_contacts_keep; only with several linearisations, or contact springs */
  int n_contacts, capacity;
  int *before; /* per chunk of rows: number of contacts before it */
  /* Per vertex. While contacts are looked for: how many bodies are near. In keep_out: whether it is
   * pinched. */
  unsigned char *near;
};

/* The two contacts of a pinched vertex (sim_contact.h). They are pressed throughout the step.
 *
 * The axis goes from one body to the other, the plane at right angles to it is common to both. The vertex is
 * prescribed along the axis. In the plane it holds to one or both bodies, or slides on both.
 *
 * A pinched vertex is light, and its friction is not: a force that was right a solve ago would throw it back
 * and forth. So friction of a sliding contact is a brake, -F(u, N) w / |w_before|, linear in the slip w of
 * the present solve. It takes energy whatever the solves do. Once they agree, |w| = |w_before|, which is
 * Coulomb's law. For the same reason friction acts in the plane only, and feeds no normal force.
 *
 * A vertex that two bodies pinch between steps is squeezed. One that runs into a wedge within a step is not,
 * before the next step; it is let go if it turns back. */

/* Whether the bodies of the two contacts face each other. */
bool sim_pinch_opposed(const sim_contact k[2]);
/* Pinches a vertex whose contacts both press. squeeze_N >= 0; 0: it ran into a wedge. */
void sim_pinch_begin(sim_contact k[2], double squeeze_N);
void sim_pinch_prescribe(const sim_contact k[2], double v_m_per_s[3]);
/* As sim_contact_review_vertex. */
double sim_pinch_review(sim_contact k[2], const sim_friction *const *f, const double r_N[3],
                        const double v_m_per_s[3]);

#endif
