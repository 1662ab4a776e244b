/* What the sections of the page share: numbers and figures. */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>

#include "report_gnuplot_impl.h"
#include "report_plot_impl.h"

void report_page_number(report_text *t, double value, int digits) {
  if (!isfinite(value)) {
    report_text_add(t, "\u2013");
    return;
  }
  /* Never in scientific notation where a plain number will do. */
  int decimals = value == 0 ? 0 : digits - 1 - (int)floor(log10(fabs(value)));
  if (decimals > 6 || decimals < -6)
    report_text_addf(t, "%.*g", digits, value);
  else
    report_text_addf(t, "%.*f", decimals > 0 ? decimals : 0, value);
}

void report_page_value(report_text *t, double value, double U) {
  if (!isfinite(value) || !isfinite(U) || U <= 0) {
    report_page_number(t, value, 4);
    return;
  }
  int decimals = 1 - (int)floor(log10(U));
  decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
  report_text_addf(t, "%.*f\u2009\u00b1\u2009%.*f", decimals, value, decimals, U);
}

cb_status report_page_figure(report_page *page, report_plot *plot, const char *caption, cb_err *err) {
  report_text *t = page->text;
  char *svg = NULL;
  size_t n = 0;
  cb_status st = CB_OK;
  if (report_plot_is_empty(plot) && !plot->failed) {
    report_text_add(t, "<p class=\"note\">No data for the figure \u201c");
    report_text_html(t, plot->title);
    report_text_add(t, "\u201d.</p>\n");
    goto done;
  }
  CB_GOTO(report_gnuplot_svg(plot, &svg, &n, err));
  report_text_add(t, "<figure><img alt=\"");
  report_text_html(t, plot->title);
  report_text_add(t, "\" src=\"data:image/svg+xml;base64,");
  report_text_base64(t, svg, n);
  report_text_add(t, "\"><figcaption>");
  report_text_html(t, caption);
  report_text_add(t, "</figcaption></figure>\n");
done:
  free(svg);
  report_plot_clear(plot);
  return st;
}

/* ---- the frame ---- */
