/* The index of a database as one HTML page: which pair has which coefficient, what else is known of the
 * cloths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_date.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_stats.h"
#include "cb_store_drape.h"
#include "cb_store_query.h"
#include "cb_version.h"
#include "lab_alarm.h"
#include "lab_cloth_laws.h"
#include "lab_judged.h"
#include "report_page.h"
#include "report_html.h"

#define KAPPA_PA 100.0
#define STRETCH_STRAIN 0.02

typedef struct index_page {
  report_page *page; /* its text, data, and where its pages lie */
  report_text *text; /* = page->text */
  const report_data *data;
  cb_validation *verdicts;
  size_t n_verdicts;
  cb_calibration *calibrations;
  size_t n_calibrations;
  char today[CB_DATE_SIZE];
} index_page;

static void add_value(report_text *t, double value, double u95) {
  char text[CB_PLUS_MINUS];
  report_text_add(t, cb_plus_minus(value, u95, " \u00b1 ", text));
}

/* ---- cloths by bodies ---- */

static const cb_friction_law *find_law(const report_data *d, const cb_material *cloth,
                                       const cb_material *body) {
  return report_data_law(d, (report_pair){cloth->id, body->id}, CB_FRICTION_KINETIC);
}

/* Whether the cloth or body is in any law or run. */
static bool has_friction(const report_data *d, const cb_material *m) {
  for (size_t i = 0; i < d->n_laws; i++) {
    const char *name = m->kind == CB_CLOTH ? d->laws[i].cloth : d->laws[i].body;
    if (d->laws[i].kind == CB_FRICTION_KINETIC && strcmp(name, m->name) == 0) return true;
  }
  for (size_t i = 0; i < d->n_runs; i++)
    if (m->id == (m->kind == CB_CLOTH ? d->runs[i].cloth_id : d->runs[i].body_id)) return true;
  return false;
}

static bool is_column(const report_data *d, const cb_material *m) {
  return m->kind == CB_BODY && has_friction(d, m);
}

static bool has_runs(const report_data *d, const cb_material *cloth, const cb_material *body) {
  for (size_t i = 0; i < d->n_runs; i++)
    if (d->runs[i].cloth_id == cloth->id && d->runs[i].body_id == body->id) return true;
  return false;
}

/* Whether the runs behind the law used calibrations that were valid then, and are now. */
static cb_status add_calibration_note(const index_page *p, const cb_friction_law *law, cb_err *err) {
  cb_run *runs;
  size_t n, doubtful = 0, outdated = 0;
  CB_TRY(cb_store_law_runs(p->data->store, law->id, &runs, &n, err));
  for (size_t i = 0; i < n; i++) {
    doubtful += report_run_is_doubtful(p->calibrations, p->n_calibrations, &runs[i]);
    outdated += report_run_is_outdated(p->calibrations, p->n_calibrations, &runs[i], p->today);
  }
  free(runs);
  if (doubtful > 0)
    report_text_addf(p->text, "<br><span class=\"bad\">%zu run%s without valid calibration</span>", doubtful,
                     CB_S(doubtful));
  else if (outdated > 0)
    report_text_add(p->text, "<br><span class=\"note\">calibration expired since</span>");
  return CB_OK;
}

static void open_pair_link(const index_page *p, const char *cloth, const char *body, const char **close) {
  char stem[128];
  const report_pair pair = {report_data_id(p->data, CB_CLOTH, cloth), report_data_id(p->data, CB_BODY, body)};
  report_pair_stem(p->data, pair, stem);
  const bool linked = report_page_is_there(p->page, stem);
  if (linked) report_text_addf(p->text, "<a href=\"%s.html\">", stem);
  *close = linked ? "</a>" : "";
}

/* Along the warp, at the law's middle load. */
static cb_status add_coefficient(const index_page *p, const cb_friction_law *law, cb_err *err) {
  const char *close;
  const double load_N = law->knots[law->n_knots / 2].normal_force_N;
  cb_friction_value v;
  size_t newer;
  cb_friction_law_eval(law, 0, load_N, &v);
  CB_TRY(cb_store_law_stale(p->data->store, law, &newer, err));
  report_text_add(p->text, "<td>");
  open_pair_link(p, law->cloth, law->body, &close);
  add_value(p->text, v.force_N / load_N, cb_student_t(0.95, v.dof) * v.u_force_N / load_N);
  report_text_add(p->text, close);
  if (newer > 0) report_text_addf(p->text, " <span class=\"bad\">+%zu run%s</span>", newer, CB_S(newer));
  CB_TRY(add_calibration_note(p, law, err));
  report_text_add(p->text, "</td>");
  return CB_OK;
}

