/* Two campaigns or lots of one pair against each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_figures.h"
#include "report_site_impl.h"

/* "c12": campaign 12; "lA7": lot A7. */
static lab_compare_side side_of(const site *w, const char *key) {
  const char *text = site_value(w, key);
  lab_compare_side side = {.s = w->store};
  if (text[0] == 'c') side.campaign_id = strtoll(text + 1, NULL, 10);
  if (text[0] == 'l' && text[1]) side.lot = text + 1;
  return side;
}

static void add_choices(site *w, const char *key, const json_t *doc) {
  report_text *t = w->text;
  const json_t *row;
  size_t i;
  report_text_addf(t, "<label>%s <select name=\"%s\">", key, key);
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    const char *value = json_string_value(json_array_get(row, 0)),
               *name = json_string_value(json_array_get(row, 1));
    report_text_add(t, "<option value=\"");
    report_text_html(t, value ? value : "");
    report_text_add(t, value && strcmp(value, site_value(w, key)) == 0 ? "\" selected>" : "\">");
    report_text_html(t, name ? name : "");
    report_text_add(t, "</option>");
  }
  report_text_add(t, "</select></label> ");
}

static cb_status add_form(site *w, const cb_material *cloth, const cb_material *body, cb_err *err) {
  const cb_query_value values[] = {{cloth->name, 0}, {body->name, 0}};
  json_t *doc;
  CB_TRY(cb_store_query(
      w->store,
      "SELECT 'c' || campaign_id, 'campaign ' || campaign_id || ' ' || campaign || ' (' || count(*) "
      "|| ' runs)' FROM v_run WHERE cloth = ?1 AND body = ?2 AND kind = 'pull' GROUP BY "
      "campaign_id UNION ALL SELECT 'l' || lot, 'lot ' || lot || ' (' || count(*) || ' runs)' FROM "
      "v_run WHERE cloth = ?1 AND body = ?2 AND kind = 'pull' AND lot <> '' GROUP BY lot",
      values, 2, &doc, err));
  report_text_addf(w->text,
                   "<form class=\"choice\" action=\"compare.html\"><input type=\"hidden\" name=\"cloth\" "
                   "value=\"%lld\"><input type=\"hidden\" name=\"body\" value=\"%lld\">",
                   (long long)cloth->id, (long long)body->id);
  add_choices(w, "A", doc);
  add_choices(w, "B", doc);
  report_text_addf(
      w->text,
      "<label>friction <select name=\"kind\"><option>kinetic</option><option%s>static</option></select>"
      "</label> <button>compare</button></form>\n",
      strcmp(site_value(w, "kind"), "static") == 0 ? " selected" : "");
  json_decref(doc);
  return CB_OK;
}

static void add_cells(site *w, const lab_compare *c) {
  report_text *t = w->text;
  report_text_add(
      t,
      "<div class=\"scroll\"><table class=\"sorts\"><thead><tr><th scope=\"col\">direction [\u00b0]</th>"
      "<th scope=\"col\">normal force [N]</th><th scope=\"col\">\u00b5 of A</th><th scope=\"col\">\u00b5 "
      "of B</th><th scope=\"col\">E<sub>n</sub></th></tr></thead><tbody>\n");
  for (size_t i = 0; i < c->n_cells; i++) {
    report_text_addf(t, "<tr><td>%g</td><td>%.4g</td>", c->cells[i].angle_deg, c->cells[i].normal_force_N);
    for (int k = 0; k < 2; k++) {
      report_text_add(t, "<td>");
      report_page_value(t, c->cells[i].mu[k], c->cells[i].u95[k]);
      report_text_add(t, "</td>");
    }
    report_text_addf(t, "<td>%.2f</td></tr>\n", c->cells[i].en);
  }
  report_text_add(t, "</tbody></table></div>\n");
}

static cb_status add_comparison(site *w, const lab_compare *c, cb_err *err) {
  report_page page = {.text = w->text, .served = true};
  report_plot plot;
  report_text_addf(
      w->text,
      "<div class=\"cards\"><div class=\"card\"><span>Verdict</span><b class=\"%s\">they %s</b><span>"
      "E<sub>n</sub> of the laws %.2f (limit 1), worst of a cell %.2f (limit %.2f)</span></div><div "
      "class=\"card\"><span>A over B</span><b>%+.2g \u00b1 %.2g %%</b><span>mean over the cells, at 95 "
      "%%</span></div><div class=\"card\"><span>Runs</span><b>%zu and %zu</b><span>%s</span></div></div>\n",
      c->agree ? "good" : "bad", c->agree ? "agree" : "differ", c->en, c->worst_en, c->worst_limit,
      100 * expm1(c->difference_rel), 100 * c->u95_rel, c->n_runs[0], c->n_runs[1],
      c->one_calibration ? "of one calibration, whose uncertainty is left out" : "");
  report_figure_compare(c, &plot);
  CB_TRY(
      report_page_figure(&page, &plot, "Coefficient of A over that of B. Bars: 95 % of both together.", err));
  add_cells(w, c);
  return CB_OK;
}

/* What cannot be compared is said on the page, below the choice. */
static cb_status compare_sides(site *w, const cb_material *cloth, const cb_material *body, cb_err *err) {
  const lab_compare_side sides[2] = {side_of(w, "A"), side_of(w, "B")};
  const bool is_static = strcmp(site_value(w, "kind"), "static") == 0;
  cb_err why = {""};
  lab_compare c = {.n_cells = 0};
  cb_status st = strcmp(site_value(w, "A"), site_value(w, "B")) == 0
                     ? cb_fail(&why, CB_E_ARG, "A and B are the same: two campaigns or lots were wanted")
                     : lab_compare_pair(sides, cloth->name, body->name,
                                        is_static ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC, &c, &why);
  if (st == CB_OK) {
    st = add_comparison(w, &c, err);
  } else {
    report_text_add(w->text, "<div class=\"banner\" role=\"alert\">");
    report_text_html(w->text, why.msg);
    report_text_add(w->text, "</div>\n");
    st = CB_OK;
  }
  lab_compare_clear(&c);
  return st;
}

cb_status site_compare(site *w, cb_err *err) {
  cb_material cloth, body;
  char title[160];
  CB_TRY(site_find(w->store, CB_CLOTH, (int64_t)site_number(w, "cloth", 0), &cloth, err));
  CB_TRY(site_find(w->store, CB_BODY, (int64_t)site_number(w, "body", 0), &body, err));
  (void)snprintf(title, sizeof title, "%s on %s", cloth.name, body.name);
  site_begin(w, "compare two campaigns or lots", title, NULL);
  CB_TRY(add_form(w, &cloth, &body, err));
  if (site_value(w, "A")[0] && site_value(w, "B")[0]) CB_TRY(compare_sides(w, &cloth, &body, err));
  site_end(w);
  return CB_OK;
}
