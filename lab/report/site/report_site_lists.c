/* Lists: what is there, what is due, and the answers to questions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_claim.h"
#include "cb_language.h"
#include "cb_plural.h"
#include "cb_store_count.h"
#include "lab_alarm.h"
#include "lab_contents.h"
#include "lab_query.h"
#include "report_site_impl.h"

static void heading(site *w, const char *s) { report_text_addf(w->text, "<section><h2>%s</h2>\n", _(s)); }

static cb_status section(site *w, const char *title, const char *sql, const char *none, cb_err *err) {
  heading(w, title);
  CB_TRY(site_table(w, sql, NULL, 0, _(none), err));
  report_text_add(w->text, "</section>\n");
  return CB_OK;
}

/* A section that is there only if it has rows. */
static cb_status section_if_any(site *w, const char *title, const char *sql, cb_err *err) {
  json_t *doc;
  CB_TRY(cb_store_query(w->store, sql, NULL, 0, &doc, err));
  if (json_array_size(json_object_get(doc, "rows")) > 0) {
    heading(w, title);
    site_rows(w, doc, "");
    report_text_add(w->text, "</section>\n");
  }
  json_decref(doc);
  return CB_OK;
}

/* ---- home ---- */

#define IDS "WITH i AS MATERIALIZED (SELECT id, kind, name FROM material_now WHERE is_id = id) "
#define NAMES(column) "(SELECT name FROM material_now WHERE id = " column ")"

static cb_status add_counts(site *w, cb_err *err) {
  static const char *const cards[][3] = {
      {"cloths.html", N_("cloths")},        {"bodies.html", N_("bodies")},
      {"campaigns.html", N_("campaigns")},  {"query.html?q=runs", N_("runs")},
      {"matrix.html", N_("friction laws")}, {"verdicts.html", N_("verdicts")}};
  json_t *doc;
  CB_TRY(cb_store_query(
      w->store,
      "SELECT (SELECT count(*) FROM material_now WHERE kind = 'cloth' AND is_id = id), (SELECT "
      "count(*) FROM material_now WHERE kind = 'body' AND is_id = id), (SELECT count(*) FROM "
      "campaign), (SELECT count(*) FROM run), (SELECT count(*) FROM (SELECT DISTINCT cloth_id, "
      "body_id, kind FROM friction_law)), (SELECT count(*) FROM validation)",
      NULL, 0, &doc, err));
  const json_t *row = json_array_get(json_object_get(doc, "rows"), 0);
  report_text_add(w->text, "<div class=\"cards\">");
  for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
    report_text_addf(w->text, "<a class=\"card\" href=\"%s\"><b>%lld</b><span>%s</span></a>", cards[i][0],
                     (long long)json_integer_value(json_array_get(row, i)), _(cards[i][1]));
  report_text_add(w->text, "</div>\n");
  json_decref(doc);
  return CB_OK;
}

#define UNFINISHED                                                                                         \
  "SELECT c.name AS campaign, c.id AS campaign_id, c.operator_name AS operator, c.created_at AS begun, "   \
  "(SELECT count(*) FROM run r WHERE r.campaign_id = c.id AND r.status = 'done') AS runs_done, (SELECT "   \
  "CAST(e.text AS INTEGER) FROM event e WHERE e.campaign_id = c.id AND e.kind = 'plan' ORDER BY e.id DESC" \
  " LIMIT 1) AS runs_planned, (SELECT e.text FROM event e WHERE e.campaign_id = c.id AND e.kind = 'end' "  \
  "ORDER BY e.id DESC LIMIT 1) AS broken_off FROM campaign c WHERE c.finished_at IS NULL ORDER BY c.id DESC"

