/* The motion of an elastic body of tetrahedra: co-rotational linear elements (M. Mueller, M. Gross, Graphics
 * Interface 2004), implicit in time.
 *
 * Every tetrahedron's strain is taken in its own rotated frame: the rotation R with the largest tr(R^T F), F
 * being its deformation gradient. R also exists where an element is flat or inside out, which is then pushed
 * back.
 *
 *   strain  e = (R^T F + F^T R)/2 - I,   stress  s = lambda tr(e) I + 2 mu e
 *   force on corner a: -V R s g_a,   g_a the gradient of its shape function
 *   (M (1 + h drag) + (h^2 + h damping) K) v' = M v + h F
 *
 * The last line is backward Euler, linearised once per step with R held, and solved by conjugate gradients
 * with inverse diagonal blocks. Linear tetrahedra are stiffer in bending than the body they stand for;
 * refinement shows by how much.
 *
 * The bits do not depend on the number of threads. SI units. */
#ifndef SIM_ELASTIC_H
#define SIM_ELASTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "sim_shape.h"
#include "sim_layered.h"

/* Makes a body at rest. Caller: sim_elastic_free. Errors: CB_E_RANGE for a density, Young's modulus, damping
 * or drag out of its range, or a Poisson's ratio outside of 0 to 0.49; CB_E_NOMEM. */
CB_CHECKED cb_status sim_elastic_new(const sim_elastic_setup *setup, sim_elastic **out, cb_err *err);
void sim_elastic_free(sim_elastic *body);

/* The positions, per vertex. They may be written between steps (velocities: sim_layered.h). */
double (*sim_elastic_position(sim_elastic *body))[3];
/* Other forces on the vertices in the next step [N], beside gravity and elasticity. Set to 0 after the
 * step. */
double (*sim_elastic_force(sim_elastic *body))[3];
/* Advances the body by dt_s. Errors: CB_E_NUM for a position that is not finite, with its vertex. */
CB_CHECKED cb_status sim_elastic_step(sim_elastic *body, double dt_s, sim_elastic_report *report,
                                      cb_err *err);

/* The step in two parts, for a solver that joins the body's equations with others: matrix v' = b where a
 * vertex is not held (sim_blocks.h). begin makes the system; it belongs to the body. The solver writes v'
 * into the state's velocities, which are its start. end moves the body by them. */
typedef struct sim_elastic_system {
  struct sim_blocks *matrix;
  const double (*b)[3]; /* [kg m/s] */
  const bool *held;     /* NULL: none */
} sim_elastic_system;
sim_elastic_system sim_elastic_begin(sim_elastic *body, double dt_s, sim_elastic_report *report);
CB_CHECKED cb_status sim_elastic_end(sim_elastic *body, double dt_s, cb_err *err);

/* A copy of positions and velocities, state_bytes long: take writes it, give puts it back. */
size_t sim_elastic_state_bytes(const sim_elastic *body);
void sim_elastic_state_take(const sim_elastic *body, unsigned char *to);
void sim_elastic_state_give(sim_elastic *body, const unsigned char *from);

#endif
