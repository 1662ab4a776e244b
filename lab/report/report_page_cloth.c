/* One cloth: what is known, what is not, what predictions were worth, figures, properties, friction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_language.h"
#include "cb_text.h"
#include "cb_plural.h"
#include "cb_stats.h"
#include "lab_card.h"
#include "lab_judged.h"
#include "lab_material.h"
#include "report_plots.h"
#include "report_page.h"

/* ---- facts ---- */

static void add_fact(report_text *t, const char *name, const char *value) {
  if (!value[0]) return;
  report_text_addf(t, "<dt>%s</dt><dd>", _(name));
  report_text_in(t, "", value, "</dd>\n");
}

static void add_quantity(report_text *t, const char *name, double value, double u, const char *unit) {
  if (!(value > 0)) return;
  report_text_addf(t, "<dt>%s</dt><dd>", _(name));
  report_page_value(t, value, cb_student_t(0.95, INFINITY) * u);
  report_text_addf(t, " %s</dd>\n", unit);
}

static void add_facts(report_text *t, const cb_material *m) {
  report_text_add(t, "<section><dl>\n");
  add_fact(t, N_("Composition"), m->composition);
  add_fact(t, N_("Weave"), m->weave);
  add_quantity(t, N_("Areal density"), 1e3 * m->areal_density_kg_per_m2, 1e3 * m->u_areal_density_kg_per_m2,
               "g/m\u00b2");
  add_quantity(t, N_("Thickness"), 1e3 * m->thickness_m, 1e3 * m->u_thickness_m, "mm");
  add_fact(t, N_("Source"), m->source);
  add_fact(t, N_("Origin"), cb_origin_names[m->origin]);
  report_text_add(t, "</dl></section>\n");
}

/* ---- verdicts ---- */

static void add_verdict(report_page *page, const cb_validation *v) {
  report_text *t = page->text;
  report_text_in(t, "<tr><td class=\"t\">", v->experiment, "</td><td class=\"t\">");
  report_text_html(t, v->body_id ? report_data_name(page->data, v->body_id) : "\u2013");
  if (v->run_id)
    report_text_addf(t, "</td><td class=\"t\">run %lld", (long long)v->run_id);
  else
    report_text_add(t, "</td><td class=\"t\">tests of the cloth");
  report_text_addf(t, "</td><td class=\"%s t\">%s</td><td>", v->pass ? "good" : "bad",
                   v->pass ? "\u2713 pass" : "\u2717 fail");
  report_page_number(t, v->worst_en, 3);
  report_text_addf(t, "</td><td class=\"t\">%.10s</td></tr>\n", v->created_at);
}

/* Newest first: of one run that was judged again, all verdicts are shown. */
static cb_status add_verdicts(report_page *page, const cb_material *cloth, cb_err *err) {
  report_text *t = page->text;
  cb_validation *list;
  size_t n, shown = 0;
  CB_TRY(cb_store_validations(page->data->store, 0, &list, &n, err));
  for (size_t i = n; i > 0; i--) {
    if (list[i - 1].cloth_id != cloth->id) continue;
    if (shown++ == 0)
      report_text_words(t,
                        "<section><h2>Verdicts on predictions</h2>\n<div class=\"scroll\"><table><tr><th "
                        "class=\"t\">predicted</th><th class=\"t\">body</th><th class=\"t\">measured</th><th "
                        "class=\"t\">verdict</th><th>largest |E<sub>n</sub>|</th><th "
                        "class=\"t\">judged</th></tr>\n");
    add_verdict(page, &list[i - 1]);
  }
  if (shown > 0)
    report_text_addf(
        t,
        "</table></div>\n<p class=\"note\">A prediction passes where every |E<sub>n</sub>| \u2264 "
        "1 (ISO 13528).%s</p></section>\n",
        cb_origin_is_real(cloth->origin) ? "" : " Virtual drapes: " LAB_JUDGED_APART ".");
  cb_validations_free(list, n);
  return CB_OK;
}

/* ---- figures ---- */

