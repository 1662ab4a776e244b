/* One gnuplot that draws picture after picture: to start it costs more than to draw most of them. Private to
 * report/. */
#ifndef REPORT_PEN_H
#define REPORT_PEN_H

#include "report_text.h"

#define REPORT_PEN_LIMIT_S 60 /* for a picture, on a busy machine; most take 0.01 s */

typedef struct report_pen report_pen;

/* gnuplot starts with the first picture, and anew after a fault. It is ended when it draws for longer than
 * limit_s. The caller frees *pen; NULL is legal. Error: memory. */
CB_CHECKED cb_status report_pen_new(int limit_s, report_pen **pen, cb_err *err);
void report_pen_free(report_pen *pen);

/* Draws what the script says. The caller frees *bytes. Errors: CB_E_NOTFOUND without gnuplot; CB_E_IO, with
 * the title of the figure, if it makes no picture. */
CB_CHECKED cb_status report_pen_draw(report_pen *pen, const report_text *script, const char *title,
                                     char **bytes, size_t *n, cb_err *err);

#endif
