/* Parts of the pages for a browser, private to report/. Each appends to site->text. */
#ifndef REPORT_SITE_IMPL_H
#define REPORT_SITE_IMPL_H

#include "cb_store_query.h"
#include "report_page.h"
#include "report_site.h"

/* A page of one file of report/web: CMake makes texts of them. */
extern const char site_style[], site_script[], site_plot[], site_d3[], site_live[], site_live_script[],
    site_live_style[];

typedef struct site {
  cb_store *store;
  const report_site_query *q;
  report_text *text;
  bool lists_cloths; /* a column `name` of an answer has names of cloths */
} site;

/* The value of a key; "" if it is not there. */
const char *site_value(const site *w, const char *key);
/* The number of a key; otherwise if it is not there, or no number. */
double site_number(const site *w, const char *key, double otherwise);

/* Appends a sentence that something cannot be done. */
void site_refuse(site *w, const char *sentence);
/* Opens the database k beside this one, and tells how it is called. */
CB_CHECKED cb_status site_beside(const site *w, size_t k, cb_store **out, cb_err *err);
const char *site_beside_name(const site *w, size_t k);
/* Whether the databases agree: of a pair, a section; of a cloth, a section of its properties, with its pairs
 * too; a page of the cloths that several have. Nothing without another database. */
CB_CHECKED cb_status site_beside_pair(site *w, int64_t cloth_id, int64_t body_id, cb_err *err);
CB_CHECKED cb_status site_beside_cloth(site *w, const cb_material *cloth, bool with_pairs, cb_err *err);
CB_CHECKED cb_status site_beside_all(site *w, cb_err *err);

/* Head with the bar of all pages, and foot. kicker, title and lead are foreign text; lead may be NULL. */
void site_begin(site *w, const char *kicker, const char *title, const char *lead);
void site_end(site *w);

/* All tables: up to their headings; a heading; up to their rows; their end. */
void site_table_begin(report_text *t);
void site_table_heading(report_text *t, const char *title, bool is_text);
void site_table_rows(report_text *t);
void site_table_end(report_text *t);
/* Appends the answer to a question in SQL as a table with a search field. A column "run", "cloth", "body",
 * "campaign" is a link; a column NAME_to after NAME is the address of its link; a column u_NAME after NAME, a
 * standard uncertainty, is its +-: the view knows no degrees of freedom. none: what is said where the answer
 * has no rows. */
CB_CHECKED cb_status site_table(site *w, const char *sql, const cb_query_value *values, size_t n,
                                const char *none, cb_err *err);
/* The same of an answer that is there. */
void site_rows(site *w, const json_t *doc, const char *none);

/* Finds a cloth or body by its number. Error: CB_E_NOTFOUND. */
CB_CHECKED cb_status site_find(cb_store *s, cb_material_kind kind, int64_t id, cb_material *out, cb_err *err);

/* Makes a page of one table, if the path is one of those; else returns false. */
bool site_list(site *w, cb_status *st, cb_err *err);
/* One whole page each. */
CB_CHECKED cb_status site_home(site *w, cb_err *err);
CB_CHECKED cb_status site_matrix(site *w, cb_err *err);
CB_CHECKED cb_status site_question(site *w, cb_err *err);
CB_CHECKED cb_status site_compare(site *w, cb_err *err);
CB_CHECKED cb_status site_type(site *w, cb_err *err);
CB_CHECKED cb_status site_type_form(cb_store *s, const report_site_query *q, char to[64], cb_err *err);
CB_CHECKED cb_status site_body(site *w, int64_t id, cb_err *err);
CB_CHECKED cb_status site_run(site *w, int64_t id, cb_err *err);

#endif
