/* docs/reference/json lists the keys of every --json document: one section per command ("## `fit
 * friction`"), one row per value, which is a path of names: "quantities[].name" in a list, "mean_mu.*.sd"
 * where the name is a datum. A document and its section are compared both ways. */
#ifndef JSONPAGE_H
#define JSONPAGE_H

#include "cbtest.h"

#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>

#define JP_ROWS 500

typedef struct jp_page {
  char path[JP_ROWS][80];
  bool seen[JP_ROWS];
  int n;
  const char *section;
} jp_page;

/* The text of the page of docs/reference/json that has the section; *at: where. The caller frees it. */
static inline char *jp_page_with(const char *section, char **at) {
  char head[80], path[600], *text = NULL;
  DIR *folder = opendir(CB_SOURCE_DIR "/docs/reference/json");
  (void)snprintf(head, sizeof head, "## `%s`\n", section);
  assert_non_null(folder);
  *at = NULL;
  for (struct dirent *e; !*at && (e = readdir(folder));) {
    if (!strstr(e->d_name, ".md")) continue;
    free(text);
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/docs/reference/json/%s", e->d_name);
    text = cbt_read(path);
    *at = strstr(text, head);
  }
  (void)closedir(folder);
  if (!*at) fail_msg("docs/reference/json has no section '%s'", section);
  return text;
}

static inline void jp_read(jp_page *p, const char *section) {
  char *at, *rest = NULL, *text = jp_page_with(section, &at);
  *p = (jp_page){.section = section};
  char *end = strstr(at + 3, "\n## ");
  if (end) *end = '\0';
  for (char *line = strtok_r(at, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (strncmp(line, "| `", 3) != 0) continue;
    assert_true(p->n < JP_ROWS);
    (void)snprintf(p->path[p->n++], sizeof p->path[0], "%.*s", (int)strcspn(line + 3, "`"), line + 3);
  }
  free(text);
}

/* Does the row say this path? "*" in a row stands for one name. below: the path may also be the beginning of
 * the row's. */
static inline bool jp_says(const char *row, const char *path, bool below) {
  while (*row && *path) {
    if (*row == '*') {
      row++;
      path += strcspn(path, ".[");
    } else if (*row++ != *path++) {
      return false;
    }
  }
  return !*path && (!*row || (below && (*row == '.' || *row == '[')));
}

static inline void jp_leaf(jp_page *p, const char *path, bool empty) {
  bool found = false;
  for (int i = 0; i < p->n; i++) {
    if (!jp_says(p->path[i], path, empty)) continue;
    found = p->seen[i] = true;
  }
  if (!found) fail_msg("docs/reference/json, '%s': says nothing of '%s'", p->section, path);
}

static inline void jp_walk(jp_page *p, const json_t *value, const char *path) {
  char below[120];
  const char *key;
  json_t *item;
  size_t i;
  if (json_is_object(value) && json_object_size(value) > 0) {
    json_object_foreach((json_t *)(uintptr_t)value, key, item) {
      (void)snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", key);
      jp_walk(p, item, below);
    }
  } else if (json_is_array(value) && json_array_size(value) > 0) {
    (void)snprintf(below, sizeof below, "%s[]", path);
    json_array_foreach(value, i, item) jp_walk(p, item, below);
  } else {
    jp_leaf(p, path, json_is_null(value) || json_is_object(value) || json_is_array(value));
  }
}

/* Every value of the document is on the page, and every row of the page in the document, or below something
 * that is empty there. */
static inline void jp_expect(const char *section, const json_t *doc) {
  static jp_page p;
  jp_read(&p, section);
  jp_walk(&p, doc, "");
  for (int i = 0; i < p.n; i++)
    if (!p.seen[i]) fail_msg("docs/reference/json, '%s': '%s' is not in the document", section, p.path[i]);
}

/* The one document that the text is; caller json_decref. */
static inline json_t *jp_document(const char *text) {
  json_error_t e;
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &e);
  if (!doc) fail_msg("not one JSON document: %s in '%s'", e.text, text);
  return doc;
}

static inline double jp_number(const json_t *doc, const char *key) {
  const json_t *v = json_object_get(doc, key);
  if (!json_is_number(v)) fail_msg("%s is no number", key);
  return json_number_value(v);
}

static inline void jp_expect_text(const char *section, const char *text) {
  json_t *doc = jp_document(text);
  jp_expect(section, doc);
  json_decref(doc);
}

#endif