static cb_status add_cell(const index_page *p, const cb_material *cloth, const cb_material *body,
                          cb_err *err) {
  const cb_friction_law *law = find_law(p->data, cloth, body);
  if (law) return add_coefficient(p, law, err);
  report_text_addf(p->text, "<td class=\"note\">%s</td>",
                   has_runs(p->data, cloth, body) ? "not fitted" : "\u2013");
  return CB_OK;
}

static void link_cloth(const index_page *p, const cb_material *cloth) {
  char stem[128];
  report_cloth_stem(p->data, cloth->id, stem);
  report_page_link(p->page, stem, cloth->name);
}

static cb_status add_pairs(const index_page *p, cb_err *err) {
  const report_data *d = p->data;
  report_text *t = p->text;
  if (d->n_laws == 0 && d->n_runs == 0) return CB_OK;
  report_text_words(
      t, "<section><h2>Kinetic friction</h2>\n<div class=\"scroll\"><table><tr><th class=\"t\">cloth</th>");
  for (size_t b = 0; b < d->n_materials; b++) {
    if (!is_column(d, &d->materials[b])) continue;
    report_text_in(t, "<th>", d->materials[b].name, "</th>");
  }
  report_text_add(t, "</tr>\n");
  for (size_t c = 0; c < d->n_materials; c++) {
    const cb_material *cloth = &d->materials[c];
    if (cloth->kind != CB_CLOTH || !has_friction(d, cloth)) continue;
    report_text_add(t, "<tr><td class=\"t\">");
    link_cloth(p, cloth);
    report_text_add(t, "</td>");
    for (size_t b = 0; b < d->n_materials; b++)
      if (is_column(d, &d->materials[b])) CB_TRY(add_cell(p, cloth, &d->materials[b], err));
    report_text_add(t, "</tr>\n");
  }
  report_text_add(
      t,
      "</table></div>\n<p class=\"note\">Coefficient along the warp at the middle load of the law, "
      "\u00b1 at 95 %. \u2013: not measured. +n runs: finished after the fit; fit again.</p></section>\n");
  return CB_OK;
}

/* ---- the other properties ---- */

static void add_number(report_text *t, bool known, double value, double u95) {
  report_text_add(t, "<td>");
  if (known)
    add_value(t, value, u95);
  else
    report_text_add(t, "\u2013");
  report_text_add(t, "</td>");
}

static void add_stretch(report_text *t, const lab_cloth_laws *l, double angle_deg) {
  cb_stretch_value v = {.basis = CB_STRETCH_BY_NOTHING};
  if (l->has_stretch) cb_stretch_eval(&l->stretch, angle_deg, STRETCH_STRAIN, &v);
  add_number(t, v.basis != CB_STRETCH_BY_NOTHING, v.force_N_per_m / STRETCH_STRAIN,
             cb_student_t(0.95, v.dof) * v.u_N_per_m / STRETCH_STRAIN);
}

static void add_bending(report_text *t, const lab_cloth_laws *l, double angle_rad) {
  cb_bending_value v = {.B_Nm = NAN};
  if (l->has_bending) cb_bending_eval(&l->bending, angle_rad, NAN, &v);
  add_number(t, l->has_bending, 1e6 * v.B_Nm, 1e6 * cb_student_t(0.95, v.dof) * v.u_B_Nm);
}

static void add_air(report_text *t, const lab_cloth_laws *l) {
  const cb_permeability_layer layer = {&l->permeability, 1};
  cb_permeability_value v = {.velocity_m_per_s = NAN};
  if (l->has_permeability) cb_permeability_at_pressure(&layer, 1, KAPPA_PA, &v);
  const double factor = l->has_permeability ? cb_permeability_factor(v.u_ln_velocity, v.dof) : 1;
  report_text_add(t, "<td>");
  if (l->has_permeability)
    report_text_addf(t, "%.3g (%.3g \u2026 %.3g)", 1e3 * v.velocity_m_per_s,
                     1e3 * v.velocity_m_per_s / factor, 1e3 * v.velocity_m_per_s * factor);
  else
    report_text_add(t, "\u2013");
  report_text_add(t, "</td>");
}

static cb_status add_drape(const index_page *p, int64_t cloth_id, cb_err *err) {
  cb_drape_test *list;
  size_t n;
  double sum = 0;
  CB_TRY(cb_store_drapes(p->data->store, cloth_id, &list, &n, err));
  for (size_t i = 0; i < n; i++) sum += list[i].drape_coefficient;
  report_text_add(p->text, "<td>");
  if (n > 0)
    report_text_addf(p->text, "%.3f (%zu)", sum / (double)n, n);
  else
    report_text_add(p->text, "\u2013");
  report_text_add(p->text, "</td>");
  free(list);
  return CB_OK;
}

