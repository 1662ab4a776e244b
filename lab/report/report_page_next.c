/* What to measure next of a cloth: shares of its properties in the uncertainty of the predicted drape. */
#include <math.h>

#include "report_page.h"
#include "cb_plural.h"

static void add_influence(report_text *t, const lab_drape_influence *x) {
  report_text_in(t, "<tr><td class=\"t\">", x->property, "");
  report_text_addf(
      t, "</td><td>%.0f %%</td><td>%.0f to %.0f %%</td><td>%.0f %%</td><td>%.3f</td><td class=\"w\">",
      100 * fmax(x->total, 0), 100 * fmax(x->total_lo95, 0), 100 * x->total_hi95, 100 * fmax(x->alone, 0),
      x->sd_if_known);
  report_text_in(t, "", x->source ? x->source : "\u2013", "</td></tr>\n");
}

void report_page_next(report_page *page) {
  const lab_drape_influences *next = page->next;
  report_text *t = page->text;
  if (!next) return;
  report_text_words(t, "<section><h2>What to measure next</h2>\n<p>The predicted ");
  report_text_html(t, next->figure);
  report_text_addf(t,
                   " is %.3f with a standard deviation of %.3f, which the uncertainty of these properties "
                   "makes.</p>\n",
                   next->mean, next->sd);
  report_text_words(t,
                    "<div class=\"scroll\"><table><tr><th class=\"t\">property</th><th>share of the "
                    "variance</th><th>95 % interval</th><th>alone</th><th>standard deviation if it were "
                    "known</th><th class=\"t\">what tells it</th></tr>\n");
  for (size_t i = 0; i < next->n; i++) add_influence(t, &next->each[i]);
  report_text_addf(
      t,
      "</table></div>\n<p class=\"note\">Sobol's indices from %d row%s. The share stays if all other "
      "properties are known; the part \u201calone\u201d goes if only this one is known.</p></section>\n",
      next->rows, CB_S(next->rows));
}
