/* What was measured with what, when, by whom; events; rigs and calibrations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_language.h"
#include "cb_rig.h"
#include "cb_stats.h"
#include "report_page.h"

static void term(report_text *t, const char *name) { report_text_addf(t, "<dt>%s</dt><dd>", _(name)); }

static void fact(report_text *t, const char *name, const char *value) {
  if (!value[0]) return;
  term(t, name);
  report_text_in(t, "", value, "</dd>\n");
}

static void add_counts(const report_page *page) {
  size_t count[CB_RUN_VOIDED + 1] = {0}, kinds = 0;
  for (size_t i = 0; i < page->data->n_runs; i++) {
    if (page->data->runs[i].campaign_id == page->campaign->id) count[page->data->runs[i].status]++;
  }
  term(page->text, N_("Runs"));
  for (int k = 0; cb_run_status_names[k]; k++)
    if (count[k])
      report_text_addf(page->text, "%s%zu %s", kinds++ ? ", " : "", count[k], cb_run_status_names[k]);
  report_text_add(page->text, kinds ? "</dd>\n" : "none</dd>\n");
}

static void add_time(report_text *t, const cb_campaign *c) {
  term(t, N_("When"));
  report_text_html(t, c->created_at);
  report_text_in(t, " to ", c->finished_at[0] ? c->finished_at : "now (not finished)", "</dd>\n");
}

static void add_air(report_text *t, const cb_conditions *c) {
  char outside[200];
  term(t, N_("Conditions"));
  if (isfinite(c->temperature_degC)) report_text_addf(t, "%g \u00b0C", c->temperature_degC);
  if (isfinite(c->humidity_percent))
    report_text_addf(t, "%s%g %% relative humidity", isfinite(c->temperature_degC) ? ", " : "",
                     c->humidity_percent);
  if (!isfinite(c->temperature_degC) && !isfinite(c->humidity_percent)) report_text_add(t, "not recorded");
  if (c->atmosphere >= 0) report_text_addf(t, "; atmosphere: %s", cb_atmosphere_names[c->atmosphere]);
  if (isfinite(c->conditioning_h)) report_text_addf(t, "; conditioned for %g h", c->conditioning_h);
  report_text_add(t, "</dd>\n");
  if (cb_conditions_outside(c, outside)) fact(t, N_("Deviation"), outside);
}

static void add_conditions(report_text *t, const cb_conditions *c) {
  add_air(t, c);
  fact(t, N_("Cloth lot"), c->cloth_lot);
  if (c->cloth_side >= 0) fact(t, N_("Cloth side"), cb_side_names[c->cloth_side]);
  fact(t, N_("Body specimen"), c->body_specimen);
  if (isfinite(c->specimen_area_m2)) {
    term(t, N_("Specimen area"));
    report_text_addf(t, "%.4g cm\u00b2</dd>\n", 1e4 * c->specimen_area_m2);
  }
  fact(t, N_("Washed"), c->wash_state);
  fact(t, N_("Note"), c->note);
}

static const cb_material *material(const report_data *d, int64_t id) {
  for (size_t i = 0; i < d->n_materials; i++)
    if (d->materials[i].id == id) return &d->materials[i];
  return NULL;
}

static void add_material(report_text *t, const cb_material *m) {
  if (!m) return;
  term(t, m->kind == CB_CLOTH ? N_("Cloth") : N_("Body"));
  report_text_html(t, m->name);
  if (m->composition[0]) report_text_in(t, ", ", m->composition, "");
  if (m->areal_density_kg_per_m2 > 0)
    report_text_addf(t, ", %.4g g/m\u00b2", 1e3 * m->areal_density_kg_per_m2);
  if (m->thickness_m > 0) report_text_addf(t, ", %.3g mm thick", 1e3 * m->thickness_m);
  if (m->source[0]) report_text_in(t, " (", m->source, "");
  report_text_add(t, m->source[0] ? ")</dd>\n" : "</dd>\n");
}

cb_status report_page_facts(report_page *page, cb_err *err) {
  report_text *t = page->text;
  char preset[32];
  cb_conditions conditions;
  CB_TRY(cb_store_conditions_get(page->data->store, page->campaign->id, preset, &conditions, err));
  report_text_add(t, "<section><dl>\n");
  if (page->n_pairs == 1) {
    add_material(t, material(page->data, page->pairs[0].cloth_id));
    add_material(t, material(page->data, page->pairs[0].body_id));
  }
  add_time(t, page->campaign);
  fact(t, N_("By"), page->campaign->operator_name);
  if (strcmp(preset, "custom") != 0) fact(t, N_("Preset"), preset);
  add_conditions(t, &conditions);
  fact(t, N_("Origin"), cb_origin_names[page->campaign->origin]);
  add_counts(page);
  report_text_add(t, "</dl></section>\n");
  return CB_OK;
}

/* ---- events ---- */

