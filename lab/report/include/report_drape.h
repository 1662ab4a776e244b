/* A figure of drapes, seen from above. */
#ifndef REPORT_DRAPE_H
#define REPORT_DRAPE_H

#include "lab_drape_prediction.h"

/* Draws the outline of every drape into a file, with circles of the areas of the predicted band
 * and of the measured drapes. At least one drape must have been made. Errors: those of
 * report_gnuplot_draw. */
CB_CHECKED cb_status report_drape_draw(const char *path, const lab_drape_prediction *drape, cb_err *err);

/* Writes a page (view.html) of the drape in the middle from above, with the outline of its shadow. scan: a
 * measured drape (OBJ [m]; z up, 0 at the support; the support's middle at x = y = 0), drawn over it with its
 * outline; NULL: none. Errors: CB_E_RANGE for a sealed prediction, which has no drape; those of
 * fit_drape_read and of show_drape_view. */
CB_CHECKED cb_status report_drape_view(const char *path, const char *scan, const lab_drape_prediction *drape,
                                       cb_err *err);

#endif
