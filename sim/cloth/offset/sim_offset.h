/* What happens between a cloth and the surface of a body at the end of a step: the cloth stays outside of a
 * contact offset around it, both change their momentum by the same, and friction follows the measured law.
 *
 * Chen, Feng, Wang, ACM TOG 32(4):88 (2013): the contact offset is H = 2L/3 thick, L the longest edge of the
 * cloth, so that no corner of the body can come through between the cloth's vertices. A vertex nearer than H
 * + h is pushed off (R. Bridson, R. Fedkiw, J. Anderson, SIGGRAPH 2002, section on repulsion); one nearer
 * than H is brought back, by a part that grows geometrically with the rounds until it is all, so that
 * vertices which share a piece of the body find their place together (Jacobi's repetition). Velocities change
 * by no more than stops the approach; what else is to be made good is a shift, which makes no energy. A
 * vertex of the body shares its mass among those that stand on it, by weight (mass splitting: R. Tonge, F.
 * Benevolenski, A. Voroshilov, ACM TOG 31(4):105, 2012): no round can overshoot, whatever the masses, and no
 * energy is made.
 *
 * Friction of what pressed in the step before stands in the system of equations (sim_offset_hold,
 * sim_offset_friction); that of what touched first is this: Coulomb's or the law's force, of the normal force
 * that the rounds needed, per area, against the slip. An impulse that stops the slip holds, where it is no
 * more than static friction has; else the kinetic force acts. What rests has no slip left: at once on a body
 * of prescribed motion, round by round on an elastic one.
 *
 * Same bits for any number of threads (no more than omp_get_max_threads() said when it was made). SI. */
#ifndef SIM_OFFSET_H
#define SIM_OFFSET_H

#include <stdbool.h>
#include <stddef.h>

#include "sim_spring.h"
#include "sim_layered.h"

/* H of a mesh whose longest edge may stretch by `stretch`, a skin of a tenth of that, four rounds, no
 * friction. */
sim_offset_setup sim_offset_setup_default(const sim_mesh *mesh, double stretch);

/* Changed in place. A vertex that lies on something else and is pushed against that stays where it is, a wall
 * for the body: its mass is nothing to the weight that it passes on. */
typedef struct sim_offset_cloth {
  const sim_mesh *mesh;
  int first_vertex; /* of those that have a closest point; the arrays are the whole mesh's */
  double (*x_m)[3], (*v_m_per_s)[3];
  const double *mass_kg;
  const bool *held;           /* NULL: none */
  const double (*support)[3]; /* outward normal of what the vertex lies on, 0 where there is nothing; NULL:
                                 nowhere */
} sim_offset_cloth;

typedef struct sim_offset_body {
  const sim_hull *hull;
  double (*x_m)[3], (*v_m_per_s)[3];
  const double *mass_kg; /* NULL: its motion is prescribed, however hard it is pushed */
} sim_offset_body;

typedef struct sim_offset sim_offset; /* opaque: working memory, the slips' frames */
CB_CHECKED cb_status sim_offset_new(const sim_offset_setup *setup, int n_cloth, int n_body, sim_offset **out,
                                    cb_err *err);
void sim_offset_free(sim_offset *offset);

/* Before cloth and body are moved by a step of dt_s: what pressed in the step before stands in their system
 * of equations, as the contact springs that press (n, of the vertices with closest points), or light cloth
 * between heavy bodies would pass on next to nothing, and friction shake what is light and stiff. Returns how
 * many. */
int sim_offset_hold(sim_offset *offset, const sim_offset_cloth *cloth, double dt_s, sim_spring *spring);

/* Friction of vertex i's contact spring, where what it holds slid by `slip` in the step: it holds by a spring
 * of that stiffness and by what it held with in the step before, up to the static force; else it slides with
 * the kinetic one. For sim_springs. */
sim_spring_friction sim_offset_friction(const sim_offset *offset, const sim_offset_cloth *cloth, int i,
                                        double pressed_N, const double slip_m[3]);

/* After that, before the closest points are found: the forces and friction of contact springs are the
 * impulses so far; who was pulled is free from the next step on. Returns what friction took [J]. */
double sim_offset_release(sim_offset *offset, const sim_springs *springs, double dt_s);

/* A copy of what is remembered from step to step, to go back to: state_bytes long. */
size_t sim_offset_state_bytes(const sim_offset *offset);
void sim_offset_state_take(const sim_offset *offset, unsigned char *to);
void sim_offset_state_give(sim_offset *offset, const unsigned char *from);

/* May be called again in the same step, where other bodies press too. At the end of a step of dt_s: closest
 * point[i] is where the cloth's vertex i stands over the body as it is now; `surface` the traversal that
 * found them. Positions and velocities change together: x by dt times v's change. */
void sim_offset_press(sim_offset *offset, const sim_traverse *surface, const sim_closest_point *closest,
                      sim_offset_cloth *cloth, sim_offset_body *body, double dt_s, sim_offset_report *report);

/* Which vertex presses on which triangle, with friction. */
void sim_offset_archive(sim_offset *offset, cb_archive *a);

#endif
