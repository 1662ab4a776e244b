/* The shared parts of the stress tests: a cloth, its bodies, and a run that measures them; private to
 * validate/. */
#ifndef VAL_STRESS_TESTS_IMPL_H
#define VAL_STRESS_TESTS_IMPL_H

#include "sim_cloth.h"
#include "sim_mesh.h"
#include "sim_self.h"
#include "val_stress_tests.h"

#define HARD_BODIES 6

typedef struct hard_lab {
  sim_mesh mesh;
  sim_material material;
  sim_body body[HARD_BODIES];
  sim_solid *solid;
  bool *gripped;
  sim_cloth_setup setup;
  sim_cloth *cloth;
  sim_self *self; /* counts crossings */
} hard_lab;

/* Sets the velocities of bodies and grips for the step that begins at time_s. */
typedef void hard_motion(hard_lab *lab, double time_s);

/* Makes a square of side_m on an irregular mesh, its middle at x = y = 0 and z_m, with 150 g/m2 and 1 mm
 * thickness. The caller then adds bodies and grips, and hard_lab_start makes the cloth. Call hard_lab_clear
 * even after an error. */
CB_CHECKED cb_status hard_lab_init(hard_lab *lab, double side_m, double z_m, int vertices, cb_err *err);
CB_CHECKED cb_status hard_lab_start(hard_lab *lab, cb_err *err);
void hard_lab_clear(hard_lab *lab);

/* Runs the steps and fills *row. A step that fails is an outcome. move may be NULL. */
CB_CHECKED cb_status hard_run(hard_lab *lab, double dt_s, int steps, hard_motion *move, val_stress_test *row,
                              cb_err *err);

/* Add the rows of broken meshes, each of which must be refused. */
CB_CHECKED cb_status hard_meshes(val_stress_tests *out, cb_err *err);
/* Adds the rows of scenes that must be refused or stopped with the right sentence, or run to their end. */
CB_CHECKED cb_status hard_watched(val_stress_tests *out, cb_err *err);

#endif
