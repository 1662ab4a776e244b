/* One pair: verdicts, figures, law. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_stats.h"
#include "report_curves.h"
#include "report_page.h"

#define MAX_ANGLES 12

/* ---- verdicts ---- */

static void card(report_text *t, const char *title, const char *head) {
  report_text_addf(t, "<div class=\"card\"><span>%s</span><b>%s</b><span>", title, head);
}

static void add_direction_card(report_text *t, const json_t *v) {
  double anisotropy = cb_json_number(v, "anisotropy_percent");
  const char *head = !isfinite(anisotropy) ? "not tested" : json_is_true(json_object_get(v, "isotropic")) ? "isotropic" : "anisotropic";
  card(t, "Direction (the authors\u2019 rule)", head);
  if (isfinite(anisotropy))
    report_text_addf(t, "%.1f %% between the directions", anisotropy);
  else
    report_text_add(t, "one direction only");
  report_text_add(t, "</span></div>\n");
}

static void add_load_card(report_text *t, const json_t *v) {
  const json_t *linear = json_object_get(v, "linear");
  const char *angle;
  json_t *x;
  size_t n = 0;
  card(t, "Load (the authors\u2019 rule)", json_is_boolean(linear) ? json_is_true(linear) ? "linear" : "nonlinear" : "not tested");
  json_object_foreach(json_object_get(v, "nonlinearity_percent"), angle, x) {
    if (json_is_number(x)) {
      report_text_addf(t, "%s%.1f %% at ", n++ ? ", " : "", json_number_value(x));
      report_text_html(t, angle);
      report_text_add(t, "\u00b0");
    }
  }
  report_text_add(t, n ? "</span></div>\n" : "too few loads</span></div>\n");
}

static void add_fit_card(report_text *t, const json_t *v) {
  const json_t *scatter = json_object_get(v, "scatter");
  char head[48];
  (void)snprintf(head, sizeof head, "%.3g mN", 1e3 * cb_json_number(v, "rmse_N"));
  card(t, "Misfit of the points (rms)", isfinite(cb_json_number(v, "rmse_N")) ? head : "\u2013");
  if (isfinite(cb_json_number(v, "points"))) report_text_addf(t, "%g points", cb_json_number(v, "points"));
  if (isfinite(cb_json_number(scatter, "sd_rel")))
    report_text_addf(t, ", %.2g %% scatter from run to run", 100 * cb_json_number(scatter, "sd_rel"));
  report_text_add(t, "</span></div>\n");
}

static void add_means(report_text *t, const json_t *v) {
  const char *angle;
  json_t *row;
  if (json_object_size(json_object_get(v, "mean_mu")) == 0) return;
  report_text_add(t,
                  "<h3>Mean friction coefficient</h3>\n<div class=\"scroll\"><table><tr><th>direction</th><th>mean "
                  "\u00b5</th><th>sd</th><th>runs</th></tr>\n");
  json_object_foreach(json_object_get(v, "mean_mu"), angle, row) {
    report_text_add(t, "<tr><td>");
    report_text_html(t, angle);
    report_text_add(t, "\u00b0</td><td>");
    report_page_number(t, cb_json_number(row, "mean"), 4);
    report_text_add(t, "</td><td>");
    report_page_number(t, cb_json_number(row, "sd"), 2);
    report_text_addf(t, "</td><td>%g", cb_json_number(row, "n"));
    if (cb_json_number(row, "n_elsewhere") > 0)
      report_text_addf(t, ", and %g of other campaigns not in it", cb_json_number(row, "n_elsewhere"));
    report_text_add(t, "</td></tr>\n");
  }
  report_text_add(t, "</table></div>\n");
}

/* "forward_minus_backward_percent" -> "forward minus backward percent" */
static void add_words(report_text *t, const char *key) {
  char words[64];
  (void)snprintf(words, sizeof words, "%s", key);
  for (char *c = words; *c; c++)
    if (*c == '_') *c = ' ';
  report_text_html(t, words);
}

static void add_tests(report_text *t, const json_t *v) {
  const char *name, *key;
  json_t *test, *x;
  if (json_object_size(json_object_get(v, "tests")) == 0) return;
  report_text_add(t,
                  "<h3>Statistical tests</h3>\n<div class=\"scroll\"><table><tr><th class=\"t\">test of</th><th>p value</th><th "
                  "class=\"t\">size of the effect</th></tr>\n");
  json_object_foreach(json_object_get(v, "tests"), name, test) {
    report_text_add(t, "<tr><td class=\"t\">");
    add_words(t, name);
    report_text_add(t, "</td><td>");
    if (isfinite(cb_json_number(test, "p_value")))
      report_text_addf(t, "%.2g", cb_json_number(test, "p_value"));
    else
      report_text_add(t, "not enough data");
    report_text_add(t, "</td><td class=\"t\">");
    json_object_foreach(test, key, x) {
      bool effect = strcmp(key, "statistic") != 0 && strcmp(key, "dof1") != 0 && strcmp(key, "dof2") != 0 && strcmp(key, "p_value") != 0;
      if (!effect || !json_is_number(x)) continue;
      add_words(t, key);
      report_text_addf(t, " %.4g", json_number_value(x));
    }
    report_text_add(t, "</td></tr>\n");
  }
  report_text_add(t, "</table></div>\n");
}