static cb_status add_cloth(const index_page *p, const cb_material *m, lab_cloth_laws *l, cb_err *err) {
  report_text *t = p->text;
  CB_TRY(lab_cloth_laws_load(p->data->store, m->name, NULL, l, err));
  report_text_add(t, "<tr><td class=\"t\">");
  link_cloth(p, m);
  report_text_add(t, "</td>");
  add_number(t, l->facts.areal_density_kg_per_m2 > 0, 1e3 * l->facts.areal_density_kg_per_m2,
             2e3 * l->facts.u_areal_density_kg_per_m2);
  add_number(t, l->facts.thickness_m > 0, 1e3 * l->facts.thickness_m, 2e3 * l->facts.u_thickness_m);
  add_stretch(t, l, 0);
  add_stretch(t, l, 90);
  add_bending(t, l, 0);
  add_bending(t, l, CB_PI / 2);
  add_air(t, l);
  CB_TRY(add_drape(p, m->id, err));
  report_text_add(t, "</tr>\n");
  return CB_OK;
}

static cb_status add_cloths(const index_page *p, cb_err *err) {
  lab_cloth_laws *laws = malloc(sizeof *laws);
  if (!laws) return cb_no_memory(err, "the index of %s", cb_store_path(p->data->store));
  report_text_words(
      p->text,
      "<section><h2>Cloths</h2>\n<div class=\"scroll\"><table class=\"wide\"><tr><th class=\"t\">cloth</th>"
      "<th>areal density g/m\u00b2</th><th>thickness mm</th><th>stretch warp N/m</th><th>weft</th>"
      "<th>bending warp \u00b5N m</th><th>weft</th><th>air at 100 Pa mm/s</th><th>drape coefficient</th>"
      "</tr>\n");
  cb_status st = CB_OK;
  for (size_t i = 0; i < p->data->n_materials && st == CB_OK; i++)
    if (p->data->materials[i].kind == CB_CLOTH) st = add_cloth(p, &p->data->materials[i], laws, err);
  report_text_add(
      p->text,
      "</table></div>\n<p class=\"note\">Stretch: secant to 2 % strain. \u00b1 and ranges at 95 %. "
      "Drape: mean (number). \u2013: not measured.</p></section>\n");
  free(laws);
  return st;
}

/* ---- verdicts ---- */

static void add_judged(const index_page *p, const cb_material *m, size_t *rows) {
  lab_judged kind[LAB_JUDGED_KINDS];
  lab_judged_of(p->verdicts, p->n_verdicts, m->id, m->origin, kind);
  for (int k = 0; k < LAB_JUDGED_KINDS; k++) {
    if (kind[k].n == 0) continue;
    if ((*rows)++ == 0)
      report_text_words(
          p->text,
          "<section><h2>Predictions and measurements</h2>\n<div class=\"scroll\"><table><tr><th "
          "class=\"t\">cloth</th><th class=\"t\">kind</th><th>judged</th><th>passed</th><th>worst "
          "|E<sub>n</sub>|</th><th></th></tr>\n");
    report_text_add(p->text, "<tr><td class=\"t\">");
    link_cloth(p, m);
    report_text_addf(p->text,
                     "</td><td class=\"t\">%s</td><td>%zu</td><td class=\"%s\">%zu</td><td>%.2f</td><td "
                     "class=\"note\">%s</td></tr>\n",
                     kind[k].words, kind[k].n, kind[k].holds ? "good" : "bad", kind[k].passed,
                     kind[k].worst_en, kind[k].note);
  }
}

static void add_verdicts(const index_page *p) {
  size_t rows = 0;
  for (size_t i = 0; i < p->data->n_materials; i++)
    if (p->data->materials[i].kind == CB_CLOTH) add_judged(p, &p->data->materials[i], &rows);
  if (rows > 0) report_text_add(p->text, "</table></div></section>\n");
}

/* ---- alarms ---- */

static cb_status add_alarms(const index_page *p, cb_err *err) {
  json_t *doc;
  CB_TRY(cb_store_query(p->data->store, LAB_ALARMS_DUE, NULL, 0, &doc, err));
  const json_t *rows = json_object_get(doc, "rows"), *row;
  size_t i;
  if (json_array_size(rows) > 0)
    report_text_add(p->text,
                    "<section><h2>Alarms of control charts</h2>\n<p class=\"note\">Nobody has said what was "
                    "done: 'clothbench db note RUN TEXT' does.</p>\n");
  json_array_foreach(rows, i, row) {
    report_text_addf(p->text, "<p>run %lld: ", (long long)json_integer_value(json_array_get(row, 0)));
    report_text_html(p->text, json_string_value(json_array_get(row, 2)));
    report_text_add(p->text, i + 1 == json_array_size(rows) ? "</p></section>\n" : "</p>\n");
  }
  json_decref(doc);
  return CB_OK;
}

