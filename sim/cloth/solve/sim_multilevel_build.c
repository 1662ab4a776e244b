/* Builds the blocks of the levels from the matrix. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_lanes.h"
#include "sim_multilevel.h"

#define CHUNK 256 /* nodes or edges that a thread takes at once */

/* Of the six: xx xy xz yy yz zz. */
static const int row_of[] = {0, 0, 0, 1, 1, 2}, column_of[] = {0, 1, 2, 1, 2, 2};

/* Inverts a symmetric 3 x 3 block. Returns whether it is positive definite, as it should be. */
static bool invert_positive(const double b[6], float out[6]) {
  const double cx = b[3] * b[5] - b[4] * b[4], cy = b[2] * b[4] - b[1] * b[5], cz = b[1] * b[4] - b[2] * b[3];
  const double minor = b[0] * b[3] - b[1] * b[1], det = b[0] * cx + b[1] * cy + b[2] * cz;
  if (!(b[0] > 0 && minor > 0 && det > 0)) return false;
  const double inverse[6] = {cx, cy, cz, b[0] * b[5] - b[2] * b[2], b[1] * b[2] - b[0] * b[4], minor};
  for (int k = 0; k < 6; k++) out[k] = (float)(inverse[k] / det);
  return true;
}

/* Inverts a block with the rounding of its entries added first, and more where that is not enough: a node
 * with few edges around may lack a part of their triangles. If nothing helps, the node corrects nothing. */
static void invert(const float b[6], float out[6]) {
  const double top = (double)b[0] + (double)b[3] + (double)b[5];
  memset(out, 0, 6 * sizeof *out);
  if (!(top > 0)) return;
  double shift = 3e-7 * top;
  for (int tries = 0; tries < 7; tries++, shift *= 30) { /* up to some two hundred times its trace */
    const double shifted[6] = {b[0] + shift, b[1], b[2], b[3] + shift, b[4], b[5] + shift};
    if (invert_positive(shifted, out)) return;
  }
}

/* Blocks between nodes of the finest level from the membrane's, symmetrised. */
CB_WIDE static void stiffness_of_edges(sim_level *l, float scale, float (*block)[9], int first, int last) {
  for (int e = first; e < last; e++) {
    sim_quad low = {0}, high = {0};
    float sum[9] = {0};
    for (int k = l->below.start[e]; k < l->below.start[e + 1]; k++) {
      const float factor = l->below.factor[k], *b = block[l->below.item[k]];
      low += factor * sim_quad_load(b);
      high += factor * sim_quad_load(b + 4);
      sum[8] += factor * b[8];
    }
    sim_quad_store(low, sum);
    sim_quad_store(high, sum + 4);
    for (int c = 0; c < 6; c++)
      l->stiffness[e][c] =
          -scale * (sum[3 * row_of[c] + column_of[c]] + sum[3 * column_of[c] + row_of[c]]) / 2;
  }
}

CB_WIDE static void stiffness_from_below(const sim_level *fine, sim_level *l, int first, int last) {
  for (int e = first; e < last; e++) {
    sim_quad low = {0}, high = {0}; /* xx xy xz yy and xz yy yz zz */
    for (int k = l->below.start[e]; k < l->below.start[e + 1]; k++) {
      low += l->below.factor[k] * sim_quad_load(fine->stiffness[l->below.item[k]]);
      high += l->below.factor[k] * sim_quad_load(fine->stiffness[l->below.item[k]] + 2);
    }
    sim_quad_store(low, l->stiffness[e]);
    sim_quad_store(high, l->stiffness[e] + 2);
  }
}

CB_WIDE static void lump(const sim_level *l, float (*from)[8], int first, int last) {
  for (int i = first; i < last; i++) {
    sim_quad low = {0}, high = {0};
    for (int k = l->children.start[i]; k < l->children.start[i + 1]; k++) {
      low += l->children.factor[k] * sim_quad_load(from[l->children.item[k]]);
      high += l->children.factor[k] * sim_quad_load(from[l->children.item[k]] + 4);
    }
    sim_quad_store(low, l->lumped[i]);
    sim_quad_store(high, l->lumped[i] + 4);
  }
}

/* Mass counts in full, although the mean square of a hat is half of its mean: hats overlap, and shared mass
 * costs both. (108 iterations at half of it, 95 at all of it, in the measurement of LEVELS.) A hat bends only
 * at its kinks, over the mesh's own edges, so its bending falls with the cube of its width. */
static void node_inverse(const sim_multilevel *m, sim_level *l, int node) {
  const double ratio = sqrt((double)l->n / m->n);
  const float bending = (float)(0.4 * ratio * ratio * ratio) * l->lumped[node][6];
  float b[6];
  for (int k = 0; k < 6; k++) b[k] = l->lumped[node][k] + (row_of[k] == column_of[k] ? bending : 0);
  for (int e = l->edges.start[node]; e < l->edges.start[node + 1]; e++)
    for (int k = 0; k < 6; k++) b[k] += l->stiffness[l->edges.item[e]][k];
  invert(b, l->inverse[node]);
}

/* Splits a vertex's block for a constraint along the normal: returns the stiffness along it, and writes the
 * part in the plane, with the trace of the whole block along the normal. */
