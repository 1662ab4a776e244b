/* Programs that play experiments: this one, Blender, or any command that reads a folder. */
#ifndef CONF_ENGINE_H
#define CONF_ENGINE_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct conf_engine {
  char name[200];   /* "clothbench", "blender", "mujoco", "newton", "pybullet", or a command with {folder} */
  char version[80]; /* what it says of itself; "": not known yet */
  bool has_directions;         /* false: one stiffness for warp and weft */
  bool has_shear, has_bending; /* false: it cannot be told the cloth's */
  /* It bends at the edges between cells. A hinge stands for half a cell on either side, so a clamp ends half
   * an edge within the pinned cells. */
  bool has_hinges;
  double limit_s; /* a command that takes longer is ended */
} conf_engine;

/* Errors: CB_E_ARG for a word that is no program and has no {folder}. */
CB_CHECKED cb_status conf_engine_init(const char *word, conf_engine *out, cb_err *err);

#endif
