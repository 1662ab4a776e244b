/* A cloth or a body, in the store and in material files. */
#ifndef CB_MATERIAL_H
#define CB_MATERIAL_H

#include <stdint.h>

#include "cb_origin.h"

typedef enum cb_material_kind { CB_CLOTH, CB_BODY } cb_material_kind;
extern const char *const cb_material_kind_names[]; /* "cloth", "body", NULL */

typedef struct cb_material {
  int64_t id;
  cb_material_kind kind;
  char name[64]; /* unique per kind */
  char composition[128], weave[64];
  double areal_density_kg_per_m2, u_areal_density_kg_per_m2; /* standard uncertainties; 0: unknown */
  double thickness_m, u_thickness_m;
  char source[256]; /* citation */
  cb_origin origin;
} cb_material;

#endif
