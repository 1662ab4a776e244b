/* Two campaigns, lots or databases of one pair against each other; one cloth in several databases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_figures.h"
#include "report_site_impl.h"

/* "c12": campaign 12; "lA7": lot A7; "0": all runs; "1", "1c12", "1lA7": of the first other database. */
static cb_status read_side(const site *w, const char *key, lab_compare_side *side, cb_err *err) {
  char *text;
  const size_t k = strtoul(site_value(w, key), &text, 10);
  *side = (lab_compare_side){.s = w->store};
  if (text[0] == 'c') side->campaign_id = strtoll(text + 1, NULL, 10);
  if (text[0] == 'l' && text[1]) side->lot = text + 1;
  if (k == 0) return CB_OK;
  if (k > w->q->n_beside) return cb_fail(err, CB_E_NOTFOUND, "%s: there is no database %zu", key, k);
  return site_beside(w, k - 1, &side->s, err);
}

static void add_choices(site *w, const char *key, const json_t *doc) {
  report_text *t = w->text;
  const json_t *row;
  size_t i;
  report_text_addf(t, "<label>%s <select name=\"%s\">", key, key);
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    const char *value = json_string_value(json_array_get(row, 0)),
               *name = json_string_value(json_array_get(row, 1));
    report_text_in(t, "<option value=\"", value ? value : "", "");
    report_text_add(t, value && strcmp(value, site_value(w, key)) == 0 ? "\" selected>" : "\">");
    report_text_in(t, "", name ? name : "", "</option>");
  }
  report_text_add(t, "</select></label> ");
}

/* all: the whole of the database s; name: behind which its sides are listed. */
static cb_status list_sides(cb_store *s, const char *const name[2], const char *all, const char *named,
                            json_t **doc, cb_err *err) {
  const cb_query_value values[] = {{name[0], 0}, {name[1], 0}, {all, 0}, {named, 0}};
  return cb_store_query(
      s,
      "WITH r AS (SELECT * FROM v_run WHERE cloth = ?1 AND body = ?2 AND kind = 'pull') SELECT ?3, ?4 || "
      "'all "
      "runs (' || count(*) || ')' FROM r HAVING count(*) > 0 UNION ALL SELECT trim(?3, '0') || 'c' || "
      "campaign_id, ?4 || 'campaign ' || campaign_id || ' ' || campaign || ' (' || count(*) || ' runs)' FROM "
      "r GROUP BY campaign_id UNION ALL SELECT trim(?3, '0') || 'l' || lot, ?4 || 'lot ' || lot || ' (' || "
      "count(*) || ' runs)' FROM r WHERE lot <> '' GROUP BY lot",
      values, 4, doc, err);
}

/* Those of the other databases behind those of this one. */
static cb_status list_all_sides(site *w, const cb_material *cloth, const cb_material *body, json_t **doc,
                                cb_err *err) {
  CB_TRY(list_sides(w->store, (const char *[]){cloth->name, body->name}, "0", "", doc, err));
  for (size_t k = 0; k < w->q->n_beside; k++) {
    cb_store *s;
    cb_material m[2];
    json_t *more;
    char all[8], named[100];
    (void)snprintf(all, sizeof all, "%zu", k + 1);
    (void)snprintf(named, sizeof named, "%.90s: ", site_beside_name(w, k));
    if (site_beside(w, k, &s, NULL) != CB_OK ||
        cb_store_material_find(s, CB_CLOTH, cloth->name, &m[0], NULL) != CB_OK ||
        cb_store_material_find(s, CB_BODY, body->name, &m[1], NULL) != CB_OK ||
        list_sides(s, (const char *[]){m[0].name, m[1].name}, all, named, &more, NULL) != CB_OK)
      continue;
    (void)json_array_extend(json_object_get(*doc, "rows"), json_object_get(more, "rows"));
    json_decref(more);
  }
  return CB_OK;
}