/* A rig is all rig files of its name. The calibration is the newest of the cell that its last run used. */
#define OF_RIG(row) row ".rig_id IN (SELECT id FROM rig WHERE name = c.name)"
#define RIGS \
  "WITH c AS (SELECT r.name AS name, max(k.id) AS id FROM campaign k JOIN rig r ON r.id = k.rig_id GROUP BY" \
  " r.name) SELECT c.name AS rig, (SELECT k.name FROM campaign k WHERE k.id = c.id) AS campaign, c.id AS "   \
  "campaign_id, (SELECT max(r.started_at) FROM run r WHERE r.campaign_id = c.id) AS last_run, (SELECT "      \
  "CAST(julianday(substr(n.valid_until, 1, 10)) - julianday('now', 'start of day') AS INTEGER) FROM run r "  \
  "JOIN calibration o ON o.id = r.calibration_id JOIN calibration n ON n.cell = o.cell AND n.kind <> "       \
  "'imported' AND (n.cell <> '' OR n.id = o.id) WHERE r.campaign_id = c.id AND n.valid_until <> '' ORDER "   \
  "BY r.id DESC, n.id DESC LIMIT 1) AS calibration_days_left, (SELECT substr(e.at, 1, 10) || ': ' || "       \
  "e.text FROM event e WHERE e.kind = 'end' AND e.campaign_id IN (SELECT x.id FROM campaign x WHERE "        \
  OF_RIG("x") " ORDER BY x.id DESC LIMIT 20) ORDER BY e.id DESC LIMIT 1) AS last_break_off, (SELECT "        \
  "count(DISTINCT a.run_id) FROM (" LAB_ALARMS_DUE ") a JOIN run x ON x.id = a.run_id WHERE " OF_RIG("x") \
  ") AS alarms FROM c ORDER BY 4 DESC"

/* A section that is there only if it has rows, whose cell `at` is a campaign: which of them a program
 * measures now, only its lock tells. otherwise: of those that nobody measures. */
static cb_status section_now(site *w, const char *title, const char *sql, size_t at, const char *otherwise,
                             cb_err *err) {
  json_t *doc, *row;
  size_t i;
  CB_TRY(cb_store_query(w->store, sql, NULL, 0, &doc, err));
  (void)json_array_append_new(json_object_get(doc, "columns"), json_string("now"));
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    char who[CB_CLAIM_WHO];
    const int64_t id = json_integer_value(json_array_get(row, at));
    const bool runs = cb_claim_holder(cb_store_path(w->store), id, who);
    (void)json_array_append_new(row,
                                runs ? json_sprintf(_("is measured by %s"), who) : json_string(_(otherwise)));
  }
  if (i > 0) {
    heading(w, title);
    site_rows(w, doc, "");
    report_text_words(w->text, "<p><a href=\"live.html\">The newest campaign, live</a></p></section>\n");
  }
  json_decref(doc);
  return CB_OK;
}

#define OLDER_MOST 40 /* laws that are listed */

/* Laws that do not rest on the newest of what was measured and said of their pair. */
static cb_status add_older_laws(site *w, cb_err *err) {
  char sql[800 + 24 * OLDER_MOST];
  cb_count *older;
  size_t n;
  CB_TRY(cb_store_counts(w->store, CB_COUNT_LAWS_STALE, 0, &older, &n, err));
  int used = snprintf(sql, sizeof sql,
                      "SELECT " NAMES("cloth_id") " AS cloth, cloth_id AS cloth_id, " NAMES("body_id")
                      " AS body, body_id AS body_id, kind, 'F' || id AS law, created_at AS fitted FROM "
                      "friction_law WHERE id IN (0");
  for (size_t i = 0; i < n && i < OLDER_MOST; i++)
    used += snprintf(sql + used, sizeof sql - (size_t)used, ",%lld", (long long)older[i].id);
  (void)snprintf(sql + used, sizeof sql - (size_t)used, ") ORDER BY id DESC");
  free(older);
  return section_if_any(w, N_("Friction laws older than their runs: 'fit friction' makes them anew"), sql,
                        err);
}

cb_status site_home(site *w, cb_err *err) {
  site_begin(w, cb_store_is_reference(w->store) ? _("reference database") : _("laboratory database"),
             cb_store_path(w->store), NULL);
  CB_TRY(add_counts(w, err));
  if (w->q->n_beside > 0)
    report_text_words(w->text, "<p><a href=\"compare.html\">Beside other databases: do we agree?</a></p>\n");
  CB_TRY(section_now(w, N_("Rigs"), RIGS, 2, N_("at rest"), err));
  CB_TRY(section_now(w, N_("Campaigns that are not finished"), UNFINISHED, 1,
                     N_("nobody measures it: 'clothbench run' with its file and --resume goes on"), err));
  CB_TRY(
      section_if_any(w, N_("Alarms of control charts that 'db note' has not answered"), LAB_ALARMS_DUE, err));
  CB_TRY(add_older_laws(w, err));
  CB_TRY(section_if_any(w, N_("Calibrations that have ended, or end within 30 days"), lab_calibrations_due,
                        err));
  CB_TRY(section_if_any(
      w, N_("Runs that failed or are flagged: the newest 20"),
      "SELECT run_id, cloth, body, angle_deg, normal_force_N, status, flags, started_at FROM "
      "v_run WHERE run_id IN (SELECT id FROM run INDEXED BY run_failed WHERE flags <> '' OR "
      "status IN ('failed', 'aborted', 'interrupted') ORDER BY id DESC LIMIT 20) ORDER BY run_id DESC",
      err));
  CB_TRY(section(
      w, N_("Newest campaigns"),
      "SELECT c.name AS campaign, c.id AS campaign_id, c.kind, c.origin, c.operator_name AS operator, "
      "c.created_at AS begun FROM campaign c ORDER BY c.id DESC LIMIT 10",
      N_("There are no campaigns: 'clothbench run' or 'clothbench import friction' brings one."), err));
  site_end(w);
  return CB_OK;
}

