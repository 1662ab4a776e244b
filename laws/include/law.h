/* Laws of one material, each as a row of one table: whose it is, its text, its figures. What
 * stores, shows, exports and checks laws goes through this table and knows none of them. Laws know no store
 * and no simulator. docs/how-to/law.md says how to add one. */
#ifndef LAW_H
#define LAW_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "cb_err.h"
#include "cb_material.h"
#include "cb_material_law.h"

/* One number that a law tells. */
typedef struct law_figure {
  const char *name, *unit; /* "rigidity", "N m"; "1": a ratio */
  char at[120];            /* where it holds: "45 deg at 200 1/m" */
  double value, u, dof;    /* value NAN: the law does not tell it; u, dof NAN: not known */
} law_figure;
/* Takes a figure; `to` is the caller's. */
typedef void law_take(void *to, const law_figure *f);

typedef struct law_row {
  cb_material_kind of; /* whose law it is */
  const char *made_by; /* "'clothbench fit bending' makes one" */
  bool late;           /* files of other laboratories may lack its key: it came after the others */
  size_t size;         /* of its struct */
  /* Reads a law from the document of its row, and checks it. Errors: CB_E_PARSE; those of the law's check. */
  cb_status (*read)(const json_t *doc, void *law, cb_err *err);
  /* Takes over what the row knows beside the document: id, origin, the material's name. NULL: nothing. */
  void (*adopt)(void *law, const cb_material_law *row, const char *material);
  /* Tells its figures, in the order of a card. */
  void (*tell)(const void *law, const cb_material_law *row, law_take *take, void *to);
  /* Tells the numbers by which materials are found and sorted, each under the name of a column, such as
   * "air_m_per_s". NULL: none. */
  void (*number)(const void *law, law_take *take, void *to);
} law_row;

/* Returns the row of a kind of law. */
const law_row *law_of_kind(cb_material_law_kind kind);
/* How a law is told from all others in what is printed: F12 is a law of friction, T3 one of self-friction
 * (two tensors), and S, B, P, E, C are the first letters of the other kinds. law: one of these words. Returns
 * out. */
#define LAW_REF 24
const char *law_ref(const char *law, int64_t id, char out[LAW_REF]);

/* Reads a law from the text of its row into its struct, and checks it. Errors: CB_E_PARSE for text that is
 * not such a document; those of the law's check (cb_*_law_check), mostly CB_E_RANGE. */
CB_CHECKED cb_status law_read(cb_material_law_kind kind, const char *text, void *law, cb_err *err);
/* Reads the text of a row of any kind, checks it, and tells its numbers. Errors: as for reading it. */
CB_CHECKED cb_status law_numbers(cb_material_law_kind kind, const char *text, law_take *take, void *to,
                                 cb_err *err);
/* Reads the text of a row of any kind and checks it. Errors: as for reading it. */
CB_CHECKED cb_status law_check(cb_material_law_kind kind, const char *text, cb_err *err);

#endif
