/* Drapes seen from above. */
#ifndef REPORT_DRAPE_H
#define REPORT_DRAPE_H

#include "lab_drape_prediction.h"

/* The outline of every drape, and circles of the area of the band and of what was measured, into a .png or
 * .svg file. At least one drape was made. Errors as of report_gnuplot_draw. */
CB_CHECKED cb_status report_drape_draw(const char *path, const lab_drape_prediction *drape, cb_err *err);

#endif
