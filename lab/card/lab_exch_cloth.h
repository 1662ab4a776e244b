/* Conversion of laws to the simpler cloths of other programs, and of ARCSim's tables to laws. Private to
 * lab/. */
#ifndef LAB_EXCH_CLOTH_H
#define LAB_EXCH_CLOTH_H

#include "exch_arcsim.h"
#include "exch_material.h"
#include "exch_cloth.h"

/* Fills in what the laws have; NAN elsewhere. body selects the friction; NULL selects the only body, if
 * there is exactly one. Error: CB_E_NOTFOUND without a friction law with that body. */
CB_CHECKED cb_status lab_exch_cloth_of(const exch_material *m, const char *body, exch_cloth *out,
                                       cb_err *err);

/* Makes the tables of ARCSim. It needs areal density, stretch (warp, weft and 45 degrees, or a table) and
 * bending. *beyond is set if a table reaches past the measured strains. Error: CB_E_NOTFOUND names what is
 * missing. */
CB_CHECKED cb_status lab_arcsim_of(const exch_material *m, exch_arcsim *out, bool *beyond, cb_err *err);
/* Makes laws from such tables. m->facts must be filled in, except the density. The caller calls
 * exch_material_clear. */
CB_CHECKED cb_status lab_arcsim_laws(const exch_arcsim *a, exch_material *m, cb_err *err);

#endif
