/* physics.json of the Unified 3D Material format, version 1.1 (U3M, https://u3m.info): the file that fabric
 * libraries and design programs exchange. It has three keys: schema, raw_data (readings of a machine, or
 * null) and custom (anything).
 *
 * What is written has no raw data; custom.clothbench is the document of exch_material.h. */
#ifndef EXCH_U3M_H
#define EXCH_U3M_H

#include "exch_material.h"

/* Writes the file. The caller frees *text.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_u3m_write(const exch_material *m, char **text, cb_err *err);

/* Reads n bytes of text; `name` stands for the file in errors. With custom.clothbench, the laws are as
 * written. A file of others gives facts alone: mass (raw_data.M, g/m2; custom.browzwear.mass), thickness
 * (custom.browzwear.thickness, mm) and name (custom.browzwear.name; "": there is none), origin imported. The
 * caller frees *m with exch_material_clear; on failure it is cleared. Errors: CB_E_PARSE, CB_E_RANGE for
 * another schema or a number out of range, and for a file without any of these; those of exch_material_read.
 */
CB_CHECKED cb_status exch_u3m_read(const char *text, size_t n, const char *name, exch_material *m,
                                   cb_err *err);

#endif
