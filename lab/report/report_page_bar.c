/* The bar of all served pages. */
#include "cb_language.h"
#include "report_page.h"

void report_page_bar(report_text *t, const char *question) {
  static const char *const pages[][2] = {{"index", N_("home")},
                                         {"cloths", N_("cloths")},
                                         {"bodies", N_("bodies")},
                                         {"matrix", N_("friction")},
                                         {"campaigns", N_("campaigns")},
                                         {"verdicts", N_("verdicts")},
                                         {"calibrations", N_("calibrations")},
                                         {"corrections", N_("corrections")},
                                         {"live", N_("live")}};
  report_text_add(t, "<nav aria-label=\"pages\"><ul>");
  for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
    report_text_addf(t, "<li><a href=\"%s.html\">%s</a></li>", pages[i][0], _(pages[i][1]));
  report_text_add(t,
                  "</ul><form action=\"query.html\" role=\"search\"><input name=\"q\" type=\"search\" "
                  "aria-label=\"question\" placeholder=\"cloths without bending\" value=\"");
  report_text_in(t, "", question, "\"><button>");
  report_text_addf(t, "%s</button></form></nav>\n", _("ask"));
}
