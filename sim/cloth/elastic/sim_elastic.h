/* An elastic body of tetrahedra in motion: co-rotational linear elements (M. Mueller, M. Gross, Graphics
 * Interface 2004), implicit in time.
 *
 * Every tetrahedron's strain is taken in its own turned frame, R with the most tr(R^T F), F its deformation;
 * there is one where an element is flat or inside out too, which is then pushed back: stress  s = lambda
 * tr(e) I + 2 mu e,   e = (R^T F + F^T R)/2 - I,   force on corner a: -V R s g_a, g_a the shape function's
 * gradient. Backward Euler, linearised once per step with R held: (M (1 + h drag) + (h^2 + h damping) K) v' =
 * M v + h F, by conjugate gradients with inverse diagonal blocks. Linear tetrahedra are stiffer in bending
 * than the body they stand for; refinement shows by how much.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_ELASTIC_H
#define SIM_ELASTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "sim_shape.h"
#include "sim_layered.h"

/* Errors: density and Young's modulus not > 0, Poisson's ratio not between 0 and 0.49, what is not finite.
 * Caller: sim_elastic_free. */
CB_CHECKED cb_status sim_elastic_new(const sim_elastic_setup *setup, sim_elastic **out, cb_err *err);
void sim_elastic_free(sim_elastic *body);

/* The state, per vertex: may be written between steps (velocities: sim_layered.h). */
double (*sim_elastic_position(sim_elastic *body))[3];
/* What pushes the vertices during the next step [N], beside gravity and elasticity; 0 after it. */
double (*sim_elastic_force(sim_elastic *body))[3];
/* Errors: a number that is not finite, with its vertex. */
CB_CHECKED cb_status sim_elastic_step(sim_elastic *body, double dt_s, sim_elastic_report *report,
                                      cb_err *err);

/* The step in parts, for who solves the body's equations together with others: matrix v' = b where a vertex
 * is not held (sim_blocks.h), v' from the v that stands in the state. */
typedef struct sim_elastic_system {
  struct sim_blocks *matrix;
  const double (*b)[3]; /* kg m/s */
  const bool *held;     /* NULL: none */
} sim_elastic_system;
sim_elastic_system sim_elastic_begin(sim_elastic *body, double dt_s, sim_elastic_report *report);
/* v' stands in the state: moves by it. */
CB_CHECKED cb_status sim_elastic_end(sim_elastic *body, double dt_s, cb_err *err);

/* A copy of the state, to go back to: state_bytes long. */
size_t sim_elastic_state_bytes(const sim_elastic *body);
void sim_elastic_state_take(const sim_elastic *body, unsigned char *to);
void sim_elastic_state_give(sim_elastic *body, const unsigned char *from);

#endif
