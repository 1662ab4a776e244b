/* The state of sim_fluid and the stages of its step, private to sim/models/fluid/. Particles lie in the
 * order of the cells of the grid. The state is in double precision. The stages work in single precision on
 * positions relative to the middle of the box. */
#ifndef SIM_FLUID_IMPL_H
#define SIM_FLUID_IMPL_H

#include <stdbool.h>

#include "cb_threads.h"
#include "sim_splash.h"

/* Four lanes: x, y, z and 0. */
typedef float sim_v4 __attribute__((vector_size(16)));

/* A neighbour j of particle i, with slope = V W'(r)/r [1/m2], so that V grad W = slope (x_i - x_j). */
typedef struct sim_neighbour {
  int j;
  float slope;
} sim_neighbour;

/* The neighbours of the CB_CHUNK particles of a chunk, one particle after the other. */
typedef struct sim_pool {
  sim_neighbour *pair;
  size_t capacity;
} sim_pool;

/* Grid of cells as large as the support, with a layer of empty cells around. The neighbours of a particle
 * lie in 9 runs of 3 cells. */
typedef struct sim_cells {
  int n[3], total;
  double origin[3]; /* lower corner of cell 0, 0, 0 */
  int *start;       /* first particle of each cell; total + 1 */
  int *cell;        /* cell per particle, in the order before the sort */
  int *home;        /* cell per particle, in the present order */
} sim_cells;

struct sim_fluid {
  sim_fluid_setup setup;
  int n;
  double time_s, mass, support, volume, middle[3];

  /* The state, and the buffers into which it is sorted. After sim_fluid_push v_other has the velocities that
   * the pressures had not changed yet. */
  double (*x)[3], (*v)[3], (*x_other)[3], (*v_other)[3];
  int *number, *number_other, *to;
  float *pressure, *pressure_other;

  /* Scratch of a step. */
  sim_cells cells;
  float *at[3];          /* positions, one array per axis */
  sim_v4 *place, *speed; /* positions, velocities */
  sim_v4 *wall;          /* the walls' part of grad rho/rho_0 */
  sim_v4 *push;          /* D^T q */
  /* Changes of velocity that contacts with the cloth are expected to make in this step. Pressures take them
   * into account; velocities do not have them yet. After the push, help has the velocities before it, and
   * help_other what the contacts were expected to do. */
  sim_v4 *help, *help_other;
  sim_pool *pool;     /* per chunk */
  int *first, *count; /* per particle: its neighbours in the pool of its chunk */
  float *density, *per_diagonal, *excess, *q;
  float *part, *residual, *direction, *product; /* of conjugate gradients; part: per_diagonal, or 0 for
                                                   particles left out */
  double *sum;                                  /* per chunk, SIM_FLUID_SUMS each */
};

#define SIM_FLUID_SUMS 4

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_fluid_setup_check(const sim_fluid_setup *s, cb_err *err);

/* The first half of a step: velocities. The caller may change them before sim_fluid_land. report may be NULL.
 * Errors: CB_E_RANGE for a step out of range or too long for the viscosity; CB_E_NUM for a number that is not
 * finite, with time and particle, or for a particle with too many neighbours; memory. */
CB_CHECKED cb_status sim_fluid_push(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);

/* Sorts the state by cells; fills place and speed. */
void sim_fluid_sort(sim_fluid *f);
/* Finds neighbours, densities, the diagonal of A and the part of the walls. Errors: memory; CB_E_NUM for a
 * particle with SIM_FLUID_NEAR neighbours or more. */
CB_CHECKED cb_status sim_fluid_meet(sim_fluid *f, cb_err *err);
/* Returns the density rho/rho_0 that the walls add at a place relative to the middle, and its gradient
 * [1/m]. */
float sim_fluid_wall(const sim_fluid *f, sim_v4 place, sim_v4 *gradient);
/* Adds gravity and viscosity to v and speed. */
void sim_fluid_drive(sim_fluid *f, double dt_s);
/* Finds the pressures and adds their accelerations to v. */
void sim_fluid_press(sim_fluid *f, double dt_s, sim_fluid_report *report);

/* The same from the velocities before sim_fluid_press (v_other), with the changes of velocity that contacts
 * were found to make (help_other). Call it after sim_fluid_push, any number of times. */
void sim_fluid_press_again(sim_fluid *f, double dt_s, sim_fluid_report *report);

/* Puts a particle beyond a wall back on the wall, without the velocity into it. */
void sim_fluid_stop_at_walls(const sim_fluid *f, double x[3], double v[3]);
/* The second half of a step: moves the particles to end_m. Error: CB_E_NUM for a velocity that is not
 * finite. */
CB_CHECKED cb_status sim_fluid_land(sim_fluid *f, const double (*end_m)[3], double dt_s, cb_err *err);

static inline const sim_neighbour *sim_fluid_neighbours(const sim_fluid *f, int i) {
  return f->pool[i / CB_CHUNK].pair + f->first[i];
}
static inline sim_v4 sim_v4_all(float s) { return (sim_v4){s, s, s, s}; }

/* Finds the neighbours of a particle in a run of particles that are adjacent in memory. */

#define SIM_FLUID_NEAR 512 /* most neighbours of one particle; more would be fifteen times the density */
#define SIM_FLUID_TILE 64  /* entries that may be written beyond n */

/* The list of neighbours. It includes the particle itself, which adds nothing to sums of differences. */
typedef struct sim_near {
  int n;
  int j[SIM_FLUID_NEAR + SIM_FLUID_TILE];
  float r2[SIM_FLUID_NEAR + SIM_FLUID_TILE]; /* squared distances */
} sim_near;

/* Appends the particles of [from, to) whose squared distance from particle i is below limit, in order, as
 * far as there is room. at has one array per axis. Both functions give the same list. */
typedef void sim_fluid_sift(const float *const at[3], int i, int from, int to, float limit, sim_near *out);
sim_fluid_sift sim_fluid_sift_plain;
/* Returns the AVX-512 version where the processor has it, else the plain one. */
sim_fluid_sift *sim_fluid_sift_best(void);

#endif