static cb_status add_form(site *w, const cb_material *cloth, const cb_material *body, cb_err *err) {
  json_t *doc;
  CB_TRY(list_all_sides(w, cloth, body, &doc, err));
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
  json_t *rows = json_array();
  for (size_t i = 0; i < c->n_cells; i++) {
    const lab_compare_cell *p = &c->cells[i];
    (void)json_array_append_new(
        rows, json_pack("[f,f,f,f,f,f,f,f]", p->angle_deg, p->normal_force_N, p->mu[0], p->u[0], p->mu[1],
                        p->u[1], (p->mu[0] - p->mu[1]) / hypot(p->u[0], p->u[1]), p->en));
  }
  json_t *doc =
      json_pack("{s:[s,s,s,s,s,s,s,s], s:o}", "columns", "direction_deg", "normal_force_N", "\u00b5_of_A",
                "u_\u00b5_of_A", "\u00b5_of_B", "u_\u00b5_of_B", "difference_over_u", "En", "rows", rows);
  site_rows(w, doc, "");
  json_decref(doc);
}

static cb_status add_comparison(site *w, const lab_compare *c, cb_err *err) {
  report_page page = {.text = w->text, .served = true};
  report_plot plot;
  report_text_addf(
      w->text,
      "<h2>A over B</h2><div class=\"cards\"><div class=\"card\"><span>Verdict</span><b class=\"%s\">they "
      "%s</b><span>"
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
  lab_compare_side sides[2];
  const bool is_static = strcmp(site_value(w, "kind"), "static") == 0;
  cb_err why = {""};
  lab_compare c = {.n_cells = 0};
  cb_status st =
      strcmp(site_value(w, "A"), site_value(w, "B")) == 0
          ? cb_fail(&why, CB_E_ARG, "A and B are the same: two campaigns, lots or databases were wanted")
          : CB_OK;
  if (st == CB_OK) st = read_side(w, "A", &sides[0], &why);
  if (st == CB_OK) st = read_side(w, "B", &sides[1], &why);
  if (st == CB_OK)
    st = lab_compare_pair(sides, cloth->name, body->name,
                          is_static ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC, &c, &why);
  if (st != CB_OK) site_refuse(w, why.msg);
  st = st == CB_OK ? add_comparison(w, &c, err) : CB_OK;
  lab_compare_clear(&c);
  return st;
}

/* Of a cloth all that several databases know, or which cloths they have. */
static cb_status compare_databases(site *w, const cb_material *cloth, cb_err *err) {
  site_begin(w, "compare databases", cloth ? cloth->name : "Do we agree?", NULL);
  for (size_t k = 0; k < w->q->n_beside; k++) {
    report_text_addf(w->text, "%s<a href=\"%zu/index.html\">", k == 0 ? "<p>Beside: " : ", ", k + 1);
    report_text_html(w->text, w->q->beside[k]);
    report_text_add(w->text, k + 1 < w->q->n_beside ? "</a>" : "</a></p>\n");
  }
  if (w->q->n_beside == 0)
    site_refuse(w, "There is one database: 'clothbench serve --with FILE' shows another beside it.");
  CB_TRY(cloth ? site_beside_cloth(w, cloth, true, err) : site_beside_all(w, err));
  site_end(w);
  return CB_OK;
}

cb_status site_compare(site *w, cb_err *err) {
  cb_material cloth, body;
  char title[160];
  if (!site_value(w, "cloth")[0]) return compare_databases(w, NULL, err);
  CB_TRY(site_find(w->store, CB_CLOTH, (int64_t)site_number(w, "cloth", 0), &cloth, err));
  if (!site_value(w, "body")[0]) return compare_databases(w, &cloth, err);
  CB_TRY(site_find(w->store, CB_BODY, (int64_t)site_number(w, "body", 0), &body, err));
  (void)snprintf(title, sizeof title, "%s on %s", cloth.name, body.name);
  site_begin(w, "compare two campaigns, lots or databases", title, NULL);
  CB_TRY(add_form(w, &cloth, &body, err));
  if (site_value(w, "A")[0] && site_value(w, "B")[0]) CB_TRY(compare_sides(w, &cloth, &body, err));
  site_end(w);
  return CB_OK;
}
