/* A figure of a material that somebody stated, and that no law is made of: 2HG of a KES-F sheet, a surface
 * roughness. The store only appends such rows. */
#ifndef CB_MATERIAL_FIGURE_H
#define CB_MATERIAL_FIGURE_H

#include <stdint.h>

#include "cb_origin.h"

typedef struct cb_material_figure {
  int64_t id;
  char uuid[37];
  int64_t material_id;
  char name[32];        /* "2HG", "MMD" */
  double value, u;      /* u: standard uncertainty; NAN: not known */
  char unit[16];        /* SI; "1": a number */
  char conditions[120]; /* in words; "": not stated */
  char method[32];      /* the standard or the apparatus; "": not stated */
  cb_origin origin;
  char source[256]; /* who states it */
  char created_at[32];
} cb_material_figure;

#endif
