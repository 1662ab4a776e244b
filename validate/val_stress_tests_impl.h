/* What the cases share: a cloth, its bodies, and a run that watches them. */
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

/* Sets velocities of bodies and grips for the step that begins at time_s. */
typedef void hard_motion(hard_lab *lab, double time_s);

/* A square of side_m, irregular, its middle at the origin of x and y and at z_m; 150 g/m2, 1 mm thick. Then
 * the caller adds bodies and grips, and hard_lab_start makes the cloth. hard_lab_clear even after a
 * failure. */
CB_CHECKED cb_status hard_lab_init(hard_lab *lab, double side_m, double z_m, int vertices, cb_err *err);
CB_CHECKED cb_status hard_lab_start(hard_lab *lab, cb_err *err);
void hard_lab_clear(hard_lab *lab);

/* Takes the steps and measures; a step that fails is an outcome. */
CB_CHECKED cb_status hard_run(hard_lab *lab, double dt_s, int steps, hard_motion *move, val_stress_test *row,
                              cb_err *err);

CB_CHECKED cb_status hard_meshes(val_stress_tests *out, cb_err *err);
/* Scenes that are refused, or end, by the right sentence, or go to their end. */
CB_CHECKED cb_status hard_watched(val_stress_tests *out, cb_err *err);

#endif
