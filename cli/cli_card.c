#include "cli_card.h"

#include <math.h>
#include <string.h>

static void print_fact(const char *name, const char *text, FILE *to) {
  if (text[0]) fprintf(to, "  %-15s%s\n", name, text);
}

/* " +- U", or nothing. */
static const char *words_of_u(double value, char out[40]) {
  out[0] = '\0';
  if (value > 0) (void)snprintf(out, 40, " +- %.2g", value);
  return out;
}

static void print_facts(const cb_material *m, FILE *to) {
  char u[40];
  fprintf(to, "%s %s\n", cb_material_kind_names[m->kind], m->name);
  print_fact("composition", m->composition, to);
  print_fact("weave", m->weave, to);
  if (m->areal_density_kg_per_m2 > 0)
    fprintf(to, "  areal density  %.1f%s g/m2\n", 1e3 * m->areal_density_kg_per_m2,
            words_of_u(1e3 * m->u_areal_density_kg_per_m2, u));
  if (m->thickness_m > 0)
    fprintf(to, "  thickness      %.3g%s mm\n", 1e3 * m->thickness_m, words_of_u(1e3 * m->u_thickness_m, u));
  print_fact("source", m->source, to);
  print_fact("origin", cb_origin_names[m->origin], to);
}

static void print_head(const lab_section *s, FILE *to) {
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

static void print_property(const lab_property *p, FILE *to) {
  fprintf(to, "    %-20s %-34s", p->name, p->conditions);
  print_value(p->value, p->u, to);
  if (p->u >= 0)
    fprintf(to, " +- %-9.2g %s", p->u, strcmp(p->unit, "1") == 0 ? "" : p->unit);
  else
    fprintf(to, "    %-9s %s", "", strcmp(p->unit, "1") == 0 ? "" : p->unit);
  fputc('\n', to);
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
