/* A shirt on a mannequin: cloth sewn around sim_shape.h's torso, cut open at the neck, the arms and the hem. */
#ifndef SIM_LIMIT_SHIRT_H
#define SIM_LIMIT_SHIRT_H

#include "sim_body.h"
#include "sim_mesh.h"

typedef struct sim_shirt {
  sim_solid *skin;  /* the mannequin as it is seen */
  sim_solid *solid; /* as it is met, a little larger */
  sim_body body;    /* of that */
} sim_shirt;

/* The shirt's warp runs upwards. Clear both, even after an error. */
CB_CHECKED cb_status sim_shirt_make(int about_vertices, sim_shirt *out, sim_mesh *mesh, cb_err *err);
void sim_shirt_clear(sim_shirt *s);

#endif
