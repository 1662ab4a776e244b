/* One drape test of a cloth, evaluated from the shadow of the draped specimen (fit_drape.h,
 * docs/method/drape.md). The store only appends such rows. SI units. */
#ifndef CB_DRAPE_TEST_H
#define CB_DRAPE_TEST_H

#include <stdint.h>

#include "cb_origin.h"

typedef struct cb_drape_test {
  int64_t id;
  char uuid[37];
  int64_t material_id;
  char capture[64];             /* file name of the capture: which drape of which piece */
  char method[16];              /* "silhouette", "mesh"; "typed": the coefficient alone is known */
  double support_m, specimen_m; /* diameters */
  double drape_coefficient, u_drape_coefficient;
  double nodes, node_height_m; /* of what was typed: NAN, as all below */
  double area_m2;              /* of the shadow */
  double pixel_m, u_scale_rel;
  char scale_from[16]; /* "given", "disc", "assumed", "mesh"; "": typed */
  cb_origin origin;
  char source[256];
  char created_at[32];
} cb_drape_test;

#endif