/* ---- pages of one table ---- */

/* typed: the kind that can be typed; or NULL */
static const struct {
  const char *path, *kicker, *title, *lead, *typed, *none, *sql;
} lists[] = {
    {"/cloths.html", N_("all of them"), N_("Cloths"),
     N_("Stretch: secant to a strain of 2 %. Air: velocity at 100 Pa."), "cloth", N_("There are no cloths."),
     IDS "SELECT v.name AS cloth, i.id AS cloth_id, areal_density_g_per_m2, u_areal_density_g_per_m2, "
         "thickness_mm, u_thickness_mm, stretch_warp_N_per_m, u_stretch_warp_N_per_m, "
         "stretch_weft_N_per_m, u_stretch_weft_N_per_m, shear_N_per_m, u_shear_N_per_m, bending_warp_uNm, "
         "u_bending_warp_uNm, "
         "bending_weft_uNm, u_bending_weft_uNm, air_mm_per_s, u_air_mm_per_s, drape_coefficient, "
         "u_drape_coefficient, v.composition, v.weave, v.laws, v.n_runs, v.origin FROM v_material v JOIN "
         "i ON i.kind = v.kind AND i.name = v.name WHERE v.kind = 'cloth'"},
    {"/bodies.html", N_("all of them"), N_("Bodies"),
     N_("Stretch: secant to a strain of 2 %. Air: velocity at 100 Pa."), "body", N_("There are no bodies."),
     IDS
     "SELECT v.name AS body, i.id AS body_id, areal_density_g_per_m2, u_areal_density_g_per_m2, "
     "thickness_mm, u_thickness_mm, v.composition, v.laws, v.n_runs, v.origin, v.source FROM v_material v "
     "JOIN i ON i.kind = v.kind AND i.name = v.name WHERE v.kind = 'body'"},
    {"/campaigns.html", N_("all of them"), N_("Campaigns"), NULL, NULL, N_("There are no campaigns."),
     "SELECT c.name AS campaign, c.id AS campaign_id, c.kind, " NAMES(
         "c.cloth_id") " AS cloth, "
                       "c.cloth_id AS cloth_id, " NAMES(
                           "c.body_id") " AS body, ifnull(n.runs, 0) AS runs, "
                                        "ifnull(n.done, 0) AS done, ifnull(n.flagged, 0) AS flagged, "
                                        "c.origin, c.operator_name AS operator, "
                                        "c.created_at AS begun, c.finished_at AS finished FROM campaign c "
                                        "LEFT JOIN (SELECT campaign_id, "
                                        "count(*) AS runs, sum(status = 'done') AS done, sum(flags <> '') AS "
                                        "flagged FROM run GROUP BY 1) "
                                        "n ON n.campaign_id = c.id ORDER BY c.id DESC"},
    {"/verdicts.html", N_("predictions and measurements"), N_("Verdicts"),
     N_("A prediction passes where every normalised deviation |En| is at most 1 (ISO 13528)."), NULL,
     N_("Nothing was predicted and measured: 'clothbench validate' does that."),
     "SELECT verdict_id AS verdict, experiment, cloth, body, run_id, CASE pass WHEN 1 THEN 'pass' "
     "ELSE 'fail' END AS verdict, worst_en, created_at AS judged FROM v_verdict ORDER BY "
     "verdict_id DESC LIMIT 5000"},
    {"/calibrations.html", N_("load cells"), N_("Calibrations"), NULL, NULL,
     N_("There are no calibrations: 'clothbench calibrate' makes one."),
     "SELECT c.id AS calibration, r.name AS rig, c.kind, c.cell, c.slope_N_per_unit AS newton_per_unit, "
     "c.u_rel * c.slope_N_per_unit AS u_newton_per_unit, c.unit, c.certificate, c.valid_from, "
     "c.valid_until, CASE WHEN c.valid_until <> '' AND c.valid_until < strftime('%Y-%m-%d', 'now') THEN "
     "'ended' ELSE 'valid' END AS today, (SELECT count(*) FROM run WHERE calibration_id = c.id) AS runs, "
     "c.origin FROM calibration c LEFT JOIN rig r ON r.id = c.rig_id ORDER BY c.id DESC"},
    {"/corrections.html", N_("signed"), N_("Corrections"),
     N_("What was said of runs afterwards. Nothing is deleted."), NULL, N_("Nothing was corrected."),
     "SELECT created_at AS said_at, run_id, kind, field, value, reason, operator_name AS said_by "
     "FROM correction ORDER BY id DESC LIMIT 5000"},
};

