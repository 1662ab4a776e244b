/* The contact offset between a cloth and the surface of a body, at the end of a step. The cloth stays outside
 * of the offset, cloth and body change their momentum by the same amount, and friction follows the measured
 * law.
 *
 * After Chen, Feng, Wang, ACM TOG 32(4):88 (2013). The offset is H = 2L/3 thick, L the longest edge of the
 * cloth, so that no corner of the body can come through between the cloth's vertices. A vertex nearer than H
 * + h is pushed off (R. Bridson, R. Fedkiw, J. Anderson, SIGGRAPH 2002, section on repulsion). A vertex
 * nearer than H is moved back, by a fraction that grows geometrically with the rounds to 1, so that vertices
 * over the same piece of the body find their place together (Jacobi iteration). Velocities change by no more
 * than stops the approach; the rest of the way is a shift, which makes no energy. A vertex of the body
 * divides its mass among the cloth's vertices that stand on it, by weight (mass splitting: R. Tonge, F.
 * Benevolenski, A. Voroshilov, ACM TOG 31(4):105, 2012). So no round can overshoot, whatever the masses are,
 * and no energy is made.
 *
 * Friction of contacts of the previous step is part of the system of equations (sim_offset_hold,
 * sim_offset_friction). Friction of new contacts is applied here: Coulomb's or the law's force per area, for
 * the normal force that the rounds needed, against the slip. If the impulse that stops the slip is at most
 * static friction, the contact holds; else the kinetic force acts. A holding contact has no slip left: at
 * once on a body of prescribed motion, after the rounds on an elastic one.
 *
 * The bits do not depend on the number of threads, which must be at most omp_get_max_threads() of the time
 * when it was made. SI units. */
#ifndef SIM_OFFSET_H
#define SIM_OFFSET_H

#include <stdbool.h>
#include <stddef.h>

#include "sim_spring.h"
#include "sim_layered.h"

/* Returns a setup for a mesh whose longest edge may grow by the factor 1 + stretch: H from that, a skin of H
 * / 10, four rounds, no friction. */
sim_offset_setup sim_offset_setup_default(const sim_mesh *mesh, double stretch);

/* The cloth, changed in place. Arrays are the whole mesh's. A vertex that lies on something else, and is
 * pushed against it, stays where it is, as a wall for the body: its mass is negligible beside the weight that
 * it passes on. */
typedef struct sim_offset_cloth {
  const sim_mesh *mesh;
  int first_vertex; /* first vertex with a closest point */
  double (*x_m)[3], (*v_m_per_s)[3];
  const double *mass_kg;
  const bool *held; /* NULL: none; a held vertex is a wall for the body, too */
  /* Outward normal of what the vertex lies on; 0 where there is nothing; NULL: nowhere. */
  const double (*support)[3];
} sim_offset_cloth;

/* The body, changed in place. */
typedef struct sim_offset_body {
  const sim_hull *hull;
  double (*x_m)[3], (*v_m_per_s)[3];
  const double *mass_kg; /* NULL: its motion is prescribed, whatever the forces */
} sim_offset_body;

typedef struct sim_offset sim_offset; /* opaque: working memory, memory of contacts */
/* Makes an offset for n_cloth vertices of cloth and n_body of the body. Caller: sim_offset_free. Errors:
 * CB_E_RANGE for a number out of its range, those of sim_friction_check, CB_E_NOMEM. */
CB_CHECKED cb_status sim_offset_new(const sim_offset_setup *setup, int n_cloth, int n_body, sim_offset **out,
                                    cb_err *err);
void sim_offset_free(sim_offset *offset);

/* Before a step of dt_s: makes contacts of the previous step the contact springs of this one. spring: one
 * per vertex with a closest point; those that press are set. Returns their number. Without these springs,
 * light cloth between heavy bodies would pass on next to nothing, and friction would shake light, stiff
 * vertices. */
int sim_offset_hold(sim_offset *offset, const sim_offset_cloth *cloth, double dt_s, sim_spring *spring);

/* Friction of the contact spring of vertex i, which is pressed with pressed_N and slid by slip_m in the step
 * under the friction `was`. It holds by a spring and by the friction of the previous step, up to the static
 * force; else it slides with the kinetic force. A slide that its own friction turned round has come to rest
 * on the way: it is tried as a contact that holds. For sim_springs. */
sim_spring_friction sim_offset_friction(const sim_offset *offset, const sim_offset_cloth *cloth, int i,
                                        const sim_spring_friction *was, double pressed_N,
                                        const double slip_m[3]);

/* After the step, before the closest points are found: takes over the normal forces and friction of the
 * contact springs as the impulses so far. A spring in tension is released in the next step. Returns the
 * energy that friction dissipated [J]. */
double sim_offset_release(sim_offset *offset, const sim_springs *springs, double dt_s);

/* A copy of the memory from step to step, state_bytes long: take writes it, give puts it back. */
size_t sim_offset_state_bytes(const sim_offset *offset);
void sim_offset_state_take(const sim_offset *offset, unsigned char *to);
void sim_offset_state_give(sim_offset *offset, const unsigned char *from);

/* At the end of a step of dt_s: keeps the cloth out of the offset. closest[i] is the closest point of the
 * cloth's vertex i on the body as it is now; `surface` is the traversal that found it. Changes positions and
 * velocities together: x by dt_s times the change of v, and by shifts. May be called again in the same step,
 * when other bodies press, too. */
void sim_offset_press(sim_offset *offset, const sim_traverse *surface, const sim_closest_point *closest,
                      sim_offset_cloth *cloth, sim_offset_body *body, double dt_s, sim_offset_report *report);

/* Saves or loads the memory of contacts: normal, impulses and friction per vertex. Bad bytes set `wrong`. */
void sim_offset_archive(sim_offset *offset, cb_archive *a);

#endif
