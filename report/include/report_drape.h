/* A figure of drapes, seen from above. */
#ifndef REPORT_DRAPE_H
#define REPORT_DRAPE_H

#include "lab_drape_prediction.h"

/* Draws the outline of every drape into a file, with circles of the areas of the predicted band
 * and of the measured drapes. At least one drape must have been made. Errors: those of
 * report_gnuplot_draw. */
CB_CHECKED cb_status report_drape_draw(const char *path, const lab_drape_prediction *drape, cb_err *err);

#endif
