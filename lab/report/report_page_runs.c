/* The table of runs with what each came to. */
#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "lab_validity.h"
#include "report_page.h"

static void add_status(report_text *t, const cb_run *r) {
  if (r->status == CB_RUN_DONE) {
    report_text_add(t, "<td class=\"t\">done");
    if (r->flags[0]) report_text_in(t, " <span class=\"bad\">", r->flags, "");
    report_text_add(t, r->flags[0] ? "</span></td>" : "</td>");
    return;
  }
  report_text_addf(t, "<td class=\"w\"><span class=\"bad\">%s</span> ", cb_run_status_names[r->status]);
  report_text_in(t, "", r->reason, "</td>");
}

/* "invalid: never-slid", "invalid: said"; "valid"; nothing of one that was not judged. */
static cb_status add_validity(report_text *t, cb_store *s, const cb_run *run, const cb_friction_point *p,
                              cb_err *err) {
  char words[96];
  const char *name;
  CB_TRY(lab_validity_said(s, run, p, &name, words, err));
  report_text_add(t, "<td class=\"t\">");
  if (words[0])
    report_text_addf(t, "<span class=\"bad\">%s: %s</span>", name, words);
  else
    report_text_add(t, name);
  report_text_add(t, "</td>");
  return CB_OK;
}

/* Of pair, direction and load, and what it came to; a look of `rig live` has none of them. */
static cb_status add_conditions(report_text *t, const report_data *d, const cb_run *r,
                                const cb_friction_point *p, bool with_pair, cb_err *err) {
  const double k = cb_student_t(0.95, INFINITY);
  if (r->kind == CB_RUN_LOOK) return report_text_add(t, "<td colspan=\"9\"></td>"), CB_OK;
  if (with_pair) {
    report_text_in(t, "<td class=\"t\">", report_data_name(d, r->cloth_id), " on ");
    report_text_in(t, "", report_data_name(d, r->body_id), "</td>");
  }
  report_text_addf(t, "<td>%g", r->angle_deg);
  if (isfinite(r->body_angle_deg)) report_text_addf(t, " on %g", r->body_angle_deg);
  report_text_addf(t, "</td><td>%g</td><td>%.4f</td><td>%s</td><td>%d</td><td>", 1e3 * r->added_mass_kg,
                   r->normal_force_N, r->direction > 0 ? "\u2192" : "\u2190", r->repeat);
  report_page_value(t, p->static_N, k * p->u_static_N);
  report_text_add(t, "</td><td>");
  report_page_value(t, p->kinetic_N, k * p->u_kinetic_N);
  report_text_add(t, "</td><td>");
  report_page_number(t, r->normal_force_N > 0 ? p->kinetic_N / r->normal_force_N : NAN, 3);
  report_text_add(t, "</td>");
  return add_validity(t, d->store, r, p, err);
}

static cb_status add_row(report_page *page, const cb_run *r, const cb_friction_point *p, bool with_pair,
                         cb_err *err) {
  report_text *t = page->text;
  report_text_add(t, "<tr><td>");
  if (page->served) report_text_addf(t, "<a href=\"run-%lld.html\">", (long long)r->id);
  report_text_addf(t, "%lld%s</td><td class=\"t\">%s</td>", (long long)r->id, page->served ? "</a>" : "",
                   cb_run_kind_names[r->kind]);
  CB_TRY(add_conditions(t, page->data, r, p, with_pair, err));
  report_text_in(t, "<td class=\"t\">", r->started_at, "</td>");
  add_status(t, r);
  report_text_add(t, "</tr>\n");
  return CB_OK;
}

cb_status report_page_runs(report_page *page, cb_err *err) {
  report_text *t = page->text;
  const report_data *d = page->data;
  bool with_pair = page->n_pairs > 1;
  report_text_words(t,
                    "<section><h2>Runs</h2>\n<div class=\"scroll\"><table><tr><th>run</th><th "
                    "class=\"t\">kind</th>");
  if (with_pair) report_text_words(t, "<th class=\"t\">pair</th>");
  report_text_words(t,
                    "<th>angle [\u00b0]</th><th>added "
                    "[g]</th>"
                    "<th>load [N]</th><th>way</th><th>repeat</th><th>static [N]</th><th>kinetic "
                    "[N]</th><th>\u00b5</th><th class=\"t\">validity</th><th class=\"t\">started</th>"
                    "<th class=\"t\">status</th></tr>\n");
  cb_friction_point *points;
  cb_status st = cb_store_points_of_runs(d->store, d->runs, d->n_runs, &points, err);
  for (size_t i = 0; st == CB_OK && i < d->n_runs; i++)
    if (d->runs[i].campaign_id == page->campaign->id)
      st = add_row(page, &d->runs[i], &points[i], with_pair, err);
  free(points);
  report_text_add(t,
                  "</table></div>\n<p class=\"note\">\u00b1 in this table: the single run, without "
                  "calibration.</p></section>\n");
  return st;
}
