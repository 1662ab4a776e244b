/* Labels of specimens on A4 sheets, as SVG: a QR code of the mark, name, cloth, lot, side and washes, and an
 * arrow along the warp. */
#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include <stddef.h>

#include "cb_store_specimen.h"

/* Writes the labels, per_page on a sheet: 8, 21, 24 or 40, as sheets of labels are sold. The first sheet is
 * PATH.svg, the next PATH-2.svg. on_sheet gets the path of each. Errors: CB_E_ARG for another number or a
 * path that does not end in .svg; those of the files. */
CB_CHECKED cb_status report_labels_write(const cb_specimen *list, size_t n, int per_page, const char *path,
                                         void (*on_sheet)(void *context, const char *path), void *context,
                                         cb_err *err);

#endif
