/* The campaign by a test standard, as `fit standard` stored it. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "cb_json.h"
#include "report_page.h"

static void cell(report_text *t, double v, int decimals) {
  if (isfinite(v))
    report_text_addf(t, "<td>%.*f</td>", decimals, v);
  else
    report_text_add(t, "<td>\u2013</td>");
}

static void add_row(report_text *t, const json_t *group, const char *key, int decimals) {
  const json_t *s = json_object_get(group, key);
  report_text_addf(t, "<tr><td>%g</td><td class=\"t\">%s</td><td>%.4g</td><td class=\"t\">%s</td>", cb_json_number(group, "angle_deg"),
                   cb_json_number(group, "direction") > 0 ? "forward" : "backward", cb_json_number(group, "normal_force_N"), key);
  cell(t, cb_json_number(s, "mean"), decimals);
  cell(t, cb_json_number(s, "sd"), decimals);
  report_text_addf(t, "<td>%d</td></tr>\n", (int)json_integer_value(json_object_get(s, "n")));
}

static void add_result(report_text *t, const json_t *doc) {
  const json_t *one;
  size_t i;
  int decimals = (int)json_integer_value(json_object_get(doc, "decimals"));
  const char *title = json_string_value(json_object_get(doc, "title"));
  report_text_add(t, "<section><h2>By ");
  report_text_html(t, title ? title : "a standard");
  report_text_addf(t,
                   "</h2>\n<p>Static coefficient: initial peak over normal force. Kinetic coefficient: mean force over %g mm of sliding, "
                   "without the first %g mm, over normal force. Mean and standard deviation over specimens. ASTM D1894 and ISO 8295 are "
                   "not equivalent: values by one are not values by the other.</p>\n",
                   cb_json_number(doc, "window_mm"), cb_json_number(doc, "without_peak_mm"));
  report_text_add(t,
                  "<div class=\"scroll\"><table><tr><th>angle [deg]</th><th class=\"t\">pulled</th><th>normal force [N]</th>"
                  "<th class=\"t\">coefficient</th><th>mean</th><th>sd</th><th>specimens</th></tr>\n");
  json_array_foreach(json_object_get(doc, "groups"), i, one) {
    add_row(t, one, "static", decimals);
    add_row(t, one, "kinetic", decimals);
  }
  report_text_add(t, "</table></div>\n");
  json_array_foreach(json_object_get(doc, "deviations"), i, one) {
    const char *text = json_string_value(one);
    report_text_add(t, "<p class=\"note\">Deviation: ");
    report_text_html(t, text ? text : "");
    report_text_add(t, "</p>\n");
  }
  report_text_add(t, "</section>\n");
}

cb_status report_page_standard(report_page *page, cb_err *err) {
  char *text;
  cb_status st = cb_store_standard_find(page->data->store, page->campaign->id, &text, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  json_t *doc = json_loads(text, 0, NULL);
  free(text);
  if (!doc) return cb_fail(err, CB_E_DB, "the evaluation of campaign %lld is not JSON", (long long)page->campaign->id);
  add_result(page->text, doc);
  json_decref(doc);
  return CB_OK;
}
