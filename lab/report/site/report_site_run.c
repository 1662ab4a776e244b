/* One run: its trace, what it came to, what happened, what was said of it, and forms to say more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_language.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "cb_store_correction.h"
#include "lab_record.h"
#include "lab_validity.h"
#include "report_curves.h"
#include "report_site_impl.h"

#define WHOLE 1000000 /* pairs of a trace: it is not thinned */
#define OTHERS 40     /* runs of the same cell that are listed */

static void fact(report_text *t, const char *name, const char *value) {
  if (!value[0]) return;
  report_text_addf(t, "<dt>%s</dt><dd>", _(name));
  report_text_in(t, "", value, "</dd>\n");
}

static void quantity(report_text *t, const char *name, double value, double u, const char *unit) {
  if (!isfinite(value)) return;
  report_text_addf(t, "<dt>%s</dt><dd>", _(name));
  report_page_value(t, value, cb_student_t(0.95, INFINITY) * u);
  report_text_addf(t, " %s</dd>\n", unit);
}

/* ---- the record ---- */

/* has_trace: there are samples that can be reduced, or shown as those of a look; an imported point has
 * none. */
static cb_status read_run(cb_store *s, int64_t id, lab_record *r, bool *has_trace, cb_err *err) {
  CB_TRY(lab_record_stored(s, id, r, err));
  *has_trace = r->run.calibration_id != 0;
  if (r->run.kind == CB_RUN_LOOK) return CB_OK;
  const cb_status st = lab_record_read(s, id, r, err);
  *has_trace = st == CB_OK;
  if (st == CB_OK || st == CB_E_NOTFOUND) return st;
  lab_record_clear(r);
  return lab_record_stored(s, id, r, err);
}

/* ---- the head ---- */

static void begin(site *w, const lab_record *r) {
  char title[40], lead[260];
  (void)snprintf(title, sizeof title, _("Run %lld"), (long long)r->run.id);
  if (r->run.kind == CB_RUN_LOOK)
    (void)snprintf(lead, sizeof lead, _("what 'rig live' saw of %s"), r->run.source);
  else
    (void)snprintf(lead, sizeof lead, _("%s on %s, %g\u00b0, %.4g N, %s, repeat %d"), r->cloth, r->body,
                   r->run.angle_deg, r->run.normal_force_N,
                   r->run.direction > 0 ? _("forward") : _("backward"), r->run.repeat);
  site_begin(w, cb_run_kind_names[r->run.kind], title, lead);
  if (!cb_origin_is_real(r->run.origin))
    report_text_addf(w->text,
                     "<div class=\"banner\" role=\"note\"><b>%s DATA.</b> This was not measured on real "
                     "cloth.</div>\n",
                     r->run.origin == CB_VIRTUAL ? "VIRTUAL" : "SIMULATED");
  if (r->run.status != CB_RUN_DONE) {
    report_text_addf(w->text, "<div class=\"banner\" role=\"note\"><b>%s.</b> ",
                     cb_run_status_names[r->run.status]);
    report_text_in(w->text, "", r->run.reason, "</div>\n");
  }
}

static cb_status add_facts(site *w, const lab_record *r, cb_err *err) {
  report_text *t = w->text;
  const cb_friction_point *p = &r->point;
  const char *validity;
  char words[96];
  CB_TRY(lab_validity_said(w->store, &r->run, p, &validity, words, err));
  report_text_add(t, "<section><dl>\n");
  fact(t, N_("Verdict"), validity);
  fact(t, N_("Faults"), words);
  quantity(t, N_("Kinetic force"), p->kinetic_N, p->u_kinetic_N, "N");
  quantity(t, N_("Static force"), p->static_N, p->u_static_N, "N");
  quantity(t, N_("Kinetic coefficient"), r->mu, r->u_mu, "");
  fact(t, N_("Flags"), r->run.flags);
  quantity(t, N_("Mass that was added"), 1e3 * r->run.added_mass_kg, 0, "g");
  quantity(t, N_("Speed"), 1e3 * r->run.speed_m_per_s, 0, "mm/s");
  fact(t, N_("Origin"), cb_origin_names[r->run.origin]);
  fact(t, N_("Source"), r->run.source);
  fact(t, N_("Started"), r->run.started_at);
  report_text_words(t, "<dt>More</dt><dd>");
  if (r->run.kind != CB_RUN_LOOK)
    report_text_addf(t, "<a href=\"pair-%lld-%lld.html\">%s</a> \u00b7 ", (long long)r->run.cloth_id,
                     (long long)r->run.body_id, _("all of this pair"));
  report_text_addf(t, "<a href=\"campaign-%lld.html\">%s</a></dd>\n</dl></section>\n",
                   (long long)r->run.campaign_id, _("its campaign"));
  for (size_t i = 0; !r->detail.is_cycle && i < r->detail.pull.faults.n; i++) {
    const fit_fault_kind *kind = &fit_fault_kinds[r->detail.pull.faults.list[i].kind];
    report_text_addf(t, "<p class=\"note\"><b>%s</b>: %s (", kind->code, _(kind->sentence));
    report_text_html(t, r->detail.pull.faults.list[i].what);
    report_text_addf(t, _("). What helps: %s.</p>\n"), _(kind->advice));
  }
  return CB_OK;
}

