/* The campaign by a test standard, as `fit standard` stored it. */
#include <math.h>

#include "lab_standard.h"
#include "report_page.h"

static void cell(report_text *t, double v, int decimals) {
  if (isfinite(v))
    report_text_addf(t, "<td>%.*f</td>", decimals, v);
  else
    report_text_add(t, "<td>\u2013</td>");
}

static void add_row(report_text *t, const lab_standard_group *g, const char *name,
                    const fit_standard_summary *s, int decimals) {
  report_text_addf(t, "<tr><td>%g</td><td class=\"t\">%s</td><td>%.4g</td><td class=\"t\">%s</td>",
                   g->angle_deg, g->direction > 0 ? "forward" : "backward", g->normal_force_N, name);
  cell(t, s->mean, decimals);
  cell(t, s->sd, decimals);
  report_text_addf(t, "<td>%zu</td></tr>\n", s->n);
}

static void add_groups(report_text *t, const lab_standard *e) {
  report_text_words(t,
                    "<div class=\"scroll\"><table><tr><th>angle [deg]</th><th "
                    "class=\"t\">pulled</th><th>normal force [N]</th>"
                    "<th class=\"t\">coefficient</th><th>mean</th><th>sd</th><th>specimens</th></tr>\n");
  for (size_t i = 0; i < e->n_groups; i++) {
    const lab_standard_group *g = &e->groups[i];
    if (!e->surface) add_row(t, g, "static", &g->stat, e->decimals);
    add_row(t, g, e->surface ? "MIU" : "kinetic", &g->kinetic, e->decimals);
    if (e->surface) add_row(t, g, "MMD", &g->deviation, e->decimals);
  }
  report_text_add(t, "</table></div>\n");
}

static void add_result(report_text *t, const lab_standard *e) {
  report_text_words(t, "<section><h2>By ");
  report_text_html(t, e->title[0] ? e->title : "a standard");
  report_text_add(t, e->surface ? "</h2>\n<p>MIU: mean force over normal force; MMD: its mean deviation;"
                                : "</h2>\n<p>Static coefficient: initial peak over normal force. Kinetic "
                                  "coefficient: mean force over normal force;");
  report_text_addf(t,
                   " over %g mm of sliding, without the first %g mm. Mean and standard deviation over "
                   "specimens.",
                   e->window_mm, e->without_peak_mm);
  if (isfinite(e->sled_g))
    report_text_addf(t, " Sled %g g on %.4g cm\u00b2, %g mm/min, way %g mm.", e->sled_g, e->area_cm2,
                     e->speed_mm_per_min, e->travel_mm);
  report_text_add(t, e->surface ? "</p>\n"
                                : " ASTM D1894 and ISO 8295 are not equivalent: values by one are not values "
                                  "by the other.</p>\n");
  add_groups(t, e);
  for (size_t i = 0; i < e->n_deviations; i++) {
    report_text_in(t, "<p class=\"note\">Deviation: ", e->deviations[i], "</p>\n");
  }
  report_text_add(t, "</section>\n");
}

cb_status report_page_standard(report_page *page, cb_err *err) {
  lab_standard e;
  cb_status st = lab_standard_stored(page->data->store, page->campaign->id, &e, err);
  if (st == CB_OK) add_result(page->text, &e);
  lab_standard_clear(&e);
  return st == CB_E_NOTFOUND ? CB_OK : st;
}
