/* What a simulator of cloth may choke on: a cloth crumpled and dropped, drawn through a ring, pinched between bodies that leave less room
 * than it is thick, meshes that are none, materials ten decades apart, scenes that start wrong or are too fast. Nothing may hang, become
 * infinite or get through; a mesh that is none is refused by one sentence. */
#ifndef VAL_HARDSHIPS_H
#define VAL_HARDSHIPS_H

#include <stdbool.h>

#include "cb_err.h"

#define VAL_HARDSHIPS_MAX 32

typedef struct val_hardship {
  char name[40], outcome[420]; /* in words */
  int vertices, steps;         /* 0 steps: refused */
  double penetration_m;        /* how far the cloth's middle got into a body, at most, in any step */
  double nearest;              /* the least distance of the cloth's middle from a body, in half thicknesses; 1: as wanted */
  int crossings;               /* pairs of the cloth's triangles that pass through each other, at most (every tenth step, and the last) */
  int not_finite;              /* numbers at the end */
  double seconds;
  bool pass;
} val_hardship;

typedef struct val_hardships {
  int n;
  val_hardship row[VAL_HARDSHIPS_MAX];
  bool pass;
  double seconds;
} val_hardships;

/* vertices: of the cloths, about; >= 50. NULL or its name: one case alone ("materials", "meshes" and "watched" are several). Errors:
 * memory; a name that there is not. */
CB_CHECKED cb_status val_hardships_run(int vertices, const char *only, val_hardships *out, cb_err *err);

#endif