/* ---- campaigns ---- */

static void add_campaign(const index_page *p, const cb_campaign *c) {
  report_text *t = p->text;
  char stem[128];
  size_t runs = 0, done = 0;
  for (size_t i = 0; i < p->data->n_runs; i++) {
    if (p->data->runs[i].campaign_id != c->id) continue;
    runs++;
    done += p->data->runs[i].status == CB_RUN_DONE;
  }
  report_campaign_stem(c, stem);
  report_text_addf(t, "<tr><td>%lld</td><td class=\"t\">", (long long)c->id);
  report_page_link(p->page, stem, c->name);
  report_text_addf(t, "</td><td class=\"t\">%s</td><td class=\"t\">%.10s</td><td>%zu of %zu</td></tr>\n",
                   cb_campaign_kind_names[c->kind], c->created_at, done, runs);
}

static cb_status add_campaigns(const index_page *p, cb_err *err) {
  cb_campaign *list;
  size_t n;
  CB_TRY(cb_store_campaigns(p->data->store, &list, &n, err));
  if (n > 0)
    report_text_words(p->text,
                      "<section><h2>Campaigns</h2>\n<div class=\"scroll\"><table><tr><th>no.</th><th "
                      "class=\"t\">campaign</th><th class=\"t\">kind</th><th class=\"t\">begun</th><th>runs "
                      "done</th></tr>\n");
  for (size_t i = 0; i < n; i++) add_campaign(p, &list[i]);
  if (n > 0) report_text_add(p->text, "</table></div></section>\n");
  free(list);
  return CB_OK;
}

/* ---- the page ---- */

static void add_head(const index_page *p) {
  report_text *t = p->text;
  size_t cloths = 0;
  for (size_t i = 0; i < p->data->n_materials; i++) cloths += p->data->materials[i].kind == CB_CLOTH;
  report_text_add(
      t,
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>clothbench index</title>\n<style>\n");
  report_text_add(t, report_page_style);
  report_text_addf(t, "</style></head>\n<body><main>\n<header><p class=\"kicker\">%s database</p><h1>",
                   cb_store_is_reference(p->data->store) ? "reference" : "laboratory");
  report_text_html(t, cb_store_path(p->data->store));
  report_text_addf(t,
                   "</h1>\n<p class=\"lead\">%zu cloth%s, %zu %s, %zu run%s, %zu friction law%s, %zu "
                   "verdict%s</p></header>\n",
                   cloths, CB_S(cloths), p->data->n_materials - cloths,
                   CB_PLURAL(p->data->n_materials - cloths, "body", "bodies"), p->data->n_runs,
                   CB_S(p->data->n_runs), p->data->n_laws, CB_S(p->data->n_laws), p->n_verdicts,
                   CB_S(p->n_verdicts));
}

static cb_status fill_page(const index_page *p, cb_err *err) {
  add_head(p);
  CB_TRY(add_pairs(p, err));
  CB_TRY(add_cloths(p, err));
  CB_TRY(report_page_known(p->page, err));
  CB_TRY(add_alarms(p, err));
  add_verdicts(p);
  CB_TRY(add_campaigns(p, err));
  report_calibrations(p->page, p->calibrations, p->n_calibrations, p->today);
  report_text_addf(p->text, "<footer>clothbench %s, schema %d</footer>\n</main></body></html>\n",
                   cb_version(), cb_store_schema_version());
  return CB_OK;
}

cb_status report_index_write(cb_store *s, const char *dir, char path[512], cb_err *err) {
  report_data data;
  report_text text = {0};
  report_page frame = {.text = &text, .data = &data, .dir = dir, .stem = REPORT_INDEX_STEM};
  index_page page = {.page = &frame, .text = &text, .data = &data};
  cb_status st;
  CB_GOTO(report_data_load(s, 0, NULL, &data, err));
  CB_GOTO(cb_store_validations(s, 0, &page.verdicts, &page.n_verdicts, err));
  CB_GOTO(cb_store_calibrations(s, &page.calibrations, &page.n_calibrations, err));
  cb_date_today(page.today);
  CB_GOTO(fill_page(&page, err));
  st = report_page_save(&frame, path, err);
done:
  free(page.calibrations);
  cb_validations_free(page.verdicts, page.n_verdicts);
  report_text_clear(&text);
  report_data_clear(&data);
  return st;
}
