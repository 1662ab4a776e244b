/* Private to sim/cloth/offset/: who presses on whom, and what they do to each other.
 *
 * Chunks of the cloth's vertices find their own contacts and add up what they give to the body; its vertices
 * take that chunk by chunk. The cloth itself is changed at the end alone, so that all see it as it was. None
 * of this depends on how many threads there are. */
#ifndef SIM_OFFSET_IMPL_H
#define SIM_OFFSET_IMPL_H

#include <stdint.h>

#include "sim_offset.h"

#define SIM_PRESS_CHUNK 1024 /* vertices of the cloth: contacts of a chunk lie in the cache together */

/* What a vertex of the cloth remembers. */
typedef struct sim_press_memory {
  double normal[3];             /* of what presses */
  double pressed_Ns, before_Ns; /* in this step so far, in the one before */
  double friction_Ns[3];        /* friction in this step so far */
  double held_N[3];    /* friction of the step before, as a pull: what holds is there from the begin */
  double hold_N_per_m; /* and how stiff it holds */
  double friction_residual_N[3]; /* of the step before, as a pull */
  sim_spring_friction friction;  /* of its contact spring in the end: if it slid, the next step's solves begin
                               there */
  bool tied;                     /* its friction in this step was a contact spring's */
} sim_press_memory;

/* One vertex of the cloth against one triangle of the body. */
typedef struct sim_press {
  int vertex, corner[3];
  uint16_t slot[3]; /* of the corners, among the chunk's */
  double weight[3], normal[3];
  double give_per_kg;    /* of the cloth: 1 / mass; 0: it is supported */
  double inverse_kg;     /* of both sides together, while all others press alike; 0: neither gives way */
  double x_m, v_m_per_s; /* of the cloth's vertex, along the normal */
  double impulse_Ns, shift_kgm; /* along the normal; the latter moves, and leaves velocities alone */
} sim_press;

/* What of it slides. */
typedef struct sim_press_slide {
  double v_m_per_s[3], slip_m_per_s[3]; /* of the cloth's vertex; against the body, along it, before
                                           friction */
  double friction_Ns[3];                /* friction, in this step so far */
  double hold_Ns, slide_Ns;             /* what it can hold, and what it has where things slide */
  bool slides;
} sim_press_slide;

typedef struct sim_press_sum {
  double deepest_m, left_m, normal_Ns, friction_J, change_m_per_s;
  int extrapolated;
} sim_press_sum;

/* A body's vertex in a chunk: what it was given in a round, to its velocity and its place. */
typedef struct sim_press_slot {
  double weight, given_Ns[3], given_kgm[3];
} sim_press_slot;

typedef struct sim_press_chunk {
  int n, n_slots, first; /* contacts, vertices of the body, and where they begin among all slots */
  sim_press *press;      /* of these SIM_PRESS_CHUNK, as of the slides */
  sim_press_slide *slide;
  int *slot_vertex; /* 3 SIM_PRESS_CHUNK, or the body's, whichever is less */
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
  sim_press_slot **who; /* the slots of each vertex of the body, by chunk */
  int **slot_of;        /* of each thread, n_body: a vertex's slot in the chunk at hand; -1: none */
  double *share;        /* n_body: how much of the cloth's vertices stands on each, by weight */
};

/* Finds a chunk's contacts, and with slot_of the body's vertices that they stand on. */
void sim_press_gather(sim_offset *b, int chunk, const sim_traverse *surface, const sim_closest_point *closest,
                      const sim_offset_cloth *cloth, const sim_offset_body *body, int *slot_of);
/* Which slots are a body's vertex's; how much each gives way. After all chunks have gathered. */
void sim_press_weigh(sim_offset *b, const sim_offset_body *body);

/* Rounds of a chunk, from first to last, while the body stays as it is. */
void sim_press_round(const sim_offset *b, sim_press_chunk *c, int first, int last,
                     const sim_offset_body *body, double dt_s);
/* Of a vertex that is pressed with normal_N and slips that way. */
sim_friction_force sim_press_friction(const sim_offset *b, const sim_offset_cloth *cloth, int vertex,
                                      const double slip[3], double normal_N);
/* After the last of these: what friction can do, and a round of it. */
void sim_press_ask(const sim_offset *b, sim_press_chunk *c, const sim_offset_cloth *cloth,
                   const sim_offset_body *body, double dt_s);
void sim_press_add_friction(sim_press_chunk *c, const sim_offset_body *body);
/* The body takes what it was given in a round. */
void sim_press_move_body(const sim_offset *b, sim_offset_body *body, double dt_s);
/* The cloth takes it all; what is left, and what friction took. */
void sim_press_end(const sim_offset *b, sim_press_chunk *c, sim_offset_cloth *cloth,
                   const sim_offset_body *body, double dt_s);

#endif
