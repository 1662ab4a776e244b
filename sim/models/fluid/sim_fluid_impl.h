/* What the parts of the fluid share. Particles lie in the order of the grid's cells; work is in single
 * precision on places relative to the box's middle, the state in double. */
#ifndef SIM_FLUID_IMPL_H
#define SIM_FLUID_IMPL_H

#include <stdbool.h>

#include "cb_threads.h"
#include "sim_fluid.h"

/* Four lanes: x, y, z and one that is 0. */
typedef float sim_v4 __attribute__((vector_size(16)));

/* A neighbour: its place in the arrays, and V W'(r)/r [1/m2], so that V grad W = slope (x_i - x_j). */
typedef struct sim_neighbour {
  int j;
  float slope;
} sim_neighbour;

/* The neighbours of CB_CHUNK particles, one after the other. */
typedef struct sim_pool {
  sim_neighbour *pair;
  size_t capacity;
} sim_pool;

/* Cells of the size of the support, with a layer of empty ones around: the neighbours of a particle lie in 9
 * runs of 3 cells. */
typedef struct sim_cells {
  int n[3], total;
  double origin[3]; /* of cell 0, 0, 0 */
  int *start;       /* total + 1 */
  int *cell;        /* per particle, as they lay before the sort */
  int *home;        /* the same, as they lie now */
} sim_cells;

struct sim_fluid {
  sim_fluid_setup setup;
  int n;
  double time_s, mass, support, volume, middle[3];

  /* The state, and the room into which it is sorted. */
  double (*x)[3], (*v)[3], (*x_other)[3], (*v_other)[3];
  int *number, *number_other, *to;
  float *pressure, *pressure_other;

  /* Of the step. */
  sim_cells cells;
  float *at[3];          /* places, lane by lane */
  sim_v4 *place, *speed; /* the same, and velocities */
  sim_v4 *wall;          /* the walls' part of grad rho/rho_0 */
  sim_v4 *push;          /* D^T q */
  /* Changes of velocity that others are expected to make in this step, by contacts: pressures are found with
   * them, velocities are without. After the push: velocities before it. */
  sim_v4 *help, *help_other;
  sim_pool *pool;     /* per chunk */
  int *first, *count; /* per particle: its neighbours in its chunk's pool */
  float *density, *per_diagonal, *excess, *q;
  float *part, *residual, *direction, *product; /* of conjugate gradients; part: per_diagonal, or 0 for who is
                                                   left out */
  double *sum;                                  /* per chunk, SUMS each */
};

#define SIM_FLUID_SUMS 4

/* Sorts the state by cells; fills place, speed. */
void sim_fluid_sort(sim_fluid *f);
/* Neighbours, density, diagonal. Errors: memory. */
CB_CHECKED cb_status sim_fluid_meet(sim_fluid *f, cb_err *err);
/* The walls' part at a place (relative to the middle): of density, and its gradient. */
float sim_fluid_wall(const sim_fluid *f, sim_v4 place, sim_v4 *gradient);
/* Gravity and viscosity into v and speed; then pressures, and what they do to v. */
void sim_fluid_drive(sim_fluid *f, double dt_s);
void sim_fluid_press(sim_fluid *f, double dt_s, sim_fluid_report *report);

/* Who reaches a wall stays there, and loses what speed went into it. */
void sim_fluid_stop_at_walls(const sim_fluid *f, double x[3], double v[3]);
/* What sim_fluid_move does, with the places given. */
CB_CHECKED cb_status sim_fluid_land(sim_fluid *f, const double (*end_m)[3], double dt_s, cb_err *err);

static inline const sim_neighbour *sim_fluid_neighbours(const sim_fluid *f, int i) {
  return f->pool[i / CB_CHUNK].pair + f->first[i];
}
static inline sim_v4 sim_v4_all(float s) { return (sim_v4){s, s, s, s}; }

#endif
