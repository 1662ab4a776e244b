/* Laws -> the simpler cloths that other programs know, and ARCSim's tables -> laws. */
#ifndef LAB_SHEET_H
#define LAB_SHEET_H

#include "exch_arcsim.h"
#include "exch_material.h"
#include "exch_sheet.h"

#define LAB_SHEET_STRAIN 0.02 /* secant stiffness to this strain stands for a curve */

/* Whatever the laws know; NAN where there is none. body: whose friction; NULL: the only one's, if there is
 * one only. CB_E_NOTFOUND: no friction law with that body. */
CB_CHECKED cb_status lab_sheet_of(const exch_material *m, const char *body, exch_sheet *out, cb_err *err);

/* Needs areal density, stretch (warp, weft and 45 degrees, or the table) and bending: CB_E_NOTFOUND says
 * which is missing. *beyond: the table reaches past the strains that were measured. */
CB_CHECKED cb_status lab_arcsim_of(const exch_material *m, exch_arcsim *out, bool *beyond, cb_err *err);
/* m->facts must be filled but for the density; makes the laws. Caller: exch_material_clear. */
CB_CHECKED cb_status lab_arcsim_laws(const exch_arcsim *a, exch_material *m, cb_err *err);

#endif