static cb_status add_figures(report_page *page, const cb_material *cloth, cb_err *err) {
  const size_t before = page->text->n;
  cb_status st = CB_OK;
  report_text_words(page->text, "<section><h2>Figures</h2>\n<div class=\"figs\">\n");
  const size_t head = page->text->n;
  for (const report_cloth_figure *f = report_cloth_figures; f->name && st == CB_OK; f++) {
    report_plot plot = {0};
    st = f->build(&plot, page->data->store, cloth, err);
    if (st == CB_OK)
      st = report_page_column(page, &plot, f->name, f->caption, err);
    else
      report_plot_clear(&plot);
  }
  if (page->text->n > head)
    report_text_add(page->text, "</div></section>\n");
  else
    report_text_cut(page->text, before);
  return st;
}

/* ---- properties ---- */

static void add_evidence(report_text *t, const lab_section *s) {
  report_text_add(t, "<p class=\"note\">");
  if (s->n > 0) report_text_addf(t, "%zu %s%s; ", s->n, s->n_what, CB_S(s->n));
  report_text_addf(t, "%s ", s->dated);
  report_text_addf(t, "%.10s; %s", s->date, s->origin);
  const char *const more[] = {s->form, s->calibration, s->method, s->source, s->validity, s->said};
  for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
    if (!more[i][0]) continue;
    report_text_in(t, "; ", more[i], "");
  }
  report_text_add(t, "</p>\n");
}

report_prefix report_page_prefix(const lab_property *p) {
  static const char *const units[] = {"N m", "N", "m", "m/s", "N/m"};
  const double size = fabs(p->value);
  for (size_t i = 0; i < sizeof units / sizeof units[0] && size > 0 && size < 0.1; i++)
    if (strcmp(p->unit, units[i]) == 0)
      return size < 1e-4 ? (report_prefix){1e6, "\u00b5"} : (report_prefix){1e3, "m"};
  return (report_prefix){1, ""};
}

static void add_property(report_text *t, const lab_property *p) {
  const report_prefix scale = report_page_prefix(p);
  const double k = cb_student_t(0.95, isnan(p->dof) ? INFINITY : p->dof);
  report_text_in(t, "<tr><td class=\"t\">", p->name, "</td><td class=\"t\">");
  report_text_in(t, "", p->conditions, "</td><td>");
  report_page_value(t, scale.unit * p->value, scale.unit * k * p->u);
  report_text_addf(t, "</td><td class=\"t\">%s", scale.name);
  report_text_in(t, "", strcmp(p->unit, "1") == 0 ? "" : p->unit, "</td></tr>\n");
}

static void add_section(report_text *t, const lab_card *card, size_t section) {
  const lab_section *s = &card->sections[section];
  report_text_in(t, "<h3>", s->title, "</h3>\n<div class=\"scroll\"><table>\n");
  for (size_t i = 0; i < card->n; i++)
    if (card->list[i].section == section) add_property(t, &card->list[i]);
  report_text_add(t, "</table></div>\n");
  add_evidence(t, s);
}

/* Verdicts and friction have tables of their own. */
static bool is_elsewhere(const lab_section *s) {
  return (s->n_what && strcmp(s->n_what, "verdict") == 0) ||
         strncmp(s->title, "kinetic friction on ", 20) == 0 ||
         strncmp(s->title, "static friction on ", 19) == 0;
}

/* The first section of the card are the facts. */
static cb_status add_properties(report_page *page, const char *name, cb_err *err) {
  exch_material m;
  lab_card card;
  size_t shown = 0;
  CB_TRY(lab_material_load(page->data->store, name, &m, err));
  const cb_status st = lab_card_make(page->data->store, &m, &card, err);
  for (size_t i = 1; st == CB_OK && i < card.n_sections; i++) {
    if (is_elsewhere(&card.sections[i])) continue;
    if (shown++ == 0) report_text_words(page->text, "<section><h2>Properties</h2>\n");
    add_section(page->text, &card, i);
  }
  if (shown > 0) report_text_add(page->text, "</section>\n");
  lab_card_clear(&card);
  exch_material_clear(&m);
  return st;
}

/* ---- friction ---- */

