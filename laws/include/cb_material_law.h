/* A law's row in the store. */
#ifndef CB_MATERIAL_LAW_H
#define CB_MATERIAL_LAW_H

#include <stdint.h>

#include "cb_origin.h"

/* Every law of a material: LAW(PERMEABILITY, permeability) stands for CB_LAW_PERMEABILITY, the name
 * "permeability" and its row of the table, law_permeability (law.h). */
#define CB_LAWS(LAW)              \
  LAW(PERMEABILITY, permeability) \
  LAW(STRETCH, stretch)           \
  LAW(BENDING, bending)           \
  LAW(ELASTICITY, elasticity)     \
  LAW(COMPRESSION, compression)

#define CB_LAW_KIND(NAME, name) CB_LAW_##NAME,
typedef enum cb_material_law_kind { CB_LAWS(CB_LAW_KIND) CB_LAW_KINDS } cb_material_law_kind;
/* The words of commands, files, docs and the database; NULL at the end. */
extern const char *const cb_material_law_kind_names[];

/* The result of a fit, or imported whole. */
typedef struct cb_material_law {
  int64_t id;
  int64_t material_id;
  cb_material_law_kind kind;
  char form[32];
  cb_origin origin;
  char source[256]; /* citation; of imported and of shipped laws */
  /* Parameters with units in their keys, uncertainties, verdicts (docs/reference/json). When the store
   * returns the struct, the caller frees this text. When the struct is stored, it stays the caller's. */
  char *result_json;
  char method[160];
  char created_at[32];
} cb_material_law;

#endif
