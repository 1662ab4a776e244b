/* Prediction against measurement: the newest comparison of every slide of the campaign's pairs by a
 * rigid sled, by the whole cloth, and on a slope. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "lab_incline.h"
#include "report_curves.h"
#include "report_page.h"

static const cb_run *find_run(const report_page *page, int64_t id) {
  for (size_t i = 0; i < page->data->n_runs; i++) {
    const cb_run *r = &page->data->runs[i];
    if (r->id != id) continue;
    for (size_t k = 0; k < page->n_pairs; k++)
      if (report_pair_is(page->pairs[k], r)) return r;
  }
  return NULL;
}

/* "static_peak" [N] and metres shown as millimetres. */
static void add_quantity(report_text *t, const lab_slide_quantity *q, const char *name, const char *unit) {
  bool metres = strcmp(unit, "m") == 0;
  double scale = metres ? 1e3 : 1;
  char words[64];
  (void)snprintf(words, sizeof words, "%s", name);
  for (char *c = words; *c; c++)
    if (*c == '_') *c = ' ';
  report_text_addf(t, "<tr><td class=\"t\">%s [%s]</td>", words, metres ? "mm" : unit);
  report_page_cell(t, scale * q->predicted, scale * q->U_predicted);
  report_page_cell(t, scale * q->measured, scale * q->U_measured);
  report_text_addf(t, "<td class=\"%s\">%+.2f</td></tr>\n", fabs(q->en) <= 1 ? "good" : "bad", q->en);
}

static void add_quantities(report_text *t, const lab_slide_quantity *q, const char *const *names,
                           const char *const *units, size_t n, const char *created_at) {
  report_text_words(
      t,
      "<div class=\"scroll\"><table><tr><th "
      "class=\"t\">quantity</th><th>predicted</th><th>measured</th><th>E<sub>n</sub></th></tr>\n");
  for (size_t i = 0; i < n; i++)
    if (q[i].compared) add_quantity(t, &q[i], names[i], units[i]);
  report_text_in(t,
                 "</table></div>\n<p class=\"note\">E<sub>n</sub> = (predicted \u2212 measured) / "
                 "\u221a(U\u00b2 + U\u00b2) with U at 95 % (ISO 13528); the prediction holds where every "
                 "|E<sub>n</sub>| \u2264 1. Compared ",
                 created_at, ".</p>\n");
}

static cb_status add_overlay(report_page *page, const cb_run *run, const lab_slide_verdict *v, cb_err *err) {
  report_plot plot = {0};
  (void)snprintf(plot.title, sizeof plot.title, "Slide, run %lld: %g\u00b0, %.3g N", (long long)run->id,
                 run->angle_deg, run->normal_force_N);
  (void)snprintf(plot.x_label, sizeof plot.x_label, "stage displacement [mm]");
  (void)snprintf(plot.y_label, sizeof plot.y_label, "pull force [N]");
  cb_status st =
      report_curve_trace(&plot, page->data, run, REPORT_OVER_DISPLACEMENT, REPORT_PAIRS, 0, "measured", err);
  if (st == CB_OK) {
    report_series *s = report_plot_add(&plot, REPORT_DASH, 1, "predicted");
    for (size_t i = 0; i < v->n_curve; i++)
      report_plot_push(&plot, s, 1e3 * v->curve_x_m[i], v->curve_N[i], 0);
    const char *caption =
        run->kind == CB_RUN_SLIDE
            ? "The measured pull and the predicted one; the law of friction never saw this run."
            : "The measured pull and the predicted one; the law of friction may have been fitted to this "
              "run.";
    st = report_page_figure(page, &plot, caption, err);
  }
  report_plot_clear(&plot);
  return st;
}

/* "Run 3: Twill on Foam, 30 deg, 1.2 N - prediction holds" */
static void add_heading(report_page *page, const cb_run *run, const cb_validation *row) {
  report_text *t = page->text;
  report_text_addf(t, _("<h3>Run %lld: "), (long long)run->id);
  report_text_html(t, report_data_name(page->data, run->cloth_id));
  report_text_in(t, " on ", report_data_name(page->data, run->body_id), "");
  report_text_addf(t, ", %g\u00b0, %.4g N", run->angle_deg, run->normal_force_N);
  if (run->incline_deg != 0) report_text_addf(t, ", slope of %.4g\u00b0", run->incline_deg);
  if (strcmp(row->experiment, "cloth slide") == 0) report_text_add(t, ", predicted by the whole cloth");
  report_text_addf(t, " \u2013 <span class=\"%s\">%s</span></h3>\n", row->pass ? "good" : "bad",
                   row->pass ? "prediction holds" : "prediction fails");
}

static cb_status add_slide(report_page *page, const cb_run *run, const cb_validation *row, cb_err *err) {
  lab_slide_verdict v;
  CB_TRY(lab_slide_read(row->result_json, &v, err));
  add_heading(page, run, row);
  cb_status st = add_overlay(page, run, &v, err);
  add_quantities(page->text, v.q, lab_slide_quantity_names, lab_slide_quantity_units, LAB_SLIDE_QUANTITIES,
                 row->created_at);
  return st;
}

static bool is_shown(const cb_validation *v) {
  return strcmp(v->experiment, "slide") == 0 || strcmp(v->experiment, "cloth slide") == 0 ||
         strcmp(v->experiment, "incline") == 0;
}

/* Whether no later verdict compares the same run by the same experiment. */
static bool is_newest(const cb_validation *list, size_t n, size_t i) {
  for (size_t k = i + 1; k < n; k++)
    if (list[k].run_id == list[i].run_id && strcmp(list[k].experiment, list[i].experiment) == 0) return false;
  return true;
}

static cb_status add_incline(report_page *page, const cb_run *run, const cb_validation *row, cb_err *err) {
  lab_incline_verdict v;
  CB_TRY(lab_incline_read(row->result_json, &v, err));
  add_heading(page, run, row);
  add_quantities(page->text, v.q, lab_incline_quantity_names, lab_incline_quantity_units,
                 LAB_INCLINE_QUANTITIES, row->created_at);
  return CB_OK;
}

static cb_status add_verdict(report_page *page, const cb_run *run, const cb_validation *row, cb_err *err) {
  const bool incline = strcmp(row->experiment, "incline") == 0;
  const cb_status st = (incline ? add_incline : add_slide)(page, run, row, err);
  return st == CB_OK ? st
                     : cb_fail_in(err, st, "%s: validation %lld", cb_store_path(page->data->store),
                                  (long long)row->id);
}

cb_status report_page_slides(report_page *page, cb_err *err) {
  cb_validation *list;
  size_t n, shown = 0;
  cb_status st = CB_OK;
  CB_TRY(cb_store_validations(page->data->store, 0, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    const cb_run *run = find_run(page, list[i].run_id);
    if (!run || !is_shown(&list[i]) || !is_newest(list, n, i)) continue;
    if (shown++ == 0) report_text_words(page->text, "<section><h2>Prediction and measurement</h2>\n");
    st = add_verdict(page, run, &list[i], err);
  }
  if (shown) report_text_add(page->text, "</section>\n");
  cb_validations_free(list, n);
  return st;
}
