/* Figures that somebody stated of a material, in the store.
 * Errors of all functions: see cb_store.h. */
#ifndef CB_STORE_FIGURE_H
#define CB_STORE_FIGURE_H

#include "cb_material_figure.h"
#include "cb_store.h"

/* Inserts a figure and sets f->id, uuid and created_at. fingerprint is that of the file's bytes; "" without a
 * file.
 * Errors: also CB_E_NUM if the value is not finite. */
CB_CHECKED cb_status cb_store_figure_put(cb_store *s, cb_material_figure *f, const char *fingerprint,
                                         cb_err *err);
/* Lists the figures of a material by id; of all materials if material_id is 0. */
CB_CHECKED cb_status cb_store_figures(cb_store *s, int64_t material_id, cb_material_figure **list, size_t *n,
                                      cb_err *err);
/* Writes the time at which a file of this fingerprint was imported; "" if it was not. */
CB_CHECKED cb_status cb_store_figure_fingerprint(cb_store *s, const char *fingerprint, char created_at[32],
                                                 cb_err *err);

#endif
