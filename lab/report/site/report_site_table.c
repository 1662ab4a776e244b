/* The answer to a question as a table. Sorting and searching are the browser's (web/site.js). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "report_site_impl.h"

static const char *name_of(const json_t *doc, size_t column) {
  const char *name = json_string_value(json_array_get(json_object_get(doc, "columns"), column));
  return name ? name : "";
}

/* "u_mass_g" of "mass_g" */
static bool is_uncertainty(const json_t *doc, size_t column) {
  return column > 0 && strncmp(name_of(doc, column), "u_", 2) == 0 &&
         strcmp(name_of(doc, column) + 2, name_of(doc, column - 1)) == 0;
}

#define TITLE 200
/* "areal_density_g_per_m2" -> "areal density [g/m²]" */
static void title_of(const char *name, char title[TITLE]) {
  static const char *const units[][2] = {
      {"_g_per_m2", "g/m\u00b2"}, {"_N_per_m", "N/m"}, {"_uNm", "\u00b5N m"},
      {"_mm_per_s", "mm/s"},      {"_mm", "mm"},       {"_N", "N"},
      {"_deg", "\u00b0"},         {"_g", "g"}};
  const char *unit = NULL;
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof units / sizeof units[0] && !unit; i++) {
    const size_t m = strlen(units[i][0]);
    if (n <= m || strcmp(name + n - m, units[i][0]) != 0) continue;
    unit = units[i][1];
    n -= m;
  }
  (void)snprintf(title, TITLE, unit ? "%.*s [%s]" : "%.*s", (int)n, name, unit);
  for (char *c = title; *c; c++)
    if (*c == '_') *c = ' ';
}

void site_table_begin(report_text *t) {
  report_text_add(t, "<div class=\"scroll\" tabindex=\"0\"><table class=\"sorts\"><thead><tr>");
}

void site_table_heading(report_text *t, const char *title, bool is_text) {
  report_text_add(t, is_text ? "<th class=\"t\" scope=\"col\">" : "<th scope=\"col\">");
  report_text_in(t, "", title, "</th>");
}

void site_table_rows(report_text *t) { report_text_add(t, "</tr></thead><tbody>\n"); }

void site_table_end(report_text *t) { report_text_add(t, "</tbody></table></div>\n"); }

static bool is_text_column(const json_t *doc, size_t column) {
  size_t i;
  const json_t *row;
  json_array_foreach(json_object_get(doc, "rows"), i, row) {
    const json_t *v = json_array_get(row, column);
    if (!json_is_null(v)) return json_is_string(v);
  }
  return true;
}

/* What a column shows is a page: its name, and what the page is called. */
static const char *page_of(const char *column) {
  static const char *const pages[][2] = {{"run", "run"},
                                         {"run_id", "run"},
                                         {"cloth_id", "cloth"},
                                         {"body_id", "body"},
                                         {"campaign_id", "campaign"}};
  for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
    if (strcmp(column, pages[i][0]) == 0) return pages[i][1];
  return NULL;
}

static void add_cell(report_text *t, const char *column, const json_t *v, const json_t *u) {
  const char *page = page_of(column);
  if (json_is_integer(v) && page)
    report_text_addf(t, "<a href=\"%s-%lld.html\">%lld</a>", page, (long long)json_integer_value(v),
                     (long long)json_integer_value(v));
  else if (json_is_integer(v))
    report_text_addf(t, "%lld", (long long)json_integer_value(v));
  else if (json_is_real(v))
    report_page_value(t, json_real_value(v), json_is_number(u) ? json_number_value(u) : 0);
  else if (json_is_string(v))
    report_text_html(t, json_string_value(v));
  else
    report_text_add(t, "\u2013");
}

