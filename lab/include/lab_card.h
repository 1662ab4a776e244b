/* The card of a material: every property that its laws give, with value, standard uncertainty, and what
 * stands behind it. */
#ifndef LAB_CARD_H
#define LAB_CARD_H

#include <jansson.h>
#include <stdio.h>

#include "cb_store_material_test.h"
#include "exch_material.h"

typedef struct lab_property {
  size_t section;
  const char *name; /* static: "coefficient", "stiffness" */
  char conditions[120];
  double value, u, dof; /* u, dof NAN: not known; dof INFINITY: known without limit */
  const char *unit;     /* static; "1" for a number */
} lab_property;

/* What several properties share: they are of one law, or, in the first section, typed by people. */
typedef struct lab_section {
  char title[200]; /* "kinetic friction on Foam" */
  const char *origin;
  char form[64], source[256], method[400], date[32];
  char calibration[160]; /* of the instruments behind it, in words; "" where none is known */
  size_t n;              /* of runs or tests; 0: a law that came whole */
  const char *n_what;    /* "run", "test" */
  const char *dated;     /* static: what the date is of, "law of" */
} lab_section;

typedef struct lab_card {
  lab_section *sections;
  lab_property *list; /* in the order of their sections */
  size_t n_sections, n, cap_sections, cap;
  bool full; /* no memory for more */
} lab_card;

/* Of a material as lab_material_load gives it. Caller: lab_card_clear. */
CB_CHECKED cb_status lab_card_make(cb_store *s, const exch_material *m, lab_card *card, cb_err *err);
void lab_card_clear(lab_card *card);

/* The card as one document (docs/json.md, "db show"). NULL: no memory. Caller: json_decref. */
json_t *lab_card_json(const exch_material *m, const lab_card *card);

#endif