/* ---- the trace ---- */

/* Where the kinetic force was read, and the static one. */
static void add_marks(report_plot *p, const lab_record *r) {
  const fit_pull *f = &r->detail.pull;
  if (r->detail.is_cycle || !isfinite(r->point.kinetic_N)) return;
  report_series *plateau = report_plot_add(p, REPORT_DASH, 1, "plateau");
  report_plot_push(p, plateau, 1e3 * f->window_from_m, r->point.kinetic_N, 0);
  report_plot_push(p, plateau, 1e3 * f->window_to_m, r->point.kinetic_N, 0);
  if (!isfinite(f->static_N)) return;
  report_plot_push(p, report_plot_add(p, REPORT_POINTS, 2, "static"), 1e3 * f->x_static_m, f->static_N,
                   cb_student_t(0.95, INFINITY) * f->u_static_N);
}

static report_axis axis_of(const site *w, const lab_record *r) {
  const char *x = site_value(w, "x");
  if (strcmp(x, "readings") == 0) return REPORT_OVER_READINGS;
  const bool over_time = r->detail.is_cycle || r->run.kind == CB_RUN_LOOK;
  return strcmp(x, "time") == 0 || over_time ? REPORT_OVER_TIME : REPORT_OVER_DISPLACEMENT;
}

static cb_status fill_plot(site *w, const lab_record *r, report_axis axis, report_plot *p, cb_err *err) {
  static const char *const labels[] = {"time since the stage moves [s]", "displacement of the stage [mm]",
                                       "reading"};
  const report_data data = {.store = w->store};
  const int64_t other = (int64_t)site_number(w, "with", 0);
  char name[40];
  (void)snprintf(name, sizeof name, "run %lld", (long long)r->run.id);
  (void)snprintf(p->title, sizeof p->title, "Run %lld", (long long)r->run.id);
  (void)snprintf(p->x_label, sizeof p->x_label, "%s",
                 r->run.kind == CB_RUN_LOOK && axis == REPORT_OVER_TIME ? "time [s]" : labels[axis]);
  (void)snprintf(p->y_label, sizeof p->y_label, "%s",
                 axis == REPORT_OVER_READINGS ? "force as read" : "pull force [N]");
  CB_TRY(report_curve_trace(p, &data, &r->run, axis, WHOLE, 0, name, err));
  if (other > 0) {
    cb_run run;
    CB_TRY(cb_store_run_get(w->store, other, &run, err));
    (void)snprintf(name, sizeof name, "run %lld", (long long)other);
    CB_TRY(report_curve_trace(p, &data, &run, axis, WHOLE, 3, name, err));
  }
  if (axis == REPORT_OVER_DISPLACEMENT) add_marks(p, r);
  return CB_OK;
}

static cb_status add_trace(site *w, const lab_record *r, cb_err *err) {
  static const char *const ways[][2] = {{"time", "time"}, {"way", "displacement"}, {"readings", "as read"}};
  report_page page = {.text = w->text, .served = true};
  report_plot plot = {0};
  const cb_status st = fill_plot(w, r, axis_of(w, r), &plot, err);
  if (st != CB_OK) {
    report_plot_clear(&plot);
    return st;
  }
  report_text_add(w->text, "<section><h2>Trace</h2>\n<p>Over ");
  const bool is_look = r->run.kind == CB_RUN_LOOK;
  for (size_t i = 0; i < 3; i++)
    if (!is_look || i != 1)
      report_text_addf(w->text, "%s<a href=\"run-%lld.html?x=%s\">%s</a>", i > 0 ? " \u00b7 " : "",
                       (long long)r->run.id, ways[i][0], ways[i][1]);
  report_text_add(w->text, "</p>\n");
  CB_TRY(report_page_figure(
      &page, &plot,
      is_look ? "Every reading, its zero not taken off." : "Every reading, less the zero before the motion.",
      err));
  report_text_add(w->text, "</section>\n");
  return CB_OK;
}

/* ---- others, events, corrections ---- */

