/* Drapes seen from above. */
#ifndef CLI_DRAPE_FIGURE_H
#define CLI_DRAPE_FIGURE_H

#include "val_drape.h"

/* The outline of every drape; circles of the area of the band, and of `measured` (a coefficient, NAN: none). PNG or SVG, by the name. */
CB_CHECKED cb_status cli_drape_figure(const char *path, const fit_drape_setup *size, const val_drape_statistics *s, double measured,
                                      cb_err *err);

#endif
