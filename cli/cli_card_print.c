/* The card on paper: for people, as CSV, as JSON. */
#include <math.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_num.h"
#include "cli_card.h"
#include "cli.h"

/* ---- for people ---- */

static void print_fact(const char *name, const char *text, FILE *to) {
  if (text[0]) fprintf(to, "  %-15s%s\n", name, text);
}

static void print_facts(const cb_material *m, FILE *to) {
  fprintf(to, "%s %s\n", cb_material_kind_names[m->kind], m->name);
  print_fact("composition", m->composition, to);
  print_fact("weave", m->weave, to);
  if (m->areal_density_kg_per_m2 > 0) fprintf(to, "  areal density  %.1f g/m2\n", 1e3 * m->areal_density_kg_per_m2);
  if (m->thickness_m > 0) fprintf(to, "  thickness      %.3g mm\n", 1e3 * m->thickness_m);
  print_fact("source", m->source, to);
  print_fact("origin", cb_origin_names[m->origin], to);
}

static void print_head(const cli_section *s, FILE *to) {
  fprintf(to, "\n  %s%s%s, %s\n    ", s->title, s->form[0] ? ", " : "", s->form, s->origin);
  if (s->n) fprintf(to, "%zu %s%s; ", s->n, s->n_what, s->n == 1 ? "" : "s");
  fprintf(to, "%s %.10s%s%s\n", s->dated, s->date, s->calibration[0] ? "; " : "", s->calibration);
  if (s->source[0]) fprintf(to, "    source: %s\n", s->source);
}

/* The value as far as its uncertainty lets it be known: to the second digit of u. */
static void print_value(double value, double u, FILE *to) {
  int digits = 4;
  if (u > 0 && value != 0) digits = (int)floor(log10(fabs(value))) - (int)floor(log10(u)) + 2;
  fprintf(to, "%*.*g", 12, digits < 2 ? 2 : digits > 9 ? 9 : digits, value);
}

static void print_property(const cli_property *p, FILE *to) {
  fprintf(to, "    %-20s %-34s", p->name, p->conditions);
  print_value(p->value, p->u, to);
  if (p->u >= 0)
    fprintf(to, " +- %-9.2g %s", p->u, strcmp(p->unit, "1") == 0 ? "" : p->unit);
  else
    fprintf(to, "    %-9s %s", "", strcmp(p->unit, "1") == 0 ? "" : p->unit);
  fputc('\n', to);
}

void cli_card_print(const exch_material *m, const cli_card *card, FILE *to) {
  print_facts(&m->facts, to);
  size_t section = 0; /* the first are the facts */
  for (size_t i = 0; i < card->n; i++) {
    const cli_property *p = &card->list[i];
    if (p->section == 0) continue;
    if (p->section != section) print_head(&card->sections[p->section], to);
    section = p->section;
    print_property(p, to);
  }
}

/* ---- CSV ---- */

static void print_number(double v, FILE *to) {
  char text[32];
  if (isfinite(v)) fputs(cb_shortest(v, text), to);
}

static void print_row(const cli_property *p, const cli_section *s, FILE *to) {
  char name[260];
  (void)snprintf(name, sizeof name, "%s%s%s", s->title, s->title[0] ? ": " : "", p->name);
  cb_csv_put_text(to, name);
  fputc(',', to);
  cb_csv_put_text(to, p->conditions);
  fputc(',', to);
  print_number(p->value, to);
  fputc(',', to);
  print_number(p->u, to);
  fputc(',', to);
  cb_csv_put_text(to, p->unit);
  fputc(',', to);
  print_number(p->dof, to);
  fputc(',', to);
  if (s->n) fprintf(to, "%zu", s->n);
  fprintf(to, ",%s,", s->origin);
  cb_csv_put_text(to, s->source);
  fputc(',', to);
  cb_csv_put_text(to, s->date);
  fputc(',', to);
  cb_csv_put_text(to, s->calibration);
  fputc('\n', to);
}

void cli_card_print_csv(const exch_material *m, const cli_card *card, FILE *to) {
  char head[128];
  (void)snprintf(head, sizeof head, "%s %s", cb_material_kind_names[m->facts.kind], m->facts.name);
  cb_csv_put_comment(to, head);
  fputs("property,conditions,value,u,unit,dof,n,origin,source,date,calibration\n", to);
  for (size_t i = 0; i < card->n; i++) print_row(&card->list[i], &card->sections[card->list[i].section], to);
}

/* ---- JSON ---- */

static json_t *properties_json(const cli_card *card, size_t section) {
  json_t *list = json_array();
  for (size_t i = 0; i < card->n; i++) {
    const cli_property *p = &card->list[i];
    if (p->section == section)
      (void)json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:o, s:s, s:o}", "name", p->name, "conditions", p->conditions, "value",
                                                  p->value, "u", cb_json_real(p->u), "unit", p->unit, "dof", cb_json_real(p->dof)));
  }
  return list;
}

static json_t *section_json(const cli_card *card, size_t i) {
  const cli_section *s = &card->sections[i];
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "title", s->title, "form", s->form, "origin", s->origin, "source",
                   s->source, "method", s->method, "date", s->date, "calibration", s->calibration, "n",
                   s->n ? json_integer((json_int_t)s->n) : json_null(), "properties", properties_json(card, i));
}

json_t *cli_card_json(const exch_material *m, const cli_card *card) {
  json_t *laws = json_array();
  for (size_t i = 1; i < card->n_sections; i++) (void)json_array_append_new(laws, section_json(card, i));
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "kind", cb_material_kind_names[m->facts.kind], "name", m->facts.name,
                   "composition", m->facts.composition, "weave", m->facts.weave, "source", m->facts.source, "origin",
                   cb_origin_names[m->facts.origin], "properties", properties_json(card, 0), "laws", laws);
}
