/* The bar of all served pages. */
#include "report_page.h"

void report_page_bar(report_text *t, const char *question) {
  static const char *const pages[][2] = {{"index", "home"},
                                         {"cloths", "cloths"},
                                         {"bodies", "bodies"},
                                         {"matrix", "friction"},
                                         {"campaigns", "campaigns"},
                                         {"verdicts", "verdicts"},
                                         {"calibrations", "calibrations"},
                                         {"corrections", "corrections"},
                                         {"live", "live"}};
  report_text_add(t, "<nav aria-label=\"pages\"><ul>");
  for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
    report_text_addf(t, "<li><a href=\"%s.html\">%s</a></li>", pages[i][0], pages[i][1]);
  report_text_add(t,
                  "</ul><form action=\"query.html\" role=\"search\"><input name=\"q\" type=\"search\" "
                  "aria-label=\"question\" placeholder=\"cloths without bending\" value=\"");
  report_text_in(t, "", question, "\"><button>ask</button></form></nav>\n");
}