static cb_status add_verdicts(report_page *page, const cb_friction_law *law, cb_err *err) {
  report_text *t = page->text;
  char *method, *text, created[32];
  CB_TRY(cb_store_law_info(page->data->store, law->id, &method, &text, created, err));
  json_t *v = json_loads(text, 0, NULL);
  report_text_add(t, "<div class=\"cards\">\n");
  add_direction_card(t, v);
  add_load_card(t, v);
  add_fit_card(t, v);
  report_text_add(t, "</div>\n");
  add_means(t, v);
  add_tests(t, v);
  json_decref(v);
  free(method);
  free(text);
  return CB_OK;
}

/* ---- law ---- */

static void add_knots(report_text *t, const cb_friction_law *law) {
  double k = cb_student_t(0.95, law->dof);
  report_text_add(t,
                  "<div class=\"scroll\"><table><tr><th>normal force [N]</th><th>f00 [N]</th><th>f01 [N]</th><th>f11 [N]</th><th>\u00b5 "
                  "warp</th><th>\u00b5 weft</th></tr>\n");
  for (size_t i = 0; i < law->n_knots; i++) {
    const cb_friction_knot *knot = &law->knots[i];
    double cov[3][3];
    cb_friction_law_knot_cov(law, i, cov);
    report_text_addf(t, "<tr><td>%.4f</td>", knot->normal_force_N);
    for (int j = 0; j < 3; j++) {
      report_text_add(t, "<td>");
      report_page_value(t, knot->f_N[j], k * sqrt(fmax(0, cov[j][j])));
      report_text_add(t, "</td>");
    }
    report_text_addf(t, "<td>%.3f</td><td>%.3f</td></tr>\n", knot->f_N[0] / knot->normal_force_N, knot->f_N[2] / knot->normal_force_N);
  }
  report_text_add(t, "</table></div>\n");
}

/* what: the end of a sentence that begins with the run. */
static void add_outliers(report_text *t, const json_t *list, const char *what) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *o = json_array_get(list, i);
    report_text_addf(t,
                     "<p class=\"note\">Run %g %s: at %g\u00b0 under %.4g N it lies %+.1f %% off, %.1f standard deviations of the "
                     "others.</p>\n",
                     cb_json_number(o, "run_id"), what, cb_json_number(o, "angle_deg"), cb_json_number(o, "normal_force_N"),
                     cb_json_number(o, "departure_percent"), cb_json_number(o, "sigma"));
  }
}

/* Lots and specimens that differ between the campaigns of one law. */
static void add_pooled(report_text *t, const json_t *pooled) {
  size_t i, k;
  json_t *entry, *value;
  json_array_foreach(pooled, i, entry) {
    const char *what = json_string_value(json_object_get(entry, "what"));
    report_text_add(t, "<p class=\"note warn\">One law for campaigns that differ in ");
    report_text_html(t, what ? what : "their specimens");
    report_text_add(t, ":");
    json_array_foreach(json_object_get(entry, "values"), k, value) {
      const char *text = json_string_value(json_object_get(value, "value"));
      report_text_add(t, k ? ", " : " ");
      report_text_html(t, text ? text : "not written down");
      report_text_addf(t, " (%g runs)", cb_json_number(value, "runs"));
    }
    report_text_add(t, ".</p>\n");
  }
}

/* What else was tried, and which runs were left out or are doubtful. */
static void add_choice(report_text *t, const json_t *v) {
  const json_t *second = json_array_get(json_object_get(v, "candidates"), 1);
  const char *model = json_string_value(json_object_get(second, "model")), *form = json_string_value(json_object_get(second, "form"));
  if (model && form) {
    report_text_add(t, "<p class=\"note\">Runner-up by Akaike's criterion: ");
    report_text_html(t, model);
    report_text_add(t, ", ");
    report_text_html(t, form);
    report_text_addf(t, ", %.1f behind.</p>\n", cb_json_number(second, "delta"));
  }
  add_pooled(t, json_object_get(v, "pooled"));
  add_outliers(t, json_object_get(v, "outliers"), "was left out");
  add_outliers(t, json_object_get(v, "doubtful"),
               "is doubtful and was kept, because no other run at this direction and load contradicts it");
}

