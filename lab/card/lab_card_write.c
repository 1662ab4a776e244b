/* The card for programs: a table, a document. */
#include <math.h>

#include "cb_csv.h"
#include "cb_json.h"
#include "cb_num.h"
#include "lab_card_parts.h"

/* ---- CSV ---- */

static void print_number(double v, FILE *to) {
  char text[32];
  if (isfinite(v)) fputs(cb_shortest(v, text), to);
}

static void print_row(const lab_property *p, const lab_section *s, FILE *to) {
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
  fputc(',', to);
  cb_csv_put_text(to, s->validity);
  fputc('\n', to);
}

void lab_card_csv(const exch_material *m, const lab_card *card, FILE *to) {
  char head[128];
  (void)snprintf(head, sizeof head, "%s %s", cb_material_kind_names[m->facts.kind], m->facts.name);
  cb_csv_put_comment(to, head);
  fputs("property,conditions,value,u,unit,dof,n,origin,source,date,calibration,validity\n", to);
  for (size_t i = 0; i < card->n; i++) print_row(&card->list[i], &card->sections[card->list[i].section], to);
}

/* ---- JSON ---- */

static json_t *properties_json(const lab_card *card, size_t section) {
  json_t *list = json_array();
  for (size_t i = 0; i < card->n; i++) {
    const lab_property *p = &card->list[i];
    if (p->section == section)
      (void)json_array_append_new(
          list,
          json_pack("{s:s, s:s, s:f, s:o, s:s, s:o}", "name", p->name, "conditions", p->conditions, "value",
                    p->value, "u", cb_json_real(p->u), "unit", p->unit, "dof", cb_json_real(p->dof)));
  }
  return list;
}

static json_t *section_json(const lab_card *card, size_t i) {
  const lab_section *s = &card->sections[i];
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "title", s->title, "ref",
                   s->ref, "form", s->form, "origin", s->origin, "source", s->source, "method", s->method,
                   "date", s->date, "calibration", s->calibration, "validity", s->validity, "said", s->said,
                   "n", s->n ? json_integer((json_int_t)s->n) : json_null(), "properties",
                   properties_json(card, i));
}

json_t *lab_card_json(const exch_material *m, const lab_card *card) {
  json_t *laws = json_array();
  for (size_t i = 1; i < card->n_sections; i++) (void)json_array_append_new(laws, section_json(card, i));
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "kind", cb_material_kind_names[m->facts.kind],
                   "name", m->facts.name, "composition", m->facts.composition, "weave", m->facts.weave,
                   "source", m->facts.source, "origin", cb_origin_names[m->facts.origin], "properties",
                   properties_json(card, 0), "laws", laws);
}
