/* What is looked at so that nothing goes wrong without a word: how a cloth starts, how far things move in a step, whether a body came
 * through, whether energy appears. All of it reads, nothing is changed. SI. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include <stdbool.h>

#include "sim_cloth.h"

/* ---- the start ---- */

/* Refuses a cloth that starts in a body or in itself. In a body: a free vertex, or a place of a triangle between such vertices, deeper than
 * half of the cloth's thickness (the cloth's middle may lie on a surface; what is gripped may lie anywhere); of a triangle, a quarter of
 * what the body measures from its innermost place to its surface is allowed beside, for the corners that a mesh cuts. In itself, where it
 * meets itself: triangles that cross, places that coincide, other places nearer than SIM_START_NEAR of the thickness, below which the
 * steps let nothing come. Errors: one sentence with the vertex or the triangles, place and depth. */
#define SIM_START_NEAR 0.05
CB_CHECKED cb_status sim_start_check(sim_cloth *cloth, cb_err *err);

/* ---- the length of a step ---- */

/* How a step of dt_s has to be divided so that no body moves, against free vertices that it can reach, further than its inner radius:
 * parts = 1, or as many as make that half of the radius at most. Errors: more than SIM_PACE_MOST are wanted; the sentence names body,
 * vertex, speed and the step that would do. */
#define SIM_PACE_MOST 256
CB_CHECKED cb_status sim_pace_of_cloth(const sim_cloth *cloth, double dt_s, int *parts, cb_err *err);
/* The same of one thing: `travel_m` in the step, past what is `inner_m` thick. */
int sim_pace_parts(double travel_m, double inner_m);

/* ---- coming through ---- */

/* Points that go straight from start_m to end_m, and triangles of the mesh whose vertices, not all gripped, lie in [first, first + n) and
 * go straight from x0 to x1: the first triangle that comes within near_m of one; -1: none does. solid: whose core the points are; triangles
 * wider than it is thick may then cut its rim; NULL: none may. */
int sim_through_find(const sim_mesh *mesh, const bool *gripped, int first, int n, const double (*x0)[3], const double (*x1)[3],
                     const double (*start_m)[3], const double (*end_m)[3], int points, double near_m, const sim_solid *solid);
/* The sentence: what came through where, and what would help. inner_m: of the body; time_s: at the end of the step of dt_s. */
CB_CHECKED cb_status sim_through_fail(const sim_mesh *mesh, const bool *gripped, const double (*x)[3], int triangle, const char *body,
                                      double inner_m, double time_s, double dt_s, cb_err *err);

/* ---- energy that appears ---- */

/* A ledger watched from its begin on. What was put in: what the cloth held at the begin, what gravity, supports and the buffers of layers
 * gave since, each at its most, and the kinetic energy of the cloth at the speed of the fastest grip or body. What appeared: by how much
 * the sum of all energy is more than at the begin, or rose in one step, if that is more. What layers of the cloth that press each other
 * hold meanwhile is not in the ledger: it may come back slowly. */
typedef struct sim_alarm {
  sim_energy begin;
  double last_sum_J, gravity_most_J, supports_most_J; /* after the last step; given since the begin, at their most */
  double mass_kg, fastest_m_per_s;                    /* of the cloth; of grips and bodies so far */
  double floor_J;                                     /* may appear: contacts that press the cloth half of its thickness away in one step */
  double pressed_J, pressed_most_J;                   /* what buffers of layers gave: sum over the steps, and its most */
  double most;                                        /* the largest part of what was put in that appeared so far */
} sim_alarm;

#define SIM_ALARM_SHARE 20.0          /* of what was put in: more is an error */
#define SIM_ALARM_SHARE_LAYERS 1000.0 /* ... with layers, whose bodies and air hold energy that the ledger does not have */

sim_alarm sim_alarm_begin(sim_cloth *cloth, double dt_s);
/* After a step. Errors: the sentence with the time, how much appeared against how much was put in, and the likely cause. */
CB_CHECKED cb_status sim_alarm_look(sim_alarm *alarm, sim_cloth *cloth, const sim_step_report *report, cb_err *err);

#endif
