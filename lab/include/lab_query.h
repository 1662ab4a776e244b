/* What people type about friction, as SQL over the view v_mu: docs/guide/query.md has the grammar. */
#ifndef LAB_QUERY_H
#define LAB_QUERY_H

#include "cb_store_query.h"

#define LAB_QUERY_VALUES 24
#define LAB_QUERY_OF_RUNS 2600

typedef struct lab_query {
  char sql[2000];
  cb_query_value values[LAB_QUERY_VALUES]; /* texts point into `names` */
  size_t n_values;
  char names[1000];
  char of_runs[LAB_QUERY_OF_RUNS]; /* conditions on means that hold of their runs, too, for lab_query_ask */
  size_t used;                     /* of names */
  bool is_cloth[LAB_QUERY_VALUES]; /* the value is the name of a cloth ... */
  bool is_body[LAB_QUERY_VALUES];  /* ... or of a body */
} lab_query;

/* Turns a question such as
 *     mu < 0.4 on "Plastic Foam" at 1 N, sorted
 * into SQL with values for its "?". A pure function of the text. Errors: CB_E_ARG, with the word that was not
 * understood and what was wanted. */
CB_CHECKED cb_status lab_query_parse(const char *text, lab_query *out, cb_err *err);

/* Asks it. Old names and aliases count for the materials that they mean. The caller releases *out, which is
 * that of cb_store_query. Errors: CB_E_NOTFOUND for a name that nothing has, with the one that was probably
 * meant. */
CB_CHECKED cb_status lab_query_ask(cb_store *s, const lab_query *q, json_t **out, cb_err *err);

#endif
