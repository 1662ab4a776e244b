/* The contact offset, private to sim/cloth/offset/: contacts, and the impulses between cloth and body.
 *
 * The cloth's vertices are divided into chunks. Each chunk finds its own contacts and sums its impulses on
 * the body's vertices in slots. The body's vertices take the slots chunk by chunk. The cloth itself changes
 * only at the end, so that all chunks see it as it was. Nothing depends on the number of threads. */
#ifndef SIM_OFFSET_IMPL_H
#define SIM_OFFSET_IMPL_H

#include <stdint.h>

#include "sim_offset.h"

#define SIM_PRESS_CHUNK 1024 /* vertices of the cloth: contacts of a chunk fit into the cache */

/* The memory of a vertex of the cloth. */
typedef struct sim_press_memory {
  double normal[3];             /* of the pressing contact */
  double pressed_Ns, before_Ns; /* impulse so far in this step; in the previous one */
  double friction_Ns[3];        /* friction impulse so far in this step */
  /* Friction of the previous step as a pull: present from the beginning of this step. */
  double held_N[3];
  double hold_N_per_m; /* stiffness with which the contact holds */
  /* Friction residual of the previous step, as a pull. */
  double friction_residual_N[3];
  /* Friction of its contact spring at the end. If it slid, the next step's solves begin with it. */
  sim_spring_friction friction;
  bool tied; /* its friction in this step came from a contact spring */
} sim_press_memory;

/* A contact: one vertex of the cloth against one triangle of the body. */
typedef struct sim_press {
  int vertex, corner[3];
  uint16_t slot[3]; /* slots of the corners in the chunk */
  double weight[3], normal[3];
  double give_per_kg; /* of the cloth: 1 / mass; 0: the vertex is supported */
  /* Of both sides together, if all other contacts press alike; 0: neither gives way. */
  double inverse_kg;
  double x_m, v_m_per_s; /* of the cloth's vertex, along the normal */
  /* Along the normal. A shift moves vertices and leaves velocities alone. */
  double impulse_Ns, shift_kgm;
} sim_press;

/* Sliding of a contact. */
typedef struct sim_press_slide {
  /* Of the cloth's vertex; slip against the body along its surface, before friction. */
  double v_m_per_s[3], slip_m_per_s[3];
  double friction_Ns[3];    /* friction impulse so far in this step */
  double hold_Ns, slide_Ns; /* impulses of static friction and of kinetic friction */
  bool slides;
} sim_press_slide;

/* Sums and extremes of a chunk, for the report. */
typedef struct sim_press_sum {
  double deepest_m, left_m, normal_Ns, friction_J, change_m_per_s;
  int extrapolated;
} sim_press_sum;

/* A slot: a body's vertex in a chunk, with the impulse and the shift that it received in a round. */
typedef struct sim_press_slot {
  double weight, given_Ns[3], given_kgm[3];
} sim_press_slot;

typedef struct sim_press_chunk {
  int n, n_slots;   /* contacts; slots */
  sim_press *press; /* SIM_PRESS_CHUNK contacts, and their slides */
  sim_press_slide *slide;
  /* 3 SIM_PRESS_CHUNK, or the body's number of vertices, whichever is less. */
  int *slot_vertex;
  sim_press_slot *slot;
  sim_press_sum sum;
} sim_press_chunk;

struct sim_offset {
  sim_offset_setup setup;
  bool turned; /* friction depends on the direction in the cloth */
  int n_cloth, n_body, n_chunks, n_threads;
  sim_press_memory *memory; /* n_cloth */
  sim_press *press;         /* n_cloth */
  sim_press_slide *slide;
  sim_press_chunk *chunk;
  int *slot_vertex;
  sim_press_slot *slot;
  int *start;           /* n_body + 1 */
  sim_press_slot **who; /* slots of each vertex of the body, in the order of the chunks */
  /* Per thread, n_body: slot of a vertex in the present chunk; -1: none. */
  int **slot_of;
  /* n_body: sum of the weights that stand on the vertex, over its mass. */
  double *share;
};

/* Finds a chunk's contacts. With slot_of (n_body, all -1; a body with mass) also its slots; NULL: prescribed
 * motion. */
void sim_press_gather(sim_offset *b, int chunk, const sim_traverse *surface, const sim_closest_point *closest,
                      const sim_offset_cloth *cloth, const sim_offset_body *body, int *slot_of);
/* After all chunks have gathered: lists the slots of each vertex of the body, and computes how much each
 * contact gives way. */
void sim_press_weigh(sim_offset *b, const sim_offset_body *body);

/* Plays the rounds first to last of a chunk, while the body stays as it is. */
void sim_press_round(const sim_offset *b, sim_press_chunk *c, int first, int last,
                     const sim_offset_body *body, double dt_s);
/* Friction of a vertex that is pressed with normal_N and slips along `slip`. */
sim_friction_force sim_press_friction(const sim_offset *b, const sim_offset_cloth *cloth, int vertex,
                                      const double slip[3], double normal_N);
/* After the last round: sim_press_ask finds the friction that each contact can bear; sim_press_add_friction
 * plays one round of friction. */
void sim_press_ask(const sim_offset *b, sim_press_chunk *c, const sim_offset_cloth *cloth,
                   const sim_offset_body *body, double dt_s);
void sim_press_add_friction(sim_press_chunk *c, const sim_offset_body *body);
/* Adds a round's impulses and shifts to the body. */
void sim_press_move_body(const sim_offset *b, sim_offset_body *body, double dt_s);
/* Adds all impulses and shifts to the cloth, updates the memory, and sums up the depth left and the energy
 * dissipated. */
void sim_press_end(const sim_offset *b, sim_press_chunk *c, sim_offset_cloth *cloth,
                   const sim_offset_body *body, double dt_s);

#endif
