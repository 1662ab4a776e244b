/* What sim_curtain is made of, for its files: eight columns side by side in lanes, blocks of them next to
 * each other. The last block is filled up with columns that hang there, unseen, and pull at nothing. */
#ifndef SIM_CURTAIN_IMPL_H
#define SIM_CURTAIN_IMPL_H

#include "sim_curtain.h"
#include "sim_self.h"

#define SIM_CURTAIN_LANES 8
#define SIM_CURTAIN_GUSTS 512 /* rows of random numbers, a power of two */
#define SIM_CURTAIN_WORK 14   /* vectors of eight that a row keeps on the way up */
#define SIM_CURTAIN_EDGES 8   /* and a column when rows are pulled together */

typedef double sim_f64x8 __attribute__((vector_size(64)));
typedef int64_t sim_f64x8_bits __attribute__((vector_size(64)));

/* Of eight columns. */
typedef struct sim_curtain_block {
  sim_f64x8 area_m2;                     /* of a node inside a column; its last one has half */
  sim_f64x8 drag_kg_per_m, end_kg_per_m; /* rho C area of those, and of the last one */
  sim_f64x8 left, right;                 /* 1 where there is a column on that side */
} sim_curtain_block;

/* The wind as the kernel wants it. */
typedef struct sim_curtain_source {
  double apex_m[3], axis[3], apex_to_window_m, radius2_m2, fade_per_m2, near_m;
  double pressure_Pa;      /* what is left of it, (1 - p)^a */
  double gust_kg_per_m_s2; /* of turbulence: Pa */
  int falloff, row;        /* row: of the gusts, where a column's top is now */
  double between;          /* and how far on the way to the next */
} sim_curtain_source;

struct sim_curtain {
  sim_curtain_setup setup;
  int blocks, threads;
  double time_s;
  void *memory;            /* what all vectors of eight lie in */
  sim_f64x8 *x, *v, *next; /* [block][node][3]: places, velocities; places that are being found */
  sim_f64x8 *tension;      /* [block][node]: of the rod above */
  sim_f64x8 *turning;      /* [block][node]: square of how fast its ends parted in the step before */
  sim_f64x8 *pulled;       /* [eight rows][column]: in the rounds of this step, to the right */
  sim_f64x8 *gust;         /* [block][SIM_CURTAIN_GUSTS][3] */
  sim_f64x8 *work;         /* [thread][work_size] */
  long work_size;
  double *lightness; /* [column]: of a whole column's mass over its own */
  sim_curtain_block *block;
  sim_curtain_source source;
  sim_body *body; /* where they are at the step's end */
  bool dragged;
  sim_curtain_drag drag;
  sim_mesh mesh; /* of the first layer; for collisions with itself */
  sim_self *self;
  double (*from)[3], (*to)[3], *inverse_mass;
};

static inline long sim_curtain_at(const sim_curtain *c, int block, int node) {
  return (long)block * c->setup.nodes + node;
}

/* part(context, i, work) for i < n, each by one thread, with work of that thread's own. */
typedef void sim_curtain_part_of(void *context, int i, sim_f64x8 *work);
void sim_curtain_each(const sim_curtain *c, int n, sim_curtain_part_of *part, void *context);

/* ---- the parts of a step; each for one block, or one row ---- */

/* Forces, accelerations, tensions: `next` from x and v. */
void sim_curtain_column(sim_curtain *c, int block, double dt_s, sim_f64x8 *work);
/* Pulls neighbours together in `next`, in eight rows. first: round of a step. */
void sim_curtain_pull(sim_curtain *c, int eight, bool first, sim_f64x8 *work);
static inline int sim_curtain_eights(const sim_curtain *c) {
  return (c->setup.nodes + SIM_CURTAIN_LANES - 2) / SIM_CURTAIN_LANES;
}
/* Rods of `next` get their length back, from the top down. */
void sim_curtain_straighten(sim_curtain *c, int block);
/* v = (next - x) / dt, x = next. False where a column is nowhere. */
bool sim_curtain_arrive(sim_curtain *c, int block, double dt_s);

/* The same as straightening all blocks, but out of bodies: every node as its rod lets it. How many nodes were
 * in one. */
int sim_curtain_lead(sim_curtain *c, double dt_s);
/* The first layer on its way from x to `next` not through itself. */
CB_CHECKED cb_status sim_curtain_part(sim_curtain *c, sim_curtain_report *report, cb_err *err);
CB_CHECKED cb_status sim_curtain_part_init(sim_curtain *c, cb_err *err);

double sim_curtain_stretch(const sim_curtain *c);
CB_CHECKED cb_status sim_curtain_gusts(sim_curtain *c, cb_err *err);

/* Puts a column's rods, from the top, at rest along these directions; of any length > 0. */
void sim_curtain_lay(sim_curtain *c, int column, const double (*direction)[3]);
int sim_curtain_width(const sim_curtain *c); /* vertices in a row: (columns - 1) segments + 1 */

#endif
