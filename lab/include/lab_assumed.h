/* What the laws of a cloth rest on that was not measured. */
#ifndef LAB_ASSUMED_H
#define LAB_ASSUMED_H

#include "cb_store.h"

/* One assumption behind the newest law of a kind. */
typedef struct lab_assumed {
  char law[96];     /* "permeability", "kinetic friction on Foam" */
  const char *what; /* constant of the program: a sentence */
} lab_assumed;

/* Lists the assumptions behind the newest laws of the cloth. None is no error, and a law that was imported
 * without its fit says nothing of them. The caller frees *list. Error: CB_E_NOTFOUND without such a cloth. */
CB_CHECKED cb_status lab_assumed_list(cb_store *s, const char *cloth, lab_assumed **list, size_t *n,
                                      cb_err *err);

#endif
