/* The pages of a database for a browser, made when they are asked for. They are those that `report` writes as
 * files, and pages of runs, lists and questions. Figures can be zoomed and clicked, tables searched and
 * sorted. docs/guide/browser.md describes them. */
#ifndef REPORT_SITE_H
#define REPORT_SITE_H

#include <stdbool.h>

#include "cb_store.h"

typedef struct report_site_query {
  const char *path;                                           /* "/index.html" */
  const char *(*value)(const void *context, const char *key); /* of the query or the form; NULL: not there */
  const void *context;
  const char *secret;        /* that forms carry; "": there are none */
  const char *person;        /* who asks: offered as the signature of forms */
  bool signed_in;            /* the person has shown so: forms are signed by that name alone */
  const char *const *beside; /* paths of n_beside other databases that are shown beside this one, or NULL */
  size_t n_beside;
  cb_status (*open)(void *shelf, size_t k, cb_store **out, cb_err *err); /* beside[k]; open until the answer
                                                                          */
  void *shelf;
} report_site_query;

typedef struct report_site_answer {
  char *text; /* malloc'd; NULL: `fixed` */
  const char *fixed;
  size_t n;
  const char *type;
} report_site_answer;

/* Makes a page. "/2/cloths.html" is that of beside[1], without forms. The caller frees out->text. Errors:
 * CB_E_NOTFOUND if there is no such page, or nothing of that number; those of the store. */
CB_CHECKED cb_status report_site_page(cb_store *s, const report_site_query *q, report_site_answer *out,
                                      cb_err *err);

/* Takes a form: a correction of a run, signed and with a reason, or typed properties of a cloth or body with
 * their source. s was opened for writing. to receives the path of the page that shows it. Errors:
 * CB_E_NOTFOUND for another path; CB_E_ARG, CB_E_PARSE, CB_E_RANGE for what cannot be; those of the store. */
CB_CHECKED cb_status report_site_form(cb_store *s, const report_site_query *q, char to[64], cb_err *err);

/* Makes the page that says an error, with the way back. The caller frees out->text. */
CB_CHECKED cb_status report_site_error(const report_site_query *q, const char *sentence,
                                       report_site_answer *out, cb_err *err);

#endif