static float split_block(const float d[6], const float n[3], float free_part[6]) {
  const float dn[3] = {d[0] * n[0] + d[1] * n[1] + d[2] * n[2], d[1] * n[0] + d[3] * n[1] + d[4] * n[2],
                       d[2] * n[0] + d[4] * n[1] + d[5] * n[2]};
  const float along = n[0] * dn[0] + n[1] * dn[1] + n[2] * dn[2], top = d[0] + d[3] + d[5];
  for (int k = 0; k < 6; k++) {
    const int a = row_of[k], b = column_of[k];
    free_part[k] = d[k] - dn[a] * n[b] - n[a] * dn[b] + (along + top) * n[a] * n[b]; /* P d P + top n n^T */
  }
  return along;
}

/* The same for a vertex that is free along the direction only. Returns the stiffness along it. */
static float split_line(const float d[6], const float n[3], float free_part[6]) {
  const float along = n[0] * (d[0] * n[0] + 2 * (d[1] * n[1] + d[2] * n[2])) +
                      n[1] * (d[3] * n[1] + 2 * d[4] * n[2]) + d[5] * n[2] * n[2];
  const float top = d[0] + d[3] + d[5];
  for (int k = 0; k < 6; k++)
    free_part[k] = (along - top) * n[row_of[k]] * n[column_of[k]] + (row_of[k] == column_of[k] ? top : 0);
  return along;
}

/* Inverts a constrained vertex's own block in the free directions only. The inverse of the whole block, if it
 * is soft along a slanting normal of the cloth, would bring softness into a stiff direction. */
void sim_multilevel_set_vertex(sim_multilevel *m, const sim_matrix *a, int vertex,
                               const sim_constraint *constraint) {
  float free_part[6];
  if (!constraint || constraint->fixed == SIM_FIXED_WHOLE) {
    invert(a->diagonal[vertex], m->inverse[vertex]);
    return;
  }
  (void)(constraint->fixed == SIM_FIXED_ALONG ? split_block : split_line)(a->diagonal[vertex],
                                                                          constraint->normal, free_part);
  invert(free_part, m->inverse[vertex]);
}

/* Gives the nodes of a constrained vertex the stiffness that they would deform by moving it. */
static void constrain_smoother(sim_multilevel *m, const sim_matrix *a, const sim_constraint *c) {
  const float *d = a->diagonal[c->vertex], *n = c->normal;
  float free_part[6], *own = m->own[c->vertex],
                      along = (c->fixed == SIM_FIXED_ACROSS ? split_line : split_block)(d, n, free_part);
  for (int k = 0; k < 6; k++) {
    const float nn = along * n[row_of[k]] * n[column_of[k]];
    own[k] += c->fixed == SIM_FIXED_WHOLE ? d[k] : c->fixed == SIM_FIXED_ALONG ? nn : d[k] - nn;
  }
  sim_multilevel_set_vertex(m, a, c->vertex, c);
}

#define FEW_CONSTRAINTS 256 /* fewer are not worth waking the threads */

static void collect_own(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6],
                        const sim_constraint *constraints, int n_constraints) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n; i++) {
    invert(a->diagonal[i], m->inverse[i]);
    for (int k = 0; k < 6; k++)
      m->own[i][k] = (row_of[k] == column_of[k] ? (float)mass[i] : 0) + (extra ? extra[i][k] : 0);
    m->own[i][6] = a->bending_scale * a->bending_diagonal[i];
  }
#pragma omp parallel for schedule(static) if (n_constraints > FEW_CONSTRAINTS)
  for (int c = 0; c < n_constraints; c++) constrain_smoother(m, a, &constraints[c]);
}

/* Ratio of the stiffness of single vertices to their inertia: of sums over every 16th vertex, in order. */
static double stiffness_over_inertia(const sim_matrix *a) {
  double whole = 0, own = 0;
  for (int i = 0; i < a->n; i += 16) {
    whole += (double)a->diagonal[i][0] + (double)a->diagonal[i][3] + (double)a->diagonal[i][5];
    own += (double)a->local[i][0] + (double)a->local[i][3] + (double)a->local[i][5];
  }
  return own > 0 ? whole / own : 0;
}

/* Ratio below which vertices hardly interact within a step, and levels cost more than they save
 * (docs/method/performance.md). */
#define LEVELS_FROM 8.0

void sim_multilevel_build(sim_multilevel *m, const sim_matrix *a, const double *mass, const float (*extra)[6],
                          double membrane_scale, const sim_membrane *membrane,
                          const sim_constraint *constraints, int n_constraints) {
  collect_own(m, a, mass, extra, constraints, n_constraints);
  m->n_used = stiffness_over_inertia(a) < LEVELS_FROM ? 0 : m->n_levels;
#pragma omp parallel
  for (int k = 0; k < m->n_used; k++) {
    sim_level *l = &m->level[k];
#pragma omp for schedule(static)
    for (int e = 0; e < l->n_edges; e += CHUNK) {
      const int last = e + CHUNK < l->n_edges ? e + CHUNK : l->n_edges;
      if (k == 0)
        stiffness_of_edges(l, (float)membrane_scale, membrane->block, e, last);
      else
        stiffness_from_below(l - 1, l, e, last);
    }
#pragma omp for schedule(static)
    for (int i = 0; i < l->n; i += CHUNK)
      lump(l, k == 0 ? m->own : l[-1].lumped, i, i + CHUNK < l->n ? i + CHUNK : l->n);
#pragma omp for schedule(static)
    for (int i = 0; i < l->n; i++) node_inverse(m, l, i);
  }
}