static cb_status add_law(report_page *page, const cb_friction_law *law, cb_err *err) {
  report_text *t = page->text;
  char *method, *text, created[32];
  CB_TRY(cb_store_law_info(page->data->store, law->id, &method, &text, created, err));
  report_text_addf(t, "<h3>%s law</h3>\n", law->kind == CB_FRICTION_STATIC ? "Static" : "Kinetic");
  add_knots(t, law);
  report_text_addf(t, "<p class=\"note\">Law %lld (%s): %s, %s; ", (long long)law->id, cb_origin_names[law->origin],
                   cb_friction_model_names[law->model], cb_friction_form_names[law->form]);
  if (law->offset_N > 0)
    report_text_addf(t, "F ~ N + %.4g N; ", law->offset_N);
  else
    report_text_addf(t, "outside these loads F ~ N<sup>%.3f</sup>; ", law->exponent);
  if (law->dof < 1e6) report_text_addf(t, "%.1f degrees of freedom; ", law->dof);
  report_text_add(t, "fitted ");
  report_text_html(t, created);
  report_text_add(t, "; ");
  report_text_html(t, method);
  report_text_add(t, ".</p>\n");
  json_t *verdicts = json_loads(text, 0, NULL);
  add_choice(t, verdicts);
  json_decref(verdicts);
  free(method);
  free(text);
  return CB_OK;
}

/* ---- figures ---- */

static cb_status add_pull_figures(report_page *page, report_pair pair, cb_err *err) {
  double angles[MAX_ANGLES];
  size_t n = report_angles(page->data, pair, page->campaign->id, true, angles, MAX_ANGLES);
  report_plot plot = {0};
  if (n == 0) {
    report_text_add(page->text, "<p class=\"note\">There are no force traces: the points were imported.</p>\n");
    return CB_OK;
  }
  cb_status st = report_plot_directions(&plot, page->data, pair, page->campaign->id, 0.1, err);
  if (st != CB_OK) {
    report_plot_clear(&plot);
    return st;
  }
  CB_TRY(report_page_figure(
      page, &plot, "One pull per direction: the static peak, then the kinetic plateau. Force along the motion, zeroed before it.", err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    size_t left_out;
    char caption[160] = "Every pull in this direction, coloured by load.";
    report_plot all = {0};
    st = report_plot_pulls(&all, page->data, pair, page->campaign->id, angles[i], &left_out, err);
    if (left_out)
      (void)snprintf(caption, sizeof caption, "The first %d pulls in this direction, coloured by load; %zu more are not drawn.",
                     REPORT_MAX_SERIES, left_out);
    if (st == CB_OK)
      st = report_page_figure(page, &all, caption, err);
    else
      report_plot_clear(&all);
  }
  return st;
}

static cb_status add_law_figures(report_page *page, report_pair pair, cb_err *err) {
  for (int kind = CB_FRICTION_KINETIC; kind >= CB_FRICTION_STATIC; kind--) {
    report_plot plot = {0};
    cb_status st = report_plot_loads(&plot, page->data, pair, (cb_friction_kind)kind, err);
    if (st == CB_OK && (kind == CB_FRICTION_KINETIC || !report_plot_is_empty(&plot)))
      st = report_page_figure(page, &plot, "Points: single pulls. Curves: the law. Bars and bands: 95 %.", err);
    report_plot_clear(&plot);
    CB_TRY(st);
  }
  report_plot plot = {0};
  report_plot_polar(&plot, page->data, pair);
  if (report_plot_is_empty(&plot)) {
    report_plot_clear(&plot);
    return CB_OK;
  }
  return report_page_figure(
      page, &plot,
      "Friction coefficient over the direction of sliding, at the smallest and the largest load of the law. Grey circles: 0.2 apart.", err);
}

cb_status report_page_pair(report_page *page, report_pair pair, cb_err *err) {
  report_text *t = page->text;
  const cb_friction_law *kinetic = report_data_law(page->data, pair, CB_FRICTION_KINETIC);
  report_text_add(t, "<section><h2>");
  report_text_html(t, report_data_name(page->data, pair.cloth_id));
  report_text_add(t, " on ");
  report_text_html(t, report_data_name(page->data, pair.body_id));
  report_text_add(t, "</h2>\n");
  if (kinetic)
    CB_TRY(add_verdicts(page, kinetic, err));
  else
    report_text_add(t, "<p class=\"note\">No law was fitted yet: \u2018clothbench fit friction\u2019 makes one.</p>\n");
  CB_TRY(add_law_figures(page, pair, err));
  for (int kind = CB_FRICTION_KINETIC; kind >= CB_FRICTION_STATIC; kind--) {
    const cb_friction_law *law = report_data_law(page->data, pair, (cb_friction_kind)kind);
    if (law) CB_TRY(add_law(page, law, err));
  }
  CB_TRY(add_pull_figures(page, pair, err));
  report_text_add(t, "</section>\n");
  return CB_OK;
}