static void add_pair(report_page *page, report_pair pair) {
  report_text *t = page->text;
  const cb_friction_law *law = report_data_law(page->data, pair, CB_FRICTION_KINETIC);
  char stem[128];
  report_text_add(t, "<tr><td class=\"t\">");
  report_pair_stem(page->data, pair, stem);
  report_page_link(page, stem, report_data_name(page->data, pair.body_id));
  report_text_add(t, "</td>");
  for (int i = 0; law && i < 2; i++) {
    cb_friction_value v;
    const double N = law->knots[law->n_knots / 2].normal_force_N;
    cb_friction_law_eval(law, i * acos(0), N, &v);
    report_page_cell(t, v.force_N / N, cb_student_t(0.95, v.dof) * v.u_force_N / N);
  }
  if (law)
    report_text_addf(t, "<td>%.3g</td></tr>\n", law->knots[law->n_knots / 2].normal_force_N);
  else
    report_text_add(t, "<td class=\"note\">not fitted</td><td>\u2013</td><td>\u2013</td></tr>\n");
}

static void add_friction(report_page *page) {
  report_text *t = page->text;
  if (page->n_pairs == 0) return;
  report_text_words(t,
                    "<section><h2>Kinetic friction</h2>\n<div class=\"scroll\"><table><tr><th "
                    "class=\"t\">body</th><th>\u00b5 along warp</th><th>\u00b5 along weft</th><th>at load "
                    "[N]</th></tr>\n");
  for (size_t i = 0; i < page->n_pairs; i++) add_pair(page, page->pairs[i]);
  report_text_add(t,
                  "</table></div>\n<p class=\"note\">At the middle load of the law. The page of the pair has "
                  "all loads and directions.</p></section>\n");
}

/* ---- origins: a page may have both real and virtual items ---- */

#define LISTED 600

typedef struct origins {
  bool real;            /* an item is measured or imported */
  char virtual[LISTED]; /* titles of those that are not */
} origins;

static cb_status find_origins(const report_page *page, const char *name, origins *out, cb_err *err) {
  exch_material m;
  lab_card card;
  *out = (origins){.real = false};
  CB_TRY(lab_material_load(page->data->store, name, &m, err));
  const cb_status st = lab_card_make(page->data->store, &m, &card, err);
  for (size_t i = 1; st == CB_OK && i < card.n_sections; i++) {
    const lab_section *s = &card.sections[i];
    if (s->n_what && strcmp(s->n_what, "verdict") == 0) continue;
    const bool real = strcmp(s->origin, cb_origin_names[CB_MEASURED]) == 0 ||
                      strcmp(s->origin, cb_origin_names[CB_IMPORTED]) == 0;
    if (real)
      out->real = true;
    else
      cb_text_add(out->virtual, LISTED, ", ", "%s (%s)", s->title, s->origin);
  }
  lab_card_clear(&card);
  exch_material_clear(&m);
  return st;
}

static void add_origins(report_text *t, const origins *o) {
  if (!o->real || !o->virtual[0]) return;
  report_text_add(t,
                  "<div class=\"banner\" role=\"note\"><b>PARTLY VIRTUAL.</b> Not measured on real cloth: ");
  report_text_in(t, "", o->virtual, ". All else is measured or imported.</div>\n");
}

static void add_head(report_page *page, const cb_material *cloth, const origins *o) {
  report_text *t = page->text;
  if (o->real) page->origin = CB_MEASURED;
  report_page_begin(page, cloth->name);
  add_origins(t, o);
  report_text_in(t, "<header><p class=\"kicker\">cloth</p><h1>", cloth->name, "</h1>\n");
  if (report_page_is_there(page, REPORT_INDEX_STEM))
    report_text_add(t,
                    "<p class=\"lead\"><a href=\"" REPORT_INDEX_STEM ".html\">Index of the database</a></p>");
  report_text_add(t, "</header>\n");
}

cb_status report_page_cloth(report_page *page, const cb_material *cloth, cb_err *err) {
  exch_material m;
  origins o;
  CB_TRY(find_origins(page, cloth->name, &o, err));
  CB_TRY(lab_material_load(page->data->store, cloth->name, &m, err)); /* an areal density may be of tests */
  add_head(page, cloth, &o);
  add_facts(page->text, &m.facts);
  exch_material_clear(&m);
  CB_TRY(report_page_gaps(page, cloth->name, err));
  report_page_next(page);
  CB_TRY(report_page_shape(page, cloth, err));
  CB_TRY(add_verdicts(page, cloth, err));
  CB_TRY(add_figures(page, cloth, err));
  CB_TRY(report_page_tests(page, cloth, err));
  add_friction(page);
  CB_TRY(add_properties(page, cloth->name, err));
  if (!page->served) report_page_end(page);
  return CB_OK;
}
