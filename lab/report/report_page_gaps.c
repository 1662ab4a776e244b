/* What was not measured of a cloth, and what its laws assume instead. */
#include <stdlib.h>

#include "cb_language.h"
#include "lab_assumed.h"
#include "lab_missing.h"
#include "report_page.h"

static cb_status add_missing(report_page *page, const char *cloth, cb_err *err) {
  report_text *t = page->text;
  lab_missing *m;
  size_t n, shown = 0;
  CB_TRY(lab_missing_list(page->data->store, cloth, &m, &n, err));
  for (size_t k = 0; n > 0 && k < LAB_NEEDS; k++) {
    if (m[0].has[k]) continue;
    if (shown++ == 0) report_text_words(t, "<section><h2>Not measured</h2>\n<ul>\n");
    report_text_addf(t, "<li><b>%s</b>: ", lab_need_names[k]);
    report_text_in(t, "", lab_need_sources[k], "</li>\n");
  }
  if (shown > 0) report_text_add(t, "</ul></section>\n");
  free(m);
  return CB_OK;
}

static cb_status add_assumed(report_page *page, const char *cloth, cb_err *err) {
  report_text *t = page->text;
  lab_assumed *list;
  size_t n;
  CB_TRY(lab_assumed_list(page->data->store, cloth, &list, &n, err));
  if (n > 0) report_text_words(t, "<section><h2>Assumed</h2>\n<ul>\n");
  for (size_t i = 0; i < n; i++) {
    report_text_in(t, "<li><b>", list[i].law, "</b>: ");
    report_text_in(t, "", list[i].what, "</li>\n");
  }
  if (n > 0) report_text_add(t, "</ul></section>\n");
  free(list);
  return CB_OK;
}

cb_status report_page_gaps(report_page *page, const char *cloth, cb_err *err) {
  CB_TRY(add_missing(page, cloth, err));
  return add_assumed(page, cloth, err);
}

/* A row for each cloth, a column for each property, and how many cloths have it. */
cb_status report_page_known(report_page *page, cb_err *err) {
  report_text *t = page->text;
  lab_missing *m;
  size_t n, whole = 0;
  CB_TRY(lab_missing_list(page->data->store, NULL, &m, &n, err));
  report_text_words(
      t, "<section><h2>What is known</h2>\n<div class=\"scroll\"><table><tr><th class=\"t\">cloth</th>");
  for (int k = 0; k < LAB_NEEDS; k++) report_text_addf(t, "<th>%s</th>", lab_need_names[k]);
  for (size_t i = 0; i < n; i++) {
    int has = 0;
    report_text_in(t, "</tr>\n<tr><td class=\"t\">", m[i].cloth, "</td>");
    for (int k = 0; k < LAB_NEEDS; k++) {
      report_text_add(t, m[i].has[k] ? "<td>\u2713</td>" : "<td>\u2013</td>");
      has += m[i].has[k];
    }
    whole += has == LAB_NEEDS;
  }
  report_text_addf(t, _("</tr>\n<tr><th class=\"t\">of %zu</th>"), n);
  for (int k = 0; k < LAB_NEEDS; k++) {
    size_t has = 0;
    for (size_t i = 0; i < n; i++) has += m[i].has[k];
    report_text_addf(t, "<th>%zu</th>", has);
  }
  report_text_addf(t,
                   "</tr></table></div>\n<p class=\"note\">What a scene takes of a cloth by its name. All of "
                   "it is known of "
                   "%zu of %zu.</p></section>\n",
                   whole, n);
  free(m);
  return CB_OK;
}
