/* The card of a material: every property that its laws give, with value, standard uncertainty, and what stands behind it. */
#ifndef CLI_CARD_H
#define CLI_CARD_H

#include <jansson.h>
#include <stdio.h>

#include "cb_store_test.h"
#include "exch_material.h"

typedef struct cli_property {
  size_t section;
  const char *name; /* static: "coefficient", "stiffness" */
  char conditions[120];
  double value, u, dof; /* u, dof NAN: not known; dof INFINITY: known without limit */
  const char *unit;     /* static; "1" for a number */
} cli_property;

/* What several properties share: they are of one law, or typed by people. */
typedef struct cli_section {
  char title[200]; /* "kinetic friction on Foam" */
  const char *origin;
  char form[64], source[256], method[400], date[32];
  char calibration[160]; /* of the instruments behind it, in words; "" where none is known */
  size_t n;              /* of runs or tests; 0: a law that came whole */
  const char *n_what;    /* "run", "test" */
  const char *dated;     /* static: what the date is of, "law of" */
} cli_section;

typedef struct cli_card {
  cli_section *sections;
  cli_property *list; /* in the order of their sections */
  size_t n_sections, n, cap_sections, cap;
  bool full; /* no memory for more */
} cli_card;

CB_CHECKED cb_status cli_card_make(cb_store *s, const exch_material *m, cli_card *card, cb_err *err);
void cli_card_clear(cli_card *card);

void cli_card_print(const exch_material *m, const cli_card *card, FILE *to);
/* The same as CSV: property, conditions, value, u, unit, dof, n, origin, source, date, calibration. */
void cli_card_print_csv(const exch_material *m, const cli_card *card, FILE *to);

/* The same as one document; NULL: no memory. */
json_t *cli_card_json(const exch_material *m, const cli_card *card);

/* For the files that know a kind of law: a section, and properties of the last one. Out of memory is told by cli_card_make. */
cli_section *cli_card_section(cli_card *card, const char *origin, const char *date);
void cli_card_add(cli_card *card, const char *name, cli_property p, const char *conditions, ...) CB_PRINTF(4, 5);

#endif
