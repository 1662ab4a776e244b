/* The state of sim_curtain and the stages of its step, private to sim/models/curtain/. Eight neighbouring
 * columns lie in the lanes of one vector and form a block. The last block is filled up with columns that
 * hang there undrawn and have no neighbours. */
#ifndef SIM_CURTAIN_IMPL_H
#define SIM_CURTAIN_IMPL_H

#include "sim_curtain.h"

#define SIM_CURTAIN_LANES 8
#define SIM_CURTAIN_GUSTS 512 /* rows of random numbers, a power of two */
#define SIM_CURTAIN_WORK 14   /* vectors that a node needs on the way up */
#define SIM_CURTAIN_EDGES 8   /* vectors that a column needs when rows are pulled together */

typedef double sim_f64x8 __attribute__((vector_size(64)));
typedef double sim_f64x4 __attribute__((vector_size(32)));
typedef uint64_t sim_f64x8_bits __attribute__((vector_size(64)));

/* Constants of eight columns. */
typedef struct sim_curtain_block {
  sim_f64x8 area_m2;                     /* of an inner node; the last node has half of it */
  sim_f64x8 drag_kg_per_m, end_kg_per_m; /* rho C area: of inner nodes, of the last node */
  sim_f64x8 left, right;                 /* 1 if there is a column on that side, else 0 */
} sim_curtain_block;

/* Constants of the wind, precomputed for the kernel. */
typedef struct sim_curtain_source {
  double apex_m[3], axis[3], apex_to_window_m, radius2_m2, fade_per_m2, near_m;
  double pressure_Pa;      /* x (1 - passing)^thinning */
  double gust_kg_per_m_s2; /* amplitude of the turbulence, Pa */
  int falloff, row;        /* row: of the gusts, at the top of the columns now */
  double between;          /* share of the way from `row` to the next row */
} sim_curtain_source;

/* What keeps the cloth from crossing itself (sim_curtain_order.c). */
typedef struct sim_curtain_ordering {
  double a[3], d[3], n[3];      /* unit vectors: along the held nodes; across it, as at the start; a x d */
  double facing[2];             /* d now, along d and n */
  double wish[2];               /* likewise, in the frame of now: where the next step turns it */
  double gap_m;                 /* of neighbours, along a */
  sim_f64x8 *row;               /* [2][block][2]: two rows, in the plane of a and d */
  double (*rod)[3], (*edge)[2]; /* [column]: of a row, in the frame */
} sim_curtain_ordering;

struct sim_curtain {
  sim_curtain_setup setup;
  int blocks, threads;
  double time_s;
  void *memory;            /* holds all vectors below, aligned */
  sim_f64x8 *x, *v, *next; /* [block][node][3]: positions, velocities, positions at the end of
                               the step */
  sim_f64x8 *tension;      /* [block][node]: of the rod above it */
  sim_f64x8 *turning; /* [block][node]: squared relative velocity of the rod's ends in the previous step */
  sim_f64x8 *pulled;  /* [eight rows][column]: pull to the right so far, over the rounds of this step */
  sim_f64x8 *gust;    /* [block][SIM_CURTAIN_GUSTS][3] */
  sim_f64x8 *work;    /* [thread][work_size] */
  long work_size;
  double *lightness; /* [column]: mass of an inner column over its own */
  sim_curtain_block *block;
  sim_curtain_source source;
  sim_body *body; /* the setup's bodies at the end of the step */
  bool dragged;
  sim_curtain_drag drag;
  sim_curtain_ordering order;
};

static inline long sim_curtain_at(const sim_curtain *c, int block, int node) {
  return (long)block * c->setup.nodes + node;
}

/* Calls part(context, i, work) for i < n, on all threads; `work` belongs to the calling thread. */
typedef void sim_curtain_part_of(void *context, int i, sim_f64x8 *work);
void sim_curtain_each(const sim_curtain *c, int n, sim_curtain_part_of *part, void *context);

/* ---- stages of a step, for one block or one row of eight rows ---- */

/* Moves eight columns by forces and tensions: `next` from x and v. */
void sim_curtain_column(sim_curtain *c, int block, double dt_s, sim_f64x8 *work);
/* Pulls neighbouring columns together in eight rows of `next`. first: this is the first round of a step. */
void sim_curtain_pull(sim_curtain *c, int eight, bool first, sim_f64x8 *work);
/* Number of groups of eight rows. */
static inline int sim_curtain_eights(const sim_curtain *c) {
  return (c->setup.nodes + SIM_CURTAIN_LANES - 2) / SIM_CURTAIN_LANES;
}
/* Restores the lengths of the rods in `next`, from the top down. */
void sim_curtain_straighten(sim_curtain *c, int block);
/* v = share (next - x) / dt, x = next. Returns false if a position is not finite. */
bool sim_curtain_arrive(sim_curtain *c, int block, double dt_s, double share);

/* Moves copies of the setup's bodies to the end of the step. */
void sim_curtain_move_bodies(sim_curtain *c, double dt_s);
/* Straightens all blocks and leads nodes out of bodies, as their rods allow. Returns the number of nodes
 * that were in a body. */
int sim_curtain_lead(sim_curtain *c, double dt_s);
/* Likewise one row, as its upper row stands; without bodies: 0. */
int sim_curtain_lead_row(sim_curtain *c, double dt_s, int node);
/* Flattens the fold between two columns, chain[segments + 1], until it is out of all bodies. */
void sim_curtain_flatten(const sim_curtain *c, double (*chain)[3]);
/* Makes the first layer of `next` a graph over a plane, so that the cloth does not cross itself. Returns the
 * number of rows that were corrected. last: no other call follows in this step. */
int sim_curtain_order(sim_curtain *c, double dt_s, bool last);
/* Returns the sum of mass times square of the way from x to `next`, over the areal density. */
double sim_curtain_motion(const sim_curtain *c);
/* Turns the plane for this step. */
void sim_curtain_face(sim_curtain *c);
/* Error: CB_E_RANGE for columns that are held at one place, or start along the line that holds them. */
CB_CHECKED cb_status sim_curtain_order_init(sim_curtain *c, cb_err *err);
/* The direction across the plane of the graph, a unit vector: folds stand out along it. */
void sim_curtain_outward(const sim_curtain *c, double out[3]);

/* Returns sim_curtain_report.stretch. */
double sim_curtain_stretch(const sim_curtain *c);
/* Fills the field of turbulence from the setup's seed. Error: memory. */
CB_CHECKED cb_status sim_curtain_gusts(sim_curtain *c, cb_err *err);

int sim_curtain_width(const sim_curtain *c); /* vertices in a row: (columns - 1) segments + 1 */

#endif
