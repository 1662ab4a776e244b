#include "cli_card.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"

#include <math.h>
#include <string.h>

static void print_fact(const char *name, const char *text, FILE *to) {
  if (text[0]) fprintf(to, "  %-15s%s\n", name, text);
}

static void print_facts(const cb_material *m, FILE *to) {
  char text[CB_PLUS_MINUS];
  fprintf(to, "%s %s\n", cb_material_kind_names[m->kind], m->name);
  print_fact("composition", m->composition, to);
  print_fact("weave", m->weave, to);
  if (m->areal_density_kg_per_m2 > 0)
    fprintf(
        to, "  areal density  %s g/m2\n",
        cb_plus_minus_of_u(1e3 * m->areal_density_kg_per_m2, 1e3 * m->u_areal_density_kg_per_m2, NAN, text));
  if (m->thickness_m > 0)
    fprintf(to, "  thickness      %s mm\n",
            cb_plus_minus_of_u(1e3 * m->thickness_m, 1e3 * m->u_thickness_m, NAN, text));
  print_fact("source", m->source, to);
  print_fact("origin", cb_origin_names[m->origin], to);
  print_fact("uncertainty", "+- at 95 %", to);
}

static void print_head(const lab_section *s, FILE *to) {
  fprintf(to, "\n  %s%s%s, %s\n    ", s->title, s->form[0] ? ", " : "", s->form, s->origin);
  if (s->n) fprintf(to, "%zu %s%s; ", s->n, s->n_what, CB_S(s->n));
  fprintf(to, "%s %.10s%s%s%s%s\n", s->dated, s->date, s->ref[0] ? ", " : "", s->ref,
          s->calibration[0] ? "; " : "", s->calibration);
  if (s->source[0]) fprintf(to, "    source: %s\n", s->source);
  if (s->validity[0]) fprintf(to, "    %s\n", s->validity);
  if (s->said[0]) fprintf(to, "    %s\n", s->said);
}

static void print_property(const lab_property *p, FILE *to) {
  char text[CB_PLUS_MINUS];
  fprintf(to, "    %-20s %-34s  %-22s %s\n", p->name, p->conditions,
          cb_plus_minus_of_u(p->value, p->u, p->dof, text), strcmp(p->unit, "1") == 0 ? "" : p->unit);
}

void cli_card_print(const exch_material *m, const lab_card *card, FILE *to) {
  print_facts(&m->facts, to);
  size_t section = 0; /* the first are the facts */
  for (size_t i = 0; i < card->n; i++) {
    const lab_property *p = &card->list[i];
    if (p->section == 0) continue;
    if (p->section != section) print_head(&card->sections[p->section], to);
    section = p->section;
    print_property(p, to);
  }
}