cb_status report_page_events(report_page *page, cb_err *err) {
  cb_event *list;
  size_t n;
  report_text *t = page->text;
  CB_TRY(cb_store_events(page->data->store, page->campaign->id, &list, &n, err));
  report_text_words(t, "<section><h2>Events</h2>\n");
  if (n == 0) report_text_add(t, "<p class=\"note\">Nothing out of the ordinary was recorded.</p>\n");
  if (n > 0)
    report_text_words(
        t,
        "<div class=\"scroll\"><table><tr><th class=\"t\">when</th><th>run</th><th>run time [s]</th><th "
        "class=\"t\">kind</th><th class=\"t\">what</th></tr>\n");
  for (size_t i = 0; i < n; i++) {
    if (strcmp(list[i].kind, "asks") == 0) continue; /* of every run: it tells a page at the bench */
    report_text_in(t, "<tr><td class=\"t\">", list[i].at, "");
    if (list[i].run_id)
      report_text_addf(t, "</td><td>%lld</td><td>%.2f</td><td class=\"t\">", (long long)list[i].run_id,
                       list[i].t_s);
    else
      report_text_in(t, "</td><td>\u2013</td><td>\u2013</td><td class=\"t\">", list[i].kind,
                     "</td><td class=\"w\">");
    report_text_in(t, "", list[i].text, "</td></tr>\n");
  }
  report_text_add(t, n ? "</table></div></section>\n" : "</section>\n");
  free(list);
  return CB_OK;
}

/* ---- rigs and calibrations ---- */

static void add_rig(report_text *t, int64_t id, const char *text) {
  cb_rig rig;
  report_text_addf(t, _("<h3>Rig %lld</h3>\n"), (long long)id);
  if (cb_rig_parse(text, "rig", &rig, NULL) == CB_OK) {
    report_text_add(t, "<dl>\n");
    fact(t, N_("Name"), rig.name);
    term(t, N_("Stage"));
    report_text_addf(t, "%s, microstep %.4g \u00b5m, up to %g mm/s</dd>\n",
                     cb_stage_driver_names[rig.stage.driver], 1e6 * rig.stage.microstep_m,
                     1e3 * rig.stage.max_speed_m_per_s);
    term(t, N_("Force"));
    report_text_addf(t, "%s, %g Hz, stopped above %g N</dd>\n", cb_force_driver_names[rig.force.driver],
                     rig.force.rate_Hz, rig.force.overload_N);
    term(t, N_("Bench"));
    report_text_addf(t, "cart %g g, contact %g cm\u00b2, link %g N/m with %g mm of free play</dd>\n</dl>\n",
                     1e3 * rig.bench.cart_mass_kg, 1e4 * rig.bench.contact_area_m2,
                     rig.bench.link_stiffness_N_per_m, 1e3 * rig.bench.link_slack_m);
  }
  cb_rig_clear(&rig);
  report_text_words(t, "<details><summary>The rig file as it was used</summary><pre>");
  report_text_in(t, "", text, "</pre></details>\n");
}