bool site_list(site *w, cb_status *st, cb_err *err) {
  size_t i = 0;
  while (i < sizeof lists / sizeof lists[0] && strcmp(lists[i].path, w->q->path) != 0) i++;
  if (i == sizeof lists / sizeof lists[0]) return false;
  site_begin(w, _(lists[i].kicker), _(lists[i].title), lists[i].lead ? _(lists[i].lead) : NULL);
  if (lists[i].typed && w->q->secret[0] && !cb_store_is_reference(w->store))
    report_text_addf(w->text, "<p><a href=\"type.html?kind=%s\">%s</a></p>\n", lists[i].typed,
                     _("Type properties"));
  *st = site_table(w, lists[i].sql, NULL, 0, _(lists[i].none), err);
  site_end(w);
  return true;
}

/* The newest law of each cloth on the body, with its load and range. */
cb_status site_body(site *w, int64_t id, cb_err *err) {
  const cb_query_value value = {NULL, (double)id};
  cb_material body;
  CB_TRY(site_find(w->store, CB_BODY, id, &body, err));
  site_begin(w, _("body"), body.name, body.source[0] ? body.source : NULL);
  report_text_words(w->text, "<section><h2>Cloths on it</h2>\n");
  CB_TRY(site_table(w,
                    "SELECT " NAMES("r.cloth_id") " AS cloth, r.cloth_id AS cloth_id, count(*) AS runs, "
                                                  "sum(r.status = 'done') AS done, sum(r.flags <> '') AS "
                                                  "flagged, min(r.normal_force_N) AS least_load_N, "
                                                  "max(r.normal_force_N) AS greatest_load_N, "
                                                  "max(r.started_at) AS newest FROM run r WHERE r.body_id "
                                                  "= ?1 GROUP BY r.cloth_id",
                    &value, 1, _("No cloth was pulled over it."), err));
  report_text_addf(w->text,
                   "<p><a href=\"matrix.html\">Coefficients of all cloths on all bodies</a> \u00b7 <a "
                   "href=\"type.html?kind=body&amp;name=");
  report_text_in(w->text, "", body.name, "\">type properties</a></p></section>\n");
  site_end(w);
  return CB_OK;
}

/* ---- a question ---- */

static cb_status add_answer(site *w, const char *text, cb_err *err) {
  lab_query q;
  json_t *doc;
  CB_TRY(lab_query_parse(text, &q, err));
  CB_TRY(lab_query_ask(w->store, &q, &doc, err));
  w->lists_cloths = strncmp(text, "cloths", 6) == 0;
  site_rows(w, doc, _("Nothing is so."));
  json_decref(doc);
  report_text_in(w->text, "<details><summary>The same in SQL</summary><pre>", q.sql, "");
  for (size_t i = 0; i < q.n_values; i++) {
    report_text_addf(w->text, "\n?%zu = ", i + 1);
    if (q.values[i].text)
      report_text_html(w->text, q.values[i].text);
    else
      report_text_addf(w->text, "%g", q.values[i].number);
  }
  report_text_add(w->text, "</pre></details>\n");
  return CB_OK;
}

cb_status site_question(site *w, cb_err *err) {
  const char *text = site_value(w, "q");
  cb_err why = {""};
  site_begin(
      w, _("ask"), text[0] ? text : _("Ask the database"),
      text[0] ? NULL : _("Such as: mu < 0.4 on \"Plastic Foam\" at 1 N, sorted; cloths without bending."));
  const cb_status st = text[0] ? add_answer(w, text, &why) : CB_OK;
  if (st != CB_OK && st != CB_E_ARG && st != CB_E_NOTFOUND) {
    if (err) *err = why;
    return st;
  }
  if (st != CB_OK) site_refuse(w, why.msg);
  site_end(w);
  return CB_OK;
}