/* "cloth" beside "cloth_id" or "cloth_to" is the text of its link. */
static bool is_hidden(const json_t *doc, size_t column) {
  const char *name = name_of(doc, column);
  const size_t n = strlen(name);
  if (is_uncertainty(doc, column)) return true;
  return n > 3 && (strcmp(name + n - 3, "_id") == 0 || strcmp(name + n - 3, "_to") == 0) && column > 0 &&
         strlen(name_of(doc, column - 1)) == n - 3 && strncmp(name, name_of(doc, column - 1), n - 3) == 0;
}

/* The link of a cell: by what stands in the hidden column behind it, or of a cloth by its name. */
static bool begin_link(const site *w, const json_t *doc, size_t k, const json_t *row) {
  const json_t *v = json_array_get(row, k), *to = json_array_get(row, k + 1);
  const char *column = name_of(doc, k), *page = page_of(name_of(doc, k + 1));
  if (to && is_hidden(doc, k + 1) && json_is_string(to)) {
    report_text_in(w->text, "<a href=\"", json_string_value(to), "\">");
    return true;
  }
  if (page && is_hidden(doc, k + 1) && json_is_integer(to)) {
    report_text_addf(w->text, "<a href=\"%s-%lld.html\">", page, (long long)json_integer_value(to));
    return true;
  }
  if (!json_is_string(v) || strcmp(column, w->lists_cloths ? "name" : "cloth") != 0) return false;
  report_text_add(w->text, "<a href=\"cloth.html?name=");
  for (const char *s = json_string_value(v); *s; s++)
    report_text_addf(w->text, isalnum((unsigned char)*s) ? "%c" : "%%%02X", (unsigned)(unsigned char)*s);
  report_text_add(w->text, "\">");
  return true;
}

static void add_row(const site *w, const json_t *doc, const json_t *row, const bool *is_text) {
  report_text *t = w->text;
  const size_t n = json_array_size(row);
  report_text_add(t, "<tr>");
  for (size_t k = 0; k < n; k++) {
    if (is_hidden(doc, k)) continue;
    report_text_add(t, is_text[k] ? "<td class=\"t\">" : "<td>");
    const bool linked = begin_link(w, doc, k, row);
    add_cell(t, name_of(doc, k), json_array_get(row, k),
             is_uncertainty(doc, k + 1) ? json_array_get(row, k + 1) : NULL);
    report_text_add(t, linked ? "</a></td>" : "</td>");
  }
  report_text_add(t, "</tr>\n");
}

#define COLUMNS 64
#define ROWS 2000 /* a browser shows no more at once */

void site_rows(site *w, const json_t *doc, const char *none) {
  report_text *t = w->text;
  const json_t *rows = json_object_get(doc, "rows");
  const size_t all = json_array_size(json_object_get(doc, "columns")), n = all < COLUMNS ? all : COLUMNS;
  bool is_text[COLUMNS] = {false}, bands = false;
  char title[TITLE];
  size_t i;
  if (json_array_size(rows) == 0) {
    report_text_in(t, "<p class=\"note\">", none, "</p>\n");
    return;
  }
  site_table_begin(t);
  for (size_t k = 0; k < n; k++) {
    is_text[k] = is_text_column(doc, k);
    bands = bands || is_uncertainty(doc, k);
    title_of(name_of(doc, k), title);
    if (!is_hidden(doc, k)) site_table_heading(t, title, is_text[k]);
  }
  site_table_rows(t);
  for (i = 0; i < json_array_size(rows) && i < ROWS; i++) add_row(w, doc, json_array_get(rows, i), is_text);
  site_table_end(t);
  report_text_addf(t, "<p class=\"note\">%s%zu row%s%s</p>\n",
                   json_array_size(rows) > ROWS ? "The first 2000 of " : "", json_array_size(rows),
                   CB_S(json_array_size(rows)), bands ? "; \u00b1: standard uncertainty" : "");
}

cb_status site_table(site *w, const char *sql, const cb_query_value *values, size_t n, const char *none,
                     cb_err *err) {
  json_t *doc;
  CB_TRY(cb_store_query(w->store, sql, values, n, &doc, err));
  site_rows(w, doc, none);
  json_decref(doc);
  return CB_OK;
}
