/* Figures of the friction of one pair, private to report/. A figure whose data the store lacks stays empty.
 */
#ifndef REPORT_PAIR_PLOTS_H
#define REPORT_PAIR_PLOTS_H

#include "report_data.h"
#include "report_plot.h"

typedef struct report_pair_figure {
  const char *name;    /* "mu" */
  const char *what;    /* one line */
  const char *caption; /* what points, lines and bands are */
  /* Fills *p. Errors: those of the store. */
  cb_status (*build)(report_plot *p, const report_data *d, report_pair pair, cb_err *err);
} report_pair_figure;
extern const report_pair_figure report_pair_figures[]; /* ends with name == NULL */

#endif