/* How good the channel is, and what that makes of its largest load: U with the factor for 95 %. */
static void add_faults(report_text *t, const cb_calibration *c) {
  double u_N = cb_calibration_u_N(c, c->full_scale_N),
         k = cb_student_t(0.95, c->dof > 0 ? fmax(1, c->dof) : INFINITY);
  const struct {
    const char *name;
    double value_N;
  } faults[] = {{N_("Nonlinearity"), c->nonlinearity_N},
                {N_("Hysteresis"), c->hysteresis_N},
                {N_("Repeatability"), c->repeatability_N},
                {N_("Zero return"), c->zero_return_N},
                {N_("Creep"), c->creep_N}};
  fact(t, N_("Calibrated by"), c->operator_name);
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    if (isnan(faults[i].value_N)) continue;
    term(t, faults[i].name);
    report_text_addf(t, "%.2g N</dd>\n", faults[i].value_N);
  }
  term(t, N_("Uncertainty"));
  report_text_addf(t, "at %.4g N: u = %.2g N, k = %.2f, U = %.2g N (95 %%)</dd>\n", c->full_scale_N, u_N, k,
                   k * u_N);
}

static void add_slope(report_text *t, const cb_calibration *c) {
  term(t, N_("Slope"));
  report_text_addf(t, "%.6g N per ", c->slope_N_per_unit);
  report_text_html(t, c->unit);
  report_text_addf(t, ", relative standard uncertainty %.2g %%", 100 * c->u_rel);
  if (c->u_floor_N > 0) report_text_addf(t, ", and %.2g N at every force", c->u_floor_N);
  report_text_addf(t, " (%s)</dd>\n", cb_calibration_kind_names[c->kind]);
}

static void add_calibration(report_text *t, const cb_calibration *c) {
  report_text_addf(t, _("<h3>Calibration %lld</h3>\n<dl>\n"), (long long)c->id);
  add_slope(t, c);
  fact(t, N_("Cell"), c->cell);
  if (c->resolution_N > 0) {
    term(t, N_("Resolution"));
    report_text_addf(t, "%.2g N</dd>\n", c->resolution_N);
  }
  fact(t, N_("Certificate"), c->certificate);
  fact(t, N_("Valid from"), c->valid_from);
  fact(t, N_("Valid until"), c->valid_until);
  if (c->kind == CB_CALIBRATION_MEASURED) add_faults(t, c);
  report_text_add(t, "</dl>\n");
}

/* Whether run i is the first of the campaign with its rig or calibration. */
static bool first_use(const report_page *page, size_t i, bool rig) {
  const cb_run *r = page->data->runs;
  int64_t id = rig ? r[i].rig_id : r[i].calibration_id;
  if (r[i].campaign_id != page->campaign->id || id == 0) return false;
  for (size_t k = 0; k < i; k++)
    if (r[k].campaign_id == page->campaign->id && (rig ? r[k].rig_id : r[k].calibration_id) == id)
      return false;
  return true;
}

cb_status report_page_rigs(report_page *page, cb_err *err) {
  const report_data *d = page->data;
  report_text_words(page->text, "<section><h2>Rig and calibration</h2>\n");
  size_t found = 0;
  for (size_t i = 0; i < d->n_runs; i++) {
    if (first_use(page, i, true)) {
      char *text;
      CB_TRY(cb_store_rig_text(d->store, d->runs[i].rig_id, &text, err));
      add_rig(page->text, d->runs[i].rig_id, text);
      free(text);
      found++;
    }
    if (first_use(page, i, false)) {
      cb_calibration c;
      CB_TRY(cb_store_calibration_get(d->store, d->runs[i].calibration_id, &c, err));
      add_calibration(page->text, &c);
      found++;
    }
  }
  report_text_add(page->text,
                  found ? "</section>\n"
                        : "<p class=\"note\">None is recorded: the points were imported.</p></section>\n");
  return CB_OK;
}
