/* All laws that the store has for a cloth, by its name. For the laws of a scene see lab_scene.h. */
#ifndef LAB_CLOTH_LAWS_H
#define LAB_CLOTH_LAWS_H

#include "cb_bending_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store.h"
#include "cb_stretch_green.h"

/* The newest law of each kind, valid where has_* is true. It has some 150 KB: allocate it on the heap. */
typedef struct lab_cloth_laws {
  cb_material facts; /* an areal density that was not typed is the mean of the tests; 0: unknown */
  bool has_stretch, has_bending, has_permeability;
  cb_stretch_law stretch;
  cb_bending_law bending;
  int64_t bending_id;     /* row in the store */
  bool bending_of_drapes; /* bending was inferred from drapes (lab_drape.h): drapes cannot test it */
  cb_permeability_law permeability;
  /* with the body, or of the body */
  bool has_kinetic, has_static, has_self_friction, has_elasticity;
  cb_friction_law kinetic, stat;
  cb_self_friction_law self_friction;
  cb_elasticity_law elasticity; /* of the body */
} lab_cloth_laws;

/* Loads the laws. body NULL: only the cloth's own laws. Friction laws are those of lab_friction_law_find. A
 * missing law is no error. It only reads. Errors: CB_E_NOTFOUND without such a cloth or body; CB_E_PARSE,
 * CB_E_RANGE for a stored text that is no law. */
CB_CHECKED cb_status lab_cloth_laws_load(cb_store *s, const char *cloth, const char *body,
                                         lab_cloth_laws *out, cb_err *err);

#endif
