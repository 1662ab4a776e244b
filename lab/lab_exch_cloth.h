/* Laws -> the simpler cloths that other programs know, and ARCSim's tables -> laws. */
#ifndef LAB_EXCH_CLOTH_H
#define LAB_EXCH_CLOTH_H

#include "exch_arcsim.h"
#include "exch_material.h"
#include "exch_cloth.h"

#define LAB_EXCH_CLOTH_STRAIN 0.02 /* secant stiffness to this strain stands for a curve */

/* Whatever the laws know; NAN where there is none. body: whose friction; NULL: the only one's, if there is
 * one only. CB_E_NOTFOUND: no friction law with that body. */
CB_CHECKED cb_status lab_exch_cloth_of(const exch_material *m, const char *body, exch_cloth *out,
                                       cb_err *err);

/* Needs areal density, stretch (warp, weft and 45 degrees, or the table) and bending: CB_E_NOTFOUND says
 * which is missing. *beyond: the table reaches past the strains that were measured. */
CB_CHECKED cb_status lab_arcsim_of(const exch_material *m, exch_arcsim *out, bool *beyond, cb_err *err);
/* m->facts must be filled but for the density; makes the laws. Caller: exch_material_clear. */
CB_CHECKED cb_status lab_arcsim_laws(const exch_arcsim *a, exch_material *m, cb_err *err);

#endif
