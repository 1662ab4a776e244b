/* The card of a material: every property that its laws give, with value, standard uncertainty and
 * evidence. */
#ifndef LAB_CARD_H
#define LAB_CARD_H

#include <jansson.h>
#include <stdio.h>

#include "cb_material_figure.h"
#include "cb_store_material_test.h"
#include "exch_material.h"
#include "lab_validity.h"

typedef struct lab_property {
  size_t section;       /* index in lab_card.sections */
  const char *name;     /* constant of the program: "coefficient", "stiffness"; or a figure's own */
  char conditions[120]; /* in words */
  double value, u, dof; /* NAN: unknown; dof INFINITY: u is known exactly */
  const char *unit;     /* constant of the program, or a figure's own; "1" for a pure number */
} lab_property;

/* What properties share: they follow from one law or, in the first section, were typed by people. */
typedef struct lab_section {
  char title[200]; /* "kinetic friction on Foam" */
  char ref[24];    /* "F12" (law_ref); "": no law of the store */
  const char *origin;
  char form[64], source[256], method[400], date[32];
  char calibration[160];          /* of the instruments, in words; "" if unknown */
  char validity[LAB_TALLY_WORDS]; /* of the pulls behind it, counted: lab_tally_words; "" if none was judged
                                   */
  char said[512];                 /* what a law of friction has to stand for, in sentences; "" if nothing */
  size_t n;                       /* number of runs or tests; 0: the law was imported as a whole */
  const char *n_what;             /* "run", "test" */
  const char *dated;              /* constant of the program: what the date is of, "law of" */
} lab_section;

typedef struct lab_card {
  lab_section *sections;
  lab_property *list; /* in the order of their sections */
  size_t n_sections, n, cap_sections, cap;
  cb_material_figure *figures; /* owned; names and units of properties are in it */
  bool full;                   /* memory ran out */
} lab_card;

/* Makes the card of a material from lab_material_load. The caller calls lab_card_clear, even after an error.
 * Error: memory, those of the store. */
CB_CHECKED cb_status lab_card_make(cb_store *s, const exch_material *m, lab_card *card, cb_err *err);
void lab_card_clear(lab_card *card);

/* Makes the document of docs/reference/json, "db show". Returns NULL without memory. The caller calls
 * json_decref. */
json_t *lab_card_json(const exch_material *m, const lab_card *card);

#endif
