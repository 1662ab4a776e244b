/* Three layers: a cloth, the air under it, the body below. Chen, Feng, Wang, ACM TOG 32(4):88 (2013); SYSTEMS A3 to A6.
 *
 * A step: cloth and body by themselves, each pushed by the air's pressure as it is (sim_cloth.h, sim_elastic.h); then the cloth's feet on
 * the body's surface (sim_traverse.h), the buffer between them (sim_buffer.h), and the air in the gaps that this left (sim_air.h), whose
 * change of pressure pushes both once more, so that long steps are stable: with cloth of stiffness K and air of stiffness S this factors
 * the implicit step as (1 + K)(1 + S).
 *
 * The body is elastic, or a surface that moves as it is told. Same bits for any number of threads. SI. */
#ifndef SIM_THREE_H
#define SIM_THREE_H

#include <stdbool.h>

#include "sim_air.h"
#include "sim_buffer.h"
#include "sim_cloth.h"
#include "sim_elastic.h"
#include "sim_traverse.h"

typedef struct sim_three_setup {
  sim_setup cloth;           /* its push_N is this module's */
  sim_elastic_setup elastic; /* tets NULL: the body is the surface below */
  const double (*surface_m)[3];
  const int (*surface_triangle)[3];
  int surface_vertices, surface_triangles;
  sim_buffer_setup buffer;
  bool has_air;
  sim_air_setup air;
  double air_Pa;         /* pressure in the layer at the start */
  double air_gap_most_m; /* the layer is no deeper than this: what hangs far from the body has air all around; 0: no bound */
  sim_traverse_mode traversal;
} sim_three_setup;

sim_three_setup sim_three_setup_default(const sim_mesh *mesh, const sim_material *material);

typedef enum sim_three_phase {
  SIM_THREE_CLOTH,
  SIM_THREE_BODY,
  SIM_THREE_SURFACE,
  SIM_THREE_FEET,
  SIM_THREE_BUFFER,
  SIM_THREE_AIR,
  SIM_THREE_PHASES
} sim_three_phase;
extern const char *const sim_three_phase_names[]; /* "cloth", "body", "surface", "feet", "buffer", "air", NULL */

typedef struct sim_three_report {
  sim_step_report cloth;
  sim_elastic_report body;
  sim_buffer_report buffer;
  sim_air_report air;
  sim_traverse_counts feet;
  double phase_s[SIM_THREE_PHASES];
} sim_three_report;

typedef struct sim_three sim_three; /* opaque */

/* Errors: those of the parts; a vertex of the cloth that starts inside of the body, with its number and depth. */
CB_CHECKED cb_status sim_three_new(const sim_three_setup *setup, sim_three **out, cb_err *err);
void sim_three_free(sim_three *three);

sim_cloth *sim_three_cloth(sim_three *three);
/* NULL where there is none. */
sim_elastic *sim_three_elastic(sim_three *three);
sim_air *sim_three_air(sim_three *three);
const sim_hull *sim_three_hull(const sim_three *three);
/* The body's vertices, in positions and velocities; the elastic body's own, or those of the surface: the caller's to move. */
double (*sim_three_body_position(sim_three *three))[3];
double (*sim_three_body_velocity(sim_three *three))[3];
const sim_foot *sim_three_foot(const sim_three *three); /* per vertex of the cloth */

/* A surface that moves as it is told is carried on by its velocities. */
CB_CHECKED cb_status sim_three_step(sim_three *three, double dt_s, sim_three_report *report, cb_err *err);

#endif