static cb_status add_others(site *w, const lab_record *r, cb_err *err) {
  report_text *t = w->text;
  const cb_query_value values[] = {{NULL, (double)r->run.id},      {NULL, (double)r->run.cloth_id},
                                   {NULL, (double)r->run.body_id}, {NULL, r->run.angle_deg},
                                   {NULL, r->run.normal_force_N},  {NULL, OTHERS}};
  json_t *doc, *row;
  size_t i;
  CB_TRY(cb_store_query(
      w->store,
      /* Only these can be of the pair: a condition of all others need not be worked out. */
      "SELECT id FROM run_now WHERE id IN (SELECT id FROM run WHERE cloth_id IN (SELECT id FROM material_now "
      "WHERE is_id = ?2) AND body_id IN (SELECT id FROM material_now WHERE is_id = ?3) UNION SELECT run_id "
      "FROM correction) AND id <> ?1 AND cloth_id = ?2 AND body_id = ?3 AND abs(angle_deg - ?4) <= 0.5 AND "
      "abs(normal_force_N - ?5) <= 1e-3 * ?5 ORDER BY id LIMIT ?6",
      values, 6, &doc, err));
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    const long long other = json_integer_value(json_array_get(row, 0));
    report_text_addf(t,
                     "%s<a href=\"run-%lld.html\">%lld</a> (<a href=\"run-%lld.html?with=%lld\">over it</a>)",
                     i > 0 ? ", " : "<section><h2>Runs of the same direction and load</h2>\n<p>", other,
                     other, (long long)r->run.id, other);
  }
  report_text_add(t, i > 0 ? "</p></section>\n" : "");
  json_decref(doc);
  return CB_OK;
}

static cb_status add_said(site *w, int64_t id, cb_err *err) {
  const cb_query_value value = {NULL, (double)id};
  report_text_words(w->text, "<section><h2>What happened, and what was said</h2>\n");
  CB_TRY(site_table(
      w,
      "SELECT at, kind, text, '' AS by FROM event WHERE run_id = ?1 UNION ALL SELECT created_at, "
      "trim(kind || ' ' || field || ' ' || ifnull(value, '')), reason, operator_name FROM correction "
      "WHERE run_id = ?1 ORDER BY 1",
      &value, 1, _("Nothing."), err));
  report_text_add(w->text, "</section>\n");
  return CB_OK;
}

/* ---- forms ---- */

static void begin_form(const site *w, int64_t run_id, const char *kind) {
  report_text_addf(
      w->text,
      "<form method=\"post\" action=\"correct\"><input type=\"hidden\" name=\"token\" value=\"%s\">"
      "<input type=\"hidden\" name=\"run\" value=\"%lld\"><input type=\"hidden\" name=\"kind\" "
      "value=\"%s\">",
      w->q->secret, (long long)run_id, kind);
}

static void end_form(const site *w, const char *what, const char *button) {
  report_text *t = w->text;
  report_text_addf(t, "<label>%s <input name=\"reason\" required maxlength=\"500\"></label> ", _(what));
  if (!w->q->signed_in) {
    report_text_addf(t, "<label>%s", _("signed"));
    report_text_in(t, " <input name=\"by\" required maxlength=\"60\" value=\"", w->q->person, "\"></label> ");
  }
  report_text_addf(t, "<button>%s</button></form>\n", _(button));
}

static void add_forms(const site *w, const cb_run *r) {
  report_text *t = w->text;
  if (!w->q->secret[0] || cb_store_is_reference(w->store)) return;
  report_text_words(
      t,
      "<section class=\"forms\"><h2>Say more</h2>\n<p class=\"note\">Each is a signed row of its own. "
      "What was measured stays.</p>\n");
  begin_form(w, r->id, "note");
  end_form(w, N_("note"), N_("note it"));
  if (r->status == CB_RUN_DONE || r->status == CB_RUN_VOIDED) {
    const bool voided = r->status == CB_RUN_VOIDED;
    begin_form(w, r->id, voided ? "unvoid" : "void");
    end_form(w, N_("because"), voided ? N_("take it back into use") : N_("take it out of use"));
    begin_form(w, r->id, "amend");
    report_text_words(t,
                      "<input type=\"hidden\" name=\"field\" value=\"verdict\"><label>the verdict is <select "
                      "name=\"value\"><option value=\"valid\">valid</option><option "
                      "value=\"doubtful\">doubtful</option><option value=\"invalid\">invalid</option><option "
                      "value=\"found\">what the program finds</option></select></label> ");
    end_form(w, N_("because"), N_("overrule it"));
  }
  begin_form(w, r->id, "amend");
  report_text_addf(t, "<label>%s <select name=\"field\">", _("it was really"));
  for (size_t i = 0; cb_correction_fields[i]; i++)
    if (strcmp(cb_correction_fields[i], "verdict") != 0)
      report_text_addf(t, "<option>%s</option>", cb_correction_fields[i]);
  report_text_add(t, "</select></label> <label>= <input name=\"value\" required maxlength=\"60\"></label> ");
  end_form(w, N_("because"), N_("amend it"));
  report_text_add(t, "</section>\n");
}

cb_status site_run(site *w, int64_t id, cb_err *err) {
  lab_record r = {.detail.is_cycle = false};
  bool has_trace;
  cb_status st;
  CB_GOTO(read_run(w->store, id, &r, &has_trace, err));
  begin(w, &r);
  CB_GOTO(add_facts(w, &r, err));
  if (has_trace) CB_GOTO(add_trace(w, &r, err));
  if (r.run.kind != CB_RUN_LOOK) CB_GOTO(add_others(w, &r, err));
  CB_GOTO(add_said(w, id, err));
  add_forms(w, &r.run);
  site_end(w);
done:
  lab_record_clear(&r);
  return st;
}
