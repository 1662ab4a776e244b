/* All that the store knows of a cloth, by its name, and the simulator's material made of it. */
#ifndef LAB_CLOTH_LAWS_H
#define LAB_CLOTH_LAWS_H

#include "cb_bending_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store.h"
#include "cb_stretch_green.h"
#include "sim_material.h"

/* The newest law of each kind; has_*: it is there. Some 150 KB: no place for a stack. */
typedef struct lab_cloth_laws {
  cb_material facts; /* an areal density that nobody typed is the mean of the tests'; 0: not known */
  bool has_stretch, has_bending, has_permeability;
  cb_stretch_law stretch;
  cb_bending_law bending;
  int64_t bending_id;     /* row in the store */
  bool bending_of_drapes; /* lab_drape.h: drapes of the cloth are no test of it */
  cb_permeability_law permeability;
  /* with the body */
  bool has_kinetic, has_static, has_self_friction, has_elasticity;
  cb_friction_law kinetic, stat;
  cb_self_friction_law self_friction;
  cb_elasticity_law elasticity; /* of the body */
  cb_origin elasticity_origin;
} lab_cloth_laws;

/* body NULL: only the cloth's own laws. Friction is that of lab_friction_law_find. Reads only. CB_E_NOTFOUND:
 * no such cloth or body; a law that is not there is no error. CB_E_PARSE, CB_E_RANGE: a stored law is none.
 */
CB_CHECKED cb_status lab_cloth_laws_load(cb_store *s, const char *cloth, const char *body,
                                         lab_cloth_laws *out, cb_err *err);

/* Areal density, thickness, stretch, bending and its friction, of laws that are all there. What a law does
 * not state is as sim_material_isotropic leaves it. CB_E_NOTFOUND: the areal density, stretch or bending is
 * not known; the message names what would give it. */
CB_CHECKED cb_status lab_cloth_material(const lab_cloth_laws *laws, sim_material *out, cb_err *err);

/* ---- parts of these ---- */

/* The cloth's facts, weighed. CB_E_NOTFOUND lists the cloths there are. */
CB_CHECKED cb_status lab_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err);
/* Of curves that were tested, or of a table that was imported. CB_E_NOTFOUND: the law does not state it; the
 * message names what would. */
CB_CHECKED cb_status lab_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out,
                                     cb_err *err);

#endif
